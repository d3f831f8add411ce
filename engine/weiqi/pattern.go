package weiqi

import "tengen/engine/game"

// Small patterns: the eight points around an empty one, and whether a stone there is shape.
// Those are the hane, the cut and the answers at the edge that Gelly, Wang, Munos and Teytaud
// found to be worth playing ("Modification of UCT with patterns in Monte-Carlo Go", 2006,
// figures 2 to 4), drawn by us.

// shapes are drawings in three rows. A and B are the two sides, either way round; the point
// is in the middle. ? is anything, - empty, a not A's stone and b not B's, # the edge. Each
// stands for its turns and reflections too.
var shapes = []string{
	// Hane: over a stone that has a friend or a gap on the other side.
	"ABA -.- ???",
	"AB- -.- ?-?",
	"AB? A.- a-?",
	// A diagonal that presses down.
	"-B- A.- ---",
	// Cuts, and the point that makes one.
	"AB? B.b ?b?",
	"AB? B.A ???",
	"?A? B.B bbb",
	"BA? b.B ???",
	// At the edge: chase, cut, block, descent.
	"A-? B.? ###",
	"BA? A.B ###",
	"?A? a.B ###",
	"?AB a.a ###",
	"?BA A.B ###",
}

// pattern reports whether a stone on the empty cell p makes a small pattern.
func (b *Board) pattern(p int) bool {
	code := uint16(b.cells[p-south-east]) | uint16(b.cells[p-south])<<2 | uint16(b.cells[p+east-south])<<4 |
		uint16(b.cells[p-east])<<6 | uint16(b.cells[p+east])<<8 |
		uint16(b.cells[p+south-east])<<10 | uint16(b.cells[p+south])<<12 | uint16(b.cells[p+south+east])<<14
	return patterns[code>>6]>>(code&63)&1 == 1
}

// patterns has a bit for each surrounding, two bits a cell, row by row.
var patterns = makePatterns()

func makePatterns() (t [1 << 10]uint64) {
	for _, s := range shapes {
		var cells [3][3]byte
		for i := range 9 {
			cells[i/3][i%3] = s[i+i/3]
		}
		for turn := range 8 {
			var now [3][3]byte
			for y := range 3 {
				for x := range 3 {
					now[x][2-y] = cells[y][x]
				}
			}
			if cells = now; turn == 4 {
				for y := range 3 {
					cells[y][0], cells[y][2] = cells[y][2], cells[y][0]
				}
			}
			for a := game.Black; a <= game.White; a++ {
				mark(&t, &cells, a)
			}
		}
	}
	return t
}

// mark enters all surroundings that fit a drawing in which A is a side. Each counts for
// both sides: the stone is worth playing whoever plays it.
func mark(t *[1 << 10]uint64, drawing *[3][3]byte, a game.Color) {
	fits := func(l byte, c game.Color) bool {
		switch l {
		case 'A':
			return c == a
		case 'B':
			return c == a.Other()
		case 'a':
			return c != a
		case 'b':
			return c != a.Other()
		case '-':
			return c == game.Empty
		case '#':
			return c == game.Wall
		}
		return true
	}
	letters := make([]byte, 0, 8)
	for i := range 9 {
		if i != 4 {
			letters = append(letters, drawing[i/3][i%3])
		}
	}
	var add func(i int, code uint32)
	add = func(i int, code uint32) {
		if i == 8 {
			t[code>>6] |= 1 << (code & 63)
			return
		}
		for c := game.Black; c <= game.Wall; c++ {
			if fits(letters[i], c) {
				add(i+1, code|uint32(c)<<(2*i))
			}
		}
	}
	add(0, 0)
}
