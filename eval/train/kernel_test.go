package train

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The fast way computes what the plain one does, to the last bit.
func TestKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	fill := func(a []float32, scale float64) {
		for i := range a {
			a[i] = float32(rng.NormFloat64() * scale)
		}
	}
	for range 200 {
		var R [256]unitRow
		var B, d unitRow
		for i := range R {
			fill(R[i][:], 0.3)
		}
		fill(B[:], 0.3)
		fill(d[:], 1)
		n := rng.IntN(200)
		pairs, counts := make([]uint32, n), make([]uint8, n)
		for i := range pairs {
			pairs[i], counts[i] = rng.Uint32(), uint8(1+rng.IntN(255))
			if rng.IntN(3) == 0 {
				pairs[i] &= 0xf0f0f0f
			}
			if rng.IntN(8) == 0 {
				pairs[i] = 0
			}
		}
		swap := rng.IntN(2) == 1
		va, vb := make([]unitRow, n), make([]unitRow, n)
		var ha, hb unitRow
		sumPlain(&ha, va, &R, &B, pairs, counts, swap)
		sum(&hb, vb, &R, &B, pairs, counts, swap)
		if ha != hb || !slices.Equal(va, vb) {
			t.Fatalf("sum of %d: %v, plain %v", n, hb, ha)
		}
		Ra, Rb, Ba, Bb := R, R, B, B
		spreadPlain(&d, va, &Ra, &Ba, pairs, counts, swap)
		spread(&d, vb, &Rb, &Bb, pairs, counts, swap)
		if Ra != Rb || Ba != Bb {
			t.Fatalf("spread of %d", n)
		}

		var w, ga mixRows
		var in, da, db inputRow
		var z, dz hiddenRow
		for j := range w {
			fill(w[j][:], 0.3)
			fill(ga[j][:], 0.3)
		}
		fill(in[:], 1)
		fill(z[:], 1)
		fill(dz[:], 1)
		gb, zb := ga, z
		mixPlain(&z, &in, &w)
		mix(&zb, &in, &w)
		unmixPlain(&dz, &in, &da, &w, &ga)
		unmix(&dz, &in, &db, &w, &gb)
		if z != zb || da != db || ga != gb {
			t.Fatalf("mix: %v, plain %v", zb, z)
		}

		const m = 43
		var a, b [4][m]float32
		for i := range a {
			fill(a[i][:], 0.1)
		}
		for j := range m {
			a[2][j] *= a[2][j]
			if j%5 == 0 {
				a[1][j], a[3][j] = a[1][j]*1e-30, 0
			}
		}
		b = a
		k := pace{0.01, 0.9, 0.1, 0.999, 0.001, 0.002, 1e-8, 1e-30}
		stepPlain(a[0][:], a[1][:], a[2][:], a[3][:], &k)
		step(b[0][:], b[1][:], b[2][:], b[3][:], &k)
		if a != b {
			t.Fatalf("step: %v, plain %v", b, a)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	p, m1, m2, g := new(params), new(params), new(params), new(params)
	for b.Loop() {
		step(flat(p), flat(m1), flat(m2), flat(g), &pace{1, 0.9, 0.1, 0.999, 0.001, 0.002, 1e-8, 1e-30})
	}
}
