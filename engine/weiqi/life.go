package weiqi

import (
	"math/bits"

	"tengen/engine/game"
)

// Set is a set of points: bit x of word y.
type Set [game.Stride]uint32

// Add puts q into the set.
func (s *Set) Add(q game.Point) { s[q/game.Stride%game.Stride] |= 1 << (q % game.Stride) }

// Has reports whether q is in the set.
func (s *Set) Has(q game.Point) bool {
	return s[q/game.Stride%game.Stride]>>(q%game.Stride)&1 == 1
}

// Len returns how many points are in the set.
func (s *Set) Len() (n int) {
	for _, row := range s {
		n += bits.OnesCount32(row)
	}
	return n
}

// Points appends the points of the set to a list, row by row from the top.
func (s *Set) Points(to []game.Point) []game.Point {
	for y, row := range s {
		for ; row != 0; row &= row - 1 {
			to = append(to, game.At(bits.TrailingZeros32(row), y))
		}
	}
	return to
}

// Life is what a side keeps though it passes for ever.
type Life struct {
	Stones    [2]Set // chains that cannot be taken
	Territory [2]Set // what they enclose so tightly that the opponent cannot live in it
}

// PassAlive finds the unconditionally alive chains of both sides (Benson, "Life in the
// game of Go", Information Sciences 10, 1976). A region is a connected set of points that
// hold no stone of the side; it is vital to a chain when each of its empty points is a
// liberty of that chain. Chains with less than two vital regions fall, then regions that a
// fallen chain borders, and so on; what stays is alive. Where suicide is legal a region's
// stones can vanish and leave room, so there each of its points must touch the chain.
func (b *Board) PassAlive(suicide bool) (l Life) {
	for c := game.Black; c <= game.White; c++ {
		b.passAlive(c, suicide, &l.Stones[c], &l.Territory[c])
	}
	return l
}

func (b *Board) passAlive(c game.Color, suicide bool, alive, enclosed *Set) {
	// A region touches at least one point of the board, and its vital chains all touch its
	// first empty point: four at most.
	type region struct {
		vital [4]uint16 // heads, 0 for none
		open  bool      // some point was looked at already
		out   bool
	}
	var (
		of      [cells]uint16 // region of a cell, from 1
		regions [cells]region
		fallen  [cells]bool // by head
		eyes    [cells]uint8
		stack   [cells]uint16
		last    int
	)
	// 1. Regions and the chains they are vital to.
	for y := range b.size {
		for x := range b.size {
			start := cell(game.At(x, y))
			if b.cells[start] == c || of[start] != 0 {
				continue
			}
			last++
			r := &regions[last]
			top := 1
			stack[0], of[start] = uint16(start), uint16(last)
			for top > 0 {
				top--
				p := int(stack[top])
				if b.cells[p] == game.Empty || suicide {
					b.keepTouching(&r.vital, p, c, !r.open)
					r.open = true
				}
				for _, d := range around {
					if q := p + d; b.cells[q] != game.Wall && b.cells[q] != c && of[q] == 0 {
						of[q] = uint16(last)
						stack[top] = uint16(q)
						top++
					}
				}
			}
		}
	}
	// 2. Chains with fewer than two vital regions fall, and regions with them, till none does.
	for changed := true; changed; {
		changed = false
		clear(eyes[:])
		for i := 1; i <= last; i++ {
			if r := &regions[i]; !r.out {
				for _, h := range r.vital {
					if h != 0 {
						eyes[h] = min(eyes[h]+1, 2)
					}
				}
			}
		}
		for p := ring; p < b.used+1; p++ {
			if b.cells[p] != c {
				continue
			}
			if h := b.head[p]; eyes[h] < 2 {
				fallen[h] = true
				for _, d := range around {
					if r := of[p+d]; r != 0 && !regions[r].out {
						regions[r].out, changed = true, true
					}
				}
			}
		}
	}
	// 3. What stays.
	for y := range b.size {
		for x := range b.size {
			q := game.At(x, y)
			p := cell(q)
			if b.cells[p] == c {
				if !fallen[b.head[p]] {
					alive.Add(q)
				}
			} else if r := &regions[of[p]]; !r.out && r.vital != [4]uint16{} {
				enclosed.Add(q)
			}
		}
	}
}

// keepTouching drops from a list of chains those of which p is no liberty; the first call
// fills the list with those of which it is one.
func (b *Board) keepTouching(list *[4]uint16, p int, c game.Color, first bool) {
	var now [4]uint16
	for i, d := range around {
		if b.cells[p+d] == c {
			now[i] = b.head[p+d]
		}
	}
	if first {
		for i, h := range now {
			for _, o := range list[:i] {
				if h == o {
					h = 0
				}
			}
			list[i] = h
		}
		return
	}
	for i, h := range list {
		if h != now[0] && h != now[1] && h != now[2] && h != now[3] {
			list[i] = 0
		}
	}
}
