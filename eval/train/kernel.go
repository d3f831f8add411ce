package train

import "math"

// What a training step spends its time on. These are in plain Go; where the machine has
// AVX2 the same sums are made in the same order eight at a time.

type (
	unitRow   = [width]float32
	inputRow  = [2 * width]float32
	hiddenRow = [hidden]float32
	mixRows   = [2 * width]hiddenRow
)

// rowsOf returns the rows of a point's pairs, by direction, or with swap those of the pairs
// with the sides exchanged.
func rowsOf(R *[256]unitRow, pairs uint32, swap bool) (r0, r1, r2, r3 *unitRow) {
	if swap {
		pairs = pairs&0x0f0f0f0f<<4 | pairs>>4&0x0f0f0f0f
	}
	return &R[pairs&255], &R[pairs>>8&255], &R[pairs>>16&255], &R[pairs>>24]
}

// sumPlain adds the limited units of points to h: rows R of the pairs and a bias B. The
// units as they were before the limits are left in v.
func sumPlain(h *unitRow, v []unitRow, R *[256]unitRow, B *unitRow, pairs []uint32, counts []uint8, swap bool) {
	for i, p := range pairs {
		r0, r1, r2, r3 := rowsOf(R, p, swap)
		n := float32(counts[i])
		for j := range width {
			a := B[j] + r0[j] + r1[j] + r2[j] + r3[j]
			v[i][j] = a
			h[j] += n * clamp01(a)
		}
	}
}

// spreadPlain is the way back of sumPlain: it adds the gradient d of the sums to that of the
// rows and of the bias.
func spreadPlain(d *unitRow, v []unitRow, R *[256]unitRow, B *unitRow, pairs []uint32, counts []uint8, swap bool) {
	for i, p := range pairs {
		r0, r1, r2, r3 := rowsOf(R, p, swap)
		n := float32(counts[i])
		for j := range width {
			if a := v[i][j]; a > 0 && a < 1 {
				t := n * d[j]
				B[j] += t
				r0[j] += t
				r1[j] += t
				r2[j] += t
				r3[j] += t
			}
		}
	}
}

// mixPlain adds the weighted inputs to z.
func mixPlain(z *hiddenRow, in *inputRow, w *mixRows) {
	for j := range in {
		for u := range z {
			z[u] += w[j][u] * in[j]
		}
	}
}

// unmixPlain is the way back of mixPlain: from the gradient d of the hidden units to that of
// the weights, added to g, and of the inputs.
func unmixPlain(d *hiddenRow, in, din *inputRow, w, g *mixRows) {
	for j := range in {
		var s [8]float32
		for u := range d {
			g[j][u] += d[u] * in[j]
			s[u%8] += d[u] * w[j][u]
		}
		din[j] = s[0] + s[4] + (s[2] + s[6]) + (s[1] + s[5] + (s[3] + s[7]))
	}
}

// pace is what a step of Adam is made with: a moment below tiny is none, lest the numbers
// become so small that machines are slow with them.
type pace struct{ inv, b1, c1, b2, c2, rate, eps, tiny float32 }

// stepPlain moves the numbers p, whose moments are m1 and m2, against their gradient g,
// which it clears.
func stepPlain(p, m1, m2, g []float32, k *pace) {
	for i := range p {
		d := g[i] * k.inv
		g[i] = 0
		m1[i] = k.b1*m1[i] + k.c1*d
		if !(m1[i] > k.tiny || m1[i] < -k.tiny) {
			m1[i] = 0
		}
		m2[i] = k.b2*m2[i] + k.c2*d*d
		p[i] -= k.rate * m1[i] / (float32(math.Sqrt(float64(m2[i]))) + k.eps)
	}
}
