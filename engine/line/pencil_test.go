package line

import (
	"testing"

	"tengen/engine/game"
)

func TestPointOf(t *testing.T) {
	for d := range 4 {
		for y := range MaxSize {
			for x := range MaxSize {
				q := game.At(x, y)
				number, place := LineOf(d, q)
				if got := PointOf(d, number, place); got != q {
					t.Errorf("direction %d: line %d place %d is %v, not %v", d, number, place, got, q)
				}
				if n, p := LineOf(d, q+game.Point(Step(d))); x+1 < MaxSize && y > 0 && (n != number || p != place+1) {
					t.Errorf("direction %d: the point after %v is place %d of line %d", d, q, p, n)
				}
			}
		}
	}
}

// Pencilled stones are worth what stones made are, leave no trace, and give the same key.
func TestPencil(t *testing.T) {
	for _, rule := range []game.Rule{game.Freestyle, game.Standard, game.Renju, game.Caro, game.CaroSix, game.Omok} {
		table := newTable(t, rule, false)
		p, twin := NewPosition(table, 9), NewPosition(table, 9)
		for _, q := range []game.Point{
			game.At(4, 4), game.At(3, 3), game.At(5, 4), game.At(6, 4), game.At(4, 5), game.At(4, 6),
			game.At(5, 5), game.At(2, 2), game.At(4, 3), game.At(7, 1), game.At(5, 3), game.At(1, 1),
		} {
			c := p.Side()
			lines := p.Lines()
			for d := range 4 {
				number, place := LineOf(d, q)
				lines[d][number] ^= uint64(c+1) << (2 * (place + Pad))
			}
			twin.Make(q)
			for y := range 9 {
				for x := range 9 {
					e := game.At(x, y)
					if twin.At(e) != game.Empty {
						continue
					}
					for s := range game.Empty {
						cl, may := p.ClassOnLines(s, e)
						if cl != twin.Class(s, e) || may != twin.MayBeForbidden(s, e) {
							t.Errorf("%v %v %s: class %d, may %v", rule, s, e.Name(9), cl, may)
						}
						if p.PlayableOnLines(s, e) != twin.Playable(s, e) {
							t.Errorf("%v %v %s: playable %v", rule, s, e.Name(9), !twin.Playable(s, e))
						}
					}
				}
			}
			if p.Key()^StoneKey(c, q)^sideKey(game.White) != twin.Key() {
				t.Errorf("%v: the key of %v on %s", rule, c, q.Name(9))
			}
			for d := range 4 {
				number, place := LineOf(d, q)
				lines[d][number] ^= uint64(c+1) << (2 * (place + Pad))
			}
			p.Make(q)
			if *lines != *twin.Lines() {
				t.Errorf("%v: the lines keep a trace", rule)
			}
		}
	}
}
