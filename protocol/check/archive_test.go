package check

import (
	"archive/zip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tengen/engine/game"
)

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		names string
		rule  game.Rule
		size  int
		want  string
	}{
		{"pbrain-a.exe", game.Renju, 15, "pbrain-a.exe"},
		{"pbrain-a.exe pbrain-a64.exe", game.Freestyle, 20, "pbrain-a64.exe"},
		{"pbrain-a64.exe pbrain-a.exe readme.txt", game.Freestyle, 20, "pbrain-a64.exe"},
		{"a_freestyle.exe a_freestyle-15.exe a_15.exe a.exe", game.Freestyle, 15, "a_freestyle-15.exe"},
		{"a_freestyle.exe a_freestyle-15.exe a_20.exe a.exe", game.Freestyle, 20, "a_freestyle.exe"},
		{"a_freestyle.exe a_15.exe a64.exe", game.Standard, 15, "a_15.exe"},
		{"a_freestyle.exe a_20.exe a.exe", game.Standard, 15, "a.exe"},
		{"a_renju.exe a_renju64.exe", game.Renju, 15, "a_renju64.exe"},
		{"A_CARO.EXE a.exe", game.CaroSix, 15, "A_CARO.EXE"},
		{"a_my_brain.exe", game.Renju, 15, "a_my_brain.exe"},
		{"a_renju.exe", game.Freestyle, 15, ""},
		{"readme.txt a.dll", game.Freestyle, 15, ""},
	} {
		got, err := Choose(strings.Fields(c.names), c.rule, c.size)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s, %v %d: %q, %v; want %q", c.names, c.rule, c.size, got, err, c.want)
		}
	}
}

func zipOf(t *testing.T, files ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "brain.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(files[i+1]))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestUnpack(t *testing.T) {
	o := Options{Protocol: Piskvork}
	for _, c := range []struct {
		name, says string // "": it can be unpacked
		files      []string
		o          Options
	}{
		{"a script", "", []string{"pbrain-a.exe", "#!/bin/sh\n", "data/", "", `data\book.txt`, "x", "readme.txt", "y"}, o},
		{"no program", "no program", []string{"readme.txt", "x"}, o},
		{"a way out", "escapes", []string{"../pbrain-a.exe", "x"}, o},
		{"twice", "twice", []string{"a.exe", "x", "a.exe", "y"}, o},
		{"two games", "choose one game", []string{"a_freestyle.exe", "x", "a.exe", "y"}, o},
		{"one of two", "", []string{"a_freestyle.exe", "x", "a.exe", "y"}, Options{Protocol: Piskvork, Games: []game.Rule{game.Renju}}},
		{"gtp", "speaks piskvork", []string{"a.exe", "x"}, Options{Protocol: GTP}},
	} {
		folder := t.TempDir()
		exe, err := Unpack(zipOf(t, c.files...), folder, c.o)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if s, err := os.Stat(exe); err != nil || runtime.GOOS != "windows" && s.Mode()&0o100 == 0 {
			t.Errorf("%s: %s cannot be run: %v", c.name, exe, err)
		}
		if c.name == "a script" {
			if _, err := os.Stat(filepath.Join(folder, "data", "book.txt")); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := Unpack(zipOf(t, "a.exe", "MZ\x90"), t.TempDir(), o); runtime.GOOS != "windows" && (err == nil || !strings.Contains(err.Error(), "program for Windows")) {
		t.Errorf("a program for Windows: %v", err)
	}
	if _, err := Unpack("no.zip", t.TempDir(), o); err == nil {
		t.Error("no zip")
	}
}
