package train

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"unsafe"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/engine/threat"
	"tengen/eval"
	"tengen/eval/nnue"
)

const (
	width  = nnue.Width
	hidden = nnue.Hidden
)

// NetSet is the positions a network learns from.
type NetSet struct {
	samples []cells
	pairs   []uint32 // of a sample's empty points, each kind once: by direction a byte, Black's shape times 16 plus White's
	kinds   []uint8  // of a sample's points: 1 for the first of its pairs and so on, 0 where no stone may go
	p       *line.Position
	eval    eval.Evaluator
	vcf     *threat.VCF
}

// cells is one position.
type cells struct {
	from, to int     // in pairs
	points   int     // in kinds
	size     int8    // of the board
	table    float32 // what the table says, as a logit for the side to move
	threat   int16
	side     uint8
	held     bool // kept out of training
	target
}

// Len returns the number of positions.
func (s *NetSet) Len() int { return len(s.samples) }

// Add takes in the positions of a game on which a search would call the evaluation. held
// keeps them for testing. A position with points of more than 255 kinds is left out, as no game
// has one.
func (s *NetSet) Add(r line.Rules, g *Game, held bool) error {
	if s.p == nil || s.p.Size() != g.Size {
		s.p = line.NewPosition(eval.Table(r), g.Size)
		s.vcf = threat.NewVCF(0)
		s.eval = eval.Plain(r)
	}
	return visit(s.p, s.vcf, g, func(t target) { s.take(t, held) })
}

func (s *NetSet) take(t target, held bool) {
	p := s.p
	me := p.Side()
	x := cells{
		from: len(s.pairs), points: len(s.kinds), size: int8(p.Size()),
		threat: int16(eval.Threats(p)), side: uint8(me), held: held,
		table:  float32(s.eval.Evaluate(p)) / Scale,
		target: t,
	}
	for y := range p.Size() {
		for col := range p.Size() {
			q := game.At(col, y)
			if p.At(q) != game.Empty {
				s.kinds = append(s.kinds, 0)
				continue
			}
			directions := nnue.PairsOf(p.Pattern(q))
			pairs := binary.LittleEndian.Uint32(directions[:])
			k := slices.Index(s.pairs[x.from:], pairs)
			if k < 0 {
				k = len(s.pairs) - x.from
				s.pairs = append(s.pairs, pairs)
			}
			s.kinds = append(s.kinds, uint8(k+1))
		}
	}
	if x.to = len(s.pairs); x.to-x.from > math.MaxUint8 {
		s.pairs, s.kinds = s.pairs[:x.from], s.kinds[:x.points]
		return
	}
	s.samples = append(s.samples, x)
}

// params is a network's numbers, or their gradient.
type params struct {
	R  [2][256]unitRow // by side whose row it is if rules differ; own shape times 16 plus the other's
	B1 [2]unitRow
	K  [2]kernelRows
	W2 [2]mixRows // by input, first those of the view of the side to move
	B2 [2]hiddenRow
	Th [2][eval.NumThreats]hiddenRow
	W3 [2]hiddenRow
	B3 [2]float32
}

const numParams = 2 * (256*width + width + 4*width + hidden*2*width + hidden + eval.NumThreats*hidden + hidden + 1)

// flat sees the parameters as one list.
func flat(m *params) []float32 { return unsafe.Slice((*float32)(unsafe.Pointer(m)), numParams) }

// clamp01 limits a to [0,1].
func clamp01(a float32) float32 { return min(max(a, 0), 1) }

// scratch is what one worker computes with.
type scratch struct {
	v, u  [2][256]unitRow        // units before and behind the limits, by kinds
	board [2][mostPoints]unitRow // behind them on the board, with a border of none
	o     [2][mostPoints]unitRow // behind the kernel, before the limits
	in    inputRow               // of the hidden layer
	z     hiddenRow              // hidden units before the limits
	d     [mostPoints]unitRow    // a gradient on the board
	size  int8                   // of the board whose border is clear
	grad  params
}

// mostPoints is those of the largest board with its border.
const mostPoints = (line.MaxSize + 2) * (line.MaxSize + 2)

// inScale turns sums over a board into inputs of the hidden layer.
const inScale = 1.0 / 16

// forward returns the logit of a position for the side to move.
func (m *params) forward(s *NetSet, x *cells, same bool, w *scratch) float32 {
	pairs, kinds, size := s.pairs[x.from:x.to], s.kinds[x.points:], int(x.size)
	if w.size != x.size {
		w.board, w.d, w.size = [2][mostPoints]unitRow{}, [mostPoints]unitRow{}, x.size
	}
	for k := range 2 { // 0: the side to move's view, 1: the other's
		own := x.side ^ uint8(k)
		set := own
		if same {
			set = 0
		}
		u, board := &w.u[k], w.board[k][:]
		units(w.v[k][1:], u[1:], &m.R[set], &m.B1[set], pairs, own == 1)
		for y := range size {
			row := board[(y+1)*(size+2)+1:]
			for col, kind := range kinds[y*size:][:size] {
				row[col] = u[kind]
			}
		}
		var h unitRow
		for y := range size {
			convolve(w.o[k][y*size:][:size], &h, board, size+2, (y+1)*(size+2)+1, &m.K[set])
		}
		for j := range h {
			w.in[k*width+j] = inScale * h[j]
		}
	}
	side := x.side
	if same {
		side = 0
	}
	B2, Th := &m.B2[side], &m.Th[side][x.threat]
	for u := range w.z {
		w.z[u] = B2[u] + Th[u]
	}
	mix(&w.z, &w.in, &m.W2[side])
	y := x.table + m.B3[side]
	for u, a := range w.z {
		y += m.W3[side][u] * clamp01(a)
	}
	return y
}

// backward adds the gradient of a position's loss, g of its logit, to the worker's.
func (m *params) backward(s *NetSet, x *cells, same bool, w *scratch, g float32) {
	side := x.side
	if same {
		side = 0
	}
	G := &w.grad
	G.B3[side] += g
	var d hiddenRow
	for u, a := range w.z {
		G.W3[side][u] += g * clamp01(a)
		if a > 0 && a < 1 {
			d[u] = g * m.W3[side][u]
			G.B2[side][u] += d[u]
			G.Th[side][x.threat][u] += d[u]
		}
	}
	var din inputRow
	unmix(&d, &w.in, &din, &m.W2[side], &G.W2[side])
	size := int(x.size)
	for k := range 2 {
		own := x.side ^ uint8(k)
		set := own
		if same {
			set = 0
		}
		var dh, none unitRow
		for j := range dh {
			dh[j] = inScale * din[k*width+j]
		}
		// The way back of a kernel that is alike in all directions is to put it on the gradient.
		o, board := &w.o[k], w.board[k][:]
		for y := range size {
			at := (y+1)*(size+2) + 1
			turn(w.d[at:], o[y*size:][:size], &dh, board, size+2, at, &G.K[set])
		}
		K := m.K[set]
		K[3] = unitRow{}
		du := &w.u[k]
		*du = [256]unitRow{}
		for y := range size {
			row := o[y*size:][:size]
			convolve(row, &none, w.d[:], size+2, (y+1)*(size+2)+1, &K)
			gather(du[:], row, s.kinds[x.points+y*size:][:size])
		}
		du[0] = unitRow{}
		spread(du[1:], w.v[k][1:], &G.R[set], &G.B1[set], s.pairs[x.from:x.to], own == 1)
	}
}

// learn adds what a position teaches to the worker's gradient: the target is the game's
// result for a share of blend and the search's value for the rest.
func (m *params) learn(s *NetSet, x *cells, same bool, w *scratch, blend float64) {
	target := float32(blend)*x.result + float32(1-blend)*x.search
	y := m.forward(s, x, same, w)
	m.backward(s, x, same, w, float32(squash(float64(y)*Scale))-target)
}

// NetFit are the settings of a network's fit. The same settings and positions give the
// same network.
type NetFit struct {
	Rules   line.Rules
	Epochs  int
	Batch   int       // positions of a step
	Rate    float64   // learning rate at the start; falls to nothing
	Blend   float64   // share of the game's result in the target, the rest is the search's
	Seed    uint64    // of the first numbers and of the order
	From    *nnue.Net // a network to begin with, of this game or another; nil for random numbers
	Workers int
	Log     io.Writer
	State   string // file that keeps the fit after each epoch, to go on from; "" for none
	Losses  []Loss // of the network at the start and after each epoch, filled in by Run
}

// Run fits a network to a set. Positions of both sides share their numbers where the rules
// are the same for both. The method is Adam (Kingma and Ba, 2015) on small batches. It goes
// on from what State holds, with the same result as if it had never stopped. When ctx is
// done it ends with its error; errors else are of State, or that there are fewer positions
// than a step takes.
func (f *NetFit) Run(ctx context.Context, s *NetSet) (*nnue.Net, error) {
	same := alike(f.Rules)
	rng := rand.New(rand.NewPCG(f.Seed, 0))
	m, m1, m2 := f.begin(rng), new(params), new(params)
	var order []int
	for i := range s.samples {
		if !s.samples[i].held {
			order = append(order, i)
		}
	}
	if len(order) < f.Batch {
		return nil, fmt.Errorf("%d positions to learn from are less than a step of %d", len(order), f.Batch)
	}
	ws := make([]*scratch, max(1, f.Workers))
	for i := range ws {
		ws[i] = new(scratch)
	}
	steps, total, done := 0, f.Epochs*(len(order)/f.Batch), 0
	if f.State != "" {
		c, err := f.load(s)
		if err != nil {
			return nil, err
		}
		if c != nil {
			done, steps, f.Losses = c.Epochs, c.Steps, c.Losses
			copy(flat(m), c.M)
			copy(flat(m1), c.M1)
			copy(flat(m2), c.M2)
			f.logf("%d of %d epochs were done\n", done, f.Epochs)
		}
	}
	if done == 0 {
		f.Losses = nil
		f.report(s, m, same, 0, ws[0])
	}
	for epoch := range f.Epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		if epoch < done {
			continue
		}
		for at := 0; at+f.Batch <= len(order); at += f.Batch {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			var group sync.WaitGroup
			for k, w := range ws {
				group.Go(func() {
					for i := at + k; i < at+f.Batch; i += len(ws) {
						m.learn(s, &s.samples[order[i]], same, w, f.Blend)
					}
				})
			}
			group.Wait()
			steps++
			rate := f.Rate * (1 - float64(steps)/float64(total+1))
			adam(m, m1, m2, ws, f.Batch, steps, rate)
		}
		f.report(s, m, same, epoch+1, ws[0])
		if f.State != "" {
			c := checkpoint{f.title(s), epoch + 1, steps, flat(m), flat(m1), flat(m2), f.Losses}
			if err := c.save(f.State); err != nil {
				return nil, err
			}
		}
	}
	return m.net(same), nil
}

func (f *NetFit) logf(format string, args ...any) {
	if f.Log != nil {
		fmt.Fprintf(f.Log, format, args...)
	}
}

// Steps makes training steps from random numbers and returns how many positions it looked
// at, some several times where there are few: for measuring what training costs.
func Steps(r line.Rules, s *NetSet) int {
	if s.Len() == 0 {
		return 0
	}
	const batch, steps = 64, 64
	f := NetFit{Rules: r, Seed: 1, Blend: 0.5}
	same := alike(r)
	m, m1, m2, w := f.begin(rand.New(rand.NewPCG(1, 0))), new(params), new(params), new(scratch)
	for k := range steps {
		for i := range batch {
			m.learn(s, &s.samples[(k*batch+i)%s.Len()], same, w, f.Blend)
		}
		adam(m, m1, m2, []*scratch{w}, batch, k+1, 0.002)
	}
	return steps * batch
}

// begin returns the network before the first step.
func (f *NetFit) begin(rng *rand.Rand) *params {
	m := new(params)
	if f.From != nil {
		m.read(f.From)
		return m
	}
	for c := range 2 {
		for i := range m.R[c] {
			for j := range m.R[c][i] {
				m.R[c][i][j] = float32(rng.NormFloat64() * 0.1)
			}
		}
		for i, mean := range [3]float64{0.7, 0, 0} {
			for j := range m.K[c][i] {
				m.K[c][i][j] = float32(mean + rng.NormFloat64()*0.1)
			}
		}
		for u := range hidden {
			for j := range m.W2[c] {
				m.W2[c][j][u] = float32(rng.NormFloat64() * 0.18)
			}
			m.B2[c][u] = float32(0.25 + 0.25*rng.Float64())
			m.W3[c][u] = float32(rng.NormFloat64() * 0.05)
		}
	}
	return m
}

// alike reports whether a game's rules are the same for both sides.
func alike(r line.Rules) bool {
	return r.Six[0] == r.Six[1] && r.NoDouble3[0] == r.NoDouble3[1] && r.NoDouble4[0] == r.NoDouble4[1]
}

// adam makes a step against the gradients of the workers' parts of a batch, which it
// clears.
func adam(m, m1, m2 *params, ws []*scratch, batch, t int, rate float64) {
	const b1, b2 = 0.9, 0.999
	g := flat(&ws[0].grad)
	for _, w := range ws[1:] {
		for i, d := range flat(&w.grad) {
			g[i] += d
		}
		w.grad = params{}
	}
	c1 := 1 - math.Pow(b1, float64(t))
	c2 := 1 - math.Pow(b2, float64(t))
	step(flat(m), flat(m1), flat(m2), g, &pace{
		inv: 1 / float32(batch), b1: b1, c1: 1 - b1, b2: b2, c2: 1 - b2,
		rate: float32(rate * math.Sqrt(c2) / c1), eps: 1e-8, tiny: 1e-30,
	})
}

// report notes and writes how well a network does.
func (f *NetFit) report(s *NetSet, m *params, same bool, epoch int, w *scratch) {
	var loss, base, right, n, decided [2]float64
	for i := range s.samples {
		x := &s.samples[i]
		k := b2i(x.held)
		if k == 0 && i%16 != 0 {
			continue
		}
		y := float64(m.forward(s, x, same, w))
		target := f.Blend*float64(x.result) + (1-f.Blend)*float64(x.search)
		ce := func(y float64) float64 {
			p := min(max(squash(y*Scale), 1e-9), 1-1e-9)
			return -target*math.Log(p) - (1-target)*math.Log(1-p)
		}
		loss[k] += ce(y)
		base[k] += ce(float64(x.table))
		n[k]++
		if x.decided() {
			decided[k]++
			if (y > 0) == (x.result > 0.5) {
				right[k]++
			}
		}
	}
	share := func(a, b [2]float64, k int) float64 { return a[k] / max(b[k], 1) }
	l := Loss{epoch, share(loss, n, 0), share(loss, n, 1), share(base, n, 0), share(base, n, 1), share(right, decided, 0), share(right, decided, 1)}
	f.Losses = append(f.Losses, l)
	f.logf("epoch %2d  loss %.4f, held out %.4f (table %.4f, %.4f)  winner %.1f %%, held out %.1f %%\n", epoch,
		l.Train, l.Held, l.TrainTable, l.HeldTable, 100*l.TrainWinner, 100*l.HeldWinner)
}

// kernels is what stands for 1 in each of a kernel's rows, and the most that is rounded to: all
// together they fit a word.
var kernels = [4]struct {
	one  float32
	most int
}{{nnue.KernelOne, 16000}, {nnue.KernelOne, 12000}, {nnue.KernelOne, 12000}, {nnue.PointOne, 4000}}

// net rounds a network to the integers in which it is computed.
func (m *params) net(same bool) *nnue.Net {
	n := new(nnue.Net)
	word := func(v float32, most int) int16 {
		return int16(max(-most, min(most, int(math.Round(float64(v))))))
	}
	set := func(side int) int {
		if same {
			return 0
		}
		return side
	}
	for i := range n.Rows {
		b, w := i>>4, i&15
		for j := range width {
			n.Rows[i][j] = word(m.R[0][i][j]*nnue.One, 4000)
			n.Rows[i][width+j] = word(m.R[set(1)][w<<4|b][j]*nnue.One, 4000)
		}
	}
	for j := range n.Rows[nnue.StoneRow] {
		n.Rows[nnue.StoneRow][j] = nnue.Never
	}
	for j := range width {
		n.Bias[j] = word(m.B1[0][j]*nnue.One, 4000)
		n.Bias[width+j] = word(m.B1[set(1)][j]*nnue.One, 4000)
		for i, k := range kernels {
			n.Kernel[i][j] = word(m.K[0][i][j]*k.one, k.most)
			n.Kernel[i][width+j] = word(m.K[set(1)][i][j]*k.one, k.most)
		}
	}
	for side := range 2 {
		h, k := &n.Head[side], set(side)
		for u := range hidden {
			for j := range 2 * width {
				h.In[j/2][u][j%2] = word(m.W2[k][j][u]*nnue.WeightOne, 4000)
			}
			for t := range h.Threat {
				h.Threat[t][u] = int32(math.Round(float64(m.B2[k][u]+m.Th[k][t][u]) * nnue.InOne * nnue.WeightOne))
			}
			h.Out[u] = int32(word(m.W3[k][u]*Scale*nnue.OutUnits*256/nnue.MidOne, 32000))
		}
		h.Base = int32(math.Round(float64(m.B3[k]) * Scale * nnue.OutUnits))
	}
	return n
}

// read takes the integers of a network for its numbers.
func (m *params) read(n *nnue.Net) {
	for i := range n.Rows {
		b, w := i>>4, i&15
		for j := range width {
			m.R[0][i][j] = float32(n.Rows[i][j]) / nnue.One
			m.R[1][w<<4|b][j] = float32(n.Rows[i][width+j]) / nnue.One
		}
	}
	for j := range width {
		m.B1[0][j] = float32(n.Bias[j]) / nnue.One
		m.B1[1][j] = float32(n.Bias[width+j]) / nnue.One
		for i, k := range kernels {
			m.K[0][i][j] = float32(n.Kernel[i][j]) / k.one
			m.K[1][i][j] = float32(n.Kernel[i][width+j]) / k.one
		}
	}
	for side := range 2 {
		h := &n.Head[side]
		for u := range hidden {
			for j := range 2 * width {
				m.W2[side][j][u] = float32(h.In[j/2][u][j%2]) / nnue.WeightOne
			}
			for t := range h.Threat {
				m.Th[side][t][u] = float32(h.Threat[t][u]) / (nnue.InOne * nnue.WeightOne)
			}
			m.W3[side][u] = float32(h.Out[u]) * nnue.MidOne / (Scale * nnue.OutUnits * 256)
		}
		m.B3[side] = float32(h.Base) / (Scale * nnue.OutUnits)
	}
}
