package eval

import (
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
