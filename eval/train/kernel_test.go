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
		var B unitRow
		for i := range R {
			fill(R[i][:], 0.3)
		}
		fill(B[:], 0.3)
		n := rng.IntN(200)
		pairs := make([]uint32, n)
		d := make([]unitRow, n)
		for i := range pairs {
			pairs[i] = rng.Uint32()
			fill(d[i][:], 1)
			if rng.IntN(3) == 0 {
				pairs[i] &= 0xf0f0f0f
			}
			if rng.IntN(8) == 0 {
				pairs[i] = 0
			}
		}
		swap := rng.IntN(2) == 1
		va, vb, ua, ub := make([]unitRow, n), make([]unitRow, n), make([]unitRow, n), make([]unitRow, n)
		unitsPlain(va, ua, &R, &B, pairs, swap)
		units(vb, ub, &R, &B, pairs, swap)
		if !slices.Equal(va, vb) || !slices.Equal(ua, ub) {
			t.Fatalf("units of %d", n)
		}
		Ra, Rb, Ba, Bb := R, R, B, B
		spreadPlain(d, va, &Ra, &Ba, pairs, swap)
		spread(d, vb, &Rb, &Bb, pairs, swap)
		if Ra != Rb || Ba != Bb {
			t.Fatalf("spread of %d", n)
		}

		size := rng.IntN(20)
		wide := size + 2 + rng.IntN(4)
		points := make([]unitRow, 3*wide)
		for i := range points {
			fill(points[i][:], 0.5)
		}
		var K kernelRows
		for i := range K {
			fill(K[i][:], 0.5)
		}
		oa, ob, da1, db1 := make([]unitRow, size), make([]unitRow, size), make([]unitRow, size), make([]unitRow, size)
		ha, hb := R[0], R[0]
		convolvePlain(oa, &ha, points, wide, wide+1, &K)
		convolve(ob, &hb, points, wide, wide+1, &K)
		if ha != hb || !slices.Equal(oa, ob) {
			t.Fatalf("convolve %d: %v, plain %v", size, hb, ha)
		}
		Ka, Kb := K, K
		turnPlain(da1, oa, &R[1], points, wide, wide+1, &Ka)
		turn(db1, ob, &R[1], points, wide, wide+1, &Kb)
		if Ka != Kb || !slices.Equal(da1, db1) {
			t.Fatalf("turn %d: %v, plain %v", size, Kb, Ka)
		}
		kinds := make([]uint8, n)
		for i := range kinds {
			kinds[i] = uint8(rng.IntN(256))
		}
		Ra, Rb = R, R
		gatherPlain(Ra[:], d, kinds)
		gather(Rb[:], d, kinds)
		if Ra != Rb {
			t.Fatalf("gather %d", n)
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
