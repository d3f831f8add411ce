package planes

import (
	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// Area says whose each point of the board is as far as that can be told without search.
// Sure are chains that live unconditionally, with the regions that only they surround and in
// which the opponent has no room, or no stone, and all stones in those. Empty regions that
// only one side surrounds are its own unless the surrounding stones are lost. Other stones
// are alive.
func Area(p *weiqi.Position, suicide bool) (area [game.NumPoints]game.Color) {
	size := p.Size()
	for q := range points(size) {
		area[q] = game.Empty
	}
	life := p.PassAlive(suicide)
	for c := game.Black; c <= game.White; c++ {
		if p.Stones(c) == 0 {
			continue
		}
		for _, q := range life.Stones[c].Points(nil) {
			area[q] = c
		}
		var seen weiqi.Set
		var region []game.Point
		for start := range points(size) {
			if p.At(start) == c || seen.Has(start) {
				continue
			}
			region = append(region[:0], start)
			seen.Add(start)
			// What stands in it, how many points touch no stone of c, and whether all the
			// stones around it live.
			enemies, inside, sure, empty := false, 0, true, false
			for i := 0; i < len(region); i++ {
				q := region[i]
				touches := false
				enemies = enemies || p.At(q) == c.Other()
				empty = empty || p.At(q) == game.Empty
				for _, s := range [4]game.Point{q - 1, q + 1, q - game.Stride, q + game.Stride} {
					switch {
					case p.At(s) == game.Wall:
					case p.At(s) == c:
						touches = true
						sure = sure && life.Stones[c].Has(s)
					case !seen.Has(s):
						seen.Add(s)
						region = append(region, s)
					}
				}
				if !touches {
					inside++
				}
			}
			switch {
			case !empty:
			case sure && (inside <= 1 || !enemies):
				for _, q := range region {
					area[q] = c
				}
			case !enemies:
				for _, q := range region {
					if area[q] == game.Empty {
						area[q] = c
					}
				}
			}
		}
	}
	for q := range points(size) {
		if area[q] == game.Empty && p.At(q) <= game.White {
			area[q] = p.At(q)
		}
	}
	return area
}
