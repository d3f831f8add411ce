package book

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
)

// small is a book of one position of each game, with three moves, two of them about as good.
func small(t *testing.T) (*Draft, *game.Record) {
	t.Helper()
	var d Draft
	rec := &game.Record{Variant: standard, Moves: []game.Move{{Color: game.Black, Point: game.At(7, 7)}, {Color: game.White, Point: game.At(9, 8)}}}
	g, err := engine.Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	e := &Entry{Value: 30, Nodes: trusted, Depth: 5, Source: "test", Moves: []Move{{game.At(8, 8), 30}, {game.At(6, 6), 25}, {game.At(5, 5), -10}}}
	if err := d.Put(g, e); err != nil {
		t.Fatal(err)
	}
	return &d, rec
}

func saved(t *testing.T, d *Draft) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "own.book")
	if err := d.Save(name); err != nil {
		t.Fatal(err)
	}
	return name
}

// A user's book answers in all lies, with each of the moves that are about as good and
// never with another, the same for the same seed.
func TestLibrary(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	d, rec := small(t)
	name := saved(t, d)
	course := func(seed uint64) (s string) {
		l := NewLibrary(seed)
		defer l.Close()
		if err := l.Use(name); err != nil {
			t.Fatal(err)
		}
		for i := range 40 {
			way := i % game.Symmetries
			r := rec.Clone()
			for i := range r.Moves {
				r.Moves[i].Point = r.Moves[i].Point.Turned(15, way)
			}
			c, ok, err := l.Move(r)
			if !ok || err != nil {
				t.Fatal(way, ok, err)
			}
			q := c.Point.Turned(15, openings.Back(way)).Name(15)
			if q != game.At(8, 8).Name(15) && q != game.At(6, 6).Name(15) {
				t.Fatalf("way %d: %s", way, q)
			}
			if len(c.Info.PV) != 1 || c.Info.PV[0] != c.Point || !c.Info.Last || c.Info.Depth != 5 {
				t.Errorf("%+v", c.Info)
			}
			s += q + " "
		}
		return s
	}
	one := course(1)
	if one != course(1) || one == course(2) {
		t.Error("the seed does not decide")
	}
	l := NewLibrary(1)
	defer l.Close()
	if err := l.Use(name); err != nil {
		t.Fatal(err)
	}
	other := rec.Clone()
	other.Variant.Rule = game.Freestyle
	if _, ok, err := l.Move(other); ok || err != nil {
		t.Error("a book of standard answers in freestyle", err)
	}
	if err := l.Use("off"); err != nil {
		t.Error(err)
	}
	if _, ok, _ := l.Move(rec); ok {
		t.Error("it answers when it is off")
	}
}

// Moves that lose, that the rules do not allow or that are nowhere are left to the search.
func TestLibraryIsSilent(t *testing.T) {
	d, rec := small(t)
	g, _ := engine.Replay(rec)
	for _, e := range []*Entry{
		{Value: lost - 1, Nodes: trusted, Moves: []Move{{game.At(8, 8), lost - 1}}},
		{Value: 5, Nodes: trusted, Moves: []Move{{game.At(7, 7), 5}}}, // occupied
		{Value: 5},
		{Value: 5, Nodes: trusted - 1, Moves: []Move{{game.At(8, 8), 5}}}, // and nothing is known behind it
	} {
		if err := d.Put(g, e); err != nil {
			t.Fatal(err)
		}
		l := NewLibrary(1)
		l.own = read(t, file(t, d))
		if c, ok, err := l.Move(rec); ok || err != nil {
			t.Errorf("%+v: %v %v", e, c, err)
		}
		over := rec.Clone()
		for i := range 5 {
			over.Moves = append(over.Moves, game.Move{Color: game.Black, Point: game.At(i, 0)})
		}
		if _, ok, err := l.Move(over); ok || err != nil {
			t.Error("a move after the end", err)
		}
		l.Close()
	}
	var none *Library
	if _, ok, err := none.Move(rec); ok || err != nil {
		t.Error("a library that is not there answers")
	}
	if _, _, ok, err := none.Swap2(standard, nil); ok || err != nil {
		t.Error("a library that is not there answers")
	}
	none.Close()
	none.Seed(1)
	if none.Use("off") == nil {
		t.Error("a library that is not there can be used")
	}
}

// A file that is no book leaves the player without one; one that is damaged inside says so
// when that part is asked for.
func TestLibraryTrouble(t *testing.T) {
	d, rec := small(t)
	name := saved(t, d)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	l := NewLibrary(1)
	defer l.Close()
	for want, bad := range map[error][]byte{ErrForeign: []byte("(;FF[4])"), ErrShort: data[:len(data)-3], ErrVersion: append(append([]byte(magic), 9, 0), data[len(magic)+2:]...)} {
		if err := os.WriteFile(name, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := l.Use(name); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		if _, ok, err := l.Move(rec); ok || err != nil {
			t.Error("it plays from another book than it was told", err)
		}
	}
	if err := l.Use(name + ".none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	data[len(data)-1] ^= 1
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := l.Use(name); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := l.Move(rec); ok || !errors.Is(err, ErrDamaged) {
		t.Error(ok, err)
	}
}

// The books that come with the program are sound, and there is one for each game that is
// played in tournaments.
func TestStartBooks(t *testing.T) {
	for _, v := range []game.Variant{
		{Rule: game.Freestyle, Size: 15}, {Rule: game.Freestyle, Size: 20}, {Rule: game.Standard, Size: 15}, {Rule: game.Renju, Size: 15},
		{Rule: game.Caro, Size: 15}, {Rule: game.Omok, Size: 15}, {Rule: game.Omok, Size: 19}, {Rule: game.Pente, Size: 19},
	} {
		b, err := Start(v)
		if b == nil || err != nil {
			t.Errorf("%v: no book (%v)", v, err)
			continue
		}
		var d Draft
		if err := d.Add(b); err != nil {
			t.Errorf("%v: %v", v, err)
		}
		if err := d.Check(v); err != nil {
			t.Errorf("%v: %v", v, err)
		}
		if vs := b.Variants(); len(vs) != 1 || vs[0] != v {
			t.Errorf("%v: games %v", v, vs)
		}
		b.Close()
		// The beginning is known in every lie.
		l := NewLibrary(1)
		rec := &game.Record{Variant: v}
		for n := range 2 {
			c, ok, err := l.Move(rec)
			if !ok || err != nil {
				t.Errorf("%v: no move %d (%v)", v, n+1, err)
				break
			}
			rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: c.Point})
		}
		l.Close()
	}
	renju, want := game.Variant{Rule: game.Renju, Size: 15}, map[string]bool{}
	l := NewLibrary(1)
	defer l.Close()
	for _, r := range Roots(renju)[1:] {
		g, err := engine.Replay(r.Record)
		if err != nil {
			t.Fatal(err)
		}
		want[Key(g)] = true
		if _, ok, err := l.Move(r.Record); !ok || err != nil {
			t.Errorf("%s has no answer (%v)", r.Source, err)
		}
	}
	if len(want) != 26 {
		t.Errorf("%d different openings of renju", len(want))
	}
	b, err := Start(standard)
	if err != nil || b == nil {
		t.Fatal(err)
	}
	defer b.Close()
	offers, err := b.offers(standard)
	if err != nil || len(offers) < 200 {
		t.Errorf("%d offers (%v)", len(offers), err)
	}
}

// A move of a short search is played where the book knows what follows, in any lie.
func TestLibraryLooksAhead(t *testing.T) {
	d, rec := small(t)
	g, _ := engine.Replay(rec)
	e := &Entry{Value: 30, Nodes: 100, Moves: []Move{{game.At(8, 8), 30}, {game.At(6, 6), 25}}}
	if err := d.Put(g, e); err != nil {
		t.Fatal(err)
	}
	g.Play(game.At(6, 6))
	if err := d.Put(g, &Entry{Value: -25, Nodes: 100}); err != nil {
		t.Fatal(err)
	}
	l := NewLibrary(1)
	l.own = read(t, file(t, d))
	defer l.Close()
	for s := range game.Symmetries {
		r := rec.Clone()
		for i := range r.Moves {
			r.Moves[i].Point = r.Moves[i].Point.Turned(15, s)
		}
		if c, ok, err := l.Move(r); !ok || err != nil || c.Point != game.At(6, 6).Turned(15, s) {
			t.Errorf("way %d: %v %v %v", s, c.Point.Name(15), ok, err)
		}
	}
}

// One book of every rule and size answers each with what was put for it, in all eight lies;
// without one of them it is silent there and nowhere else.
func TestEveryRuleAndSize(t *testing.T) {
	stones := func(v game.Variant, way int) *game.Record {
		rec := &game.Record{Variant: v}
		c := v.Size / 2
		for i, q := range []game.Point{game.At(c, c), game.At(c+1, c-2)} { // no symmetry
			rec.Moves = append(rec.Moves, game.Move{Color: game.Color(i), Point: q.Turned(v.Size, way)})
		}
		return rec
	}
	var all []game.Variant
	for r := range game.Weiqi {
		for size := range game.MaxSize + 1 {
			v := game.Variant{Rule: r, Size: size, FreeOpening: r == game.Pente || r == game.Keryo} // the centre of an even board moves
			if _, err := engine.Referee(v); err == nil {
				all = append(all, v)
			}
		}
	}
	if len(all) < int(game.Weiqi)*18 {
		t.Fatalf("%d games", len(all))
	}
	for without := -1; without < len(all); without += 1 + len(all)/12 {
		var d Draft
		for i, v := range all {
			if i == without {
				continue
			}
			g, err := engine.Replay(stones(v, 0))
			if err == nil {
				err = d.Put(g, &Entry{Value: i, Search: i, Nodes: trusted, Depth: 3, Moves: []Move{{game.At(0, 1), i}}})
			}
			if err != nil {
				t.Fatal(v, err)
			}
		}
		l := NewLibrary(1)
		l.own = read(t, file(t, &d))
		for i, v := range all {
			for way := range game.Symmetries {
				c, ok, err := l.Move(stones(v, way))
				if err != nil || ok != (i != without) || ok && (c.Info.Value != i || c.Point != game.At(0, 1).Turned(v.Size, way)) {
					t.Errorf("without %d: %v, way %d: %v %d %s (%v)", without, v, way, ok, c.Info.Value, c.Point.Name(v.Size), err)
				}
			}
		}
		l.Close()
	}
}
