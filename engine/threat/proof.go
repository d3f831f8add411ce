package threat

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tengen/engine/game"
)

// Proof is a forced win written down: the attacker's move and, for the replies that need
// one, what he plays then. A reply that is not listed loses to a five or to fours. The
// first step is the position's, a step may be shared by many.
//
// As text a step is its move and, in parentheses, the replies with their steps:
//
//	F10(G9 I10(G10 H11) J7 I10(K11 H9))
//
// says: F10; on G9 play I10, where only G10 needs care, on which H11; and so on. "=3"
// stands for the third step of the text, counted from 1 as they begin.
type Proof struct {
	steps []step
}

type step struct {
	move    game.Point
	replies []reply
}

// lists reports whether a step lists a reply.
func (s *step) lists(q game.Point) bool {
	return slices.ContainsFunc(s.replies, func(r reply) bool { return r.point == q })
}

type reply struct {
	point game.Point
	step  int
}

// Steps returns how many steps a proof has.
func (f *Proof) Steps() int { return len(f.steps) }

// Move returns the first move.
func (f *Proof) Move() game.Point { return f.steps[0].move }

// Line returns a longest line of a proof, attacker and defender in turn.
func (f *Proof) Line() []game.Point {
	best := make([]reply, len(f.steps)) // on the longest line of each step
	depth := make([]int, len(f.steps))
	var visit func(i int) int
	visit = func(i int) int {
		if depth[i] == 0 {
			depth[i] = 1
			for _, r := range f.steps[i].replies {
				if n := visit(r.step) + 2; n > depth[i] {
					depth[i], best[i] = n, r
				}
			}
		}
		return depth[i]
	}
	var line []game.Point
	for i, n := 0, visit(0); n > 0; n -= 2 {
		line = append(line, f.steps[i].move)
		if n > 1 {
			line = append(line, best[i].point)
			i = best[i].step
		}
	}
	return line
}

// follow appends a win by fours, attacker and defender in turn, to step at, whose move is the
// first of the line.
func (f *Proof) follow(at int, line []game.Point) {
	for i, q := range line {
		switch {
		case i == 0:
			f.steps[at].move = q
		case i%2 == 0:
			f.steps = append(f.steps, step{move: q})
			next := len(f.steps) - 1
			f.steps[at].replies = []reply{{line[i-1], next}}
			at = next
		}
	}
}

// Proof returns the proof of the Win that Solve returned last, nil if there is none.
func (v *VCF) Proof() *Proof {
	if len(v.pv) == 0 {
		return nil
	}
	f := &Proof{steps: make([]step, 1)}
	f.follow(0, v.pv)
	return f
}

// Text writes a proof for a board of a size.
func (f *Proof) Text(size int) string {
	var b strings.Builder
	number := make([]int, len(f.steps))
	count := 0
	var write func(i int)
	write = func(i int) {
		if number[i] > 0 {
			fmt.Fprintf(&b, "=%d", number[i])
			return
		}
		count++
		number[i] = count
		b.WriteString(f.steps[i].move.Name(size))
		for j, r := range f.steps[i].replies {
			b.WriteByte(" ("[b2i(j == 0)])
			b.WriteString(r.point.Name(size))
			b.WriteByte(' ')
			write(r.step)
		}
		if len(f.steps[i].replies) > 0 {
			b.WriteByte(')')
		}
	}
	write(0)
	return b.String()
}

func b2i(b bool) int { return int(bit(b)) }

// ParseProof reads what Text writes.
func ParseProof(s string, size int) (*Proof, error) {
	f := &Proof{}
	r := proofReader{text: s, size: size, proof: f}
	if _, err := r.step(0); err != nil {
		return nil, err
	}
	if t := r.token(); t != "" {
		return nil, fmt.Errorf("proof: %q after the end", t)
	}
	return f, nil
}

type proofReader struct {
	text  string
	at    int
	size  int
	proof *Proof
	open  []bool // by step: its replies are still being read
}

// token returns the next one, "" at the end.
func (r *proofReader) token() string {
	for r.at < len(r.text) && r.text[r.at] == ' ' {
		r.at++
	}
	from := r.at
	if from == len(r.text) {
		return ""
	}
	if r.at++; strings.IndexByte("()", r.text[from]) < 0 {
		for r.at < len(r.text) && strings.IndexByte(" ()", r.text[r.at]) < 0 {
			r.at++
		}
	}
	return r.text[from:r.at]
}

func (r *proofReader) peek() string {
	at := r.at
	defer func() { r.at = at }()
	return r.token()
}

func (r *proofReader) point() (game.Point, error) {
	t := r.token()
	q, err := game.ParseName(t, r.size)
	if err != nil || !q.On(r.size) {
		return q, fmt.Errorf("proof: %q at byte %d is not a point", t, r.at-len(t)+1)
	}
	return q, nil
}

func (r *proofReader) step(depth int) (int, error) {
	if depth > game.NumPoints {
		return 0, fmt.Errorf("proof: deeper than any game at byte %d", r.at)
	}
	if t := r.peek(); strings.HasPrefix(t, "=") {
		r.token()
		n, err := strconv.Atoi(t[1:])
		if err != nil || n < 1 || n > len(r.open) || r.open[n-1] {
			return 0, fmt.Errorf("proof: %q at byte %d is no step before", t, r.at-len(t)+1)
		}
		return n - 1, nil
	}
	q, err := r.point()
	if err != nil {
		return 0, err
	}
	i := len(r.proof.steps)
	r.proof.steps = append(r.proof.steps, step{move: q})
	r.open = append(r.open, true)
	if r.peek() == "(" {
		r.token()
		for {
			q, err := r.point()
			if err != nil {
				return 0, err
			}
			n, err := r.step(depth + 1)
			if err != nil {
				return 0, err
			}
			r.proof.steps[i].replies = append(r.proof.steps[i].replies, reply{q, n})
			if r.peek() == ")" {
				r.token()
				break
			}
		}
	}
	r.open[i] = false
	return i, nil
}
