package protocol

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
	"tengen/openings/rule"
)

const (
	// overrun is what an engine may take beyond its hard limit before it is answered
	// for. It lies within the clock's margin.
	overrun = 20 * time.Millisecond
	// stopNet is the same for an engine that was told to stop.
	stopNet = 250 * time.Millisecond

	maxNews = 256 // kept untold of a search; older ones are dropped
)

// Answer is what a search came to.
type Answer struct {
	Points  []game.Point // the move; several in an opening; none if the sides are changed
	Swap    bool         // the sides are changed (Swap2)
	Count   int          // fifth moves declared with the points (renju's opening rules)
	Choice  game.Choice  // the engine's word, as far as it was taken
	Elapsed time.Duration
	Late    time.Duration // it came so long after the hard limit
	// Rescued says why the answer is not the engine's: its error, its panic, its
	// illegal move, its overrun.
	Rescued string
	Err     error  // there is nothing to play
	Note    string // what the user should know of it, or nothing
}

// Search is one search that runs.
type Search struct {
	// Done gives the answer, once, and never after Abandon.
	Done <-chan Answer
	// News says that Infos has something to tell.
	News <-chan struct{}

	done  chan Answer
	news  chan struct{}
	stop  context.CancelFunc // the manager's word
	ctx   context.Context
	start time.Time
	hard  time.Duration // 0 for none

	mu        sync.Mutex
	abandoned bool
	infos     []game.Info
	best      game.Point // of the last information on the first line
}

// Stop asks for the best move now.
func (r *Search) Stop() { r.stop() }

// Abandon ends the search without an answer.
func (r *Search) Abandon() {
	r.mu.Lock()
	r.abandoned, r.infos = true, nil
	r.mu.Unlock()
	r.stop()
}

// Infos returns, once each and in order, what the search has told.
func (r *Search) Infos() []game.Info {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.infos
	r.infos = nil
	return i
}

// tell takes the engine's information without ever waiting for the one who reads it.
func (r *Search) tell(i game.Info) {
	i.PV = append([]game.Point(nil), i.PV...)
	r.mu.Lock()
	if !r.abandoned {
		if len(r.infos) >= maxNews {
			r.infos = append(r.infos[:0], r.infos[1:]...)
		}
		r.infos = append(r.infos, i)
		if i.MultiPV <= 1 && len(i.PV) > 0 {
			r.best = i.PV[0]
		}
	}
	r.mu.Unlock()
	select {
	case r.news <- struct{}{}:
	default:
	}
}

func (r *Search) known() game.Point {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.best
}

func (r *Search) answer(a Answer) {
	a.Elapsed = time.Since(r.start)
	if r.hard > 0 {
		a.Late = max(a.Elapsed-r.hard, 0)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.abandoned {
		r.done <- a // has room for the one answer
	}
}

// task is what a search does with the engine. good says whether an answer may be given;
// rescue makes one in its place, from the best point known or from none.
type task struct {
	do     func(context.Context, engine.Engine, func(game.Info)) (Answer, error)
	good   func(game.Game, Answer) bool
	rescue func(g game.Game, best game.Point) Answer
}

// Limits returns the limits of a search whose command was read at start.
func (s *Session) Limits(start time.Time) game.Limits {
	return s.Clock.Limits(start, s.Stones())
}

// Think starts a search for the move of the side to move.
func (s *Session) Think(lim game.Limits) *Search {
	if s.game == nil {
		return nil
	}
	return s.ThinkAs(s.game.ToMove(), lim)
}

// ThinkAs starts a search for the move of a side, whose turn it need not be.
func (s *Session) ThinkAs(c game.Color, lim game.Limits) *Search {
	if s.game == nil {
		return nil
	}
	rec := s.recordFor(c)
	over := !s.Continuous && s.game.Result().Outcome != game.Open
	return s.search(rec, lim, task{
		do: func(ctx context.Context, e engine.Engine, tell func(game.Info)) (Answer, error) {
			if over {
				return Answer{}, errors.New("the game is over")
			}
			var trouble error
			if booked(lim) {
				c, known, err := s.maker.Book.Move(rec)
				if known {
					tell(c.Info)
					return Answer{Points: []game.Point{c.Point}, Choice: c}, nil
				}
				trouble = err
			}
			c, err := e.Think(ctx, rec.Clone(), lim, tell)
			return Answer{Points: []game.Point{c.Point}, Choice: c, Note: bookTrouble(trouble)}, err
		},
		good: func(g game.Game, a Answer) bool {
			return len(a.Points) == 1 && playable(g, a.Points[0], lim.Avoid)
		},
		rescue: func(g game.Game, best game.Point) Answer {
			if !playable(g, best, lim.Avoid) {
				if best = decisive(g); !playable(g, best, lim.Avoid) {
					best = anyPoint(g, lim.Avoid)
				}
			}
			if best == game.NoPoint {
				return Answer{Err: errors.New("no point to play on")}
			}
			return Answer{Points: []game.Point{best}, Choice: game.Choice{Point: best}}
		},
	})
}

// recordFor returns the game so far with a side to move. One that moves twice in a row
// does so after a pass of the other, or as if it had not passed itself. Two passes, which
// end a game of Go, are left out: who asks for a move then takes it up again.
func (s *Session) recordFor(c game.Color) *game.Record {
	rec := s.game.Record().Clone()
	passed := func(n int) bool { return n >= 0 && rec.Moves[n].Point == game.Pass }
	if n := len(rec.Moves) - 1; passed(n) && passed(n-1) {
		for passed(len(rec.Moves) - 1) {
			rec.Moves = rec.Moves[:len(rec.Moves)-1]
		}
	}
	for rec.ToMove() != c {
		switch n := len(rec.Moves) - 1; {
		case n < 0:
			rec.Setup.ToMove = c
		case passed(n):
			rec.Moves = rec.Moves[:n]
		default:
			rec.Moves = append(rec.Moves, game.Move{Color: c.Other(), Point: game.Pass})
		}
	}
	return rec
}

// Swap2 starts a search for the answer to the phase with 0, 3 or 5 stones, which lie on
// the board in their order.
func (s *Session) Swap2(lim game.Limits) *Search {
	if s.game == nil {
		return nil
	}
	rec := s.game.Record().Clone()
	var stones []game.Point
	for _, m := range rec.Moves {
		stones = append(stones, m.Point)
	}
	v := rec.Variant
	o, bad := rule.Swap2(v, stones)
	return s.search(rec, lim, task{
		do: func(ctx context.Context, e engine.Engine, tell func(game.Info)) (Answer, error) {
			if bad != nil {
				return Answer{}, bad
			}
			r, value, known, trouble := s.maker.Book.Swap2(v, stones)
			if known {
				tell(game.Info{MultiPV: 1, Depth: 1, Value: value, PV: r.Points})
				return Answer{Swap: r.Swap, Points: r.Points}, nil
			}
			r, err := s.maker.Swap2(ctx, e, v, stones, lim)
			return Answer{Swap: r.Swap, Points: r.Points, Note: bookTrouble(trouble)}, err
		},
		good: func(_ game.Game, a Answer) bool {
			return o.Check(rule.Choice{Swap: a.Swap, Points: a.Points}) == nil
		},
		rescue: func(g game.Game, best game.Point) Answer {
			if len(stones) == 0 {
				return Answer{Points: triple(v.Size)}
			}
			return Answer{Swap: true}
		},
	})
}

// Open starts a search for the choice of the player whose turn it is in an opening. It is
// the opening's affair and changes nothing in the session: who is told the answer takes it
// there, and sets the session to what came of it.
func (s *Session) Open(o *rule.Opening, lim game.Limits, rng *rand.Rand) *Search {
	// An engine that does not come back keeps the one that it was given.
	o, own := o.Clone(), o.Clone()
	return s.search(o.Record().Clone(), lim, task{
		do: func(ctx context.Context, e engine.Engine, tell func(game.Info)) (Answer, error) {
			c, err := openings.Decide(ctx, e, own, lim, rng)
			return Answer{Swap: c.Swap, Points: c.Points, Count: c.Count}, err
		},
		good: func(_ game.Game, a Answer) bool { return o.Check(a.Opening()) == nil },
		rescue: func(game.Game, game.Point) Answer {
			c, ok := o.Any(func(int) int { return 0 })
			if !ok {
				return Answer{Err: errors.New("no choice is left")}
			}
			return Answer{Swap: c.Swap, Points: c.Points, Count: c.Count}
		},
	})
}

// Opening returns what an answer says in an opening.
func (a *Answer) Opening() rule.Choice {
	return rule.Choice{Swap: a.Swap, Points: a.Points, Count: a.Count}
}

// Balance starts a search for n points after which the game is worth bias.
func (s *Session) Balance(n, bias int, lim game.Limits) *Search {
	if s.game == nil {
		return nil
	}
	rec := s.game.Record().Clone()
	return s.search(rec, lim, task{
		do: func(ctx context.Context, e engine.Engine, tell func(game.Info)) (Answer, error) {
			points, err := s.maker.Balance(ctx, e, rec.Clone(), n, bias, lim)
			return Answer{Points: points}, err
		},
		good: func(g game.Game, a Answer) bool { return len(a.Points) == n && distinct(g, a.Points) },
		rescue: func(g game.Game, _ game.Point) Answer {
			var points []game.Point
			for range n {
				q := anyPoint(g, append(points, lim.Avoid...))
				if q == game.NoPoint {
					return Answer{Err: errors.New("no point to play on")}
				}
				points = append(points, q)
			}
			return Answer{Points: points}
		},
	})
}

// search runs a task in place of the search before it.
//
// Two goroutines share the work: one calls the engine, which is not trusted, the other
// waits for it as long as the limits allow and then answers, with the engine's word or
// without.
func (s *Session) search(rec *game.Record, lim game.Limits, t task) *Search {
	s.Abandon()
	if lim.Start.IsZero() {
		lim.Start = time.Now()
	}
	r := &Search{
		done: make(chan Answer, 1), news: make(chan struct{}, 1),
		start: lim.Start, best: game.NoPoint,
	}
	r.Done, r.News = r.done, r.news
	if !lim.Instant {
		r.hard = lim.Hard
	}
	r.ctx, r.stop = context.WithCancel(context.Background())
	s.run = r

	type word struct {
		Answer
		err error
	}
	said := make(chan word, 1)
	opts, mind := s.opts, &s.mind
	go func() {
		var w word
		defer func() { said <- w }()
		defer recovered(&w.err)
		select {
		case mind.free <- struct{}{}:
		default: // an abandoned search is still on its way out
			select {
			case mind.free <- struct{}{}:
			case <-r.ctx.Done():
				w.err = errors.New("the engine is busy")
				return
			}
		}
		sound := false
		defer func() {
			if !sound {
				mind.engine = nil // a panic left it in an unknown state
			}
			<-mind.free
		}()
		e, err := mind.ready(s.maker, rec.Variant, opts)
		if err == nil {
			w.Answer, err = t.do(r.ctx, e, r.tell)
		}
		w.err, sound = err, true
	}()

	go func() {
		defer r.stop()
		var hard, net <-chan time.Time
		if lim.Hard > 0 {
			from := lim.Start
			if lim.Instant {
				from = time.Now() // no deadline, but a net
			}
			hard = time.After(time.Until(from.Add(lim.Hard)))
		}
		stopped := r.ctx.Done()
		var w word
		for waiting := true; waiting; {
			select {
			case w = <-said:
				waiting = false
			case <-stopped:
				stopped = nil
				if net == nil {
					net = time.After(stopNet)
				}
			case <-hard:
				net = time.After(overrun)
				r.stop()
			case <-net:
				w.err = errors.New("the engine is late")
				waiting = false
			}
		}
		r.answer(s.judge(rec, w.Answer, w.err, r.known(), t))
	}()
	return r
}

// judge lets an answer pass or puts another in its place. It must not fail.
func (s *Session) judge(rec *game.Record, a Answer, err error, best game.Point, t task) (out Answer) {
	defer func() {
		if p := recover(); p != nil {
			out = Answer{Err: fmt.Errorf("%v", p)}
		}
	}()
	g, gerr := s.referee(rec)
	if gerr != nil {
		return Answer{Err: gerr}
	}
	if err == nil && t.good(g, a) {
		return a
	}
	if err == nil {
		err = errors.New("the engine's move is illegal")
	}
	out = t.rescue(g, best)
	out.Rescued = err.Error()
	return out
}

// recovered turns a panic into an error. It is deferred.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v", p)
	}
}

// playable reports whether a point may be given as a move: a legal one, not to be avoided
// while another is left. Where the game is decided already any empty point is as good.
func playable(g game.Game, q game.Point, avoid []game.Point) bool {
	if in(q, avoid) && !in(anyPoint(g, avoid), avoid) {
		return false
	}
	return g.Legal(q) == nil || g.Result().Outcome != game.Open && empty(g, q)
}

// decisive returns a point that wins a line game at once for the side to move, or else one
// that keeps the opponent from doing so, or else NoPoint. The game is as before.
func decisive(g game.Game) game.Point {
	if g.Legal(game.Pass) == nil || g.Result().Outcome != game.Open {
		return game.NoPoint
	}
	me, size := g.ToMove(), g.Record().Variant.Size
	defer g.SetToMove(me)
	for _, c := range []game.Color{me, me.Other()} {
		for y := range size {
			for x := range size {
				q := game.At(x, y)
				if g.SetToMove(me) != nil || g.Legal(q) != nil || g.SetToMove(c) != nil || g.Play(q) != nil {
					continue
				}
				won := g.Result().Outcome == game.WinFor(c)
				if g.Undo() != nil {
					return game.NoPoint
				}
				if won {
					return q
				}
			}
		}
	}
	return game.NoPoint
}

// anyPoint returns a point to play on: a legal one not to be avoided, else a legal one,
// else an empty one; of several the one nearest to the centre. Go has the pass for it.
func anyPoint(g game.Game, avoid []game.Point) game.Point {
	if g.Legal(game.Pass) == nil {
		return game.Pass
	}
	size := g.Record().Variant.Size
	best, rank, near := game.NoPoint, 0, 0
	for y := range size {
		for x := range size {
			q := game.At(x, y)
			if g.At(q) != game.Empty {
				continue
			}
			r := 1
			if g.Legal(q) == nil {
				if r = 3; in(q, avoid) {
					r = 2
				}
			}
			dx, dy := 2*x-size+1, 2*y-size+1
			if d := dx*dx + dy*dy; r > rank || r == rank && d < near {
				best, rank, near = q, r, d
			}
		}
	}
	return best
}

func in(q game.Point, set []game.Point) bool {
	for _, p := range set {
		if p == q {
			return true
		}
	}
	return false
}

// distinct reports whether the points are different empty ones.
func distinct(g game.Game, points []game.Point) bool {
	for i, q := range points {
		if !empty(g, q) || in(q, points[:i]) {
			return false
		}
	}
	return true
}

// triple is an opening for when nobody knows a better one: two stones side by side and
// the third away from them.
func triple(size int) []game.Point {
	c := size / 2
	return []game.Point{game.At(c, c), game.At(c+1, c), game.At(c+2, c+2)}
}
