package book

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tengen/engine"
	"tengen/engine/game"
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
	Changed int // another answer: side or pair in Swap2, else another best move
	Worse   int // of them, those where the old answer is clearly worse by the deeper values
	Moved   int // by how much the values differ, added up
}

// Again says which entries are searched again, and how.
type Again struct {
	Times  int64  // of the nodes that an entry has
	Lie    int    // in which of the eight ways the board lies; in 0 as the book has it
	Sample int    // so many entries that lie evenly among all; 0 for all
	Source string // only entries whose source begins so
}

// Deeper searches entries again and compares what a player would do. What comes out is sorted
// by what was asked: "swap2 three", "swap2 five", "move". An offer is looked at with the
// position after its pair.
func (d *Draft) Deeper(ctx context.Context, e engine.Engine, v game.Variant, a Again, told func(done, total int)) (map[string]*Changes, error) {
	section := d.sections[plain(v)]
	var keys []string
	after := map[string]string{} // of the offers, the positions after their pairs
	fives := map[string]bool{}   // which are these
	for _, key := range slices.Sorted(maps.Keys(section)) {
		x := section[key]
		if x.Nodes > 0 && len(x.Moves) > 0 && strings.HasPrefix(x.Source, a.Source) {
			keys = append(keys, key)
		}
		if !x.Offer {
			continue
		}
		if g, err := replay(plain(v), key); err == nil && x.Pair != nil {
			play(g, x.Pair, func() error {
				five := Key(g)
				after[key], fives[five] = five, section[five] != nil
				return nil
			})
		}
	}
	if a.Sample > 0 && a.Sample < len(keys) {
		all := keys
		keys = nil
		for i := range a.Sample {
			keys = append(keys, all[i*len(all)/a.Sample])
		}
	}
	out, known := map[string]*Changes{}, map[string]*Entry{}
	search := func(key string, lines int) (*Entry, error) {
		if y := known[key]; y != nil && len(y.Moves) >= lines {
			return y, nil
		}
		y, err := searchLie(ctx, e, plain(v), key, a.Lie, a.Times*section[key].Nodes, lines)
		if err == nil {
			known[key] = y
		}
		return y, err
	}
	for i, key := range keys {
		told(i, len(keys))
		x := section[key]
		kind, lines := "move", len(x.Moves)
		switch {
		case x.Offer, strings.HasPrefix(x.Source, "swap2") && plies(key, v.Size) == 3:
			kind, lines = "swap2 three", 1
		case fives[key], strings.HasPrefix(x.Source, "swap2"):
			kind, lines = "swap2 five", 1
		}
		y, err := search(key, lines)
		if err != nil {
			return nil, err
		}
		if out[kind] == nil {
			out[kind] = &Changes{}
		}
		c := out[kind]
		c.Looked++
		c.Moved += min(max(x.Search-y.Search, y.Search-x.Search), 1000)
		var changed bool
		var loss, most int
		switch kind {
		case "move":
			changed, loss = x.movesOtherwise(y)
			most = 2 * about
		default:
			var five *Entry
			if a := after[key]; fives[a] {
				if five, err = search(a, 1); err != nil {
					return nil, err
				}
			}
			changed, loss = x.answersOtherwise(v, y, five)
			most = clear
		}
		if changed {
			c.Changed++
			if loss > most {
				c.Worse++
			}
		}
	}
	return out, nil
}

// movesOtherwise reports whether another move is best by a deeper search, y, and by how much
// it then is better; a move that this search says nothing of is worse than all it knows.
func (x *Entry) movesOtherwise(y *Entry) (changed bool, loss int) {
	best := x.Moves[0].Point
	if y.Moves[0].Point == best {
		return false, 0
	}
	for _, m := range y.Moves {
		if m.Point == best {
			return true, y.Value - m.Value
		}
	}
	return true, game.Win
}

// answersOtherwise reports whether an answer that is given in Swap2 is not given any more by
// deeper searches of the position, y, and of that after its pair, five, if there is one: the
// other side is better, or two stones are put where a side is clear. loss is by how much the
// answer then is worse than the best; who puts two stones is left the worse side after them.
func (x *Entry) answersOtherwise(v game.Variant, y, five *Entry) (changed bool, loss int) {
	if x.Pair == nil {
		return (x.fair(v) < 0) != (y.fair(v) < 0), 2 * y.off(v)
	}
	left := 0
	if five != nil {
		left = five.off(v)
	}
	return max(y.off(v), left) > clear, y.off(v) + left
}
