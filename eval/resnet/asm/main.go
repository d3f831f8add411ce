// Command asm generates the assembly of package resnet; each function's meaning is that of
// its twin in plain Go there. It is a module of its own, so that its packages are needed
// only by who changes it:
//
//	cd eval/resnet/asm && go run . -out ../kernel_amd64.s -stubs ../kernel_stubs_amd64.go -pkg resnet
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// width is a kind of vector.
type width struct {
	name  string
	bytes int
	vec   func() VecVirtual
	rows  int // of a product that are computed together
}

// Accumulators for 14 rows of two vectors, two vectors of weights and one of the input fill
// the 32 registers of AVX-512; 6 rows fill the 16 of AVX2.
var widths = []width{
	{"AVX2", 32, YMM, 6},
	{"AVX512", 64, ZMM, 14},
}

func main() {
	ConstraintExpr("amd64")
	constants()
	for _, w := range widths {
		multiply(w)
		toTile(w)
		fromTile(w)
		norm(w)
	}
	Generate()
}

var consts [4]Mem // 2, 4, 5, 8

func constants() {
	for i, x := range []float32{2, 4, 5, 8} {
		consts[i] = GLOBL(fmt.Sprintf("times%g", x), RODATA|NOPTR)
		DATA(0, F32(x))
	}
}

// arg loads a parameter.
func arg(name string) Register { return Load(Param(name), GP64()) }

// bytes turns a count of floats into one of bytes.
func bytes(r Register) Register {
	SHLQ(Imm(2), r)
	return r
}

// multiply computes two vectors of each row.
func multiply(w width) {
	const unroll = 4
	TEXT("multiply"+w.name, NOSPLIT, "func(c *float32, cs int, a *float32, as int, b *float32, k int, rows int, add bool)")
	Doc(fmt.Sprintf("multiply%s computes %d columns of up to %d rows of multiply; rows of b are %d columns wide.", w.name, 2*w.bytes/4, w.rows, 32))
	Pragma("noescape")
	c, cs, a, as := arg("c"), bytes(arg("cs")), arg("a"), bytes(arg("as"))
	b, k, rows := arg("b"), arg("k"), arg("rows")
	add := Load(Param("add"), GP64())
	for r := w.rows; r >= 1; r-- {
		CMPQ(rows, Imm(uint64(r)))
		JEQ(LabelRef(fmt.Sprintf("rows%d", r)))
	}
	RET()
	for r := 1; r <= w.rows; r++ {
		label := func(s string) string { return fmt.Sprintf("%s%d", s, r) }
		Label(label("rows"))
		// Every third row has a pointer, two more are reached from it.
		at := []Register{a}
		for i := 3; i < r; i += 3 {
			p := GP64()
			LEAQ(Mem{Base: at[len(at)-1], Index: as, Scale: 2}, p)
			ADDQ(as, p)
			at = append(at, p)
		}
		row := func(i, disp int) Mem {
			m := Mem{Base: at[i/3], Disp: disp}
			if i%3 > 0 {
				m.Index, m.Scale = as, uint8(i%3)
			}
			return m
		}
		sums := make([][2]VecVirtual, r)
		for i := range sums {
			sums[i] = [2]VecVirtual{w.vec(), w.vec()}
		}
		TESTQ(add, add)
		JZ(LabelRef(label("zero")))
		out := GP64()
		MOVQ(c, out)
		for i := range sums {
			VMOVUPS(Mem{Base: out}, sums[i][0])
			VMOVUPS(Mem{Base: out, Disp: w.bytes}, sums[i][1])
			if i+1 < r {
				ADDQ(cs, out)
			}
		}
		JMP(LabelRef(label("begin")))
		Label(label("zero"))
		for i := range sums {
			for _, s := range sums[i] {
				if w.bytes == 64 {
					VPXORD(s, s, s)
				} else {
					VXORPS(s, s, s)
				}
			}
		}
		Label(label("begin"))
		step := func(n int) {
			for u := range n {
				w0, w1 := w.vec(), w.vec()
				VMOVUPS(Mem{Base: b, Disp: 128 * u}, w0)
				VMOVUPS(Mem{Base: b, Disp: 128*u + w.bytes}, w1)
				for i := range sums {
					x := w.vec()
					VBROADCASTSS(row(i, 4*u), x)
					VFMADD231PS(x, w0, sums[i][0])
					VFMADD231PS(x, w1, sums[i][1])
				}
			}
			ADDQ(U32(128*n), b)
			for _, p := range at {
				ADDQ(Imm(uint64(4*n)), p)
			}
			SUBQ(Imm(uint64(n)), k)
		}
		SUBQ(Imm(unroll), k)
		JL(LabelRef(label("tail")))
		Label(label("loop"))
		step(unroll)
		JGE(LabelRef(label("loop")))
		Label(label("tail"))
		ADDQ(Imm(unroll), k)
		JZ(LabelRef(label("done")))
		Label(label("single"))
		step(1)
		JNZ(LabelRef(label("single")))
		Label(label("done"))
		for i := range sums {
			VMOVUPS(sums[i][0], Mem{Base: c})
			VMOVUPS(sums[i][1], Mem{Base: c, Disp: w.bytes})
			if i+1 < r {
				ADDQ(cs, c)
			}
		}
		VZEROUPPER()
		RET()
	}
}

func (w width) load(m Op) VecVirtual {
	v := w.vec()
	VMOVUPS(m, v)
	return v
}

func (w width) times(i int) VecVirtual {
	v := w.vec()
	VBROADCASTSS(consts[i], v)
	return v
}

func (w width) op(f func(...Op), a, b Op) VecVirtual {
	v := w.vec()
	f(a, b, v)
	return v
}

func (w width) sum(a, b VecVirtual) VecVirtual  { return w.op(VADDPS, b, a) }
func (w width) diff(a, b VecVirtual) VecVirtual { return w.op(VSUBPS, b, a) }

// fma returns s + k x, or s - k x.
func (w width) fma(s, k, x VecVirtual, minus bool) VecVirtual {
	v := w.vec()
	VMOVAPS(s, v)
	if minus {
		VFNMADD231PS(k, x, v)
	} else {
		VFMADD231PS(k, x, v)
	}
	return v
}

const patch, tile = 6, 4

// toTile transforms one patch, vector by vector of its channels.
func toTile(w width) {
	TEXT("toTile"+w.name, 0, "func(v *float32, vs int, in *float32, stride int, channels int)")
	Doc(fmt.Sprintf("toTile%s is toTile; channels are a multiple of 32.", w.name))
	Pragma("noescape")
	v, vs, in, stride := arg("v"), bytes(arg("vs")), arg("in"), bytes(arg("stride"))
	channels := bytes(arg("channels"))
	left := GP64()
	MOVQ(channels, left)
	buf := AllocLocal(patch * patch * w.bytes)
	two, four, five := w.times(0), w.times(1), w.times(2)
	turn := func(d [patch]VecVirtual, store func(i int, x VecVirtual)) {
		t := w.op(VMULPS, four, d[0])
		t = w.sum(t, d[4])
		store(0, w.fma(t, five, d[2], true))
		a, b := w.fma(d[4], four, d[2], true), w.fma(d[3], four, d[1], true)
		store(1, w.sum(a, b))
		store(2, w.diff(a, b))
		e, f := w.diff(d[4], d[2]), w.diff(d[3], d[1])
		store(3, w.fma(e, two, f, false))
		store(4, w.fma(e, two, f, true))
		t = w.op(VMULPS, four, d[1])
		t = w.sum(t, d[5])
		store(5, w.fma(t, five, d[3], true))
	}
	Label("loop")
	col := GP64()
	MOVQ(in, col)
	for x := range patch {
		low := GP64()
		LEAQ(Mem{Base: col, Index: stride, Scale: 2}, low)
		ADDQ(stride, low)
		var d [patch]VecVirtual
		for y := range patch {
			m := Mem{Base: col}
			if y >= 3 {
				m.Base = low
			}
			if y%3 > 0 {
				m.Index, m.Scale = stride, uint8(y%3)
			}
			d[y] = w.load(m)
		}
		turn(d, func(y int, s VecVirtual) { VMOVUPS(s, buf.Offset((y*patch+x)*w.bytes)) })
		if x+1 < patch {
			ADDQ(channels, col)
		}
	}
	to := GP64()
	MOVQ(v, to)
	for y := range patch {
		var d [patch]VecVirtual
		for x := range patch {
			d[x] = w.load(buf.Offset((y*patch + x) * w.bytes))
		}
		turn(d, func(x int, s VecVirtual) {
			VMOVUPS(s, Mem{Base: to})
			ADDQ(vs, to)
		})
	}
	ADDQ(Imm(uint64(w.bytes)), in)
	ADDQ(Imm(uint64(w.bytes)), v)
	SUBQ(Imm(uint64(w.bytes)), left)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// fromTile transforms the products of one patch back.
func fromTile(w width) {
	TEXT("fromTile"+w.name, 0, "func(out *float32, stride int, m *float32, ms int, channels int, add bool)")
	Doc(fmt.Sprintf("fromTile%s is fromTile; channels are a multiple of 32.", w.name))
	Pragma("noescape")
	out, stride, m, ms := arg("out"), bytes(arg("stride")), arg("m"), bytes(arg("ms"))
	channels := bytes(arg("channels"))
	add := Load(Param("add"), GP64())
	left := GP64()
	MOVQ(channels, left)
	buf := AllocLocal(tile * patch * w.bytes)
	two, four, eight := w.times(0), w.times(1), w.times(3)
	turn := func(d [patch]VecVirtual, store func(i int, x VecVirtual)) {
		s, t := w.sum(d[1], d[2]), w.diff(d[1], d[2])
		u, e := w.sum(d[3], d[4]), w.diff(d[3], d[4])
		x := w.sum(d[0], s)
		store(0, w.sum(x, u))
		store(1, w.fma(t, two, e, false))
		store(2, w.fma(s, four, u, false))
		x = w.fma(t, eight, e, false)
		store(3, w.sum(x, d[5]))
	}
	Label("loop")
	from := GP64()
	MOVQ(m, from)
	six := GP64()
	LEAQ(Mem{Base: ms, Index: ms, Scale: 2}, six)
	ADDQ(six, six)
	for x := range patch {
		p := GP64()
		MOVQ(from, p)
		var d [patch]VecVirtual
		for y := range patch {
			d[y] = w.load(Mem{Base: p})
			if y+1 < patch {
				ADDQ(six, p)
			}
		}
		turn(d, func(y int, s VecVirtual) { VMOVUPS(s, buf.Offset((y*patch+x)*w.bytes)) })
		if x+1 < patch {
			ADDQ(ms, from)
		}
	}
	row := GP64()
	MOVQ(out, row)
	for y := range tile {
		var d [patch]VecVirtual
		for x := range patch {
			d[x] = w.load(buf.Offset((y*patch + x) * w.bytes))
		}
		var results [tile]VecVirtual
		turn(d, func(x int, s VecVirtual) { results[x] = s })
		skip := fmt.Sprintf("store%d", y)
		TESTQ(add, add)
		JZ(LabelRef(skip))
		p := GP64()
		MOVQ(row, p)
		for x, s := range results {
			VADDPS(Mem{Base: p}, s, s)
			if x+1 < tile {
				ADDQ(channels, p)
			}
		}
		Label(skip)
		q := GP64()
		MOVQ(row, q)
		for x, s := range results {
			VMOVUPS(s, Mem{Base: q})
			if x+1 < tile {
				ADDQ(channels, q)
			}
		}
		if y+1 < tile {
			ADDQ(stride, row)
		}
	}
	ADDQ(Imm(uint64(w.bytes)), out)
	ADDQ(Imm(uint64(w.bytes)), m)
	SUBQ(Imm(uint64(w.bytes)), left)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// norm computes points one after the other, two vectors at a time.
func norm(w width) {
	TEXT("norm"+w.name, NOSPLIT, "func(to *float32, from *float32, points int, channels int, scale *float32, bias *float32, least float32)")
	Doc(fmt.Sprintf("norm%s is norm, cut off at least; channels are a multiple of 32.", w.name))
	Pragma("noescape")
	to, from, points, channels := arg("to"), arg("from"), arg("points"), bytes(arg("channels"))
	scale, bias := arg("scale"), arg("bias")
	least := w.vec()
	mem, _ := Param("least").Resolve()
	VBROADCASTSS(mem.Addr, least)
	Label("point")
	i := GP64()
	XORQ(i, i)
	Label("loop")
	for j := range 2 {
		x := w.vec()
		at := func(base Register) Mem { return Mem{Base: base, Index: i, Scale: 1, Disp: j * w.bytes} }
		VMOVUPS(at(from), x)
		f := w.load(at(scale))
		VFMADD213PS(at(bias), f, x)
		VMAXPS(x, least, x)
		VMOVUPS(x, at(to))
	}
	ADDQ(Imm(uint64(2*w.bytes)), i)
	CMPQ(i, channels)
	JL(LabelRef("loop"))
	ADDQ(channels, to)
	ADDQ(channels, from)
	SUBQ(Imm(1), points)
	JNZ(LabelRef("point"))
	VZEROUPPER()
	RET()
}
