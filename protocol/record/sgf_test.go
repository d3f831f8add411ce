package record

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/text/encoding/simplifiedchinese"
	"pgregory.net/rapid"

	"tengen/engine/game"
)

func read(t *testing.T, f Format, s string, o Options) *Tree {
	t.Helper()
	ts, err := Read(f, []byte(s), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(ts) != 1 {
		t.Fatalf("%d games, not one", len(ts))
	}
	return ts[0]
}

// moves writes a line as "B H8 W I9".
func moves(t *Tree, line []*Node) string {
	var s []string
	for _, n := range line {
		if n.Move.Point != game.NoPoint {
			s = append(s, sgfColor(n.Move.Color), Name(n.Move.Point, t.Variant))
		}
	}
	return strings.Join(s, " ")
}

func main(t *testing.T, tr *Tree) string {
	t.Helper()
	line, err := tr.Line()
	if err != nil {
		t.Fatal(err)
	}
	return moves(tr, line)
}

func TestSGFGames(t *testing.T) {
	for _, c := range []struct{ sgf, game, main string }{
		{"(;GM[1]FF[4]SZ[9];B[ee];W[])", "go 9x9", "B E5 W pass"},
		{"(;GM[1];B[pd];W[tt])", "go 19x19", "B Q16 W pass"},
		{"(;B[ii])", "go 19x19", "B J11"},
		{"(;GM[4]SZ[15];B[hh];W[ig])", "freestyle 15x15", "B H8 W I9"},
		{"(;GM[4]RU[renju]SZ[15:15];B[hh])", "renju 15x15", "B H8"},
		{"(;GM[4]RU[4];B[hh])", "renju 15x15", "B H8"},
		{"(;GM[4]SZ[20];B[tt])", "freestyle 20x20", "B T1"},
		{"(;GM[1]RU[Pente]SZ[19];B[jj])", "pente 19x19", "B J10"},
		{"(;GaMe[1]SiZe[5];Black[aa]\n;White[ee])", "go 5x5", "B A5 W E1"},
		{" \n(\n;\nGM [1] SZ\n[9]\n;B\n[aa]\n)\n", "go 9x9", "B A9"},
	} {
		tr := read(t, SGF, c.sgf, Options{})
		if got := tr.Variant.String(); got != c.game {
			t.Errorf("%s: %s, not %s", c.sgf, got, c.game)
		}
		if got := main(t, tr); got != c.main {
			t.Errorf("%s: %s, not %s", c.sgf, got, c.main)
		}
	}
}

func TestSGFText(t *testing.T) {
	for _, c := range []struct{ raw, text string }{
		{`plain`, "plain"},
		{`a\]b\\c\:d`, `a]b\c:d`},
		{"soft\\\nbreak", "softbreak"},
		{"soft\\\r\nbreak", "softbreak"},
		{"hard\nbreak", "hard\nbreak"},
		{"hard\r\nbreak\rand", "hard\nbreak\nand"},
		{"tab\tand\vvt", "tab and vt"},
		{`wei\ß`, "weiß"},
	} {
		tr := read(t, SGF, "(;GM[4]C["+c.raw+"])", Options{})
		if tr.Root.Comment != c.text {
			t.Errorf("%q: %q, not %q", c.raw, tr.Root.Comment, c.text)
		}
	}
	tr := read(t, SGF, "(;GM[1]PB[two\nlines \\] ]PW[x\\\ny]KM[6.5]HA[2]RE[W+Resign]RU[Japanese])", Options{})
	want := &Tree{Variant: game.Variant{Rule: game.Weiqi, Size: 19}, Black: "two lines ]", White: "xy",
		Komi: 6.5, HasKomi: true, Handicap: 2, Result: "W+Resign", Rules: "Japanese", Root: NewNode()}
	if d := cmp.Diff(want, tr); d != "" {
		t.Error(d)
	}
}

func TestSGFEncodings(t *testing.T) {
	gbk, _ := simplifiedchinese.GBK.NewEncoder().String("五子棋，黑胜")
	for _, c := range []struct{ name, file, enc, text string }{
		{"UTF-8 named", "(;GM[4]CA[UTF-8]C[天元 é])", "", "天元 é"},
		{"UTF-8 with a mark", "\ufeff(;GM[4]C[天元])", "", "天元"},
		{"UTF-8 not named", "(;GM[4]C[天元])", "", "天元"},
		{"Latin-1 named", "(;GM[4]CA[ISO-8859-1]C[caf\xe9])", "", "café"},
		{"Latin-1 not named", "(;GM[4]C[M\xfcller, \xe9t\xe9])", "", "Müller, été"},
		{"GBK named", "(;GM[4]CA[gb2312]C[" + gbk + "])", "", "五子棋，黑胜"},
		{"GBK not named", "(;GM[4]C[" + gbk + "])", "", "五子棋，黑胜"},
		{"GBK by option", "(;GM[4]C[" + gbk + "])", "gbk", "五子棋，黑胜"},
		{"a backslash as a second byte", "(;GM[4]CA[GBK]C[\x81\x5c\x81\x5d])", "", "乗乚"},
	} {
		tr := read(t, SGF, c.file, Options{Encoding: c.enc})
		if c.name == "a backslash as a second byte" {
			s, _ := simplifiedchinese.GBK.NewDecoder().String("\x81\x5c\x81\x5d")
			c.text = s
		}
		if tr.Root.Comment != c.text {
			t.Errorf("%s: %q, not %q", c.name, tr.Root.Comment, c.text)
		}
	}
	for _, c := range []struct{ file, err string }{
		{"(;GM[4]CA[UTF-8]\nC[\xff])", "line 2: the text is not valid UTF-8"},
		{"(;GM[4]CA[klingon]C[\xff])", `the character set "klingon" is unknown`},
		{"(;GM[4]CA[gbk]\n\nC[\xff\xff])", "line 3: the text is not valid gbk"},
	} {
		if _, err := Read(SGF, []byte(c.file), Options{}); err == nil || err.Error() != c.err {
			t.Errorf("%q: %v, not %s", c.file, err, c.err)
		}
	}
}

func TestSGFSetup(t *testing.T) {
	tr := read(t, SGF, "(;GM[1]SZ[9]HA[3]AB[aa:bb]AW[ii]AE[gg]PL[W];W[cc];B[dd];W[])", Options{})
	rec := record(t, tr)
	want := &game.Record{
		Variant: game.Variant{Rule: game.Weiqi, Size: 9},
		Setup: game.Setup{
			Black: []game.Point{game.At(0, 0), game.At(1, 0), game.At(0, 1), game.At(1, 1)},
			White: []game.Point{game.At(8, 8)}, ToMove: game.White,
		},
		Moves: []game.Move{{Color: game.White, Point: game.At(2, 2)}, {Color: game.Black, Point: game.At(3, 3)}, {Color: game.White, Point: game.Pass}},
	}
	if d := cmp.Diff(want, rec); d != "" {
		t.Error(d)
	}
	// A later placement replaces an earlier one.
	rec = record(t, read(t, SGF, "(;GM[1]SZ[9]AB[aa][bb];AE[aa]AW[bb])", Options{}))
	if len(rec.Setup.Black) != 0 || len(rec.Setup.White) != 1 {
		t.Errorf("set-up is %v", rec.Setup)
	}
}

func record(t *testing.T, tr *Tree) *game.Record {
	t.Helper()
	line, err := tr.Line()
	if err != nil {
		t.Fatal(err)
	}
	rec, err := tr.Record(line)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestToMove(t *testing.T) {
	for _, c := range []struct {
		sgf string
		c   game.Color
	}{
		{"(;GM[4])", game.Black},
		{"(;GM[4]PL[W])", game.White},
		{"(;GM[4]AB[aa])", game.White},
		{"(;GM[4]AB[aa]AW[bb])", game.Black},
		{"(;GM[1]AB[aa])", game.Black},
		{"(;GM[1]HA[2]AB[aa][bb])", game.White},
		{"(;GM[1]HA[2]AB[aa][bb];B[cc])", game.White},
		{"(;GM[1];B[cc];PL[W])", game.White},
	} {
		if got := record(t, read(t, SGF, c.sgf, Options{})).ToMove(); got != c.c {
			t.Errorf("%s: %s to move, not %s", c.sgf, got, c.c)
		}
	}
	for sgf, want := range map[string]string{
		"(;GM[1]SZ[9];B[cc];AB[dd])": "stones are placed by hand after move 1",
	} {
		tr := read(t, SGF, sgf, Options{})
		line, _ := tr.Line()
		if _, err := tr.Record(line); err == nil || err.Error() != want {
			t.Errorf("%s: %v, not %s", sgf, err, want)
		}
	}
}

func TestVariations(t *testing.T) {
	tr := read(t, SGF, "(;GM[4];B[hh](;W[hg];B[ig](;W[ij])(;W[ji]))(;W[ig]))", Options{})
	var got []string
	for l := range tr.Lines() {
		got = append(got, moves(tr, l))
	}
	want := []string{"B H8 W H9 B I9 W I6", "B H8 W H9 B I9 W J7", "B H8 W I9"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, c := range []struct {
		v    []int
		want string
	}{
		{nil, want[0]}, {[]int{0}, want[0]}, {[]int{0, 1}, want[1]}, {[]int{1}, want[2]},
		{[]int{2}, "fork 1 has variations 0 to 1, not 2"},
		{[]int{1, 0}, "the line has 1 forks, not 2"},
	} {
		line, err := tr.Line(c.v...)
		got := moves(tr, line)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v: %s, not %s", c.v, got, c.want)
		}
		if err == nil && (main(t, tr.Alone(line)) != c.want || tr.Alone(line).Forks()) {
			t.Errorf("%v alone: %s", c.v, main(t, tr.Alone(line)))
		}
	}
}

// What is broken is refused, and the message says where.
func TestSGFErrors(t *testing.T) {
	for _, c := range []struct{ file, err string }{
		{"", "line 1: there is no game in it"},
		{"hello", "line 1: a game begins with (; not with 'h'"},
		{"(", "line 1: the file ends inside the game, variation or value that was opened in line 1"},
		{"()", "line 1: a variation without a node"},
		{"(;GM[4]\n;B[hh]", "line 2: the file ends inside the game, variation or value that was opened in line 1"},
		{"(;GM[4]\n;B[hh", "line 2: the file ends inside a value of B"},
		{"(;GM[4]\n;B[hh\\]", "line 2: the file ends inside a value of B"},
		{"(;GM[4]\n;B)", "line 2: B has no value"},
		{"(;GM[4]\n;b[hh])", `line 2: "b" is not the name of a property`},
		{"(;GM[4]\n;B[hh]]", `line 2: ']' is not the beginning of a property`},
		{"(;GM[4]\n;B[hh]W[ii])", "line 2: two moves in one node"},
		{"(;GM[4]\n;B[hh]B[ii])", "line 2: B has 2 values, not one"},
		{"(;GM[4]\n;B[hh][ii])", "line 2: B has 2 values, not one"},
		{"(;GM[4]\n;B[hp])", `line 2: B: "hp" is not a point of a 15x15 board`},
		{"(;GM[4]\n;B[H8])", `line 2: B: "H8" is not a point of a 15x15 board`},
		{"(;GM[4]\n;B[h12])", `line 2: B: "h12" is not a point`},
		{"(;GM[4]\nAB[cc:aa])", `line 2: AB: "cc:aa" is not a rectangle from its upper left to its lower right point`},
		{"(;GM[4]\nAB[aa:cc][bb])", `line 2: AB: "bb" is listed twice`},
		{"(;GM[4]\nAB[])", `line 2: AB: "" is not a point`},
		{"(;GM[4]\nPL[x])", "line 2: PL[x] is neither B nor W"},
		{"(;\nGM[3])", "line 2: GM[3] is a game that is not known here (1 is Go, 4 gomoku and renju)"},
		{"(;\nFF[5])", "line 2: FF[5] is not a version of SGF"},
		{"(;\nSZ[9:13])", "line 2: SZ[9:13] is not the side of a square board"},
		{"(;\nSZ[big])", "line 2: SZ[big] is not the side of a square board"},
		{"(;\nSZ[52])", "line 2: a board of 52x52 is not between 2x2 and 25x25"},
		{"(;\nKM[x])", "line 2: KM[x] is not a komi"},
		{"(;\nKM[NaN])", "line 2: KM[NaN] is not a komi"},
		{"(;\nHA[-1])", "line 2: HA[-1] is not a handicap"},
		{"(;GM[4](;B[aa])\n;W[bb])", "line 2: a node after the end of a variation"},
		{"(;GM[4](;B[aa])\nC[x])", "line 2: 'C' where a node is due"},
		{"(;GM[4](\n(;B[aa])))", "line 2: a ( where a node is due"},
		{"(;GM[4](\n))", "line 2: a variation without a node"},
		{"(;GM[4])\n)", "line 2: a game begins with (; not with ')'"},
		{"(;GM[4])\n(;GM[4]", "line 2: the file ends inside the game, variation or value that was opened in line 2"},
		{"(GM[4])", "line 1: 'G' where a node is due"},
	} {
		ts, err := Read(SGF, []byte(c.file), Options{})
		if err == nil || err.Error() != c.err {
			t.Errorf("%q: %v\nnot %s", c.file, err, c.err)
		}
		if ts != nil {
			t.Errorf("%q: something was returned", c.file)
		}
	}
	renju := game.Variant{Rule: game.Renju, Size: 15}
	if _, err := Read(SGF, []byte("(;GM[1]SZ[19])"), Options{Variant: &renju}); err == nil {
		t.Error("19x19 read as renju on 15x15")
	}
	if _, err := Read(SGF, []byte("(;GM[4])"), Options{Variant: &game.Variant{Rule: game.Weiqi}}); err == nil {
		t.Error("gomoku read as Go")
	}
}

// What is not understood is kept, escapes and all.
func TestSGFKeepsUnknown(t *testing.T) {
	const file = `(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[renju]PB[a\]b]AP[x:1.0]ZZ[q\]r\\][s]
;B[hh]LB[aa:1\:2][bb:x]TE[2]BL[12.5]C[good\]]
(;W[ig])
(;W[hg];B[]KO[]))
`
	tr := read(t, SGF, file, Options{})
	var w bytes.Buffer
	if err := Write(&w, SGF, []*Tree{tr}, Options{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(file, w.String()); d != "" {
		t.Error(d)
	}
	w.Reset()
	if err := Write(&w, SGF, []*Tree{tr}, Options{GM: 1}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(w.String(), "(;FF[4]GM[1]CA[UTF-8]SZ[15]RU[renju]") {
		t.Error(w.String())
	}
	again := read(t, SGF, w.String(), Options{})
	if d := cmp.Diff(tr, again); d != "" {
		t.Error(d)
	}
}

// Nesting costs no stack.
func TestSGFDeep(t *testing.T) {
	const n = 20_000
	tr := read(t, SGF, "(;GM[4]"+strings.Repeat("(;C[x](;C[y])", n)+strings.Repeat(")", n)+")", Options{})
	var w bytes.Buffer
	if err := Write(&w, SGF, []*Tree{tr}, Options{}); err != nil {
		t.Fatal(err)
	}
	lines := 0
	for range tr.Lines() {
		if lines++; lines > 3 {
			break
		}
	}
}

var (
	genText  = rapid.StringOf(rapid.OneOf(rapid.RuneFrom([]rune("ab ]\\[:;()\n天é")), rapid.Rune()))
	genRules = rapid.SampledFrom([]game.Rule{game.Freestyle, game.Standard, game.Renju, game.Caro, game.Omok, game.Pente, game.Weiqi})
)

// clean is the text that SGF can hold: one kind of line end, no other white space.
func clean(s string) string { return unescapeText(escapeText(newlines.Replace(s))) }

func genTree(t *rapid.T) *Tree {
	v := game.Variant{Rule: genRules.Draw(t, "rule"), Size: rapid.IntRange(2, game.MaxSize).Draw(t, "size")}
	pt := rapid.Custom(func(t *rapid.T) game.Point {
		return game.At(rapid.IntRange(0, v.Size-1).Draw(t, "x"), rapid.IntRange(0, v.Size-1).Draw(t, "y"))
	})
	pts := rapid.SliceOfNDistinct(pt, 0, 3, rapid.ID)
	line := rapid.StringMatching(`[a-z\]\\\[天]{0,5}`)
	tr := &Tree{Variant: v, Black: line.Draw(t, "PB"), White: line.Draw(t, "PW"), Result: line.Draw(t, "RE"), Root: NewNode()}
	if tr.HasKomi = rapid.Bool().Draw(t, "has komi"); tr.HasKomi {
		tr.Komi = float64(rapid.IntRange(-200, 200).Draw(t, "komi")) / 4
	}
	tr.Handicap = rapid.IntRange(0, 9).Draw(t, "HA")
	all := []*Node{tr.Root}
	for range rapid.IntRange(0, 12).Draw(t, "nodes") {
		n := NewNode()
		if rapid.Bool().Draw(t, "moves") {
			q := game.Pass
			if rapid.IntRange(0, 9).Draw(t, "pass") > 0 {
				q = pt.Draw(t, "point")
			}
			n.Move = game.Move{Color: game.Color(rapid.IntRange(0, 1).Draw(t, "color")), Point: q}
		} else {
			n.Setup = &Setup{Black: pts.Draw(t, "AB"), White: pts.Draw(t, "AW"), Empty: pts.Draw(t, "AE"),
				ToMove: game.Color(rapid.IntRange(0, 1).Draw(t, "PL"))}
		}
		n.Comment = clean(genText.Draw(t, "C"))
		if rapid.Bool().Draw(t, "props") {
			n.Put("XY", escapeText(clean(genText.Draw(t, "XY"))))
			n.Put("XY", "1:2")
		}
		p := rapid.SampledFrom(all).Draw(t, "parent")
		p.Children = append(p.Children, n)
		all = append(all, n)
	}
	return tr
}

func TestSGFRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trees := []*Tree{genTree(t)}
		if rapid.Bool().Draw(t, "two") {
			trees = append(trees, genTree(t))
		}
		var w bytes.Buffer
		if err := Write(&w, SGF, trees, Options{GM: rapid.SampledFrom([]int{0, 1, 4}).Draw(t, "gm")}); err != nil {
			t.Fatal(err)
		}
		again, err := Read(SGF, w.Bytes(), Options{})
		if err != nil {
			t.Fatalf("%v in\n%s", err, w.String())
		}
		if d := diff(trees, again); d != "" {
			t.Fatalf("%s in\n%s", d, w.String())
		}
	})
}

func TestRecordRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := game.Variant{Rule: genRules.Draw(t, "rule"), Size: rapid.IntRange(5, game.MaxSize).Draw(t, "size")}
		points := rapid.Permutation(boardPoints(v.Size)).Draw(t, "points")
		rec := &game.Record{Variant: v}
		nb, nw := rapid.IntRange(0, 3).Draw(t, "black"), rapid.IntRange(0, 3).Draw(t, "white")
		rec.Setup.Black, rec.Setup.White = points[:nb], points[nb:nb+nw]
		rec.Setup.ToMove = game.Color(rapid.IntRange(0, 1).Draw(t, "to move"))
		c := rec.Setup.ToMove
		for _, q := range points[nb+nw:][:rapid.IntRange(0, 9).Draw(t, "moves")] {
			rec.Moves = append(rec.Moves, game.Move{Color: c, Point: q})
			c = c.Other()
		}
		tr, err := FromRecord(rec)
		if err != nil {
			t.Fatal(err)
		}
		var w bytes.Buffer
		if err := Write(&w, SGF, []*Tree{tr}, Options{}); err != nil {
			t.Fatal(err)
		}
		again, err := Read(SGF, w.Bytes(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		line, _ := again[0].Line()
		got, err := again[0].Record(line)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(rec, got, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
	if _, err := FromRecord(&game.Record{Setup: game.Setup{Walls: []game.Point{0}}}); err == nil {
		t.Error("walls were written down")
	}
}

func boardPoints(size int) (qs []game.Point) {
	for y := range size {
		for x := range size {
			qs = append(qs, game.At(x, y))
		}
	}
	return qs
}

func FuzzSGF(f *testing.F) {
	for _, s := range []string{
		"(;GM[4]SZ[15]RU[renju]AB[aa:cc]PL[W];W[hh](;B[ii]C[a\\]b])(;B[]LB[aa:x]))",
		"(;GM[1]CA[gbk]C[\xce\xe5];B[tt])(;)", "(;KM[6.5]HA[2])",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { again(t, SGF, SGF, data, Options{}) })
}

// again reads what may be broken; whatever is accepted must survive being written and
// read again.
func again(t *testing.T, from, to Format, data []byte, o Options) {
	trees, err := Read(from, data, o)
	if (err == nil) == (len(trees) == 0) {
		t.Fatalf("%d games and %v", len(trees), err)
	}
	if err != nil {
		return
	}
	for _, tr := range trees {
		lines := 0
		for l := range tr.Lines() {
			if _, err := tr.Record(l); err != nil || lines == 20 {
				break
			}
			lines++
		}
	}
	var w bytes.Buffer
	if err := Write(&w, to, trees, Options{}); err != nil {
		if to == SGF {
			t.Fatal(err)
		}
		return
	}
	second, err := Read(to, w.Bytes(), Options{})
	if err != nil {
		t.Fatalf("%v in what we wrote:\n%q", err, w.String())
	}
	if d := diff(trees, second); d != "" {
		t.Fatalf("%s in what we wrote:\n%q", d, w.String())
	}
}

// diff compares trees as lists, each node with the number of its children: cmp takes time
// exponential in the depth of nested slices.
func diff(a, b []*Tree) string {
	type flat struct {
		Node
		children int
	}
	list := func(trees []*Tree) (heads []Tree, nodes []flat) {
		for _, t := range trees {
			todo := []*Node{t.Root}
			for len(todo) > 0 {
				n := todo[len(todo)-1]
				todo = append(todo[:len(todo)-1], n.Children...)
				f := flat{*n, len(n.Children)}
				f.Children = nil
				nodes = append(nodes, f)
			}
			head := *t
			head.Root = nil
			heads = append(heads, head)
		}
		return heads, nodes
	}
	ah, an := list(a)
	bh, bn := list(b)
	opts := cmp.Options{cmpopts.EquateEmpty(), cmp.AllowUnexported(flat{})}
	if d := cmp.Diff(ah, bh, opts); d != "" {
		return d
	}
	if len(an) != len(bn) {
		return fmt.Sprintf("%d nodes, not %d", len(bn), len(an))
	}
	for i := range an {
		if d := cmp.Diff(an[i], bn[i], opts); d != "" {
			return fmt.Sprintf("node %d: %s", i, d)
		}
	}
	return ""
}
