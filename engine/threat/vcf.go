// Package threat finds wins that the opponent cannot slip out of: threat search.
//
// A VCF (victory by continuous fours) is a win in which every move but the last makes a
// four, so that the defender always has to stop a five. The attacker chooses among his
// fours, the defender hardly ever chooses at all, and the search goes as deep as it must.
// The idea is as old as the game; Allis, van den Herik and Huntjens ("Go-Moku and
// Threat-Space Search", 1993) made it the heart of a program.
//
// What is proven here is proven by the rules alone: a Win is a win against every defence,
// a None means that there is no such win.
package threat

import (
	"math/bits"
	"sync/atomic"

	"tengen/engine/game"
	"tengen/engine/line"
)

// Status is what a search for a win found out.
type Status uint8

const (
	Unknown Status = iota // a limit was hit first
	Win                   // the side to move wins
	None                  // it does not win in this way
)

func (s Status) String() string {
	return [...]string{"unknown", "win", "none", "?"}[s&3]
}

// Result is the outcome of a search for a win.
type Result struct {
	Status Status
	Move   game.Point // the first move of a win, else NoPoint
	Plies  int        // plies to the five, the five included
	Nodes  int64      // positions looked at with the attacker to move
}

// VCF searches for wins by fours. It serves one goroutine.
type VCF struct {
	fails fails
	salt  uint64 // tells positions of different rules and board sizes apart

	p     *line.Position
	a, d  game.Color // attacker, defender
	stop  *atomic.Bool
	left  int64        // nodes that may still be looked at
	moves []game.Point // of all plies, a stack
	plies int          // length of the win
	pv    []game.Point // the winning line by ply, written from its end
	saved []game.Point // lines put aside, a stack
}

// DefaultMemory is the size of a VCF's table of failures when none is given.
const DefaultMemory = 1 << 20

// NewVCF returns a search whose table of failures has about memory bytes, DefaultMemory if 0.
func NewVCF(memory int) *VCF {
	if memory <= 0 {
		memory = DefaultMemory
	}
	const most = line.MaxSize * line.MaxSize
	return &VCF{
		fails: newFails(memory),
		moves: make([]game.Point, 0, 16*most),
		pv:    make([]game.Point, 0, most+2),
		saved: make([]game.Point, 0, most),
	}
}

// Clear forgets all failures.
func (v *VCF) Clear() {
	v.fails.clear()
	v.pv = v.pv[:0]
}

// Line returns a winning line after Solve returned Win: attacker and defender in turn,
// up to the five, or up to the four that the defender may not stop. The next Solve
// overwrites it.
func (v *VCF) Line() []game.Point { return v.pv }

// Solve looks for a win of the side to move by an immediate five or by fours. It gives
// up after maxNodes nodes, or soon after stop (which may be nil) is set. p is the same
// afterwards.
func (v *VCF) Solve(p *line.Position, maxNodes int64, stop *atomic.Bool) Result {
	v.p, v.stop, v.left = p, stop, maxNodes
	v.a, v.d = p.Side(), p.Side().Other()
	v.salt = salt(p)
	v.moves, v.saved, v.pv = v.moves[:0], v.saved[:0], v.pv[:0]
	r := Result{Status: None, Move: game.NoPoint}
	if !p.Won() {
		r.Status = v.attack(0)
	}
	r.Nodes = maxNodes - v.left
	if r.Status == Win {
		r.Move, r.Plies = v.pv[0], v.plies
	}
	v.p, v.stop = nil, nil
	return r
}

// salt makes one number of all that decides a position's worth but is not in its key.
func salt(p *line.Position) uint64 {
	r := p.Rules()
	n := uint64(p.Size())
	for c := range 2 {
		n = n<<2 | uint64(r.Six[c])
		n = n<<1 | bit(r.NoDouble3[c])
		n = n<<1 | bit(r.NoDouble4[c])
	}
	n = n<<1 | bit(r.BothEnds)
	n = n<<1 | bit(r.FiveAtFour)
	// The finalizer of splitmix64 (Steele, Lea and Flood 2014).
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// attack looks for a win of the attacker, who is to move.
func (v *VCF) attack(ply int) Status {
	p, a, d := v.p, v.a, v.d
	// 1. A five wins.
	if p.Count(a, line.Five) > 0 {
		v.plies = ply + 1
		v.pv = v.pv[:ply+1]
		v.pv[ply] = p.Points(a, line.Five).First(p.Size())
		return Win
	}
	// 2. The limits.
	if v.left <= 0 || v.stop != nil && v.stop.Load() {
		return Unknown
	}
	v.left--
	// 3. A defender's five leaves one point to play on. Only where a five may be closed at
	// its ends there are more, and one stone may stop two fives.
	only := game.NoPoint
	if n := p.Count(d, line.Five); n > 0 && !p.Rules().BothEnds {
		if n > 1 {
			return None
		}
		only = p.Points(d, line.Five).First(p.Size())
		if p.Class(a, only) < line.FourOnly {
			return None
		}
	}
	// 4. The attacker's fours, strongest first.
	from := len(v.moves)
	if only != game.NoPoint {
		v.moves = append(v.moves, only)
	} else {
		v.fours()
		if len(v.moves) == from {
			return None
		}
	}
	key := p.Key() ^ v.salt
	if v.fails.has(key) {
		v.moves = v.moves[:from]
		return None
	}
	for i := from; i < len(v.moves); i++ {
		m := v.moves[i]
		if !p.Playable(a, m) {
			continue
		}
		p.Make(m)
		st := v.defend(ply + 1)
		p.Unmake()
		if st != None {
			if st == Win {
				v.pv[ply] = m
			}
			v.moves = v.moves[:from]
			return st
		}
	}
	v.moves = v.moves[:from]
	v.fails.add(key)
	return None
}

// fours appends the points where the attacker makes a four.
func (v *VCF) fours() {
	for c := line.OpenFour; c >= line.FourOnly; c-- {
		n := v.p.Count(v.a, c)
		if n == 0 {
			continue
		}
		set := v.p.Points(v.a, c)
		for y := 0; n > 0; y++ {
			for row := set[y%game.Stride]; row != 0; row &= row - 1 {
				v.moves = append(v.moves, game.At(bits.TrailingZeros32(row), y))
				n--
			}
		}
	}
}

// defend reports whether the four just made wins against every reply.
func (v *VCF) defend(ply int) Status {
	p := v.p
	// 1. A five of the defender's comes first.
	if p.Count(v.d, line.Five) > 0 {
		return None
	}
	five := p.Points(v.a, line.Five).First(p.Size())
	switch {
	// 2. Where a five may be closed at its ends there may be several replies.
	case p.Rules().BothEnds:
		return v.choose(ply, five)
	// 3. No stone stops two fives, for neither is part of the other.
	case p.Count(v.a, line.Five) > 1:
		return v.done(ply)
	// 4. The only reply may be forbidden.
	case !p.Playable(v.d, five):
		return v.done(ply)
	}
	p.Make(five)
	st := v.attack(ply + 1)
	p.Unmake()
	if st == Win {
		v.pv[ply] = five
	}
	return st
}

// Steps along the four directions, as differences of points, in the order of Shapes.
var steps = [4]int{1, game.Stride, game.Stride + 1, 1 - game.Stride}

// choose tries all replies to a four where a five closed at both ends is none: the point
// of one of the fives, or the end of its row where the other end is the defender's. What
// stops all fives stops this one.
func (v *VCF) choose(ply int, five game.Point) Status {
	p := v.p
	replies := [9]game.Point{five}
	n := 1
	for d, s := range p.Shapes(v.a, five) {
		if s != line.FiveShape {
			continue
		}
		lo, hi := v.end(five, -steps[d]), v.end(five, steps[d])
		if p.At(lo) == v.d && p.At(hi) == game.Empty {
			replies[n], n = hi, n+1
		}
		if p.At(hi) == v.d && p.At(lo) == game.Empty {
			replies[n], n = lo, n+1
		}
	}
	stops, plies, saved := 0, 0, len(v.saved)
	for _, r := range replies[:n] {
		p.Make(r)
		if p.Count(v.a, line.Five) > 0 {
			p.Unmake()
			continue
		}
		st := v.attack(ply + 1)
		p.Unmake()
		if st != Win {
			v.saved = v.saved[:saved]
			return st
		}
		stops++
		v.pv[ply] = r
		if v.plies > plies {
			plies = v.plies
			v.saved = append(v.saved[:saved], v.pv[ply:]...)
		}
	}
	if stops == 0 {
		return v.done(ply)
	}
	// The line of the reply that holds out longest.
	v.plies = plies
	v.pv = append(v.pv[:ply], v.saved[saved:]...)
	v.saved = v.saved[:saved]
	return Win
}

// end returns the first point that is not the attacker's in the row next to q.
func (v *VCF) end(q game.Point, step int) game.Point {
	for {
		q = game.Point(int(q)+step) & (game.NumPoints - 1)
		if v.p.At(q) != v.a {
			return q
		}
	}
}

// done ends a line where nothing stops the attacker's five any more.
func (v *VCF) done(ply int) Status {
	p := v.p
	if p.Rules().Restricted(v.d) && !v.canMove() {
		return None // a draw
	}
	v.plies = ply + 2
	v.pv = v.pv[:ply]
	five := p.Points(v.a, line.Five).First(p.Size())
	if p.Count(v.a, line.Five) > 1 && p.Playable(v.d, five) {
		p.Make(five)
		v.pv = append(v.pv, five, p.Points(v.a, line.Five).First(p.Size()))
		p.Unmake()
	}
	return Win
}

// canMove reports whether there is a point where the defender may play at all.
func (v *VCF) canMove() bool {
	for y := range v.p.Size() {
		for row := ^v.p.Taken()[y]; row != 0; row &= row - 1 {
			if v.p.Playable(v.d, game.At(bits.TrailingZeros32(row), y)) {
				return true
			}
		}
	}
	return false
}
