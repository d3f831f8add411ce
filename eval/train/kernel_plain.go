//go:build !amd64

package train

func units(v, u []unitRow, R *[256]unitRow, B *unitRow, pairs []uint32, swap bool) {
	unitsPlain(v, u, R, B, pairs, swap)
}

func spread(d, v []unitRow, R *[256]unitRow, B *unitRow, pairs []uint32, swap bool) {
	spreadPlain(d, v, R, B, pairs, swap)
}

func convolve(o []unitRow, h *unitRow, m []unitRow, step, i int, K *kernelRows) {
	convolvePlain(o, h, m, step, i, K)
}

func turn(d, o []unitRow, dh *unitRow, m []unitRow, step, i int, g *kernelRows) {
	turnPlain(d, o, dh, m, step, i, g)
}

func gather(to, rows []unitRow, kinds []uint8) { gatherPlain(to, rows, kinds) }

func mix(z *hiddenRow, in *inputRow, w *mixRows) { mixPlain(z, in, w) }

func unmix(d *hiddenRow, in, din *inputRow, w, g *mixRows) { unmixPlain(d, in, din, w, g) }

func step(p, m1, m2, g []float32, k *pace) { stepPlain(p, m1, m2, g, k) }
