package mcts

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// The dead of drawn boards, one stone of each chain.
func TestDead(t *testing.T) {
	for _, c := range []struct{ name, board, dead string }{
		{"a capturing race that Black has lost", `
			..XXXO..O
			OOXXOOOOO
			.OXOOOXXO
			.OXXOOX.X
			.OX.XOXX.
			.OXXXOXO.
			OOOOOXOO.
			.OXXOXXO.
			.XX.XXOO.`, "X"},
		{"none", `
			...XO....
			...XO....
			...XO....
			...XO....
			...XO....
			...XO....
			...XO....
			...XO....
			...XO....`, ""},
		{"lone stones", `
			...XO....
			.O.XO....
			...XO.O..
			...XO....
			...XO..X.
			...XO....
			...XO.O..
			...XO....
			...XO....`, "B8 H5"},
		{"a group with one eye", `
			.OX.X.X
			OOXXXXX
			XXXXXXX
			OOOOOOO
			O.O.O.O
			OOOOOOO
			.......`, "B7"},
		{"seki without eyes", `
			.XXXXXXX.
			OOOOOOOOO
			XXXXXXXXX
			.........
			XXXXXXXXX
			OOOOOOOOO
			.........
			OOOOOOOOO
			.........`, ""},
		{"seki with an eye each", `
			.OX.X.O.OX.
			OOXXXOOOOXX
			.OOOOXXXXX.
			OOOOOXXXXXX
			....OX.....
			....OX.....
			....OX.....
			....OX.....
			....OX.....
			....OX.....
			....OX.....`, ""},
		{"seki with an eye each, Black's stones and the point between are a rabbity six", `
			.OXXX....
			.OOXXX...
			...OXXX..
			OOOOOXXX.
			OXOOXXOXX
			OXXXXOOOO
			XXOOXOOXO
			XO.OXOXXX
			XOOOOO.X.`, ""},
		{"bent four in the corner", `
			...OX....
			...OX....
			...OX....
			...OX....
			OOOOX....
			XXOOXX...
			.XOOOX...
			OXXXOX...
			OO.XOX...`, "A4"},
		// Positions from games with GNU Go.
		{"an invasion whose outlet is a stone that can be taken", `
			.....XOX.
			...OXO.X.
			..OOXOOX.
			.XXXXXO.X
			.XOOXXO..
			.OXOOOXX.
			.OXOXX...
			..XOX....
			..XOOOX..`, "O"},
		{"an eyeless group under White's wall", `
			.XXXXXOO.
			XXXOOO..O
			.XO...OO.
			XXO.O..O.
			OOOOOOOO.
			XXOOXO...
			.....XXX.
			...O.....
			..OX.....`, "A4 D1 E4 F3"},
		{"stones that White would take if it was her turn", `
			..OOX....
			.OOXX....
			.OX...X..
			.OXX.....
			.OOOXX...
			.X..OX...
			OOOO.OX..
			OXXOOOX..
			OXXXXXX..`, "B4"},
		{"a group whose only way out of a race is closed by a dead one", `
			...XOOOXX
			..XXXOOOX
			...XOOOXX
			.XXOO.OX.
			X.XOXXXOO
			XXOOX.XOO
			OOOOOXXXO
			OXXOXXOO.
			O.XXXOO.O`, "H6 E5"},
		{"seki: who moves is in atari", `
			.........
			XXXX...X.
			XOOOXX..X
			O.OXX.XXO
			OOOOXXXOO
			XXXOXOXO.
			X.XOOOXOO
			X.XXXOOXO
			.XOOOO.X.`, ""},
	} {
		rec := drawn("chinese", 7.5, game.Black, c.board)
		g, err := weiqi.Replay(rec)
		if err != nil {
			t.Fatal(err)
		}
		size := rec.Variant.Size
		var want []string
		for _, s := range strings.Fields(c.dead) {
			if all := map[string][]game.Point{"X": rec.Setup.Black, "O": rec.Setup.White}[s]; all != nil {
				for _, q := range all {
					want = append(want, q.Name(size))
				}
				continue
			}
			q, _ := game.ParseName(s, size)
			for _, p := range g.Position().Chain(nil, q) {
				want = append(want, p.Name(size))
			}
		}
		start := time.Now()
		dead := Dead(g.Position())
		var got []string
		for _, q := range dead.Points(nil) {
			got = append(got, q.Name(size))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, slices.Compact(want)) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
		t.Log(time.Since(start))
	}
}
