package line

import (
	"math/bits"

	"tengen/engine/game"
)

// Captures, for the games that have them (pente): a move takes a run of two opposing
// stones, where the rules say so also of three, off the board if an own stone stands behind
// it. Making a capture is putting a stone and lifting others; what the freed points and
// those near them are worth goes on the undo stack like all else a move changes.

// around holds the steps to the eight neighbours.
var around = [8]int{1, -1, game.Stride, -game.Stride, game.Stride + 1, -game.Stride - 1, 1 - game.Stride, game.Stride - 1}

// Captured returns how many stones side c has captured.
func (p *Position) Captured(c game.Color) int { return int(p.captured[c&1]) }

// SetCaptured says how many stones side c has captured, as part of a set-up.
func (p *Position) SetCaptured(c game.Color, n int) {
	p.key ^= countKey(c, p.captured[c&1])
	p.captured[c&1] = int32(n)
	p.key ^= countKey(c, p.captured[c&1])
}

// countKey is what n captured stones of side c add to the key.
func countKey(c game.Color, n int32) uint64 {
	if n == 0 {
		return 0
	}
	seed := uint64(n)<<1 | uint64(c&1)
	return splitmix(&seed)
}

// run returns how many stones side c captures with a stone on q in the direction of a
// step. The walls around the board end every row.
func (p *Position) run(c game.Color, q game.Point, step int) int {
	for n := 0; n <= p.t.Rules.Capture; n++ {
		q = game.Point(int(q)+step) & (game.NumPoints - 1)
		switch p.cells[q] {
		case c ^ 1:
			continue
		case c:
			if n > 1 {
				return n
			}
		}
		break
	}
	return 0
}

// Takes returns how many stones side c would capture by a stone on the empty point q.
func (p *Position) Takes(c game.Color, q game.Point) (n int) {
	for _, step := range around {
		n += p.run(c, q, step)
	}
	return n
}

// CaptureWins reports whether a stone of side c on the empty point q would win by what it
// captures.
func (p *Position) CaptureWins(c game.Color, q game.Point) bool {
	n := p.Takes(c, q)
	return n > 0 && p.Captured(c)+n >= p.t.Rules.CaptureWins
}

// capture takes the stones off the board that the stone just put on q brackets.
func (p *Position) capture(q game.Point) {
	c := p.side
	taken := 0
	for _, step := range around {
		n := p.run(c, q, step)
		for r := q; n > 0; n-- {
			r = game.Point(int(r)+step) & (game.NumPoints - 1)
			p.stones = append(p.stones, r)
			p.put(r, c^1)
			taken++
		}
	}
	if taken == 0 {
		return
	}
	p.frames[len(p.frames)-1].taken = uint8(taken)
	p.SetCaptured(c, p.Captured(c)+taken)
	p.won = p.won || p.Captured(c) >= p.t.Rules.CaptureWins
}

// release puts the n stones on the board again that the side to move had captured by the
// move that is taken back.
func (p *Position) release(n int) {
	c := p.side ^ 1
	p.captured[p.side&1] -= int32(n)
	from := len(p.stones) - n
	for _, r := range p.stones[from:] {
		r &= game.NumPoints - 1
		p.pencil(c, r)
		p.cells[r] = c
		p.taken[r/game.Stride] |= 1 << (r % game.Stride)
		p.empty--
	}
	p.stones = p.stones[:from]
}

// captureKey is what the captures of a move to q change in the key.
func (p *Position) captureKey(q game.Point) (key uint64) {
	c, taken := p.side, int32(0)
	if q == game.Pass {
		return 0
	}
	for _, step := range around {
		n := p.run(c, q, step)
		taken += int32(n)
		for r := q; n > 0; n-- {
			r = game.Point(int(r)+step) & (game.NumPoints - 1)
			key ^= zobrist[c&1^1][r]
		}
	}
	old := p.captured[c&1]
	return key ^ countKey(c, old) ^ countKey(c, old+taken)
}

// Captures fills set with the empty points where side c captures something, and reports
// whether there are any. It works on whole rows, all the points of one at a time.
func (p *Position) Captures(c game.Color, set *Set) (any bool) {
	const edge = 4 // rows beyond the board that a direction may reach
	const plane = 0x5555555555555555
	var own, foe [MaxSize + 2*edge]uint64
	for y := range p.size {
		w := p.lines[0][y&63]
		b, o := w&plane, w>>1&plane
		wall := b & o
		if c == game.White {
			b, o = o, b
		}
		own[y+edge], foe[y+edge] = b&^wall, o&^wall
	}
	three := uint64(0)
	if p.t.Rules.Capture > 2 {
		three = ^three
	}
	*set = Set{}
	for y := range p.size {
		r := y + edge
		w := p.lines[0][y&63]
		empty := ^(w | w>>1) & plane
		hits := uint64(0)
		// Along the row, and to the rows below and above: straight, and to both sides.
		if f := empty & (foe[r] >> 2) & (foe[r] >> 4); f != 0 {
			hits |= f & (own[r]>>6 | three&(foe[r]>>6)&(own[r]>>8))
		}
		if f := empty & (foe[r] << 2) & (foe[r] << 4); f != 0 {
			hits |= f & (own[r]<<6 | three&(foe[r]<<6)&(own[r]<<8))
		}
		for _, s := range [2]int{1, -1} {
			one, two, last := foe[r+s], foe[r+2*s], own[r+3*s]
			if one == 0 || two == 0 {
				continue
			}
			more, end := foe[r+3*s]&three, own[r+4*s]
			hits |= empty & one & two & (last | more&end)
			hits |= empty & (one >> 2) & (two >> 4) & (last>>6 | more>>6&(end>>8))
			hits |= empty & (one << 2) & (two << 4) & (last<<6 | more<<6&(end<<8))
		}
		for ; hits != 0; hits &= hits - 1 {
			set[y] |= 1 << (bits.TrailingZeros64(hits)/2 - pad)
			any = true
		}
	}
	return any
}

// Wins fills set with the empty points where side c wins at once, by a five or by what it
// captures, and returns how many there are.
func (p *Position) Wins(c game.Color, set *Set) (n int) {
	var takes Set
	if p.t.Rules.Capture == 0 || !p.Captures(c, &takes) {
		takes = Set{}
	}
	*set = p.sets[c&1][Five]
	n = p.Count(c, Five)
	for y := range p.size {
		for row := takes[y] &^ set[y]; row != 0; row &= row - 1 {
			x := bits.TrailingZeros32(row)
			if p.CaptureWins(c, game.At(x, y)) {
				set[y] |= 1 << x
				n++
			}
		}
	}
	return n
}

// Opening returns why the restriction of the opening refuses q to the side to move, or
// Allowed.
func (p *Position) Opening(q game.Point) Reason {
	o := &p.t.Rules.Opening
	n := len(p.frames)
	// Only stones that were played, and all of them: a set-up has no opening.
	if *o == (Opening{}) || n > 2 || p.side != game.Black || p.empty != p.size*p.size-n {
		return Allowed
	}
	switch {
	case n == 0 && o.Centre && max(off(q.X(), p.size), off(q.Y(), p.size)) > 1:
		return OffCentre
	case n == 2:
		first := p.frames[0].point
		dx, dy := q.X()-first.X(), q.Y()-first.Y()
		if max(dx, -dx, dy, -dy) < o.Away {
			return TooClose
		}
	}
	return Allowed
}

// off returns twice the distance of a row or column from the middle. Of an even number of
// rows two are the middle.
func off(i, size int) int { return max(2*i-(size-1), size-1-2*i) }
