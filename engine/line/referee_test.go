package line

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tengen/engine/game"
)

var _ game.Game = (*Referee)(nil)

// moves reads names of points; the sides alternate from Black.
func moves(t testing.TB, size int, names string) (all []game.Move) {
	t.Helper()
	for i, n := range strings.Fields(names) {
		q, err := game.ParseName(n, size)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, game.Move{Color: game.Color(i % 2), Point: q})
	}
	return
}

// setup reads a drawing, rows from top to bottom.
func setup(toMove game.Color, rows ...string) (s game.Setup) {
	s.ToMove = toMove
	for y, row := range rows {
		for x, ch := range row {
			switch q := game.At(x, y); ch {
			case 'X':
				s.Black = append(s.Black, q)
			case 'O':
				s.White = append(s.White, q)
			case '#':
				s.Walls = append(s.Walls, q)
			}
		}
	}
	return
}

// refused checks that err is *game.Illegal by the rule; "" stands for no error.
func refused(t *testing.T, err error, q game.Point, rule string) {
	t.Helper()
	if rule == "" {
		if err != nil {
			t.Errorf("%v, want no error", err)
		}
		return
	}
	var no *game.Illegal
	if !errors.As(err, &no) {
		t.Errorf("error %v, want one that the move is illegal: %s", err, rule)
	} else if no.Rule != rule || no.Point != q {
		t.Errorf("%v at %v, want %s at %v", err, no.Point, rule, q)
	}
}

// sameGame compares two referees by all they tell.
func sameGame(t *testing.T, g, h *Referee) {
	t.Helper()
	if g.ToMove() != h.ToMove() || g.Result() != h.Result() {
		t.Fatalf("%v to move, %v; want %v, %v", g.ToMove(), g.Result(), h.ToMove(), h.Result())
	}
	if !slices.Equal(g.Record().Moves, h.Record().Moves) {
		t.Fatalf("moves %v, want %v", g.Record().Moves, h.Record().Moves)
	}
	if g.ToMove() != g.Record().ToMove() {
		t.Fatalf("%v to move, the record says %v", g.ToMove(), g.Record().ToMove())
	}
	if what := differ(g.Position(), h.Position()); what != "" {
		t.Fatalf("another position: %s", what)
	}
}

// A board of 5x5 filled by turns without a row of five, no double four on the way.
const filled = "A5 C5 B5 A4 D5 B4 E5 D4 C4 E4 A3 C3 B3 A2 D3 B2 E3 D2 C2 E2 A1 B1 C1 E1 D1"

// Games played move by move: the result after the last move, none before it; each move
// taken back leaves what a replay of the shorter record gives.
func TestPlayUndo(t *testing.T) {
	for _, c := range []struct {
		name  string
		v     game.Variant
		moves string
		want  game.Result
	}{
		{"Black's five", game.Variant{Rule: game.Freestyle, Size: 15},
			"H8 H9 I8 I9 J8 J9 K8 K9 L8", game.Result{Outcome: game.BlackWin, Reason: "five"}},
		{"White's five", game.Variant{Rule: game.Renju, Size: 15},
			"A1 H9 C1 I9 A3 J9 C3 K9 O15 L9", game.Result{Outcome: game.WhiteWin, Reason: "five"}},
		{"White's six in renju", game.Variant{Rule: game.Renju, Size: 15},
			"A1 G9 C1 H9 A3 I9 O1 K9 C3 L9 O15 J9", game.Result{Outcome: game.WhiteWin, Reason: "five"}},
		{"six is nothing", game.Variant{Rule: game.Standard, Size: 15},
			"A1 G9 C1 H9 A3 I9 O1 K9 C3 L9 O15 J9", game.Result{}},
		{"closed at both ends", game.Variant{Rule: game.Caro, Size: 15},
			"H8 G8 I8 M8 J8 A1 K8 A3 L8", game.Result{}},
		{"six closed at both ends", game.Variant{Rule: game.CaroSix, Size: 15},
			"H8 G8 I8 N8 J8 A1 L8 A3 M8 C3 K8", game.Result{Outcome: game.BlackWin, Reason: "five"}},
		{"board full", game.Variant{Rule: game.Freestyle, Size: 5}, filled,
			game.Result{Outcome: game.Draw, Reason: "board full"}},
		{"board full in renju", game.Variant{Rule: game.Renju, Size: 5}, filled,
			game.Result{Outcome: game.Draw, Reason: "board full"}},
		{"the last point wins", game.Variant{Rule: game.Freestyle, Size: 5},
			"A5 A4 B5 B4 C5 D4 D5 E4 C4 A3 A2 C3 B2 D3 C2 E3 D2 A1 B1 C1 B3 D1 E1 E2 E5",
			game.Result{Outcome: game.BlackWin, Reason: "five"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := NewReferee(c.v)
			if err != nil {
				t.Fatal(err)
			}
			all := moves(t, c.v.Size, c.moves)
			for i, m := range all {
				if r := g.Result(); r != (game.Result{}) {
					t.Fatalf("%v before move %d", r, i+1)
				}
				if g.ToMove() != m.Color {
					t.Fatalf("%v to play move %d", g.ToMove(), i+1)
				}
				if err := g.Play(m.Point); err != nil {
					t.Fatalf("move %d: %v", i+1, err)
				}
				if g.At(m.Point) != m.Color || g.Captured(m.Color) != 0 {
					t.Fatalf("move %d is not on the board", i+1)
				}
			}
			if g.Result() != c.want {
				t.Fatalf("%v, want %v", g.Result(), c.want)
			}
			if c.want.Outcome != game.Open {
				q := g.Position().Taken()
				for x := range c.v.Size {
					if p := game.At(x, 0); !q.Has(p) {
						refused(t, g.Play(p), p, "the game is over")
					}
				}
			}
			for n := len(all) - 1; n >= 0; n-- {
				if err := g.Undo(); err != nil {
					t.Fatal(err)
				}
				h, err := Replay(&game.Record{Variant: c.v, Moves: all[:n]})
				if err != nil {
					t.Fatal(err)
				}
				sameGame(t, g, h)
			}
			if g.Undo() == nil {
				t.Error("a move taken back from an empty board")
			}
		})
	}
}

// The points that the rules refuse, and why. A refused move changes nothing.
func TestLegal(t *testing.T) {
	mixed := setup(game.Black,
		"...........",
		"...........",
		"...........",
		"...X.......",
		"...X.......",
		"OXXX.......",
		"...........",
		".XX........",
		"...........",
		"XXX.XX.....",
		"#..........")
	for _, c := range []struct {
		name  string
		rule  game.Rule
		setup game.Setup
		point string
		want  string
	}{
		{"an empty point", game.Renju, mixed, "K10", ""},
		{"a stone", game.Freestyle, mixed, "D8", "occupied"},
		{"a dead point", game.Freestyle, mixed, "A1", "occupied"},
		{"a pass", game.Freestyle, mixed, "pass", "no passing"},
		{"six", game.Renju, mixed, "D2", "overline"},
		{"six", game.Freestyle, mixed, "D2", ""},
		{"six", game.Standard, mixed, "D2", ""},
		{"two threes", game.Renju, setup(game.Black,
			"...........", "...........", "...........", "....X......", "....X......",
			"..XX.......", "...........", "...........", "...........", "...........", "..........."),
			"E6", "double three"},
		{"the same for White", game.Renju, setup(game.White,
			"...........", "...........", "...........", "....O......", "....O......",
			"..OO.......", "...........", "...........", "...........", "...........", "..........."),
			"E6", ""},
		{"the same for White in omok", game.Omok, setup(game.White,
			"...........", "...........", "...........", "....O......", "....O......",
			"..OO.......", "...........", "...........", "...........", "...........", "..........."),
			"E6", "double three"},
		{"the same where it is allowed", game.Standard, setup(game.Black,
			"...........", "...........", "...........", "....X......", "....X......",
			"..XX.......", "...........", "...........", "...........", "...........", "..........."),
			"E6", ""},
		{"two fours", game.Renju, setup(game.Black,
			"...........", "...........", "....X......", "....X......", "....X......",
			".XXX.......", "...........", "...........", "...........", "...........", "..........."),
			"E6", "double four"},
		{"two fours in line", game.Renju, setup(game.Black,
			"...........", "...........", "...........", "...........", "...........",
			".X.X.X.X...", "...........", "...........", "...........", "...........", "..........."),
			"E6", "double four"},
		{"two fours in line", game.Renju, setup(game.Black,
			"...........", "...........", "...........", "...........", "...........",
			".XX.X..XX..", "...........", "...........", "...........", "...........", "..........."),
			"F6", "double four"},
		{"two fours in line", game.Renju, setup(game.Black,
			"...........", "...........", "...........", "...........", "...........",
			".XXX...XXX.", "...........", "...........", "...........", "...........", "..........."),
			"F6", "double four"},
		{"a straight four is one", game.Renju, setup(game.Black,
			"...........", "...........", "...........", "...........", "...........",
			"...XX.X....", "...........", "...........", "...........", "...........", "..........."),
			"F6", ""},
		{"four between two sixes", game.Renju, setup(game.Black,
			"...........", "...........", "...........", "...........", "...........",
			"..X.X.XX.X.", "...........", "...........", "...........", "...........", "..........."),
			"F6", ""},
		{"five comes first", game.Renju, setup(game.Black,
			"....X......", "....X......", "....X......", "....X......", "...........",
			"....X......", "XXXX.......", "...........", "...........", "...........", "..........."),
			"E5", ""},
		{"a five with a six", game.Renju, setup(game.Black,
			"...........", "....X......", "....X......", "....X......", "....X......",
			"XXXX.......", "....X......", "...........", "...........", "...........", "..........."),
			"E6", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := Replay(&game.Record{Variant: game.Variant{Rule: c.rule, Size: 11}, Setup: c.setup})
			if err != nil {
				t.Fatal(err)
			}
			q, err := game.ParseName(c.point, 11)
			if err != nil {
				t.Fatal(err)
			}
			before := g.Position().snapshot()
			refused(t, g.Legal(q), q, c.want)
			if what := before.restored(g.Position()); what != "" {
				t.Fatalf("asking changes the %s", what)
			}
			refused(t, g.Play(q), q, c.want)
			if c.want == "" {
				return
			}
			if what := before.restored(g.Position()); what != "" || len(g.Record().Moves) > 0 || g.Result() != (game.Result{}) {
				t.Fatalf("a refused move changes the game: %s", what)
			}
		})
	}
	g, err := NewReferee(game.Variant{Rule: game.Freestyle, Size: 11})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []game.Point{game.At(11, 0), game.At(0, 11), game.At(31, 30), game.NoPoint, 1024, 65535} {
		refused(t, g.Play(q), q, "off the board")
	}
}

// Black to move has four empty points, and each of them makes a four in its row and
// another in its column.
func TestOnlyForbiddenPoints(t *testing.T) {
	board := func(toMove game.Color, middle string) game.Setup {
		return setup(toMove,
			"OXOXO",
			"X.X.X",
			"OX"+middle+"XO",
			"X.X.X",
			"OXOXO")
	}
	draw := game.Result{Outcome: game.Draw, Reason: "only forbidden points"}
	middle := game.At(2, 2)
	v := game.Variant{Rule: game.Renju, Size: 5}

	g, err := Replay(&game.Record{Variant: v, Setup: board(game.White, ".")})
	if err != nil {
		t.Fatal(err)
	}
	if g.Result() != (game.Result{}) {
		t.Fatalf("%v before the last move", g.Result())
	}
	if err := g.Play(middle); err != nil {
		t.Fatal(err)
	}
	if g.Result() != draw {
		t.Errorf("%v, want %v", g.Result(), draw)
	}
	refused(t, g.Legal(game.At(1, 1)), game.At(1, 1), "the game is over")
	if err := g.Undo(); err != nil || g.Result() != (game.Result{}) {
		t.Errorf("taken back: %v, %v", g.Result(), err)
	}

	// The same by a set-up and by a pass; no move taken back can reopen a set-up.
	g, err = Replay(&game.Record{Variant: v, Setup: board(game.Black, "O")})
	if err != nil || g.Result() != draw {
		t.Errorf("set up: %v, %v", g.Result(), err)
	}
	if g.Undo() == nil || g.Result() != draw {
		t.Errorf("set up, taken back: %v", g.Result())
	}
	g, err = Replay(&game.Record{Variant: v, Setup: board(game.White, "O"), Moves: []game.Move{{Color: game.White, Point: game.Pass}}})
	if err != nil || g.Result() != draw {
		t.Errorf("after a pass: %v, %v", g.Result(), err)
	}

	// The same for White, where the rules limit both sides.
	r := rules[game.Renju]
	r.NoDouble3[game.White], r.NoDouble4[game.White] = true, true
	both := &Referee{p: NewPosition(bareTable(r), 5), rec: game.Record{Variant: v}}
	flipped := board(game.Black, ".")
	flipped.Black, flipped.White = flipped.White, flipped.Black
	if err := Place(both.p, flipped); err != nil {
		t.Fatal(err)
	}
	if err := both.Play(middle); err != nil || both.Result() != draw {
		t.Errorf("White: %v, %v", both.Result(), err)
	}

	// White may move, and so may Black where nothing is forbidden.
	for _, c := range []struct {
		rule game.Rule
		side game.Color
	}{{game.Renju, game.White}, {game.Freestyle, game.Black}} {
		v := game.Variant{Rule: c.rule, Size: 5}
		g, err := Replay(&game.Record{Variant: v, Setup: board(c.side, "O")})
		if err != nil || g.Result() != (game.Result{}) {
			t.Errorf("%v, %v to move: %v, %v", c.rule, c.side, g.Result(), err)
		}
	}
}

// Records as managers send them: set up, passed, out of turn, played on after the end.
func TestReplay(t *testing.T) {
	v := game.Variant{Rule: game.Renju, Size: 9}
	fouls := setup(game.Black,
		".........",
		"...X.....",
		"...X.....",
		"OXX.....#",
		".........",
		"XXX.XX...",
		".........",
		".XX......",
		"....OOOO.")
	at := func(name string) game.Point {
		q, err := game.ParseName(name, v.Size)
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	black := func(n string) game.Move { return game.Move{Color: game.Black, Point: at(n)} }
	white := func(n string) game.Move { return game.Move{Color: game.White, Point: at(n)} }
	foul := game.Result{Outcome: game.WhiteWin, Reason: "overline"}
	for _, c := range []struct {
		name   string
		moves  []game.Move
		want   game.Result
		toMove game.Color
	}{
		{"only a set-up", nil, game.Result{}, game.Black},
		{"passes", []game.Move{black("pass"), white("pass"), black("pass")}, game.Result{}, game.White},
		{"out of turn", []game.Move{white("A9"), white("B9"), black("C9"), black("E9")}, game.Result{}, game.White},
		{"White's five", []game.Move{black("A9"), white("D1")}, game.Result{Outcome: game.WhiteWin, Reason: "five"}, game.Black},
		{"a foul", []game.Move{black("D4")}, foul, game.White},
		{"a foul and a five", []game.Move{black("D4"), white("D1")}, foul, game.Black},
		{"a five and a foul", []game.Move{white("D1"), black("D4"), black("pass")},
			game.Result{Outcome: game.WhiteWin, Reason: "five"}, game.White},
		{"White where Black may not", []game.Move{white("D4")}, game.Result{}, game.Black},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := &game.Record{Variant: v, Setup: fouls, Moves: c.moves}
			g, err := Replay(rec)
			if err != nil {
				t.Fatal(err)
			}
			if g.Result() != c.want || g.ToMove() != c.toMove {
				t.Errorf("%v, %v to move; want %v, %v", g.Result(), g.ToMove(), c.want, c.toMove)
			}
			if what := differ(g.Position(), fromScratch(g.Position())); what != "" {
				t.Error(what)
			}
			used, err := Replay(rec)
			if err != nil {
				t.Fatal(err)
			}
			bad := &game.Record{Variant: v, Setup: game.Setup{Black: []game.Point{5, 5}}}
			if other := (game.Variant{Rule: game.Renju, Size: 10}); used.Replay(&game.Record{Variant: other}) == nil || used.Replay(bad) == nil {
				t.Error("another board, or a stone upon a stone")
			}
			for n := len(c.moves) - 1; n >= 0; n-- {
				if err := g.Undo(); err != nil {
					t.Fatal(err)
				}
				short := &game.Record{Variant: v, Setup: fouls, Moves: c.moves[:n]}
				h, err := Replay(short)
				if err != nil {
					t.Fatal(err)
				}
				sameGame(t, g, h)
				if err := used.Replay(short); err != nil {
					t.Fatal(err)
				}
				sameGame(t, used, h)
			}
			if g.Undo() == nil {
				t.Error("a stone of the set-up taken back")
			}
		})
	}

	full := game.Record{Variant: game.Variant{Rule: game.Freestyle, Size: 5},
		Setup: setup(game.Black, "XXOXX", "OOXOO", "XXOXX", "OOXOO", "OXOXO")}
	if g, err := Replay(&full); err != nil || g.Result().Reason != "board full" {
		t.Errorf("a full board set up: %v, %v", g.Result(), err)
	}
}

// Replay owns what it keeps: later changes to the record do not reach the game.
func TestReplayCopies(t *testing.T) {
	rec := &game.Record{Variant: game.Variant{Rule: game.Freestyle, Size: 9},
		Setup: game.Setup{Black: []game.Point{1}}, Moves: make([]game.Move, 1, 9)}
	g, err := Replay(rec)
	if err == nil {
		rec.Setup.Black[0] = 7
		rec.Moves[0].Point = 8
		err = g.Play(3)
	}
	if err != nil || g.Record().Setup.Black[0] != 1 || g.Record().Moves[0].Point != 0 || rec.Moves[:2][1].Point == 3 {
		t.Errorf("%v, %v", g.Record(), err)
	}
}

// Records that are none are refused by name and never panic.
func TestReplayRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		rec   game.Record
		point game.Point
		rule  string // "" for an error that is no illegal move
	}{
		{"a stone on another", game.Record{Setup: game.Setup{Black: []game.Point{1}, White: []game.Point{1}}}, 1, "occupied"},
		{"a wall on a stone", game.Record{Setup: game.Setup{Black: []game.Point{1}, Walls: []game.Point{1}}}, 1, "occupied"},
		{"a stone beside the board", game.Record{Setup: game.Setup{White: []game.Point{9}}}, 9, "off the board"},
		{"a wall nowhere", game.Record{Setup: game.Setup{Walls: []game.Point{game.NoPoint}}}, game.NoPoint, "off the board"},
		{"a pass set up", game.Record{Setup: game.Setup{Black: []game.Point{game.Pass}}}, game.Pass, "off the board"},
		{"a move on a stone", game.Record{Setup: game.Setup{Black: []game.Point{1}}, Moves: []game.Move{{Color: game.White, Point: 1}}}, 1, "occupied"},
		{"a move on a wall", game.Record{Setup: game.Setup{Walls: []game.Point{1}}, Moves: []game.Move{{Color: game.White, Point: 1}}}, 1, "occupied"},
		{"a move twice", game.Record{Moves: []game.Move{{Color: game.Black, Point: 5}, {Color: game.White, Point: 5}}}, 5, "occupied"},
		{"a move beside the board", game.Record{Moves: []game.Move{{Color: game.Black, Point: 9}}}, 9, "off the board"},
		{"a move nowhere", game.Record{Moves: []game.Move{{Color: game.Black, Point: game.NoPoint}}}, game.NoPoint, "off the board"},
		{"a point beyond all", game.Record{Moves: []game.Move{{Color: game.Black, Point: 60000}}}, 60000, "off the board"},
		{"an empty stone", game.Record{Moves: []game.Move{{Color: game.Empty, Point: 5}}}, 0, ""},
		{"a wall that passes", game.Record{Moves: []game.Move{{Color: game.Wall, Point: game.Pass}}}, 0, ""},
		{"a color beyond all", game.Record{Moves: []game.Move{{Color: 255, Point: 5}}}, 0, ""},
		{"nobody to move", game.Record{Setup: game.Setup{ToMove: game.Empty}}, 0, ""},
	} {
		c.rec.Variant = game.Variant{Rule: game.Renju, Size: 9}
		t.Run(c.name, func(t *testing.T) {
			g, err := Replay(&c.rec)
			if err == nil || g != nil {
				t.Fatalf("accepted: %v", g)
			}
			if c.rule != "" {
				refused(t, err, c.point, c.rule)
			}
		})
	}
	for _, v := range []game.Variant{{Size: 4}, {Size: 23}, {Size: -1}, {Rule: game.Weiqi, Size: 9}, {Rule: 99, Size: 9}} {
		if g, err := NewReferee(v); err == nil || g != nil {
			t.Errorf("%v is played", v)
		}
	}
}

// Random games to their end by the referee and by the twin: the same points are legal at
// every move, and the same side wins.
func TestRefereeNaive(t *testing.T) {
	for n, v := range variants {
		rng := rand.New(rand.NewPCG(uint64(n), 21))
		outcomes := map[game.Result]int{}
		for i := range randomGames {
			v.Size = MinSize + i%5
			g, err := NewReferee(v)
			if err != nil {
				t.Fatal(err)
			}
			b := newNaive(v)
			for want := (game.Result{}); ; {
				if g.Result() != want {
					t.Fatalf("%v, want %v\n%v", g.Result(), want, b)
				}
				if want != (game.Result{}) {
					outcomes[want]++
					break
				}
				c := g.ToMove()
				var legal []xy
				for _, q := range b.empties() {
					why := b.forbidden(c, q)
					if why == Allowed && !b.opens(q) {
						why = TooClose
					}
					if why == Allowed {
						legal = append(legal, q)
					}
					if err := g.Legal(q.point()); (err == nil) != (why == Allowed) {
						t.Fatalf("%v at %s, want %v\n%v", err, q.point().Name(v.Size), why, b)
					}
				}
				q := legal[rng.IntN(len(legal))]
				if err := g.Play(q.point()); err != nil {
					t.Fatal(err)
				}
				b.play(q, c)
				five := b.wins(q, 0) || b.wins(q, 1) || b.wins(q, 2) || b.wins(q, 3)
				switch empty := b.empties(); {
				case five && b.enough(c):
					want = game.Result{Outcome: game.WinFor(c), Reason: "five and captures", Captured: b.captured}
				case five:
					want = game.Result{Outcome: game.WinFor(c), Reason: "five", Captured: b.captured}
				case b.enough(c):
					want = game.Result{Outcome: game.WinFor(c), Reason: "captures", Captured: b.captured}
				case len(empty) == 0:
					want = game.Result{Outcome: game.Draw, Reason: "board full", Captured: b.captured}
				case !slices.ContainsFunc(empty, func(q xy) bool { return b.forbidden(c.Other(), q) == Allowed }):
					want = game.Result{Outcome: game.Draw, Reason: "only forbidden points"}
				}
			}
			for g.Undo() == nil {
			}
			start, err := NewReferee(v)
			if err != nil {
				t.Fatal(err)
			}
			sameGame(t, g, start)
		}
		t.Logf("%s: %v", variantName(v), outcomes)
	}
}
