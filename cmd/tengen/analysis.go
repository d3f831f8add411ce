package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol/analysis"
	"tengen/protocol/brain"
)

// analyze is `tengen analysis`. Its flags include those that front ends start KataGo with.
func analyze(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen analysis", flag.ContinueOnError)
	f.SetOutput(stderr)
	o := analysis.Options{Settings: analysis.Usual()}
	net := f.String("net", "", "judge positions by this network, a `FILE` of KataGo's format (.bin.gz or .txt.gz)")
	f.StringVar(net, "model", "", "the same")
	config := f.String("config", "", "a `FILE` in the form of KataGo's with other defaults: maxVisits, maxTime, analysisPVLen, reportAnalysisWinratesAs, rootPolicyTemperature, rootFpuReductionMax, wideRootNoise, numAnalysisThreads")
	override := f.String("override-config", "", "further such settings, `KEY=VALUE,KEY=VALUE`")
	f.Int64Var(&o.Visits, "visits", o.Visits, "of a search whose query does not say (maxVisits)")
	f.IntVar(&o.Threads, "threads", runtime.NumCPU(), "search threads, shared by the positions that are searched at once")
	f.IntVar(&o.Parallel, "analysis-threads", 0, "positions that are searched at once, at most as many as threads (default as many)")
	memory := f.Int64("memory", engine.DefaultMemory>>20, "MiB the process may use")
	f.BoolVar(&o.Hasty, "quit-without-waiting", false, "end all searches when the input ends")
	if err := f.Parse(args); err != nil {
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintln(stderr, "tengen analysis:", err)
		return 2
	}
	if f.NArg() > 0 {
		return fail(fmt.Errorf("what is %q?", f.Arg(0)))
	}
	var unused []string
	set := func(key, value string) error {
		if key == "numAnalysisThreads" {
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return fmt.Errorf("%s must be a positive number", key)
			}
			if o.Parallel == 0 { // a flag has the last word
				o.Parallel = n
			}
			return nil
		}
		known, err := o.Set(key, value)
		if !known {
			unused = append(unused, key)
		}
		return err
	}
	visits := o.Visits
	if *config != "" {
		file, err := os.Open(*config)
		if err != nil {
			return fail(err)
		}
		defer file.Close()
		if err := analysis.ReadConfig(file, set); err != nil {
			return fail(fmt.Errorf("%s: %w", *config, err))
		}
	}
	if err := analysis.ReadConfig(strings.NewReader(strings.ReplaceAll(*override, ",", "\n")), set); err != nil {
		return fail(fmt.Errorf("-override-config: %w", err))
	}
	f.Visit(func(g *flag.Flag) {
		if g.Name == "visits" {
			o.Visits = visits
		}
	})
	switch {
	case o.Threads < 1, o.Visits < 1, o.Parallel < 0, *memory < 1:
		return fail(fmt.Errorf("-threads, -visits and -memory must be positive"))
	case len(unused) > 0:
		fmt.Fprintln(stderr, "tengen analysis: settings that have no effect here:", strings.Join(unused, " "))
	}
	if o.Parallel == 0 || o.Parallel > o.Threads {
		o.Parallel = o.Threads
	}
	o.Memory = *memory << 20
	debug.SetGCPercent(400)
	brain.Tune(engine.Options{Threads: o.Threads, Memory: o.Memory})
	player := engine.New
	if *net != "" {
		j, err := loadNet(*net, o.Memory)
		if err != nil {
			return fail(err)
		}
		defer j.Close()
		player = judged(j)
		o.Network = &analysis.Network{File: filepath.Base(*net), Name: j.Name(), Version: j.Version(), Batch: 1, Forget: j.Forget}
		o.Memory -= o.Memory / 8 // what it remembers
	}
	o.Engine = func(eo engine.Options) (engine.Engine, error) {
		return player(game.Variant{Rule: game.Weiqi, Size: 19}, eo)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	fmt.Fprintln(stderr, "Started, ready to begin handling requests") // front ends wait for these words
	if err := analysis.Serve(ctx, stdin, stdout, o); err != nil && ctx.Err() == nil {
		fmt.Fprintln(stderr, "tengen analysis:", err)
		return 1
	}
	return 0
}
