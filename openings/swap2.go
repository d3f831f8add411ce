// Package openings begins games fairly: answers to the opening rules of package rule, Swap2
// among them, and points that balance a position, both found by the searches of an engine.
package openings

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings/rule"
)

// Swap2Reply is an answer in one of the phases of Swap2.
type Swap2Reply struct {
	Swap   bool         // take Black; Points is empty then
	Points []game.Point // stones of alternating sides, in their order
}

const (
	triples = 48 // openings tried, when time permits
	window  = 7  // the three stones of an opening lie in a square of this side
)

// Swap2 answers for the player whose turn it is, by the number of stones (Black, White,
// Black, White, Black, in this order):
//
//	0  the first player: three stones of about even chances
//	3  the second player: Black, or White with the fourth stone; never two stones more
//	5  the first player: Black, or White with the sixth stone
//
// White is to move in all three. The reply is legal even when an error comes with it,
// which then is the engine's; only stones that are none of these phases get no reply.
// rng draws the openings tried; nil draws the same ones each time. It is Decide in an
// opening by the rule of that name.
func Swap2(ctx context.Context, e engine.Engine, v game.Variant, stones []game.Point, lim game.Limits, rng *rand.Rand) (Swap2Reply, error) {
	o, err := rule.Swap2(v, stones)
	if err != nil {
		return Swap2Reply{}, err
	}
	if o.Done() {
		return Swap2Reply{}, fmt.Errorf("swap2 with %d stones", len(stones))
	}
	c, err := Decide(ctx, e, o, lim, rng)
	return Swap2Reply{Swap: c.Swap, Points: c.Points}, err
}

// propose returns three stones of about even chances.
func propose(b *budget, v game.Variant, rng *rand.Rand) ([]game.Point, error) {
	own := triple(v.Size)
	if b.tiny() {
		return own, nil
	}
	tried := [][]game.Point{own}
	for range min(triples, b.trials()) - 1 {
		// The loop draws again what it knows already, but not for ever.
		for range 10 {
			t := draw(v.Size, rng)
			if !slices.ContainsFunc(tried, func(u []game.Point) bool { return slices.Equal(t, u) }) {
				tried = append(tried, t)
				break
			}
		}
	}
	var ts []trial
	for _, t := range tried {
		ts = append(ts, trial{points: t, rec: alternating(v, t)})
	}
	best, err := b.nearest(ts, game.White, 0)
	if err != nil {
		return own, err
	}
	return best.points, nil
}

// draw puts three stones into a small square anywhere on the board, edges included.
func draw(size int, rng *rand.Rand) []game.Point {
	w := min(size, window)
	x, y := rng.IntN(size-w+1), rng.IntN(size-w+1)
	var t []game.Point
	for len(t) < 3 {
		if p := game.At(x+rng.IntN(w), y+rng.IntN(w)); !slices.Contains(t, p) {
			t = append(t, p)
		}
	}
	return t
}

// triple is the opening for when there is no time to look for one: Black's stones far
// from each other on the third line, White's between and above them.
//
//	. . . . . . . . .
//	. . . . . . . . .
//	. . B . . . . B .
//	. . . . . W . . .
func triple(size int) []game.Point {
	c := size / 2
	y := max(0, min(2, c-2))
	x := min(3, c)
	return []game.Point{game.At(max(0, c-x), y), game.At(c, y+1), game.At(min(size-1, c+2), y)}
}

// alternating is a game of these stones, Black first.
func alternating(v game.Variant, stones []game.Point) *game.Record {
	rec := &game.Record{Variant: v}
	for i, p := range stones {
		rec.Moves = append(rec.Moves, game.Move{Color: game.Color(i % 2), Point: p})
	}
	return rec
}
