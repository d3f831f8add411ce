package terminal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings/rule"
	"tengen/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scripted plays given points, one after the other, and then the first that is empty.
type scripted struct {
	points  []string
	resigns bool
	think   func(context.Context)
	limits  []game.Limits
}

func (*scripted) Configure(engine.Options) {}
func (*scripted) Forget()                  {}

func (e *scripted) Think(ctx context.Context, rec *game.Record, lim game.Limits, _ func(game.Info)) (game.Choice, error) {
	e.limits = append(e.limits, lim)
	if e.think != nil {
		e.think(ctx)
	}
	g, err := engine.Replay(rec)
	if err != nil {
		return game.Choice{}, err
	}
	if len(e.points) > 0 {
		q, err := game.ParseName(e.points[0], rec.Variant.Size)
		e.points = e.points[1:]
		return game.Choice{Point: q, Resign: e.resigns && len(e.points) == 0, Info: game.Info{Value: 7}}, err
	}
	for y := range rec.Variant.Size {
		for x := range rec.Variant.Size {
			if q := game.At(x, y); g.Legal(q) == nil {
				return game.Choice{Point: q}, nil
			}
		}
	}
	return game.Choice{}, errors.New("no move")
}

func session(e engine.Engine) *protocol.Session {
	return protocol.NewSession(protocol.Maker{Referee: engine.Replay,
		Engine: func(game.Variant, engine.Options) (engine.Engine, error) { return e, nil }})
}

func options(r game.Rule, size int) Options {
	return Options{Variant: game.Variant{Rule: r, Size: size}, Level: MaxLevel, Time: time.Minute}
}

// talk plays what is written, a line for each semicolon, and returns what was said.
func talk(t *testing.T, e engine.Engine, o Options, in string) string {
	t.Helper()
	var out bytes.Buffer
	err := Play(context.Background(), session(e), strings.NewReader(strings.ReplaceAll(in, ";", "\n")), &out, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return out.String()
}

func TestEnds(t *testing.T) {
	white := options(game.Standard, 15)
	white.You = rule.Second
	for _, c := range []struct {
		name   string
		o      Options
		engine scripted
		in     string
		want   []string
	}{
		{"you win", options(game.Standard, 15), scripted{points: strings.Fields("A1 C1 E1 G1")}, "H8;H9;H10;H11;H12;A9;hint",
			[]string{"Black wins, you win: five; new, undo or quit> the game is over\n", "the game is over\nBlack wins", "moves: H8 A1 H9 C1 H10 E1 H11 G1 H12\n"}},
		{"you lose", white, scripted{points: strings.Fields("H8 H9 H10 H11 H12")}, "A1;C1;E1;G1;undo;H12;moves",
			[]string{"Black wins, you lose: five; new, undo or quit> ", "moves: H8 A1 H9 C1 H10 E1 H11 H12 A15\n"}},
		{"resigns", options(game.Standard, 15), scripted{points: strings.Fields("A1 C1"), resigns: true}, "H8;H9;I9;new;moves;H7",
			[]string{"tengen resigns, you win; new, undo or quit> the game is over", "moves: \n", "moves: H7 A15\n"}},
		{"draw", options(game.Standard, 5), scripted{points: strings.Fields("B1 D1 A2 D2 E2 B3 C3 A4 B4 D4 A5 D5")}, "A1;C1;E1;B2;C2;A3;D3;E3;C4;E4;B5;C5;E5",
			[]string{"draw: board full; new, undo or quit> "}},
		{"undo a resignation", options(game.Standard, 15), scripted{points: []string{"A1"}}, "H8;resign;undo;H9;moves",
			[]string{"you have resigned", "moves: H8 A1 H9 A15\n"}},
		{"captures", Options{Variant: game.Variant{Rule: game.Pente, Size: 9, FreeOpening: true}, Level: MaxLevel, Time: time.Minute},
			scripted{points: strings.Fields("B1 C1")}, "A1;E5;D1", []string{"captured by Black 2, by White 0\n"}},
		{"forbidden", options(game.Renju, 15), scripted{points: strings.Fields("A1 C1 E1 G1")}, "G8;I8;H7;H9;H8",
			[]string{"no: H8: double three\n", " 8 . . . . . . X ! X . . ."}},
	} {
		got := talk(t, &c.engine, c.o, c.in)
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: no %q in\n%s", c.name, w, got)
			}
		}
	}
}

// An opening, spoken to the end and taken back again.
func TestOpening(t *testing.T) {
	o := options(game.Renju, 15)
	o.Rule, _ = rule.Find("rif")
	got := talk(t, &scripted{points: []string{"A1", "A1", "A1"}}, o, "H8 I9 G7;swap;J8;J8 H10;J8;undo;undo;H8 H9 I9;moves")
	for _, w := range []string{
		"Black (you): 3 stones (",
		"opening I11 Shagetsu, Slanting Moon\n",
		"opening D4 Kagetsu, Flower Moon\n",
	} {
		if !strings.Contains(got, w) {
			t.Errorf("no %q in\n%s", w, got)
		}
	}
}

// The level bounds the nodes of the engine's moves and not those of a hint.
func TestLevel(t *testing.T) {
	e := &scripted{}
	o := options(game.Standard, 15)
	o.Level, o.Nodes = 0, 1000
	talk(t, e, o, "H8;hint;level 100;H9;level 10;H10")
	var nodes []int64
	for _, l := range e.limits {
		nodes = append(nodes, l.Nodes)
	}
	want := []int64{64, 1000, 1000, 128}
	if len(nodes) != 4 || nodes[0] != want[0] || nodes[1] != want[1] || nodes[2] != want[2] || nodes[3] != want[3] {
		t.Errorf("%d nodes, want %d", nodes, want)
	}
}

// The end of ctx ends the play at the prompt and in the middle of a search.
func TestInterrupt(t *testing.T) {
	for _, you := range []rule.Player{rule.First, rule.Second} {
		ctx, cancel := context.WithCancel(context.Background())
		e := &scripted{think: func(search context.Context) {
			cancel()
			<-search.Done()
		}}
		o := options(game.Standard, 15)
		o.You = you
		in, hold := io.Pipe() // an input that stays open
		out := &prompted{on: func() {
			if you == rule.First {
				cancel()
			}
		}}
		if err := Play(ctx, session(e), in, out, o); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		hold.Close()
	}
}

type prompted struct {
	bytes.Buffer
	on func()
}

func (p *prompted) Write(b []byte) (int, error) {
	if bytes.HasSuffix(b, []byte("> ")) {
		p.on()
	}
	return p.Buffer.Write(b)
}

// What cannot be written or read ends the play with an error.
func TestBrokenStreams(t *testing.T) {
	broken := errors.New("broken")
	if err := Play(context.Background(), session(&scripted{}), strings.NewReader("H8\nH9\n"), failing{broken}, options(game.Standard, 15)); !errors.Is(err, broken) {
		t.Error(err)
	}
	long := strings.NewReader(strings.Repeat("x", 1<<20))
	if err := Play(context.Background(), session(&scripted{}), long, io.Discard, options(game.Standard, 15)); err == nil {
		t.Error("a line of a million letters was read")
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Whatever is typed, in every game and by every rule, the play goes on to the end of the
// input.
func TestBabble(t *testing.T) {
	words := []string{"undo", "hint", "new", "resign", "swap", "stay", "level 3", "level -1", "board", "moves", "help", "pass", "", "?",
		"H8 I9 J10", "H8 H9 I9 3", "J10 J9", "\x00\xff", "H", "9", "H99", "ZZZ 1 2 3 -4"}
	rng := rand.New(rand.NewPCG(4, 2))
	for _, name := range append(rule.Names(), "") {
		for _, g := range []game.Rule{game.Freestyle, game.Renju, game.Omok, game.Pente, game.Weiqi} {
			o := options(g, 9)
			if name != "" {
				r, _ := rule.Find(name)
				if r.For(o.Variant) != nil {
					continue
				}
				o.Rule = r
			}
			o.You, o.Nodes = rule.Player(rng.IntN(2)), 100
			var in strings.Builder
			for range 60 {
				if rng.IntN(2) == 0 {
					in.WriteString(words[rng.IntN(len(words))])
				} else {
					in.WriteString(game.At(rng.IntN(9), rng.IntN(9)).Name(9))
				}
				in.WriteByte('\n')
			}
			if got := talk(t, &scripted{}, o, in.String()); !strings.Contains(got, "> ") {
				t.Errorf("%s %v:\n%s", name, g, got)
			}
		}
	}
}
