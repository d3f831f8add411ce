package mcts

import (
	"slices"

	"tengen/engine/game"
)

// inherit fills a new tree, whose root has its children, with what the tree before knows of
// the position at the end of rec. Moves that are new to it stay as they are.
func (t *tree) inherit(from *tree, before, rec *game.Record, network bool) {
	old := from.find(before, rec)
	if old == nil {
		return
	}
	kids := t.kids(&t.root)
	for _, k := range from.kids(old) {
		i := slices.IndexFunc(kids, func(n node) bool { return n.point == k.point })
		if i < 0 {
			continue
		}
		kids[i] = k
		t.adopt(&kids[i], from, &k)
		t.root.visits += k.visits
		if network {
			*t.root.answers() += *k.answers()
		} else {
			t.root.sum += one*uint64(k.visits) - k.sum
		}
	}
	if network {
		t.weigh(&t.root)
	}
}

// adopt copies what is below a node of another tree, whose copy is n.
func (t *tree) adopt(n *node, from *tree, old *node) {
	n.kids = 0
	kids := from.kids(old)
	if len(kids) == 0 || !t.room(n, len(kids)) {
		return
	}
	mine := t.kids(n)
	copy(mine, kids)
	for i := range mine {
		t.adopt(&mine[i], from, &kids[i])
	}
}

// find returns the node of the position at the end of rec in the tree of an earlier record,
// or nil.
func (t *tree) find(before, rec *game.Record) *node {
	if before == nil || before.Variant != rec.Variant || len(before.Moves) > len(rec.Moves) ||
		before.Setup.ToMove != rec.Setup.ToMove ||
		!slices.Equal(before.Setup.Black, rec.Setup.Black) || !slices.Equal(before.Setup.White, rec.Setup.White) ||
		!slices.Equal(before.Moves, rec.Moves[:len(before.Moves)]) {
		return nil
	}
	n, side := &t.root, before.ToMove()
	for _, m := range rec.Moves[len(before.Moves):] {
		if m.Color != side {
			return nil
		}
		kids := t.kids(n)
		i := slices.IndexFunc(kids, func(k node) bool { return k.point == m.Point })
		if i < 0 {
			return nil
		}
		n, side = &kids[i], side.Other()
	}
	if side != rec.ToMove() {
		return nil
	}
	return n
}
