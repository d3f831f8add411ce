package book

import (
	"context"
	"errors"
	"fmt"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
)

// BuildSwap2 adds openings of three stones, from next, until the draft has so many to
// offer, each with all that is answered to it: its value and moves, the two stones that
// balance it, and the value and moves of the position after these. Openings that may not be
// offered are passed over.
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
	_, err = b.offer(ctx, g, nil)
	return err
}

const (
	pairs = 4  // that are looked at for an offer, beside one that is known
	good  = 16 // value up to which a pair balances
)

// offer adds an opening with all that is answered to it, if it may be offered: if it is even,
// and two more stones are known that balance it, lest the answer be a side by a hair. pair is
// tried first.
func (b *builder) offer(ctx context.Context, g game.Game, pair []game.Point) (bool, error) {
	three, err := Search(ctx, b.e, g.Record(), b.s.Nodes, b.s.Lines)
	if err != nil || three.off(b.v) > b.s.Window {
		return false, err
	}
	three.Source, three.Offer = b.s.Source, true
	if pair != nil {
		if ok, err := b.with(ctx, g, three, pair); ok || err != nil {
			return ok, err
		}
	}
	b.e.Forget()
	list, err := openings.Pairs(ctx, b.e, g.Record(), 0, game.Limits{Nodes: b.s.Nodes}, pairs)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return false, err
	}
	for _, pair := range list {
		if ok, err := b.with(ctx, g, three, pair); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// with adds an offer with a pair and what is known after it, if the pair balances. The
// balance search has valued its last few pairs by much shorter searches than this one.
func (b *builder) with(ctx context.Context, g game.Game, three *Entry, pair []game.Point) (bool, error) {
	var five *Entry
	if err := play(g, pair, func() (err error) {
		five, err = Search(ctx, b.e, g.Record(), b.s.Nodes, b.s.Lines)
		return err
	}); err != nil || five.off(b.v) > good {
		return false, err
	}
	three.Pair, five.Source = pair, b.s.Source
	if err := b.d.Put(g, three); err != nil {
		return false, err
	}
	return true, play(g, pair, func() error { return b.d.Put(g, five) })
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
// may not be offered. What was known of them stays in the draft.
func Review(ctx context.Context, e engine.Engine, d *Draft, s Settings, told func(source string) error) error {
	b, err := newBuilder(e, d, s)
	if err != nil {
		return err
	}
	for p, three := range d.All(s.Variant) {
		if !three.Offer || three.Source == s.Source {
			continue
		}
		g, err := engine.Replay(p.Record(b.v))
		if err != nil {
			return err
		}
		ok, err := b.offer(ctx, g, three.Pair)
		if err != nil {
			return err
		}
		if !ok {
			three.Offer, three.Pair = false, nil
			if err := d.Put(g, three); err != nil {
				return err
			}
		}
		if err := told(s.Source); err != nil {
			return err
		}
	}
	b.backUp()
	return nil
}
