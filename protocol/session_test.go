package protocol

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
	"tengen/openings/rule"
)

// brain is an engine that does what a test says.
type brain struct {
	think  func(ctx context.Context, rec *game.Record, lim game.Limits, tell func(game.Info)) (game.Choice, error)
	mu     sync.Mutex
	told   engine.Options
	forgot int
	closed bool
}

func (b *brain) Think(ctx context.Context, rec *game.Record, lim game.Limits, tell func(game.Info)) (game.Choice, error) {
	return b.think(ctx, rec, lim, tell)
}
func (b *brain) Configure(o engine.Options) { b.mu.Lock(); b.told = o; b.mu.Unlock() }
func (b *brain) Forget()                    { b.mu.Lock(); b.forgot++; b.mu.Unlock() }
func (b *brain) Close()                     { b.closed = true }

func plays(q game.Point) func(context.Context, *game.Record, game.Limits, func(game.Info)) (game.Choice, error) {
	return func(context.Context, *game.Record, game.Limits, func(game.Info)) (game.Choice, error) {
		return game.Choice{Point: q}, nil
	}
}

func session(t *testing.T, b *brain) *Session {
	t.Helper()
	s := NewSession(Maker{
		Referee: engine.Replay,
		Engine:  func(game.Variant, engine.Options) (engine.Engine, error) { return b, nil },
	})
	t.Cleanup(s.Abandon)
	return s
}

// wait returns a search's answer; a search that never ends fails the test.
func wait(t *testing.T, r *Search) Answer {
	t.Helper()
	select {
	case a := <-r.Done:
		return a
	case <-time.After(20 * time.Second):
		t.Fatal("the search does not end")
		panic("unreachable")
	}
}

var (
	v15 = game.Variant{Rule: game.Freestyle, Size: 15}
	h8  = game.At(7, 7)
	a1  = game.At(0, 14)
)

// Whatever an engine does, a legal point comes out.
func TestEngineIsNotTrusted(t *testing.T) {
	deaf := func(told ...game.Point) func(context.Context, *game.Record, game.Limits, func(game.Info)) (game.Choice, error) {
		return func(_ context.Context, _ *game.Record, _ game.Limits, tell func(game.Info)) (game.Choice, error) {
			if told != nil {
				tell(game.Info{PV: told})
			}
			time.Sleep(time.Minute)
			return game.Choice{}, nil
		}
	}
	short := game.Limits{Hard: 30 * time.Millisecond}
	tests := []struct {
		name    string
		think   func(context.Context, *game.Record, game.Limits, func(game.Info)) (game.Choice, error)
		lim     game.Limits
		want    game.Point // NoPoint: any legal one
		rescued string
	}{
		{"good", plays(a1), game.Limits{}, a1, ""},
		{"occupied", plays(h8), game.Limits{}, game.NoPoint, "illegal"},
		{"off the board", plays(game.At(15, 3)), game.Limits{}, game.NoPoint, "illegal"},
		{"no point", plays(game.NoPoint), game.Limits{}, game.NoPoint, "illegal"},
		{"pass", plays(game.Pass), game.Limits{}, game.NoPoint, "illegal"},
		{"error", func(context.Context, *game.Record, game.Limits, func(game.Info)) (game.Choice, error) {
			return game.Choice{Point: a1}, errors.New("no idea")
		}, game.Limits{}, game.NoPoint, "no idea"},
		{"panic", func(context.Context, *game.Record, game.Limits, func(game.Info)) (game.Choice, error) {
			panic("index out of range")
		}, game.Limits{}, game.NoPoint, "index out of range"},
		{"panic after a line", func(_ context.Context, _ *game.Record, _ game.Limits, tell func(game.Info)) (game.Choice, error) {
			tell(game.Info{PV: []game.Point{a1}})
			panic("later")
		}, game.Limits{}, a1, "later"},
		{"overrun", deaf(), short, game.NoPoint, "late"},
		{"overrun with a line", deaf(a1), short, a1, "late"},
		{"overrun with an illegal line", deaf(h8), short, game.NoPoint, "late"},
		{"blocked", plays(a1), game.Limits{Avoid: []game.Point{a1}}, game.NoPoint, "illegal"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			s := session(t, &brain{think: c.think})
			if err := s.Start(v15); err != nil {
				t.Fatal(err)
			}
			s.Play(h8)
			c.lim.Start = time.Now()
			a := wait(t, s.Think(c.lim))
			if a.Err != nil || len(a.Points) != 1 {
				t.Fatalf("answer %+v", a)
			}
			if q := a.Points[0]; s.Game().Legal(q) != nil || c.want != game.NoPoint && q != c.want {
				t.Errorf("plays %s", q.Name(15))
			}
			if (a.Late >= overrun) != (c.rescued == "late") {
				t.Errorf("%v late", a.Late)
			}
			if (a.Rescued == "") != (c.rescued == "") || !strings.Contains(a.Rescued, c.rescued) {
				t.Errorf("rescued: %q, want %q", a.Rescued, c.rescued)
			}
			s.Finish(a)
			if s.Last() != a.Points[0] || s.Searching() != nil {
				t.Error("the move is not on the board")
			}
		})
	}
}

// Without the engine a five is still made, and else blocked where that is allowed.
func TestRescueSeesFives(t *testing.T) {
	row := func(y int, xs ...int) (qs []game.Point) {
		for _, x := range xs {
			qs = append(qs, game.At(x, y))
		}
		return qs
	}
	for _, c := range []struct {
		name         string
		rule         game.Rule
		black, white []game.Point
		toMove       game.Color
		want         game.Point // NoPoint: any legal one
	}{
		{"makes", game.Freestyle, row(0, 0, 1, 2, 3), row(14, 0, 1, 2, 3), game.Black, game.At(4, 0)},
		{"makes, White", game.Freestyle, row(0, 0, 1, 2, 3), row(14, 0, 1, 2, 3), game.White, game.At(4, 14)},
		{"blocks", game.Standard, row(0, 0, 1, 2, 3), row(14, 0, 1, 2, 9), game.White, game.At(4, 0)},
		{"six is none", game.Standard, row(0, 0, 1, 2, 3, 5), row(14, 0, 1, 2, 3), game.Black, game.At(4, 14)},
		{"may not block", game.Renju, row(0, 0, 1, 2, 3, 5), append(row(1, 4), game.At(4, 2), game.At(4, 3), game.At(4, 4)), game.Black, game.NoPoint},
		{"nothing to see", game.Renju, row(7, 6), row(8, 7), game.Black, game.At(7, 7)},
	} {
		g, err := engine.Replay(&game.Record{Variant: game.Variant{Rule: c.rule, Size: 15}, Setup: game.Setup{Black: c.black, White: c.white, ToMove: c.toMove}})
		if err != nil {
			t.Fatal(err)
		}
		before := fmt.Sprint(*g.Record(), g.ToMove(), g.Result())
		decisive(g)
		if after := fmt.Sprint(*g.Record(), g.ToMove(), g.Result()); after != before {
			t.Errorf("%s: %s has become %s", c.name, before, after)
		}
		s := session(t, &brain{think: func(context.Context, *game.Record, game.Limits, func(game.Info)) (game.Choice, error) {
			return game.Choice{}, errors.New("no idea")
		}})
		if err := s.Set(g.Record().Clone()); err != nil {
			t.Fatal(err)
		}
		a := wait(t, s.Think(game.Limits{}))
		if a.Err != nil || len(a.Points) != 1 || g.Legal(a.Points[0]) != nil || c.want != game.NoPoint && a.Points[0] != c.want {
			t.Errorf("%s: %+v", c.name, a)
		}
	}
}

func TestNoEngine(t *testing.T) {
	for name, mk := range map[string]func(game.Variant, engine.Options) (engine.Engine, error){
		"error": func(game.Variant, engine.Options) (engine.Engine, error) { return nil, errors.New("no") },
		"panic": func(game.Variant, engine.Options) (engine.Engine, error) { panic("no") },
	} {
		s := NewSession(Maker{Referee: engine.Replay, Engine: mk})
		s.Start(v15)
		for range 3 {
			a := wait(t, s.Think(game.Limits{}))
			if a.Err != nil || len(a.Points) != 1 || s.Game().Legal(a.Points[0]) != nil {
				t.Errorf("%s: %+v", name, a)
			}
			s.Finish(a)
		}
	}
}

// After a panic the engine is made anew.
func TestPanicDropsTheEngine(t *testing.T) {
	made := 0
	s := NewSession(Maker{Referee: engine.Replay, Engine: func(game.Variant, engine.Options) (engine.Engine, error) {
		made++
		if made == 1 {
			return &brain{think: func(context.Context, *game.Record, game.Limits, func(game.Info)) (game.Choice, error) { panic(1) }}, nil
		}
		return &brain{think: plays(a1)}, nil
	}})
	s.Start(v15)
	s.Finish(wait(t, s.Think(game.Limits{})))
	if a := wait(t, s.Think(game.Limits{})); made != 2 || a.Points[0] != a1 {
		t.Errorf("made %d engines, answer %+v", made, a)
	}
}

// obeys thinks until it is told to stop, and then plays q.
func obeys(q game.Point) *brain {
	return &brain{think: func(ctx context.Context, _ *game.Record, _ game.Limits, tell func(game.Info)) (game.Choice, error) {
		tell(game.Info{PV: []game.Point{q}})
		<-ctx.Done()
		return game.Choice{Point: q}, nil
	}}
}

func TestStopBringsTheMove(t *testing.T) {
	s := session(t, obeys(a1))
	s.Start(v15)
	r := s.Think(game.Limits{})
	s.Stop()
	s.Stop()
	if a := wait(t, r); a.Points[0] != a1 || a.Rescued != "" {
		t.Errorf("answer %+v", a)
	}
}

func TestStopOfADeafEngine(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	b := &brain{}
	b.think = func(_ context.Context, _ *game.Record, _ game.Limits, tell func(game.Info)) (game.Choice, error) {
		tell(game.Info{PV: []game.Point{a1}})
		<-release
		return game.Choice{}, nil
	}
	s := session(t, b)
	s.Start(v15)
	r := s.Think(game.Limits{})
	<-r.News
	s.Stop()
	a := wait(t, r)
	if a.Points[0] != a1 || a.Rescued == "" {
		t.Errorf("answer %+v", a)
	}
	s.Finish(a)
	s.Play(h8)
	// The engine is still at it, and must not be called a second time.
	a = wait(t, s.Think(game.Limits{Hard: 20 * time.Millisecond}))
	if a.Err != nil || s.Game().Legal(a.Points[0]) != nil {
		t.Errorf("second answer %+v", a)
	}
}

func TestAbandonIsSilent(t *testing.T) {
	s := session(t, obeys(a1))
	s.Start(v15)
	r := s.Think(game.Limits{})
	<-r.News
	s.Abandon()
	next := s.Think(game.Limits{})
	s.Stop()
	wait(t, next) // the engine was free again, so the first search has ended
	select {
	case a := <-r.Done:
		t.Errorf("an abandoned search answers %+v", a)
	default:
	}
	if r.Infos() != nil {
		t.Error("an abandoned search has news")
	}
}

func TestStopAtAnyMoment(t *testing.T) {
	s := session(t, obeys(a1))
	for i := range 300 {
		s.Start(v15)
		r := s.Think(game.Limits{})
		switch i % 3 {
		case 0:
			s.Stop()
		case 1:
			time.AfterFunc(time.Duration(i)*time.Microsecond, r.Stop)
		case 2:
			s.Abandon()
			continue
		}
		s.Finish(wait(t, r))
	}
}

func TestFullAndDecidedBoards(t *testing.T) {
	s := session(t, &brain{think: func(context.Context, *game.Record, game.Limits, func(game.Info)) (game.Choice, error) {
		return game.Choice{}, errors.New("nothing to think about")
	}})
	var full game.Record
	full.Variant = game.Variant{Rule: game.Standard, Size: 5}
	for y := range 5 {
		for x := range 5 {
			side := &full.Setup.Black
			if (x+2*y)%4 < 2 {
				side = &full.Setup.White
			}
			*side = append(*side, game.At(x, y))
		}
	}
	if err := s.Set(&full); err != nil {
		t.Fatal(err)
	}
	if a := wait(t, s.Think(game.Limits{})); a.Err == nil {
		t.Errorf("a full board is answered by %+v", a)
	}
	s.Start(v15)
	for x := range 5 {
		s.Force(game.At(x, 0))
		if x < 4 {
			s.Force(game.At(x, 5))
		}
	}
	if s.Game().Result().Outcome != game.BlackWin {
		t.Fatal("no five")
	}
	for range 2 {
		a := wait(t, s.Think(game.Limits{}))
		if a.Err != nil || !s.Empty(a.Points[0]) {
			t.Fatalf("after the end: %+v", a)
		}
		s.Finish(a)
		if s.Last() != a.Points[0] {
			t.Error("not on the board")
		}
	}
}

func TestEveryPointBlocked(t *testing.T) {
	s := session(t, &brain{think: plays(a1)})
	s.Start(v15)
	var all []game.Point
	for i := range 225 {
		all = append(all, game.At(i%15, i/15))
	}
	if a := wait(t, s.Think(game.Limits{Avoid: all})); a.Points[0] != a1 {
		t.Errorf("all blocked: %+v", a)
	}
	last := all[100]
	rest := append(append([]game.Point(nil), all[:100]...), all[101:]...)
	if a := wait(t, s.Think(game.Limits{Avoid: rest})); a.Points[0] != last {
		t.Errorf("all but one blocked: %+v", a)
	}
}

// A manager says that Black played a forbidden point: what is on the board is what it says.
func TestForce(t *testing.T) {
	s := session(t, &brain{think: plays(a1)})
	s.Start(game.Variant{Rule: game.Renju, Size: 15})
	for _, q := range []game.Point{game.At(7, 6), game.At(0, 14), game.At(7, 8), game.At(2, 14), game.At(8, 7), game.At(4, 14), game.At(6, 7), game.At(10, 14)} {
		if err := s.Play(q); err != nil {
			t.Fatal(err)
		}
	}
	if s.Play(h8) == nil {
		t.Fatal("a double three was legal")
	}
	if err := s.Force(h8); err != nil || s.Game().At(h8) != game.Black || s.Game().ToMove() != game.White {
		t.Errorf("forced: %v", err)
	}
	for _, q := range []game.Point{h8, game.At(15, 0), game.Pass, game.NoPoint} {
		if s.Force(q) == nil {
			t.Errorf("%v could be forced", q)
		}
	}
}

func TestEngineIsMadeLateAndTold(t *testing.T) {
	b := &brain{think: plays(h8)}
	made := []game.Variant{}
	s := NewSession(Maker{Referee: engine.Replay, Engine: func(v game.Variant, o engine.Options) (engine.Engine, error) {
		made = append(made, v)
		b.Configure(o)
		return b, nil
	}})
	s.Start(v15)
	s.Configure(engine.Options{Threads: 3, Memory: 1 << 28})
	s.Forget()
	if len(made) != 0 {
		t.Fatal("made before it was needed")
	}
	wait(t, s.Think(game.Limits{}))
	if b.told != (engine.Options{Threads: 3, Memory: 1 << 28}) || b.forgot != 0 {
		t.Errorf("told %+v, forgot %d", b.told, b.forgot)
	}
	s.Configure(engine.Options{Threads: 2})
	s.Forget()
	wait(t, s.Think(game.Limits{}))
	wait(t, s.Think(game.Limits{}))
	if b.told != (engine.Options{Threads: 2, Memory: engine.DefaultMemory}) || b.forgot != 1 || len(made) != 1 {
		t.Errorf("told %+v, forgot %d, made %v", b.told, b.forgot, made)
	}
	v := v15
	v.Rule = game.Renju
	if err := s.SetVariant(v); err != nil {
		t.Fatal(err)
	}
	wait(t, s.Think(game.Limits{}))
	if len(made) != 2 || made[1] != v || !b.closed {
		t.Errorf("made %v, closed %v", made, b.closed)
	}
}

func TestSetVariantKeepsTheStones(t *testing.T) {
	s := session(t, &brain{think: plays(a1)})
	s.Start(v15)
	s.Play(h8)
	v := v15
	v.Rule = game.Omok + 200
	if s.SetVariant(v) == nil || s.Variant() != v15 || s.Last() != h8 {
		t.Error("a game that is none has changed something")
	}
	v.Rule = game.Caro
	if s.SetVariant(v) != nil || s.Variant() != v || s.Last() != h8 {
		t.Error("the stones are gone")
	}
}

func TestBeforeStart(t *testing.T) {
	s := session(t, &brain{think: plays(a1)})
	if s.Think(game.Limits{}) != nil || s.Swap2(game.Limits{}) != nil || s.Balance(1, 0, game.Limits{}) != nil {
		t.Error("a search without a game")
	}
	if s.Play(h8) == nil || s.Force(h8) == nil || s.Undo() == nil || s.Empty(h8) || s.Last() != game.NoPoint || s.Stones() != 0 {
		t.Error("a game without a game")
	}
}

// Openings are no more trusted than engines.
func TestOpenings(t *testing.T) {
	p := func(xy ...int) (qs []game.Point) {
		for i := 0; i < len(xy); i += 2 {
			qs = append(qs, game.At(xy[i], xy[i+1]))
		}
		return qs
	}
	three, five := p(7, 7, 8, 7, 9, 9), p(7, 7, 8, 7, 9, 9, 5, 5, 10, 4)
	tests := []struct {
		name   string
		stones []game.Point
		swap   bool
		points []game.Point
		good   bool
	}{
		{"three", nil, false, p(7, 7, 8, 8, 1, 1), true},
		{"three, two the same", nil, false, p(7, 7, 7, 7, 1, 1), false},
		{"three, one outside", nil, false, p(7, 7, 7, 17, 1, 1), false},
		{"three is too few", nil, false, p(7, 7, 7, 8), false},
		{"swap of nothing", nil, true, nil, false},
		{"swap", three, true, nil, true},
		{"swap and points", three, true, p(1, 1), false},
		{"stay", three, false, p(1, 1), true},
		{"put two", three, false, p(1, 1, 2, 2), true},
		{"put two on a stone", three, false, p(1, 1, 7, 7), false},
		{"put three", three, false, p(1, 1, 2, 2, 3, 3), false},
		{"nothing", three, false, nil, false},
		{"swap at five", five, true, nil, true},
		{"stay at five", five, false, p(1, 1), true},
		{"two at five", five, false, p(1, 1, 2, 2), false},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			s := session(t, &brain{think: plays(a1)})
			s.maker.Swap2 = func(_ context.Context, _ engine.Engine, _ game.Variant, stones []game.Point, _ game.Limits) (openings.Swap2Reply, error) {
				if len(stones) != len(c.stones) {
					t.Errorf("asked with %d stones", len(stones))
				}
				return openings.Swap2Reply{Swap: c.swap, Points: c.points}, nil
			}
			s.Start(v15)
			for _, q := range c.stones {
				s.Play(q)
			}
			a := wait(t, s.Swap2(game.Limits{}))
			if (a.Rescued == "") != c.good || a.Err != nil {
				t.Fatalf("answer %+v", a)
			}
			if a.Swap && (len(a.Points) != 0 || len(c.stones) == 0) || !a.Swap && !distinct(s.Game(), a.Points) {
				t.Errorf("answer %+v", a)
			}
			if len(c.stones) == 0 && len(a.Points) != 3 {
				t.Errorf("answer %+v", a)
			}
		})
	}
}

// Package openings answers by the values of searches.
func TestSwap2ByValue(t *testing.T) {
	for _, value := range []int{-50, 50} {
		s := session(t, &brain{think: func(_ context.Context, rec *game.Record, _ game.Limits, _ func(game.Info)) (game.Choice, error) {
			if rec.ToMove() != game.White {
				t.Error("White is not to move")
			}
			return game.Choice{Point: a1, Info: game.Info{Value: value}}, nil
		}})
		for _, n := range []int{3, 5} {
			s.Start(v15)
			for i := range n {
				s.Play(game.At(i, 3*i))
			}
			if a := wait(t, s.Swap2(game.Limits{})); a.Swap != (value < 0) || a.Rescued != "" {
				t.Errorf("value %d, %d stones: %+v", value, n, a)
			}
		}
	}
	for size := 5; size <= 22; size++ {
		s := session(t, &brain{think: plays(a1)})
		s.Start(game.Variant{Size: size})
		if a := wait(t, s.Swap2(game.Limits{})); !distinct(s.Game(), a.Points) || len(a.Points) != 3 {
			t.Errorf("size %d: %+v", size, a)
		}
		for n := 1; n <= 2; n++ {
			if a := wait(t, s.Balance(n, 0, game.Limits{})); !distinct(s.Game(), a.Points) || len(a.Points) != n {
				t.Errorf("size %d: balance of %d: %+v", size, n, a)
			}
		}
	}
}

// Openings by every rule come to their ends whatever the engine does, and the session's own
// game is left alone.
func TestOpen(t *testing.T) {
	for i, think := range []func(context.Context, *game.Record, game.Limits, func(game.Info)) (game.Choice, error){
		plays(a1),
		func(context.Context, *game.Record, game.Limits, func(game.Info)) (game.Choice, error) { panic("brain") },
		func(context.Context, *game.Record, game.Limits, func(game.Info)) (game.Choice, error) {
			return game.Choice{}, errors.New("broken")
		},
	} {
		for _, name := range rule.Names() {
			r, _ := rule.Find(name)
			v := v15
			if r.Games != nil {
				v.Rule = r.Games[0]
			}
			s := session(t, &brain{think: think})
			s.Start(v)
			o, err := rule.New(r, v)
			if err != nil {
				t.Fatal(err)
			}
			for !o.Done() {
				a := wait(t, s.Open(o, game.Limits{Nodes: 2000}, nil))
				if a.Err != nil || i > 0 && r.Steps[1].Ways[0].Swap && len(o.Choices()) == 1 && a.Rescued == "" {
					t.Fatalf("%s: %+v", name, a)
				}
				if err := o.Do(a.Opening()); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			if s.Stones() != 0 {
				t.Errorf("%s: %d stones in the session", name, s.Stones())
			}
			if a := wait(t, s.Open(o, game.Limits{}, nil)); a.Err == nil {
				t.Errorf("%s: %+v after the end", name, a)
			}
		}
	}
}

func TestNewsIsBounded(t *testing.T) {
	s := session(t, &brain{think: func(_ context.Context, _ *game.Record, _ game.Limits, tell func(game.Info)) (game.Choice, error) {
		for d := range 10 * maxNews {
			tell(game.Info{Depth: d, PV: []game.Point{a1}})
		}
		return game.Choice{Point: a1}, nil
	}})
	s.Start(v15)
	r := s.Think(game.Limits{})
	wait(t, r)
	infos := r.Infos()
	if len(infos) != maxNews || infos[len(infos)-1].Depth != 10*maxNews-1 {
		t.Errorf("%d kept, last %+v", len(infos), infos[len(infos)-1])
	}
	if r.Infos() != nil {
		t.Error("told twice")
	}
}

// A side may move twice, and be asked for its move out of turn; what it may not play
// changes nothing, and a move taken back gives the turn to whom the game says.
func TestOutOfTurn(t *testing.T) {
	for _, v := range []game.Variant{v15, {Rule: game.Weiqi, Size: 9}} {
		var asked *game.Record
		b := &brain{think: func(_ context.Context, rec *game.Record, _ game.Limits, _ func(game.Info)) (game.Choice, error) {
			asked = rec
			return game.Choice{Point: a1}, nil
		}}
		s := session(t, b)
		if err := s.PlayAs(game.Black, h8); err != ErrNoGame {
			t.Errorf("%v before the start", err)
		}
		if err := s.Start(v); err != nil {
			t.Fatal(err)
		}
		turn := func(c game.Color) {
			t.Helper()
			if got := s.Game().ToMove(); got != c {
				t.Errorf("%v: %v is to move", v, got)
			}
		}
		for _, q := range []game.Point{game.At(3, 3), game.At(4, 3)} {
			if err := s.PlayAs(game.White, q); err != nil {
				t.Fatal(err)
			}
			turn(game.Black)
		}
		if err := s.PlayAs(game.White, game.At(4, 3)); err == nil {
			t.Error("an occupied point")
		}
		if err := s.PlayAs(game.Empty, h8); err == nil {
			t.Error("no side")
		}
		turn(game.Black)
		wait(t, s.ThinkAs(game.White, game.Limits{}))
		if n := len(asked.Moves); asked.ToMove() != game.White || n != 3 || asked.Moves[2].Point != game.Pass {
			t.Errorf("asked for %v after %v", asked.ToMove(), asked.Moves)
		}
		turn(game.Black)
		if err := s.PlayAs(game.White, game.At(5, 3)); err != nil {
			t.Fatal(err)
		}
		if err := s.Undo(); err != nil || len(s.Game().Record().Moves) != 2 {
			t.Error(err)
		}
		turn(game.Black)
		s.Undo()
		s.Undo()
		turn(game.Black)
		wait(t, s.ThinkAs(game.White, game.Limits{}))
		if asked.ToMove() != game.White || len(asked.Moves) != 0 {
			t.Errorf("asked for %v after %v", asked.ToMove(), asked.Moves)
		}
	}
}
