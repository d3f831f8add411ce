package engine

import (
	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/engine/weiqi"
)

// Referee returns the judge of a new game, or an error that says what is not played.
func Referee(v game.Variant) (game.Game, error) { return Replay(&game.Record{Variant: v}) }

// Replay returns the judge of a game at the end of a record.
func Replay(rec *game.Record) (game.Game, error) {
	if rec.Variant.Rule == game.Weiqi {
		return weiqi.Replay(rec)
	}
	return line.Replay(rec)
}
