package resnet

import "unsafe"

// The four loops that take the time, in plain Go. Where the processor has the instructions
// the assembly of the same names does the work, see kernel_amd64.go; both differ by no more
// than the rounding of a fused multiplication and addition.
//
// Everything lies with its channels together: [point][channel], the number of channels
// rounded up to lanes. Strides count floats.

const (
	lanes = 32 // of channels, and the width of a panel of weights
	tile  = 4  // points of a side that a Winograd tile computes
	patch = 6  // points of a side that it looks at
)

func padded(channels int) int { return (channels + lanes - 1) / lanes * lanes }

// floats returns n zeroed floats that begin with a cache line.
func floats(n int) []float32 {
	const line = 64 / 4
	s := make([]float32, n+line-1)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(s)))&63) / 4
	return s[skip : skip+n : skip+n]
}

// multiplyPlain computes a panel of a product of matrices, lanes columns of rows:
//
//	c[r][j] = (add ? c[r][j] : 0) + sum over i<k of a[r][i] b[i][j]
//
// The rows of c are cs apart, those of a are as; the rows of b lie one behind the other.
func multiplyPlain(c []float32, cs int, a []float32, as int, b []float32, k, rows int, add bool) {
	for r := range rows {
		var sum [lanes]float32
		if add {
			sum = [lanes]float32(c[r*cs:])
		}
		for i, x := range a[r*as : r*as+k] {
			w := (*[lanes]float32)(b[i*lanes:])
			for j := range sum {
				sum[j] += x * w[j]
			}
		}
		*(*[lanes]float32)(c[r*cs:]) = sum
	}
}

// toTilePlain transforms a patch of the input, whose rows are stride apart, channel by
// channel. The result's numbers are vs apart.
func toTilePlain(v []float32, vs int, in []float32, stride, channels int) {
	for c := range channels {
		var m [patch][patch]float32
		for x := range patch {
			var d [patch]float32
			for y := range d {
				d[y] = in[y*stride+x*channels+c]
			}
			for y, s := range toTile1(&d) {
				m[y][x] = s
			}
		}
		for y := range m {
			for x, s := range toTile1(&m[y]) {
				v[(y*patch+x)*vs+c] = s
			}
		}
	}
}

// toTile1 is the transform of the input in one direction, B^T d of section 4.3.
func toTile1(d *[patch]float32) [patch]float32 {
	a, b := d[4]-4*d[2], d[3]-4*d[1]
	e, f := d[4]-d[2], d[3]-d[1]
	return [patch]float32{
		4*d[0] - 5*d[2] + d[4],
		a + b, a - b,
		e + 2*f, e - 2*f,
		4*d[1] - 5*d[3] + d[5],
	}
}

// fromTilePlain transforms the products, which are ms apart, to points of the output, whose
// rows are stride apart; it adds them there if so asked.
func fromTilePlain(out []float32, stride int, m []float32, ms, channels int, add bool) {
	for c := range channels {
		var t [tile][patch]float32
		for x := range patch {
			var d [patch]float32
			for y := range d {
				d[y] = m[(y*patch+x)*ms+c]
			}
			for y, s := range fromTile1(&d) {
				t[y][x] = s
			}
		}
		for y := range t {
			for x, s := range fromTile1(&t[y]) {
				p := &out[y*stride+x*channels+c]
				if add {
					s += *p
				}
				*p = s
			}
		}
	}
}

// fromTile1 is the transform of the output in one direction, A^T m.
func fromTile1(m *[patch]float32) [tile]float32 {
	s, d := m[1]+m[2], m[1]-m[2]
	u, e := m[3]+m[4], m[3]-m[4]
	return [tile]float32{
		m[0] + s + u,
		d + 2*e,
		s + 4*u,
		d + 8*e + m[5],
	}
}

// kernelTile transforms a 3x3 kernel, G g G^T.
func kernelTile(g *[3][3]float64) (u [patch][patch]float64) {
	var t [patch][3]float64
	for x := range 3 {
		for y, s := range kernelTile1(g[0][x], g[1][x], g[2][x]) {
			t[y][x] = s
		}
	}
	for y := range t {
		u[y] = kernelTile1(t[y][0], t[y][1], t[y][2])
	}
	return u
}

func kernelTile1(a, b, c float64) [patch]float64 {
	return [patch]float64{
		a / 4,
		-(a + b + c) / 6,
		-(a - b + c) / 6,
		a/24 + b/12 + c/6,
		a/24 - b/12 + c/6,
		c,
	}
}

// normPlain computes scale x + bias of points, each with all its channels, and cuts off what
// is negative if so asked.
func normPlain(to, from []float32, points, channels int, scale, bias []float32, relu bool) {
	for p := range points {
		x := from[p*channels : (p+1)*channels]
		y := to[p*channels : (p+1)*channels]
		for c := range x {
			v := scale[c]*x[c] + bias[c]
			if relu {
				v = max(v, 0)
			}
			y[c] = v
		}
	}
}
