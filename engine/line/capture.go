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

// brackets is, for each side, the empty points of each line where it captures along that
// line. They are computed when somebody asks, for the lines that changed since.
type brackets struct {
	points [2][4][64]uint64 // the lower bit of each such point, as in Position.lines
	some   [2][4]uint64     // the lines with such points
	stale  [4]uint64        // the lines that changed
}

// Captures fills set with the empty points where side c captures something, and reports
// whether there are any.
func (p *Position) Captures(c game.Color, set *Set) (any bool) {
	b := &p.brackets
	*set = Set{}
	for d := range 4 {
		if b.stale[d] != 0 {
			p.bracket(d)
		}
		for lines := b.some[c&1][d]; lines != 0; lines &= lines - 1 {
			any = true
			l := bits.TrailingZeros64(lines) & 63
			for m := b.points[c&1][d][l]; m != 0; m &= m - 1 {
				i := bits.TrailingZeros64(m)/2 - pad
				x, y := i, l
				switch d {
				case 1:
					x, y = l, i
				case 2:
					y = i - l + MaxSize - 1
				case 3:
					y = l - i
				}
				set[y&(game.Stride-1)] |= 1 << (x & (game.Stride - 1))
			}
		}
	}
	return any
}

// bracket computes the stale lines of a direction, all the points of one at a time.
func (p *Position) bracket(d int) {
	const plane = 0x5555555555555555
	three := uint64(0)
	if p.t.Rules.Capture > 2 {
		three = ^three
	}
	b := &p.brackets
	stale := b.stale[d]
	b.stale[d] = 0
	for ; stale != 0; stale &= stale - 1 {
		l := bits.TrailingZeros64(stale) & 63
		w := p.lines[d][l]
		black, white := w&plane&^(w>>1), w>>1&plane&^w // and neither where there is a wall
		empty := ^(w | w>>1) & plane
		for c := range 2 {
			own, foe := black, white
			if c == 1 {
				own, foe = white, black
			}
			m := empty & (foe >> 2) & (foe >> 4) & (own>>6 | three&(foe>>6)&(own>>8))
			m |= empty & (foe << 2) & (foe << 4) & (own<<6 | three&(foe<<6)&(own<<8))
			b.points[c][d][l] = m
			b.some[c][d] &^= 1 << l
			if m != 0 {
				b.some[c][d] |= 1 << l
			}
		}
	}
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
