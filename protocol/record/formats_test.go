package record

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tengen/engine/game"
)

func variant(r game.Rule, size int) *game.Variant { return &game.Variant{Rule: r, Size: size} }

func TestNames(t *testing.T) {
	for _, c := range []struct {
		v    *game.Variant
		x, y int
		name string
	}{
		{variant(game.Renju, 15), 7, 7, "H8"},
		{variant(game.Renju, 15), 8, 6, "I9"},
		{variant(game.Weiqi, 19), 8, 0, "J19"},
		{variant(game.Weiqi, 19), 7, 18, "H1"},
		{variant(game.Weiqi, 25), 24, 0, "Z25"},
		{variant(game.Freestyle, 20), 19, 19, "T1"},
	} {
		q := game.At(c.x, c.y)
		if got := Name(q, *c.v); got != c.name {
			t.Errorf("%v: %s, not %s", c.v, got, c.name)
		}
		if got, err := ParseName(strings.ToLower(c.name), *c.v); got != q || err != nil {
			t.Errorf("%v: %s is %v, %v", c.v, c.name, got, err)
		}
	}
	for _, s := range []string{"i5", "z1", "t20", "", "5", "é1"} {
		if q, err := ParseName(s, *variant(game.Weiqi, 9)); err == nil {
			t.Errorf("%q is %v on a 9x9 Go board", s, q)
		}
	}
}

func TestLineFormats(t *testing.T) {
	for _, c := range []struct {
		f    Format
		in   string
		o    Options
		main string
	}{
		{Pos, "h8i9j10", Options{}, "B H8 W I9 B J10"},
		{Pos, " H8, I9\tJ10 ", Options{}, "B H8 W I9 B J10"},
		{Pos, "h8i9j10", Options{RowsFromTop: true}, "B H8 W I7 B J6"},
		{Pos, "k10passj9", Options{Variant: variant(game.Weiqi, 0)}, "B K10 W pass B J9"},
		{Pos, "d3e5", Options{Variant: variant(game.Freestyle, 20), RowsFromTop: true}, "B D18 W E16"},
		{Pos, "a1b1c1a1", Options{Variant: variant(game.Pente, 0)}, "B A1 W B1 B C1 W A1"},
		{URL, "#renju/15/h8h9i10", Options{}, "B H8 W H9 B I10"},
		{URL, "https://x.org/play#go/9/e5", Options{}, "B E5"},
		{URL, "#freestyle/20/", Options{}, ""},
		{Offset, "0,0, 1,0, 1,3", Options{Variant: variant(game.Freestyle, 20)}, "B K10 W L10 B L7"},
		{Offset, "-6,-8,-5,-9,-2,-9", Options{Variant: variant(game.Freestyle, 20)}, "B E18 W F19 B I19"},
		{Offset, "0,0 1,-1", Options{}, "B H8 W I9"},
	} {
		tr := read(t, c.f, c.in+"\r\n", c.o)
		if got := main(t, tr); got != c.main {
			t.Errorf("%s %q: %s, not %s", c.f, c.in, got, c.main)
		}
	}
}

func TestManyLines(t *testing.T) {
	ts, err := Read(Pos, []byte("# openings\n\nh8\n  i9j10\n"), Options{})
	if err != nil || len(ts) != 2 {
		t.Fatal(ts, err)
	}
	var w bytes.Buffer
	if err := Write(&w, Offset, ts, Options{}); err != nil || w.String() != "0,0\n1,-1, 2,-2\n" {
		t.Errorf("%q %v", w.String(), err)
	}
	w.Reset()
	if err := Write(&w, URL, ts, Options{}); err != nil || w.String() != "#freestyle/15/h8\n#freestyle/15/i9j10\n" {
		t.Errorf("%q %v", w.String(), err)
	}
	w.Reset()
	if err := Write(&w, Pos, ts, Options{RowsFromTop: true}); err != nil || w.String() != "h8\ni7j6\n" {
		t.Errorf("%q %v", w.String(), err)
	}
}

// The openings that others collected are all read.
func TestOpeningFiles(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "data", "openings")
	for _, c := range []struct {
		file  string
		v     *game.Variant
		games int
	}{
		{"balanced_renju_15.txt", variant(game.Renju, 15), 240},
		{"freestyle_20_piskvork.txt", variant(game.Freestyle, 20), 41},
		{"freestyle_20_cgomokucli.txt", variant(game.Freestyle, 20), 4},
	} {
		data, err := os.ReadFile(filepath.Join(root, c.file))
		if err != nil {
			t.Skip(err)
		}
		ts, err := Read(Pos, data, Options{Variant: c.v})
		if err != nil || len(ts) != c.games {
			t.Errorf("%s: %d games, %v", c.file, len(ts), err)
		}
	}
}

const psqGame = `Piskvorky 15x15, 11:11, 1
8,8,120
9,7,4500
15,1,0
pbrain-second
pbrain-first
0
`

func TestPSQ(t *testing.T) {
	tr := read(t, PSQ, psqGame, Options{})
	if got := main(t, tr); got != "B H8 W I9 B O15" {
		t.Error(got)
	}
	if tr.Black != "pbrain-first" || tr.White != "pbrain-second" {
		t.Errorf("%s - %s", tr.Black, tr.White)
	}
	var w bytes.Buffer
	if err := Write(&w, PSQ, []*Tree{tr}, Options{}); err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(", 1\n", ", 0\n", "pbrain-second\npbrain-first", "pbrain-first\npbrain-second").Replace(psqGame)
	if d := cmp.Diff(want, w.String()); d != "" {
		t.Error(d)
	}

	for _, c := range []struct{ tail, result, rule string }{
		{"0\n", "", "freestyle"},
		{"-1\n", "", "freestyle"},
		{"a\nb\n15\n", "W+Time", "freestyle"},
		{"a\nb\n0\n1,Renju\n", "", "renju"},
		{"a\nb\n0\n1,unheard of\n", "", "freestyle"},
	} {
		head := "Piskvorky 20x20, 0:0, 0\n1,1,5\n2,2,6\n"
		tr := read(t, PSQ, head+c.tail, Options{})
		if tr.Result != c.result || tr.Variant.Rule.String() != c.rule {
			t.Errorf("%q: %s %s", c.tail, tr.Result, tr.Variant.Rule)
		}
		w.Reset()
		if err := Write(&w, PSQ, []*Tree{tr}, Options{}); err != nil || w.String() != head+c.tail {
			t.Errorf("%q: written as %q, %v", c.tail, w.String(), err)
		}
		// By way of SGF nothing is lost either.
		w.Reset()
		if err := Write(&w, SGF, []*Tree{tr}, Options{}); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tr, read(t, SGF, w.String(), Options{})); d != "" {
			t.Error(d)
		}
	}
}

func TestRec(t *testing.T) {
	tr := read(t, Rec, "first.exe\r\nsecond.zip\r\n10,9,33\r\n0,19,44\r\n0\r\n", Options{})
	if got := main(t, tr); got != "B K11 W A1" || tr.Black != "first.exe" || tr.Variant.Size != 20 {
		t.Error(got, tr)
	}
}

func TestBrokenLines(t *testing.T) {
	const head = "Piskvorky 15x15, 0:0, 0\n"
	for _, c := range []struct {
		f       Format
		in, err string
	}{
		{Pos, "", "line 1: there is no game in it"},
		{Pos, "h8\nh8h16", `line 2: move 2: "h16" is not a point of a 15x15 board`},
		{Pos, "h8h8", "line 1: move 2: H8 is occupied"},
		{Pos, "h8hh", `line 1: move 2: "h" is not a point`},
		{Pos, "h8?", `line 1: move 2: "?" is not a point`},
		{Pos, "h88888", `line 1: move 1: "h888" is not a point of a 15x15 board`},
		{Offset, "0,0, 1", "line 1: 3 numbers are no pairs of column and row"},
		{Offset, "0,0, 8,0", "line 1: stone 2: 8,0 from the centre is off the 15x15 board"},
		{Offset, "0,0, 0,0", "line 1: stone 2: H8 is occupied"},
		{Offset, "0,,0", "line 1: a comma without a number before it"},
		{Offset, "0,0,", "line 1: a comma at the end"},
		{Offset, "0,x", `line 1: "x" is not a number`},
		{Offset, "99999999999999999999,1", `line 1: "99999999999999999999" is not a number`},
		{URL, "h8", "line 1: a position in a URL is #game/size/moves"},
		{URL, "x#chess/8/e2", "line 1: unknown game \"chess\" (one of freestyle, standard, renju, caro, caro6, omok, pente, keryo, go)"},
		{URL, "#renju/99/h8", "line 1: a board of 99x99 is not between 2x2 and 25x25"},
		{PSQ, "", "line 1: there is no game in it"},
		{PSQ, "Piskvorky 15x16, 0:0, 0\n0\n", "line 1: the board is 15x16, not square"},
		{PSQ, "Piskvorky 30x30, 0:0, 0\n0\n", "line 1: a board of 30x30 is not between 2x2 and 25x25"},
		{PSQ, "piskvork\n", `line 1: a psq file begins with "Piskvorky 15x15, 0:0, 0"`},
		{PSQ, head + "0,1,5\n0\n", "line 2: 0,1 is off the 15x15 board"},
		{PSQ, head + "1,1,5\n16,1,5\n0\n", "line 3: 16,1 is off the 15x15 board"},
		{PSQ, head + "1,1,5\n1,1,5\n0\n", "line 3: A15 is occupied"},
		{PSQ, head + "1,1,5\n", "line 3: the file ends without the line of the error code"},
		{PSQ, head + "1,1,5\na\nb\n", `line 3: "a" is neither a move nor the last lines of a psq file (two names and an error code)`},
		{PSQ, head + "1,1,5\nwhat\n", `line 3: "what" is not an error code`},
		{PSQ, head + "1,1,5\n2,x,5\n3,3,5\n0\n", `line 3: "2,x,5" is neither a move nor the name of a player`},
		{PSQ, head + "1,1,5\n2,x,5\n3,3,5\n4,4,4\n5,5,5\n0\n", `line 3: "2,x,5" is neither a move nor the last lines of a psq file (two names and an error code)`},
		{Rec, "a\nb\n", "line 3: a rec file has two names, the moves and an error code"},
		{Rec, "a\n1,1,1\n0\n", `line 2: "1,1,1" is not the name of a player, with which a rec file begins`},
		{Rec, "a\nb\n20,1,1\n0\n", "line 3: 20,1 is off the 20x20 board"},
		{Rec, "a\nb\n1,1,1\n", "line 4: the file ends without the line of the error code"},
		{Rec, "a\nb\n1,1,1\n0\nx\n", `line 5: "x" after the error code`},
	} {
		ts, err := Read(c.f, []byte(c.in), Options{})
		if err == nil || err.Error() != c.err {
			t.Errorf("%s %q: %v\nnot %s", c.f, c.in, err, c.err)
		}
		if ts != nil {
			t.Errorf("%s %q: something was returned", c.f, c.in)
		}
	}
}

// What a format has no words for is refused.
func TestCannotSay(t *testing.T) {
	for _, c := range []struct {
		f        Format
		sgf, err string
	}{
		{PSQ, "(;GM[4];B[aa](;W[bb])(;W[cc]))", "the game has variations; choose one line"},
		{PSQ, "(;GM[4]AB[aa];W[bb])", "the format has no words for placed stones"},
		{PSQ, "(;GM[4]PL[W])", "the format has no words for placed stones"},
		{PSQ, "(;GM[4];B[aa];B[bb])", "move 2 is Black's, out of turn, and the format has no words for it"},
		{PSQ, "(;GM[4];B[aa];W[])", "move 2 is a pass, and psq has no word for it"},
		{Offset, "(;GM[4];B[])", "game 1: move 1 is a pass, and offsets have no word for it"},
		{PSQ, "(;GM[4])(;GM[4])", "psq holds one game, not 2"},
		{Rec, "(;GM[4])", "rec is read, not written"},
		{RenLib, "(;GM[4])", "lib is read, not written"},
	} {
		ts, err := Read(SGF, []byte(c.sgf), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(&bytes.Buffer{}, c.f, ts, Options{}); err == nil || err.Error() != c.err {
			t.Errorf("%s as %s: %v, not %s", c.sgf, c.f, err, c.err)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"x.sgf", "", "sgf"}, {"X.PSQ", "", "psq"}, {"a/b.rec", "", "rec"}, {"a.lib", "", "lib"},
		{"-", "\ufeff (;GM[4])", "sgf"}, {"-", psqGame, "psq"}, {"-", renLibMagic, "lib"},
		{"x.txt", "# c\n0,0, 1,0\n", "offset"}, {"x.txt", "\nh8 i9\n", "pos"}, {"-", "H8i9passj1", "pos"},
		{"-", "#renju/15/h8", "url"}, {"-", "http://a.b/c#go/9/e5", "url"},
	} {
		f, err := Detect(c.name, []byte(c.data))
		if err != nil || f.String() != c.want {
			t.Errorf("%s %q: %v %v, not %s", c.name, c.data, f, err, c.want)
		}
	}
	for _, s := range []string{"", "hello world", "# only\n"} {
		if f, err := Detect("-", []byte(s)); err == nil {
			t.Errorf("%q is %s", s, f)
		}
	}
}

func TestPlainRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := game.Variant{Rule: genRules.Draw(t, "rule"), Size: rapid.IntRange(2, game.MaxSize).Draw(t, "size")}
		f := rapid.SampledFrom([]Format{Pos, Offset, URL, PSQ}).Draw(t, "format")
		o := Options{Variant: &v, RowsFromTop: rapid.Bool().Draw(t, "from top")}
		rec := &game.Record{Variant: v}
		points := rapid.Permutation(boardPoints(v.Size)).Draw(t, "points")
		c := game.Black
		for _, q := range points[:rapid.IntRange(1, min(9, len(points))).Draw(t, "moves")] {
			if (f == Pos || f == URL) && rapid.IntRange(0, 5).Draw(t, "pass") == 0 {
				q = game.Pass
			}
			rec.Moves = append(rec.Moves, game.Move{Color: c, Point: q})
			c = c.Other()
		}
		tr, _ := FromRecord(rec)
		var w bytes.Buffer
		if err := Write(&w, f, []*Tree{tr}, o); err != nil {
			t.Fatal(err)
		}
		again, err := Read(f, w.Bytes(), o)
		if err != nil {
			t.Fatalf("%v in %q", err, w.String())
		}
		if d := cmp.Diff([]*Tree{tr}, again); d != "" {
			t.Fatalf("%s in %q", d, w.String())
		}
	})
}

// lib builds a library from its header and bytes.
func lib(body ...string) string {
	return renLibMagic + "\x03\x04" + strings.Repeat("\xff", 10) + strings.Join(body, "")
}

func TestRenLib(t *testing.T) {
	for _, c := range []struct {
		name, file string
		lines      []string
	}{
		{"nothing at all", lib(), []string{""}},
		{"a lone root", lib("\x00\x00"), []string{""}},
		{"one line", lib("\x00\x00", "\x78\x00", "\x69\x40"), []string{"B H8 W I9"}},
		{"3.0 without a root", strings.Replace(lib("\x78\x00", "\x69\x40"), "\x03\x04", "\x03\x00", 1), []string{"B H8 W I9"}},
		// H8, then (H9, then (I9) or (I10)) or (I9)
		{"variations", lib("\x00\x00", "\x78\x00", "\x68\x80", "\x69\xC0", "\x59\x40", "\x69\x40"),
			[]string{"B H8 W H9 B I9", "B H8 W H9 B I10", "B H8 W I9"}},
		{"a pass", lib("\x00\x00", "\x78\x00", "\x00\x00", "\x69\x40"), []string{"B H8 W pass B I9"}},
		{"corners", lib("\x00\x00", "\x01\x00", "\xEF\x40"), []string{"B A15 W O1"}},
	} {
		tr := read(t, RenLib, c.file, Options{})
		var got []string
		for l := range tr.Lines() {
			got = append(got, moves(tr, l))
		}
		if d := cmp.Diff(c.lines, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func TestRenLibTexts(t *testing.T) {
	tr := read(t, RenLib, lib(
		"\x00\x08", "root\x00\x00", // even: a zero and a filling
		"\x78\x1C", "odd\x00", // marked, start, a comment
		"\x69\xC9\x00\x01", "\xce\xe5\x08two\r\nlines\x00", "A:1\x00", // GBK, both kinds of comment, a board text
		"\x59\x43\x00\x01", "b\x00", // a board text that is no move
	), Options{})
	first := tr.Root.Children[0]
	second := first.Children[0]
	if tr.Root.Comment != "root" || first.Comment != "odd" || second.Comment != "五\ntwo\nlines" || len(first.Children) != 1 {
		t.Errorf("%q %q %q", tr.Root.Comment, first.Comment, second.Comment)
	}
	want := []Property{{"HO", []string{"1"}}, {"RLS", []string{""}}, {"LB", []string{`ig:A\:1`, "if:b"}}}
	if d := cmp.Diff(want, first.Props); d != "" {
		t.Error(d)
	}
	tr = read(t, RenLib, lib("\x00\x00", "\x78\x60", "f}\xfc\x00"), Options{})
	if got := tr.Root.Children[0].Comment; got != "fåö" { // 0xfc & 0x7f is the bar that stood for ö
		// the text ends with its first byte above 7F, at an odd length: one byte of filling
		t.Errorf("%q", got)
	}
}

func TestRenLibErrors(t *testing.T) {
	for _, c := range []struct{ name, file, err string }{
		{"no file", "", "byte 0: a RenLib library begins with FF, RenLib, FF and is at least 20 bytes long"},
		{"half a header", lib()[:19], "byte 0: a RenLib library begins with FF, RenLib, FF and is at least 20 bytes long"},
		{"a newer version", strings.Replace(lib(), "\x03\x04", "\x03\x05", 1), "byte 8: version 3.5 is not one that is known (3.0 to 3.4)"},
		{"cut in a move", lib("\x00\x00", "\x78"), "byte 22: the library ends inside a move"},
		{"cut in an extension", lib("\x00\x00", "\x78\x41\x00"), "byte 24: the library ends inside a move"},
		{"cut after a move", lib("\x00\x00", "\x78\x00"), "byte 24: the library ends where a move is due"},
		{"cut before a sibling", lib("\x00\x00", "\x78\xC0"), "byte 24: the library ends where a move is due"},
		{"cut in a comment", lib("\x00\x00", "\x78\x48abc"), "byte 24: the library ends inside a text"},
		{"cut in the filling", lib("\x00\x00", "\x78\x48ab\x00"), "byte 24: the library ends inside a text"},
		{"cut in an old comment", lib("\x00\x00", "\x78\x60abc"), "byte 24: the library ends inside a text"},
		{"more than the tree", lib("\x00\x00", "\x78\x40", "\x69\x40"), "byte 24: moves follow the end of the tree"},
		{"root with a sibling", lib("\x00\x80"), "byte 20: the root has a sibling"},
		{"off the board", lib("\x00\x00", "\x70\x40"), "byte 22: 70 is not a point"},
		{"off the board below", lib("\x00\x00", "\xF1\x40"), "byte 22: F1 is not a point"},
		{"occupied", lib("\x00\x00", "\x78\x00", "\x69\x00", "\x78\x40"), "byte 26: H8 is occupied"},
		{"moves after a text", lib("\x00\x00", "\x78\x03\x00\x01", "a\x00", "\x69\x40"), "byte 22: moves follow a text that is no move"},
		{"unknown extension", lib("\x00\x00", "\x78\x41\x00\x02"), "byte 24: an extension that is not known"},
		{"two comments", lib("\x00\x00", "\x78\x68a\x00"), "byte 24: a comment that is both old and new"},
	} {
		ts, err := Read(RenLib, []byte(c.file), Options{})
		if err == nil || err.Error() != c.err {
			t.Errorf("%s: %v\nnot %s", c.name, err, c.err)
		}
		if ts != nil {
			t.Errorf("%s: something was returned", c.name)
		}
	}
	// Free again in another variation.
	if _, err := Read(RenLib, []byte(lib("\x00\x00", "\x78\x00", "\x69\x80", "\x59\x40", "\x59\x00", "\x69\x40")), Options{}); err != nil {
		t.Error(err)
	}
}

func FuzzPSQ(f *testing.F) {
	f.Add([]byte(psqGame))
	f.Add([]byte("Piskvorky 20x20, 0:0, 0\n1,1,5\n2,2,6\na\nb\n0\n1,Renju\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		again(t, PSQ, SGF, data, Options{})
		again(t, Rec, SGF, data, Options{})
	})
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("h8i9j10\n# c\npassa1"), uint8(Pos), uint8(15), false)
	f.Add([]byte("0,0, 1,0, 1,3\n-6,-8,-5,-9"), uint8(Offset), uint8(20), true)
	f.Add([]byte("#go/9/e5passd4"), uint8(URL), uint8(0), true)
	f.Fuzz(func(t *testing.T, data []byte, format, size uint8, top bool) {
		form := []Format{Pos, Offset, URL}[format%3]
		o := Options{RowsFromTop: top}
		if form != URL {
			o.Variant = variant(game.Rule(size)%game.NumRules, int(size))
		}
		again(t, form, SGF, data, o)
		if _, err := Detect("", data); err != nil {
			return
		}
	})
}

func FuzzRenLib(f *testing.F) {
	f.Add([]byte("\x00\x00\x78\x00\x68\x80\x69\xC0\x59\x40\x69\x40"))
	f.Add([]byte("\x00\x08root\x00\x00\x78\x1Codd\x00\x69\xC9\x00\x01\xce\xe5\x08t\r\n\x00A:1\x00\x59\x43\x00\x01b\x00"))
	f.Fuzz(func(t *testing.T, body []byte) { again(t, RenLib, SGF, []byte(lib(string(body))), Options{}) })
}
