#include "textflag.h"

DATA one<>+0(SB)/4, $1.0
GLOBL one<>(SB), RODATA|NOPTR, $4

DATA magnitude<>+0(SB)/4, $0x7fffffff
GLOBL magnitude<>(SB), RODATA|NOPTR, $4

// The pairs of a point in AX, the sides exchanged where R11 is not 0.
#define PAIRS \
	MOVL (R9), AX           \
	TESTL R11, R11          \
	JZ   as                 \
	MOVL AX, BX             \
	ANDL $0x0f0f0f0f, AX    \
	SHLL $4, AX             \
	SHRL $4, BX             \
	ANDL $0x0f0f0f0f, BX    \
	ORL  BX, AX

// Where a pair's row begins.
#define ROW0 \
	MOVBLZX AX, BX          \
	SHLL $6, BX

#define ROW(S) \
	MOVL AX, BX             \
	SHRL S, BX              \
	ANDL $0x3fc0, BX

// Y2 and Y3: the row at BX added to A and B.
#define ADDROW(A, B) \
	VADDPS (SI)(BX*1), A, Y2   \
	VADDPS 32(SI)(BX*1), B, Y3

// Y2 and Y3 added to the row at BX.
#define TOROW \
	VADDPS (SI)(BX*1), Y2, Y4   \
	VADDPS 32(SI)(BX*1), Y3, Y5 \
	VMOVUPS Y4, (SI)(BX*1)      \
	VMOVUPS Y5, 32(SI)(BX*1)

// What unitsAVX2 and spreadAVX2 are told alike: CX points with their pairs.
#define POINTS \
	MOVQ R+16(FP), SI        \
	MOVQ B+24(FP), DX        \
	MOVQ pairs+32(FP), R9    \
	MOVQ n+40(FP), CX        \
	MOVBLZX swap+48(FP), R11

// On to the next point, if the flags say that there is one.
#define NEXT \
	ADDQ $64, DI  \
	ADDQ $64, R8  \
	ADDQ $4, R9   \
	DECQ CX

// func unitsAVX2(v, u *unitRow, R *[256]unitRow, B *unitRow, pairs *uint32, n int, swap bool)
TEXT ·unitsAVX2(SB), NOSPLIT, $0-49
	MOVQ v+0(FP), R8
	MOVQ u+8(FP), DI
	POINTS
	VMOVUPS (DX), Y8
	VMOVUPS 32(DX), Y9
	VXORPS Y10, Y10, Y10
	VBROADCASTSS one<>(SB), Y11

loop:
	PAIRS
as:
	ROW0
	ADDROW(Y8, Y9)
	ROW($2)
	ADDROW(Y2, Y3)
	ROW($10)
	ADDROW(Y2, Y3)
	ROW($18)
	ADDROW(Y2, Y3)
	VMOVUPS Y2, (R8)
	VMOVUPS Y3, 32(R8)
	VMAXPS Y10, Y2, Y2
	VMAXPS Y10, Y3, Y3
	VMINPS Y11, Y2, Y2
	VMINPS Y11, Y3, Y3
	VMOVUPS Y2, (DI)
	VMOVUPS Y3, 32(DI)
	NEXT
	JNZ  loop
	VZEROUPPER
	RET

// func spreadAVX2(d, v *unitRow, R *[256]unitRow, B *unitRow, pairs *uint32, n int, swap bool)
TEXT ·spreadAVX2(SB), NOSPLIT, $0-49
	MOVQ d+0(FP), DI
	MOVQ v+8(FP), R8
	POINTS
	VXORPS Y10, Y10, Y10
	VBROADCASTSS one<>(SB), Y11
	VMOVUPS (DX), Y0
	VMOVUPS 32(DX), Y1

loop:
	PAIRS
as:
	// Nothing where a unit was at a limit.
	VMOVUPS (R8), Y4
	VMOVUPS 32(R8), Y5
	VCMPPS $1, Y4, Y10, Y6
	VANDPS (DI), Y6, Y2
	VCMPPS $1, Y5, Y10, Y6
	VANDPS 32(DI), Y6, Y3
	VCMPPS $1, Y11, Y4, Y6
	VANDPS Y6, Y2, Y2
	VCMPPS $1, Y11, Y5, Y6
	VANDPS Y6, Y3, Y3
	VADDPS Y2, Y0, Y0
	VADDPS Y3, Y1, Y1
	ROW0
	TOROW
	ROW($2)
	TOROW
	ROW($10)
	TOROW
	ROW($18)
	TOROW
	NEXT
	JNZ  loop
	VMOVUPS Y0, (DX)
	VMOVUPS Y1, 32(DX)
	VZEROUPPER
	RET

// The neighbours of the point HERE on the lines, in Y6, and across, in Y7. BEFORE and BETWEEN
// are the point before it and the sum above and below that, AROUND the sum above and below
// HERE; what is loaded of the next point takes the place of BEFORE and BETWEEN.
#define NEIGHBOURS(BEFORE, BETWEEN, HERE, AROUND) \
	VADDPS 64(SI)(CX*1), BEFORE, Y6        \
	VMOVUPS 64(SI)(CX*1), BEFORE           \
	VADDPS AROUND, Y6, Y6                  \
	VMOVAPS BETWEEN, Y7                    \
	VMOVUPS 64(SI), BETWEEN                \
	VADDPS 64(SI)(CX*2), BETWEEN, BETWEEN  \
	VADDPS BETWEEN, Y7, Y7                 \
	ADDQ $64, SI

// The first point and what is before it, in Y1 to Y4.
#define FIRST \
	VMOVUPS -64(SI)(CX*1), Y1       \
	VMOVUPS -64(SI), Y2             \
	VADDPS -64(SI)(CX*2), Y2, Y2    \
	VMOVUPS (SI)(CX*1), Y3          \
	VMOVUPS (SI), Y4                \
	VADDPS (SI)(CX*2), Y4, Y4

// BX points from FIRST on: what is here for one point is before the next.
#define ALONG(DO) \
	SUBQ $2, BX         \
	JL   last           \
two:                    \
	DO(Y1, Y2, Y3, Y4)  \
	DO(Y3, Y4, Y1, Y2)  \
	SUBQ $2, BX         \
	JGE  two            \
last:                   \
	ADDQ $2, BX         \
	JZ   end            \
	DO(Y1, Y2, Y3, Y4)  \
end:

#define KERNEL(BEFORE, BETWEEN, HERE, AROUND) \
	NEIGHBOURS(BEFORE, BETWEEN, HERE, AROUND) \
	VMULPS Y8, HERE, Y5      \
	VADDPS Y11, Y5, Y5       \
	VMULPS Y9, Y6, Y6        \
	VADDPS Y6, Y5, Y5        \
	VMULPS Y10, Y7, Y7       \
	VADDPS Y7, Y5, Y5        \
	VMOVUPS Y5, (R9)         \
	ADDQ $64, R9             \
	VMAXPS Y12, Y5, Y5       \
	VMINPS Y13, Y5, Y5       \
	VADDPS Y5, Y0, Y0

// func convolveAVX2(o, h, m *unitRow, K *kernelRows, n, step int)
TEXT ·convolveAVX2(SB), NOSPLIT, $0-48
	MOVQ h+8(FP), DI
	MOVQ K+24(FP), DX
	MOVQ step+40(FP), CX
	VXORPS Y12, Y12, Y12
	VBROADCASTSS one<>(SB), Y13
	MOVQ $2, R10
	XORQ R8, R8

	// Eight units, then the others.
half:
	MOVQ o+0(FP), R9
	MOVQ m+16(FP), SI
	ADDQ R8, R9
	ADDQ R8, SI
	MOVQ n+32(FP), BX
	VMOVUPS (DX)(R8*1), Y8
	VMOVUPS 64(DX)(R8*1), Y9
	VMOVUPS 128(DX)(R8*1), Y10
	VMOVUPS 192(DX)(R8*1), Y11
	VMOVUPS (DI)(R8*1), Y0
	FIRST
	ALONG(KERNEL)
	VMOVUPS Y0, (DI)(R8*1)
	ADDQ $32, R8
	DECQ R10
	JNZ  half
	VZEROUPPER
	RET

#define BACK(BEFORE, BETWEEN, HERE, AROUND) \
	NEIGHBOURS(BEFORE, BETWEEN, HERE, AROUND) \
	VMOVUPS (R9), Y5         \
	VCMPPS $1, Y5, Y14, Y0   \
	VANDPS Y8, Y0, Y0        \
	VCMPPS $1, Y13, Y5, Y5   \
	VANDPS Y5, Y0, Y0        \
	VMOVUPS Y0, (R11)        \
	ADDQ $64, R9             \
	ADDQ $64, R11            \
	VMULPS HERE, Y0, Y5      \
	VADDPS Y5, Y9, Y9        \
	VMULPS Y6, Y0, Y6        \
	VADDPS Y6, Y10, Y10      \
	VMULPS Y7, Y0, Y7        \
	VADDPS Y7, Y11, Y11      \
	VADDPS Y0, Y12, Y12

// func turnAVX2(d, o, dh, m *unitRow, dk *kernelRows, n, step int)
TEXT ·turnAVX2(SB), NOSPLIT, $0-56
	MOVQ dh+16(FP), DI
	MOVQ dk+32(FP), DX
	MOVQ step+48(FP), CX
	VXORPS Y14, Y14, Y14
	VBROADCASTSS one<>(SB), Y13
	MOVQ $2, R10
	XORQ R8, R8

half:
	MOVQ d+0(FP), R11
	MOVQ o+8(FP), R9
	MOVQ m+24(FP), SI
	ADDQ R8, R11
	ADDQ R8, R9
	ADDQ R8, SI
	MOVQ n+40(FP), BX
	VMOVUPS (DI)(R8*1), Y8
	VMOVUPS (DX)(R8*1), Y9
	VMOVUPS 64(DX)(R8*1), Y10
	VMOVUPS 128(DX)(R8*1), Y11
	VMOVUPS 192(DX)(R8*1), Y12
	FIRST
	ALONG(BACK)
	VMOVUPS Y9, (DX)(R8*1)
	VMOVUPS Y10, 64(DX)(R8*1)
	VMOVUPS Y11, 128(DX)(R8*1)
	VMOVUPS Y12, 192(DX)(R8*1)
	ADDQ $32, R8
	DECQ R10
	JNZ  half
	VZEROUPPER
	RET

// func gatherAVX2(to, rows *unitRow, kinds *uint8, n int)
TEXT ·gatherAVX2(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ kinds+16(FP), R8
	MOVQ n+24(FP), CX

row:
	MOVBLZX (R8), AX
	SHLQ $6, AX
	VMOVUPS (DI)(AX*1), Y0
	VMOVUPS 32(DI)(AX*1), Y1
	VADDPS (SI), Y0, Y0
	VADDPS 32(SI), Y1, Y1
	VMOVUPS Y0, (DI)(AX*1)
	VMOVUPS Y1, 32(DI)(AX*1)
	INCQ R8
	ADDQ $64, SI
	DECQ CX
	JNZ  row
	VZEROUPPER
	RET

// func mixAVX2(z *hiddenRow, in *inputRow, w *mixRows)
TEXT ·mixAVX2(SB), NOSPLIT, $0-24
	MOVQ z+0(FP), DI
	MOVQ in+8(FP), SI
	MOVQ w+16(FP), DX
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3
	VMOVUPS 128(DI), Y4
	VMOVUPS 160(DI), Y5
	VMOVUPS 192(DI), Y6
	VMOVUPS 224(DI), Y7
	MOVQ $32, CX

loop:
	VBROADCASTSS (SI), Y8
	VMULPS (DX), Y8, Y9
	VADDPS Y9, Y0, Y0
	VMULPS 32(DX), Y8, Y10
	VADDPS Y10, Y1, Y1
	VMULPS 64(DX), Y8, Y11
	VADDPS Y11, Y2, Y2
	VMULPS 96(DX), Y8, Y12
	VADDPS Y12, Y3, Y3
	VMULPS 128(DX), Y8, Y9
	VADDPS Y9, Y4, Y4
	VMULPS 160(DX), Y8, Y10
	VADDPS Y10, Y5, Y5
	VMULPS 192(DX), Y8, Y11
	VADDPS Y11, Y6, Y6
	VMULPS 224(DX), Y8, Y12
	VADDPS Y12, Y7, Y7
	ADDQ $4, SI
	ADDQ $256, DX
	DECQ CX
	JNZ  loop
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VMOVUPS Y4, 128(DI)
	VMOVUPS Y5, 160(DI)
	VMOVUPS Y6, 192(DI)
	VMOVUPS Y7, 224(DI)
	VZEROUPPER
	RET

// func unmixAVX2(d *hiddenRow, in, din *inputRow, w, dw *mixRows)
TEXT ·unmixAVX2(SB), NOSPLIT, $0-40
	MOVQ d+0(FP), DI
	MOVQ in+8(FP), SI
	MOVQ din+16(FP), R8
	MOVQ w+24(FP), DX
	MOVQ dw+32(FP), R9
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3
	VMOVUPS 128(DI), Y4
	VMOVUPS 160(DI), Y5
	VMOVUPS 192(DI), Y6
	VMOVUPS 224(DI), Y7
	MOVQ $32, CX

loop:
	VBROADCASTSS (SI), Y8
	VMULPS Y8, Y0, Y9
	VADDPS (R9), Y9, Y9
	VMOVUPS Y9, (R9)
	VMULPS Y8, Y1, Y10
	VADDPS 32(R9), Y10, Y10
	VMOVUPS Y10, 32(R9)
	VMULPS Y8, Y2, Y11
	VADDPS 64(R9), Y11, Y11
	VMOVUPS Y11, 64(R9)
	VMULPS Y8, Y3, Y12
	VADDPS 96(R9), Y12, Y12
	VMOVUPS Y12, 96(R9)
	VMULPS Y8, Y4, Y9
	VADDPS 128(R9), Y9, Y9
	VMOVUPS Y9, 128(R9)
	VMULPS Y8, Y5, Y10
	VADDPS 160(R9), Y10, Y10
	VMOVUPS Y10, 160(R9)
	VMULPS Y8, Y6, Y11
	VADDPS 192(R9), Y11, Y11
	VMOVUPS Y11, 192(R9)
	VMULPS Y8, Y7, Y12
	VADDPS 224(R9), Y12, Y12
	VMOVUPS Y12, 224(R9)
	VMULPS (DX), Y0, Y9
	VMULPS 32(DX), Y1, Y11
	VADDPS Y11, Y9, Y9
	VMULPS 64(DX), Y2, Y12
	VADDPS Y12, Y9, Y9
	VMULPS 96(DX), Y3, Y13
	VADDPS Y13, Y9, Y9
	VMULPS 128(DX), Y4, Y10
	VADDPS Y10, Y9, Y9
	VMULPS 160(DX), Y5, Y11
	VADDPS Y11, Y9, Y9
	VMULPS 192(DX), Y6, Y12
	VADDPS Y12, Y9, Y9
	VMULPS 224(DX), Y7, Y13
	VADDPS Y13, Y9, Y9
	VEXTRACTF128 $1, Y9, X10
	VADDPS X10, X9, X9
	VMOVHLPS X9, X9, X10
	VADDPS X10, X9, X9
	VPSHUFD $1, X9, X10
	VADDSS X10, X9, X9
	VMOVSS X9, (R8)
	ADDQ $4, SI
	ADDQ $4, R8
	ADDQ $256, DX
	ADDQ $256, R9
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func stepAVX2(p, m1, m2, d *float32, n int, k *pace)
TEXT ·stepAVX2(SB), NOSPLIT, $0-48
	MOVQ p+0(FP), DI
	MOVQ m1+8(FP), R8
	MOVQ m2+16(FP), R9
	MOVQ d+24(FP), R10
	MOVQ n+32(FP), CX
	MOVQ k+40(FP), DX
	VBROADCASTSS (DX), Y8
	VBROADCASTSS 4(DX), Y9
	VBROADCASTSS 8(DX), Y10
	VBROADCASTSS 12(DX), Y11
	VBROADCASTSS 16(DX), Y12
	VBROADCASTSS 20(DX), Y13
	VBROADCASTSS 24(DX), Y14
	VBROADCASTSS 28(DX), Y6
	VBROADCASTSS magnitude<>(SB), Y15
	VXORPS Y7, Y7, Y7
loop:
	VMULPS (R10), Y8, Y0
	VMOVUPS Y7, (R10)
	VMULPS (R8), Y9, Y1
	VMULPS Y10, Y0, Y2
	VADDPS Y2, Y1, Y1
	VANDPS Y15, Y1, Y2
	VCMPPS $1, Y2, Y6, Y2
	VANDPS Y2, Y1, Y1
	VMOVUPS Y1, (R8)
	VMULPS (R9), Y11, Y2
	VMULPS Y12, Y0, Y3
	VMULPS Y0, Y3, Y3
	VADDPS Y3, Y2, Y2
	VMOVUPS Y2, (R9)
	VSQRTPS Y2, Y2
	VADDPS Y14, Y2, Y2
	VMULPS Y13, Y1, Y1
	VDIVPS Y2, Y1, Y1
	VMOVUPS (DI), Y3
	VSUBPS Y1, Y3, Y3
	VMOVUPS Y3, (DI)
	ADDQ $32, DI
	ADDQ $32, R8
	ADDQ $32, R9
	ADDQ $32, R10
	SUBQ $8, CX
	JNZ  loop
	VZEROUPPER
	RET
