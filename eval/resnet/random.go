package resnet

import (
	"math"
	"math/rand/v2"
)

// Shape is the size of a network.
type Shape struct {
	Version  int
	Blocks   string // a letter for each: o ordinary, g with pooling, n nested
	Channels int
	Regular  int // of a pooling block's first convolution
	Pooled   int // of its pooled channels
	Inner    int // channels inside of nested blocks, of two ordinary ones
	Head     int // of the heads
	Hidden   int // of the value's hidden layer
	First    int // side of the first kernel
	Act      Activation
}

// B6C96 is the shape of a small network that plays well.
var B6C96 = Shape{Version: 8, Blocks: "oogogo", Channels: 96, Regular: 64, Pooled: 32, Head: 32, Hidden: 48, First: 5, Act: ReLU}

// Random returns a network with random weights that keep activations and outputs in bounds.
// Equal seeds give equal networks. It plays nonsense.
func Random(s Shape, seed uint64) *Model {
	r := rand.New(rand.NewPCG(seed, 0))
	norm := func(c int) NormAct {
		n := NormAct{Scale: make([]float32, c), Bias: make([]float32, c), Act: s.Act}
		for i := range c {
			n.Scale[i], n.Bias[i] = 0.75+r.Float32()/2, r.Float32()/2-0.25
		}
		return n
	}
	weights := func(n, from int) []float32 {
		ws, scale := make([]float32, n), float32(math.Sqrt(2/float64(from)))
		for i := range ws {
			ws[i] = float32(r.NormFloat64()) * scale
		}
		return ws
	}
	conv := func(side, in, out int) Conv {
		return Conv{side, side, in, out, weights(side*side*in*out, side*side*in)}
	}
	mul := func(in, out int) MatMul { return MatMul{in, out, weights(in*out, in)} }
	var blocks func(kinds string, c int) []Block
	blocks = func(kinds string, c int) (bs []Block) {
		for _, kind := range kinds {
			b := Block{Pre: norm(c)}
			mid, side := c, 3
			switch kind {
			case 'g':
				mid = s.Regular
			case 'n':
				mid, side = s.Inner, 1
			}
			b.First, b.Mid, b.Last = conv(side, c, mid), norm(mid), conv(side, mid, c)
			switch kind {
			case 'g':
				b.Pool = &Pool{conv(3, c, s.Pooled), norm(s.Pooled), mul(3*s.Pooled, mid)}
			case 'n':
				b.Inner = blocks("oo", mid)
			}
			for i := range b.Last.Weights { // or each block doubles the trunk
				b.Last.Weights[i] /= 4
			}
			bs = append(bs, b)
		}
		return bs
	}
	bias := func(c int) []float32 { return weights(c, 50) }
	m := &Model{Name: "random", Version: s.Version, Scale: usualScale}
	c, h := s.Channels, s.Head
	m.First, m.Global = conv(s.First, Planes, c), mul(Globals, c)
	m.Blocks, m.Tip = blocks(s.Blocks, c), norm(c)
	out := 1
	switch {
	case s.Version >= 16:
		out = 4
	case s.Version >= 12:
		out = 2
	}
	m.Policy = Policy{P1: conv(1, c, h), G1: conv(1, c, h), G1Norm: norm(h), Mul: mul(3*h, h), P1Norm: norm(h), P2: conv(1, h, out), Pass: mul(3*h, out)}
	if s.Version >= 15 {
		m.Policy.Pass, m.Policy.PassBias, m.Policy.PassAct, m.Policy.Pass2 = mul(3*h, h), bias(h), s.Act, mul(h, out)
	}
	m.Value = Value{
		V1: conv(1, c, h), V1Norm: norm(h), V2: mul(3*h, s.Hidden), V2Bias: bias(s.Hidden), V2Act: s.Act,
		V3: mul(s.Hidden, 3), V3Bias: bias(3), Score: mul(s.Hidden, scores(s.Version)), ScoreBias: bias(scores(s.Version)),
		Ownership: conv(1, h, 1),
	}
	return m
}
