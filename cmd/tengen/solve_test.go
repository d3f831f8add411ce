package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func solving(args []string, in *strings.Reader, out, errs *bytes.Buffer) int {
	return solve(args, in, out, errs)
}

// A cross of two twos in an empty corner of a board.
const twos = `{"id":"cross","rule":"RULE","size":11,"board":"#####.#####/#####.#####/...XX....../#####.#####/#####X#####/#####X#####/#####.#####/#####.#####/#####.#####/#####.#####/#####.#####","side":"black"}` + "\n"

// answers reads what solve wrote, without the times.
func answers(t *testing.T, out string) (all []solved) {
	t.Helper()
	for l := range strings.Lines(out) {
		var s solved
		if err := json.Unmarshal([]byte(l), &s); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		s.MS = 0
		all = append(all, s)
	}
	return all
}

func TestSolve(t *testing.T) {
	const three = "a1h8a3i8a5j8"
	// A win by fifteen threats, R2 of engine/threat.
	const long = "h8i9h7j8f8h9g9h10g11f10i10g10i8j9e10k9l9g8j10k7l6k8k6l10i7j6m9i5h4f7g6e6d5f5g4"
	for _, c := range []struct {
		args, in, id, result, move string
	}{
		// Three in a row: White has four fours to make, Black none.
		{"-side white " + three, "", "1", "VCF", "K8"},
		{"-game renju -side white " + three, "", "1", "VCF", "K8"},
		{"-side white -size 11 -mode vct " + three, "", "1", "VCT", "G8"},
		{"-mode vcf h8", "", "1", "NONE", ""},
		{"-game pente a1a3a2a4", "", "1", "NONE", ""},
		{"", strings.ReplaceAll(twos, "RULE", "freestyle"), "cross", "VCT", "F9"},
		{"", strings.ReplaceAll(twos, "RULE", "caro"), "cross", "VCT", "F9"},
		{"", strings.ReplaceAll(twos, "RULE", "pente"), "cross", "VCT", "F9"},
		{"", strings.ReplaceAll(twos, "RULE", "renju"), "cross", "NONE", ""},
		{"", strings.ReplaceAll(twos, "RULE", "omok"), "cross", "NONE", ""},
		{"-mode vcf", strings.ReplaceAll(twos, "RULE", "freestyle"), "cross", "NONE", ""},
		{"-nodes 100", strings.ReplaceAll(twos, "RULE", "renju"), "cross", "UNKNOWN", ""},
		{"-time 5ms -game renju " + long, "", "1", "UNKNOWN", ""},
		// A game that is over, and a board that has a five.
		{"a1b1a2b2a3b3a4b4a5", "", "1", "NONE", ""},
		{"", `{"rule":"standard","size":5,"board":"XXXXX/OOOO./...../...../.....","side":"white"}`, "1", "NONE", ""},
	} {
		status, out, errs := run(t, solving, t.TempDir(), c.in, strings.Fields(c.args)...)
		all := answers(t, out)
		if status != 0 || errs != "" || len(all) != 1 {
			t.Errorf("%s: %d %q %q", c.args, status, out, errs)
			continue
		}
		won := c.result == "VCF" || c.result == "VCT"
		if a := all[0]; a.ID != c.id || a.Result != c.result || a.Move != c.move || (a.Proof != "") != won || (len(a.Line) > 0) != won {
			t.Errorf("%s %s: %s", c.args, c.in, out)
		}
		// What it wrote stands before its own check.
		status, told, errs := run(t, solving, t.TempDir(), out, "-verify")
		if status != 0 || errs != "" || strings.Contains(told, "holds") != won {
			t.Errorf("%s: verify: %d %q %q", c.args, status, told, errs)
		}
	}
}

func TestSolveRows(t *testing.T) {
	for rows, want := range map[string]string{"top": "X..../...../...../...../.O...", "bottom": ".O.../...../...../...../X...."} {
		_, out, errs := run(t, solving, t.TempDir(), "", "-size", "5", "-rows", rows, "a1b5")
		if all := answers(t, out); len(all) != 1 || all[0].Board != want || all[0].Side != "black" {
			t.Errorf("%s: %s%s", rows, out, errs)
		}
	}
}

// Lines that are no positions are named and the others solved, in order, by any number of
// threads the same.
func TestSolveLines(t *testing.T) {
	in := strings.ReplaceAll(twos, "RULE", "freestyle") + "\n" + strings.ReplaceAll(twos, "RULE", "go") + "nonsense\n" +
		strings.ReplaceAll(strings.ReplaceAll(twos, "RULE", "renju"), "cross", "") +
		strings.ReplaceAll(strings.ReplaceAll(twos, "RULE", "standard"), ".X", "X")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.jsonl"), []byte(in), 0o666); err != nil {
		t.Fatal(err)
	}
	var first []solved
	for _, args := range []string{"", "-threads 3", "-i @/in.jsonl -threads 2 -memory 8", "-i @/in.jsonl"} {
		status, out, errs := run(t, solving, dir, in, strings.Fields(args)...)
		all := answers(t, out)
		if first == nil {
			first = all
		}
		if status != 1 || len(all) != 2 || all[0].ID != "cross" || all[1].ID != "5" || all[0].Result != "VCT" || all[1].Result != "NONE" {
			t.Errorf("%s: %d %s", args, status, out)
		} else if all[0].Proof != first[0].Proof || all[1].Nodes != first[1].Nodes && !strings.Contains(args, "memory") {
			t.Errorf("%s: %+v, not %+v", args, all, first)
		}
		lines := strings.Split(strings.TrimSuffix(errs, "\n"), "\n")
		for i, want := range []string{"tengen solve: line 3: ", "tengen solve: line 4: ", "tengen solve: line 6: row 3 has 10 points"} {
			if len(lines) != 3 || !strings.HasPrefix(lines[i], want) {
				t.Errorf("%s: %q", args, errs)
				break
			}
		}
	}
}

// A proof with a fault in it is refused, and so is one of another position.
func TestSolveVerify(t *testing.T) {
	in := strings.ReplaceAll(twos, "RULE", "freestyle")
	_, good, _ := run(t, solving, t.TempDir(), strings.Replace(in, "#####X#####/#####.#####", "#####X#####/XOOO.X.....", 1))
	if _, _, errs := run(t, solving, t.TempDir(), good, "-verify"); errs != "" {
		t.Fatal(errs)
	}
	claim := answers(t, good)[0]
	change := func(f func(*solved)) string {
		c := claim
		f(&c)
		b, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, c := range []struct{ line, says string }{
		{change(func(s *solved) { s.Proof = "" }), "is not a point"},
		{change(func(s *solved) { s.Proof = "F8" }), "line 1: cross: "},
		{change(func(s *solved) { s.Proof = "E5" }), "no win by fours"},
		{change(func(s *solved) { s.Proof += ")" }), "after the end"},
		{change(func(s *solved) { s.Move = "A9" }), "not the proof's"},
		{change(func(s *solved) { s.Line = s.Line[:1]; s.Line[0] = "A9" }), "not the proof's"},
		{change(func(s *solved) { s.Result = "NONE" }), "with a proof"},
		{change(func(s *solved) { s.Result = "WIN" }), `result "WIN"`},
		{change(func(s *solved) { s.Rule = "renju" }), "line 1: cross: "},
		{change(func(s *solved) { s.Side = "white" }), "line 1: cross: "},
		{in, `result ""`},
	} {
		status, out, errs := run(t, solving, t.TempDir(), c.line, "-verify")
		if status != 1 || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%s: %d %q %q, not %q", c.line, status, out, errs, c.says)
		}
	}
}

func TestSolveUsage(t *testing.T) {
	for _, c := range []struct {
		args, says string
		status     int
	}{
		{"-h", "usage: tengen solve", 0},
		{"-nonsense", "nonsense", 2},
		{"-game chess h8", `unknown game "chess"`, 2},
		{"-game go h8", "no rows", 2},
		{"-size 50 h8", "50", 2},
		{"-side red h8", `not "red"`, 2},
		{"-rows left h8", `not "left"`, 2},
		{"-mode mate h8", `unknown mode "mate"`, 2},
		{"-nodes -1 h8", "not negative", 2},
		{"-threads 0 h8", "-threads 0", 2},
		{"-memory 0 h8", "-memory 0", 2},
		{"-verify h8", "do not go", 2},
		{"-i none.jsonl", "none.jsonl", 1},
		{"h8 h99", "position 2: move 1", 1},
		{"h8h8", "position 1: move 2: H8 is occupied", 1},
	} {
		status, _, errs := run(t, solving, t.TempDir(), "", strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(errs, c.says) {
			t.Errorf("%s: %d, %q", c.args, status, errs)
		}
	}
}
