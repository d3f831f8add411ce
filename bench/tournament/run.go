package tournament

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"tengen/engine/game"
	"tengen/protocol"
)

// Events is who is told how a match goes. Its functions are called one at a time; nil ones
// are not.
type Events struct {
	Began    func(names []string, done []Game, total int) // total is -1 where it is not known
	Started  func(Slot)
	Finished func(g Game, all []Game) // all games so far, in the order in which they ended
	Line     func(worker int, name string, toProgram bool, line string)
}

// match is a match in progress.
type match struct {
	conf     *Config
	openings []*game.Record
	names    []string
	dial     func(ctx context.Context, e *Engine, worker int, tell func(bool, string)) (protocol.Player, error)
	events   Events

	mu      sync.Mutex // for what follows
	journal *journal
	games   []Game
	done    map[int]bool
	starts  []int // by engine: games in a row that it lost before its first move
	trial   *trial
	stop    error // why no more games are begun
}

// Reasons for which a match ends before its last game.
var (
	// ErrDecided is the good end of a match whose SPRT has come to a decision.
	ErrDecided = errors.New("the test is decided")
	// ErrDrained is the end of one that was asked to begin no more games.
	ErrDrained = errors.New("stopped after the games in progress")
)

// startFaults is how many games in a row an engine may lose without a move before the
// match is ended: it will not start any more.
const startFaults = 3

// Run plays a match, or what is left of it when its folder has games already, and returns
// all its games in the order in which they ended. When drain is closed it begins no more games; when ctx ends it
// gives up those in progress. Either is an error; the games so far come with it.
func Run(ctx context.Context, c *Config, drain <-chan struct{}, ev Events) ([]Game, error) {
	m := &match{conf: c, events: ev, dial: c.dial}
	return m.run(ctx, drain)
}

func (m *match) run(ctx context.Context, drain <-chan struct{}) ([]Game, error) {
	c := m.conf
	if err := c.Finish(); err != nil {
		return nil, err
	}
	var err error
	if m.openings, err = c.load(); err != nil {
		return nil, err
	}
	about, err := m.introduce(ctx)
	if err != nil {
		return nil, err
	}
	m.names = names(c.Engines, about)
	head := header{Match: "tengen match 1", Fingerprint: c.fingerprint(), Names: m.names, Config: *c, Began: time.Now()}
	if m.journal, m.games, err = openJournal(c.Folder(), head); err != nil {
		return nil, err
	}
	defer m.journal.close()
	m.names = m.journal.head.Names
	m.done = map[int]bool{}
	if c.SPRT != nil {
		m.trial = newTrial(c)
	}
	for i := range m.games {
		m.done[m.games[i].ID] = true
		if m.trial != nil && m.trial.add(&m.games[i]) {
			m.stop = ErrDecided
		}
	}
	m.starts = make([]int, len(c.Engines))
	if m.events.Began != nil {
		m.events.Began(m.names, slices.Clone(m.games), c.total())
	}
	err = m.rounds(ctx, drain)
	return m.games, err
}

// total returns how many games the match has.
func (c *Config) total() int {
	n := len(c.Engines)
	meetings := map[string]int{RoundRobin: n * (n - 1) / 2, Gauntlet: n - 1, Swiss: n / 2}[c.Format]
	return meetings * c.Games * c.Rounds
}

// introduce asks each program once who it is, so that one that does not run is found out
// before the first game.
func (m *match) introduce(ctx context.Context) ([]string, error) {
	about := make([]string, len(m.conf.Engines))
	for i := range m.conf.Engines {
		e := &m.conf.Engines[i]
		p, err := m.dial(ctx, e, 0, nil)
		if err != nil {
			return nil, fmt.Errorf("engine %d (%s): %w", i+1, e.Command, err)
		}
		if who, ok := p.(protocol.Introducer); ok {
			about[i] = who.About().Name
		}
		p.Close()
	}
	return about, nil
}

// rounds plays the rounds. Only Swiss must wait for the end of one before the next.
func (m *match) rounds(ctx context.Context, drain <-chan struct{}) error {
	s := newSchedule(m.conf, len(m.openings))
	scores := make([]int, len(m.conf.Engines))
	if m.conf.Format != Swiss {
		var slots []Slot
		for r := s.next(scores); r != nil; r = s.next(scores) {
			slots = append(slots, r...)
		}
		return m.playAll(ctx, drain, slots)
	}
	for r := s.next(scores); r != nil; r = s.next(scores) {
		if err := m.playAll(ctx, drain, r); err != nil {
			return err
		}
		clear(scores)
		for i := range m.games {
			b, w, _ := m.games[i].Points()
			scores[m.games[i].Black] += b
			scores[m.games[i].White] += w
		}
		for i := range scores {
			scores[i] += s.byePoints(i)
		}
	}
	return nil
}

// playAll plays the slots that have no game yet, so many at a time.
func (m *match) playAll(ctx context.Context, drain <-chan struct{}, slots []Slot) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan Slot)
	go func() {
		defer close(queue)
		for _, s := range slots {
			if m.isDone(s.ID) {
				continue
			}
			if m.stopped() != nil {
				return
			}
			select {
			case <-drain:
				m.halt(ErrDrained)
				return
			default:
			}
			select {
			case queue <- s:
			case <-drain:
				m.halt(ErrDrained)
				return
			case <-ctx.Done():
				return
			}
		}
	}()
	var group sync.WaitGroup
	for i := range m.conf.Concurrency {
		group.Go(func() {
			w := &worker{m: m, number: i}
			defer w.close()
			for s := range queue {
				if m.stopped() != nil {
					continue
				}
				if err := w.play(ctx, s); err != nil {
					m.halt(err)
				}
			}
		})
	}
	group.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return m.stopped()
}

// halt lets no more games begin. The first reason stays.
func (m *match) halt(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stop == nil {
		m.stop = err
	}
}

func (m *match) isDone(id int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.done[id]
}

func (m *match) stopped() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.stop
}

// finish takes a game down.
func (m *match) finish(g Game) error {
	m.mu.Lock()
	err := m.journal.line(g)
	if err == nil {
		m.games = append(m.games, g)
		m.done[g.ID] = true
		if m.trial != nil && m.trial.add(&g) && m.stop == nil {
			m.stop = ErrDecided
		}
		if m.events.Finished != nil {
			m.events.Finished(g, m.games)
		}
		for c, e := range []int{g.Black, g.White} {
			lost := g.Outcome == []string{"0-1", "1-0"}[c]
			switch {
			case len(g.Millis) > 1 || !lost:
				m.starts[e] = 0
			case g.End == Crash:
				m.starts[e]++
			}
			if m.stop == nil && lost && g.End == Crash && (m.starts[e] >= startFaults || m.conf.FatalError) {
				m.stop = fmt.Errorf("%s: %s", m.names[e], g.Detail)
			}
		}
	}
	m.mu.Unlock()
	return err
}

// worker plays one game after the other. It keeps the players of the last one running.
type worker struct {
	m      *match
	number int
	seats  [2]*seat
}

func (w *worker) close() {
	for i, s := range w.seats {
		if s != nil {
			s.player.Close()
			w.seats[i] = nil
		}
	}
}

// seat returns a seat of an engine, with its player.
func (w *worker) seat(ctx context.Context, engine int) (*seat, error) {
	e := &w.m.conf.Engines[engine]
	name := w.m.names[engine]
	var tell func(bool, string)
	if w.m.events.Line != nil && w.m.conf.Log {
		tell = func(to bool, l string) { w.m.events.Line(w.number, name, to, l) }
	}
	p, err := w.m.dial(ctx, e, w.number, tell)
	if err != nil {
		return nil, err
	}
	t, _ := e.clock()
	return &seat{
		engine: engine, name: name, player: p, clock: t,
		limits:    game.Limits{Nodes: e.Nodes, Depth: e.Depth},
		tolerance: e.tolerance(), memory: e.MaxMemory,
	}, nil
}

// play plays the game of a slot and takes it down.
func (w *worker) play(ctx context.Context, s Slot) error {
	// The players that stay keep their processes; the others go before new ones come.
	var seats [2]*seat
	for i, e := range []int{s.First, s.Second} {
		for k, old := range w.seats {
			if old != nil && old.engine == e {
				seats[i], w.seats[k] = old, nil
				break
			}
		}
	}
	w.close()
	for i, e := range []int{s.First, s.Second} {
		if seats[i] == nil {
			var err error
			if seats[i], err = w.seat(ctx, e); err != nil {
				w.seats = seats
				if ctx.Err() != nil {
					return ctx.Err()
				}
				return fmt.Errorf("%s: %w", w.m.names[e], err)
			}
		}
	}
	w.seats = seats
	if w.m.events.Started != nil {
		w.m.mu.Lock()
		w.m.events.Started(s)
		w.m.mu.Unlock()
	}
	g, err := w.m.play(ctx, s, seats[0], seats[1])
	if err != nil {
		return err
	}
	return w.m.finish(g)
}
