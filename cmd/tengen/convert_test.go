package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// run calls a sub-command with files in a folder of its own; @ in an argument is that folder.
func run(t *testing.T, cmd func([]string, *strings.Reader, *bytes.Buffer, *bytes.Buffer) int, dir, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "@", dir)
	}
	var out, errs bytes.Buffer
	status = cmd(args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), strings.ReplaceAll(errs.String(), dir, "@")
}

func converting(args []string, in *strings.Reader, out, errs *bytes.Buffer) int {
	return convert(args, in, out, errs)
}

func TestConvert(t *testing.T) {
	const forked = "(;GM[4]SZ[15];B[hh](;W[ig]C[good])(;W[hg];B[ig]))"
	for _, c := range []struct {
		args, in, out, errs string
		status              int
	}{
		{"-to pos", "(;GM[4];B[hh];W[ig])", "h8i9\n", "", 0},
		{"-to pos -rows top", "(;GM[4];B[hh];W[ig])", "h8i7\n", "", 0},
		{"-to url", "(;GM[4]RU[renju];B[hh];W[ig])", "#renju/15/h8i9\n", "", 0},
		{"-to offset -variant freestyle/20", "k10l10\n\nl9", "0,0, 1,0\n1,1\n", "", 0},
		{"-to url -from offset -variant standard", "0,0,-1,1", "#standard/15/h8g7\n", "", 0},
		{"-to sgf", "#go/9/e5passc3", "(;FF[4]GM[1]CA[UTF-8]SZ[9];B[ee];W[];B[cg])\n", "", 0},
		{"-to sgf -gm 1", "#caro/15/h8", "(;FF[4]GM[1]CA[UTF-8]SZ[15]RU[caro];B[hh])\n", "", 0},
		{"-to psq", "(;GM[4]PB[a]RE[W+Time];B[hh];W[ig])", "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,7,0\na\nwhite\n15\n", "", 0},
		// The referee says who has won.
		{"-to sgf", "Piskvorky 15x15, 0:0, 0\n1,1,0\n1,2,0\n2,1,0\n2,2,0\n3,1,0\n3,2,0\n4,1,0\n4,2,0\n5,1,0\n0\n",
			"(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[freestyle]RE[B+];B[aa];W[ab];B[ba];W[bb]\n;B[ca];W[cb];B[da];W[db];B[ea])\n", "", 0},
		{"-to pos -line all", forked, "h8i9\nh8h9i9\n", "tengen convert: comments and marks are left out, pos cannot hold them\n", 0},
		{"-to pos -line main", forked, "h8i9\n", "tengen convert: comments and marks are left out, pos cannot hold them\n", 0},
		{"-to pos -line 1", forked, "h8h9i9\n", "", 0},
		{"-to pos -line 2", forked, "", "tengen convert: -: game 1: fork 1 has variations 0 to 1, not 2\n", 1},
		{"-to pos -line x", forked, "", "tengen convert: -: -line is main, all or numbers like 1,0, not \"x\"\n", 1},
		{"-to pos", forked, "", "tengen convert: -: game 1 has variations, which pos cannot hold: choose with -line main, -line all or -line 1,0\n", 1},
		{"", "h8", "", "tengen convert: no format to write: use -to, or a name for out\n", 2},
		{"-to gif", "h8", "", "tengen convert: unknown format \"gif\" (one of sgf, psq, rec, pos, offset, url, lib)\n", 2},
		{"-to sgf", "?", "", "tengen convert: -: the format is not one that is known by its name or its beginning\n", 1},
		{"-to sgf", "h8\nh8h8", "", "tengen convert: -: line 2: move 2: H8 is occupied\n", 1},
		{"-to sgf -variant chess", "h8", "", "tengen convert: unknown game \"chess\" (one of freestyle, standard, renju, caro, caro6, omok, pente, keryo, go)\n", 1},
		{"-to sgf -variant renju/99", "h8", "", "tengen convert: \"99\" is not the size of a board\n", 1},
		{"-to sgf -rows left", "h8", "", "tengen convert: -rows is bottom or top, not \"left\"\n", 1},
		{"-to lib", "h8", "", "tengen convert: lib is read, not written\n", 1},
	} {
		status, out, errs := run(t, converting, t.TempDir(), c.in, strings.Fields(c.args)...)
		if status != c.status || out != c.out || errs != c.errs {
			t.Errorf("%s %q:\n%d %q %q, not\n%d %q %q", c.args, c.in, status, out, errs, c.status, c.out, c.errs)
		}
	}
}

func TestConvertFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, s string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a.sgf", "(;GM[4];B[hh])")
	write("broken.sgf", "(;GM[4];B[hh]\n;W[ii")
	write("a.lib", "\xffRenLib\xff\x03\x04"+strings.Repeat("\xff", 10)+"\x00\x00\x78\x00\x69\xC0\x68\x40")

	if status, _, errs := run(t, converting, dir, "", "@/a.sgf", "@/a.psq"); status != 0 {
		t.Fatal(errs)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "a.psq")); string(got) != "Piskvorky 15x15, 0:0, 0\n8,8,0\n0\n" {
		t.Errorf("%q", got)
	}
	if status, _, errs := run(t, converting, dir, "", "@/broken.sgf", "@/out.pos"); status != 1 || errs != "tengen convert: @/broken.sgf: line 2: the file ends inside a value of W\n" {
		t.Errorf("%d %s", status, errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "out.pos")); err == nil {
		t.Error("something was written of a broken file")
	}
	if status, out, errs := run(t, converting, dir, "", "-to", "sgf", "@/a.lib"); status != 0 || out != "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[renju];B[hh]\n(;W[ig])\n(;W[hg]))\n" {
		t.Errorf("%d %q %s", status, out, errs)
	}
	if status, _, _ := run(t, converting, dir, "", "@/none.sgf", "@/b.psq"); status != 1 {
		t.Error("a file that does not exist was read")
	}
}
