// Package openings begins games fairly: answers to the opening rule Swap2 and points
// that balance a position, both found by the searches of an engine.
package openings

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"tengen/engine"
	"tengen/engine/game"
)

// Swap2Reply is an answer in one of the phases of Swap2.
type Swap2Reply struct {
	Swap   bool         // take Black; Points is empty then
	Points []game.Point // stones of alternating sides, in their order
}

const (
	// clear is the value from which a side is preferred at sight. Below it the second
	// player puts two stones: an exact judge would never give the choice back, but a
	// search errs by about as much, and the position then is one of its own making.
	clear = 40

	triples = 48 // openings tried, when time permits
	window  = 7  // the three stones of an opening lie in a square of this side
)

// Swap2 answers for the player whose turn it is, by the number of stones (Black, White,
// Black, White, Black, in this order):
//
//	0  the first player: three stones of about even chances
//	3  the second player: Black, or White with the fourth stone, or two stones more
//	5  the first player: Black, or White with the sixth stone
//
// White is to move in all three. The reply is legal even when an error comes with it,
// which then is the engine's; only stones that are none of these phases get no reply.
// rng draws the openings tried; nil draws the same ones each time.
func Swap2(ctx context.Context, e engine.Engine, v game.Variant, stones []game.Point, lim game.Limits, rng *rand.Rand) (Swap2Reply, error) {
	if v.Size < 5 || v.Size > game.MaxSize {
		return Swap2Reply{}, fmt.Errorf("swap2 on a board of size %d", v.Size)
	}
	for i, p := range stones {
		if !p.On(v.Size) || slices.Contains(stones[:i], p) {
			return Swap2Reply{}, errors.New("swap2: stones off the board or on one point")
		}
	}
	b := newBudget(ctx, e, lim)
	rec := alternating(v, stones)
	switch len(stones) {
	case 0:
		if rng == nil {
			rng = rand.New(rand.NewPCG(0, 0))
		}
		return propose(b, v, rng)
	case 3:
		return choose(b, rec)
	case 5:
		c, err := b.think(rec, 1, 1)
		return side(c, err), err
	}
	return Swap2Reply{}, fmt.Errorf("swap2 with %d stones", len(stones))
}

// side takes the better side, White to move. To take Black is always legal.
func side(c game.Choice, err error) Swap2Reply {
	if err != nil || c.Info.Value < 0 || c.Point >= game.NoPoint {
		return Swap2Reply{Swap: true}
	}
	return Swap2Reply{Points: []game.Point{c.Point}}
}

// choose is the second player's answer to three stones.
func choose(b *budget, rec *game.Record) (Swap2Reply, error) {
	if b.tiny() {
		c, err := b.think(rec, 1, 1)
		return side(c, err), err
	}
	c, err := b.think(rec, 1, 2)
	if v := c.Info.Value; err != nil || v < -clear || v > clear {
		return side(c, err), err
	}
	points, err := balance(b, rec, 2, 0)
	if err != nil {
		return side(c, nil), err
	}
	return Swap2Reply{Points: points}, nil
}

// propose is the first player's opening.
func propose(b *budget, v game.Variant, rng *rand.Rand) (Swap2Reply, error) {
	own := triple(v.Size)
	if b.tiny() {
		return Swap2Reply{Points: own}, nil
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
		return Swap2Reply{Points: own}, err
	}
	return Swap2Reply{Points: best.points}, nil
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
