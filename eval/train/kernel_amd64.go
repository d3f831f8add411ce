package train

import "golang.org/x/sys/cpu"

var fast = cpu.X86.HasAVX2

//go:noescape
func sumAVX2(h, v *unitRow, R *[256]unitRow, B *unitRow, pairs *uint32, counts *uint8, n int, swap bool)

//go:noescape
func spreadAVX2(d, v *unitRow, R *[256]unitRow, B *unitRow, pairs *uint32, counts *uint8, n int, swap bool)

//go:noescape
func mixAVX2(z *hiddenRow, in *inputRow, w *mixRows)

//go:noescape
func unmixAVX2(d *hiddenRow, in, din *inputRow, w, dw *mixRows)

// stepAVX2 makes steps of n numbers, a multiple of 8.
//
//go:noescape
func stepAVX2(p, m1, m2, d *float32, n int, k *pace)

func sum(h *unitRow, v []unitRow, R *[256]unitRow, B *unitRow, pairs []uint32, counts []uint8, swap bool) {
	if !fast {
		sumPlain(h, v, R, B, pairs, counts, swap)
		return
	}
	if n := len(pairs); n > 0 {
		sumAVX2(h, &v[:n][0], R, B, &pairs[0], &counts[:n][0], n, swap)
	}
}

func spread(d *unitRow, v []unitRow, R *[256]unitRow, B *unitRow, pairs []uint32, counts []uint8, swap bool) {
	if !fast {
		spreadPlain(d, v, R, B, pairs, counts, swap)
		return
	}
	if n := len(pairs); n > 0 {
		spreadAVX2(d, &v[:n][0], R, B, &pairs[0], &counts[:n][0], n, swap)
	}
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
