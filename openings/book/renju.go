package book

import (
	"tengen/engine/game"
	"tengen/openings/rule"
)

// Roots returns where a book of a game begins when nobody says otherwise: with the empty
// board and, in renju, each of the 26 openings.
func Roots(v game.Variant) []Root {
	roots := []Root{{Record: &game.Record{Variant: v}}}
	if v.Rule != game.Renju || v.Size < 5 || v.Size%2 == 0 {
		return roots
	}
	for _, p := range rule.Patterns() {
		rec := &game.Record{Variant: v}
		for i, q := range p.On(v.Size) {
			rec.Moves = append(rec.Moves, game.Move{Color: game.Color(i % 2), Point: q})
		}
		roots = append(roots, Root{rec, p.Name})
	}
	return roots
}
