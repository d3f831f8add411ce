package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"tengen/bench/selfplay"
	"tengen/engine/game"
	"tengen/eval/train"
)

// selfPlay is `tengen selfplay`.
func selfPlay(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen selfplay", flag.ContinueOnError)
	f.SetOutput(stderr)
	rule := f.String("game", "freestyle", "the game to play")
	size := f.Int("size", 15, "board size")
	games := f.Int("games", 1000, "games to play")
	nodes := f.Int64("nodes", 500, "nodes a move")
	leaves := f.Int("leaves", 0, "positions a move that its search judged, to be searched themselves and kept with the game")
	workers := f.Int("workers", 2, "games at a time")
	seed := f.Uint64("seed", 1, "seed of the openings")
	out := f.String("o", "games.zst", "file the games are appended to; those of this seed that it has are not played again")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintln(stderr, "tengen selfplay:", err)
		return 1
	}
	r, err := game.ParseRule(*rule)
	if err != nil {
		return fail(err)
	}
	known := map[int]bool{}
	w, err := train.Resume(*out, func(g *train.Game) error {
		if g.Rule != r.String() || g.Size != *size {
			return fmt.Errorf("%s: a game of %s %dx%d", *out, g.Rule, g.Size, g.Size)
		}
		if g.Seed == *seed {
			known[g.Number] = true
		}
		return nil
	})
	if err != nil {
		return fail(err)
	}
	if len(known) > 0 {
		fmt.Fprintf(stdout, "%d games were there\n", len(known))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	start := time.Now()
	n, positions := 0, 0
	err = selfplay.Play(ctx, selfplay.Settings{
		Variant: game.Variant{Rule: r, Size: *size, FreeOpening: true}, Games: *games, Nodes: *nodes, Leaves: *leaves,
		Workers: *workers, Seed: *seed, Memory: 80 << 20,
		Skip: func(n int) bool { return known[n] },
	}, func(g *train.Game) error {
		n++
		positions += len(g.Values) + len(g.Leaves)
		if n%200 == 0 {
			s := time.Since(start).Seconds()
			fmt.Fprintf(stdout, "%d games, %d positions, %.0f positions/s\n", n, positions, float64(positions)/s)
		}
		return w.Write(g)
	})
	if e := w.Close(); err == nil {
		err = e
	}
	fmt.Fprintf(stdout, "%d games, %d positions in %v\n", n, positions, time.Since(start).Round(time.Second))
	if err != nil {
		return fail(err)
	}
	return 0
}
