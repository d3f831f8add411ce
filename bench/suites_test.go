package bench

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tengen/engine/game"
)

// tiny makes every suite as short as it can be.
func tiny(t *testing.T, repeat int) Settings {
	t.Helper()
	ps, err := Puzzles()
	if err != nil {
		t.Fatal(err)
	}
	return Settings{
		Limits: game.Limits{Nodes: 300}, Memory: 64 << 20, Repeat: repeat, Time: 1, Moves: 3,
		Clock: 5 * time.Millisecond, Puzzles: append(ps[len(ps)-15:], Puzzle{Kind: "DRAW"}), Nodes: 2000,
	}
}

// Each suite measures what it says, once for each repetition.
func TestSuites(t *testing.T) {
	lines := []string{"freestyle", "standard", "renju", "caro", "caro6", "omok", "pente", "keryo"}
	all := append(slices.Clone(lines), "go")
	want := map[string]struct {
		rows    []string
		figures []string // in each row
	}{
		"search":      {all, []string{"nodes", "speed"}},
		"make":        {all, []string{"make and unmake"}},
		"moves":       {all, []string{"a position", "moves"}},
		"forbidden":   {[]string{"renju", "omok"}, []string{"a doubtful point", "a board", "doubtful points", "forbidden points"}},
		"nets":        {lines[:7], []string{"evaluation", "by the table", "table enough", "evaluated", "speed with", "self-play", "training"}},
		"eval":        {lines, []string{"make, evaluate, unmake"}},
		"vcf":         {[]string{"VCF", "NO_VCF", "VCT"}, []string{"puzzles", "solved", "wrong", "median", "95th percentile", "nodes"}},
		"evaluations": {[]string{"9x9", "9x9, 4 at once", "13x13", "19x19"}, []string{"speed", "an evaluation"}},
		"playouts":    {[]string{"9x9", "13x13", "19x19", "9x9 light", "13x13 light", "19x19 light"}, []string{"speed", "a playout"}},
		"protocol":    {[]string{"piskvork, no search", "piskvork, instant move", "gtp, no search"}, []string{"median", "99th percentile", "most", "moves"}},
		"deadline":    {append(slices.Clone(all), "all", "piskvork, turn 25ms"), []string{"median", "99th percentile", "most", "moves"}},
		"threads":     {[]string{"1"}, []string{"time to depth", "speed"}},
	}
	const repeat = 2
	r := NewReport()
	s := tiny(t, repeat)
	var steps []int
	total := 0
	s.Progress = func(what string, done, of int) { steps, total = append(steps, done), of }
	if err := Run(context.Background(), Suites(), s, r); err != nil {
		t.Fatal(err)
	}
	if len(steps) != total || steps[0] != 0 || steps[len(steps)-1] != total-1 {
		t.Errorf("progress: %d steps of %d, %v", len(steps), total, steps)
	}
	for _, suite := range Suites() {
		w, ok := want[suite.Name]
		if !ok {
			t.Errorf("suite %s is not tested", suite.Name)
		}
		for _, row := range w.rows {
			for _, name := range w.figures {
				f := r.Find(suite.Name, row, name)
				if f == nil {
					t.Errorf("%s: no %q of %s", suite.Name, name, row)
					continue
				}
				if len(f.Samples) != repeat {
					t.Errorf("%s %s %s: %d samples", suite.Name, row, name, len(f.Samples))
				}
			}
		}
	}
	for _, f := range r.Figures {
		for _, x := range f.Samples {
			name := f.Suite + "/" + f.Row + "/" + f.Name
			switch {
			case math.IsNaN(x) || math.IsInf(x, 0):
				t.Errorf("%s is %v", name, x)
			case f.Suite == "deadline": // negative is early
			case x < 0, x == 0 && strings.Contains(f.Unit, "/s"), strings.HasPrefix(f.Unit, "%") && x > 100 && f.Name != "threat time":
				t.Errorf("%s is %v %s", name, x, f.Unit)
			}
		}
		if f.Better == Neither && f.Suite != "deadline" && f.Unit == "" && f.Samples[0] != f.Samples[len(f.Samples)-1] {
			t.Errorf("%s/%s/%s: %v", f.Suite, f.Row, f.Name, f.Samples)
		}
	}
	if n := r.Find("search", "freestyle", "nodes").Median(); n < 10*300 || n > 10*1000 {
		t.Errorf("%v nodes in ten searches of 300", n)
	}
	if len(r.Signature) != 0 {
		t.Errorf("a signature of searches that make none: %v", r.Signature)
	}
	if r.Threads < 1 {
		t.Error("no word on how many threads to use")
	}
	var b bytes.Buffer
	if err := r.Print(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nmake ", "caro6 ", "use -threads ", "DRAW are left out"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	goleak.VerifyNone(t, goleak.IgnoreAnyFunction("github.com/dgraph-io/ristretto/v2.(*defaultPolicy[...]).processItems"),
		goleak.IgnoreAnyFunction("github.com/dgraph-io/ristretto/v2.(*Cache[...]).processItems"))
}

// With a limit of depth or time, both tiers are used and told of; with several threads too.
func TestSearchCounts(t *testing.T) {
	for _, lim := range []game.Limits{{Depth: 9, Nodes: 5000}, {Nodes: 4000}} {
		for threads := 1; threads <= 2; threads++ {
			s := Settings{Games: []game.Rule{game.Freestyle}, Limits: lim, Threads: threads, Memory: 80 << 20}
			r := NewReport()
			if err := Run(context.Background(), Suites()[:1], s, r); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"table hits", "threat nodes", "threat time", "written"} {
				f := r.Find("search", "freestyle", name)
				if f == nil || f.Median() < 0 || name != "written" && f.Median() == 0 || name != "threat time" && f.Median() > 100 { // an estimate
					t.Errorf("%+v, %d threads: %s: %+v", lim, threads, name, f)
				}
			}
			if f := r.Find("search", "freestyle", "speed with caches"); (f != nil) != (threads == 1) {
				t.Errorf("%+v, %d threads: %+v", lim, threads, f)
			}
		}
	}
}

// The search of the signature repeats itself, and what it is of is complete.
func TestSignatureRepeats(t *testing.T) {
	r := NewReport()
	s := Settings{Games: []game.Rule{game.Renju, game.Weiqi}, Repeat: 2}
	if err := Run(context.Background(), Suites()[:1], s, r); err != nil {
		t.Fatal(err)
	}
	if r.Signature["renju"] == 0 || r.Signature["go"] == 0 || len(r.Signature) != 2 {
		t.Errorf("signature %v", r.Signature)
	}
	var b bytes.Buffer
	if r.Print(&b); strings.Contains(b.String(), fmt.Sprint("\nsignature ", r.Signature["renju"])) || !strings.Contains(b.String(), "signature of go ") {
		t.Errorf("a sum without all games, or none of Go:\n%s", b.String())
	}
}

// What was measured before the interruption is there.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := tiny(t, 1)
	s.Progress = func(what string, done, total int) {
		if done == 3 {
			cancel()
		}
	}
	r := NewReport()
	if err := Run(ctx, Suites(), s, r); err != context.Canceled || !r.Interrupted {
		t.Fatalf("%v, interrupted %v", err, r.Interrupted)
	}
	if r.Find("search", "renju", "speed") == nil || r.Find("search", "caro", "speed") != nil || r.Find("make", "go", "make and unmake") != nil {
		t.Errorf("figures %v", r.Figures)
	}
	for _, u := range Suites() { // each by itself, ended before it begins
		r := NewReport()
		if err := Run(ctx, []Suite{u}, tiny(t, 1), r); err != context.Canceled {
			t.Errorf("%s: %v", u.Name, err)
		}
	}
}

// The positions are games that go on, each there once.
func TestPositions(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range Games() {
		ps, err := Positions(g)
		if err != nil {
			t.Fatal(err)
		}
		if len(ps) < 5 {
			t.Errorf("%v: %d positions", g, len(ps))
		}
		for _, p := range ps {
			if key := g.String() + p.Moves; seen[key] {
				t.Errorf("twice: %s", key)
			} else {
				seen[key] = true
			}
		}
	}
	if _, err := Positions(game.NumRules); err == nil {
		t.Error("positions of no game")
	}
}

// All puzzles of the program are solved, by the right moves where all of them are known.
func TestPuzzles(t *testing.T) {
	r := NewReport()
	suites := slices.DeleteFunc(Suites(), func(u Suite) bool { return u.Name != "vcf" })
	if err := Run(context.Background(), suites, Settings{}, r); err != nil {
		t.Fatal(err)
	}
	for kind, least := range map[string]float64{"VCF": 95, "NO_VCF": 30, "VCT": 4} {
		n := r.Find("vcf", kind, "puzzles").Median()
		if s := r.Find("vcf", kind, "solved").Median(); s != n || n < least || r.Find("vcf", kind, "wrong").Median() != 0 {
			t.Errorf("%s: %v of %v solved", kind, s, n)
		}
	}
}

func TestReadPuzzles(t *testing.T) {
	const good = `{"id":"a","rule":"caro","size":5,"board":"...../.X.../..O../...#./.....","side":"white","kind":"VCF","more":1}` + "\n\n"
	all, err := ReadPuzzles(strings.NewReader(good))
	if err != nil || len(all) != 1 || all[0].record.ToMove() != game.White || len(all[0].record.Setup.Walls) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"caro"`, `"chess"`, "line 1: unknown game"},
		{`"caro"`, `"go"`, "line 1:"},
		{`"white"`, `"red"`, "neither black nor white"},
		{`5`, `6`, "5 rows"},
		{`..O..`, `..O.`, "row 3"},
		{`..O..`, `..Q..`, "'Q'"},
		{`{`, `[`, "line 1:"},
		{good, "\n", "no puzzles"},
	} {
		if _, err := ReadPuzzles(strings.NewReader(strings.Replace(good, c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v", c.new, c.old, err)
		}
	}
	if _, err := ReadPuzzleFile("testdata/none.jsonl"); err == nil {
		t.Error("no file, no error")
	}
}

func TestUseThreads(t *testing.T) {
	for _, c := range []struct {
		times []float64
		want  int
	}{
		{[]float64{100}, 1}, {[]float64{100, 60, 58, 40}, 4}, {[]float64{100, 99, 98}, 1}, {[]float64{100, 120, 50}, 3}, {[]float64{100, 70, 69}, 2},
	} {
		r := NewReport()
		for i, x := range c.times {
			r.add("threads", string(rune('1'+i)), "time to depth", "ms", Less, x)
		}
		if n := useThreads(r, len(c.times)); n != c.want {
			t.Errorf("%v: %d threads", c.times, n)
		}
	}
}
