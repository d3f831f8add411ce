package tournament

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
	"tengen/openings/book"
	"tengen/openings/rule"
	"tengen/protocol"
)

// inside is a player without a process: an engine of this program. It plays the same
// whatever games it played before, but for the draws among equals in the opening.
type inside struct {
	opts engine.Options
	v    game.Variant
	e    engine.Engine
	book *book.Library
}

var (
	_ protocol.Player = (*inside)(nil)
	_ protocol.Opener = (*inside)(nil)
)

// Start implements protocol.Player.
func (p *inside) Start(_ context.Context, v game.Variant, _ game.Limits) error {
	if p.e == nil || p.v != v {
		p.release()
		e, err := engine.New(v, p.opts)
		if err != nil {
			return err
		}
		p.e, p.v = e, v
	}
	p.e.Forget()
	return nil
}

// Move implements protocol.Player.
func (p *inside) Move(ctx context.Context, rec *game.Record, lim game.Limits) (game.Choice, error) {
	began := time.Now()
	if c, known, err := p.book.Move(rec); known && err == nil {
		c.Took = time.Since(began)
		return c, ctx.Err()
	}
	c, err := p.e.Think(ctx, rec, p.limits(began, rec, lim), nil)
	if err == nil {
		err = ctx.Err()
	}
	c.Took = time.Since(began)
	return c, err
}

// limits makes those of a search from those of a move, as a program at the other end of a
// protocol would.
func (p *inside) limits(began time.Time, rec *game.Record, lim game.Limits) game.Limits {
	c := protocol.Clock{Threads: p.opts.Threads, Nodes: lim.Nodes, Depth: lim.Depth}
	if rec.Variant.Rule == game.Weiqi {
		c.Full = rec.Variant.Size * rec.Variant.Size
	}
	if lim.Hard > 0 {
		c.SetTurn(lim.Hard.Milliseconds())
	}
	if lim.Left > 0 {
		c.SetLeft(lim.Left.Milliseconds())
	}
	if lim.Hard == 0 && lim.Left == 0 {
		c.SetTurn(protocol.Never) // a search without limits is one that is stopped
	}
	return c.Limits(began, len(rec.Moves))
}

// Open implements protocol.Opener.
func (p *inside) Open(ctx context.Context, o *rule.Opening, lim game.Limits, seed uint64) (rule.Choice, time.Duration, error) {
	began := time.Now()
	if o.Rule().Name == "swap2" {
		var stones []game.Point
		for _, m := range o.Record().Moves {
			stones = append(stones, m.Point)
		}
		if r, _, known, err := p.book.Swap2(o.Record().Variant, stones); known && err == nil {
			return rule.Choice{Swap: r.Swap, Points: r.Points}, time.Since(began), ctx.Err()
		}
	}
	c, err := openings.Decide(ctx, p.e, o, p.limits(began, o.Record(), lim), rand.New(rand.NewPCG(seed, 0)))
	return c, time.Since(began), err
}

// Close implements protocol.Player.
func (p *inside) Close() error {
	p.release()
	p.book.Close()
	return nil
}

func (p *inside) release() {
	if p.e != nil {
		engine.Close(p.e)
		p.e = nil
	}
}

// newInside returns a player with an engine's options: book, as book.Library.Use takes it,
// and seed, from which the draws among equals of the book follow.
func newInside(o engine.Options, option map[string]string) (*inside, error) {
	seed := uint64(1)
	for k, v := range option {
		switch k {
		case "seed":
			n, err := strconv.ParseUint(v, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("option.seed=%s is not a number", v)
			}
			seed = n
		case "book":
		default:
			return nil, fmt.Errorf("proto=%s has the options book and seed, not %s", Inside, k)
		}
	}
	l := book.NewLibrary(seed)
	if name, ok := option["book"]; ok {
		if err := l.Use(name); err != nil {
			return nil, fmt.Errorf("option.book=%s: %w", name, err)
		}
	}
	return &inside{opts: o, book: l}, nil
}
