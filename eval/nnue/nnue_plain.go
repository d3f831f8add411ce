//go:build !amd64

package nnue

func add(s *sums, n *Net, old, now []uint32) { addPlain(s, n, old, now) }

func forward(h *Head, s *sums, me, threats int) int32 { return forwardPlain(h, s, me, threats) }
