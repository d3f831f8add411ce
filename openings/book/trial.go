package book

import (
	"context"

	"tengen/engine/game"
	"tengen/openings"
)

// longest is how many stones a game of a trial may have; longer ones are draws.
const longest = 100

// share is a part of the games of a trial, in quarters.
type share struct{ least, most int }

var (
	// Of an offer the one who takes a side by a search shall not have the better of it, nor shall
	// it be lost.
	atThree = share{1, 2}
	// After the pair either side may be the better one, but no colour wins all.
	atFive = share{1, 3}
)

// stands plays games from a position, White to move, each with the board in another lie, so that
// they differ, and reports whether the side that the search, x, finds better wins such a share
// of them. Values of searches say little about who wins from positions that are nearly even:
// of those that several searches agree on, many are won by the same colour however they lie.
func (b *builder) stands(ctx context.Context, key string, x *Entry, want share) (bool, error) {
	p, ok := openings.ParseKey(key, b.v.Size)
	if !ok {
		return false, errEntry
	}
	better := game.WhiteWin
	if x.fair(b.v) < 0 {
		better = game.BlackWin
	}
	score := 0 // of that side, two for a game
	for i := range b.s.Games {
		lie := p.Turned(b.v.Size, i)
		r, err := openings.PlayOut(ctx, b.e, lie.Record(b.v), b.s.Play, longest)
		if err != nil {
			return false, err
		}
		switch r {
		case better:
			score += 2
		case game.Draw:
			score++
		}
		rest := b.s.Games - i - 1
		if 2*score > want.most*b.s.Games || 2*(score+2*rest) < want.least*b.s.Games {
			return false, nil
		}
	}
	return true, nil
}
