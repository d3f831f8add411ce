package eval

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"tengen/engine/game"
	"tengen/engine/line"
)

// Every code has a number of its own, and the numbers leave no gap.
func TestNumber(t *testing.T) {
	seen := map[int]bool{}
	for a := range line.NumShapes {
		for b := a; b < line.NumShapes; b++ {
			for c := b; c < line.NumShapes; c++ {
				for d := c; d < line.NumShapes; d++ {
					n := Number([4]line.Shape{a, b, c, d})
					if n < 0 || n >= NumCodes || seen[n] {
						t.Fatalf("%v: number %d", []line.Shape{a, b, c, d}, n)
					}
					seen[n] = true
				}
			}
		}
	}
	if len(seen) != NumCodes {
		t.Errorf("%d codes, want %d", len(seen), NumCodes)
	}
}

func randomWeights(seed uint64) *Weights {
	rng := rand.New(rand.NewPCG(seed, 0))
	w := new(Weights)
	for c := range 2 {
		for m := range 2 {
			for n := range NumCodes {
				w.Points[c][m][n] = int16(rng.IntN(2000) - 1000)
			}
		}
		for n := range NumThreats {
			w.Threats[c][n] = int16(rng.IntN(2000) - 1000)
		}
	}
	return w
}

func TestWeightsRoundTrip(t *testing.T) {
	w := randomWeights(1)
	var whole []byte
	for _, taking := range []*Taking{nil, {Taken: [5]int16{-9, 0, 9, 5000, -5000}, Next: [16]int16{15: 7}}} {
		w.Taking = taking
		var b bytes.Buffer
		if err := w.Write(&b); err != nil {
			t.Fatal(err)
		}
		whole = bytes.Clone(b.Bytes())
		got, err := ReadWeights(&b)
		if err != nil || !reflect.DeepEqual(got, w) {
			t.Fatalf("not the same weights: %v", err)
		}
	}
	for _, bad := range [][]byte{nil, whole[:len(whole)/2], []byte("no weights at all")} {
		if _, err := ReadWeights(bytes.NewReader(bad)); err == nil {
			t.Errorf("%d bytes of %d are accepted", len(bad), len(whole))
		}
	}
}

// The weights of the games played are there and hold something.
func TestEmbeddedWeights(t *testing.T) {
	for r := game.Freestyle; r <= game.CaroSix; r++ {
		rules, err := line.RulesOf(game.Variant{Rule: r, Size: 15})
		if err != nil {
			t.Fatal(err)
		}
		w := Learned(rules.Name)
		if w == nil {
			t.Errorf("no weights of %s", rules.Name)
			continue
		}
		if *w == (Weights{}) {
			t.Errorf("the weights of %s are all zero", rules.Name)
		}
	}
	if Learned("no such game") != nil {
		t.Error("weights of no game")
	}
}

// Where both sides play by the same rules, swapping the colours of a position changes
// nothing for the side to move.
func TestColoursAreAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, r := range []game.Rule{game.Freestyle, game.Standard, game.Caro, game.CaroSix} {
		rules, _ := line.RulesOf(game.Variant{Rule: r, Size: 15})
		_, e := For(rules)
		a, b := line.NewPosition(Table(rules), 15), line.NewPosition(Table(rules), 15)
		b.SetSide(game.White)
		different := map[int]bool{}
		for a.Ply() < 60 {
			q := game.At(rng.IntN(15), rng.IntN(15))
			if a.At(q) != game.Empty {
				continue
			}
			a.Make(q)
			b.Make(q)
			va, vb := e.Evaluate(a), e.Evaluate(b)
			if va != vb {
				t.Fatalf("%s, %d stones: %d and, colours swapped, %d", rules.Name, a.Ply(), va, vb)
			}
			different[va] = true
		}
		if len(different) < 10 {
			t.Errorf("%s: only %d different values", rules.Name, len(different))
		}
	}
}

// The lanes of the position and the weights are the same numbers.
func TestEvaluateIsTheSum(t *testing.T) {
	rules, _ := line.RulesOf(game.Variant{Rule: game.Renju, Size: 15})
	w := randomWeights(3)
	p := line.NewPosition(line.NewTable(rules, w), 15)
	rng := rand.New(rand.NewPCG(4, 4))
	for p.Ply() < 80 {
		q := game.At(rng.IntN(15), rng.IntN(15))
		if p.At(q) != game.Empty {
			continue
		}
		p.Make(q)
		me := p.Side()
		sum := int(w.Threats[me][Threats(p)])
		for y := range 15 {
			for x := range 15 {
				q := game.At(x, y)
				if p.At(q) != game.Empty {
					continue
				}
				for c := range game.Empty {
					s := p.Shapes(c, q)
					for i := range s {
						for j := range i {
							if s[j] > s[i] {
								s[i], s[j] = s[j], s[i]
							}
						}
					}
					if n := Number(s); c == me {
						sum += int(w.Points[c][0][n])
					} else {
						sum -= int(w.Points[c][1][n])
					}
				}
			}
		}
		want := max(-maxStatic, min(maxStatic, sum/line.ValueUnit))
		if got := w.Evaluate(p); got != want {
			t.Fatalf("%d stones: %d, want %d", p.Ply(), got, want)
		}
	}
}
