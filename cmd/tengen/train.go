package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/signal"
	"runtime"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/eval"
	"tengen/eval/choice"
	"tengen/eval/train"
	"tengen/protocol/record"
)

// learn is `tengen train`.
func learn(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen train", flag.ContinueOnError)
	f.SetOutput(stderr)
	rule := f.String("game", "freestyle", "the game the records are of")
	epochs := f.Int("epochs", 12, "passes over the positions")
	rate := f.Float64("rate", 8, "learning rate at the start")
	batch := f.Int("batch", 128, "positions of a step of -net")
	blend := f.Float64("blend", 0.5, "share of the result in the target; the rest is the search's value")
	seed := f.Uint64("seed", 1, "seed of the order")
	net := f.Bool("net", false, "learn a network that corrects the table, instead of the table")
	from := f.String("from", "", "a network to begin with")
	out := f.String("o", "weights.zst", "file for the weights; -net goes on from this name and .part, where it was interrupted, and draws the losses to this name and .svg")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if *batch < 1 {
		fmt.Fprintln(stderr, "tengen train: -batch must be at least 1")
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
	// What an option would not do is not passed over.
	idle := map[string]string{}
	switch {
	case r == game.Weiqi:
		for _, name := range []string{"net", "from", "batch", "blend"} {
			idle[name] = "go"
		}
	case !*net:
		idle["from"], idle["batch"] = "a table", "a table"
	}
	f.Visit(func(g *flag.Flag) {
		if what := idle[g.Name]; what != "" && err == nil {
			err = fmt.Errorf("-%s is not for learning %s", g.Name, what)
		}
	})
	if err != nil {
		fmt.Fprintln(stderr, "tengen train:", err)
		return 2
	}
	if r == game.Weiqi {
		fit := choice.Fit{Epochs: *epochs, Rate: *rate / 16, Seed: *seed, Log: stdout}
		if err := learnChoices(&fit, f.Args(), *out, stdout); err != nil {
			return fail(err)
		}
		return 0
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
		fit := train.NetFit{Rules: rules, Epochs: *epochs, Batch: *batch, Rate: *rate / 4000, Blend: *blend, Seed: *seed,
			Workers: runtime.GOMAXPROCS(0), Log: stdout, State: *out + ".part"}
		if *from != "" {
			if fit.From, _, err = eval.ReadNet(*from); err != nil {
				return fail(err)
			}
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		n, err := fit.Run(ctx, cells)
		if ctx.Err() != nil {
			return fail(errors.New("interrupted; the same command goes on with the epoch"))
		}
		if err == nil {
			err = create(*out+".svg", func(w io.Writer) error { return train.WriteCurve(w, r.String()+": cross entropy", fit.Losses) })
		}
		if err != nil {
			return fail(err)
		}
		defer os.Remove(fit.State)
		write = func(w io.Writer) error { return n.Write(w, r.String()) }
	} else {
		fit := train.Fit{Rules: rules, Epochs: *epochs, Rate: *rate, Blend: *blend, Seed: *seed, Log: stdout}
		write = fit.Run(table).Write
	}
	if err := create(*out, write); err != nil {
		return fail(err)
	}
	return 0
}

// learnChoices learns what Go players choose from game files, and writes weiqi.Habits.
func learnChoices(fit *choice.Fit, names []string, out string, stdout io.Writer) error {
	var games []choice.Game
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		format, err := record.Detect(name, data)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		trees, err := record.Read(format, data, record.Options{})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, t := range trees {
			if t.Variant.Rule != game.Weiqi || t.Root.Setup != nil {
				continue // who plays with stones on the board plays otherwise
			}
			g := choice.Game{Size: t.Variant.Size}
			for n := t.Root; ; n = n.Children[0] {
				if n.Move.Point != game.NoPoint {
					g.Moves = append(g.Moves, n.Move)
				}
				if len(n.Children) == 0 {
					break
				}
			}
			games = append(games, g)
		}
	}
	if len(games) == 0 {
		return errors.New("no games of Go without setup (usage: tengen train -game go -o habits.bin FILES)")
	}
	fmt.Fprintf(stdout, "%d games\n", len(games))
	data := fit.Run(games)
	return create(out, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// create makes a file of what write writes.
func create(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
