package threat

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/engine/game"
	"tengen/engine/line"
)

// shared is where the project's whole data collection lies when it is at hand.
const shared = "../../../shared/data"

// puzzle is one line of puzzles.jsonl: a position and what is known of its wins by fours.
type puzzle struct {
	ID       string
	Rule     string
	Size     int
	Board    string
	Side     string
	Kind     string
	Fours    int
	First    []string
	Complete bool
}

// readPuzzles reads the puzzles of the kinds named: all of the collection where it is at
// hand, else those in testdata.
func readPuzzles(t testing.TB, kinds ...string) []puzzle {
	t.Helper()
	f, err := os.Open(filepath.Join(shared, "puzzles.jsonl"))
	if err != nil {
		f, err = os.Open(filepath.Join("testdata", "puzzles.jsonl"))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []puzzle
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var z puzzle
		if err := json.Unmarshal(s.Bytes(), &z); err != nil {
			t.Fatal(err)
		}
		for _, k := range kinds {
			if z.Kind == k {
				all = append(all, z)
			}
		}
	}
	if len(all) == 0 {
		t.Fatal("no puzzles")
	}
	return all
}

// record returns a puzzle as a game set up on the board.
func (z *puzzle) record(t testing.TB) *game.Record {
	t.Helper()
	rule, err := game.ParseRule(z.Rule)
	if err != nil {
		t.Fatal(err)
	}
	side := game.Black
	if z.Side == "white" {
		side = game.White
	}
	return draw(t, rule, side, z.Board)
}

// draw returns the position on a board drawn as rows from top to bottom joined by "/" or
// by line ends: X Black, O White, # a wall, else empty.
func draw(t testing.TB, rule game.Rule, side game.Color, board string) *game.Record {
	t.Helper()
	rows := strings.FieldsFunc(board, func(r rune) bool { return strings.ContainsRune("/ \n\t", r) })
	rec := &game.Record{Variant: game.Variant{Rule: rule, Size: len(rows)}}
	rec.Setup.ToMove = side
	for y, row := range rows {
		if len(row) != len(rows) {
			t.Fatalf("row %d is %d wide, the board %d high", y, len(row), len(rows))
		}
		for x, ch := range row {
			q := game.At(x, y)
			switch ch {
			case 'X':
				rec.Setup.Black = append(rec.Setup.Black, q)
			case 'O':
				rec.Setup.White = append(rec.Setup.White, q)
			case '#':
				rec.Setup.Walls = append(rec.Setup.Walls, q)
			}
		}
	}
	return rec
}

var tables = map[line.Rules]*line.Table{}

// position returns the position at the end of a record.
func position(t testing.TB, rec *game.Record) *line.Position {
	t.Helper()
	r, err := line.RulesOf(rec.Variant)
	if err != nil {
		t.Fatal(err)
	}
	if tables[r] == nil {
		tables[r] = line.NewTable(r, nil)
	}
	p := line.NewPosition(tables[r], rec.Variant.Size)
	if err := line.Place(p, rec.Setup); err != nil {
		t.Fatal(err)
	}
	for _, m := range rec.Moves {
		p.SetSide(m.Color)
		p.Make(m.Point)
	}
	return p
}

// game moves in letters, Black first.
func moves(t testing.TB, rule game.Rule, size int, names string) *game.Record {
	t.Helper()
	rec := &game.Record{Variant: game.Variant{Rule: rule, Size: size}}
	for _, n := range strings.Fields(names) {
		q, err := game.ParseName(n, size)
		if err != nil {
			t.Fatal(err)
		}
		rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: q})
	}
	return rec
}

// Two renju positions, White to move: a VCF of eight fours, and none at all.
const (
	r1 = `H8 H7 F6 G7 I7 G9 G6 H6 F8 E8 F9 F7 E7 D6 H4 G5 J6 I5 J4 K5 J5 J3 J8 J7 I4 K4 K6 L7 L6
		M6 I2 N7 L5 K7 M7 G4 I8 G8 K8 L8 D5 E4 F4 F3 H3 G2 E2 I10 J11 F11 G11 D9 E10 E12 F13 C10
		B11 C12 D12`
	r2 = `H8 I9 H7 J8 F8 H9 G9 H10 G11 F10 I10 G10 I8 J9 E10 K9 L9 G8 J10 K7 L6 K8 K6 L10 I7 J6
		M9 I5 H4 F7 G6 E6 D5 F5 G4`
)

func names(qs []game.Point, size int) string {
	var s []string
	for _, q := range qs {
		s = append(s, q.Name(size))
	}
	return strings.Join(s, " ")
}
