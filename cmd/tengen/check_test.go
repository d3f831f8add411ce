package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestCheckUsage(t *testing.T) {
	windows := filepath.Join(t.TempDir(), "empty.zip")
	os.WriteFile(windows, []byte("PK"), 0o644)
	for _, c := range []struct {
		args, says string
		status     int
	}{
		{"", "usage: tengen check", 2},
		{"-h", "usage: tengen check", 0},
		{"-nonsense x", "nonsense", 2},
		{"-game chess x", `unknown game "chess"`, 2},
		{"-proto uci " + os.Args[0], "unknown protocol", 2},
		{"-size 50 " + os.Args[0], "boards of", 2},
		{"-proto gtp -game go,renju " + os.Args[0], "one game", 2},
		{"/no/such/program", "no/such/program", 2},
		{windows, "zip", 2},
		{windows + " x", "behind a zip", 2},
	} {
		var out, errs bytes.Buffer
		if got := checkEngine(strings.Fields(c.args), nil, &out, &errs); got != c.status || !strings.Contains(errs.String(), c.says) {
			t.Errorf("check %s: %d, %q", c.args, got, errs.String())
		}
	}
}

// A program that is no engine fails; JSON says so.
func TestCheckFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no true")
	}
	var out, errs bytes.Buffer
	if got := checkEngine([]string{"-quick", "-json", "-game", "freestyle", "true"}, nil, &out, &errs); got != 1 || !strings.Contains(out.String(), `"status": "fail"`) {
		t.Errorf("%d, %.300s %s", got, out.String(), errs.String())
	}
}
