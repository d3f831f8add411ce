package engine

import (
	"tengen/engine/game"
	"tengen/engine/line"
)

// Referee returns the judge of a new game, or an error that says what is not played.
func Referee(v game.Variant) (game.Game, error) { return line.NewReferee(v) }

// Replay returns the judge of a game at the end of a record.
func Replay(rec *game.Record) (game.Game, error) { return line.Replay(rec) }
