package openings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings/rule"
)

// sage looks one move ahead at the points near the centre and tells its lines.
type sage struct {
	value func(*game.Record) int // of a position, for Black
	nodes int64
}

func (s *sage) Configure(engine.Options) {}
func (s *sage) Forget()                  {}

func (s *sage) Think(_ context.Context, rec *game.Record, lim game.Limits, tell func(game.Info)) (game.Choice, error) {
	s.nodes += lim.Nodes
	g, err := engine.Replay(rec)
	if err != nil {
		return game.Choice{}, err
	}
	type move struct {
		q     game.Point
		value int
	}
	var moves []move
	for y := range 15 {
		for x := range 15 {
			q := game.At(x, y)
			if g.Legal(q) != nil || slices.Contains(lim.Avoid, q) || !near(q) && lim.Avoid == nil {
				continue
			}
			v := s.value(after(rec, q))
			if rec.ToMove() == game.White {
				v = -v
			}
			moves = append(moves, move{q, v})
		}
	}
	slices.SortStableFunc(moves, func(a, b move) int { return cmp.Compare(b.value, a.value) })
	info := func(i int) game.Info {
		return game.Info{MultiPV: i + 1, Depth: 1, Value: unfair(rec, moves[i].value), Nodes: lim.Nodes, PV: []game.Point{moves[i].q}}
	}
	for i := range min(max(1, lim.MultiPV), len(moves)) {
		if tell != nil {
			tell(info(i))
		}
	}
	return game.Choice{Point: moves[0].q, Info: info(0)}, nil
}

func near(q game.Point) bool { return q.X() >= 3 && q.X() <= 11 && q.Y() >= 3 && q.Y() <= 11 }

// at returns an opening after some choices.
func at(t *testing.T, name string, choices ...string) *rule.Opening {
	t.Helper()
	r, err := rule.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	v := game.Variant{Rule: game.Renju, Size: 15}
	if r.Games == nil {
		v.Rule = game.Standard
	}
	o, err := rule.New(r, v)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range choices {
		c, err := rule.ParseChoice(s, 15)
		if err == nil {
			err = o.Do(c)
		}
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return o
}

// fifthWorth values a position by Black's fifth stone, or by base where there is none.
func fifthWorth(base int, worth func(game.Point) int) func(*game.Record) int {
	return func(rec *game.Record) int {
		if n := len(rec.Moves); n >= 5 {
			return worth(rec.Moves[4].Point)
		}
		return base
	}
}

// down gives the points from the top left on 100, 90, 80 ...
func down(q game.Point) int { return 100 - 10*((q.Y()-3)*9+q.X()-3) }

func TestDecide(t *testing.T) {
	ask := func(o *rule.Opening, value func(*game.Record) int) rule.Choice {
		t.Helper()
		s := &sage{value: value}
		c, err := Decide(context.Background(), s, o, enough, nil)
		if err != nil {
			t.Fatalf("%s: %v", o.Text(), err)
		}
		if s.nodes > enough.Nodes {
			t.Errorf("%s: %d nodes", o.Text(), s.nodes)
		}
		return c
	}
	constantly := func(v int) func(*game.Record) int { return func(*game.Record) int { return v } }

	// A side is taken by its value where nothing is to be put.
	three := "A1 H9 O15"
	for _, c := range []struct {
		black int
		want  string
	}{{1, "swap"}, {-1, "stay"}} {
		if got := ask(at(t, "swap", three), constantly(c.black)).Text(15); got != c.want {
			t.Errorf("Black is worth %d: %s", c.black, got)
		}
	}

	// The best stone of a zone, not of the board.
	want := game.At(11, 4)
	best := func(rec *game.Record) int {
		v := 0
		for _, m := range rec.Moves[2:] {
			v += map[game.Point]int{game.At(8, 8): 90, want: 50}[m.Point]
		}
		return v
	}
	if c := ask(at(t, "pro", "H8", "H9"), best); c.Points[0] != want {
		t.Errorf("pro: %s", c.Text(15))
	}

	// The fifths offered are the best ones, only one of two symmetrical ones, and the
	// opponent keeps the worst.
	o := at(t, "rif", "H8 H9 H10", "stay", "H12")
	middle := func(q game.Point) int { return 50 - 10*abs(q.X()-7) + q.Y() }
	c := ask(o, fifthWorth(0, middle))
	if err := o.Do(c); err != nil {
		t.Fatal(err)
	}
	for _, q := range c.Points {
		if q.X() != 7 || q.Y() < 9 {
			t.Errorf("offers %s", c.Text(15))
		}
	}
	kept := ask(o, fifthWorth(0, middle)).Points[0]
	for _, q := range c.Points {
		if middle(q) < middle(kept) {
			t.Errorf("keeps %s of %s", kept.Name(15), c.Text(15))
		}
	}

	// With n fifths ahead Black's side is worth the n-th best: 35, 25, 15, 5, -5 ... White who
	// may still put the fourth stone takes the best of these points away first.
	steep := func(q game.Point) int { return down(q) - 65 }
	for n, want := range map[int][2]string{3: {"stay", "swap"}, 4: {"stay", "stay"}, 5: {"swap", "stay"}} {
		black := at(t, "soosyrv-8", "H8 I8 G7", "stay", fmt.Sprintf("A1 %d", n))
		white := at(t, "yamaguchi", fmt.Sprintf("H8 I8 G7 %d", n))
		for i, o := range []*rule.Opening{black, white} {
			if got := ask(o, fifthWorth(900, steep)).Text(15); got != want[i] {
				t.Errorf("%s, %d fifths: %s", o.Rule().Name, n, got)
			}
		}
	}
	// The number declared is the one with which the position is even: White's fourth stone
	// leaves Black 19, 9, -1.
	for _, o := range []*rule.Opening{at(t, "soosyrv-8", "H8 I8 G7", "stay"), at(t, "yamaguchi")} {
		if c := ask(o, fifthWorth(900, func(q game.Point) int { return down(q) - 71 })); c.Count != 3 {
			t.Errorf("%s: declares %d", o.Rule().Name, c.Count)
		}
	}
	// White's fourth stone is the one that leaves Black the worst second fifth.
	good := game.At(5, 5)
	worst := func(rec *game.Record) int {
		switch n := len(rec.Moves); {
		case n == 4 && rec.Moves[3].Point == good:
			return -1 // looks only a little better ...
		case n >= 5 && rec.Moves[3].Point == good:
			return down(rec.Moves[4].Point) - 300 // ... and is much better
		case n >= 5:
			return down(rec.Moves[4].Point)
		}
		return 0
	}
	if c := ask(at(t, "rif", "H8 I8 G7", "stay"), worst); c.Points[0] != good {
		t.Errorf("the fourth stone is %s", c.Text(15))
	}

	// Taraguchi's fork: ten good fifths are offered; a lost side is given away; else Black
	// puts an even stone within the square.
	fork := at(t, "taraguchi-10", "H8", "stay", "I9", "stay", "J10", "stay", "G9")
	if c := ask(fork, fifthWorth(0, func(q game.Point) int { return 141 - (100-down(q))/10*10 })); len(c.Points) != 10 { // 141 ... 51
		t.Errorf("fork: %s", c.Text(15))
	}
	if c := ask(fork, constantly(-slim-1)); !c.Swap {
		t.Errorf("fork: %s", c.Text(15))
	}
	even := func(q game.Point) bool { return q.X() == 9 || q.X() == 5 }
	if c := ask(fork, fifthWorth(0, func(q game.Point) int {
		if even(q) {
			return 3
		}
		return slim
	})); len(c.Points) != 1 || !even(c.Points[0]) {
		t.Errorf("fork: %s", c.Text(15))
	}
	// Who came to Black by a swap there puts an even stone too.
	if c := ask(at(t, "taraguchi-10", "H8", "stay", "I9", "stay", "J10", "stay", "G9", "swap"), fifthWorth(0, func(q game.Point) int {
		return 500 - 490*map[bool]int{true: 1}[even(q)]
	})); !even(c.Points[0]) {
		t.Errorf("after the fork: %s", c.Text(15))
	}
}

// Whole openings by every rule, with a quiet engine, a broken one, in a hurry or not at all,
// end in ordinary play, and the choice is open even when there is an error.
func TestDecideAlways(t *testing.T) {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for _, name := range rule.Names() {
		r, _ := rule.Find(name)
		for _, size := range []int{9, 15, 20} {
			v := game.Variant{Rule: game.Omok, Size: size}
			if r.Games != nil {
				v.Rule = r.Games[0]
			}
			for i, lim := range []game.Limits{{Nodes: 3000}, {Instant: true}, {Nodes: 1}, {Hard: time.Millisecond}} {
				for k, e := range []engine.Engine{&fake{}, &fake{err: errors.New("broken")}, &fake{value: worth(scatter)}} {
					ctx := context.Background()
					if i == 1 && k == 0 {
						ctx = gone
					}
					o, err := rule.New(r, v)
					if err != nil {
						t.Fatal(err)
					}
					rng := rand.New(rand.NewPCG(uint64(i), uint64(k)))
					for steps := 0; !o.Done() && steps < 20; steps++ {
						c, _ := Decide(ctx, e, o, lim, rng)
						if err := o.Do(c); err != nil {
							t.Fatalf("%s %d %+v: %s: %v", name, size, lim, o.Text(), err)
						}
					}
					if !o.Done() {
						t.Errorf("%s %d: %s", name, size, o.Text())
					}
					if c, err := Decide(ctx, e, o, lim, rng); err == nil || c.Swap || c.Points != nil {
						t.Errorf("after the end: %+v", c)
					}
				}
			}
		}
	}
}

// The real engine through every rule: no error, the same choices from the same seed, others
// from another where the rule leaves several even ones.
func TestDecideEngine(t *testing.T) {
	for _, name := range rule.Names() {
		r, _ := rule.Find(name)
		v := game.Variant{Rule: game.Standard, Size: 15}
		if r.Games != nil {
			v.Rule = r.Games[0]
		}
		v = r.Variant(v)
		e, err := engine.New(v, engine.Options{Memory: 32 << 20})
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]bool{}
		for _, seed := range []uint64{1, 2, 1} {
			e.Forget()
			o, _ := rule.New(r, v)
			rng := rand.New(rand.NewPCG(seed, 0))
			for !o.Done() {
				c, err := Decide(context.Background(), e, o, game.Limits{Nodes: 3000}, rng)
				if err != nil {
					t.Fatalf("%s: %s: %v", name, o.Text(), err)
				}
				if err := o.Do(c); err != nil {
					t.Fatalf("%s: %s: %v", name, o.Text(), err)
				}
			}
			t.Logf("%s: %s", name, o.Text())
			texts[o.Text()] = true
		}
		if len(texts) > 2 {
			t.Errorf("%s: the same seed, other choices", name)
		}
		engine.Close(e)
	}
}
