package mcts

import (
	"cmp"
	"math"
	"slices"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// With a network nothing is played out. A leaf is worth what the network says, and its moves
// are looked at in the order of their chances, which is the search of AlphaGo Zero (Silver et
// al., "Mastering the game of Go without human knowledge", 2017, methods, "Search algorithm").
// The nodes are the same as without, but some fields have another meaning: the prior holds a move's
// chance in parts of sureness, and see answers, squares and said. The sum is that of as many equal
// values as there are answers.

const sureness = math.MaxUint16

// answers is how many visits of a node have brought a value. The others count as lost until they do.
func (n *node) answers() *uint32 { return &n.amafSum }

// squares is the sum of the squares of these values, in the same unit.
func (n *node) squares() *uint32 { return &n.amaf }

// said is what the network said of a node, as the side that made the move sees it.
func (n *node) said() *uint16 { return &n.priorWon }

const (
	// mostKids bounds the children of a node below the root. What comes after them has no
	// chance to speak of.
	mostKids = 64
	// explore is what a chance is worth against the mean of the values, which are between 0
	// and 1; it grows slowly with the visits (AlphaZero's form, Silver et al. 2018).
	explore     = 0.5
	exploreLog  = 0.45 * explore
	exploreBase = 500
	// It also grows with how far the values below a node lie apart, as the differences do that it
	// is weighed against. Before any is known that is usualSpread, which counts as much as
	// usualAnswers (Wu, "Other methods implemented in KataGo", section "Dynamic variance-scaled
	// cPUCT"; the numbers are those of that program's configuration).
	usualSpread  = 0.154
	usualAnswers = 2
	spreadShare  = 0.85
	// A move that was not looked at is thought to be somewhat worse than its parent, the
	// more so the more of the chances were looked at (first-play urgency: Gelly and Wang,
	// 2006; the form is Leela Zero's).
	unseen     = 0.1
	unseenRoot = 0.05
	// scoreShare is how much of a value is the score, the rest being the chance to win: so
	// points are not given away where the game is decided. It is measured from the score
	// expected at the root, in scoreWidth times the side of the board (Wu, "Accelerating
	// self-play learning in Go", 2019, section 4.4 and appendix).
	scoreShare = 0.15
	scoreWidth = 0.75
)

// leaf is an end of the tree that a worker has asked about.
type leaf struct {
	path    []*node
	side    game.Color
	over    bool // the game has ended there: it does not grow
	drawn   bool // without a result
	moves   []game.Point
	verdict weiqi.Verdict
}

// atOnce is how many questions are asked together, which is faster where a board is small.
// The first ones are asked one by one: they steer the others.
func (w *worker) atOnce() int {
	return min(len(w.leaves), 1+int(w.begun.Load()/askSlowly))
}

const (
	askSlowly   = 32
	askedPoints = 4 * 81
)

func askedAtOnce(size int) int { return max(1, askedPoints/(size*size)) }

// step does one round of the search, and reports whether there is to be another.
func (w *worker) step() bool {
	if w.asker != nil {
		return w.ask()
	}
	if !w.next() {
		return false
	}
	w.once()
	return true
}

// ask does one round with the network.
func (w *worker) ask() bool {
	n, more := 0, true
	for n < w.atOnce() {
		if more = w.next(); !more {
			break
		}
		l := &w.leaves[n]
		if !w.seek(l, n > 0) { // to a leaf that this round has asked about already
			w.begun.Add(-1)
			break
		}
		l.side = w.p.Side()
		l.over = w.over()
		if l.drawn = l.over && w.p.Cycle(); l.drawn {
			w.settle(l, one/2)
		} else {
			l.moves = w.study.allowed(l.side, w.playable(l.moves[:0]), len(l.path)-1)
			w.asker.Ask(w.p, w.komi, &l.verdict) // a remembered answer waits too: what is remembered changes no search
			n++
		}
		for range l.path[1:] {
			w.p.Unmake()
		}
	}
	w.answer()
	for i := range w.leaves[:n] {
		l := &w.leaves[i]
		w.settle(l, w.judged(&l.verdict, l.side))
	}
	return more
}

// answer waits for the network, and notes how long that takes: a search must end before an
// answer would come too late.
func (w *worker) answer() {
	began := w.elapsed()
	w.asker.Run()
	w.slowest = max(w.slowest, w.elapsed()-began)
}

// playable appends the points that the side to move may play on.
func (w *worker) playable(to []game.Point) []game.Point {
	for q := range board(w.p.Size()) {
		if w.p.At(q) == game.Empty && w.p.Playable(q) && !pointless(w.p, q) {
			to = append(to, q)
		}
	}
	return append(to, game.Pass)
}

// seek walks to a leaf. If it is being asked about, and so should not be, it goes back and
// reports false.
func (w *worker) seek(l *leaf, fresh bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.tree
	n := &t.root
	l.path = append(l.path[:0], n)
	for {
		n.visits++ // and lost until the answer comes, as in descend
		if n.kids == 0 || len(l.path) > w.maxDepth {
			break
		}
		worse := float32(unseen)
		if len(l.path) == 1 {
			worse = w.study.unseen()
		}
		n = t.promising(n, worse)
		l.path = append(l.path, n)
		w.p.Make(n.point)
	}
	if fresh && n.visits-1 > *n.answers() {
		for i, n := range l.path {
			n.visits--
			if i > 0 {
				w.p.Unmake()
			}
		}
		return false
	}
	t.deep = max(t.deep, len(l.path)-1)
	return true
}

// settle gives a leaf its children, and its value for the side to move to all nodes on the
// way.
func (w *worker) settle(l *leaf, v uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := l.path[len(l.path)-1]
	*n.said() = uint16(one - v)
	if n.kids == 0 && !l.over && len(l.path) <= w.maxDepth {
		w.tree.sprout(n, l.moves, &l.verdict, mostKids)
	}
	if s := w.study; s != nil {
		if l.drawn {
			s.drawn()
		} else {
			s.heard(&l.verdict, l.side, v)
		}
		s.note(l.path)
	}
	for i := len(l.path) - 1; i >= 0; i-- {
		*l.path[i].answers()++
		w.tree.weigh(l.path[i])
	}
}

// weigh makes the value of a node that of what the network said of it and of its children, each by
// its answers, but those that seem bad count less, the more so the surer that is: their visits went
// to find out that they are not what will be played. A difference is measured as a value of
// Student's distribution with three degrees of freedom, in a width that shrinks with the answers
// (the form is that of KataGo's valueWeightExponent). With the spread in promising and the choice of
// surest it gives 60 % +- 10 of 100 games on 9x9 at 16 visits.
func (t *tree) weigh(n *node) {
	kids := t.kids(n)
	mean, count := 0.0, 0.0 // of the children, for the side to move at n
	for i := range kids {
		if k := &kids[i]; *k.answers() > 0 {
			mean += float64(k.sum)
			count += float64(*k.answers())
		}
	}
	mean /= max(one*count, 1)
	said := float64(*n.said()) / one
	sum, squares, weights := 0.0, 0.0, 0.0
	for i := range kids {
		k := &kids[i]
		if *k.answers() == 0 {
			continue
		}
		answers := float64(*k.answers())
		v := float64(k.sum) / (one * answers)
		weight := answers * math.Pow(student3((v-mean)*math.Sqrt(math.Sqrt(answers))/badWidth)+1e-4, badExponent)
		sum += weight * (1 - v)
		squares += weight * (1 - 2*v + float64(*k.squares())/(one*answers))
		weights += weight
	}
	// Together they count as their answers do.
	share := count / max(weights, 1e-9)
	mean = (said + sum*share) / (1 + count)
	square := (said*said + squares*share) / (1 + count)
	answers := one * float64(*n.answers())
	n.sum = uint64(math.Round(mean * answers))
	*n.squares() = uint32(min(math.Round(square*answers), math.MaxUint32))
}

const (
	badWidth    = 0.314 // of a difference of values, after one answer
	badExponent = 0.25
)

// student3 is the distribution function of Student's t with three degrees of freedom.
func student3(t float64) float64 {
	x := t / math.Sqrt(3)
	return 0.5 + (x/(1+x*x)+math.Atan(x))/math.Pi
}

// moments returns the mean and the variance of the values below a node that has answers.
func (n *node) moments() (mean, variance float64) {
	answers := float64(*n.answers())
	mean = float64(n.sum) / (one * answers)
	return mean, float64(*n.squares())/(one*answers) - mean*mean
}

// spread is the standard deviation of the values below a node, mixed with what is usual.
func (n *node) spread() float64 {
	answers := float64(*n.answers())
	if answers <= 1 {
		return usualSpread
	}
	_, variance := n.moments()
	return math.Sqrt((max(variance, 0)*answers + usualAnswers*usualSpread*usualSpread) / (answers + usualAnswers - 1))
}

// surest returns the child that is the best one even if chance was on its side: the mean less some
// standard deviations of what it may be off by is the highest, of those that were looked at enough
// (Wu, "Other methods implemented in KataGo", section "Using LCB for move selection"). The
// deviation is as if some small part of a visit had come out as far off as can be.
func (t *tree) surest(n *node) *node {
	kids := t.kids(n)
	best := t.favourite(n)
	enough, most := uint32(sureShare*float64(best.visits)), math.Inf(-1)
	for i := range kids {
		k := &kids[i]
		if *k.answers() == 0 || k.visits < enough {
			continue
		}
		answers := float64(*k.answers())
		mean, variance := k.moments()
		part := 1 / (answers * answers)
		variance += part / (answers + part) * farthest
		if low := mean - lowStdevs*math.Sqrt(max(variance, 0)/(answers+part)); low > most {
			best, most = k, low
		}
	}
	return best
}

const (
	sureShare = 0.15
	farthest  = 0.25 // the square of half the range of values
)

// judged is the worth of a verdict for the side to move.
func (s *shared) judged(v *weiqi.Verdict, side game.Color) uint64 {
	score := float64(v.Score)
	if side == game.White {
		score = -score
	}
	share := 0.5 + math.Atan((score-s.expected)/(scoreWidth*float64(s.side)))/math.Pi
	if side == game.White {
		share = 1 - share
	}
	win := float64(v.Win) + float64(v.NoResult)/2
	return uint64(math.Round(one * (win + scoreShare*(share-win))))
}

// rate is the chance to win that a mean stands for.
func (s *shared) rate(mean float64) float64 {
	if !s.network {
		return mean
	}
	return min(max((mean-scoreShare/2)/(1-scoreShare), 0), 1)
}

// sprout gives a node its children, those with the best chances, best first.
func (t *tree) sprout(n *node, moves []game.Point, v *weiqi.Verdict, most int) {
	slices.SortStableFunc(moves, func(a, b game.Point) int { return cmp.Compare(v.Policy[b], v.Policy[a]) })
	moves = moves[:min(len(moves), most)]
	sum := float32(1e-9)
	for _, q := range moves {
		sum += max(v.Policy[q], 0)
	}
	if !t.room(n, len(moves)) {
		return
	}
	kids := t.kids(n)
	for i, q := range moves {
		kids[i] = node{point: q, prior: uint16(max(v.Policy[q], 0) / sum * sureness)}
	}
}

// promising returns the child to look at next: the best by its mean and, the less it was
// looked at, by its chance. What was not looked at is thought to be somewhat worse than n.
func (t *tree) promising(n *node, worse float32) *node {
	kids := t.kids(n)
	var visits, seen float32
	for i := range kids {
		if k := &kids[i]; k.visits > 0 {
			visits += float32(k.visits)
			seen += float32(k.prior)
		}
	}
	// The present visit has no value yet.
	fpu := 1 - float32(float64(n.sum)/float64(one*max(uint64(n.visits)-1, 1))) - worse*float32(math.Sqrt(float64(seen/sureness)))
	c := explore + exploreLog*math.Log((float64(visits)+exploreBase)/exploreBase)
	c *= 1 + spreadShare*(n.spread()/usualSpread-1)
	scale := float32(c * math.Sqrt(float64(visits)+0.01) / sureness)
	best, most := &kids[0], float32(math.Inf(-1))
	virgin := false
	for i := range kids {
		k := &kids[i]
		q := fpu
		if k.visits > 0 {
			q = float32(float64(k.sum) / float64(one*uint64(k.visits)))
		} else if virgin {
			continue // the first of them has the best chance
		} else {
			virgin = true
		}
		if u := q + float32(scale*float32(k.prior))/float32(1+k.visits); u > most {
			best, most = k, u
		}
	}
	return best
}

// begin asks about the root and gives it its children. It is the first visit.
func (w *worker) begin(moves []game.Point) {
	l := &w.leaves[0]
	if !w.asker.Ask(w.p, w.komi, &l.verdict) {
		w.answer()
	}
	w.expected = float64(l.verdict.Score)
	if w.p.Side() == game.White {
		w.expected = -w.expected
	}
	root := &w.tree.root
	w.tree.sprout(root, slices.Clone(moves), w.study.tempered(&l.verdict), len(moves))
	worth := w.judged(&l.verdict, w.p.Side())
	root.visits, *root.answers(), *root.said() = 1, 1, uint16(one-worth)
	w.tree.weigh(root)
	if s := w.study; s != nil {
		v := l.verdict
		s.net = &v
		s.heard(&v, w.p.Side(), worth)
		s.root.add(&s.now)
	}
	w.begun.Add(1)
}
