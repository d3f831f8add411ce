package resnet

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/klauspost/compress/gzip"
)

// Write writes a network as Read reads it, packed: the weights as bytes, or as text if so
// asked. Layers are named by their places.
func (m *Model) Write(to io.Writer, text bool) error {
	if err := m.check(); err != nil {
		return err
	}
	z := gzip.NewWriter(to)
	if err := m.write(z, text); err != nil {
		return err
	}
	return z.Close()
}

func (m *Model) write(to io.Writer, text bool) error {
	w := &writer{out: bufio.NewWriter(to), text: text, version: m.Version}
	w.model(m)
	return w.out.Flush()
}

// writer leaves errors to its buffer, which keeps them.
type writer struct {
	out     *bufio.Writer
	text    bool
	version int
}

func (w *writer) line(values ...any) { fmt.Fprintln(w.out, values...) }

func (w *writer) floats(xs []float32) {
	if w.text {
		var b []byte
		for _, x := range xs {
			b = strconv.AppendFloat(b[:0], float64(x), 'g', -1, 32)
			w.out.Write(append(b, ' '))
		}
	} else {
		w.out.WriteString("@BIN@")
		for _, x := range xs {
			var b [4]byte
			binary.LittleEndian.PutUint32(b[:], math.Float32bits(x))
			w.out.Write(b[:])
		}
	}
	w.out.WriteByte('\n')
}

func (w *writer) conv(name string, c *Conv) {
	w.line(name)
	w.line(c.H, c.W, c.In, c.Out, 1, 1)
	w.floats(c.Weights)
}

func (w *writer) matMul(name string, m *MatMul) {
	w.line(name)
	w.line(m.In, m.Out)
	w.floats(m.Weights)
}

func (w *writer) bias(name string, b []float32) {
	w.line(name)
	w.line(len(b))
	w.floats(b)
}

func (w *writer) act(name string, a Activation) {
	w.line(name)
	if w.version >= 11 {
		w.line(activationNames[a])
	}
}

// norm writes a factor and a summand as a normalization that changes nothing else.
func (w *writer) norm(name string, n *NormAct) {
	w.line(name)
	w.line(len(n.Scale), 1e-20, 1, 1)
	mean, variance := make([]float32, len(n.Scale)), make([]float32, len(n.Scale))
	for i := range variance {
		variance[i] = 1
	}
	w.floats(mean)
	w.floats(variance)
	w.floats(n.Scale)
	w.floats(n.Bias)
	w.act(name+"/act", n.Act)
}

func (w *writer) blocks(name string, bs []Block) {
	for i := range bs {
		b, name := &bs[i], fmt.Sprintf("%s/%d", name, i)
		switch {
		case b.Inner != nil:
			w.line("nested_bottleneck_block")
			w.line(name)
			w.line(len(b.Inner))
		case b.Pool != nil:
			w.line("gpool_block")
			w.line(name)
		default:
			w.line("ordinary_block")
			w.line(name)
		}
		w.norm(name+"/pre", &b.Pre)
		w.conv(name+"/first", &b.First)
		if p := b.Pool; p != nil {
			w.conv(name+"/pool", &p.Conv)
			w.norm(name+"/pool/norm", &p.Norm)
			w.matMul(name+"/pool/mul", &p.Mul)
		}
		w.blocks(name, b.Inner)
		w.norm(name+"/mid", &b.Mid)
		w.conv(name+"/last", &b.Last)
	}
}

func (w *writer) model(m *Model) {
	w.line(m.Name)
	w.line(m.Version)
	w.line(m.First.In)
	w.line(m.Global.In)
	if s := &m.Scale; m.Version >= 13 {
		w.line(s.TDScore, s.ScoreMean, s.ScoreStdev, s.Lead, s.VarianceTime, s.ValueError, s.ScoreError)
	}
	if m.Version >= 15 {
		life := 0
		if m.SuicideLife {
			life = 1
		}
		w.line(0, life, 0, 0, 0, 0, 0, 0)
	}

	b := &m.Blocks[0]
	regular, pooled := b.First.Out, b.First.Out
	for i := range m.Blocks {
		if p := m.Blocks[i].Pool; p != nil {
			regular, pooled = m.Blocks[i].First.Out, p.Conv.Out
		}
	}
	w.line("trunk")
	w.line(len(m.Blocks), m.First.Out, b.First.Out, regular, regular, pooled)
	if m.Version >= 15 {
		w.line(0, 0, 0, 0, 0, 0)
	}
	w.conv("trunk/first", &m.First)
	w.matMul("trunk/global", &m.Global)
	w.blocks("trunk", m.Blocks)
	w.norm("trunk/tip", &m.Tip)

	p := &m.Policy
	w.line("policy")
	if m.Version >= 17 {
		w.line(p.P2.Out, 0, 0, 0)
	}
	w.conv("policy/p1", &p.P1)
	w.conv("policy/g1", &p.G1)
	w.norm("policy/g1/norm", &p.G1Norm)
	w.matMul("policy/g1/mul", &p.Mul)
	w.norm("policy/p1/norm", &p.P1Norm)
	w.conv("policy/p2", &p.P2)
	w.matMul("policy/pass", &p.Pass)
	if m.Version >= 15 {
		w.bias("policy/pass/bias", p.PassBias)
		w.act("policy/pass/act", p.PassAct)
		w.matMul("policy/pass2", &p.Pass2)
	}

	v := &m.Value
	w.line("value")
	if m.Version >= 17 {
		w.line(0, 0, 0)
	}
	w.conv("value/v1", &v.V1)
	w.norm("value/v1/norm", &v.V1Norm)
	w.matMul("value/v2", &v.V2)
	w.bias("value/v2/bias", v.V2Bias)
	w.act("value/v2/act", v.V2Act)
	w.matMul("value/v3", &v.V3)
	w.bias("value/v3/bias", v.V3Bias)
	w.matMul("value/score", &v.Score)
	w.bias("value/score/bias", v.ScoreBias)
	w.conv("value/ownership", &v.Ownership)
}
