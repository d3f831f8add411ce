// Package eval says what a position of a line game is worth when nobody looks further.
//
// The sum of what each empty point offers both sides is kept by the position itself, from
// the table that Table returns; Evaluate adds what only the whole board shows: whose move
// it is and which threats stand. Values are in units of which about 160 make a side twice
// as likely to win as not... for the side to move.
package eval

import (
	"sync"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/eval/nnue"
)

// Evaluator judges a position without looking ahead. The value is for the side to move,
// within +-game.MaxValue.
type Evaluator interface {
	Evaluate(p *line.Position) int
	// Rough is the same but for what takes long to compute, which Margin usually
	// exceeds. With a Margin of 0 it is the same.
	Rough(p *line.Position) int
	Margin() int
}

// Hand is the evaluation with values set by hand.
type Hand struct{}

// shapeValue is what a point's shape in one direction is worth. A row shows up on each
// of the empty points that could extend it, so an open two counts about four times.
var shapeValue = [line.NumShapes]int{
	line.OneClosed:   1,
	line.OneOpen:     3,
	line.TwoClosed:   5,
	line.TwoOpen:     9,
	line.TwoOpen2:    12,
	line.TwoOpen3:    14,
	line.ThreeClosed: 16,
	line.ThreeOpen:   22,
	line.ThreeOpen2:  28,
	line.Four:        30,
	line.FourDouble:  60,
	line.FourOpen:    60,
	line.FiveShape:   90,
}

// Value adds up the directions; two good ones on one point are worth more than apart.
func (Hand) Value(c game.Color, s [4]line.Shape) (moving, waiting int) {
	sum, best, second := 0, 0, 0
	for _, sh := range s {
		v := shapeValue[sh]
		sum += v
		if v > best {
			best, second = v, best
		} else if v > second {
			second = v
		}
	}
	v := (sum + second*best/16) * line.ValueUnit
	return v, v * 3 / 4
}

// classScore orders moves by what they threaten, and by what they keep the opponent from.
var classScore = [line.NumClasses][2]int{
	line.Nothing:       {0, 0},
	line.Two:           {40, 20},
	line.TwoTwo:        {90, 50},
	line.Three:         {60, 25},
	line.ThreePlus:     {110, 60},
	line.OpenThree:     {150, 90},
	line.OpenThreePlus: {220, 140},
	line.DoubleThree:   {380, 280},
	line.FourOnly:      {110, 70},
	line.FourPlus:      {230, 160},
	line.FourThree:     {520, 380},
	line.OpenFour:      {700, 450},
	line.Five:          {1000, 900},
}

// Score ranks a point by its class and, within it, by the sum of its shapes.
func (Hand) Score(c game.Color, s [4]line.Shape) (attack, defend int) {
	sum := 0
	for _, sh := range s {
		sum += shapeValue[sh]
	}
	cl := line.ClassOf(c, s)
	return classScore[cl][0] + sum, classScore[cl][1] + sum*3/4
}

// What a standing threat is worth to its owner, by class of the best point: when he is
// to move, and when the other is.
var threat = [line.NumClasses][2]int{
	line.OpenThree:     {20, 8},
	line.OpenThreePlus: {40, 15},
	line.DoubleThree:   {90, 40},
	line.FourPlus:      {40, 15},
	line.FourThree:     {250, 90},
	line.OpenFour:      {600, 160},
}

// tempo is the worth of having the move.
const tempo = 12

// Evaluate returns the table's sum and the best standing threats.
func (Hand) Evaluate(p *line.Position) int {
	me := p.Side()
	v := p.Value() / line.ValueUnit
	v += tempo + best(p, me, 0) - best(p, me.Other(), 1)
	return max(-game.MaxValue, min(game.MaxValue, v))
}

// Rough is Evaluate.
func (h Hand) Rough(p *line.Position) int { return h.Evaluate(p) }

// Margin is 0.
func (Hand) Margin() int { return 0 }

func best(p *line.Position, c game.Color, waiting int) int {
	for cl := line.OpenFour; cl >= line.OpenThree; cl-- {
		if threat[cl][waiting] != 0 && p.Count(c, cl) > 0 {
			return threat[cl][waiting]
		}
	}
	return 0
}

// For returns the values of a game's table and an evaluator for one search thread: the
// table with its network, where there is one.
func For(r line.Rules) (line.Values, Evaluator) {
	v, _ := table(r)
	return v, With(r, Net(r.Name))
}

// With returns an evaluator for one search thread: the table of a game with this network,
// alone where it is nil.
func With(r line.Rules, n *nnue.Net) Evaluator {
	_, e := table(r)
	w, learned := e.(*Weights)
	if n != nil && learned {
		e = &Network{w, nnue.NewState(n)}
	}
	if r.Capture != 0 {
		c := Captures{Evaluator: e}
		if learned {
			c.learned = w.Taking
		}
		e = c
	}
	return e
}

// Plain returns the evaluator of a game without its network.
func Plain(r line.Rules) Evaluator { return With(r, nil) }

// table returns the values of a game: learned ones where there are any, for keryo
// those of freestyle (in omok and pente they scored 57 of 90 games at 3000 nodes against
// those set by hand).
func table(r line.Rules) (line.Values, Evaluator) {
	w := Learned(r.Name)
	if w == nil && r.Six == [2]line.Six{} && !r.BothEnds {
		w = Learned("freestyle") // where rows win alike
	}
	if w == nil {
		return Hand{}, Hand{}
	}
	return w, w
}

// Table returns the table of a game with the values of For, computed at first use.
func Table(r line.Rules) *line.Table {
	tables.Lock()
	defer tables.Unlock()
	if t := tables.of[r]; t != nil {
		return t
	}
	values, _ := table(r)
	t := line.NewTable(r, values)
	if tables.of == nil {
		tables.of = map[line.Rules]*line.Table{}
	}
	tables.of[r] = t
	return t
}

var tables struct {
	sync.Mutex
	of map[line.Rules]*line.Table
}
