package line

import "tengen/engine/game"

// What a search needs that reads lines and nothing else: it writes stones on Lines "in
// pencil", which costs four words instead of a Make, and rubs them out again.

// Pad is the number of wall cells before the first cell of a line.
const Pad = pad

// Lines returns the words of the lines by direction and number: 32 cells of two bits, 00
// empty, 01 Black, 10 White, 11 wall; the cell of a line's place i is number i+Pad. Whoever
// changes them changes them back before the position is used for anything but
// ClassOnLines and PlayableOnLines.
func (p *Position) Lines() *[4][64]uint64 { return &p.lines }

// LineOf returns the number of q's line in direction d (east, south, south-east,
// north-east) and q's place in it.
func LineOf(d int, q game.Point) (number, place int) { return lineOf(d, q) }

// PointOf returns the point at a place of a line.
func PointOf(d, number, place int) game.Point {
	x, y := place, number
	switch d {
	case 1:
		x, y = number, place
	case 2:
		y = place - number + MaxSize - 1
	case 3:
		y = number - place
	}
	return game.At(x, y)
}

// ClassOnLines returns what a stone of side c would make on the empty point q as the lines
// are now, and whether it may be forbidden.
func (p *Position) ClassOnLines(c game.Color, q game.Point) (cl Class, may bool) {
	w := p.t.info[c&1][p.lineCode(c, q)]
	return Class(w >> (4 * (c & 1)) & 15), w>>(mayShift+(c&1))&1 == 1
}

// PlayableOnLines reports whether side c may play on the empty point q as the lines are now.
func (p *Position) PlayableOnLines(c game.Color, q game.Point) bool {
	k := p.lineCode(c, q)
	return p.t.info[c&1][k]>>(mayShift+(c&1))&1 == 0 || p.foul(c, q, k) == Allowed
}

// StoneKey returns what a stone of c on q adds to the key of a position, by exclusive or.
func StoneKey(c game.Color, q game.Point) uint64 {
	return zobrist[c&3][q&(game.NumPoints-1)]
}
