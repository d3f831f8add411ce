package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files of a match are made from its journal alone, and made again as they were.
func TestReport(t *testing.T) {
	journal, err := os.ReadFile("../../bench/tournament/report/testdata/duel/journal.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	name := filepath.Join(folder, "journal.jsonl")
	// A match in progress: the last line is not whole yet.
	if err := os.WriteFile(name, append(journal, `{"ID":16,"Rou`...), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		status := reportMatch(args, nil, &out, &errs)
		return status, out.String() + errs.String()
	}
	db := filepath.Join(folder, "match.db")
	status, said := run(folder, "-sqlite", db)
	if status != 0 || !strings.Contains(said, "16 games") {
		t.Fatal(status, said)
	}
	page, err := os.ReadFile(filepath.Join(folder, "report.html"))
	if err != nil || !bytes.Contains(page, []byte("strong – weak")) {
		t.Error(err)
	}
	for _, f := range []string{"match.db", "games.csv", "table.json", "table.txt", "games/000016.sgf", "games/000016.psq"} {
		if s, err := os.Stat(filepath.Join(folder, f)); err != nil || s.Size() == 0 {
			t.Error(f, err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "games/000003.sgf"), []byte("spoiled"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, said := run("-sqlite", db, folder); status != 0 {
		t.Error(status, said)
	}
	if again, err := os.ReadFile(filepath.Join(folder, "report.html")); err != nil || !bytes.Equal(page, again) {
		t.Error("another page", err)
	}
	if sgf, _ := os.ReadFile(filepath.Join(folder, "games/000003.sgf")); !bytes.HasPrefix(sgf, []byte("(;")) {
		t.Errorf("%.20q", sgf)
	}

	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{nil, 2, "usage"}, {[]string{"-h"}, 0, "FOLDER"}, {[]string{folder, folder}, 2, "usage"}, {[]string{"-what", folder}, 2, "-what"},
		{[]string{filepath.Join(folder, "none")}, 1, "none"}, {[]string{folder, "-sqlite", name}, 1, "journal.jsonl"},
	} {
		if status, said := run(c.args...); status != c.status || !strings.Contains(said, c.says) {
			t.Errorf("%q: %d %s", c.args, status, said)
		}
	}
}
