package alphabeta

import (
	"context"
	"time"

	"tengen/engine/game"
)

// limit says when a search must stop. Times are from the moment the command to think
// was read.
type limit struct {
	ctx      context.Context
	start    time.Time
	soft     time.Duration
	hard     time.Duration
	nodes    int64
	maxDepth int
}

func newLimit(ctx context.Context, l game.Limits) limit {
	m := limit{ctx: ctx, start: l.Start, soft: l.Soft, hard: l.Hard, nodes: l.Nodes, maxDepth: l.Depth}
	if m.start.IsZero() {
		m.start = time.Now()
	}
	if m.hard > 0 && (m.soft == 0 || m.soft > m.hard) {
		m.soft = m.hard
	}
	if m.maxDepth <= 0 || m.maxDepth > maxDepth {
		m.maxDepth = maxDepth
	}
	if l.Instant {
		m.maxDepth = min(m.maxDepth, instantDepth)
		if m.nodes == 0 || m.nodes > instantNodes {
			m.nodes = instantNodes
		}
	}
	return m
}

const (
	maxDepth = 120
	// An instant answer still looks at its move's consequences: about a millisecond.
	instantDepth = 4
	instantNodes = 1000
)

func (m *limit) elapsed() time.Duration { return time.Since(m.start) }

// reached reports whether the search must end now.
func (m *limit) reached(nodes int64) bool {
	if m.nodes > 0 && nodes >= m.nodes {
		return true
	}
	if m.hard > 0 && m.elapsed() >= m.hard {
		return true
	}
	return m.ctx.Err() != nil
}

// enough reports whether the time is better kept than spent on another iteration, when
// the best move has stood for so many iterations and the value has fallen by so much
// since the one before. An iteration takes about as long as all before it together.
func (m *limit) enough(stable, fall int) bool {
	if m.soft == 0 {
		return false
	}
	if m.soft >= m.hard {
		// Nothing is saved by stopping. A broken-off iteration may still find a better move.
		return float64(m.elapsed()) > 0.95*float64(m.hard)
	}
	share := 0.9
	switch {
	case stable == 0:
		share = 1.1
	case stable >= 6:
		share = 0.65
	}
	if fall > 30 {
		share += 0.3
	}
	return float64(m.elapsed()) > share*float64(m.soft)
}
