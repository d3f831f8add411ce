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

// unitsPlain computes points with these pairs: rows R of the pairs and a bias B. v is the units
// before the limits, u behind them.
func unitsPlain(v, u []unitRow, R *[256]unitRow, B *unitRow, pairs []uint32, swap bool) {
	for i, p := range pairs {
		r0, r1, r2, r3 := rowsOf(R, p, swap)
		for j := range width {
			a := B[j] + r0[j] + r1[j] + r2[j] + r3[j]
			v[i][j], u[i][j] = a, clamp01(a)
		}
	}
}

// spreadPlain is the way back of unitsPlain: it adds the gradient d of the units behind the
// limits to that of the rows and of the bias.
func spreadPlain(d, v []unitRow, R *[256]unitRow, B *unitRow, pairs []uint32, swap bool) {
	for i, p := range pairs {
		r0, r1, r2, r3 := rowsOf(R, p, swap)
		for j := range width {
			if a := v[i][j]; a > 0 && a < 1 {
				t := d[i][j]
				B[j] += t
				r0[j] += t
				r1[j] += t
				r2[j] += t
				r3[j] += t
			}
		}
	}
}

// kernelRows is the weights of a point itself, of its four neighbours on the lines of the
// board, of the four across, and what is added.
type kernelRows [4]unitRow

// around adds up a point's neighbours on the lines and across. m is the points with a border,
// in rows that are step apart, i the number of the point.
func around(m []unitRow, step, i, j int) (plus, cross float32) {
	plus = m[i-1][j] + m[i+1][j] + (m[i-step][j] + m[i+step][j])
	cross = m[i-step-1][j] + m[i+step-1][j] + (m[i-step+1][j] + m[i+step+1][j])
	return
}

// convolvePlain puts the kernel on len(o) points of a row, from the i-th on: o is the units
// before the limits, h gets the sum of those behind them.
func convolvePlain(o []unitRow, h *unitRow, m []unitRow, step, i int, K *kernelRows) {
	for x := range o {
		for j := range width {
			plus, cross := around(m, step, i+x, j)
			a := K[3][j] + m[i+x][j]*K[0][j] + plus*K[1][j] + cross*K[2][j]
			o[x][j] = a
			h[j] += clamp01(a)
		}
	}
}

// turnPlain is the way back of convolvePlain up to the kernel: from the gradient dh of the sum
// to that of the units before the limits, left in d, and of the kernel, added to g.
func turnPlain(d, o []unitRow, dh *unitRow, m []unitRow, step, i int, g *kernelRows) {
	for x := range o {
		for j := range width {
			t := float32(0)
			if a := o[x][j]; a > 0 && a < 1 {
				t = dh[j]
			}
			d[x][j] = t
			plus, cross := around(m, step, i+x, j)
			g[0][j] += t * m[i+x][j]
			g[1][j] += t * plus
			g[2][j] += t * cross
			g[3][j] += t
		}
	}
}

// gatherPlain adds rows to those of their kinds.
func gatherPlain(to, rows []unitRow, kinds []uint8) {
	for i, k := range kinds {
		for j := range width {
			to[k][j] += rows[i][j]
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
