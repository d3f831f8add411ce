package terminal

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tengen/engine/game"
	"tengen/openings/rule"
)

// Columns of Go leave out I, as everywhere in Go.
func (t *table) letter(x int) byte {
	if t.o.Variant.Rule == game.Weiqi && x >= 8 {
		x++
	}
	return byte('A' + x)
}

func (t *table) name(q game.Point) string {
	if size := t.o.Variant.Size; q.On(size) {
		return fmt.Sprintf("%c%d", t.letter(q.X()), size-q.Y())
	}
	return q.Name(t.o.Variant.Size)
}

// point reads what name writes, in either case.
func (t *table) point(s string) (game.Point, error) {
	u := strings.ToUpper(s)
	if t.o.Variant.Rule == game.Weiqi && len(u) > 1 && u != "PASS" {
		switch c := u[0]; {
		case c == 'I':
			return game.NoPoint, errors.New("there is no column I in Go")
		case c > 'I' && c <= 'Z':
			u = string(c-1) + u[1:]
		}
	}
	q, err := game.ParseName(u, t.o.Variant.Size)
	if err != nil {
		return q, fmt.Errorf("%q is neither a command nor a point of a %dx%d board", s, t.o.Variant.Size, t.o.Variant.Size)
	}
	return q, nil
}

// board draws the position, rows from the top, and what was captured below it.
func (t *table) board() string {
	var b strings.Builder
	g := t.s.Game()
	size := t.o.Variant.Size
	last := t.s.Last()
	var offers []game.Point
	if t.inOpening() {
		offers = t.opening.Offers()
	}
	mark := func(q game.Point) byte {
		switch g.At(q) {
		case game.Black:
			return 'X'
		case game.White:
			return 'O'
		}
		switch {
		case slices.Contains(offers, q):
			return '?'
		case !t.inOpening() && !t.over() && t.yours() && g.Legal(q) != nil:
			return '!'
		case q == rule.Centre(size):
			return '+'
		}
		return '.'
	}
	letters := func() {
		b.WriteString("   ")
		for x := range size {
			fmt.Fprintf(&b, " %c", t.letter(x))
		}
		b.WriteByte('\n')
	}
	letters()
	for y := range size {
		fmt.Fprintf(&b, "%3d", size-y)
		for x := range size {
			q := game.At(x, y)
			before := byte(' ')
			switch {
			case q == last:
				before = '('
			case x > 0 && game.At(x-1, y) == last:
				before = ')'
			}
			b.WriteByte(before)
			b.WriteByte(mark(q))
		}
		after := byte(' ')
		if last == game.At(size-1, y) {
			after = ')'
		}
		fmt.Fprintf(&b, "%c%d\n", after, size-y)
	}
	letters()
	if black, white := g.Captured(game.Black), g.Captured(game.White); black+white > 0 {
		fmt.Fprintf(&b, "captured by Black %d, by White %d\n", black, white)
	}
	return b.String()
}
