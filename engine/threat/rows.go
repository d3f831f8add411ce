package threat

import (
	"math/bits"

	"tengen/engine/game"
	"tengen/engine/line"
)

// A row is where a five may yet come about: five cells next to each other in a line, none
// of them the opponent's. All the rows of a line are looked at at once, a row by the bit
// of its first cell, so that the stones in every row are counted by a few operations on
// the line's word (the two planes of which are 64 bits with every second one in use).

// maker says which rows make a five for one side.
type maker struct {
	shift  uint   // of the plane in which this side's stones are
	exact  uint64 // all ones: six do not win
	closed uint64 // all ones: a row between two stones of the opponent does not win
}

const plane = 0x5555555555555555

func newMaker(r *line.Rules, c game.Color) (m maker) {
	m.shift = uint(c)
	if r.Six[c] != line.SixWins {
		m.exact = ^uint64(0)
	}
	if r.BothEnds {
		m.closed = ^uint64(0)
	}
	return m
}

// rows returns the rows that have three stones and two empty cells, those that have four
// and one, and the empty cells.
func (m *maker) rows(word uint64) (three, four, empty uint64) {
	own, opp := word>>m.shift&plane, word>>(1-m.shift)&plane
	empty = ^(own | opp) & plane
	wall := own & opp
	own ^= wall
	free := own | empty
	free &= free >> 2
	free &= free >> 4 & ((own | empty) >> 8)
	// Count the stones with two full adders; ones and twos are the sum's digits.
	a, b, c, d, e := own, own>>2, own>>4, own>>6, own>>8
	ab := a ^ b
	ones, twos := ab^c, a&b|ab&c
	de := d ^ e
	more := d&e | de&ones
	ones ^= de
	free &^= m.exact & (own<<2 | own>>10)
	opp ^= wall
	free &^= m.closed & (opp << 2) & (opp >> 10)
	return free & ones & (twos ^ more), free &^ ones & twos & more, empty
}

// cells returns all cells of rows.
func cells(rows uint64) uint64 {
	two := rows | rows<<2
	return two | two<<4 | rows<<8
}

// fours returns the empty cells where a stone makes a four, as a set of cells of the line.
func (m *maker) fours(word uint64) uint64 {
	three, _, empty := m.rows(word)
	return cells(three) & empty
}

// fives returns the empty cells where a stone makes a five.
func (m *maker) fives(word uint64) uint64 {
	_, four, empty := m.rows(word)
	return cells(four) & empty
}

// spot is where a point lies in its four lines: numbers, and bits to shift to its cell.
type spot struct {
	line  [4]uint8
	shift [4]uint8
}

var spots = func() (t [game.NumPoints]spot) {
	for y := range line.MaxSize {
		for x := range line.MaxSize {
			q := game.At(x, y)
			for d := range 4 {
				l, i := line.LineOf(d, q)
				t[q].line[d], t[q].shift[d] = uint8(l), uint8(2*(i+line.Pad))
			}
		}
	}
	return
}()

// first returns the point of the lowest cell of a set.
func first(d, number int, set uint64) game.Point {
	return line.PointOf(d, number, bits.TrailingZeros64(set)/2-line.Pad)
}
