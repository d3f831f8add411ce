package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/pprof/profile"
	profiler "github.com/pkg/profile"

	"tengen/bench"
	"tengen/bench/flame"
	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol/brain"
)

// interrupted is the exit status of what Ctrl-C has ended.
const interrupted = 130

// profileModes are what -profile knows: how to ask for it, the file it comes in, and which
// of its kinds of samples is drawn ("" the last, "-" none).
var profileModes = map[string]struct {
	mode       func(*profiler.Profile)
	file, kind string
}{
	"cpu":   {profiler.CPUProfile, "cpu.pprof", ""},
	"mem":   {profiler.MemProfile, "mem.pprof", "alloc_space"},
	"mutex": {profiler.MutexProfile, "mutex.pprof", ""},
	"block": {profiler.BlockProfile, "block.pprof", ""},
	"trace": {profiler.TraceProfile, "trace.out", "-"},
}

// benchmark is `tengen bench`.
func benchmark(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprintln(stderr, "usage: tengen bench [flags]\n       tengen bench -compare old.json new.json\n\nSuites:")
		for _, s := range bench.Suites() {
			fmt.Fprintf(stderr, "  %-10s %s\n", s.Name, s.What)
		}
		fmt.Fprintln(stderr, "\nFlags:")
		f.PrintDefaults()
	}
	var s bench.Settings
	games := f.String("game", "", "only these games, with commas between: freestyle, standard, renju, caro, caro6, omok, pente, keryo, go")
	suites := f.String("suite", "search", "what to measure, with commas between, or all")
	depth := f.Int("depth", 0, "search to this depth (default: that of the signature)")
	f.Int64Var(&s.Limits.Nodes, "nodes", 0, "search this many nodes a position (in Go a playout for each 500)")
	movetime := f.Duration("time", 0, "search this long a position")
	f.IntVar(&s.Threads, "threads", 1, "search threads; suite threads goes up to it")
	memory := f.Int64("memory", 0, "MiB the process may use (default 64, and 350 beside a peer)")
	f.IntVar(&s.Repeat, "repeat", 3, "how often all is measured; to tell a difference takes 4")
	f.DurationVar(&s.Time, "each", 100*time.Millisecond, "how long each of the smallest operations is measured")
	f.IntVar(&s.Moves, "moves", 50, "moves of suites protocol and, for each game, deadline")
	f.DurationVar(&s.Clock, "clock", 20*time.Millisecond, "time of a move in suite deadline")
	puzzles := f.String("puzzles", "", "a file of puzzles, one JSON object a line, instead of those of the program")
	f.Int64Var(&s.Nodes, "puzzle-nodes", 1_000_000, "nodes after which a puzzle is given up")
	asJSON := f.Bool("json", false, "print JSON instead of tables")
	compare := f.String("compare", "", "print how the figures stand to those in this file of -json; with a second file, nothing is run")
	peer := f.String("peer", "", "a program, with its arguments, that searches the same positions in turn with us")
	proto := f.String("peer-protocol", "piskvork", "what the peer speaks: "+strings.Join(bench.Protocols, " or "))
	prof := f.String("profile", "", "write a profile of the run: cpu, mem, mutex, block or trace; with a flame graph but of the last")
	dir := f.String("profile-dir", ".", "where the profile goes")
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	wrong := func(err error) int {
		fmt.Fprintln(stderr, "tengen bench:", err)
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintln(stderr, "tengen bench:", err)
		return 1
	}
	var old *bench.Report
	if *compare != "" {
		var err error
		if old, err = bench.ReadReport(*compare); err != nil {
			return fail(err)
		}
	}
	switch {
	case f.NArg() == 1 && old != nil:
		now, err := bench.ReadReport(f.Arg(0))
		if err == nil {
			err = bench.Compare(stdout, old, now)
		}
		if err != nil {
			return fail(err)
		}
		return 0
	case f.NArg() > 0:
		return wrong(fmt.Errorf("what is %q?", f.Arg(0)))
	case old != nil && *asJSON:
		return wrong(errors.New("-json prints no comparison: keep its output, then compare the two files"))
	}
	for name, n := range map[string]int64{"depth": int64(*depth), "nodes": s.Limits.Nodes, "time": int64(*movetime), "threads": int64(s.Threads),
		"memory": *memory, "repeat": int64(s.Repeat), "moves": int64(s.Moves), "clock": int64(s.Clock), "each": int64(s.Time), "puzzle-nodes": s.Nodes} {
		if n < 0 {
			return wrong(fmt.Errorf("-%s is negative", name))
		}
	}

	s.Limits.Depth, s.Memory, s.Tune = *depth, *memory<<20, brain.Tune
	s.Limits.Soft, s.Limits.Hard = *movetime, *movetime
	if *games != "" {
		for name := range strings.SplitSeq(*games, ",") {
			r, err := game.ParseRule(strings.TrimSpace(name))
			if err != nil {
				return wrong(err)
			}
			s.Games = append(s.Games, r)
		}
	}
	chosen, err := chooseSuites(*suites)
	if err != nil {
		return wrong(err)
	}
	if *puzzles != "" {
		if s.Puzzles, err = bench.ReadPuzzleFile(*puzzles); err != nil {
			return fail(err)
		}
	}
	mode, known := profileModes[*prof]
	if *prof != "" && !known {
		return wrong(fmt.Errorf("unknown profile %q (cpu, mem, mutex, block or trace)", *prof))
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *peer != "" {
		if s.Memory == 0 {
			s.Memory = engine.DefaultMemory
		}
		p, err := bench.DialPeer(ctx, *peer, *proto, engine.Options{Threads: s.Threads, Memory: s.Memory})
		if err != nil {
			return fail(err)
		}
		defer p.Close()
		named := false
		f.Visit(func(g *flag.Flag) { named = named || g.Name == "suite" })
		if !named {
			chosen = nil
		}
		chosen = append(chosen, bench.PeerSuite(p))
		if s.Games == nil {
			s.Games = bench.PeerGames(*proto)
		}
	}
	line := newProgress(stderr)
	s.Progress = line.tell
	report := bench.NewReport()
	report.Arguments = args
	finish := func() error { return nil }
	if known {
		if err := os.MkdirAll(*dir, 0o777); err != nil {
			return fail(err)
		}
		running := profiler.Start(mode.mode, profiler.ProfilePath(*dir), profiler.NoShutdownHook, profiler.Quiet)
		finish = func() error {
			running.Stop()
			return drawProfile(filepath.Join(*dir, mode.file), mode.kind, stderr)
		}
	}
	err = bench.Run(ctx, chosen, s, report)
	line.done()
	drawn := finish()
	if e := printReport(stdout, report, old, *asJSON); err == nil {
		err = e
	}
	switch {
	case report.Interrupted:
		fmt.Fprintln(stderr, "tengen bench: interrupted; this is what was done")
		return interrupted
	case err != nil:
		return fail(err)
	case drawn != nil:
		return fail(drawn)
	}
	return 0
}

// chooseSuites reads the names of suites.
func chooseSuites(names string) (chosen []bench.Suite, err error) {
	all := bench.Suites()
	if names == "all" {
		return all, nil
	}
next:
	for name := range strings.SplitSeq(names, ",") {
		var have []string
		for _, s := range all {
			if s.Name == strings.TrimSpace(name) {
				chosen = append(chosen, s)
				continue next
			}
			have = append(have, s.Name)
		}
		return nil, fmt.Errorf("unknown suite %q (one of %s)", name, strings.Join(have, ", "))
	}
	return chosen, nil
}

func printReport(w io.Writer, r, old *bench.Report, asJSON bool) error {
	if asJSON {
		return r.Write(w)
	}
	if err := r.Print(w); err != nil || old == nil {
		return err
	}
	fmt.Fprintln(w)
	return bench.Compare(w, old, r)
}

// drawProfile draws a flame graph beside a profile, and says where both are.
func drawProfile(name, kind string, stderr io.Writer) error {
	if kind == "-" {
		fmt.Fprintf(stderr, "profile in %s (go tool trace reads it)\n", name)
		return nil
	}
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	p, err := profile.Parse(in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	svg := strings.TrimSuffix(name, filepath.Ext(name)) + ".svg"
	out, err := os.Create(svg)
	if err != nil {
		return err
	}
	err = flame.Write(out, p, kind)
	if e := out.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "profile in %s, flame graph in %s\n", name, svg)
	return nil
}
