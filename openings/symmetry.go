package openings

import (
	"encoding/binary"
	"slices"

	"tengen/engine/game"
)

// Back returns the way that undoes the s-th.
func Back(s int) int {
	if s&4 == 0 {
		return s
	}
	return 4 | s&1<<1 | s&2>>1
}

// Position is what stands on a board, whatever the order in which it came there.
type Position struct {
	ToMove   game.Color
	Captured [2]int // stones that Black and White have captured
	Stones   [2][]game.Point
}

// PositionOf returns the position of a game. ok is false where points are set up that
// belong to neither side: such a board has other rules.
func PositionOf(g game.Game) (p Position, ok bool) {
	size := g.Record().Variant.Size
	p.ToMove = g.ToMove()
	p.Captured = [2]int{g.Captured(game.Black), g.Captured(game.White)}
	for y := range size {
		for x := range size {
			q := game.At(x, y)
			switch c := g.At(q); c {
			case game.Black, game.White:
				p.Stones[c] = append(p.Stones[c], q)
			case game.Wall:
				return p, false
			}
		}
	}
	return p, true
}

// Key returns the same bytes for a position in all its symmetries, and different ones for
// any two others of the same size, with the ways of laying the board that lead to them:
// more than one where the position is symmetric. The bytes are the side to move, the
// captured stones if there are any, and the stones of both sides as distances between
// neighbours, row by row.
func (p *Position) Key(size int) (key string, ways []int) {
	var best []byte
	for s := range game.Symmetries {
		b := []byte{byte(p.ToMove)}
		if p.Captured != [2]int{} {
			b[0] |= 2
			b = binary.AppendUvarint(b, uint64(p.Captured[0]))
			b = binary.AppendUvarint(b, uint64(p.Captured[1]))
		}
		for _, qs := range p.Stones {
			cells := make([]int, len(qs))
			for i, q := range qs {
				q = q.Turned(size, s)
				cells[i] = q.Y()*size + q.X()
			}
			slices.Sort(cells)
			b = binary.AppendUvarint(b, uint64(len(cells)))
			last := -1
			for _, c := range cells {
				b = binary.AppendUvarint(b, uint64(c-last-1))
				last = c
			}
		}
		switch c := slices.Compare(b, best); {
		case best == nil || c < 0:
			best, ways = b, []int{s}
		case c == 0:
			ways = append(ways, s)
		}
	}
	return string(best), ways
}

// ParseKey reads what Key returns. ok is false for bytes that are no position.
func ParseKey(key string, size int) (p Position, ok bool) {
	b := []byte(key)
	next := func() int {
		n, k := binary.Uvarint(b)
		if k <= 0 || n > game.NumPoints {
			ok = false
			return 0
		}
		b = b[k:]
		return int(n)
	}
	ok = true
	flags := next()
	if flags > 3 {
		return p, false
	}
	p.ToMove = game.Color(flags & 1)
	if flags&2 != 0 {
		p.Captured = [2]int{next(), next()}
	}
	var taken [game.NumPoints]bool
	for c := range p.Stones {
		last := -1
		for range next() {
			last += 1 + next()
			if !ok || last >= size*size {
				return p, false
			}
			q := game.At(last%size, last/size)
			if taken[q] {
				return p, false
			}
			taken[q] = true
			p.Stones[c] = append(p.Stones[c], q)
		}
	}
	if again, _ := p.Key(size); again != key {
		return p, false // not the first of its symmetries, or bytes too many
	}
	return p, ok
}

// Turned returns the position on a board that lies in the s-th way.
func (p *Position) Turned(size, s int) Position {
	t := Position{ToMove: p.ToMove, Captured: p.Captured}
	for c, qs := range p.Stones {
		for _, q := range qs {
			t.Stones[c] = append(t.Stones[c], q.Turned(size, s))
		}
	}
	return t
}

// Record returns a game that ends in the position. Few stones become moves, since an
// opening rule (pente's) speaks of stones that were played; more are set up, since their
// order may have mattered.
func (p *Position) Record(v game.Variant) *game.Record {
	rec := &game.Record{Variant: v}
	black, white := p.Stones[0], p.Stones[1]
	n := len(black) + len(white)
	if n <= 3 && len(black) == (n+1)/2 && p.ToMove == game.Color(n%2) && p.Captured == [2]int{} {
		for i := range n {
			rec.Moves = append(rec.Moves, game.Move{Color: game.Color(i % 2), Point: p.Stones[i%2][i/2]})
		}
		return rec
	}
	rec.Setup = game.Setup{Black: slices.Clone(black), White: slices.Clone(white), Captured: p.Captured, ToMove: p.ToMove}
	return rec
}
