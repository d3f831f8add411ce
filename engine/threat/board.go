package threat

import (
	"math/bits"

	"tengen/engine/game"
	"tengen/engine/line"
)

// board is a position as a search for fours sees it. A four and its reply change so little
// that making them on the Position would cost more than all the rest (650 ns a pair
// against 150, measured on the puzzles). So stones are written on its lines only, and of
// these the cells are kept where the attacker makes a four; all else is read from the
// lines when asked.
type board struct {
	p      *line.Position
	lines  *[4][64]uint64
	four   [4][64]uint64 // cells where the attacker makes a four, by line
	live   [4]uint64     // the lines that have such cells
	key    uint64
	a, d   game.Color // attacker, defender
	am, dm maker
}

// read begins with the stones of p and the side to move as the attacker, who must not
// have a five. Only lines through a point of a four's class can have such cells.
func (b *board) read(p *line.Position) {
	b.p, b.lines, b.key = p, p.Lines(), p.Key()
	b.a, b.d = p.Side(), p.Side().Other()
	b.am, b.dm = newMaker(p.Rules(), b.a), newMaker(p.Rules(), b.d)
	b.four, b.live = [4][64]uint64{}, [4]uint64{}
	for cl := line.FourOnly; cl <= line.OpenFour; cl++ {
		set := p.Points(b.a, cl)
		for y, n := 0, p.Count(b.a, cl); n > 0; y++ {
			for row := set[y%game.Stride]; row != 0; row &= row - 1 {
				n--
				s := &spots[game.At(bits.TrailingZeros32(row), y)&(game.NumPoints-1)]
				for d := range 4 {
					if l := s.line[d] & 63; b.four[d][l] == 0 {
						b.set(d, int(l), b.am.fours(b.lines[d][l]))
					}
				}
			}
		}
	}
}

// set notes the cells of a line where the attacker makes a four.
func (b *board) set(d, l int, cells uint64) {
	b.four[d][l&63] = cells
	b.live[d] &^= 1 << l
	if cells != 0 {
		b.live[d] |= 1 << l
	}
}

// undo is what put changed besides the stone.
type undo [4]uint64

// put writes a stone on the empty point q.
func (b *board) put(c game.Color, q game.Point) (u undo) {
	s := &spots[q&(game.NumPoints-1)]
	b.key ^= line.StoneKey(c, q)
	for d := range 4 {
		l := s.line[d] & 63
		w := b.lines[d][l] | uint64(c+1)<<(s.shift[d]&63)
		b.lines[d][l] = w
		was, is := b.four[d][l], b.am.fours(w)
		u[d] = was
		if was != is {
			b.set(d, int(l), is)
		}
	}
	return u
}

// lift takes away what put wrote.
func (b *board) lift(c game.Color, q game.Point, u *undo) {
	s := &spots[q&(game.NumPoints-1)]
	b.key ^= line.StoneKey(c, q)
	for d := range 4 {
		l := s.line[d] & 63
		b.lines[d][l] ^= uint64(c+1) << (s.shift[d] & 63)
		if was := u[d]; b.four[d][l] != was {
			b.set(d, int(l), was)
		}
	}
}

// touch writes a stone on the lines without any account of it, or takes it away.
func (b *board) touch(c game.Color, q game.Point) { touch(b.lines, c, q) }

func touch(lines *[4][64]uint64, c game.Color, q game.Point) {
	s := &spots[q&(game.NumPoints-1)]
	for d := range 4 {
		lines[d][s.line[d]&63] ^= uint64(c+1) << (s.shift[d] & 63)
	}
}

// at returns what is written on q, Wall off the board (where a spot's zero is a wall too).
func (b *board) at(q game.Point) game.Color {
	s := &spots[q&(game.NumPoints-1)]
	cell := b.lines[0][s.line[0]&63] >> (s.shift[0] & 63) & 3
	return [4]game.Color{game.Empty, game.Black, game.White, game.Wall}[cell]
}

// isFour reports whether the attacker makes a four on q.
func (b *board) isFour(q game.Point) bool {
	s := &spots[q&(game.NumPoints-1)]
	set := uint64(0)
	for d := range 4 {
		set |= b.four[d][s.line[d]&63] >> (s.shift[d] & 63)
	}
	return set&1 != 0
}

// fives returns how many fives a side can make in the lines through q, and the point of
// one of them.
func (b *board) fives(m *maker, q game.Point) (n int, five game.Point) {
	five = game.NoPoint
	s := &spots[q&(game.NumPoints-1)]
	for d := range 4 {
		l := s.line[d] & 63
		if set := m.fives(b.lines[d][l]); set != 0 {
			n += bits.OnesCount64(set)
			five = first(d, int(l), set)
		}
	}
	return n, five
}

// fivesAfter is fives for the attacker with a stone of his on q, where he makes a four.
func (b *board) fivesAfter(q game.Point) (n int, five game.Point) {
	five = game.NoPoint
	s := &spots[q&(game.NumPoints-1)]
	for d := range 4 {
		l, shift := s.line[d]&63, s.shift[d]&63
		if b.four[d][l]>>shift&1 != 0 {
			set := b.am.fives(b.lines[d][l] | uint64(b.a+1)<<shift)
			n += bits.OnesCount64(set)
			five = first(d, int(l), set)
		}
	}
	return n, five
}

// end returns the first point that is not the attacker's in the row next to q.
func (b *board) end(q game.Point, step int) game.Point {
	for {
		q = game.Point(int(q)+step) & (game.NumPoints - 1)
		if b.at(q) != b.a {
			return q
		}
	}
}
