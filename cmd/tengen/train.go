package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"runtime"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/eval/nnue"
	"tengen/eval/train"
)

// learn is `tengen train`.
func learn(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen train", flag.ContinueOnError)
	f.SetOutput(stderr)
	rule := f.String("game", "freestyle", "the game the records are of")
	epochs := f.Int("epochs", 12, "passes over the positions")
	rate := f.Float64("rate", 8, "learning rate at the start")
	blend := f.Float64("blend", 0.5, "share of the result in the target; the rest is the search's value")
	seed := f.Uint64("seed", 1, "seed of the order")
	net := f.Bool("net", false, "learn a network that corrects the table, instead of the table")
	from := f.String("from", "", "a network to begin with")
	out := f.String("o", "weights.zst", "file for the weights")
	if err := f.Parse(args); err != nil {
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintln(stderr, "tengen train:", err)
		return 1
	}
	r, err := game.ParseRule(*rule)
	if err != nil {
		return fail(err)
	}
	rules, err := line.RulesOf(game.Variant{Rule: r, Size: 15})
	if err != nil {
		return fail(err)
	}
	var set interface {
		Add(line.Rules, *train.Game, bool) error
		Len() int
	}
	table, cells := new(train.Set), new(train.NetSet)
	if set = table; *net {
		set = cells
	}
	games := 0
	for _, name := range f.Args() {
		err := train.Read(name, func(g *train.Game) error {
			if g.Rule != r.String() {
				return fmt.Errorf("%s: a game of %s", name, g.Rule)
			}
			games++
			// Whole games are held out, chosen by their opening, so that no position
			// is tested whose neighbours were learned.
			h := fnv.New32()
			fmt.Fprint(h, g.Moves[:g.Opening])
			return set.Add(rules, g, h.Sum32()%10 == 0)
		})
		if err != nil {
			return fail(err)
		}
	}
	if set.Len() == 0 {
		fmt.Fprintln(stderr, "tengen train: no games; usage: tengen train -game NAME -o weights.zst games.zst ...")
		return 2
	}
	fmt.Fprintf(stdout, "%d games, %d positions\n", games, set.Len())
	var write func(io.Writer) error
	if *net {
		fit := train.NetFit{Rules: rules, Epochs: *epochs, Rate: *rate / 4000, Blend: *blend, Seed: *seed,
			Workers: runtime.GOMAXPROCS(0), Log: stdout}
		if *from != "" {
			if fit.From, err = readNet(*from); err != nil {
				return fail(err)
			}
		}
		n := fit.Run(cells)
		write = func(w io.Writer) error { return n.Write(w, r.String()) }
	} else {
		fit := train.Fit{Rules: rules, Epochs: *epochs, Rate: *rate, Blend: *blend, Seed: *seed, Log: stdout}
		write = fit.Run(table).Write
	}
	file, err := os.Create(*out)
	if err != nil {
		return fail(err)
	}
	if err := write(file); err != nil {
		file.Close()
		return fail(err)
	}
	if err := file.Close(); err != nil {
		return fail(err)
	}
	return 0
}

func readNet(name string) (*nnue.Net, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n, _, err := nnue.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}
