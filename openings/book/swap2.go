package book

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
)

// BuildSwap2 adds openings of three stones, from next, until the draft has so many to
// offer, each with all that is answered to it: the two stones that balance it, and the value and
// moves of the position after these. Openings that may not be offered are passed over.
func BuildSwap2(ctx context.Context, e engine.Engine, d *Draft, s Settings, next func() (openings.Opening, error), offers int, told func(source string) error) error {
	b, err := newBuilder(e, d, s)
	if err != nil {
		return err
	}
	for d.Offers(s.Variant) < offers {
		o, err := next()
		if err != nil {
			return err
		}
		if err := b.swap2(ctx, &o); err != nil {
			return err
		}
		if err := told(s.Source); err != nil {
			return err
		}
	}
	b.backUp()
	return nil
}

// Offers returns how many openings of a game may be offered in Swap2.
func (d *Draft) Offers(v game.Variant) (n int) {
	for _, e := range d.sections[plain(v)] {
		if e.Offer {
			n++
		}
	}
	return n
}

func (b *builder) swap2(ctx context.Context, o *openings.Opening) error {
	rec := o.Record(b.v)
	if len(rec.Moves) != 3 {
		return fmt.Errorf("an opening of %d stones, not three", len(rec.Moves))
	}
	g, err := engine.Replay(rec)
	if err != nil {
		return err
	}
	if g.Result().Outcome != game.Open {
		return errors.New("an opening that ends the game")
	}
	return b.offer(ctx, Key(g), nil)
}

const (
	// sure is the value from which on a side is answered, if all searches say so. Values of
	// searches in two lies, or with four times the nodes, differ by about as much.
	sure = 8
	// even is the value up to which two stones are put, before and after them.
	even = 30
	// lean is what two stones are looked for with: who then has the choice shall see as well
	// by a deeper search which side is better.
	lean  = 16
	pairs = 6 // that are looked at for an offer, beside one that is known
)

// offer looks at an opening, and offers it if it is even, if searches are sure of no side, if it
// stands in games, and if two stones are known that leave one. pair is tried first. Where a side
// is sure that is known, but not offered: the one who chooses would have the better of it. Of what
// is neither nothing is answered: it stays in the draft without moves, as a mark that it was looked
// at.
func (b *builder) offer(ctx context.Context, key string, pair []game.Point) error {
	x, err := b.search(ctx, key)
	if err != nil {
		return err
	}
	side := false
	if x.off(b.v) <= b.s.Window {
		var good bool
		side, good, err = b.judge(ctx, key, x, false)
		if good = good && !side; err == nil && good {
			good, err = b.stands(ctx, key, x, atThree)
		}
		if err == nil && good {
			x.Pair, err = b.balance(ctx, key, pair)
		}
		if err != nil {
			return err
		}
	}
	x.Offer = x.Pair != nil
	if !side && !x.Offer {
		x.Moves = nil
	}
	b.d.put(b.v, key, x)
	delete(b.children, key)
	return nil
}

// search is what the draft is to know of a position.
func (b *builder) search(ctx context.Context, key string) (*Entry, error) {
	x, err := searchLie(ctx, b.e, b.v, key, 0, b.s.Nodes, b.s.Lines)
	if err == nil {
		x.Source = b.s.Source
	}
	return x, err
}

// balance returns two stones that leave a position even and yet with a side that is sure, and that
// stand in games, nil if none are found, and adds the position after them. pair is tried first, if
// there is one.
func (b *builder) balance(ctx context.Context, key string, pair []game.Point) ([]game.Point, error) {
	g, err := replay(b.v, key)
	if err != nil {
		return nil, err
	}
	// Half of the pairs leave White the better side, half Black.
	bias := lean
	if b.chance(key) < 0.45 {
		bias = -lean
	}
	b.e.Forget()
	list, err := openings.Pairs(ctx, b.e, g.Record(), bias, game.Limits{Nodes: 2 * b.s.Nodes}, pairs)
	if err == nil {
		err = ctx.Err()
	}
	if pair != nil {
		list = slices.Insert(list, 0, pair)
	}
	for _, pair := range list {
		if err != nil {
			break
		}
		var after string
		if play(g, pair, func() error { after = Key(g); return nil }) != nil {
			continue
		}
		// The balance search has valued its last few pairs by much shorter searches than this.
		var x *Entry
		if x, err = b.search(ctx, after); err != nil {
			continue
		}
		var side, good bool
		if side, good, err = b.judge(ctx, after, x, true); err == nil && side && good {
			good, err = b.stands(ctx, after, x, atFive)
		}
		if err == nil && side && good {
			b.d.put(b.v, after, x)
			delete(b.children, after)
			return pair, err
		}
	}
	return nil, err
}

// opinions are the lies in which deeper searches are asked.
var opinions = [...]int{0, 3}

// judge reports whether the search of a position, x, and deeper ones in two lies are sure of
// the same side, and whether none of them finds a side much better. No more is searched when
// neither can be or, if both are asked for, when one cannot. The moves of x become those of the
// deeper search.
func (b *builder) judge(ctx context.Context, key string, x *Entry, both bool) (side, balanced bool, err error) {
	low, high := x.fair(b.v), x.fair(b.v)
	for i := 0; ; i++ {
		side, balanced = low >= sure || high <= -sure, low >= -even && high <= even
		if b.s.Deeper < 2 || i == len(opinions) || !side && !balanced || both && !(side && balanced) {
			return side, balanced, nil
		}
		y, err := searchLie(ctx, b.e, b.v, key, opinions[i], b.s.Deeper*x.Nodes, 1)
		if err != nil {
			return false, false, err
		}
		if opinions[i] == 0 {
			x.Moves, x.Value, x.Depth = y.Moves, y.Value, y.Depth
		}
		low, high = min(low, y.fair(b.v)), max(high, y.fair(b.v))
	}
}

// play puts stones on a game's board, calls do if all of them can be put, and takes them off
// again. The error is that of a stone or of do.
func play(g game.Game, stones []game.Point, do func() error) error {
	for i, q := range stones {
		if err := g.Play(q); err != nil {
			return fmt.Errorf("stone %d: %w", i+1, err)
		}
		defer g.Undo()
	}
	return do()
}

// Offered returns the offers of a game and the positions after their pairs, to begin Build
// with.
func Offered(d *Draft, v game.Variant) (roots []Root) {
	for p, three := range d.All(v) {
		if !three.Offer {
			continue
		}
		rec := p.Record(plain(v))
		roots = append(roots, Root{Record: rec})
		g, err := engine.Replay(rec)
		if err == nil && three.Pair != nil {
			play(g, three.Pair, func() error {
				roots = append(roots, Root{Record: g.Record().Clone()})
				return nil
			})
		}
	}
	return roots
}

// Review searches the offers again that are not of this source, and takes back those that
// may not be offered.
func Review(ctx context.Context, e engine.Engine, d *Draft, s Settings, told func(source string) error) error {
	b, err := newBuilder(e, d, s)
	if err != nil {
		return err
	}
	for p, three := range d.All(s.Variant) {
		if !three.Offer || three.Source == s.Source {
			continue
		}
		key, _ := p.Key(b.v.Size)
		if err := b.offer(ctx, key, three.Pair); err != nil {
			return err
		}
		if err := told(s.Source); err != nil {
			return err
		}
	}
	b.backUp()
	return nil
}
