package weiqi

import (
	"slices"
	"strings"
	"testing"

	"tengen/engine/game"
)

// What is seen of the moves of drawn boards, Black to move: for each feature all its points.
func TestFeatures(t *testing.T) {
	for _, c := range []struct {
		name    string
		feature Feature
		board   string
		want    string
	}{
		{"a stone to take", TakesOne, "..X../.XO../..X../...../.....", "D4"},
		{"two", TakesMany, "..XX./.XOO./..XX./...../.....", "E4"},
		{"an extension to three liberties", Saves, "..O../.OX../..O../...../.....", "D4"},
		{"none at the edge, where the ladder ends", Saves, "..XO./..O../...../...../.....", ""},
		{"a capture that saves", Saves, ".XO../.OX../..X../...../.....", "D5"},
		{"own stones into atari", SelfAtari, ".O.../O..../...../...../.....", "A5"},
		{"a ladder", Ladders, "......./......./..XX.../..XO.../....X../......./.......", "D3 E4"},
		{"the same for who runs", Unladders, "......./......./..OO.../..OX.../....O../......./.......", "D3 E4"},
		{"two atari that lead nowhere", Atari, "......./......./...X.../..XO.../......./......./.......", "D3 E4"},
	} {
		size := len(strings.Split(c.board, "/"))
		p := NewPosition(ruleSets[0], size)
		place(t, p, game.Black, c.board)
		key, free := p.Key(), p.free
		var seen [game.NumPoints]Feature
		p.Features(game.NoPoint, &seen)
		var got []string
		for _, q := range onBoard(&p.Board, game.Empty) {
			if seen[q]&c.feature != 0 {
				got = append(got, name(q, size))
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
		scratch(t, p)
		if p.Key() != key || p.free != free {
			t.Errorf("%s: the position has changed", c.name)
		}
	}
}
