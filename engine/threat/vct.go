package threat

import (
	"math"
	"math/bits"
	"sync/atomic"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/tt"
)

// VCT searches for wins by fours and threes (victory by continuous threats): a threat is a
// four, or a move after which the attacker would win by fours if the defender passed.
//
//   - The tree of threats and defences is searched by proof numbers, depth first (df-pn,
//     Nagai 2002): always on towards the position whose proof or disproof is nearest. A
//     table of fixed size holds the numbers; the thresholds are loosened a little, so that
//     the search does not jump between siblings (Pawlewicz and Lew 2007). Positions are
//     reached in many orders, so numbers are not added up, which would count some of them
//     many times: a number is the largest below and one, or a half, for each other (Ueda et al. 2008).
//   - What a threat promises is found by letting the defender pass (lambda search, Thomsen
//     2000): the win by fours that follows tells which points can matter to it, and all
//     other replies lose to that same win (threat-space search, Allis 1994, chapter 5).
//     Of those points each is tried, and where a win by fours stands nonetheless it tells
//     again which points matter: the set shrinks with each that fails. The other way
//     round, where the defender threatens fours, only fours and points that matter to
//     those are tried as attacks.
//   - A move that answered one defence is tried early against the next (killer moves,
//     Akl and Newborn 1977): defences differ, wins are often the same.
//   - Open threes and fours are tried first, with a share of the nodes and in two ways of
//     counting; then also the moves that make less of a line and threaten a win by fours
//     all the same.
//   - What is found is a tree, and the tree is played out against every legal reply
//     (Proof.Check). A reply that was thought not to matter, and does, is added to the
//     defences of that position, and the search goes on.
//
// A Win is therefore always a win. A None says that the attacker has none by fours and
// threes as they are counted here; where stones are captured, only that none was found.
// A VCT serves one goroutine.
type VCT struct {
	// Proofs, if not nil, keeps outcomes for all threads and games.
	Proofs *tt.Proofs

	fours   *VCF // finishes attacks, and refutes defences
	judge   *VCF // the checker's own
	numbers numbers
	sets    []defences
	used    used // of sets

	p       *line.Position
	a, d    game.Color // attacker, defender
	salt    uint64
	stop    *atomic.Bool
	left    int64                   // nodes that may still be spent
	halted  bool                    // a limit was hit
	unsure  bool                    // some search for fours was not ended
	kids    []kid                   // the choices at all plies, a stack
	missed  map[uint64][]game.Point // defences that the checker found
	proof   *Proof
	others  uint32              // what unsolved choices but one added to the last sum
	foul    bool                // the win by fours last looked at ends at a forbidden point
	plan    plan                // how it is searched now
	turn    int                 // of that among plans
	floor   int64               // nodes to be left by this plan
	last    game.Point          // the attack last proven
	killers [deepest]game.Point // the attack last proven, by ply
}

// kid is a choice: a move, and the numbers of the position it leads to.
type kid struct {
	point  game.Point
	rank   uint8 // decides between equal numbers
	pn, dn uint32
}

// defences are the replies to a threat that do not lose to fours at once.
type defences struct {
	key    uint64
	n      uint16
	points [15]game.Point
}

const (
	// foursLimit bounds one search for fours inside, in its nodes, beatenLimit one for the
	// defender's; where stones are captured, where they cost more, takingLimit does both.
	foursLimit  = 2000
	beatenLimit = 200
	takingLimit = 100
	// deepest is the ply where a line is given up.
	deepest = 120
)

// DefaultVCTMemory is the size of a VCT's tables when none is given.
const DefaultVCTMemory = 24 << 20

// NewVCT returns a search whose tables have about memory bytes, DefaultVCTMemory if 0.
func NewVCT(memory int) *VCT {
	if memory <= 0 {
		memory = DefaultVCTMemory
	}
	n := 64
	for 2*n*40 <= memory/3 {
		n *= 2
	}
	return &VCT{
		fours:   NewVCF(memory / 32),
		judge:   NewVCF(memory / 16),
		numbers: newNumbers(memory / 2),
		sets:    make([]defences, n),
		used:    newUsed(),
		kids:    make([]kid, 0, 1<<12),
		missed:  map[uint64][]game.Point{},
	}
}

// Clear forgets all positions. Without it they serve the next search too.
func (v *VCT) Clear() {
	v.fours.Clear()
	v.judge.Clear()
	v.numbers.clear()
	clear(v.missed)
	empty(&v.used, v.sets)
	v.proof = nil
}

// Proof returns the proof of the Win that Solve returned last, nil if there is none or
// only Proofs knew it. It is the caller's.
func (v *VCT) Proof() *Proof { return v.proof }

// Solve looks for a win of the side to move by an immediate five, by fours, or by fours and
// threes. It gives up after about maxNodes nodes, those of the searches for fours inside
// and of the check among them, or soon after stop (which may be nil) is set. g is the same
// afterwards.
func (v *VCT) Solve(g *line.Referee, maxNodes int64, stop *atomic.Bool) Result {
	p := g.Position()
	v.proof = nil
	r := Result{Status: None, Move: game.NoPoint}
	if g.Result().Outcome != game.Open || p.Won() {
		return r
	}
	key, check := p.Key()^salt(p, proofsOfThrees), digest(p)
	if known, ok := v.Proofs.Get(key, check); ok {
		if known.Win {
			r.Status, r.Move, r.Plies = Win, game.Point(known.Move), int(known.Plies)
		}
		return r
	}
	v.begin(p, maxNodes, stop)
	for {
		won := v.wins()
		if v.halted || !won {
			break
		}
		v.proof = &Proof{}
		if _, ok := v.collect(map[uint64]int{}, 0); !ok {
			break
		}
		c := checker{g: g, p: p, fours: v.judge, limit: 10 * foursLimit, left: &v.left, stop: stop}
		gap := c.check(v.proof)
		if gap == nil {
			moves := v.proof.Line()
			r.Status, r.Move, r.Plies = Win, moves[0], len(moves)
			break
		}
		if gap.reply == game.NoPoint || v.spend(1) {
			v.halted = true
			break
		}
		v.miss(gap.key^v.salt, gap.reply)
	}
	r.Nodes = maxNodes - v.left
	if v.unsure { // what was given up looks disproven
		v.numbers.keepSolved(false)
	}
	if r.Status != Win {
		v.proof = nil
		if v.halted || v.unsure {
			r.Status = Unknown
		}
	}
	if r.Status != Unknown && r.Nodes >= tt.WorthProof {
		v.Proofs.Set(key, check, tt.Proof{Win: r.Status == Win, Move: uint16(r.Move), Plies: uint16(r.Plies)})
	}
	v.p, v.stop = nil, nil
	return r
}

// begin makes ready for a position.
func (v *VCT) begin(p *line.Position, maxNodes int64, stop *atomic.Bool) {
	v.p, v.a, v.d = p, p.Side(), p.Side().Other()
	v.salt = salt(p, ofThrees+uint64(v.a))
	v.left, v.floor, v.stop = maxNodes, 0, stop
	v.halted, v.unsure = false, false
	v.kids = v.kids[:0]
	for i := range v.killers {
		v.killers[i] = game.NoPoint
	}
	if len(v.missed) > 1<<12 {
		clear(v.missed)
		v.numbers.doubt()
	}
	v.plan, v.turn = plans[0], 0
}

// plan is one way to search.
type plan struct {
	widest line.Class // the least that is tried as an attack
	count  uint32     // what an unsolved choice adds to a number, in halves
	most   int64      // nodes it gets at most, and
	share  int64      // the part of those left
}

// plans are tried in turn. What is proven by one holds for the others. (Puzzles that one
// does not solve in a million nodes another solves in a fourth of that.)
var plans = [...]plan{
	{line.OpenThree, 2, 100_000, 2},
	{line.OpenThree, 1, 200_000, 2},
	{line.Two, 2, math.MaxInt64, 1},
}

// wins reports whether the attacker, who is to move, wins by fours and threes.
func (v *VCT) wins() bool {
	if v.winsByFours() || v.halted {
		return !v.halted
	}
	for {
		v.floor = v.left - min(v.left/v.plan.share, v.plan.most)
		pn, _ := v.search(true, 0, endless, endless)
		v.floor = 0
		switch {
		case pn == 0 && !v.halted:
			return true
		case v.turn == len(plans)-1 || v.left <= 0 || v.stop != nil && v.stop.Load():
			return false
		}
		cut, was := v.halted, v.plan.widest
		for v.turn++; !v.halted && plans[v.turn].widest == was; {
			v.turn++
		}
		v.plan = plans[v.turn]
		v.halted, v.unsure = false, false
		switch { // what is proven holds for more attacks too, what is disproven does not
		case v.plan.widest == was:
			v.numbers.keepSolved(true)
		case cut:
			v.forget()
		default:
			v.numbers.keepSolved(false)
		}
	}
}

// forget begins afresh after a plan that was cut short: what that has proven would draw the
// next one to the places where it lost its way.
func (v *VCT) forget() {
	v.numbers.clear()
	empty(&v.used, v.sets)
	for i := range v.killers {
		v.killers[i] = game.NoPoint
	}
}

// miss adds a defence to those of a position.
func (v *VCT) miss(key uint64, q game.Point) {
	v.missed[key] = append(v.missed[key], q)
	if s := &v.sets[key&uint64(len(v.sets)-1)]; s.key == key {
		*s = defences{}
	}
	v.numbers.doubt()
}

// collect writes the proof of the position down, in which the attacker is to move and
// wins, and returns its step. ok is false if a limit was hit.
func (v *VCT) collect(memo map[uint64]int, ply int) (at int, ok bool) {
	p := v.p
	key := p.Key()
	if at, ok := memo[key]; ok {
		return at, true
	}
	at = len(v.proof.steps)
	v.proof.steps = append(v.proof.steps, step{})
	if v.winsByFours() {
		v.proof.follow(at, v.fours.Line())
		memo[key] = at
		return at, true
	}
	m, found := v.winning(ply)
	if !found { // the table forgot: search again
		if pn, _ := v.search(true, ply, endless, endless); pn != 0 || v.halted {
			return at, false
		}
		m = v.last
	}
	v.proof.steps[at].move = m
	p.Make(m)
	defer p.Unmake()
	from := len(v.kids)
	if pn, _ := v.replies(p.Key() ^ v.salt); pn == endless || v.halted {
		v.kids = v.kids[:from]
		return at, false
	}
	qs := make([]game.Point, 0, len(v.kids)-from)
	for _, k := range v.kids[from:] {
		qs = append(qs, k.point)
	}
	v.kids = v.kids[:from]
	for _, q := range qs {
		p.Make(q)
		i, ok := v.collect(memo, ply+2)
		p.Unmake()
		if !ok {
			return at, false
		}
		v.proof.steps[at].replies = append(v.proof.steps[at].replies, reply{q, i})
	}
	memo[key] = at
	return at, true
}

// winning returns a move of the attacker that the table knows to win.
func (v *VCT) winning(ply int) (m game.Point, found bool) {
	from := len(v.kids)
	v.attacks(ply)
	for _, k := range v.kids[from:] {
		if k.pn == 0 {
			m, found = k.point, true
			break
		}
	}
	v.kids = v.kids[:from]
	return m, found
}

// spend counts nodes and reports whether that was too many.
func (v *VCT) spend(n int64) bool {
	v.left -= n
	if v.left <= v.floor || v.stop != nil && v.stop.Load() {
		v.halted = true
	}
	return v.halted
}

// winsByFours reports whether the attacker, who is to move, wins by fours or at once.
func (v *VCT) winsByFours() bool {
	st := v.solveFours(foursLimit)
	if st == Unknown {
		v.unsure = true
	}
	return st == Win
}

// standsAgainst reports whether the attacker still wins by fours, in the position where that
// was found last, with the defender's stone on q.
func (v *VCT) standsAgainst(q game.Point) bool {
	r := v.fours.Stands(v.p, q, max(min(foursLimit, v.left-v.floor), 0), v.stop)
	v.spend(r.Nodes)
	if r.Status == Unknown {
		v.unsure = true
	}
	return r.Status == Win
}

// solveFours looks for a win by fours of the side to move.
func (v *VCT) solveFours(limit int64) Status {
	if v.p.Rules().Capture != 0 {
		limit = takingLimit
	}
	r := v.fours.Solve(v.p, max(min(limit, v.left-v.floor), 0), v.stop)
	v.spend(r.Nodes)
	return r.Status
}

// search moves on below a position until its numbers reach the thresholds tpn or tdn. The
// attacker is to move if attack, and has no win by fours; else he has just made a move.
func (v *VCT) search(attack bool, ply int, tpn, tdn uint32) (pn, dn uint32) {
	key := v.p.Key() ^ v.salt
	before := v.left
	from := len(v.kids)
	switch {
	case v.spend(1):
		return 1, 1
	case ply >= deepest:
		v.unsure = true
		pn, dn = endless, 0
	case attack:
		v.attacks(ply)
		pn, dn = v.sum(attack, from)
	default:
		pn, dn = v.replies(key)
	}
	for pn < tpn && dn < tdn && pn != 0 && dn != 0 && !v.halted {
		i, next := v.choose(attack, from)
		k := v.kids[i]
		var kpn, kdn uint32
		if attack {
			kpn, kdn = min(tpn, next+next/4+1), v.share(k.dn, tdn)
		} else {
			kpn, kdn = v.share(k.pn, tpn), min(tdn, next+next/4+1)
		}
		v.p.Make(k.point)
		k.pn, k.dn = v.search(!attack, ply+1, kpn, kdn)
		v.p.Unmake()
		if v.halted {
			break
		}
		if attack && k.pn == 0 {
			v.last, v.killers[ply] = k.point, k.point
		}
		v.kids[i] = k
		pn, dn = v.sum(attack, from)
	}
	v.kids = v.kids[:from]
	if !v.halted {
		v.numbers.set(key, pn, dn, uint32(min(before-v.left, 1<<31)))
	}
	return pn, dn
}

// refresh takes over what the table has learned of the choices meanwhile.
func (v *VCT) refresh(from int) {
	for i := from; i < len(v.kids); i++ {
		k := &v.kids[i]
		if n := v.numbers.get(v.p.KeyAfter(k.point) ^ v.salt); n != nil {
			k.pn, k.dn = n.values()
		}
	}
}

// share returns the threshold of a choice whose number is among those that count for one
// in a number with threshold t.
func (v *VCT) share(kid, t uint32) uint32 {
	if t >= endless {
		return endless
	}
	return max(t-min(t, v.others), kid+1)
}

// sum returns the numbers that follow from those of the choices: the least of one kind, of
// the other the largest and one, or a half, for each other that is not solved.
func (v *VCT) sum(attack bool, from int) (pn, dn uint32) {
	least, most, unsolved := uint32(endless), uint32(0), uint32(0)
	for _, k := range v.kids[from:] {
		one, all := k.dn, k.pn
		if attack {
			one, all = all, one
		}
		least, most = min(least, one), max(most, all)
		if all > 0 {
			unsolved++
		}
	}
	if unsolved > 0 && most < endless-1024 {
		v.others = (unsolved - 1) * v.plan.count / 2
		most += v.others
	}
	if attack {
		return least, most
	}
	return most, least
}

// choose returns the index of the best choice and the number of the second.
func (v *VCT) choose(attack bool, from int) (best int, second uint32) {
	first := uint32(endless)
	second = endless
	best = from
	for i := from; i < len(v.kids); i++ {
		n := v.kids[i].dn
		if attack {
			n = v.kids[i].pn
		}
		switch {
		case n < first:
			first, second, best = n, first, i
		case n < second:
			second = n
		}
	}
	return best, second
}

// attacks appends the attacker's moves to the choices, the most promising first.
func (v *VCT) attacks(ply int) {
	p := v.p
	from := len(v.kids)
	var set, must line.Set
	stops := p.Wins(v.d, &must)
	if stops > 0 {
		v.blocks(v.d, &must)
		set = must
	} else {
		v.threats(&set)
	}
	for y := range p.Size() {
		for row := set[y]; row != 0; row &= row - 1 {
			q := game.At(bits.TrailingZeros32(row), y)
			if p.At(q) != game.Empty || !v.legal(v.a, q) {
				continue
			}
			class := p.Class(v.a, q)
			k := kid{q, 4*uint8(class) + uint8(p.Class(v.d, q)), hope[class], 1}
			if stops > 0 || q == v.killers[min(ply, deepest-1)] {
				k.pn = 1
			}
			if n := v.numbers.get(p.KeyAfter(q) ^ v.salt); n != nil {
				k.pn, k.dn = n.values()
			}
			v.kids = append(v.kids, k)
			i := len(v.kids) - 1
			for ; i > from && v.kids[i-1].rank < k.rank; i-- {
				v.kids[i] = v.kids[i-1]
			}
			v.kids[i] = k
		}
	}
}

// threats fills set with the points where the attacker may threaten something.
func (v *VCT) threats(set *line.Set) {
	p := v.p
	var matters line.Set
	taking := p.Rules().Capture != 0
	threatened := !taking && v.threatened(&matters)
	least := v.plan.widest
	if least < line.Three && !taking && !v.hasFours(v.a) {
		least = line.Three // the first four of the win that is threatened must come of the move
	}
	for cl := least; cl <= line.OpenFour; cl++ {
		if p.Count(v.a, cl) == 0 {
			continue
		}
		for y, row := range p.Points(v.a, cl) {
			if threatened && cl < line.FourOnly {
				row &= matters[y]
			}
			set[y] |= row
		}
	}
	if taking {
		var takes line.Set
		if p.Captures(v.a, &takes) {
			union(set, &takes)
		}
		if p.Rules().CaptureWins-p.Captured(v.a) <= 2*p.Rules().Capture {
			brackets(p, v.d, set)
		}
	}
}

// hope is the first proof number of a move: about how many replies may need an answer.
// (Steeper and flatter ones were tried on the puzzles.)
var hope = [line.NumClasses]uint32{
	line.Nothing: 8, line.Two: 8, line.TwoTwo: 7, line.Three: 7, line.ThreePlus: 6,
	line.OpenThree: 4, line.OpenThreePlus: 2, line.DoubleThree: 2,
	line.FourOnly: 2, line.FourPlus: 1, line.FourThree: 1, line.OpenFour: 1,
}

// replies appends the defender's replies to the attacker's move to the choices and returns
// the numbers of the position.
func (v *VCT) replies(key uint64) (pn, dn uint32) {
	p := v.p
	from := len(v.kids)
	s := &v.sets[key&uint64(len(v.sets)-1)]
	if s.key == key && key != 0 {
		for _, q := range s.points[:s.n] {
			v.kids = append(v.kids, kid{q, 0, 1, 2})
		}
		v.refresh(from)
		return v.sum(false, from)
	}
	var set line.Set
	if p.Wins(v.d, &set) > 0 {
		return endless, 0
	}
	passed := false
	switch {
	case p.Wins(v.a, &set) > 0: // a four
		v.blocks(v.a, &set)
	case v.beaten():
		return endless, 0
	default:
		p.Make(game.Pass)
		if !v.winsByFours() {
			p.Unmake()
			return endless, 0
		}
		v.matters(game.NoPoint, &set)
		if passed = p.Rules().Capture == 0; !passed {
			p.Unmake()
		}
	}
	refuted := v.meetAll(key, passed, &set)
	if passed {
		p.Unmake()
	}
	if refuted {
		v.kids = v.kids[:from]
		return endless, 0
	}
	if len(v.kids) == from && !v.canMove() {
		return endless, 0 // a draw
	}
	if n := len(v.kids) - from; n <= len(s.points) && !v.halted {
		if s.key == 0 {
			v.used.add(key & uint64(len(v.sets)-1))
		}
		s.key, s.n = key, uint16(n)
		for i, k := range v.kids[from:] {
			s.points[i] = k.point
		}
	}
	return v.sum(false, from)
}

// meetAll appends the replies of a set that do not lose to fours to the choices, and reports
// whether one is known to refute the attack. Passed is as for meet.
func (v *VCT) meetAll(key uint64, passed bool, set *line.Set) (refuted bool) {
	p := v.p
	missed := v.missed[key]
	for _, q := range missed {
		set[q.Y()] |= 1 << q.X()
	}
	for y := 0; y < p.Size(); y++ {
		for done := uint32(0); set[y]&^done != 0; {
			x := bits.TrailingZeros32(set[y] &^ done)
			done |= 1 << x
			q := game.At(x, y)
			if p.At(q) != game.Empty || !v.legal(v.d, q) {
				continue
			}
			k, loses := v.meet(q, passed, set)
			if loses {
				for _, q := range missed {
					set[q.Y()] |= 1 << q.X()
				}
				continue
			}
			if k.dn == 0 {
				return true
			}
			v.kids = append(v.kids, k)
		}
	}
	return false
}

// threatened reports whether the defender would win by fours if the attacker, who is to
// move, passed, and fills set with the points that may matter to that.
func (v *VCT) threatened(set *line.Set) bool {
	p := v.p
	p.Make(game.Pass)
	wins := v.beaten()
	if wins {
		v.a, v.d = v.d, v.a
		v.matters(game.NoPoint, set)
		v.a, v.d = v.d, v.a
	}
	p.Unmake()
	return wins
}

// beaten reports whether the defender, who is to move, has a win by fours of his own.
func (v *VCT) beaten() bool {
	return (v.hasFours(v.d) || v.p.Rules().Capture != 0) && v.solveFours(beatenLimit) == Win
}

// hasFours reports whether side c has a point where it makes a four.
func (v *VCT) hasFours(c game.Color) bool {
	p := v.p
	return p.Count(c, line.FourOnly)+p.Count(c, line.FourPlus)+p.Count(c, line.FourThree)+p.Count(c, line.OpenFour) > 0
}

// meet looks at the defender's reply q: whether it loses to fours at once, in which case
// set keeps only points that matter to these too, and else how hard it is. If passed, the
// defender has passed, the win by fours that follows was found last, and q is written on the
// lines alone.
func (v *VCT) meet(q game.Point, passed bool, set *line.Set) (k kid, loses bool) {
	p := v.p
	key := p.KeyAfter(q) ^ v.salt
	if passed {
		key = p.Key() ^ line.StoneKey(v.d, q) ^ v.salt
	}
	if n := v.numbers.get(key); n != nil {
		k.point = q
		k.pn, k.dn = n.values()
		return k, false
	}
	var wins line.Set
	if passed {
		if loses = v.standsAgainst(q); loses {
			v.matters(q, &wins)
		} else {
			p.Unmake()
			p.Make(q)
			k = v.rate(q, key)
			p.Unmake()
			p.Make(game.Pass)
		}
	} else {
		p.Make(q)
		if p.Wins(v.a, &wins) > 0 {
			p.Unmake()
			return k, true
		}
		if loses = v.winsByFours(); loses {
			wins = line.Set{}
			v.matters(game.NoPoint, &wins)
		} else {
			k = v.rate(q, key)
		}
		p.Unmake()
	}
	if loses && !v.foul { // else it may need the very stone of this reply
		for y := range p.Size() {
			set[y] &= wins[y]
		}
	}
	return k, loses
}

// rate returns the choice of the defender's reply q, just made, which does not lose to fours.
func (v *VCT) rate(q game.Point, key uint64) kid {
	if v.halted {
		return kid{q, 0, 1, 1}
	}
	pn, dn := v.prospects()
	v.numbers.set(key, pn, dn, 0)
	return kid{q, 0, pn, dn}
}

// prospects returns the first numbers of a position with the attacker to move: the proof
// number of his best kind of move, and how many threats he may have.
func (v *VCT) prospects() (pn, dn uint32) {
	p := v.p
	var must line.Set
	if n := p.Wins(v.d, &must); n > 0 {
		if n > 1 && !p.Rules().BothEnds && p.Rules().Capture == 0 {
			return endless, 0
		}
		return 1, 1
	}
	pn = hope[line.Nothing]
	n := 0
	for cl := v.plan.widest; cl <= line.OpenFour; cl++ {
		if c := p.Count(v.a, cl); c > 0 {
			n += c
			pn = hope[cl]
		}
	}
	if p.Rules().Capture != 0 {
		n++
	}
	if n == 0 {
		pn = endless
	}
	return pn, uint32(n)
}

// blocks adds to set, the points where side c wins at once, those that may stop it there
// from elsewhere.
func (v *VCT) blocks(c game.Color, set *line.Set) {
	p := v.p
	if p.Rules().BothEnds {
		fives := *set
		for y := range p.Size() {
			for row := fives[y]; row != 0; row &= row - 1 {
				q := game.At(bits.TrailingZeros32(row), y)
				for d := range 4 {
					span(p, q, d, set)
				}
			}
		}
	}
	if p.Rules().Capture != 0 {
		var takes line.Set
		p.Captures(c.Other(), &takes)
		union(set, &takes)
	}
}

// legal reports whether side c, who is to move, may play on the empty point q.
func (v *VCT) legal(c game.Color, q game.Point) bool {
	return v.p.Playable(c, q) && v.p.Opening(q) == line.Allowed
}

// canMove reports whether there is a point where the defender, who is to move, may play.
func (v *VCT) canMove() bool {
	for y := range v.p.Size() {
		for x := range v.p.Size() {
			if q := game.At(x, y); v.p.At(q) == game.Empty && v.legal(v.d, q) {
				return true
			}
		}
	}
	return false
}

// matters adds to set the empty points where a stone of the defender may spoil the win by
// fours just found, the attacker being to move. If with is not NoPoint, the win is one against
// a stone of the defender's there that is not on the board.
func (v *VCT) matters(with game.Point, set *line.Set) {
	p := v.p
	v.foul = false
	win := v.fours.Line()
	for cl := line.FourOnly; cl <= line.Five; cl++ {
		if p.Count(v.d, cl) > 0 {
			union(set, p.Points(v.d, cl))
		}
	}
	var stones line.Set // the defender's, and those he will have
	for i, q := range win {
		set[q.Y()] |= 1 << q.X()
		if i%2 == 1 {
			stones[q.Y()] |= 1 << q.X()
			if p.Rules().BothEnds {
				if d := direction(win[i-1], q); d >= 0 {
					span(p, q, d, set)
					span(p, q, d, &stones)
				}
			}
		}
	}
	replies := stones
	if with != game.NoPoint {
		stones[with.Y()] |= 1 << with.X()
		m := newMaker(p.Rules(), v.d)
		touch(p.Lines(), v.d, with)
		for d, l := range spots[with].line {
			for cells := m.fours(p.Lines()[d][l&63]); cells != 0; cells &= cells - 1 {
				q := first(d, int(l&63), cells)
				set[q.Y()] |= 1 << q.X()
			}
		}
		touch(p.Lines(), v.d, with)
	}
	// Where replies make fours together with one more stone.
	for y := range p.Size() {
		for row := replies[y]; row != 0; row &= row - 1 {
			v.rows(game.At(bits.TrailingZeros32(row), y), &stones, set)
		}
	}
	if p.Rules().Capture != 0 {
		v.captures(set)
	}
	if !p.Rules().BothEnds && p.Rules().Capture == 0 && v.ends(win, with, set) {
		return
	}
	if with != game.NoPoint {
		p.Unmake() // the pass
		p.Make(with)
	}
	last := len(win) - 1
	for _, q := range win[:last] {
		p.Make(q)
	}
	if p.Class(v.a, win[last]) != line.Five {
		p.Make(win[last]) // its stop is forbidden
		last++
	} else if last > 0 {
		p.Unmake()
		last--
	}
	fives := *p.Points(v.a, line.Five)
	union(set, &fives)
	if p.Rules().BothEnds || p.Rules().Restricted(v.d) {
		for y := range p.Size() {
			for row := fives[y]; row != 0; row &= row - 1 {
				q := game.At(bits.TrailingZeros32(row), y)
				if p.Rules().BothEnds || !p.Playable(v.d, q) {
					for d := range 4 {
						span(p, q, d, set)
					}
				}
				if !p.Playable(v.d, q) {
					v.foul = true
					v.fouls(q, set)
				}
			}
		}
	}
	if p.Rules().Capture != 0 {
		v.captures(set)
	}
	for range last {
		p.Unmake()
	}
	if with != game.NoPoint {
		p.Unmake()
		p.Make(game.Pass)
	}
}

// ends adds to set the points where the attacker makes a five after the last four of a win,
// and reports whether that is all that matters of them: whether the defender may play there. It
// looks at the lines alone, which is what a search asks most often, and costs a tenth of making
// the moves.
func (v *VCT) ends(win []game.Point, with game.Point, set *line.Set) bool {
	p, lines := v.p, v.p.Lines()
	n := len(win)
	if n == 1 && p.Count(v.a, line.Five) > 0 {
		union(set, p.Points(v.a, line.Five))
		return !p.Rules().Restricted(v.d)
	}
	if with != game.NoPoint {
		touch(lines, v.d, with)
	}
	for i, q := range win[:n-1] {
		touch(lines, [2]game.Color{v.a, v.d}[i&1], q)
	}
	n--
	if cl, _ := p.ClassOnLines(v.a, win[n]); cl == line.Five {
		n--
		touch(lines, v.d, win[n])
	} else {
		touch(lines, v.a, win[n])
		n++
	}
	m := newMaker(p.Rules(), v.a)
	legal := true
	for d, l := range spots[win[n-1]].line {
		for cells := m.fives(lines[d][l&63]); cells != 0; cells &= cells - 1 {
			q := first(d, int(l&63), cells)
			set[q.Y()] |= 1 << q.X()
			legal = legal && p.PlayableOnLines(v.d, q)
		}
	}
	for i, q := range win[:n] {
		touch(lines, [2]game.Color{v.a, v.d}[i&1], q)
	}
	if with != game.NoPoint {
		touch(lines, v.d, with)
	}
	return legal
}

// fouls adds what may change the worth of the threes that make q forbidden to the defender.
func (v *VCT) fouls(q game.Point, set *line.Set) {
	p := v.p
	for d, s := range p.Shapes(v.d, q) {
		if !s.IsThree() {
			continue
		}
		var near line.Set
		span(p, q, d, &near)
		for y := range p.Size() {
			for row := near[y]; row != 0; row &= row - 1 {
				r := game.At(bits.TrailingZeros32(row), y)
				for d := range 4 {
					span(p, r, d, set)
				}
			}
		}
	}
}

// rows adds the empty points of every row of five through q that has no stone of the
// attacker's and at least three stones of a set or the defender's.
func (v *VCT) rows(q game.Point, stones, set *line.Set) {
	p := v.p
	for d := range 4 {
		s := line.Step(d)
		var own [9]uint8
		for i := range own {
			r := game.Point((int(q) + (i-4)*s) & (game.NumPoints - 1))
			switch c := p.At(r); {
			case c == v.d || c == game.Empty && stones.Has(r):
				own[i] = 1
			case c != game.Empty:
				own[i] = 16
			}
		}
		for i := range 5 {
			if n := own[i] + own[i+1] + own[i+2] + own[i+3] + own[i+4]; n >= 3 && n < 16 {
				for j := range 5 {
					if r := game.Point((int(q) + (i+j-4)*s) & (game.NumPoints - 1)); p.At(r) == game.Empty {
						set[r.Y()] |= 1 << r.X()
					}
				}
			}
		}
	}
}

// captures adds the points where the defender captures or prepares to.
func (v *VCT) captures(set *line.Set) {
	var takes line.Set
	v.p.Captures(v.d, &takes)
	union(set, &takes)
	brackets(v.p, v.a, set)
}

// span adds the empty points at most five away from q in direction d, as far as no wall
// is between.
func span(p *line.Position, q game.Point, d int, set *line.Set) {
	for _, s := range [2]int{line.Step(d), -line.Step(d)} {
		for i := 1; i <= 5; i++ {
			r := game.Point((int(q) + i*s) & (game.NumPoints - 1))
			c := p.At(r)
			if c == game.Wall {
				break
			}
			if c == game.Empty {
				set[r.Y()] |= 1 << r.X()
			}
		}
	}
}

// direction returns the direction of the line through two points, -1 if there is none.
func direction(a, b game.Point) int {
	switch dx, dy := a.X()-b.X(), a.Y()-b.Y(); {
	case dy == 0:
		return 0
	case dx == 0:
		return 1
	case dx == dy:
		return 2
	case dx == -dy:
		return 3
	}
	return -1
}

func union(set, with *line.Set) {
	for y := range set {
		set[y] |= with[y]
	}
}
