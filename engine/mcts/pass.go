package mcts

import (
	"slices"
	"time"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// root is what is known before the search.
type root struct {
	moves   []game.Point // to be searched, the pass last; never empty
	counted bool
	lead    float64 // of Black, if the game ended here
	wins    bool    // it would be won
	ends    bool    // a pass ends the game, and wins it
}

// judge finds the moves that are worth a search. Those are not that fill an own eye, or lie
// where one side lives unconditionally: nothing can be gained there. If no other is left
// there is only the pass.
//
// A pass that ends the game is made when the count wins, the same count that the referee
// makes. A player who has passed and lost by it cannot complain.
func (w *worker) judge(g *weiqi.Referee, lim game.Limits) (r root) {
	p := w.p
	me, foe := p.Side(), p.Side().Other()
	life := p.PassAlive(p.Rules().Suicide)
	noPass := slices.Contains(lim.Avoid, game.Pass)

	var rest []game.Point // what may be played but had better not
	for _, q := range w.sensible(nil) {
		if life.Territory[me].Has(q) || life.Territory[foe].Has(q) {
			rest = append(rest, q)
		} else {
			r.moves = append(r.moves, q)
		}
	}
	// Where every stone left counts as alive dead ones must be taken off, and where the pass
	// is forbidden that is what is wanted. So the points beside them come first.
	if p.Rules().AsIs || noPass {
		beside := func(q game.Point) bool {
			return slices.ContainsFunc(slices.Collect(around(q)), func(s game.Point) bool {
				return p.At(s) == foe && life.Territory[me].Has(s)
			})
		}
		var first []game.Point
		for _, q := range rest {
			if life.Territory[me].Has(q) && beside(q) {
				first = append(first, q)
			}
		}
		r.moves = append(first, r.moves...)
	}
	avoided := func(q game.Point) bool { return slices.Contains(lim.Avoid, q) }
	r.moves = slices.DeleteFunc(r.moves, avoided)
	if noPass {
		if len(r.moves) == 0 {
			r.moves = slices.DeleteFunc(rest, avoided)
		}
		if len(r.moves) == 0 {
			r.moves = slices.DeleteFunc(anything(p), avoided)
		}
		if len(r.moves) == 0 {
			r.moves = []game.Point{game.Pass}
		}
		return r
	}

	points := p.Size() * p.Size()
	if p.Passes() > 0 || 3*len(r.moves) < points {
		r.counted = true
		// The referee's count takes hundreds of playouts, a hasty one a few.
		if least := time.Duration(points) * countTime; !lim.Instant && (lim.Hard == 0 || lim.Hard > least) {
			r.lead = g.Score().Lead()
		} else {
			var dead weiqi.Set
			if !p.Rules().AsIs {
				dead = p.EstimateDead(hastyPlayouts)
			}
			n := p.Count(&dead)
			r.lead = p.Score(&n, w.komi, 0).Lead()
		}
		r.wins = r.lead > 0 && me == game.Black || r.lead < 0 && me == game.White
	}
	// A pass on an open board is no offer to count: the side may just have been told to
	// move twice.
	r.ends = p.Passes() > 0 && r.wins && 3*(p.Stones(me)+p.Stones(foe)) >= points
	r.moves = append(r.moves, game.Pass)
	return r
}

const (
	countTime     = time.Millisecond // how long a count may take for each point of the board
	hastyPlayouts = 24
)

func around(q game.Point) func(func(game.Point) bool) {
	return func(yield func(game.Point) bool) {
		for _, s := range neighbours(q) {
			if !yield(s) {
				return
			}
		}
	}
}

// anything returns all that the side to move may play on.
func anything(p *weiqi.Position) (qs []game.Point) {
	for y := range p.Size() {
		for x := range p.Size() {
			if q := game.At(x, y); p.At(q) == game.Empty && p.Playable(q) {
				qs = append(qs, q)
			}
		}
	}
	return qs
}

const (
	resignRate   = 0.05 // below this a game is given up
	resignVisits = 400  // after so many playouts
)

// choose returns the move that was looked at most. A pass that does not end the game is
// chosen only if each other move is worse by more than chance, or where moves cost points
// and the count wins; one that would end and lose it, never.
func (r *root) choose(w *worker, lim game.Limits, tell func(game.Info)) game.Choice {
	t := w.tree
	best := t.favourite(&t.root)
	if best.point == game.Pass && !(r.wins && w.p.Rules().Territory) {
		var other *node
		kids := t.kids(&t.root)
		for i := range kids {
			if k := &kids[i]; k.point != game.Pass && (other == nil || better(k, other)) {
				other = k
			}
		}
		if other != nil && (other.mean() > best.mean()-passGain || w.p.Passes() > 0) {
			best = other
		}
	}
	for k, i := range w.infos(max(1, lim.MultiPV)) {
		if k > 0 {
			tell(i)
		}
	}
	info := w.info(best)
	info.Last = true
	tell(info)
	c := game.Choice{Point: best.point, Info: info}
	c.Info.Nodes = w.begun.Load()
	size := w.p.Size()
	c.Resign = max(best.mean(), 1-t.root.mean()) < resignRate && c.Info.Nodes >= resignVisits &&
		w.p.Moves() >= max(size, size*size/4) && !r.wins && len(lim.Avoid) == 0 && !lim.Instant
	return c
}

// passGain is by how much a pass must be better than all moves if it may lose the game.
const passGain = 0.05
