// Package rule is the opening rules of the line games as data, and the machine that walks
// through any of them.
//
// An opening rule is a list of decisions (Step), each taken by the player who holds a
// colour at that time and answered in one of a few ways (Way): by stones in given zones of
// the board, by changing sides or not, by declaring a number, by offering several stones of
// which the other keeps one. Opening is an opening in progress: it says who has to decide
// and what may be answered, refuses every other answer, and ends where ordinary play
// begins. No rule has code of its own.
//
// The mechanism knows no search. What to answer is found by package openings.
package rule

import (
	"fmt"
	"slices"
	"strings"

	"tengen/engine/game"
)

// Player is one of the two at a board, whatever colour he holds.
type Player uint8

const (
	First  Player = iota // begins, holding Black
	Second               // holds White at first
)

// Other returns the opponent.
func (p Player) Other() Player { return p ^ 1 }

func (p Player) String() string { return [...]string{"first player", "second player"}[p&1] }

// Zone is a set of points by their distance from the centre, which is the larger of the
// distances in columns and in rows: Least to Most of them.
type Zone struct{ Least, Most int }

func square(side int) Zone  { return Zone{0, side / 2} }
func outside(side int) Zone { return Zone{side/2 + 1, game.MaxSize} }

var (
	centre   = Zone{0, 0}
	anywhere = Zone{0, game.MaxSize}
)

// Centre returns the centre of a board; of those of even side the one of the four that is
// nearest to the last row and column, as managers count offsets.
func Centre(size int) game.Point { return game.At(size/2, size/2) }

// Has reports whether a point of a size x size board lies in the zone.
func (z Zone) Has(q game.Point, size int) bool {
	d := max(abs(q.X()-size/2), abs(q.Y()-size/2))
	return q.On(size) && z.Least <= d && d <= z.Most
}

// String says where the zone is, as in "a stone in the central 5x5 square".
func (z Zone) String() string {
	switch {
	case z == centre:
		return "on the centre"
	case z.Least == 0 && z.Most >= game.MaxSize:
		return "anywhere"
	case z.Least == 0:
		return fmt.Sprintf("in the central %dx%d square", 2*z.Most+1, 2*z.Most+1)
	}
	return fmt.Sprintf("outside the central %dx%d square", 2*z.Least-1, 2*z.Least-1)
}

func abs(x int) int { return max(x, -x) }

// Way is one way of answering. One without stones and without Swap is to stay.
type Way struct {
	Swap bool   // the sides are changed
	Put  []Zone // stones, of alternating colours, and where each may stand
	// Turn says that the sides are changed after the stones were put: who puts Black's last
	// stone before the other chooses a colour has taken Black for the time being.
	Turn bool
	// Low to High is the number of fifth moves that is declared with the stones.
	Low, High int
	// Offer is the number of stones for the same move, one colour, none of which is put yet;
	// no two of them may be symmetrical. Declared asks for as many as were declared.
	Offer int
	Keep  bool // one of the offered stones is put
	Next  int  // the step that follows, or End
}

// Declared stands for the declared number of fifth moves.
const Declared = -1

// End stands for the beginning of ordinary play: the sides then hold what they hold, and
// the colour moves whose turn it is by the number of stones.
const End = -1

// Step is a decision.
type Step struct {
	By   game.Color // the holder of this colour takes it
	Ways []Way
}

// Rule is an opening rule.
type Rule struct {
	Name  string
	About string      // in a line
	Games []game.Rule // the games it is for; nil for all line games
	Least int         // side of the smallest board
	Steps []Step
}

var (
	swap = Way{Swap: true}
	stay = Way{}
)

func (w Way) then(next int) Way { w.Next = next; return w }

func put(next int, zones ...Zone) Way { return Way{Put: zones, Next: next} }

// alone is a step in which a side just puts one stone.
func alone(by game.Color, z Zone, next int) Step { return Step{by, []Way{put(next, z)}} }

// change is a step in which a side may change places with the other.
func change(by game.Color, next int) Step {
	return Step{by, []Way{swap.then(next), stay.then(next)}}
}

// opening26 are the three stones of one of renju's 26 openings: what may stand there is, up
// to symmetry, what these zones leave (renju.net, "Renju opening pattern"; see Patterns).
var opening26 = []Zone{centre, square(3), square(5)}

var (
	pentes = []game.Rule{game.Pente, game.Keryo}
	renju  = []game.Rule{game.Renju}
)

const (
	black = game.Black
	white = game.White
)

// swap2 is the rule of the world championships of gomoku since 2009 and of Gomocup's
// SWAP2BOARD (protocol of 2020): three stones; the other takes Black, or stays White with
// the fourth stone, or puts two more and leaves the choice of the colour to the first.
var swap2 = []Step{
	{black, []Way{put(1, anywhere, anywhere, anywhere)}},
	{white, []Way{swap.then(End), put(End, anywhere), {Put: []Zone{anywhere, anywhere}, Turn: true, Next: 2}}},
	{white, []Way{swap.then(End), put(End, anywhere)}},
}

// pro is a rule of three plain stones, the third of which stays away from the first.
func pro(away Zone) []Step {
	return []Step{alone(black, centre, 1), alone(white, anywhere, 2), alone(black, away, End)}
}

var rules = []Rule{
	{Name: "swap", About: "three stones anywhere; the other chooses the colour", Steps: []Step{
		{black, []Way{put(1, anywhere, anywhere, anywhere)}},
		change(white, End),
	}},
	{Name: "swap2", About: "three stones anywhere; the other chooses the colour or puts two more and leaves the choice", Steps: swap2},

	// The old rules of the gomoku championships (Gomoku World, "Opening rules": pro, long pro).
	{Name: "pro", About: "Black's second stone outside the central 5x5 square", Least: 7, Steps: pro(outside(5))},
	{Name: "longpro", About: "Black's second stone outside the central 7x7 square", Least: 9, Steps: pro(outside(7))},

	// Pente's tournament rule keeps the first player's second stone three intersections away
	// from the centre (pente.org and brainking.com, rules of pente).
	{Name: "pente", About: "pente's tournament rule: the first player's second stone outside the central 5x5 square",
		Games: pentes, Least: 7, Steps: pro(outside(5))},
	// vint.ee and pente.org play pente with the stones and choices of gomoku's Swap2.
	{Name: "swap2-pente", About: "Swap2 in pente, whose tournament rule then does not hold", Games: pentes, Steps: swap2},

	// RIF's rule of 1996 to 2008 (renju.net, "RIF rule"): one of the 26 openings, the other
	// may change sides, a free fourth stone, two fifths that are unequal in all respects.
	{Name: "rif", About: "renju 1996-2008: 26 openings, a swap, two fifth moves", Games: renju, Least: 9, Steps: []Step{
		{black, []Way{put(1, opening26...)}},
		change(white, 2),
		alone(white, anywhere, 3),
		{black, []Way{{Offer: 2, Next: 4}}},
		{white, []Way{{Keep: true, Next: End}}},
	}},
	// Yamaguchi's rule, 2009 to 2015 (renju.net, showrule 5). It names no largest number of
	// fifth moves; the bound here is far above any that is played.
	{Name: "yamaguchi", About: "renju 2009-2015: 26 openings with a number of fifth moves, a swap", Games: renju, Least: 9, Steps: []Step{
		{black, []Way{{Put: opening26, Low: 1, High: 20, Next: 1}}},
		change(white, 2),
		alone(white, anywhere, 3),
		{black, []Way{{Offer: Declared, Next: 4}}},
		{white, []Way{{Keep: true, Next: End}}},
	}},
	// Soosyrv's rule with at most eight fifth moves, of the world championships since 2017
	// (certified by RIF in 2011; renju.net, "Soosyrv-8").
	{Name: "soosyrv-8", About: "renju since 2017: 26 openings, a swap, the fourth stone with 1 to 8 fifth moves, a swap", Games: renju, Least: 9, Steps: []Step{
		{black, []Way{put(1, opening26...)}},
		change(white, 2),
		{white, []Way{{Put: []Zone{anywhere}, Low: 1, High: 8, Next: 3}}},
		change(black, 4),
		{black, []Way{{Offer: Declared, Next: 5}}},
		{white, []Way{{Keep: true, Next: End}}},
	}},
	// Taraguchi's rule with ten fifth moves (RIF, in European championships since 2010;
	// Wikipedia, "Taraguchi opening rule"): a swap may follow each of the first four stones.
	// After the fourth, Black either offers ten fifths without a swap, or the fifth stands in
	// the 9x9 square, with a swap before it and one behind it.
	{Name: "taraguchi-10", About: "renju: squares of 1, 3, 5, 7, 9 with a swap after each stone, or ten fifth moves", Games: renju, Least: 9, Steps: []Step{
		0: alone(black, centre, 1), 1: change(white, 2),
		2: alone(white, square(3), 3), 3: change(black, 4),
		4: alone(black, square(5), 5), 5: change(white, 6),
		6:  alone(white, square(7), 7),
		7:  {black, []Way{swap.then(8), put(9, square(9)), {Offer: 10, Next: 10}}},
		8:  alone(black, square(9), 9),
		9:  change(white, End),
		10: {white, []Way{{Keep: true, Next: End}}},
	}},
}

// Names returns the names of all rules.
func Names() []string {
	var names []string
	for i := range rules {
		names = append(names, rules[i].Name)
	}
	return names
}

// Find returns the rule of a name, in any case.
func Find(name string) (*Rule, error) {
	for i := range rules {
		if strings.EqualFold(rules[i].Name, name) {
			return &rules[i], nil
		}
	}
	return nil, fmt.Errorf("unknown opening rule %q (one of %s)", name, strings.Join(Names(), ", "))
}

// Variant returns the game that is played under the rule: what pente itself says of its
// first stones is left to the rule.
func (r *Rule) Variant(v game.Variant) game.Variant {
	if slices.Contains(pentes, v.Rule) {
		v.FreeOpening = true
	}
	return v
}

// For returns an error that says why the rule is not for a game, or nil.
func (r *Rule) For(v game.Variant) error {
	switch {
	case v.Rule == game.Weiqi:
		return fmt.Errorf("opening rule %s is not for Go", r.Name)
	case r.Games != nil && !slices.Contains(r.Games, v.Rule):
		return fmt.Errorf("opening rule %s is for %s, not for %s", r.Name, r.Games[0], v.Rule)
	case v.Size < r.Least:
		return fmt.Errorf("opening rule %s needs a board of %dx%d at least", r.Name, r.Least, r.Least)
	}
	return nil
}
