package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tengen/bench"
)

func benched(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = benchmark(args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

func TestBench(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old.json")
	tiny := []string{"-game", "renju,caro", "-nodes", "200", "-memory", "64", "-repeat", "1", "-each", "1us"}
	run := func(more ...string) string {
		t.Helper()
		code, out, errs := benched(append(tiny, more...)...)
		if code != 0 {
			t.Fatalf("%v: exit %d, %s", more, code, errs)
		}
		return out
	}
	if out := run("-suite", "search,make"); !strings.Contains(out, "search ") || !strings.Contains(out, "\nmake ") ||
		!strings.Contains(out, "\ncaro ") || strings.Contains(out, "\nfreestyle") {
		t.Errorf("tables:\n%s", out)
	}
	if err := os.WriteFile(old, []byte(run("-suite", "make,eval", "-json")), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := bench.ReadReport(old)
	if err != nil || r.Find("eval", "caro", "make, evaluate, unmake") == nil || strings.Join(r.Arguments, " ") != strings.Join(append(tiny, "-suite", "make,eval", "-json"), " ") {
		t.Errorf("%+v, %v", r, err)
	}
	if out := run("-suite", "make", "-compare", old); !strings.Contains(out, "make/caro/make and unmake") || !strings.Contains(out, "too few runs") {
		t.Errorf("compared:\n%s", out)
	}
	if code, out, errs := benched("-compare", old, old); code != 0 || !strings.Contains(out, "eval/caro/make, evaluate, unmake") || errs != "" {
		t.Errorf("two files: exit %d\n%s%s", code, out, errs)
	}
	for _, args := range []string{"-game chess", "-suite flight", "what", "-profile heat", "-x", "-compare " + old + " a b",
		"-compare " + old + " -json", "-nodes -1", "-repeat -3", "-time -1s"} {
		if code, out, errs := benched(strings.Fields(args)...); code != 2 || out != "" || errs == "" {
			t.Errorf("%s: exit %d, %q, %q", args, code, out, errs)
		}
	}
	for _, args := range []string{"-compare none.json", "-puzzles none.jsonl", "-peer /no/such/program", "-suite make -game renju -compare " + filepath.Join(dir, "x"),
		"-suite make -game renju -profile cpu -profile-dir " + filepath.Join(old, "x")} {
		if code, _, errs := benched(strings.Fields(args)...); code != 1 || errs == "" {
			t.Errorf("%s: exit %d, %q", args, code, errs)
		}
	}
	if code, _, errs := benched("-h"); code != 0 || !strings.Contains(errs, "forbidden  ") {
		t.Errorf("help: exit %d\n%s", code, errs)
	}
}

// Each profile is written, with a picture of it where it has stacks.
func TestBenchProfile(t *testing.T) {
	for name, m := range profileModes {
		dir := t.TempDir()
		code, _, errs := benched("-suite", "make", "-game", "renju", "-each", "20ms", "-repeat", "1", "-profile", name, "-profile-dir", dir)
		if code != 0 || !strings.Contains(errs, m.file) {
			t.Errorf("%s: exit %d, %s", name, code, errs)
			continue
		}
		if s, err := os.Stat(filepath.Join(dir, m.file)); err != nil || s.Size() == 0 {
			t.Errorf("%s: no profile: %v", name, err)
		}
		svg, err := os.ReadFile(filepath.Join(dir, name+".svg"))
		if m.kind == "-" {
			if err == nil {
				t.Errorf("%s has a flame graph", name)
			}
			continue
		}
		var root struct{ XMLName xml.Name }
		if err != nil || xml.Unmarshal(svg, &root) != nil || root.XMLName.Local != "svg" {
			t.Errorf("%s: %v, %v", name, err, root)
		}
	}
}

// interrupter presses Ctrl-C when the work is first told of.
type interrupter struct {
	bytes.Buffer
	pressed bool
}

func (i *interrupter) Write(b []byte) (int, error) {
	if !i.pressed {
		i.pressed = true
		p, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = p.Signal(os.Interrupt)
		}
		if err != nil {
			return 0, err
		}
	}
	return i.Buffer.Write(b)
}

func TestBenchInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot press Ctrl-C for itself")
	}
	var out bytes.Buffer
	var errs interrupter
	code := benchmark([]string{"-suite", "search,make", "-repeat", "1000"}, nil, &out, &errs)
	if code != interrupted || !strings.Contains(errs.String(), "interrupted; this is what was done") {
		t.Errorf("exit %d, %q, %q", code, out.String(), errs.String())
	}
}

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b)
	for i := range 3 {
		p.tell("a", i, 3)
	}
	p.done()
	if b.String() != "0/3, 0s: a\n" { // the others come too soon
		t.Errorf("%q", b.String())
	}
	b.Reset()
	p = newProgress(&b)
	p.terminal = true
	p.tell("a", 0, 2)
	p.tell("b", 1, 2)
	p.done()
	p.done()
	if b.String() != "\r\x1b[K0/2, 0s: a\r\x1b[K1/2, 0s: b\r\x1b[K" {
		t.Errorf("%q", b.String())
	}
	if f, err := os.Open(os.DevNull); err == nil {
		if newProgress(f).terminal {
			t.Error("the null device is no terminal")
		}
		f.Close()
	}
	if newProgress(io.Discard).terminal {
		t.Error("neither is what is no file")
	}
}
