package choice

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// Players who always answer beside the last move are found out.
func TestFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var games []Game
	for range 40 {
		g := Game{Size: 9}
		used := map[game.Point]bool{}
		put := func(x, y int) bool {
			q := game.At(x, y)
			if x < 0 || y < 0 || x > 8 || y > 8 || used[q] {
				return false
			}
			used[q] = true
			g.Moves = append(g.Moves, game.Move{Color: game.Color(len(g.Moves) % 2), Point: q})
			return true
		}
		x, y := r.IntN(9), r.IntN(9)
		put(x, y)
		for range 20 {
			d := [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}[r.IntN(4)]
			if put(x+d[0], y+d[1]) {
				x, y = x+d[0], y+d[1]
			}
		}
		games = append(games, g)
	}
	var log strings.Builder
	fit := Fit{Epochs: 2, Rate: 0.5, Seed: 1, Log: &log}
	data := fit.Run(games)
	h, err := weiqi.ParseHabits(data)
	if err != nil {
		t.Fatal(err)
	}
	if again := (&Fit{Epochs: 2, Rate: 0.5, Seed: 1, Log: &log}).Run(games); string(again) != string(data) {
		t.Error("the same games teach something else")
	}
	rules, err := weiqi.ParseRules("")
	if err != nil {
		t.Fatal(err)
	}
	p := weiqi.NewPosition(rules, 9)
	last := game.At(4, 4)
	p.Make(last)
	var free []game.Point
	for y := range 9 {
		for x := range 9 {
			if q := game.At(x, y); q != last {
				free = append(free, q)
			}
		}
	}
	var seen [game.NumPoints]weiqi.Feature
	var chances [game.NumPoints]uint32
	p.Features(last, &seen)
	h.Chances(p, free, last, game.NoPoint, &seen, &chances)
	beside := chances[game.At(3, 4)] + chances[game.At(5, 4)] + chances[game.At(4, 3)] + chances[game.At(4, 5)]
	if beside < weiqi.WholeChance*9/10 {
		t.Errorf("beside the last move: %d of %d\n%s", beside, weiqi.WholeChance, log.String())
	}
}
