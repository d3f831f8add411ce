package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/pkg/profile"

	"tengen/bench"
	"tengen/engine"
	"tengen/engine/game"
)

// benchmark is `tengen bench`.
func benchmark(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	rule := f.String("game", "", "only this game: freestyle, standard, renju, caro or caro6 (default all)")
	depth := f.Int("depth", 0, "search to this depth (default: the depth of the signature)")
	nodes := f.Int64("nodes", 0, "search this many nodes a position instead")
	movetime := f.Duration("time", 0, "search this long a position instead")
	threads := f.Int("threads", 1, "search threads")
	memory := f.Int64("memory", 128, "MiB the process may use")
	prof := f.String("profile", "", "write a profile of the run: cpu, mem, mutex, block or trace")
	dir := f.String("profile-dir", ".", "where the profile goes")
	if err := f.Parse(args); err != nil {
		return 2
	}
	modes := map[string]func(*profile.Profile){
		"cpu": profile.CPUProfile, "mem": profile.MemProfile, "mutex": profile.MutexProfile,
		"block": profile.BlockProfile, "trace": profile.TraceProfile,
	}
	if *prof != "" {
		mode, ok := modes[*prof]
		if !ok {
			fmt.Fprintf(stderr, "tengen bench: unknown profile %q (cpu, mem, mutex, block or trace)\n", *prof)
			return 2
		}
		defer profile.Start(mode, profile.ProfilePath(*dir), profile.NoShutdownHook, profile.Quiet).Stop()
	}
	games := []game.Rule{game.Freestyle, game.Standard, game.Renju, game.Caro, game.CaroSix}
	if *rule != "" {
		r, err := game.ParseRule(*rule)
		if err != nil {
			fmt.Fprintln(stderr, "tengen bench:", err)
			return 2
		}
		games = []game.Rule{r}
	}
	lim, signature := bench.SignatureLimits(), true
	switch {
	case *nodes > 0:
		lim, signature = game.Limits{Nodes: *nodes}, false
	case *movetime > 0:
		lim, signature = game.Limits{Soft: *movetime, Hard: *movetime}, false
	case *depth > 0:
		lim, signature = game.Limits{Depth: *depth}, false
	}
	signature = signature && *threads == 1
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var all bench.Result
	for _, r := range games {
		ps, err := bench.Positions(r)
		if err == nil && len(ps) == 0 {
			err = fmt.Errorf("no positions of %v", r)
		}
		if err == nil {
			var sum bench.Result
			sum, err = bench.Run(ctx, ps, engine.Options{Threads: *threads, Memory: *memory << 20}, lim, stdout)
			all.Nodes += sum.Nodes
			all.Time += sum.Time
			fmt.Fprintf(stdout, "%-9s all %37d nodes  %7.3f s  %8.0f nodes/s\n", r, sum.Nodes, sum.Time.Seconds(), sum.Speed())
		}
		if ctx.Err() != nil {
			fmt.Fprintln(stderr, "tengen bench: interrupted")
			return 1
		}
		if err != nil {
			fmt.Fprintln(stderr, "tengen bench:", err)
			return 1
		}
	}
	fmt.Fprintf(stdout, "%d nodes in %v, %.0f nodes/s\n", all.Nodes, all.Time.Round(time.Millisecond), all.Speed())
	if signature && *rule == "" {
		fmt.Fprintf(stdout, "signature %d\n", all.Nodes)
	}
	return 0
}
