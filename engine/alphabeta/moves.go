package alphabeta

import (
	"math/bits"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/eval"
)

// A move with the rank it is tried at: rank in the upper half, the point in the lower.
type ranked uint32

func rank(score int, q game.Point) ranked { return ranked(score+1<<20)<<10 | ranked(q) }

func (m ranked) point() game.Point { return game.Point(m & (game.NumPoints - 1)) }

// Lister lists the moves of a position as the search does, for whoever wants to know how
// long that takes.
type Lister struct{ w *worker }

// NewLister returns a Lister for p, which the caller may go on changing.
func NewLister(p *line.Position) *Lister {
	w := newWorker(*p.Rules(), p.Size(), eval.Plain(*p.Rules()))
	w.p = p
	return &Lister{w}
}

// Moves returns how many moves the search would look at, in the order that it tries them
// first, the best one picked.
func (l *Lister) Moves() int {
	w := l.w
	w.moves = w.moves[:0]
	if w.taking {
		w.seeCaptures(0)
	}
	w.generate(urgencyOf(w.p), 0, game.NoPoint)
	if len(w.moves) > 0 {
		pick(w.moves, 0)
	}
	return len(w.moves)
}

// urgency says what the side to move must do before anything else.
type urgency uint8

const (
	quiet  urgency = iota // nothing: any move is to be looked at
	three                 // the opponent threatens a four that cannot be stopped
	four                  // the opponent threatens a five
	beaten                // the opponent threatens fives that no move stops
)

// urgencyOf looks at what the opponent of the side to move has on the board. The side to
// move has no five of its own.
func urgencyOf(p *line.Position) urgency {
	foe := p.Side().Other()
	if p.Count(foe, line.Five) > 0 {
		return four
	}
	if p.Rules().Capture != 0 {
		var wins line.Set
		if p.Wins(foe, &wins) > 0 {
			return four
		}
	}
	if n := p.Count(foe, line.OpenFour); n > 0 && anyPlayable(p, foe, line.OpenFour) {
		return three
	}
	return quiet
}

func anyPlayable(p *line.Position, c game.Color, cl line.Class) bool {
	return playable(p, c, cl) != game.NoPoint
}

// playable returns a point of class cl that c may play on, or NoPoint.
func playable(p *line.Position, c game.Color, cl line.Class) game.Point {
	if p.Count(c, cl) == 0 {
		return game.NoPoint
	}
	set := p.Points(c, cl)
	if !p.Rules().Restricted(c) {
		return set.First(p.Size())
	}
	for y := range p.Size() {
		for row := set[y]; row != 0; row &= row - 1 {
			if q := game.At(bits.TrailingZeros32(row), y); p.Playable(c, q) {
				return q
			}
		}
	}
	return game.NoPoint
}

// generate appends the moves worth looking at, ranked, to the worker's move list.
//
// Against a five: the points that stop it. Against an unstoppable four: own fours, and
// the points that may leave the opponent none (keepDefending). Else every point near a
// stone.
func (w *worker) generate(u urgency, ply int, tt game.Point) {
	p := w.p
	me := p.Side()
	if w.taking {
		w.generateTaking(u, ply, tt)
		return
	}
	switch u {
	case four:
		w.blocks(me, tt)
	case three:
		for cl := line.FourOnly; cl <= line.OpenFour; cl++ {
			w.addSet(me, p.Points(me, cl), tt)
		}
		var set line.Set
		w.defences(&set)
		for cl := line.FourOnly; cl <= line.OpenFour; cl++ {
			for y := range p.Size() {
				set[y] &^= p.Points(me, cl)[y]
			}
		}
		w.addSet(me, &set, tt)
	default:
		var set line.Set
		p.Near(&set)
		w.addSet(me, &set, tt)
	}
}

// addSet appends the points of a set that side me may play on.
func (w *worker) addSet(me game.Color, set *line.Set, tt game.Point) {
	p := w.p
	restricted := p.Rules().Restricted(me)
	hist := &w.history[me&1]
	for y := range p.Size() {
		for row := set[y]; row != 0; row &= row - 1 {
			q := game.At(bits.TrailingZeros32(row), y)
			if restricted && !p.Playable(me, q) {
				continue
			}
			score := p.Score(me, q)<<5 + int(hist[q])
			if q == tt {
				score = 1 << 19
			}
			w.moves = append(w.moves, rank(score, q))
		}
	}
}

// blocks appends the moves after which the opponent has no five. Usually that is the
// point itself; where the ends of a five matter it may be a stone at its end.
func (w *worker) blocks(me game.Color, tt game.Point) {
	p := w.p
	foe := me.Other()
	fives := p.Points(foe, line.Five)
	if !p.Rules().BothEnds {
		if p.Count(foe, line.Five) == 1 {
			w.addSet(me, fives, tt)
		}
		return
	}
	set := *fives
	for y := range p.Size() {
		for row := fives[y]; row != 0; row &= row - 1 {
			aroundLines(p, game.At(bits.TrailingZeros32(row), y), foe, line.FiveShape, &set)
		}
	}
	for y := range set {
		set[y] &^= p.Taken()[y]
	}
	from := len(w.moves)
	w.addSet(me, &set, tt)
	kept := w.moves[:from]
	for _, m := range w.moves[from:] {
		p.Make(m.point())
		if p.Count(foe, line.Five) == 0 {
			kept = append(kept, m)
		}
		p.Unmake()
	}
	w.moves = kept
}

// defences fills set with every point that can touch each of the opponent's
// unstoppable fours: the point itself and what lies within reach on its lines.
func (w *worker) defences(set *line.Set) {
	p := w.p
	foe := p.Side().Other()
	restricted := p.Rules().Restricted(foe)
	first := true
	fours := p.Points(foe, line.OpenFour)
	for y := range p.Size() {
		for row := fours[y]; row != 0; row &= row - 1 {
			t := game.At(bits.TrailingZeros32(row), y)
			if restricted && !p.Playable(foe, t) {
				continue
			}
			var near line.Set
			near[t.Y()] |= 1 << t.X()
			aroundLines(p, t, foe, line.Four, &near)
			for i := range set {
				if first {
					set[i] = near[i]
				} else {
					set[i] &= near[i]
				}
			}
			first = false
		}
	}
	for y := range set {
		set[y] &^= p.Taken()[y]
	}
}

// aroundLines adds the empty points within five of t on the lines where a stone of c on
// t would make at least the given shape.
func aroundLines(p *line.Position, t game.Point, c game.Color, least line.Shape, set *line.Set) {
	shapes := p.Shapes(c, t)
	for d, s := range shapes {
		if s < least {
			continue
		}
		step := game.Point(line.Step(d))
		for _, step := range [2]game.Point{step, -step} {
			q := t
			for range 5 {
				q = (q + step) & (game.NumPoints - 1)
				if at := p.At(q); at == game.Empty {
					set[q.Y()] |= 1 << q.X()
				} else if at != c {
					break
				}
			}
		}
	}
}

// unmet reports whether the last move, which was of class cl, was no answer to an
// unstoppable four: it makes no four, and the side to move has one still.
func (w *worker) unmet(cl line.Class) bool {
	return cl < line.FourOnly && anyPlayable(w.p, w.p.Side(), line.OpenFour)
}

// keepDefending drops the moves, of those against an unstoppable four, that are no answer.
func (w *worker) keepDefending() {
	p := w.p
	me := p.Side()
	kept := w.moves[:0]
	for _, m := range w.moves {
		q := m.point()
		cl := p.Class(me, q)
		p.Make(q)
		if !w.unmet(cl) {
			kept = append(kept, m)
		}
		p.Unmake()
	}
	w.moves = kept
}

// pick moves the highest ranked of moves[i:] to index i and returns it.
func pick(moves []ranked, i int) game.Point {
	best := i
	for j := i + 1; j < len(moves); j++ {
		if moves[j] > moves[best] {
			best = j
		}
	}
	moves[i], moves[best] = moves[best], moves[i]
	return moves[i].point()
}
