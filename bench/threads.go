package bench

import (
	"context"
	"math"
	"runtime"
	"strconv"
	"time"

	"tengen/engine/game"
)

const (
	scalingPositions = 8       // of all games, about
	scalingNodes     = 300_000 // of the search that finds the depth
	scalingWorth     = 1.05    // by so much a further thread must be faster to be used
)

// scaling searches positions of the line games to a depth that takes one thread about half
// a second, with 1, 2, ... threads, and says how many to use. A thread more is worth it if
// the depth is reached sooner: nodes/s alone say nothing, threads do each other's work.
func scaling(ctx context.Context, s *Settings, r *Report) error {
	s.step("threads")
	var ps, others []Position // others: of the same games
	for _, g := range s.lines() {
		all, err := Positions(g)
		if err != nil {
			return err
		}
		n := max(1, scalingPositions/len(s.lines()))
		for i := range min(n, len(all)) {
			k := (2*i + 1) * len(all) / (2 * n)
			ps, others = append(ps, all[k]), append(others, all[(k+1)%len(all)])
		}
	}
	if len(ps) == 0 {
		return nil
	}
	limit := min(s.Nodes, scalingNodes)
	depths := make([]int, len(ps))
	for i, p := range ps {
		e, err := s.engine(p.Record.Variant, 1)
		if err != nil {
			return err
		}
		o, err := think(ctx, e, p.Record, game.Limits{Nodes: limit}, game.MaxPly)
		if err != nil {
			return err
		}
		depths[i] = max(o.choice.Info.Depth, 1)
	}
	most := max(s.Threads, runtime.NumCPU())
	for n := 1; n <= most; n++ {
		var nodes int64
		var took time.Duration
		logs := 0.0
		for i, p := range ps {
			e, err := s.engine(p.Record.Variant, n)
			if err != nil {
				return err
			}
			// Another position first: in a game too the table's memory has been used before,
			// when a move is searched.
			if _, err := think(ctx, e, others[i].Record, game.Limits{Nodes: limit}, game.MaxPly); err != nil {
				return err
			}
			o, err := thinkOn(ctx, e, p.Record, game.Limits{Depth: depths[i]}, depths[i])
			if err != nil {
				return err
			}
			nodes += o.counters.Nodes
			took += o.time
			logs += math.Log(ms(o.time))
		}
		row := strconv.Itoa(n)
		r.add("threads", row, "time to depth", "ms", Less, math.Exp(logs/float64(len(ps))))
		r.add("threads", row, "speed", "nodes/s", More, float64(nodes)/took.Seconds())
	}
	r.Threads = useThreads(r, most)
	return nil
}

// useThreads returns the number of threads with which a further one is no longer worth it,
// by the figures so far.
func useThreads(r *Report, most int) int {
	use := 1
	best := math.Inf(1)
	for n := 1; n <= most; n++ {
		f := r.Find("threads", strconv.Itoa(n), "time to depth")
		if f == nil {
			break
		}
		if t := f.Median(); t*scalingWorth < best {
			best, use = t, n
		}
	}
	return use
}
