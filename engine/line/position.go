package line

import (
	"math/bits"

	"tengen/engine/game"
)

// A line of the board is 32 cells of two bits in one word: 5 cells of wall, at most 22
// of the board, 5 of wall again. 00 is empty, 01 Black, 10 White, 11 wall.
const pad = 5

// Steps along the four directions, as differences of points: east, south, south-east,
// north-east. A cell's place in its line is its x, for the south direction its y.
var steps = [4]int{1, game.Stride, game.Stride + 1, 1 - game.Stride}

// lineOf returns the number of q's line in direction d and q's place in it.
func lineOf(d int, q game.Point) (line, place int) {
	x, y := int(q)%game.Stride, int(q)/game.Stride
	switch d {
	case 0:
		return y, x
	case 1:
		return x, y
	case 2:
		return x - y + MaxSize - 1, x
	}
	return x + y, x
}

// Set is a set of points: bit x of word y.
type Set [game.Stride]uint32

// Has reports whether q is in the set.
func (s *Set) Has(q game.Point) bool {
	return s[q/game.Stride%game.Stride]>>(q%game.Stride)&1 == 1
}

// First returns the first point of a set in board order, or NoPoint.
func (s *Set) First(size int) game.Point {
	for y := range size {
		if s[y] != 0 {
			return game.At(bits.TrailingZeros32(s[y]), y)
		}
	}
	return game.NoPoint
}

// change is one entry of the undo stack: what a point was before.
type change struct {
	info  uint64
	pat   uint32
	point game.Point
}

// frame is what a move changed besides the points.
type frame struct {
	key     uint64
	value   [2]int32
	changes int32
	point   game.Point
	won     bool
	taken   uint8 // how many stones it captured
}

// Position is a board with its shapes and classes kept up to date, for a search. Moves
// are made without asking whether they are legal.
type Position struct {
	t    *Table
	size int

	key   uint64
	value [2]int32 // sums of the lanes with Black, White to move
	side  game.Color
	won   bool // the last move made a five
	empty int  // empty points

	info  [game.NumPoints]uint64
	pat   [game.NumPoints]uint32 // codes of Black (low half) and White; NoPattern where no stone may go
	lines [4][64]uint64
	count [2][16]int32
	sets  [2][16]Set
	cells [game.NumPoints]game.Color
	taken Set // points that are not empty

	brackets brackets
	captured [2]int32     // stones captured by Black, White
	stones   []game.Point // the captured stones of all moves, a stack

	changes []change
	frames  []frame
}

// NewPosition returns an empty board of size x size points, MinSize to MaxSize.
func NewPosition(t *Table, size int) *Position {
	if size < MinSize || size > MaxSize {
		panic("line: board size out of range")
	}
	p := &Position{
		t:       t,
		size:    size,
		changes: make([]change, 0, size*size*24),
		frames:  make([]frame, 0, size*size+64),
	}
	p.Reset()
	return p
}

// Reset empties the board; Black is to move.
func (p *Position) Reset() {
	p.key, p.value, p.side, p.won = 0, [2]int32{}, game.Black, false
	p.changes, p.frames, p.stones = p.changes[:0], p.frames[:0], p.stones[:0]
	p.captured, p.brackets = [2]int32{}, brackets{}
	p.count = [2][16]int32{}
	p.sets = [2][16]Set{}
	for c := range p.sets {
		p.count[c][Nothing] = int32(p.size * p.size)
		for y := range p.size {
			p.sets[c][Nothing][y] = 1<<p.size - 1
		}
	}
	for i := range p.cells {
		p.cells[i] = game.Wall
		p.info[i], p.pat[i] = 0, NoPattern
	}
	for d := range p.lines {
		for i := range p.lines[d] {
			p.lines[d][i] = ^uint64(0)
		}
	}
	for i := range p.taken {
		p.taken[i] = ^uint32(0)
	}
	p.empty = p.size * p.size
	for y := range p.size {
		for x := range p.size {
			q := game.At(x, y)
			p.cells[q] = game.Empty
			p.taken[y] &^= 1 << x
			for d := range p.lines {
				l, i := lineOf(d, q)
				p.lines[d][l] &^= 3 << (2 * (i + pad))
			}
		}
	}
	for y := range p.size {
		for x := range p.size {
			p.refresh(game.At(x, y))
		}
	}
}

// Size returns the side of the board, in points.
func (p *Position) Size() int { return p.size }

// Rules returns the rules the position plays by.
func (p *Position) Rules() *Rules { return &p.t.Rules }

// Side returns the side to move.
func (p *Position) Side() game.Color { return p.side }

// At returns what stands on q, Wall for points off the board.
func (p *Position) At(q game.Point) game.Color { return p.cells[q&(game.NumPoints-1)] }

// Key returns the Zobrist key of the stones, the side to move and what was captured.
func (p *Position) Key() uint64 { return p.key ^ sideKey(p.side) }

// KeyAfter returns the key that Make(q) will lead to.
func (p *Position) KeyAfter(q game.Point) uint64 {
	key := p.key ^ zobrist[p.side&1][q&(game.NumPoints-1)] ^ sideKey(p.side.Other())
	if p.t.Rules.Capture != 0 {
		key ^= p.captureKey(q)
	}
	return key
}

// Value returns the sum of the table's values over the empty points for the side to
// move, in ValueUnits.
func (p *Position) Value() int {
	v := int(p.value[p.side&1]) - 2*valueZero*p.empty
	if p.side == game.White {
		v = -v
	}
	return v
}

// lanes takes the two values out of an info word.
func lanes(info uint64) (black, white int32) {
	return int32(info >> valueShift & (1<<valueBits - 1)), int32(info >> (valueShift + valueBits))
}

// Won reports whether the last move won.
func (p *Position) Won() bool { return p.won }

// Empty returns the number of empty points.
func (p *Position) Empty() int { return p.empty }

// Ply returns the number of moves made, passes among them.
func (p *Position) Ply() int { return len(p.frames) }

// Last returns the point of the n-th last move (0 the last), Pass, or NoPoint.
func (p *Position) Last(n int) game.Point {
	if i := len(p.frames) - 1 - n; i >= 0 {
		return p.frames[i].point
	}
	return game.NoPoint
}

// Class returns what a stone of side c would make on the empty point q.
func (p *Position) Class(c game.Color, q game.Point) Class {
	return Class(p.info[q&(game.NumPoints-1)] >> (4 * (c & 1)) & 15)
}

// Score returns how promising a move to the empty point q looks for side c.
func (p *Position) Score(c game.Color, q game.Point) int {
	return int(p.info[q&(game.NumPoints-1)] >> (scoreShift + scoreBits*(c&1)) & scoreMask)
}

// MayBeForbidden reports whether q needs the closer look of Forbidden.
func (p *Position) MayBeForbidden(c game.Color, q game.Point) bool {
	return p.info[q&(game.NumPoints-1)]>>(mayShift+(c&1))&1 == 1
}

// Shapes returns the shapes a stone of side c would make on the empty point q, by direction.
func (p *Position) Shapes(c game.Color, q game.Point) [4]Shape {
	k := p.code(c, q)
	return [4]Shape{k.shape(0), k.shape(1), k.shape(2), k.shape(3)}
}

// Pattern returns the shapes of the empty point q for both sides: by direction four bits
// each, Black's in the low half.
func (p *Position) Pattern(q game.Point) uint32 { return p.pat[q&(game.NumPoints-1)] }

// NoPattern is the pattern of a point that is not empty or not on the board: no empty point has it.
const NoPattern = ^uint32(0)

// Patterns returns the patterns of all points. They change with the position.
func (p *Position) Patterns() *[game.NumPoints]uint32 { return &p.pat }

func (p *Position) code(c game.Color, q game.Point) code {
	return code(p.pat[q&(game.NumPoints-1)] >> (16 * (c & 1)))
}

// Count returns how many empty points are of class cl for side c. Taken points count as
// Nothing, here and in Points.
func (p *Position) Count(c game.Color, cl Class) int { return int(p.count[c&1][cl&15]) }

// Points returns the set of points of class cl for side c: for all but Nothing, empty ones.
func (p *Position) Points(c game.Color, cl Class) *Set { return &p.sets[c&1][cl&15] }

// Taken returns the set of points that are not empty; bits off the board are set.
func (p *Position) Taken() *Set { return &p.taken }

// Make puts a stone of the side to move on the empty point q, or passes.
func (p *Position) Make(q game.Point) {
	p.frames = append(p.frames, frame{p.key, p.value, int32(len(p.changes)), q, p.won, 0})
	if q == game.Pass {
		p.won = false
		p.side ^= 1
		return
	}
	p.won = p.Class(p.side, q) == Five
	p.put(q, p.side)
	if p.t.Rules.Capture != 0 {
		p.capture(q)
	}
	p.side ^= 1
}

// Unmake takes the last move back.
func (p *Position) Unmake() {
	n := len(p.frames) - 1
	f := &p.frames[n]
	p.side ^= 1
	if f.point != game.Pass {
		p.lift(f.point, p.side, int(f.changes))
		if f.taken != 0 {
			p.release(int(f.taken))
		}
	}
	p.key, p.value, p.won = f.key, f.value, f.won
	p.frames = p.frames[:n]
}

// Set puts a stone or a wall on the empty point q as part of a set-up. It cannot be taken back.
func (p *Position) Set(q game.Point, c game.Color) {
	p.put(q, c)
	p.changes = p.changes[:0]
}

// SetSide says whose turn it is, as part of a set-up.
func (p *Position) SetSide(c game.Color) { p.side = c }

// put changes the empty point q into a stone or a wall, or such a point, c being what
// stands there, into an empty one. A stone on a line changes only what the empty points
// within reach on that line are worth, and there only one of four directions.
func (p *Position) put(q game.Point, c game.Color) {
	q &= game.NumPoints - 1
	t := p.t
	stone := uint64(stoneBits[c&3])
	p.key ^= zobrist[c&3][q]
	p.taken[q/game.Stride] ^= 1 << (q % game.Stride)
	lifted := p.cells[q] == c
	if lifted {
		p.cells[q] = game.Empty
		p.empty++
	} else {
		p.cells[q] = c
		p.empty--
	}

	old := p.info[q]
	p.changes = append(p.changes, change{old, p.pat[q], q})
	black, white := lanes(old)
	black, white = p.value[0]-black, p.value[1]-white
	p.reclass(q, old, 0)
	p.info[q], p.pat[q] = 0, NoPattern

	x, y := int(q)%game.Stride, int(q)/game.Stride
	for d := range 4 {
		var l, i int
		switch d {
		case 0:
			l, i = y, x
		case 1:
			l, i = x, y
		case 2:
			l, i = x-y+MaxSize-1, x
		default:
			l, i = x+y, x
		}
		line := p.lines[d][l&63] ^ stone<<(2*uint(i+pad)&63)
		p.lines[d][l&63] = line
		p.brackets.stale[d] |= 1 << (l & 63)
		near := ^(line | line>>1) & t.near[i]
		step := steps[d]
		base := int(q) - (i+pad)*step
		shift := uint(4 * d)
		for ; near != 0; near &= near - 1 {
			b := uint(bits.TrailingZeros64(near))
			r := (base + int(b>>1)*step) & (game.NumPoints - 1)
			k := line >> ((b - 2*pad) & 63)
			w := t.lo[k&0x3ff] + t.hi[k>>12&0x3ff]
			s := uint32(t.shapes[0][uint16(w)]) | uint32(t.shapes[1][w>>16])<<16
			was := p.pat[r]
			is := was&^(0xf000f<<shift) | s<<shift
			if is == was {
				continue
			}
			old := p.info[r]
			p.changes = append(p.changes, change{old, was, game.Point(r)})
			now := t.info[0][uint16(is)] + t.info[1][is>>16]
			p.pat[r] = is
			p.info[r] = now
			nb, nw := lanes(now)
			ob, ow := lanes(old)
			black += nb - ob
			white += nw - ow
			if (old^now)&classMask != 0 {
				p.reclass(game.Point(r), old, now)
			}
		}
	}
	p.value = [2]int32{black, white}
	if lifted {
		p.refresh(q)
	}
}

// lift takes away what put placed, restoring every point changed since.
func (p *Position) lift(q game.Point, c game.Color, changes int) {
	q &= game.NumPoints - 1
	for n := len(p.changes) - 1; n >= changes; n-- {
		ch := &p.changes[n]
		r := ch.point & (game.NumPoints - 1)
		old := p.info[r]
		if (old^ch.info)&classMask != 0 {
			p.reclass(r, old, ch.info)
		}
		p.info[r] = ch.info
		p.pat[r] = ch.pat
	}
	p.changes = p.changes[:changes]
	p.pencil(c, q)
	p.cells[q] = game.Empty
	p.taken[q/game.Stride] &^= 1 << (q % game.Stride)
	p.empty++
}

// reclass moves a point between the class sets.
func (p *Position) reclass(q game.Point, old, now uint64) {
	y, bit := q/game.Stride, uint32(1)<<(q%game.Stride)
	if a, b := old&15, now&15; a != b {
		p.count[0][a]--
		p.sets[0][a][y] &^= bit
		p.count[0][b]++
		p.sets[0][b][y] |= bit
	}
	if a, b := old>>4&15, now>>4&15; a != b {
		p.count[1][a]--
		p.sets[1][a][y] &^= bit
		p.count[1][b]++
		p.sets[1][b][y] |= bit
	}
}

// refresh computes an empty point from its four lines.
func (p *Position) refresh(q game.Point) {
	old := p.info[q]
	p.pat[q] = uint32(p.lineCode(game.Black, q)) | uint32(p.lineCode(game.White, q))<<16
	now := p.t.info[0][uint16(p.pat[q])] + p.t.info[1][p.pat[q]>>16]
	p.info[q] = now
	nb, nw := lanes(now)
	ob, ow := lanes(old)
	p.value[0] += nb - ob
	p.value[1] += nw - ow
	p.reclass(q, old, now)
}

// lineShape looks a point's shape up in the line itself.
func (p *Position) lineShape(c game.Color, q game.Point, d int) Shape {
	l, i := lineOf(d, q)
	k := p.lines[d][l&63] >> (2 * uint(i) & 63)
	w := p.t.lo[k&0x3ff] + p.t.hi[k>>12&0x3ff]
	return Shape(p.t.shapes[c&1][uint16(w>>(16*(c&1)))])
}

// lineCode looks a point's four shapes up in its lines.
func (p *Position) lineCode(c game.Color, q game.Point) code {
	t := p.t
	x, y := uint(q)%game.Stride, uint(q)/game.Stride
	keys := [4]uint64{
		p.lines[0][y&63] >> (2 * x & 63),
		p.lines[1][x&63] >> (2 * y & 63),
		p.lines[2][(x-y+MaxSize-1)&63] >> (2 * x & 63),
		p.lines[3][(x+y)&63] >> (2 * x & 63),
	}
	side := 16 * uint(c&1)
	shapes := &t.shapes[c&1]
	k := code(0)
	for d, key := range keys {
		w := t.lo[key&0x3ff] + t.hi[key>>12&0x3ff]
		k |= code(shapes[uint16(w>>side)]) << (4 * d)
	}
	return k
}

var stoneBits = [4]uint8{game.Black: 1, game.White: 2, game.Wall: 3}

// zobrist holds a random number for each content of each point (Zobrist 1970).
var zobrist = func() (z [4][game.NumPoints]uint64) {
	seed := uint64(0x74656e67656e) // "tengen"
	for _, c := range []game.Color{game.Black, game.White, game.Wall} {
		for q := range z[c] {
			z[c][q] = splitmix(&seed)
		}
	}
	for c := range z {
		z[c][game.Pass] = 0
	}
	return
}()

func sideKey(c game.Color) uint64 { return -uint64(c&1) & 0x9d39247e33776d41 }

// splitmix is the generator of Steele, Lea and Flood (2014).
func splitmix(s *uint64) uint64 {
	*s += 0x9e3779b97f4a7c15
	z := *s
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Step returns the difference between a point and the next one in direction d, 0 to 3.
func Step(d int) int { return steps[d&3] }

// Near fills set with the empty points at most two away from a stone, or three along a
// row, column or diagonal; on an empty board with the centre.
func (p *Position) Near(set *Set) {
	size := p.size
	full := uint32(1)<<size - 1
	const edge = 3
	var rows [game.Stride + 2*edge]uint32 // the stones, with empty rows around
	any := uint32(0)
	for y := range size {
		rows[y+edge] = p.taken[y] & full
		any |= rows[y+edge]
	}
	if any == 0 {
		set[size/2] = 1 << (size / 2)
		return
	}
	for y := range size {
		var r uint32
		for dy := -2; dy <= 2; dy++ {
			b := rows[y+edge+dy]
			r |= b | b<<1 | b>>1 | b<<2 | b>>2
		}
		b := rows[y+edge]
		r |= b<<3 | b>>3
		b = rows[y] | rows[y+2*edge]
		r |= b | b<<3 | b>>3
		set[y] = r & full &^ p.taken[y]
	}
}
