package line

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/engine/game"
)

// shared is where the project's whole data collection lies when it is at hand.
const shared = "../../../shared/data"

// readCases reads a file of JSON lines from testdata, and all of the collection's file
// of the same name where there is one.
func readCases[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join(shared, name))
	if err != nil {
		f, err = os.Open(filepath.Join("testdata", name))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []T
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var c T
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		t.Fatalf("%s: no cases", name)
	}
	return all
}

// draw sets a board drawn as rows from top to bottom joined by "/".
func draw(t *testing.T, p *Position, board string) {
	t.Helper()
	p.Reset()
	rows := strings.Split(board, "/")
	if len(rows) != p.Size() {
		t.Fatalf("%d rows on a board of %d", len(rows), p.Size())
	}
	for y, row := range rows {
		for x, ch := range row {
			switch ch {
			case 'X':
				p.Set(game.At(x, y), game.Black)
			case 'O':
				p.Set(game.At(x, y), game.White)
			case '#':
				p.Set(game.At(x, y), game.Wall)
			}
		}
	}
}

func points(t *testing.T, size int, names []string) map[game.Point]bool {
	t.Helper()
	m := map[game.Point]bool{}
	for _, n := range names {
		q, err := game.ParseName(n, size)
		if err != nil {
			t.Fatal(err)
		}
		m[q] = true
	}
	return m
}

func newTable(t testing.TB, r game.Rule, fiveAtFour bool) *Table {
	t.Helper()
	rules, err := RulesOf(game.Variant{Rule: r, Size: 15, FiveAtFour: fiveAtFour})
	if err != nil {
		t.Fatal(err)
	}
	return NewTable(rules, nil)
}

// Every point of every map: forbidden for the named reason, or legal; both readings of
// the contested clause.
func TestRenjuForbidden(t *testing.T) {
	type rcase struct {
		ID        string
		Size      int
		Board     string
		Forbidden map[string][]string
		Five      []string
		Flips     json.RawMessage `json:"five_at_four_point"`
	}
	cases := readCases[rcase](t, "renju_forbidden.jsonl")
	a, b := newTable(t, game.Renju, false), newTable(t, game.Renju, true)
	bad, seen := 0, 0
	for _, c := range cases {
		want := map[game.Point]Reason{}
		for key, reason := range map[string]Reason{"6": Overline, "44": DoubleFour, "33": DoubleThreeFoul} {
			for q := range points(t, c.Size, c.Forbidden[key]) {
				want[q] = reason
			}
		}
		five := points(t, c.Size, c.Five)
		var names []string
		if len(c.Flips) > 0 {
			if err := json.Unmarshal(c.Flips, &names); err != nil {
				t.Fatalf("%s: %v: %s", c.ID, err, c.Flips)
			}
		}
		flips := points(t, c.Size, names)
		pa, pb := NewPosition(a, c.Size), NewPosition(b, c.Size)
		draw(t, pa, c.Board)
		draw(t, pb, c.Board)
		for y := range c.Size {
			for x := range c.Size {
				q := game.At(x, y)
				if pa.At(q) != game.Empty {
					continue
				}
				seen++
				if got := pa.Forbidden(game.Black, q); got != want[q] {
					t.Errorf("%s %s: %v, want %v", c.ID, q.Name(c.Size), got, want[q])
					bad++
				}
				if (pa.Class(game.Black, q) == Five) != five[q] {
					t.Errorf("%s %s: five %v, want %v", c.ID, q.Name(c.Size), !five[q], five[q])
					bad++
				}
				forbidden := want[q] != Allowed
				// An overline or a double four stays what it is in either reading.
				if flips[q] && want[q] != Overline && want[q] != DoubleFour {
					forbidden = !forbidden
				}
				if got := pb.Forbidden(game.Black, q) != Allowed; got != forbidden {
					t.Errorf("%s %s, reading B: forbidden %v, want %v", c.ID, q.Name(c.Size), got, forbidden)
					bad++
				}
				if pa.Forbidden(game.White, q) != Allowed {
					t.Errorf("%s %s: forbidden to White", c.ID, q.Name(c.Size))
				}
			}
		}
		if bad > 20 {
			t.FailNow()
		}
	}
	t.Logf("%d positions, %d points", len(cases), seen)
}
