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
// balance it, and the value and moves of the position after these. Where deeper searches do not
// agree on the better side, only the stones are answered. Openings that may not be
// offered are passed over; what was found of them stays in the draft.
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
	three, err := b.offer(ctx, g, nil)
	if err != nil || three.Offer {
		return err
	}
	return b.d.Put(g, three)
}

const (
	pairs = 4  // that are looked at for an offer, beside one that is known
	good  = 24 // value up to which a pair balances
	// lean is what a pair is looked for with: which side is better shall be seen as well by
	// a deeper search, whose values differ by about as much.
	lean = 12
)

// offer adds an opening with all that is answered to it, if it may be offered: if it is even,
// and two more stones are known that balance it, lest the answer be a side by a hair, and if
// deeper searches agree. pair is tried first. What is returned is not in the draft if
// it is no offer.
func (b *builder) offer(ctx context.Context, g game.Game, pair []game.Point) (three *Entry, err error) {
	if three, err = Search(ctx, b.e, g.Record(), b.s.Nodes, b.s.Lines); err != nil {
		return nil, err
	}
	three.Source = b.s.Source
	if three.off(b.v) > b.s.Window {
		return three, nil
	}
	if ok, err := b.tempts(ctx, g); !ok {
		return three, err
	}
	side, unclear, err := b.stands(ctx, g, three)
	if !unclear || err != nil {
		return three, err
	}
	three.Two = !side
	if pair != nil {
		if err := b.with(ctx, g, three, pair); three.Offer || err != nil {
			return three, err
		}
	}
	// Half of the pairs leave White the better side, half Black.
	bias := lean
	if b.chance(Key(g)) < 0.45 {
		bias = -lean
	}
	b.e.Forget()
	list, err := openings.Pairs(ctx, b.e, g.Record(), bias, game.Limits{Nodes: b.s.Nodes}, pairs)
	if err == nil {
		err = ctx.Err()
	}
	for _, pair := range list {
		if three.Offer || err != nil {
			break
		}
		err = b.with(ctx, g, three, pair)
	}
	three.Two = three.Two && three.Offer
	return three, err
}

// with adds an offer with a pair and what is known after it, if the pair balances. The
// balance search has valued its last few pairs by much shorter searches than this one.
func (b *builder) with(ctx context.Context, g game.Game, three *Entry, pair []game.Point) error {
	var five *Entry
	var side, unclear bool
	if err := play(g, pair, func() (err error) {
		if five, err = Search(ctx, b.e, g.Record(), b.s.Nodes, b.s.Lines); err == nil && five.off(b.v) <= good {
			side, unclear, err = b.stands(ctx, g, five)
		}
		return err
	}); err != nil || !side || !unclear {
		return err
	}
	three.Offer, three.Pair, five.Source = true, pair, b.s.Source
	if err := b.d.Put(g, three); err != nil {
		return err
	}
	return play(g, pair, func() error { return b.d.Put(g, five) })
}

// stands reports whether a deeper search prefers the same side as x, the entry of the position
// at which g stands, and whether neither is clear by it.
func (b *builder) stands(ctx context.Context, g game.Game, x *Entry) (side, unclear bool, err error) {
	if b.s.Deeper < 2 {
		return true, true, nil
	}
	y, err := Search(ctx, b.e, g.Record(), b.s.Deeper*x.Nodes, 1)
	if err != nil {
		return false, false, err
	}
	return (x.fair(b.v) < 0) == (y.fair(b.v) < 0), y.off(b.v) <= clear, nil
}

// tempts reports whether a player without a book puts two stones, whichever of the nodes it
// has for its choice. It looks for them among hundreds, each searched shortly, and leaves who
// then chooses with one long search the better side: of 57 such games he won 36 and lost 19.
func (b *builder) tempts(ctx context.Context, g game.Game) (bool, error) {
	for _, n := range b.s.Hasty {
		pair, err := b.hasty(ctx, g, n)
		if err != nil || pair == nil {
			return false, err
		}
	}
	return true, nil
}

// hasty returns the two stones that a player without a book puts after three, with so many
// nodes for its choice, nil if it takes a side.
func (b *builder) hasty(ctx context.Context, g game.Game, nodes int64) ([]game.Point, error) {
	b.e.Forget()
	r, err := openings.Swap2(ctx, b.e, b.v, pointsOf(g), game.Limits{Nodes: nodes}, nil)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil || len(r.Points) != 2 {
		return nil, err
	}
	return r.Points, nil
}

func pointsOf(g game.Game) (qs []game.Point) {
	for _, m := range g.Record().Moves {
		qs = append(qs, m.Point)
	}
	return qs
}

// Expect adds the positions after the two stones that players without a book, with the nodes
// of s.Hasty for their choice, put after the offers of a draft: those where a deeper search
// agrees on the better side. told is called after each offer.
func Expect(ctx context.Context, e engine.Engine, d *Draft, s Settings, told func(source string) error) error {
	b, err := newBuilder(e, d, s)
	if err != nil {
		return err
	}
	for p, three := range d.All(s.Variant) {
		if !three.Offer {
			continue
		}
		g, err := engine.Replay(p.Record(b.v))
		if err != nil {
			return err
		}
		for _, n := range s.Hasty {
			pair, err := b.hasty(ctx, g, n)
			if err != nil {
				return err
			}
			if pair == nil {
				continue
			}
			if err := play(g, pair, func() error {
				if d.Find(g) != nil {
					return nil
				}
				five, err := Search(ctx, b.e, g.Record(), s.Nodes, s.Lines)
				if err != nil {
					return err
				}
				if side, _, err := b.stands(ctx, g, five); !side || err != nil {
					return err
				}
				five.Source = s.Source
				return d.Put(g, five)
			}); err != nil {
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
		now, err := b.offer(ctx, g, three.Pair)
		if err != nil {
			return err
		}
		if !now.Offer {
			now.Pair = nil
			if err := d.Put(g, now); err != nil {
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
