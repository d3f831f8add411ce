//go:build !amd64

package resnet

// Level names the instructions that are used.
func Level() string { return "plain" }

func multiply(c []float32, cs int, a []float32, as int, b []float32, k, rows int, add bool) {
	multiplyPlain(c, cs, a, as, b, k, rows, add)
}

func toTile(v []float32, vs int, in []float32, stride, channels int) {
	toTilePlain(v, vs, in, stride, channels)
}

func fromTile(out []float32, stride int, m []float32, ms, channels int, add bool) {
	fromTilePlain(out, stride, m, ms, channels, add)
}

func norm(to, from []float32, points, channels int, scale, bias []float32, relu bool) {
	normPlain(to, from, points, channels, scale, bias, relu)
}
