package resnet

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var tiny = Shape{Version: 8, Blocks: "og", Channels: 8, Regular: 6, Pooled: 4, Inner: 4, Head: 5, Hidden: 7, First: 3, Act: ReLU}

func shapes() (all []Shape) {
	for _, v := range []int{8, 9, 10, 11, 12, 13, 14, 15, 16, 17} {
		s := tiny
		s.Version = v
		if v >= 11 {
			s.Act, s.Blocks, s.First = Mish, "ngo", 5
		}
		if v >= 16 {
			s.Act = SiLU
		}
		all = append(all, s)
	}
	return all
}

// What is written is read again, as bytes and as text.
func TestFile(t *testing.T) {
	for _, s := range shapes() {
		m := Random(s, 1)
		for _, text := range []bool{false, true} {
			var b bytes.Buffer
			if err := m.Write(&b, text); err != nil {
				t.Fatal(err)
			}
			back, err := Read(&b)
			if err != nil {
				t.Fatalf("version %d, text %v: %v", s.Version, text, err)
			}
			if d := cmp.Diff(m, back); d != "" {
				t.Errorf("version %d, text %v: %s", s.Version, text, d)
			}
		}
	}
}

func unpacked(m *Model) string {
	var b strings.Builder
	m.write(&b, true)
	return b.String()
}

// What is no network is refused with the place that is wrong.
func TestRefused(t *testing.T) {
	good := unpacked(Random(tiny, 1))
	if _, err := Read(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	newer := Random(shapes()[9], 1)
	for _, c := range []struct{ text, want string }{
		{"", "the file ends"},
		{"name", "the file ends"},
		{good[:len(good)/2], "the file ends"},
		{strings.Replace(good, "\n8\n", "\n7\n", 1), "version 7; versions 8 to 17 are read"},
		{strings.Replace(good, "\n8\n", "\n18\n", 1), "version 18"},
		{strings.Replace(good, "\n8\n", "\n9\n", 1), "the score's outputs are 4, not 6"},
		{strings.Replace(good, "\n22\n", "\n17\n", 1), "planes"},
		{strings.Replace(good, "gpool_block", "transformer_ffn_block", 1), `a block of a kind "transformer_ffn_block" that is not known here`},
		{strings.Replace(good, "3 3 22 8 1 1", "3 3 22 8 2 2", 1), "dilation"},
		{strings.Replace(good, "3 3 22 8 1 1", "4 3 22 8 1 1", 1), "even kernel"},
		{strings.Replace(good, "3 3 22 8 1 1", "3 3 4000 4000 1 1", 1), "weight"},
		{strings.Replace(good, "3 3 22 8 1 1", "9 9 4096 4096 1 1", 1), "more than"},
		{strings.Replace(good, "0.", "e999 0.", 1), "is not a weight"},
		{strings.Replace(good, "0.", "x", 1), "is not a weight"},
		{strings.Replace(unpacked(newer), "ACTIVATION_SILU", "ACTIVATION_GELU", 1), "ACTIVATION_GELU"},
		{strings.Replace(unpacked(newer), "\n0 0 0 0 0 0 0 0\n", "\n1 0 0 0 0 0 0 0\n", 1), "who plays"},
		{strings.Replace(unpacked(newer), "\n0 0 0 0 0 0 0 0\n", "\n0 0 0 0 1 0 0 0\n", 1), "option"},
		{strings.Repeat("x", 1000), "letters"},
		{"\x1f\x8b", "not a network"},
	} {
		if _, err := Read(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, not %s", c.text, err, c.want)
		}
	}
}

func random(r *rand.Rand, n int) []float32 {
	xs := floats(n)
	for i := range xs {
		xs[i] = r.Float32()*2 - 1
	}
	return xs
}

// near reports by how much two results differ, relative to the larger of them and 1.
func far(a, b []float32) (worst float64) {
	for i := range a {
		d := math.Abs(float64(a[i] - b[i]))
		worst = max(worst, d/max(1, math.Abs(float64(b[i]))))
		if a[i] != a[i] || b[i] != b[i] {
			return math.Inf(1)
		}
	}
	return worst
}

// The assembly computes what plain Go computes, for each number of rows and odd lengths, and
// writes nowhere else.
func TestKernels(t *testing.T) {
	for _, name := range levels(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for rows := 1; rows <= 40; rows++ {
				k, cs, as := 1+r.IntN(70), lanes+r.IntN(3)*8, 0
				as = k + r.IntN(9)
				add := r.IntN(2) == 0
				a, b := random(r, rows*as), random(r, k*lanes)
				want := random(r, rows*cs+lanes)
				got := append(floats(0), want...)
				multiplyPlain(want, cs, a, as, b, k, rows, add)
				multiply(got, cs, a, as, b, k, rows, add)
				if d := far(got, want); d > 1e-5 {
					t.Fatalf("multiply: %d rows of %d differ by %g", rows, k, d)
				}
			}
			for _, channels := range []int{32, 64, 96} {
				stride, apart := 7*channels, 3*channels+16
				in := random(r, 6*stride)
				want := random(r, 36*apart)
				got := append(floats(0), want...)
				toTilePlain(want, apart, in, stride, channels)
				toTile(got, apart, in, stride, channels)
				if d := far(got, want); d > 1e-5 {
					t.Fatalf("toTile: %d channels differ by %g", channels, d)
				}
				for _, add := range []bool{false, true} {
					m := random(r, 36*apart)
					want := random(r, 4*stride)
					got := append(floats(0), want...)
					fromTilePlain(want, stride, m, apart, channels, add)
					fromTile(got, stride, m, apart, channels, add)
					if d := far(got, want); d > 1e-5 {
						t.Fatalf("fromTile: %d channels differ by %g", channels, d)
					}
				}
				for _, relu := range []bool{false, true} {
					from, scale, bias := random(r, 5*channels), random(r, channels), random(r, channels)
					want := random(r, 6*channels)
					got := append(floats(0), want...)
					normPlain(want, from, 5, channels, scale, bias, relu)
					norm(got, from, 5, channels, scale, bias, relu)
					if d := far(got, want); d > 1e-5 {
						t.Fatalf("norm: %d channels differ by %g", channels, d)
					}
				}
			}
		})
	}
}

// naive is a convolution by its definition.
func naive(c *Conv, in []float64, size int) []float64 {
	out := make([]float64, size*size*c.Out)
	for y := range size {
		for x := range size {
			for dy := range c.H {
				for dx := range c.W {
					sy, sx := y+dy-c.H/2, x+dx-c.W/2
					if sy < 0 || sx < 0 || sy >= size || sx >= size {
						continue
					}
					for i := range c.In {
						v := in[(sy*size+sx)*c.In+i]
						for o := range c.Out {
							out[(y*size+x)*c.Out+o] += v * float64(c.Weights[((dy*c.W+dx)*c.In+i)*c.Out+o])
						}
					}
				}
			}
		}
	}
	return out
}

type slow struct {
	size int
	m    *Model
}

func (s *slow) act(a Activation, x float64) float64 {
	switch a {
	case ReLU:
		return max(x, 0)
	case Mish:
		return x * math.Tanh(math.Log1p(math.Exp(x)))
	case SiLU:
		return x / (1 + math.Exp(-x))
	}
	return x
}

func (s *slow) norm(n *NormAct, in, bias []float64) []float64 {
	out, c := make([]float64, len(in)), len(n.Scale)
	for i, x := range in {
		if bias != nil {
			x += bias[i%c]
		}
		out[i] = s.act(n.Act, x*float64(n.Scale[i%c])+float64(n.Bias[i%c]))
	}
	return out
}

func (s *slow) mul(m *MatMul, in []float64) []float64 {
	out := make([]float64, m.Out)
	for i, x := range in {
		for o := range out {
			out[o] += x * float64(m.Weights[i*m.Out+o])
		}
	}
	return out
}

func (s *slow) pool(in []float64, value bool) []float64 {
	n := s.size * s.size
	c := len(in) / n
	out := make([]float64, 3*c)
	w := float64(s.size) - 14
	for j := range c {
		most := math.Inf(-1)
		for i := range n {
			out[j] += in[i*c+j] / float64(n)
			most = max(most, in[i*c+j])
		}
		out[c+j] = out[j] * w / 10
		if out[2*c+j] = most; value {
			out[2*c+j] = out[j] * (w*w/100 - 0.1)
		}
	}
	return out
}

func (s *slow) blocks(bs []Block, x []float64) []float64 {
	for i := range bs {
		b := &bs[i]
		a := s.norm(&b.Pre, x, nil)
		mid := naive(&b.First, a, s.size)
		var bias []float64
		if p := b.Pool; p != nil {
			bias = s.mul(&p.Mul, s.pool(s.norm(&p.Norm, naive(&p.Conv, a, s.size), nil), false))
		}
		mid = s.blocks(b.Inner, mid)
		add := naive(&b.Last, s.norm(&b.Mid, mid, bias), s.size)
		y := make([]float64, len(x))
		for j := range y {
			y[j] = x[j] + add[j]
		}
		x = y
	}
	return x
}

func wide(xs []float32) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = float64(x)
	}
	return ys
}

// evaluate returns the policies, the ownership and the values, all as they come.
func (s *slow) evaluate(planes, globals []float32) (policy, optimistic, owner, value, score []float64) {
	m := s.m
	x := naive(&m.First, wide(planes), s.size)
	g := s.mul(&m.Global, wide(globals))
	for i := range x {
		x[i] += g[i%len(g)]
	}
	x = s.norm(&m.Tip, s.blocks(m.Blocks, x), nil)
	p := &m.Policy
	means := s.pool(s.norm(&p.G1Norm, naive(&p.G1, x, s.size), nil), false)
	out := naive(&p.P2, s.norm(&p.P1Norm, naive(&p.P1, x, s.size), s.mul(&p.Mul, means)), s.size)
	pass := s.mul(&p.Pass, means)
	if m.Version >= 15 {
		for i := range pass {
			pass[i] = s.act(p.PassAct, pass[i]+float64(p.PassBias[i]))
		}
		pass = s.mul(&p.Pass2, pass)
	}
	for i := range s.size * s.size {
		policy = append(policy, out[i*p.P2.Out])
		if p.P2.Out > 1 {
			optimistic = append(optimistic, out[i*p.P2.Out+1])
		}
	}
	if policy = append(policy, pass[0]); len(pass) > 1 {
		optimistic = append(optimistic, pass[1])
	}
	v := &m.Value
	x = s.norm(&v.V1Norm, naive(&v.V1, x, s.size), nil)
	for _, o := range naive(&v.Ownership, x, s.size) {
		owner = append(owner, math.Tanh(o))
	}
	h := s.mul(&v.V2, s.pool(x, true))
	for i := range h {
		h[i] = s.act(v.V2Act, h[i]+float64(v.V2Bias[i]))
	}
	value, score = s.mul(&v.V3, h), s.mul(&v.Score, h)
	for i := range value {
		value[i] += float64(v.V3Bias[i])
	}
	for i := range score {
		score[i] += float64(v.ScoreBias[i])
	}
	return
}

// The whole network, in batches, is what the definition gives; for each version, kind of
// block and activation, on boards that fill their tiles and others, with each set of
// instructions.
func TestForward(t *testing.T) {
	for _, s := range shapes() {
		m := Random(s, 7)
		n, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{2, 5, 8, 9} {
			r := rand.New(rand.NewPCG(uint64(size), 9))
			b, err := n.NewBatch(size, 3)
			if err != nil {
				t.Fatal(err)
			}
			planes, globals := random(r, 3*size*size*Planes), random(r, 3*Globals)
			policy, optimistic, owner, value, score := (&slow{size, m}).evaluate(planes[:size*size*Planes], globals[:Globals])
			for _, name := range levels(t) {
				for k := 3; k > 0; k-- { // smaller ones find the larger one's remains
					for i := range k {
						copy(b.Planes(i), planes[i*size*size*Planes:])
						copy(b.Globals(i), globals[i*Globals:])
					}
					b.Run(k)
				}
				o := b.Output(0)
				check := func(what string, got []float32, want []float64) {
					if len(got) != len(want) {
						t.Fatalf("%s %s, version %d: %d numbers, not %d", name, what, s.Version, len(got), len(want))
					}
					for i := range want {
						if d := math.Abs(float64(got[i]) - want[i]); !(d < 1e-4*max(1, math.Abs(want[i]))) {
							t.Fatalf("%s %s, version %d, size %d: %d is %v, not %v", name, what, s.Version, size, i, got[i], want[i])
						}
					}
				}
				check("policy", o.Policy, policy)
				check("optimistic policy", o.Optimistic, optimistic)
				check("ownership", o.Owner, owner)
				check("value", []float32{o.Win, o.Loss, o.NoResult}, value)
				check("score", []float32{o.Score / 20, o.Lead / 20}, []float64{score[0], score[2]})
			}
		}
	}
}

// A batch gives each position what it gets alone.
func TestBatch(t *testing.T) {
	n, err := New(Random(B6C96, 3))
	if err != nil {
		t.Fatal(err)
	}
	many, _ := n.NewBatch(9, 5)
	one, _ := n.NewBatch(9, 1)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 5 {
		copy(many.Planes(i), random(r, 81*Planes))
		copy(many.Globals(i), random(r, Globals))
	}
	many.Run(5)
	for i := range 5 {
		copy(one.Planes(0), many.Planes(i))
		copy(one.Globals(0), many.Globals(i))
		one.Run(1)
		if d := far(one.Output(0).Policy, many.Output(i).Policy); d > 1e-4 {
			t.Errorf("position %d differs by %g", i, d)
		}
	}
	if got := testing.AllocsPerRun(3, func() { one.Run(1) }); got > 0 {
		t.Errorf("%v allocations", got)
	}
}

func BenchmarkRun(b *testing.B) {
	n, err := New(Random(B6C96, 1))
	if err != nil {
		b.Fatal(err)
	}
	for _, size := range []int{9, 13, 19} {
		for _, k := range []int{1, 2, 4, 8, 16} {
			b.Run(fmt.Sprintf("size=%d/batch=%d", size, k), func(b *testing.B) {
				x, _ := n.NewBatch(size, k)
				for b.Loop() {
					x.Run(k)
				}
				b.ReportMetric(float64(b.N*k)/b.Elapsed().Seconds(), "evals/s")
			})
		}
	}
}
