package piskvork

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tengen/engine"
	"tengen/engine/game"
)

// A BOARD of pente: a game in its order is played again, captures and all; else, or when the
// captured stones are told, it is what is left on the board.
func TestBoardWithCaptures(t *testing.T) {
	// Black's fourth stone takes two, White puts one of them back.
	const inTurn = "9,9,1 10,8,2 9,12,1 11,7,2 12,6,1 10,8,2 "
	for _, c := range []struct {
		text     string
		moves    int
		captured [2]int // by Black, White
		stones   string // Black's and White's
		toMove   game.Color
	}{
		{"BOARD " + inTurn + "DONE", 6, [2]int{2, 0}, "9,9 12,6 9,12 / 10,8", game.Black},
		{"YXBOARD " + inTurn + "DONE\nYXNBEST 1", 6, [2]int{2, 0}, "9,9 12,6 9,12 / 10,8", game.Black},
		{"BOARD 9,9,2 10,8,1 9,12,2 11,7,1 12,6,2 DONE", 5, [2]int{2, 0}, "9,9 12,6 9,12 / ", game.White},
		{"INFO captured 0,0\nBOARD 9,9,1 10,8,2 9,12,1 11,7,2 DONE", 0, [2]int{}, "9,9 9,12 / 10,8 11,7", game.Black},
		{"INFO captured 2,0\nBOARD 9,9,1 9,12,1 12,6,1 10,8,2 DONE", 0, [2]int{2, 0}, "9,9 9,12 12,6 / 10,8", game.Black},
		{"INFO captured 4, 2\nBOARD 1,1,1 2,2,1 3,1,2 DONE", 0, [2]int{2, 4}, "3,1 / 1,1 2,2", game.White},
		{"INFO captured 2 4\nBOARD 1,1,1 2,2,2 DONE", 0, [2]int{2, 4}, "1,1 / 2,2", game.Black},
		{"INFO captured 0,2\nBOARD 9,9,2 12,6,2 3,3,2 5,5,1 DONE", 0, [2]int{0, 2}, "5,5 / 9,9 12,6 3,3", game.Black},
		// Told once, for one board.
		{"INFO captured 8,8\nBOARD 9,9,1 10,8,2 DONE\nBOARD " + inTurn + "DONE", 6, [2]int{2, 0}, "9,9 12,6 9,12 / 10,8", game.Black},
		{"INFO captured 8,8\nRESTART\nBOARD " + inTurn + "DONE", 6, [2]int{2, 0}, "9,9 12,6 9,12 / 10,8", game.Black},
		// No game: a point twice on which a stone stands, stones in another order.
		{"BOARD 9,9,1 10,8,2 9,12,1 10,8,2 DONE", 0, [2]int{}, "9,9 9,12 / 10,8", game.Black},
		{"BOARD 9,9,1 9,12,1 12,6,1 10,8,2 11,7,2 DONE", 0, [2]int{}, "9,9 9,12 12,6 / 10,8 11,7", game.Black},
		{"INFO captured many\nBOARD " + inTurn + "DONE", 6, [2]int{2, 0}, "9,9 12,6 9,12 / 10,8", game.Black},
	} {
		first, second, two := strings.Cut("START 19\nINFO game pente\n"+c.text+"\n", "DONE\nBOARD")
		p := (*player)(nil)
		if two { // each is answered
			p = playOnce(t, first+"DONE\n", "BOARD"+second)
		} else {
			p = playOnce(t, first)
		}
		rec := p.seen[len(p.seen)-1]
		g, err := engine.Replay(rec)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		black, white, _ := strings.Cut(c.stones, "/")
		n := 0
		for side, list := range []string{black, white} {
			for _, xy := range strings.Fields(list) {
				q, _ := point(xy)
				if n++; g.At(q) != game.Color(side) {
					t.Errorf("%q: %v on %s", c.text, g.At(q), xy)
				}
			}
		}
		for y := range 19 {
			for x := range 19 {
				if g.At(game.At(x, y)) != game.Empty {
					n--
				}
			}
		}
		if got := [2]int{g.Captured(game.Black), g.Captured(game.White)}; got != c.captured || n != 0 || len(rec.Moves) != c.moves || g.ToMove() != c.toMove {
			t.Errorf("%q: %d moves, captured %v, %v to move, %d stones missing", c.text, len(rec.Moves), got, g.ToMove(), n)
		}
	}
	// Negative numbers are no captures, and in other games nothing is captured.
	dialogue(t, `
> START 19
< OK
> INFO game pente
> INFO captured -1,0
> BOARD
> 9,9,2
> DONE
< ERROR *
> INFO game keryo
> RESTART
< OK
> INFO captured 3,0
> BEGIN
< MOVE`, plain)
	if p := playOnce(t, "START 15\nINFO captured 2,2\nBOARD 7,7,2 DONE\n"); len(p.seen[0].Moves) != 1 {
		t.Error("captures in freestyle")
	}
}

// A game in which a point was played twice is none of a game without captures. What is then
// told anew can be played.
func TestRuleChangeAfterCaptures(t *testing.T) {
	const played = "> START 19\n< OK\n> INFO game pente\n> YXBOARD 9,9,1 10,8,2 9,12,1 11,7,2 12,6,1 10,8,2 DONE\n> INFO rule 0\n"
	for _, fresh := range []string{
		"> BOARD 9,9,1 10,8,2 DONE\n< MOVE",
		"> YXBOARD 9,9,1 10,8,2 DONE\n> YXNBEST 1\n< MOVE",
		"> SWAP2BOARD DONE\n< MOVES 3",
		"> RESTART\n< OK\n> BEGIN\n< MOVE",
		"> TURN 3,3\n< ERROR *\n> INFO game pente\n> TURN 3,3\n< *,*",
	} {
		dialogue(t, played+fresh, plain)
	}
}

func TestTournamentRule(t *testing.T) {
	for text, want := range map[string]game.Variant{
		"INFO game pente\n":                                                 {Rule: game.Pente, Size: 19},
		"INFO game keryo\nINFO tournament_rule 0\n":                         {Rule: game.Keryo, Size: 19, FreeOpening: true},
		"INFO tournament_rule 0\nINFO tournament_rule 1\nINFO game pente\n": {Rule: game.Pente, Size: 19},
		"INFO game omok\n":                                                  {Rule: game.Omok, Size: 19},
	} {
		if got := playOnce(t, "START 19\n"+text+"BEGIN\n").seen[0].Variant; got != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// What the client sends, the server understands: the same stones, captures and turn.
func TestClientBoardWithCaptures(t *testing.T) {
	move := func(c game.Color, xy string) game.Move {
		q, ok := point(xy)
		if !ok {
			t.Fatal(xy)
		}
		return game.Move{Color: c, Point: q}
	}
	b, w := game.Black, game.White
	v := game.Variant{Rule: game.Pente, Size: 19}
	for name, rec := range map[string]*game.Record{
		"in turn": {Variant: v, Moves: []game.Move{move(b, "9,9"), move(w, "10,8"), move(b, "9,12"), move(w, "11,7"), move(b, "12,6"), move(w, "10,8")}},
		"a setup": {Variant: v, Setup: game.Setup{Black: []game.Point{game.At(3, 3)}, White: []game.Point{game.At(4, 4), game.At(5, 5)},
			Captured: [2]int{2, 1}}, Moves: []game.Move{move(b, "6,6"), move(w, "9,9")}},
		"a pass": {Variant: v, Moves: []game.Move{move(b, "9,9"), {Color: w, Point: game.Pass}, move(b, "9,12"), move(w, "10,8")}},
	} {
		lines := clientBoard(rec)
		p := playOnce(t, "START 19\nINFO game pente\n"+strings.Join(lines, "\n")+"\n")
		g, err := engine.Replay(p.seen[0])
		if err != nil {
			t.Fatal(err)
		}
		h, err := engine.Replay(rec)
		if err != nil {
			t.Fatal(err)
		}
		describe := func(g game.Game) (s string) {
			for y := range 19 {
				for x := range 19 {
					s += fmt.Sprint(uint8(g.At(game.At(x, y))))
				}
			}
			return fmt.Sprint(s, g.Captured(b), g.Captured(w), g.ToMove())
		}
		if name == "a pass" { // whose turn it is cannot be told
			if g.At(game.At(9, 9)) == game.Empty {
				t.Error("a stone is lost")
			}
		} else if describe(g) != describe(h) {
			t.Errorf("%s: %v", name, lines)
		}
		if (len(p.seen[0].Moves) > 0) != (name == "in turn") {
			t.Errorf("%s: %v", name, lines)
		}
	}
}

// A game in which a point was played twice is told by BOARD, and goes on by TURN.
func TestClientPlayedTwice(t *testing.T) {
	d := clientDial(t, "good", ClientOptions{})
	v := game.Variant{Rule: game.Pente, Size: 19}
	if err := d.Start(context.Background(), v, game.Limits{}); err != nil {
		t.Fatal(err)
	}
	c := d.Player.(*client)
	moves := strings.Fields("9,9 10,8 9,12 11,7 12,6 10,8")
	rec := &game.Record{Variant: v}
	for _, xy := range moves {
		q, _ := point(xy)
		rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: q})
	}
	if name, lines := c.position(rec); name != "BOARD" || len(lines) != 8 {
		t.Errorf("%s %v", name, lines)
	}
	c.board = rec.Clone()
	rec.Moves = append(rec.Moves, game.Move{Color: game.Black, Point: game.At(1, 1)})
	if name, lines := c.position(rec); name != "TURN" {
		t.Errorf("%s %v", name, lines)
	}
}
