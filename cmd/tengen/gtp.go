package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/engine/weiqi"
	"tengen/eval/judge"
	"tengen/eval/resnet"
	"tengen/openings/book"
	"tengen/protocol"
	"tengen/protocol/brain"
	"tengen/protocol/gtp"
)

// speakGTP is `tengen gtp`.
func speakGTP(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen gtp", flag.ContinueOnError)
	f.SetOutput(stderr)
	rule := f.String("game", "go", "the game: go, freestyle, standard, renju, caro, caro6, omok, pente or keryo")
	size := f.Int("size", 0, "side of the board at the start (default 19 for go, omok, pente and keryo, else 15)")
	rules := f.String("rules", "", "rules of Go: french, chinese, japanese, tromp-taylor, aga or new-zealand (default french)")
	free := f.Bool("free-opening", false, "pente without the tournament rule for the first player's first two stones")
	reading := f.Bool("renju-five-at-four", false, "renju: a three's straight-four point may also make a five")
	threads := f.Int("threads", 1, "search threads")
	net := f.String("net", "", "play with this network: a `FILE` of tengen train -net (off for none) or, in go, of KataGo's format (.bin.gz or .txt.gz)")
	memory := f.Int64("memory", engine.DefaultMemory>>20, "MiB the process may use")
	books := f.String("book", "on", "opening book of the line games: a `FILE`, on for those that come with the program, off for none")
	seed := f.Uint64("seed", 0, "decides between moves of the book that are about as good (default: another one each time)")
	var o gtp.ServeOptions
	f.DurationVar(&o.MoveTime, "time", 5*time.Second, "for a move when the manager tells no time")
	f.Int64Var(&o.Nodes, "nodes", 0, "search so many nodes for a move, and no time when the manager tells none")
	f.DurationVar(&o.Lag, "lag", 100*time.Millisecond, "lost on the way to the manager's clock with each move")
	if err := f.Parse(args); err != nil {
		return 2
	}
	v, err := gtpVariant(*rule, *size, *rules)
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("what is %q?", f.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(stderr, "tengen gtp:", err)
		return 2
	}
	v.FreeOpening, v.FiveAtFour = *free, *reading
	o.Variant = v
	debug.SetGCPercent(400)
	maker := protocol.Maker{Referee: engine.Replay, Engine: engine.New, Tune: brain.Tune,
		Book: book.NewLibrary(cmp.Or(*seed, rand.Uint64()))}
	if *net != "" && v.Rule == game.Weiqi {
		j, err := loadNet(*net, *memory<<20)
		if err != nil {
			fmt.Fprintln(stderr, "tengen gtp:", err)
			return 2
		}
		defer j.Close()
		maker.Engine = judged(j)
		o.Network = j
	}
	s := protocol.NewSession(maker)
	if err := s.UseBook(*books); err != nil {
		fmt.Fprintln(stderr, "tengen gtp: play goes on without a book:", err)
	}
	s.Configure(engine.Options{Threads: *threads, Memory: *memory << 20})
	if *net != "" && v.Rule != game.Weiqi {
		switch name, err := s.UseNet(*net); {
		case err != nil:
			fmt.Fprintln(stderr, "tengen gtp: play goes on with our own network:", err)
		case name != "" && name != v.Rule.String():
			fmt.Fprintf(stderr, "tengen gtp: %s is for %s; %s is played with our own\n", *net, name, v.Rule)
		}
	}
	// Whatever a search or a blocked write does: a signal ends the process.
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := gtp.Serve(ctx, s, stdin, stdout, o); err != nil && ctx.Err() == nil {
		fmt.Fprintln(stderr, "tengen gtp:", err)
		return 1
	}
	return 0
}

// loadNet returns the judge of a network, which remembers evaluations in an eighth of the
// memory.
func loadNet(file string, memory int64) (*judge.Judge, error) {
	m, err := resnet.ReadFile(file)
	if err != nil {
		return nil, err
	}
	n, err := resnet.New(m)
	if err != nil {
		return nil, err
	}
	return judge.New(n, memory/8)
}

// judged makes engines that ask a network.
func judged(j *judge.Judge) func(game.Variant, engine.Options) (engine.Engine, error) {
	return func(v game.Variant, o engine.Options) (engine.Engine, error) {
		e, err := engine.New(v, o)
		if err == nil {
			engine.UseJudge(e, j)
		}
		return e, err
	}
}

// gtpVariant returns the game of the flags.
func gtpVariant(rule string, size int, rules string) (game.Variant, error) {
	r, err := game.ParseRule(rule)
	if err != nil {
		return game.Variant{}, err
	}
	if size == 0 {
		size = 15
		switch r {
		case game.Weiqi, game.Omok, game.Pente, game.Keryo:
			size = 19
		}
	}
	if r == game.Weiqi {
		return weiqi.NewVariant(size, rules, 0)
	}
	if rules != "" {
		return game.Variant{}, fmt.Errorf("-rules is for go")
	}
	return game.Variant{Rule: r, Size: size}, nil
}
