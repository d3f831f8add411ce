package mcts

import (
	"math"
	"slices"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// What an analysis tells beyond a tree's visits and means is summed up beside the tree, for the
// root and each of its moves: the tree's nodes stay small, and a search that nobody asks pays
// nothing. Every playout, or answer of a network, below a move counts once. A position's
// ownership is so the mean over the leaves of its tree, as KataGo's is (its document "Analysis
// Engine", includeOwnership).

// tally sums what was found below a move, as Black sees it.
type tally struct {
	n                   float64
	worth, worth2       float64 // values between 0 and 1, and their squares
	lead, score, score2 float64
	none                float64   // chances that the game has no result
	owner, owner2       []float64 // nil unless asked for
}

// finding is one playout, or one answer of a network, as Black sees it.
type finding struct {
	worth, lead, score, score2, none float64
	owner                            []float32 // by points of the board, row by row
}

func (t *tally) add(f *finding) {
	t.n++
	t.worth += f.worth
	t.worth2 += f.worth * f.worth
	t.lead += f.lead
	t.score += f.score
	t.score2 += f.score2
	t.none += f.none
	if t.owner != nil {
		for i, x := range f.owner {
			t.owner[i] += float64(x)
			t.owner2[i] += float64(x * x)
		}
	}
}

// study is what is found for an analysis. It is used under the lock of the tree.
type study struct {
	*game.Inquiry
	size   int
	side   game.Color // to move at the root
	root   tally
	moves  [game.NumPoints]*tally // by the root's move
	now    finding                // the latest
	net    *weiqi.Verdict         // on the root
	lawful []game.Point           // what the side to move may play at the root
}

func newStudy(q *game.Inquiry, p *weiqi.Position) *study {
	n := p.Size() * p.Size()
	s := &study{Inquiry: q, size: p.Size(), side: p.Side(), lawful: anything(p)}
	if q.Owners || q.MoveOwners {
		s.root.owner, s.root.owner2 = make([]float64, n), make([]float64, n)
		s.now.owner = make([]float32, n)
	}
	return s
}

// studies reports whether the search is an analysis and nothing else.
func (s *study) studies() bool { return s != nil && !s.Plays }

// bars reports whether a side may not play a move at a ply.
func (s *study) bars(c game.Color, q game.Point, ply int) bool {
	return s != nil && s.Barred != nil && ply < int(s.Barred[c][q])
}

// allowed returns the moves that a side may play at a ply: all of them if it may play none.
func (s *study) allowed(c game.Color, moves []game.Point, ply int) []game.Point {
	if s == nil || s.Barred == nil || !slices.ContainsFunc(moves, func(q game.Point) bool { return !s.bars(c, q, ply) }) {
		return moves
	}
	return slices.DeleteFunc(moves, func(q game.Point) bool { return s.bars(c, q, ply) })
}

// avoided returns what the side to move is barred from at the root.
func (s *study) avoided() (qs []game.Point) {
	if s == nil || s.Barred == nil {
		return nil
	}
	for q, until := range s.Barred[s.side] {
		if until > 0 {
			qs = append(qs, game.Point(q))
		}
	}
	return qs
}

// tempered flattens the chances of the root's moves as is wished.
func (s *study) tempered(v *weiqi.Verdict) *weiqi.Verdict {
	if s == nil || s.Temperature <= 0 || s.Temperature == 1 {
		return v
	}
	flat := *v
	for q, chance := range v.Policy {
		if chance > 0 {
			flat.Policy[q] = float32(math.Pow(float64(chance), 1/s.Temperature))
		}
	}
	return &flat
}

// unseen is by how much less than the root its moves are thought to be worth that were not
// looked at.
func (s *study) unseen() float32 {
	if s == nil || s.Unseen == nil {
		return unseenRoot
	}
	return float32(*s.Unseen)
}

// note counts what was found at the end of a path.
func (s *study) note(path []*node) {
	s.root.add(&s.now)
	if len(path) == 1 {
		return
	}
	q := path[1].point
	t := s.moves[q]
	if t == nil {
		t = &tally{}
		if s.MoveOwners {
			t.owner, t.owner2 = make([]float64, s.size*s.size), make([]float64, s.size*s.size)
		}
		s.moves[q] = t
	}
	t.add(&s.now)
}

// heard takes a network's verdict on a leaf where a side is to move.
func (s *study) heard(v *weiqi.Verdict, side game.Color, worth uint64) {
	sign := float32(1)
	if side == game.White {
		sign, worth = -1, one-worth
	}
	f := &s.now
	f.worth, f.none = float64(worth)/one, float64(v.NoResult)
	f.lead, f.score, f.score2 = float64(sign*v.Lead), float64(sign*v.Score), float64(v.ScoreSq)
	if f.owner != nil {
		i := 0
		for q := range board(s.size) {
			f.owner[i] = sign * v.Owner[q]
			i++
		}
	}
}

// end takes the end of a game with a lead of Black's, and whose the points are.
func (s *study) end(worth uint64, lead float64, owner func(game.Point) game.Color) {
	f := &s.now
	f.worth, f.none = float64(worth)/one, 0
	f.lead, f.score, f.score2 = lead, lead, lead*lead
	if f.owner != nil {
		i := 0
		for q := range board(s.size) {
			f.owner[i] = [...]float32{1, -1, 0, 0}[owner(q)]
			i++
		}
	}
}

// drawn takes a game without result.
func (s *study) drawn() {
	s.now = finding{worth: 0.5, none: 1, owner: s.now.owner}
	for i := range s.now.owner {
		s.now.owner[i] = 0
	}
}

// analysis describes the present state of a study.
func (w *worker) analysis() *game.Analysis {
	s, t := w.study, w.tree
	a := &game.Analysis{Side: s.side, Root: w.position()}
	if s.net != nil {
		a.Net = impression(s.net)
	}
	priors, sum := w.priors()
	for _, n := range w.ranked() {
		e := game.Estimate{
			Point: n.point, Visits: int64(n.visits), PV: t.line(n),
			Win: w.rate(n.mean()), Utility: 2*n.mean() - 1, Prior: priors(n) / sum,
		}
		for m := n; m != nil && len(e.PVVisits) < len(e.PV); m = t.favourite(m) {
			e.PVVisits = append(e.PVVisits, int64(m.visits))
		}
		// What was looked at only by an earlier search has no score of its own.
		of := s.moves[n.point]
		if of == nil {
			of = &s.root
		}
		w.judgeBy(&e, of, s.MoveOwners)
		a.Moves = append(a.Moves, e)
	}
	a.Policy = w.policy(priors, sum)
	return a
}

// position is the estimate of the root.
func (w *worker) position() game.Estimate {
	root := &w.tree.root
	worth := 1 - root.mean()
	e := game.Estimate{
		Point: game.NoPoint, Visits: int64(root.visits), Win: w.rate(worth), Utility: 2*worth - 1, Prior: 1,
	}
	if root.visits == 0 {
		e.Win, e.Utility = 0.5, 0
	}
	w.judgeBy(&e, &w.study.root, w.study.Owners)
	return e
}

// lowStdevs is how many standard deviations below a mean its lower end lies; lowSpread is that of
// a value of which nothing is known, and counts as much as one visit.
const (
	lowStdevs = 5
	lowSpread = 0.5
)

// judgeBy fills in what comes from a tally.
func (w *worker) judgeBy(e *game.Estimate, t *tally, owners bool) {
	n := max(t.n, 1)
	sign := 1.0
	if w.study.side == game.White {
		sign = -1
	}
	e.NoResult = t.none / n
	e.Lead, e.Score = sign*t.lead/n, sign*t.score/n
	e.ScoreDev = deviation(t.score, t.score2, n)
	// The lower end of what a mean of so many visits may be (Auer, Cesa-Bianchi and Fischer,
	// "Finite-time analysis of the multiarmed bandit problem", 2002, section 4, the variance
	// measured), for the values as the tree holds them.
	dev := deviation(t.worth, t.worth2, n)
	visits := float64(max(e.Visits, 1))
	low := lowStdevs * math.Sqrt((dev*dev*visits+lowSpread*lowSpread)/(visits+1)/visits)
	e.WinLow, e.UtilityLow = e.Win-low, e.Utility-2*low
	if owners && t.owner != nil {
		e.Owner, e.OwnerDev = make([]float32, len(t.owner)), make([]float32, len(t.owner))
		for i := range t.owner {
			e.Owner[i] = float32(sign*t.owner[i]/n) + 0 // no negative zero
			e.OwnerDev[i] = float32(deviation(t.owner[i], t.owner2[i], n))
		}
	}
}

// deviation returns the standard deviation of n numbers with a sum and a sum of squares.
func deviation(sum, squares, n float64) float64 {
	mean := sum / n
	return math.Sqrt(max(squares/n-mean*mean, 0))
}

// priors returns what the root's moves were given before any search, and the sum of that: a
// network's chances, or the odds of the playouts that stand for what is known of a move.
func (w *worker) priors() (of func(*node) float64, sum float64) {
	of = func(n *node) float64 { return float64(n.priorWon) / float64(n.prior-n.priorWon+1) }
	if w.network {
		of = func(n *node) float64 { return float64(n.prior) }
	}
	kids := w.tree.kids(&w.tree.root)
	for i := range kids {
		sum += of(&kids[i])
	}
	return of, max(sum, 1e-9)
}

// policy returns the chances of all moves: the network's own where there is one.
func (w *worker) policy(priors func(*node) float64, sum float64) []float32 {
	s := w.study
	var chances [game.NumPoints]float32
	if s.net != nil {
		chances = s.net.Policy
	} else {
		for q := range board(s.size) {
			chances[q] = -1
		}
		for _, q := range s.lawful {
			chances[q] = 0
		}
		kids := w.tree.kids(&w.tree.root)
		for i := range kids {
			chances[kids[i].point] = float32(priors(&kids[i]) / sum)
		}
	}
	policy := make([]float32, 0, s.size*s.size+1)
	for q := range board(s.size) {
		policy = append(policy, chances[q])
	}
	return append(policy, chances[game.Pass])
}

func impression(v *weiqi.Verdict) *game.Impression {
	score, square := float64(v.Score), float64(v.ScoreSq)
	return &game.Impression{
		Win: float64(v.Win) + float64(v.NoResult)/2, NoResult: float64(v.NoResult),
		Lead: float64(v.Lead), Score: score, ScoreDev: math.Sqrt(max(square-score*score, 0)),
		WinError: float64(v.ValueError), ScoreError: float64(v.ScoreError), TimeLeft: float64(v.VarianceTime),
	}
}
