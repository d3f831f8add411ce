package openings

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tengen/engine"
	"tengen/engine/game"
)

func TestTurn(t *testing.T) {
	for size := 5; size <= game.MaxSize; size++ {
		corner := map[game.Point]bool{}
		for s := range game.Symmetries {
			q := game.At(1, 0).Turned(size, s)
			if !q.On(size) || corner[q] {
				t.Errorf("size %d, way %d: %v", size, s, q.Name(size))
			}
			corner[q] = true
			for y := range size {
				for x := range size {
					if q := game.At(x, y); q.Turned(size, s).Turned(size, Back(s)) != q {
						t.Fatalf("size %d, way %d, %s is not turned back", size, s, q.Name(size))
					}
				}
			}
			if q := game.Pass.Turned(size, s); q != game.Pass {
				t.Errorf("a pass becomes %v", q)
			}
		}
	}
}

// scattered is a position that need not be one of a game.
func scattered(rng *rand.Rand, size, n int) *game.Record {
	rec := &game.Record{Variant: game.Variant{Rule: game.Freestyle, Size: size}}
	rec.Setup.ToMove = game.Color(rng.IntN(2))
	var taken []game.Point
	for range n {
		q := game.At(rng.IntN(size), rng.IntN(size))
		if slices.Contains(taken, q) {
			continue
		}
		taken = append(taken, q)
		if rng.IntN(2) == 0 {
			rec.Setup.Black = append(rec.Setup.Black, q)
		} else {
			rec.Setup.White = append(rec.Setup.White, q)
		}
	}
	return rec
}

func positionOf(t *rapid.T, rec *game.Record) Position {
	g, err := engine.Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	p, ok := PositionOf(g)
	if !ok {
		t.Fatal("not a position")
	}
	return p
}

// All eight lies of a position have one key, the ways lead to one position, and another
// stone, side or capture has another key.
func TestKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(5, 22).Draw(t, "size")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		rec := scattered(rng, size, rng.IntN(9))
		p := positionOf(t, rec)
		key, ways := p.Key(size)
		turned := func(s int) Position {
			r := rec.Clone()
			for _, qs := range [][]game.Point{r.Setup.Black, r.Setup.White} {
				for i := range qs {
					qs[i] = qs[i].Turned(size, s)
				}
			}
			return positionOf(t, r)
		}
		for s := range game.Symmetries {
			q := turned(s)
			if other, _ := q.Key(size); other != key {
				t.Fatalf("way %d has another key", s)
			}
		}
		parsed, ok := ParseKey(key, size)
		if !ok || len(ways) == 0 {
			t.Fatalf("%x is not read", key)
		}
		for _, s := range ways {
			q := turned(s)
			if !slices.Equal(q.Stones[0], parsed.Stones[0]) || !slices.Equal(q.Stones[1], parsed.Stones[1]) || q.ToMove != parsed.ToMove {
				t.Fatalf("way %d leads to %v, not %v", s, q, parsed)
			}
		}
		p.ToMove ^= 1
		other, _ := p.Key(size)
		p.ToMove ^= 1
		p.Captured[1] += 2
		taken, _ := p.Key(size)
		p.Captured[1] = 0
		p.Stones[0], p.Stones[1] = p.Stones[1], p.Stones[0]
		colours, _ := p.Key(size)
		if other == key || taken == key || colours == key && len(p.Stones[0])+len(p.Stones[1]) > 0 && len(p.Stones[0]) != len(p.Stones[1]) {
			t.Fatal("two positions with one key")
		}
	})
}

func TestKeyOfWalls(t *testing.T) {
	rec := &game.Record{Variant: standard, Setup: game.Setup{Walls: []game.Point{game.At(3, 3)}}}
	g, err := engine.Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := PositionOf(g); ok {
		t.Error("a board with dead points has a position")
	}
}

// What a key is made of leads back to the same key, and nothing else is read.
func FuzzParseKey(f *testing.F) {
	f.Add("\x00\x00\x00", 15)
	f.Add("\x01\x01\x70\x00", 15)
	f.Add("\x02\x02\x00\x02\x05\x07\x01\x70", 19)
	f.Fuzz(func(t *testing.T, key string, size int) {
		if size < 5 || size > game.MaxSize {
			return
		}
		p, ok := ParseKey(key, size)
		if !ok {
			return
		}
		if again, _ := p.Key(size); again != key {
			t.Errorf("%x becomes %x", key, again)
		}
	})
}

func TestPositionRecord(t *testing.T) {
	for _, v := range []game.Variant{standard, {Rule: game.Pente, Size: 19}} {
		for _, names := range [][]string{{}, {"J10"}, {"J10", "K9"}, {"J10", "K9", "N10"}, {"J10", "K9", "N10", "L8", "J9", "C3"}} {
			rec := alternating(v, points(t, v.Size, names...))
			g, err := engine.Replay(rec)
			if err != nil {
				t.Fatal(err)
			}
			p, _ := PositionOf(g)
			key, _ := p.Key(v.Size)
			again, err := engine.Replay(p.Record(v))
			if err != nil {
				t.Fatal(err)
			}
			q, _ := PositionOf(again)
			if other, _ := q.Key(v.Size); other != key {
				t.Errorf("%v %v: another position", v, names)
			}
			// The opening rule of pente holds in both.
			near := game.At(9, 9)
			if a, b := g.Legal(near), again.Legal(near); (a == nil) != (b == nil) && len(names) <= 3 {
				t.Errorf("%v %v: %v, then %v", v, names, a, b)
			}
		}
	}
}
