package gtp

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol"
)

// A ruler is started four times and asked thousands of times: no engine is made for it.
func TestNoEngineBeforeTheFirstMove(t *testing.T) {
	if testing.Short() {
		t.Skip("it counts boards, which takes long under the race detector")
	}
	for _, g := range []string{"renju 15", "go 19"} {
		p := &player{}
		c := converse(t, p, ServeOptions{Variant: variant(t, g)})
		ask := func(s string) string { c.send(s + "\n"); return c.response() }
		for _, cmd := range table {
			if strings.Contains(cmd.name, "genmove") || strings.Contains(cmd.name, "analyze") || strings.Contains(cmd.name, "sgf") ||
				cmd.name == "quit" || strings.HasPrefix(cmd.name, "tengen-") {
				continue
			}
			ask(cmd.name)
			ask(cmd.name + " b d4")
		}
		if p.made > 0 {
			t.Errorf("%s: an engine was made", g)
		}
		ask("clear_board")
		ask("genmove b")
		if p.made != 1 {
			t.Errorf("%s: %d engines were made", g, p.made)
		}
		c.send("quit\n")
		c.response()
		c.ends()
	}
}

// What an engine is asked: the record, with the side that is to move at its end.
func TestSideToMove(t *testing.T) {
	for _, c := range []struct{ game, before, ask, moves string }{
		{"go 9", "", "genmove b", ""},
		{"go 9", "", "genmove w", ""},
		{"go 9", "play b e5", "genmove w", "b E5"},
		{"go 9", "play b e5", "genmove b", "b E5 w pass"},
		{"go 9", "play b e5; play w pass", "genmove w", "b E5"},
		{"go 9", "play b e5; play w pass", "genmove b", "b E5 w pass"},
		{"go 9", "play b e5; play w pass; play b pass", "genmove w", "b E5"},
		{"go 9", "play b e5; play w pass; play b pass", "reg_genmove b", "b E5 w pass"},
		{"go 9", "play b e5; play b d5; play b c5", "lz-genmove_analyze b", "b E5 b D5 b C5 w pass"},
		{"go 9", "fixed_handicap 2", "genmove w", ""},
		{"go 9", "fixed_handicap 2", "genmove b", ""},
		{"renju 15", "play b h8", "genmove b", "b H8 w pass"},
		{"renju 15", "play w h8", "genmove b", "w H8"},
	} {
		p := &player{}
		conv := converse(t, p, ServeOptions{Variant: variant(t, c.game)})
		for _, l := range append(strings.Split(c.before, "; "), c.ask) {
			if l == "" {
				continue
			}
			conv.send(l + "\n")
			if got := conv.response(); got[0] != '=' {
				t.Fatalf("%s: %s", l, got)
			}
		}
		rec := p.seen[0]
		var moves []string
		for _, m := range rec.Moves {
			moves = append(moves, strings.ToLower(m.Color.String()[:1])+" "+Vertex(m.Point, rec.Variant.Size))
		}
		want, _ := ParseColor(strings.Fields(c.ask)[1])
		if got := strings.Join(moves, " "); got != c.moves || rec.ToMove() != want {
			t.Errorf("%s; %s: asked for %v after %q, not %q", c.before, c.ask, rec.ToMove(), got, c.moves)
		}
	}
}

// A cleanup may not pass while dead stones are on the board.
func TestCleanupAvoidsThePass(t *testing.T) {
	p := &player{}
	c := converse(t, p, ServeOptions{Variant: variant(t, "go 9")})
	for _, l := range []string{
		"gogui-play_sequence b d1 w e1 b d2 w e2 b d3 w e3 b d4 w e4 b d5 w e5 b d6 w e6 b d7 w e7 b d8 w e8 b d9 w e9",
		"gogui-play_sequence b b5 w a5 b a4 w c5 b c4 w pass b pass", "kgs-genmove_cleanup w", "kgs-genmove_cleanup b",
	} {
		c.send(l + "\n")
		if got := c.response(); got[0] != '=' {
			t.Fatalf("%s: %s", l, got)
		}
	}
	if len(p.limits) != 2 || len(p.limits[0].Avoid) != 0 || len(p.limits[1].Avoid) != 1 || p.limits[1].Avoid[0] != game.Pass {
		t.Errorf("to be avoided: %v", p.limits)
	}
}

// A queued command's clock starts when the one before it is answered.
func TestQueuedCommandsHaveTheirTime(t *testing.T) {
	p := &player{waits: true}
	c := converse(t, p, ServeOptions{Variant: variant(t, "go 9"), Lag: time.Millisecond})
	c.send("time_settings 0 1 1\ngenmove b\ngenmove w\n")
	for range 3 {
		c.response()
	}
	if len(p.limits) != 2 || p.limits[1].Instant || p.limits[1].Start.Sub(p.limits[0].Start) < 500*time.Millisecond {
		t.Errorf("limits %v", p.limits)
	}
}

// Commands come at any moment of any search; each gets its one response, in order, and
// nothing is left running.
func TestAnyMoment(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	rnd := rand.New(rand.NewPCG(1, 2))
	p := &player{waits: true, longest: 3 * time.Millisecond}
	c := converse(t, p, ServeOptions{Variant: variant(t, "renju 9")})
	asks := []string{"lz-analyze b 1", "kata-analyze 1 maxmoves 3", "genmove b", "genmove w", "kata-genmove_analyze w 1",
		"play b c3", "undo", "clear_board", "name", "stop", "tengen-win_rate", "clear_cache", "reg_genmove b", "boardsize 9"}
	const n = 400
	go func() {
		for i := range n {
			c.send(fmt.Sprintf("%d %s\n", i, asks[rnd.IntN(len(asks))]))
			switch rnd.IntN(4) {
			case 0:
				time.Sleep(time.Duration(rnd.IntN(3000)) * time.Microsecond)
			case 1:
				c.send("\n# interrupt\n")
			}
		}
		c.send("quit\n")
	}()
	for i := range n {
		got := c.response()
		if f := strings.Fields(got); f[0] != fmt.Sprintf("=%d", i) && f[0] != fmt.Sprintf("?%d", i) {
			c.fail("%q answers %d", got, i)
		}
	}
	c.response()
	c.ends()
}

// A done context ends the server though it searches, and though nobody reads.
func TestEndsWithContext(t *testing.T) {
	_, nobody := io.Pipe()
	for _, out := range []io.Writer{io.Discard, nobody} {
		p := &player{waits: true, thinks: make(chan struct{}, 1)}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		r, w := io.Pipe()
		done := make(chan error)
		go func() {
			done <- Serve(ctx, protocol.NewSession(maker(p)), r, out, ServeOptions{Variant: variant(t, "go 9")})
		}()
		if out == nobody {
			io.WriteString(w, "name\n")
		} else {
			io.WriteString(w, "genmove b\n")
			<-p.thinks
		}
		cancel()
		select {
		case <-done:
		case <-time.After(patience):
			t.Fatal("does not end")
		}
	}
}

// A write that fails ends it: the manager is gone.
func TestEndsWithWriter(t *testing.T) {
	r, w := io.Pipe()
	done := make(chan error)
	go func() {
		done <- Serve(context.Background(), protocol.NewSession(maker(&player{})), r, broken{}, ServeOptions{Variant: variant(t, "go 9")})
	}()
	io.WriteString(w, "name\n")
	select {
	case err := <-done:
		if err != io.ErrClosedPipe {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("does not end")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A game that is not played is an error at once.
func TestUnknownGame(t *testing.T) {
	m := protocol.Maker{Referee: engine.Replay, Engine: engine.New}
	err := Serve(context.Background(), protocol.NewSession(m), strings.NewReader(""), io.Discard,
		ServeOptions{Variant: game.Variant{Rule: game.Renju, Size: 3}})
	if err == nil {
		t.Error("renju on 3x3")
	}
}

// The lines of an old depth go when a new best move was among them.
func TestReportKeepsMovesApart(t *testing.T) {
	var rp report
	rp.begin(game.Black, 3, false)
	for k, x := range []int{3, 4, 5} {
		rp.take(game.Info{MultiPV: k + 1, Nodes: int64(100 * (k + 1)), PV: []game.Point{game.At(x, 0)}})
	}
	rp.take(game.Info{MultiPV: 1, Nodes: 1000, PV: []game.Point{game.At(5, 0)}})
	got := rp.line(leela, 9, extras{})
	want := "info move F9 visits 1000 winrate 5000 prior 0 lcb 5000 order 0 pv F9 info move E9 visits 200 winrate 5000 prior 0 lcb 5000 order 1 pv E9"
	if got != want {
		t.Errorf("%s", got)
	}
	if rp.line(leela, 9, extras{}) != "" {
		t.Error("told twice")
	}
}

// Before the first analysis of Go a search tells a bare move, for whoever must answer in its place.
// Nothing is known of it that could be written.
func TestReportWaitsForNumbers(t *testing.T) {
	var rp report
	bare := game.Info{MultiPV: 1, PV: []game.Point{game.At(3, 0)}}
	rp.begin(game.Black, 3, true)
	rp.take(bare)
	if got := rp.line(kata, 9, extras{owners: true}); got != "" {
		t.Errorf("%s", got)
	}
	if len(rp.best()) != 1 {
		t.Error("the move is lost")
	}
	bare.Analysis = &game.Analysis{Moves: []game.Estimate{{Point: game.At(3, 0), Visits: 7, Win: 0.25, PV: bare.PV}}}
	rp.take(bare)
	want := "info move D9 visits 7 winrate 2500 prior 0 lcb 0 order 0 pv D9"
	if got := rp.line(leela, 9, extras{}); got != want {
		t.Errorf("%s", got)
	}
}

// BenchmarkRuler is a half move of GoGui's ruler in the middle of a game of renju.
func BenchmarkRuler(b *testing.B) {
	s := protocol.NewSession(maker(&player{}))
	sv := &server{s: s, w: io.Discard}
	if err := s.Start(game.Variant{Rule: game.Renju, Size: 15}); err != nil {
		b.Fatal(err)
	}
	moves := strings.Fields("H8 J9 H7 K8 F8 H9 G9 H10 G11 F10 J10 G10 J8 K9 E10 L9 M9 G8 K10 L7 M6 L8 L6 M10 J7 K6 N9 J5 H4 F7 G6 E6 D5 F5 G4")
	perform := func(name string, args ...string) {
		if _, err := sv.perform(request{name: name, args: args}); err != nil {
			b.Fatal(name, args, err)
		}
	}
	replay := func() {
		perform("clear_board")
		for i, m := range moves {
			perform("play", []string{"b", "w"}[i%2], m)
		}
	}
	b.Run("replay", func(b *testing.B) {
		for b.Loop() {
			replay()
		}
	})
	for _, name := range []string{"gogui-rules_legal_moves", "gogui-rules_board"} {
		b.Run(name, func(b *testing.B) {
			replay()
			perform("gogui-setup_player", "b")
			for b.Loop() {
				perform(name)
			}
		})
	}
}
