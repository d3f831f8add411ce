package judge

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"tengen/engine/game"
	"tengen/engine/weiqi"
	"tengen/eval/resnet"
)

var update = flag.Bool("update", false, "write testdata anew")

// tiny is a network of our own making: random weights, but all kinds of blocks.
var tiny = resnet.Shape{Version: 10, Blocks: "ogn", Channels: 8, Regular: 6, Pooled: 4, Inner: 4, Head: 5, Hidden: 7, First: 5, Act: resnet.ReLU}

const (
	tinyFile = "testdata/tiny.bin.gz"
	verdicts = "testdata/verdicts.txt"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *update {
		f, err := os.Create(tinyFile)
		if err == nil {
			err = resnet.Random(tiny, 5).Write(f, false)
		}
		if err != nil {
			panic(err)
		}
		f.Close()
	}
	os.Exit(m.Run())
}

func load(t testing.TB, memory int64) *Judge {
	m, err := resnet.ReadFile(tinyFile)
	if err != nil {
		t.Fatal(err)
	}
	n, err := resnet.New(m)
	if err != nil {
		t.Fatal(err)
	}
	j, err := New(n, memory)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	return j
}

type position struct {
	line     string
	p        *weiqi.Position
	komi     float64
	symmetry int
}

// positions reads games of our own engine: size, rules, komi, symmetry, moves.
func positions(t *testing.T) (all []position) {
	f, err := os.Open("testdata/positions.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		w := strings.Fields(s.Text())
		size, _ := strconv.Atoi(w[0])
		komi, _ := strconv.ParseFloat(w[2], 64)
		symmetry, _ := strconv.Atoi(w[3])
		v := game.Variant{Rule: game.Weiqi, Size: size, Ruleset: w[1], Komi: komi}
		rec := &game.Record{Variant: v}
		for i, name := range strings.Split(w[4], ",") {
			q := game.Pass
			if name != "pass" {
				x := int(name[0] - 'A')
				if x > 8 {
					x--
				}
				row, _ := strconv.Atoi(name[1:])
				q = game.At(x, size-row)
			}
			rec.Moves = append(rec.Moves, game.Move{Color: game.Color(i & 1), Point: q})
		}
		g, err := weiqi.Replay(rec)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, position{s.Text(), g.Position(), komi, symmetry})
	}
	if len(all) == 0 {
		t.Fatal("no positions")
	}
	return all
}

func numbers(p *weiqi.Position, v *weiqi.Verdict) []float32 {
	xs := []float32{v.Win, v.Loss, v.NoResult, v.Score, v.ScoreSq, v.Lead, v.VarianceTime, v.ValueError, v.ScoreError, v.Policy[game.Pass]}
	for y := range p.Size() {
		for x := range p.Size() {
			xs = append(xs, v.Policy[game.At(x, y)])
		}
	}
	for y := range p.Size() {
		for x := range p.Size() {
			xs = append(xs, v.Owner[game.At(x, y)])
		}
	}
	return xs
}

// The verdicts on positions of three sizes under five rule sets, turned in each way, are
// those that the kernels in plain Go gave when KataGo gave the same for this network.
func TestVerdicts(t *testing.T) {
	j := load(t, 0)
	var want []string
	if b, err := os.ReadFile(verdicts); err == nil {
		want = strings.Split(strings.TrimSpace(string(b)), "\n")
	}
	var all strings.Builder
	for i, x := range positions(t) {
		v, err := j.Evaluate(x.p, x.komi, x.symmetry, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := numbers(x.p, v)
		if *update {
			for k, n := range got {
				if k > 0 {
					all.WriteByte(' ')
				}
				all.WriteString(strconv.FormatFloat(float64(n), 'g', 5, 32))
			}
			all.WriteByte('\n')
			continue
		}
		w := strings.Fields(want[i])
		if len(w) != len(got) {
			t.Fatalf("%d numbers, not %d", len(got), len(w))
		}
		for k, n := range got {
			m, err := strconv.ParseFloat(w[k], 64)
			if d := math.Abs(float64(n) - m); err != nil || !(d <= 1e-4*max(1, math.Abs(m))) {
				t.Fatalf("number %d of %.60s: %v, not %v", k, x.line, n, m)
			}
		}
	}
	if *update {
		if err := os.WriteFile(verdicts, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A verdict turned back is about the same points: what may be played is the same in all
// symmetries, and each move's chance is a number.
func TestSymmetries(t *testing.T) {
	j := load(t, 0)
	for _, x := range positions(t)[:3] {
		for s := range 8 {
			v, err := j.Evaluate(x.p, x.komi, s, 0)
			if err != nil {
				t.Fatal(err)
			}
			sum := v.Policy[game.Pass]
			for y := range x.p.Size() {
				for c := range x.p.Size() {
					q := game.At(c, y)
					may := x.p.At(q) == game.Empty && x.p.Playable(q) && !x.p.Vanishes(q)
					if may != (v.Policy[q] >= 0) {
						t.Fatalf("symmetry %d: %v has a chance of %v", s, q, v.Policy[q])
					}
					sum += max(v.Policy[q], 0)
				}
			}
			if math.Abs(float64(sum)-1) > 1e-4 || math.Abs(float64(v.Win+v.Loss+v.NoResult)-1) > 1e-5 {
				t.Errorf("symmetry %d: chances sum up to %v and %v", s, sum, v.Win+v.Loss+v.NoResult)
			}
		}
	}
}

// Asked together or alone, for the first time or again, a position's verdict is the same,
// and the position too.
func TestAsk(t *testing.T) {
	all := positions(t)[:3]
	j := load(t, 4<<20)
	a, err := j.Open(9, 3)
	if err != nil {
		t.Fatal(err)
	}
	fresh, _ := load(t, 0).Open(9, 1)
	var vs [3]weiqi.Verdict
	for i, x := range all {
		before := fmt.Sprint(x.p.Key(), x.p.Side(), x.p.Moves(), x.p.Passes())
		if a.Ask(x.p, x.komi, &vs[i]) {
			t.Fatal("known before it was asked about")
		}
		if now := fmt.Sprint(x.p.Key(), x.p.Side(), x.p.Moves(), x.p.Passes()); now != before {
			t.Fatalf("%s became %s", before, now)
		}
	}
	a.Run()
	j.cache.Wait()
	for i, x := range all {
		var alone, again weiqi.Verdict
		fresh.Ask(x.p, x.komi, &alone)
		fresh.Run()
		if alone != vs[i] {
			t.Errorf("%.40s: another verdict when asked alone", x.line)
		}
		if !a.Ask(x.p, x.komi, &again) {
			t.Errorf("%.40s: forgotten", x.line)
			a.Run()
		}
		if again != vs[i] {
			t.Errorf("%.40s: another verdict when asked again", x.line)
		}
		if a.Ask(x.p, x.komi+1, &again) {
			t.Errorf("%.40s: another komi is taken for the same", x.line)
		}
		a.Run()
	}
}

// A cache of little memory keeps to it and goes on answering.
func TestSmallCache(t *testing.T) {
	j := load(t, 64<<10)
	x := positions(t)[0]
	a, _ := j.Open(9, 1)
	var v weiqi.Verdict
	for i := range 300 {
		a.Ask(x.p, float64(i), &v)
		a.Run()
	}
	j.cache.Wait()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if left := j.cache.MaxCost() - j.cache.RemainingCost(); left <= 64<<10 {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("holds %d bytes", left)
		}
	}
}
