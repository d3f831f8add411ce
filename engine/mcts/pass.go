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
	lead    float64 // of the side to move, if the game ended here
	wins    bool    // it would be won
	sure    bool    // even if the opponent's stones that seem dead are not
	ends    bool    // a pass ends the game, and surely wins it
}

// judge finds the moves that are worth a search. Those are not that fill an own eye, or lie
// where one side lives unconditionally: nothing can be gained there. If no other is left
// there is only the pass.
//
// A pass that ends the game is made when the count wins, the same count that the referee
// makes, and wins without the opponent's consent about its dead stones. Where it needs that,
// and moves cost nothing, these stones are attacked first.
func (w *worker) judge(lim game.Limits) (r root) {
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

	// A pass on an open board is no offer to count: the side may just have been told to
	// move twice.
	if p.Passes() > 0 && !w.study.studies() && 3*(p.Stones(me)+p.Stones(foe)) >= p.Size()*p.Size() {
		doubtful := r.count(w, lim)
		if r.ends = r.wins; r.wins && !r.sure && !p.Rules().Territory {
			near := slices.DeleteFunc(slices.Clone(r.moves), func(q game.Point) bool {
				return !slices.ContainsFunc(slices.Collect(around(q)), doubtful.Has)
			})
			if len(near) > 0 {
				r.moves, r.ends = near, false
			}
		}
	}
	r.moves = append(r.moves, game.Pass)
	return r
}

// count finds out how the game would end now, and returns the stones of the opponent's that
// seem dead, but may be defended.
func (r *root) count(w *worker, lim game.Limits) (doubtful weiqi.Set) {
	p, me := w.p, w.p.Side()
	leads := func(dead *weiqi.Set) float64 {
		n := p.Count(dead)
		lead := p.Score(&n, w.komi, 0).Lead()
		if me == game.White {
			return -lead
		}
		return lead
	}
	var dead, agreed weiqi.Set
	if !p.Rules().AsIs {
		work, least := deadWork, countTime*time.Duration(p.Size()*p.Size())
		if lim.Instant || lim.Hard > 0 && lim.Hard-w.elapsed() < least {
			work = hastyWork
		}
		dead = deadStones(p, me.Other(), work)
	}
	life := p.PassAlive(p.Rules().Suicide)
	for _, q := range dead.Points(nil) {
		if p.At(q) == me || life.Territory[me].Has(q) {
			agreed.Add(q)
		} else {
			doubtful.Add(q)
		}
	}
	r.counted, r.lead = true, leads(&dead)
	r.wins = r.lead > 0
	r.sure = r.wins && leads(&agreed) > 0
	return doubtful
}

// countTime is how long a count may take for each point of the board.
const countTime = 5 * time.Millisecond

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
	resignAsked  = 20   // or questions to a network
)

// choose returns the best move. A pass that may lose the game is chosen
// only if each move is worse by more than chance, never if it ends the game; one that wins it
// if the opponent passes too may be chosen as any move.
func (r *root) choose(w *worker, lim game.Limits, tell func(game.Info)) game.Choice {
	t := w.tree
	best := w.best()
	pass, other := (*node)(nil), (*node)(nil)
	kids := t.kids(&t.root)
	for i := range kids {
		switch k := &kids[i]; {
		case k.point == game.Pass:
			pass = k
		case other == nil || better(k, other):
			other = k
		}
	}
	if pass != nil && other != nil && !w.study.studies() {
		worse := other.mean() < pass.mean()-passGain
		switch {
		case w.p.Passes() > 0 && r.wins && !w.p.Rules().Territory: // only to take what may not be dead
			if best = other; worse {
				best = pass
			}
		case best != pass || w.p.Passes() > 0 && r.wins:
		case w.p.Passes() > 0:
			best = other
		default:
			if r.count(w, lim); !(r.sure || r.wins && w.p.Rules().Territory || worse) {
				best = other
			}
		}
	}
	for k, i := range w.infos(max(1, lim.MultiPV)) {
		if k > 0 {
			tell(i)
		}
	}
	info := w.info(best)
	info.Last = true
	if w.study != nil {
		info.Analysis = w.analysis()
	}
	tell(info)
	c := game.Choice{Point: best.point, Info: info}
	c.Info.Nodes = w.begun.Load()
	size := w.p.Size()
	enough := int64(resignVisits)
	if w.network {
		enough = resignAsked
	}
	c.Resign = w.rate(max(best.mean(), 1-t.root.mean())) < resignRate && c.Info.Nodes >= enough &&
		w.p.Moves() >= max(size, size*size/4) && !r.wins && len(lim.Avoid) == 0 && !lim.Instant
	return c
}

// passGain is by how much a pass must be better than all moves if it may lose the game.
const passGain = 0.05

// gloom counts the moves of a game, one after the other, at which all seemed lost.
type gloom struct {
	moves, times int
}

// resigns reports whether a game is given up: when it has been lost for some moves.
func (g *gloom) resigns(lost bool, moves int) bool {
	switch {
	case !lost:
		g.times = 0
	case moves == g.moves && g.times > 0: // asked again
	case moves == g.moves+2:
		g.times++
	default: // another game
		g.times = 1
	}
	g.moves = moves
	return g.times >= resignMoves
}

const resignMoves = 3
