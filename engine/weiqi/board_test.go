package weiqi

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tengen/engine/game"
)

// snapshot is all that a position means, without scratch and what lies dead in its arrays.
type snapshot struct {
	Board    string
	Key      uint64
	Full     uint64
	Ko       game.Point
	KoFor    game.Color
	Side     game.Color
	Passes   int
	Stones   [2]int
	Captured [2]int
	Empty    []uint16
	Near     []near
	Rings    []uint16 // head and next of every stone, row by row
	Chains   [][4]uint32
	Seen     []uint64
}

func snap(p *Position) snapshot {
	s := snapshot{
		Board: picture(&p.Board), Key: p.key, Full: p.Key(), Ko: p.Ko(), Side: p.side, Passes: p.passes,
		Stones: p.stones, Captured: p.captured,
		Empty: slices.Clone(p.empty[:p.free]), Seen: slices.Clone(p.seen),
	}
	if p.ko != none {
		s.KoFor = p.koFor
	}
	for y := range p.size {
		for x := range p.size {
			c := cell(game.At(x, y))
			s.Near = append(s.Near, p.near[c])
			if p.cells[c] <= game.White {
				s.Rings = append(s.Rings, p.head[c], p.next[c])
				if int(p.head[c]) == c {
					h := p.chain[c]
					s.Chains = append(s.Chains, [4]uint32{uint32(h.libs), uint32(h.stones), h.sum, h.square})
				}
			}
		}
	}
	return s
}

func (s snapshot) equal(o snapshot) bool {
	return s.Board == o.Board && s.Key == o.Key && s.Full == o.Full && s.Ko == o.Ko && s.KoFor == o.KoFor &&
		s.Side == o.Side && s.Passes == o.Passes && s.Stones == o.Stones && s.Captured == o.Captured &&
		slices.Equal(s.Empty, o.Empty) && slices.Equal(s.Near, o.Near) && slices.Equal(s.Rings, o.Rings) &&
		slices.Equal(s.Chains, o.Chains) && slices.Equal(s.Seen, o.Seen)
}

// scratch compares what is kept up to date with what counting anew gives.
func scratch(t *testing.T, p *Position) {
	t.Helper()
	var key uint64
	free := 0
	for y := range p.size {
		for x := range p.size {
			q := game.At(x, y)
			c := cell(q)
			var n near
			var ns []int
			for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				nx, ny := x+d[0], y+d[1]
				if nx < 0 || ny < 0 || nx >= p.size || ny >= p.size {
					n += 0x11
					continue
				}
				ns = append(ns, cell(game.At(nx, ny)))
				switch p.At(game.At(nx, ny)) {
				case game.Black:
					n += 0x01
				case game.White:
					n += 0x10
				default:
					n += 0x100
				}
			}
			if p.near[c] != n {
				t.Fatalf("near of %v: %x, want %x", q, p.near[c], n)
			}
			if p.cells[c] == game.Empty {
				free++
				if p.empty[p.place[c]] != uint16(c) {
					t.Fatalf("%v is not in its place", q)
				}
				continue
			}
			key ^= zobrist[p.cells[c]][c]
			h := p.head[c]
			if p.head[h] != h || p.cells[h] != p.cells[c] {
				t.Fatalf("head of %v", q)
			}
			for _, m := range ns {
				if p.cells[m] == p.cells[c] && p.head[m] != h {
					t.Fatalf("%v and its neighbour are two chains", q)
				}
			}
			if int(h) != c {
				continue
			}
			var want chain
			for _, s := range p.Chain(nil, q) {
				want.stones++
				for _, d := range around {
					if l := cell(s) + d; p.cells[l] == game.Empty {
						want.add(l)
					}
				}
			}
			if p.chain[h] != want {
				t.Fatalf("chain of %v: %+v, want %+v", q, p.chain[h], want)
			}
			lib, atari := p.Atari(q)
			libs := p.Liberties(nil, q, 0)
			if atari != (len(libs) == 1) || atari && libs[0] != lib {
				t.Fatalf("atari of %v: %v %v, liberties %v", q, atari, lib, libs)
			}
		}
	}
	if p.key != key || p.free != free {
		t.Fatalf("key %x, want %x; %d empty, want %d", p.key, key, p.free, free)
	}
	if p.stones[0]+p.stones[1]+free != p.size*p.size {
		t.Fatalf("%v stones and %d empty points", p.stones, free)
	}
}

// randomMove returns a random legal move, now and then a pass.
func randomMove(rng *rand.Rand, p *Position) game.Point {
	if rng.IntN(40) > 0 {
		for range 3 * p.size * p.size {
			q := game.At(rng.IntN(p.size), rng.IntN(p.size))
			if p.Legal(q) == Allowed && (!p.Eye(p.side, q) || rng.IntN(10) == 0) {
				return q
			}
		}
	}
	return game.Pass
}

// What is kept up to date is what counting anew gives; Unmake restores everything.
func TestMakeUnmake(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	sets := setsOfRules()
	for i := range 60 {
		p := NewPosition(sets[i%len(sets)], []int{2, 3, 4, 5, 7, 9, 19}[i%7])
		var stack []snapshot
		for m := 0; m < 300; {
			if len(stack) > 0 && rng.IntN(8) == 0 { // back by some moves
				for n := rng.IntN(min(len(stack), 12)); n >= 0; n-- {
					p.Unmake()
					want := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					if got := snap(p); !got.equal(want) {
						t.Fatalf("%s, size %d: %s", p.rules, p.size, cmp.Diff(want, got))
					}
				}
				continue
			}
			stack = append(stack, snap(p))
			if rng.IntN(30) == 0 {
				p.SetSide(p.side.Other())
				stack[len(stack)-1] = snap(p)
			}
			p.Make(randomMove(rng, p))
			scratch(t, p)
			m++
		}
		c := p.Clone()
		want, got := snap(p), snap(c)
		if !got.equal(want) {
			t.Fatalf("clone: %s", cmp.Diff(want, got))
		}
		c.Make(game.Pass)
		q := randomMove(rng, c)
		c.Make(q)
		scratch(t, c)
		if !snap(p).equal(want) {
			t.Fatal("a clone's move changed the original")
		}
		for len(stack) > 0 {
			p.Unmake()
			stack = stack[:len(stack)-1]
		}
		if p.key != 0 || p.free != p.size*p.size || p.Moves() != 0 {
			t.Fatalf("not empty in the end: %s", picture(&p.Board))
		}
	}
}

// Playouts leave a board in order.
func TestPlayoutBoard(t *testing.T) {
	r := NewRand(3)
	for i := range 200 {
		p := NewPosition(ruleSets[i%len(ruleSets)], []int{2, 3, 5, 9, 13, 19}[i%6])
		s := Style{Careful: i&1 == 1, Moves: int(r.Next() % 400)}
		p.Playout(&r, game.Black, game.NoPoint, &s, nil)
		scratch(t, p)
	}
}

// A game and its seven images run alike.
func TestSymmetries(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	sets := setsOfRules()
	for i := range 2 * len(sets) {
		size := 5 + i%5
		var ps [8]*Position
		for k := range ps {
			ps[k] = NewPosition(sets[i%len(sets)], size)
		}
		image := func(k int, q game.Point) game.Point {
			if q == game.Pass {
				return q
			}
			x, y := q.X(), q.Y()
			if k&1 != 0 {
				x = size - 1 - x
			}
			if k&2 != 0 {
				y = size - 1 - y
			}
			if k&4 != 0 {
				x, y = y, x
			}
			return game.At(x, y)
		}
		for range 80 {
			q := randomMove(rng, ps[0])
			for k, p := range ps {
				p.Make(image(k, q))
			}
			for k, p := range ps[1:] {
				for y := range size {
					for x := range size {
						o, m := game.At(x, y), image(k+1, game.At(x, y))
						if ps[0].At(o) != p.At(m) || ps[0].Legal(o) != p.Legal(m) || ps[0].Playable(o) != p.Playable(m) {
							t.Fatalf("%s: image %d differs at %v", p.rules, k+1, o)
						}
					}
				}
			}
		}
		a := ps[0].Count(&Set{})
		la := ps[0].PassAlive(false)
		for k, p := range ps {
			b, lb := p.Count(&Set{}), p.PassAlive(false)
			if a.Stones != b.Stones || a.Territory != b.Territory || a.SekiEyes != b.SekiEyes {
				t.Fatalf("image %d: %v", k, b.Territory)
			}
			for c := range 2 {
				if la.Stones[c].Len() != lb.Stones[c].Len() || la.Territory[c].Len() != lb.Territory[c].Len() {
					t.Fatalf("image %d: life differs", k)
				}
			}
		}
	}
}

// The number of legal positions (Tromp and Farnebäck, "Combinatorics of Go", 2007):
// each is reached by adding stones in some order, and has a key of its own.
func TestLegalPositions(t *testing.T) {
	for size, want := range map[int]int{2: 57, 3: 12675} {
		p := NewPosition(ruleSets[0], size)
		p.rules.Ko = SimpleKo
		seen := map[string]uint64{}
		keys := map[uint64]bool{}
		var walk func()
		walk = func() {
			board := picture(&p.Board)
			if k, ok := seen[board]; ok {
				if k != p.key {
					t.Fatalf("%s has two keys", board)
				}
				return
			}
			seen[board], keys[p.key] = p.key, true
			for y := range size {
				for x := range size {
					for c := game.Black; c <= game.White; c++ {
						q := game.At(x, y)
						if p.SetSide(c); p.Legal(q) == Allowed {
							p.Make(q)
							walk()
							p.Unmake()
						}
					}
				}
			}
		}
		walk()
		if len(seen) != want || len(keys) != want {
			t.Errorf("size %d: %d positions, %d keys, want %d", size, len(seen), len(keys), want)
		}
	}
}

// Positions that differ in whose turn it is or who may not retake have different keys.
func TestKey(t *testing.T) {
	p := NewPosition(ruleSets[0], 5)
	place(t, p, game.White, ".XO../XO.O./.XO../...../.....")
	a := p.Key()
	p.SetSide(game.Black)
	b := p.Key()
	p.Make(at(t, "C4", 5)) // takes B4
	ko := p.Key()
	p.Make(game.Pass)
	p.Make(game.Pass)
	if p.At(at(t, "B4", 5)) != game.Empty {
		t.Fatal("no capture")
	}
	if a == b || ko == p.Key() {
		t.Errorf("keys %x %x, %x %x", a, b, ko, p.Key())
	}
}

// place sets a board drawn as rows from the top joined by "/" or in lines of their own.
func place(t testing.TB, p *Position, toMove game.Color, board string) {
	t.Helper()
	rows := strings.FieldsFunc(board, func(r rune) bool { return r == '/' || r == '\n' || r == '\t' || r == ' ' })
	if len(rows) != p.Size() {
		t.Fatalf("%d rows on a board of %d", len(rows), p.Size())
	}
	s := game.Setup{ToMove: toMove}
	for y, row := range rows {
		if len(row) != p.Size() {
			t.Fatalf("row %q", row)
		}
		for x, ch := range row {
			switch ch {
			case 'X':
				s.Black = append(s.Black, game.At(x, y))
			case 'O':
				s.White = append(s.White, game.At(x, y))
			}
		}
	}
	if err := Place(p, s); err != nil {
		t.Fatal(err)
	}
}

// The hot path does not allocate.
func TestAllocs(t *testing.T) {
	p := NewPosition(ruleSets[0], 9)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		p.Make(randomMove(rng, p))
	}
	work := NewBoard(9)
	r := NewRand(1)
	if n := testing.AllocsPerRun(100, func() {
		work.CopyFrom(&p.Board)
		light := Light(9)
		work.Playout(&r, game.Black, game.NoPoint, &light, nil)
		for y := range 9 {
			for x := range 9 {
				if q := game.At(x, y); p.Playable(q) {
					p.Make(q)
					p.Unmake()
				}
			}
		}
		p.PassAlive(false)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
