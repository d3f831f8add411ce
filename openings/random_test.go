package openings

import (
	"context"
	"reflect"
	"testing"

	"tengen/engine"
	"tengen/engine/game"
)

func generate(t *testing.T, e engine.Engine, d Draw, n int) (list []Opening, g *Generator) {
	t.Helper()
	g, err := NewGenerator(e, d)
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		o, err := g.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
	}
	return list, g
}

// Openings of every line game are legal, as many stones as asked for in a small square,
// within the window by the search that was asked for, and no two alike.
func TestGenerator(t *testing.T) {
	for r := game.Freestyle; r < game.Weiqi; r++ {
		v := game.Variant{Rule: r, Size: 15}
		f := &fake{value: worth(scatter)}
		d := Draw{Variant: v, Stones: 3, Most: 6, Spread: 6, Window: 60, Nodes: 1000, Seed: 7}
		list, g := generate(t, f, d, 30)
		keys, counts := map[string]bool{}, map[int]int{}
		for _, o := range list {
			ref, err := engine.Referee(v)
			if err != nil {
				t.Fatal(err)
			}
			box := [4]int{15, 15, 0, 0}
			for _, q := range o.Points {
				if err := ref.Play(q); err != nil {
					t.Fatalf("%v %v: %v", v, o.Points, err)
				}
				box = [4]int{min(box[0], q.X()), min(box[1], q.Y()), max(box[2], q.X()), max(box[3], q.Y())}
			}
			p, _ := PositionOf(ref)
			key, _ := p.Key(15)
			if keys[key] {
				t.Errorf("%v: %v twice", v, o.Points)
			}
			keys[key] = true
			counts[len(o.Points)]++
			if want := f.value(o.Record(v)); o.Value != want || abs(want) > 60 {
				t.Errorf("%v %v: value %d, it is %d", v, o.Points, o.Value, want)
			}
			if ref.Result().Outcome != game.Open || box[2]-box[0] > 5 || box[3]-box[1] > 5 {
				t.Errorf("%v %v: %v, square %v", v, o.Points, ref.Result(), box)
			}
		}
		if len(counts) < 3 || counts[3] == 0 {
			t.Errorf("%v: stones %v", v, counts)
		}
		if g.Looked > g.Tried || g.Looked < len(list) {
			t.Errorf("%d attempts, %d looked at", g.Tried, g.Looked)
		}
		again, _ := generate(t, &fake{value: worth(scatter)}, d, 30)
		d.Seed++
		other, _ := generate(t, &fake{value: worth(scatter)}, d, 30)
		if !reflect.DeepEqual(list, again) || reflect.DeepEqual(list, other) {
			t.Errorf("%v: the seed does not decide", v)
		}
		// Another generator goes on where this one is, and does not draw what it knows.
		d.Seed--
		more, err := NewGenerator(&fake{value: worth(scatter)}, d)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range list {
			more.Know(o.Points)
		}
		o, err := more.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		next, err := g.Next(context.Background())
		if err != nil || !reflect.DeepEqual(o, next) {
			t.Errorf("%v: %v (%v), not %v", v, next, err, o)
		}
	}
}

// Stones lie anywhere, the edges included.
func TestGeneratorEverywhere(t *testing.T) {
	list, _ := generate(t, &fake{value: constant(0)}, Draw{Variant: standard, Stones: 3, Spread: 7, Nodes: 1}, 300)
	seen := map[game.Point]bool{}
	for _, o := range list {
		for _, q := range o.Points {
			seen[q] = true
		}
	}
	if len(seen) < 150 || !seen[game.At(0, 7)] && !seen[game.At(14, 7)] {
		t.Errorf("%d of 225 points", len(seen))
	}
}

func TestGeneratorRefuses(t *testing.T) {
	good := Draw{Variant: standard, Stones: 3, Spread: 7, Nodes: 1}
	for i, change := range []func(*Draw){
		func(d *Draw) { d.Variant.Size = 3 },
		func(d *Draw) { d.Variant = game.Variant{Rule: game.Weiqi, Size: 9, Ruleset: "french"} },
		func(d *Draw) { d.Stones = 0 }, func(d *Draw) { d.Stones = 51 },
		func(d *Draw) { d.Spread = 1 }, func(d *Draw) { d.Spread, d.Stones = 2, 3 },
		func(d *Draw) { d.Window = -1 }, func(d *Draw) { d.Nodes = 0 },
	} {
		d := good
		change(&d)
		if _, err := NewGenerator(&fake{}, d); err == nil {
			t.Errorf("change %d is taken: %+v", i, d)
		}
	}
	g, err := NewGenerator(&fake{value: constant(500)}, good)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := g.Next(ctx); err != context.Canceled {
		t.Error(err)
	}
	if _, err := g.Next(context.Background()); err == nil {
		t.Error("found a balanced opening where none is")
	}
}

func TestPlayOut(t *testing.T) {
	e, err := engine.New(standard, engine.Options{Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	// Black has an open four.
	rec := alternating(standard, points(t, 15, "F8", "A1", "G8", "C1", "H8", "E1", "I8", "G1"))
	if r, err := PlayOut(context.Background(), e, rec, 100, game.MaxPly); r != game.BlackWin || err != nil {
		t.Error(r, err)
	}
	if r, err := PlayOut(context.Background(), e, alternating(standard, points(t, 15, "H8", "H9")), 30, game.MaxPly); r == game.Open || err != nil {
		t.Error(r, err)
	}
	// The same within four stones.
	if r, err := PlayOut(context.Background(), e, alternating(standard, points(t, 15, "H8", "H9")), 30, 4); r != game.Draw || err != nil {
		t.Error(r, err)
	}
}

// A generator that goes on from what another found does not take for fruitless the way to it.
func TestGeneratorGoesOn(t *testing.T) {
	d := Draw{Variant: game.Variant{Rule: game.Standard, Size: 9}, Stones: 2, Spread: 9, Nodes: 1, Seed: 3}
	f := &fake{value: constant(0)}
	list, g := generate(t, f, d, 845)
	if g.Tried <= maxMisses {
		t.Fatalf("%d attempts: too few to tell", g.Tried)
	}
	more, err := NewGenerator(f, d)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range list {
		more.Know(o.Points)
	}
	o, err := more.Next(context.Background())
	next, _ := g.Next(context.Background())
	if err != nil || !reflect.DeepEqual(o, next) {
		t.Errorf("%v (%v), not %v", o, err, next)
	}
}
