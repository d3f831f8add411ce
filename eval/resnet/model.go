// Package resnet computes networks of the kind that plays Go: residual blocks of
// convolutions, with heads for the policy, the value, the score and the ownership of each
// point (Silver et al., "Mastering the game of Go without human knowledge", 2017; with the
// global pooling and the further heads of Wu, "Accelerating self-play learning in Go",
// 2019, sections 3 and 4). It reads and writes them in KataGo's file format.
//
// Model is a network as it lies in a file, Net as it is computed: one Net serves any number
// of Batches, one for each goroutine. Nothing here knows the rules of Go: what the planes
// of the input mean is package planes' business.
//
// 3x3 convolutions are computed by Winograd's minimal filtering, F(4x4, 3x3) (Lavin and
// Gray, "Fast algorithms for convolutional neural networks", 2016, section 4.3), all others
// as a product of matrices. See kernel.go for the four loops that take the time.
package resnet

import (
	"errors"
	"fmt"
)

// Versions of the format that are read. 8 is the first with today's input planes. 17 has
// other kinds of blocks as well, which are refused where they come.
const (
	MinVersion = 8
	MaxVersion = 17
)

// Planes and Globals are how many inputs each point and the board as a whole have.
const (
	Planes  = 22
	Globals = 19
)

// Model is a network as it lies in a file.
type Model struct {
	Name    string
	Version int
	Scale   Scale
	// SuicideLife asks for the pass-alive planes as if suicide were legal.
	SuicideLife bool

	First  Conv   // of the planes
	Global MatMul // of the globals, added to each point of it
	Blocks []Block
	Tip    NormAct
	Policy Policy
	Value  Value
}

// Scale is what the outputs are multiplied with.
type Scale struct {
	TDScore, ScoreMean, ScoreStdev, Lead, VarianceTime, ValueError, ScoreError float32
}

// usualScale is that of the versions that do not tell.
var usualScale = Scale{20, 20, 20, 20, 40, 0.25, 30}

// Conv is a convolution with stride 1 that keeps the board's size.
type Conv struct {
	H, W, In, Out int
	Weights       []float32 // [H][W][In][Out]
}

// MatMul is a product with a matrix.
type MatMul struct {
	In, Out int
	Weights []float32 // [In][Out]
}

// Activation is the function after a normalization.
type Activation uint8

const (
	Identity Activation = iota
	ReLU
	Mish // x tanh(log(1+exp x)): Misra, 2019
	SiLU // x / (1+exp(-x))
	numActivations
)

var activationNames = [numActivations]string{"ACTIVATION_IDENTITY", "ACTIVATION_RELU", "ACTIVATION_MISH", "ACTIVATION_SILU"}

// NormAct is a normalization, each channel times Scale plus Bias, and the function after it.
type NormAct struct {
	Scale, Bias []float32
	Act         Activation
}

// Block adds to its input x what comes of it:
//
//	Last(Mid(Inner(First(Pre(x)))))
//
// Pool, if there is one, looks at the whole board and adds to each channel before Mid.
type Block struct {
	Pre   NormAct
	First Conv
	Inner []Block
	Pool  *Pool
	Mid   NormAct
	Last  Conv
}

// Pool is global pooling: means and maxima of channels of their own become a bias.
type Pool struct {
	Conv Conv
	Norm NormAct
	Mul  MatMul // of 3 times as many inputs, see poolMax
}

// Policy is the policy head. Its output has one channel, or an optimistic policy as a
// second (version 12), or two more that predict values (16), which are not used.
type Policy struct {
	P1, G1 Conv
	G1Norm NormAct
	Mul    MatMul // of what is pooled from G1, added to P1
	P1Norm NormAct
	P2     Conv
	Pass   MatMul // likewise, to the pass
	// From version 15 on the pass has one more layer.
	PassBias []float32
	PassAct  Activation
	Pass2    MatMul
}

// Value is the head of everything else.
type Value struct {
	V1        Conv
	V1Norm    NormAct
	V2        MatMul
	V2Bias    []float32
	V2Act     Activation
	V3        MatMul // win, loss, no result
	V3Bias    []float32
	Score     MatMul // mean, stdev, lead, variance time; from version 9 on two errors
	ScoreBias []float32
	Ownership Conv
}

func scores(version int) int {
	if version >= 9 {
		return 6
	}
	return 4
}

// check says what does not fit together.
func (m *Model) check() error {
	switch {
	case m.Version < MinVersion || m.Version > MaxVersion:
		return fmt.Errorf("version %d; versions %d to %d are read", m.Version, MinVersion, MaxVersion)
	case m.First.In != Planes:
		return fmt.Errorf("a network of %d input planes, not of %d", m.First.In, Planes)
	case m.Global.In != Globals:
		return fmt.Errorf("a network of %d global inputs, not of %d", m.Global.In, Globals)
	case len(m.Blocks) == 0:
		return errors.New("no blocks")
	}
	c := m.First.Out
	var f fit
	f.is("the globals' channels", m.Global.Out, c)
	f.blocks(m.Blocks, c)
	f.norm("the trunk's norm", &m.Tip, c)

	p := &m.Policy
	f.is("the policy's inputs", p.P1.In, c)
	f.is("the policy's inputs", p.G1.In, c)
	f.norm("the policy's norm", &p.G1Norm, p.G1.Out)
	f.norm("the policy's norm", &p.P1Norm, p.P1.Out)
	f.is("the policy's bias", p.Mul.In, 3*p.G1.Out)
	f.is("the policy's bias", p.Mul.Out, p.P1.Out)
	f.is("the policy's inputs", p.P2.In, p.P1.Out)
	f.is("the pass's inputs", p.Pass.In, 3*p.G1.Out)
	f.small("the policy's kernel", &p.P1, &p.G1, &p.P2)
	last := p.Pass.Out
	if m.Version >= 15 {
		f.is("the pass's bias", len(p.PassBias), p.Pass.Out)
		f.is("the pass's inputs", p.Pass2.In, p.Pass.Out)
		last = p.Pass2.Out
	}
	f.is("the pass's outputs", last, p.P2.Out)
	switch {
	case m.Version < 12:
		f.is("the policy's outputs", p.P2.Out, 1)
	case m.Version < 16:
		f.is("the policy's outputs", p.P2.Out, 2)
	case m.Version == 16 || p.P2.Out != 2:
		f.is("the policy's outputs", p.P2.Out, 4)
	}

	v := &m.Value
	f.is("the value's inputs", v.V1.In, c)
	f.norm("the value's norm", &v.V1Norm, v.V1.Out)
	f.is("the value's inputs", v.V2.In, 3*v.V1.Out)
	f.is("the value's bias", len(v.V2Bias), v.V2.Out)
	f.is("the value's inputs", v.V3.In, v.V2.Out)
	f.is("the value's outputs", v.V3.Out, 3)
	f.is("the value's bias", len(v.V3Bias), 3)
	f.is("the score's inputs", v.Score.In, v.V2.Out)
	f.is("the score's outputs", v.Score.Out, scores(m.Version))
	f.is("the score's bias", len(v.ScoreBias), v.Score.Out)
	f.is("the ownership's inputs", v.Ownership.In, v.V1.Out)
	f.is("the ownership's outputs", v.Ownership.Out, 1)
	f.small("the value's kernel", &v.V1, &v.Ownership)
	return f.err
}

// fit keeps the first thing that does not fit.
type fit struct{ err error }

func (f *fit) is(what string, n, want int) {
	if n != want && f.err == nil {
		f.err = fmt.Errorf("%s are %d, not %d", what, n, want)
	}
}

func (f *fit) norm(what string, n *NormAct, channels int) {
	f.is(what+"'s channels", len(n.Scale), channels)
	f.is(what+"'s channels", len(n.Bias), channels)
}

// small bounds the kernels inside the network: activations have a border of one point.
func (f *fit) small(what string, cs ...*Conv) {
	for _, c := range cs {
		if (c.H > 3 || c.W > 3) && f.err == nil {
			f.err = fmt.Errorf("%s is %dx%d; larger ones than 3x3 are read at the input alone", what, c.H, c.W)
		}
	}
}

func (f *fit) blocks(bs []Block, c int) {
	for i := range bs {
		b := &bs[i]
		mid := b.First.Out
		f.norm("a block's norm", &b.Pre, c)
		f.is("a block's inputs", b.First.In, c)
		f.blocks(b.Inner, mid)
		f.norm("a block's norm", &b.Mid, mid)
		f.is("a block's inner channels", b.Last.In, mid)
		f.is("a block's outputs", b.Last.Out, c)
		f.small("a block's kernel", &b.First, &b.Last)
		if p := b.Pool; p != nil {
			f.is("a block's pooled inputs", p.Conv.In, c)
			f.norm("a block's pooled norm", &p.Norm, p.Conv.Out)
			f.is("a block's pooled channels", p.Mul.In, 3*p.Conv.Out)
			f.is("a block's pooled outputs", p.Mul.Out, mid)
			f.small("a block's kernel", &p.Conv)
		}
	}
}
