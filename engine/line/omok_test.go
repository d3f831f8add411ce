package line

import (
	"math/rand/v2"
	"testing"

	"tengen/engine/game"
)

// The collected moves and maps of omok: every empty point for both sides, also by the
// reading in which a three's straight four must be allowed itself.
func TestOmokCases(t *testing.T) {
	type sides struct{ Black, White []string }
	type ocase struct {
		ID, Kind, Board, Side, Move, Verdict string
		Size                                 int
		Win                                  bool
		Forbidden, Recursive                 sides
	}
	plain := newTable(t, game.Omok, false)
	deep := plain.Rules
	deep.AnyFour, deep.FiveAtFour = false, true
	recursive := NewTable(deep, nil)
	var seen [DoubleThreeFoul + 1]int
	for _, c := range readCases[ocase](t, "omok_cases.jsonl") {
		switch c.Kind {
		case "move":
			p := NewPosition(plain, c.Size)
			draw(t, p, c.Board)
			side := game.Black
			if c.Side == "white" {
				side = game.White
			}
			q, err := game.ParseName(c.Move, c.Size)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Forbidden(side, q); (got == DoubleThreeFoul) != (c.Verdict == "33") {
				t.Errorf("%s: %v, want %s", c.ID, got, c.Verdict)
			}
			p.SetSide(side)
			p.Make(q)
			if p.Won() != c.Win {
				t.Errorf("%s: won %v", c.ID, p.Won())
			}
		case "map":
			for table, want := range map[*Table]sides{plain: c.Forbidden, recursive: c.Recursive} {
				p := NewPosition(table, c.Size)
				draw(t, p, c.Board)
				for side, names := range [][]string{want.Black, want.White} {
					no := points(t, c.Size, names)
					for y := range c.Size {
						for x := range c.Size {
							q := game.At(x, y)
							if p.At(q) != game.Empty {
								continue
							}
							got := p.Forbidden(game.Color(side), q)
							seen[got]++
							if (got == DoubleThreeFoul) != no[q] || got == DoubleFour || got == Overline {
								t.Errorf("%s %v %s: %v, want forbidden %v", c.ID, game.Color(side), q.Name(c.Size), got, no[q])
							}
						}
					}
				}
			}
		}
	}
	if seen[DoubleThreeFoul] == 0 {
		t.Error("no map was read")
	}
	t.Logf("points judged: %v", seen)
}

// In omok there is always a move: each of the four directions leads from a double three to
// an empty point above it or to the left in its row, so the first empty point of the board
// is none. That all points are forbidden needs other rules, see TestOnlyForbiddenPoints.
func TestOmokFirstPoint(t *testing.T) {
	table := newTable(t, game.Omok, false)
	rng := rand.New(rand.NewPCG(33, 33))
	for i := range 40 * randomGames {
		v := game.Variant{Rule: game.Omok, Size: MinSize + i%10}
		b := newNaive(v)
		b.scatter(rng)
		p := NewPosition(table, v.Size)
		b.position(p, same)
		if empty := b.empties(); len(empty) > 0 {
			for c := range game.Empty {
				if q := empty[0]; !p.Playable(c, q.point()) || b.forbidden(c, q) != Allowed {
					t.Fatalf("%v: %s is forbidden\n%v", c, q.point().Name(v.Size), b)
				}
			}
		}
	}
}
