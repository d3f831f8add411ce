package train

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/eval/nnue"
)

// games returns random games whose winner is the side with more stones in the left half: a
// thing that a network can learn from the shapes near edges, a little.
func someGames(rule game.Rule, n int) (line.Rules, []*Game) {
	rng := rand.New(rand.NewPCG(uint64(rule), 9))
	r, err := line.RulesOf(game.Variant{Rule: rule, Size: 9, FreeOpening: true})
	if err != nil {
		panic(err)
	}
	var all []*Game
	for range n {
		g := &Game{Rule: rule.String(), Size: 9, Opening: 4}
		p := line.NewPosition(line.NewTable(r, nil), 9)
		left := 0
		for len(g.Moves) < 24 && !p.Won() {
			q := game.At(rng.IntN(9), rng.IntN(9))
			if p.At(q) != game.Empty {
				continue
			}
			if q.X() < 4 {
				left += 1 - 2*int(p.Side())
			}
			p.Make(q)
			g.Moves = append(g.Moves, int(q))
		}
		for i := 4; i < len(g.Moves); i++ {
			v := 60 * left
			if i%2 == 1 {
				v = -v
			}
			g.Values = append(g.Values, v)
		}
		g.Winner = max(-1, min(1, left))
		all = append(all, g)
	}
	return r, all
}

func netSet(t *testing.T, rule game.Rule, n int) (line.Rules, *NetSet) {
	t.Helper()
	r, games := someGames(rule, n)
	s := new(NetSet)
	for i, g := range games {
		if err := s.Add(r, g, i%10 == 0); err != nil {
			t.Fatal(err)
		}
	}
	if s.Len() < n {
		t.Fatal(s.Len(), "positions")
	}
	return r, s
}

// The gradient is that of the loss: a small step along a parameter changes it as told.
func TestGradient(t *testing.T) {
	for _, rule := range []game.Rule{game.Freestyle, game.Renju} {
		r, s := netSet(t, rule, 20)
		same := alike(r)
		f := NetFit{Rules: r}
		rng := rand.New(rand.NewPCG(1, 1))
		m := f.begin(rng)
		for j := range width { // where nothing is near, no unit is just at its limit
			m.K[0][3][j], m.K[1][3][j] = 0.05, -0.05
		}
		w := new(scratch)
		x := &s.samples[3]
		const target = 0.7
		loss := func() float64 {
			p := squash(float64(m.forward(s, x, same, w)) * Scale)
			return -target*math.Log(p) - (1-target)*math.Log(1-p)
		}
		y := m.forward(s, x, same, w)
		m.backward(s, x, same, w, float32(squash(float64(y)*Scale)-target))
		p, g := flat(m), flat(&w.grad)
		checked := 0
		for i := range p {
			if math.Abs(float64(g[i])) < 3e-3 || rng.IntN(4) > 0 && checked > 50 {
				continue
			}
			checked++
			const h = 2e-3
			at := p[i]
			p[i] = at + h
			up := loss()
			p[i] = at - h
			down := loss()
			p[i] = at
			if d := (up - down) / (2 * h); math.Abs(d-float64(g[i])) > 0.05*math.Abs(d)+2e-3 {
				t.Errorf("%v: parameter %d: %.5f, told %.5f", rule, i, d, g[i])
			}
		}
		if checked < 50 {
			t.Errorf("%v: %d parameters checked", rule, checked)
		}
	}
}

// A fit learns, the same each time, and what is rounded is what was learned; a fit can go
// on from its result.
func TestNetFit(t *testing.T) {
	r, s := netSet(t, game.Freestyle, 300)
	var log bytes.Buffer
	f := NetFit{Rules: r, Epochs: 4, Batch: 512, Rate: 0.003, Blend: 0.5, Seed: 1, Workers: 3, Log: &log}
	run := func() *nnue.Net {
		n, err := f.Run(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	n := run()
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	loss := func(l string) string { return strings.Fields(l)[3] }
	if len(lines) != 5 || loss(lines[4]) >= loss(lines[0]) {
		t.Error(log.String())
	}
	f.Log = nil
	if d := cmp.Diff(n, run()); d != "" {
		t.Error("another network the second time")
	}
	// Broken off after two epochs, it goes on to the same network.
	losses := f.Losses
	f.State = filepath.Join(t.TempDir(), "state")
	ctx, cancel := context.WithCancel(context.Background())
	f.Log = writer(func(line string) {
		if strings.HasPrefix(line, "epoch  2") {
			cancel()
		}
	})
	if n, err := f.Run(ctx, s); n != nil || !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	log.Reset()
	f.Log = &log
	if d := cmp.Diff(n, run()); d != "" {
		t.Error("another network after a break")
	}
	if s := log.String(); !strings.HasPrefix(s, "1 of 4 epochs were done\nepoch  2 ") && !strings.HasPrefix(s, "2 of 4 epochs were done\nepoch  3 ") {
		t.Error(s)
	}
	if d := cmp.Diff(losses, f.Losses); d != "" {
		t.Error(d)
	}
	f.Seed = 2
	if _, err := f.Run(context.Background(), s); err == nil || !strings.Contains(err.Error(), "is the state of another fit") {
		t.Error(err)
	}
	f.Seed, f.State, f.Log = 1, "", nil
	// The integers against the real numbers they were made from.
	m := new(params)
	m.read(n)
	w := new(scratch)
	p := line.NewPosition(line.NewTable(r, nil), 9)
	_, games := someGames(game.Freestyle, 20)
	k := 0
	for _, g := range games {
		var one NetSet
		if err := one.Add(r, g, false); err != nil {
			t.Fatal(err)
		}
		p.Reset()
		i := 0
		for ply, q := range g.Moves {
			if i < one.Len() && ply >= g.Opening && quiet(p, one.vcf) {
				x := one.samples[i]
				x.table = 0
				want := float64(m.forward(&one, &x, true, w)) * Scale
				got := float64(nnue.NewState(n).Evaluate(p, int(x.threat))) / nnue.OutUnits
				if math.Abs(got-want) > 2+0.03*math.Abs(want) {
					t.Errorf("%.1f, want %.1f", got, want)
				}
				i++
				k++
			}
			p.Make(game.Point(q))
		}
	}
	if k < 100 {
		t.Error(k, "positions")
	}
	f.From = n
	f.Epochs = 0
	if d := cmp.Diff(n, run()); d != "" {
		t.Error("what is read is not what was written:", d)
	}
}

// writer is told what is written.
type writer func(string)

func (w writer) Write(b []byte) (int, error) {
	w(string(b))
	return len(b), nil
}

// A curve is a picture for any losses, those that are none too.
func TestWriteCurve(t *testing.T) {
	for name, losses := range map[string][]Loss{
		"none": nil,
		"one":  {{0, 0.6, 0.6, 0.6, 0.6, 0, 0}},
		"nan":  {{0, math.NaN(), 0.6, 0.6, 0.6, 0, 0}, {1, 0.5, 0.6, 0.6, 0.6, 0, 0}},
		"some": {{0, 0.7, 0.7, 0.65, 0.66, 0, 0}, {40, 0.6, 0.61, 0.65, 0.66, 0, 0}},
	} {
		var b bytes.Buffer
		if err := WriteCurve(&b, "a < b", losses); err != nil {
			t.Fatal(err)
		}
		dec := xml.NewDecoder(&b)
		lines := 0
		for {
			tok, err := dec.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := tok.(xml.StartElement); ok && e.Name.Local == "polyline" {
				lines++
				if p := e.Attr[0].Value; name == "some" && lines == 1 && p != "60.0,30.0 490.0,320.0" {
					t.Errorf("%s: %s", name, p)
				}
			}
		}
		if want := min(len(losses), 1) * 4; lines != want {
			t.Errorf("%s: %d lines", name, lines)
		}
	}
}
