package weiqi

import "tengen/engine/game"

// Feature is what can be seen of a move before it is looked at, a bit each.
type Feature uint16

const (
	TakesOne  Feature = 1 << iota // takes a single stone
	TakesMany                     // takes more
	Saves                         // saves a chain of its own from atari
	SelfAtari                     // leaves its stone with one liberty
	Shape                         // makes a small pattern
	Ladders                       // puts into a ladder that works
	Unladders                     // answers the threat of one
	Laddered                      // leaves its chain to one
	Atari                         // leaves an opposing chain with one liberty
	Near1                         // touches the last move's chain
	Near2                         // one step further
	Near3                         // two
	LowEmpty                      // on the first or second line with nothing around
	HighEmpty                     // on the third or fourth line, or in the middle of a small board, likewise
)

// Features says of each empty point what a stone of the side to move would be there; last
// is the last move or no point. Points that are not empty have any value. What is expensive
// is found once for each chain, not for each point.
func (p *Position) Features(last game.Point, to *[game.NumPoints]Feature) {
	b, c := &p.Board, p.side
	for _, q := range b.empty[:b.free] {
		to[point(int(q))] = 0
	}
	set := func(at int, f Feature) { to[point(at)] |= f }
	// Reading ladders takes stones on and off, which orders the empty points anew: heads first.
	var heads [MaxSize * MaxSize]uint16
	n := 0
	for i := ring; i < b.used; i++ {
		if b.cells[i] <= game.White && int(b.head[i]) == i {
			heads[n] = uint16(i)
			n++
		}
	}
	for _, h := range heads[:n] {
		own := b.cells[h] == c
		var libs [2]int
		switch k := b.few(int(h), &libs); {
		case k == 1 && !own:
			if b.chain[h].stones > 1 {
				set(libs[0], TakesMany)
			} else {
				set(libs[0], TakesOne)
			}
		case k == 1:
			b.savers(int(h), libs[0], set)
		case k == 2 && own:
			if b.hunted(int(h)) {
				set(libs[0], Unladders)
				set(libs[1], Unladders)
			}
		case k == 2:
			for _, l := range libs {
				if b.chased(int(h), l) {
					set(l, Ladders)
				} else {
					set(l, Atari)
				}
			}
		}
	}
	free := b.empty // likewise
	for _, e := range free[:b.free] {
		q := int(e)
		f := Feature(0)
		if b.near[q].empty() < 2 && b.reach(c, q) < 2 {
			f |= SelfAtari
		} else if b.near[q].empty() <= 2 && b.near[q].own(c.Other()) > b.near[q].walls() && b.exposes(c, q) {
			f |= Laddered
		}
		if b.pattern(q) {
			f |= Shape
		}
		if b.near[q].empty() >= 3 && b.lonely(q) {
			switch l := b.line(q); {
			case l <= 2:
				f |= LowEmpty
			case l <= 4 || b.size <= smallBoard:
				f |= HighEmpty
			}
		}
		to[point(q)] |= f
	}
	if b.on(last) && b.cells[cell(last)] <= game.White {
		b.nearby(cell(last), set)
	}
}

const smallBoard = 11 // up to this size a first stone belongs in the middle as well

// few returns the number of liberties of a chain, 3 if there are more, and the first two.
func (b *Board) few(h int, libs *[2]int) (n int) {
	b.walk()
	for s := h; ; {
		if b.near[s].empty() > 0 {
			for _, d := range around {
				if l := s + d; b.cells[l] == game.Empty && b.mark[l] != b.stamp {
					if n == 2 {
						return 3
					}
					b.mark[l] = b.stamp
					libs[n] = l
					n++
				}
			}
		}
		if s = int(b.next[s]); s == h {
			return n
		}
	}
}

// savers marks the points that save a chain in atari from being taken.
func (b *Board) savers(h, liberty int, set func(int, Feature)) {
	c := b.cells[h]
	for s := h; ; {
		for _, d := range around {
			q := s + d
			if b.cells[q] == c.Other() {
				if g := &b.chain[b.head[q]]; g.atari() {
					set(int(g.sum)/int(g.libs), Saves)
				}
			}
		}
		if s = int(b.next[s]); s == h {
			break
		}
	}
	if !b.suicide(c, liberty) && b.runs(h, liberty, new(ladderBudget)) {
		set(liberty, Saves)
	}
}

// line returns how far a cell is from the edge, from 1.
func (b *Board) line(q int) int {
	x, y := point(q).X(), point(q).Y()
	return 1 + min(x, y, b.size-1-x, b.size-1-y)
}

// lonely reports whether no stone is within three steps of an empty cell.
func (b *Board) lonely(q int) bool {
	x, y := point(q).X(), point(q).Y()
	for dy := -3; dy <= 3; dy++ {
		if y+dy < 0 || y+dy >= b.size {
			continue
		}
		w := 3 - max(dy, -dy)
		for dx := max(-w, -x); dx <= min(w, b.size-1-x); dx++ {
			if b.cells[q+dy*game.Stride+dx] <= game.White {
				return false
			}
		}
	}
	return true
}

// nearby marks the empty cells up to three steps from the stone on q, where the stones of a
// chain are no steps apart (the common fate graph of Graepel, Goutrie, Krueger and Herbrich,
// "Learning on graphs in the game of Go", 2001).
func (b *Board) nearby(q int, set func(int, Feature)) {
	b.walk()
	var queue [cells]uint16
	tail := 0
	add := func(s int) {
		if b.mark[s] == b.stamp || b.cells[s] == game.Wall {
			return
		}
		if b.cells[s] == game.Empty {
			b.mark[s] = b.stamp
			queue[tail] = uint16(s)
			tail++
			return
		}
		for h := s; ; { // all of a chain at once
			b.mark[s] = b.stamp
			queue[tail] = uint16(s)
			tail++
			if s = int(b.next[s]); s == h {
				return
			}
		}
	}
	add(q)
	for head, step := 0, Near1; step <= Near3; step <<= 1 {
		for end := tail; head < end; head++ {
			for _, d := range around {
				add(int(queue[head]) + d)
			}
		}
		for _, s := range queue[head:tail] {
			if b.cells[s] == game.Empty {
				set(int(s), step)
			}
		}
	}
}

// ladderBudget is how many stones the reading of a ladder has put so far.
type ladderBudget int

const mostLadder = 200

// chased reports whether a chain with two liberties is taken in a ladder that begins on one
// of them.
func (b *Board) chased(h, liberty int) bool {
	return b.closes(h, liberty, new(ladderBudget))
}

// hunted reports whether a chain with two liberties can be taken in a ladder.
func (b *Board) hunted(h int) bool { return b.falls(h, new(ladderBudget)) }

// falls is hunted within a budget.
func (b *Board) falls(h int, spent *ladderBudget) bool {
	var libs [2]int
	if b.few(h, &libs) != 2 {
		return false
	}
	// First the liberty on which the chain would get more room.
	if b.near[libs[0]].empty() < b.near[libs[1]].empty() {
		libs[0], libs[1] = libs[1], libs[0]
	}
	return b.closes(h, libs[0], spent) || b.closes(h, libs[1], spent)
}

// closes reports whether an atari on a liberty of a chain with two takes it in the end.
func (b *Board) closes(h, liberty int, spent *ladderBudget) bool {
	c := b.cells[h]
	a := c.Other()
	if *spent++; *spent > mostLadder || liberty == b.ko && a == b.koFor || b.suicide(a, liberty) {
		return false
	}
	f := b.save(a, liberty)
	b.put(a, liberty)
	f.delta = b.last
	caught := !b.flees(int(b.head[h]), spent)
	b.lift(&f)
	return caught
}

// flees reports whether a chain in atari, its side to move, gets out of it for good: by
// taking what encloses it, or by running.
func (b *Board) flees(h int, spent *ladderBudget) bool {
	var libs [2]int
	if b.few(h, &libs) != 1 {
		return true
	}
	c := b.cells[h]
	var takes [4]int
	n := 0
	for s := h; ; {
		for _, d := range around {
			q := s + d
			if b.cells[q] == c.Other() && n < len(takes) {
				if g := &b.chain[b.head[q]]; g.atari() {
					if p := int(g.sum) / int(g.libs); p != takes[0] && !(p == b.ko && c == b.koFor) {
						takes[n] = p
						n++
					}
				}
			}
		}
		if s = int(b.next[s]); s == h {
			break
		}
	}
	for _, p := range takes[:n] {
		if p != libs[0] && b.runs(h, p, spent) {
			return true
		}
	}
	return !b.suicide(c, libs[0]) && b.runs(h, libs[0], spent)
}

// exposes reports whether a stone of c on an empty cell takes nothing and leaves its chain
// two liberties and a ladder that takes it.
func (b *Board) exposes(c game.Color, p int) bool {
	f := b.save(c, p)
	b.put(c, p)
	f.delta = b.last
	caught := f.takes == 0 && b.falls(int(b.head[p]), new(ladderBudget))
	b.lift(&f)
	return caught
}

// runs reports whether a chain in atari is out of it for good when its side plays p.
func (b *Board) runs(h, p int, spent *ladderBudget) bool {
	if *spent++; *spent > mostLadder {
		return true
	}
	c := b.cells[h]
	f := b.save(c, p)
	b.put(c, p)
	f.delta = b.last
	out := false
	var libs [2]int
	switch g := int(b.head[h]); b.few(g, &libs) {
	case 2:
		out = !b.falls(g, spent)
	case 3:
		out = true
	}
	b.lift(&f)
	return out
}
