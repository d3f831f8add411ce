//go:build !amd64

package nnue

import "tengen/engine/game"

func (s *State) follow(now *[game.NumPoints]uint32) { s.followPlain(now) }

func total(s *sums, rows []Units) { totalPlain(s, rows) }

func forward(h *Head, s *sums, me, threats int) int32 { return forwardPlain(h, s, me, threats) }
