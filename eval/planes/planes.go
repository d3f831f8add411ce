// Package planes turns a position of Go into what a network reads: 22 numbers for each
// point and 19 for the whole board, those of KataGo's networks from version 8 on, by the
// meaning of each that Wu ("Accelerating self-play learning in Go", 2019, appendix A) and
// that project's documentation give.
package planes

import (
	"math"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// The numbers of a point. "Own" is the side to move.
const (
	onBoard = iota
	own
	other
	oneLiberty
	twoLiberties
	threeLiberties
	repetition // may not be played on because of what was there before
	_          // of a kind of Japanese rules that is not played here
	_
	last              // the last five moves, the other's first
	laddered     = 14 // taken in a ladder now, one move ago and two moves ago
	laddersBegin = 17 // on which liberties of the other's chains
	ownArea      = 18
	otherArea    = 19
	Count        = 22 // the last two again of a kind of Japanese rules
)

// The numbers of the board.
const (
	passed    = 0 // whether each of the last five moves was a pass
	komi      = 5
	superko   = 6
	whichKo   = 7
	suicide   = 8
	territory = 9
	sekiTax   = 10
	passEnds  = 14
	wave      = 18
	Globals   = 19
)

const (
	history  = 5
	komiUnit = 20
	mostKomi = 20 // beyond the board's area
)

// Reader turns positions into planes. It serves one goroutine.
type Reader struct {
	// SuicideLife computes pass-alive areas as if suicide were legal: a property of the
	// network.
	SuicideLife bool

	size  int
	to    []float32
	turn  *[game.NumPoints]uint16 // where each point's numbers begin
	turns [8][game.NumPoints]uint16
	chain []game.Point
	libs  []game.Point
	seen  weiqi.Set
}

// Fill writes the planes of p, [point][Count] row by row, and the numbers of the board.
// white is White's compensation, points for a handicap included. The board is turned by one
// of the eight symmetries: bit 0 mirrors the rows, bit 1 the columns, then bit 2 exchanges
// both. Moves are taken back and made again, but p is the same afterwards.
func (r *Reader) Fill(p *weiqi.Position, white float64, symmetry int, planes, board []float32) {
	clear(planes)
	clear(board)
	r.prepare(p.Size())
	r.to, r.turn = planes, &r.turns[symmetry&7]
	side := p.Side()
	r.stones(p, side)
	area := !p.Rules().Territory
	if area {
		r.areas(p, side)
	}

	// A pass that would end the game is not told to a network whose rules let it pass
	// without having taken the dead stones off: it would think that they count as alive.
	turns := min(history, p.Moves())
	ends := p.Passes() == 1
	switch {
	case ends && area && !p.Rules().AsIs:
		turns, ends = 0, false
	case p.Passes() >= 2:
		turns = min(turns, 1)
	}
	turns = r.moves(p, side, turns, board)
	r.ladders(p, side, turns)

	if side == game.Black {
		white = -white
	}
	if p.Rules().Territory {
		// As if area counted, and each stone cost the point that it is worth there.
		n := p.Played(side.Other()) - p.Played(side)
		white += float64(n)
	}
	points := float64(p.Size() * p.Size())
	white = min(max(white, -points-mostKomi), points+mostKomi)
	board[komi] = float32(white / komiUnit)
	switch p.Rules().Ko {
	case weiqi.PositionalSuperko:
		board[superko], board[whichKo] = 1, 0.5
	case weiqi.SituationalSuperko, weiqi.OwnSuperko:
		board[superko], board[whichKo] = 1, -0.5
	}
	set := func(i int, is bool) {
		if is {
			board[i] = 1
		}
	}
	set(suicide, p.Rules().Suicide)
	set(territory, p.Rules().Territory)
	set(sekiTax, p.Rules().Territory)
	set(passEnds, ends || p.Passes() >= 2)
	if area {
		board[wave] = float32(parity(white, p.Size()))
	}
}

// Turn returns where point q, y*size+x, of a board that was turned by a symmetry lies in its
// planes. The symmetries are numbered as kata-raw-nn numbers them, rows before columns,
// which is not the order of game.Point.Turned.
func Turn(size, symmetry, q int) int {
	x, y := q%size, q/size
	if symmetry&1 != 0 {
		y = size - 1 - y
	}
	if symmetry&2 != 0 {
		x = size - 1 - x
	}
	if symmetry&4 != 0 {
		x, y = y, x
	}
	return y*size + x
}

func (r *Reader) prepare(size int) {
	if r.size == size {
		return
	}
	r.size = size
	for s := range r.turns {
		for q := range size * size {
			r.turns[s][game.At(q%size, q/size)] = uint16(Turn(size, s, q) * Count)
		}
	}
}

func (r *Reader) set(q game.Point, plane int) { r.to[int(r.turn[q])+plane] = 1 }

// points yields the points of a board.
func points(size int) func(func(game.Point) bool) {
	return func(yield func(game.Point) bool) {
		for y := range size {
			for x := range size {
				if !yield(game.At(x, y)) {
					return
				}
			}
		}
	}
}

// heads yields a stone of each chain, and all its stones in r.chain.
func (r *Reader) heads(p *weiqi.Position) func(func(game.Point) bool) {
	return func(yield func(game.Point) bool) {
		r.seen = weiqi.Set{}
		for q := range points(r.size) {
			if p.At(q) > game.White || r.seen.Has(q) {
				continue
			}
			r.chain = p.Chain(r.chain[:0], q)
			for _, s := range r.chain {
				r.seen.Add(s)
			}
			if !yield(q) {
				return
			}
		}
	}
}

func (r *Reader) stones(p *weiqi.Position, side game.Color) {
	for q := range points(r.size) {
		r.set(q, onBoard)
		if p.At(q) == game.Empty && p.Repeats(q) && !p.Vanishes(q) {
			r.set(q, repetition)
		}
	}
	for q := range r.heads(p) {
		color := own
		if p.At(q) != side {
			color = other
		}
		r.libs = p.Liberties(r.libs[:0], q, 4)
		for _, s := range r.chain {
			r.set(s, color)
			if n := len(r.libs); n < 4 {
				r.set(s, oneLiberty+n-1)
			}
		}
	}
}

// moves writes up to turns moves, as long as the sides alternate, and returns how many.
func (r *Reader) moves(p *weiqi.Position, side game.Color, turns int, board []float32) int {
	mover := side
	for i := range turns {
		m, ok := p.Before(i + 1)
		mover = mover.Other()
		if !ok || m.Color != mover {
			return i
		}
		if m.Point == game.Pass {
			board[passed+i] = 1
		} else {
			r.set(m.Point, last+i)
		}
	}
	return turns
}

// ladders marks the chains that are taken in a ladder, now and up to two moves ago.
func (r *Reader) ladders(p *weiqi.Position, side game.Color, turns int) {
	var back [2]game.Move
	n := 0
	for i := range 3 {
		if i > 0 && i <= turns {
			back[n], _ = p.Before(1)
			n++
			p.Unmake()
		}
		for q := range r.heads(p) {
			r.libs = p.Liberties(r.libs[:0], q, 3)
			if len(r.libs) > 2 {
				continue
			}
			caught, starts := p.Ladder(q)
			if !caught {
				continue
			}
			for _, s := range r.chain {
				r.set(s, laddered+i)
			}
			if i == 0 && p.At(q) != side {
				for _, l := range starts {
					r.set(l, laddersBegin)
				}
			}
		}
	}
	for n--; n >= 0; n-- {
		p.SetSide(back[n].Color)
		p.Make(back[n].Point)
	}
}

// areas marks whose each point would be if the game ended now.
func (r *Reader) areas(p *weiqi.Position, side game.Color) {
	area := Area(p, p.Rules().Suicide || r.SuicideLife)
	for q := range points(r.size) {
		switch area[q] {
		case side:
			r.set(q, ownArea)
		case side.Other():
			r.set(q, otherArea)
		}
	}
}

// parity is the extra worth of a komi by whether it can make a draw: a wave of period 2 that
// rises from -1/2 to 1/2 around each komi that can.
func parity(komi float64, size int) float64 {
	if size%2 == 1 {
		komi--
	}
	d := komi - 2*math.Floor(komi/2)
	switch {
	case d < 0.5:
		return d
	case d < 1.5:
		return 1 - d
	}
	return d - 2
}
