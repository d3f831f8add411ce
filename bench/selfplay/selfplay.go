// Package selfplay lets the engine play itself, for training: many short games from
// varied openings, every core busy, each game kept with what the search thought of it.
package selfplay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/eval/train"
)

// Settings say what to play.
type Settings struct {
	Variant game.Variant
	Games   int
	Nodes   int64 // a move
	Leaves  int   // positions judged by each move's search that are searched themselves and kept
	Workers int
	Seed    uint64
	Memory  int64 // bytes for each worker's engine
	// Skip, if there, says which of the games, numbered from 1, are not to be played.
	Skip func(number int) bool
}

// Play plays games and hands each to keep, one at a time, in no fixed order.
func Play(ctx context.Context, s Settings, keep func(*train.Game) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	numbers := make(chan int)
	go func() {
		defer close(numbers)
		for i := range s.Games {
			if s.Skip != nil && s.Skip(i+1) {
				continue
			}
			select {
			case numbers <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	var mu sync.Mutex
	var group sync.WaitGroup
	for range max(1, s.Workers) {
		group.Go(func() {
			e, err := engine.New(s.Variant, engine.Options{Memory: s.Memory})
			if err != nil {
				cancel(err)
				return
			}
			for i := range numbers {
				g, err := one(ctx, e, s, rand.New(rand.NewPCG(s.Seed, uint64(i))))
				if err == nil {
					g.Seed, g.Number = s.Seed, i+1
					mu.Lock()
					err = keep(g)
					mu.Unlock()
				}
				if err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// one plays one game.
func one(ctx context.Context, e engine.Engine, s Settings, rng *rand.Rand) (*train.Game, error) {
	ref, err := opening(ctx, e, s, rng)
	if err != nil {
		return nil, err
	}
	g := &train.Game{Rule: s.Variant.Rule.String(), Size: s.Variant.Size}
	for _, m := range ref.Record().Moves {
		g.Moves = append(g.Moves, int(m.Point))
	}
	g.Opening = len(g.Moves)
	winner := ref.Result().Outcome
	drawn := sample{most: s.Leaves, rng: rng}
	for winner == game.Open {
		drawn.seen, drawn.lines = 0, drawn.lines[:0]
		limits := game.Limits{Nodes: s.Nodes}
		if s.Leaves > 0 {
			limits.Leaf = drawn.take
		}
		c, err := think(ctx, e, ref.Record(), limits)
		if err == nil {
			err = judge(ctx, e, s, g, ref.Record(), drawn.lines)
		}
		if err == nil {
			err = ref.Play(c.Point)
		}
		if err != nil {
			return nil, fmt.Errorf("%v: %w", g.Moves, err)
		}
		g.Moves = append(g.Moves, int(c.Point))
		g.Values = append(g.Values, c.Info.Value)
		winner = ref.Result().Outcome
		// A win that the search has proven need not be played out.
		if _, decided := game.PliesToWin(c.Info.Value); decided && winner == game.Open {
			winner = game.WinFor(ref.ToMove().Other())
			if c.Info.Value < 0 {
				winner = game.WinFor(ref.ToMove())
			}
		}
	}
	switch winner {
	case game.BlackWin:
		g.Winner = 1
	case game.WhiteWin:
		g.Winner = -1
	}
	return g, nil
}

// think searches a position; what a search that was broken off says is not taken.
func think(ctx context.Context, e engine.Engine, rec *game.Record, lim game.Limits) (game.Choice, error) {
	c, err := e.Think(ctx, rec, lim, nil)
	if err == nil {
		err = ctx.Err()
	}
	return c, err
}

// sample draws some of the lines that it is shown, each with the same chance (reservoir
// sampling, Vitter 1985).
type sample struct {
	most, seen int
	lines      [][]int
	rng        *rand.Rand
}

func (s *sample) take(moves []game.Point) {
	s.seen++
	at := len(s.lines)
	if at == s.most {
		if at = s.rng.IntN(s.seen); at >= s.most {
			return
		}
	} else {
		s.lines = append(s.lines, nil)
	}
	line := make([]int, len(moves))
	for i, q := range moves {
		line[i] = int(q)
	}
	s.lines[at] = line
}

// judge searches the ends of lines that begin where a game stands, and keeps them with it.
func judge(ctx context.Context, e engine.Engine, s Settings, g *train.Game, now *game.Record, lines [][]int) error {
	for _, line := range lines {
		rec := now.Clone()
		for _, q := range line {
			rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: game.Point(q)})
		}
		c, err := think(ctx, e, rec, game.Limits{Nodes: s.Nodes})
		if err != nil {
			return fmt.Errorf("%v and %v: %w", g.Moves, line, err)
		}
		g.Leaves = append(g.Leaves, train.Leaf{After: len(now.Moves), Moves: line, Value: c.Info.Value})
	}
	return nil
}

// opening puts some stones near each other at random until a short search finds
// neither side far ahead.
func opening(ctx context.Context, e engine.Engine, s Settings, rng *rand.Rand) (game.Game, error) {
	for {
		ref, err := engine.Referee(s.Variant)
		if err != nil {
			return nil, err
		}
		n := 2 + rng.IntN(7)
		spread := 1.2 + 1.6*rng.Float64()
		margin := float64(min(3, s.Variant.Size/4))
		room := float64(s.Variant.Size) - 1 - 2*margin
		cx, cy := margin+room*rng.Float64(), margin+room*rng.Float64()
		for tries := 0; len(ref.Record().Moves) < n && tries < 100; tries++ {
			x, y := int(cx+rng.NormFloat64()*spread+0.5), int(cy+rng.NormFloat64()*spread+0.5)
			if x < 0 || y < 0 || x >= s.Variant.Size || y >= s.Variant.Size {
				continue
			}
			if err := ref.Play(game.At(x, y)); err != nil {
				continue
			}
			if ref.Result().Outcome != game.Open {
				break
			}
		}
		if ref.Result().Outcome != game.Open || len(ref.Record().Moves) < n {
			continue
		}
		c, err := think(ctx, e, ref.Record(), game.Limits{Nodes: s.Nodes})
		if err != nil {
			return nil, err
		}
		if v := c.Info.Value; v > -250 && v < 250 {
			return ref, nil
		}
	}
}
