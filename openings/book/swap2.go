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
// balance it, and the value and moves of the position after these. An opening is passed
// over if it is not even, or if it seemed another to a search of a quarter of the nodes:
// what one step of deepening changes, the next may change again.
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
	three, err := Search(ctx, b.e, rec, max(1, b.s.Nodes/4), b.s.Lines)
	if err != nil || three.off(b.v) > 2*b.s.Window {
		return err
	}
	three, err = Search(ctx, b.e, rec, b.s.Nodes, b.s.Lines)
	if err != nil || three.off(b.v) > b.s.Window {
		return err
	}
	three.Source, three.Offer = b.s.Source, true
	return b.pair(ctx, g, three)
}

const (
	tries = 3  // pairs that are looked at for an offer
	good  = 12 // value of a pair with which that is over
)

// pair puts an offer with the best pair that it finds, and what is known after that. The
// balance search values its last few pairs by much shorter searches than ours, which finds
// White, who is to move, better off by some points: so the next pair is asked to be worse
// for White by as much.
func (b *builder) pair(ctx context.Context, g game.Game, three *Entry) error {
	bias, off := 0, game.Win
	var best *Entry
	if old := b.after(g, three); old != nil { // to be bettered
		bias, off = -old.fair(b.v), old.off(b.v)
	}
	for range tries {
		b.e.Forget()
		pair, err := openings.Balance(ctx, b.e, g.Record(), 2, bias, game.Limits{Nodes: 2 * b.s.Nodes})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		var five *Entry
		if err := play(g, pair, func() (err error) {
			five, err = Search(ctx, b.e, g.Record(), b.s.Nodes, b.s.Lines)
			return err
		}); err != nil {
			return err
		}
		if five.off(b.v) < off {
			off, best, three.Pair = five.off(b.v), five, pair
		}
		if off <= good {
			break
		}
		bias -= five.fair(b.v)
	}
	if err := b.d.Put(g, three); err != nil || best == nil {
		return err
	}
	best.Source = b.s.Source
	return play(g, three.Pair, func() error { return b.d.Put(g, best) })
}

// after returns what is known of the position after a pair; nil for nothing.
func (b *builder) after(g game.Game, three *Entry) (five *Entry) {
	if three.Pair != nil {
		play(g, three.Pair, func() error { five = b.d.Find(g); return nil })
	}
	return five
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

// BetterPairs looks again for pairs of the offers whose pair leaves a side clear. An older
// pair's position stays in the draft.
func BetterPairs(ctx context.Context, e engine.Engine, d *Draft, s Settings, told func(source string) error) error {
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
		if five := b.after(g, three); five != nil && five.off(b.v) <= goodPair {
			continue
		}
		if err := b.pair(ctx, g, three); err != nil {
			return err
		}
		if err := told(s.Source); err != nil {
			return err
		}
	}
	return nil
}
