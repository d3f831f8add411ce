package resnet

// Net is a network ready to be computed. It is never changed: any number of Batches share it.
type Net struct {
	Name    string
	Version int
	// SuicideLife asks for the pass-alive planes as if suicide were legal.
	SuicideLife bool
	scale       Scale

	first    conv
	global   matMul
	blocks   []block
	tip      normAct
	channels int // of the trunk
	widest   int // channels of anything
	deepest  int // blocks nested in each other
	policy   policy
	value    value
}

// New prepares a network.
func New(m *Model) (*Net, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	n := &Net{Name: m.Name, Version: m.Version, SuicideLife: m.SuicideLife, scale: m.Scale}
	n.first = n.conv(&m.First, Planes)
	n.channels = n.first.out
	n.global = n.matMulOf(&m.Global, nil)
	n.blocks = n.blocksOf(m.Blocks, 1)
	n.tip = normActOf(&m.Tip)

	p, from := &n.policy, &m.Policy
	p.p1, p.g1, p.p2 = n.convOf(&from.P1), n.convOf(&from.G1), n.convOf(&from.P2)
	p.g1Norm, p.p1Norm = normActOf(&from.G1Norm), normActOf(&from.P1Norm)
	p.mul, p.pass = n.pooledOf(&from.Mul, nil), n.pooledOf(&from.Pass, from.PassBias)
	if p.outputs = from.P2.Out; m.Version >= 15 {
		p.two, p.passAct, p.pass2 = true, from.PassAct, n.matMulOf(&from.Pass2, nil)
	}

	v := &n.value
	v.v1, v.v1Norm, v.ownership = n.convOf(&m.Value.V1), normActOf(&m.Value.V1Norm), n.convOf(&m.Value.Ownership)
	v.v2, v.v2Act = n.pooledOf(&m.Value.V2, m.Value.V2Bias), m.Value.V2Act
	v.v3, v.score = n.matMulOf(&m.Value.V3, m.Value.V3Bias), n.matMulOf(&m.Value.Score, m.Value.ScoreBias)
	return n, nil
}

type block struct {
	pre, mid    normAct
	first, last conv
	inner       []block
	pool        *pool
}

type pool struct {
	conv conv
	norm normAct
	mul  matMul
}

type policy struct {
	p1, g1, p2     conv
	g1Norm, p1Norm normAct
	mul, pass      matMul
	outputs        int
	two            bool
	passAct        Activation
	pass2          matMul
}

type value struct {
	v1, ownership conv
	v1Norm        normAct
	v2, v3, score matMul
	v2Act         Activation
}

// conv is a convolution of padded channels.
type conv struct {
	h, w    int
	in, out int       // channels of the activations, between which it is
	used    int       // channels of the input that are there
	panels  []float32 // [out/lanes][h][w*in][lanes]; of a 3x3 kernel [patch*patch][out/lanes][used][lanes]
}

func (c *conv) winograd() bool { return c.h == 3 && c.w == 3 && c.in%lanes == 0 }

func (n *Net) convOf(c *Conv) conv { return n.conv(c, padded(c.In)) }

// conv prepares a convolution of activations with so many channels.
func (n *Net) conv(from *Conv, in int) conv {
	c := conv{h: from.H, w: from.W, in: in, out: padded(from.Out), used: from.In}
	n.widest = max(n.widest, c.out)
	weight := func(y, x, i, o int) float32 {
		if o >= from.Out {
			return 0
		}
		return from.Weights[((y*from.W+x)*from.In+i)*from.Out+o]
	}
	if !c.winograd() {
		c.panels = floats(c.h * c.w * c.in * c.out)
		for o := range from.Out {
			for y := range c.h {
				for x := range c.w {
					for i := range from.In {
						c.panels[((o/lanes*c.h+y)*c.w*in+x*in+i)*lanes+o%lanes] = weight(y, x, i, o)
					}
				}
			}
		}
		return c
	}
	c.panels = floats(patch * patch * c.used * c.out)
	for i := range from.In {
		for o := range from.Out {
			var g [3][3]float64
			for y := range g {
				for x := range g[y] {
					g[y][x] = float64(weight(y, x, i, o))
				}
			}
			for y, row := range kernelTile(&g) {
				for x, u := range row {
					c.panels[(((y*patch+x)*(c.out/lanes)+o/lanes)*c.used+i)*lanes+o%lanes] = float32(u)
				}
			}
		}
	}
	return c
}

// matMul is a product of rows with a matrix, [out/lanes][in][lanes], and a summand.
type matMul struct {
	in, out int // of padded channels
	panels  []float32
	bias    []float32
}

func (n *Net) matMulOf(m *MatMul, bias []float32) matMul {
	return n.matMulBy(m, bias, func(i int) int { return i }, m.In)
}

// pooledOf prepares a product whose input is what was pooled, three blocks of channels, each
// of them padded.
func (n *Net) pooledOf(m *MatMul, bias []float32) matMul {
	c := m.In / 3
	return n.matMulBy(m, bias, func(i int) int { return i/c*padded(c) + i%c }, 3*padded(c))
}

func (n *Net) matMulBy(m *MatMul, bias []float32, place func(int) int, in int) matMul {
	r := matMul{in: in, out: padded(m.Out), bias: floats(padded(m.Out))}
	n.widest = max(n.widest, r.out)
	r.panels = floats(in * r.out)
	copy(r.bias, bias)
	for i := range m.In {
		for o := range m.Out {
			r.panels[(o/lanes*in+place(i))*lanes+o%lanes] = m.Weights[i*m.Out+o]
		}
	}
	return r
}

// normAct is a normalization of padded channels.
type normAct struct {
	scale, bias []float32
	act         Activation
}

func normActOf(n *NormAct) normAct {
	r := normAct{floats(padded(len(n.Scale))), floats(padded(len(n.Scale))), n.Act}
	copy(r.scale, n.Scale)
	copy(r.bias, n.Bias)
	return r
}

func (n *Net) blocksOf(bs []Block, depth int) []block {
	n.deepest = max(n.deepest, depth)
	to := make([]block, len(bs))
	for i := range bs {
		b := &bs[i]
		to[i] = block{
			pre: normActOf(&b.Pre), mid: normActOf(&b.Mid),
			first: n.convOf(&b.First), last: n.convOf(&b.Last),
		}
		if p := b.Pool; p != nil {
			to[i].pool = &pool{n.convOf(&p.Conv), normActOf(&p.Norm), n.pooledOf(&p.Mul, nil)}
		}
		if b.Inner != nil {
			to[i].inner = n.blocksOf(b.Inner, depth+1)
		}
	}
	return to
}
