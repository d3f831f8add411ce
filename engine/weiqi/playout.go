package weiqi

import "tengen/engine/game"

// Rand is a small random generator: xorshift64* (Vigna, "An experimental exploration of
// Marsaglia's xorshift generators, scrambled", 2016).
type Rand struct{ s uint64 }

// NewRand returns a generator; equal seeds give equal sequences.
func NewRand(seed uint64) Rand {
	// One round of splitmix64 makes any seed a good one; the state must not be zero.
	s := seed + 0x9e3779b97f4a7c15
	s = (s ^ s>>30) * 0xbf58476d1ce4e5b9
	s = (s ^ s>>27) * 0x94d049bb133111eb
	return Rand{s ^ s>>31 | 1}
}

// Next returns 64 random bits.
func (r *Rand) Next() uint64 {
	s := r.s
	s ^= s >> 12
	s ^= s << 25
	s ^= s >> 27
	r.s = s
	return s * 0x2545f4914f6cdd1d
}

// Below returns a number from 0 to n-1, n up to 2^32.
func (r *Rand) Below(n int) int { return int(r.Next() >> 32 * uint64(n) >> 32) }

// Style says how a playout is played.
type Style struct {
	// Moves is the most moves (passes included) that are played: ko and seki can last for
	// ever. 0 means three for every point.
	Moves int
	// Mercy ends a playout when one side has that many more stones than the other: the rest
	// would only confirm it. 0 means never.
	Mercy int
	// Careful is for counting, not for searching, since it costs time. It leaves alone what
	// would put more than two own stones into atari, except inside an opposing chain where
	// their capture would leave it one eye only: a seki then stays a seki. And it
	// answers the last move: takes it or saves its own stones from atari if it can, else
	// plays beside it in half of the moves, so that a territory is defended (after Gelly,
	// Wang, Munos and Teytaud, "Modification of UCT with patterns in Monte-Carlo Go", 2006).
	Careful bool
}

// Light is the style of a search's playouts.
func Light(size int) Style { return Style{Mercy: size * size / 3} }

// Playout plays the game to its end from c's turn, spoiling the board: a uniformly
// random move among those that are legal under simple ko without suicide and do not fill
// an own single-point eye, a pass where there is none, until both pass. It returns
// Black's points on the board minus White's. (Bruegmann, "Monte Carlo Go", 1993; with
// real eyes left alone as there.)
func (b *Board) Playout(r *Rand, c game.Color, s Style) int {
	left, mercy := s.Moves, s.Mercy
	if left == 0 {
		left = 3 * b.size * b.size
	}
	if mercy == 0 {
		mercy = cells
	}
	before := none // the last move
	for passes := 0; left > 0 && passes < 2; left-- {
		passes++
		n := b.free
		if s.Careful && before != none {
			if p := b.answer(r, c, before); p != none {
				b.put(c, p)
				passes, n, before = 0, 0, p
			}
		}
		for n > 0 {
			j := r.Below(n)
			p := int(b.empty[j])
			if b.wanted(c, p) && !(s.Careful && b.rash(c, p)) {
				b.put(c, p)
				passes, before = 0, p
				break
			}
			// Not this one: out of the draw, which so stays uniform.
			n--
			o := b.empty[n]
			b.empty[j], b.empty[n] = o, uint16(p)
			b.place[o], b.place[p] = uint16(j), uint16(n)
		}
		if passes > 0 {
			b.ko, before = none, none
		} else if d := b.stones[game.Black] - b.stones[game.White]; d > mercy || d < -mercy {
			return d
		}
		c = c.Other()
	}
	return b.settled()
}

// wanted reports whether a playout may play c on the empty cell p.
func (b *Board) wanted(c game.Color, p int) bool {
	n := b.near[p]
	if n.empty() > 0 {
		return true
	}
	if p == b.ko && c == b.koFor {
		return false
	}
	if n.own(c) == 4 && b.eye(c, p) {
		return false
	}
	return !b.suicide(c, p)
}

// settled counts a board on which nothing bigger than single points is left open:
// Black's stones and eyes minus White's.
func (b *Board) settled() int {
	d := b.stones[game.Black] - b.stones[game.White]
	for _, p := range b.empty[:b.free] {
		switch n := b.near[p]; {
		case n.own(game.Black) == 4:
			d++
		case n.own(game.White) == 4:
			d--
		}
	}
	return d
}

// answer returns c's answer to the opponent's stone on last, or none.
func (b *Board) answer(r *Rand, c game.Color, last int) int {
	if b.cells[last] != c.Other() {
		return none
	}
	if h := &b.chain[b.head[last]]; h.atari() {
		if p := int(h.sum) / int(h.libs); b.wanted(c, p) {
			return p
		}
	}
	for _, d := range around {
		q := last + d
		if b.cells[q] != c {
			continue
		}
		h := &b.chain[b.head[q]]
		if !h.atari() {
			continue
		}
		// By taking a neighbour that is in atari itself, else by running.
		for s := b.head[q]; ; {
			for _, e := range around {
				if o := int(s) + e; b.cells[o] == c.Other() {
					if g := &b.chain[b.head[o]]; g.atari() {
						if p := int(g.sum) / int(g.libs); b.wanted(c, p) {
							return p
						}
					}
				}
			}
			if s = b.next[s]; s == b.head[q] {
				break
			}
		}
		if p := int(h.sum) / int(h.libs); b.near[p].empty() > 1 {
			return p
		}
	}
	if r.Next()>>63 == 0 {
		return none
	}
	at := r.Below(8)
	for i := range 8 {
		p := last + beside[(at+i)%8]
		if b.cells[p] == game.Empty && b.wanted(c, p) && !b.rash(c, p) {
			return p
		}
	}
	return none
}

// beside are the eight cells around one.
var beside = [8]int{east, -east, south, -south, south + east, south - east, east - south, -south - east}

// rash reports whether c on p takes nothing and leaves more than two own stones with one
// liberty, in a shape that is not worth the sacrifice.
func (b *Board) rash(c game.Color, p int) bool {
	n := b.near[p]
	if n.empty() > 1 || n.own(c) == 0 {
		return false
	}
	b.walk()
	b.mark[p] = b.stamp
	var body [6]int // the stones of the chain to be, as long as they may be a shape
	size, liberties := 1, 0
	body[0] = p
	for _, d := range around {
		q := p + d
		switch b.cells[q] {
		case game.Empty:
			if b.mark[q] != b.stamp {
				b.mark[q] = b.stamp
				liberties++
			}
		case c.Other():
			if b.chain[b.head[q]].atari() {
				return false // takes
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
				for _, e := range around {
					if l := s + e; b.cells[l] == game.Empty && b.mark[l] != b.stamp {
						b.mark[l] = b.stamp
						if liberties++; liberties > 1 {
							return false
						}
					}
				}
				if s = int(b.next[s]); s == h {
					break
				}
			}
		}
	}
	return liberties == 1 && size > 2 && !(size <= 6 && b.inside(c, body[:size]) && b.oneEyed(body[:size]))
}

// inside reports whether a body of c touches one opposing chain only: then it may fill
// that one's eye. Between two chains, as in a seki, it is no eye that it fills.
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
	return true
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
