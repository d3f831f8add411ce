package train

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/engine/threat"
	"tengen/eval"
)

// Scale is how many points of evaluation make the odds of winning e to one.
const Scale = 160

// Settings of a fit.
type Fit struct {
	Rules  line.Rules
	Epochs int
	Rate   float64 // learning rate at the start; falls to nothing
	Blend  float64 // share of the game's result in the target, the rest is the search's
	Seed   uint64
	Log    io.Writer
}

// sample is one position: which entries it sums, and what the sum should come to.
type sample struct {
	from, to int32 // in Set.terms
	threat   int16
	captured [3]uint8 // as eval.Captured tells
	side     uint8
	held     bool // kept out of training
	target
}

// term is a table entry and how many points have it.
type term struct {
	entry uint16 // colour-relative: NumCodes*(waiting) + number
	count uint8
}

// Set is the positions of a collection of games.
type Set struct {
	samples []sample
	terms   []term
	p       *line.Position
	vcf     *threat.VCF
}

// Len returns the number of positions.
func (s *Set) Len() int { return len(s.samples) }

// Add takes in the positions of a game on which a search would call the evaluation:
// nothing to take or to stop at once, no win by fours. held keeps them for testing.
func (s *Set) Add(r line.Rules, g *Game, held bool) error {
	if s.p == nil || s.p.Size() != g.Size {
		s.p = line.NewPosition(line.NewTable(r, nil), g.Size)
		s.vcf = threat.NewVCF(0)
	}
	return visit(s.p, s.vcf, g, func(t target) { s.take(s.p, t, held) })
}

// target is what is known of a position, as chances of the side to move.
type target struct{ result, search float32 }

// decided reports whether somebody won, or a search saw that.
func (t target) decided() bool { return t.result == 0 || t.result == 1 }

// visit plays a game and calls f before each played move, and at each leaf, at which a
// search would call the evaluation: nothing to take or to stop at once, no win by fours.
// Nobody knows the result of a leaf: what the search thought of it stands for that too.
func visit(p *line.Position, vcf *threat.VCF, g *Game, f func(target)) error {
	p.Reset()
	put := func(m int) error {
		q := game.Point(m)
		if p.At(q) != game.Empty {
			return fmt.Errorf("a stone on a stone: %v", g.Moves)
		}
		p.Make(q)
		return nil
	}
	leaves := g.Leaves
	for i := 0; ; i++ {
		for ; len(leaves) > 0 && leaves[0].After == i; leaves = leaves[1:] {
			l := &leaves[0]
			for k, m := range l.Moves {
				if err := put(m); err != nil {
					return fmt.Errorf("a leaf after %d moves: %w, %v", i, err, l.Moves[:k+1])
				}
			}
			if quiet(p, vcf) {
				v := float32(squash(float64(l.Value)))
				f(target{v, v})
			}
			for range l.Moves {
				p.Unmake()
			}
		}
		if i == len(g.Moves) {
			return nil
		}
		if i >= g.Opening && quiet(p, vcf) {
			won := float32(g.Winner)
			if p.Side() == game.White {
				won = -won
			}
			f(target{(1 + won) / 2, float32(squash(float64(g.Values[i-g.Opening])))})
		}
		if err := put(g.Moves[i]); err != nil {
			return err
		}
	}
}

func quiet(p *line.Position, vcf *threat.VCF) bool {
	me, foe := p.Side(), p.Side().Other()
	if p.Count(me, line.Five)+p.Count(me, line.OpenFour)+p.Count(foe, line.Five) > 0 {
		return false
	}
	return vcf.Solve(p, 100, nil).Status != threat.Win
}

func (s *Set) take(p *line.Position, t target, held bool) {
	me := p.Side()
	x := sample{
		from:   int32(len(s.terms)),
		threat: int16(eval.Threats(p)),
		side:   uint8(me),
		held:   held,
		target: t,
	}
	if p.Rules().Capture != 0 {
		mine, theirs, next := eval.Captured(p)
		x.captured = [3]uint8{uint8(mine), uint8(theirs), uint8(next)}
	}
	var count [2 * eval.NumCodes]uint8
	var seen []uint16
	for y := range p.Size() {
		for col := range p.Size() {
			q := game.At(col, y)
			if p.At(q) != game.Empty {
				continue
			}
			for c := range game.Empty {
				shapes := p.Shapes(c, q)
				slices.Sort(shapes[:])
				n := eval.Number(shapes)
				if c != me {
					n += eval.NumCodes
				}
				if count[n] == 0 {
					seen = append(seen, uint16(n))
				}
				if count[n] < 255 {
					count[n]++
				}
			}
		}
	}
	slices.Sort(seen)
	for _, n := range seen {
		s.terms = append(s.terms, term{n, count[n]})
	}
	x.to = int32(len(s.terms))
	s.samples = append(s.samples, x)
}

func squash(v float64) float64 { return 1 / (1 + math.Exp(-v/Scale)) }

// model is the weights as real numbers, in points: by side to move, then by entry
// (own codes while moving, the other's codes while waiting), then by threat.
type model struct {
	value  [2][2 * eval.NumCodes]float64
	threat [2][eval.NumThreats]float64
	taken  [len(eval.Taking{}.Taken)]float64
	next   [len(eval.Taking{}.Next)]float64
}

func (m *model) sum(s *Set, x *sample) float64 {
	c := &x.captured
	v := m.threat[x.side][x.threat] + m.taken[c[0]] - m.taken[c[1]] + m.next[c[2]]
	w := &m.value[x.side]
	for _, t := range s.terms[x.from:x.to] {
		v += w[t.entry] * float64(t.count)
	}
	return v
}

// Run fits weights to a set and returns them. Positions of both sides share their
// numbers where the rules are the same for both.
func (f *Fit) Run(s *Set) *eval.Weights {
	m, sq := new(model), new(model)
	same := alike(f.Rules)
	if same {
		for i := range s.samples {
			s.samples[i].side = 0
		}
	}
	var order []int
	for i := range s.samples {
		if !s.samples[i].held {
			order = append(order, i)
		}
	}
	rng := rand.New(rand.NewPCG(f.Seed, 0))
	f.report(s, m, 0)
	steps, total := 0, f.Epochs*len(order)
	for epoch := range f.Epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			x := &s.samples[i]
			target := f.Blend*float64(x.result) + (1-f.Blend)*float64(x.search)
			g := squash(m.sum(s, x)) - target
			// AdaGrad (Duchi, Hazan and Singer 2011): each entry at a pace of its own.
			rate := f.Rate * (1 - float64(steps)/float64(total))
			steps++
			step := func(w, sq *float64, by float64) {
				*sq += by * by
				*w -= rate * by / math.Sqrt(*sq+1)
			}
			for _, t := range s.terms[x.from:x.to] {
				step(&m.value[x.side][t.entry], &sq.value[x.side][t.entry], g*float64(t.count))
			}
			step(&m.threat[x.side][x.threat], &sq.threat[x.side][x.threat], g)
			if c := &x.captured; f.Rules.Capture != 0 {
				step(&m.taken[c[0]], &sq.taken[c[0]], g)
				step(&m.taken[c[1]], &sq.taken[c[1]], -g)
				step(&m.next[c[2]], &sq.next[c[2]], g)
			}
		}
		f.report(s, m, epoch+1)
	}
	if same {
		m.value[1], m.threat[1] = m.value[0], m.threat[0]
	}
	w := m.weights()
	if f.Rules.Capture != 0 {
		w.Taking = m.taking()
	}
	return w
}

func round(v float64) int16 {
	return int16(max(-line.MaxValue, min(line.MaxValue, math.Round(v*line.ValueUnit))))
}

// taking rounds what a model has learned of captures.
func (m *model) taking() *eval.Taking {
	t := new(eval.Taking)
	wide := func(v float64) int16 { // no table of a position's points holds these
		return int16(max(math.MinInt16, min(math.MaxInt16, math.Round(v*line.ValueUnit))))
	}
	for i, v := range m.taken {
		t.Taken[i] = wide(v)
	}
	for i, v := range m.next {
		t.Next[i] = wide(v)
	}
	return t
}

// weights rounds a model. In the model the side to move owns the moving entries and
// the other the waiting ones, which count against it in the table.
func (m *model) weights() *eval.Weights {
	w := new(eval.Weights)
	for side := range 2 {
		for n := range eval.NumCodes {
			w.Points[side][0][n] = round(m.value[side][n])
			w.Points[1-side][1][n] = round(-m.value[side][n+eval.NumCodes])
		}
		for n := range eval.NumThreats {
			w.Threats[side][n] = round(m.threat[side][n])
		}
	}
	return w
}

// report writes the cross entropy and the share of games whose winner is named, in
// training and held out.
func (f *Fit) report(s *Set, m *model, epoch int) {
	if f.Log == nil {
		return
	}
	var loss [2]float64
	var right, n, decided [2]float64
	for i := range s.samples {
		x := &s.samples[i]
		k := b2i(x.held)
		p := squash(m.sum(s, x))
		p = min(max(p, 1e-9), 1-1e-9)
		target := f.Blend*float64(x.result) + (1-f.Blend)*float64(x.search)
		loss[k] -= target*math.Log(p) + (1-target)*math.Log(1-p)
		n[k]++
		if x.decided() {
			decided[k]++
			if (p > 0.5) == (x.result > 0.5) {
				right[k]++
			}
		}
	}
	fmt.Fprintf(f.Log, "epoch %2d  loss %.4f, held out %.4f  winner %.1f %%, held out %.1f %%\n", epoch,
		loss[0]/n[0], loss[1]/max(n[1], 1), 100*right[0]/max(decided[0], 1), 100*right[1]/max(decided[1], 1))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
