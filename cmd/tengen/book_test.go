package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func booking(args []string, in *strings.Reader, out, errs *bytes.Buffer) int {
	return bookCommand(args, in, out, errs)
}

func generating(args []string, in *strings.Reader, out, errs *bytes.Buffer) int {
	return openGen(args, in, out, errs)
}

const quick = " -nodes 200 -lines 3 -memory 1 "

// A book from its first position to its export.
func TestBook(t *testing.T) {
	dir := t.TempDir()
	do := func(args string) (out, errs string) {
		t.Helper()
		status, out, errs := run(t, booking, dir, "", strings.Fields(args)...)
		if status != 0 {
			t.Fatalf("%s: %d %s", args, status, errs)
		}
		return out, errs
	}
	do("build -game renju -positions 30" + quick + "@/a.book")
	do("build -game freestyle -size 20 -positions 12" + quick + "@/a.book")
	if out, _ := do("query @/a.book"); out != "freestyle 20x20      12 positions    0 offers\nrenju 15x15          30 positions    0 offers\n" {
		t.Errorf("%q", out)
	}
	a, _ := do("query -game renju @/a.book h8h9i9") // Kagetsu, and as it lies otherwise
	b, _ := do("query -game renju @/a.book h8h7g7")
	if !strings.Contains(a, "from Kagetsu") || !strings.Contains(b, "from Kagetsu") || strings.Count(a, "\n") != strings.Count(b, "\n") {
		t.Errorf("%q, %q", a, b)
	}
	if out, _ := do("verify @/a.book"); !strings.Contains(out, "renju 15x15: 30 positions, 0 offers, sound\n") {
		t.Errorf("%q", out)
	}
	if out, _ := do("verify -deeper 2 -sample 5 @/a.book"); strings.Count(out, " of 5 would change") != 2 {
		t.Errorf("%q", out)
	}
	text, _ := do("export @/a.book")
	if n := strings.Count(text, "\n"); n != 43 || !strings.Contains(text, "\tKagetsu\n") {
		t.Errorf("%d lines: %s", n, text)
	}
	do("export -game renju @/a.book @/a.sgf")
	sgf, err := os.ReadFile(filepath.Join(dir, "a.sgf"))
	if err != nil || strings.Count(string(sgf), "from Kagetsu") != 1 || !strings.HasPrefix(string(sgf), "(;FF[4]") {
		t.Errorf("%v %s", err, sgf)
	}
	// What was exported is read as games, and all of it is known already.
	_, errs := do("extend -game renju -from @/a.sgf -plies 3" + quick + "@/a.book")
	if !strings.Contains(errs, " positions of renju") {
		t.Errorf("%q", errs)
	}
	// The same command adds nothing.
	before, _ := do("query @/a.book")
	do("extend -game renju -from @/a.sgf -plies 3" + quick + "@/a.book")
	if after, _ := do("query @/a.book"); after != before {
		t.Errorf("%q, then %q", before, after)
	}
}

// A library of RenLib gives its positions to a book.
func TestBookFromRenLib(t *testing.T) {
	dir := t.TempDir()
	// H8, then H9 or I9: points as RenLib has them, column from 1 and row from 0 at the top.
	lib := "\xffRenLib\xff\x03\x00" + strings.Repeat("\x00", 10) + "\x78\x00\x68\xc0\x69\x40"
	if err := os.WriteFile(filepath.Join(dir, "a.lib"), []byte(lib), 0o666); err != nil {
		t.Fatal(err)
	}
	status, _, errs := run(t, booking, dir, "", strings.Fields("extend -game renju -from @/a.lib"+quick+"@/a.book")...)
	if status != 0 || !strings.Contains(errs, "4 positions of renju") {
		t.Errorf("%d %s", status, errs)
	}
	status, out, errs := run(t, booking, dir, "", strings.Fields("query -game renju @/a.book h8i9")...)
	if status != 0 || !strings.Contains(out, "from a.lib") {
		t.Errorf("%d %s %s", status, out, errs)
	}
}

func TestBookSwap2(t *testing.T) {
	dir := t.TempDir()
	status, _, errs := run(t, booking, dir, "", strings.Fields("build -game standard -swap2 3 -deeper 2 -window 60"+quick+"@/s.book")...)
	if status != 0 || !strings.Contains(errs, "of standard 15x15, 3 of them offers") {
		t.Errorf("%d %s", status, errs)
	}
	// What is offered was chosen by the search that looks at it now.
	status, out, errs := run(t, booking, dir, "", strings.Fields("verify -deeper 2 -memory 1 -source swap2 @/s.book")...)
	if status != 0 || !strings.Contains(out, "swap2 three: 0 of ") || !strings.Contains(out, "swap2 five: 0 of 3 would change") {
		t.Errorf("%d %s %s", status, out, errs)
	}
	status, out, errs = run(t, booking, dir, "", strings.Fields("verify -deeper 2 -lie 5 -memory 1 -source swap2 @/s.book")...)
	if status != 0 || !strings.Contains(out, "swap2 three: ") {
		t.Errorf("%d %s %s", status, out, errs)
	}
	if status, _, errs := run(t, generating, dir, "", strings.Fields("-game standard -stones 3 -n 120 -window 60 -nodes 200 -memory 1 -o @/three.pos")...); status != 0 {
		t.Fatal(errs)
	}
	// Those without a sure answer are passed over.
	status, _, errs = run(t, booking, dir, "", strings.Fields("build -game standard -swap2 2 -window 500 -from @/three.pos"+quick+"@/own.book")...)
	if status != 0 || !strings.Contains(errs, "of standard 15x15, 2 of them offers") {
		t.Errorf("%d %s", status, errs)
	}
	// Offers that were found with other nodes are looked at again.
	status, _, errs = run(t, booking, dir, "", strings.Fields("build -game standard -review -window 0 -nodes 300 -lines 1 -memory 1 @/own.book")...)
	if status != 0 || !strings.Contains(errs, "of standard 15x15, 0 of them offers") {
		t.Errorf("%d %s", status, errs)
	}
}

func TestBookFaults(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bad.book"), []byte("Piskvorky 15x15, 0:0, 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.pos"), []byte("h8h9\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]struct {
		status int
		errs   string
	}{
		"query @/bad.book":                                     {1, "tengen book query: @/bad.book: this is no book of tengen\n"},
		"verify @/none.book":                                   {1, "tengen book verify: open @/none.book: no such file or directory\n"},
		"build -game renju @/bad.book":                         {1, "tengen book build: @/bad.book: this is no book of tengen\n"},
		"build @/a.book":                                       {2, "tengen book build: -game is missing\n"},
		"build -game go @/a.book":                              {2, "tengen book build: books are of line games\n"},
		"build -game chess @/a.book":                           {2, "tengen book build: unknown game \"chess\" (one of freestyle, standard, renju, caro, caro6, omok, pente, keryo, go)\n"},
		"build -game renju -nodes 0 @/a.book":                  {1, "tengen book build: a search of 0 nodes\n"},
		"verify -lie 8 start":                                  {2, "tengen book verify: -lie 8: from 0 to 7\n"},
		"build -game standard -games 9 @/a.book":               {2, "tengen book build: -games 9: from 0 to 8\n"},
		"build -game standard -games 2 -play 0 @/a.book":       {2, "tengen book build: -play 0: at least 1 node\n"},
		"build -game renju":                                    {2, "tengen book build: 0 arguments behind the flags\n"},
		"build -game renju -memory 0 @/a.book":                 {2, "tengen book build: -memory 0: from 1 to 2047 MB\n"},
		"extend -game renju @/a.book":                          {2, "tengen book extend: -from is missing\n"},
		"extend -game renju -from @/none.sgf @/a.book":         {1, "tengen book extend: open @/none.sgf: no such file or directory\n"},
		"extend -game renju -rows left -from @/a.pos @/a.book": {2, "tengen book extend: -rows is bottom or top, not \"left\"\n"},
		"query -game standard start a1a2a3a4a5":                {1, "tengen book query: the position is not in the book\n"},
		"query -game standard start h8h8":                      {2, "tengen book query: move 2: H8 is occupied\n"},
		"export -to psq start":                                 {2, "tengen book export: -to is text or sgf, not \"psq\"\n"},
	} {
		status, out, errs := run(t, booking, dir, "", strings.Fields(args)...)
		if status != want.status || out != "" || errs != want.errs {
			t.Errorf("%s: %d %q %q, not %d %q", args, status, out, errs, want.status, want.errs)
		}
	}
	for args, status := range map[string]int{"": 2, "shelve": 2, "-h": 0} {
		got, _, errs := run(t, booking, dir, "", strings.Fields(args)...)
		if got != status || !strings.HasPrefix(errs, "usage: tengen book build") {
			t.Errorf("%q: %d %q", args, got, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "a.book")); err == nil {
		t.Error("a command that failed has written a book")
	}
}

func TestOpenGen(t *testing.T) {
	dir := t.TempDir()
	const few = "-n 4 -nodes 200 -window 80 -memory 1 "
	status, out, errs := run(t, generating, dir, "", strings.Fields(few+"-game renju -stones 4-6 -play 20")...)
	if status != 0 || strings.Count(out, "\n") != 4 {
		t.Fatalf("%d %q %q", status, out, errs)
	}
	for _, want := range []string{"4 openings of renju 15x15, ", "4 of 4 within 80\n", "played out: Black "} {
		if !strings.Contains(errs, want) {
			t.Errorf("no %q in %q", want, errs)
		}
	}
	_, again, _ := run(t, generating, dir, "", strings.Fields(few+"-game renju -stones 4-6")...)
	_, other, _ := run(t, generating, dir, "", strings.Fields(few+"-game renju -stones 4-6 -seed 2")...)
	if again != out || other == out {
		t.Errorf("%q, again %q, with another seed %q", out, again, other)
	}
	// All formats hold the same openings, which are read again.
	for _, name := range []string{"o.pos", "o.offset", "o.sgf"} {
		if status, out, errs := run(t, generating, dir, "", strings.Fields(few+"-game renju -stones 4-6 -o @/"+name)...); status != 0 || out != "" {
			t.Fatalf("%s: %d %q", name, status, errs)
		}
		status, back, errs := run(t, converting, dir, "", "-variant", "renju/15", "-to", "pos", "@/"+name)
		if status != 0 || back != out {
			t.Errorf("%s: %q %q, not %q", name, back, errs, out)
		}
		status, _, errs = run(t, generating, dir, "", strings.Fields("-i @/"+name+" -game renju -nodes 200 -window 80 -memory 1")...)
		if status != 0 || !strings.Contains(errs, "4 of 4 within 80\n") {
			t.Errorf("%s: %d %q", name, status, errs)
		}
	}
	for args, want := range map[string]string{
		"-stones 7-5": "\"7-5\" is neither a number nor two like 5-7\n",
		"-stones 0":   "openings of 0 to 0 stones: from 1 to 50\n",
		"-n 0":        "-n 0: at least 1\n",
		"-game go":    "openings are drawn for line games\n",
		"-to psq":     "openings are written as pos, offset or sgf, not as psq\n",
		"-spread 1":   "stones in a square of side 1: from 2 to 25\n",
		"-memory 0":   "-memory 0: from 1 to 2047 MB\n",
		"-play -1":    "-play -1: nodes are not negative\n",
		"-size 4":     "unsupported board size 4 (5 to 22)\n",
		"what":        "what is \"what\"?\n",
	} {
		status, out, errs := run(t, generating, dir, "", strings.Fields(args)...)
		if status != 2 || out != "" || errs != "tengen opengen: "+want {
			t.Errorf("%s: %d %q %q, not %q", args, status, out, errs, want)
		}
	}
}
