package gtp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol"
)

// The test binary plays the programs at the other end itself: with this variable set it
// takes a part and exits before any test runs.
const partVar = "TENGEN_GTP_PART"

func init() {
	switch part := os.Getenv(partVar); part {
	case "":
	case "go", "renju": // our own server
		v := game.Variant{Rule: game.Weiqi, Size: 19, Komi: 7.5}
		if part == "renju" {
			v = game.Variant{Rule: game.Renju, Size: 15}
		}
		Serve(context.Background(), protocol.NewSession(maker(&player{})), os.Stdin, os.Stdout, ServeOptions{Variant: v})
		os.Exit(0)
	default:
		double(part)
		os.Exit(0)
	}
}

// double is a program that plays the points of the first row from the left, its part
// being what it does wrong or in an unusual way.
func double(part string) {
	in := bufio.NewScanner(os.Stdin)
	known := "protocol_version\nname\nversion\nlist_commands\nquit\nboardsize\nclear_board\nkomi\nplay\ngenmove\ntime_settings\ntime_left"
	if part != "no undo" {
		known += "\nundo"
	}
	taken, n := map[string]bool{}, 0
	for in.Scan() {
		f := strings.Fields(in.Text())
		if len(f) < 2 {
			continue
		}
		id, name := f[0], f[1]
		say := func(s string) { fmt.Printf("=%s %s\n\n", id, s) }
		switch name {
		case "protocol_version":
			say("2")
		case "name":
			switch part {
			case "dies at once":
				os.Exit(7)
			case "mute":
				time.Sleep(time.Minute)
			}
			say("Double " + part)
		case "version":
			if part == "no version" {
				fmt.Printf("?%s unknown command\n\n", id)
				continue
			}
			say("1.0")
		case "list_commands":
			say(known)
		case "quit":
			if part == "stays" {
				time.Sleep(time.Minute)
			}
			say("")
			return
		case "boardsize":
			if part == "small" && f[2] != "9" {
				fmt.Printf("?%s unacceptable size\n\n", id)
				continue
			}
			say("")
		case "clear_board":
			taken = map[string]bool{}
			say("")
		case "play":
			if part == "refuses" || taken[f[3]] {
				fmt.Printf("?%s illegal move\n\n", id)
				continue
			}
			taken[strings.ToUpper(f[3])] = true
			say("")
		case "genmove":
			n++
			move := ""
			for x := 0; move == "" || taken[move]; x++ {
				move = Vertex(game.At(x, 8), 9)
			}
			taken[move] = true
			switch part {
			case "hangs":
				time.Sleep(time.Minute)
			case "late":
				if n == 1 {
					time.Sleep(400 * time.Millisecond)
				}
			case "crashes":
				fmt.Fprintln(os.Stderr, "it hurts")
				os.Exit(3)
			case "closes":
				os.Stdout.Close()
				time.Sleep(time.Minute)
			case "fails":
				fmt.Printf("?%s cannot think\n\n", id)
				continue
			case "garbage":
				move = "what a move"
			case "off":
				move = "Z19"
			case "empty":
				move = ""
			case "resigns":
				move = "resign"
			case "passes":
				move = "PASS"
			case "talks":
				fmt.Printf("thinking ...\n\ninfo move A1\n= \n\n=%s9 D4\n\n", id)
			case "CRLF":
				fmt.Printf("=%s  %s \r\n\r\n", id, strings.ToLower(move))
				continue
			case "half":
				fmt.Printf("=%s A", id)
				time.Sleep(time.Minute)
			}
			say(move)
		default:
			say("")
		}
	}
	if part == "stays" {
		time.Sleep(time.Minute)
	}
}

func dial(t *testing.T, part string, log *[]string) (*Client, error) {
	t.Helper()
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(me)
	cmd.Env = append(os.Environ(), partVar+"="+part, "GORACE=atexit_sleep_ms=0")
	o := ClientOptions{StartTime: 10 * time.Second, CommandTime: 10 * time.Second, Tolerance: 100 * time.Millisecond, EndTime: 300 * time.Millisecond}
	if part == "small" { // is to end by itself
		o.EndTime = 5 * time.Second
	}
	if part == "mute" {
		o.StartTime = 300 * time.Millisecond
	}
	if log != nil {
		o.Log = func(to bool, l string) {
			if to {
				_, l, _ = strings.Cut(l, " ")
				*log = append(*log, l)
			}
		}
	}
	return Dial(context.Background(), cmd, o)
}

var go9 = game.Variant{Rule: game.Weiqi, Size: 9, Komi: 7.5}

func played(v game.Variant, moves string) *game.Record {
	rec := &game.Record{Variant: v}
	f := strings.Fields(moves)
	for i := 0; i < len(f); i += 2 {
		c, _ := ParseColor(f[i])
		q, err := ParseVertex(f[i+1], v.Size)
		if err != nil {
			panic(f[i+1])
		}
		rec.Moves = append(rec.Moves, game.Move{Color: c, Point: q})
	}
	return rec
}

// What goes wrong at the other end is a fault of its kind, and nothing of ours is left.
func TestClientFaults(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx := context.Background()
	for _, c := range []struct {
		part  string
		kind  protocol.FaultKind // 0: the move comes
		move  string
		again bool // the next game is played, by a new process if need be
	}{
		{"plain", 0, "A1", true},
		{"CRLF", 0, "A1", true},
		{"talks", 0, "A1", true},
		{"no version", 0, "A1", true},
		{"passes", 0, "pass", true},
		{"resigns", 0, "resign", true},
		{"hangs", protocol.Timeout, "", false},
		{"half", protocol.Timeout, "", false},
		{"late", protocol.Timeout, "", true},
		{"crashes", protocol.Crash, "", false},
		{"closes", protocol.Crash, "", false},
		{"fails", protocol.Refused, "", false},
		{"garbage", protocol.Garbage, "", false},
		{"empty", protocol.Garbage, "", false},
		{"off", protocol.Illegal, "", false},
		{"refuses", protocol.Refused, "", false},
	} {
		t.Run(c.part, func(t *testing.T) {
			p, err := dial(t, c.part, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if err := p.Start(ctx, go9, game.Limits{}); err != nil {
				t.Fatal(err)
			}
			rec, lim := played(go9, "b e5"), game.Limits{}
			if c.kind == protocol.Timeout {
				lim.Hard = 200 * time.Millisecond
			}
			choice, err := p.Move(ctx, rec, lim)
			var f *protocol.Fault
			switch {
			case c.kind == 0 && err != nil:
				t.Fatal(err)
			case c.kind == 0:
				if in := choice.Info; choice.Took <= 0 || !in.Last || in.Time != 0 || in.Depth != 0 || in.Nodes != 0 {
					t.Errorf("%+v of a program that told nothing", choice)
				}
				if got := Vertex(choice.Point, 9); got != c.move || choice.Resign != (c.move == "resign") {
					t.Errorf("%v", choice)
				}
			case !errors.As(err, &f) || f.Kind != c.kind:
				t.Errorf("%v, not %v", err, c.kind)
			}
			if c.part == "crashes" && (!strings.Contains(f.Stderr, "it hurts") || f.Exit != "exit status 3") {
				t.Errorf("%+v", f)
			}
			if !c.again {
				return
			}
			if err := p.Start(ctx, go9, game.Limits{}); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Move(ctx, rec, game.Limits{}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestClientStart(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx := context.Background()
	for part, kind := range map[string]protocol.FaultKind{"dies at once": protocol.Crash, "mute": protocol.Timeout} {
		_, err := dial(t, part, nil)
		var f *protocol.Fault
		if !errors.As(err, &f) || f.Kind != kind {
			t.Errorf("%s: %v", part, err)
		}
	}
	if _, err := Dial(ctx, exec.Command("/nowhere/to/be/found"), ClientOptions{}); err == nil {
		t.Error("a program that is not there")
	}
	p, err := dial(t, "small", nil)
	if err != nil {
		t.Fatal(err)
	}
	var f *protocol.Fault
	if err := p.Start(ctx, game.Variant{Rule: game.Weiqi, Size: 19}, game.Limits{}); !errors.As(err, &f) || f.Kind != protocol.Refused {
		t.Error(err)
	}
	if _, err := p.Move(ctx, played(go9, ""), game.Limits{}); err == nil {
		t.Error("a move without a game")
	}
	if err := p.Start(ctx, go9, game.Limits{}); err != nil {
		t.Error(err)
	}
	p.Process().Suspend() // it can end all the same
	if got := p.About(); got.Name != "Double small" || got.Version != "1.0" {
		t.Errorf("%+v", got)
	}
	if err := p.Close(); err != nil || p.Process() != nil {
		t.Error(err)
	}
	if err := p.Start(ctx, go9, game.Limits{}); err == nil {
		t.Error("closed")
	}

	p, err = dial(t, "stays", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); !errors.As(err, &f) || f.Kind != protocol.Timeout {
		t.Error(err)
	}
}

// What is sent for the games, clocks and positions of a manager.
func TestClientCommands(t *testing.T) {
	ctx := context.Background()
	first := "name version list_commands protocol_version "
	handicap := played(go9, "")
	handicap.Setup = game.Setup{Black: []game.Point{game.At(2, 2), game.At(6, 6)}, ToMove: game.White}
	set := played(go9, "w e5")
	set.Setup = game.Setup{Black: []game.Point{game.At(2, 2)}, White: []game.Point{game.At(6, 6)}, ToMove: game.White}
	for _, c := range []struct {
		part string
		lim  game.Limits
		recs []*game.Record
		want string
	}{
		{"plain", game.Limits{}, []*game.Record{played(go9, ""), played(go9, "b a1 w e5"), played(go9, "b a1 w e6")},
			"genmove b|play w e5|genmove b|undo|undo|play w e6|genmove b"},
		{"no undo", game.Limits{}, []*game.Record{played(go9, "b d4"), played(go9, "b d5")},
			"play b d4|genmove w|clear_board|play b d5|genmove w"},
		{"plain", game.Limits{Hard: 2 * time.Second}, []*game.Record{played(go9, "b pass")},
			"play b pass|genmove w"},
		{"plain", game.Limits{Left: 90 * time.Second}, []*game.Record{played(go9, "")},
			"time_left b 90 0|genmove b"},
		{"plain", game.Limits{}, []*game.Record{handicap, set},
			"clear_board|play b C7|play b G3|genmove w|clear_board|play b C7|play w G3|play w E5|genmove b"},
		{"go", game.Limits{}, []*game.Record{handicap, set},
			"clear_board|set_free_handicap C7 G3|genmove w|clear_board|set_position b C7 w G3|play w E5|genmove b"},
	} {
		var log []string
		p, err := dial(t, c.part, &log)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(ctx, go9, c.lim); err != nil {
			t.Fatal(err)
		}
		start := "boardsize 9|clear_board|komi 7.5"
		switch {
		case c.lim.Left > 0:
			start += "|time_settings 90 0 0"
		case c.lim.Hard > 0:
			start += "|time_settings 0 2 1"
		}
		for _, rec := range c.recs {
			if _, err := p.Move(ctx, rec, c.lim); err != nil {
				t.Error(err)
			}
		}
		want := strings.ReplaceAll(first, " ", "|") + start + "|" + c.want
		if got := strings.Join(log, "|"); !strings.EqualFold(got, want) {
			t.Errorf("%s: sent %s\nnot %s", c.part, got, want)
		}
		p.Close()
	}
}

// Both our ends play whole games with each other.
func TestBothEnds(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx := context.Background()
	for _, v := range []game.Variant{{Rule: game.Weiqi, Size: 5, Komi: 7.5, Ruleset: "chinese"}, {Rule: game.Renju, Size: 9}} {
		part := "renju"
		if v.Rule == game.Weiqi {
			part = "go"
		}
		p, err := dial(t, part, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(ctx, v, game.Limits{Left: time.Minute}); err != nil {
			t.Fatal(err)
		}
		g, err := engine.Referee(v)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < 60 && g.Result().Outcome == game.Open; n++ {
			c, err := p.Move(ctx, g.Record(), game.Limits{Left: time.Minute})
			if err == nil {
				err = g.Play(c.Point)
			}
			if err != nil {
				t.Fatal(v, err)
			}
		}
		score, err := p.Ask(ctx, "final_score")
		if open := g.Result().Outcome == game.Open; err != nil && !(open && v.Rule == game.Renju) {
			t.Error(v, score, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A done context ends the wait, and the next game is played all the same.
func TestClientContext(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	p, err := dial(t, "late", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if err := p.Start(context.Background(), go9, game.Limits{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Move(ctx, played(go9, ""), game.Limits{}); err != context.DeadlineExceeded {
		t.Error(err)
	}
	c, err := p.Move(context.Background(), played(go9, "b c3"), game.Limits{})
	if err != nil || c.Point == game.At(2, 6) {
		t.Error(c, err)
	}
}
