package nnue

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"tengen/engine/game"
)

// The instructions that the assembly needs are there on all machines of Gomocup's kind
// made since 2013, wider registers on some.
var (
	fast = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2
	wide = fast && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL
)

// followAVX2 is followPlain of the points from units on, with their border, of the sums of
// the board's rows and of the patterns seen and now; it looks at 24 points of each row.
//
//go:noescape
func followAVX2(units, sums *Units, seen, now *uint32, n *Net, size int)

// followAVX512 is the same.
//
//go:noescape
func followAVX512(units, sums *Units, seen, now *uint32, n *Net, size int)

// What the assembly knows of a State: bytes from a row of units and from a row of patterns
// to the next. With other ones this does not compile.
const (
	rowBytes  = border * 4 * Width
	seenBytes = 4 * game.Stride
)

var (
	_ [rowBytes]byte  = [unsafe.Sizeof(State{}.units[0])]byte{}
	_ [seenBytes]byte = [unsafe.Sizeof(State{}.seen[0])]byte{}
)

// totalAVX2 is totalPlain of n rows, at least one.
//
//go:noescape
func totalAVX2(s *sums, rows *Units, n int)

// forwardAVX2 computes the layers above the sums: mine and theirs are the two views,
// threat the row of the standing threats.
//
//go:noescape
func forwardAVX2(in *[Width][Hidden][2]int16, threat, out *[Hidden]int32, mine, theirs *[Width]int32) int32

func (s *State) follow(now *[game.NumPoints]uint32) {
	switch {
	case wide:
		followAVX512(&s.units[0][0], &s.rows[0], &s.seen[0][0], &now[0], s.net, s.size)
	case fast:
		followAVX2(&s.units[0][0], &s.rows[0], &s.seen[0][0], &now[0], s.net, s.size)
	default:
		s.followPlain(now)
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
