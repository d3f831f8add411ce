package database

import (
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tengen/bench/tournament"
)

func played(t *testing.T, name string) *tournament.Played {
	t.Helper()
	p, err := tournament.ReadJournal(filepath.Join("..", "report", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// ask returns the first column of a query's rows.
func ask[T any](t *testing.T, file, query string, args ...any) (out []T) {
	t.Helper()
	at := url.URL{Scheme: "file", Path: filepath.ToSlash(file)}
	db, err := sql.Open("sqlite", at.String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(query, args...)
	if err != nil {
		t.Fatal(query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var v T
		if err := rows.Scan(&v); err != nil {
			t.Fatal(query, err)
		}
		out = append(out, v)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(query, err)
	}
	return out
}

// one returns what a query has as its only answer.
func one[T any](t *testing.T, file, query string, args ...any) T {
	t.Helper()
	out := ask[T](t, file, query, args...)
	if len(out) != 1 {
		t.Fatalf("%s: %d rows", query, len(out))
	}
	return out[0]
}

func dump(t *testing.T, file string) (rows []string) {
	t.Helper()
	for _, table := range []string{"settings", "engines", "games", "moves"} {
		columns := ask[string](t, file, "SELECT name FROM pragma_table_info(?)", table)
		rows = append(rows, ask[string](t, file, "SELECT json_array('"+table+"', "+strings.Join(columns, ", ")+") FROM "+table)...)
	}
	return rows
}

// What is written can be asked, and agrees with the tables of the match.
func TestQueries(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a name? 100% of #1.db")
	for _, name := range []string{"duel", "field", "go"} {
		p := played(t, name)
		if err := Write(file, p); err != nil {
			t.Fatal(err)
		}
		match := one[int](t, file, "SELECT match FROM settings WHERE fingerprint = ?", p.Fingerprint)
		s := tournament.Summarize(&p.Conf, p.Names, p.Games)
		for _, r := range s.Rows {
			for want, query := range map[int]string{
				r.Games.Wins:           "SELECT count(*) FROM games JOIN engines USING (match) WHERE match = ? AND name = ? AND (black = engine AND points = 1 OR white = engine AND points = 0)",
				r.Lost["crash"] + 1000: "SELECT count(*) + 1000 FROM games JOIN engines USING (match) WHERE match = ? AND name = ? AND end = 'crash' AND (black = engine AND points = 0 OR white = engine AND points = 1)",
			} {
				if got := one[int](t, file, query, match, r.Name); got != want {
					t.Errorf("%s: %s: %d, not %d: %s", name, r.Name, got, want, query)
				}
			}
		}
		moves := 0
		for i := range p.Games {
			g := &p.Games[i]
			moves += len(strings.Fields(g.Moves))
			got := ask[string](t, file, "SELECT point FROM moves WHERE match = ? AND game = ? ORDER BY ply", match, g.ID+1)
			if d := cmp.Diff(strings.Fields(g.Moves), got); d != "" {
				t.Errorf("%s game %d: %s", name, g.ID+1, d)
			}
		}
		if got := one[int](t, file, "SELECT count(*) FROM moves WHERE match = ?", match); got != moves {
			t.Errorf("%s: %d moves, not %d", name, got, moves)
		}
	}
	if n := one[int](t, file, "SELECT count(*) FROM settings"); n != 3 {
		t.Error(n, "matches")
	}
	// What a move is: game 10 of field has four given moves, and its first own move is
	// Black's or White's as the number says.
	p := played(t, "field")
	g := &p.Games[9]
	where := " FROM moves JOIN settings USING (match) WHERE fingerprint = '" + p.Fingerprint + "' AND moves.game = 10 AND ply = ?"
	if engine := one[sql.NullInt64](t, file, "SELECT engine"+where, g.Given); engine.Valid {
		t.Error("a given move is of engine", engine)
	}
	if engine, want := one[int](t, file, "SELECT engine"+where, g.Given+1), []int{g.Black, g.White}[g.Given%2]+1; engine != want {
		t.Error("the first move is of engine", engine, "not", want)
	}
	if nodes := one[int64](t, file, "SELECT nodes"+where, g.Given+1); nodes != g.Nodes[0] {
		t.Error(nodes, "nodes")
	}
	// One that told nothing has no values, rather than wrong ones.
	if n := one[int](t, file, "SELECT count(*) FROM moves JOIN engines USING (match, engine) WHERE name = 'plain' AND (value IS NOT NULL OR depth IS NOT NULL OR own IS NOT NULL)"); n != 0 {
		t.Error(n, "values of one who told none")
	}
	if who := one[string](t, file, "SELECT name FROM engines JOIN settings USING (match) WHERE config ->> '$.Event' LIKE 'Field%' AND options ->> '$.hash_size' = '65536'"); who != p.Names[2] {
		t.Error("found", who)
	}
}

// A match is there once however often it is written, and grows with its journal.
func TestAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "matches.db")
	write := func(p *tournament.Played) {
		t.Helper()
		if err := Write(file, p); err != nil {
			t.Fatal(err)
		}
	}
	write(played(t, "go"))
	whole := played(t, "duel")
	part := *whole
	part.Games = whole.Games[:7]
	write(&part)
	if n := one[int](t, file, "SELECT count(*) FROM games WHERE match = 2"); n != 7 {
		t.Fatal(n, "games")
	}
	write(whole)
	first := dump(t, file)
	write(whole)
	if d := cmp.Diff(first, dump(t, file)); d != "" {
		t.Error(d)
	}
	if n := one[int](t, file, "SELECT count(*) FROM games WHERE match = 2"); n != len(whole.Games) {
		t.Error(n, "games")
	}
	// The same settings played once more are another match.
	again := *whole
	again.Began = again.Began.Add(time.Hour)
	write(&again)
	if n := one[int](t, file, "SELECT count(*) FROM settings"); n != 3 {
		t.Error(n, "matches")
	}
}

// Files that are something else stay as they are.
func TestRefuse(t *testing.T) {
	dir := t.TempDir()
	text, other := filepath.Join(dir, "text"), filepath.Join(dir, "other.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("not a database\n", 100)), 0o666); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", other)
	if err == nil {
		_, err = db.Exec("CREATE TABLE games (mine TEXT); INSERT INTO games VALUES ('chess')")
	}
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	for _, file := range []string{text, other, filepath.Join(dir, "no", "such", "folder.db")} {
		if err := Write(file, played(t, "go")); err == nil || !strings.Contains(err.Error(), filepath.Base(file)) {
			t.Error(file, err)
		}
	}
	if mine := one[string](t, other, "SELECT mine FROM games"); mine != "chess" {
		t.Error(mine)
	}
	// A match that cannot be written leaves nothing of itself.
	file := filepath.Join(dir, "matches.db")
	if err := Write(file, played(t, "go")); err != nil {
		t.Fatal(err)
	}
	bad := played(t, "duel")
	bad.Games[5].Moves = "Z99"
	if err := Write(file, bad); err == nil || !strings.Contains(err.Error(), "game 6") {
		t.Error(err)
	}
	if n := one[int](t, file, "SELECT count(*) FROM settings"); n != 1 {
		t.Error(n, "matches")
	}
}
