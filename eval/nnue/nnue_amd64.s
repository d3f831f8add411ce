#include "textflag.h"

// The limits of a point's unit, 16 times in words: 255.
DATA one<>+0(SB)/8, $0x00ff00ff00ff00ff
GLOBL one<>(SB), RODATA|NOPTR, $8

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

// func addAVX2(s *sums, rows *[Pairs][2 * Width]int16, bias *[2 * Width]int16, old, now *uint32, n int)
TEXT ·addAVX2(SB), NOSPLIT, $0-48
	MOVQ s+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ bias+16(FP), DX
	MOVQ old+24(FP), R8
	MOVQ now+32(FP), R9
	MOVQ n+40(FP), BX
	MOVL $0xf0f0f0f0, R10
	MOVL $0x0f0f0f0f, R11
	VMOVDQU (DX), Y8
	VMOVDQU 32(DX), Y9
	VPXOR Y10, Y10, Y10
	VPBROADCASTQ one<>(SB), Y11
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

loop:
	MOVL (R8), AX
	PAIRS(AX, R12)
	MOVL (R9), CX
	PAIRS(CX, R12)
	UNITS(AX, Y2, Y3)

	// A stone changes a point on one line: then one row goes and one comes.
	MOVL AX, DX
	XORL CX, DX
	TZCNTL DX, R13
	ANDL $0x18, R13
	SHRXL R13, DX, DX
	CMPL DX, $256
	JHS  all
	SHRXL R13, AX, AX
	SHRXL R13, CX, CX
	MOVBLZX AX, AX
	MOVBLZX CX, CX
	SHLL $6, AX
	SHLL $6, CX
	VPADDW (SI)(CX*1), Y2, Y4
	VPADDW 32(SI)(CX*1), Y3, Y5
	VPSUBW (SI)(AX*1), Y4, Y4
	VPSUBW 32(SI)(AX*1), Y5, Y5

both:
	LIMIT(Y2)
	LIMIT(Y3)
	LIMIT(Y4)
	LIMIT(Y5)
	VPSUBW Y2, Y4, Y4
	VPSUBW Y3, Y5, Y5
	VPADDW Y4, Y0, Y0
	VPADDW Y5, Y1, Y1
	ADDQ $4, R8
	ADDQ $4, R9
	DECQ BX
	JNZ  loop
	JMP  done

all:
	UNITS(CX, Y4, Y5)
	JMP both

done:
	VPMOVSXWD X0, Y2
	VPADDD (DI), Y2, Y2
	VMOVDQU Y2, (DI)
	VEXTRACTI128 $1, Y0, X0
	VPMOVSXWD X0, Y2
	VPADDD 32(DI), Y2, Y2
	VMOVDQU Y2, 32(DI)
	VPMOVSXWD X1, Y2
	VPADDD 64(DI), Y2, Y2
	VMOVDQU Y2, 64(DI)
	VEXTRACTI128 $1, Y1, X1
	VPMOVSXWD X1, Y2
	VPADDD 96(DI), Y2, Y2
	VMOVDQU Y2, 96(DI)
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
	VPSRAD $3, Y0, Y0
	VPSRAD $3, Y1, Y1
	VPSRAD $3, Y2, Y2
	VPSRAD $3, Y3, Y3
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
	MOVQ $16, BX
hidden:
	VPBROADCASTD (R11), Y0
	VPMADDWD (SI), Y0, Y1
	VPADDD Y1, Y4, Y4
	VPMADDWD 32(SI), Y0, Y2
	VPADDD Y2, Y5, Y5
	VPMADDWD 64(SI), Y0, Y1
	VPADDD Y1, Y6, Y6
	VPMADDWD 96(SI), Y0, Y2
	VPADDD Y2, Y7, Y7
	ADDQ $4, R11
	ADDQ $128, SI
	DECQ BX
	JNZ  hidden

	VPXOR Y8, Y8, Y8
	VPBROADCASTD mid<>(SB), Y9
	VPSRAD $8, Y4, Y4
	VPSRAD $8, Y5, Y5
	VPSRAD $8, Y6, Y6
	VPSRAD $8, Y7, Y7
	VPMAXSD Y8, Y4, Y4
	VPMAXSD Y8, Y5, Y5
	VPMAXSD Y8, Y6, Y6
	VPMAXSD Y8, Y7, Y7
	VPMINSD Y9, Y4, Y4
	VPMINSD Y9, Y5, Y5
	VPMINSD Y9, Y6, Y6
	VPMINSD Y9, Y7, Y7
	VPMULLD (R8), Y4, Y4
	VPMULLD 32(R8), Y5, Y5
	VPMULLD 64(R8), Y6, Y6
	VPMULLD 96(R8), Y7, Y7
	VPADDD Y5, Y4, Y4
	VPADDD Y7, Y6, Y6
	VPADDD Y6, Y4, Y4
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
