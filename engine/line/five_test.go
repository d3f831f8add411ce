package line

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tengen/engine/game"
)

// A five from every start cell in every direction, whichever of its stones comes last;
// the same line with one stone missing and none of the others wins nothing.
func TestFiveEverywhere(t *testing.T) {
	for _, v := range variants {
		t.Run(variantName(v), func(t *testing.T) {
			t.Parallel()
			table := newTable(t, v.Rule, v.FiveAtFour)
			n, fives := 0, 0
			for v.Size = MinSize; v.Size <= MaxSize; v.Size++ {
				p := NewPosition(table, v.Size)
				b := newNaive(v)
				for y := range v.Size {
					for x := range v.Size {
						// The corners and edges always, inner cells in turn.
						edge := x == 0 || y == 0 || x == v.Size-1 || y == v.Size-1
						if n++; !edge && n%fiveStride != 0 {
							continue
						}
						for d := range 4 {
							start := xy{x, y}
							if !b.on(start.step(d, 4)) {
								continue
							}
							for c := range game.Empty {
								fiveAt(t, p, start, d, n%5, c)
								fives++
							}
						}
					}
				}
			}
			t.Logf("%d fives", fives)
		})
	}
}

// fiveAt plays five stones of side c in a row, the one at place last at the end, and
// takes them back.
func fiveAt(t *testing.T, p *Position, start xy, d, last int, c game.Color) {
	t.Helper()
	p.SetSide(c)
	for n := range 5 {
		if n == last {
			continue
		}
		p.Make(start.step(d, n).point())
		if p.Won() {
			t.Fatalf("size %d: %d stones win", p.Size(), n+1)
		}
		p.Make(game.Pass)
	}
	q := start.step(d, last).point()
	if cl := p.Class(c, q); cl != Five || p.Class(c.Other(), q) == Five || p.Count(c, Five) == 0 || !p.Points(c, Five).Has(q) {
		t.Fatalf("size %d, %v: %s ends a five and is class %d", p.Size(), c, q.Name(p.Size()), cl)
	}
	if !p.Playable(c, q) {
		t.Fatalf("size %d, %v: the five %s is forbidden", p.Size(), c, q.Name(p.Size()))
	}
	p.Make(q)
	if !p.Won() {
		t.Fatalf("size %d, %v: the five %s does not win", p.Size(), c, q.Name(p.Size()))
	}
	for p.Ply() > 0 {
		p.Unmake()
	}
	if p.Won() || p.Count(c, Five) != 0 {
		t.Fatal("a five is left on an empty board")
	}
}

// Two rows joined by one stone to five, six ... nine, both ends open, closed or at the edge.
func TestJoined(t *testing.T) {
	const open, foe, edge = 0, 1, 2
	// What a row of n with these ends is, by the text of the rules.
	want := func(r game.Rule, c game.Color, n int, blocked bool) (wins bool, why Reason) {
		switch {
		case r == game.Freestyle, r >= game.Omok, r == game.Renju && c == game.White:
			return true, Allowed
		case r == game.Renju && n > 5:
			return false, Overline
		case r == game.Caro && blocked:
			return false, Allowed
		case r == game.CaroSix:
			return n > 5 || !blocked, Allowed
		}
		return n == 5, Allowed
	}
	rng := rand.New(rand.NewPCG(5, 5))
	for _, v := range variants {
		table := newTable(t, v.Rule, v.FiveAtFour)
		for v.Size = MinSize; v.Size <= MaxSize; v.Size++ {
			p := NewPosition(table, v.Size)
			b := newNaive(v)
			for n := 5; n <= 9 && n <= v.Size; n++ {
				for ends := range 9 {
					for d := range 4 {
						for c := range game.Empty {
							place := rng.IntN(n)
							ends := [2]int{ends % 3, ends / 3}
							start, ok := spot(rng, b, d, n, ends)
							if !ok {
								continue
							}
							p.Reset()
							for i := -1; i <= n; i++ {
								q := start.step(d, i)
								switch {
								case i == place:
								case i >= 0 && i < n:
									p.Set(q.point(), c)
								case i == -1 && ends[0] == foe, i == n && ends[1] == foe:
									p.Set(q.point(), c.Other())
								}
							}
							q := start.step(d, place).point()
							wins, why := want(v.Rule, c, n, ends == [2]int{foe, foe})
							name := fmt.Sprintf("%v: %d %v stones joined at %d, ends %v", v, n, c, place, ends)
							if got := p.Forbidden(c, q); got != why {
								t.Fatalf("%s: %v, want %v", name, got, why)
							}
							if got := p.Class(c, q) == Five; got != wins {
								t.Fatalf("%s: class %d", name, p.Class(c, q))
							}
							p.SetSide(c)
							p.Make(q)
							if p.Won() != wins {
								t.Fatalf("%s: won %v", name, p.Won())
							}
						}
					}
				}
			}
		}
	}
}

// spot finds a start for a row of n in direction d whose ends lie on the board, or at its
// edge (2), as asked.
func spot(rng *rand.Rand, b *naive, d, n int, ends [2]int) (xy, bool) {
	for range 200 {
		s := xy{rng.IntN(b.size), rng.IntN(b.size)}
		if b.on(s) && b.on(s.step(d, n-1)) &&
			b.on(s.step(d, -1)) == (ends[0] != 2) && b.on(s.step(d, n)) == (ends[1] != 2) {
			return s, true
		}
	}
	return xy{}, false
}

// The collected cases of winning moves.
func TestCaroCases(t *testing.T) {
	type ccase struct {
		ID, Rule, Board, Side, Move string
		Size                        int
		Win                         bool
	}
	rule := map[string]game.Rule{"caro5": game.Caro, "caro6": game.CaroSix,
		"freestyle": game.Freestyle, "standard": game.Standard}
	tables := map[string]*Table{}
	for name, r := range rule {
		tables[name] = newTable(t, r, false)
	}
	cases := readCases[ccase](t, "caro_cases.jsonl")
	for _, c := range cases {
		p := NewPosition(tables[c.Rule], c.Size)
		draw(t, p, c.Board)
		side := game.Black
		if c.Side == "white" {
			side = game.White
		}
		q, err := game.ParseName(c.Move, c.Size)
		if err != nil || p.At(q) != game.Empty {
			t.Fatalf("%s: %s is taken, or %v", c.ID, c.Move, err)
		}
		p.SetSide(side)
		five := p.Class(side, q) == Five
		p.Make(q)
		if p.Won() != c.Win || five != c.Win {
			t.Errorf("%s: wins %v, five %v, want %v", c.ID, p.Won(), five, c.Win)
		}
	}
	t.Logf("%d cases", len(cases))
}

// Lines as drawings: what a stone on X makes of them, o being its own stones, x the
// opponent's, # a dead point. Rules by their first letter, F S R W C 6: freestyle,
// standard, renju Black and White, caro, caro with six.
func TestDrawings(t *testing.T) {
	type side struct {
		r game.Rule
		c game.Color
	}
	sides := map[rune]side{
		'F': {game.Freestyle, game.Black}, 'S': {game.Standard, game.White},
		'R': {game.Renju, game.Black}, 'W': {game.Renju, game.White},
		'C': {game.Caro, game.Black}, '6': {game.CaroSix, game.White},
	}
	tables := map[game.Rule]*Table{}
	for _, s := range sides {
		tables[s.r] = newTable(t, s.r, false)
	}
	for _, c := range []struct {
		rules, line string
		want        Shape
	}{
		// fives
		{"FSRWC6", "..ooXoo..", FiveShape},
		{"FSRWC6", "xooXoo...", FiveShape}, // closed on one side only
		{"FSRW", ".xooXoox.", FiveShape},
		{"C6", ".xooXoox.", Dead}, // closed on both
		{"FSRWC6", ".#ooXoox.", FiveShape},
		{"FSRWC6", ".#ooXoo#.", FiveShape}, // a dead point is no opponent, nor is the edge
		{"FSRWC6", "ooooX", FiveShape},
		{"FSRWC6", "ooooXx...", FiveShape},
		// six and more
		{"FW6", ".oooXoo..", FiveShape},
		{"SC", ".oooXoo..", Dead},
		{"R", ".oooXoo..", SixShape},
		{"FW6", "xoooXoox.", FiveShape}, // six is never blocked
		{"R", "ooooXoooo", SixShape},
		// fours
		{"FSRWC6", "..ooXo...", FourOpen},
		{"FSRW", ".xooXo...", Four},
		{"FSRWC6", ".xooX.o..", Four},
		{"C6", "xx.oXoo.xx", Four},       // one stone at either end closes both fives
		{"FSRW", "xx.oXoo.xx", FourOpen}, // which elsewhere it does not
		{"C6", "x..oXoo..x", FourOpen},
		{"C6", "xx.oXoo..x", Four}, // a stone on the right closes both again
		{"F", "o.ooXo....", FourOpen},
		{"R", "..ooXo.o..", Four}, // six on the right
		{"S", "o.ooXo....", Four},
		{"FSR", "..o.oXo.o..", FourDouble},
		{"R", ".oo.oX.oo..", FourDouble},
		{"R", ".ooo.X.ooo.", FourDouble},
		{"R", "..oo.Xo.oo.", FourDouble},
		{"R", "o.oooX.o..", Dead}, // both ways lead to six
		{"FW", "o.oooX.o..", FourOpen},
		{"R", ".ooo.Xo...", TwoClosed}, // the left is lost to six, the right is not
		{"F", ".ooo.Xo...", Four},
		// threes
		{"FSRWC6", "...oXo...", ThreeOpen2},
		{"FSRWC6", "..o.Xo...", ThreeOpen},
		{"FSRW", ".x.oXo..x", ThreeOpen},
		{"C6", ".x.oXo..x", ThreeClosed}, // one stone at the far end stops the four to come
		{"FSRWC6", ".xoXo...", ThreeClosed},
		{"FSRW", "x.oXo.x", ThreeClosed}, // a five fits, no straight four does
		{"SR", "oo.oXo..x", ThreeClosed}, // no straight four: six on the left
		{"F", "oo.oXo..x", Four},
		{"R", "x.ooX..o.", ThreeClosed}, // straight only where it is six on the right
		{"FSRW", "xooX.x..", Dead},      // no room for five
		{"FSRW", "x.ooXx...", Dead},
	} {
		for _, r := range c.rules {
			s := sides[r]
			p := NewPosition(tables[s.r], 11)
			x := strings.IndexByte(c.line, 'X')
			for i := range p.Size() {
				q := game.At(i, 4)
				switch {
				case i >= len(c.line):
					p.Set(q, game.Wall)
				case c.line[i] == 'o':
					p.Set(q, s.c)
				case c.line[i] == 'x':
					p.Set(q, s.c.Other())
				case c.line[i] == '#':
					p.Set(q, game.Wall)
				}
			}
			if got := p.Shapes(s.c, game.At(x, 4))[0]; got != c.want {
				t.Errorf("%v %v: %s is %d, want %d", s.r, s.c, c.line, got, c.want)
			}
		}
	}
}

// A three is real only by a four that it is part of: I8 makes a three up the file, and one
// along the rank whose straight-four points H8 and L8 are overlines. That E8 makes a
// straight four of other stones in the same rank is nothing to it.
func TestStraightFourOfOthers(t *testing.T) {
	rows := []string{
		"...............",
		"...............",
		"...............",
		"...............",
		".......X...X...",
		".......X...X...",
		".......X...X...",
		".XXX.....XX....",
		".......XX..X...",
		".......XX..X...",
		"...............",
		"...............",
		"...............",
		"...............",
		"...............",
	}
	for _, v := range variants {
		if v.Rule != game.Renju {
			continue
		}
		v.Size = 15
		p := NewPosition(newTable(t, v.Rule, v.FiveAtFour), v.Size)
		for _, c := range []struct {
			point string
			want  Reason
		}{{"H8", Overline}, {"L8", Overline}, {"E8", Allowed}, {"I8", Allowed}} {
			draw(t, p, strings.Join(rows, "/"))
			q, err := game.ParseName(c.point, v.Size)
			if err != nil {
				t.Fatal(err)
			}
			if s := p.Shapes(game.Black, q); c.point == "I8" && (!s[0].IsThree() || !s[1].IsThree()) {
				t.Fatalf("I8 makes %v, no two threes", s)
			}
			if got := p.Forbidden(game.Black, q); got != c.want {
				t.Errorf("%s: %v, want %v", c.point, got, c.want)
			}
		}
		// Without the stones on the H and L files both threes are real.
		draw(t, p, strings.Join(rows, "/"))
		b := newNaive(v)
		for y, row := range rows {
			for x, ch := range row {
				if ch == 'X' && x != 7 && x != 11 {
					b.set(xy{x, y}, game.Black)
				}
			}
		}
		b.position(p, same)
		q := game.At(8, 7)
		if got, want := p.Forbidden(game.Black, q), b.forbidden(game.Black, at(q)); got != DoubleThreeFoul || want != got {
			t.Errorf("without overlines: %v, the twin says %v", got, want)
		}
	}
}
