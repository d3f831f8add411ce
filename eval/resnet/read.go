package resnet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/klauspost/compress/gzip"
)

// A file is text: words and numbers with white space between them, layer after layer in the
// order of Model's fields, each with a name first. The weights of a layer are either numbers
// like all others, or "@BIN@" and as many floats, little-endian. All of it is gzip, or is not.

const (
	mostWeights  = 1 << 28 // of a network
	mostChannels = 4096
	mostBlocks   = 512
	mostKernel   = 9
	mostNesting  = 3
	longestWord  = 256
)

// ReadFile reads a network from a file.
func ReadFile(name string) (*Model, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// Read reads a network, packed or not, with weights as text or as bytes. It says what is
// wrong with anything else.
func Read(from io.Reader) (*Model, error) {
	in := bufio.NewReaderSize(from, 1<<16)
	if head, _ := in.Peek(2); len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("not a network: %w", err)
		}
		defer z.Close()
		in = bufio.NewReaderSize(z, 1<<16)
	}
	r := &reader{in: in, layer: "the head"}
	m := r.model()
	if r.err == nil {
		if r.err = m.check(); r.err != nil {
			r.layer = "the network"
		}
	}
	if r.err != nil {
		if r.err == io.EOF || r.err == io.ErrUnexpectedEOF {
			r.err = errors.New("the file ends")
		}
		return nil, fmt.Errorf("not a network that can be read: %s: %w", r.layer, r.err)
	}
	return m, nil
}

// reader keeps the first error, after which it returns nothings.
type reader struct {
	in      *bufio.Reader
	err     error
	layer   string // that is being read
	version int
	weights int // so far
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func space(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

// word returns the next word.
func (r *reader) word() string {
	var w []byte
	for r.err == nil {
		b, err := r.in.ReadByte()
		switch {
		case err == io.EOF && len(w) > 0:
			return string(w)
		case err != nil:
			r.err = err
		case !space(b):
			if w = append(w, b); len(w) > longestWord {
				r.fail("a word of more than %d letters", longestWord)
			}
		case len(w) > 0:
			return string(w)
		}
	}
	return ""
}

// name begins a layer.
func (r *reader) name() {
	if w := r.word(); r.err == nil {
		r.layer = strconv.Quote(w)
	}
}

// count returns the next number, from min to max.
func (r *reader) count(what string, min, max int) int {
	w := r.word()
	n, err := strconv.Atoi(w)
	if r.err == nil && (err != nil || n < min || n > max) {
		r.fail("%s is %q, not a number from %d to %d", what, w, min, max)
	}
	if r.err != nil {
		return min
	}
	return n
}

func (r *reader) positive(what string) float32 {
	w := r.word()
	x, err := strconv.ParseFloat(w, 32)
	if r.err == nil && (err != nil || !(x > 0) || math.IsInf(x, 0)) {
		r.fail("%s is %q, not a positive number", what, w)
	}
	return float32(x)
}

// unused reads options that no network has yet.
func (r *reader) unused(n int) {
	for range n {
		if w := r.word(); w != "0" {
			r.fail("an option %q that is not known here", w)
		}
	}
}

// floats reads n weights. What is not there is not allocated.
func (r *reader) floats(n int) []float32 {
	if r.weights += n; r.weights > mostWeights {
		r.fail("more than %d weights", mostWeights)
	}
	var first byte
	for r.err == nil {
		b, err := r.in.ReadByte()
		if err != nil {
			r.err = err
		} else if !space(b) {
			first = b
			break
		}
	}
	if r.err != nil {
		return nil
	}
	const step = 1 << 14
	to := make([]float32, 0, min(n, step))
	if first != '@' {
		r.in.UnreadByte()
		for range n {
			w := r.word()
			x, err := strconv.ParseFloat(w, 32)
			if err != nil {
				r.fail("%q is not a weight", w)
			}
			if r.err != nil {
				return nil
			}
			to = append(to, float32(x))
		}
	} else {
		var mark [4]byte
		if _, r.err = io.ReadFull(r.in, mark[:]); r.err == nil && string(mark[:]) != "BIN@" {
			r.fail("no weights where they should be")
		}
		var buf [4 * step]byte
		for left := n; left > 0 && r.err == nil; {
			k := min(left, step)
			if _, r.err = io.ReadFull(r.in, buf[:4*k]); r.err != nil {
				break
			}
			for i := range k {
				to = append(to, math.Float32frombits(binary.LittleEndian.Uint32(buf[4*i:])))
			}
			left -= k
		}
	}
	for _, x := range to {
		if x != x || x > math.MaxFloat32 || x < -math.MaxFloat32 {
			r.fail("a weight that is no number")
		}
	}
	if r.err != nil {
		return nil
	}
	return to
}

func (r *reader) conv() (c Conv) {
	r.name()
	c.H, c.W = r.count("the kernel's height", 1, mostKernel), r.count("the kernel's width", 1, mostKernel)
	c.In, c.Out = r.count("the number of inputs", 1, mostChannels), r.count("the number of outputs", 1, mostChannels)
	if dy, dx := r.word(), r.word(); dy != "1" || dx != "1" {
		r.fail("a dilation of %q by %q; none is known here", dy, dx)
	}
	if c.H%2 == 0 || c.W%2 == 0 {
		r.fail("an even kernel")
	}
	c.Weights = r.floats(c.H * c.W * c.In * c.Out)
	return c
}

func (r *reader) matMul() (m MatMul) {
	r.name()
	m.In, m.Out = r.count("the number of inputs", 1, 4*mostChannels), r.count("the number of outputs", 1, mostChannels)
	m.Weights = r.floats(m.In * m.Out)
	return m
}

func (r *reader) bias() []float32 {
	r.name()
	return r.floats(r.count("the number of channels", 1, mostChannels))
}

func (r *reader) act() Activation {
	r.name()
	if r.version < 11 {
		return ReLU
	}
	w := r.word()
	for a, name := range activationNames {
		if w == name {
			return Activation(a)
		}
	}
	r.fail("an activation %q that is not known here", w)
	return ReLU
}

// norm reads a normalization and turns it into a factor and a summand.
func (r *reader) norm() (n NormAct) {
	r.name()
	c := r.count("the number of channels", 1, mostChannels)
	epsilon := r.positive("epsilon")
	hasScale, hasBias := r.count("the flag of the scale", 0, 1), r.count("the flag of the bias", 0, 1)
	mean, variance := r.floats(c), r.floats(c)
	if hasScale == 1 {
		n.Scale = r.floats(c)
	} else {
		n.Scale = make([]float32, c)
		for i := range n.Scale {
			n.Scale[i] = 1
		}
	}
	n.Bias = make([]float32, c)
	if hasBias == 1 {
		n.Bias = r.floats(c)
	}
	if r.err != nil {
		return NormAct{}
	}
	for i := range n.Scale {
		if !(variance[i]+epsilon > 0) {
			r.fail("a variance that is not positive")
			return NormAct{}
		}
		n.Scale[i] /= float32(math.Sqrt(float64(variance[i] + epsilon)))
		n.Bias[i] -= n.Scale[i] * mean[i]
	}
	return n
}

func (r *reader) normAct() NormAct {
	n := r.norm()
	n.Act = r.act()
	return n
}

func (r *reader) blocks(n, nesting int) (bs []Block) {
	for range n {
		kind := r.word()
		if r.err != nil {
			return nil
		}
		r.name()
		var b Block
		switch kind {
		case "ordinary_block":
			b.Pre, b.First = r.normAct(), r.conv()
		case "gpool_block":
			b.Pre, b.First = r.normAct(), r.conv()
			b.Pool = &Pool{Conv: r.conv(), Norm: r.normAct(), Mul: r.matMul()}
		case "nested_bottleneck_block":
			inner := r.count("the number of inner blocks", 1, mostBlocks)
			if nesting == mostNesting {
				r.fail("blocks nested more than %d deep", mostNesting)
			}
			b.Pre, b.First = r.normAct(), r.conv()
			b.Inner = r.blocks(inner, nesting+1)
		default:
			r.fail("a block of a kind %q that is not known here", kind)
		}
		b.Mid, b.Last = r.normAct(), r.conv()
		bs = append(bs, b)
	}
	return bs
}

func (r *reader) model() *Model {
	m := &Model{Name: r.word()}
	m.Version = r.count("the version", 0, 1<<20)
	if r.err == nil && (m.Version < MinVersion || m.Version > MaxVersion) {
		r.fail("version %d; versions %d to %d are read", m.Version, MinVersion, MaxVersion)
	}
	r.version = m.Version
	planes, globals := r.count("the number of planes", 1, mostChannels), r.count("the number of globals", 1, mostChannels)
	m.Scale = usualScale
	if m.Version >= 13 {
		s := &m.Scale
		for _, x := range []*float32{&s.TDScore, &s.ScoreMean, &s.ScoreStdev, &s.Lead, &s.VarianceTime, &s.ValueError, &s.ScoreError} {
			*x = r.positive("a scale")
		}
	}
	if m.Version >= 15 {
		if r.count("the kind of profile", 0, 1<<20) != 0 {
			r.fail("a network that asks who plays; such are not known here")
		}
		m.SuicideLife = r.count("the flag of suicide", 0, 1) == 1
		r.unused(6)
	}

	r.name()
	n := r.count("the number of blocks", 1, mostBlocks)
	for range 5 { // channels, which the layers tell again
		r.count("a number of channels", 0, mostChannels)
	}
	if m.Version >= 15 {
		if w := r.word(); w != "0" {
			r.fail("a trunk with a norm of kind %q that is not known here", w)
		}
		r.unused(5)
	}
	m.First, m.Global = r.conv(), r.matMul()
	m.Blocks = r.blocks(n, 0)
	m.Tip = r.normAct()

	p := &m.Policy
	r.name()
	if m.Version >= 17 {
		r.count("the policy's outputs", 2, 4)
		r.unused(3)
	}
	p.P1, p.G1, p.G1Norm, p.Mul, p.P1Norm, p.P2, p.Pass = r.conv(), r.conv(), r.normAct(), r.matMul(), r.normAct(), r.conv(), r.matMul()
	if m.Version >= 15 {
		p.PassBias, p.PassAct, p.Pass2 = r.bias(), r.act(), r.matMul()
	}

	v := &m.Value
	r.name()
	if m.Version >= 17 {
		r.unused(3)
	}
	v.V1, v.V1Norm = r.conv(), r.normAct()
	v.V2, v.V2Bias, v.V2Act = r.matMul(), r.bias(), r.act()
	v.V3, v.V3Bias = r.matMul(), r.bias()
	v.Score, v.ScoreBias, v.Ownership = r.matMul(), r.bias(), r.conv()
	if r.err == nil && (planes != m.First.In || globals != m.Global.In) {
		r.fail("%d planes and %d globals, but layers for %d and %d", planes, globals, m.First.In, m.Global.In)
	}
	return m
}
