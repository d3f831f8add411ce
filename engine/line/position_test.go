package line

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/engine/game"
)

// odd is a Values that tells apart all that can be told apart: sides, shapes, attack and
// defence. Its numbers mean nothing and fill their ranges.
type odd struct{}

func (odd) mix(c game.Color, s [4]Shape) uint64 {
	x := uint64(c) + 1
	for _, sh := range s {
		x = x<<8 | uint64(sh)
	}
	return splitmix(&x)
}

func (o odd) Value(c game.Color, s [4]Shape) (moving, waiting int) {
	x := o.mix(c, s)
	return int(x%2001) - 1000, int(x>>40%2001) - 1000
}

func (o odd) Score(c game.Color, s [4]Shape) (attack, defend int) {
	x := o.mix(c, s) >> 20
	return int(x & 1023), int(x >> 10 & 1023)
}

func oddTable(t testing.TB, v game.Variant) *Table {
	t.Helper()
	v.Size = MinSize
	r, err := RulesOf(v)
	if err != nil {
		t.Fatal(err)
	}
	return NewTable(r, odd{})
}

// fromScratch returns a Position that knows what p knows, computed from p's stones, its
// side to move and nothing else.
func fromScratch(p *Position) *Position {
	f := NewPosition(p.t, p.size)
	f.side = p.side
	for c, n := range p.captured {
		f.SetCaptured(game.Color(c), int(n))
	}
	for y := range p.size {
		for x := range p.size {
			q := game.At(x, y)
			c := p.cells[q]
			if c == game.Empty {
				continue
			}
			f.cells[q] = c
			f.taken[y] |= 1 << x
			f.key ^= zobrist[c][q]
			f.empty--
			for d := range 4 {
				l, i := lineOf(d, q)
				f.lines[d][l] |= uint64(stoneBits[c]) << (2 * (i + pad))
			}
		}
	}
	for y := range p.size {
		for x := range p.size {
			q := game.At(x, y)
			if f.cells[q] == game.Empty {
				f.refresh(q)
				continue
			}
			old := f.info[q]
			ob, ow := lanes(old)
			f.value[0] -= ob
			f.value[1] -= ow
			f.reclass(q, old, 0)
			f.info[q] = 0
		}
	}
	return f
}

// differ names the first thing that two positions with the same stones do not agree on.
func differ(p, f *Position) string {
	if p.cells != f.cells {
		return "stones"
	}
	for q := range p.cells {
		if p.cells[q] != game.Empty && p.info[q] != 0 {
			return "info of a taken point"
		}
		if p.cells[q] != game.Empty {
			continue
		}
		if p.pat[q] != f.pat[q] {
			return "shapes of " + game.Point(q).Name(p.size)
		}
		if p.info[q] != f.info[q] {
			return "info of " + game.Point(q).Name(p.size)
		}
	}
	switch {
	case p.lines != f.lines:
		return "lines"
	case p.count != f.count:
		return "counts"
	case p.sets != f.sets:
		return "sets"
	case p.taken != f.taken:
		return "taken"
	case p.captured != f.captured:
		return "captured"
	case p.empty != f.empty:
		return "empty"
	case p.value != f.value:
		return "value"
	case p.Key() != f.Key():
		return "key"
	}
	return ""
}

// askAll compares what a Position answers with what it answers by: each empty point
// in one set, its numbers those of the Values.
func askAll(p *Position) string {
	var count [2][NumClasses]int
	value, empty := 0, 0
	for y := range p.size {
		for x := range p.size {
			q := game.At(x, y)
			if p.Taken().Has(q) != (p.At(q) != game.Empty) {
				return "taken " + q.Name(p.size)
			}
			if p.At(q) != game.Empty {
				for cl := Two; cl < NumClasses; cl++ {
					if p.Points(game.Black, cl).Has(q) || p.Points(game.White, cl).Has(q) {
						return "a taken point in a set: " + q.Name(p.size)
					}
				}
				continue
			}
			empty++
			var score [2]int
			for c := range game.Empty {
				cl := p.Class(c, q)
				count[c][cl]++
				for is := Two; is < NumClasses; is++ {
					if p.Points(c, is).Has(q) != (is == cl) {
						return "set of " + q.Name(p.size)
					}
				}
				s := p.Shapes(c, q)
				slices.Sort(s[:])
				moving, waiting := odd{}.Value(c, s)
				if c == p.Side() {
					value += moving
				} else {
					value -= waiting
				}
				attack, defend := odd{}.Score(c, s)
				score[c] += attack
				score[c.Other()] += defend
			}
			for c := range game.Empty {
				if p.Score(c, q) != score[c] {
					return "score of " + q.Name(p.size)
				}
			}
		}
	}
	for c := range game.Empty {
		for cl := Two; cl < NumClasses; cl++ {
			if p.Count(c, cl) != count[c][cl] {
				return "count"
			}
		}
	}
	switch {
	case p.Value() != value:
		return "value"
	case p.Empty() != empty:
		return "empty"
	}
	return ""
}

// snapshot is everything a Position holds, for comparing it with itself later.
type snapshot struct {
	p       Position
	changes []change
	frames  []frame
	stones  []game.Point
}

func (p *Position) snapshot() *snapshot {
	s := &snapshot{*p, slices.Clone(p.changes), slices.Clone(p.frames), slices.Clone(p.stones)}
	s.p.changes, s.p.frames, s.p.stones = nil, nil, nil
	return s
}

// restored names what differs between a Position and what it was.
func (s *snapshot) restored(p *Position) string {
	now := p.snapshot()
	switch {
	case !slices.Equal(s.changes, now.changes):
		return "changes"
	case !slices.Equal(s.frames, now.frames):
		return "frames"
	case !slices.Equal(s.stones, now.stones):
		return "captured stones"
	case s.p.pat != now.p.pat:
		return "pat"
	case s.p.info != now.p.info:
		return "info"
	case s.p.won != now.p.won:
		return "won"
	case s.p.side != now.p.side:
		return "side"
	}
	return differ(p, &s.p)
}

// Random games with walls, passes and take-backs: after every step the position is what
// its stones make of it, and at the start it is what it was, bit for bit.
func TestMakeUnmake(t *testing.T) {
	for n, v := range variants {
		t.Run(variantName(v), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(n), 11))
			table := oddTable(t, v)
			for g := range randomGames {
				v.Size = MinSize + (g*5+n)%(MaxSize-MinSize+1)
				p := NewPosition(table, v.Size)
				b := newNaive(v)
				if g%3 == 2 {
					b.scatter(rng)
					b.position(p, same)
				}
				p.SetSide(game.Color(rng.IntN(2)))
				var before []*snapshot
				check := func(did string) {
					t.Helper()
					if what := differ(p, fromScratch(p)); what != "" {
						t.Fatalf("size %d, ply %d, after %s: %s", v.Size, p.Ply(), did, what)
					}
					if what := askAll(p); what != "" {
						t.Fatalf("size %d, ply %d, after %s: %s", v.Size, p.Ply(), did, what)
					}
				}
				check("the set-up")
				for step := 0; p.Empty() > 0 && step < 2*v.Size*v.Size; step++ {
					if k := rng.IntN(8); k == 0 && len(before) > 0 {
						p.Unmake()
						last := before[len(before)-1]
						before = before[:len(before)-1]
						if what := last.restored(p); what != "" {
							t.Fatalf("size %d: unmake of ply %d leaves another %s", v.Size, p.Ply()+1, what)
						}
						check("unmake")
						continue
					}
					q := pick(rng, p)
					if rng.IntN(20) == 0 {
						q = game.Pass
					}
					before = append(before, p.snapshot())
					key, side := p.KeyAfter(q), p.Side()
					p.Make(q)
					if p.Key() != key {
						t.Fatalf("size %d: KeyAfter(%s) is not the key after it", v.Size, q.Name(v.Size))
					}
					if p.Side() != side.Other() || p.Last(0) != q || p.Ply() != len(before) {
						t.Fatalf("size %d: side %v, last %s, ply %d after %s", v.Size, p.Side(), p.Last(0).Name(v.Size), p.Ply(), q.Name(v.Size))
					}
					check("make")
				}
				for len(before) > 0 {
					p.Unmake()
					last := before[len(before)-1]
					before = before[:len(before)-1]
					if what := last.restored(p); what != "" {
						t.Fatalf("size %d: unmake of ply %d leaves another %s", v.Size, p.Ply()+1, what)
					}
				}
				if p.Last(0) != game.NoPoint {
					t.Fatal("a last move at the start")
				}
			}
		})
	}
}

// pick returns an empty point, most often one near the last move.
func pick(rng *rand.Rand, p *Position) game.Point {
	for try := 0; ; try++ {
		x, y := rng.IntN(p.size), rng.IntN(p.size)
		if l := p.Last(0); try < 9 && l != game.Pass && l != game.NoPoint {
			x, y = l.X()+rng.IntN(5)-2, l.Y()+rng.IntN(5)-2
		}
		if x < 0 || y < 0 || x >= p.size || y >= p.size {
			continue
		}
		if q := game.At(x, y); p.At(q) == game.Empty {
			return q
		}
	}
}

// The key depends on the stones and the side to move, not on how they came about, and
// no two different ones met here share a key.
func TestKey(t *testing.T) {
	table := newTable(t, game.Freestyle, false)
	rng := rand.New(rand.NewPCG(3, 3))
	seen := map[uint64]string{}
	for range 300 {
		v := game.Variant{Size: MinSize + rng.IntN(4)}
		b := newNaive(v)
		b.scatter(rng)
		p, m := NewPosition(table, v.Size), NewPosition(table, v.Size)
		b.position(p, same)
		var stones []xy
		for y := range v.Size {
			for x := range v.Size {
				if b.cell[y][x] != game.Empty {
					stones = append(stones, xy{x, y})
				}
			}
		}
		rng.Shuffle(len(stones), func(i, j int) { stones[i], stones[j] = stones[j], stones[i] })
		for _, q := range stones {
			m.Set(q.point(), b.at(q))
		}
		if p.Key() != m.Key() {
			t.Fatalf("the key depends on the order\n%v", b)
		}
		black := p.Key()
		p.Make(game.Pass)
		if p.Key() == black {
			t.Fatal("a pass leaves the key as it was")
		}
		for key, side := range map[uint64]string{black: "black\n", p.Key(): "white\n"} {
			// The board sizes differ in their walls, which the key leaves out.
			drawing := side + b.String()
			if old, ok := seen[key]; ok && old != drawing && len(old) == len(drawing) {
				t.Fatalf("one key for\n%s\n%s", old, drawing)
			}
			seen[key] = drawing
		}
	}
}

// Nothing is allocated by a move, its taking back, or the judging of a point.
func TestNoAllocation(t *testing.T) {
	for _, v := range variants {
		v.Size = 15
		p := NewPosition(oddTable(t, v), v.Size)
		// Two threes and a four point that is a double four: the recursion is entered.
		draw(t, p, ".............../.............../.............../.............../"+
			"......X......../......X......../......X......../..XX.X.X.XX..../......X......../"+
			"......X......../.............../.............../.............../.............../...............")
		q := game.At(4, 7)
		run := func() {
			p.Make(q)
			p.Make(game.Pass)
			p.Unmake()
			p.Unmake()
			for y := range v.Size {
				for x := range v.Size {
					p.Forbidden(game.Black, game.At(x, y))
					p.Playable(game.White, game.At(x, y))
				}
			}
		}
		if n := testing.AllocsPerRun(20, run); n != 0 {
			t.Errorf("%s: %v allocations", variantName(v), n)
		}
	}
}

// The first byte chooses the rule, the second the size, each pair after them a point
// (or, off the board, a pass or a take-back).
func FuzzPosition(f *testing.F) {
	f.Add([]byte{0, 0})
	f.Add([]byte{0, 10, 7, 7, 8, 8, 7, 8, 8, 9, 7, 9, 9, 9, 7, 10, 5, 5, 7, 11})     // a five
	f.Add([]byte{1, 10, 0, 0, 9, 9, 1, 0, 9, 8, 2, 0, 9, 7, 4, 0, 9, 6, 5, 0, 3, 0}) // six by joining
	f.Add([]byte{2, 10, 7, 6, 0, 0, 7, 8, 14, 0, 6, 7, 0, 14, 8, 7, 14, 14, 7, 7})   // double three
	f.Add([]byte{4, 0, 0, 0, 31, 31, 1, 1, 31, 31, 2, 2, 31, 31, 3, 3, 31, 31, 4, 4, 31, 30})
	f.Add(append([]byte{5, 17}, bytes.Repeat([]byte{3, 4, 31, 30, 5, 21, 31, 31}, 9)...))
	tables := make([]*Table, len(variants))
	for i, v := range variants {
		tables[i] = oddTable(f, v)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) < 2 {
			return
		}
		n := int(in[0]) % len(variants)
		v := variants[n]
		v.Size = MinSize + int(in[1])%(MaxSize-MinSize+1)
		p := NewPosition(tables[n], v.Size)
		b := newNaive(v)
		start := p.snapshot()
		var before []naive
		for in = in[2:min(len(in), 300)]; len(in) > 1; in = in[2:] {
			q := xy{int(in[0]), int(in[1])}
			switch {
			case b.on(q) && b.isEmpty(q):
				c, why := p.Side(), b.forbidden(p.Side(), q)
				if got := p.Forbidden(c, q.point()); got != why {
					t.Fatalf("%s: %v, want %v\n%v", q.point().Name(v.Size), got, why, b)
				}
				p.Make(q.point())
				before = append(before, *b)
				b.play(q, c)
				if p.Won() != b.won(q) {
					t.Fatalf("%s: won %v\n%v", q.point().Name(v.Size), p.Won(), b)
				}
			case !b.on(q) && in[1]%2 == 0 && p.Ply() > 0:
				if p.Last(0) != game.Pass {
					*b = before[len(before)-1]
					before = before[:len(before)-1]
				}
				p.Unmake()
			case !b.on(q):
				p.Make(game.Pass)
			default:
				continue
			}
			if what := differ(p, fromScratch(p)); what != "" {
				t.Fatalf("ply %d: %s\n%v", p.Ply(), what, b)
			}
		}
		for p.Ply() > 0 {
			p.Unmake()
		}
		if what := start.restored(p); what != "" {
			t.Fatalf("taken back to the start: another %s", what)
		}
	})
}
