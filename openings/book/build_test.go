package book

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
)

var standard = game.Variant{Rule: game.Standard, Size: 15}

func newEngine(t *testing.T, v game.Variant) engine.Engine {
	t.Helper()
	e, err := engine.New(v, engine.Options{Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close(e) })
	return e
}

func settings(v game.Variant) Settings {
	return Settings{Variant: v, Nodes: 300, Lines: 3, Plies: 6, Error: 20, Seed: 1, Source: "test"}
}

func nothing(string) error { return nil }

// A book is the same however often its building is interrupted, and follows from its seed.
func TestBuild(t *testing.T) {
	for _, v := range []game.Variant{standard, {Rule: game.Renju, Size: 15}, {Rule: game.Pente, Size: 19}} {
		s := settings(v)
		build := func(d *Draft, s Settings, n int, told func(string) error) error {
			return Build(context.Background(), newEngine(t, v), d, s, Roots(v), n, told)
		}
		var once, often, other Draft
		if err := build(&once, s, 40, nothing); err != nil {
			t.Fatal(err)
		}
		stop := errors.New("stop")
		for often.Len(v) < 40 {
			left := 7
			var saved Draft
			if often.Len(v) > 0 { // through a file
				b := read(t, file(t, &often))
				if err := saved.Add(b); err != nil {
					t.Fatal(err)
				}
				b.Close()
			}
			often = saved
			err := build(&often, s, 40, func(string) error {
				if left--; left == 0 {
					return stop
				}
				return nil
			})
			if err != nil && err != stop {
				t.Fatal(err)
			}
		}
		if err := build(&often, s, 40, nothing); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(file(t, &once), file(t, &often)) {
			t.Errorf("%v: interruptions change the book", v)
		}
		s.Seed++
		if err := build(&other, s, 40, nothing); err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(file(t, &once), file(t, &other)) {
			t.Errorf("%v: the seed changes nothing", v)
		}
		if err := once.Check(v); err != nil {
			t.Errorf("%v: %v", v, err)
		}
		if v.Rule == game.Renju {
			n := 0
			for p, e := range once.All(v) {
				if len(p.Stones[0])+len(p.Stones[1]) == 3 && e.Source != "test" {
					n++
				}
			}
			if n != 26 {
				t.Errorf("%d of the 26 openings", n)
			}
		}
	}
}

// The values of a book are those of the best moves behind them.
func TestBackUp(t *testing.T) {
	var d Draft
	if err := Build(context.Background(), newEngine(t, standard), &d, settings(standard), Roots(standard), 60, nothing); err != nil {
		t.Fatal(err)
	}
	linked := 0
	for p, e := range d.All(standard) {
		for _, m := range e.Moves {
			g, err := engine.Replay(p.Record(standard))
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Play(m.Point); err != nil {
				t.Fatal(err)
			}
			if c := d.Find(g); c != nil {
				linked++
				if m.Value != earlier(-c.Value) {
					t.Errorf("%v %s: %d, but %d behind it", p.Stones, m.Point.Name(15), m.Value, c.Value)
				}
			}
		}
	}
	if linked < 59 {
		t.Errorf("%d moves lead on; all positions but the first follow from others", linked)
	}
}

// Good moves are followed deeper than bad ones.
func TestDropOut(t *testing.T) {
	var d Draft
	s := settings(standard)
	if err := Build(context.Background(), newEngine(t, standard), &d, s, Roots(standard), 80, nothing); err != nil {
		t.Fatal(err)
	}
	// No position further away than one that is not in the book, as distances are at the end.
	b, err := newBuilder(newEngine(t, standard), &d, s)
	if err != nil {
		t.Fatal(err)
	}
	g, _ := engine.Referee(standard)
	next := b.nearest([]string{Key(g)})
	if next == "" || d.sections[standard][next] != nil {
		t.Fatalf("next is %x", next)
	}
	deepest := 0
	for key := range d.sections[standard] {
		deepest = max(deepest, plies(key, 15))
	}
	if deepest < 4 || deepest > s.Plies {
		t.Errorf("the deepest position has %d stones", deepest)
	}
	s.Plies = 1
	var shallow Draft
	if err := Build(context.Background(), newEngine(t, standard), &shallow, s, Roots(standard), 1000, nothing); err != nil {
		t.Fatal(err)
	}
	if n := shallow.Len(standard); n != 2 { // the empty board and the stone in its centre
		t.Errorf("%d positions within one ply", n)
	}
}

func TestSearch(t *testing.T) {
	g, _ := engine.Referee(standard)
	g.Play(game.At(7, 7))
	e := newEngine(t, standard)
	x, err := Search(context.Background(), e, g.Record(), 2000, 4)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range x.Moves {
		if err := g.Play(m.Point); err != nil {
			t.Fatal(err)
		}
		if seen[Key(g)] {
			t.Errorf("%s is the image of another move", m.Point.Name(15))
		}
		seen[Key(g)] = true
		g.Undo()
	}
	if len(x.Moves) != 4 || x.Value != x.Moves[0].Value || x.Depth < 1 || x.Nodes < 2000 {
		t.Errorf("%+v", x)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Search(ctx, e, g.Record(), 2000, 4); err == nil {
		t.Error("a search that was not done has an entry")
	}
}

func TestExtend(t *testing.T) {
	var d Draft
	var roots []Root
	rec := &game.Record{Variant: standard}
	for i, q := range []game.Point{game.At(3, 3), game.At(4, 4), game.At(5, 3)} {
		rec.Moves = append(rec.Moves, game.Move{Color: game.Color(i % 2), Point: q})
		roots = append(roots, Root{rec.Clone(), "a.lib"})
	}
	roots = append(roots, roots[0])
	told := 0
	if err := Extend(context.Background(), newEngine(t, standard), &d, settings(standard), roots, func(string) error { told++; return nil }); err != nil {
		t.Fatal(err)
	}
	if d.Len(standard) != 3 || told != 3 {
		t.Errorf("%d positions, %d told", d.Len(standard), told)
	}
	for _, e := range d.All(standard) {
		if e.Source != "a.lib" {
			t.Errorf("from %q", e.Source)
		}
	}
	wrong := rec.Clone()
	wrong.Variant.Rule = game.Renju
	if err := Extend(context.Background(), newEngine(t, standard), &d, settings(standard), []Root{{wrong, ""}}, nothing); err == nil {
		t.Error("a position of renju in a book of standard")
	}
}

func TestBuildRefuses(t *testing.T) {
	for i, change := range []func(*Settings){
		func(s *Settings) { s.Nodes = 0 }, func(s *Settings) { s.Lines = 0 }, func(s *Settings) { s.Lines = 33 },
		func(s *Settings) { s.Error = 0 }, func(s *Settings) { s.Variant.Size = 3 },
		func(s *Settings) { s.Variant = game.Variant{Rule: game.Weiqi, Size: 9} },
	} {
		s := settings(standard)
		change(&s)
		if err := Build(context.Background(), newEngine(t, standard), &Draft{}, s, nil, 10, nothing); err == nil {
			t.Errorf("change %d is taken", i)
		}
	}
}

// An offer comes with everything that is answered to it.
func TestBuildSwap2(t *testing.T) {
	e := newEngine(t, standard)
	s := settings(standard)
	s.Window, s.Deeper = 40, 2
	g, err := openings.NewGenerator(e, openings.Draw{Variant: standard, Stones: 3, Spread: 7, Window: 100, Nodes: 300, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var d Draft
	next := func() (openings.Opening, error) { return g.Next(context.Background()) }
	if err := BuildSwap2(context.Background(), e, &d, s, next, 5, nothing); err != nil {
		t.Fatal(err)
	}
	if d.Offers(standard) != 5 || d.Len(standard) < 10 {
		t.Errorf("%d offers, %d positions", d.Offers(standard), d.Len(standard))
	}
	if err := d.Check(standard); err != nil {
		t.Error(err)
	}
	for _, x := range d.All(standard) {
		if x.Offer && x.off(standard) > s.Window {
			t.Errorf("an offer worth %d", x.fair(standard))
		}
	}
	l := NewLibrary(1)
	l.own = read(t, file(t, &d))
	defer l.Close()
	seen, answers := map[string]bool{}, map[string]int{}
	for range 50 {
		r, _, ok, err := l.Swap2(standard, nil)
		if !ok || err != nil || len(r.Points) != 3 {
			t.Fatal(r, ok, err)
		}
		rec := &game.Record{Variant: standard}
		for i, q := range r.Points {
			rec.Moves = append(rec.Moves, game.Move{Color: game.Color(i % 2), Point: q})
		}
		g, err := engine.Replay(rec)
		if err != nil {
			t.Fatal(err)
		}
		seen[Key(g)] = true
		answer, value, ok, err := l.Swap2(standard, r.Points)
		x := d.Find(g)
		if !ok || err != nil || x == nil || value != x.Value {
			t.Fatal(answer, value, ok, err)
		}
		// The better side or, where none is clear and they leave none, two stones as well.
		for _, q := range x.Pair {
			g.Play(q)
		}
		five := d.Find(g)
		if five == nil {
			t.Fatal("nothing is known after the pair")
		}
		two := x.off(standard) <= clear && five.off(standard) <= clear
		if x.Two && (!two || len(answer.Points) != 2) {
			t.Fatalf("no side is sure: %+v", answer)
		}
		switch {
		case two && len(answer.Points) == 2:
			answers["pair"]++
			last, value, ok, err := l.Swap2(standard, append(r.Points, answer.Points...))
			if !ok || err != nil || last.Swap != (five.fair(standard) < 0) || !last.Swap && len(last.Points) != 1 {
				t.Errorf("value %d: %+v %v %v", value, last, ok, err)
			}
		case answer.Swap != (x.fair(standard) < 0) || !answer.Swap && len(answer.Points) != 1:
			t.Errorf("values %d and %d: %+v", value, five.Value, answer)
		default:
			answers["side"]++
		}
	}
	if answers["pair"] < 10 || answers["side"] < 10 {
		t.Errorf("answers %v", answers)
	}
	if len(seen) != 5 {
		t.Errorf("%d of 5 offers were drawn", len(seen))
	}
	if _, _, ok, err := l.Swap2(standard, []game.Point{1, 2, 3}); ok || err != nil {
		t.Error("an answer to what is not in the book", err)
	}
	// The book grows behind its offers, those of five stones too.
	roots := Offered(&d, standard)
	if len(roots) != 10 || len(roots[1].Record.Moves) != 5 {
		t.Fatalf("%d beginnings", len(roots))
	}
	grown := Draft{}
	for _, r := range roots {
		g, _ := engine.Replay(r.Record)
		x := *d.Find(g)
		if err := grown.Put(g, &x); err != nil {
			t.Fatal(err)
		}
	}
	s.Plies = 2
	if err := Build(context.Background(), e, &grown, s, Offered(&grown, standard), 22, nothing); err != nil || grown.Len(standard) != 22 {
		t.Errorf("%d positions (%v)", grown.Len(standard), err)
	}
	c, err := d.Deeper(context.Background(), e, standard, 2, 0, "", func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"swap2 three", "swap2 five"} { // that is how they were chosen
		if c[kind].Looked != 5 || c[kind].Changed != 0 {
			t.Errorf("%s: %+v", kind, c[kind])
		}
	}
}

// An offer that is not even is taken back, but what is known of it stays; another gets new
// values, and another pair where its own leaves a side clear. Of the same source nothing is
// looked at twice.
func TestReview(t *testing.T) {
	e := newEngine(t, standard)
	s := settings(standard)
	s.Window, s.Lines = 20, 1
	g, err := openings.NewGenerator(e, openings.Draw{Variant: standard, Stones: 3, Spread: 7, Window: 20, Nodes: s.Nodes, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	next := func() (openings.Opening, error) { return g.Next(context.Background()) }
	var d Draft
	if err := BuildSwap2(context.Background(), e, &d, s, next, 2, nothing); err != nil {
		t.Fatal(err)
	}
	refer := func(stones ...game.Point) game.Game {
		rec := &game.Record{Variant: standard}
		for i, q := range stones {
			rec.Moves = append(rec.Moves, game.Move{Color: game.Color(i % 2), Point: q})
		}
		g, err := engine.Replay(rec)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	var even []game.Game
	var bad []game.Point
	for p, x := range d.All(standard) {
		if !x.Offer {
			continue
		}
		g := refer(p.Stones[0][0], p.Stones[1][0], p.Stones[0][1])
		if even = append(even, g); len(even) == 1 {
			// White's stone beside his first, Black's far from all.
			w := p.Stones[1][0]
			for _, q := range []game.Point{w + 1, w - 1, w + 33} {
				if bad == nil && g.Legal(q) == nil {
					bad = []game.Point{q, game.At(14*(1-w.X()/8), 14*(1-w.Y()/8))}
				}
			}
			x.Pair = bad
		}
		x.Source = "before"
		if err := d.Put(g, x); err != nil {
			t.Fatal(err)
		}
	}
	if five, err := Search(context.Background(), e, refer(slices.Concat(pointsOf(even[0]), bad)...).Record(), s.Nodes, 1); err != nil || five.off(standard) <= good {
		t.Fatalf("the bad pair is a good one: %+v (%v)", five, err)
	}
	won := refer(game.At(7, 7), game.At(0, 0), game.At(8, 8))
	if err := d.Put(won, &Entry{Nodes: 1, Offer: true, Moves: []Move{{game.At(6, 6), 0}}, Source: "before"}); err != nil {
		t.Fatal(err)
	}
	told := 0
	count := func(string) error { told++; return nil }
	s.Source = "review"
	if err := Review(context.Background(), e, &d, s, count); err != nil {
		t.Fatal(err)
	}
	if x := d.Find(won); x == nil || x.Offer || x.Pair != nil || told != 3 {
		t.Errorf("%d told, %+v", told, x)
	}
	for i, g := range even {
		x := d.Find(g)
		if !x.Offer {
			continue // its new pairs leave a side clear
		}
		if len(x.Pair) != 2 || i == 0 && slices.Equal(x.Pair, bad) || x.off(standard) > s.Window || x.Source != "review" {
			t.Errorf("%+v", x)
		}
		five := d.Find(refer(slices.Concat(pointsOf(g), x.Pair)...))
		if five == nil || five.off(standard) > good {
			t.Errorf("%+v", five)
		}
	}
	if d.Offers(standard) == 0 {
		t.Error("nothing is left")
	}
	if err := Review(context.Background(), e, &d, s, count); err != nil || told != 3 {
		t.Errorf("%d told (%v)", told, err)
	}
}

// What a player without a book answers with two stones is offered, if that is asked for, and
// what then lies on the board is known where deeper searches agree on it.
func TestHasty(t *testing.T) {
	e := newEngine(t, standard)
	s := settings(standard)
	s.Window, s.Deeper, s.Hasty = 60, 2, []int64{1500, 2500}
	g, err := openings.NewGenerator(e, openings.Draw{Variant: standard, Stones: 3, Spread: 7, Window: 60, Nodes: s.Nodes, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	var d Draft
	next := func() (openings.Opening, error) { return g.Next(context.Background()) }
	if err := BuildSwap2(context.Background(), e, &d, s, next, 2, nothing); err != nil {
		t.Fatal(err)
	}
	five := map[string]bool{}
	for p, x := range d.All(standard) {
		if !x.Offer {
			continue
		}
		g, err := engine.Replay(p.Record(standard))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range s.Hasty {
			e.Forget()
			r, err := openings.Swap2(context.Background(), e, standard, pointsOf(g), game.Limits{Nodes: n}, nil)
			if err != nil || len(r.Points) != 2 {
				t.Fatalf("%d nodes: %+v (%v)", n, r, err)
			}
			play(g, r.Points, func() error { five[Key(g)] = true; return nil })
		}
	}
	before := d.Len(standard)
	s.Source = "expected"
	told := 0
	count := func(string) error { told++; return nil }
	for range 2 {
		if err := Expect(context.Background(), e, &d, s, count); err != nil {
			t.Fatal(err)
		}
	}
	added := 0
	for p, x := range d.All(standard) {
		if key, _ := p.Key(15); x.Source == "expected" {
			added++
			if y, err := Search(context.Background(), e, p.Record(standard), s.Deeper*x.Nodes, 1); err != nil || !five[key] || (y.fair(standard) < 0) != (x.fair(standard) < 0) {
				t.Errorf("%+v, deeper %+v (%v), answered %v", x, y, err, five[key])
			}
		}
	}
	if added == 0 || d.Len(standard) != before+added || told != 4 {
		t.Errorf("%d added to %d, now %d; %d told", added, before, d.Len(standard), told)
	}
}

// What was found to change counts by what it costs: an answer is as good as another if the
// deeper values say so.
func TestAnswersOtherwise(t *testing.T) {
	at := func(v int) *Entry { // for White, 0 for even
		return &Entry{Search: v - openings.Fair(standard, game.White, 0), Moves: []Move{{Point: 1}}}
	}
	with := func(v int) *Entry { x := at(v); x.Pair = []game.Point{2, 3}; return x }
	alone := func(v int) *Entry { x := with(v); x.Two = true; return x }
	for i, c := range []struct {
		three            bool
		x, y, five, deep *Entry
		changed          bool
		loss             int
	}{
		{false, at(5), at(30), nil, nil, false, 0},
		{false, at(5), at(-3), nil, nil, true, 6},
		{false, at(-9), at(40), nil, nil, true, 80},
		{true, with(5), with(clear), at(4), at(-clear), false, 0},
		{true, with(5), with(-clear), at(4), at(-clear), true, 2 * clear},
		{true, with(5), with(clear + 1), at(4), at(3), true, clear + 4},
		{true, with(5), with(7), at(4), at(clear + 1), true, clear + 8},
		{true, with(clear + 1), with(20), at(4), at(-2), false, 0}, // no pair before
		{true, alone(5), with(-9), at(4), at(-8), false, 0},        // nor a side
		{true, alone(5), with(-clear - 1), at(4), at(-8), true, clear + 9},
	} {
		changed, loss := c.x.answersOtherwise(standard, c.three, c.y, c.five, c.deep)
		if changed != c.changed || loss != c.loss {
			t.Errorf("case %d: %v %d", i, changed, loss)
		}
	}
}

// One depth's value says less than those of the last four; a win is what it is.
func TestSteady(t *testing.T) {
	for _, c := range []struct {
		values []int
		want   int
	}{
		{nil, 7}, {[]int{3}, 3}, {[]int{999, 0, 20, 10, 30}, 15}, {[]int{10, 12, decided + 5}, 7}, {[]int{decided + 5, 1, 2, 3, 2}, 2},
	} {
		if got := steady(c.values, 7); got != c.want {
			t.Errorf("%v: %d", c.values, got)
		}
	}
}
