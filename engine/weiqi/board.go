// Package weiqi holds the rules of Go: the board with its chains and liberties, the
// ways to forbid suicide and repetition, handicap, life, and the count.
//
// Board is the plain board, fast enough for playouts; Position adds what a search needs
// (rules, history, Make and Unmake); Referee judges a game in progress. A rule set is
// data (Rules), never a branch on its name.
//
// Chains carry pseudo-liberties: a point is counted once for every stone it touches, so
// that a stone changes a chain in constant time. The sum and the sum of squares of those
// points tell when they all are the same one, which is atari: by Cauchy and Schwarz
// n*sum(x^2) = (sum x)^2 only then. (Both are how Lukasz Lew's libego of 2006 to 2011 does
// it.)
package weiqi

import (
	"tengen/engine/game"
)

const (
	MinSize = 2
	MaxSize = game.MaxSize

	// A cell is a point moved one down and one to the right, so that a ring of Wall
	// surrounds the board and every neighbour of a point, diagonals too, has a cell.
	ring  = game.Stride + 1
	cells = game.NumPoints
	none  = 0 // a wall: no cell at all
)

// The four neighbours of a cell, and its diagonals.
const (
	east  = 1
	south = game.Stride
)

var (
	around    = [4]int{east, -east, south, -south}
	diagonals = [4]int{south + east, south - east, east - south, -south - east}
)

// chain is what the stones joined with each other have in common. Pseudo-liberties of a
// 25x25 board stay below 2^12, their sum below 2^22, their squares' below 2^32.
type chain struct {
	libs   uint16 // pseudo-liberties
	stones uint16
	sum    uint32
	square uint32
}

func (h *chain) add(p int)  { h.libs++; h.sum += uint32(p); h.square += uint32(p * p) }
func (h *chain) drop(p int) { h.libs--; h.sum -= uint32(p); h.square -= uint32(p * p) }

// atari reports whether all pseudo-liberties are one point (or there is none).
func (h *chain) atari() bool {
	return uint64(h.libs)*uint64(h.square) == uint64(h.sum)*uint64(h.sum)
}

// near counts what surrounds a cell: Black, White (a wall is both) and empty cells in a
// hexadecimal digit each.
type near uint16

const (
	nearEmpty near = 0x100
	nearWall  near = 0x011
)

// stone is what a stone that replaces an empty cell adds to its neighbours' counts, one
// empty cell less: 0x001-0x100 and 0x010-0x100 modulo 2^16.
var stone = [2]near{0xff01, 0xff10}

func (n near) empty() int            { return int(n >> 8) }
func (n near) own(c game.Color) near { return n >> (4 * c) & 15 }

// walls returns how many neighbours are walls, which count as both sides'.
func (n near) walls() near { return n&15 + n>>4&15 + n>>8 - 4 }

// Board is a position without its past, but for the ko point. It is about 20 kB;
// CopyFrom copies only what the board's size needs.
type Board struct {
	size  int
	used  int // cells up to here hold the board and its ring
	key   uint64
	ko    int        // cell where a single stone may not be retaken at once, or none
	koFor game.Color // by whom

	stones   [2]int // on the board
	captured [2]int // taken from the board, by the colour of the stones
	free     int    // empty cells
	last     delta

	cells [cells]game.Color
	near  [cells]near
	head  [cells]uint16 // of a stone: the cell that names its chain
	next  [cells]uint16 // of a stone: the next one of its chain, in a ring
	chain [cells]chain  // of a head
	place [cells]uint16 // of an empty cell: its place in empty
	empty [MaxSize * MaxSize]uint16

	stamp uint32
	mark  [cells]uint32 // scratch of walks: seen if equal to stamp; not part of the position
}

// delta is what the last stone did besides standing there, for undoing it.
type delta struct {
	taken   [5]uint16    // heads of the chains that it took; its own if it was suicide
	joined  [4][2]uint16 // heads of the chains that it joined: the one that stayed, the other
	takes   uint8
	joins   uint8
	suicide bool
}

// NewBoard returns an empty board, or nil if the size is not MinSize to MaxSize.
func NewBoard(size int) *Board {
	if size < MinSize || size > MaxSize {
		return nil
	}
	b := &Board{}
	b.reset(size)
	return b
}

func (b *Board) reset(size int) {
	*b = Board{size: size, used: (size + 2) * game.Stride}
	for i := range b.cells {
		b.cells[i] = game.Wall
	}
	for y := range size {
		for x := range size {
			p := cell(game.At(x, y))
			b.cells[p] = game.Empty
			b.place[p] = uint16(b.free)
			b.empty[b.free] = uint16(p)
			b.free++
		}
	}
	for _, p := range b.empty[:b.free] {
		for _, d := range around {
			if b.cells[int(p)+d] == game.Wall {
				b.near[p] += nearWall
			} else {
				b.near[p] += nearEmpty
			}
		}
	}
}

// CopyFrom makes b the same position as s.
func (b *Board) CopyFrom(s *Board) {
	if b.size != s.size { // the ring may differ
		*b = *s
		return
	}
	n := s.used
	b.key, b.ko, b.koFor = s.key, s.ko, s.koFor
	b.stones, b.captured, b.free = s.stones, s.captured, s.free
	copy(b.cells[:n], s.cells[:n])
	copy(b.near[:n], s.near[:n])
	copy(b.head[:n], s.head[:n])
	copy(b.next[:n], s.next[:n])
	copy(b.chain[:n], s.chain[:n])
	copy(b.place[:n], s.place[:n])
	copy(b.empty[:s.free], s.empty[:s.free])
}

func cell(q game.Point) int  { return int(q) + ring }
func point(p int) game.Point { return game.Point(p - ring) }

// on reports whether q is a point of the board; only then cell(q) is one of its cells.
func (b *Board) on(q game.Point) bool { return q.On(b.size) }

// Size returns the side of the board.
func (b *Board) Size() int { return b.size }

// At returns what stands on q, Wall outside the board.
func (b *Board) At(q game.Point) game.Color {
	if !b.on(q) {
		return game.Wall
	}
	return b.cells[cell(q)]
}

// Stones returns how many stones of a side are on the board.
func (b *Board) Stones(c game.Color) int { return b.stones[c] }

// Captured returns how many stones a side has taken, the opponent's suicides included.
func (b *Board) Captured(by game.Color) int { return b.captured[by.Other()] }

// Ko returns the point where the last stone's capture may not be answered at once, or NoPoint.
func (b *Board) Ko() game.Point {
	if b.ko == none {
		return game.NoPoint
	}
	return point(b.ko)
}

// put places a stone on an empty cell, takes what has no liberty left, the opponent's
// chains first, and joins what touches.
func (b *Board) put(c game.Color, p int) {
	b.last = delta{}
	b.ko = none
	b.occupy(p, b.place[p])
	b.cells[p] = c
	b.key ^= zobrist[c][p]
	b.stones[c]++
	b.head[p], b.next[p] = uint16(p), uint16(p)
	h := chain{stones: 1}
	add := stone[c]
	other, friends, taken := c.Other(), 0, 0
	for _, d := range around {
		q := p + d
		b.near[q] += add
		switch b.cells[q] {
		case game.Empty:
			h.add(q)
		case c:
			b.chain[b.head[q]].drop(p)
			friends++
		case other:
			g := &b.chain[b.head[q]]
			g.drop(p)
			if g.libs == 0 {
				taken++
			}
		}
	}
	b.chain[p] = h
	if taken > 0 {
		before := b.captured[other]
		for _, d := range around {
			if q := p + d; b.cells[q] == other && b.chain[b.head[q]].libs == 0 {
				b.take(q)
			}
		}
		// The ko: one stone took one stone, and stands where only that one could take it.
		if h = b.chain[p]; friends == 0 && b.captured[other] == before+1 && h.libs == 1 {
			b.ko, b.koFor = int(h.sum), other
		}
	}
	if friends > 0 {
		for _, d := range around {
			if q := p + d; b.cells[q] == c && b.head[q] != b.head[p] {
				b.join(b.head[p], b.head[q])
			}
		}
	}
	if b.chain[b.head[p]].libs == 0 {
		b.last.suicide = true
		b.take(p)
	}
}

// occupy takes a cell out of the list of empty ones.
func (b *Board) occupy(p int, at uint16) {
	b.free--
	moved := b.empty[b.free]
	b.empty[at] = moved
	b.place[moved] = at
}

// take removes the chain of a stone. The heads and the ring of its stones stay as they
// are, so that untake can walk it again.
func (b *Board) take(p int) {
	h := b.head[p]
	b.last.taken[b.last.takes] = h
	b.last.takes++
	c := b.cells[p]
	other := c.Other()
	add := stone[c]
	table := &zobrist[c]
	for s := int(h); ; {
		b.cells[s] = game.Empty
		b.key ^= table[s]
		b.place[s] = uint16(b.free)
		b.empty[b.free] = uint16(s)
		b.free++
		for _, d := range around {
			q := s + d
			b.near[q] -= add
			if b.cells[q] == other {
				b.chain[b.head[q]].add(s)
			}
		}
		if s = int(b.next[s]); s == int(h) {
			break
		}
	}
	n := int(b.chain[h].stones)
	b.stones[c] -= n
	b.captured[c] += n
}

// untake puts back the chain that was taken last.
func (b *Board) untake(c game.Color, h uint16) {
	other := c.Other()
	add := stone[c]
	table := &zobrist[c]
	n := int(b.chain[h].stones)
	b.stones[c] += n
	b.captured[c] -= n
	b.free -= n
	for s := int(h); ; {
		b.cells[s] = c
		b.key ^= table[s]
		for _, d := range around {
			q := s + d
			b.near[q] += add
			if b.cells[q] == other {
				b.chain[b.head[q]].drop(s)
			}
		}
		if s = int(b.next[s]); s == int(h) {
			break
		}
	}
}

// join makes one chain of two; the longer keeps its head. Exchanging two links makes one
// ring of two, and the same exchange two rings of one, so split needs no memory.
func (b *Board) join(a, o uint16) {
	if b.chain[a].stones < b.chain[o].stones {
		a, o = o, a
	}
	b.last.joined[b.last.joins] = [2]uint16{a, o}
	b.last.joins++
	x, y := &b.chain[a], &b.chain[o]
	x.libs += y.libs
	x.stones += y.stones
	x.sum += y.sum
	x.square += y.square
	for s := o; ; {
		b.head[s] = a
		if s = b.next[s]; s == o {
			break
		}
	}
	b.next[a], b.next[o] = b.next[o], b.next[a]
}

// split undoes join.
func (b *Board) split(a, o uint16) {
	b.next[a], b.next[o] = b.next[o], b.next[a]
	x, y := &b.chain[a], &b.chain[o]
	x.libs -= y.libs
	x.stones -= y.stones
	x.sum -= y.sum
	x.square -= y.square
	for s := o; ; {
		b.head[s] = o
		if s = b.next[s]; s == o {
			break
		}
	}
}

// saved is what put overwrites of a cell.
type saved struct {
	delta
	chain chain
	cell  uint16
	place uint16
	head  uint16
	next  uint16
	ko    uint16
	koFor game.Color
	color game.Color
}

// save notes what putting a stone of c on p will overwrite.
func (b *Board) save(c game.Color, p int) saved {
	return saved{
		chain: b.chain[p], cell: uint16(p), place: b.place[p], head: b.head[p], next: b.next[p],
		ko: uint16(b.ko), koFor: b.koFor, color: c,
	}
}

// lift undoes put, given what save noted before it and last after it.
func (b *Board) lift(s *saved) {
	p, c := int(s.cell), s.color
	n := int(s.takes)
	if s.suicide {
		n--
		b.untake(c, s.taken[n])
	}
	for i := int(s.joins) - 1; i >= 0; i-- {
		b.split(s.joined[i][0], s.joined[i][1])
	}
	for n--; n >= 0; n-- {
		b.untake(c.Other(), s.taken[n])
	}
	add := stone[c]
	for _, d := range around {
		q := p + d
		b.near[q] -= add
		if b.cells[q] <= game.White {
			b.chain[b.head[q]].add(p)
		}
	}
	b.cells[p] = game.Empty
	b.key ^= zobrist[c][p]
	b.stones[c]--
	b.chain[p], b.head[p], b.next[p] = s.chain, s.head, s.next
	b.ko, b.koFor = int(s.ko), s.koFor
	// The reverse of occupy: the cell that had moved into p's place goes back to the end.
	if at := s.place; int(at) != b.free {
		moved := b.empty[at]
		b.empty[b.free] = moved
		b.place[moved] = uint16(b.free)
	}
	b.empty[s.place] = uint16(p)
	b.place[p] = s.place
	b.free++
}

// suicide reports whether a stone of c on the empty cell p would have no liberty.
func (b *Board) suicide(c game.Color, p int) bool {
	if b.near[p].empty() > 0 {
		return false
	}
	for _, d := range around {
		q := p + d
		// A chain that touches p and is in atari has p alone: taken if it is the
		// opponent's, no help if it is c's.
		if k := b.cells[q]; k <= game.White && b.chain[b.head[q]].atari() != (k == c) {
			return false
		}
	}
	return true
}

// eye reports whether the empty cell p is a single-point eye of c: surrounded by c, with
// at most one opposing stone on its diagonals, none at the edge.
func (b *Board) eye(c game.Color, p int) bool {
	if b.near[p].own(c) != 4 {
		return false
	}
	bad, edge, other := 0, 0, c.Other()
	for _, d := range diagonals {
		switch b.cells[p+d] {
		case other:
			bad++
		case game.Wall:
			edge = 1
		}
	}
	return bad+edge < 2
}

// Eye reports whether q is an empty single-point eye of c, which no sensible side fills.
func (b *Board) Eye(c game.Color, q game.Point) bool {
	return b.At(q) == game.Empty && b.eye(c, cell(q))
}

// Atari reports whether the chain of the stone on q has one liberty, and which.
func (b *Board) Atari(q game.Point) (game.Point, bool) {
	if b.At(q) > game.White {
		return game.NoPoint, false
	}
	h := &b.chain[b.head[cell(q)]]
	if h.libs == 0 || !h.atari() {
		return game.NoPoint, false
	}
	return point(int(h.sum) / int(h.libs)), true
}

// Chain appends the stones of the chain on q to a list.
func (b *Board) Chain(to []game.Point, q game.Point) []game.Point {
	if b.At(q) > game.White {
		return to
	}
	h := int(b.head[cell(q)])
	for s := h; ; {
		to = append(to, point(s))
		if s = int(b.next[s]); s == h {
			return to
		}
	}
}

// walk begins a walk that must not visit a cell twice: no cell is marked.
func (b *Board) walk() {
	if b.stamp++; b.stamp == 0 { // once in 2^32 walks
		clear(b.mark[:])
		b.stamp = 1
	}
}

// Liberties appends the liberties of the chain on q to a list, each once, and stops
// after max of them if max is not 0.
func (b *Board) Liberties(to []game.Point, q game.Point, max int) []game.Point {
	if b.At(q) > game.White {
		return to
	}
	b.walk()
	start := len(to)
	h := int(b.head[cell(q)])
	for s := h; ; {
		for _, d := range around {
			if l := s + d; b.cells[l] == game.Empty && b.mark[l] != b.stamp {
				b.mark[l] = b.stamp
				if to = append(to, point(l)); len(to)-start == max {
					return to
				}
			}
		}
		if s = int(b.next[s]); s == h {
			return to
		}
	}
}

// zobrist holds a random word for every stone (Zobrist, "A New Hashing Method with
// Application for Game Playing", 1970). The two lowest bits stay zero: Position uses them.
var zobrist = makeZobrist()

func makeZobrist() (z [2][cells]uint64) {
	r := NewRand(0x7765697169) // "weiqi"
	for c := range z {
		for p := range z[c] {
			z[c][p] = r.Next() &^ 3
		}
	}
	return z
}
