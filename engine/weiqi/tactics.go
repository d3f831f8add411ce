package weiqi

import "tengen/engine/game"

// What a playout sees around the last moves, and a search before it looks at a move: stones
// in atari, eyes that can be kept from becoming two, and small patterns. The kinds of answer
// and their order are those of Gelly, Wang, Munos and Teytaud, "Modification of UCT with
// patterns in Monte-Carlo Go" (2006), section 3.2, with nakade added as in Chaslot et al.,
// "Adding expert knowledge and exploration in Monte-Carlo tree search" (2010), section 3.

// suggest returns c's answer to the opponent's stone on last, or none; before is the move
// before that, or none.
func (b *Board) suggest(r *Rand, c game.Color, last, before int) int {
	if b.cells[last] != c.Other() {
		return none
	}
	dice := r.Next()
	if b.last.takes > 0 {
		if p := b.nakade(c); p != none {
			return p
		}
	}
	if dice&15 != 0 {
		if p := b.urgent(c, last, before); p != none {
			return p
		}
	}
	if dice>>4&15 != 0 {
		if p := b.shapely(c, last, int(dice>>8&7)); p != none {
			return p
		}
		if before != none {
			return b.shapely(c, before, int(dice>>11&7))
		}
	}
	return none
}

// urgent returns a point on which c takes a chain that the last two moves touched, that of
// the last one first, or saves its own one from atari, or none.
func (b *Board) urgent(c game.Color, last, before int) int {
	if h := &b.chain[b.head[last]]; h.atari() {
		if p := int(h.sum) / int(h.libs); b.wanted(c, p) {
			return p
		}
	}
	if p := b.touched(c, last); p != none || before == none {
		return p
	}
	return b.touched(c, before)
}

// touched is urgent for the eight cells around one.
func (b *Board) touched(c game.Color, at int) int {
	for _, d := range beside {
		q := at + d
		k := b.cells[q]
		if k > game.White {
			continue
		}
		h := &b.chain[b.head[q]]
		if !h.atari() {
			continue
		}
		if k == c {
			if p := b.rescue(c, q); p != none {
				return p
			}
		} else if p := int(h.sum) / int(h.libs); b.wanted(c, p) {
			return p
		}
	}
	return none
}

// rescue returns a point that saves the chain of c on q from atari: by taking a neighbour
// that is in atari itself, else by running, unless that leads into a ladder. It returns none
// if there is no such point.
func (b *Board) rescue(c game.Color, q int) int {
	for s := b.head[q]; ; {
		if b.near[s].own(c.Other()) > 0 {
			for _, e := range around {
				if o := int(s) + e; b.cells[o] == c.Other() {
					if g := &b.chain[b.head[o]]; g.atari() {
						if p := int(g.sum) / int(g.libs); b.wanted(c, p) {
							return p
						}
					}
				}
			}
		}
		if s = b.next[s]; s == b.head[q] {
			break
		}
	}
	h := &b.chain[b.head[q]]
	p := int(h.sum) / int(h.libs)
	if b.reach(c, p) > 1 && (b.near[p].empty() > 2 || b.runs(int(b.head[q]), p, new(ladderBudget))) {
		return p
	}
	return none
}

// nakade returns the point that keeps the space of a chain that the last move took from
// becoming two eyes, if it is an eye of three to six points and there is such a point.
func (b *Board) nakade(c game.Color) int {
	for _, h := range b.last.taken[:b.last.takes] {
		n := int(b.chain[h].stones)
		if n < 3 || n > 6 {
			continue
		}
		middle, most, links, closed := none, 0, 0, true
		for s := int(h); closed; {
			if b.cells[s] != game.Empty {
				closed = false
				break
			}
			k := b.near[s].empty()
			links += k
			if k > most {
				middle, most = s, k
			}
			if b.near[s].own(c) > b.near[s].walls() {
				closed = false
			}
			if s = int(b.next[s]); s == int(h) {
				break
			}
		}
		if !closed {
			continue
		}
		// Counted by its links, each from both ends: three in any shape, the square and the
		// pyramid four, the bulky and the crossed five, the rabbity six.
		switch {
		case n == 3 && links == 4, n == 4 && (links == 8 || links == 6 && most == 3),
			n == 5 && (links == 10 && most == 3 || links == 8 && most == 4), n == 6 && links == 12 && most == 4:
			if b.wanted(c, middle) {
				return middle
			}
		}
	}
	return none
}

// shapely returns a point beside p where a stone of c makes one of the small patterns, the
// first found from one of the eight directions, or none.
func (b *Board) shapely(c game.Color, p, from int) int {
	for i := range 8 {
		q := p + beside[(from+i)&7]
		if b.cells[q] == game.Empty && b.pattern(q) && b.wanted(c, q) && !b.rash(c, q) {
			return q
		}
	}
	return none
}

// beside are the eight cells around one.
var beside = [8]int{east, -east, south, -south, south + east, south - east, east - south, -south - east}

// reach returns how many liberties a stone of c on the empty cell p would have, 2 if there
// are more or it takes something.
func (b *Board) reach(c game.Color, p int) int {
	if b.near[p].empty() > 1 {
		return 2
	}
	n, _ := b.liberties(c, p, nil)
	return n
}

// liberties is reach, with the size of the chain to be. The first stones of that are
// written to body.
func (b *Board) liberties(c game.Color, p int, body []int) (libs, size int) {
	b.walk()
	b.mark[p] = b.stamp
	size = 1
	if len(body) > 0 {
		body[0] = p
	}
	for _, d := range around {
		q := p + d
		switch b.cells[q] {
		case game.Empty:
			if b.mark[q] != b.stamp {
				b.mark[q] = b.stamp
				if libs++; libs > 1 {
					return 2, size
				}
			}
		case c.Other():
			if b.chain[b.head[q]].atari() {
				return 2, size // takes
			}
		case c:
			h := int(b.head[q])
			if b.mark[h] == b.stamp {
				continue
			}
			for s := h; ; {
				b.mark[s] = b.stamp
				if size < len(body) {
					body[size] = s
				}
				size++
				if b.near[s].empty() > 0 {
					for _, e := range around {
						if l := s + e; b.cells[l] == game.Empty && b.mark[l] != b.stamp {
							b.mark[l] = b.stamp
							if libs++; libs > 1 {
								return 2, size
							}
						}
					}
				}
				if s = int(b.next[s]); s == h {
					break
				}
			}
		}
	}
	return libs, size
}

// rash reports whether c on p takes nothing and leaves more than two own stones with one
// liberty, in a shape that is not worth the sacrifice.
func (b *Board) rash(c game.Color, p int) bool {
	n := b.near[p]
	if n.empty() > 1 || n.own(c) == 0 {
		return false
	}
	var body [6]int // the stones of the chain to be, as long as they may be a shape
	libs, size := b.liberties(c, p, body[:])
	return libs == 1 && size > 2 && !(size <= 6 && b.inside(c, body[:size]) && b.oneEyed(body[:size]))
}

// inside reports whether a body of c touches one opposing chain only, and that one has no eye
// elsewhere: then it may fill its only eye. Between two chains, as in a seki, it is no eye that
// it fills, and a chain that has another lives with what is left of this one.
func (b *Board) inside(c game.Color, body []int) bool {
	var only uint16
	for _, s := range body {
		for _, d := range around {
			if q := s + d; b.cells[q] == c.Other() {
				if only != 0 && b.head[q] != only {
					return false
				}
				only = b.head[q]
			}
		}
	}
	return only == 0 || !b.eyed(int(only))
}

// eyed reports whether a chain has an eye of one point.
func (b *Board) eyed(head int) bool {
	c := b.cells[head]
	for s := head; ; {
		for _, d := range around {
			if q := s + d; b.cells[q] == game.Empty && b.near[q].own(c) == 4 && b.eye(c, q) {
				return true
			}
		}
		if s = int(b.next[s]); s == head {
			return false
		}
	}
}

// oneEyed reports whether the space that a taken chain leaves can be kept to one eye by a
// stone on its middle: three in any shape, the square and the pyramid four, the bulky and
// the crossed five, the rabbity six; and the bent
// four in the corner, which leads to a ko that its owner cannot avoid. Counting neighbours inside tells them from the others.
func (b *Board) oneEyed(body []int) bool {
	if len(body) <= 3 {
		return true
	}
	links, most := 0, 0
	for _, s := range body {
		n := 0
		for _, o := range body {
			if d := s - o; d == east || d == -east || d == south || d == -south {
				n++
			}
		}
		links += n
		most = max(most, n)
	}
	links /= 2
	switch len(body) {
	case 4:
		return links == 4 || most == 3 || b.bentFour(body)
	case 5:
		return links == 5 || most == 4
	case 6:
		return most == 4 && links == 6
	}
	return false
}

// bentFour reports whether four stones in a line bend in the corner of the board.
func (b *Board) bentFour(body []int) bool {
	for _, s := range body {
		if walls := b.near[s].own(game.Black) + b.near[s].own(game.White) + near(b.near[s].empty()); walls == 6 {
			inside := 0
			for _, o := range body {
				if d := s - o; d == east || d == -east || d == south || d == -south {
					inside++
				}
			}
			return inside == 2
		}
	}
	return false
}
