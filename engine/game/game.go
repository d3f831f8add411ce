// Package game holds the words that every other part of tengen speaks: colours,
// points, moves, records, limits and results. It knows no rule and no search and
// imports only the standard library.
//
// What crosses from text to a game in progress and from there to a search is always
// one of these values, never a live position.
package game

import (
	"fmt"
	"strconv"
	"strings"
)

// Color is the content of a point: a stone of a side, nothing, or a point that is
// not to be played on (the board's outside, or a dead point set up by a manager).
type Color uint8

const (
	Black Color = iota
	White
	Empty
	Wall
)

// Other returns the opposing side. It is defined for Black and White only.
func (c Color) Other() Color { return c ^ 1 }

func (c Color) String() string {
	return [...]string{"Black", "White", "Empty", "Wall"}[c&3]
}

// Point names an intersection as y*Stride + x, x from the left, y from the top, both
// from 0. The stride is fixed, so a point's neighbours do not depend on the board size.
type Point uint16

const (
	Stride    = 32          // distance between a point and the one below it
	NumPoints = 1024        // every Point, and the special ones, are below this
	MaxSize   = 25          // largest board side of any game
	NoPoint   = Point(1022) // no point at all
	Pass      = Point(1023) // a turn given up
)

// At returns the point in column x (from the left) and row y (from the top).
func At(x, y int) Point { return Point(y*Stride + x) }

// X returns the column, from 0 at the left.
func (p Point) X() int { return int(p) % Stride }

// Y returns the row, from 0 at the top.
func (p Point) Y() int { return int(p) / Stride }

// On reports whether p is an intersection of a size x size board.
func (p Point) On(size int) bool { return p.X() < size && p.Y() < size }

// Name returns the point in the letters of the line games: columns A, B, C ... with I,
// rows from 1 at the bottom of a size x size board; "H8" is the centre of 15x15.
func (p Point) Name(size int) string {
	switch p {
	case Pass:
		return "pass"
	case NoPoint:
		return "-"
	}
	return string(rune('A'+p.X())) + strconv.Itoa(size-p.Y())
}

// ParseName reads what Name writes, in either case.
func ParseName(s string, size int) (Point, error) {
	t := strings.ToUpper(strings.TrimSpace(s))
	if t == "PASS" {
		return Pass, nil
	}
	if len(t) < 2 || t[0] < 'A' || t[0] > 'Z' {
		return NoPoint, fmt.Errorf("%q is not a point", s)
	}
	x := int(t[0] - 'A')
	row, err := strconv.Atoi(t[1:])
	if err != nil || x >= size || row < 1 || row > size {
		return NoPoint, fmt.Errorf("%q is not a point of a %dx%d board", s, size, size)
	}
	return At(x, size-row), nil
}

// Rule names a game.
type Rule uint8

const (
	Freestyle Rule = iota // five or more wins
	Standard              // exactly five wins
	Renju                 // Black: exactly five, with forbidden points; White: five or more
	Caro                  // exactly five, not blocked by opposing stones at both ends
	CaroSix               // as Caro, and six or more always win
	Omok                  // five or more; double three forbidden to both sides
	Pente                 // five or more, or five captured pairs
	Keryo                 // pente with threes captured too, fifteen stones win
	Weiqi                 // Go
	NumRules
)

var ruleNames = [NumRules]string{
	"freestyle", "standard", "renju", "caro", "caro6", "omok", "pente", "keryo", "go",
}

func (r Rule) String() string {
	if r < NumRules {
		return ruleNames[r]
	}
	return "rule " + strconv.Itoa(int(r))
}

// ParseRule finds the rule that String names.
func ParseRule(s string) (Rule, error) {
	for i, n := range ruleNames {
		if strings.EqualFold(n, s) {
			return Rule(i), nil
		}
	}
	return 0, fmt.Errorf("unknown game %q (one of %s)", s, strings.Join(ruleNames[:], ", "))
}

// Variant is a game on a board: all that must be known before the first stone.
type Variant struct {
	Rule Rule
	Size int // side of the square board
	// FiveAtFour is the other reading of renju's contested clause: a row whose only
	// straight-four points also make a five is a three (RULES: reading B).
	FiveAtFour bool
	// Go only: White's compensation, and the rule set as weiqi.ParseRules reads it ("" is
	// the French one).
	Komi    float64
	Ruleset string
	// FreeOpening lifts the restriction of the first player's first two stones in pente.
	FreeOpening bool
}

func (v Variant) String() string { return fmt.Sprintf("%s %dx%d", v.Rule, v.Size, v.Size) }

// Move is one stone put by one side, or its pass.
type Move struct {
	Color Color
	Point Point
}

// Setup is a position that was placed, not played.
type Setup struct {
	Black, White []Point // stones; in play order where the order is known
	Walls        []Point // points that count as neither side's and cannot be played on
	Captured     [2]int  // stones that Black and White have captured before, where that counts
	ToMove       Color   // Black unless the setup says otherwise
}

// Record is a game as it can be written down: where it started and what was played.
// Sides usually alternate but need not (handicap stones, GTP's free order).
type Record struct {
	Variant Variant
	Setup   Setup
	Moves   []Move
}

// ToMove returns the side whose turn it is after the last move.
func (r *Record) ToMove() Color {
	if n := len(r.Moves); n > 0 {
		return r.Moves[n-1].Color.Other()
	}
	return r.Setup.ToMove
}

// Clone returns a copy that shares no memory with r.
func (r *Record) Clone() *Record {
	c := *r
	c.Setup.Black = append([]Point(nil), r.Setup.Black...)
	c.Setup.White = append([]Point(nil), r.Setup.White...)
	c.Setup.Walls = append([]Point(nil), r.Setup.Walls...)
	c.Moves = append([]Move(nil), r.Moves...)
	return &c
}

// Outcome says who won.
type Outcome uint8

const (
	Open Outcome = iota // the game goes on
	BlackWin
	WhiteWin
	Draw
)

// WinFor returns the outcome in which c wins.
func WinFor(c Color) Outcome { return BlackWin + Outcome(c) }

func (o Outcome) String() string {
	return [...]string{"open", "Black wins", "White wins", "draw"}[o&3]
}

// Result is an outcome and, in a word or two, what brought it about ("five",
// "captures", "board full", "only forbidden points"; of a counted game the result: "B+3.5").
type Result struct {
	Outcome  Outcome
	Reason   string
	Captured [2]int // stones that Black and White had captured at the end
}

// Illegal is the error of a move that the rules refuse.
type Illegal struct {
	Point Point
	Rule  string // what refuses it: "occupied", "off the board", "double three", ...
}

func (e *Illegal) Error() string { return "illegal move: " + e.Rule }

// Game is the referee of one game in progress. It is never called from a search.
type Game interface {
	Record() *Record   // the game so far; the caller must not change it
	ToMove() Color     // whose turn it is
	At(Point) Color    // what stands on a point
	Legal(Point) error // nil, or *Illegal naming the rule, for the side to move
	Play(Point) error  // plays for the side to move; on error nothing has changed
	Undo() error       // takes the last move back; an error when there is none
	// SetToMove gives the turn to a side, for managers in whose games one may move twice.
	SetToMove(Color) error
	Captured(by Color) int // stones, not pairs
	Result() Result
}
