package protocol

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings/book"
)

// bookOf writes a book that knows one move after these of freestyle or, without any, a
// whole Swap2.
func bookOf(t *testing.T, answer game.Point, moves ...game.Point) string {
	t.Helper()
	var d book.Draft
	put := func(v game.Variant, e *book.Entry, moves ...game.Point) {
		rec := &game.Record{Variant: v}
		for i, q := range moves {
			rec.Moves = append(rec.Moves, game.Move{Color: game.Color(i % 2), Point: q})
		}
		g, err := engine.Replay(rec)
		if err == nil {
			err = d.Put(g, e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(t.TempDir(), "a.book")
	save := func() string {
		if err := d.Save(name); err != nil {
			t.Fatal(err)
		}
		return name
	}
	if len(moves) > 0 {
		put(v15, &book.Entry{Value: 7, Depth: 12, Nodes: 1 << 20, Moves: []book.Move{{Point: answer, Value: 7}}}, moves...)
		return save()
	}
	three := []game.Point{game.At(1, 1), game.At(4, 3), game.At(3, 1)}
	pair := []game.Point{game.At(9, 9), game.At(5, 2)}
	put(standard15, &book.Entry{Value: 3, Nodes: 1, Offer: true, Pair: pair, Moves: []book.Move{{Point: a1, Value: 3}}}, three...)
	put(standard15, &book.Entry{Value: -8, Nodes: 1 << 20, Moves: []book.Move{{Point: a1, Value: -8}}}, append(three, pair...)...)
	return save()
}

var standard15 = game.Variant{Rule: game.Standard, Size: 15}

// bookedSession has an engine whose moves are a1.
func bookedSession(t *testing.T) (*Session, *brain) {
	t.Helper()
	b := &brain{think: plays(a1)}
	l := book.NewLibrary(1)
	t.Cleanup(l.Close)
	s := NewSession(Maker{
		Referee: engine.Replay,
		Engine:  func(game.Variant, engine.Options) (engine.Engine, error) { return b, nil },
		Book:    l,
	})
	t.Cleanup(s.Abandon)
	return s, b
}

// A move that the book knows comes from it, told like any other; analyses are searched.
func TestBookIsAskedFirst(t *testing.T) {
	g9 := game.At(6, 6)
	name := bookOf(t, g9, h8, game.At(9, 8))
	s, _ := bookedSession(t)
	for step, c := range []struct {
		book string
		lim  game.Limits
		want game.Point
	}{
		{name, game.Limits{Nodes: 10}, g9},
		{name, game.Limits{Hard: time.Second}, g9},
		{name, game.Limits{Instant: true}, g9},
		{name, game.Limits{Depth: 3, MultiPV: 1}, g9},
		{name, game.Limits{Nodes: 10, MultiPV: 2}, a1},
		{name, game.Limits{}, a1},
		{name, game.Limits{Nodes: 10, Avoid: []game.Point{game.At(3, 3)}}, a1},
		{"off", game.Limits{Nodes: 10}, a1},
	} {
		if err := s.UseBook(c.book); err != nil {
			t.Fatal(err)
		}
		if err := s.Start(v15); err != nil {
			t.Fatal(err)
		}
		s.Play(h8)
		s.Play(game.At(9, 8))
		r := s.Think(c.lim)
		a := wait(t, r)
		if a.Err != nil || a.Rescued != "" || a.Note != "" || len(a.Points) != 1 || a.Points[0] != c.want {
			t.Errorf("step %d: %+v", step, a)
		}
		if infos := r.Infos(); c.want == g9 && (len(infos) != 1 || infos[0].Depth != 12 || infos[0].Value != 7) {
			t.Errorf("step %d: told %+v", step, infos)
		}
	}
}

// The three phases of Swap2 come from the book, where it has them.
func TestBookSwap2(t *testing.T) {
	s, _ := bookedSession(t)
	if err := s.UseBook(bookOf(t, a1)); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(standard15); err != nil {
		t.Fatal(err)
	}
	ask := func(n int) Answer {
		a := wait(t, s.Swap2(game.Limits{Nodes: 1}))
		if a.Err != nil || a.Rescued != "" || len(a.Points) != n || a.Swap != (n == 0) {
			t.Fatalf("%+v", a)
		}
		for _, q := range a.Points {
			if err := s.Force(q); err != nil {
				t.Fatal(err)
			}
		}
		return a
	}
	ask(3)
	ask(2)
	ask(0)
	g := s.Game().Record().Moves
	if len(g) != 5 {
		t.Fatal(g)
	}
}

// A book that cannot be read is told, and play goes on.
func TestBookTrouble(t *testing.T) {
	name := bookOf(t, game.At(6, 6), h8)
	s, _ := bookedSession(t)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	later := bytes.Clone(data)
	later[len("\x93tgbook\n")]++
	inside := bytes.Clone(data)
	inside[len(inside)-1] ^= 1 // in the last block
	index := bytes.Clone(data)
	index[20] ^= 1
	for _, c := range []struct {
		data []byte
		use  error
		note string
	}{
		{[]byte("no book"), book.ErrForeign, ""},
		{data[:60], book.ErrShort, ""},
		{later, book.ErrVersion, ""},
		{index, book.ErrDamaged, ""},
		{inside, nil, "the book is not used: the book is damaged"},
	} {
		if err := os.WriteFile(name, c.data, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := s.UseBook(name); !errors.Is(err, c.use) {
			t.Errorf("%v, want %v", err, c.use)
		}
		for _, v := range []game.Variant{v15, standard15} {
			if err := s.Start(v); err != nil {
				t.Fatal(err)
			}
			if v == v15 {
				s.Play(h8)
			}
			a := wait(t, s.Think(game.Limits{Nodes: 10}))
			if a.Err != nil || !reflect.DeepEqual(a.Points, []game.Point{a1}) {
				t.Errorf("%+v", a)
			}
			if v == v15 && !strings.Contains(a.Note, c.note) {
				t.Errorf("note %q", a.Note)
			}
		}
	}
	if err := s.UseBook("none.book"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if session(t, &brain{}).UseBook(name) == nil {
		t.Error("a session without a library takes a book")
	}
}
