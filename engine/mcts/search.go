package mcts

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// shared is what the workers of one search have in common. The tree is walked and grown
// under the lock; playouts, which take most of the time, run outside.
type shared struct {
	mu   sync.Mutex
	tree *tree
	limit
	begun atomic.Int64 // playouts
	stop  atomic.Bool

	komi     float64    // with White's points for the handicap
	network  bool       // see network.go
	expected float64    // Black's score at the root, by the network
	side     int        // of the board
	before   game.Point // the move before the last one
	style    weiqi.Style
	maxDepth int
	study    *study // of an analysis, else nil
}

// worker is one thread of a search.
type worker struct {
	*shared
	p     *weiqi.Position // the root's, or on the way from there to a leaf and back
	board *weiqi.Board    // for playouts
	rand  weiqi.Rand
	path  []*node
	moves []game.Point
	first weiqi.First // who played where first in a round
	// Of the last playout: whether its end is on the board, and Black's lead.
	played  bool
	lead    float64
	seen    [game.NumPoints]weiqi.Feature
	chances [game.NumPoints]uint32

	asker   Asker // of a search with a network
	leaves  []leaf
	slowest time.Duration // of its answers
}

func newWorker(sh *shared, root *weiqi.Position, id int) *worker {
	return &worker{
		shared: sh, p: root.Clone(), board: weiqi.NewBoard(root.Size()),
		rand: weiqi.NewRand(root.Key() + uint64(id)),
	}
}

// next reports whether there is to be another playout.
func (w *worker) next() bool {
	n := w.begun.Add(1)
	if w.stop.Load() || w.reached(n) || w.hard > 0 && w.elapsed()+w.slowest >= w.hard {
		w.begun.Add(-1)
		w.stop.Store(true)
		return false
	}
	return true
}

// once does one round of the search: down the tree to a leaf, a playout from there, and
// its value to all nodes on the way.
func (w *worker) once() {
	w.descend()
	w.first.Clear(w.p.Size())
	w.learn(w.value())
	for range w.path[1:] {
		w.p.Unmake()
	}
}

func (w *worker) learn(v uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tree.learn(w.path, w.p.Side(), v, &w.first)
	if w.study != nil {
		w.found(v)
		w.study.note(w.path)
	}
}

// growAt is how often a leaf is looked at before it grows.
const growAt = 4

// descend walks to a leaf, which it lets grow if it was visited before.
func (w *worker) descend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.tree
	n := &t.root
	w.path = append(w.path[:0], n)
	for {
		// A visit that has no value yet is a loss, which keeps other threads from following
		// (Chaslot, Winands and van den Herik, "Parallel Monte-Carlo tree search", 2008).
		n.visits++
		if n.kids == 0 && n.visits >= growAt && len(w.path) <= w.maxDepth && !w.over() {
			w.grow(n)
		}
		if n.kids == 0 {
			break
		}
		n = t.pick(n)
		w.path = append(w.path, n)
		w.p.Make(n.point)
	}
	t.deep = max(t.deep, len(w.path)-1)
}

// grow gives the node of the present position its children.
func (w *worker) grow(n *node) {
	w.moves = append(w.sensible(w.moves[:0]), game.Pass)
	w.moves = w.study.allowed(w.p.Side(), w.moves, len(w.path)-1)
	w.expect(n, w.moves)
}

// expect gives a node of the present position children for these moves, with priors.
func (w *worker) expect(n *node, moves []game.Point) {
	before := w.before
	if k := len(w.path); k > 1 {
		before = w.path[k-2].point
	}
	w.p.Features(n.point, &w.seen)
	points := moves
	if k := len(points); k > 0 && points[k-1] == game.Pass {
		points = points[:k-1]
	}
	weiqi.Habit().Chances(w.p, points, n.point, before, &w.seen, &w.chances)
	w.tree.grow(n, moves, &w.seen, &w.chances)
}

// over reports whether the game has ended, below the root.
func (w *worker) over() bool { return len(w.path) > 1 && (w.p.Passes() >= 2 || w.p.Cycle()) }

// value plays the game to its end and returns what it is worth for Black. Most of it says
// who has won. The rest grows with the lead, so that where all is won or lost stones are
// neither given away nor left to the opponent.
func (w *worker) value() uint64 {
	p := w.p
	w.played, w.lead = false, 0
	lead := 0.0
	switch {
	case len(w.path) > 1 && p.Cycle():
		return one / 2
	case len(w.path) > 1 && p.Passes() >= 2 && p.Rules().AsIs:
		n := p.Count(&weiqi.Set{})
		lead = p.Score(&n, w.komi, 0).Lead()
	default:
		w.played = true
		w.board.CopyFrom(&p.Board)
		lead = float64(w.board.Playout(&w.rand, p.Side(), w.path[len(w.path)-1].point, &w.style, &w.first)) - w.komi
		if p.Rules().Territory {
			// Area is territory and prisoners and as many points as a side has played stones.
			// In the playout both play the same number.
			lead -= float64(p.Stones(game.Black) + p.Captured(game.White) - p.Stones(game.White) - p.Captured(game.Black))
		}
	}
	w.lead = lead
	return worth(lead, p.Size()*p.Size())
}

// found tells the study what came of the last playout, which was worth v for Black.
func (w *worker) found(v uint64) {
	switch p := w.p; {
	case w.played:
		w.study.end(v, w.lead, func(q game.Point) game.Color { return owner(w.board, q) })
	case p.Cycle():
		w.study.drawn()
	default:
		n := p.Count(&weiqi.Set{})
		w.study.end(v, w.lead, func(q game.Point) game.Color { return n.Owner[q] })
	}
}

// worth is the value of a lead of Black's on so many points.
func worth(lead float64, points int) uint64 {
	const margin = one / 32
	m := uint64(margin / 2 * (1 + min(max(lead/float64(points), -1), 1)))
	switch {
	case lead > 0:
		return one - margin + m
	case lead < 0:
		return m
	}
	return one / 2
}

// sensible appends the points that the side to move may play on, in random order, without
// its own eyes and without suicide.
func (w *worker) sensible(to []game.Point) []game.Point {
	from := len(to)
	size := w.p.Size()
	for y := range size {
		for x := range size {
			if q := game.At(x, y); w.p.At(q) == game.Empty && w.p.Playable(q) && !pointless(w.p, q) {
				to = append(to, q)
			}
		}
	}
	for i := len(to) - 1; i > from; i-- {
		j := from + w.rand.Below(i-from+1)
		to[i], to[j] = to[j], to[i]
	}
	return to
}

// pointless reports whether a stone of the side to move on q, a playable point, would be
// suicide or fill its own eye; an eye may be filled to save stones beside it from atari.
func pointless(p *weiqi.Position, q game.Point) bool {
	if p.Rules().Suicide {
		p.Make(q)
		gone := p.At(q) == game.Empty
		p.Unmake()
		if gone {
			return true
		}
	}
	if !p.Eye(p.Side(), q) {
		return false
	}
	for _, s := range neighbours(q) {
		if _, atari := p.Atari(s); atari {
			return false
		}
	}
	return true
}

// neighbours returns the four points around q; At knows which of them are on the board.
func neighbours(q game.Point) [4]game.Point {
	return [4]game.Point{q - 1, q + 1, q - game.Stride, q + game.Stride}
}

// valueOf turns a win rate into the value that stands for it in this house: 200 times the
// logarithm of the odds.
func valueOf(p float64) int {
	p = min(max(p, 1e-4), 1-1e-4)
	return int(math.Round(200 * math.Log(p/(1-p))))
}
