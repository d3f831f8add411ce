package mcts

import "tengen/engine/weiqi"

// Judge is a network that says what positions are worth and where to play. Any number of
// goroutines may use it. With one the search plays nothing out: see network.go.
type Judge interface {
	// Open returns a place to ask from for one goroutine, for up to so many questions at
	// once, all about boards of one size. It refuses sizes that the network does not know.
	Open(size, most int) (Asker, error)
}

// Asker is one goroutine's way to a Judge.
type Asker interface {
	// Ask notes a question about a position, which is as before afterwards; komi includes
	// White's points for a handicap. The verdict is there after the next Run, or at once,
	// which Ask reports.
	Ask(p *weiqi.Position, komi float64, v *weiqi.Verdict) bool
	// Run answers what was asked since the last Run.
	Run()
}
