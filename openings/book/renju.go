package book

import "tengen/engine/game"

// Renju's 26 openings: Black in the centre, White beside it, direct (above) or indirect
// (above to the right), and Black's third stone in the central square of side 5, given
// here as columns to the right and rows above the centre. The names are the Renju
// International Federation's.
var renju = [2][]struct {
	name         string
	right, above int
}{
	{
		{"Kansei", 0, 2}, {"Keigetsu", 1, 2}, {"Sosei", 2, 2}, {"Kagetsu", 1, 1}, {"Zangetsu", 2, 1},
		{"Ugetsu", 1, 0}, {"Kinsei", 2, 0}, {"Shogetsu", 0, -1}, {"Kyugetsu", 1, -1}, {"Shingetsu", 2, -1},
		{"Zuisei", 0, -2}, {"Sangetsu", 1, -2}, {"Yusei", 2, -2},
	},
	{
		{"Chosei", 2, 2}, {"Kyogetsu", 2, 1}, {"Kosei", 2, 0}, {"Suigetsu", 2, -1}, {"Ryusei", 2, -2},
		{"Ungetsu", 1, 0}, {"Hogetsu", 1, -1}, {"Rangetsu", 1, -2}, {"Gingetsu", 0, -1}, {"Myojo", 0, -2},
		{"Shagetsu", -1, -1}, {"Meigetsu", -1, -2}, {"Suisei", -2, -2},
	},
}

// Roots returns where a book of a game begins when nobody says otherwise: with the empty
// board and, in renju, each of the 26 openings.
func Roots(v game.Variant) []Root {
	roots := []Root{{Record: &game.Record{Variant: v}}}
	if v.Rule != game.Renju || v.Size < 5 || v.Size%2 == 0 {
		return roots
	}
	c := v.Size / 2
	for kind, openings := range renju {
		for _, o := range openings {
			rec := &game.Record{Variant: v, Moves: []game.Move{
				{Color: game.Black, Point: game.At(c, c)},
				{Color: game.White, Point: game.At(c+kind, c-1)},
				{Color: game.Black, Point: game.At(c+o.right, c-o.above)},
			}}
			roots = append(roots, Root{rec, o.name})
		}
	}
	return roots
}
