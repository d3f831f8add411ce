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
	// Careful makes the playout answer the last moves as suggest does, and leave alone what
	// would put more than two own stones into atari for nothing; a seki then stays a seki.
	Careful bool
	// Only, if set, bounds a playout to these points; stones elsewhere stay as they are.
	Only *Set
}

// allows reports whether a playout of this style may play on p.
func (s *Style) allows(p int) bool { return s.Only == nil || s.Only.Has(point(p)) }

// Light is the style of uniformly random playouts.
func Light(size int) Style { return Style{Mercy: size * size / 3} }

// Tactical is the style of a search's playouts.
func Tactical(size int) Style { return Style{Mercy: size * size / 3, Careful: true} }

// First holds for each point who was the first to play there, and when.
type First struct {
	at         [cells]int16 // twice the time and the colour; 0 if nobody did
	start, end int16        // times of the first and after the last move
	share      int32        // weights above one, for each move that a move was before the end
}

// firstTime is that of a playout's first move; what came before has smaller ones.
const firstTime = 2048

// Clear forgets what was played on a board of a size.
func (f *First) Clear(size int) {
	clear(f.at[:(size+2)*game.Stride])
	f.start, f.end, f.share = firstTime, firstTime, 0
}

// Note says that c played on q, a point of the board or not, before all that was noted so far.
func (f *First) Note(q game.Point, c game.Color) {
	f.start--
	if q < game.NumPoints-ring {
		f.at[cell(q)] = f.start<<1 | int16(c)
	}
}

// Weigh makes Weight tell the thirds of the game from each other that has been noted so far.
func (f *First) Weigh() { f.share = 3 << 16 / (int32(f.end-f.start) + 1) }

// Weight returns 0 if c was not the first to play on q, a point of the board or the pass; else 3
// in the first third of the game, 2 in the second, 1 in the last.
func (f *First) Weight(q game.Point, c game.Color) uint32 {
	if q >= game.NumPoints-ring {
		return 0
	}
	t := f.at[cell(q)]
	if t == 0 || t&1 != int16(c) {
		return 0
	}
	return 1 + uint32(int32(f.end-t>>1)*f.share>>16)
}

// Playout plays the game to its end from c's turn, spoiling the board: a uniformly
// random move among those that are legal under simple ko without suicide and do not fill
// an own single-point eye, a pass where there is none, until both pass. It returns
// Black's points on the board minus White's. (Bruegmann, "Monte Carlo Go", 1993; with
// real eyes left alone as there.) A careful playout begins as an answer to the move on last,
// if there was one. Who played first on each point is noted in first, if that is not nil.
func (b *Board) Playout(r *Rand, c game.Color, last game.Point, s *Style, first *First) int {
	left, mercy := s.Moves, s.Mercy
	if left == 0 {
		left = 3 * b.size * b.size
	}
	if mercy == 0 {
		mercy = cells
	}
	now, before := none, none // the last move and the one before it
	if b.on(last) {
		now = cell(last)
	}
	b.last.takes = 0 // of a move that was not played here
	time := int16(firstTime)
	for passes := 0; left > 0 && passes < 2; left-- {
		passes++
		p := none
		if s.Careful && now != none {
			if p = b.suggest(r, c, now, before); p != none && !s.allows(p) {
				p = none
			}
		}
		for n := b.free; n > 0 && p == none; {
			j := r.Below(n)
			q := int(b.empty[j])
			if s.allows(q) && b.wanted(c, q) && !(s.Careful && b.rash(c, q)) {
				p = q
				break
			}
			// Not this one: out of the draw, which so stays uniform.
			n--
			o := b.empty[n]
			b.empty[j], b.empty[n] = o, uint16(q)
			b.place[o], b.place[q] = uint16(j), uint16(n)
		}
		before = now
		if now = p; p == none {
			b.ko = none
		} else {
			b.put(c, p)
			passes = 0
			if first != nil {
				if first.at[p] == 0 {
					first.at[p] = time<<1 | int16(c)
				}
				time++
				first.end = time
			}
			if d := b.stones[game.Black] - b.stones[game.White]; d > mercy || d < -mercy {
				return d
			}
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
