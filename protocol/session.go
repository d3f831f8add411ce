package protocol

import (
	"context"
	"errors"
	"sync/atomic"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
	"tengen/openings/book"
)

// Maker makes what a session consists of. Package engine has the real ones.
type Maker struct {
	// Referee returns the judge of a game at the end of a record, or an error that
	// says what is not played or not a position.
	Referee func(*game.Record) (game.Game, error)
	Engine  func(game.Variant, engine.Options) (engine.Engine, error)
	// Swap2 and Balance are those of package openings, unless they are set.
	Swap2   func(context.Context, engine.Engine, game.Variant, []game.Point, game.Limits) (openings.Swap2Reply, error)
	Balance func(ctx context.Context, e engine.Engine, rec *game.Record, n, bias int, lim game.Limits) ([]game.Point, error)
	// Book, if there, is asked before the engine.
	Book *book.Library
	// Tune, if there, is told the options when they change, to suit the process to them.
	Tune func(engine.Options)
}

// Session is one game in progress. Its methods are called from one goroutine; none of
// them waits for a search. The searches run in goroutines of their own on copies of the
// record, so whatever is told while one runs concerns the next.
type Session struct {
	Clock Clock

	// Continuous says that the manager goes on when the game is decided.
	Continuous bool

	maker Maker
	opts  engine.Options
	game  game.Game
	mind  mind
	run   *Search
}

// ErrNoGame is the error of whatever needs a game before the first Start.
var ErrNoGame = errors.New("no game")

// NewSession returns a session without a game.
func NewSession(m Maker) *Session {
	if m.Swap2 == nil {
		m.Swap2 = func(ctx context.Context, e engine.Engine, v game.Variant, stones []game.Point, lim game.Limits) (openings.Swap2Reply, error) {
			return openings.Swap2(ctx, e, v, stones, lim, nil)
		}
	}
	if m.Balance == nil {
		m.Balance = openings.Balance
	}
	s := &Session{maker: m}
	s.mind.free = make(chan struct{}, 1)
	s.Configure(engine.Options{})
	return s
}

// Game returns the referee, nil before the first Start. It is read only.
func (s *Session) Game() game.Game { return s.game }

// Variant returns what is played, the zero Variant before the first Start.
func (s *Session) Variant() game.Variant {
	if s.game == nil {
		return game.Variant{}
	}
	return s.game.Record().Variant
}

// Stones returns how many moves and set-up stones the game has seen.
func (s *Session) Stones() int {
	if s.game == nil {
		return 0
	}
	r := s.game.Record()
	return len(r.Moves) + len(r.Setup.Black) + len(r.Setup.White) + len(r.Setup.Walls)
}

// Options returns the options as they were last told.
func (s *Session) Options() engine.Options { return s.opts }

// Configure changes the options of the next search, all but the network: see UseNet.
func (s *Session) Configure(o engine.Options) {
	o.Net = s.opts.Net
	o.Threads = max(o.Threads, 1)
	if o.Memory <= 0 {
		o.Memory = engine.DefaultMemory
	}
	s.opts, s.Clock.Threads = o, o.Threads
	if s.maker.Tune != nil {
		s.maker.Tune(o)
	}
}

// Forget makes the next search begin without what earlier ones taught.
func (s *Session) Forget() { s.mind.forget.Store(true) }

// Start begins a game on an empty board. On error the game before it stays.
func (s *Session) Start(v game.Variant) error {
	if err := s.Set(&game.Record{Variant: v}); err != nil {
		return err
	}
	s.Clock.NewGame()
	return nil
}

// Set puts the position at the end of a record in place of the present one, and abandons
// the search of that. On error nothing has changed.
func (s *Session) Set(rec *game.Record) error {
	g, err := s.referee(rec)
	if err != nil {
		return err
	}
	s.Abandon()
	s.game = g
	return nil
}

// SetVariant goes on with the same stones under other rules. A running search goes on too.
func (s *Session) SetVariant(v game.Variant) error {
	if s.game == nil {
		return ErrNoGame
	}
	if v == s.Variant() {
		return nil
	}
	rec := s.game.Record().Clone()
	rec.Variant = v
	g, err := s.referee(rec)
	if err != nil {
		return err
	}
	s.game = g
	return nil
}

// referee is the Maker's, with a panic turned into an error.
func (s *Session) referee(rec *game.Record) (g game.Game, err error) {
	defer recovered(&err)
	return s.maker.Referee(rec.Clone())
}

// Play plays for the side to move what the rules allow.
func (s *Session) Play(q game.Point) error {
	if s.game == nil {
		return ErrNoGame
	}
	return s.game.Play(q)
}

// PlayAs plays for a side, whose turn it need not be, what the rules allow it.
func (s *Session) PlayAs(c game.Color, q game.Point) error {
	if s.game == nil {
		return ErrNoGame
	}
	turn := s.game.ToMove()
	err := s.game.SetToMove(c)
	if err == nil {
		if err = s.game.Play(q); err != nil {
			s.game.SetToMove(turn)
		}
	}
	return err
}

// Force plays what a manager says was played: any empty point, even one that the rules
// refuse or after the game was decided. What became of the game is the manager's affair.
func (s *Session) Force(q game.Point) error {
	err := s.Play(q)
	if err == nil || s.game == nil || !s.Empty(q) {
		return err
	}
	rec := s.game.Record().Clone()
	rec.Moves = append(rec.Moves, game.Move{Color: s.game.ToMove(), Point: q})
	if g, err := s.referee(rec); err == nil {
		s.game = g
		return nil
	}
	return err
}

// Empty reports whether q is an empty point of the board.
func (s *Session) Empty(q game.Point) bool {
	return s.game != nil && empty(s.game, q)
}

func empty(g game.Game, q game.Point) bool {
	return q.On(g.Record().Variant.Size) && g.At(q) == game.Empty
}

// Last returns the last move's point, NoPoint when no move was played.
func (s *Session) Last() game.Point {
	if s.game != nil {
		if m := s.game.Record().Moves; len(m) > 0 {
			return m[len(m)-1].Point
		}
	}
	return game.NoPoint
}

// Undo takes the last move back. Then the side is to move that follows from the game, even
// if the other had played out of turn.
func (s *Session) Undo() error {
	if s.game == nil {
		return ErrNoGame
	}
	err := s.game.Undo()
	if err == nil {
		err = s.game.SetToMove(s.game.Record().ToMove())
	}
	return err
}

// Stop asks the running search for its best move now.
func (s *Session) Stop() {
	if s.run != nil {
		s.run.Stop()
	}
}

// Abandon ends the running search; its answer will never come.
func (s *Session) Abandon() {
	if s.run != nil {
		s.run.Abandon()
		s.run = nil
	}
}

// Searching returns the search that runs, nil if none does.
func (s *Session) Searching() *Search { return s.run }

// Finish takes note of the answer of the running search: its stones are played, unless
// the sides are changed, and its time is counted.
func (s *Session) Finish(a Answer) {
	s.run = nil
	s.Clock.Spend(a.Elapsed)
	s.Clock.Missed(a.Late)
	for _, q := range a.Points {
		if s.Force(q) != nil {
			return
		}
	}
}

// mind is the engine and what it was last told. Who holds the token in free may use it:
// an engine that does not come back keeps the token, and later searches do without.
type mind struct {
	free   chan struct{}
	forget atomic.Bool

	engine  engine.Engine
	variant game.Variant
	opts    engine.Options
	used    bool
}

// ready returns the engine for a variant, made only now, when it is needed first: a
// manager counts the start of our process as part of our first move.
func (m *mind) ready(mk Maker, v game.Variant, o engine.Options) (engine.Engine, error) {
	if m.engine != nil && m.variant != v {
		m.drop()
	}
	forget := m.forget.Swap(false)
	if m.engine == nil {
		e, err := mk.Engine(v, o)
		if err != nil {
			return nil, err
		}
		m.engine, m.variant, m.opts, m.used = e, v, o, false
	}
	if m.opts != o {
		m.engine.Configure(o)
		m.opts = o
	}
	if forget && m.used {
		m.engine.Forget()
	}
	m.used = true
	return m.engine, nil
}

// drop lets an engine go that is of no more use.
func (m *mind) drop() {
	e := m.engine
	m.engine = nil
	engine.Close(e) // its table lies where no collector looks
}
