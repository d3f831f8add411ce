package weiqi

import "tengen/engine/game"

// A network is told which chains a ladder takes, so it is read to the end and always by the
// same rules: those its training used. Feature's ladders, which a search without a network
// asks for at every node, are shorter.

// mostChase is how many stones the reading of one ladder may put before it counts as failed.
const mostChase = 25000

// Ladder reports whether the chain on q, which has one or two liberties, is taken by atari
// after atari. With one liberty its side moves first, with two the other: then starts are
// the liberties, up to two, on which the ladder may begin. A ko works for the chain that
// flees.
func (b *Board) Ladder(q game.Point) (caught bool, starts []game.Point) {
	if b.At(q) > game.White {
		return false, nil
	}
	at, spent := cell(q), 0
	var libs [2]int
	switch b.few(int(b.head[at]), &libs) {
	case 1:
		return b.cornered(at, true, &spent), nil
	case 2:
		a := b.cells[at].Other()
		for _, l := range libs {
			if b.ko == l || b.suicide(a, l) {
				continue
			}
			f := b.save(a, l)
			b.put(a, l)
			f.delta = b.last
			spent = 0
			if b.cornered(at, true, &spent) {
				starts = append(starts, point(l))
			}
			b.lift(&f)
		}
	}
	return len(starts) > 0, starts
}

// cornered reports whether the chain on a cell, its side to move, is taken. What was a ko
// before the ladder began does not bind it.
func (b *Board) cornered(at int, first bool, spent *int) bool {
	var libs [2]int
	h := int(b.head[at])
	if b.few(h, &libs) > 1 || b.ko != none && !first {
		return false
	}
	c := b.cells[at]
	var moves [16]int // what takes a chain beside it, then its liberty
	n := 0
	for s := h; ; {
		if b.near[s].own(c.Other()) > 0 {
			for _, d := range around {
				q := s + d
				if b.cells[q] == c.Other() {
					if g := &b.chain[b.head[q]]; g.atari() && n < len(moves)-1 {
						moves[n] = int(g.sum) / int(g.libs)
						n++
					}
				}
			}
		}
		if s = int(b.next[s]); s == h {
			break
		}
	}
	moves[n] = libs[0]
	for i, m := range moves[:n+1] {
		if i > 0 && m == moves[i-1] || b.suicide(c, m) {
			continue
		}
		if *spent++; *spent > mostChase {
			return false
		}
		f := b.save(c, m)
		b.put(c, m)
		f.delta = b.last
		caught := b.chasedDown(at, spent)
		b.lift(&f)
		if !caught {
			return false
		}
	}
	return true
}

// chasedDown reports whether the chain on a cell, the other side to move, is taken.
func (b *Board) chasedDown(at int, spent *int) bool {
	var libs [2]int
	h := int(b.head[at])
	switch b.few(h, &libs) {
	case 0, 1:
		return true
	case 3:
		return false
	}
	c := b.cells[at]
	a := c.Other()
	if b.twoKos(h, libs) {
		return true
	}
	// Where the chain would get three liberties from the one, the other is no atari.
	room := [2]int{b.near[libs[0]].empty(), b.near[libs[1]].empty()}
	if d := libs[1] - libs[0]; d == east || d == -east || d == south || d == -south {
		room = [2]int{min(room[0], 2), min(room[1], 2)}
	}
	if room[1] > room[0] {
		libs[0], libs[1] = libs[1], libs[0]
		room[0], room[1] = room[1], room[0]
	}
	for i, l := range libs {
		if room[1-i] >= 3 || b.ko == l || b.suicide(a, l) {
			continue
		}
		if *spent++; *spent > mostChase {
			return false
		}
		f := b.save(a, l)
		b.put(a, l)
		f.delta = b.last
		caught := b.cornered(at, false, spent)
		b.lift(&f)
		if caught {
			return true
		}
	}
	return false
}

// twoKos reports whether both liberties of a chain are kos that its opponent can take,
// neither of which gives it a third liberty when it is filled, and nothing beside the chain
// can be taken: the two kos together are its end.
func (b *Board) twoKos(h int, libs [2]int) bool {
	c := b.cells[h]
	for _, l := range libs {
		if b.near[l].empty() > 0 || b.near[l].own(c) != 4 {
			return false
		}
		single := none
		for _, d := range around {
			if q := l + d; b.cells[q] == c && b.chain[b.head[q]].atari() {
				if single != none || b.chain[b.head[q]].stones > 1 {
					return false
				}
				single = q
			}
		}
		if single == none {
			return false
		}
	}
	for s := h; ; {
		for _, d := range around {
			if q := s + d; b.cells[q] == c.Other() && b.chain[b.head[q]].atari() {
				return false
			}
		}
		if s = int(b.next[s]); s == h {
			break
		}
	}
	for _, l := range libs {
		f := b.save(c, l)
		b.put(c, l)
		f.delta = b.last
		var some [2]int
		n := b.few(int(b.head[l]), &some)
		b.lift(&f)
		if n > 2 {
			return false
		}
	}
	return true
}
