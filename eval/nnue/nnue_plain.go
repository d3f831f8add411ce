//go:build !amd64

package nnue

import "tengen/engine/game"

func refresh(units *[border]Units, seen, now *[game.Stride]uint32, rows *[Pairs]Units, bias *Units) bool {
	return refreshPlain(units, seen, now, rows, bias)
}

func convolve(sum *Units, units *[3][border]Units, k *Kernel, n int) { convolvePlain(sum, units, k, n) }

func total(s *sums, rows []Units) { totalPlain(s, rows) }

func forward(h *Head, s *sums, me, threats int) int32 { return forwardPlain(h, s, me, threats) }
