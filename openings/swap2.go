package openings

import "tengen/engine/game"

// Swap2Reply is an answer in one of the phases of Swap2.
type Swap2Reply struct {
	Swap   bool // take Black
	Points []game.Point
}
