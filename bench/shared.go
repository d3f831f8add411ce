package bench

import (
	"context"
	"sync"

	"tengen/engine"
	"tengen/engine/game"
)

// shared is an engine that all suites use in turn: nobody gives an engine's tables back,
// so there are to be no more of them than needed. The lock is for a session whose engine
// was late and still thinks when the next suite begins.
type shared struct {
	mu sync.Mutex
	e  engine.Engine
}

// engine returns the engine of a game, with so many threads, and suits the process to it.
func (s *Settings) engine(v game.Variant, threads int) (engine.Engine, error) {
	o := engine.Options{Threads: threads, Memory: s.Memory}
	if s.Tune != nil {
		s.Tune(o)
	}
	return s.make(v, o)
}

// make is a maker that makes an engine only when there is none.
func (s *Settings) make(v game.Variant, o engine.Options) (engine.Engine, error) {
	kind := &s.lineEngine
	if v.Rule == game.Weiqi {
		kind = &s.weiqiEngine
	}
	if *kind == nil {
		e, err := engine.New(v, o)
		if err != nil {
			return nil, err
		}
		*kind = &shared{e: e}
	}
	(*kind).Configure(o)
	return *kind, nil
}

func (h *shared) Think(ctx context.Context, rec *game.Record, lim game.Limits, tell func(game.Info)) (game.Choice, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.e.Think(ctx, rec, lim, tell)
}

func (h *shared) Configure(o engine.Options) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.e.Configure(o)
}

func (h *shared) Forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.e.Forget()
}

func (h *shared) Counters() (c game.Counters) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if counted, ok := h.e.(engine.Counted); ok {
		c = counted.Counters()
	}
	return c
}
