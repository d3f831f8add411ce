package openings

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"tengen/engine"
	"tengen/engine/game"
)

// Draw says what openings are wanted.
type Draw struct {
	Variant game.Variant
	Stones  int   // the least number of stones, Black's first
	Most    int   // and the largest; 0 for the same
	Spread  int   // side of the square in which they lie; it lies anywhere on the board
	Window  int   // how far the value may be from even
	Nodes   int64 // of the search that values an opening
	Seed    uint64
}

// Opening is a position to begin games from.
type Opening struct {
	Points []game.Point // in the order of play
	Value  int          // for the side to move, Fair
	Depth  int
	Nodes  int64
}

// Record returns the opening as a game.
func (o *Opening) Record(v game.Variant) *game.Record { return alternating(v, o.Points) }

// Generator draws openings at random and keeps those that a search finds balanced, no two
// of them alike under the symmetries of the board. Everything follows from the Draw: the
// n-th attempt draws from the n-th stream of the seed, and each search begins with an
// engine that has forgotten all.
type Generator struct {
	Tried  int // attempts so far; set it to go on where another generator ended
	Looked int // of them, those that were searched

	draw Draw
	e    engine.Engine
	seen map[string]bool // by key, whether it was drawn; if not, Know told it
}

// maxMisses is the number of attempts in a row after which there is nothing more to find.
const maxMisses = 5000

// NewGenerator returns a generator that uses e alone, or an error that says what cannot
// be drawn.
func NewGenerator(e engine.Engine, d Draw) (*Generator, error) {
	if _, err := engine.Referee(d.Variant); err != nil {
		return nil, err
	}
	size := d.Variant.Size
	d.Most = max(d.Most, d.Stones)
	switch {
	case d.Variant.Rule == game.Weiqi:
		return nil, errors.New("openings are drawn for line games")
	case d.Stones < 1 || d.Most > 50:
		return nil, fmt.Errorf("openings of %d to %d stones: from 1 to 50", d.Stones, d.Most)
	case d.Spread < 2 || d.Spread > game.MaxSize:
		return nil, fmt.Errorf("stones in a square of side %d: from 2 to %d", d.Spread, game.MaxSize)
	case d.Most > min(d.Spread, size)*min(d.Spread, size)/2:
		return nil, fmt.Errorf("%d stones in a square of side %d", d.Most, min(d.Spread, size))
	case d.Window < 0:
		return nil, fmt.Errorf("a window of %d", d.Window)
	case d.Nodes < 1:
		return nil, fmt.Errorf("a search of %d nodes", d.Nodes)
	}
	return &Generator{draw: d, e: e, seen: map[string]bool{}}, nil
}

// Know makes the generator return none that is like this one.
func (g *Generator) Know(points []game.Point) {
	if ref, err := engine.Replay(alternating(g.draw.Variant, points)); err == nil {
		g.seen[g.key(ref)] = false
	}
}

func (g *Generator) key(ref game.Game) string {
	p, _ := PositionOf(ref)
	key, _ := p.Key(g.draw.Variant.Size)
	return key
}

// stages are the searches of an attempt: a share of the nodes, and how far beyond the
// window the value may be that a search with so many finds.
var stages = [...]struct {
	share int64
	slack int
}{{16, 40}, {4, 20}, {1, 0}}

// Next returns the next opening, or ctx's error, or the engine's, or one that says that
// too many attempts have failed.
func (g *Generator) Next(ctx context.Context) (Opening, error) {
	for misses := 0; misses < maxMisses; misses++ {
		if err := ctx.Err(); err != nil {
			return Opening{}, err
		}
		rng := rand.New(rand.NewPCG(g.draw.Seed, uint64(g.Tried)))
		g.Tried++
		ref := g.attempt(rng)
		if ref == nil {
			continue
		}
		key := g.key(ref)
		drawn, known := g.seen[key]
		g.seen[key] = true
		if known {
			if !drawn {
				misses = -1 // here the generator before had found something
			}
			continue
		}
		g.Looked++
		o := Opening{}
		for _, m := range ref.Record().Moves {
			o.Points = append(o.Points, m.Point)
		}
		ok := true
		for _, s := range stages {
			c, err := g.value(ctx, ref.Record(), max(1, g.draw.Nodes/s.share))
			if err != nil {
				g.Tried-- // it was not seen to its end
				return Opening{}, err
			}
			o.Value, o.Depth, o.Nodes = c.Info.Value, c.Info.Depth, c.Info.Nodes
			if ok = abs(o.Value) <= g.draw.Window+s.slack; !ok {
				break
			}
		}
		if ok {
			return o, nil
		}
	}
	return Opening{}, fmt.Errorf("none of %d attempts is a balanced opening", maxMisses)
}

// Value searches an opening anew and fills in what came of it.
func (g *Generator) Value(ctx context.Context, o *Opening) error {
	c, err := g.value(ctx, o.Record(g.draw.Variant), g.draw.Nodes)
	if err == nil {
		o.Value, o.Depth, o.Nodes = c.Info.Value, c.Info.Depth, c.Info.Nodes
	}
	return err
}

func (g *Generator) value(ctx context.Context, rec *game.Record, nodes int64) (game.Choice, error) {
	g.e.Forget()
	c, err := g.e.Think(ctx, rec, game.Limits{Nodes: nodes}, nil)
	if err == nil {
		err = ctx.Err()
	}
	c.Info.Value = Fair(g.draw.Variant, rec.ToMove(), c.Info.Value)
	return c, err
}

// attempt puts the stones where the rules allow it; nil if they do not, or if the game
// then is over.
func (g *Generator) attempt(rng *rand.Rand) game.Game {
	ref, err := engine.Referee(g.draw.Variant)
	if err != nil {
		return nil
	}
	size := g.draw.Variant.Size
	w := min(size, g.draw.Spread)
	x, y := rng.IntN(size-w+1), rng.IntN(size-w+1)
	for range g.draw.Stones + rng.IntN(g.draw.Most-g.draw.Stones+1) {
		var free []game.Point
		for i := range w * w {
			if q := game.At(x+i%w, y+i/w); ref.Legal(q) == nil {
				free = append(free, q)
			}
		}
		if len(free) == 0 || ref.Play(free[rng.IntN(len(free))]) != nil || ref.Result().Outcome != game.Open {
			return nil
		}
	}
	return ref
}

// PlayOut plays a game to its end, the engine against itself with so many nodes a move.
// A win that the search announces ends it; a game of so many stones is a draw.
func PlayOut(ctx context.Context, e engine.Engine, rec *game.Record, nodes int64, stones int) (game.Outcome, error) {
	ref, err := engine.Replay(rec)
	if err != nil {
		return game.Open, err
	}
	e.Forget()
	for ref.Result().Outcome == game.Open {
		if len(ref.Record().Moves) >= stones {
			return game.Draw, nil
		}
		c, err := e.Think(ctx, ref.Record(), game.Limits{Nodes: nodes}, nil)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return game.Open, err
		}
		if _, decided := game.PliesToWin(c.Info.Value); decided {
			if c.Info.Value > 0 {
				return game.WinFor(ref.ToMove()), nil
			}
			return game.WinFor(ref.ToMove().Other()), nil
		}
		if err := ref.Play(c.Point); err != nil {
			return game.Open, err
		}
	}
	return ref.Result().Outcome, nil
}
