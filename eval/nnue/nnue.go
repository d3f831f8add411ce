// Package nnue is a small network that corrects the evaluation table: what a point is
// worth beside what stands in its four lines for both sides at once, and beside what its
// neighbours are worth.
//
// The idea of a network that a move updates is Nasu's ("Efficiently updatable neural
// network-based evaluation functions for computer shogi", 2018). This one has one row of
// numbers for each pair of Black's and White's shape in a direction. The four rows of an
// empty point are added up and limited to 0 and 1, which gives its units. A kernel, for each
// unit one, adds to a point what is around it (a depthwise convolution of 3x3, alike in all
// eight directions up to symmetry; Chollet, "Xception", 2017), limited again, and the board is
// summed up. The sums as seen by the side to move and by the other go, with a row for the
// standing threats, through one hidden layer to a single number.
//
// A move changes some twenty points and, around them, the rows of the board that are summed
// up anew. All numbers are integers, so that every machine computes the same.
package nnue

import (
	"tengen/engine/game"
	"tengen/engine/line"
)

const (
	Width   = 16  // units of a point, in each side's view
	Hidden  = 64  // units of the hidden layer
	Pairs   = 256 // of Black's and White's shape in one direction
	Threats = 512 // masks of standing threats

	// What stands for 1: of a point's units, of the kernel's weights, of a point's units
	// behind it, of the hidden layer's inputs (sums over the board divided by 16) and of its
	// weights and units.
	One       = 255
	KernelOne = 8192
	PointOne  = 4 * One
	inShift   = 5
	InOne     = PointOne * 16 >> inShift
	WeightOne = 128
	midShift  = 8
	MidOne    = InOne * WeightOne >> midShift
	OutUnits  = 16 // of the result to a point of evaluation
	outShift  = 8
)

// Net is a network as it is computed: never changed, shared by any number of States.
type Net struct {
	// Rows of a pair (Black's shape times 16 plus White's): Width units of Black's view,
	// then as many of White's.
	Rows   [Pairs]Units
	Bias   Units
	Kernel Kernel
	Head   [2]Head // by side to move
}

// Units are those of a point, of Black's view and of White's.
type Units = [2 * Width]int16

// Kernel is the weights of a point itself, of its four neighbours on the lines of the board,
// of the four across, and what is added.
type Kernel [4]Units

// Head is the layers above the sums.
type Head struct {
	// In are the weights of the inputs, two by two: of inputs 2k and 2k+1 to each hidden
	// unit. The first Width inputs are the view of the side to move.
	In     [Width][Hidden][2]int16
	Threat [Threats][Hidden]int32 // the bias is in it
	Out    [Hidden]int32
	Base   int32
}

const (
	// A point that is not empty has line.NoPattern: the row of its pairs keeps all units at 0.
	StoneRow = 255
	Never    = -4000 // of a unit in that row

	// bound is the most that a kernel may make of full units.
	bound = 1<<15 - 1
	// The units wait for the kernel multiplied by 16: a product loses 15 bits.
	pointShift = 4
)

// unseen is no point's pattern.
const unseen = line.NoPattern - 1

type sums [2 * Width]int32

// State follows one position through a search. It serves one goroutine.
type State struct {
	net  *Net
	size int
	seen [line.MaxSize][game.Stride]uint32 // the patterns that units were made of
	// The units of the points, with a border of none.
	units [line.MaxSize + 2][border]Units
	rows  [line.MaxSize]Units // sums of a row of the board behind the kernel
}

const border = line.MaxSize + 2

// NewState returns a State that has seen no position.
func NewState(n *Net) *State { return &State{net: n} }

// Evaluate returns what the network adds to the table for the side to move, in
// OutUnits. threats is the mask of eval.Threats.
func (s *State) Evaluate(p *line.Position, threats int) int {
	if p.Size() != s.size {
		s.clear(p.Size())
	}
	s.follow(p.Patterns())
	var sum sums
	total(&sum, s.rows[:s.size])
	me := int(p.Side() & 1)
	return int(forward(&s.net.Head[me], &sum, me, threats&(Threats-1)))
}

// followPlain is follow in plain Go: it brings the units and the sums of the rows up to date.
func (s *State) followPlain(now *[game.NumPoints]uint32) {
	stale := uint32(0) // rows, from bit 1 on
	for y := range s.size {
		if s.refresh(y, (*[game.Stride]uint32)(now[y*game.Stride:])) {
			stale |= 7 << y
		}
	}
	for y := range s.size {
		if stale>>(y+1)&1 != 0 {
			s.convolve(y)
		}
	}
}

// clear makes all points such as have no units, on a board of another size. In each row one
// then differs from whatever is there, so that the row is summed up.
func (s *State) clear(size int) {
	s.size = size
	s.units = [line.MaxSize + 2][border]Units{}
	for y := range s.seen {
		for x := range s.seen[y] {
			s.seen[y][x] = line.NoPattern
		}
		if y < size {
			s.seen[y][0] = unseen
		}
	}
}

// PairsOf returns the pairs of a pattern's four directions.
func PairsOf(pat uint32) (r [4]uint8) {
	for d := range uint(4) {
		r[d] = uint8(pat>>(4*d)&15<<4 | pat>>(16+4*d)&15)
	}
	return
}

// refresh makes the units of a row's points whose pattern is not that seen, and reports
// whether there are any.
func (s *State) refresh(y int, now *[game.Stride]uint32) (changed bool) {
	rows, bias := &s.net.Rows, &s.net.Bias
	for x := range line.MaxSize {
		if now[x] == s.seen[y][x] {
			continue
		}
		s.seen[y][x], changed = now[x], true
		r := PairsOf(now[x])
		for j := range bias {
			v := bias[j] + rows[r[0]][j] + rows[r[1]][j] + rows[r[2]][j] + rows[r[3]][j]
			s.units[y+1][x+1][j] = min(max(v, 0), One) << pointShift
		}
	}
	return changed
}

// convolve sums up a row of the board behind the kernel.
func (s *State) convolve(y int) {
	units, k := s.units[y:y+3], &s.net.Kernel
	sum := &s.rows[y]
	*sum = Units{}
	for x := 1; x <= s.size; x++ {
		for j := range sum {
			at := func(y, x int) int16 { return units[y][x][j] }
			plus := at(1, x-1) + at(1, x+1) + at(0, x) + at(2, x)
			cross := at(0, x-1) + at(0, x+1) + at(2, x-1) + at(2, x+1)
			v := k[3][j] + mul(at(1, x), k[0][j]) + mul(plus, k[1][j]) + mul(cross, k[2][j])
			sum[j] += min(max(v, 0), PointOne)
		}
	}
}

// mul is a product less 15 bits, rounded.
func mul(a, b int16) int16 { return int16((int32(a)*int32(b) + 1<<14) >> 15) }

// totalPlain is total in plain Go: the sum of the rows.
func totalPlain(s *sums, rows []Units) {
	*s = sums{}
	for y := range rows {
		for j, v := range rows[y] {
			s[j] += int32(v)
		}
	}
}

// forwardPlain is forward in plain Go.
func forwardPlain(h *Head, s *sums, me, threats int) int32 {
	var in [2 * Width]int32
	for j := range in {
		in[j] = s[(j+me*Width)%(2*Width)] >> inShift
	}
	v := int32(0)
	for u := range Hidden {
		a := h.Threat[threats][u]
		for k := range Width {
			a += in[2*k]*int32(h.In[k][u][0]) + in[2*k+1]*int32(h.In[k][u][1])
		}
		v += min(max(a>>midShift, 0), MidOne) * h.Out[u]
	}
	return v>>outShift + h.Base
}
