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

// The fast way computes what the plain one does.
func TestFast(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		n := random(rng)
		var a, b sums
		for j := range a {
			a[j] = int32(rng.IntN(400 * One))
			b[j] = a[j]
		}
		k := rng.IntN(most + 1)
		old, now := make([]uint32, k), make([]uint32, k)
		for i := range old {
			old[i], now[i] = rng.Uint32(), rng.Uint32()
			switch rng.IntN(9) {
			case 0:
				now[i] = stone
			case 1:
				now[i] = old[i]
			case 2, 3, 4, 5: // on one line
				d := 4 * rng.IntN(4)
				now[i] = old[i] ^ (rng.Uint32()&0xf000f)<<d
			}
		}
		addPlain(&a, n, old, now)
		add(&b, n, old, now)
		if a != b {
			t.Fatalf("%d points: %v, plain %v", k, b, a)
		}
		for me := range 2 {
			for range 10 {
				for j := range a {
					a[j] = int32(rng.IntN(400 * One))
				}
				threats := rng.IntN(Threats)
				if x, y := forward(&n.Head[me], &a, me, threats), forwardPlain(&n.Head[me], &a, me, threats); x != y {
					t.Fatalf("forward %d, plain %d", x, y)
				}
			}
		}
	}
}

// What a State knows of earlier plies never changes what it says.
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

func BenchmarkUpdate(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	n := random(rng)
	var s sums
	var old, now [25]uint32
	for i := range old {
		old[i] = rng.Uint32()
		now[i] = old[i] ^ (1+rng.Uint32()&0xe)<<(4*rng.IntN(4))
	}
	b.Run("fast", func(b *testing.B) {
		for range b.N {
			add(&s, n, old[:], now[:])
		}
	})
	b.Run("plain", func(b *testing.B) {
		for range b.N {
			addPlain(&s, n, old[:], now[:])
		}
	})
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
	n.Head[1].In[3][4][0] = 30000
	b.Reset()
	if err := n.Write(&b, "renju"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read(&b); err == nil {
		t.Error("a weight out of range was read")
	}
}
