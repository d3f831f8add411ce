package line

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tengen/engine/game"
)

// The collected games of pente, the opening's restriction included.
func TestPenteCases(t *testing.T) {
	type pcase struct {
		ID, Kind, Note string
		Size           int
		Tournament     bool `json:"tournament_rule"`
		Black, White   []string
		ToMove         string         `json:"to_move"`
		Before         map[string]int `json:"pairs_before"`
		Moves          []struct {
			M        string
			Legal    bool
			Reason   string
			Captured []string
			Win      string
			By       []string
			Draw     bool
		}
		Final struct {
			Pairs  map[string]int
			Stones struct{ Black, White []string }
		}
	}
	reasons := map[string]string{"first_stone_centre": OffCentre.String(),
		"second_stone_too_close": TooClose.String(), "game_over": "the game is over"}
	n := 0
	for _, c := range readCases[pcase](t, "pente_cases.jsonl") {
		if c.Kind != "sequence" {
			continue
		}
		n++
		t.Run(c.ID, func(t *testing.T) {
			list := func(names []string) (qs []game.Point) {
				for q := range points(t, c.Size, names) {
					qs = append(qs, q)
				}
				slices.Sort(qs)
				return qs
			}
			rec := &game.Record{Variant: game.Variant{Rule: game.Pente, Size: c.Size, FreeOpening: !c.Tournament}}
			rec.Setup.Black, rec.Setup.White = list(c.Black), list(c.White)
			rec.Setup.Captured = [2]int{2 * c.Before["B"], 2 * c.Before["W"]}
			if c.ToMove == "W" {
				rec.Setup.ToMove = game.White
			}
			g, err := Replay(rec)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range c.Moves {
				q, err := game.ParseName(m.M, c.Size)
				if err != nil {
					t.Fatal(err)
				}
				side := g.ToMove()
				if !m.Legal {
					refused(t, g.Play(q), q, reasons[m.Reason])
					continue
				}
				takes, before := g.Position().Takes(side, q), *g.Position().Taken()
				if err := g.Play(q); err != nil {
					t.Fatalf("%s: %v", m.M, err)
				}
				var gone []game.Point
				for _, r := range list(m.Captured) {
					if before.Has(r) && g.At(r) == game.Empty {
						gone = append(gone, r)
					}
				}
				if len(gone) != len(m.Captured) || takes != len(gone) {
					t.Errorf("%s: %d stones to take, took %v, want %v", m.M, takes, gone, m.Captured)
				}
				want := game.Result{}
				switch {
				case m.Win != "":
					want.Outcome = game.WinFor(side)
					want.Reason = strings.Join(m.By, " and ")
				case m.Draw:
					want.Outcome, want.Reason = game.Draw, "board full"
				}
				if want.Outcome != game.Open {
					want.Captured = [2]int{g.Captured(game.Black), g.Captured(game.White)}
				}
				if g.Result() != want {
					t.Errorf("%s: %v, want %v", m.M, g.Result(), want)
				}
			}
			if g.Captured(game.Black) != 2*c.Final.Pairs["B"] || g.Captured(game.White) != 2*c.Final.Pairs["W"] {
				t.Errorf("captured %d, %d stones, want pairs %v", g.Captured(game.Black), g.Captured(game.White), c.Final.Pairs)
			}
			for y := range c.Size {
				for x := range c.Size {
					q := game.At(x, y)
					want := game.Empty
					if slices.Contains(c.Final.Stones.Black, q.Name(c.Size)) {
						want = game.Black
					} else if slices.Contains(c.Final.Stones.White, q.Name(c.Size)) {
						want = game.White
					}
					if g.At(q) != want {
						t.Errorf("%v on %s, want %v", g.At(q), q.Name(c.Size), want)
					}
				}
			}
			for g.Undo() == nil {
			}
			start, err := Replay(rec)
			if err != nil {
				t.Fatal(err)
			}
			sameGame(t, g, start)
		})
	}
	if n == 0 {
		t.Error("no games")
	}
}

// What keryo adds: three stones are taken too, and fifteen win.
func TestKeryo(t *testing.T) {
	for _, c := range []struct {
		rule  game.Rule
		row   string // Black plays on *
		had   int
		takes int
		wins  bool
	}{
		{game.Keryo, "*OOX.....", 0, 2, false},
		{game.Keryo, "*OOOX....", 0, 3, false},
		{game.Keryo, "XOOO*OOOX", 0, 6, false},
		{game.Keryo, "XOO*OOOX.", 0, 5, false},
		{game.Keryo, "*OOOOX...", 0, 0, false},
		{game.Keryo, "*OX......", 0, 0, false},
		{game.Keryo, "*OOO.X...", 0, 0, false},
		{game.Keryo, "*OOO#....", 0, 0, false},
		{game.Keryo, "*O#OX....", 0, 0, false},
		{game.Keryo, "*OOOX....", 12, 3, true},
		{game.Keryo, "*OOX.....", 12, 2, false},
		{game.Keryo, "*OOX.....", 14, 2, true},
		{game.Pente, "*OOOX....", 8, 0, false},
		{game.Pente, "*OOX.....", 8, 2, true},
		{game.Pente, "*OOX.....", 6, 2, false},
		{game.Pente, "XOO*OOX..", 6, 4, true},
		{game.Pente, "*OOX.....", 30, 2, true},
		{game.Pente, "*OX......", 30, 0, false}, // a set-up wins for nobody
		{game.Freestyle, "*OOX.....", 0, 0, false},
	} {
		p := NewPosition(newTable(t, c.rule, false), 9)
		row := c.row
		if c.had > 0 {
			p.SetCaptured(game.Black, c.had)
		}
		q := game.NoPoint
		for x, ch := range row {
			switch ch {
			case 'X':
				p.Set(game.At(x, 4), game.Black)
			case 'O':
				p.Set(game.At(x, 4), game.White)
			case '#':
				p.Set(game.At(x, 4), game.Wall)
			case '*':
				q = game.At(x, 4)
			}
		}
		if got := p.Takes(game.Black, q); got != c.takes && c.rule != game.Freestyle || p.CaptureWins(game.Black, q) != c.wins {
			t.Errorf("%v %s: takes %d, want %d", c.rule, row, got, c.takes)
		}
		p.Make(q)
		if p.Captured(game.Black) != c.had+c.takes || p.Won() != c.wins {
			t.Errorf("%v %s: %d captured, won %v", c.rule, row, p.Captured(game.Black), p.Won())
		}
	}
}

// Captures are stones of a set-up, too, and no others can be.
func TestSetCaptured(t *testing.T) {
	for _, c := range []struct {
		rule     game.Rule
		captured [2]int
		ok       bool
	}{
		{game.Pente, [2]int{8, 2}, true},
		{game.Keryo, [2]int{14, 0}, true},
		{game.Pente, [2]int{-2, 0}, false},
		{game.Pente, [2]int{0, 1 << 40}, false},
		{game.Renju, [2]int{2, 0}, false},
		{game.Renju, [2]int{}, true},
	} {
		rec := &game.Record{Variant: game.Variant{Rule: c.rule, Size: 9}, Setup: game.Setup{Captured: c.captured}}
		g, err := Replay(rec)
		if (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
		if err == nil && (g.Captured(game.Black) != c.captured[0] || g.Captured(game.White) != c.captured[1]) {
			t.Errorf("%+v: %d, %d", c, g.Captured(game.Black), g.Captured(game.White))
		}
	}
	keys := map[uint64]bool{}
	p := NewPosition(newTable(t, game.Pente, false), 9)
	for b := range 20 {
		for w := range 20 {
			p.SetCaptured(game.Black, b)
			p.SetCaptured(game.White, w)
			keys[p.Key()] = true
		}
	}
	if p.Reset(); len(keys) != 400 || !keys[p.Key()] {
		t.Errorf("%d keys of 400 counts", len(keys))
	}
}

// Where the opening restricts the first player, and where it does not.
func TestOpening(t *testing.T) {
	for _, c := range []struct {
		size   int
		free   bool
		played string
		first  string // points allowed among those asked
		asked  string
	}{
		{19, false, "", "J10", "J10 J11 A1 K10"},
		{13, false, "", "G7", "G7 G8"},
		{20, false, "", "J10 K10 J11 K11", "J10 K10 J11 K11 I10 L10 J9 J12"},
		{19, true, "", "J10 A1", "J10 A1"},
		{19, false, "J10", "K10 A1", "K10 A1"},
		{19, false, "J10 K10", "M10 G13 J13", "L10 L12 H8 M10 G13 J13"},
		{19, true, "J10 K10", "L10", "L10"},
		{19, false, "J10 K10 M10", "L10", "L10"},
		{19, false, "J10 K10 M10 L10", "J11", "J11"},
		{7, false, "D4 E4", "A1 G4", "A1 G4 B2 F4"},
		{6, false, "", "A1", "A1"},
	} {
		v := game.Variant{Rule: game.Pente, Size: c.size, FreeOpening: c.free}
		g, err := Replay(&game.Record{Variant: v, Moves: moves(t, c.size, c.played)})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range strings.Fields(c.asked) {
			q, _ := game.ParseName(n, c.size)
			if allowed := slices.Contains(strings.Fields(c.first), n); (g.Legal(q) == nil) != allowed {
				t.Errorf("%d after %q: %s is %v", c.size, c.played, n, g.Legal(q))
			}
		}
	}
	// A manager may have put the stones elsewhere; the game goes on.
	v := game.Variant{Rule: game.Pente, Size: 19}
	g, err := Replay(&game.Record{Variant: v, Moves: moves(t, 19, "A1 K10 B1")})
	if err != nil || g.Result() != (game.Result{}) {
		t.Errorf("%v, %v", g.Result(), err)
	}
	// Nor does it hold where stones were set up.
	g, err = Replay(&game.Record{Variant: v, Setup: game.Setup{Black: []game.Point{game.At(9, 9)}, White: []game.Point{game.At(8, 8)}}})
	if err != nil || g.Legal(game.At(10, 10)) != nil {
		t.Error("an opening after a set-up")
	}
}

// Random games, with as many take-backs as moves but one in three: the position agrees with
// the twin about stones, captures and who takes what, and a move taken back leaves it as
// it was, bit for bit.
func TestCaptureMakeUnmake(t *testing.T) {
	for n, rule := range []game.Rule{game.Pente, game.Keryo} {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(n), 19))
			table := oddTable(t, game.Variant{Rule: rule})
			made, taken := 0, 0
			for round := 0; made < captureMoves; round++ {
				v := game.Variant{Rule: rule, Size: []int{19, 7, 13, 22, 5, 9, 15}[round%7]}
				p, b := NewPosition(table, v.Size), newNaive(v)
				var was []*snapshot
				var then []naive
				back := func() {
					p.Unmake()
					*b = then[len(then)-1]
					if what := was[len(was)-1].restored(p); what != "" {
						t.Fatalf("taken back to ply %d: another %s\n%v", p.Ply(), what, b)
					}
					was, then = was[:len(was)-1], then[:len(then)-1]
				}
				for range 3 * v.Size * v.Size {
					if rng.IntN(3) == 0 && len(was) > 0 {
						back()
						continue
					}
					if p.Empty() == 0 {
						break
					}
					q := pick(rng, p)
					var set Set
					if c := p.Side(); p.Captures(c, &set) && rng.IntN(2) == 0 {
						q = set.First(v.Size)
					}
					was, then = append(was, p.snapshot()), append(then, *b)
					key, c := p.KeyAfter(q), p.Side()
					takes := p.Takes(c, q)
					wins := p.CaptureWins(c, q)
					p.Make(q)
					b.play(at(q), c)
					made++
					taken += takes
					if p.Key() != key || takes != b.captured[c]-then[len(then)-1].captured[c] || wins != (takes > 0 && b.enough(c)) {
						t.Fatalf("%v %s takes %d\n%v", c, q.Name(v.Size), takes, b)
					}
					for c := range game.Empty {
						if p.Captured(c) != b.captured[c] {
							t.Fatalf("%v has captured %d, want %d", c, p.Captured(c), b.captured[c])
						}
					}
					agree(t, p, b)
					if made%37 == 0 {
						if what := differ(p, fromScratch(p)); what != "" {
							t.Fatalf("ply %d: another %s\n%v", p.Ply(), what, b)
						}
					}
				}
				for len(was) > 0 {
					back()
				}
			}
			if taken < made/20 {
				t.Errorf("only %d stones captured by %d moves", taken, made)
			}
			t.Logf("%d moves, %d stones captured", made, taken)
		})
	}
}

// agree compares the stones with the twin's, and the points where something is captured.
func agree(t *testing.T, p *Position, b *naive) {
	t.Helper()
	var sets [2]Set
	for c := range sets {
		if any := p.Captures(game.Color(c), &sets[c]); any != (sets[c] != Set{}) {
			t.Fatalf("%v: any %v\n%v", game.Color(c), any, b)
		}
	}
	for y := range b.size {
		for x := range b.size {
			q := game.At(x, y)
			if p.At(q) != b.cell[y][x] {
				t.Fatalf("%v on %s, want %v\n%v", p.At(q), q.Name(b.size), b.cell[y][x], b)
			}
			for c := range game.Empty {
				if want := p.At(q) == game.Empty && p.Takes(c, q) > 0; sets[c].Has(q) != want {
					t.Fatalf("%v captures at %s: %v, want %v\n%v", c, q.Name(b.size), !want, want, b)
				}
			}
		}
	}
}

func BenchmarkCaptures(b *testing.B) {
	p := NewPosition(newTable(b, game.Pente, false), 19)
	rng := rand.New(rand.NewPCG(1, 2))
	for p.Ply() < 40 {
		if q := pick(rng, p); !p.Won() {
			p.Make(q)
		}
	}
	var set Set
	for b.Loop() {
		p.Captures(game.Black, &set)
	}
}
