package line

import (
	"math/bits"

	"tengen/engine/game"
)

// Reason is why a point is forbidden.
type Reason uint8

const (
	Allowed Reason = iota
	Overline
	DoubleFour
	DoubleThreeFoul
	OffCentre // the first stone of a game whose opening is restricted
	TooClose  // the second stone of its first player
)

func (r Reason) String() string {
	return [...]string{"allowed", "overline", "double four", "double three",
		"first stone off the centre", "second stone too close to the first"}[r]
}

// Forbidden returns why side c must not play on the empty point q, or Allowed. The
// reasons are looked for in the order overline, double four, double three; a five comes
// before all of them.
//
// A double three is forbidden only where two of the threes are real: in renju a three whose
// every straight-four point is itself forbidden is none. The recursion is that of the rules
// of the Renju International Federation; it puts the stones in question on the lines only
// and reads the shapes from there, so a candidate costs a few look-ups. In omok a straight
// four is enough, allowed or not.
func (p *Position) Forbidden(c game.Color, q game.Point) Reason {
	if !p.MayBeForbidden(c, q) {
		return Allowed
	}
	return p.foul(c, q, p.code(c, q))
}

// Playable reports whether side c may play on the empty point q.
func (p *Position) Playable(c game.Color, q game.Point) bool {
	return !p.MayBeForbidden(c, q) || p.foul(c, q, p.code(c, q)) == Allowed
}

// foul judges a point whose shapes are k.
func (p *Position) foul(c game.Color, q game.Point, k code) Reason {
	r := &p.t.Rules
	var over bool
	var fours, threes int
	for d := range 4 {
		switch s := k.shape(d); {
		case s == FiveShape:
			return Allowed
		case s == SixShape:
			over = true
		case s == FourDouble:
			fours += 2
		case s.IsFour():
			fours++
		case s.IsThree():
			threes++
		}
	}
	switch {
	case over && r.Six[c&1] == SixForbidden:
		return Overline
	case fours > 1 && r.NoDouble4[c&1]:
		return DoubleFour
	case threes < 2 || !r.NoDouble3[c&1]:
		return Allowed
	}
	p.pencil(c, q)
	real := 0
	for d := range 4 {
		if k.shape(d).IsThree() {
			if p.realThree(c, q, d) {
				real++
			}
			if threes--; real > 1 || real+threes < 2 {
				break
			}
		}
	}
	p.pencil(c, q)
	if real > 1 {
		return DoubleThreeFoul
	}
	return Allowed
}

// realThree reports whether the three through the stone on q in direction d can become
// a straight four.
func (p *Position) realThree(c game.Color, q game.Point, d int) bool {
	l, i := lineOf(d, q)
	line := p.lines[d][l&63]
	for near := ^(line | line>>1) & p.t.near[i]; near != 0; near &= near - 1 {
		j := bits.TrailingZeros64(near)>>1 - pad
		e := game.Point(int(q)+(j-i)*steps[d]) & (game.NumPoints - 1)
		if p.lineShape(c, e, d) != FourOpen || !joined(line, c, i, j) {
			continue
		}
		if p.t.Rules.AnyFour {
			return true
		}
		k := p.lineCode(c, e)
		five := false
		for o := range 4 {
			five = five || k.shape(o) == FiveShape
		}
		if five {
			if p.t.Rules.FiveAtFour {
				return true
			}
			continue
		}
		if p.foul(c, e, k) == Allowed {
			return true
		}
	}
	return false
}

// joined reports whether all cells of a line between places i and j are stones of c.
func joined(line uint64, c game.Color, i, j int) bool {
	if i > j {
		i, j = j, i
	}
	for i++; i < j; i++ {
		if line>>(2*(i+pad))&3 != uint64(stoneBits[c&3]) {
			return false
		}
	}
	return true
}

// pencil puts a stone on the lines, or takes it away, and changes nothing else.
func (p *Position) pencil(c game.Color, q game.Point) {
	stone := uint64(stoneBits[c&3])
	for d := range 4 {
		l, i := lineOf(d, q)
		p.lines[d][l&63] ^= stone << (2 * uint(i+pad) & 63)
		p.brackets.stale[d] |= 1 << (l & 63)
	}
}
