// Package book is what is known of openings before a game begins: positions with their
// values and best moves, found by long searches, so that they are answered at once.
//
// A position is known by its stones, in the one of its eight lies that comes first (see
// openings.Position.Key), so that a book has it once for all symmetries and never takes
// one position for another. A Draft is a book in memory that can grow, a Book one in a
// file of which only what is asked for is unpacked, a Library what a player asks.
//
// Build grows a book by drop-out expansion: Thomas R. Lincke, "Strategies for the
// Automatic Construction of Opening Books", Computers and Games 2000, LNCS 2063,
// pages 74 to 86.
package book

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
)

// Entry is what a book knows of a position. Values are for the side to move.
type Entry struct {
	Value  int    // the best move's, from everything that the book knows behind it
	Search int    // what the search of this very position found, by its last depths
	Depth  int    // of that search
	Nodes  int64  // and its cost
	Moves  []Move // the best first; the search found all others worse
	// Pair are two stones, of the side to move and then the other, that answer an opening of
	// Swap2: which side is better is not sure, and after them chances are even again. Nil where
	// a side is the answer, or nobody looked.
	Pair   []game.Point
	Offer  bool   // an opening to be offered in Swap2
	Source string // where the position or its moves come from
}

// Move is a move of a position and its value.
type Move struct {
	Point game.Point
	Value int
}

// turn returns the entry on a board that lies in the s-th way.
func (e *Entry) turn(size, s int) *Entry {
	t := *e
	t.Moves = make([]Move, len(e.Moves))
	for i, m := range e.Moves {
		t.Moves[i] = Move{m.Point.Turned(size, s), m.Value}
	}
	t.Pair = nil
	for _, q := range e.Pair {
		t.Pair = append(t.Pair, q.Turned(size, s))
	}
	return &t
}

// sort brings the best move to the front; of equal ones the first point.
func (e *Entry) sort() {
	slices.SortFunc(e.Moves, func(a, b Move) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Point, b.Point))
	})
}

const (
	flagOffer = 1 << iota
	flagPair
	flagTwo // not used any more: those with it have a pair

	maxMoves  = 255 // of an entry
	maxSource = 255 // bytes
)

var errEntry = errors.New("an entry is damaged")

// append writes an entry behind its position.
func (e *Entry) append(b []byte, size int) []byte {
	cell := func(q game.Point) { b = binary.AppendUvarint(b, uint64(q.Y()*size+q.X())) }
	flags := byte(0)
	if e.Offer {
		flags |= flagOffer
	}
	if e.Pair != nil {
		flags |= flagPair
	}
	b = append(b, flags)
	b = binary.AppendVarint(b, int64(e.Value))
	b = binary.AppendVarint(b, int64(e.Search))
	b = binary.AppendUvarint(b, uint64(e.Depth))
	b = binary.AppendUvarint(b, uint64(e.Nodes))
	b = binary.AppendUvarint(b, uint64(len(e.Moves)))
	for _, m := range e.Moves {
		cell(m.Point)
		b = binary.AppendVarint(b, int64(e.Value-m.Value)) // mostly small
	}
	for _, q := range e.Pair {
		cell(q)
	}
	return appendString(b, e.Source)
}

// entry reads what append wrote.
func (r *reader) entry(size int) *Entry {
	var e Entry
	flags := r.byte()
	e.Offer = flags&flagOffer != 0
	e.Value, e.Search = r.value(), r.value()
	e.Depth, e.Nodes = int(r.uint(game.MaxPly)), int64(r.uint(1<<62))
	for range r.uint(maxMoves) {
		if r.err != nil {
			break
		}
		q := r.cell(size)
		e.Moves = append(e.Moves, Move{q, e.Value - r.value()})
	}
	if flags&flagPair != 0 {
		e.Pair = []game.Point{r.cell(size), r.cell(size)}
	}
	e.Source = r.string(maxSource)
	if flags > flagOffer|flagPair|flagTwo {
		r.err = errEntry
	}
	return &e
}

// reader takes numbers from bytes that may be anything. After the first error all is zero.
type reader struct {
	b   []byte
	err error
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.err = errEntry
	}
	if r.err != nil {
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reader) uint(most uint64) uint64 {
	n, k := binary.Uvarint(r.b)
	if k <= 0 || n > most {
		r.err = errEntry
	}
	if r.err != nil {
		return 0
	}
	r.b = r.b[k:]
	return n
}

func (r *reader) value() int {
	n, k := binary.Varint(r.b)
	if k <= 0 || n < -2*game.Win || n > 2*game.Win {
		r.err = errEntry
	}
	if r.err != nil {
		return 0
	}
	r.b = r.b[k:]
	return int(n)
}

func (r *reader) cell(size int) game.Point {
	c := int(r.uint(uint64(size*size - 1)))
	return game.At(c%size, c/size)
}

func (r *reader) string(most uint64) string {
	n := r.uint(most)
	if uint64(len(r.b)) < n {
		r.err = errEntry
	}
	if r.err != nil {
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// plain is a variant with nothing in it that does not change the positions of its game.
func plain(v game.Variant) game.Variant {
	p := game.Variant{Rule: v.Rule, Size: v.Size}
	switch v.Rule {
	case game.Renju:
		p.FiveAtFour = v.FiveAtFour
	case game.Pente, game.Keryo:
		p.FreeOpening = v.FreeOpening
	}
	return p
}

// keyOf returns how a book knows a game's position: "" if it cannot, and the ways of
// laying the game's board that lead to the book's.
func keyOf(g game.Game) (key string, ways []int) {
	v := g.Record().Variant
	if v.Rule == game.Weiqi {
		return "", nil
	}
	p, ok := openings.PositionOf(g)
	if !ok {
		return "", nil
	}
	return p.Key(v.Size)
}

// replay returns the game of a key.
func replay(v game.Variant, key string) (game.Game, error) {
	p, ok := openings.ParseKey(key, v.Size)
	if !ok {
		return nil, errors.New("a position is damaged")
	}
	return engine.Replay(p.Record(v))
}
