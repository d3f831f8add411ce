package nnue

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"tengen/engine/game"
	"tengen/engine/line"
)

// random returns a network of numbers as large as a trained one's may be.
func random(rng *rand.Rand) *Net {
	n := new(Net)
	for i := range n.Rows {
		for j := range n.Rows[i] {
			n.Rows[i][j] = int16(rng.IntN(401) - 200)
		}
	}
	for j := range n.Rows[StoneRow] {
		n.Rows[StoneRow][j] = Never
	}
	for j := range n.Bias {
		n.Bias[j] = int16(rng.IntN(201) - 100)
	}
	most := []int{4000, 14000}[rng.IntN(2)] // the second is near what check lets pass
	for i := range n.Kernel {
		for j := range n.Kernel[i] {
			n.Kernel[i][j] = int16(rng.IntN(2*most+1) - most)
		}
	}
	for s := range n.Head {
		h := &n.Head[s]
		for k := range h.In {
			for u := range h.In[k] {
				h.In[k][u] = [2]int16{int16(rng.IntN(301) - 150), int16(rng.IntN(301) - 150)}
			}
		}
		for t := range h.Threat {
			for u := range h.Threat[t] {
				h.Threat[t][u] = int32(rng.IntN(60001) - 30000)
			}
		}
		for u := range h.Out {
			h.Out[u] = int32(rng.IntN(4001) - 2000)
		}
		h.Base = int32(rng.IntN(100))
	}
	return n
}

// The fast ways compute what the plain ones do.
func TestFast(t *testing.T) {
	for level := range levels(t) {
		t.Run(level, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 1))
			for range 100 {
				compare(t, rng)
			}
		})
	}
}

func FuzzFast(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		for range levels(t) {
			compare(t, rand.New(rand.NewPCG(a, b)))
		}
	})
}

// compare compares the ways for one network.
func compare(t *testing.T, rng *rand.Rand) {
	t.Helper()
	n := random(rng)
	if err := n.check(); err != nil {
		t.Fatal(err)
	}
	size := rng.IntN(line.MaxSize) + 1
	state, twin := NewState(n), NewState(n)
	state.clear(size)
	twin.clear(size)
	now := new([game.NumPoints]uint32)
	for q := range now {
		now[q] = line.NoPattern
	}
	for range 5 {
		for y := range size {
			often := rng.IntN(8) // many points of a row, some, none
			for x := range size {
				switch q := game.At(x, y); {
				case rng.IntN(8) >= often:
				case rng.IntN(4) == 0:
					now[q] = line.NoPattern
				default:
					now[q] = rng.Uint32()
				}
			}
		}
		state.follow(now)
		twin.followPlain(now)
		if *state != *twin {
			t.Fatalf("size %d: the states differ", size)
		}
	}
	rows := make([]Units, rng.IntN(line.MaxSize+1))
	for y := range rows {
		for j := range rows[y] {
			rows[y][j] = int16(rng.IntN(line.MaxSize * PointOne))
		}
	}
	var a, b sums
	totalPlain(&a, rows)
	if total(&b, rows); a != b {
		t.Fatalf("%d rows: %v, plain %v", len(rows), b, a)
	}
	for me := range 2 {
		for range 10 {
			for j := range a {
				a[j] = int32(rng.IntN(400 * PointOne))
			}
			threats := rng.IntN(Threats)
			if x, y := forward(&n.Head[me], &a, me, threats), forwardPlain(&n.Head[me], &a, me, threats); x != y {
				t.Fatalf("forward %d, plain %d", x, y)
			}
		}
	}
}

// What a State has seen before never changes what it says.
func TestIncremental(t *testing.T) {
	for _, rule := range []game.Rule{game.Freestyle, game.Renju, game.Caro, game.Pente, game.Keryo} {
		rng := rand.New(rand.NewPCG(uint64(rule), 2))
		r, err := line.RulesOf(game.Variant{Rule: rule, Size: 15, FreeOpening: true})
		if err != nil {
			t.Fatal(err)
		}
		n := random(rng)
		p := line.NewPosition(line.NewTable(r, nil), 15)
		s := NewState(n)
		for range 4000 {
			if q := game.At(rng.IntN(15), rng.IntN(15)); p.At(q) == game.Empty && p.Ply() < 120 && rng.IntN(5) > 1 {
				p.Make(q)
			} else if p.Ply() > 0 {
				p.Unmake()
			}
			if rng.IntN(3) == 0 {
				continue
			}
			if got, want := s.Evaluate(p, 5), NewState(n).Evaluate(p, 5); got != want {
				t.Fatalf("%v, ply %d: %d, from scratch %d", rule, p.Ply(), got, want)
			}
		}
	}
}

func BenchmarkFollow(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	r, err := line.RulesOf(game.Variant{Rule: game.Freestyle, Size: 15})
	if err != nil {
		b.Fatal(err)
	}
	p := line.NewPosition(line.NewTable(r, nil), 15)
	for p.Ply() < 30 {
		if q := game.At(3+rng.IntN(9), 3+rng.IntN(9)); p.At(q) == game.Empty {
			p.Make(q)
		}
	}
	s := NewState(random(rng))
	s.clear(15)
	b.Run("move", func(b *testing.B) {
		for i := range b.N {
			p.Make(game.At(2, 2+i%11))
			p.Unmake()
		}
	})
	for _, way := range []struct {
		name   string
		follow func(*[game.NumPoints]uint32)
	}{{"move and sums", s.follow}, {"move and sums, plain", s.followPlain}} {
		b.Run(way.name, func(b *testing.B) {
			for i := range b.N {
				p.Make(game.At(2, 2+i%11))
				way.follow(p.Patterns())
				p.Unmake()
			}
		})
	}
}

func BenchmarkForward(b *testing.B) {
	n := random(rand.New(rand.NewPCG(3, 3)))
	var s sums
	b.Run("fast", func(b *testing.B) {
		for range b.N {
			forward(&n.Head[0], &s, 0, 3)
		}
	})
	b.Run("plain", func(b *testing.B) {
		for range b.N {
			forwardPlain(&n.Head[0], &s, 0, 3)
		}
	})
}

// A file is read as it was written; a damaged one is refused, wherever the damage is.
func TestFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	n := random(rng)
	var b bytes.Buffer
	if err := n.Write(&b, "renju"); err != nil {
		t.Fatal(err)
	}
	got, name, err := Read(bytes.NewReader(b.Bytes()))
	if err != nil || name != "renju" || *got != *n {
		t.Fatal(name, err)
	}
	for range 200 {
		d := bytes.Clone(b.Bytes())
		d[rng.IntN(len(d))] ^= byte(1 + rng.IntN(255))
		if got, _, err := Read(bytes.NewReader(d)); err == nil && *got != *n {
			t.Error("damage was not seen")
		}
		if _, _, err := Read(bytes.NewReader(d[:rng.IntN(len(d))])); err == nil {
			t.Error("half a file was read")
		}
	}
	for _, spoil := range []func(*Net){
		func(n *Net) { n.Head[1].In[3][4][0] = 30000 },
		func(n *Net) { n.Rows[17][4] = 5000 },
		func(n *Net) { n.Kernel[0][4], n.Kernel[1][4], n.Kernel[2][4] = 32000, 30000, -30000 },
	} {
		m := *n
		spoil(&m)
		b.Reset()
		if err := m.Write(&b, "renju"); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Read(&b); err == nil {
			t.Error("a weight out of range was read")
		}
	}
}
