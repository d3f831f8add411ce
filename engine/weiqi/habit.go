package weiqi

import (
	_ "embed"
	"fmt"
	"math"
	"sync"

	"tengen/engine/game"
)

// Habits are what players are used to play: how much more often than other points they
// choose those of some kind. A point's kinds (its traits) are what Features sees of it, how
// far it is from the last two moves and from the edge, and what lies around it, as far as
// that has been seen often enough. Each trait has a weight, and the chance of a point is
// that of a softmax over the sums (Coulom, "Computing Elo ratings of move patterns in the
// game of Go", 2007; what lies around in steps of growing size is from Stern, Herbrich and
// Graepel, "Bayesian pattern ranking for move prediction in the game of Go", 2006). The
// weights are learned by package choice from games of strong players.
type Habits struct {
	fixed [NumTraits]int8
	small []int8 // by the eight cells around
	large shapeTable
}

// Traits that are always asked for come first, those of the surroundings after them.
const (
	features  = 14
	distances = 18 // from 2, beside; at the end all that is further, or no such move
	stages    = 3  // of the game, each with its own habits of playing elsewhere
	corners   = 55 // by the lines that a point lies on, the higher one first: the tenth and all above are one
	opens     = 4  // how much room there is around it
	reaches   = 10 // steps to the nearest stone, at the end all that is further
	lastAt    = features
	beforeAt  = lastAt + stages*distances
	cornerAt  = beforeAt + stages*distances
	reachAt   = cornerAt + opens*corners
	NumTraits = reachAt + reaches*reaches
)

// Reach tells for each point of a board how many steps it is from the nearest stone of each
// colour.
type Reach [2][cells]uint8

// farAway is the reach of no stone.
const farAway = 200

// Reach measures a board.
func (b *Board) Reach(to *Reach) {
	for c := range to {
		r := &to[c]
		for i := range r[:b.used] {
			r[i] = farAway
			if b.cells[i] == game.Color(c) {
				r[i] = 0
			}
		}
		// Distances in steps spread in two passes (Rosenfeld and Pfaltz, "Sequential operations
		// in digital picture processing", 1966).
		for y := range b.size {
			for x := range b.size {
				p := cell(game.At(x, y))
				r[p] = min(r[p], r[p-east]+1, r[p-south]+1)
			}
		}
		for y := b.size - 1; y >= 0; y-- {
			for x := b.size - 1; x >= 0; x-- {
				p := cell(game.At(x, y))
				r[p] = min(r[p], r[p+east]+1, r[p+south]+1)
			}
		}
	}
}

// Around is what lies around a point as the side to move sees it, in two bits a cell (0 its
// own stone, 1 the other's, 2 nothing, 3 the edge): its eight neighbours, the four behind
// them, and those a knight's move away. The three bits above tell how many of these count:
// each size is a shape of its own.
type Around uint64

// Sizes of shapes.
const (
	shapeSizes = 3
	sizeAt     = 40
)

var shapeCells = [shapeSizes]int{8, 12, 20}

var seenFrom = [20][2]int{
	{-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0},
	{0, -2}, {2, 0}, {0, 2}, {-2, 0},
	{-1, -2}, {1, -2}, {2, -1}, {2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1},
}

// turns says where each cell of a shape goes in its eight turns and reflections.
var turns = makeTurns()

func makeTurns() (t [8][20]int) {
	for s := range t {
		for i, d := range seenFrom {
			x, y := d[0], d[1]
			if s&4 != 0 {
				x = -x
			}
			for range s & 3 {
				x, y = -y, x
			}
			for j, e := range seenFrom {
				if e == [2]int{x, y} {
					t[s][i] = j
				}
			}
		}
	}
	return t
}

// Turned returns the same shape seen from one of eight sides.
func (s Around) Turned(side int) (to Around) {
	to = s >> sizeAt << sizeAt
	for i, j := range turns[side][:shapeCells[s>>sizeAt]] {
		to |= s >> (2 * i) & 3 << (2 * j)
	}
	return to
}

// Upright returns one and the same of the eight for all of them.
func (s Around) Upright() Around {
	best := s
	for side := 1; side < 8; side++ {
		best = min(best, s.Turned(side))
	}
	return best
}

// Arounds returns what lies around an empty point as c sees it, from small to large.
func (b *Board) Arounds(q game.Point, c game.Color) (to [shapeSizes]Around) {
	p := cell(q)
	code := Around(0)
	for i, d := range around20 {
		k := Around(b.cells[(p+d)&(cells-1)]) // above the board lies its last row, a wall
		k ^= Around(c) &^ (k >> 1)
		code |= k << (2 * i)
	}
	for i, n := range shapeCells {
		to[i] = code&(1<<(2*n)-1) | Around(i)<<sizeAt
	}
	return to
}

var around20 = func() (to [20]int) {
	for i, d := range seenFrom {
		to[i] = d[0]*east + d[1]*south
	}
	return to
}()

// apart is how far two cells are from each other, in the field's way: dx + dy + max(dx, dy).
func apart(p, q int) int {
	a, b := point(p), point(q)
	dx, dy := a.X()-b.X(), a.Y()-b.Y()
	dx, dy = max(dx, -dx), max(dy, -dy)
	return dx + dy + max(dx, dy)
}

// Traits returns the traits of an empty point that are no shapes: of what features, how far
// from the last two moves, each of which may be no point, where on the board, and how far
// from the side's and the other's stones.
func (p *Position) Traits(to []int, q, last, before game.Point, f Feature, r *Reach) []int {
	at := cell(q)
	for i := range features {
		if f>>i&1 == 1 {
			to = append(to, i)
		}
	}
	far := func(o game.Point) int {
		if !p.on(o) {
			return distances - 1
		}
		return min(apart(at, cell(o))-2, distances-1)
	}
	stage := stages - 1
	switch area := p.size * p.size; {
	case 8*(p.stones[game.Black]+p.stones[game.White]) < area:
		stage = 0
	case 3*(p.stones[game.Black]+p.stones[game.White]) < area:
		stage = 1
	}
	x, y := min(q.X(), p.size-1-q.X(), 9), min(q.Y(), p.size-1-q.Y(), 9)
	x, y = max(x, y), min(x, y)
	mine, other := int(r[p.side][at]), int(r[p.side.Other()][at])
	open := min(max(min(mine, other)-1, 0)/2, opens-1)
	return append(to,
		lastAt+stage*distances+max(far(last), 0), beforeAt+stage*distances+max(far(before), 0),
		cornerAt+open*corners+x*(x+1)/2+y,
		reachAt+reaches*min(mine-1, reaches-1)+min(other-1, reaches-1))
}

// HabitUnit is how many units of weight make a factor of e.
const HabitUnit = 16

// Chances returns how often each of some empty points would be chosen by the side to move,
// in parts of WholeChance. seen holds their features.
func (h *Habits) Chances(p *Position, moves []game.Point, last, before game.Point, seen *[game.NumPoints]Feature, to *[game.NumPoints]uint32) {
	if len(moves) == 0 {
		return
	}
	var sums [MaxSize * MaxSize]int
	best := math.MinInt
	var traits [32]int
	var reach Reach
	p.Reach(&reach)
	for i, q := range moves {
		n := 0
		for _, t := range p.Traits(traits[:0], q, last, before, seen[q], &reach) {
			n += int(h.fixed[t])
		}
		shapes := p.Arounds(q, p.side)
		n += int(h.small[shapes[0]])
		for _, s := range shapes[1:] {
			n += int(h.large.at(s))
		}
		sums[i] = n
		best = max(best, n)
	}
	total := uint64(0)
	for i, q := range moves {
		e := uint32(0)
		if d := best - sums[i]; d < len(fall) {
			e = fall[d]
		}
		to[q] = e
		total += uint64(e)
	}
	for _, q := range moves {
		to[q] = uint32(uint64(to[q]) * WholeChance / total)
	}
}

const WholeChance = 1 << 20

// fall holds e to the power of -d units.
var fall = func() (t [HabitUnit * 14]uint32) {
	for d := range t {
		t[d] = uint32(math.Round(WholeChance * math.Exp(-float64(d)/HabitUnit)))
	}
	return t
}()

// shapeTable finds the weight of a shape: open addressing in a power of two of slots.
type shapeTable struct {
	keys    []Around
	weights []int8
	shift   uint
}

func (t *shapeTable) slot(s Around) int { return int(uint64(s) * 0x9e3779b97f4a7c15 >> t.shift) }

// at returns the weight of a shape, 0 if it is not known.
func (t *shapeTable) at(s Around) int8 {
	for i := t.slot(s); ; i = (i + 1) & (len(t.keys) - 1) {
		switch t.keys[i] {
		case s:
			return t.weights[i]
		case 0:
			return 0
		}
	}
}

func (t *shapeTable) put(s Around, w int8) {
	i := t.slot(s)
	for ; t.keys[i] != 0 && t.keys[i] != s; i = (i + 1) & (len(t.keys) - 1) {
	}
	t.keys[i], t.weights[i] = s, w
}

// A file of habits: the weights of the fixed traits, then shapes of six bytes each, the
// weight last.
const shapeBytes = 7

// ParseHabits reads what AppendHabits wrote.
func ParseHabits(data []byte) (*Habits, error) {
	if len(data) < NumTraits || (len(data)-NumTraits)%shapeBytes != 0 {
		return nil, fmt.Errorf("habits: %d bytes", len(data))
	}
	h := &Habits{small: make([]int8, 1<<16)}
	for i := range h.fixed {
		h.fixed[i] = int8(data[i])
	}
	data = data[NumTraits:]
	bits := uint(10)
	for 1<<bits < 2*8*len(data)/shapeBytes {
		bits++
	}
	h.large = shapeTable{make([]Around, 1<<bits), make([]int8, 1<<bits), 64 - bits}
	for ; len(data) > 0; data = data[shapeBytes:] {
		s := Around(0)
		for i, x := range data[:shapeBytes-1] {
			s |= Around(x) << (8 * i)
		}
		if s>>sizeAt >= shapeSizes || s>>(2*shapeCells[s>>sizeAt])<<(2*shapeCells[s>>sizeAt]) != s>>sizeAt<<sizeAt {
			return nil, fmt.Errorf("habits: %x is no shape", uint64(s))
		}
		w := int8(data[shapeBytes-1])
		for side := range 8 {
			if t := s.Turned(side); s>>sizeAt == 0 {
				h.small[t] = w
			} else {
				h.large.put(t, w)
			}
		}
	}
	return h, nil
}

// AppendHabits writes weights.
func AppendHabits(to []byte, fixed *[NumTraits]int8, shapes []Around, weights []int8) []byte {
	for _, w := range fixed {
		to = append(to, byte(w))
	}
	for i, s := range shapes {
		for k := range shapeBytes - 1 {
			to = append(to, byte(s>>(8*k)))
		}
		to = append(to, byte(weights[i]))
	}
	return to
}

//go:embed habits.bin
var habitData []byte

// Habit returns the habits that come with the program.
var Habit = sync.OnceValue(func() *Habits {
	h, err := ParseHabits(habitData)
	if err != nil {
		panic(err)
	}
	return h
})
