package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"tengen/engine/alphabeta"
	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/engine/weiqi"
	"tengen/eval"
	"tengen/protocol/process"
)

// boards returns the positions of a line game, each with the points near its stones that
// the side to move may play on.
func boards(g game.Rule) (all []board, err error) {
	ps, err := Positions(g)
	if err != nil {
		return nil, err
	}
	for _, p := range ps {
		rules, err := line.RulesOf(p.Record.Variant)
		if err != nil {
			return nil, err
		}
		b := board{p: line.NewPosition(eval.Table(rules), p.Record.Variant.Size)}
		for _, m := range p.Record.Moves {
			b.p.Make(m.Point)
		}
		var near line.Set
		b.p.Near(&near)
		for q := range points(b.p.Size()) {
			if near.Has(q) && b.p.Playable(b.p.Side(), q) {
				b.moves = append(b.moves, q)
			}
		}
		all = append(all, b)
	}
	return all, nil
}

type board struct {
	p     *line.Position
	moves []game.Point
}

// points runs over the points of a board.
func points(size int) func(func(game.Point) bool) {
	return func(yield func(game.Point) bool) {
		for y := range size {
			for x := range size {
				if !yield(game.At(x, y)) {
					return
				}
			}
		}
	}
}

// timed calls f, which does a number of operations and returns it, for some time, and
// returns the nanoseconds of one operation.
func timed(ctx context.Context, d time.Duration, f func() int) (float64, error) {
	f() // what is done only once
	n, times, start := 0, 1, spent()
	for {
		for range times { // looking at the clock takes time too
			n += f()
		}
		switch t := spent() - start; {
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case t >= d && n == 0:
			return 0, fmt.Errorf("nothing to measure")
		case t >= d:
			return float64(t) / float64(n), nil
		case t < d/100:
			times *= 2
		}
	}
}

var began = time.Now()

// spent returns a time that passes while this process works: the processor's, which other
// work on the machine disturbs less, where the system tells it.
func spent() time.Duration {
	if t := process.CPU(); t > 0 {
		return t
	}
	return time.Since(began)
}

func makeUnmake(ctx context.Context, s *Settings, r *Report) error {
	for _, g := range s.Games {
		s.step("make " + g.String())
		var ns float64
		var err error
		if g == game.Weiqi {
			ns, err = s.makeWeiqi(ctx)
		} else {
			ns, err = s.makeLines(ctx, g)
		}
		if err != nil {
			return err
		}
		r.add("make", g.String(), "make and unmake", "ns", Less, ns)
	}
	return nil
}

func (s *Settings) makeLines(ctx context.Context, g game.Rule) (float64, error) {
	bs, err := boards(g)
	if err != nil {
		return 0, err
	}
	return timed(ctx, s.Time, func() (n int) {
		for _, b := range bs {
			for _, q := range b.moves {
				b.p.Make(q)
				b.p.Unmake()
			}
			n += len(b.moves)
		}
		return n
	})
}

func (s *Settings) makeWeiqi(ctx context.Context) (float64, error) {
	ps, err := weiqiPositions()
	if err != nil {
		return 0, err
	}
	var moves [][]game.Point
	for _, p := range ps {
		var qs []game.Point
		for q := range points(p.Size()) {
			if p.At(q) == game.Empty && p.Playable(q) {
				qs = append(qs, q)
			}
		}
		moves = append(moves, qs)
	}
	return timed(ctx, s.Time, func() (n int) {
		for i, p := range ps {
			for _, q := range moves[i] {
				p.Make(q)
				p.Unmake()
			}
			n += len(moves[i])
		}
		return n
	})
}

func weiqiPositions() (all []*weiqi.Position, err error) {
	ps, err := Positions(game.Weiqi)
	if err != nil {
		return nil, err
	}
	for _, p := range ps {
		g, err := weiqi.Replay(p.Record)
		if err != nil {
			return nil, err
		}
		all = append(all, g.Position())
	}
	return all, nil
}

func listMoves(ctx context.Context, s *Settings, r *Report) error {
	for _, g := range s.Games {
		s.step("moves " + g.String())
		var list []func() int // each lists the moves of one position
		if g == game.Weiqi {
			ps, err := weiqiPositions()
			if err != nil {
				return err
			}
			for _, p := range ps {
				list = append(list, func() (n int) {
					for q := range points(p.Size()) {
						if p.At(q) == game.Empty && p.Playable(q) {
							n++
						}
					}
					return n
				})
			}
		} else {
			bs, err := boards(g)
			if err != nil {
				return err
			}
			for _, b := range bs {
				list = append(list, alphabeta.NewLister(b.p).Moves)
			}
		}
		moves := 0
		for _, f := range list {
			moves += f()
		}
		ns, err := timed(ctx, s.Time, func() int {
			sum := 0
			for _, f := range list {
				sum += f()
			}
			runtime.KeepAlive(sum) // or the compiler might leave out what is measured
			return len(list)
		})
		if err != nil {
			return err
		}
		r.add("moves", g.String(), "a position", "ns", Less, ns)
		r.add("moves", g.String(), "moves", "", Neither, float64(moves)/float64(len(list)))
	}
	return nil
}

// forbidden looks at the points that a table look-up does not decide, and at whole boards.
// Quiet positions have hardly such a point, so stones are put near the others at random.
func forbidden(ctx context.Context, s *Settings, r *Report) error {
	s.step("forbidden points")
	for _, g := range s.Games {
		if g != game.Renju && g != game.Omok {
			continue
		}
		var bs []board
		random := rand.New(rand.NewPCG(1, uint64(g)))
		for range scattered {
			more, err := boards(g)
			if err != nil {
				return err
			}
			for _, b := range more {
				for range scatteredStones {
					if q := b.moves[random.IntN(len(b.moves))]; b.p.At(q) == game.Empty && b.p.Playable(b.p.Side(), q) && !b.p.Won() {
						b.p.Make(q)
					}
				}
			}
			bs = append(bs, more...)
		}
		type doubt struct {
			c game.Color
			q game.Point
		}
		doubts := make([][]doubt, len(bs))
		total, forbidden := 0, 0
		for i, b := range bs {
			for q := range points(b.p.Size()) {
				for _, c := range []game.Color{game.Black, game.White} {
					if b.p.At(q) == game.Empty && b.p.MayBeForbidden(c, q) {
						doubts[i] = append(doubts[i], doubt{c, q})
						total++
						if b.p.Forbidden(c, q) != line.Allowed {
							forbidden++
						}
					}
				}
			}
		}
		if total > 0 {
			ns, err := timed(ctx, s.Time, func() int {
				var sum line.Reason
				for i, b := range bs {
					for _, d := range doubts[i] {
						sum += b.p.Forbidden(d.c, d.q)
					}
				}
				runtime.KeepAlive(sum)
				return total
			})
			if err != nil {
				return err
			}
			r.add("forbidden", g.String(), "a doubtful point", "ns", Less, ns)
		}
		ns, err := timed(ctx, s.Time, func() int {
			n := 0
			for _, b := range bs {
				for q := range points(b.p.Size()) {
					if b.p.At(q) == game.Empty && b.p.Forbidden(b.p.Side(), q) != line.Allowed {
						n++
					}
				}
			}
			runtime.KeepAlive(n)
			return len(bs)
		})
		if err != nil {
			return err
		}
		r.add("forbidden", g.String(), "a board", "ns", Less, ns)
		r.add("forbidden", g.String(), "doubtful points", "", Neither, float64(total))
		r.add("forbidden", g.String(), "forbidden points", "", Neither, float64(forbidden))
	}
	return nil
}

const (
	scattered       = 5  // times each position
	scatteredStones = 16 // put on it
)

// evaluate measures an evaluation behind each move, the move included: what an evaluator
// has to do depends on what has changed since it was last asked. Each follows one position.
func evaluate(ctx context.Context, s *Settings, r *Report) error {
	for _, g := range s.lines() {
		s.step("eval " + g.String())
		bs, err := boards(g)
		if err != nil {
			return err
		}
		ns, err := timeEvaluation(ctx, s, bs, full)
		if err != nil {
			return err
		}
		r.add("eval", g.String(), "make, evaluate, unmake", "ns", Less, ns)
	}
	return nil
}

// full returns the evaluator of a game that a search has.
func full(r line.Rules) eval.Evaluator {
	_, e := eval.For(r)
	return e
}

// timeEvaluation returns the nanoseconds of a move, its evaluation and its taking back, by an
// evaluator for each position. As in a search, the position before the move was evaluated.
func timeEvaluation(ctx context.Context, s *Settings, bs []board, of func(line.Rules) eval.Evaluator) (float64, error) {
	var es []eval.Evaluator
	for _, b := range bs {
		e := of(*b.p.Rules())
		e.Evaluate(b.p)
		es = append(es, e)
	}
	return timed(ctx, s.Time, func() (n int) {
		sum := 0
		for i, b := range bs {
			for _, q := range b.moves {
				b.p.Make(q)
				sum += es[i].Evaluate(b.p)
				b.p.Unmake()
			}
			n += len(b.moves)
		}
		runtime.KeepAlive(sum)
		return n
	})
}

// playouts plays from the positions of Go, by board size: as the search does, and uniformly at
// random, which is what programs have always been compared by.
func playouts(ctx context.Context, s *Settings, r *Report) error {
	s.step("playouts")
	ps, err := weiqiPositions()
	if err != nil {
		return err
	}
	for _, k := range []struct {
		name  string
		style func(size int) weiqi.Style
	}{{"", weiqi.Tactical}, {" light", weiqi.Light}} {
		for _, size := range []int{9, 13, 19} {
			style := k.style(size)
			b := weiqi.NewBoard(size)
			rand := weiqi.NewRand(1)
			ns, err := timed(ctx, s.Time, func() (n int) {
				for _, p := range ps {
					if p.Size() == size {
						b.CopyFrom(&p.Board)
						b.Playout(&rand, p.Side(), game.NoPoint, &style, nil)
						n++
					}
				}
				return n
			})
			if err != nil {
				return err
			}
			row := fmt.Sprintf("%dx%d%s", size, size, k.name)
			r.add("playouts", row, "speed", "playouts/s", More, 1e9/ns)
			r.add("playouts", row, "a playout", "us", Less, ns/1e3)
		}
	}
	return nil
}
