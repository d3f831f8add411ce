package alphabeta

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tengen/engine/game"
	"tengen/engine/line"
)

// What captures make of moves that anybody sees. had is how many stones Black and White
// have captured.
func TestCaptureMoves(t *testing.T) {
	for _, c := range []struct {
		name   string
		rule   game.Rule
		toMove game.Color
		had    [2]int
		board  string
		want   string // points separated by blanks
	}{
		{"the fifth pair", game.Pente, game.Black, [2]int{8, 0}, `
			.........
			.........
			.OOX.....
			.........
			...O.O...
			.....X...
			....X....
			.........
			.........`, "A7"},
		{"the fifth pair rather than a block", game.Pente, game.Black, [2]int{8, 0}, `
			.........
			.........
			.OOX.....
			.........
			.XOOOO...
			.........
			.........
			.........
			.........`, "A7"},
		{"five rather than the fourth pair", game.Pente, game.White, [2]int{0, 6}, `
			.........
			.........
			.XXO.....
			.........
			..OOOO...
			.........
			.........
			.........
			.........`, "B5 G5"},
		{"stop the five, or take it apart", game.Pente, game.White, [2]int{}, `
			.........
			....O....
			.........
			.OXXXX...
			....X....
			....O....
			.........
			.........
			.........`, "G6 E7"},
		{"stop the fifth pair", game.Pente, game.White, [2]int{8, 0}, `
			.........
			.........
			.OOX.....
			....O....
			.....X...
			.........
			.........
			.........
			.........`, "A7"},
		{"or take the far end of the bracket", game.Pente, game.White, [2]int{8, 0}, `
			.........
			.........
			.OOX.....
			...X.....
			.........
			.........
			.........
			.........
			.........`, "A7"},
		{"in keryo three are taken", game.Keryo, game.Black, [2]int{12, 0}, `
			.........
			.........
			.OOOX....
			.........
			.XOOOO...
			.........
			.........
			.........
			.........`, "A7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := draw(t, c.rule, c.toMove, c.board)
			rec.Setup.Captured = c.had
			for _, lim := range []game.Limits{{Instant: true}, {Nodes: 3000}, {Depth: 4}} {
				got := think(t, rec, lim).Point.Name(rec.Variant.Size)
				if !strings.Contains(" "+c.want+" ", " "+got+" ") {
					t.Errorf("%+v: %s, want one of %s", lim, got, c.want)
				}
			}
		})
	}
}

// solver knows who wins, by trying everything.
type solver struct {
	p    *line.Position
	memo map[uint64]int
}

// value is 1, 0 or -1 for the side to move.
func (s *solver) value() int {
	p := s.p
	if v, ok := s.memo[p.Key()]; ok {
		return v
	}
	best := -1
	if p.Empty() == 0 {
		best = 0
	}
	for y := 0; y < p.Size() && best < 1; y++ {
		for x := 0; x < p.Size() && best < 1; x++ {
			q := game.At(x, y)
			if p.At(q) != game.Empty {
				continue
			}
			p.Make(q)
			v := 1
			if !p.Won() {
				v = -s.value()
			}
			p.Unmake()
			best = max(best, v)
		}
	}
	s.memo[p.Key()] = best
	return best
}

// What the search says is won or lost is so: on boards small and full enough that all can
// be tried.
func TestClaims(t *testing.T) {
	for _, rule := range []game.Rule{game.Freestyle, game.Pente, game.Keryo} {
		t.Run(rule.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(4, uint64(rule)))
			e := New(game.Options{Memory: memory})
			defer e.tables.Close()
			claims := map[int]int{}
			for range claimBoards {
				rec := crowded(t, rng, rule)
				e.Forget()
				c, err := e.Think(context.Background(), rec, game.Limits{Depth: 8, Nodes: 20_000}, nil)
				if err != nil {
					t.Fatal(err)
				}
				n, decided := game.PliesToWin(c.Info.Value)
				if !decided {
					claims[0]++
					continue
				}
				claim := 1
				if c.Info.Value < 0 {
					claim = -1
				}
				claims[claim]++
				s := solver{e.workers[0].p, map[uint64]int{}}
				if got := s.value(); got != claim {
					t.Fatalf("%d in %d plies by %s claimed, %d true:\n%s", claim, n, c.Point.Name(rec.Variant.Size), got, picture(rec))
				}
			}
			t.Logf("claims: %v", claims)
			if claims[1] < claimBoards/20 || claims[-1] < claimBoards/40 {
				t.Error("the positions are too much alike")
			}
		})
	}
}

// crowded returns a set-up with few empty points, nobody having won.
func crowded(t *testing.T, rng *rand.Rand, rule game.Rule) *game.Record {
	for {
		size := 5 + rng.IntN(2)
		rec := &game.Record{Variant: game.Variant{Rule: rule, Size: size}}
		if rule != game.Freestyle {
			most := 10 + 5*int(rule-game.Pente)
			rec.Setup.Captured = [2]int{most - 1 - rng.IntN(4), most - 1 - rng.IntN(4)}
		}
		rec.Setup.ToMove = game.Color(rng.IntN(2))
		empty := 4 + rng.IntN(4)
		for i, n := range rng.Perm(size * size) {
			q := game.At(n%size, n/size)
			switch {
			case i < empty:
			case rng.IntN(2) == 0:
				rec.Setup.Black = append(rec.Setup.Black, q)
			default:
				rec.Setup.White = append(rec.Setup.White, q)
			}
		}
		g, err := line.Replay(rec)
		if err != nil {
			t.Fatal(err)
		}
		if p := g.Position(); !five(p) {
			return rec
		}
	}
}

// five reports whether a row of five stands on the board.
func five(p *line.Position) bool {
	for y := range p.Size() {
		for x := range p.Size() {
			q := game.At(x, y)
			for d := range 4 {
				n := 0
				for p.At(q) < game.Empty && p.At(q+game.Point(n*line.Step(d))) == p.At(q) {
					n++
				}
				if n > 4 {
					return true
				}
			}
		}
	}
	return false
}

func picture(rec *game.Record) string {
	g, err := line.Replay(rec)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	fmt.Fprintln(&b, rec.Variant, rec.Setup.ToMove, "moves, captured", rec.Setup.Captured)
	for y := range rec.Variant.Size {
		for x := range rec.Variant.Size {
			b.WriteByte("XO.#"[g.At(game.At(x, y))])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Games by random limits, judged by the referee: no illegal move, and each comes to an end.
func TestSelfPlay(t *testing.T) {
	for _, rule := range []game.Rule{game.Omok, game.Pente, game.Keryo} {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(8, uint64(rule)))
			e := New(game.Options{Memory: memory})
			defer e.tables.Close()
			ends := map[string]int{}
			for i := range selfPlayGames {
				size := []int{19, 15, 13}[i%3]
				g, err := line.NewReferee(game.Variant{Rule: rule, Size: size, FreeOpening: i%5 == 4})
				if err != nil {
					t.Fatal(err)
				}
				for opening := rng.IntN(4); opening > 0; opening-- {
					g.Play(game.At(size/2+rng.IntN(7)-3, size/2+rng.IntN(7)-3))
				}
				for g.Result().Outcome == game.Open {
					lim := game.Limits{Nodes: 1 + rng.Int64N(200)}
					switch rng.IntN(5) {
					case 0:
						lim = game.Limits{Instant: true, Nodes: 50}
					case 1:
						lim = game.Limits{Depth: 1 + rng.IntN(2)}
					}
					c, err := e.Think(context.Background(), g.Record(), lim, nil)
					if err == nil {
						err = g.Play(c.Point)
					}
					if err != nil {
						t.Fatalf("%v\n%s", err, picture(g.Record()))
					}
				}
				ends[g.Result().Reason]++
			}
			t.Logf("%d games: %v", selfPlayGames, ends)
		})
	}
}
