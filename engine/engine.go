// Package engine is the one place where a game meets its search.
//
// Referee returns the judge of a game, New the player of it. Everything above
// (protocols, tournaments, benches) uses these two and the values of package game; the
// searches themselves are imported here and nowhere else.
package engine

import (
	"context"

	"tengen/engine/alphabeta"
	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/engine/mcts"
	"tengen/engine/weiqi"
	"tengen/eval"
)

// Options are the settings of an engine that outlive a single search.
type Options = game.Options

// DefaultMemory is the process size an engine aims at when nobody sets one: Gomocup's limit.
const DefaultMemory = 350 << 20

// Engine chooses moves. One goroutine at a time may call its methods.
type Engine interface {
	// Think returns the move for the side to move at the end of rec. It stops at the
	// first limit, or soon after ctx is done; it always returns a legal move when one
	// exists, and an error when none does or rec is not a position. tell, if not nil,
	// is called from the searching goroutine and must not block.
	Think(ctx context.Context, rec *game.Record, lim game.Limits, tell func(game.Info)) (game.Choice, error)
	// Configure changes the options. Tables are resized by the next Think.
	Configure(Options)
	// Forget drops what earlier games taught.
	Forget()
}

// Counted is an Engine that counts what it does.
type Counted interface {
	Counters() game.Counters // of the last Think
}

// New returns the player of a game, or an error that says what is not played. It costs
// nothing until it thinks.
func New(v game.Variant, o Options) (Engine, error) {
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	if v.Rule == game.Weiqi {
		if _, err := weiqi.RulesOf(v); err != nil {
			return nil, err
		}
		return mcts.New(o), nil
	}
	if _, err := line.RulesOf(v); err != nil {
		return nil, err
	}
	return alphabeta.New(o), nil
}

// UseJudge lets a player of Go ask a network instead of playing games out. Those of other
// games have no use for it.
func UseJudge(e Engine, j mcts.Judge) {
	if m, ok := e.(*mcts.Engine); ok {
		m.UseJudge(j)
	}
}

// CheckNet returns which line game the network in a file is for, or what is wrong with it.
func CheckNet(file string) (game string, err error) {
	_, game, err = eval.ReadNet(file)
	return game, err
}

// Close gives back what an engine has taken, where many come and go in one process. The
// engine may be used again.
func Close(e Engine) {
	if c, ok := e.(interface{ Close() }); ok {
		c.Close()
		return
	}
	e.Forget()
}
