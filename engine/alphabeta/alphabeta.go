// Package alphabeta is the search of the line games: iterative deepening around a
// principal variation search with a transposition table, threat-aware moves, and a
// threat search at its leaves.
//
// Read Engine.Think for the course of one move, worker.search for one node. The numbered
// steps name the sources of their ideas.
package alphabeta

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/engine/threat"
	"tengen/eval"
	"tengen/tt"
)

// Engine plays the line games. It implements engine.Engine.
type Engine struct {
	threads int
	memory  int64
	tables  *tt.Tables
	workers []*worker
	rules   line.Rules
	size    int
	net     string // file of a network, see game.Options
	judging string // the one that the workers judge by
	oneTier bool   // leave the caches out, to measure what they cost
}

// New returns an engine that has allocated nothing yet.
func New(o game.Options) *Engine {
	e := &Engine{tables: tt.New(o.Memory)}
	e.Configure(o)
	return e
}

// Configure changes the options; the next Think resizes what it must.
func (e *Engine) Configure(o game.Options) {
	e.threads = max(1, o.Threads)
	e.memory = o.Memory
	e.net = o.Net
}

// Forget drops what earlier searches stored.
func (e *Engine) Forget() {
	e.tables.Clear()
	for _, w := range e.workers {
		w.forget()
	}
}

// Close gives the memory back and ends what runs in the background. The next Think makes
// it anew.
func (e *Engine) Close() { e.tables.Close() }

// ErrNoMove is returned where no point may be played on.
var ErrNoMove = errors.New("no point is left to play on")

// Think searches the position at the end of rec.
func (e *Engine) Think(ctx context.Context, rec *game.Record, lim game.Limits, tell func(game.Info)) (game.Choice, error) {
	l := newLimit(ctx, lim)
	rules, err := line.RulesOf(rec.Variant)
	if err != nil {
		return game.Choice{}, err
	}
	if err := e.prepare(rules, rec); err != nil {
		return game.Choice{}, err
	}
	sh := &shared{table: e.tables.Array, limit: l}
	// A search that must do the same each time does without the caches, which evict at
	// random.
	if !e.oneTier && (lim.Nodes == 0 || lim.Caches || e.threads > 1) {
		sh.proofs, sh.deep = e.tables.Proofs, e.tables.Deep
	}
	for i, w := range e.workers {
		w.begin(sh, i, lim.Avoid)
	}
	if tell == nil {
		tell = func(game.Info) {}
	}
	first := e.workers[0]
	first.leaf = lim.Leaf
	choice, done := first.atOnce(tell)
	if choice.Point == game.NoPoint {
		return choice, ErrNoMove
	}
	if done {
		return choice, nil
	}
	var others sync.WaitGroup
	for _, w := range e.workers[1:] {
		others.Go(w.help)
	}
	choice = first.deepen(choice, max(1, lim.MultiPV), tell)
	sh.stop.Store(true)
	others.Wait()
	for _, w := range e.workers {
		w.writer.Flush()
	}
	return choice, nil
}

// Counters returns what the last Think did. It implements engine.Counted.
func (e *Engine) Counters() (sum game.Counters) {
	for _, w := range e.workers {
		c := w.count
		c.Nodes = w.nodes
		c.ProofProbes, c.ProofHits = w.vcf.Asked, w.vcf.Known
		c.Written, c.Dropped = w.writer.Added, w.writer.Dropped
		sum.Add(&c)
	}
	return sum
}

// prepare makes the workers stand at the end of rec.
func (e *Engine) prepare(rules line.Rules, rec *game.Record) error {
	e.tables.Resize(e.memory)
	e.tables.Open()
	if rules != e.rules || rec.Variant.Size != e.size || e.net != e.judging {
		if e.size != 0 {
			e.tables.Clear()
		}
		e.workers = nil
		e.rules, e.size, e.judging = rules, rec.Variant.Size, e.net
	}
	for len(e.workers) < e.threads {
		e.workers = append(e.workers, newWorker(rules, rec.Variant.Size, e.judge(rules)))
	}
	e.workers = e.workers[:e.threads]
	for _, w := range e.workers {
		w.p.Reset()
		if err := line.Place(w.p, rec.Setup); err != nil {
			return err
		}
		for _, m := range rec.Moves {
			if m.Point != game.Pass && (!m.Point.On(e.size) || w.p.At(m.Point) != game.Empty) {
				return &game.Illegal{Point: m.Point, Rule: "not an empty point"}
			}
			w.p.SetSide(m.Color)
			w.p.Make(m.Point)
		}
		w.p.SetSide(rec.ToMove())
	}
	e.tables.Array.NewSearch()
	return nil
}

// judge returns an evaluator for one worker. A file that holds no network for the game was
// complained of by whoever named it.
func (e *Engine) judge(rules line.Rules) eval.Evaluator {
	switch e.net {
	case "":
	case game.NoNet:
		return eval.Plain(rules)
	default:
		if n, name, err := eval.ReadNet(e.net); err == nil && name == rules.Name {
			return eval.With(rules, n)
		}
	}
	_, own := eval.For(rules)
	return own
}

func newWorker(rules line.Rules, size int, evaluator eval.Evaluator) *worker {
	return &worker{
		p:      line.NewPosition(eval.Table(rules), size),
		vcf:    threat.NewVCF(0),
		eval:   evaluator,
		margin: evaluator.Margin(),
		taking: rules.Capture != 0,
		moves:  make([]ranked, 0, 1<<14),
		tried:  make([]game.Point, 0, 1<<12),
	}
}

// begin makes a worker ready for a new search.
func (w *worker) begin(sh *shared, id int, avoid []game.Point) {
	w.shared, w.id = sh, id
	w.nodes, w.selDepth, w.nextPoll = 0, 0, 0
	w.count, w.vcf.Asked, w.vcf.Known = game.Counters{}, 0, 0
	w.moves, w.tried = w.moves[:0], w.tried[:0]
	w.root = rootMoves{avoid: avoid, best: game.NoPoint}
	if len(avoid) > 0 && !w.othersThan(avoid) {
		w.root.avoid = nil
	}
	w.writer.Reset(sh.deep)
	w.vcf.Proofs = sh.proofs
	if sh.proofs == nil {
		w.vcf.Clear()
	}
	for c := range w.history {
		for q := range w.history[c] {
			w.history[c][q] /= 2
		}
	}
}

// othersThan reports whether there is a legal move that is not to be avoided.
func (w *worker) othersThan(avoid []game.Point) bool {
	for y := range w.p.Size() {
		for x := range w.p.Size() {
			q := game.At(x, y)
			if w.p.At(q) == game.Empty && w.legal(q) && !slices.Contains(avoid, q) {
				return true
			}
		}
	}
	return false
}

// legal reports whether the side to move may play on the empty point q.
func (w *worker) legal(q game.Point) bool {
	return w.p.Playable(w.p.Side(), q) && w.p.Opening(q) == line.Allowed
}

func (w *worker) forget() {
	w.history = [2][game.NumPoints]int16{}
	w.vcf.Clear()
}

// atOnce finds the moves that need no search tree and, for the case that there is no
// time for one, a move that is legal and not blind. done says that the choice stands.
func (w *worker) atOnce(tell func(game.Info)) (choice game.Choice, done bool) {
	p := w.p
	me := p.Side()
	only := func(q game.Point, v int) (game.Choice, bool) {
		info := game.Info{MultiPV: 1, Depth: 1, SelDepth: 1, Value: v, Nodes: w.nodes + 1, Time: w.limit.elapsed(), PV: []game.Point{q}, Last: true}
		tell(info)
		return game.Choice{Point: q, Info: info}, true
	}
	var wins line.Set
	if p.Wins(me, &wins) > 0 {
		if q := w.firstAllowed(&wins); q != game.NoPoint {
			return only(q, game.Win-1)
		}
	}
	u := urgencyOf(p)
	if w.taking {
		w.seeCaptures(0)
	}
	w.generate(u, 0, game.NoPoint)
	if u == three && !w.taking {
		w.keepDefending()
	}
	w.root.filter(w, 0)
	moves := slices.Clone(w.moves)
	w.moves = w.moves[:0]
	slices.SortFunc(moves, func(a, b ranked) int { return int(b) - int(a) })
	switch {
	case len(moves) == 0:
		q := w.anything(u)
		if q == game.NoPoint {
			return game.Choice{Point: q}, true
		}
		return only(q, w.noMove(u, 0))
	case len(moves) == 1 && u != three:
		// The centre of an empty board, the one point that stops a five, the last point.
		return only(moves[0].point(), w.eval.Evaluate(p))
	}
	q := moves[0].point()
	return game.Choice{Point: q, Info: game.Info{MultiPV: 1, PV: []game.Point{q}}}, false
}

// firstAllowed returns the first point of a set that is not to be avoided.
func (w *worker) firstAllowed(set *line.Set) game.Point {
	for y := range w.p.Size() {
		for x := range w.p.Size() {
			if q := game.At(x, y); set.Has(q) && !slices.Contains(w.root.avoid, q) {
				return q
			}
		}
	}
	return game.NoPoint
}

// anything returns a legal move where no move helps: against fives one of their points,
// against fours one of theirs, so that the opponent has to see the win himself; else
// whatever is legal, and at last whatever is empty.
func (w *worker) anything(u urgency) game.Point {
	p := w.p
	me, foe := p.Side(), p.Side().Other()
	best, bestScore := game.NoPoint, -1
	for y := range p.Size() {
		for x := range p.Size() {
			q := game.At(x, y)
			if p.At(q) != game.Empty {
				continue
			}
			score := 0
			if w.legal(q) {
				score = 1 << 16
				switch {
				case u == four && (p.Class(foe, q) == line.Five || w.taking && p.CaptureWins(foe, q)):
					score += 4096
				case u == three && p.Class(foe, q) == line.OpenFour:
					score += 4096
				}
			}
			score += p.Score(me, q)
			if slices.Contains(w.root.avoid, q) {
				score -= 1 << 20
			}
			if best == game.NoPoint || score > bestScore {
				best, bestScore = q, score
			}
		}
	}
	return best
}

// deepen searches one ply deeper each time until a limit is reached. fallback is the
// choice if not even the first iteration ends.
func (w *worker) deepen(fallback game.Choice, lines int, tell func(game.Info)) game.Choice {
	best := fallback
	stable := 0
	var values [64]int // of each line in the iteration before
	var found []game.Info
	for depth := 1; depth <= w.limit.maxDepth; depth++ {
		w.reach = depth
		last := best
		w.root.chosen = w.root.chosen[:0]
		found := found[:0]
		for k := range min(lines, len(values)) {
			v := w.aspire(depth, values[k])
			q := w.root.best
			if q == game.NoPoint {
				break // stopped, or no further move
			}
			info := w.info(depth, v)
			if len(info.PV) == 0 || info.PV[0] != q {
				info.PV = []game.Point{q}
			}
			found = append(found, info)
			if w.stop.Load() {
				break
			}
			values[k] = v
			w.root.chosen = append(w.root.chosen, q)
		}
		// A later line may turn out better than an earlier one by what the table learned.
		slices.SortStableFunc(found, func(a, b game.Info) int { return b.Value - a.Value })
		for k := range found {
			found[k].MultiPV = k + 1
			if k == 0 {
				best = game.Choice{Point: found[k].PV[0], Info: found[k]}
			}
			tell(found[k])
		}
		if w.stop.Load() {
			break
		}
		w.writer.Flush()
		if len(w.root.chosen) == 0 {
			break
		}
		if best.Point == last.Point {
			stable++
		} else {
			stable = 0
		}
		// A win or loss seen to its end will not change.
		if n, decided := game.PliesToWin(best.Info.Value); decided && lines == 1 && depth >= abs(n) {
			break
		}
		if w.limit.enough(stable, last.Info.Value-best.Info.Value) {
			break
		}
	}
	w.stop.Store(true)
	best.Info.Nodes, best.Info.Time, best.Info.Last = w.nodes, w.limit.elapsed(), true
	tell(best.Info)
	return best
}

// aspire searches the root with a window around the value expected, widened when the
// true value lies outside.
func (w *worker) aspire(depth, expected int) int {
	delta := 24
	alpha, beta := -infinity, infinity
	if depth >= 4 && abs(expected) < game.MaxValue {
		alpha, beta = expected-delta, expected+delta
	}
	w.root.best = game.NoPoint
	best, bestValue := game.NoPoint, 0
	for {
		w.root.best = game.NoPoint
		v := w.search(alpha, beta, depth, 0, false)
		if w.stop.Load() {
			// What a broken-off search found counts only where it lies above the window's floor.
			if w.root.best != game.NoPoint && w.root.value > alpha {
				return w.root.value
			}
			w.root.best = best
			return bestValue
		}
		best, bestValue = w.root.best, v
		switch {
		case v <= alpha && alpha > -infinity:
			alpha = max(-infinity, v-delta)
		case v >= beta && beta < infinity:
			beta = min(infinity, v+delta)
		default:
			return v
		}
		if delta *= 3; delta > 1000 || abs(v) > game.MaxValue {
			alpha, beta = -infinity, infinity
		}
	}
}

// help searches the same root as the first worker at depths of its own, filling the
// shared table (Lazy SMP).
//
// A fault here costs the move only this thread's help: nobody above could catch it, and
// the first worker goes on.
func (w *worker) help() {
	defer func() { recover() }()
	expected := 0
	for depth := 1 + w.id&1; depth <= w.limit.maxDepth && !w.stop.Load(); depth++ {
		w.reach = depth
		w.root.chosen = w.root.chosen[:0]
		if v := w.aspire(depth, expected); !w.stop.Load() {
			expected = v
		}
	}
}

// info describes the line just searched.
func (w *worker) info(depth, value int) game.Info {
	return game.Info{
		Depth: depth, SelDepth: w.selDepth, Value: value,
		Nodes: w.nodes, Time: w.limit.elapsed().Round(time.Microsecond),
		PV: slices.Clone(w.pv[0][:w.pvLen[0]]),
	}
}
