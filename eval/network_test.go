package eval

import (
	"math/rand/v2"
	"testing"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/eval/nnue"
)

// Each embedded network is of the game whose name it has, and changes what the table says.
func TestNets(t *testing.T) {
	files, err := nets.ReadDir("nets")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		r, err := nets.Open("nets/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		_, name, err := nnue.Read(r)
		r.Close()
		if err != nil || name+".zst" != f.Name() {
			t.Errorf("%s: %q, %v", f.Name(), name, err)
		}
		rule, err := game.ParseRule(name)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := line.RulesOf(game.Variant{Rule: rule, Size: 15})
		if err != nil {
			t.Fatal(err)
		}
		_, with := For(rules)
		without := Plain(rules)
		p := line.NewPosition(Table(rules), 15)
		differ := 0
		for _, q := range []game.Point{game.At(7, 7), game.At(8, 8), game.At(3, 4), game.At(9, 7), game.At(6, 6)} {
			p.Make(q)
			if with.Evaluate(p) != without.Evaluate(p) {
				differ++
			}
		}
		if differ == 0 {
			t.Errorf("%s says what the table says", name)
		}
	}
}

// In positions of careless play (of twelve points near stones, the best for both by its
// shapes), a rough value is nearly always within the margin, and without a margin the same.
func TestRough(t *testing.T) {
	for _, rule := range []game.Rule{game.Freestyle, game.Standard, game.Renju, game.Caro, game.Omok, game.Pente} {
		r, err := line.RulesOf(game.Variant{Rule: rule, Size: 15})
		if err != nil {
			t.Fatal(err)
		}
		_, e := For(r)
		rng := rand.New(rand.NewPCG(1, uint64(rule)))
		far, all := 0, 0
		for range 40 {
			p := line.NewPosition(Table(r), 15)
			p.Make(game.At(7, 7))
			for range 30 {
				var near line.Set
				p.Near(&near)
				q := game.NoPoint
				for n := 0; n < 12; {
					r := game.At(rng.IntN(15), rng.IntN(15))
					if !near.Has(r) || !p.Playable(p.Side(), r) {
						continue
					}
					if n++; q == game.NoPoint || p.Score(p.Side(), r) > p.Score(p.Side(), q) {
						q = r
					}
				}
				if p.Make(q); p.Won() {
					break
				}
				all++
				if d := e.Evaluate(p) - e.Rough(p); max(d, -d) > e.Margin() {
					far++
				}
			}
		}
		if t.Logf("%v: %d of %d outside", rule, far, all); far > all/10 || far > 0 && e.Margin() == 0 {
			t.Errorf("%v: %d of %d rough values are outside the margin", rule, far, all)
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	rules, _ := line.RulesOf(game.Variant{Size: 15})
	_, with := For(rules)
	p := line.NewPosition(Table(rules), 15)
	for _, q := range []game.Point{game.At(7, 7), game.At(8, 8), game.At(3, 4), game.At(9, 7), game.At(6, 6)} {
		p.Make(q)
	}
	moves := []game.Point{game.At(9, 9), game.At(6, 7), game.At(8, 6), game.At(7, 9)}
	for _, c := range []struct {
		name string
		e    Evaluator
	}{{"table", Plain(rules)}, {"network", with}} {
		b.Run(c.name, func(b *testing.B) {
			c.e.Evaluate(p)
			for i := range b.N {
				p.Make(moves[i%len(moves)])
				c.e.Evaluate(p)
				p.Unmake()
			}
		})
	}
}
