package rule

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/engine"
	"tengen/engine/game"
)

func begin(t testing.TB, name string, v game.Variant) *Opening {
	t.Helper()
	r, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	o, err := New(r, v)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// A dialogue is an opening as it would be spoken: "first: H8 I9" is a choice of the first
// player, "first! H8 = on the centre" one that is refused with these words, "? words" is a
// part of what is asked, and "play" says who is Black, what stands and who is to move.
var dialogues = []struct {
	rule string
	v    game.Variant
	text string
}{
	{"swap", game.Variant{Rule: game.Freestyle, Size: 15}, `
		? Black: 3 stones (black anywhere, white anywhere, black anywhere)
		first! H8 I9 = 2 points is no answer here
		first! H8 I9 H8 = H8: occupied
		first! swap = to swap is no answer here: Black: 3 stones
		first! H8 H9 I9 2 = no number of fifth moves
		first: A1 H9 O15
		? White: swap, or stay
		second! H8 = one point is no answer here
		second: stay
		play first 3 White second`},
	{"swap", game.Variant{Rule: game.Standard, Size: 15}, `
		first: A1 H9 O15
		second: swap
		play second 3 White first`},
	{"swap2", game.Variant{Rule: game.Standard, Size: 15}, `
		first: H8 I8 J6
		? White: swap, or a white stone anywhere, or 2 stones (white anywhere, black anywhere)
		second! stay = to stay is no answer here
		second! J6 = J6: occupied
		second! K6 A1 A2 = 3 points is no answer here
		second: swap
		play second 3 White first`},
	{"swap2", game.Variant{Rule: game.Standard, Size: 15}, `
		first: H8 I8 J6
		second: K9
		play first 4 Black first`},
	{"swap2", game.Variant{Rule: game.Standard, Size: 15}, `
		first: H8 I8 J6
		second! F10 F10 = F10: occupied
		second: F10 K11
		? White: swap, or a white stone anywhere
		first! F9 G9 = 2 points is no answer here
		first: swap
		play first 5 White second`},
	{"swap2", game.Variant{Rule: game.Standard, Size: 15}, `
		first: H8 I8 J6
		second: F10 K11
		first: L12
		play second 6 Black second`},
	{"pro", game.Variant{Rule: game.Standard, Size: 15}, `
		? Black: a black stone on the centre
		first! I8 = I8 is not on the centre
		first: H8
		? White: a white stone anywhere
		second: A1
		? Black: a black stone outside the central 5x5 square
		first! J10 = J10 is not outside the central 5x5 square
		first: K8
		play first 3 White second`},
	{"longpro", game.Variant{Rule: game.Freestyle, Size: 20}, `
		first! J11 = J11 is not on the centre
		first: K10
		second: L11
		first! N10 = N10 is not outside the central 7x7 square
		first: O10
		play first 3 White second`},
	{"pente", game.Variant{Rule: game.Pente, Size: 19}, `
		first: J10
		second: K10
		first! L12 = L12 is not outside the central 5x5 square
		first: J13
		play first 3 White second`},
	{"swap2-pente", game.Variant{Rule: game.Pente, Size: 19}, `
		first: A1 B1 E5
		second: C1 D1
		? White: swap, or a white stone anywhere
		first: B1
		play second 6 Black second`}, // D1 took B1 and C1 off
	{"rif", game.Variant{Rule: game.Renju, Size: 15}, `
		? Black: 3 stones (black on the centre, white in the central 3x3 square, black in the central 5x5 square)
		first! H9 H8 I9 = H9 is not on the centre
		first! H8 H10 I9 = H10 is not in the central 3x3 square
		first! H8 H9 K8 = K8 is not in the central 5x5 square
		first: H8 H9 I9
		second: stay
		second: A1
		? Black: offer 2 fifth stones, no two symmetrical
		first! I8 = one point is no answer here
		first! I8 I8 = I8 is offered twice
		first! I8 H9 = H9: occupied
		first: I8 G7
		? White: keep one of I8 G7
		second! I7 = I7 was not offered, but I8 G7
		second: G7
		play first 5 White second`},
	{"rif", game.Variant{Rule: game.Renju, Size: 15}, `
		first: H8 H9 H10
		second: swap
		first: H11
		second! G8 I8 = G8 and I8 are symmetrical
		second! G7 I7 = G7 and I7 are symmetrical
		second: G8 I7
		first: I7
		play second 5 White first`},
	{"yamaguchi", game.Variant{Rule: game.Renju, Size: 15}, `
		? and the number of fifth moves, 1 to 20
		first! H8 I9 J10 = 1 to 20 fifth moves are to be declared, not 0
		first! H8 I9 J10 21 = 1 to 20 fifth moves are to be declared, not 21
		first: H8 I9 J10 3
		second: swap
		first: G9
		second! F6 H6 = 2 points is no answer here: Black: offer 3 fifth stones
		second: F6 H6 I7
		first: H6
		play second 5 White first`},
	{"soosyrv-8", game.Variant{Rule: game.Renju, Size: 15}, `
		first: H8 I9 G7
		second: swap
		? White: a white stone anywhere and the number of fifth moves, 1 to 8
		first! J10 9 = 1 to 8 fifth moves are to be declared, not 9
		first: K11 2
		? Black: swap, or stay
		second: swap
		? Black: offer 2 fifth stones
		first! J7 G10 = J7 and G10 are symmetrical
		first: J7 G9
		second: J7
		play first 5 White second`}, // all four stones lie on a diagonal
	{"soosyrv-8", game.Variant{Rule: game.Renju, Size: 15}, `
		first: H8 I9 G7
		second: stay
		second: J9 1
		first: stay
		? Black: offer one fifth stone
		first: I8
		second: I8
		play first 5 White second`},
	{"taraguchi-10", game.Variant{Rule: game.Renju, Size: 15}, `
		first: H8
		second: swap
		? White: a white stone in the central 3x3 square
		first: I9
		second: stay
		second: J10
		first: stay
		first! L8 = L8 is not in the central 7x7 square
		first: G7
		? Black: swap, or a black stone in the central 9x9 square, or offer 10 fifth stones
		second! G8 H7 = 2 points is no answer here
		second! M8 = M8 is not in the central 9x9 square
		second! G8 H9 H7 I7 I8 I10 K9 K11 F6 F8 = G8 and H7 are symmetrical
		second: G8 H9 I7 A1 I10 K9 K11 F6 F8 E8
		first: F8
		play second 5 White first`},
	{"taraguchi-10", game.Variant{Rule: game.Renju, Size: 15}, `
		first: H8
		second: stay
		second: H9
		first: swap
		second: I9
		first: stay
		first: H10
		second: swap
		? Black: a black stone in the central 9x9 square
		first! M8 = M8 is not in the central 9x9 square
		first: L8
		? White: swap, or stay
		second: swap
		play second 5 White first`},
}

func TestDialogues(t *testing.T) {
	for i, d := range dialogues {
		t.Run(fmt.Sprintf("%d %s", i, d.rule), func(t *testing.T) {
			o := begin(t, d.rule, d.v)
			for l := range strings.Lines(d.text) {
				l = strings.TrimSpace(l)
				who, rest, _ := strings.Cut(l, " ")
				who, says := strings.CutSuffix(who, ":")
				who, tries := strings.CutSuffix(who, "!")
				rest, words, _ := strings.Cut(rest, " = ")
				switch {
				case l == "":
				case who == "?":
					if p := o.Prompt(); !strings.Contains(p, rest) {
						t.Errorf("asks %q, want %q", p, rest)
					}
				case who == "play":
					if o.Prompt() != "" || o.Check(Choice{}) == nil {
						t.Fatal("is not over")
					}
					got := fmt.Sprintf("%s %d %v %s", short(o.Black()), len(o.Record().Moves), o.Game().ToMove(), short(o.Turn()))
					if got != rest {
						t.Errorf("ends in %q, want %q", got, rest)
					}
				case says || tries:
					if short(o.Turn()) != who {
						t.Fatalf("%q: it is the turn of the %v", l, o.Turn())
					}
					c, err := ParseChoice(rest, d.v.Size)
					if err != nil {
						t.Fatalf("%q: %v", l, err)
					}
					if says && c.Text(d.v.Size) != rest {
						t.Errorf("%q is written %q", rest, c.Text(d.v.Size))
					}
					before := o.Text()
					err = o.Do(c)
					switch {
					case says && err != nil:
						t.Fatalf("%q: %v", l, err)
					case tries && (err == nil || !strings.Contains(err.Error(), words)):
						t.Fatalf("%q: %v", l, err)
					case tries && o.Text() != before:
						t.Errorf("%q changed the opening", l)
					}
				default:
					t.Fatalf("what is %q?", l)
				}
			}
			if !o.Done() {
				t.Error("is not over")
			}
		})
	}
}

func short(p Player) string { return strings.Fields(p.String())[0] }

// Whatever is chosen of what may be chosen, ordinary play begins after a few steps, with
// stones that the rules allow in turn and the right side to move.
func TestRandomChoices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &rules[rapid.IntRange(0, len(rules)-1).Draw(t, "rule")]
		games := r.Games
		if games == nil {
			games = []game.Rule{game.Freestyle, game.Standard, game.Renju, game.Caro, game.CaroSix, game.Omok, game.Pente, game.Keryo}
		}
		v := game.Variant{Rule: rapid.SampledFrom(games).Draw(t, "game"), Size: rapid.IntRange(max(r.Least, 5), 22).Draw(t, "size")}
		o, err := New(r, v)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		black := First
		for steps := 0; !o.Done(); steps++ {
			if steps > len(r.Steps) {
				t.Fatalf("%s: %s goes on", r.Name, o.Text())
			}
			if step := o.Step(); (step.By == o.Game().ToMove()) == step.Ways[0].Keep { // who keeps puts the other's stone
				t.Fatalf("%s: %v decides and %v is to move", r.Name, o.Step().By, o.Game().ToMove())
			}
			c, ok := o.Any(rng.IntN)
			if !ok {
				t.Fatalf("%s on %v: nothing after %q", r.Name, v, o.Text())
			}
			again, err := ParseChoice(c.Text(v.Size), v.Size)
			if err != nil || again.Text(v.Size) != c.Text(v.Size) {
				t.Fatalf("%q: %v", c.Text(v.Size), err)
			}
			if err := o.Do(again); err != nil {
				t.Fatalf("%s: %s: %v", r.Name, c.Text(v.Size), err)
			}
			if c.Swap {
				black = black.Other()
				if o.Black() != black {
					t.Fatalf("%s: a swap left Black to the %v", r.Name, o.Black())
				}
			}
			black = o.Black()
		}
		rec := o.Record()
		n := len(rec.Moves)
		if n < 3 || n > 6 {
			t.Errorf("%d stones", n)
		}
		g, err := engine.Referee(r.Variant(v))
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range rec.Moves {
			if m.Color != game.Color(i%2) || g.Legal(m.Point) != nil {
				t.Errorf("%s: move %d is %v %s", r.Name, i+1, m.Color, m.Point.Name(v.Size))
			}
			g.Play(m.Point)
		}
		if g.Result().Outcome != game.Open || g.ToMove() != game.Color(n%2) || o.Game().ToMove() != g.ToMove() {
			t.Errorf("%s: %v, %v to move", r.Name, g.Result(), g.ToMove())
		}
		if mover := o.Turn(); (mover == o.Black()) != (g.ToMove() == game.Black) {
			t.Errorf("%s: the %v is to move for %v", r.Name, mover, g.ToMove())
		}
		if _, ok := o.Any(rng.IntN); ok {
			t.Error("there is a choice after the end")
		}
	})
}

// Offers that a symmetry of the board would change into one another leave positions of
// five stones that are the same to the eye, and only these are refused.
func TestSymmetricalOffers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	// stones returns a position as it looks in the smallest of its images.
	look := func(rec *game.Record, fifth game.Point) string {
		least := ""
		for s := range game.Symmetries {
			var sides [2][]int
			for _, m := range append(slices.Clone(rec.Moves), game.Move{Color: game.Black, Point: fifth}) {
				sides[m.Color] = append(sides[m.Color], int(m.Point.Turned(15, s)))
			}
			slices.Sort(sides[0])
			slices.Sort(sides[1])
			if l := fmt.Sprint(sides); least == "" || l < least {
				least = l
			}
		}
		return least
	}
	symmetric := 0
	lines := []string{"H8 H9 H10", "H8 I9 G7", "H8 H9 H6"}
	for i := range 30 {
		o := begin(t, "rif", game.Variant{Rule: game.Renju, Size: 15})
		near := func(n int) int { return rng.IntN(min(n, 30)) }
		for len(o.Record().Moves) < 4 {
			c, _ := o.Any(near)
			if len(o.Choices()) == 0 && i%2 == 0 {
				c, _ = ParseChoice(lines[i/2%3], 15) // the fourth often on the same line
			} else if len(c.Points) == 1 && len(o.Record().Moves) == 3 && i%2 == 0 && i%8 != 0 {
				c.Points[0] = map[bool]game.Point{true: game.At(12, 2), false: game.At(7, 2)}[i/2%3 == 1]
			}
			if err := o.Do(c); err != nil {
				t.Fatal(err)
			}
		}
		seen := map[string]game.Point{}
		for _, q := range fromCentre(15) {
			if o.Game().Legal(q) != nil {
				continue
			}
			l := look(o.Record(), q)
			p, same := seen[l]
			if !same {
				seen[l] = q
				if rng.IntN(40) > 0 {
					continue
				}
				p = game.At(0, 0)
				if p == q || o.Game().Legal(p) != nil || look(o.Record(), p) == l {
					continue
				}
			} else {
				symmetric++
			}
			if err := o.Check(Choice{Points: []game.Point{p, q}}); (err != nil) != same {
				t.Errorf("%s: offers %s and %s: %v", o.Text(), p.Name(15), q.Name(15), err)
			}
		}
		if d := Distinct(o.Game()); len(d) != len(seen) {
			t.Errorf("%s: %d distinct points, want %d", o.Text(), len(d), len(seen))
		}
	}
	if symmetric < 1000 {
		t.Errorf("only %d symmetrical pairs were tried", symmetric)
	}
}

// The zones of the first three stones leave exactly the 26 openings, each of which is known
// by its name however it lies and on whatever board.
func TestPatterns(t *testing.T) {
	if len(patterns) != 26 {
		t.Fatalf("%d openings", len(patterns))
	}
	for _, size := range []int{15, 19} {
		count := map[string]int{}
		all := fromCentre(size)
		for _, second := range all[1:9] {
			for _, third := range all[1:25] {
				if third == second {
					continue
				}
				o := begin(t, "rif", game.Variant{Rule: game.Renju, Size: size})
				if err := o.Do(Choice{Points: []game.Point{Centre(size), second, third}}); err != nil {
					t.Fatal(err)
				}
				p, ok := PatternOf(o.Record())
				if !ok {
					t.Fatalf("%s is no opening", o.Text())
				}
				count[p.Code]++
			}
		}
		total := 0
		for _, p := range patterns {
			if n := count[p.Code]; n != 4 && n != 8 {
				t.Errorf("%s %s lies in %d ways", p.Code, p.Name, n)
			}
			total += count[p.Code]
		}
		if len(count) != 26 || total != 8*23 {
			t.Errorf("%d openings, %d positions", len(count), total)
		}
	}
	rec := &game.Record{Variant: game.Variant{Rule: game.Renju, Size: 15}}
	for i, s := range strings.Fields("H8 G8 G7") {
		q, _ := game.ParseName(s, 15)
		rec.Moves = append(rec.Moves, game.Move{Color: game.Color(i % 2), Point: q})
	}
	if p, ok := PatternOf(rec); !ok || p.Code != "D4" || p.English != "Flower Moon" {
		t.Errorf("%+v %v", p, ok)
	}
	rec.Moves[1].Point = game.At(0, 0)
	if p, ok := PatternOf(rec); ok {
		t.Errorf("a stone in the corner is %+v", p)
	}
}

// The list agrees with the one in the shared data.
func TestPatternData(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", "openings", "renju_26.txt"))
	if err != nil {
		t.Skip(err)
	}
	n := 0
	for l := range strings.Lines(string(data)) {
		f := strings.Split(l, " | ")
		if strings.HasPrefix(l, "#") || len(f) < 6 {
			continue
		}
		p := patterns[n]
		if got := fmt.Sprint(p.Code, " ", p.Name, " ", p.English, " ", names(p.Stones[:], 15)); got != fmt.Sprint(f[0], " ", f[2], " ", f[4], " ", f[5]) {
			t.Errorf("%s, in the data %s", got, l)
		}
		n++
	}
	if n != 26 {
		t.Errorf("%d openings in the data", n)
	}
}

func TestNotForThisGame(t *testing.T) {
	for _, c := range []struct {
		rule string
		v    game.Variant
		want string
	}{
		{"rif", game.Variant{Rule: game.Standard, Size: 15}, "is for renju, not for standard"},
		{"pente", game.Variant{Rule: game.Freestyle, Size: 19}, "is for pente"},
		{"swap2", game.Variant{Rule: game.Weiqi, Size: 9}, "not for Go"},
		{"longpro", game.Variant{Rule: game.Standard, Size: 7}, "9x9 at least"},
		{"swap", game.Variant{Rule: game.Standard, Size: 3}, "board size"},
	} {
		r, err := Find(strings.ToUpper(c.rule))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(r, c.v); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %v: %v", c.rule, c.v, err)
		}
	}
	if _, err := Find("swap3"); err == nil || !strings.Contains(err.Error(), "taraguchi-10") {
		t.Error(err)
	}
	for _, s := range []string{"", "swap H8", "H8 x", "pass", "4", "H8 0", "H8 -1", "Z99"} {
		if c, err := ParseChoice(s, 15); err == nil {
			t.Errorf("%q was read as %+v", s, c)
		}
	}
	for _, n := range []int{1, 2, 4, 6, 8} {
		var qs []game.Point
		for i := range n {
			qs = append(qs, game.At(i, 0))
		}
		if _, err := Swap2(game.Variant{Rule: game.Standard, Size: 15}, qs); err == nil {
			t.Errorf("swap2 with %d stones", n)
		}
	}
}
