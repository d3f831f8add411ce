package engine

import (
	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/engine/mcts"
	"tengen/engine/weiqi"
)

// Referee returns the judge of a new game, or an error that says what is not played.
func Referee(v game.Variant) (game.Game, error) { return Replay(&game.Record{Variant: v}) }

// Replay returns the judge of a game at the end of a record.
func Replay(rec *game.Record) (game.Game, error) {
	if rec.Variant.Rule == game.Weiqi {
		g, err := weiqi.Replay(rec)
		if err != nil {
			return nil, err
		}
		g.Dead = mcts.Dead // which stones are dead is known by search only
		return g, nil
	}
	return line.Replay(rec)
}
