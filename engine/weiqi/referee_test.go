package weiqi

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tengen/engine/game"
)

var _ game.Game = (*Referee)(nil)

func TestParseRules(t *testing.T) {
	for in, want := range map[string]string{
		"":             "french",
		"French":       "french",
		"FFG":          "french",
		"Chinese":      "chinese",
		"japanese":     "japanese",
		"Korean":       "japanese",
		"tromp-taylor": "tromp-taylor",
		"Tromp Taylor": "tromp-taylor",
		"AGA":          "aga",
		"nz":           "new-zealand",
		"New Zealand":  "new-zealand",
		"chinese ko=positional bonus=0 suicide=true": "chinese ko=positional suicide=true bonus=0",
		"japanese scoring=area ko=own":               "japanese ko=own scoring=area",
		"chinese ko=simple":                          "chinese",
	} {
		r, err := ParseRules(in)
		if err != nil || r.String() != want {
			t.Errorf("%q: %q, %v, want %q", in, r, err, want)
		}
		again, err := ParseRules(r.String())
		if err != nil || again != r {
			t.Errorf("%q: read again as %+v, %v", in, again, err)
		}
	}
	for _, r := range setsOfRules() {
		if again, err := ParseRules(r.String()); err != nil || again != r {
			t.Errorf("%q: read again as %+v, %v", r, again, err)
		}
	}
	for _, in := range []string{"martian", "french ko", "french ko=", "ko=simple=x", "french bonus=2", "french =", "french suicide=maybe"} {
		if r, err := ParseRules(in); err == nil {
			t.Errorf("%q: accepted as %q", in, r)
		}
	}
}

// What each rule set says, in one table.
func TestRuleSets(t *testing.T) {
	for _, c := range []struct {
		name      string
		ko        Ko
		suicide   bool
		territory bool
		even, two float64 // komi and bonus together, without handicap and with two stones
		nine      float64
	}{
		{"french", OwnSuperko, false, false, 7.5, 1.5, 8.5},
		{"chinese", SimpleKo, false, false, 7.5, 2.5, 9.5},
		{"japanese", SimpleKo, false, true, 6.5, 0.5, 0.5},
		{"tromp-taylor", PositionalSuperko, true, false, 7.5, 0.5, 0.5},
		{"aga", SituationalSuperko, false, false, 7.5, 1.5, 8.5},
		{"new-zealand", SituationalSuperko, true, false, 7.5, 0.5, 0.5},
	} {
		r, err := ParseRules(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if r.Ko != c.ko || r.Suicide != c.suicide || r.Territory != c.territory {
			t.Errorf("%+v", r)
		}
		for n, want := range map[int]float64{0: c.even, 1: c.even, 2: c.two, 9: c.nine} {
			if got := r.UsualKomi(n) + float64(r.BonusFor(n)); got != want {
				t.Errorf("%s, handicap %d: %v, want %v", c.name, n, got, want)
			}
		}
	}
}

func TestVariants(t *testing.T) {
	for _, v := range []game.Variant{
		{Rule: game.Renju, Size: 15},
		{Rule: game.Weiqi, Size: 1},
		{Rule: game.Weiqi, Size: 26},
		{Rule: game.Weiqi, Size: -3},
		{Rule: game.Weiqi, Size: 9, Ruleset: "martian"},
		{Rule: game.Weiqi, Size: 9, Komi: math.NaN()},
		{Rule: game.Weiqi, Size: 9, Komi: math.Inf(1)},
	} {
		if _, err := NewReferee(v); err == nil {
			t.Errorf("%+v accepted", v)
		}
		if _, err := Replay(&game.Record{Variant: v}); err == nil {
			t.Errorf("%+v replayed", v)
		}
	}
	if _, err := NewVariant(9, "martian", 0); err == nil {
		t.Error("a variant of martian rules")
	}
	v, err := NewVariant(19, "AGA", 4)
	if err != nil || v != (game.Variant{Rule: game.Weiqi, Size: 19, Ruleset: "aga", Komi: 0.5}) {
		t.Errorf("%+v %v", v, err)
	}
}

func play(t *testing.T, g *Referee, moves string) {
	t.Helper()
	for _, m := range strings.Fields(moves) {
		if err := g.Play(at(t, m, g.p.size)); err != nil {
			t.Fatalf("%s: %v", m, err)
		}
	}
}

func newReferee(t *testing.T, size int, rules string) *Referee {
	t.Helper()
	v, err := NewVariant(size, rules, 0)
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewReferee(v)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Two passes end the game, a stone after them takes it up again, undo goes back through all.
func TestEnd(t *testing.T) {
	g := newReferee(t, 5, "french")
	play(t, g, "C3 pass")
	if r := g.Result(); r.Outcome != game.Open {
		t.Fatalf("%v after one pass", r)
	}
	play(t, g, "pass")
	if r := g.Result(); r.Outcome != game.BlackWin || r.Reason != "B+17.5" {
		t.Fatalf("%v", r)
	}
	play(t, g, "B2")
	if r := g.Result(); r.Outcome != game.Open {
		t.Fatalf("%v after going on", r)
	}
	if g.Record().ToMove() != game.Black || len(g.Record().Moves) != 4 {
		t.Errorf("%+v", g.Record().Moves)
	}
	for i := range 4 {
		if over := g.Result().Outcome != game.Open; over != (i == 1) {
			t.Errorf("%d moves back: over %v", i, over)
		}
		if err := g.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Undo(); err == nil {
		t.Error("undo before the first move")
	}
	if g.ToMove() != game.Black || len(g.Record().Moves) != 0 || g.At(at(t, "C3", 5)) != game.Empty {
		t.Error("not at the start")
	}
}

// The agreed dead are what is counted, until the next move.
func TestSetDead(t *testing.T) {
	g := newReferee(t, 5, "chinese")
	play(t, g, "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 E3 A3 pass pass")
	dead := Set{}
	dead.Add(at(t, "E3", 5))
	g.SetDead(dead)
	if r := g.Result(); r.Reason != "W+13.5" { // A3 lives: Black's left side is neutral
		t.Errorf("%v", r)
	}
	dead.Add(at(t, "A3", 5))
	g.SetDead(dead)
	if r := g.Result(); r.Reason != "W+2.5" {
		t.Errorf("%v", r)
	}
	n := g.Count()
	if n.Status(at(t, "A3", 5)) != Dead || n.Status(at(t, "C3", 5)) != Alive {
		t.Error("status")
	}
	// The same under rules that know no dead stones: the board as it stands.
	tt := newReferee(t, 5, "tromp-taylor")
	play(t, tt, "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 E3 A3 pass pass")
	tt.SetDead(dead)
	if r := tt.Result(); r.Reason != "W+7.5" {
		t.Errorf("%v", r)
	}
}

func TestHandicapOf(t *testing.T) {
	pts := FixedHandicap(9, 9)
	b := func(n int) (ms []game.Move) {
		for _, q := range pts[:n] {
			ms = append(ms, game.Move{Color: game.Black, Point: q})
		}
		return ms
	}
	white := game.Move{Color: game.White, Point: game.At(0, 0)}
	for _, c := range []struct {
		name  string
		setup game.Setup
		moves []game.Move
		want  int
	}{
		{"even game", game.Setup{}, append(b(1), white), 0},
		{"nothing", game.Setup{}, nil, 0},
		{"set up", game.Setup{Black: pts[:5], ToMove: game.White}, []game.Move{white}, 5},
		{"one stone", game.Setup{Black: pts[:1], ToMove: game.White}, nil, 0},
		{"sent as moves", game.Setup{}, append(b(8), white), 8},
		{"white passes first", game.Setup{}, []game.Move{{Color: game.Black, Point: pts[0]}, {Color: game.White, Point: game.Pass}, {Color: game.Black, Point: pts[1]}}, 0},
		{"a position", game.Setup{Black: pts[:5], White: []game.Point{game.At(0, 0)}}, nil, 0},
	} {
		rec := &game.Record{Variant: game.Variant{Rule: game.Weiqi, Size: 9}, Setup: c.setup, Moves: c.moves}
		if got := Handicap(rec); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	// Nine stones, komi 0.5, White passes all the way: B+81 but for komi and bonus.
	v, err := NewVariant(9, "french", 9)
	if err != nil {
		t.Fatal(err)
	}
	g, err := Replay(&game.Record{Variant: v, Setup: game.Setup{Black: pts, ToMove: game.White}})
	if err != nil {
		t.Fatal(err)
	}
	play(t, g, "pass pass")
	if r := g.Result(); r.Reason != "B+72.5" {
		t.Errorf("%v", r)
	}
}

func TestIllegal(t *testing.T) {
	g := newReferee(t, 9, "french")
	for q, want := range map[game.Point]string{
		game.At(9, 0): "off the board", game.At(0, 9): "off the board", game.NoPoint: "off the board",
		game.Point(65535): "off the board", game.At(30, 31): "off the board",
	} {
		var why *game.Illegal
		if err := g.Play(q); !errors.As(err, &why) || why.Rule != want || why.Point != q {
			t.Errorf("%d: %v", q, err)
		}
		if g.At(q) != game.Wall {
			t.Errorf("%d is %v", q, g.At(q))
		}
	}
	if err := g.SetToMove(game.Empty); err == nil {
		t.Error("nobody's turn")
	}
	for name, s := range map[string]game.Setup{
		"off the board":               {Black: []game.Point{game.At(9, 9)}},
		"twice":                       {Black: []game.Point{0, 0}},
		"both":                        {Black: []game.Point{0}, White: []game.Point{0}},
		"a wall":                      {Walls: []game.Point{5}},
		"nobody's turn":               {ToMove: game.Empty},
		"no liberty":                  {Black: []game.Point{game.At(0, 0)}, White: []game.Point{game.At(1, 0), game.At(0, 1)}},
		"no liberty, the taker first": {Black: []game.Point{game.At(1, 0), game.At(0, 1)}, White: []game.Point{game.At(0, 0)}},
		"a pass":                      {Black: []game.Point{game.Pass}},
	} {
		v := game.Variant{Rule: game.Weiqi, Size: 9}
		if _, err := Replay(&game.Record{Variant: v, Setup: s}); err == nil {
			t.Errorf("set-up %s: accepted", name)
		}
	}
	v := game.Variant{Rule: game.Weiqi, Size: 9}
	for _, ms := range [][]game.Move{
		{{Color: game.Black, Point: 0}, {Color: game.White, Point: 0}},
		{{Color: game.Empty, Point: 0}},
		{{Color: game.Black, Point: game.NoPoint}},
	} {
		if _, err := Replay(&game.Record{Variant: v, Moves: ms}); err == nil {
			t.Errorf("moves %v: accepted", ms)
		}
	}
}

// The quick count of the French rule: the difference of the areas is the difference of the
// territories after prisoners are put back, with a stone handed over for each pass and one
// more from White to Black if Black moved last.
func TestQuickCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for range 200 {
		g := newReferee(t, 9, "french")
		lost := [2]int{}
		for range 60 + rng.IntN(100) {
			q := randomMove(rng, g.p)
			if q == game.Pass {
				lost[g.ToMove()]++
			}
			if err := g.Play(q); err != nil {
				t.Fatal(err)
			}
		}
		if g.ToMove() == game.White {
			lost[game.White]++
		}
		n := g.p.Count(&Set{})
		for c := range lost {
			lost[c] += g.Captured(game.Color(c).Other())
		}
		area := n.Area(game.Black) - n.Area(game.White)
		quick := n.Territory[0] - lost[0] - (n.Territory[1] - lost[1])
		if area != quick {
			t.Fatalf("area %d, quick count %d", area, quick)
		}
	}
}

// A referee takes any bytes as a game without panicking, agrees with the twin, and replays
// its own record to the same end.
func FuzzReferee(f *testing.F) {
	f.Add([]byte{0, 0, 40, 41, 42, 31, 49, 33})
	f.Add([]byte{3, 1, 0, 1, 2, 3, 255, 0, 1, 255, 255, 7})
	f.Add([]byte{2, 5, 0, 3, 1, 2, 0, 3, 1, 2, 0, 1, 2, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 || len(data) > 400 {
			return
		}
		sets := setsOfRules()
		size := 2 + int(data[0])%8
		r := sets[int(data[1])%len(sets)]
		g, err := NewReferee(game.Variant{Rule: game.Weiqi, Size: size, Ruleset: r.String()})
		if err != nil {
			t.Fatal(err)
		}
		w := newTwin(size, g.p.rules, picture(&g.p.Board), 'X')
		for _, d := range data[2:] {
			q := game.Pass
			if d < 250 {
				q = game.At(int(d)%(size+1), int(d)/(size+1))
			} else if d == 250 {
				_ = g.SetToMove(g.ToMove().Other())
			}
			c := "XO"[g.ToMove()]
			i, want := -1, "legal"
			if q != game.Pass {
				if want = "off the board"; q.On(size) {
					i = q.Y()*size + q.X()
					want, _ = w.judge(c, i)
				}
			}
			got := "legal"
			if err := g.Play(q); err != nil {
				got = err.(*game.Illegal).Rule
			}
			if got != want {
				t.Fatalf("%c %v: %s, twin %s", c, q, got, want)
			}
			if got == "legal" {
				w.play(c, i)
			}
		}
		if picture(&g.p.Board) != w.board || g.Captured(game.Black) != w.captured[0] {
			t.Fatal("the twin's board differs")
		}
		again, err := Replay(g.Record())
		if err != nil || again.p.key != g.p.key {
			t.Fatalf("replay: %v", err)
		}
		if again.Result() != g.Result() {
			t.Fatalf("%v, then %v", g.Result(), again.Result())
		}
		for g.Undo() == nil {
		}
		if g.p.key != 0 || g.Captured(game.Black)+g.Captured(game.White) != 0 {
			t.Fatal("undo does not lead back")
		}
	})
}
