package alphabeta

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/engine/game"
	"tengen/engine/line"
)

const memory = 64 << 20

// draw reads a board drawn as rows, X Black, O White, as a set-up.
func draw(t *testing.T, r game.Rule, toMove game.Color, board string) *game.Record {
	t.Helper()
	rows := strings.Fields(board)
	rec := &game.Record{Variant: game.Variant{Rule: r, Size: len(rows)}, Setup: game.Setup{ToMove: toMove}}
	for y, row := range rows {
		if len(row) != len(rows) {
			t.Fatalf("row %q of a board of %d", row, len(rows))
		}
		for x, ch := range row {
			switch ch {
			case 'X':
				rec.Setup.Black = append(rec.Setup.Black, game.At(x, y))
			case 'O':
				rec.Setup.White = append(rec.Setup.White, game.At(x, y))
			case '#':
				rec.Setup.Walls = append(rec.Setup.Walls, game.At(x, y))
			}
		}
	}
	return rec
}

func think(t *testing.T, rec *game.Record, lim game.Limits) game.Choice {
	t.Helper()
	e := New(game.Options{Memory: memory})
	c, err := e.Think(context.Background(), rec, lim, nil)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := line.Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	if err := ref.Legal(c.Point); err != nil {
		t.Fatalf("%s: %v", c.Point.Name(rec.Variant.Size), err)
	}
	return c
}

// Moves that anybody sees, with and without time to think.
func TestForcedMoves(t *testing.T) {
	for _, c := range []struct {
		name   string
		rule   game.Rule
		toMove game.Color
		board  string
		want   string // points separated by blanks
	}{
		{"take the five", game.Freestyle, game.Black, `
			.........
			.........
			.OOOO....
			.........
			..XXXX...
			.........
			.........
			.........
			.........`, "B5 G5"},
		{"stop the five", game.Freestyle, game.White, `
			.........
			.........
			.........
			.........
			.OXXXX...
			...O.....
			...O.....
			.........
			.........`, "G5"},
		{"six wins nothing", game.Standard, game.Black, `
			.........
			.........
			.........
			.........
			.XXXX.X..
			.........
			.OOOO....
			.........
			.........`, "A5"},
		{"the end of a half-closed five in caro", game.Caro, game.White, `
			...........
			...........
			...........
			...........
			..OXXXX....
			...........
			...........
			...........
			...........
			...........
			...........`, "H7 I7"},
		{"an open three must be met", game.Freestyle, game.White, `
			...........
			...........
			...........
			...........
			....XXX....
			...........
			.....OO....
			...........
			...........
			...........
			...........`, "C7 D7 H7 I7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := draw(t, c.rule, c.toMove, c.board)
			for _, lim := range []game.Limits{{Instant: true}, {Nodes: 3000}, {Depth: 4}} {
				got := think(t, rec, lim).Point.Name(rec.Variant.Size)
				if !strings.Contains(" "+c.want+" ", " "+got+" ") {
					t.Errorf("%+v: %s, want one of %s", lim, got, c.want)
				}
			}
		})
	}
}

// With one thread and a node limit the same record gives the same move and node count,
// whatever was searched before and forgotten.
func TestDeterministic(t *testing.T) {
	rec := draw(t, game.Renju, game.Black, strings.Repeat("...............\n", 6)+`
		......O........
		......XX.......
		.......OX......`+"\n"+strings.Repeat("...............\n", 6))
	lim := game.Limits{Nodes: 20000}
	first := think(t, rec, lim)
	e := New(game.Options{Memory: memory})
	for i := range 3 {
		got, err := e.Think(context.Background(), rec, lim, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Point != first.Point || got.Info.Nodes != first.Info.Nodes || got.Info.Value != first.Info.Value {
			t.Errorf("run %d: %+v, want %+v", i, got, first)
		}
		e.Think(context.Background(), &game.Record{Variant: rec.Variant}, lim, nil)
		e.Forget()
	}
}

// An engine that has played other games, and was told to forget them, thinks as a new one
// does: where the threat searches are long as well.
func TestForgets(t *testing.T) {
	used := New(game.Options{Memory: memory})
	rng := rand.New(rand.NewPCG(3, 3))
	lim := game.Limits{Nodes: 4000}
	for k := range 25 {
		rec := &game.Record{Variant: game.Variant{Rule: game.Freestyle, Size: 15}}
		for len(rec.Moves) < 9+k%5 {
			m := game.Move{Color: rec.ToMove(), Point: game.At(4+rng.IntN(7), 4+rng.IntN(7))}
			if !slices.ContainsFunc(rec.Moves, func(o game.Move) bool { return o.Point == m.Point }) {
				rec.Moves = append(rec.Moves, m)
			}
		}
		want := think(t, rec, lim)
		used.Forget()
		got, err := used.Think(context.Background(), rec, lim, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Point != want.Point || got.Info.Nodes != want.Info.Nodes || got.Info.Value != want.Info.Value {
			t.Errorf("position %d: %+v, want %+v", k, got, want)
		}
	}
}

// Whole games with tiny limits: every move is legal, every game ends, under all rules
// and at odd sizes.
func TestGamesEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for r := game.Freestyle; r <= game.Keryo; r++ {
		for _, size := range []int{5, 6, 7, 9, 15, 22} {
			v := game.Variant{Rule: r, Size: size}
			ref, err := line.NewReferee(v)
			if err != nil {
				t.Fatal(err)
			}
			e := New(game.Options{Memory: memory})
			for ref.Result().Outcome == game.Open {
				lim := game.Limits{Nodes: 1 + rng.Int64N(300)}
				if rng.IntN(4) == 0 {
					lim = game.Limits{Instant: true}
				}
				c, err := e.Think(context.Background(), ref.Record(), lim, nil)
				if err != nil {
					t.Fatalf("%v: %v", v, err)
				}
				if err := ref.Play(c.Point); err != nil {
					t.Fatalf("%v: %s: %v", v, c.Point.Name(size), err)
				}
			}
			e.tables.Close()
		}
	}
}

// A position that is set up, decided or strange still gets a legal point, as long as one
// is left.
func TestStrangePositions(t *testing.T) {
	for name, rec := range map[string]*game.Record{
		"won already": draw(t, game.Freestyle, game.White, ".....\n.....\nXXXXX\nOO.OO\n....."),
		"two fives":   draw(t, game.Freestyle, game.White, ".......\n.......\n.XXXX..\n.......\n...OO..\n.......\n......."),
		"walls":       draw(t, game.Standard, game.Black, "#####\n#...#\n#.X.#\n#...#\n#####"),
		"one left":    draw(t, game.Renju, game.Black, "XOXOX\nXOXOX\nOXOXO\nOXOXO\nXOXO."),
		"all stones one colour": draw(t, game.Renju, game.Black,
			".......\n.X.X.X.\n.......\n.X.X.X.\n.......\n.X.X.X.\n......."),
	} {
		t.Run(name, func(t *testing.T) {
			for _, lim := range []game.Limits{{Instant: true}, {Nodes: 2000}} {
				e := New(game.Options{Memory: memory})
				c, err := e.Think(context.Background(), rec, lim, nil)
				if err != nil {
					t.Fatal(err)
				}
				p := e.workers[0].p
				if p.At(c.Point) != game.Empty {
					t.Errorf("%s is not empty", c.Point.Name(rec.Variant.Size))
				}
			}
		})
	}
	full := draw(t, game.Freestyle, game.Black, "XOXOX\nXOXOX\nOXOXO\nOXOXO\nXOXOX")
	if _, err := New(game.Options{Memory: memory}).Think(context.Background(), full, game.Limits{}, nil); err != ErrNoMove {
		t.Errorf("full board: %v, want %v", err, ErrNoMove)
	}
}

// In renju Black never chooses a forbidden point, even where it is the only good one.
func TestForbiddenIsNotChosen(t *testing.T) {
	rec := draw(t, game.Renju, game.Black, strings.Repeat("...............\n", 5)+`
		.......X.......
		.......X.......
		.....XX........
		...............`+"\n"+strings.Repeat("...............\n", 6))
	for _, lim := range []game.Limits{{Instant: true}, {Depth: 5}} {
		if c := think(t, rec, lim); c.Point.Name(15) == "H8" {
			t.Error("a double three")
		}
	}
}

// A point to be avoided is chosen only where no other is left.
func TestAvoid(t *testing.T) {
	rec := draw(t, game.Freestyle, game.Black, `
		.......
		.......
		.XXXX..
		.......
		.OOO...
		.......
		.......`)
	five, other := game.At(0, 2), game.At(5, 2)
	if c := think(t, rec, game.Limits{Nodes: 1000, Avoid: []game.Point{five}}); c.Point != other {
		t.Errorf("%s, want the other five", c.Point.Name(7))
	}
	var all []game.Point
	for y := range 7 {
		for x := range 7 {
			all = append(all, game.At(x, y))
		}
	}
	if c := think(t, rec, game.Limits{Nodes: 1000, Avoid: all}); c.Point != five && c.Point != other {
		t.Errorf("%s, want a five where all points are to be avoided", c.Point.Name(7))
	}
	if c := think(t, rec, game.Limits{Nodes: 1000, Avoid: append(all[:5:5], five, other)}); c.Point == five || c.Point == other {
		t.Errorf("%s is to be avoided", c.Point.Name(7))
	}
}

// The lines of a multi-PV search start with different moves, best first.
func TestMultiPV(t *testing.T) {
	rec := draw(t, game.Freestyle, game.Black, strings.Repeat("...............\n", 7)+
		".......XO......\n.......O.......\n"+strings.Repeat("...............\n", 6))
	last := map[int]game.Info{}
	e := New(game.Options{Memory: memory})
	_, err := e.Think(context.Background(), rec, game.Limits{Depth: 5, MultiPV: 4}, func(i game.Info) {
		if i.Depth == 5 {
			last[i.MultiPV] = i
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[game.Point]bool{}
	for k := 1; k <= 4; k++ {
		i, ok := last[k]
		if !ok || len(i.PV) == 0 {
			t.Fatalf("line %d is missing", k)
		}
		if seen[i.PV[0]] {
			t.Errorf("line %d repeats %s", k, i.PV[0].Name(15))
		}
		seen[i.PV[0]] = true
		if k > 1 && i.Value > last[1].Value {
			t.Errorf("line %d is worth %d, the first %d", k, i.Value, last[1].Value)
		}
	}
}

// A search without limits ends when its context does, with several threads too, and
// leaves a legal move.
func TestStop(t *testing.T) {
	rec := draw(t, game.Freestyle, game.Black, strings.Repeat("...............\n", 7)+
		".......XO......\n.......O.......\n"+strings.Repeat("...............\n", 6))
	for threads := 1; threads <= 3; threads++ {
		e := New(game.Options{Memory: memory, Threads: threads})
		for range 5 {
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan game.Choice)
			go func() {
				c, err := e.Think(ctx, rec, game.Limits{}, nil)
				if err != nil {
					t.Error(err)
				}
				done <- c
			}()
			time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
			cancel()
			select {
			case c := <-done:
				if e.workers[0].p.At(c.Point) != game.Empty {
					t.Errorf("%d threads: %v", threads, c)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("the search does not stop")
			}
		}
	}
}

// The search allocates nothing at its nodes.
func TestNoAllocation(t *testing.T) {
	rec := &game.Record{Variant: game.Variant{Rule: game.Renju, Size: 15}}
	e := New(game.Options{Memory: memory})
	if _, err := e.Think(context.Background(), rec, game.Limits{Nodes: 100}, nil); err != nil {
		t.Fatal(err)
	}
	w := e.workers[0]
	w.limit.nodes = 0
	w.stop.Store(false)
	w.p.Make(game.At(7, 7))
	w.p.Make(game.At(8, 8))
	// What other tests left running may allocate meanwhile, but not each time.
	n := 0.0
	for range 5 {
		n = testing.AllocsPerRun(3, func() { w.search(-infinity, infinity, 5, 0, false) })
		if n == 0 {
			return
		}
	}
	t.Errorf("%v allocations in a search", n)
}

// Fours on the lines through a point are found as by looking at every point.
func TestFoursNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	near := 0
	for range 30 {
		rec := played(t, "h8")
		e := New(game.Options{Memory: memory})
		rules, _ := line.RulesOf(rec.Variant)
		if err := e.prepare(rules, rec); err != nil {
			t.Fatal(err)
		}
		w := e.workers[0]
		p := w.p
		for range 40 {
			q := game.At(4+rng.IntN(8), 4+rng.IntN(8))
			if p.At(q) != game.Empty || p.Class(p.Side(), q) == line.Five {
				continue
			}
			p.Make(q)
			q = game.At(rng.IntN(15), rng.IntN(15))
			want := false
			for y := range 15 {
				for x := range 15 {
					r := game.At(x, y)
					dx, dy := x-q.X(), y-q.Y()
					if cl := p.Class(p.Side(), r); p.At(r) != game.Empty || cl < line.FourOnly || cl > line.OpenFour {
						continue
					}
					if max(abs(dx), abs(dy)) <= 4 && (dx == 0 || dy == 0 || abs(dx) == abs(dy)) {
						want = true
					}
				}
			}
			if want {
				near++
			}
			if got := w.foursNear(q); got != want {
				t.Fatalf("%v near %s: %v", p, q.Name(15), got)
			}
		}
		e.Close()
	}
	if near < 50 {
		t.Errorf("only %d fours", near)
	}
}

// Whoever asks is told how each position in the tree that is evaluated was reached, and the
// search is the same.
func TestLeaf(t *testing.T) {
	rec := draw(t, game.Renju, game.Black, strings.Repeat("...............\n", 6)+`
		......O........
		......XX.......
		.......OX......`+"\n"+strings.Repeat("...............\n", 6))
	lim := game.Limits{Nodes: 3000}
	e := New(game.Options{Memory: memory})
	plain, err := e.Think(context.Background(), rec, lim, nil)
	if err != nil {
		t.Fatal(err)
	}
	evaluated := e.Counters().Evaluations
	e.Forget()
	n, longest := int64(0), 0
	lim.Leaf = func(moves []game.Point) {
		n++
		longest = max(longest, len(moves))
		ref, err := line.Replay(rec)
		for _, q := range moves {
			if err == nil {
				err = ref.Play(q)
			}
		}
		if err != nil || len(moves) == 0 {
			t.Fatalf("%v: %v", moves, err)
		}
	}
	got, err := e.Think(context.Background(), rec, lim, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Point != plain.Point || got.Info.Nodes != plain.Info.Nodes {
		t.Errorf("%+v, and %+v when leaves are told", plain, got)
	}
	// The root is evaluated too, once in each iteration and window.
	if n > evaluated || n < evaluated*9/10 || longest < 4 {
		t.Errorf("%d leaves of at most %d moves; %d evaluations", n, longest, evaluated)
	}
}
