#include "textflag.h"

// The limits of a point's unit, 16 times in words: 255.
DATA one<>+0(SB)/8, $0x00ff00ff00ff00ff
GLOBL one<>(SB), RODATA|NOPTR, $8

// Those behind the kernel: 1020.
DATA full<>+0(SB)/8, $0x03fc03fc03fc03fc
GLOBL full<>(SB), RODATA|NOPTR, $8

// MidOne, 255.
DATA mid<>+0(SB)/4, $255
GLOBL mid<>(SB), RODATA|NOPTR, $4

// The pairs of a pattern in P, a byte for each direction: Black's nibble above White's.
#define PAIRS(P, T) \
	MOVL  P, T        \
	SHRL  $16, T      \
	PDEPL R10, P, P   \
	PDEPL R11, T, T   \
	ORL   T, P

// The sum of the bias and of the rows of the pairs in P, which stay there.
#define UNITS(P, A, B) \
	MOVBLZX P, R12               \
	SHLL  $6, R12                \
	VPADDW (SI)(R12*1), Y8, A    \
	VPADDW 32(SI)(R12*1), Y9, B  \
	MOVL  P, R12                 \
	SHRL  $2, R12                \
	ANDL  $0x3fc0, R12           \
	VPADDW (SI)(R12*1), A, A     \
	VPADDW 32(SI)(R12*1), B, B   \
	MOVL  P, R12                 \
	SHRL  $10, R12               \
	ANDL  $0x3fc0, R12           \
	VPADDW (SI)(R12*1), A, A     \
	VPADDW 32(SI)(R12*1), B, B   \
	MOVL  P, R12                 \
	SHRL  $18, R12               \
	ANDL  $0x3fc0, R12           \
	VPADDW (SI)(R12*1), A, A     \
	VPADDW 32(SI)(R12*1), B, B

#define LIMIT(A) \
	VPMAXSW Y10, A, A \
	VPMINSW Y11, A, A

// func refreshAVX2(units *Units, seen, now *uint32, rows *[Pairs]Units, bias *Units) bool
TEXT ·refreshAVX2(SB), NOSPLIT, $0-41
	MOVQ units+0(FP), DI
	MOVQ seen+8(FP), R8
	MOVQ now+16(FP), R9
	MOVQ rows+24(FP), SI
	MOVQ bias+32(FP), DX

	// A bit for each of the 24 points that has changed.
	VMOVDQU (R9), Y0
	VMOVDQU 32(R9), Y1
	VMOVDQU 64(R9), Y2
	VPCMPEQD (R8), Y0, Y3
	VPCMPEQD 32(R8), Y1, Y4
	VPCMPEQD 64(R8), Y2, Y5
	VMOVMSKPS Y3, AX
	VMOVMSKPS Y4, BX
	VMOVMSKPS Y5, CX
	SHLL $8, BX
	SHLL $16, CX
	ORL  BX, AX
	ORL  CX, AX
	XORL $0xffffff, AX
	MOVB $0, ret+40(FP)
	JZ   none
	MOVB $1, ret+40(FP)
	VMOVDQU Y0, (R8)
	VMOVDQU Y1, 32(R8)
	VMOVDQU Y2, 64(R8)

	MOVL $0xf0f0f0f0, R10
	MOVL $0x0f0f0f0f, R11
	VMOVDQU (DX), Y8
	VMOVDQU 32(DX), Y9
	VPXOR Y10, Y10, Y10
	VPBROADCASTQ one<>(SB), Y11

point:
	TZCNTL AX, BX
	BLSRL AX, AX
	MOVL (R9)(BX*4), CX
	PAIRS(CX, R12)
	UNITS(CX, Y2, Y3)
	LIMIT(Y2)
	LIMIT(Y3)
	VPSLLW $4, Y2, Y2
	VPSLLW $4, Y3, Y3
	SHLL $6, BX
	VMOVDQU Y2, (DI)(BX*1)
	VMOVDQU Y3, 32(DI)(BX*1)
	TESTL AX, AX
	JNZ  point

none:
	VZEROUPPER
	RET

// A point behind the kernel, added to SUM. BEFORE and BETWEEN are the point before it and the sum
// above and below that, HERE and AROUND those of the point itself; what is loaded of the next one
// takes the place of BEFORE and BETWEEN. LOAD and COPY move registers of the size of the others:
// three to work with, the kernel, the limits.
#define BEHIND(LOAD, COPY, BEFORE, BETWEEN, HERE, AROUND, A, B, C, K0, K1, K2, K3, LOW, HIGH, SUM) \
	VPADDW BEFORE, AROUND, B        \
	COPY   BETWEEN, C               \
	LOAD   64(SI)(CX*1), BEFORE     \
	LOAD   64(SI), BETWEEN          \
	VPADDW 64(SI)(CX*2), BETWEEN, BETWEEN \
	VPADDW BEFORE, B, B             \
	VPADDW BETWEEN, C, C            \
	VPMULHRSW K0, HERE, A           \
	VPMULHRSW K1, B, B              \
	VPMULHRSW K2, C, C              \
	VPADDW K3, A, A                 \
	VPADDW C, B, B                  \
	VPADDW B, A, A                  \
	VPMAXSW LOW, A, A               \
	VPMINSW HIGH, A, A              \
	VPADDW A, SUM, SUM              \
	ADDQ $64, SI

#define POINT(BEFORE, BETWEEN, HERE, AROUND) \
	BEHIND(VMOVDQU, VMOVDQA, BEFORE, BETWEEN, HERE, AROUND, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y0)

// POINT of both views at once.
#define WIDEPOINT(BEFORE, BETWEEN, HERE, AROUND) \
	BEHIND(VMOVDQU64, VMOVDQA64, BEFORE, BETWEEN, HERE, AROUND, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z0)

// BX points, one after the other: what is here for one point is before the next. R1 and R2 are
// before the first, R3 and R4 are the first.
#define ALONG(DO, R1, R2, R3, R4) \
	SUBQ $2, BX         \
	JL   last           \
two:                    \
	DO(R1, R2, R3, R4)  \
	DO(R3, R4, R1, R2)  \
	SUBQ $2, BX         \
	JGE  two            \
last:                   \
	ADDQ $2, BX         \
	JZ   end            \
	DO(R1, R2, R3, R4)  \
end:

// func convolveAVX2(sum, units *Units, k *Kernel, n, step int)
TEXT ·convolveAVX2(SB), NOSPLIT, $0-40
	MOVQ sum+0(FP), DI
	MOVQ k+16(FP), DX
	MOVQ step+32(FP), CX
	VPXOR Y12, Y12, Y12
	VPBROADCASTQ full<>(SB), Y13
	MOVQ $2, R8

	// First Black's view, then White's.
half:
	MOVQ units+8(FP), SI
	MOVQ n+24(FP), BX
	VMOVDQU (DX), Y8
	VMOVDQU 64(DX), Y9
	VMOVDQU 128(DX), Y10
	VMOVDQU 192(DX), Y11
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VMOVDQU (SI)(CX*1), Y3
	VMOVDQU (SI), Y4
	VPADDW (SI)(CX*2), Y4, Y4
	ALONG(POINT, Y1, Y2, Y3, Y4)
	VMOVDQU Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, DX
	ADDQ $32, units+8(FP)
	DECQ R8
	JNZ  half
	VZEROUPPER
	RET

// func convolveAVX512(sum, units *Units, k *Kernel, n, step int)
TEXT ·convolveAVX512(SB), NOSPLIT, $0-40
	MOVQ sum+0(FP), DI
	MOVQ units+8(FP), SI
	MOVQ k+16(FP), DX
	MOVQ n+24(FP), BX
	MOVQ step+32(FP), CX
	VPXORQ Z12, Z12, Z12
	VPBROADCASTQ full<>(SB), Z13
	VMOVDQU64 (DX), Z8
	VMOVDQU64 64(DX), Z9
	VMOVDQU64 128(DX), Z10
	VMOVDQU64 192(DX), Z11
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VMOVDQU64 (SI)(CX*1), Z3
	VMOVDQU64 (SI), Z4
	VPADDW (SI)(CX*2), Z4, Z4
	ALONG(WIDEPOINT, Z1, Z2, Z3, Z4)
	VMOVDQU64 Z0, (DI)
	VZEROUPPER
	RET

// func totalAVX2(s *sums, rows *Units, n int)
TEXT ·totalAVX2(SB), NOSPLIT, $0-24
	MOVQ s+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3

row:
	VPMOVSXWD (SI), Y4
	VPADDD Y4, Y0, Y0
	VPMOVSXWD 16(SI), Y5
	VPADDD Y5, Y1, Y1
	VPMOVSXWD 32(SI), Y6
	VPADDD Y6, Y2, Y2
	VPMOVSXWD 48(SI), Y7
	VPADDD Y7, Y3, Y3
	ADDQ $64, SI
	DECQ CX
	JNZ  row
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VZEROUPPER
	RET

// func forwardAVX2(in *[Width][Hidden][2]int16, threat, out *[Hidden]int32, mine, theirs *[Width]int32) int32
TEXT ·forwardAVX2(SB), NOSPLIT, $64-44
	MOVQ in+0(FP), SI
	MOVQ threat+8(FP), DX
	MOVQ out+16(FP), R8
	MOVQ mine+24(FP), R9
	MOVQ theirs+32(FP), R10

	// The inputs: the sums, scaled down to words.
	VMOVDQU (R9), Y0
	VMOVDQU 32(R9), Y1
	VMOVDQU (R10), Y2
	VMOVDQU 32(R10), Y3
	VPSRAD $5, Y0, Y0
	VPSRAD $5, Y1, Y1
	VPSRAD $5, Y2, Y2
	VPSRAD $5, Y3, Y3
	VPACKSSDW Y1, Y0, Y0
	VPACKSSDW Y3, Y2, Y2
	VPERMQ $0xd8, Y0, Y0
	VPERMQ $0xd8, Y2, Y2
	MOVQ SP, R11
	VMOVDQU Y0, (R11)
	VMOVDQU Y2, 32(R11)

	// The hidden layer, eight units in each register.
	VMOVDQU (DX), Y4
	VMOVDQU 32(DX), Y5
	VMOVDQU 64(DX), Y6
	VMOVDQU 96(DX), Y7
	VMOVDQU 128(DX), Y8
	VMOVDQU 160(DX), Y9
	VMOVDQU 192(DX), Y10
	VMOVDQU 224(DX), Y11
	MOVQ $16, BX
hidden:
	VPBROADCASTD (R11), Y0
	VPMADDWD (SI), Y0, Y1
	VPADDD Y1, Y4, Y4
	VPMADDWD 32(SI), Y0, Y2
	VPADDD Y2, Y5, Y5
	VPMADDWD 64(SI), Y0, Y3
	VPADDD Y3, Y6, Y6
	VPMADDWD 96(SI), Y0, Y1
	VPADDD Y1, Y7, Y7
	VPMADDWD 128(SI), Y0, Y2
	VPADDD Y2, Y8, Y8
	VPMADDWD 160(SI), Y0, Y3
	VPADDD Y3, Y9, Y9
	VPMADDWD 192(SI), Y0, Y1
	VPADDD Y1, Y10, Y10
	VPMADDWD 224(SI), Y0, Y2
	VPADDD Y2, Y11, Y11
	ADDQ $4, R11
	ADDQ $256, SI
	DECQ BX
	JNZ  hidden

	VPXOR Y12, Y12, Y12
	VPBROADCASTD mid<>(SB), Y13
	VPSRAD $8, Y4, Y4
	VPSRAD $8, Y5, Y5
	VPSRAD $8, Y6, Y6
	VPSRAD $8, Y7, Y7
	VPSRAD $8, Y8, Y8
	VPSRAD $8, Y9, Y9
	VPSRAD $8, Y10, Y10
	VPSRAD $8, Y11, Y11
	VPMAXSD Y12, Y4, Y4
	VPMAXSD Y12, Y5, Y5
	VPMAXSD Y12, Y6, Y6
	VPMAXSD Y12, Y7, Y7
	VPMAXSD Y12, Y8, Y8
	VPMAXSD Y12, Y9, Y9
	VPMAXSD Y12, Y10, Y10
	VPMAXSD Y12, Y11, Y11
	VPMINSD Y13, Y4, Y4
	VPMINSD Y13, Y5, Y5
	VPMINSD Y13, Y6, Y6
	VPMINSD Y13, Y7, Y7
	VPMINSD Y13, Y8, Y8
	VPMINSD Y13, Y9, Y9
	VPMINSD Y13, Y10, Y10
	VPMINSD Y13, Y11, Y11
	VPMULLD (R8), Y4, Y4
	VPMULLD 32(R8), Y5, Y5
	VPMULLD 64(R8), Y6, Y6
	VPMULLD 96(R8), Y7, Y7
	VPMULLD 128(R8), Y8, Y8
	VPMULLD 160(R8), Y9, Y9
	VPMULLD 192(R8), Y10, Y10
	VPMULLD 224(R8), Y11, Y11
	VPADDD Y5, Y4, Y4
	VPADDD Y7, Y6, Y6
	VPADDD Y9, Y8, Y8
	VPADDD Y11, Y10, Y10
	VPADDD Y6, Y4, Y4
	VPADDD Y10, Y8, Y8
	VPADDD Y8, Y4, Y4
	VEXTRACTI128 $1, Y4, X5
	VPADDD X5, X4, X4
	VPSHUFD $0xee, X4, X5
	VPADDD X5, X4, X4
	VPSHUFD $0x55, X4, X5
	VPADDD X5, X4, X4
	VMOVD X4, AX
	MOVL AX, ret+40(FP)
	VZEROUPPER
	RET
