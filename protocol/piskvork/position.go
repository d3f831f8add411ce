package piskvork

import (
	"strconv"
	"strings"

	"tengen/engine/game"
)

// stone is one entry of a BOARD: whose it is as seen by the side to move.
type stone struct {
	point game.Point
	owner int
}

const (
	own   = 1
	other = 2
	dead  = 3 // of a finished row in the continuous game: nobody's, but occupied
)

// captures reports whether stones are captured in a game.
func captures(r game.Rule) bool { return r == game.Pente || r == game.Keryo }

// stonesOf reads the entries x,y,owner of a block. It counts, and leaves out, what is
// none: bad numbers, points off the board, points that are occupied already. Where stones
// are captured a point may come again.
func stonesOf(tokens []string, size int, again bool) (stones []stone, bad int) {
	var taken [game.NumPoints]bool
	for _, t := range tokens {
		parts := strings.Split(t, ",")
		if len(parts) != 3 {
			bad++
			continue
		}
		q, ok := point(parts[0] + "," + parts[1])
		owner, err := strconv.Atoi(parts[2])
		if !ok || err != nil || owner < own || owner > dead || !q.On(size) || taken[q] && !again {
			bad++
			continue
		}
		taken[q] = true
		stones = append(stones, stone{q, owner})
	}
	return stones, bad
}

// recordOf returns the position in which the side called "own" is to move. Stones that
// come in the order of a game become its moves, and capture what they captured when they
// were played; others are set up, since nothing is known of how they came. With captured,
// the numbers of stones that each side has captured, they are always set up.
//
// We are Black if the sides have played as many stones, White if the other has one more. Where
// the numbers do not fit, the owner of the first stone is Black, as if turns had been
// given up; with dead stones on the board the numbers say nothing, but the place of the
// first stone that is not dead does.
//
// fits is false if one side has more stones than a single turn given up explains.
func recordOf(v game.Variant, stones []stone, captured *[4]int) (rec *game.Record, fits bool) {
	count, first := [4]int{}, -1
	if captured != nil {
		count[own], count[other] = captured[other], captured[own]
	}
	for i, s := range stones {
		count[s.owner]++
		if first < 0 && s.owner != dead {
			first = i
		}
	}
	us := game.Black
	switch {
	case count[dead] == 0 && count[own] == count[other]:
	case count[dead] == 0 && count[own]+1 == count[other]:
		us = game.White
	case first >= 0 && (stones[first].owner == own) != (first%2 == 0):
		us = game.White
	}
	color := [4]game.Color{own: us, other: us.Other(), dead: game.Wall}

	gap := count[own] - count[other]
	fits = -1 <= gap && gap <= 1 || count[dead] > 0
	rec = &game.Record{Variant: v}
	played := captured == nil
	for i, s := range stones {
		c := color[s.owner]
		played = played && c == game.Color(i%2)
		rec.Moves = append(rec.Moves, game.Move{Color: c, Point: s.point})
	}
	if played && rec.ToMove() == us {
		return rec, fits
	}
	rec.Moves, rec.Setup.ToMove = nil, us
	if captured != nil {
		rec.Setup.Captured[us], rec.Setup.Captured[us.Other()] = captured[own], captured[other]
	}
	set := [...]*[]game.Point{game.Black: &rec.Setup.Black, game.White: &rec.Setup.White, game.Wall: &rec.Setup.Walls}
	for _, s := range stones {
		c := set[color[s.owner]]
		*c = append(*c, s.point)
	}
	return rec, fits
}
