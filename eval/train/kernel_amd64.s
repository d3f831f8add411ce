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

// How many points have them, in Y7.
#define COUNT \
	MOVBLZX (R10), BX       \
	VXORPS X7, X7, X7       \
	VCVTSI2SSL BX, X7, X7   \
	VBROADCASTSS X7, Y7

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

// What sumAVX2 and spreadAVX2 are told alike: CX points with their units, pairs and counts.
#define POINTS \
	MOVQ v+8(FP), R8         \
	MOVQ R+16(FP), SI        \
	MOVQ B+24(FP), DX        \
	MOVQ pairs+32(FP), R9    \
	MOVQ counts+40(FP), R10  \
	MOVQ n+48(FP), CX        \
	MOVBLZX swap+56(FP), R11

// On to the next point, if the flags say that there is one.
#define NEXT \
	ADDQ $64, R8  \
	ADDQ $4, R9   \
	INCQ R10      \
	DECQ CX

// func sumAVX2(h, v *unitRow, R *[256]unitRow, B *unitRow, pairs *uint32, counts *uint8, n int, swap bool)
TEXT ·sumAVX2(SB), NOSPLIT, $0-57
	MOVQ h+0(FP), DI
	POINTS
	VMOVUPS (DX), Y8
	VMOVUPS 32(DX), Y9
	VXORPS Y10, Y10, Y10
	VBROADCASTSS one<>(SB), Y11
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1

loop:
	PAIRS
as:
	COUNT
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
	VMULPS Y7, Y2, Y2
	VMULPS Y7, Y3, Y3
	VADDPS Y2, Y0, Y0
	VADDPS Y3, Y1, Y1
	NEXT
	JNZ  loop
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VZEROUPPER
	RET

// func spreadAVX2(d, v *unitRow, R *[256]unitRow, B *unitRow, pairs *uint32, counts *uint8, n int, swap bool)
TEXT ·spreadAVX2(SB), NOSPLIT, $0-57
	MOVQ d+0(FP), DI
	POINTS
	VMOVUPS (DI), Y8
	VMOVUPS 32(DI), Y9
	VXORPS Y10, Y10, Y10
	VBROADCASTSS one<>(SB), Y11
	VMOVUPS (DX), Y0
	VMOVUPS 32(DX), Y1

loop:
	PAIRS
as:
	COUNT
	VMULPS Y7, Y8, Y2
	VMULPS Y7, Y9, Y3

	// Nothing where a unit was at a limit.
	VMOVUPS (R8), Y4
	VMOVUPS 32(R8), Y5
	VCMPPS $1, Y4, Y10, Y6
	VANDPS Y6, Y2, Y2
	VCMPPS $1, Y5, Y10, Y6
	VANDPS Y6, Y3, Y3
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

// func mixAVX2(z *hiddenRow, in *inputRow, w *mixRows)
TEXT ·mixAVX2(SB), NOSPLIT, $0-24
	MOVQ z+0(FP), DI
	MOVQ in+8(FP), SI
	MOVQ w+16(FP), DX
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3
	MOVQ $32, CX
loop:
	VBROADCASTSS (SI), Y8
	VMULPS (DX), Y8, Y4
	VMULPS 32(DX), Y8, Y5
	VMULPS 64(DX), Y8, Y6
	VMULPS 96(DX), Y8, Y7
	VADDPS Y4, Y0, Y0
	VADDPS Y5, Y1, Y1
	VADDPS Y6, Y2, Y2
	VADDPS Y7, Y3, Y3
	ADDQ $4, SI
	ADDQ $128, DX
	DECQ CX
	JNZ  loop
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
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
	MOVQ $32, CX
loop:
	VBROADCASTSS (SI), Y8
	VMULPS Y8, Y0, Y4
	VMULPS Y8, Y1, Y5
	VMULPS Y8, Y2, Y6
	VMULPS Y8, Y3, Y7
	VADDPS (R9), Y4, Y4
	VADDPS 32(R9), Y5, Y5
	VADDPS 64(R9), Y6, Y6
	VADDPS 96(R9), Y7, Y7
	VMOVUPS Y4, (R9)
	VMOVUPS Y5, 32(R9)
	VMOVUPS Y6, 64(R9)
	VMOVUPS Y7, 96(R9)
	VMULPS (DX), Y0, Y4
	VMULPS 32(DX), Y1, Y5
	VMULPS 64(DX), Y2, Y6
	VMULPS 96(DX), Y3, Y7
	VADDPS Y5, Y4, Y4
	VADDPS Y6, Y4, Y4
	VADDPS Y7, Y4, Y4
	VEXTRACTF128 $1, Y4, X5
	VADDPS X5, X4, X4
	VMOVHLPS X4, X4, X5
	VADDPS X5, X4, X4
	VPSHUFD $1, X4, X5
	VADDSS X5, X4, X4
	VMOVSS X4, (R8)
	ADDQ $4, SI
	ADDQ $4, R8
	ADDQ $128, DX
	ADDQ $128, R9
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
