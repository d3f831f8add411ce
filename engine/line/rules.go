// Package line is the rules of the games won by a row of stones, as data, and the
// position that their search works on.
//
// A Rules value says what differs from game to game. From it a Table is computed once:
// what a stone on an empty point would make of the line through that point in each
// direction (its Shape), and what the four directions make together (its Class). A
// Position keeps the shapes of every empty point up to date as stones come and go; that
// is all a search needs to see threats, order moves and evaluate. The idea of one table
// look-up per line is old in this field (Rapfi, Yixin); recomputing only the points
// whose look-up changed, and undoing by popping what they were, spares most of the work.
package line

import (
	"fmt"

	"tengen/engine/game"
)

// Six says what a row of six or more is for a side.
type Six uint8

const (
	SixWins Six = iota
	SixNothing
	SixForbidden
)

// Rules is one line game as data. No search asks for a game's name.
type Rules struct {
	Name       string
	Six        [2]Six  // what six in a row is for Black, White
	NoDouble3  [2]bool // double three is forbidden
	NoDouble4  [2]bool // double four is forbidden
	AnyFour    bool    // a three counts for a double three even if its straight four is forbidden
	BothEnds   bool    // a five closed by the opponent at both ends does not win
	FiveAtFour bool    // a three's straight-four point may also make a five (reading B)
	// A run of two opposing stones, or up to Capture if that is more, is taken off the
	// board when a move brackets it. 0 is for games without captures.
	Capture     int
	CaptureWins int // captured stones that win
	Opening     Opening
}

// Opening restricts the first player's first two stones in a game that starts with an
// empty board. The zero Opening is free.
type Opening struct {
	Centre bool // the first stone stands on the centre
	Away   int  // the second stands at least so many rows or columns from the first
}

// Board sizes of the line games.
const (
	MinSize = 5
	MaxSize = 22
)

var rules = map[game.Rule]Rules{
	game.Freestyle: {Name: "freestyle"},
	game.Standard:  {Name: "standard", Six: [2]Six{SixNothing, SixNothing}},
	game.Renju: {Name: "renju", Six: [2]Six{SixForbidden, SixWins},
		NoDouble3: [2]bool{true, false}, NoDouble4: [2]bool{true, false}},
	game.Caro:    {Name: "caro", Six: [2]Six{SixNothing, SixNothing}, BothEnds: true},
	game.CaroSix: {Name: "caro6", BothEnds: true},
	game.Omok:    {Name: "omok", NoDouble3: [2]bool{true, true}, AnyFour: true},
	game.Pente:   {Name: "pente", Capture: 2, CaptureWins: 10, Opening: Opening{Centre: true, Away: 3}},
	game.Keryo:   {Name: "keryo", Capture: 3, CaptureWins: 15, Opening: Opening{Centre: true, Away: 3}},
}

// RulesOf returns the rules of a variant, or an error that says what is not played here.
func RulesOf(v game.Variant) (Rules, error) {
	r, ok := rules[v.Rule]
	if !ok {
		return r, fmt.Errorf("%s is not supported", v.Rule)
	}
	if v.Size < MinSize || v.Size > MaxSize {
		return r, fmt.Errorf("unsupported board size %d (%d to %d)", v.Size, MinSize, MaxSize)
	}
	r.FiveAtFour = v.FiveAtFour && r.NoDouble3[game.Black] && !r.AnyFour
	// On the smallest boards no point is away enough.
	if v.FreeOpening || v.Size <= 2*r.Opening.Away {
		r.Opening = Opening{}
	}
	return r, nil
}

// Restricted reports whether some points are forbidden to c.
func (r *Rules) Restricted(c game.Color) bool {
	return r.Six[c] == SixForbidden || r.NoDouble3[c] || r.NoDouble4[c]
}

// reach is how far along a line a stone changes what other points are worth. Where
// exactly five is asked for, or the ends of a five matter, it is one more than a five.
func (r *Rules) reach() int {
	if r.Six == [2]Six{} && !r.BothEnds {
		return 4
	}
	return 5
}
