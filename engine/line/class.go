package line

import "tengen/engine/game"

// Class is what a stone on an empty point makes of the four lines through it together,
// ordered by how much it threatens.
type Class uint8

const (
	Nothing       Class = iota
	Two                 // an open two
	TwoTwo              // two of them
	Three               // a closed three: may become a four
	ThreePlus           // a closed three and more beside it
	OpenThree           // an open three: threatens an open four
	OpenThreePlus       // an open three, and a four or another three may follow
	DoubleThree         // two open threes
	FourOnly            // a four: must be answered
	FourPlus            // a four, and more may follow from the same stone
	FourThree           // a four and an open three
	OpenFour            // fours that no one stone stops
	Five                // wins
	NumClasses
)

// code packs the shapes of the four directions, four bits each.
type code uint16

func (k code) shape(d int) Shape { return Shape(k >> (4 * d) & 15) }

// class returns what a code is worth to side c, and whether the rules may forbid it, in
// which case Position.Forbidden knows.
func (r *Rules) class(c game.Color, k code) (cl Class, may bool) {
	var n [NumShapes]int
	for d := range 4 {
		n[k.shape(d)]++
	}
	if n[FiveShape] > 0 {
		return Five, false
	}
	fours := n[Four] + n[FourDouble] + n[FourOpen]
	threes := n[ThreeOpen] + n[ThreeOpen2]
	twos := n[TwoOpen] + n[TwoOpen2] + n[TwoOpen3]
	may = n[SixShape] > 0 && r.Six[c] == SixForbidden ||
		r.NoDouble4[c] && (fours > 1 || n[FourDouble] > 0) ||
		r.NoDouble3[c] && threes > 1
	switch {
	case fours > 1 || n[FourDouble]+n[FourOpen] > 0:
		return OpenFour, may
	case fours == 1 && threes > 0:
		return FourThree, may
	case fours == 1 && n[ThreeClosed]+twos > 0:
		return FourPlus, may
	case fours == 1:
		return FourOnly, may
	case threes > 1:
		return DoubleThree, may
	case threes == 1 && n[ThreeClosed]+twos > 0:
		return OpenThreePlus, may
	case threes == 1:
		return OpenThree, may
	case n[ThreeClosed] > 1 || n[ThreeClosed] == 1 && twos > 0:
		return ThreePlus, may
	case n[ThreeClosed] == 1:
		return Three, may
	case twos > 1:
		return TwoTwo, may
	case twos == 1:
		return Two, may
	}
	return Nothing, may
}

// ClassOf returns the class of a point with the given shapes.
func ClassOf(c game.Color, s [4]Shape) Class {
	cl, _ := (&Rules{}).class(c, pack(s))
	return cl
}

// Values says what a code is worth. The functions see the four shapes in ascending
// order, since the directions are alike.
type Values interface {
	// Value is what an empty point with these shapes adds to the evaluation of side c, in
	// ValueUnits: while c is to move, and while it waits. Each within +-MaxValue.
	Value(c game.Color, s [4]Shape) (moving, waiting int)
	// Score is how promising a move to such a point looks: first to c, whose shapes
	// they are, then to the opponent, who would take them away. Each 0 to 1023.
	Score(c game.Color, s [4]Shape) (attack, defend int)
}

const (
	ValueUnit = 16            // units of a table value to a point of evaluation
	MaxValue  = valueZero - 1 // largest table value
)

// Lanes of a point's info word: everything a search asks of an empty point, the sum of a
// word that depends on Black's code and one that depends on White's.
//
//	bits 0-3, 4-7    class for Black, White
//	bits 8, 9        may be forbidden to Black, White
//	bits 10-20       score of a move there by Black
//	bits 21-31       score of a move there by White
//	bits 32-47       value with Black to move, Black minus White, plus twice valueZero
//	bits 48-63       value with White to move, Black minus White, plus twice valueZero
const (
	mayShift   = 8
	scoreShift = 10
	scoreBits  = 11
	scoreMask  = 1<<scoreBits - 1
	valueShift = 32
	valueBits  = 16
	valueZero  = 1 << 13
	classMask  = 0xff
)

// Table holds what the rules make of every line and every point. It is never changed
// and may be shared by any number of positions.
type Table struct {
	Rules Rules
	reach int

	// A line key's five cells below and above a point, to the number of their half for
	// Black (low 16 bits) and White (high 16 bits); lo is multiplied by the number of
	// halves, so that the sum of both names the window.
	lo, hi [1 << 10]uint32
	// The shape a window's middle stone makes. Few of the 65536 are used; the size
	// makes every index valid.
	shapes [2][1 << 16]uint8
	// The info words of a code.
	info [2][1 << 16]uint64
	// The cells of a line key within reach of a position, itself left out.
	near [MaxSize]uint64
}

// NewTable computes the table of a game. v may be nil where only the rules matter.
func NewTable(r Rules, v Values) *Table {
	t := &Table{Rules: r, reach: r.reach()}
	all := halves(t.reach, r.BothEnds)
	number := map[half]uint32{}
	for i, h := range all {
		number[h] = uint32(i)
	}
	n := uint32(len(all))

	for key := range uint32(1 << 10) {
		var lo, hi [2]half
		for i := range 5 {
			for c := range 2 {
				hi[c][i] = seen(key>>(2*i)&3, c)
				lo[c][i] = seen(key>>(2*(4-i))&3, c)
			}
		}
		for c := range 2 {
			shift := 16 * c
			t.lo[key] |= n * number[lo[c].cut(t.reach, r.BothEnds)] << shift
			t.hi[key] |= number[hi[c].cut(t.reach, r.BothEnds)] << shift
		}
	}

	for c := range 2 {
		if c == 1 && r.Six[0] == r.Six[1] && r.NoDouble4[0] == r.NoDouble4[1] {
			t.shapes[1] = t.shapes[0]
			break
		}
		s := newShaper(&r, c)
		for i, lo := range all {
			for j, hi := range all {
				w := window{mid: own}
				for k := range 5 {
					w[mid-1-k], w[mid+1+k] = lo[k], hi[k]
				}
				t.shapes[c][uint32(i)*n+uint32(j)] = uint8(s.shape(w))
			}
		}
	}

	for x := range t.near {
		for d := 1; d <= t.reach; d++ {
			if x-d >= -pad {
				t.near[x] |= 1 << (2 * (x - d + pad))
			}
			t.near[x] |= 1 << (2 * (x + d + pad))
		}
	}
	t.fill(v)
	return t
}

// seen turns two bits of a line key into a cell as side c sees it.
func seen(bits uint32, c int) uint8 {
	switch int(bits) {
	case 0:
		return empty
	case 3:
		return wall
	case c + 1:
		return own
	}
	return foe
}

// fill computes the info words: once for ascending shapes, then for all their orders.
func (t *Table) fill(v Values) {
	for a := range NumShapes {
		for b := a; b < NumShapes; b++ {
			for c := b; c < NumShapes; c++ {
				for d := c; d < NumShapes; d++ {
					s := [4]Shape{a, b, c, d}
					black, white := t.word(game.Black, s, v), t.word(game.White, s, v)
					permute(s, func(k code) { t.info[0][k], t.info[1][k] = black, white })
				}
			}
		}
	}
}

func pack(s [4]Shape) code {
	return code(s[0]) | code(s[1])<<4 | code(s[2])<<8 | code(s[3])<<12
}

// permute calls f with the codes of all orders of s.
func permute(s [4]Shape, f func(code)) {
	for a := range 4 {
		for b := range 4 {
			for c := range 4 {
				if d := 6 - a - b - c; a != b && b != c && a != c {
					f(pack([4]Shape{s[a], s[b], s[c], s[d]}))
				}
			}
		}
	}
}

func (t *Table) word(c game.Color, s [4]Shape, v Values) uint64 {
	cl, may := t.Rules.class(c, pack(s))
	w := uint64(cl) << (4 * c)
	if may {
		w |= 1 << (mayShift + c)
	}
	if v == nil {
		return w | valueZero<<valueShift | valueZero<<(valueShift+valueBits)
	}
	attack, defend := v.Score(c, s)
	score := func(c game.Color, n int) uint64 {
		return uint64(min(max(n, 0), scoreMask/2)) << (scoreShift + scoreBits*int(c))
	}
	w |= score(c, attack) | score(c.Other(), defend)
	moving, waiting := v.Value(c, s)
	lanes := [2]int{moving, waiting} // with Black, White to move
	if c == game.White {
		lanes = [2]int{-waiting, -moving}
	}
	for side, n := range lanes {
		n = min(max(n, -MaxValue), MaxValue) + valueZero
		w |= uint64(n) << (valueShift + valueBits*side)
	}
	return w
}
