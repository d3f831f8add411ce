package alphabeta

import (
	"math"
	"sync/atomic"
	"time"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/engine/threat"
	"tengen/eval"
	"tengen/tt"
)

const (
	maxPly   = 192
	infinity = game.Win + 1
	// leafVCF and innerVCF bound the threat search at one node, in nodes of its own.
	leafVCF  = 40
	innerVCF = 80
	// ahead is the margin for each ply, up to aheadDepth, that is enough to be ahead.
	ahead      = 60
	aheadDepth = 7
	// proven is the depth of the entries of wins by threats.
	proven = 120
	// deepDepth is the least depth of the entries that live on in the second tier.
	deepDepth = 8
)

// worker is one searching thread: a position of its own, and what it has learned.
type worker struct {
	*shared
	id     int
	p      *line.Position
	vcf    *threat.VCF
	eval   eval.Evaluator
	margin int  // its Margin
	taking bool // stones are captured in this game

	nodes    int64         // positions looked at, those of the threat search among them
	count    game.Counters // but for Nodes
	nextPoll int64         // at how many nodes the limits are looked at again
	selDepth int
	reach    int      // the depth of the iteration that is running
	moves    []ranked // the move lists of all plies, one behind the other
	tried    []game.Point
	history  [2][game.NumPoints]int16
	static   [maxPly + 8]int16
	foursOut [maxPly + 8]bool // at a ply no win by fours was found for the side to move
	pv       [maxPly + 2][maxPly + 2]game.Point
	pvLen    [maxPly + 2]int
	takes    [maxPly + 2][2]line.Set // where each side captures, by ply, if taking

	root   rootMoves
	writer tt.Writer
	leaf   func([]game.Point) // game.Limits.Leaf
	path   []game.Point       // what it was told last
}

// shared is what the workers of one search have in common.
type shared struct {
	table  *tt.Table
	proofs *tt.Proofs
	deep   *tt.Deep
	stop   atomic.Bool
	limit  limit
}

// reductions[d][n] is by how many plies the n-th move of a node is searched less deep.
var reductions = func() (r [64][64]int8) {
	for d := 1; d < 64; d++ {
		for n := 1; n < 64; n++ {
			r[d][n] = int8(2 + math.Log(float64(d))*math.Log(float64(n)))
		}
	}
	return
}()

// pollEvery is how many nodes pass between two looks at the clock, those of the threat
// search among them: in some games a node without them is a small part of the work.
const pollEvery = 256

// poll looks at the limits now and then, and reports whether the search must stop.
func (w *worker) poll() bool {
	if w.nodes >= w.nextPoll {
		w.nextPoll = w.nodes + pollEvery
		if w.id == 0 && w.limit.reached(w.nodes) {
			w.stop.Store(true)
		}
	}
	return w.stop.Load()
}

// search returns the value of the position for the side to move, exact between alpha and
// beta, else a bound. depth is the plies left to look ahead, ply the distance from the
// root; cut says that a refutation is expected soon.
//
// The frame is the principal variation search of Marsland and Campbell (1982) with a
// transposition table. What is special to the game stands in steps 2, 3, 7 and 9.
func (w *worker) search(alpha, beta, depth, ply int, cut bool) int {
	p := w.p
	w.pvLen[ply] = 0
	pvNode := beta-alpha > 1

	// Step 1. Stop when told to; give up looking where the line is endless.
	w.nodes++
	if w.poll() {
		return 0
	}
	if ply > w.selDepth {
		w.selDepth = ply
	}
	me := p.Side()
	foe := me.Other()

	// Step 2. Games decided here: a five at once, or a four that nothing stops when the
	// opponent has no five.
	if ply > 0 {
		if p.Count(me, line.Five) > 0 {
			w.line(ply, p.Points(me, line.Five).First(p.Size()))
			return game.Win - ply - 1
		}
		if p.Empty() == 0 {
			return 0
		}
		if ply >= maxPly {
			return w.eval.Evaluate(p)
		}
	}
	if w.taking {
		w.seeCaptures(ply)
		if q := w.winByCapture(ply); q != game.NoPoint && ply > 0 {
			w.line(ply, q)
			return game.Win - ply - 1
		}
	}
	u := urgencyOf(p)
	if u != four && ply > 0 && !w.taking {
		if q := playable(p, me, line.OpenFour); q != game.NoPoint {
			w.line(ply, q)
			return game.Win - ply - 3
		}
	}

	// Step 3. At the horizon a five that must be stopped is stopped first. (Open threes
	// are left to the evaluation, which knows them: looking further costs more than it
	// brings, 35 [-21, 92] Elo in 120 games at 15,000 nodes.)
	edge := depth <= 0 && u == four && !(w.taking && w.tired(ply))
	if edge {
		depth = 1
	}

	// Step 4. No line of play from here can be worth more than the nearest win.
	if ply > 0 {
		alpha = max(alpha, ply-game.Win)
		beta = min(beta, game.Win-ply-3)
		if alpha >= beta {
			return alpha
		}
	}

	// Step 5. What is known about this position.
	key := p.Key()
	excluded := ply == 0 && w.root.restricted()
	e, hit := w.table.Probe(key)
	w.count.Probes++
	if hit {
		w.count.Hits++
	} else if depth >= deepDepth && w.deep != nil {
		e, hit = w.deep.Get(key, w.check())
		w.count.DeepProbes++
		w.count.DeepHits += int64(b2i(hit))
	}
	move := game.NoPoint
	if hit {
		move = game.Point(e.Move)
		if move.On(p.Size()) && p.At(move) != game.Empty {
			hit, move = false, game.NoPoint
		}
	}
	if hit && !excluded {
		v := fromTable(int(e.Value), ply)
		if ply > 0 && e.Depth >= proven {
			return v
		}
		if !pvNode && int(e.Depth) >= depth && (e.Bound == tt.Exact ||
			e.Bound == tt.Lower && v >= beta || e.Bound == tt.Upper && v <= alpha) {
			return v
		}
	}

	// Step 6. A worth without looking, for pruning only. Where a five must be stopped
	// nothing is pruned, and what the side to move thought two plies ago will do. Far
	// outside the window a rough value is enough.
	static, rough := 0, false
	// undecided: no five has to be stopped, and the window is not about wins and losses.
	undecided := !pvNode && ply > 0 && u != four && abs(alpha) < game.MaxValue && abs(beta) < game.MaxValue
	switch {
	case hit && e.Eval != noEval:
		static = int(e.Eval)
	case u == four && depth > 0 && ply >= 2:
		static = int(w.static[ply-2])
	default:
		if w.margin > 0 && undecided && u == quiet {
			static = w.eval.Rough(p)
			if rough = static-w.margin >= beta+ahead*max(depth, 0) && depth <= aheadDepth ||
				depth <= 0 && static+w.margin <= alpha; rough {
				w.count.Rough++
				break
			}
		}
		static = w.eval.Evaluate(p)
		w.count.Evaluations++
		if w.leaf != nil && ply > 0 {
			w.showLeaf(ply)
		}
	}
	w.static[ply] = int16(static)
	improving := ply >= 2 && static > int(w.static[ply-2])
	kept := static
	if rough {
		kept = noEval
	}

	// So far ahead that the opponent's reply will not matter, at the horizon or, with a
	// margin for each ply, before it (reverse futility, Heinz 1998): there is no need to
	// look for a win. (107 [64, 155] Elo in 200 games of 0.08 s a move against looking for
	// it first.)
	if undecided && static >= beta {
		if depth <= 0 {
			if !hit && !rough {
				w.table.Store(key, tt.Entry{Move: uint16(game.NoPoint), Value: int16(static), Eval: int16(static), Depth: -1, Bound: tt.Lower})
			}
			return static
		}
		if u == quiet && depth <= aheadDepth && static-ahead*depth >= beta {
			return static
		}
	}

	// Step 7. A win by fours ends the search here (Allis's threat space search, kept to
	// fours; the leaf of every strong program of this game). Not searched again where
	// the table says it was, nor where two plies ago there was none and no four is near the
	// stone added since. Few nodes are enough: what takes more of them the tree finds.
	if ply > 0 && u != four && !(hit && e.Depth >= 0) && (p.Count(me, line.FourOnly)+p.Count(me, line.FourPlus)+p.Count(me, line.FourThree) > 0 ||
		w.taking && w.mayHunt(ply)) && !(ply > 2 && w.foursOut[ply-2] && !w.taking && !w.foursNear(p.Last(1))) {
		limit := int64(innerVCF)
		if depth <= 0 {
			limit = leafVCF
		}
		if w.taking {
			limit /= takingVCF
		}
		r := w.solve(limit)
		w.nodes += r.Nodes
		if r.Status == threat.Win {
			v := game.Win - ply - r.Plies
			w.line(ply, r.Move)
			w.table.Store(key, tt.Entry{Move: uint16(r.Move), Value: int16(toTable(v, ply)), Eval: noEval, Depth: proven, Bound: tt.Lower})
			return v
		}
	}
	w.foursOut[ply] = u != four
	if depth <= 0 {
		if !hit {
			b := tt.Exact
			if rough {
				b = tt.Upper
			}
			w.table.Store(key, tt.Entry{Move: uint16(game.NoPoint), Value: int16(static), Eval: int16(kept), Depth: 0, Bound: b})
		}
		return static
	}

	// Step 8. The table may know better than the evaluation.
	if hit && abs(int(e.Value)) < game.MaxValue && u != four {
		if v := int(e.Value); e.Bound == tt.Exact || e.Bound == tt.Lower && v > static || e.Bound == tt.Upper && v < static {
			static = v
		}
	}
	// So far behind that only a win by fours would help, and none is there
	// (razoring).
	if undecided && u == quiet && depth <= 3 && static+90*depth+60 <= alpha {
		return static
	}
	// Internal iterative reduction: a node nobody has looked at is not worth full depth.
	if move == game.NoPoint && depth >= 2 && u == quiet {
		depth--
	}

	// Step 9. The moves. A single answer to a four costs no depth, so that a four and its
	// answer cannot push anything over the horizon for free, nor be its end. (At the
	// horizon it does: else each four there would buy another.)
	from := len(w.moves)
	w.generate(u, ply, move)
	if ply == 0 {
		w.root.filter(w, from)
	}
	moves := w.moves[from:]
	best, bestMove := -infinity, game.NoPoint
	top := 0 // the highest score met
	oldAlpha := alpha
	tried := len(w.tried)
	// Step 10. Moves that are not loud are not looked at: those from late on, and those far
	// less promising than the best. On the principal variation twice as many are: with all
	// of them half of a search's nodes were children of its few hundred nodes.
	// (119 [78, 164] Elo in 200 games at 6,000 nodes against pruning off the principal
	// variation alone, up to depth 6.)
	prune := ply > 0 && u == quiet
	late := len(moves)
	if prune {
		late = 3 + depth*depth/(2-b2i(improving))
		if pvNode {
			late *= 2
		}
	}
	for i := 0; i < len(moves); i++ {
		if i >= late && best > -game.MaxValue {
			late = len(moves)
			if moves = w.keepLoud(moves, i, ply); i == len(moves) {
				break
			}
		}
		q := pick(moves, i)
		if w.taking && u == three && moves[i] < hopeful && best > -game.MaxValue {
			break // what is left helps against nothing, and there is no need of it
		}
		taking := w.captures(q, ply)
		top = max(top, p.Score(me, q))
		cl := p.Class(me, q)
		foeCl := p.Class(foe, q)

		newDepth := depth - 1
		if u == four && len(moves) == 1 && !edge && ply <= 2*w.reach+16 {
			newDepth = depth
		}

		// Step 11. All moves but the first are searched less deep first, the later the less,
		// and with a zero window. A four is easily made and easily met.
		r := 0
		if i > 0 && depth >= 3 && u < four {
			r = int(reductions[min(depth, 63)][min(i, 63)])
			if cut {
				r++
			}
			if pvNode {
				r--
			}
			if cl >= line.FourOnly {
				r++
			} else if cl >= line.OpenThree || foeCl >= line.OpenFour || taking {
				r--
			}
			if !improving {
				r++
			}
			r -= int(w.history[me&1][q]) / 4096
			r = max(0, min(r, newDepth-1))
		}
		if prune && best > -game.MaxValue && !w.loud(q, ply) {
			if top-p.Score(me, q) > 150+100*depth {
				continue
			}
			// Nor is what would soon end far behind (futility, Heinz 1998; 18 [-8, 45] Elo in
			// 300 games at 6,000 nodes).
			if left := newDepth - r; left <= 3 && static+ahead*(left+1) <= alpha {
				continue
			}
		}

		w.table.Prefetch(p.KeyAfter(q))
		p.Make(q)
		if u == three && !w.taking && w.unmet(cl) {
			// The list holds what may meet the four: this does not.
			p.Unmake()
			moves[i] = moves[len(moves)-1]
			moves = moves[:len(moves)-1]
			i--
			continue
		}

		var v int
		if i > 0 {
			v = -w.search(-alpha-1, -alpha, newDepth-r, ply+1, true)
			if r > 0 && v > alpha && !w.stop.Load() {
				v = -w.search(-alpha-1, -alpha, newDepth, ply+1, !cut)
			}
		}
		if i == 0 || v > alpha && v < beta {
			v = -w.search(-beta, -alpha, newDepth, ply+1, !pvNode && !cut)
		}
		p.Unmake()
		if w.stop.Load() {
			w.moves, w.tried = w.moves[:from], w.tried[:tried]
			if ply == 0 && bestMove != game.NoPoint {
				return best
			}
			return 0
		}
		if ply == 0 {
			w.root.note(q, v, v > best)
		}

		if v > best {
			best = v
			if v > alpha {
				bestMove = q
				alpha = v
				w.extend(ply, q)
			}
			if v >= beta {
				break
			}
		}
		w.tried = append(w.tried, q)
	}
	w.moves = w.moves[:from]
	if best == -infinity {
		return w.noMove(u, ply)
	}

	// Step 12. Remember which moves refute and which did not (history heuristic,
	// Schaeffer 1989, with the ageing of later chess programs).
	if bestMove != game.NoPoint && best >= beta && u == quiet {
		bonus := min(depth*depth*8, 1024)
		w.learn(me, bestMove, bonus)
		for _, q := range w.tried[tried:] {
			w.learn(me, q, -bonus)
		}
	}
	w.tried = w.tried[:tried]

	// Step 13. Store. A loss proven over a restricted list of moves is a loss all the
	// same: the moves left out do not defend.
	if !excluded {
		b := tt.Exact
		if best >= beta {
			b = tt.Lower
		} else if best <= oldAlpha {
			b = tt.Upper
		}
		if u == four {
			kept = noEval
		}
		e := tt.Entry{Move: uint16(bestMove), Value: int16(toTable(best, ply)),
			Eval: int16(kept), Depth: int8(min(depth, proven-1)), Bound: b, PV: pvNode}
		w.table.Store(key, e)
		if depth >= deepDepth {
			w.writer.Add(key, w.check(), e)
		}
	}
	return best
}

// loud reports whether a move makes an open three or more, prevents one, or captures or
// saves stones. A four with nothing beside it is not loud: it is answered, and whether it
// leads to a win the threat search has seen. (28 [-11, 66] Elo in 240 games at 6,000 nodes,
// and of 48 wins missed in lost games 29 found in 100,000 nodes instead of 24.)
func (w *worker) loud(q game.Point, ply int) bool {
	me := w.p.Side()
	strong := func(cl line.Class) bool { return cl >= line.OpenThree && cl != line.FourOnly }
	return strong(w.p.Class(me, q)) || strong(w.p.Class(me.Other(), q)) || w.captures(q, ply)
}

// captures reports whether a stone of either side on q captures.
func (w *worker) captures(q game.Point, ply int) bool {
	return w.taking && (w.takes[ply][0].Has(q) || w.takes[ply][1].Has(q))
}

// keepLoud drops the moves from an index on that are not loud.
func (w *worker) keepLoud(moves []ranked, from, ply int) []ranked {
	kept := moves[:from]
	for _, m := range moves[from:] {
		if w.loud(m.point(), ply) {
			kept = append(kept, m)
		}
	}
	return kept
}

// foursNear reports whether the side to move can make a four on a line through q, at most
// four points away.
func (w *worker) foursNear(q game.Point) bool {
	p := w.p
	me := p.Side()
	x, y := q.X(), q.Y()
	for cl := line.FourOnly; cl <= line.OpenFour; cl++ {
		if p.Count(me, cl) == 0 {
			continue
		}
		set := p.Points(me, cl)
		for d := -4; d <= 4; d++ {
			if y+d < 0 || y+d >= p.Size() {
				continue
			}
			star := uint64(1)<<(x+4) | uint64(1)<<(x+4+d) | uint64(1)<<(x+4-d)
			if d == 0 {
				star = 0x1ff << x
			}
			if uint64(set[y+d])<<4&star != 0 {
				return true
			}
		}
	}
	return false
}

// timed is of how many threat searches one is timed.
const timed = 16

// solve looks for a win by fours, and counts what that takes.
func (w *worker) solve(limit int64) threat.Result {
	c := &w.count
	var start time.Time
	if c.ThreatSearches%timed == 0 {
		start = time.Now()
	}
	r := w.vcf.Solve(w.p, limit, &w.stop)
	if c.ThreatSearches%timed == 0 {
		c.ThreatTime += timed * time.Since(start)
	}
	c.ThreatSearches++
	c.ThreatNodes += r.Nodes
	c.ThreatWins += int64(b2i(r.Status == threat.Win))
	return r
}

// noMove is the value where no move is worth generating: a five cannot be stopped, a
// four cannot be met, or every point is forbidden.
func (w *worker) noMove(u urgency, ply int) int {
	switch u {
	case four:
		return ply + 2 - game.Win
	case three:
		if !w.taking {
			return ply + 4 - game.Win
		}
	}
	return 0
}

// check is a second fingerprint of the position, independent of its key.
func (w *worker) check() uint32 {
	return uint32(w.p.Value())<<9 ^ uint32(w.p.Empty()) ^
		uint32(w.p.Captured(game.Black)<<5|w.p.Captured(game.White))<<22
}

// learn moves a history value towards a bonus.
func (w *worker) learn(c game.Color, q game.Point, bonus int) {
	h := &w.history[c&1][q&(game.NumPoints-1)]
	*h += int16(bonus - int(*h)*abs(bonus)/8192)
}

// showLeaf tells whoever wants to know how the position was reached.
func (w *worker) showLeaf(ply int) {
	w.path = w.path[:0]
	for n := ply - 1; n >= 0; n-- {
		w.path = append(w.path, w.p.Last(n))
	}
	w.leaf(w.path)
}

// line makes a single move the line from ply on.
func (w *worker) line(ply int, q game.Point) {
	w.pv[ply][0] = q
	w.pvLen[ply] = 1
}

// extend puts q in front of the line of the next ply.
func (w *worker) extend(ply int, q game.Point) {
	n := min(w.pvLen[ply+1], maxPly)
	w.pv[ply][0] = q
	copy(w.pv[ply][1:], w.pv[ply+1][:n])
	w.pvLen[ply] = n + 1
}

// Wins are stored relative to their node, used relative to the root.
func toTable(v, ply int) int {
	switch {
	case v > game.MaxValue:
		return v + ply
	case v < -game.MaxValue:
		return v - ply
	}
	return v
}

func fromTable(v, ply int) int {
	switch {
	case v > game.MaxValue:
		return v - ply
	case v < -game.MaxValue:
		return v + ply
	}
	return v
}

// noEval marks a table entry without a static evaluation.
const noEval = math.MinInt16

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
