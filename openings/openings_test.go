package openings

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"tengen/engine"
	"tengen/engine/game"
)

// fake is an engine whose value of a position is known; its move is the first empty point.
type fake struct {
	value  func(*game.Record) int // for the side to move
	err    error
	fail   func(*game.Record) bool
	wait   bool // search until the soft limit
	calls  int
	nodes  int64
	limits []game.Limits
	seen   []*game.Record
}

func (f *fake) Think(ctx context.Context, rec *game.Record, lim game.Limits, tell func(game.Info)) (game.Choice, error) {
	f.calls++
	f.limits = append(f.limits, lim)
	f.seen = append(f.seen, rec)
	if f.err != nil || f.fail != nil && f.fail(rec) {
		return game.Choice{}, errors.Join(f.err, errors.New("fake error"))
	}
	if f.wait {
		select {
		case <-time.After(lim.Soft):
		case <-ctx.Done():
		}
	}
	f.nodes += lim.Nodes
	c := game.Choice{Point: game.NoPoint, Info: game.Info{Nodes: lim.Nodes}}
	if f.value != nil {
		c.Info.Value = unfair(rec, f.value(rec))
	}
	for p := game.Point(0); p < game.NumPoints; p++ {
		if p.On(rec.Variant.Size) && !slices.ContainsFunc(rec.Moves, func(m game.Move) bool { return m.Point == p }) {
			c.Point = p
			break
		}
	}
	return c, nil
}

// unfair is what a search says of a position whose Fair value is so.
func unfair(rec *game.Record, value int) int {
	if value < -game.MaxValue || value > game.MaxValue {
		return value
	}
	return value - Fair(rec.Variant, rec.ToMove(), 0)
}

func TestFair(t *testing.T) {
	for _, v := range []int{0, 40, -300, game.Win - 5, 5 - game.Win} {
		rec := alternating(standard, points(t, 15, "A1", "H8", "O15"))
		if got := Fair(standard, game.White, unfair(rec, v)); got != v {
			t.Errorf("%d is %d", v, got)
		}
	}
	if Fair(standard, game.White, even[game.Standard][1]) != 0 || Fair(game.Variant{Rule: game.Keryo, Size: 19}, game.White, 9) != 9 {
		t.Error("even chances are not 0")
	}
}

func (f *fake) Configure(engine.Options) {}
func (f *fake) Forget()                  {}

func constant(v int) func(*game.Record) int { return func(*game.Record) int { return v } }

// worth gives each point a weight; a position is worth the mover's weights less the other's.
func worth(weight func(game.Point) int) func(*game.Record) int {
	return func(rec *game.Record) int {
		v := 0
		for _, m := range rec.Moves {
			if m.Color == rec.ToMove() {
				v += weight(m.Point)
			} else {
				v -= weight(m.Point)
			}
		}
		return v
	}
}

func scatter(p game.Point) int { return int(p) * 7919 % 301 } // a different weight almost everywhere

var (
	standard = game.Variant{Rule: game.Standard, Size: 15}
	enough   = game.Limits{Nodes: 200_000}
)

func points(t *testing.T, size int, names ...string) []game.Point {
	t.Helper()
	var ps []game.Point
	for _, n := range names {
		p, err := game.ParseName(n, size)
		if err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
	}
	return ps
}

func checkDistinct(t *testing.T, size int, stones, ps []game.Point) {
	t.Helper()
	for i, p := range ps {
		if !p.On(size) || slices.Contains(ps[:i], p) || slices.Contains(stones, p) {
			t.Errorf("size %d: %v after %v", size, ps, stones)
		}
	}
}

func TestSwap2Proposes(t *testing.T) {
	f := &fake{value: worth(scatter)}
	r, err := Swap2(context.Background(), f, standard, nil, enough, nil)
	if err != nil || r.Swap || len(r.Points) != 3 {
		t.Fatal(r, err)
	}
	checkDistinct(t, 15, nil, r.Points)
	best := abs(f.value(alternating(standard, r.Points)))
	for _, rec := range f.seen {
		if len(rec.Moves) != 3 || rec.ToMove() != game.White {
			t.Fatal(rec.Moves)
		}
		if v := abs(f.value(rec)); v < best {
			t.Errorf("took an opening worth %d, knew one worth %d", best, v)
		}
	}
	if best > 20 || f.nodes > enough.Nodes {
		t.Errorf("value %d, %d nodes", best, f.nodes)
	}
	again, _ := Swap2(context.Background(), &fake{value: worth(scatter)}, standard, nil, enough, nil)
	other, _ := Swap2(context.Background(), &fake{value: worth(scatter)}, standard, nil, enough, rand.New(rand.NewPCG(3, 4)))
	if !reflect.DeepEqual(r, again) || reflect.DeepEqual(r, other) {
		t.Errorf("%v, again %v, otherwise %v", r, again, other)
	}
}

func TestSwap2Chooses(t *testing.T) {
	three := points(t, 15, "H8", "I8", "J6")
	five := append(slices.Clip(three), points(t, 15, "F10", "K11")...)
	for _, c := range []struct {
		stones []game.Point
		value  int // White to move
		swap   bool
		n      int
	}{
		{three, -slim - 1, true, 0},
		{three, slim + 1, false, 1},
		{three, -1, true, 0},
		{three, 0, false, 1},
		{five, -1, true, 0},
		{five, 0, false, 1},
		{five, 500, false, 1},
	} {
		for _, lim := range []game.Limits{enough, {Soft: 20 * time.Second}, {Hard: 20 * time.Second}} {
			f := &fake{value: constant(c.value)}
			r, err := Swap2(context.Background(), f, standard, c.stones, lim, nil)
			if err != nil || r.Swap != c.swap || len(r.Points) != c.n {
				t.Errorf("%d stones, value %d: %+v, %v", len(c.stones), c.value, r, err)
			}
			checkDistinct(t, 15, c.stones, r.Points)
			if f.seen[0].ToMove() != game.White || len(f.seen[0].Moves) != len(c.stones) {
				t.Errorf("asked about %v", f.seen[0].Moves)
			}
			if f.calls != 1 || f.limits[0].Nodes != lim.Nodes { // one search of all there is
				t.Errorf("%d searches, %+v", f.calls, f.limits)
			}
		}
	}
}

// Every phase on every size, with a quiet engine, a failing one, in a hurry or not at all.
func TestSwap2IsLegal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for size := 5; size <= 22; size++ {
		v := game.Variant{Rule: game.Standard, Size: size}
		for _, n := range []int{0, 3, 5} {
			var stones []game.Point
			for len(stones) < n {
				if p := game.At(rng.IntN(size), rng.IntN(size)); !slices.Contains(stones, p) {
					stones = append(stones, p)
				}
			}
			for i, lim := range []game.Limits{{Nodes: 3000}, {Instant: true}, {Nodes: 1}, {Hard: time.Millisecond}, {Soft: -1}, {Start: time.Unix(0, 0), Hard: time.Second}} {
				for _, f := range []*fake{{}, {err: errors.New("fake")}, {value: worth(scatter)}} {
					ctx := context.Background()
					if i%2 == 1 {
						ctx = gone
					}
					r, err := Swap2(ctx, f, v, stones, lim, rng)
					if f.err == nil && err != nil {
						t.Errorf("size %d, %d stones, %+v: %v", size, n, lim, err)
					}
					if want := map[int][]int{0: {3}, 3: {1}, 5: {1}}[n]; !r.Swap && !slices.Contains(want, len(r.Points)) || r.Swap && (n == 0 || r.Points != nil) {
						t.Errorf("size %d, %d stones: %+v", size, n, r)
					}
					checkDistinct(t, size, stones, r.Points)
				}
			}
		}
	}
	h8 := game.At(7, 7)
	for _, stones := range [][]game.Point{{h8}, {h8, h8, 0}, {h8, 1, game.At(15, 0)}, {0, 1, 2, 3}} {
		if r, err := Swap2(context.Background(), &fake{}, standard, stones, enough, nil); err == nil || r.Swap || r.Points != nil {
			t.Errorf("%v: %+v %v", stones, r, err)
		}
	}
}

func TestBalanceOne(t *testing.T) {
	rec := alternating(standard, points(t, 15, "H8", "I9", "G7"))
	weights := worth(scatter)
	for _, bias := range []int{0, 50, -70} {
		f := &fake{value: weights}
		ps, err := Balance(context.Background(), f, rec, 1, bias, enough)
		if err != nil || len(ps) != 1 {
			t.Fatal(ps, err)
		}
		// White puts a stone: the value is White's, so Black's, who is then to move, negated.
		off := func(p game.Point) int {
			r := rec.Clone()
			r.Moves = append(r.Moves, game.Move{Color: game.White, Point: p})
			return abs(-weights(r) - bias)
		}
		best := ps[0]
		for y := 4; y <= 11; y++ {
			for x := 3; x <= 11; x++ {
				p := game.At(x, y)
				if !slices.ContainsFunc(rec.Moves, func(m game.Move) bool { return m.Point == p }) && off(p) < off(best) {
					best = p
				}
			}
		}
		if off(ps[0]) != off(best) {
			t.Errorf("bias %d: %s is off by %d, %s by %d", bias, ps[0].Name(15), off(ps[0]), best.Name(15), off(best))
		}
		if f.nodes > enough.Nodes || f.nodes < enough.Nodes/2 {
			t.Errorf("%d nodes of %d", f.nodes, enough.Nodes)
		}
	}
}

func TestBalanceTwo(t *testing.T) {
	rec := alternating(standard, points(t, 15, "H8", "I8", "J6"))
	weights := worth(scatter)
	for _, bias := range []int{0, 100, -100} {
		var first []game.Point
		for range 2 {
			f := &fake{value: weights}
			ps, err := Balance(context.Background(), f, rec, 2, bias, enough)
			if err != nil || len(ps) != 2 {
				t.Fatal(ps, err)
			}
			checkDistinct(t, 15, points(t, 15, "H8", "I8", "J6"), ps)
			r := rec.Clone()
			r.Moves = append(r.Moves, game.Move{Color: game.White, Point: ps[0]}, game.Move{Color: game.Black, Point: ps[1]})
			off := abs(weights(r) - bias)
			if off > 10 {
				t.Errorf("bias %d: off by %d", bias, off)
			}
			for _, r := range f.seen {
				if len(r.Moves) == 5 && abs(weights(r)-bias) < off {
					t.Errorf("bias %d: off by %d, knew %v", bias, off, r.Moves[3:])
				}
			}
			if first != nil && !slices.Equal(first, ps) {
				t.Errorf("%v, then %v", first, ps)
			}
			first = ps
		}
	}
}

// The empty board has its candidates near the edge too, and only one of each kind.
func TestBalanceEmpty(t *testing.T) {
	edge := func(p game.Point) int { return 100 * min(p.X(), p.Y()) }
	f := &fake{value: worth(edge)}
	ps, err := Balance(context.Background(), f, &game.Record{Variant: standard}, 1, 0, enough)
	if err != nil || edge(ps[0]) != 0 {
		t.Errorf("%v %v", ps, err)
	}
	seen := map[game.Point]bool{}
	for _, r := range f.seen {
		seen[r.Moves[0].Point] = true
	}
	if len(seen) != 8*9/2 {
		t.Errorf("%d points tried", len(seen))
	}
}

// A point that wins or is forbidden balances nothing.
func TestBalanceSkips(t *testing.T) {
	// Black's four with both ends open, White's stones far from it.
	rec := alternating(standard, points(t, 15, "F8", "A1", "G8", "C1", "H8", "E1", "I8", "G1"))
	f := &fake{value: constant(0)}
	if _, err := Balance(context.Background(), f, rec, 1, 0, enough); err != nil {
		t.Fatal(err)
	}
	// Black's double three at H8 is forbidden in renju.
	renju := alternating(game.Variant{Rule: game.Renju, Size: 15}, points(t, 15, "H7", "A1", "H9", "C1", "G8", "E1", "I8", "G1"))
	if _, err := Balance(context.Background(), f, renju, 1, 0, enough); err != nil {
		t.Fatal(err)
	}
	if len(f.seen) < 50 {
		t.Errorf("%d positions", len(f.seen))
	}
	for _, r := range f.seen {
		last := r.Moves[len(r.Moves)-1].Point
		bad := points(t, 15, "E8", "J8")
		if r.Variant.Rule == game.Renju {
			bad = points(t, 15, "H8")
		}
		if slices.Contains(bad, last) {
			t.Errorf("%v: tried %s", r.Variant, last.Name(15))
		}
	}
	over := alternating(standard, points(t, 15, "F8", "A1", "G8", "C1", "H8", "E1", "I8", "G1", "J8"))
	if ps, err := Balance(context.Background(), f, over, 1, 0, enough); err == nil {
		t.Errorf("a game that is over: %v", ps)
	}
}

func TestBalanceInNeed(t *testing.T) {
	rec := alternating(standard, points(t, 15, "H8"))
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for n := 1; n <= 2; n++ {
		for _, c := range []struct {
			ctx context.Context
			lim game.Limits
		}{{context.Background(), game.Limits{Instant: true}}, {context.Background(), game.Limits{Hard: 1}}, {gone, enough}} {
			f := &fake{}
			ps, err := Balance(c.ctx, f, rec, n, 0, c.lim)
			if err != nil || len(ps) != n || f.calls > 0 {
				t.Errorf("%v %v, %d calls", ps, err, f.calls)
			}
			checkDistinct(t, 15, points(t, 15, "H8"), ps)
		}
	}
	// An engine that fails on some positions is used for the others.
	odd := func(r *game.Record) bool { return r.Moves[len(r.Moves)-1].Point%2 == 1 }
	ps, err := Balance(context.Background(), &fake{fail: odd}, rec, 1, 0, enough)
	if err != nil || ps[0]%2 == 1 {
		t.Errorf("%v %v", ps, err)
	}
	if _, err := Balance(context.Background(), &fake{err: errors.New("broken")}, rec, 1, 0, enough); err == nil {
		t.Error("no error of an engine that always fails")
	}
	if _, err := Balance(context.Background(), &fake{}, rec, 3, 0, enough); err == nil {
		t.Error("three stones")
	}
}

// One point left, then none.
func TestBalanceFullBoard(t *testing.T) {
	rec := &game.Record{Variant: game.Variant{Rule: game.Standard, Size: 5}}
	for y := range 5 {
		for x := range 5 {
			if x+y < 8 {
				if (x+2*y)%4 < 2 {
					rec.Setup.Black = append(rec.Setup.Black, game.At(x, y))
				} else {
					rec.Setup.White = append(rec.Setup.White, game.At(x, y))
				}
			}
		}
	}
	for n := 1; n <= 2; n++ {
		if ps, err := Balance(context.Background(), &fake{}, rec, n, 0, enough); err == nil {
			t.Errorf("%d: %v; the last stone ends the game", n, ps)
		}
	}
}

// The searches together keep the limits, each having its share.
func TestBudget(t *testing.T) {
	start := time.Now()
	f := &fake{wait: true}
	lim := game.Limits{Start: start, Soft: 200 * time.Millisecond, Hard: 10 * time.Second, Depth: 9}
	if _, err := Balance(context.Background(), f, alternating(standard, points(t, 15, "H8")), 2, 0, lim); err != nil {
		t.Fatal(err)
	}
	for _, l := range f.limits {
		if end := l.Start.Add(l.Soft).Sub(start); end > lim.Soft && l.Soft > time.Millisecond || l.Soft <= 0 || l.Hard < l.Soft || l.Hard > lim.Hard || l.Depth != 9 {
			t.Errorf("%+v ends at %v", l, end)
		}
	}
	if f.calls < 3 {
		t.Errorf("%d searches", f.calls)
	}
}
