package planes

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

func play(t *testing.T, ruleset string, size int, board string, toMove game.Color, moves ...game.Point) *weiqi.Position {
	t.Helper()
	s := game.Setup{ToMove: toMove}
	for y, row := range strings.Fields(board) {
		for x, c := range row {
			switch c {
			case 'X':
				s.Black = append(s.Black, game.At(x, y))
			case 'O':
				s.White = append(s.White, game.At(x, y))
			}
		}
	}
	rec := &game.Record{Variant: game.Variant{Rule: game.Weiqi, Size: size, Ruleset: ruleset}, Setup: s}
	c := toMove
	for _, q := range moves {
		rec.Moves = append(rec.Moves, game.Move{Color: c, Point: q})
		c = c.Other()
	}
	g, err := weiqi.Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	return g.Position()
}

// picture draws one plane: a 1 where it is set.
func picture(planes []float32, size, plane int) string {
	var b strings.Builder
	for y := range size {
		for x := range size {
			if planes[(y*size+x)*Count+plane] != 0 {
				b.WriteByte('1')
			} else {
				b.WriteByte('.')
			}
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

// The planes of drawn boards. What is not named is empty.
func TestPlanes(t *testing.T) {
	at := game.At
	for _, c := range []struct {
		name   string
		p      *weiqi.Position
		planes map[int]string
		board  map[int]float32
	}{
		{"a ko just taken", play(t, "aga", 5, ".XO.. XO.O. .XO.. ..... .....", game.Black, at(2, 1)),
			map[int]string{
				own: "..1.. ...1. ..1.. ..... .....", other: ".1... 1.1.. .1... ..... .....",
				oneLiberty: "..1.. ..1.. ..... ..... .....", twoLiberties: ".1... ..... ..1.. ..... .....", threeLiberties: "..... 1..1. .1... ..... .....",
				repetition: "..... .1... ..... ..... .....", last: "..... ..1.. ..... ..... .....",
				ownArea: "..1.. ...1. ..1.. ..... .....", otherArea: "11... 111.. .1... ..... .....",
			}, map[int]float32{superko: 1, whichKo: -0.5, komi: 7.5 / 20, wave: 0.5}},
		{"a ladder one move ago, and how one may begin now", play(t, "aga", 7, "....... ....... ..XX... ..XO... ....... ....... .......", game.Black, at(4, 4), at(0, 0)),
			map[int]string{
				own: "....... ....... ..11... ..1.... ....1.. ....... .......", other: "1...... ....... ....... ...1... ....... ....... .......",
				twoLiberties: "1...... ....... ....... ...1... ....... ....... .......",
				last:         "1...... ....... ....... ....... ....... ....... .......", last + 1: "....... ....... ....... ....... ....1.. ....... .......",
				laddered: "1...... ....... ....... ...1... ....... ....... .......", laddered + 1: "....... ....... ....... ...1... ....... ....... .......",
				laddersBegin: ".1..... 1...... ....... ....1.. ...1... ....... .......",
				ownArea:      "....... ....... ..11... ..1.... ....1.. ....... .......", otherArea: "1...... ....... ....... ...1... ....... ....... .......",
			}, map[int]float32{superko: 1, whichKo: -0.5, komi: -7.5 / 20, wave: -0.5}},
		{"nothing, after a pass that must not be seen", play(t, "chinese", 3, "... ... ...", game.Black, game.Pass),
			map[int]string{}, map[int]float32{komi: 7.5 / 20, wave: 0.5}},
		{"nothing, after a pass that may be", play(t, "tromp-taylor", 3, "... ... ...", game.Black, game.Pass),
			map[int]string{}, map[int]float32{komi: 7.5 / 20, wave: 0.5, passed: 1, passEnds: 1, superko: 1, whichKo: 0.5, suicide: 1}},
		{"territory, where each stone played counts", play(t, "japanese", 3, "... ... ...", game.Black, at(1, 1)),
			map[int]string{other: "... .1. ...", last: "... .1. ..."},
			map[int]float32{komi: 8.5 / 20, territory: 1, sekiTax: 1}},
	} {
		planes, board := make([]float32, c.p.Size()*c.p.Size()*Count), make([]float32, Globals)
		var r Reader
		r.Fill(c.p, 7.5, 0, planes, board)
		all := strings.TrimSpace(strings.Repeat(strings.Repeat("1", c.p.Size())+" ", c.p.Size()))
		for plane := range Count {
			want := c.planes[plane]
			if plane == onBoard {
				want = all
			} else if want == "" {
				want = strings.ReplaceAll(all, "1", ".")
			}
			if got := picture(planes, c.p.Size(), plane); got != want {
				t.Errorf("%s: plane %d is %s, not %s", c.name, plane, got, want)
			}
		}
		for i, x := range board {
			if math.Abs(float64(x-c.board[i])) > 1e-6 {
				t.Errorf("%s: number %d is %v, not %v", c.name, i, x, c.board[i])
			}
		}
	}
}

// Whose each point is: living stones and what they enclose, dead ones in it, and empty
// regions of one side; the rest is as it stands.
func TestArea(t *testing.T) {
	for _, c := range []struct{ name, board, want string }{
		{"open", "..... ..X.. ..... ....O .....", "..... ..X.. ..... ....O ....."},
		{"one side alone", "..... ..X.. ..... ..... .....", "XXXXX XXXXX XXXXX XXXXX XXXXX"},
		{"two eyes, a dead stone in one", ".X.XO .XXXO XXO.O OOOOO .....", "XXXXO XXXXO XXO.O OOOOO OOOOO"},
		{"a dead stone in a small eye", "OX.XO .XXXO XXO.O OOOOO .....", "XXXXO XXXXO XXO.O OOOOO OOOOO"},
		{"a big region", "XO... XO... .O... OO... .....", "XOOOO XOOOO .OOOO OOOOO OOOOO"},
	} {
		p := play(t, "aga", 5, c.board, game.Black)
		area := Area(p, false)
		var rows []string
		for y := range 5 {
			row := ""
			for x := range 5 {
				row += string("XO."[area[game.At(x, y)]])
			}
			rows = append(rows, row)
		}
		if got := strings.Join(rows, " "); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// In random games a turned board's planes are the board's planes turned, the position stays
// as it is, and a copy of it has the same planes.
func TestTurn(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for round := range 12 {
		size := 5 + round%5
		rules, _ := weiqi.ParseRules(weiqi.RuleNames()[round%len(weiqi.RuleNames())])
		p := weiqi.NewPosition(rules, size)
		n := size * size
		straight, turned, board, board2 := make([]float32, n*Count), make([]float32, n*Count), make([]float32, Globals), make([]float32, Globals)
		var a, b Reader
		for range n + n/2 {
			q := game.At(r.IntN(size), r.IntN(size))
			if p.At(q) != game.Empty || !p.Playable(q) {
				if q = game.Pass; r.IntN(8) > 0 {
					continue
				}
			}
			p.Make(q)
			symmetry := r.IntN(8)
			key, side, moves := p.Key(), p.Side(), p.Moves()
			a.Fill(p, 6.5, 0, straight, board)
			if p.Key() != key || p.Side() != side || p.Moves() != moves {
				t.Fatal("the position has changed")
			}
			b.Fill(p.Clone(), 6.5, symmetry, turned, board2)
			if !slices.Equal(board, board2) {
				t.Fatalf("%v, turned %v", board, board2)
			}
			for q := range n {
				at := Turn(size, symmetry, q)
				if !slices.Equal(straight[q*Count:(q+1)*Count], turned[at*Count:(at+1)*Count]) {
					t.Fatalf("symmetry %d of %d: point %d is not point %d", symmetry, size, q, at)
				}
			}
		}
	}
}
