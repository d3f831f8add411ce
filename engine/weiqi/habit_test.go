package weiqi

import (
	"slices"
	"testing"

	"tengen/engine/game"
)

// The eight views of what lies around a point are one thing, and seen by the other side stones
// change their colour.
func TestArounds(t *testing.T) {
	b := NewBoard(9)
	stones := []struct {
		c    game.Color
		x, y int
	}{{game.Black, 3, 3}, {game.White, 5, 4}, {game.Black, 4, 6}, {game.White, 6, 3}, {game.Black, 5, 6}}
	for _, s := range stones {
		b.put(s.c, cell(game.At(s.x, s.y)))
	}
	for _, q := range []game.Point{game.At(4, 4), game.At(4, 5), game.At(0, 0), game.At(8, 0), game.At(0, 8), game.At(8, 8), game.At(4, 1), game.At(7, 4)} {
		for i, a := range b.Arounds(q, game.Black) {
			var views []Around
			for side := range 8 {
				v := a.Turned(side)
				views = append(views, v)
				if v.Upright() != a.Upright() {
					t.Errorf("%v, size %d: view %d stands up otherwise", q, i, side)
				}
			}
			if !slices.Contains(views, a) {
				t.Errorf("%v, size %d: not among its own views", q, i)
			}
			other := b.Arounds(q, game.White)[i]
			for k := range shapeCells[i] {
				mine, his := a>>(2*k)&3, other>>(2*k)&3
				if mine < 2 && his != 1-mine || mine >= 2 && his != mine {
					t.Errorf("%v, cell %d: %d for Black, %d for White", q, k, mine, his)
				}
			}
		}
	}
	// Every corner is the same to its side.
	first := b.Arounds(game.At(0, 0), game.Black)[0].Upright()
	for _, q := range []game.Point{game.At(8, 0), game.At(0, 8), game.At(8, 8)} {
		if a := b.Arounds(q, game.Black)[0]; a.Upright() != first {
			t.Errorf("corner %v looks otherwise", q)
		}
	}
}

// The nearest stone of a colour is as many steps away as the least sum of both differences says.
func TestReach(t *testing.T) {
	r := NewRand(3)
	var reach Reach
	for _, size := range []int{MinSize, 9, 19, MaxSize} {
		b := NewBoard(size)
		for n := range 12 {
			b.Reach(&reach)
			for c := game.Black; c <= game.White; c++ {
				for _, p := range b.empty[:b.free] {
					want := farAway
					for q := range b.cells {
						if b.cells[q] == c {
							d := point(int(p))
							e := point(q)
							want = min(want, max(d.X()-e.X(), e.X()-d.X())+max(d.Y()-e.Y(), e.Y()-d.Y()))
						}
					}
					if got := int(reach[c][p]); got != want {
						t.Fatalf("size %d, %d stones: %v is %d steps from %d, want %d", size, n, point(int(p)), got, c, want)
					}
				}
			}
			if b.free < 3 {
				break
			}
			if p := int(b.empty[r.Below(b.free)]); b.wanted(game.Color(n&1), p) {
				b.put(game.Color(n&1), p)
			}
		}
	}
}

// In the opening of a large board corners are taken first.
func TestChancesOpening(t *testing.T) {
	r, err := ParseRules("")
	if err != nil {
		t.Fatal(err)
	}
	p := NewPosition(r, 19)
	last := game.At(9, 9)
	p.Make(last)
	var free []game.Point
	corner := uint32(0)
	for y := range 19 {
		for x := range 19 {
			if q := game.At(x, y); q != last {
				free = append(free, q)
			}
		}
	}
	var seen [game.NumPoints]Feature
	var chances [game.NumPoints]uint32
	p.Features(last, &seen)
	Habit().Chances(p, free, last, game.NoPoint, &seen, &chances)
	for _, q := range free {
		if x, y := min(q.X(), 18-q.X()), min(q.Y(), 18-q.Y()); x < 5 && y < 5 {
			corner += chances[q]
		}
	}
	if corner < WholeChance*2/3 {
		t.Errorf("a corner is taken in %d of %d", corner, WholeChance)
	}
}

// A board turned round has the same chances, turned round.
func TestChancesTurned(t *testing.T) {
	const size = 9
	turn := func(q game.Point) game.Point { return game.At(size-1-q.Y(), q.X()) }
	var ps [2]*Position
	r, err := ParseRules("")
	if err != nil {
		t.Fatal(err)
	}
	moves := []game.Point{game.At(2, 2), game.At(6, 5), game.At(6, 2), game.At(5, 2), game.At(5, 3), game.At(4, 2)}
	var chances [2][game.NumPoints]uint32
	for i := range ps {
		p := NewPosition(r, size)
		last, before := game.NoPoint, game.NoPoint
		for _, q := range moves {
			if i == 1 {
				q = turn(q)
			}
			p.Make(q)
			last, before = q, last
		}
		var free []game.Point
		for y := range size {
			for x := range size {
				if q := game.At(x, y); p.At(q) == game.Empty {
					free = append(free, q)
				}
			}
		}
		var seen [game.NumPoints]Feature
		p.Features(last, &seen)
		Habit().Chances(p, free, last, before, &seen, &chances[i])
		sum := 0
		for _, q := range free {
			sum += int(chances[i][q])
		}
		if sum > WholeChance || sum < WholeChance-len(free) {
			t.Errorf("all chances together are %d of %d", sum, WholeChance)
		}
		ps[i] = p
	}
	for y := range size {
		for x := range size {
			q := game.At(x, y)
			if ps[0].At(q) == game.Empty && chances[0][q] != chances[1][turn(q)] {
				t.Errorf("%s: %d, turned %d", q.Name(size), chances[0][q], chances[1][turn(q)])
			}
		}
	}
	// A stone in atari is saved: White's on F7.
	best := game.At(0, 0)
	for y := range size {
		for x := range size {
			if q := game.At(x, y); ps[0].At(q) == game.Empty && chances[0][q] > chances[0][best] {
				best = q
			}
		}
	}
	if d := apart(cell(best), cell(moves[5])); d > 6 {
		t.Errorf("the best guess %s is far from the fight", best.Name(size))
	}
}

func TestParseHabits(t *testing.T) {
	b := NewBoard(9)
	b.put(game.Black, cell(game.At(3, 3)))
	as := b.Arounds(game.At(4, 3), game.White)
	fixed := [NumTraits]int8{1, -2, 3}
	data := AppendHabits(nil, &fixed, as[:], []int8{5, -6, 7})
	h, err := ParseHabits(data)
	if err != nil {
		t.Fatal(err)
	}
	if h.fixed != fixed {
		t.Error("other weights")
	}
	for side := range 8 {
		if w := h.small[as[0].Turned(side)]; w != 5 {
			t.Errorf("small, view %d: %d", side, w)
		}
		for i, want := range []int8{-6, 7} {
			if w := h.large.at(as[i+1].Turned(side)); w != want {
				t.Errorf("large, view %d: %d, want %d", side, w, want)
			}
		}
	}
	if w := h.large.at(b.Arounds(game.At(7, 7), game.White)[2]); w != 0 {
		t.Errorf("a stranger has weight %d", w)
	}
	bad := slices.Clone(data)
	bad[NumTraits+5] = 9 // no such size
	for _, d := range [][]byte{nil, data[:len(data)-1], data[:10], bad} {
		if _, err := ParseHabits(d); err == nil {
			t.Errorf("%d bytes are read", len(d))
		}
	}
}

// What is played first weighs three times as much as what is played last.
func TestFirstWeight(t *testing.T) {
	b := NewBoard(9)
	r := NewRand(1)
	var f First
	f.Clear(9)
	s := Light(9)
	s.Mercy = 0
	b.Playout(&r, game.Black, game.NoPoint, &s, &f)
	f.Note(game.At(0, 0), game.White)
	f.Weigh()
	if w := f.Weight(game.At(0, 0), game.White); w != 3 {
		t.Errorf("the first move weighs %d", w)
	}
	if w := f.Weight(game.At(0, 0), game.Black); w != 0 {
		t.Errorf("nobody's first move weighs %d", w)
	}
	if w := f.Weight(game.Pass, game.Black); w != 0 {
		t.Errorf("the pass weighs %d", w)
	}
	var seen [4]int
	for y := range 9 {
		for x := range 9 {
			for c := game.Black; c <= game.White; c++ {
				w := f.Weight(game.At(x, y), c)
				if w > 3 {
					t.Fatalf("weight %d", w)
				}
				seen[w]++
			}
		}
	}
	if seen[1] == 0 || seen[2] == 0 || seen[3] == 0 {
		t.Errorf("weights %v", seen)
	}
}
