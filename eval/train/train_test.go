package train

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tengen/engine/game"
	"tengen/engine/line"
)

// row returns a game in which the winner builds a row of so many stones with the other
// side's stones far away.
func row(size, n int, winner int) *Game {
	g := &Game{Rule: "freestyle", Size: size, Winner: winner}
	for i := range n {
		mine, other := game.At(3+i, 5), game.At((2*i)%size, size-1)
		if winner < 0 {
			mine, other = other, mine
		}
		g.Moves = append(g.Moves, int(mine), int(other))
	}
	g.Values = make([]int, len(g.Moves))
	return g
}

func TestGamesRoundTrip(t *testing.T) {
	name := filepath.Join(t.TempDir(), "games.zst")
	var want []Game
	for run := range 3 { // appended to in three goes
		w, err := Append(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 100 {
			g := row(15, 1+(i+run)%4, 1-2*(i%2))
			want = append(want, *g)
			if err := w.Write(g); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var got []Game
	if err := Read(name, func(g *Game) error { got = append(got, *g); return nil }); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d games read, %d written, or not the same", len(got), len(want))
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data[:len(data)-20], 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Read(name, func(*Game) error { return nil }); err == nil || !strings.Contains(err.Error(), "game 2") {
		t.Errorf("a file cut short: %v", err)
	}
}

// A file whose writing was broken off goes on behind its last whole batch.
func TestResume(t *testing.T) {
	name := filepath.Join(t.TempDir(), "games.zst")
	fill := func(w *Writer, err error, numbers ...int) {
		t.Helper()
		for _, n := range numbers {
			g := row(15, 3, 1)
			g.Number = n
			if err == nil {
				err = w.Write(g)
			}
			if err == nil {
				err = w.Flush()
			}
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var there []int
	see := func(g *Game) error { there = append(there, g.Number); return nil }
	w, err := Resume(name, see)
	fill(w, err, 1, 2, 3)
	data, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, data[:len(data)-5], 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	w, err = Resume(name, see)
	fill(w, err, 3, 4)
	there = nil
	w, err = Resume(name, see)
	fill(w, err)
	if !slices.Equal(there, []int{1, 2, 3, 4}) {
		t.Error(there)
	}
	if err := os.WriteFile(name, []byte("no games"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(name, see); err == nil {
		t.Error("what is no file of games is appended to")
	}
}

// Rows of the side that wins must become worth more than what the loser has.
func TestFitLearnsWhoWins(t *testing.T) {
	rules, err := line.RulesOf(game.Variant{Rule: game.Freestyle, Size: 15})
	if err != nil {
		t.Fatal(err)
	}
	var s Set
	for i := range 60 {
		if err := s.Add(rules, row(15, 3, 1-2*(i%2)), i%5 == 0); err != nil {
			t.Fatal(err)
		}
	}
	var log strings.Builder
	f := Fit{Rules: rules, Epochs: 6, Rate: 4, Blend: 1, Seed: 1, Log: &log}
	w := f.Run(&s)
	p := line.NewPosition(line.NewTable(rules, w), 15)
	g := row(15, 3, 1)
	for _, q := range g.Moves {
		p.Make(game.Point(q))
	}
	if v := w.Evaluate(p); v < 100 { // Black, with his row, is to move
		t.Errorf("the winner's position is worth %d\n%s", v, log.String())
	}
	p.Make(game.At(14, 7))
	if v := w.Evaluate(p); v > -100 {
		t.Errorf("to the loser it is worth %d\n%s", v, log.String())
	}
	if a, b := *w, *f.Run(&s); a != b {
		t.Error("the same fit gives other weights")
	}
}

func TestAddRefusesNonsense(t *testing.T) {
	rules, _ := line.RulesOf(game.Variant{Rule: game.Freestyle, Size: 15})
	g := row(15, 2, 1)
	g.Moves[2] = g.Moves[0]
	var s Set
	if err := s.Add(rules, g, false); err == nil {
		t.Error("a stone on a stone is accepted")
	}
}

// A leaf is learned from as a position of its own, with what a search thought of it for the
// result, and does not disturb the game.
func TestLeaves(t *testing.T) {
	rules, _ := line.RulesOf(game.Variant{Rule: game.Freestyle, Size: 15})
	g := row(15, 3, 1)
	var plain Set
	if err := plain.Add(rules, g, false); err != nil {
		t.Fatal(err)
	}
	at := func(x, y int) int { return int(game.At(x, y)) }
	g.Leaves = []Leaf{{0, []int{at(7, 7)}, 160}, {2, []int{at(7, 7), at(8, 7)}, -160}, {6, nil, 0}}
	name := filepath.Join(t.TempDir(), "games.zst")
	w, err := Append(name)
	if err == nil {
		err = w.Write(g)
	}
	if err == nil {
		err = w.Close()
	}
	var back *Game
	if err == nil {
		err = Read(name, func(g *Game) error { back = g; return nil })
	}
	if err != nil || !reflect.DeepEqual(g, back) {
		t.Fatalf("%v, read as %v: %v", g, back, err)
	}
	var s Set
	if err := s.Add(rules, g, false); err != nil {
		t.Fatal(err)
	}
	if s.Len() != plain.Len()+2 { // after six moves there is a four to be made: no leaf
		t.Errorf("%d positions with leaves, %d without", s.Len(), plain.Len())
	}
	up := float32(squash(160))
	if got, want := s.samples[0].target, (target{up, up}); got != want || s.samples[0].side != uint8(game.White) {
		t.Errorf("%+v, want %v of White", s.samples[0], want)
	}
	var own []target
	for i := range s.samples {
		if x := &s.samples[i]; x.result == 0 || x.result == 1 {
			own = append(own, x.target)
		}
	}
	if len(own) != plain.Len() || own[0] != plain.samples[0].target {
		t.Errorf("%v of the game", own)
	}
	for _, bad := range []Leaf{{7, nil, 0}, {0, []int{2000}, 0}} {
		g.Leaves = []Leaf{bad}
		if w, err = Append(name + "x"); err == nil {
			if err = w.Write(g); err == nil {
				err = w.Close()
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := Read(name+"x", func(*Game) error { return nil }); err == nil {
			t.Errorf("%v is accepted", bad)
		}
		os.Remove(name + "x")
	}
	g.Leaves = []Leaf{{2, []int{g.Moves[0]}, 0}}
	if err := s.Add(rules, g, false); err == nil {
		t.Error("a leaf with a stone on a stone is accepted")
	}
}

// Whoever captures more wins: what captured stones are worth is learned from that.
func TestFitLearnsCaptures(t *testing.T) {
	rules, err := line.RulesOf(game.Variant{Rule: game.Pente, Size: 19})
	if err != nil {
		t.Fatal(err)
	}
	var s Set
	for i := range 40 {
		y := 2 + i%15
		g := &Game{Rule: "pente", Size: 19, Winner: 1}
		for _, q := range [][2]int{{3, y}, {4, y}, {9, 9}, {5, y}, {6, y}, {17, 1}, {11, 3}, {1, 17}} {
			g.Moves = append(g.Moves, int(game.At(q[0], q[1])))
		}
		g.Values = make([]int, len(g.Moves))
		if err := s.Add(rules, g, false); err != nil {
			t.Fatal(err)
		}
	}
	f := Fit{Rules: rules, Epochs: 6, Rate: 4, Blend: 1, Seed: 1}
	w := f.Run(&s)
	if w.Taking == nil || w.Taking.Taken[1] <= w.Taking.Taken[0] || w.Taking.Next[1*4] <= w.Taking.Next[0] {
		t.Errorf("%+v", w.Taking)
	}
	f.Rules.Capture = 0
	if f.Run(&Set{}).Taking != nil {
		t.Error("a game without captures has values of them")
	}
}
