// Package bench measures how fast the engine is and whether it still plays the same.
//
// Run searches fixed positions to a fixed depth with one thread. The sum of the nodes is
// the signature: it does not depend on the machine, so two builds with the same signature
// play alike (the idea is Stockfish's).
package bench

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"tengen/engine"
	"tengen/engine/game"
)

//go:embed positions.txt
var positions string

// Position is one position of the bench.
type Position struct {
	Record *game.Record
	Moves  string // as written, "H8 I9 ..."
}

// Positions returns the fixed positions of a game.
func Positions(r game.Rule) ([]Position, error) {
	var all []Position
	s := bufio.NewScanner(strings.NewReader(positions))
	for n := 1; s.Scan(); n++ {
		f := strings.Fields(s.Text())
		if len(f) < 3 || strings.HasPrefix(f[0], "#") || f[0] != r.String() {
			continue
		}
		size, err := strconv.Atoi(f[1])
		if err != nil {
			return nil, fmt.Errorf("positions.txt line %d: %v", n, err)
		}
		rec, err := Record(game.Variant{Rule: r, Size: size}, f[2:])
		if err != nil {
			return nil, fmt.Errorf("positions.txt line %d: %v", n, err)
		}
		all = append(all, Position{rec, strings.Join(f[2:], " ")})
	}
	return all, nil
}

// Record reads moves in the letters of the line games, Black first.
func Record(v game.Variant, moves []string) (*game.Record, error) {
	rec := &game.Record{Variant: v}
	for _, m := range moves {
		q, err := game.ParseName(m, v.Size)
		if err != nil {
			return nil, err
		}
		rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: q})
	}
	_, err := engine.Replay(rec)
	return rec, err
}

// Result is what one position, or all of them together, came to.
type Result struct {
	Depth int
	Nodes int64
	Time  time.Duration
	Move  game.Point
	Value int
}

// Speed returns nodes per second.
func (r Result) Speed() float64 {
	if r.Time <= 0 {
		return 0
	}
	return float64(r.Nodes) / r.Time.Seconds()
}

// The signature's bounds: enough to pass through every step of the search, little enough
// to be a test.
const (
	Depth    = 7
	maxNodes = 200_000
)

// Run searches the positions one by one, each with an empty table, and writes a line for
// each to out. It returns the sum.
func Run(ctx context.Context, ps []Position, o engine.Options, lim game.Limits, out io.Writer) (Result, error) {
	var sum Result
	if len(ps) == 0 {
		return sum, nil
	}
	e, err := engine.New(ps[0].Record.Variant, o)
	if err != nil {
		return sum, err
	}
	for i, p := range ps {
		e.Forget()
		start := time.Now()
		c, err := e.Think(ctx, p.Record, lim, nil)
		if err != nil {
			return sum, fmt.Errorf("%s: %w", p.Moves, err)
		}
		r := Result{c.Info.Depth, c.Info.Nodes, time.Since(start), c.Point, c.Info.Value}
		sum.Depth += r.Depth
		sum.Nodes += r.Nodes
		sum.Time += r.Time
		fmt.Fprintf(out, "%-9s %2d  depth %2d  %-5s %7s  %9d nodes  %7.3f s  %8.0f nodes/s\n",
			p.Record.Variant.Rule, i+1, r.Depth, r.Move.Name(p.Record.Variant.Size),
			game.ValueString(r.Value), r.Nodes, r.Time.Seconds(), r.Speed())
		if ctx.Err() != nil {
			return sum, ctx.Err()
		}
	}
	return sum, nil
}

// SignatureLimits are the limits under which the nodes of Run make a signature.
func SignatureLimits() game.Limits { return game.Limits{Depth: Depth, Nodes: maxNodes} }
