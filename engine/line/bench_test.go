package line

import (
	"math/rand/v2"
	"testing"

	"tengen/engine/game"
)

func BenchmarkNewTable(b *testing.B) {
	for _, r := range []game.Rule{game.Freestyle, game.Renju, game.Caro} {
		b.Run(r.String(), func(b *testing.B) {
			for b.Loop() {
				newTable(b, r, false)
			}
		})
	}
}

// One operation is a make and its unmake, with 24 stones about the centre.
func BenchmarkMakeUnmake(b *testing.B) {
	for _, r := range []game.Rule{game.Freestyle, game.Standard, game.Renju, game.Caro, game.Pente} {
		b.Run(r.String(), func(b *testing.B) {
			p := NewPosition(newTable(b, r, false), 15)
			rng := rand.New(rand.NewPCG(1, 2))
			for p.Ply() < 24 {
				if q := game.At(3+rng.IntN(9), 3+rng.IntN(9)); p.At(q) == game.Empty {
					p.Make(q)
				}
			}
			var moves []game.Point
			for y := range 15 {
				for x := range 15 {
					if q := game.At(x, y); p.At(q) == game.Empty && x > 1 && y > 1 && x < 13 && y < 13 {
						moves = append(moves, q)
					}
				}
			}
			i := 0
			for b.Loop() {
				p.Make(moves[i])
				p.Unmake()
				if i++; i == len(moves) {
					i = 0
				}
			}
		})
	}
}
