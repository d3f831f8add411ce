package nnue

import (
	"golang.org/x/sys/cpu"

	"tengen/engine/game"
)

// The instructions that the assembly needs are there on all machines of Gomocup's kind
// made since 2013, wider registers on some.
var (
	fast = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2
	wide = fast && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW
)

// refreshAVX2 is refreshPlain; it looks at 24 points.
//
//go:noescape
func refreshAVX2(units *Units, seen, now *uint32, rows *[Pairs]Units, bias *Units) bool

// convolveAVX2 is convolvePlain: units is the first point of the upper row, rows are step
// bytes apart.
//
//go:noescape
func convolveAVX2(sum, units *Units, k *Kernel, n, step int)

// convolveAVX512 is the same.
//
//go:noescape
func convolveAVX512(sum, units *Units, k *Kernel, n, step int)

// totalAVX2 is totalPlain of n rows, at least one.
//
//go:noescape
func totalAVX2(s *sums, rows *Units, n int)

// forwardAVX2 computes the layers above the sums: mine and theirs are the two views,
// threat the row of the standing threats.
//
//go:noescape
func forwardAVX2(in *[Width][Hidden][2]int16, threat, out *[Hidden]int32, mine, theirs *[Width]int32) int32

func refresh(units *[border]Units, seen, now *[game.Stride]uint32, rows *[Pairs]Units, bias *Units) bool {
	if !fast {
		return refreshPlain(units, seen, now, rows, bias)
	}
	return refreshAVX2(&units[1], &seen[0], &now[0], rows, bias)
}

func convolve(sum *Units, units *[3][border]Units, k *Kernel, n int) {
	switch {
	case wide:
		convolveAVX512(sum, &units[0][1], k, n, border*4*Width)
	case fast:
		convolveAVX2(sum, &units[0][1], k, n, border*4*Width)
	default:
		convolvePlain(sum, units, k, n)
	}
}

func total(s *sums, rows []Units) {
	if !fast || len(rows) == 0 {
		totalPlain(s, rows)
		return
	}
	totalAVX2(s, &rows[0], len(rows))
}

func forward(h *Head, s *sums, me, threats int) int32 {
	if !fast {
		return forwardPlain(h, s, me, threats)
	}
	mine, theirs := (*[Width]int32)(s[:Width]), (*[Width]int32)(s[Width:])
	if me == 1 {
		mine, theirs = theirs, mine
	}
	return forwardAVX2(&h.In, &h.Threat[threats], &h.Out, mine, theirs)>>outShift + h.Base
}
