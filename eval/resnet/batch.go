package resnet

import (
	"fmt"
	"math"
)

// MaxSize is the largest board that a Batch is made for.
const MaxSize = 25

// Output is what a network says of one position, as seen by the side to move.
type Output struct {
	// Policy holds logits: of the points row by row, then of the pass.
	Policy []float32
	// Optimistic is the policy of networks from version 12 on that looks for what may turn
	// out better than it seems, nil of others.
	Optimistic []float32
	// Owner says for each point who will own it: 1 the side to move, -1 the other.
	Owner []float32

	Win, Loss, NoResult float32 // logits
	// Score is the mean of the score at the end, in points for the side to move, Lead how
	// many it leads by, Stdev the score's standard deviation.
	Score, Lead, Stdev float32
	// How long the game stays open, in moves, and how far the win rate and the score are
	// off as a rule; -1 of networks before version 9.
	VarianceTime, ValueError, ScoreError float32
}

// Batch computes a network for up to some number of positions on boards of one size. It
// serves one goroutine. Fill Planes and Globals, then Run.
type Batch struct {
	net   *Net
	size  int
	most  int
	side  int // of a board in whole tiles
	tiles int // of a board

	planes  []float32 // [position][point][Planes]
	globals []float32 // [position][Globals]
	out     []Output

	framed []float32   // planes with a border for the first convolution
	trunks [][]float32 // [depth][position][side][side][channels]
	act    []float32   // input of convolutions: likewise with a border of zeros
	mid    []float32   // output of a block's first convolution
	pooled []float32   // [position][point][channels] of what is pooled
	v, m   []float32   // Winograd's transforms
	means  []float32   // [position][3*channels]
	bias   []float32   // [position][channels]
	sums   []float32   // a norm's bias for one position
	ones   []float32
	hidden []float32 // [position][channels]
	last   []float32 // likewise
}

// NewBatch returns a Batch for so many positions on boards of a size, or an error.
func (n *Net) NewBatch(size, most int) (*Batch, error) {
	if size < 2 || size > MaxSize || most < 1 {
		return nil, fmt.Errorf("no network for %d boards of size %d", most, size)
	}
	t := (size + tile - 1) / tile
	b := &Batch{net: n, size: size, most: most, side: t * tile, tiles: t * t}
	w := n.widest
	b.planes, b.globals = floats(most*size*size*Planes), floats(most*Globals)
	b.out = make([]Output, most)
	for i := range b.out {
		b.out[i].Policy, b.out[i].Owner = make([]float32, size*size+1), make([]float32, size*size)
		if n.policy.outputs > 1 {
			b.out[i].Optimistic = make([]float32, size*size+1)
		}
	}
	f := n.first
	b.framed = floats(most*(size+f.h-1)*(size+f.w-1)*Planes + f.w*Planes)
	for range n.deepest {
		b.trunks = append(b.trunks, floats(most*b.side*b.side*w))
	}
	b.mid = floats(most * b.side * b.side * w)
	b.act = floats(most * (b.side + 2) * (b.side + 2) * w)
	b.pooled = floats(most * size * size * w)
	b.v, b.m = floats(patch*patch*b.gap(w)), floats(patch*patch*b.gap(w))
	b.means, b.bias, b.hidden, b.last = floats(most*3*w), floats(most*w), floats(most*w), floats(most*w)
	b.sums, b.ones = floats(w), floats(w)
	for i := range b.ones {
		b.ones[i] = 1
	}
	return b, nil
}

// gap is how far the same number of a transform's two parts is apart. A line more than
// needed keeps them out of the same sets of the cache.
func (b *Batch) gap(channels int) int { return b.most*b.tiles*channels + 16 }

// Planes returns the input planes of position i, [point][Planes], to be filled.
func (b *Batch) Planes(i int) []float32 {
	n := b.size * b.size * Planes
	return b.planes[i*n : (i+1)*n : (i+1)*n]
}

// Globals returns the global inputs of position i, to be filled.
func (b *Batch) Globals(i int) []float32 { return b.globals[i*Globals : (i+1)*Globals : (i+1)*Globals] }

// Most returns how many positions there is room for.
func (b *Batch) Most() int { return b.most }

// Size returns the side of the boards.
func (b *Batch) Size() int { return b.size }

// Output returns what the last Run found for position i. The next one overwrites it.
func (b *Batch) Output(i int) *Output { return &b.out[i] }

// Run computes the first k positions.
func (b *Batch) Run(k int) {
	n, trunk := b.net, b.trunks[0]
	b.first(trunk, k)
	b.matMul(b.bias, &n.global, b.globals, Globals, k)
	for i := range k {
		for y := range b.size {
			row := trunk[(i*b.side+y)*b.side*n.channels:]
			norm(row, row, b.size, n.channels, b.ones, b.bias[i*n.channels:], false)
		}
	}
	b.blocks(n.blocks, 0, n.channels, k)
	b.norm(&n.tip, trunk, k, nil)
	b.heads(k)
}

// first computes the convolution of the planes.
func (b *Batch) first(to []float32, k int) {
	c := &b.net.first
	dx, dy := c.w/2, c.h/2
	row, line := (b.size+c.w-1)*Planes, b.size*Planes
	for i := range k {
		for y := range b.size {
			at := (i*(b.size+c.h-1)+y+dy)*row + dx*Planes
			copy(b.framed[at:at+line], b.planes[(i*b.size+y)*line:])
		}
	}
	for i := range k {
		b.direct(to[i*b.side*b.side*c.out:], b.side*c.out, c, b.framed[i*(b.size+c.h-1)*row:], row, false)
	}
}

// direct computes one position's convolution as a product of matrices: the points that a
// point of the output looks at in a row of the input lie together, and so are a row of the
// matrix; its neighbour's is one point further on.
func (b *Batch) direct(to []float32, toRow int, c *conv, from []float32, fromRow int, add bool) {
	k := c.w * c.in
	for p := range c.out / lanes {
		for y := range b.size {
			for j := range c.h {
				multiply(to[y*toRow+p*lanes:], c.out, from[(y+j)*fromRow:], c.in,
					c.panels[(p*c.h+j)*k*lanes:], k, b.size, add || j > 0)
			}
		}
	}
}

// conv computes a convolution of the activations.
func (b *Batch) conv(to []float32, c *conv, k int, add bool) {
	if c.winograd() {
		b.winograd(to, c, k, add)
		return
	}
	w := b.side + 2
	for i := range k {
		at := (i*w*w + (1-c.h/2)*w + 1 - c.w/2) * c.in
		b.direct(to[i*b.side*b.side*c.out:], b.side*c.out, c, b.act[at:], w*c.in, add)
	}
}

func (b *Batch) winograd(to []float32, c *conv, k int, add bool) {
	w, t := b.side+2, b.side/tile
	vs, ms := k*b.tiles*c.in+16, k*b.tiles*c.out+16
	at := 0
	for i := range k {
		for y := range t {
			for x := range t {
				toTile(b.v[at:], vs, b.act[((i*w+y*tile)*w+x*tile)*c.in:], w*c.in, c.in)
				at += c.in
			}
		}
	}
	panels := c.out / lanes
	for e := range patch * patch {
		for p := range panels {
			multiply(b.m[e*ms+p*lanes:], c.out, b.v[e*vs:], c.in,
				c.panels[(e*panels+p)*c.used*lanes:], c.used, k*b.tiles, false)
		}
	}
	at = 0
	for i := range k {
		for y := range t {
			for x := range t {
				fromTile(to[((i*b.side+y*tile)*b.side+x*tile)*c.out:], b.side*c.out, b.m[at:], ms, c.out, add)
				at += c.out
			}
		}
	}
}

// norm computes the activations from the output of a convolution, to which bias, if there is
// one, is added first.
func (b *Batch) norm(n *normAct, from []float32, k int, bias []float32) {
	c, w := len(n.scale), b.side+2
	b.border(c, k)
	for i := range k {
		sums := b.biased(n, bias, i)
		for y := range b.size {
			to := b.act[((i*w+y+1)*w+1)*c:]
			n.apply(to, from[(i*b.side+y)*b.side*c:], b.size, sums)
		}
	}
}

// biased returns a norm's bias with that of a position.
func (b *Batch) biased(n *normAct, bias []float32, i int) []float32 {
	if bias == nil {
		return n.bias
	}
	c := len(n.scale)
	sums := b.sums[:c]
	for j, x := range bias[i*c : (i+1)*c] {
		sums[j] = n.scale[j]*x + n.bias[j]
	}
	return sums
}

// border clears what surrounds the boards in the activations, which is elsewhere with each
// number of channels.
func (b *Batch) border(c, k int) {
	w := b.side + 2
	for i := range k {
		a := b.act[i*w*w*c : (i+1)*w*w*c]
		clear(a[:w*c])
		for y := 1; y <= b.size; y++ {
			clear(a[y*w*c : (y*w+1)*c])
			clear(a[(y*w+1+b.size)*c : (y+1)*w*c])
		}
		clear(a[(b.size+1)*w*c:])
	}
}

// apply computes points.
func (n *normAct) apply(to, from []float32, points int, bias []float32) {
	c := len(n.scale)
	norm(to, from, points, c, n.scale, bias, n.act == ReLU)
	n.act.apply(to[:points*c])
}

// apply computes what norm has not done.
func (a Activation) apply(xs []float32) {
	switch a {
	case Mish:
		for i, x := range xs {
			// tanh(log(1+e)) = (e^2 + 2e) / (e^2 + 2e + 2); from 20 on it is 1.
			if x < 20 {
				e := math.Exp(float64(x))
				t := e * (e + 2)
				xs[i] = float32(float64(x) * t / (t + 2))
			}
		}
	case SiLU:
		for i, x := range xs {
			xs[i] = float32(float64(x) / (1 + math.Exp(-float64(x))))
		}
	}
}

// pool computes a norm and its activations of the output of a convolution, and of each
// channel the mean, the mean scaled by the board's size, and the maximum, or for the value
// head the mean scaled twice (Wu 2019, section 3.3).
func (b *Batch) pool(n *normAct, from []float32, k int, maxima bool) {
	c, points := len(n.scale), b.size*b.size
	root := float64(b.size)
	for i := range k {
		all := b.pooled[i*points*c : (i+1)*points*c]
		for y := range b.size {
			n.apply(all[y*b.size*c:], from[(i*b.side+y)*b.side*c:], b.size, n.bias)
		}
		mean, scaled, last := b.means[3*i*c:(3*i+1)*c], b.means[(3*i+1)*c:(3*i+2)*c], b.means[(3*i+2)*c:(3*i+3)*c]
		clear(mean)
		copy(last, all)
		for at := 0; at < len(all); at += c {
			x := all[at : at+c]
			for j := range mean {
				mean[j] += x[j]
			}
			if maxima {
				for j := range last {
					last[j] = max(last[j], x[j])
				}
			}
		}
		for j := range mean {
			m := mean[j] / float32(points)
			mean[j], scaled[j] = m, m*float32((root-14)*0.1)
			if !maxima {
				last[j] = m * float32((root-14)*(root-14)*0.01-0.1)
			}
		}
	}
}

func (b *Batch) matMul(to []float32, m *matMul, from []float32, stride, k int) {
	for p := range m.out / lanes {
		multiply(to[p*lanes:], m.out, from, stride, m.panels[p*m.in*lanes:], m.in, k, false)
	}
	for i := range k {
		row := to[i*m.out : (i+1)*m.out]
		for j := range row {
			row[j] += m.bias[j]
		}
	}
}

// blocks adds to a trunk what its blocks make of it.
func (b *Batch) blocks(bs []block, depth, channels, k int) {
	trunk := b.trunks[depth]
	for i := range bs {
		x := &bs[i]
		b.norm(&x.pre, trunk, k, nil)
		var bias []float32
		mid := b.mid
		if x.inner != nil {
			mid = b.trunks[depth+1]
		}
		if g := x.pool; g != nil {
			b.conv(mid, &g.conv, k, false)
			b.pool(&g.norm, mid, k, true)
			bias = b.bias
			b.matMul(bias, &g.mul, b.means, g.mul.in, k)
		}
		b.conv(mid, &x.first, k, false)
		if x.inner != nil {
			b.blocks(x.inner, depth+1, x.first.out, k)
		}
		b.norm(&x.mid, mid, k, bias)
		b.conv(trunk, &x.last, k, true)
	}
}

// heads computes the outputs from the activations of the trunk's tip.
func (b *Batch) heads(k int) {
	n := b.net
	p, v, values := &n.policy, &n.value, b.trunks[0]
	b.conv(values, &v.v1, k, false) // before the policy's activations take the place of the trunk's

	b.conv(b.mid, &p.g1, k, false)
	b.pool(&p.g1Norm, b.mid, k, true)
	b.matMul(b.bias, &p.mul, b.means, p.mul.in, k)
	b.matMul(b.hidden, &p.pass, b.means, p.pass.in, k)
	pass, passes := b.hidden, p.pass.out
	if p.two {
		p.passAct.all(b.hidden[:k*p.pass.out])
		b.matMul(b.last, &p.pass2, b.hidden, p.pass.out, k)
		pass, passes = b.last, p.pass2.out
	}
	b.conv(b.mid, &p.p1, k, false)
	b.norm(&p.p1Norm, b.mid, k, b.bias)
	b.conv(b.mid, &p.p2, k, false)
	for i := range k {
		o := &b.out[i]
		b.points(o.Policy, b.mid, p.p2.out, i, 0)
		o.Policy[b.size*b.size] = pass[i*passes]
		if o.Optimistic != nil {
			b.points(o.Optimistic, b.mid, p.p2.out, i, 1)
			o.Optimistic[b.size*b.size] = pass[i*passes+1]
		}
	}

	b.norm(&v.v1Norm, values, k, nil)
	b.conv(b.mid, &v.ownership, k, false)
	b.pool(&v.v1Norm, values, k, false)
	b.matMul(b.hidden, &v.v2, b.means, v.v2.in, k)
	v.v2Act.all(b.hidden[:k*v.v2.out])
	b.matMul(b.last, &v.v3, b.hidden, v.v2.out, k)
	for i := range k {
		o, x := &b.out[i], b.last[i*v.v3.out:]
		o.Win, o.Loss, o.NoResult = x[0], x[1], x[2]
		b.points(o.Owner, b.mid, v.ownership.out, i, 0)
		for j, x := range o.Owner {
			o.Owner[j] = float32(math.Tanh(float64(x)))
		}
	}
	b.matMul(b.last, &v.score, b.hidden, v.v2.out, k)
	for i := range k {
		b.out[i].scores(n, b.last[i*v.score.out:])
	}
}

// points copies one channel of a position.
func (b *Batch) points(to, from []float32, channels, i, channel int) {
	for y := range b.size {
		for x := range b.size {
			to[y*b.size+x] = from[((i*b.side+y)*b.side+x)*channels+channel]
		}
	}
}

// scores reads the score head.
func (o *Output) scores(n *Net, x []float32) {
	o.Score = x[0] * n.scale.ScoreMean
	o.Stdev = softplus(x[1]) * n.scale.ScoreStdev
	o.Lead = x[2] * n.scale.Lead
	o.VarianceTime = softplus(x[3]) * n.scale.VarianceTime
	root := func(x float32) float32 { return float32(math.Sqrt(float64(x))) }
	switch {
	case n.Version < 9:
		o.VarianceTime, o.ValueError, o.ScoreError = -1, -1, -1
	case n.Version == 9:
		o.ValueError, o.ScoreError = softplus(x[4]), softplus(x[5])*10
	case n.Version < 14:
		o.ValueError, o.ScoreError = root(softplus(x[4])*n.scale.ValueError), root(softplus(x[5])*n.scale.ScoreError)
	default:
		o.ValueError, o.ScoreError = softplus(x[4]/2)*root(n.scale.ValueError), softplus(x[5]/2)*root(n.scale.ScoreError)
	}
}

func softplus(x float32) float32 {
	if x > 40 {
		return x
	}
	return float32(math.Log1p(math.Exp(float64(x))))
}

// all is apply where no norm comes before.
func (a Activation) all(xs []float32) {
	if a == ReLU {
		for i := range xs {
			xs[i] = max(xs[i], 0)
		}
	}
	a.apply(xs)
}
