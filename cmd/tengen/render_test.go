package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func rendering(args []string, in *strings.Reader, out, errs *bytes.Buffer) int {
	return render(args, in, out, errs)
}

func TestRenderSVG(t *testing.T) {
	const (
		red  = `stroke="#d02020"`                                              // two strokes a forbidden point
		game = "(;GM[4]RU[renju]SZ[15]AB[gh][hg][hi][ih]AW[aa][oo][oa];W[ao])" // H8 is a double three
	)
	for _, c := range []struct {
		args, in string
		count    map[string]int
	}{
		{"", "h8i9j10", map[string]int{">1</text>": 2, ">3</text>": 2, `fill="#ff6a5a">3<`: 1, ">O</text>": 1, red: 0}},
		{"-numbers last", "h8i9j10", map[string]int{">1</text>": 1, ">3</text>": 2}},
		{"-numbers none -bare", "h8i9j10", map[string]int{"</text>": 0, `fill="#ff6a5a"/>`: 1}},
		{"-move 1", "h8i9j10", map[string]int{">1</text>": 2, ">3</text>": 1}},
		{"-move 0", "h8i9j10", map[string]int{">1</text>": 1}},
		{"-mark h8=+35 -mark i9=-M4 -size 300", "#renju/15/", map[string]int{">+35</text>": 1, ">-M4</text>": 1, `width="300"`: 2}},
		{"", game, map[string]int{red: 2, ">1</text>": 2}},
		{"-forbidden=false", game, map[string]int{red: 0}},
		{"-move 0", game, map[string]int{red: 0}}, // White to move
		{"-line 1", "(;GM[4];B[hh](;W[ig])(;W[hg];B[ig]))", map[string]int{">3</text>": 2}},
		{"-index 2", "h8\nh8i9", map[string]int{">2</text>": 2}},
		{"-variant freestyle/20", "h8", map[string]int{">T</text>": 1, ">20</text>": 1}},
	} {
		status, out, errs := run(t, rendering, t.TempDir(), c.in, strings.Fields(c.args)...)
		if status != 0 || errs != "" || !strings.HasPrefix(out, "<svg ") || !strings.HasSuffix(out, "</svg>\n") {
			t.Errorf("%s %q: %d %s", c.args, c.in, status, errs)
		}
		for s, n := range c.count {
			if got := strings.Count(out, s); got != n {
				t.Errorf("%s %q: %d times %s, not %d", c.args, c.in, got, s, n)
			}
		}
	}
}

func TestRenderPNG(t *testing.T) {
	dir := t.TempDir()
	for _, v := range []string{"freestyle/20", "standard/15", "renju/15", "caro/15", "freestyle/22", "freestyle/5"} {
		status, _, errs := run(t, rendering, dir, "#"+v+"/c3d4c4", "-size", "200", "-mark", "b2=+1", "-", "@/out.png")
		if status != 0 {
			t.Fatal(v, errs)
		}
		f, err := os.Open(filepath.Join(dir, "out.png"))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(f)
		f.Close()
		if err != nil || img.Bounds().Dx() != 200 || img.Bounds().Dy() != 200 {
			t.Error(v, err)
		}
	}
}

func TestRenderRefuses(t *testing.T) {
	for _, c := range []struct {
		args, in, errs string
		status         int
	}{
		{"-to gif", "h8", "tengen render: a picture is svg or png, not \"gif\"\n", 2},
		{"", "h8\ni9", "tengen render: - holds 2 games: choose one with -index\n", 1},
		{"-index 3", "h8\ni9", "tengen render: - holds 2 games, none of number 3\n", 1},
		{"-move 2", "h8", "tengen render: -: the game has 1 moves, not 2\n", 1},
		{"-numbers many", "h8", "tengen render: -: -numbers is all, last or none, not \"many\"\n", 1},
		{"-mark h8", "h8", "tengen render: -mark: \"h8\" is not like H8=+35\n", 2},
		{"-mark pass=1", "h8", "tengen render: -mark: \"pass=1\" is not like H8=+35\n", 2},
		{"-mark p8=1", "h8", "tengen render: -mark: \"p8\" is not a point of a 15x15 board\n", 2},
		{"-size 5", "h8", "tengen render: a picture has 100 to 8192 pixels a side, not 5\n", 2},
		{"-line all", "h8", "tengen render: a picture shows one line\n", 2},
		{"", "h8h", "tengen render: -: the format is not one that is known by its name or its beginning\n", 1},
		{"", "(;GM[4];B[hh];W[hh])", "tengen render: -: move 2, H8: illegal move: occupied\n", 1},
	} {
		status, out, errs := run(t, rendering, t.TempDir(), c.in, strings.Fields(c.args)...)
		if status != c.status || out != "" || errs != c.errs {
			t.Errorf("%s %q: %d %q %q, not %d %q", c.args, c.in, status, out, errs, c.status, c.errs)
		}
	}
}
