package rule

import (
	"strings"

	"tengen/engine/game"
)

// Pattern is one of renju's 26 openings: three stones up to symmetry.
type Pattern struct {
	Code    string        // D1 to D13 (White's stone beside Black's first), I1 to I13 (diagonally)
	Name    string        // the Japanese one, romanized
	English string        // its meaning
	Stones  [3]game.Point // one of its symmetric placements on 15x15
}

// The openings in the order of their codes; the stones are those of the pictures at
// renju.net ("Renju opening pattern"), on 15x15 with I among the columns.
const patternList = `
D1 Kansei    H8 H9 H10 Cold Star
D2 Keigetsu  H8 H9 I10 Valley Moon
D3 Sosei     H8 H9 J10 Sparse Star
D4 Kagetsu   H8 H9 I9 Flower Moon
D5 Zangetsu  H8 H9 J9 Lingering Moon
D6 Ugetsu    H8 H9 I8 Rain Moon
D7 Kinsei    H8 H9 J8 Gold Star
D8 Shogetsu  H8 H9 H7 Pine Moon
D9 Kyugetsu  H8 H9 I7 Hill Moon
D10 Shingetsu H8 H9 J7 New Moon
D11 Zuisei   H8 H9 H6 Lucky Star
D12 Sangetsu H8 H9 I6 Mountain Moon
D13 Yusei    H8 H9 J6 Wandering Star
I1 Chosei    H8 I9 J10 Long Star
I2 Kyogetsu  H8 I9 J9 Ravine Moon
I3 Kosei     H8 I9 J8 Fixed Star
I4 Suigetsu  H8 I9 J7 Water Moon
I5 Ryusei    H8 I9 J6 Shooting Star
I6 Ungetsu   H8 I9 I8 Cloud Moon
I7 Hogetsu   H8 I9 I7 Coast Moon
I8 Rangetsu  H8 I9 I6 Mist Moon
I9 Gingetsu  H8 I9 H7 Silver Moon
I10 Myojo    H8 I9 H6 Bright Star
I11 Shagetsu H8 I9 G7 Slanting Moon
I12 Meigetsu H8 I9 G6 Noble Moon
I13 Suisei   H8 I9 F6 Comet
`

var patterns = readPatterns()

const patternSize = 15

func readPatterns() (ps []Pattern) {
	for l := range strings.Lines(strings.TrimSpace(patternList)) {
		f := strings.Fields(l)
		p := Pattern{Code: f[0], Name: f[1], English: strings.Join(f[5:], " ")}
		for i := range p.Stones {
			q, err := game.ParseName(f[2+i], patternSize)
			if err != nil {
				panic(err) // the list is ours
			}
			p.Stones[i] = q
		}
		ps = append(ps, p)
	}
	return ps
}

// Patterns returns the 26 openings.
func Patterns() []Pattern { return append([]Pattern(nil), patterns...) }

// On returns the stones on a board of another size.
func (p Pattern) On(size int) []game.Point {
	var qs []game.Point
	d := size/2 - patternSize/2
	for _, q := range p.Stones {
		qs = append(qs, game.At(q.X()+d, q.Y()+d))
	}
	return qs
}

// PatternOf returns the opening that a game began with, if it is one of the 26.
func PatternOf(rec *game.Record) (Pattern, bool) {
	if len(rec.Moves) < 3 || len(rec.Setup.Black)+len(rec.Setup.White)+len(rec.Setup.Walls) > 0 {
		return Pattern{}, false
	}
	size := rec.Variant.Size
	for _, p := range patterns {
		stones := p.On(size)
	symmetry:
		for s := range game.Symmetries {
			for i, q := range stones {
				if q.Turned(size, s) != rec.Moves[i].Point {
					continue symmetry
				}
			}
			return p, true
		}
	}
	return Pattern{}, false
}
