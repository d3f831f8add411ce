package record

import (
	"fmt"
	"iter"

	"tengen/engine/game"
)

// Line returns the nodes from the root to an end. At every fork the next number of
// variation (from 0) chooses the child; when there are no more numbers the first child,
// the main line, is taken.
func (t *Tree) Line(variation ...int) ([]*Node, error) {
	line := []*Node{t.Root}
	used := 0
	for n := t.Root; len(n.Children) > 0; {
		i := 0
		if len(n.Children) > 1 && used < len(variation) {
			i = variation[used]
			used++
		}
		if i < 0 || i >= len(n.Children) {
			return nil, fmt.Errorf("fork %d has variations 0 to %d, not %d", used, len(n.Children)-1, i)
		}
		n = n.Children[i]
		line = append(line, n)
	}
	if used < len(variation) {
		return nil, fmt.Errorf("the line has %d forks, not %d", used, len(variation))
	}
	return line, nil
}

// Lines yields every line from the root to an end, the main line first. The slice is
// valid until the next one is yielded.
func (t *Tree) Lines() iter.Seq[[]*Node] {
	return func(yield func([]*Node) bool) {
		line := []*Node{t.Root}
		which := []int{0} // the next child of line[i] to visit
		for len(line) > 0 {
			n := len(line) - 1
			kids := line[n].Children
			if len(kids) == 0 && !yield(line) {
				return
			}
			if which[n] == len(kids) {
				line, which = line[:n], which[:n]
				continue
			}
			line, which = append(line, kids[which[n]]), append(which, 0)
			which[n]++
		}
	}
}

// Forks reports whether the tree has more than one line.
func (t *Tree) Forks() bool {
	for n := t.Root; len(n.Children) > 0; n = n.Children[0] {
		if len(n.Children) > 1 {
			return true
		}
	}
	return false
}

// Alone returns a tree that holds one line of t only.
func (t *Tree) Alone(line []*Node) *Tree {
	c := *t
	var last *Node
	for _, n := range line {
		n := *n
		n.Children = nil
		if last == nil {
			c.Root = &n
		} else {
			last.Children = []*Node{&n}
		}
		last = &n
	}
	return &c
}

// Record returns the game that a line of the tree tells. Stones may be placed before the
// first move only: what they would do to a game under way is for its rules to say.
func (t *Tree) Record(line []*Node) (*game.Record, error) {
	rec := &game.Record{Variant: t.Variant}
	var at [game.NumPoints]game.Color
	for i := range at {
		at[i] = game.Empty
	}
	var order []game.Point
	toMove := game.Empty
	for _, n := range line {
		if s := n.Setup; s != nil {
			if len(rec.Moves) > 0 && len(s.Black)+len(s.White)+len(s.Empty) > 0 {
				return nil, fmt.Errorf("stones are placed by hand after move %d", len(rec.Moves))
			}
			for c, qs := range [][]game.Point{game.Black: s.Black, game.White: s.White, game.Empty: s.Empty} {
				for _, q := range qs {
					at[q] = game.Color(c)
					order = append(order, q)
				}
			}
			if s.ToMove != game.Empty {
				toMove = s.ToMove
			}
		}
		if n.Move.Point == game.NoPoint {
			continue
		}
		if len(rec.Moves) == 0 && toMove == game.Empty {
			toMove = n.Move.Color
		}
		rec.Moves = append(rec.Moves, n.Move)
	}
	for _, q := range order {
		switch at[q] {
		case game.Black:
			rec.Setup.Black = append(rec.Setup.Black, q)
		case game.White:
			rec.Setup.White = append(rec.Setup.White, q)
		}
		at[q] = game.Empty // a point placed twice counts once, in its last colour
	}
	switch {
	case toMove != game.Empty && len(rec.Moves) == 0:
		rec.Setup.ToMove = toMove
	case len(rec.Moves) > 0:
		rec.Setup.ToMove = rec.Moves[0].Color
		if next := rec.ToMove(); toMove != game.Empty && toMove != rec.Setup.ToMove && toMove != next {
			return nil, fmt.Errorf("%s is said to be to move after move %d", toMove, len(rec.Moves))
		}
	case t.Handicap > 1 || t.Variant.Rule != game.Weiqi && len(rec.Setup.Black) > len(rec.Setup.White):
		rec.Setup.ToMove = game.White
	}
	return rec, nil
}

// FromRecord returns the tree of one game.
func FromRecord(rec *game.Record) (*Tree, error) {
	if len(rec.Setup.Walls) > 0 {
		return nil, fmt.Errorf("no game file can say that a point is not to be played on")
	}
	t := &Tree{Variant: rec.Variant, Root: NewNode()}
	if s := &rec.Setup; len(s.Black)+len(s.White) > 0 || s.ToMove != game.Black {
		t.Root.Setup = &Setup{
			Black:  append([]game.Point(nil), s.Black...),
			White:  append([]game.Point(nil), s.White...),
			ToMove: s.ToMove,
		}
	}
	n := t.Root
	for _, m := range rec.Moves {
		n = n.Add(m)
	}
	return t, nil
}

// SetResult writes a result down by colour, as SGF's RE does.
func (t *Tree) SetResult(r game.Result) {
	t.Result = map[game.Outcome]string{game.BlackWin: "B+", game.WhiteWin: "W+", game.Draw: "0"}[r.Outcome]
}

// plain returns the moves of a tree that is a bare sequence: no variation, nothing
// placed, colours in turn. It is all that the simple formats can say.
func (t *Tree) plain() ([]*Node, error) {
	if t.Forks() {
		return nil, fmt.Errorf("the game has variations; choose one line")
	}
	line, err := t.Line()
	if err != nil {
		return nil, err
	}
	c := game.Black
	moves := line[:0:0]
	for _, n := range line {
		if s := n.Setup; s != nil && (len(s.Black)+len(s.White)+len(s.Empty) > 0 || s.ToMove == c.Other()) {
			return nil, fmt.Errorf("the format has no words for placed stones")
		}
		if n.Move.Point == game.NoPoint {
			continue
		}
		if n.Move.Color != c {
			return nil, fmt.Errorf("move %d is %s's, out of turn, and the format has no words for it", len(moves)+1, n.Move.Color)
		}
		moves = append(moves, n)
		c = c.Other()
	}
	return moves, nil
}

// sequence grows a tree by moves of alternating colours and refuses a point that is taken
// twice, unless stones can be captured.
type sequence struct {
	t    *Tree
	last *Node
	next game.Color
	seen [game.NumPoints]bool
}

func newSequence(v game.Variant) (*sequence, error) {
	if err := checkSize(v.Size); err != nil {
		return nil, err
	}
	t := &Tree{Variant: v, Root: NewNode()}
	return &sequence{t: t, last: t.Root, next: game.Black}, nil
}

func (s *sequence) play(q game.Point) error {
	if q != game.Pass {
		if s.seen[q] && !captures(s.t.Variant.Rule) {
			return fmt.Errorf("%s is occupied", Name(q, s.t.Variant))
		}
		s.seen[q] = true
	}
	s.last = s.last.Add(game.Move{Color: s.next, Point: q})
	s.next = s.next.Other()
	return nil
}

func captures(r game.Rule) bool {
	return r == game.Weiqi || r == game.Pente || r == game.Keryo
}
