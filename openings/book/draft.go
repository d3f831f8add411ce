package book

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"

	"tengen/engine/game"
	"tengen/openings"
)

// Draft is a book in memory, to which entries can be added. The zero Draft is empty.
type Draft struct {
	sections map[game.Variant]map[string]*Entry
}

// Variants returns the games that the draft has entries of, in a fixed order.
func (d *Draft) Variants() []game.Variant {
	return slices.SortedFunc(maps.Keys(d.sections), compareVariants)
}

func compareVariants(a, b game.Variant) int {
	return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Size, b.Size),
		cmp.Compare(flagsOf(a), flagsOf(b)))
}

// Len returns how many positions of a game are known.
func (d *Draft) Len(v game.Variant) int { return len(d.sections[plain(v)]) }

// Put adds what is known of the position at which a game stands, in place of what was
// known before. It is an error if no book can have the position.
func (d *Draft) Put(g game.Game, e *Entry) error {
	key, ways := keyOf(g)
	if key == "" {
		return fmt.Errorf("no book has positions of %s, or with points set up that are no side's", g.Record().Variant)
	}
	v := g.Record().Variant
	d.put(v, key, e.turn(v.Size, ways[0]))
	return nil
}

func (d *Draft) put(v game.Variant, key string, e *Entry) {
	v = plain(v)
	if d.sections == nil {
		d.sections = map[game.Variant]map[string]*Entry{}
	}
	if d.sections[v] == nil {
		d.sections[v] = map[string]*Entry{}
	}
	if len(e.Source) > maxSource {
		e.Source = e.Source[:maxSource]
	}
	e.sort()
	e.Moves = e.Moves[:min(len(e.Moves), maxMoves)]
	d.sections[v][key] = e
}

// Find returns what is known of the position at which a game stands, nil if nothing is.
func (d *Draft) Find(g game.Game) *Entry {
	v := g.Record().Variant
	key, ways := keyOf(g)
	e := d.sections[plain(v)][key]
	if e == nil {
		return nil
	}
	return e.turn(v.Size, openings.Back(ways[0]))
}

// All yields every position of a game, in the order of their keys, and what is known of
// it as the position lies.
func (d *Draft) All(v game.Variant) iter.Seq2[openings.Position, *Entry] {
	return func(yield func(openings.Position, *Entry) bool) {
		s := d.sections[plain(v)]
		for _, key := range slices.Sorted(maps.Keys(s)) {
			p, ok := openings.ParseKey(key, v.Size)
			if ok && !yield(p, s[key].turn(v.Size, 0)) {
				return
			}
		}
	}
}

// Add takes all that a book knows into the draft.
func (d *Draft) Add(b *Book) error {
	for i := range b.sections {
		s := &b.sections[i]
		for k := range s.blocks {
			page, err := b.load(&s.blocks[k], s.variant.Size)
			if err != nil {
				return err
			}
			for _, it := range page {
				d.put(s.variant, it.key, it.entry.turn(s.variant.Size, 0))
			}
		}
	}
	return nil
}
