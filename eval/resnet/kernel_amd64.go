package resnet

import "golang.org/x/sys/cpu"

// level is which instructions the kernels use.
type level uint8

const (
	plain level = iota
	avx2
	avx512
)

var best = func() level {
	switch x := &cpu.X86; {
	case x.HasAVX512F && x.HasFMA:
		return avx512
	case x.HasAVX2 && x.HasFMA:
		return avx2
	}
	return plain
}()

// used is best but in tests.
var used = best

// Level names the instructions that are used.
func Level() string { return [...]string{"plain", "AVX2", "AVX-512"}[used] }

// Rows that are computed together, see asm/main.go.
const (
	rows2   = 6
	rows512 = 14
)

func multiply(c []float32, cs int, a []float32, as int, b []float32, k, rows int, add bool) {
	_, _, _ = c[(rows-1)*cs+lanes-1], a[(rows-1)*as+k-1], b[k*lanes-1]
	switch used {
	case avx512:
		for parts := (rows + rows512 - 1) / rows512; parts > 0; parts-- {
			n := (rows + parts - 1) / parts
			multiplyAVX512(&c[0], cs, &a[0], as, &b[0], k, n, add)
			if rows -= n; rows > 0 {
				c, a = c[n*cs:], a[n*as:]
			}
		}
	case avx2:
		for parts := (rows + rows2 - 1) / rows2; parts > 0; parts-- {
			n := (rows + parts - 1) / parts
			multiplyAVX2(&c[0], cs, &a[0], as, &b[0], k, n, add)
			multiplyAVX2(&c[lanes/2], cs, &a[0], as, &b[lanes/2], k, n, add)
			if rows -= n; rows > 0 {
				c, a = c[n*cs:], a[n*as:]
			}
		}
	default:
		multiplyPlain(c, cs, a, as, b, k, rows, add)
	}
}

func toTile(v []float32, vs int, in []float32, stride, channels int) {
	_, _ = v[(patch*patch-1)*vs+channels-1], in[(patch-1)*stride+patch*channels-1]
	switch used {
	case avx512:
		toTileAVX512(&v[0], vs, &in[0], stride, channels)
	case avx2:
		toTileAVX2(&v[0], vs, &in[0], stride, channels)
	default:
		toTilePlain(v, vs, in, stride, channels)
	}
}

func fromTile(out []float32, stride int, m []float32, ms, channels int, add bool) {
	_, _ = out[(tile-1)*stride+tile*channels-1], m[(patch*patch-1)*ms+channels-1]
	switch used {
	case avx512:
		fromTileAVX512(&out[0], stride, &m[0], ms, channels, add)
	case avx2:
		fromTileAVX2(&out[0], stride, &m[0], ms, channels, add)
	default:
		fromTilePlain(out, stride, m, ms, channels, add)
	}
}

func norm(to, from []float32, points, channels int, scale, bias []float32, relu bool) {
	_, _, _, _ = to[points*channels-1], from[points*channels-1], scale[channels-1], bias[channels-1]
	least := float32(-3.4e38)
	if relu {
		least = 0
	}
	switch used {
	case avx512:
		normAVX512(&to[0], &from[0], points, channels, &scale[0], &bias[0], least)
	case avx2:
		normAVX2(&to[0], &from[0], points, channels, &scale[0], &bias[0], least)
	default:
		normPlain(to, from, points, channels, scale, bias, relu)
	}
}
