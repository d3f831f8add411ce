// Package threat finds wins that the opponent cannot slip out of: threat search.
//
// A VCF (victory by continuous fours) is a win in which every move but the last makes a
// four, so that the defender always has to stop a five. The attacker chooses among his
// fours, the defender hardly ever chooses at all, and the search goes as deep as it must.
// The idea is as old as the game; Allis, van den Herik and Huntjens ("Go-Moku and
// Threat-Space Search", 1993) made it the heart of a program.
//
// What is proven here is proven by the rules alone: a Win is a win against every defence,
// a None means that there is no such win. Where stones are captured (capture.go) a Win is
// as certain, but a None says only that none was found.
package threat

import (
	"math/bits"
	"sync/atomic"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/tt"
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
	Nodes  int64      // fours tried, each with its reply
}

// VCF searches for wins by fours. It serves one goroutine.
type VCF struct {
	// Proofs, if not nil, keeps the outcome of long searches for all threads and games. A
	// search that must do the same each time leaves it nil.
	Proofs *tt.Proofs
	// Asked counts how often Proofs was, Known how often it knew.
	Asked, Known int64

	board
	fails    fails
	closed   bool // a five may be closed at its ends
	foulD    bool // some points are forbidden to the defender
	stop     *atomic.Bool
	left     int64        // nodes that may still be tried
	last     game.Point   // the attacker's last four
	moves    []four       // the attacker's choices at all plies, a stack
	counters []game.Point // the defender's fives at all plies, a stack
	plies    int          // the length of the win
	pv       []game.Point // the winning line by ply, written from its end
	saved    []game.Point // lines put aside, a stack
}

// four is a choice of the attacker's.
type four struct {
	point game.Point
	order uint8
	may   bool // may be forbidden
}

// DefaultMemory is the size of a VCF's table of failures when none is given.
const DefaultMemory = 1 << 20

// NewVCF returns a search whose table of failures has about memory bytes, DefaultMemory
// if 0.
func NewVCF(memory int) *VCF {
	if memory <= 0 {
		memory = DefaultMemory
	}
	const most = line.MaxSize * line.MaxSize
	return &VCF{
		fails:    newFails(memory),
		moves:    make([]four, 0, 16*most),
		counters: make([]game.Point, 0, 2*most),
		pv:       make([]game.Point, 0, most+2),
		saved:    make([]game.Point, 0, 2*most),
	}
}

// Clear forgets all failures: what follows is the same whatever was searched before.
// Without it they serve the next positions too, since a failure stays true whatever is
// searched next.
func (v *VCF) Clear() {
	v.fails.clear()
	v.pv = v.pv[:0]
}

// Line returns a winning line after Solve returned Win: attacker and defender in turn,
// up to the five, or up to the four whose stop is forbidden. Of a win that Proofs knew it
// has the first move only. It is valid until the next Solve.
func (v *VCF) Line() []game.Point { return v.pv }

// Solve looks for a win of the side to move by an immediate five or by fours, or by
// captures where there are any. It gives
// up after maxNodes nodes, or soon after stop (which may be nil) is set. p is the same
// afterwards.
func (v *VCF) Solve(p *line.Position, maxNodes int64, stop *atomic.Bool) Result {
	v.pv = v.pv[:0]
	a := p.Side()
	r := Result{Status: None, Move: game.NoPoint}
	switch {
	case p.Won():
		return r
	case p.Count(a, line.Five) > 0:
		r = Result{Status: Win, Move: p.Points(a, line.Five).First(p.Size()), Plies: 1}
		v.pv = append(v.pv, r.Move)
		return r
	case p.Rules().Capture != 0:
	case p.Count(a, line.FourOnly)+p.Count(a, line.FourPlus)+p.Count(a, line.FourThree)+
		p.Count(a, line.OpenFour) == 0:
		return r
	}
	if v.Proofs == nil || maxNodes <= shortSearch {
		return v.search(p, maxNodes, stop)
	}
	r = v.search(p, shortSearch, stop)
	if r.Status != Unknown {
		return r
	}
	key, check := p.Key()^salt(p, proofsOfFours), digest(p)
	v.Asked++
	if known, ok := v.Proofs.Get(key, check); ok {
		v.Known++
		r.Status = None
		if known.Win {
			r.Status, r.Move, r.Plies = Win, game.Point(known.Move), int(known.Plies)
			v.pv = append(v.pv[:0], r.Move)
		}
		return r
	}
	spent := r.Nodes
	r = v.search(p, maxNodes-spent, stop)
	r.Nodes += spent
	if r.Status != Unknown && r.Nodes >= tt.WorthProof {
		v.Proofs.Set(key, check, tt.Proof{
			Win: r.Status == Win, Move: uint16(r.Move), Plies: uint16(r.Plies),
		})
	}
	return r
}

// A search of so many nodes costs some times what a look into Proofs does, so most
// searches end without one.
const shortSearch = 8

// search is Solve where the attacker makes no five at once, but fours.
func (v *VCF) search(p *line.Position, maxNodes int64, stop *atomic.Bool) Result {
	v.left, v.stop = maxNodes, stop
	r := Result{Status: None, Move: game.NoPoint}
	if p.Rules().Capture != 0 {
		r.Status = v.hunts(p)
	} else if v.begin(p); v.goesOn() && !v.fails.has(v.key) {
		r.Status = v.attack(0, 0)
	}
	r.Nodes = maxNodes - v.left
	v.finish(&r)
	return r
}

// Stands looks for a win of the side to move in p, the position that Solve or Stands found one
// in last and that has not changed since, if the opponent had a stone on q too: one that
// makes no five, where neither side makes one yet. It spares the reading where many such
// stones are tried. Line tells the win.
func (v *VCF) Stands(p *line.Position, q game.Point, maxNodes int64, stop *atomic.Bool) Result {
	v.left, v.stop = maxNodes, stop
	v.p, v.lines = p, p.Lines()
	v.last = game.NoPoint
	v.moves, v.counters, v.saved, v.pv = v.moves[:0], v.counters[:0], v.saved[:0], v.pv[:0]
	r := Result{Status: None, Move: game.NoPoint}
	u := v.put(v.d, q)
	if v.counter(q) && !v.fails.has(v.key) {
		r.Status = v.attack(0, 0)
	}
	v.lift(v.d, q, &u)
	v.finish(&r)
	r.Nodes = maxNodes - v.left
	return r
}

// finish notes the win that was found, if any.
func (v *VCF) finish(r *Result) {
	if r.Status == Win {
		r.Move, r.Plies = v.pv[0], v.plies
	} else {
		v.pv = v.pv[:0]
	}
	v.p, v.lines, v.stop = nil, nil, nil
}

// begin reads a position.
func (v *VCF) begin(p *line.Position) {
	v.read(p)
	v.key ^= salt(p, ofFails)
	v.closed, v.foulD = p.Rules().BothEnds, p.Rules().Restricted(v.d)
	v.last = game.NoPoint
	v.moves, v.counters, v.saved = v.moves[:0], v.counters[:0], v.saved[:0]
	if p.Count(v.d, line.Five) > 0 {
		for y, row := range p.Points(v.d, line.Five) {
			for ; row != 0; row &= row - 1 {
				v.counters = append(v.counters, game.At(bits.TrailingZeros32(row), y))
			}
		}
	}
}

// goesOn reports whether the attacker has a four against the defender's fives at the root.
func (v *VCF) goesOn() bool {
	return v.closed || len(v.counters) == 0 || len(v.counters) == 1 && v.isFour(v.counters[0])
}

// What keys are made for: the failures and numbers of one search, or what Proofs keeps.
const (
	ofFails        = 0
	ofThrees       = 2 // and one more, by who attacks
	proofsOfFours  = 1 << 40
	proofsOfThrees = 1<<40 + 1
)

// salt makes one number of all that decides a position's worth and is not in its key.
func salt(p *line.Position, use uint64) uint64 {
	r := p.Rules()
	n := use<<8 | uint64(p.Size())
	for c := range 2 {
		n = n<<4 | uint64(r.Six[c])<<2 | bit(r.NoDouble3[c])<<1 | bit(r.NoDouble4[c])
	}
	return mix(n<<2|bit(r.BothEnds)<<1|bit(r.FiveAtFour)) ^ mix(uint64(r.CaptureWins)<<8|uint64(r.Capture)<<1|bit(r.AnyFour))
}

// mix is the finalizer of splitmix64 (Steele, Lea and Flood 2014).
func mix(n uint64) uint64 {
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

// digest tells positions of one key apart, by their stones.
func digest(p *line.Position) uint32 {
	h := uint64(p.Captured(game.Black)<<16 | p.Captured(game.White))
	for _, row := range p.Lines()[0] {
		h = h*0x9e3779b97f4a7c15 + row
		h ^= h >> 32
	}
	return uint32(mix(h))
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// spent counts a node and reports whether that was too many.
func (v *VCF) spent() bool {
	if v.left <= 0 || v.stop != nil && v.stop.Load() {
		return true
	}
	v.left--
	return false
}

// attack looks for a win of the attacker, who is to move and cannot make a five at once.
// The defender's fives are what counters holds from an index on.
func (v *VCF) attack(ply, counters int) Status {
	from := len(v.moves)
	if len(v.counters) > counters && !v.closed {
		v.add(from, v.counters[counters]) // the only point that stops it
	} else {
		v.fours()
	}
	st := None
	for i := from; i < len(v.moves) && st == None; i++ {
		if f := v.moves[i]; !f.may || v.p.PlayableOnLines(v.a, f.point) {
			st = v.try(ply, f.point, counters)
		}
	}
	v.moves = v.moves[:from]
	if st == None {
		v.fails.add(v.key)
	}
	return st
}

// fours appends the points where the attacker makes a four to moves.
func (v *VCF) fours() {
	from := len(v.moves)
	for d, live := range v.live {
		for ; live != 0; live &= live - 1 {
			l := bits.TrailingZeros64(live) & 63
			for set := v.four[d][l]; set != 0; set &= set - 1 {
				q := first(d, l, set)
				s := &spots[q&(game.NumPoints-1)]
				seen := uint64(0) // in an earlier direction
				for e := range d {
					seen |= v.four[e][s.line[e]&63] >> (s.shift[e] & 63)
				}
				if seen&1 == 0 {
					v.add(from, q)
				}
			}
		}
	}
}

// add inserts a four into the moves from an index on, which are in order: what else the
// stone makes counts most, then whether it goes on where the last four was. (Measured on
// the puzzles: without the classes the median is 20 nodes, with them 14, with both 12.)
func (v *VCF) add(from int, q game.Point) {
	class, may := v.p.ClassOnLines(v.a, q)
	f := four{q, 2 * uint8(class), may}
	if aligned(q, v.last) {
		f.order++
	}
	v.insert(from, f)
}

// insert puts a choice in its place among the moves from an index on.
func (v *VCF) insert(from int, f four) {
	v.moves = append(v.moves, f)
	i := len(v.moves) - 1
	for ; i > from && v.moves[i-1].order <= f.order; i-- {
		v.moves[i] = v.moves[i-1]
	}
	v.moves[i] = f
}

// aligned reports whether two points may be in one five.
func aligned(a, b game.Point) bool {
	dx, dy := a.X()-b.X(), a.Y()-b.Y()
	return (dx == 0 || dy == 0 || dx == dy || dx == -dy) && max(dx, -dx, dy, -dy) < 5
}

// try finds out whether the four on m wins against every reply.
func (v *VCF) try(ply int, m game.Point, counters int) Status {
	n, five := v.fivesAfter(m)
	switch {
	case v.closed:
		u := v.put(v.a, m)
		st := v.choose(ply, m, five, counters)
		v.lift(v.a, m, &u)
		return st
	case n > 1: // no stone stops two fives: neither is part of the other
		return v.won(ply, m, five)
	case v.foulD: // the only reply may be forbidden
		v.touch(v.a, m)
		legal := v.p.PlayableOnLines(v.d, five)
		v.touch(v.a, m)
		if !legal {
			return v.won(ply, m, five)
		}
	}
	if v.fails.has(v.key ^ line.StoneKey(v.a, m) ^ line.StoneKey(v.d, five)) {
		return None
	}
	if v.spent() {
		return Unknown
	}
	u := v.put(v.a, m)
	st := v.reply(ply, m, five)
	v.lift(v.a, m, &u)
	return st
}

// reply makes the defender's move r against the four on m and goes on.
func (v *VCF) reply(ply int, m, r game.Point) Status {
	u := v.put(v.d, r)
	counters := len(v.counters)
	st := None
	if v.counter(r) {
		v.last = m
		st = v.attack(ply+2, counters)
	} else {
		v.fails.add(v.key)
	}
	v.counters = v.counters[:counters]
	v.lift(v.d, r, &u)
	if st == Win {
		v.pv[ply], v.pv[ply+1] = m, r
	}
	return st
}

// counter notes the fives that the defender's stone on r threatens, and reports whether
// the attacker has a four to go on with. Before, the defender had no five.
func (v *VCF) counter(r game.Point) bool {
	if v.live == [4]uint64{} {
		return false
	}
	from := len(v.counters)
	s := &spots[r&(game.NumPoints-1)]
	for d := range 4 {
		l := s.line[d] & 63
		for set := v.dm.fives(v.lines[d][l]); set != 0; set &= set - 1 {
			q := first(d, int(l), set)
			if !v.closed && (len(v.counters) > from || !v.isFour(q)) {
				return false
			}
			v.counters = append(v.counters, q)
		}
	}
	return true
}

// choose tries every reply to the four on m, which is on the board, where a five closed at
// both ends is none. Such a five is stopped at its own point, or at one end where the
// other is the defender's; and what stops all fives stops the one that is given.
func (v *VCF) choose(ply int, m, five game.Point, counters int) Status {
	// A five of the defender's comes first, unless m took its point or closed it.
	for _, q := range v.counters[counters:] {
		if q != m {
			if class, _ := v.p.ClassOnLines(v.d, q); class == line.Five {
				return None
			}
		}
	}
	stops := [9]game.Point{five}
	for d := range 4 {
		stops[2*d+1], stops[2*d+2] = v.end(five, -line.Step(d)), v.end(five, line.Step(d))
	}
	n := 0
	for _, r := range stops {
		if v.at(r) != game.Empty {
			continue
		}
		v.touch(v.d, r)
		left, _ := v.fives(&v.am, m)
		v.touch(v.d, r)
		if left == 0 {
			stops[n], n = r, n+1
		}
	}
	if n == 0 {
		v.touch(v.a, m)
		st := v.won(ply, m, five)
		v.touch(v.a, m)
		return st
	}
	for _, r := range stops[:n] {
		if v.fails.has(v.key ^ line.StoneKey(v.d, r)) {
			return None
		}
	}
	plies, saved := 0, len(v.saved)
	for _, r := range stops[:n] {
		st := Unknown
		if !v.spent() {
			st = v.reply(ply, m, r)
		}
		if st != Win {
			v.saved = v.saved[:saved]
			return st
		}
		if v.plies > plies {
			plies = v.plies
			v.saved = append(v.saved[:saved], v.pv[ply:]...)
		}
	}
	// The line of the reply that holds out longest.
	v.plies = plies
	v.pv = append(v.pv[:ply], v.saved[saved:]...)
	v.saved = v.saved[:saved]
	return Win
}

// won ends the line with a four on m, whose five nothing stops.
func (v *VCF) won(ply int, m, five game.Point) Status {
	v.touch(v.a, m)
	st := None
	if !v.foulD || v.canMove() { // else it is a draw
		st = Win
		v.plies = ply + 3
		v.pv = append(v.pv[:ply], m)
		if v.p.PlayableOnLines(v.d, five) {
			v.touch(v.d, five)
			_, q := v.fives(&v.am, m)
			v.touch(v.d, five)
			v.pv = append(v.pv, five, q)
		}
	}
	v.touch(v.a, m)
	return st
}

// canMove reports whether there is a point where the defender may play at all.
func (v *VCF) canMove() bool {
	for y := range v.p.Size() {
		for x := range v.p.Size() {
			if q := game.At(x, y); v.at(q) == game.Empty && v.p.PlayableOnLines(v.d, q) {
				return true
			}
		}
	}
	return false
}
