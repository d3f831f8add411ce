package bench

import (
	"context"
	"fmt"
	"time"

	"tengen/bench/selfplay"
	"tengen/engine"
	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/engine/weiqi"
	"tengen/eval"
	network "tengen/eval/judge"
	"tengen/eval/resnet"
	"tengen/eval/train"
)

// networks measures what a line game's network costs a move and a search, and what it costs
// to learn one: positions of self-play a second, one game at a time, and positions that a
// training step looks at.
func networks(ctx context.Context, s *Settings, r *Report) error {
	for _, g := range s.lines() {
		s.step("nets " + g.String())
		if eval.Net(g.String()) == nil {
			continue
		}
		add := func(name, unit string, b Better, v float64) { r.add("nets", g.String(), name, unit, b, v) }
		bs, err := boards(g)
		if err != nil {
			return err
		}
		ns, err := timeEvaluation(ctx, s, bs, full)
		if err != nil {
			return err
		}
		add("evaluation", "ns", Less, ns)
		if ns, err = timeEvaluation(ctx, s, bs, eval.Plain); err != nil {
			return err
		}
		add("by the table", "ns", Less, ns)

		ps, err := Positions(g)
		if err != nil {
			return err
		}
		var with, without outcome
		lim, _, depth := s.searchLimits(g)
		for i, p := range ps {
			for k := range 2 {
				o := engine.Options{Threads: 1, Memory: s.Memory}
				sum := &with
				if (i+k)%2 == 1 {
					o.Net, sum = game.NoNet, &without
				}
				e, err := s.make(p.Record.Variant, o)
				if err != nil {
					return err
				}
				t, err := think(ctx, e, p.Record, lim, depth)
				if err != nil {
					return fmt.Errorf("position %d: %w", i+1, err)
				}
				sum.add(&t)
			}
		}
		c := &with.counters
		add("table enough", "% of evaluations", More, 100*float64(c.Rough)/float64(c.Rough+c.Evaluations))
		add("evaluated", "% of nodes", Less, 100*float64(c.Evaluations)/float64(c.Nodes))
		add("speed with", "ratio to without", More, with.over(&without))

		rules, err := line.RulesOf(ps[0].Record.Variant)
		if err != nil {
			return err
		}
		set, positions, nodes := new(train.NetSet), 0, int64(selfNodes)
		if lim.Nodes > 0 {
			nodes = min(nodes, lim.Nodes)
		}
		begun := spent()
		err = selfplay.Play(ctx, selfplay.Settings{
			Variant: ps[0].Record.Variant, Games: 4, Nodes: nodes, Workers: 1, Seed: 1, Memory: s.Memory,
		}, func(g *train.Game) error {
			positions += len(g.Values)
			return set.Add(rules, g, false)
		})
		if err != nil {
			return err
		}
		add("self-play", "positions/s", More, float64(positions)/max(spent()-begun, time.Nanosecond).Seconds())
		if ns, err = timed(ctx, s.Time, func() int { return train.Steps(rules, set) }); err != nil {
			return err
		}
		add("training", "positions/s", More, 1e9/ns)
	}
	return nil
}

// selfNodes is what a move of self-play costs in most recipes.
const selfNodes = 700

// evaluations asks a network of b6c96's shape, whose weights are random, about positions of
// Go: what the planes cost is included, and nothing is remembered.
func evaluations(ctx context.Context, s *Settings, r *Report) error {
	s.step("evaluations")
	ps, err := weiqiPositions()
	if err != nil {
		return err
	}
	n, err := resnet.New(resnet.Random(resnet.B6C96, 1))
	if err != nil {
		return err
	}
	j, err := network.New(n, 0)
	if err != nil {
		return err
	}
	var v weiqi.Verdict
	for _, k := range []struct{ size, most int }{{9, 1}, {9, 4}, {13, 1}, {19, 1}} {
		a, err := j.Open(k.size, k.most)
		if err != nil {
			return err
		}
		ns, err := timed(ctx, s.Time, func() (n int) {
			for range k.most {
				for _, p := range ps {
					if p.Size() == k.size {
						a.Ask(p, 7.5, &v)
						if n++; n%k.most == 0 {
							a.Run()
						}
					}
				}
			}
			return n
		})
		if err != nil {
			return err
		}
		row := fmt.Sprintf("%dx%d", k.size, k.size)
		if k.most > 1 {
			row += fmt.Sprintf(", %d at once", k.most)
		}
		r.add("evaluations", row, "speed", "evaluations/s", More, 1e9/ns)
		r.add("evaluations", row, "an evaluation", "ms", Less, ns/1e6)
	}
	return nil
}
