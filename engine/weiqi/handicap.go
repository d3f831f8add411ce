package weiqi

import "tengen/engine/game"

// MaxHandicap returns how many handicap stones have traditional points on a board: nine
// on odd boards from 9, four on even ones and on 7, none below 7.
func MaxHandicap(size int) int {
	switch {
	case size < 7 || size > MaxSize:
		return 0
	case size == 7 || size%2 == 0:
		return 4
	}
	return 9
}

// FixedHandicap returns the traditional points for n handicap stones in their usual order
// (GTP specification, section 4.1.1), or nil if there are none for this n: corners, sides
// and centre on the third line from the edge, from 13 on the fourth.
func FixedHandicap(size, n int) []game.Point {
	if n < 2 || n > MaxHandicap(size) {
		return nil
	}
	low := 2
	if size >= 13 {
		low = 3
	}
	high, mid := size-1-low, size/2
	corners := []game.Point{ // rows count from the top: the first is the lower left one
		game.At(low, high), game.At(high, low), game.At(low, low), game.At(high, high),
	}
	sides := []game.Point{
		game.At(low, mid), game.At(high, mid), game.At(mid, high), game.At(mid, low),
	}
	points := corners[:min(n, 4)]
	if n >= 6 {
		points = append(points, sides[:n/2*2-4]...)
	}
	if n >= 5 && n%2 == 1 {
		points = append(points, game.At(mid, mid))
	}
	return points
}

// FreeHandicap chooses points for n handicap stones: the traditional ones as far as they
// go, then each time the point farthest from the stones so far, at least two lines from
// the edge where there is room. It returns fewer than n if the board would be full.
func FreeHandicap(size, n int) []game.Point {
	if size < MinSize || size > MaxSize {
		return nil
	}
	n = min(n, size*size-1)
	points := FixedHandicap(size, min(n, MaxHandicap(size)))
	for len(points) < n {
		best, worth := game.NoPoint, -1
		for y := range size {
			for x := range size {
				// Lines from the edge weigh most below the third, then distance, then the
				// middle of the board.
				line := min(x, y, size-1-x, size-1-y)
				far := 1 << 12
				for _, p := range points {
					dx, dy := x-p.X(), y-p.Y()
					far = min(far, dx*dx+dy*dy)
				}
				if w := min(line, 2)<<18 | far<<5 | line; far > 0 && w > worth {
					best, worth = game.At(x, y), w
				}
			}
		}
		points = append(points, best)
	}
	return points
}

// Handicap returns the number of handicap stones of a game: those that Black has put, by
// set-up or by moves in a row, before White's first. Programs that know no command for it
// send them as moves. One stone is no handicap.
func Handicap(rec *game.Record) int {
	n := len(rec.Setup.Black)
	for _, m := range rec.Moves {
		if m.Color != game.Black || m.Point == game.Pass {
			break
		}
		n++
	}
	if n < 2 || len(rec.Setup.White) > 0 {
		return 0
	}
	return n
}
