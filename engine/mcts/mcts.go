// Package mcts is the search of Go: a tree of the moves that were looked at, grown by one
// node for each game that is played to its end at random (Coulom, "Efficient selectivity
// and backup operators in Monte-Carlo tree search", 2006; Kocsis and Szepesvari, "Bandit
// based Monte-Carlo planning", 2006). It knows of Go only how not to fill an eye and when
// to pass.
//
// Read Engine.Think for the course of one move, worker.once for one playout, and judge for
// when to pass.
package mcts

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// Engine plays Go. It implements engine.Engine.
type Engine struct {
	threads int
	memory  int64
	judge   Judge // nil: what positions are worth is found by playing them out
	askers  []Asker
	asked   int // the size of the boards they know
	tree    *tree
	old     *tree        // of the search before
	past    *game.Record // what that was about, nil if its tree is not to be used
	gloom   gloom
}

// New returns an engine that has allocated nothing yet.
func New(o game.Options) *Engine {
	e := &Engine{tree: &tree{}, old: &tree{}}
	e.Configure(o)
	return e
}

// Configure changes the options.
func (e *Engine) Configure(o game.Options) {
	e.threads, e.memory = max(1, o.Threads), o.Memory
}

// UseJudge lets a network say what positions are worth.
func (e *Engine) UseJudge(j Judge) { e.judge, e.askers, e.asked, e.past = j, nil, 0, nil }

// Forget drops what earlier searches left, and gives the trees' memory back.
func (e *Engine) Forget() {
	e.tree, e.old, e.past, e.gloom = &tree{}, &tree{}, nil, gloom{}
}

const (
	instantNodes = 100  // of an instant answer
	depthNodes   = 1000 // that a limit of depth stands for, for each ply: a tree has no iterations
	maxNodes     = 1 << 31
)

// limit says when a search must stop. Times are from the moment the command to think was
// read.
type limit struct {
	ctx        context.Context
	start      time.Time
	soft, hard time.Duration
	nodes      int64
}

func newLimit(ctx context.Context, l game.Limits) limit {
	m := limit{ctx: ctx, start: l.Start, soft: l.Soft, hard: l.Hard, nodes: maxNodes}
	if m.start.IsZero() {
		m.start = time.Now()
	}
	if m.hard > 0 && (m.soft == 0 || m.soft > m.hard) {
		m.soft = m.hard
	}
	for _, n := range []int64{l.Nodes, depthNodes * int64(l.Depth)} {
		if n > 0 {
			m.nodes = min(m.nodes, n)
		}
	}
	if l.Instant {
		m.nodes = min(m.nodes, instantNodes)
		m.start, m.soft = time.Now(), m.hard // no deadline, but a net
	}
	return m
}

func (m *limit) elapsed() time.Duration { return time.Since(m.start) }

// reached reports whether the n-th playout is one too many.
func (m *limit) reached(n int64) bool {
	return n > m.nodes || m.hard > 0 && m.elapsed() >= m.hard || m.ctx.Err() != nil
}

// Think searches the position at the end of rec.
func (e *Engine) Think(ctx context.Context, rec *game.Record, lim game.Limits, tell func(game.Info)) (game.Choice, error) {
	if tell == nil {
		tell = func(game.Info) {}
	}
	l := newLimit(ctx, lim)
	g, err := weiqi.Replay(rec)
	if err != nil {
		return game.Choice{}, err
	}
	handicap := weiqi.Handicap(rec)
	p := g.Position()
	// A search that must not depend on what was thought before has a tree of its own; others
	// go on with what is known.
	e.tree, e.old = e.old, e.tree
	past := e.past
	if e.past = nil; lim.Nodes == 0 && lim.Depth == 0 && !lim.Instant {
		e.past = rec.Clone()
	}
	sh := &shared{
		tree: e.tree, limit: l,
		komi:     rec.Variant.Komi + float64(p.Rules().BonusFor(handicap)),
		maxDepth: lim.Depth,
		network:  e.judge != nil, side: p.Size(),
	}
	if sh.network && lim.Instant {
		sh.limit.nodes = 1 // what the network would play
	}
	if sh.maxDepth <= 0 || sh.maxDepth > game.MaxPly {
		sh.maxDepth = game.MaxPly
	}
	if lim.Inquiry != nil {
		sh.study = newStudy(lim.Inquiry, p)
		lim.Avoid = append(slices.Clone(lim.Avoid), sh.study.avoided()...)
	}
	sh.style = weiqi.Tactical(p.Size())
	sh.style.Mercy += int(max(sh.komi, -sh.komi)) // the leader must lead by more
	if sh.study.studies() {
		sh.style.Mercy = 0 // by how much is asked, and where
	}
	e.tree.reset(e.memory / 4)
	workers, err := e.workers(sh, p)
	if err != nil {
		return game.Choice{}, err
	}
	first := workers[0]

	// 1. What may be played, and whether the game is as good as over.
	r := first.judge(lim)
	pass := game.Info{MultiPV: 1, Depth: 1, SelDepth: 1, PV: []game.Point{game.Pass}}
	tell(game.Info{MultiPV: 1, PV: r.moves[:1]}) // for whoever must answer for a search that is late
	if (r.moves[0] == game.Pass || r.ends) && !sh.study.studies() {
		if r.counted {
			pass.Value = valueOf(float64(worth(r.lead, p.Size()*p.Size())) / one)
		}
		pass.Last, pass.Time = true, l.elapsed()
		tell(pass)
		return game.Choice{Point: game.Pass, Info: pass}, nil
	}

	// 2. The search.
	e.tree.root.point = lastMove(rec)
	if sh.network {
		first.begin(r.moves)
	} else {
		sh.before = game.NoPoint
		if n := len(rec.Moves); n > 1 {
			sh.before = rec.Moves[n-2].Point
		}
		first.expect(&e.tree.root, r.moves)
	}
	if e.past != nil {
		e.tree.inherit(e.old, past, rec, sh.network)
	}
	var others sync.WaitGroup
	for _, w := range workers[1:] {
		others.Go(w.help)
	}
	first.run(max(1, lim.MultiPV), tell)
	others.Wait()

	// 3. The move.
	c := r.choose(first, lim, tell)
	c.Resign = e.gloom.resigns(c.Resign, len(rec.Moves))
	return c, nil
}

// workers makes the threads of a search, with a place each to ask the network from, if there
// is one.
func (e *Engine) workers(sh *shared, p *weiqi.Position) (ws []*worker, err error) {
	if e.judge != nil && e.asked != p.Size() {
		e.askers, e.asked = nil, p.Size()
	}
	for i := range e.threads {
		w := newWorker(sh, p, i)
		if e.judge != nil {
			if i == len(e.askers) {
				a, err := e.judge.Open(p.Size(), askedAtOnce(p.Size()))
				if err != nil {
					return nil, err
				}
				e.askers = append(e.askers, a)
			}
			w.asker, w.leaves = e.askers[i], make([]leaf, askedAtOnce(p.Size()))
		}
		ws = append(ws, w)
	}
	return ws, nil
}

// lastMove returns the last move of a record, a pass included, or no point.
func lastMove(rec *game.Record) game.Point {
	if n := len(rec.Moves); n > 0 {
		return rec.Moves[n-1].Point
	}
	return game.NoPoint
}

const (
	tellEvery = 50 * time.Millisecond
	tellFirst = 64 // playouts
)

// run plays out until the search must end, and tells how it goes.
func (w *worker) run(lines int, tell func(game.Info)) {
	began, count := w.elapsed(), int64(tellFirst)
	first, every := tellEvery, tellEvery
	if s := w.study; s != nil {
		count, first, every = maxNodes, s.First, s.Every
	}
	next := after(began, first)
	for w.step() {
		n := w.begun.Load()
		if !w.network && n%16 != 0 {
			continue
		}
		now := w.elapsed()
		if n >= count || now >= next {
			count, next = max(count, 2*n), after(now, every)
			w.report(lines, tell)
		}
		if w.soft > 0 && (now >= w.soft && w.agreed() || w.soft < w.hard && w.decided(n, now-began)) {
			w.stop.Store(true)
		}
	}
}

// after returns the moment that is so much later than another, or never if that is nothing.
func after(t, d time.Duration) time.Duration {
	if d <= 0 {
		return math.MaxInt64
	}
	return t + d
}

// help does playouts for the first worker. A fault here costs the move only this thread's
// help: nobody above could catch it, and the first worker goes on.
func (w *worker) help() {
	defer func() { recover() }()
	for w.step() {
	}
}

// decided reports whether the move that was looked at most can no longer be overtaken before
// the search should end, at the rate of n playouts in so much time; the time then goes to
// later moves (Huang, Coulom and Lin, "Time management for Monte-Carlo tree search applied to
// the game of Go", 2010).
func (w *worker) decided(n int64, spent time.Duration) bool {
	if w.network {
		if n < decideAsked {
			return false
		}
	} else if n < decideAfter || n%64 != 0 {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	best := w.tree.favourite(&w.tree.root)
	if best != w.best() {
		return false
	}
	second := uint32(0)
	for i, kids := 0, w.tree.kids(&w.tree.root); i < len(kids); i++ {
		if k := &kids[i]; k != best {
			second = max(second, k.visits)
		}
	}
	left := float64(n) * float64(w.soft-w.elapsed()) / float64(max(spent, 1))
	return float64(best.visits-second) > left
}

// Before so many playouts, or questions to a network, the rate is not known.
const (
	decideAfter = 512
	decideAsked = 24
)

// agreed reports whether the move that was looked at most is the best as well.
func (w *worker) agreed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	best := w.tree.favourite(&w.tree.root)
	for i, kids := 0, w.tree.kids(&w.tree.root); i < len(kids); i++ {
		if k := &kids[i]; k.visits > best.visits/2 && k.mean() > best.mean() {
			return false
		}
	}
	return true
}

// report tells the best lines, and an analysis with the first one if it is asked for.
func (w *worker) report(lines int, tell func(game.Info)) {
	w.mu.Lock()
	infos := w.infos(lines)
	if w.study != nil {
		if len(infos) == 0 { // nothing but the root has been looked at
			infos = append(infos, w.info(&w.tree.kids(&w.tree.root)[0]))
		}
		infos[0].Analysis = w.analysis()
	}
	w.mu.Unlock()
	for _, i := range infos {
		tell(i)
	}
}

// infos describes the lines that were looked at most. A line's nodes are its visits.
func (w *worker) infos(lines int) (infos []game.Info) {
	order := w.ranked()
	for k, n := range order[:min(lines, len(order))] {
		i := w.info(n)
		i.MultiPV = k + 1
		infos = append(infos, i)
	}
	return infos
}

// best is the root's move that would be chosen now. Playouts differ so widely that only their count
// says how sure a mean is.
func (w *worker) best() *node {
	if w.network {
		return w.tree.surest(&w.tree.root)
	}
	return w.tree.favourite(&w.tree.root)
}

// ranked returns the root's moves that were looked at, the best one first.
func (w *worker) ranked() []*node {
	kids := w.tree.kids(&w.tree.root)
	order := make([]*node, 0, len(kids))
	for i := range kids {
		if kids[i].visits > 0 {
			order = append(order, &kids[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *node) int {
		switch {
		case better(a, b):
			return -1
		case better(b, a):
			return 1
		}
		return 0
	})
	if i := slices.Index(order, w.best()); i > 0 {
		best := order[i]
		copy(order[1:], order[:i])
		order[0] = best
	}
	return order
}

func (w *worker) info(n *node) game.Info {
	pv := w.tree.line(n)
	v := 0
	if n.visits > 0 {
		v = valueOf(w.rate(n.mean()))
	} else if w.network {
		v = valueOf(w.rate(1 - w.tree.root.mean()))
	}
	return game.Info{
		MultiPV: 1, Depth: len(pv), SelDepth: max(w.tree.deep, len(pv)), Value: v,
		Nodes: int64(n.visits), Time: w.elapsed().Round(time.Microsecond), PV: pv,
	}
}
