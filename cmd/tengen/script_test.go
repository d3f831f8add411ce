package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// In a script `tengen` is this program.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tengen": main})
}

func TestPlay(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  filepath.Join("testdata", "play"),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"interrupt": interrupt},
	})
}

// interrupt WORDS STATUS PROGRAM ... runs a program whose input stays open, sends it an
// interrupt as soon as its output has the words, and demands its status. The output is then
// in the file "output".
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if runtime.GOOS == "windows" {
		ts.Fatalf("there are no interrupts to be sent; skip this script")
	}
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupt WORDS STATUS PROGRAM ...")
	}
	path := ""
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if p := filepath.Join(dir, args[2]); path == "" {
			if _, err := os.Stat(p); err == nil {
				path = p
			}
		}
	}
	cmd := exec.Command(path, args[3:]...)
	in, err := cmd.StdinPipe()
	ts.Check(err)
	defer in.Close()
	var mu sync.Mutex
	var out bytes.Buffer
	seen := make(chan struct{})
	cmd.Stdout = writer(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		before := strings.Contains(out.String(), args[0])
		out.Write(p)
		if !before && strings.Contains(out.String(), args[0]) {
			close(seen)
		}
		return len(p), nil
	})
	cmd.Stderr = cmd.Stdout
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-seen:
		ts.Check(cmd.Process.Signal(os.Interrupt))
	case <-ended:
		ts.Fatalf("it ended before it said %q:\n%s", args[0], out.String())
	}
	select {
	case <-ended:
	case <-time.After(time.Minute):
		cmd.Process.Kill()
		ts.Fatalf("it goes on after the interrupt")
	}
	mu.Lock()
	defer mu.Unlock()
	ts.Check(os.WriteFile(ts.MkAbs("output"), out.Bytes(), 0o666))
	if got := cmd.ProcessState.String(); got != "exit status "+args[1] {
		ts.Fatalf("it ended with %s:\n%s", got, out.String())
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

var _ io.Writer = writer(nil)

func TestTrain(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: filepath.Join("testdata", "train")})
}
