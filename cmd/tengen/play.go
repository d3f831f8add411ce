package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings/rule"
	"tengen/protocol"
	"tengen/protocol/brain"
	"tengen/protocol/terminal"
)

// playGame is `tengen play`.
func playGame(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen play", flag.ContinueOnError)
	f.SetOutput(stderr)
	which := f.String("game", "freestyle", "freestyle, standard, renju, caro, caro6, omok, pente, keryo or go")
	size := f.Int("size", 0, "side of the board (default 19 for omok, pente, keryo and go, else 15)")
	rules := f.String("rules", "", "rules of Go (default french)")
	opening := f.String("opening-rule", "", "one of "+strings.Join(rule.Names(), ", "))
	color := f.String("color", "black", "yours: black, white or random; by an opening rule black is who begins")
	free := f.Bool("free-opening", false, "pente without the tournament rule for the first player's first two stones")
	reading := f.Bool("renju-five-at-four", false, "renju: a three's straight-four point may also make a five")
	threads := f.Int("threads", 1, "search threads")
	memory := f.Int64("memory", engine.DefaultMemory>>20, "MiB the process may use")
	var o terminal.Options
	f.Int64Var(&o.Level, "level", terminal.MaxLevel, "strength of the engine, 0 to 100")
	f.DurationVar(&o.Time, "time", 3*time.Second, "for a move of the engine")
	f.Int64Var(&o.Nodes, "nodes", 0, "search at most so many nodes for a move (0: any number)")
	f.Uint64Var(&o.Seed, "seed", rand.Uint64(), "of what is drawn (default: another each time)")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	fail := func(status int, err error) int {
		fmt.Fprintln(stderr, "tengen play:", err)
		return status
	}
	v, err := gtpVariant(*which, *size, *rules)
	switch {
	case err != nil:
	case f.NArg() > 0:
		err = fmt.Errorf("what is %q?", f.Arg(0))
	case o.Level < 0 || o.Level > terminal.MaxLevel:
		err = fmt.Errorf("-level %d is not 0 to %d", o.Level, terminal.MaxLevel)
	case o.Time < time.Millisecond:
		err = fmt.Errorf("-time %v is too short", o.Time)
	case o.Nodes < 0:
		err = fmt.Errorf("-nodes %d is negative", o.Nodes)
	case *threads < 1 || *memory < 1:
		err = errors.New("-threads and -memory are at least 1")
	}
	if err != nil {
		return fail(2, err)
	}
	v.FreeOpening, v.FiveAtFour = *free, *reading
	if *opening != "" {
		if o.Rule, err = rule.Find(*opening); err == nil {
			err = o.Rule.For(v)
		}
		if err != nil {
			return fail(2, err)
		}
	}
	switch strings.ToLower(*color) {
	case "black", "first":
		o.You = rule.First
	case "white", "second":
		o.You = rule.Second
	case "random":
		o.You = rule.Player(rand.New(rand.NewPCG(o.Seed, 1)).IntN(2))
	default:
		return fail(2, fmt.Errorf("-color %s is neither black nor white nor random", *color))
	}
	o.Variant = v
	s := protocol.NewSession(protocol.Maker{Referee: engine.Replay, Engine: engine.New, Tune: brain.Tune})
	s.Configure(engine.Options{Threads: *threads, Memory: *memory << 20})
	if v.Rule == game.Weiqi {
		s.Clock.Full = v.Size * v.Size
	}
	if _, err := engine.Referee(v); err != nil {
		return fail(2, err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := terminal.Play(ctx, s, stdin, stdout, o); {
	case ctx.Err() != nil:
		return 130
	case err != nil:
		return fail(1, err)
	}
	return 0
}
