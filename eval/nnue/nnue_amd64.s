#include "go_asm.h"
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

// The points that have changed, row by row from DI, R8 and R9 on, of DX rows. LOOK leaves a bit
// for each of them in AX and the patterns at (R8); POINT makes the units of the one whose pairs are
// in CX, a byte for each direction (Black's nibble above White's), at 64(DI)(BX*1). In R13 are then
// the rows of the board that must be summed up anew: these and their neighbours, from bit 1 on.
#define REFRESH(LOOK, POINT)    \
	MOVL $0xf0f0f0f0, R10   \
	MOVL $0x0f0f0f0f, R11   \
	XORL R13, R13           \
	MOVL $7, R14            \
row:                            \
	ADDQ $const_rowBytes, DI \
	LOOK                    \
	JZ   same               \
	ORL  R14, R13           \
point:                          \
	TZCNTL AX, BX           \
	BLSRL AX, AX            \
	MOVL (R9)(BX*4), CX     \
	MOVL CX, R12            \
	SHRL $16, R12           \
	PDEPL R10, CX, CX       \
	PDEPL R11, R12, R12     \
	ORL  R12, CX            \
	SHLL $6, BX             \
	POINT                   \
	TESTL AX, AX            \
	JNZ  point              \
same:                           \
	ADDQ $const_seenBytes, R8 \
	ADDQ $const_seenBytes, R9 \
	SHLL $1, R14            \
	DECQ DX                 \
	JNZ  row

#define LOOK                    \
	VMOVDQU (R9), Y0        \
	VMOVDQU 32(R9), Y1      \
	VMOVDQU 64(R9), Y2      \
	VPCMPEQD (R8), Y0, Y3   \
	VPCMPEQD 32(R8), Y1, Y4 \
	VPCMPEQD 64(R8), Y2, Y5 \
	VMOVDQU Y0, (R8)        \
	VMOVDQU Y1, 32(R8)      \
	VMOVDQU Y2, 64(R8)      \
	VMOVMSKPS Y3, AX        \
	VMOVMSKPS Y4, BX        \
	VMOVMSKPS Y5, CX        \
	SHLL $8, BX             \
	SHLL $16, CX            \
	ORL  BX, AX             \
	ORL  CX, AX             \
	XORL $0xffffff, AX

#define WIDELOOK                  \
	VMOVDQU32 (R9), Z0        \
	VMOVDQU32 64(R9), Y1      \
	VPCMPD $4, (R8), Z0, K1   \
	VPCMPD $4, 64(R8), Y1, K2 \
	VMOVDQU32 Z0, (R8)        \
	VMOVDQU32 Y1, 64(R8)      \
	KMOVW K1, AX              \
	KMOVW K2, BX              \
	SHLL $16, BX              \
	ORL  BX, AX

// The sum of the four rows of the pairs in CX: ADD adds the row at (SI)(R12*1).
#define PAIRS(FIRST, ADD)   \
	MOVBLZX CX, R12     \
	SHLL $6, R12        \
	FIRST               \
	MOVL CX, R12        \
	SHRL $2, R12        \
	ANDL $0x3fc0, R12   \
	ADD                 \
	MOVL CX, R12        \
	SHRL $10, R12       \
	ANDL $0x3fc0, R12   \
	ADD                 \
	SHRL $18, CX        \
	ANDL $0x3fc0, CX    \
	MOVL CX, R12        \
	ADD

#define FIRST                         \
	VPADDW (SI)(R12*1), Y8, Y2    \
	VPADDW 32(SI)(R12*1), Y9, Y3

#define ADD                           \
	VPADDW (SI)(R12*1), Y2, Y2    \
	VPADDW 32(SI)(R12*1), Y3, Y3

#define POINT                            \
	PAIRS(FIRST, ADD)                \
	VPMAXSW Y10, Y2, Y2              \
	VPMAXSW Y10, Y3, Y3              \
	VPMINSW Y11, Y2, Y2              \
	VPMINSW Y11, Y3, Y3              \
	VPSLLW $const_pointShift, Y2, Y2 \
	VPSLLW $const_pointShift, Y3, Y3 \
	VMOVDQU Y2, 64(DI)(BX*1)         \
	VMOVDQU Y3, 96(DI)(BX*1)

#define WIDEFIRST VPADDW (SI)(R12*1), Z8, Z2
#define WIDEADD   VPADDW (SI)(R12*1), Z2, Z2

#define WIDEPOINT                        \
	PAIRS(WIDEFIRST, WIDEADD)        \
	VPMAXSW Z10, Z2, Z2              \
	VPMINSW Z11, Z2, Z2              \
	VPSLLW $const_pointShift, Z2, Z2 \
	VMOVDQU64 Z2, 64(DI)(BX*1)

// The sums of the rows in R13, R8 points each, to DI, of units from R9 on, ALL being what the kernel adds
// to a row. What is here for one point is before the next: first R1 and R2 are of the border, R3 and
// R4 of the first point. CX is the step from one row of units to the next. LOAD, COPY and XOR are for
// registers of the size of the others.
#define CONVOLVE(LOAD, COPY, XOR, DO, R1, R2, R3, R4, SUM, ALL) \
	MOVQ $const_rowBytes, CX \
line:                            \
	TZCNTL R13, AX           \
	BLSRL R13, R13           \
	IMUL3Q $const_rowBytes, AX, SI \
	SHLQ $6, AX              \
	ADDQ R9, SI              \
	MOVQ R8, BX              \
	COPY ALL, SUM            \
	XOR  R1, R1, R1          \
	XOR  R2, R2, R2          \
	LOAD (SI)(CX*1), R3      \
	LOAD (SI), R4            \
	VPADDW (SI)(CX*2), R4, R4 \
	SUBQ $2, BX              \
	JL   last                \
two:                             \
	DO(R1, R2, R3, R4)       \
	DO(R3, R4, R1, R2)       \
	SUBQ $2, BX              \
	JGE  two                 \
last:                            \
	ADDQ $2, BX              \
	JZ   end                 \
	DO(R1, R2, R3, R4)       \
end:                             \
	LOAD SUM, (DI)(AX*1)     \
	TESTL R13, R13           \
	JNZ  line

// The kernel at DX: its weights, the limits less what it adds, and that once for each of the points
// of a row, whose number is in all words of ALL.
#define WEIGHTS(LOAD, XOR, K0, K1, K2, LOW, HIGH, ALL, ADDED) \
	LOAD Net_Kernel(DX), K0        \
	LOAD (Net_Kernel+64)(DX), K1   \
	LOAD (Net_Kernel+128)(DX), K2  \
	LOAD (Net_Kernel+192)(DX), ADDED \
	XOR  LOW, LOW, LOW             \
	VPSUBW ADDED, LOW, LOW         \
	VPBROADCASTQ full<>(SB), HIGH  \
	VPSUBSW ADDED, HIGH, HIGH      \
	VPMULLW ADDED, ALL, ALL

// A point behind the kernel, added to SUM. BEFORE and BETWEEN are the point before it and the sum
// above and below that, HERE and AROUND those of the point itself; what is loaded of the next one
// takes the place of BEFORE and BETWEEN. Three registers are to work with.
#define BEHIND(LOAD, COPY, BEFORE, BETWEEN, HERE, AROUND, A, B, C, K0, K1, K2, LOW, HIGH, SUM) \
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
	VPADDW C, B, B                  \
	VPADDW B, A, A                  \
	VPMAXSW LOW, A, A               \
	VPMINSW HIGH, A, A              \
	VPADDW A, SUM, SUM              \
	ADDQ $64, SI

#define KERNEL(BEFORE, BETWEEN, HERE, AROUND) \
	BEHIND(VMOVDQU, VMOVDQA, BEFORE, BETWEEN, HERE, AROUND, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y0)

#define WIDEKERNEL(BEFORE, BETWEEN, HERE, AROUND) \
	BEHIND(VMOVDQU64, VMOVDQA64, BEFORE, BETWEEN, HERE, AROUND, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z0)

// func followAVX2(units, sums *Units, seen, now *uint32, n *Net, size int)
TEXT ·followAVX2(SB), NOSPLIT, $0-48
	MOVQ units+0(FP), DI
	MOVQ seen+16(FP), R8
	MOVQ now+24(FP), R9
	MOVQ n+32(FP), SI
	MOVQ size+40(FP), DX
	VMOVDQU Net_Bias(SI), Y8
	VMOVDQU (Net_Bias+32)(SI), Y9
	VPXOR Y10, Y10, Y10
	VPBROADCASTQ one<>(SB), Y11
	REFRESH(LOOK, POINT)

	MOVQ size+40(FP), R8
	SHRL $1, R13
	BZHIL R8, R13, R13
	JZ   none
	MOVL R13, R14
	MOVQ units+0(FP), R9
	ADDQ $64, R9
	MOVQ sums+8(FP), DI
	MOVQ n+32(FP), DX
	MOVQ $2, R10

	// First Black's view, then White's.
half:
	MOVL R14, R13
	VMOVD R8, X13
	VPBROADCASTW X13, Y13
	WEIGHTS(VMOVDQU, VPXOR, Y8, Y9, Y10, Y11, Y12, Y13, Y1)
	CONVOLVE(VMOVDQU, VMOVDQA, VPXOR, KERNEL, Y1, Y2, Y3, Y4, Y0, Y13)
	ADDQ $32, R9
	ADDQ $32, DI
	ADDQ $32, DX
	DECQ R10
	JNZ  half

none:
	VZEROUPPER
	RET

// func followAVX512(units, sums *Units, seen, now *uint32, n *Net, size int)
TEXT ·followAVX512(SB), NOSPLIT, $0-48
	MOVQ units+0(FP), DI
	MOVQ seen+16(FP), R8
	MOVQ now+24(FP), R9
	MOVQ n+32(FP), SI
	MOVQ size+40(FP), DX
	VMOVDQU64 Net_Bias(SI), Z8
	VPXORQ Z10, Z10, Z10
	VPBROADCASTQ one<>(SB), Z11
	REFRESH(WIDELOOK, WIDEPOINT)

	MOVQ size+40(FP), R8
	SHRL $1, R13
	BZHIL R8, R13, R13
	JZ   none
	MOVQ units+0(FP), R9
	ADDQ $64, R9
	MOVQ sums+8(FP), DI
	MOVQ n+32(FP), DX
	VPBROADCASTW R8, Z13
	WEIGHTS(VMOVDQU64, VPXORQ, Z8, Z9, Z10, Z11, Z12, Z13, Z1)
	CONVOLVE(VMOVDQU64, VMOVDQA64, VPXORQ, WIDEKERNEL, Z1, Z2, Z3, Z4, Z0, Z13)

none:
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
