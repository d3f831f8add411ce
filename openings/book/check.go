package book

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
)

// Key returns how a book knows the position at which a game stands, the same for all its
// symmetries, and "" where no book can have it.
func Key(g game.Game) string {
	key, _ := keyOf(g)
	return key
}

// Check looks at every entry of a game: is it a position of a game that goes on, are its
// moves and its pair legal there, is its value the best move's and in order.
func (d *Draft) Check(v game.Variant) error {
	section := d.sections[plain(v)]
	for _, key := range slices.Sorted(maps.Keys(section)) {
		if err := section[key].check(plain(v), key); err != nil {
			return fmt.Errorf("position %x: %w", key, err)
		}
	}
	return nil
}

func (e *Entry) check(v game.Variant, key string) error {
	g, err := replay(v, key)
	if err != nil {
		return err
	}
	if g.Result().Outcome != game.Open {
		return fmt.Errorf("the game is over: %v", g.Result().Outcome)
	}
	for i, m := range e.Moves {
		if err := g.Legal(m.Point); err != nil {
			return fmt.Errorf("%s: %w", m.Point.Name(v.Size), err)
		}
		if i > 0 && m.Value > e.Moves[i-1].Value {
			return fmt.Errorf("%s stands behind a worse move", m.Point.Name(v.Size))
		}
	}
	if len(e.Moves) > 0 && e.Value != e.Moves[0].Value {
		return fmt.Errorf("its value is %d, its best move's %d", e.Value, e.Moves[0].Value)
	}
	for i, q := range e.Pair {
		if err := g.Play(q); err != nil {
			return fmt.Errorf("stone %d of the pair, %s: %w", i+1, q.Name(v.Size), err)
		}
	}
	if e.Offer && (len(e.Moves) == 0 || g.Result().Outcome != game.Open) {
		return fmt.Errorf("it is offered, but has no answer")
	}
	return nil
}

// Changes are what a deeper search would do otherwise.
type Changes struct {
	Looked  int
	Changed int // another answer: side or pair in Swap2, else a best move that is clearly worse
	Moved   int // by how much the values differ, added up
}

// Deeper searches entries again with so many times their nodes and compares what a player
// would do. It looks at all, or at a sample that lies evenly among them, of a source if one
// is named. What comes out is sorted by what was asked: "swap2 three", "swap2 five", "move".
func (d *Draft) Deeper(ctx context.Context, e engine.Engine, v game.Variant, times int64, sample int, source string, told func(done, total int)) (map[string]*Changes, error) {
	section := d.sections[plain(v)]
	var keys []string
	fives, after := map[string]bool{}, map[string]*Entry{} // the positions after pairs, and what is known there
	for _, key := range slices.Sorted(maps.Keys(section)) {
		x := section[key]
		if source == "" || x.Source == source {
			keys = append(keys, key)
		}
		if !x.Offer {
			continue
		}
		if g, err := replay(plain(v), key); err == nil && x.Pair != nil {
			play(g, x.Pair, func() error {
				five := Key(g)
				fives[five], after[key] = true, section[five]
				return nil
			})
		}
	}
	if sample > 0 && sample < len(keys) {
		all := keys
		keys = nil
		for i := range sample {
			keys = append(keys, all[i*len(all)/sample])
		}
	}
	out := map[string]*Changes{}
	for i, key := range keys {
		told(i, len(keys))
		x := section[key]
		if x.Nodes == 0 || len(x.Moves) == 0 {
			continue
		}
		p, _ := openings.ParseKey(key, v.Size)
		kind, lines := "move", len(x.Moves)
		switch {
		case x.Offer:
			kind, lines = "swap2 three", 1
		case fives[key]:
			kind, lines = "swap2 five", 1
		}
		y, err := Search(ctx, e, p.Record(plain(v)), times*x.Nodes, lines)
		if err != nil {
			return nil, err
		}
		if out[kind] == nil {
			out[kind] = &Changes{}
		}
		c := out[kind]
		c.Looked++
		c.Moved += min(max(x.Value-y.Value, y.Value-x.Value), 1000)
		if changed(v, kind, x, y, after[key]) {
			c.Changed++
		}
	}
	return out, nil
}

// changed compares an entry with a deeper one; five is what is known after its pair. A best
// move has changed if it is no longer among those that the deeper search thinks about as
// good as its own.
func changed(v game.Variant, kind string, x, y, five *Entry) bool {
	if kind != "move" {
		pair := *y
		pair.Pair = x.Pair
		a, _ := x.swap2(v, kind == "swap2 three", five)
		b, _ := pair.swap2(v, kind == "swap2 three", five)
		return a.Swap != b.Swap || len(a.Points) != len(b.Points)
	}
	best := x.Moves[0].Point
	for _, m := range y.Moves {
		if m.Point == best {
			return m.Value < y.Value-2*about
		}
	}
	return true
}
