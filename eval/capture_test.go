package eval

import (
	"testing"

	"tengen/engine/game"
	"tengen/engine/line"
)

// More captured stones are worth more, the same to one side as to the other; and so is a
// pair that can be taken, most of all to the side to move.
func TestCaptures(t *testing.T) {
	for _, rule := range []game.Rule{game.Pente, game.Keryo} {
		r, err := line.RulesOf(game.Variant{Rule: rule, Size: 19})
		if err != nil {
			t.Fatal(err)
		}
		_, e := For(r)
		value := func(black, white int, side game.Color) int {
			p := line.NewPosition(Table(r), 19)
			p.SetCaptured(game.Black, black)
			p.SetCaptured(game.White, white)
			p.SetSide(side)
			return e.Evaluate(p)
		}
		last := value(0, 0, game.Black)
		for n := 2; n < r.CaptureWins; n += 2 {
			v := value(n, 0, game.Black)
			if v <= last || value(0, n, game.White) != v {
				t.Errorf("%v: %d stones are worth %d, to White %d", rule, n, v, value(0, n, game.White))
			}
			if value(n, n, game.Black) != value(0, 0, game.Black) {
				t.Errorf("%v: %d stones each", rule, n)
			}
			last = v
		}
		term := Captures{nothing{}, nil}
		p := line.NewPosition(Table(r), 19)
		p.Set(game.At(3, 3), game.Black)
		p.Set(game.At(4, 3), game.White)
		p.Set(game.At(5, 3), game.White)
		moving := term.Evaluate(p)
		p.SetSide(game.White)
		if waiting := term.Evaluate(p); moving <= -waiting || waiting >= 0 {
			t.Errorf("%v: a pair to be taken is worth %d, and %d to the other side", rule, moving, waiting)
		}
		if v := value(r.CaptureWins+40, 0, game.Black); v > game.MaxValue {
			t.Errorf("%v: %d is a win", rule, v)
		}
	}
}

type nothing struct{}

func (nothing) Evaluate(*line.Position) int { return 0 }
func (nothing) Rough(*line.Position) int    { return 0 }
func (nothing) Margin() int                 { return 0 }

// What was learned of captures is looked up by what each side has captured and may capture.
func TestTaking(t *testing.T) {
	r, err := line.RulesOf(game.Variant{Rule: game.Pente, Size: 19})
	if err != nil {
		t.Fatal(err)
	}
	learned := &Taking{Taken: [5]int16{0, 100 * line.ValueUnit, 200 * line.ValueUnit, 300 * line.ValueUnit, 400 * line.ValueUnit}}
	learned.Next[1*4+0] = 7 * line.ValueUnit
	learned.Next[0*4+1] = -9 * line.ValueUnit
	term := Captures{nothing{}, learned}
	p := line.NewPosition(Table(r), 19)
	p.SetCaptured(game.Black, 6)
	p.SetCaptured(game.White, 2)
	check := func(what string, want int) {
		t.Helper()
		if v := term.Evaluate(p); v != want || term.Rough(p) != want {
			t.Errorf("%s: %d, want %d", what, v, want)
		}
	}
	check("Black has three pairs, White one", 200)
	p.Set(game.At(3, 3), game.Black)
	p.Set(game.At(4, 3), game.White)
	p.Set(game.At(5, 3), game.White)
	check("Black can take a pair", 207)
	p.SetSide(game.White)
	check("Black could take a pair", -209)
}
