package alphabeta

import (
	"slices"

	"tengen/engine/game"
)

// rootMoves is what the search knows of the moves at the root: which it may not choose,
// and what came of those it tried.
type rootMoves struct {
	avoid  []game.Point // not to be chosen
	chosen []game.Point // already told as better lines (multi-PV)
	best   game.Point   // best of the iteration that is running, NoPoint before the first
	value  int
}

// restricted reports whether the root's value is not the position's.
func (r *rootMoves) restricted() bool { return len(r.avoid)+len(r.chosen) > 0 }

// filter drops the moves from index from on that are not to be chosen.
func (r *rootMoves) filter(w *worker, from int) {
	if !r.restricted() {
		return
	}
	kept := w.moves[:from]
	for _, m := range w.moves[from:] {
		if q := m.point(); !slices.Contains(r.avoid, q) && !slices.Contains(r.chosen, q) {
			kept = append(kept, m)
		}
	}
	w.moves = kept
}

// note takes the value of a root move.
func (r *rootMoves) note(q game.Point, v int, best bool) {
	if best {
		r.best, r.value = q, v
	}
}
