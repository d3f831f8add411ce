package weiqi

import (
	"slices"
	"strings"
	"testing"

	"tengen/engine/game"
)

// Chains in ladders, and on which liberties those begin.
func TestLadder(t *testing.T) {
	for _, c := range []struct {
		name, board, chain string
		caught             bool
		starts             string
	}{
		{"none: three liberties", "..... ..O.. .XX.. ..... .....", "C4", false, ""},
		{"across the board", "....... ....... ..XX... ..XO... ....X.. ....... .......", "D4", true, "D3 E4"},
		{"broken by a stone of its own", "....... ....... ..XX... ..XO... ....... ....... .....O.", "D4", false, ""},
		{"at the edge", "O.... XX... ..... ..... .....", "A5", true, ""},
		{"into the corner", "..... .OX.. ..O.. ..... .....", "C4", true, "D4"},
		{"in atari, saved by taking", ".O... OXOX. ..X.. ..... .....", "B4", false, ""},
		{"in atari, with room", "..O.. .OX.. ..O.. ..... .....", "C4", false, ""},
		{"in a net of two stones", "..... .XX.. .XOO. .XX.. .....", "C3", false, ""},
		{"two liberties at the edge", ".O... .XX.. ..... ..... .....", "B5", true, "A5 C5"},
	} {
		board := strings.ReplaceAll(c.board, " ", "/")
		size := len(strings.Split(board, "/"))
		p := NewPosition(ruleSets[0], size)
		place(t, p, game.Black, board)
		key, free := p.Key(), p.free
		caught, starts := p.Ladder(at(t, c.chain, size))
		var got []string
		for _, q := range starts {
			got = append(got, name(q, size))
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); caught != c.caught || s != c.starts {
			t.Errorf("%s: %v on %q, want %v on %q", c.name, caught, s, c.caught, c.starts)
		}
		scratch(t, p)
		if p.Key() != key || p.free != free {
			t.Errorf("%s: the position has changed", c.name)
		}
	}
}

// A copy remembers the moves of its original, and can take them back.
func TestBefore(t *testing.T) {
	p := NewPosition(ruleSets[0], 5)
	var moves []game.Point
	for _, m := range []string{"B4", "B5", "A5", "C4", "pass", "C5"} { // A5 takes nothing, then B5 lives on
		q := game.Pass
		if m != "pass" {
			q = at(t, m, 5)
		}
		moves = append(moves, q)
		p.Make(q)
	}
	c := p.Clone()
	for i := range moves {
		m, ok := c.Before(i + 1)
		if want := (game.Move{Color: game.Color((len(moves) - 1 - i) & 1), Point: moves[len(moves)-1-i]}); !ok || m != want {
			t.Errorf("%d moves ago: %v %v, want %v", i+1, m, ok, want)
		}
	}
	if _, ok := c.Before(len(moves) + 1); ok {
		t.Error("a move before the first")
	}
	if b, w := c.Played(game.Black), c.Played(game.White); b != 2 || w != 3 {
		t.Errorf("%d and %d stones played", b, w)
	}
	for range moves {
		c.Unmake()
		scratch(t, c)
	}
	if c.Stones(game.Black)+c.Stones(game.White) != 0 {
		t.Error("not empty in the end")
	}
	scratch(t, p)
}
