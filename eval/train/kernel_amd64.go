package train

import "golang.org/x/sys/cpu"

var fast = cpu.X86.HasAVX2

//go:noescape
func unitsAVX2(v, u *unitRow, R *[256]unitRow, B *unitRow, pairs *uint32, n int, swap bool)

//go:noescape
func spreadAVX2(d, v *unitRow, R *[256]unitRow, B *unitRow, pairs *uint32, n int, swap bool)

// convolveAVX2 looks at n points, at least one: m is the one above the first of them, rows are
// step bytes apart.
//
//go:noescape
func convolveAVX2(o, h, m *unitRow, K *kernelRows, n, step int)

// turnAVX2 is told its points as convolveAVX2 is.
//
//go:noescape
func turnAVX2(d, o, dh, m *unitRow, dk *kernelRows, n, step int)

//go:noescape
func gatherAVX2(to, rows *unitRow, kinds *uint8, n int)

//go:noescape
func mixAVX2(z *hiddenRow, in *inputRow, w *mixRows)

//go:noescape
func unmixAVX2(d *hiddenRow, in, din *inputRow, w, dw *mixRows)

// stepAVX2 makes steps of n numbers, a multiple of 8.
//
//go:noescape
func stepAVX2(p, m1, m2, d *float32, n int, k *pace)

func units(v, u []unitRow, R *[256]unitRow, B *unitRow, pairs []uint32, swap bool) {
	if !fast {
		unitsPlain(v, u, R, B, pairs, swap)
		return
	}
	if n := len(pairs); n > 0 {
		unitsAVX2(&v[:n][0], &u[:n][0], R, B, &pairs[0], n, swap)
	}
}

func spread(d, v []unitRow, R *[256]unitRow, B *unitRow, pairs []uint32, swap bool) {
	if !fast {
		spreadPlain(d, v, R, B, pairs, swap)
		return
	}
	if n := len(pairs); n > 0 {
		spreadAVX2(&d[:n][0], &v[:n][0], R, B, &pairs[0], n, swap)
	}
}

func convolve(o []unitRow, h *unitRow, m []unitRow, step, i int, K *kernelRows) {
	if !fast || len(o) == 0 {
		convolvePlain(o, h, m, step, i, K)
		return
	}
	m = m[i-step-1 : i+step+len(o)+1]
	convolveAVX2(&o[0], h, &m[1], K, len(o), 4*width*step)
}

func turn(d, o []unitRow, dh *unitRow, m []unitRow, step, i int, g *kernelRows) {
	if !fast || len(o) == 0 {
		turnPlain(d, o, dh, m, step, i, g)
		return
	}
	m = m[i-step-1 : i+step+len(o)+1]
	turnAVX2(&d[:len(o)][0], &o[0], dh, &m[1], g, len(o), 4*width*step)
}

func gather(to, rows []unitRow, kinds []uint8) {
	if !fast || len(kinds) == 0 {
		gatherPlain(to, rows, kinds)
		return
	}
	gatherAVX2(&to[0], &rows[:len(kinds)][0], &kinds[0], len(kinds))
}

func mix(z *hiddenRow, in *inputRow, w *mixRows) {
	if !fast {
		mixPlain(z, in, w)
		return
	}
	mixAVX2(z, in, w)
}

func unmix(d *hiddenRow, in, din *inputRow, w, g *mixRows) {
	if !fast {
		unmixPlain(d, in, din, w, g)
		return
	}
	unmixAVX2(d, in, din, w, g)
}

func step(p, m1, m2, g []float32, k *pace) {
	n := 0
	if fast {
		if n = len(p) &^ 7; n > 0 {
			stepAVX2(&p[0], &m1[:n][0], &m2[:n][0], &g[:n][0], n, k)
		}
	}
	stepPlain(p[n:], m1[n:], m2[n:], g[n:], k)
}
