package nnue

import "golang.org/x/sys/cpu"

// The instructions that the assembly needs are there on all machines of Gomocup's kind
// made since 2013.
var fast = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2

// addAVX2 changes the sums by n points, at most 128.
//
//go:noescape
func addAVX2(s *sums, rows *[Pairs][2 * Width]int16, bias *[2 * Width]int16, old, now *uint32, n int)

// forwardAVX2 computes the layers above the sums: mine and theirs are the two views,
// threat the row of the standing threats.
//
//go:noescape
func forwardAVX2(in *[Width][Hidden][2]int16, threat, out *[Hidden]int32, mine, theirs *[Width]int32) int32

func add(s *sums, n *Net, old, now []uint32) {
	if !fast {
		addPlain(s, n, old, now)
		return
	}
	if len(old) > 0 {
		addAVX2(s, &n.Rows, &n.Bias, &old[0], &now[0], len(old))
	}
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
