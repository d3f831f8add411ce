package line

import (
	"bufio"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tengen/engine/game"
)

var update = flag.Bool("update", false, "let the naive twin write testdata/perft.jsonl anew")

// perftCase is a line of testdata/perft.jsonl: how many sequences of depth legal moves
// follow the given ones, of which only the last move of a sequence may win.
type perftCase struct {
	Rule       string `json:"rule"`
	FiveAtFour bool   `json:"five_at_four,omitempty"`
	Size       int    `json:"size"`
	Moves      string `json:"moves"` // from the empty board, Black first
	Depth      int    `json:"depth"`
	Count      int    `json:"count"`
}

func (c *perftCase) start(t testing.TB) (v game.Variant, moves []game.Point) {
	t.Helper()
	r, err := game.ParseRule(c.Rule)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range strings.Fields(c.Moves) {
		q, err := game.ParseName(m, c.Size)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, q)
	}
	return game.Variant{Rule: r, Size: c.Size, FiveAtFour: c.FiveAtFour}, moves
}

func (c *perftCase) position(t testing.TB) *Position {
	t.Helper()
	v, moves := c.start(t)
	p := NewPosition(newTable(t, v.Rule, v.FiveAtFour), v.Size)
	for _, q := range moves {
		if p.At(q) != game.Empty || !p.Playable(p.Side(), q) || p.Won() {
			t.Fatalf("%s: %s is not to be played", c.Moves, q.Name(c.Size))
		}
		p.Make(q)
	}
	return p
}

// perft counts the sequences with the Position.
func perft(p *Position, depth int) (n int) {
	side := p.Side()
	for y := range p.Size() {
		for x := range p.Size() {
			q := game.At(x, y)
			if p.At(q) != game.Empty || !p.Playable(side, q) {
				continue
			}
			if depth == 1 {
				n++
				continue
			}
			p.Make(q)
			if !p.Won() {
				n += perft(p, depth-1)
			}
			p.Unmake()
		}
	}
	return
}

// perft counts the same with the twin.
func (b *naive) perft(c game.Color, depth int) (n int) {
	for _, q := range b.empties() {
		if b.forbidden(c, q) != Allowed {
			continue
		}
		if depth == 1 {
			n++
			continue
		}
		after := *b
		if after.play(q, c); !after.won(q) {
			n += after.perft(c.Other(), depth-1)
		}
	}
	return
}

func readPerft(t testing.TB) (all []perftCase) {
	t.Helper()
	f, err := os.Open("testdata/perft.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var c perftCase
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return
}

func TestPerft(t *testing.T) {
	if *update {
		writePerft(t)
	}
	cases := readPerft(t)
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range cases {
		if got := perft(c.position(t), c.Depth); got != c.Count {
			t.Errorf("%s %dx%d after %s: %d sequences of %d moves, want %d", c.Rule, c.Size, c.Size, c.Moves, got, c.Depth, c.Count)
		}
		// The file is the twin's word; the cheaper part of it is given again.
		if v, moves := c.start(t); c.Count < perftAgain {
			b := newNaive(v)
			for i, q := range moves {
				b.play(at(q), game.Color(i%2))
			}
			if got := b.perft(game.Color(len(moves)%2), c.Depth); got != c.Count {
				t.Errorf("%s after %s: the twin counts %d, its file says %d", c.Rule, c.Moves, got, c.Count)
			}
		}
	}
}

// writePerft chooses positions in which a win or a forbidden point is near and lets the
// twin count.
func writePerft(t *testing.T) {
	t.Helper()
	f, err := os.Create("testdata/perft.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rng := rand.New(rand.NewPCG(15, 15))
	for _, v := range variants {
		for _, k := range []struct{ size, stones, depth int }{
			{5, 12, 3}, {6, 16, 3}, {7, 18, 3}, {9, 20, 3}, {9, 31, 3}, {11, 30, 2}, {15, 0, 2}, {15, 24, 2}, {20, 40, 2},
		} {
			v.Size = k.size
			moves, b := lively(rng, v, k.stones)
			c := perftCase{Rule: v.Rule.String(), FiveAtFour: v.FiveAtFour, Size: v.Size, Depth: k.depth}
			var names []string
			for _, q := range moves {
				names = append(names, q.point().Name(v.Size))
			}
			c.Moves = strings.Join(names, " ")
			c.Count = b.perft(game.Color(k.stones%2), k.depth)
			line, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write(append(line, '\n')); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// lively returns, of many short random games, the one with most fives and forbidden
// points to come.
func lively(rng *rand.Rand, v game.Variant, stones int) (best []xy, board *naive) {
	most := -1
	for range 400 {
		b := newNaive(v)
		var moves []xy
		for try := 0; len(moves) < stones && try < 50*stones; try++ {
			c := game.Color(len(moves) % 2)
			r := min(v.Size, 4+stones/4)
			off := (v.Size - r) / 2
			q := xy{off + rng.IntN(r), off + rng.IntN(r)}
			if !b.isEmpty(q) || b.forbidden(c, q) != Allowed {
				continue
			}
			b.play(q, c)
			if moves = append(moves, q); b.won(q) {
				moves = nil
				break
			}
		}
		if len(moves) < stones {
			continue
		}
		n := 0
		for _, q := range b.empties() {
			for c := range game.Empty {
				if b.forbidden(c, q) != Allowed {
					n += 2
				}
				after := *b
				after.play(q, c)
				if n += after.captured[c] - b.captured[c]; after.won(q) {
					n++
				}
			}
		}
		if n > most {
			best, most, board = slices.Clone(moves), n, b
		}
	}
	return
}

// One operation is all sequences of three moves after a position of 9x9.
func BenchmarkPerft(b *testing.B) {
	done := map[string]bool{}
	for _, c := range readPerft(b) {
		v, _ := c.start(b)
		if c.Size != 9 || done[variantName(v)] {
			continue
		}
		done[variantName(v)] = true
		b.Run(variantName(v), func(b *testing.B) {
			p := c.position(b)
			for b.Loop() {
				if perft(p, c.Depth) != c.Count {
					b.Fatal("another count")
				}
			}
			b.ReportMetric(float64(c.Count)*float64(b.N)/b.Elapsed().Seconds(), "sequences/s")
		})
	}
}
