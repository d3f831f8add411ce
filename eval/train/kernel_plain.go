//go:build !amd64

package train

func sum(h *unitRow, v []unitRow, R *[256]unitRow, B *unitRow, pairs []uint32, counts []uint8, swap bool) {
	sumPlain(h, v, R, B, pairs, counts, swap)
}

func spread(d *unitRow, v []unitRow, R *[256]unitRow, B *unitRow, pairs []uint32, counts []uint8, swap bool) {
	spreadPlain(d, v, R, B, pairs, counts, swap)
}

func mix(z *hiddenRow, in *inputRow, w *mixRows) { mixPlain(z, in, w) }

func unmix(d *hiddenRow, in, din *inputRow, w, g *mixRows) { unmixPlain(d, in, din, w, g) }

func step(p, m1, m2, g []float32, k *pace) { stepPlain(p, m1, m2, g, k) }
