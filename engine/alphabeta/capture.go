package alphabeta

import (
	"math/bits"

	"tengen/engine/game"
	"tengen/engine/line"
)

// What is different where stones are captured. A threat of a five, or of the last capture
// needed, has a complete list of answers, as everywhere; a threat of an open four has not,
// since a capture prepared now may break it later. So the moves that meet it come first, and
// the others only if all of those lose: a loss is claimed of a position, not of a list.

const (
	// takingVCF divides the nodes of the threat search, which here makes its moves.
	takingVCF = 16
	// hopefulScore sets the moves that meet an open four above all others, of which even
	// the history of failures leaves them a rank of at least hopeful.
	hopefulScore = 1 << 18
	hopeful      = ranked((hopefulScore - 1<<14 + 1<<20) << 10)
)

// seeCaptures notes where the side to move, and the other, capture.
func (w *worker) seeCaptures(ply int) {
	me := w.p.Side()
	w.p.Captures(me, &w.takes[ply][0])
	w.p.Captures(me.Other(), &w.takes[ply][1])
}

// winByCapture returns a point where the side to move captures enough to win, or NoPoint.
func (w *worker) winByCapture(ply int) game.Point {
	me := w.p.Side()
	for y := range w.p.Size() {
		for row := w.takes[ply][0][y]; row != 0; row &= row - 1 {
			if q := game.At(bits.TrailingZeros32(row), y); w.p.CaptureWins(me, q) {
				return q
			}
		}
	}
	return game.NoPoint
}

// mayHunt reports whether the side to move has a four that elsewhere would be won, or so
// many captured stones that captures can threaten to win.
func (w *worker) mayHunt(ply int) bool {
	p := w.p
	me := p.Side()
	missing := p.Rules().CaptureWins - p.Captured(me)
	return p.Count(me, line.OpenFour) > 0 || missing <= p.Rules().Capture ||
		missing <= 2*p.Rules().Capture && w.takes[ply][0] != line.Set{}
}

// tired reports whether a five at the horizon is no longer stopped first: captures stop
// fives and make new ones, so lines of them may grow long and wide.
func (w *worker) tired(ply int) bool { return ply > 2*w.reach+12 }

// generateTaking is generate where stones are captured.
func (w *worker) generateTaking(u urgency, ply int, tt game.Point) {
	p := w.p
	me, foe := p.Side(), p.Side().Other()
	from := len(w.moves)
	if u == four {
		// The point itself, or a capture: see package threat.
		var set, wins line.Set
		p.Wins(foe, &set)
		for y := range p.Size() {
			set[y] |= w.takes[ply][0][y]
		}
		w.addSet(me, &set, tt)
		kept := w.moves[:from]
		for _, m := range w.moves[from:] {
			p.Make(m.point())
			if p.Wins(foe, &wins) == 0 {
				kept = append(kept, m)
			}
			p.Unmake()
		}
		w.moves = kept
		w.prefer(from, ply)
		return
	}
	var set line.Set
	p.Near(&set)
	for y := range p.Size() {
		set[y] |= w.takes[ply][0][y]
	}
	if p.Ply() <= 2 {
		w.open(&set)
	}
	w.addSet(me, &set, tt)
	w.prefer(from, ply)
	if u != three {
		return
	}
	var meets line.Set
	w.defences(&meets)
	for i := from; i < len(w.moves); i++ {
		q := w.moves[i].point()
		if cl := p.Class(me, q); cl < line.FourOnly {
			if !meets.Has(q) && !w.takes[ply][0].Has(q) {
				continue
			}
			p.Make(q)
			stands := p.Count(foe, line.OpenFour) > 0
			p.Unmake()
			if stands {
				continue
			}
		}
		w.moves[i] += hopefulScore << 10
	}
}

// prefer ranks the moves from an index on higher that capture, or that save stones.
func (w *worker) prefer(from, ply int) {
	p := w.p
	me := p.Side()
	for i := from; i < len(w.moves); i++ {
		q := w.moves[i].point()
		n := 0
		if w.takes[ply][0].Has(q) {
			n += 120 * p.Takes(me, q)
		}
		if w.takes[ply][1].Has(q) {
			n += 80 * p.Takes(me.Other(), q)
		}
		w.moves[i] += ranked(n<<5) << 10
	}
}

// open keeps the points of set that the opening allows; if that is none, all that it allows.
func (w *worker) open(set *line.Set) {
	p := w.p
	kept, all := line.Set{}, line.Set{}
	any := false
	for y := range p.Size() {
		for x := range p.Size() {
			if q := game.At(x, y); p.At(q) == game.Empty && p.Opening(q) == line.Allowed {
				all[y] |= 1 << x
				kept[y] |= set[y] & (1 << x)
				any = any || set.Has(q)
			}
		}
	}
	if !any {
		kept = all
	}
	*set = kept
}
