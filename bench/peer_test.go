package bench

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"tengen/engine"
	"tengen/engine/game"
)

// The test binary plays the peers itself: with this variable set it takes a part and exits
// before any test runs.
const partVar = "TENGEN_BENCH_PEER"

func init() {
	if part := os.Getenv(partVar); part != "" {
		double(part)
		os.Exit(0)
	}
}

// double is a program that plays the first empty point, and tells nodes in the way of its
// part or not at all.
func double(part string) {
	in := bufio.NewScanner(os.Stdin)
	taken := map[string]bool{}
	play := func() string {
		for i := 0; ; i++ {
			if p := fmt.Sprintf("%d,%d", i%15, i/15); !taken[p] {
				return p
			}
		}
	}
	for in.Scan() {
		if part == "gtp" {
			id, rest, _ := strings.Cut(in.Text(), " ")
			answer := ""
			switch name, _, _ := strings.Cut(rest, " "); name {
			case "name":
				answer = "Stone"
			case "list_commands":
				answer = "genmove"
			case "genmove":
				answer = "pass"
			}
			fmt.Printf("=%s %s\n\n", id, answer)
			continue
		}
		switch words := strings.Fields(strings.ToUpper(in.Text())); words[0] {
		case "ABOUT":
			fmt.Println(`name="Double", version="2"`)
		case "START":
			fmt.Println("OK")
		case "BOARD":
			clear(taken)
			for in.Scan() && in.Text() != "DONE" {
				f := strings.Split(in.Text(), ",")
				taken[f[0]+","+f[1]] = true
			}
			switch part {
			case "nodes":
				fmt.Println("MESSAGE Speed 200K | Depth 5-9 | Eval 12 | Node 20K | Time 100ms")
			case "speed":
				time.Sleep(30 * time.Millisecond)
				fmt.Println("MESSAGE depth=8 NPS=500k")
			case "short":
				fmt.Println("MESSAGE Depth 1-1 | Eval 12 | Node 3 | Time 1ms")
			case "crash":
				os.Exit(3)
			}
			fmt.Println(play())
		}
	}
}

func peerRun(t *testing.T, part, proto string, games ...game.Rule) (*Report, error) {
	t.Helper()
	t.Setenv(partVar, part)
	ctx := context.Background()
	p, err := DialPeer(ctx, fmt.Sprintf("%q -test.run=none", os.Args[0]), proto, engine.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if n := p.Name(); n != "Double 2" && n != "Stone" {
		t.Errorf("the peer is %q", n)
	}
	r := NewReport()
	s := Settings{Games: games, Limits: game.Limits{Nodes: 3000}, Memory: 64 << 20, Repeat: 2}
	err = Run(ctx, []Suite{PeerSuite(p)}, s, r)
	return r, err
}

func TestPeer(t *testing.T) {
	for _, c := range []struct {
		part, proto string
		speed       [2]float64 // the peer's, at least and at most; 0 when there is no ratio
		note        string
	}{
		{"nodes", "piskvork", [2]float64{200_000, 200_000}, "nodes as each program counts them"},
		{"speed", "piskvork", [2]float64{499_000, 501_000}, ""},
		{"silent", "piskvork", [2]float64{}, "Double 2 reports no nodes in renju"},
		{"short", "piskvork", [2]float64{}, "10 are left out because a search was too short"},
	} {
		r, err := peerRun(t, c.part, c.proto, game.Renju)
		if err != nil {
			t.Errorf("%s: %v", c.part, err)
			continue
		}
		f := r.Find("peer", "renju", "Double 2")
		if (f != nil) != (c.speed[0] > 0) || f != nil && (f.Median() < c.speed[0] || f.Median() > c.speed[1]) {
			t.Errorf("%s: the peer's speed is %+v", c.part, f)
		}
		ours, ratio := r.Find("peer", "renju", "ours"), r.Find("peer", "renju", "ours/theirs")
		if f != nil {
			for i := range 2 {
				if q := ours.Samples[i] / f.Samples[i]; ratio.Samples[i] < q*0.999 || ratio.Samples[i] > q*1.001 {
					t.Errorf("%s: ratio %v of %v and %v", c.part, ratio.Samples, ours.Samples, f.Samples)
				}
			}
		} else if ours != nil || ratio != nil {
			t.Errorf("%s: ratios of nothing: %+v", c.part, ratio)
		}
		var b bytes.Buffer
		if r.Print(&b); !strings.Contains(b.String(), c.note) {
			t.Errorf("%s: no %q in\n%s", c.part, c.note, b.String())
		}
	}
	if r, err := peerRun(t, "gtp", "gtp", game.Freestyle); err != nil || len(r.Figures) != 0 || !strings.Contains(strings.Join(r.Notes, " "), "Stone reports no nodes in freestyle") {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := peerRun(t, "crash", "piskvork", game.Renju); err == nil || !strings.Contains(err.Error(), "Double 2 on position 1 of renju: crash") {
		t.Errorf("a crash is told as %v", err)
	}
	if _, err := peerRun(t, "nodes", "piskvork", game.Weiqi); err == nil || !strings.Contains(err.Error(), "no way to ask for go") {
		t.Errorf("Go by piskvork: %v", err)
	}
}

func TestDialPeer(t *testing.T) {
	for _, c := range []struct{ command, proto, want string }{
		{"", "piskvork", "no command"}, {`"a`, "piskvork", "quote"}, {"x", "uci", `unknown protocol "uci"`},
		{"/no/such/program", "piskvork", "no such file"}, {"/no/such/program", "gtp", "no such file"},
	} {
		if _, err := DialPeer(context.Background(), c.command, c.proto, engine.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q by %s: %v", c.command, c.proto, err)
		}
	}
}

func TestSplitCommand(t *testing.T) {
	for s, want := range map[string]string{
		"a b  c":                   "[a|b|c]",
		` "C:\a b\c.exe" -x 'd e'`: `[C:\a b\c.exe|-x|d e]`,
		`a"b c"d ""`:               "[ab cd|]",
	} {
		words, err := splitCommand(s)
		if got := "[" + strings.Join(words, "|") + "]"; got != want || err != nil {
			t.Errorf("%s: %s, %v", s, got, err)
		}
	}
}
