package weiqi

import (
	"testing"

	"tengen/engine/game"
)

func benchPlayout(b *testing.B, size int) {
	start, work := NewBoard(size), NewBoard(size)
	r := NewRand(1)
	s := Light(size)
	b.ReportAllocs()
	for b.Loop() {
		work.CopyFrom(start)
		work.Playout(&r, game.Black, game.NoPoint, &s, nil)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "playouts/s")
}

func BenchmarkPlayout9(b *testing.B)  { benchPlayout(b, 9) }
func BenchmarkPlayout19(b *testing.B) { benchPlayout(b, 19) }

func benchCopy(b *testing.B, size int) {
	s, d := NewBoard(size), NewBoard(size)
	for b.Loop() {
		d.CopyFrom(s)
	}
}

func BenchmarkCopy9(b *testing.B)  { benchCopy(b, 9) }
func BenchmarkCopy19(b *testing.B) { benchCopy(b, 19) }

// A pair of Make and Unmake in the middle of a game, asked for legality first.
func benchMake(b *testing.B, size int) {
	p := NewPosition(ruleSets[0], size)
	r := NewRand(1)
	for p.Moves() < size*size/2 {
		if q := game.At(r.Below(size), r.Below(size)); p.Playable(q) && !p.Eye(p.Side(), q) {
			p.Make(q)
		}
	}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		if q := game.At(n%size, n/size%size); p.Playable(q) {
			p.Make(q)
			p.Unmake()
		}
	}
}

func BenchmarkMakeUnmake9(b *testing.B)  { benchMake(b, 9) }
func BenchmarkMakeUnmake19(b *testing.B) { benchMake(b, 19) }

func BenchmarkPassAlive19(b *testing.B) {
	p := NewPosition(ruleSets[0], 19)
	r := NewRand(1)
	p.Playout(&r, game.Black, game.NoPoint, &Style{}, nil)
	for b.Loop() {
		p.PassAlive(false)
	}
}

func BenchmarkEstimateDead19(b *testing.B) {
	p := NewPosition(ruleSets[0], 19)
	r := NewRand(1)
	p.Playout(&r, game.Black, game.NoPoint, &Style{Moves: 250}, nil)
	for b.Loop() {
		p.EstimateDead(deadPlayouts)
	}
}

// The first move of a playout is any of the wanted ones, each as often as another.
func TestPlayoutUniform(t *testing.T) {
	p := NewPosition(ruleSets[1], 5)
	place(t, p, game.White, ".XO.O/XXOOO/.XO../XX.OO/.X.O.")
	want := map[game.Point]int{}
	for _, q := range onBoard(&p.Board, game.Empty) {
		if p.Legal(q) == Allowed && !p.Eye(game.White, q) {
			want[q] = 0
		}
	}
	const n = 6000
	r := NewRand(5)
	b := NewBoard(5)
	for range n {
		b.CopyFrom(&p.Board)
		b.Playout(&r, game.White, game.NoPoint, &Style{Moves: 1}, nil)
		played := game.NoPoint
		for _, q := range onBoard(&p.Board, game.Empty) {
			if b.At(q) == game.White {
				played = q
			}
		}
		if _, ok := want[played]; !ok {
			t.Fatalf("played %v", played)
		}
		want[played]++
	}
	if len(want) < 3 {
		t.Fatalf("%d moves: the test tests little", len(want))
	}
	for q, k := range want {
		if e := n / len(want); k < e*9/10 || k > e*11/10 {
			t.Errorf("%s: %d times of %d, %d moves", name(q, 5), k, n, len(want))
		}
	}
}

// Equal seeds play equal games; without limits both sides end settled.
func TestPlayout(t *testing.T) {
	for i := range 50 {
		a, b := NewBoard(9), NewBoard(9)
		r, s := NewRand(uint64(i)), NewRand(uint64(i))
		x := a.Playout(&r, game.Black, game.NoPoint, &Style{}, nil)
		y := b.Playout(&s, game.Black, game.NoPoint, &Style{}, nil)
		if x != y || a.key != b.key {
			t.Fatalf("seed %d: %d and %d", i, x, y)
		}
		if n := a.Count(&Set{}); n.Area(game.Black)-n.Area(game.White) != x {
			t.Errorf("seed %d: %d, area %d-%d\n%s", i, x, n.Area(game.Black), n.Area(game.White), picture(a))
		}
		c := NewBoard(9)
		c.Playout(&r, game.White, game.NoPoint, &Style{Moves: 10}, nil)
		if c.stones[0] != 5 || c.stones[1] != 5 {
			t.Errorf("ten moves: %v stones", c.stones)
		}
		// Mercy ends the same game earlier, by a lead on the board, or not at all.
		c.reset(9)
		s = NewRand(uint64(i))
		d := c.Playout(&s, game.Black, game.NoPoint, &Style{Mercy: 8}, nil)
		put := func(b *Board) int { return b.stones[0] + b.stones[1] + b.captured[0] + b.captured[1] }
		if lead := c.stones[0] - c.stones[1]; put(c) > put(a) || put(c) < put(a) && (d != lead || max(d, -d) <= 8) {
			t.Errorf("mercy: %d after %d stones of %d", d, put(c), put(a))
		}
	}
}

// What a careful playout leaves alone, and what it does not.
func TestRash(t *testing.T) {
	for _, c := range []struct {
		name, board string
		side        game.Color
		move        string
		want        bool
	}{
		{"own chain of a seki", ".XXXXX./OOOOOOO/XXXXXXX/......./......./......./.......", game.Black, "A7", true},
		{"the same for the other side", ".XXXXX./OOOOOOO/XXXXXXX/......./......./......./.......", game.White, "A7", true},
		{"a bulky five between two chains", ".OXX.OO/OOXX.OO/.OOOOXX/OOOOOXX/XXXXXXX/......./.......", game.Black, "E6", true},
		{"a bulky five inside a chain", "XX.O.../XX.O.../OOOO.../......./......./......./.......", game.Black, "C6", false},
		{"four in a line", "XXX..O./OOOOOO./......./......./......./......./.......", game.Black, "D7", true},
		{"three in a line", "XX..O../OOOOO../......./......./......./......./.......", game.Black, "C7", false},
		{"bent four in the corner", "XX.O.../XOOO.../.O...../OO...../......./......./.......", game.Black, "C7", false},
		{"a throw-in", "X..O.../OOOO.../......./......./......./......./.......", game.Black, "B7", false},
		{"it takes", "X.O..../O.O..../XXXO.../OOOO.../......./......./.......", game.Black, "B6", false},
		{"it has another liberty", "XXX..../OOOO.../......./......./......./......./.......", game.Black, "E7", false},
	} {
		p := NewPosition(ruleSets[0], 7)
		place(t, p, c.side, c.board)
		if got := p.rash(c.side, cell(at(t, c.move, 7))); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
