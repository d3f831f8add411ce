package tournament

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tengen/bench/tournament/stats"
	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
	"tengen/openings/rule"
	"tengen/protocol"
)

var update = flag.Bool("update", false, "write the golden files anew")

func run(t *testing.T, m *match) []Game {
	t.Helper()
	games, err := m.run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(games, func(a, b Game) int { return a.ID - b.ID })
	return games
}

// thousand is a match of 1,000 games on a small board.
func thousand() *Config {
	c := Default()
	c.BoardSize, c.Games, c.Concurrency, c.Transform = 7, 1000, 4, true
	c.Openings.File, c.Openings.Order, c.Openings.Seed = "testdata/openings_7.txt", "random", 5
	return &c
}

// A match of 1,000 games is the same each time it is played, and so is its report.
func TestGolden(t *testing.T) {
	report := func(concurrency int) (string, []string) {
		c := thousand()
		c.Concurrency = concurrency
		m := twoDice(c, t)
		games := run(t, m)
		var moves []string
		for _, g := range games {
			moves = append(moves, g.Moves)
		}
		var b strings.Builder
		if err := Summarize(c, m.names, games).Write(&b, false); err != nil {
			t.Fatal(err)
		}
		return b.String(), moves
	}
	text, moves := report(4)
	again, moves2 := report(1)
	if d := cmp.Diff(text, again); d != "" {
		t.Error("another time:", d)
	}
	if !slices.Equal(moves, moves2) {
		t.Error("other games")
	}
	if len(moves) != 1000 {
		t.Fatal(len(moves), "games")
	}
	name := "testdata/golden.txt"
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), text); d != "" {
		t.Error(d)
	}
}

// Programs that misbehave lose, each in its own way, and the match goes on.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		part   string
		end    End
		detail string // a part of it
		stderr string
	}{
		{"crash", Crash, "exit status 3", "boom: a table fell over"},
		{"hang", Timeout, "timeout", ""},
		{"flood", Timeout, "timeout", ""},
		{"late", Timeout, "", ""},
		{"garbage", Illegal, "the third move is mine", ""},
		{"error", Illegal, "I give up", ""},
		{"cheat", Illegal, "occupied", ""},
		{"off", Illegal, "", ""},
		{"memory", Crash, "bytes of memory", ""},
	} {
		t.Run(c.part, func(t *testing.T) {
			t.Parallel()
			conf := Default()
			conf.Out, conf.BoardSize, conf.Games = t.TempDir(), 15, 2
			conf.Engines = []Engine{{Name: "good", Command: double(t, "good")}, {Name: "bad", Command: double(t, c.part)}}
			conf.Each = Engine{ST: 0.2, Tolerance: 0.1, MaxMemory: 150 << 20}
			if c.part == "memory" {
				conf.Each.ST = 20
			}
			games, err := Run(context.Background(), &conf, nil, Events{})
			if err != nil {
				t.Fatal(err)
			}
			for i, g := range games {
				if want := []string{"1-0", "0-1"}[i]; g.Outcome != want || g.End != c.end || !strings.Contains(g.Detail, c.detail) ||
					!strings.Contains(g.Stderr, c.stderr) {
					t.Errorf("game %d: %s %s %q %q", i+1, g.Outcome, g.End, g.Detail, g.Stderr)
				}
			}
			if len(games) != 2 {
				t.Error(len(games), "games")
			}
		})
	}
}

// A program that does not start is found out before the first game; one that starts no
// more ends the match.
func TestNoStart(t *testing.T) {
	conf := Default()
	conf.Out = t.TempDir()
	conf.Engines = []Engine{{Command: double(t, "good")}, {Command: double(t, "nostart")}}
	if _, err := Run(context.Background(), &conf, nil, Events{}); err == nil || !strings.Contains(err.Error(), "engine 2") {
		t.Error(err)
	}
	conf.Engines[1] = Engine{Command: filepath.Join(t.TempDir(), "nobody")}
	if _, err := Run(context.Background(), &conf, nil, Events{}); err == nil || !strings.Contains(err.Error(), "engine 2") {
		t.Error(err)
	}
	c := Default()
	c.Games = 40
	c.Engines = []Engine{{Name: "a", Proto: Inside}, {Name: "b", Proto: Inside}}
	m := matchOf(t, &c, func(i int) protocol.Player {
		if i == 1 {
			return broken{}
		}
		return &dice{}
	})
	games, err := m.run(context.Background(), nil)
	if err == nil || !strings.Contains(err.Error(), "b: ") || len(games) != startFaults {
		t.Error(len(games), err)
	}
}

type broken struct{}

func (broken) Start(context.Context, game.Variant, game.Limits) error {
	return &protocol.Fault{Kind: protocol.Crash, Command: "START"}
}
func (broken) Move(context.Context, *game.Record, game.Limits) (game.Choice, error) {
	panic("it was not started")
}
func (broken) Close() error { return nil }

// script plays given points, each with a time and a value.
type script struct {
	points []string
	took   time.Duration
	value  int
	resign int // at this move
	n      int
}

func (s *script) Start(context.Context, game.Variant, game.Limits) error {
	s.n = 0
	return nil
}
func (s *script) Close() error { return nil }

func (s *script) Move(_ context.Context, rec *game.Record, _ game.Limits) (game.Choice, error) {
	s.n++
	c := game.Choice{Took: s.took, Info: game.Info{Depth: 1, Value: s.value}, Resign: s.n == s.resign}
	if s.n > len(s.points) {
		return c, errors.New("the script is at its end")
	}
	var err error
	c.Point, err = game.ParseName(s.points[s.n-1], rec.Variant.Size)
	return c, err
}

// How a game ends, by its rules and by those of the match.
func TestEnds(t *testing.T) {
	row := strings.Fields("a1 b1 c1 d1 e1 f1 g1 h1")
	far := strings.Fields("a15 c15 e15 g15 i15 k15 m15 o15")
	for _, c := range []struct {
		name    string
		set     func(*Config)
		black   script
		white   script
		outcome string
		end     End
		detail  string
		late    [2]int
	}{
		{name: "five", black: script{points: row}, white: script{points: far}, outcome: "1-0", end: Five},
		{name: "a forbidden move", set: func(c *Config) { c.Game = "renju" },
			// Black's threes g8-h8-i8 and h7-h8-h9 meet in the move at h8.
			black:   script{points: strings.Fields("g8 i8 h7 h9 h8")},
			white:   script{points: far},
			outcome: "0-1", end: Forbidden, detail: "H8: double three"},
		{name: "occupied", black: script{points: row}, white: script{points: row}, outcome: "1-0", end: Illegal, detail: "A1: occupied"},
		{name: "resigns", black: script{points: row}, white: script{points: far, resign: 2}, outcome: "1-0", end: Resigned},
		{name: "in time", set: func(c *Config) { c.Each.ST = 1 }, black: script{points: row, took: time.Second},
			white: script{points: far}, outcome: "1-0", end: Five},
		{name: "within the tolerance", set: func(c *Config) { c.Each.ST = 1 }, black: script{points: row, took: 1500 * time.Millisecond},
			white: script{points: far}, outcome: "1-0", end: Five, late: [2]int{5, 0}},
		{name: "too late", set: func(c *Config) { c.Each.ST = 1 }, black: script{points: row, took: 2001 * time.Millisecond},
			white: script{points: far}, outcome: "0-1", end: Timeout, detail: "2001 ms of 1000"},
		{name: "the clock of the game", set: func(c *Config) { c.Each.TC = "5/2" }, black: script{points: row},
			white: script{points: far, took: 1900 * time.Millisecond}, outcome: "1-0", end: Timeout, detail: "1900 ms of 1",
			late: [2]int{0, 1}},
		{name: "increment", set: func(c *Config) { c.Each.TC = "3/2+1.5" }, black: script{points: row},
			white: script{points: far, took: 1500 * time.Millisecond}, outcome: "1-0", end: Five},
		{name: "draw after", set: func(c *Config) { c.DrawAfter = 6 }, black: script{points: row}, white: script{points: far},
			outcome: "1/2", end: Adjudicated, detail: "6 moves"},
		{name: "both think it even", set: func(c *Config) { c.Draw = DrawRule{MoveNumber: 4, MoveCount: 2, Score: 10} },
			black: script{points: row, value: 10}, white: script{points: far, value: -10}, outcome: "1/2", end: Adjudicated},
		{name: "one does not", set: func(c *Config) { c.Draw = DrawRule{MoveNumber: 4, MoveCount: 2, Score: 10} },
			black: script{points: row, value: 11}, white: script{points: far}, outcome: "1-0", end: Five},
		{name: "gives up", set: func(c *Config) { c.Resign = ResignRule{MoveCount: 2, Score: 500} },
			black: script{points: row, value: -500}, white: script{points: far, value: 3}, outcome: "0-1", end: Adjudicated},
		{name: "the other does not think so", set: func(c *Config) { c.Resign = ResignRule{MoveCount: 2, Score: 500, TwoSided: true} },
			black: script{points: row, value: -500}, white: script{points: far, value: 3}, outcome: "1-0", end: Five},
		{name: "proven", set: func(c *Config) { c.Proven = 1000 }, black: script{points: row}, white: script{points: far},
			outcome: "1-0", end: Adjudicated, detail: "proven"},
		{name: "silent", black: script{points: row[:2]}, white: script{points: far}, outcome: "0-1", end: Crash, detail: "script"},
		{name: "pair", set: func(c *Config) { c.Game, c.BoardSize, c.FreeOpening = "pente", 15, true },
			black:   script{points: strings.Fields("a1 a3 d1 a5 d3 a7 d5 a9 d7 a11 d9")},
			white:   script{points: strings.Fields("b1 c1 b3 c3 b5 c5 b7 c7 b9 c9")},
			outcome: "1-0", end: Captures},
	} {
		conf := Default()
		conf.Games, conf.Repeat = 1, false
		conf.Engines = []Engine{{Name: "black", Proto: Inside}, {Name: "white", Proto: Inside}}
		if c.set != nil {
			c.set(&conf)
		}
		m := matchOf(t, &conf, func(i int) protocol.Player {
			return []protocol.Player{&c.black, &c.white}[i]
		})
		g := run(t, m)[0]
		if g.Outcome != c.outcome || g.End != c.end || !strings.Contains(g.Detail, c.detail) || g.Late != c.late {
			t.Errorf("%s: %s %s %q %v, want %s %s %q %v", c.name, g.Outcome, g.End, g.Detail, g.Late, c.outcome, c.end, c.detail, c.late)
		}
	}
}

// Swap2: whoever proposes, the roles are kept apart and both choices are judged.
func TestSwap2(t *testing.T) {
	conf := Default()
	conf.Game, conf.Swap2, conf.Games = "standard", true, 4
	conf.Engines = []Engine{{Name: "a", Proto: Inside}, {Name: "b", Proto: Inside}}
	three := []game.Point{game.At(7, 7), game.At(8, 7), game.At(7, 8)}
	for _, c := range []struct {
		name    string
		second  openings.Swap2Reply
		first   openings.Swap2Reply // to five stones
		given   int
		swapped bool // the first engine of the slot is White
		end     End
	}{
		{"takes Black", openings.Swap2Reply{Swap: true}, openings.Swap2Reply{}, 3, true, ""},
		{"stays White", openings.Swap2Reply{Points: []game.Point{game.At(3, 3)}}, openings.Swap2Reply{}, 4, false, ""},
		{"two stones, Black", openings.Swap2Reply{Points: []game.Point{game.At(3, 3), game.At(4, 3)}}, openings.Swap2Reply{Swap: true}, 5, false, ""},
		{"two stones, White", openings.Swap2Reply{Points: []game.Point{game.At(3, 3), game.At(4, 3)}},
			openings.Swap2Reply{Points: []game.Point{game.At(5, 5)}}, 6, true, ""},
		{"occupied", openings.Swap2Reply{Points: []game.Point{game.At(7, 7)}}, openings.Swap2Reply{}, 3, false, Illegal},
	} {
		conf := conf
		conf.Out = ""
		m := matchOf(t, &conf, func(i int) protocol.Player {
			return &swapper{dice: dice{seed: uint64(i), sharp: 9}, three: three, second: c.second, first: c.first}
		})
		for _, g := range run(t, m) {
			if g.Given != c.given || (g.Black == g.First) == c.swapped && c.end == "" || c.end != "" && (g.End != c.end || g.Outcome != "1-0") {
				t.Errorf("%s: %d given, first %d, Black %d, %s %s", c.name, g.Given, g.First, g.Black, g.Outcome, g.End)
			}
		}
	}
}

// Who was late in the opening is remembered under the colour that he has in the end, and who
// fails in it loses with the one that he has just then.
func TestSwap2Blame(t *testing.T) {
	conf := Default()
	conf.Game, conf.OpeningRule, conf.Games, conf.Repeat = "standard", "swap2", 1, false
	conf.Engines = []Engine{{Name: "first", Proto: Inside, ST: 1}, {Name: "second", Proto: Inside, ST: 1}}
	three := []game.Point{game.At(7, 7), game.At(8, 7), game.At(7, 8)}
	two := openings.Swap2Reply{Points: []game.Point{game.At(3, 3), game.At(4, 3)}}
	for _, c := range []struct {
		name          string
		second, first openings.Swap2Reply
		late          [2]time.Duration // first, second
		black         int
		want          [2]int
		outcome       string // "" for any
	}{
		{"the second is late and takes Black", openings.Swap2Reply{Swap: true}, openings.Swap2Reply{}, [2]time.Duration{0, 1500 * time.Millisecond}, 1, [2]int{1, 0}, ""},
		{"the first is late twice and takes Black", two, openings.Swap2Reply{Swap: true}, [2]time.Duration{1500 * time.Millisecond, 0}, 0, [2]int{2, 0}, ""},
		{"the second is too late", two, openings.Swap2Reply{}, [2]time.Duration{0, 3 * time.Second}, 0, [2]int{}, "1-0"},
		{"two stones where one is asked for", two, two, [2]time.Duration{}, 1, [2]int{}, "1-0"}, // the second then holds Black
	} {
		conf := conf
		conf.Out = ""
		m := matchOf(t, &conf, func(i int) protocol.Player {
			return &swapper{dice: dice{seed: uint64(i), sharp: 9}, three: three, second: c.second, first: c.first, took: c.late[i]}
		})
		g := run(t, m)[0]
		if g.Black != c.black || g.Late != c.want || c.outcome != "" && g.Outcome != c.outcome {
			t.Errorf("%s: Black is %d, late %v, %s %s %q", c.name, g.Black, g.Late, g.Outcome, g.End, g.Detail)
		}
	}
}

type swapper struct {
	dice
	three         []game.Point
	second, first openings.Swap2Reply
	took          time.Duration
}

func (s *swapper) Swap2(_ context.Context, stones []game.Point, _ game.Limits) (openings.Swap2Reply, time.Duration, error) {
	switch len(stones) {
	case 0:
		return openings.Swap2Reply{Points: s.three}, s.took, nil
	case 3:
		return s.second, s.took, nil
	}
	return s.first, s.took, nil
}

// The engine of this program plays every game through the runner.
func TestInside(t *testing.T) {
	for _, name := range []string{"freestyle", "renju", "caro", "omok", "pente", "go"} {
		conf := Default()
		conf.Game, conf.Games, conf.DrawAfter = name, 2, 12
		conf.Engines = []Engine{{Name: "a", Proto: Inside, Nodes: 60}, {Name: "b", Proto: Inside, Nodes: 30}}
		conf.Out = t.TempDir()
		conf.Swap2 = name == "freestyle"
		if name == "pente" {
			conf.BoardSize = 15
		}
		games, err := Run(context.Background(), &conf, nil, Events{})
		if err != nil || len(games) != 2 {
			t.Fatal(name, err)
		}
		for _, g := range games {
			if g.End != Adjudicated && g.End != Five && g.End != Captures {
				t.Errorf("%s: %s %s", name, g.End, g.Detail)
			}
		}
	}
}

// Every opening rule through the runner: the engine chooses, the game goes on from what came
// of it, and the same seed makes the same openings.
func TestOpeningRules(t *testing.T) {
	for _, name := range rule.Names() {
		conf := Default()
		r, _ := rule.Find(name)
		conf.Game, conf.OpeningRule, conf.Games, conf.DrawAfter = "standard", strings.ToUpper(name), 2, 7
		if r.Games != nil {
			conf.Game = r.Games[0].String()
		}
		conf.Engines = []Engine{{Name: "a"}, {Name: "b"}}
		conf.Each = Engine{Proto: Inside, Nodes: 100, MaxMemory: 16 << 20}
		var first []Game
		for range 2 {
			conf.Out = t.TempDir()
			games, err := Run(context.Background(), &conf, nil, Events{})
			if err != nil || len(games) != 2 {
				t.Fatal(name, len(games), err)
			}
			for i := range games {
				g := &games[i]
				if g.End != Adjudicated && g.End != Five && g.End != Captures || g.Given < 3 || g.Choices == "" {
					t.Errorf("%s: %s %s, %d given by %q", name, g.End, g.Detail, g.Given, g.Choices)
				}
				// Black is who the choices say.
				o, err := rule.New(r, conf.Variant())
				if err != nil {
					t.Fatal(err)
				}
				for c := range strings.SplitSeq(g.Choices, " / ") {
					choice, err := rule.ParseChoice(c, conf.BoardSize)
					if err == nil {
						err = o.Do(choice)
					}
					if err != nil {
						t.Fatalf("%s: %q: %v", name, c, err)
					}
				}
				if black := map[rule.Player]int{rule.First: g.First, rule.Second: g.Second}[o.Black()]; black != g.Black || !o.Done() {
					t.Errorf("%s: %q leads to engine %d, not to %d", name, g.Choices, black, g.Black)
				}
				if first != nil && (first[i].Choices != g.Choices || first[i].Moves != g.Moves) {
					t.Errorf("%s: %q, then %q", name, first[i].Choices, g.Choices)
				}
			}
			first = games
			var b strings.Builder
			Summarize(&conf, []string{"a", "b"}, games).Write(&b, false)
			if !strings.Contains(b.String(), name+": 1. ") || !strings.Contains(b.String(), "won by Black") {
				t.Error(b.String())
			}
		}
	}
}

// A test ends the match when it is decided, on whole pairs.
func TestSPRTStops(t *testing.T) {
	c := thousand()
	c.Games, c.Concurrency = 100_000, 2
	c.SPRT = &SPRT{Elo0: 0, Elo1: 100}
	m := twoDice(c, t)
	games, err := m.run(context.Background(), nil)
	if !errors.Is(err, ErrDecided) || len(games) > 5000 {
		t.Fatal(len(games), err)
	}
	if v := Decision(c, games); v.Decision == stats.Continue {
		t.Error(v)
	}
	// The same command once more plays nothing more.
	again, err := twoDiceIn(c, t).run(context.Background(), nil)
	if !errors.Is(err, ErrDecided) || len(again) != len(games) || len(games) < 10 {
		t.Error(len(again), err)
	}
}

func twoDiceIn(c *Config, t *testing.T) *match {
	c2 := *c
	return twoDice(&c2, t)
}

// What the journal says of a game is the game, however it began.
func TestRecord(t *testing.T) {
	for _, v := range []game.Variant{{Rule: game.Renju, Size: 15}, {Rule: game.Weiqi, Size: 19, Komi: 7}} {
		for _, toMove := range []game.Color{game.Black, game.White} {
			for stones := range 3 {
				rec := &game.Record{Variant: v, Setup: game.Setup{ToMove: toMove}}
				for i := range stones {
					rec.Setup.Black = append(rec.Setup.Black, game.At(3+i, 10))
					rec.Setup.White = append(rec.Setup.White, game.At(8, 11+i))
				}
				rec.Moves = []game.Move{{Color: toMove, Point: game.At(9, 0)}, {Color: toMove.Other(), Point: game.At(0, 9)}}
				var g Game
				g.write(rec)
				got, err := g.Record(v)
				if err != nil {
					t.Errorf("%q: %v", g.Setup, err)
				} else if d := cmp.Diff(rec, got); d != "" {
					t.Errorf("%q: %s", g.Setup, d)
				}
			}
		}
	}
}

// A folder belongs to one match, and to one run of it at a time.
func TestFolder(t *testing.T) {
	c := thousand()
	c.Games, c.Out = 4, t.TempDir()
	run(t, twoDice(c, t))
	other := thousand()
	other.Games, other.Out, other.BoardSize = 6, c.Out, 7
	if _, err := twoDice(other, t).run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "other settings") {
		t.Error(err)
	}
	lock, err := acquire(filepath.Join(c.Out, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if _, err := twoDiceIn(c, t).run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Error(err)
	}
}

// A journal that was cut short at any byte goes on with what is whole.
func TestCutJournal(t *testing.T) {
	c := thousand()
	c.Games, c.Out, c.Concurrency = 6, t.TempDir(), 1
	want := run(t, twoDice(c, t))
	name := filepath.Join(c.Out, journalName)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		if err := os.WriteFile(name, data[:rng.IntN(len(data)+1)], 0o666); err != nil {
			t.Fatal(err)
		}
		got := run(t, twoDiceIn(c, t))
		if len(got) != len(want) {
			t.Fatal(len(got))
		}
		for i := range got {
			if got[i].ID != i || got[i].Moves != want[i].Moves {
				t.Errorf("game %d is another one", i)
			}
		}
	}
	// A line that is broken in the middle is not passed over.
	broken := bytes.Replace(data, []byte(`"Outcome"`), []byte(`"Outcome`), 1)
	os.WriteFile(name, broken, 0o666)
	if _, err := twoDiceIn(c, t).run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Error(err)
	}
}

// A run that is killed at random moments loses the games in progress and nothing else.
func TestKill(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	rng := rand.New(rand.NewPCG(2, 2))
	kills := 0
	for tries := 0; ; tries++ {
		cmd := exec.Command(exe, "runner", folder)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		wait := time.Duration(150+rng.IntN(250)) * time.Millisecond
		if kills >= 10 {
			wait = time.Minute
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatalf("%v: %s", err, out.String())
			}
		case <-time.After(wait):
			cmd.Process.Kill()
			<-done
			kills++
			continue
		}
		break
	}
	played, err := ReadJournal(folder)
	if err != nil {
		t.Fatal(err)
	}
	games, seen := played.Games, map[int]int{}
	for _, g := range games {
		seen[g.ID]++
	}
	data, _ := os.ReadFile(filepath.Join(folder, journalName))
	if lines := bytes.Count(data, []byte("\n")); len(seen) != 100 || len(games) != 100 || lines != 101 {
		t.Errorf("%d games, %d different, %d lines after %d kills", len(games), len(seen), lines, kills)
	}
	if kills < 10 {
		t.Logf("only %d kills before the end", kills)
	}
}

// runner is the program that TestKill kills.
func runner(folder string) {
	c := thousand()
	c.Games, c.Out, c.Concurrency = 100, folder, 2
	c.Engines = []Engine{{Name: "a", Proto: Inside}, {Name: "b", Proto: Inside}}
	m := &match{conf: c, dial: func(context.Context, *Engine, int, func(bool, string)) (protocol.Player, error) {
		return &slow{}, nil
	}}
	if _, err := m.run(context.Background(), nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type slow struct{ dice }

func (s *slow) Move(ctx context.Context, rec *game.Record, l game.Limits) (game.Choice, error) {
	time.Sleep(2 * time.Millisecond)
	return s.dice.Move(ctx, rec, l)
}

// Asked to drain, a match ends with the games in progress; given up, without them. Both go on.
func TestDrain(t *testing.T) {
	c := thousand()
	c.Games, c.Out, c.Concurrency = 30, t.TempDir(), 2
	drain := make(chan struct{})
	m := twoDice(c, t)
	m.events.Finished = func(_ Game, all []Game) {
		if len(all) == 7 {
			close(drain)
		}
	}
	games, err := m.run(context.Background(), drain)
	if !errors.Is(err, ErrDrained) || len(games) < 7 || len(games) > 7+2 {
		t.Error(len(games), err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	m = twoDiceIn(c, t)
	m.events.Started = func(s Slot) {
		if s.ID >= 20 { // whichever is told first: the other may be one ahead
			cancel()
		}
	}
	if games, err = m.run(ctx, nil); !errors.Is(err, context.Canceled) || len(games) > 21 {
		t.Error(len(games), err)
	}
	if games = run(t, twoDiceIn(c, t)); len(games) != 30 {
		t.Error(len(games))
	}
}

// Who meets whom, how often, with which openings.
func TestSchedule(t *testing.T) {
	for _, c := range []struct {
		format         string
		engines, games int
		rounds         int
		openings       int
		want           int // games
	}{
		{RoundRobin, 2, 10, 1, 3, 10},
		{RoundRobin, 2, 1, 10, 3, 10},
		{RoundRobin, 5, 4, 3, 7, 120},
		{Gauntlet, 5, 4, 3, 100, 48},
		{Swiss, 8, 2, 4, 5, 32},
		{Swiss, 7, 2, 5, 5, 30},
		{Swiss, 3, 2, 6, 5, 12},
	} {
		conf := Default()
		conf.Format, conf.Games, conf.Rounds, conf.Transform = c.format, c.games, c.rounds, true
		conf.Engines = make([]Engine, c.engines)
		s := newSchedule(&conf, c.openings)
		scores := make([]int, c.engines)
		var all []Slot
		for r := s.next(scores); r != nil; r = s.next(scores) {
			playing := map[int]int{}
			for _, slot := range r {
				scores[min(slot.First, slot.Second)] += 2 // the lower number wins
				playing[slot.First]++
				playing[slot.Second]++
			}
			if c.format == Swiss {
				for e, n := range playing {
					if n != c.games {
						t.Errorf("%v: engine %d has %d games in a round", c, e, n)
					}
				}
			}
			all = append(all, r...)
		}
		if len(all) != c.want {
			t.Errorf("%v: %d games", c, len(all))
		}
		pairs := map[int][]Slot{}
		for i, s := range all {
			if s.ID != i {
				t.Errorf("%v: game %d is numbered %d", c, i, s.ID)
			}
			pairs[s.Pair] = append(pairs[s.Pair], s)
		}
		for _, p := range pairs {
			if len(p) != 2 || p[0].First != p[1].Second || p[0].Second != p[1].First || p[0].Opening != p[1].Opening ||
				p[0].Symmetry != p[1].Symmetry {
				t.Errorf("%v: %v is no pair", c, p)
			}
		}
		if c.format == Swiss && c.engines == 8 {
			met := map[[2]int]int{}
			for _, s := range all {
				met[[2]int{min(s.First, s.Second), max(s.First, s.Second)}]++
			}
			for m, n := range met {
				if n != c.games {
					t.Errorf("%v met in %d games", m, n)
				}
			}
		}
	}
}

// The grammar of the command line, and its TOML form.
func TestParse(t *testing.T) {
	line := strings.Fields(`-each tc=180/30 -engine name=Wine cmd=./wine/pbrain-wine nodes=500 option.A=1 -engine name=Rapfi
		cmd=./rapfi st=2 tolerance=3 -rule 4 -boardsize 20 -rounds 2 -games 4000 -debug -repeat -concurrency 8 -drawafter 200
		-pgn my.pgn -sgf my.sgf -openings file=o.txt order=random srand=12 -sprt elo0=-1 elo1=5 -resign movecount=3 score=900 twosided
		-draw movenumber=40 movecount=8 score=10 -out folder`)
	c, dump, err := Parse(line)
	if err != nil || dump {
		t.Fatal(err, dump)
	}
	if err := c.Finish(); err != nil {
		t.Fatal(err)
	}
	if e := c.Engines[0]; e.TC != "180/30" || e.Nodes != 500 || e.Option["A"] != "1" || e.Proto != Piskvork {
		t.Errorf("%+v", e)
	}
	if e := c.Engines[1]; e.TC != "" || e.ST != 2 || e.Tolerance != 3 {
		t.Errorf("%+v", e)
	}
	if c.Game != "renju" || !c.Resign.TwoSided || c.SPRT.Elo0 != -1 || c.SPRT.Alpha != 0.05 || !c.Log || c.Openings.Seed != 12 {
		t.Errorf("%+v", c)
	}
	var b bytes.Buffer
	if err := c.WriteTOML(&b); err != nil {
		t.Fatal(err)
	}
	again, err := ReadTOML(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Finish(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(c, again); d != "" {
		t.Error(d)
	}
	if c.fingerprint() != again.fingerprint() {
		t.Error("another match")
	}
	c.Concurrency, c.Out = 1, "elsewhere"
	if c.fingerprint() != again.fingerprint() {
		t.Error("who plays where makes another match of it")
	}
	c.Engines[0].Nodes++
	if c.fingerprint() == again.fingerprint() {
		t.Error("the same match")
	}
}

// -swap2 is a word for an opening rule.
func TestSwap2IsARule(t *testing.T) {
	prints := map[string]bool{}
	for _, words := range []string{"-swap2", "-opening-rule swap2", "-opening-rule SWAP2 -swap2"} {
		c, _, err := Parse(strings.Fields("-engine proto=tengen -engine cmd=a " + words))
		if err == nil {
			err = c.Finish()
		}
		if err != nil || c.OpeningRule != "swap2" {
			t.Fatalf("%s: %q %v", words, c.OpeningRule, err)
		}
		prints[c.fingerprint()] = true
	}
	if len(prints) != 1 {
		t.Error("different matches")
	}
}

func TestParseErrors(t *testing.T) {
	two := "-engine proto=tengen -engine proto=tengen "
	for _, c := range []struct{ line, want string }{
		{two + "-frob 3", "-frob: unknown option"},
		{two + "-each tz=3", `unknown key "tz"`},
		{two + "-each nodes=many", `nodes: "many"`},
		{two + "-openings file=a ordre=random", `unknown key "ordre"`},
		{two + "-sprt elo0=0 elo1=0", "must be above"},
		{two + "-rule 2", "Gomocup's rules"},
		{two + "-game chess", "unknown game"},
		{two + "-boardsize 40", "size"},
		{two + "-games", "takes one value"},
		{two + "-games 2 3", "takes one value"},
		{two + "-games 0", "games 0"},
		{two + "-transform maybe", "neither true nor false"},
		{two + "-sample", "c-gomoku-cli's"},
		{"-engine cmd=a", "2 at least|two at least"},
		{"-engine name=a -engine name=b", "cmd= is missing"},
		{"-engine cmd=a -engine cmd=b -game go -each proto=piskvork", "does not know Go"},
		{"-engine cmd=a -engine cmd=b -each tc=1/2/3", "tc=1/2/3"},
		{"-engine cmd=a -engine cmd=b -each tc=1 -each st=2", "exclude"},
		{two + "-each option.x=1", "the options book and seed"},
		{two + "-swap2 -openings file=x", "swap2"},
		{two + "-swap2 -opening-rule rif", "exclude"},
		{two + "-opening-rule swap3", "unknown opening rule"},
		{two + "-opening-rule rif", "is for renju"},
		{two + "-swap2 -game go -each proto=gtp", "not for Go"},
		{"-engine cmd=a -engine proto=tengen -game renju -opening-rule rif", "has no word for the opening rule rif"},
		{"-engine cmd=a -engine cmd=b -each proto=gtp -swap2", "SWAP2BOARD"},
		{"nobody.toml", "nobody.toml"},
		{two + "words", `takes|what is|unknown key "words"`},
	} {
		conf, _, err := Parse(strings.Fields(c.line))
		if err == nil {
			err = conf.Finish()
		}
		if err == nil || !slices.ContainsFunc(strings.Split(c.want, "|"), func(w string) bool { return strings.Contains(err.Error(), w) }) {
			t.Errorf("%s: %v, want %s", c.line, err, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"gmae = \"renju\"", `unknown key "gmae"`},
		{"[[engine]]\nnoses = 3", `unknown key "engine.noses"`},
		{"games = \"two\"", "games"},
		{"\n\ngames = ", "line 3"},
	} {
		if _, err := ReadTOML(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

func TestSplitCommand(t *testing.T) {
	for in, want := range map[string]string{
		`a b  c`:         "a|b|c",
		`"a b" c\ d`:     "a b|c d",
		`'a "b"' "c'd"`:  `a "b"|c'd`,
		`C:\dir\a.exe x`: `C:\dir\a.exe|x`,
		`C:\\dir\\a ""`:  `C:\dir\a|`,
		``:               "",
	} {
		got, err := splitCommand(in)
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("%s: %q %v", in, got, err)
		}
	}
	if _, err := splitCommand(`a "b`); err == nil {
		t.Error("an open quote")
	}
}

// What is exported can be read again, and names players and results by colour.
func TestExport(t *testing.T) {
	c := thousand()
	c.Games, c.Out = 6, t.TempDir()
	c.SGF, c.PGN = filepath.Join(c.Out, "all.sgf"), filepath.Join(c.Out, "all.pgn")
	m := twoDice(c, t)
	games := run(t, m)
	if err := Summarize(c, m.names, games).Export(); err != nil {
		t.Fatal(err)
	}
	for i, g := range games {
		data, err := os.ReadFile(filepath.Join(c.Out, "games", fmt.Sprintf("%06d.sgf", i+1)))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"PB[" + m.names[g.Black] + "]", "PW[" + m.names[g.White] + "]",
			map[string]string{"1-0": "RE[B+", "0-1": "RE[W+", "1/2": "RE[0]"}[g.Outcome]} {
			if !bytes.Contains(data, []byte(want)) {
				t.Errorf("game %d has no %s: %s", i+1, want, data)
			}
		}
		opening := Openings{File: "x.psq"}
		data, err = os.ReadFile(filepath.Join(c.Out, "games", fmt.Sprintf("%06d.psq", i+1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readOpenings(opening, data, c.Variant()); err == nil || !strings.Contains(err.Error(), "over") {
			t.Errorf("game %d as an opening: %v", i+1, err) // it was read to its end, where it is decided
		}
	}
	var table map[string]any
	data, _ := os.ReadFile(filepath.Join(c.Out, "table.json"))
	if err := json.Unmarshal(data, &table); err != nil || table["Games"] != 6.0 {
		t.Error(err, table)
	}
	pgn, _ := os.ReadFile(c.PGN)
	if n := bytes.Count(pgn, []byte("[Result ")); n != 6 {
		t.Error(n, "games in the PGN")
	}
}

func TestOpenings(t *testing.T) {
	v := game.Variant{Rule: game.Freestyle, Size: 15}
	for _, c := range []struct{ name, text, want string }{
		{"a.txt", "0,0, 1,1\n-2,3, 4,4, 5,5\n", ""},
		{"a.pos", "h8i9\nh8h7\n", ""},
		{"a.sgf", "(;GM[1]SZ[15];B[hh];W[ii](;B[jj])(;B[aa]))", ""},
		{"a.sgf", "(;GM[1]SZ[19];B[hh];W[ii])", "19"},
		{"a.txt", "0,0, 0,0\n", "line 1"},
		{"a.txt", "9,0, 0,0\n", "line 1"},
		{"a.pos", "h8a1h9a3h10a5h11a7h12", "over"},
	} {
		all, err := readOpenings(Openings{File: c.name}, []byte(c.text), v)
		switch {
		case c.want == "" && (err != nil || len(all) != 2):
			t.Errorf("%s %q: %d, %v", c.name, c.text, len(all), err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s %q: %v", c.name, c.text, err)
		}
	}
	// The eight symmetries of an opening without symmetry are different, and the same game.
	all, _ := readOpenings(Openings{File: "a.pos"}, []byte("h8i9b3"), v)
	seen := map[string]bool{}
	for s := range symmetries {
		r := turned(all[0], s)
		var g Game
		g.write(r)
		seen[g.Moves] = true
		if err := playable(r); err != nil {
			t.Error(err)
		}
	}
	if len(seen) != symmetries {
		t.Error(seen)
	}
}

// An engine of this program takes a book and a seed, and says what else it is told.
func TestInsideBook(t *testing.T) {
	for option, want := range map[string]string{
		"book=off":     "",
		"seed=7":       "",
		"seed=many":    "option.seed=many is not a number",
		"book=/none/x": "option.book=/none/x: open /none/x: no such file or directory",
		"pondering=1":  "proto=tengen has the options book and seed, not pondering",
	} {
		k, v, _ := strings.Cut(option, "=")
		c := Default()
		c.Engines = []Engine{{Name: "a", Proto: Inside, Option: map[string]string{k: v}}, {Name: "b", Proto: Inside}}
		err := c.Finish()
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("%s: %v", option, err)
		}
	}
	// From the empty board the first moves are the book's: they cost no nodes.
	for option, searched := range map[string]bool{"on": false, "off": true} {
		p, err := newInside(engine.Options{Memory: 1 << 20}, map[string]string{"book": option})
		if err != nil {
			t.Fatal(err)
		}
		v := game.Variant{Rule: game.Standard, Size: 15}
		if err := p.Start(context.Background(), v, game.Limits{}); err != nil {
			t.Fatal(err)
		}
		rec := &game.Record{Variant: v, Moves: []game.Move{{Color: game.Black, Point: game.At(7, 7)}}}
		c, err := p.Move(context.Background(), rec, game.Limits{Nodes: 100})
		if err != nil || (c.Info.Nodes > 0) != searched {
			t.Errorf("book %s: %d nodes (%v)", option, c.Info.Nodes, err)
		}
		o, err := rule.Swap2(v, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := p.Open(context.Background(), o, game.Limits{Nodes: 100}, 1)
		if err != nil || len(r.Points) != 3 {
			t.Errorf("book %s: %+v %v", option, r, err)
		}
		p.Close()
	}
}
