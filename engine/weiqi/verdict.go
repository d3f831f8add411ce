package weiqi

import "tengen/engine/game"

// Verdict is what a network says of a position, as seen by the side to move.
type Verdict struct {
	Win, Loss, NoResult float32 // chances, 1 together
	// Score is the mean of the score at the end in points, ScoreSq that of its square, Lead
	// by how many points the side leads now.
	Score, ScoreSq, Lead float32
	// How long the game stays open, in moves, and by how much the win rate and the score
	// are wrong as a rule; -1 where a network does not say.
	VarianceTime, ValueError, ScoreError float32
	// Policy holds each move's chance to be the best, the pass's too; they are 1 together,
	// and -1 where the side may not play.
	Policy [game.NumPoints]float32
	// Owner says whose each point will be: 1 the side's to move, -1 the other's.
	Owner [game.NumPoints]float32
}
