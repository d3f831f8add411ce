package openings

import "tengen/engine/game"

// even is the value, for the side to move, of an opening in which chances are even. The
// evaluation learns from whole games and is off by as much in their beginnings. By rule,
// for Black and for White to move.
var even = [...][2]int{
	game.Freestyle: {-5, 12},
	game.Standard:  {20, 8},
	game.Renju:     {0, 14},
	game.Caro:      {0, 12},
	game.CaroSix:   {12, 20},
	game.Omok:      {0, 10},
	game.Pente:     {16, 24},
}

// Fair corrects what a search says of an opening, so that 0 is even chances. Values are
// for the side to move. Wins that were seen to their ends stay what they are.
func Fair(v game.Variant, side game.Color, value int) int {
	if value < -game.MaxValue || value > game.MaxValue || int(v.Rule) >= len(even) {
		return value
	}
	return value - even[v.Rule][side&1]
}
