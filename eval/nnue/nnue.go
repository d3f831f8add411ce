// Package nnue is a small network that corrects the evaluation table: what a point is
// worth beside what stands in its four lines for both sides at once.
//
// The idea of a network that a move updates is Nasu's ("Efficiently updatable neural
// network-based evaluation functions for computer shogi", 2018). This one has one row of
// numbers for each pair of Black's and White's shape in a direction. The four rows of an
// empty point are added up, limited to 0 and 1, and summed over the board: a move changes
// some twenty of these terms. The sums as seen by the side to move and by the other go,
// with a row for the standing threats, through one hidden layer to a single number.
//
// All numbers are integers, so that every machine computes the same.
package nnue

import (
	"tengen/engine/game"
	"tengen/engine/line"
)

const (
	Width   = 16  // units of a point, in each side's view
	Hidden  = 32  // units of the hidden layer
	Pairs   = 256 // of Black's and White's shape in one direction
	Threats = 512 // masks of standing threats

	// What stands for 1: of a point's units, of the hidden layer's inputs (sums over the
	// board divided by 16) and of its units.
	One       = 255
	inShift   = 3
	InOne     = One * 16 >> inShift
	WeightOne = 128 // of the hidden layer's weights
	midShift  = 8
	MidOne    = InOne * WeightOne >> midShift // of a hidden unit
	OutUnits  = 16                            // of the result to a point of evaluation
	outShift  = 8
)

// Net is a network as it is computed: never changed, shared by any number of States.
type Net struct {
	// Rows of a pair (Black's shape times 16 plus White's): Width units of Black's view,
	// then as many of White's.
	Rows [Pairs][2 * Width]int16
	Bias [2 * Width]int16
	Head [2]Head // by side to move
}

// Head is the layers above the sums.
type Head struct {
	// In are the weights of the inputs, two by two: of inputs 2k and 2k+1 to each hidden
	// unit. The first Width inputs are the view of the side to move.
	In     [Width][Hidden][2]int16
	Threat [Threats][Hidden]int32 // the bias is in it
	Out    [Hidden]int32
	Base   int32
}

// stone is the pattern of a point that is not empty: its row keeps all units at 0.
const (
	stone    = ^uint32(0)
	StoneRow = 255
	Never    = -4000 // of a unit in that row
)

type sums [2 * Width]int32

// layer is the sums of a position and the key by which it is known again.
type layer struct {
	key uint64
	sum sums
}

// State follows one position through a search. It serves one goroutine.
type State struct {
	net    *Net
	layers [line.MaxSize*line.MaxSize + 128]layer
	c      line.Changes
}

// NewState returns a State that has seen no position.
func NewState(n *Net) *State { return &State{net: n} }

// steps is how many plies back a layer is looked for.
const steps = 6

// Evaluate returns what the network adds to the table for the side to move, in
// OutUnits. threats is the mask of eval.Threats.
func (s *State) Evaluate(p *line.Position, threats int) int {
	ply := p.Ply()
	if ply >= len(s.layers) {
		ply = len(s.layers) - 1 // passes without end: computed anew each time
	}
	now := &s.layers[ply]
	if key := p.Key() | 1; now.key != key || ply != p.Ply() {
		s.update(p, ply)
		now.key = key
	}
	me := int(p.Side() & 1)
	return int(forward(&s.net.Head[me], &now.sum, me, threats&(Threats-1)))
}

// update computes a ply's sums: from the nearest earlier ones that still belong to the
// line of play, else from the board.
func (s *State) update(p *line.Position, ply int) {
	now := &s.layers[ply]
	if ply == p.Ply() {
		for k := ply - 1; k >= 0 && k >= ply-steps; k-- {
			if s.layers[k].key != p.KeyAt(k)|1 {
				continue
			}
			if !p.Changes(k, &s.c) {
				break
			}
			now.sum = s.layers[k].sum
			add(&now.sum, s.net, s.c.Old[:s.c.N], s.c.Now[:s.c.N])
			return
		}
	}
	now.sum = sums{}
	n := 0
	for y := range p.Size() {
		for x := range p.Size() {
			q := game.At(x, y)
			if p.At(q) != game.Empty {
				continue
			}
			s.c.Old[n], s.c.Now[n] = stone, p.Pattern(q)
			if n++; n == most {
				add(&now.sum, s.net, s.c.Old[:n], s.c.Now[:n])
				n = 0
			}
		}
	}
	add(&now.sum, s.net, s.c.Old[:n], s.c.Now[:n])
}

// most is how many points are added at once: the sums of so many units fit 16 bits.
const most = line.MostChanges

// PairsOf returns the pairs of a pattern's four directions.
func PairsOf(pat uint32) (r [4]uint8) {
	for d := range uint(4) {
		r[d] = uint8(pat>>(4*d)&15<<4 | pat>>(16+4*d)&15)
	}
	return
}

// unit is the value of a point's unit j.
func (n *Net) unit(r *[4]uint8, j int) int32 {
	v := int32(n.Bias[j]) + int32(n.Rows[r[0]][j]) + int32(n.Rows[r[1]][j]) + int32(n.Rows[r[2]][j]) + int32(n.Rows[r[3]][j])
	return min(max(v, 0), One)
}

// addPlain is add in plain Go.
func addPlain(s *sums, n *Net, old, now []uint32) {
	for i := range old {
		a, b := PairsOf(old[i]), PairsOf(now[i])
		for j := range s {
			s[j] += n.unit(&b, j) - n.unit(&a, j)
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
