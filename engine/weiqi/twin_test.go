package weiqi

import (
	"tengen/engine/game"
)

// twin reads the rules naively and slowly, and shares nothing with the code it judges but
// the colours: the board is a string, a chain is found by flooding, and the past is kept
// as a list of strings.
type twin struct {
	size     int
	rules    Rules
	board    string // rows from the top: X, O, .
	past     []tpast
	captured [2]int // stones taken by Black, by White
	next     [][]int

	seen          []int // scratch of flood
	turn          int
	group, border []int
}

type tpast struct {
	board string
	mover byte
	pass  bool
}

func newTwin(size int, r Rules, board string, toMove byte) *twin {
	t := &twin{size: size, rules: r, board: board}
	t.past = []tpast{{board, opponent(toMove), false}}
	for i := range len(board) {
		t.next = append(t.next, t.neighbours(i))
	}
	return t
}

func opponent(c byte) byte { return 'X' + 'O' - c }

func (t *twin) neighbours(i int) []int {
	var ns []int
	x, y := i%t.size, i/t.size
	if x > 0 {
		ns = append(ns, i-1)
	}
	if x < t.size-1 {
		ns = append(ns, i+1)
	}
	if y > 0 {
		ns = append(ns, i-t.size)
	}
	if y < t.size-1 {
		ns = append(ns, i+t.size)
	}
	return ns
}

// flood returns the connected points that hold what i holds, and all points next to them.
// The next flood overwrites them.
func (t *twin) flood(board []byte, i int) (group, border []int) {
	if t.seen == nil {
		t.seen = make([]int, len(board))
	}
	t.turn++
	t.seen[i] = t.turn
	group, border = append(t.group[:0], i), t.border[:0]
	for k := 0; k < len(group); k++ {
		for _, n := range t.next[group[k]] {
			if t.seen[n] != t.turn {
				t.seen[n] = t.turn
				if board[n] == board[i] {
					group = append(group, n)
				} else {
					border = append(border, n)
				}
			}
		}
	}
	t.group, t.border = group, border
	return group, border
}

// dead returns the chain of a stone if it has no liberty.
func (t *twin) dead(board []byte, i int) []int {
	for _, n := range t.next[i] {
		if board[n] == '.' {
			return nil
		}
	}
	group, border := t.flood(board, i)
	for _, b := range border {
		if board[b] == '.' {
			return nil
		}
	}
	return group
}

// after returns the board after a stone, how many stones it takes, and how many own stones
// go because they have no liberty then.
func (t *twin) after(c byte, i int) (board string, taken, own int) {
	b := []byte(t.board)
	b[i] = c
	for _, n := range t.next[i] {
		if b[n] == opponent(c) {
			for _, d := range t.dead(b, n) {
				b[d] = '.'
				taken++
			}
		}
	}
	for _, d := range t.dead(b, i) {
		b[d] = '.'
		own++
	}
	return string(b), taken, own
}

// judge returns what the rules say of a stone, and whether no reading of them forbids it.
func (t *twin) judge(c byte, i int) (why string, playable bool) {
	if t.board[i] != '.' {
		return "occupied", false
	}
	board, taken, own := t.after(c, i)
	if own > 0 && !t.rules.Suicide {
		return "suicide", false
	}
	positional, situational, self := false, false, false
	for _, p := range t.past {
		if p.board == board {
			positional = true
			situational = situational || p.mover == c
			self = self || p.mover == c && !p.pass
		}
	}
	// What was on the board before the opponent's move just now, and by one stone only.
	n := len(t.past)
	simple := taken == 1 && n >= 2 && t.past[n-1].mover != c && !t.past[n-1].pass && t.past[n-2].board == board
	repeats := [numKo]bool{simple, positional, situational, self}[t.rules.Ko]
	if repeats {
		return "repetition", false
	}
	return "legal", t.rules.Ko != OwnSuperko || !situational
}

// play plays a point, or passes with -1.
func (t *twin) play(c byte, i int) {
	if i >= 0 {
		board, taken, own := t.after(c, i)
		t.board = board
		t.captured[side(c)] += taken
		t.captured[1-side(c)] += own
	}
	t.past = append(t.past, tpast{t.board, c, i < 0})
}

func side(c byte) int {
	if c == 'X' {
		return 0
	}
	return 1
}

// area returns each side's stones and territory and the neutral points.
func (t *twin) area() (black, white, neutral int) {
	b := []byte(t.board)
	done := make([]bool, len(b))
	for i := range b {
		switch {
		case b[i] == 'X':
			black++
		case b[i] == 'O':
			white++
		case !done[i]:
			group, border := t.flood(b, i)
			x, o := false, false
			for _, n := range border {
				x, o = x || b[n] == 'X', o || b[n] == 'O'
			}
			for _, g := range group {
				done[g] = true
			}
			switch {
			case x && !o:
				black += len(group)
			case o && !x:
				white += len(group)
			default:
				neutral += len(group)
			}
		}
	}
	return black, white, neutral
}

// picture draws a board as the twin does.
func picture(b *Board) string {
	s := make([]byte, 0, b.size*b.size)
	for y := range b.size {
		for x := range b.size {
			s = append(s, "XO.#"[b.At(game.At(x, y))])
		}
	}
	return string(s)
}
