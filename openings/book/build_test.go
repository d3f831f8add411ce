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
	build := func(turn, offers int) *Draft { // of openings that are drawn in another lie
		g, err := openings.NewGenerator(e, openings.Draw{Variant: standard, Stones: 3, Spread: 7, Window: 100, Nodes: 300, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		var d Draft
		next := func() (openings.Opening, error) {
			o, err := g.Next(context.Background())
			for i := range o.Points {
				o.Points[i] = o.Points[i].Turned(15, turn)
			}
			return o, err
		}
		if err := BuildSwap2(context.Background(), e, &d, s, next, offers, nothing); err != nil {
			t.Fatal(err)
		}
		return &d
	}
	d := build(0, 6)
	if !bytes.Equal(file(t, d), file(t, build(5, 6))) {
		t.Error("the lie in which an opening is drawn changes the book")
	}
	sides, refused := 0, 0
	for p, x := range d.All(standard) {
		switch {
		case len(p.Stones[0])+len(p.Stones[1]) > 3:
		case x.Offer != (x.Pair != nil):
			t.Errorf("%+v", x)
		case !x.Offer && len(x.Moves) == 0:
			refused++
		case !x.Offer:
			if sides++; x.off(standard) < sure {
				t.Errorf("a side is sure at %d", x.fair(standard))
			}
		}
	}
	if d.Offers(standard) != 6 || sides == 0 || refused == 0 || d.Len(standard) != 2*6+sides+refused {
		t.Errorf("%d offers, %d sides, %d refused, %d positions", d.Offers(standard), sides, refused, d.Len(standard))
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
	l.own = read(t, file(t, d))
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
		// Two stones, after which a side is sure.
		for _, q := range x.Pair {
			g.Play(q)
		}
		five := d.Find(g)
		if five == nil || !slices.Equal(answer.Points, x.Pair) || five.off(standard) < sure || five.off(standard) > even {
			t.Fatalf("after the pair %+v is known; %+v", five, answer)
		}
		last, value, ok, err := l.Swap2(standard, append(r.Points, answer.Points...))
		if !ok || err != nil || last.Swap != (five.fair(standard) < 0) || !last.Swap && len(last.Points) != 1 {
			t.Errorf("value %d: %+v %v %v", value, last, ok, err)
		}
		answers[map[bool]string{true: "swap", false: "stay"}[last.Swap]]++
	}
	if answers["swap"] == 0 || answers["stay"] == 0 {
		t.Errorf("answers %v", answers)
	}
	// Where a side is sure it is the answer, where nothing is there is none.
	for p, x := range d.All(standard) {
		if len(p.Stones[0])+len(p.Stones[1]) > 3 || x.Offer {
			continue
		}
		r, _, ok, err := l.Swap2(standard, []game.Point{p.Stones[0][0], p.Stones[1][0], p.Stones[0][1]})
		if err != nil || ok != (len(x.Moves) > 0) || ok && (r.Swap != (x.fair(standard) < 0) || !r.Swap && len(r.Points) != 1) {
			t.Errorf("%+v: %+v %v %v", x, r, ok, err)
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d of 6 offers were drawn", len(seen))
	}
	if _, _, ok, err := l.Swap2(standard, []game.Point{1, 2, 3}); ok || err != nil {
		t.Error("an answer to what is not in the book", err)
	}
	// The book grows behind its offers, those of five stones too.
	roots := Offered(d, standard)
	if len(roots) != 12 || !slices.ContainsFunc(roots, func(r Root) bool { return len(r.Record.Moves) == 5 }) {
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
	for _, lie := range opinions { // that is how they were chosen
		c, err := d.Deeper(context.Background(), e, standard, Again{Times: 2, Lie: lie}, func(int, int) {})
		if err != nil {
			t.Fatal(err)
		}
		for kind, n := range map[string]int{"swap2 three": 6, "swap2 five": 6} {
			if c[kind].Looked != n || c[kind].Changed != 0 {
				t.Errorf("%s: %+v", kind, c[kind])
			}
		}
	}
	// With games, what is offered and the positions after the pairs stand in them.
	s.Games, s.Play = 2, 10
	trial := build(0, 1)
	b, err := newBuilder(e, trial, s)
	if err != nil {
		t.Fatal(err)
	}
	refused = 0
	for key, x := range trial.sections[standard] {
		if d.sections[standard][key] != nil && d.sections[standard][key].Offer && !x.Offer {
			refused++
		}
		if !x.Offer {
			continue
		}
		g, _ := replay(standard, key)
		if ok, err := b.stands(context.Background(), key, x, atThree); !ok || err != nil {
			t.Errorf("an offer does not stand (%v)", err)
		}
		play(g, x.Pair, func() error {
			key := Key(g)
			if ok, err := b.stands(context.Background(), key, trial.sections[standard][key], atFive); !ok || err != nil {
				t.Errorf("a pair does not stand (%v)", err)
			}
			return nil
		})
	}
	if refused == 0 {
		t.Error("the games refuse nothing")
	}
}

// An offer that is not even is taken back, another gets a new value, and another pair if its own
// leaves a side clear. Of the same source nothing is looked at twice.
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
	if err := BuildSwap2(context.Background(), e, &d, s, next, 3, nothing); err != nil {
		t.Fatal(err)
	}
	won := &Entry{Nodes: 1, Offer: true, Moves: []Move{{game.At(6, 6), 0}}, Source: "before"}
	wonKey := ""
	if g, err := engine.Replay(alternating(game.At(7, 7), game.At(0, 0), game.At(8, 8))); err != nil {
		t.Fatal(err)
	} else if err := d.Put(g, won); err != nil {
		t.Fatal(err)
	} else {
		wonKey = Key(g)
	}
	before := map[string]Entry{}
	bad := map[string][]game.Point{}
	for key, x := range d.sections[standard] {
		if !x.Offer || key == wonKey {
			continue
		}
		before[key] = *x
		x.Source, x.Search = "before", 1
		// White's stone beside his first, Black's far from all.
		g, _ := replay(standard, key)
		w := g.Record().Moves[1].Point
		for _, q := range []game.Point{w + 1, w - 1, w + 33} {
			if bad[key] == nil && g.Legal(q) == nil {
				bad[key] = []game.Point{q, game.At(14*(1-w.X()/8), 14*(1-w.Y()/8))}
				x.Pair = bad[key]
			}
		}
	}
	if len(before) != 3 || len(bad) != 3 {
		t.Fatalf("%d offers, %d of them with two stones", len(before), len(bad))
	}
	told := 0
	count := func(string) error { told++; return nil }
	s.Source = "review"
	if err := Review(context.Background(), e, &d, s, count); err != nil {
		t.Fatal(err)
	}
	if x := d.sections[standard][wonKey]; x.Offer || x.Moves != nil || told != 4 {
		t.Errorf("%d told, %+v", told, x)
	}
	for key, old := range before {
		x := d.sections[standard][key]
		if !x.Offer || x.Source != "review" || x.Search != old.Search || !slices.Equal(x.Pair, old.Pair) {
			t.Errorf("%+v, not %+v", x, old)
		}
	}
	if err := Review(context.Background(), e, &d, s, count); err != nil || told != 4 {
		t.Errorf("%d told (%v)", told, err)
	}
}

func alternating(stones ...game.Point) *game.Record {
	rec := &game.Record{Variant: standard}
	for i, q := range stones {
		rec.Moves = append(rec.Moves, game.Move{Color: game.Color(i % 2), Point: q})
	}
	return rec
}

// A position that one side wins in every game stands only where that side may have them all.
func TestStands(t *testing.T) {
	// White has an open three, Black nothing.
	g, err := engine.Replay(alternating(game.At(0, 0), game.At(6, 7), game.At(14, 0), game.At(7, 7), game.At(0, 14), game.At(8, 7), game.At(14, 14)))
	if err != nil {
		t.Fatal(err)
	}
	s := settings(standard)
	s.Games, s.Play = 3, 300
	b, err := newBuilder(newEngine(t, standard), &Draft{}, s)
	if err != nil {
		t.Fatal(err)
	}
	even := -openings.Fair(standard, game.White, 0)
	for i, c := range []struct {
		fair int // for White
		want share
		ok   bool
	}{
		{20, atThree, false}, {20, atFive, false}, {20, share{4, 4}, true}, {20, share{0, 4}, true},
		{-20, atThree, false}, {-20, atFive, false}, {-20, share{0, 0}, true}, {-20, share{1, 4}, false},
	} {
		ok, err := b.stands(context.Background(), Key(g), &Entry{Search: even + c.fair}, c.want)
		if ok != c.ok || err != nil {
			t.Errorf("case %d: %v (%v)", i, ok, err)
		}
	}
	b.s.Games = 0
	if ok, err := b.stands(context.Background(), Key(g), &Entry{}, atThree); !ok || err != nil {
		t.Errorf("without games: %v (%v)", ok, err)
	}
}

// What was found to change counts by what it costs: an answer is as good as another if the
// deeper values say so.
func TestAnswersOtherwise(t *testing.T) {
	at := func(v int) *Entry { // for White, 0 for even
		return &Entry{Search: v - openings.Fair(standard, game.White, 0), Moves: []Move{{Point: 1}}}
	}
	two := func(v int) *Entry { x := at(v); x.Pair = []game.Point{1, 2}; return x }
	for i, c := range []struct {
		x, y, five *Entry
		changed    bool
		loss       int
	}{
		{at(5), at(30), nil, false, 60},
		{at(5), at(-3), nil, true, 6},
		{at(-9), at(40), nil, true, 80},
		{two(5), at(-9), at(clear), false, clear + 9},
		{two(5), at(-clear - 1), at(8), true, clear + 9},
		{two(5), at(7), at(-clear - 1), true, clear + 8},
		{two(5), at(clear), nil, false, clear},
	} {
		changed, loss := c.x.answersOtherwise(standard, c.y, c.five)
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

// The first move is in the middle, also where no point is the centre.
func TestFirstMove(t *testing.T) {
	for _, size := range []int{15, 19, 20} {
		v := game.Variant{Rule: game.Freestyle, Size: size}
		x, err := Search(context.Background(), newEngine(t, v), &game.Record{Variant: v}, 1000, 5)
		if err != nil {
			t.Fatal(err)
		}
		q := x.Moves[0].Point
		if max(q.X(), size-1-q.X(), q.Y(), size-1-q.Y()) > size/2 {
			t.Errorf("%dx%d: %s", size, size, q.Name(size))
		}
	}
}
