package brain

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"tengen/engine"
	"tengen/tt"
)

// The test binary is also the program.
func TestMain(m *testing.M) {
	if os.Getenv("TENGEN_TEST_BRAIN") != "" {
		Main()
	}
	os.Exit(m.Run())
}

// environ lets the test binary be the program. The race detector sleeps a second before
// an exit unless told not to, which managers do not wait for.
func environ() []string {
	return append(os.Environ(), "TENGEN_TEST_BRAIN=1", "GORACE=atexit_sleep_ms=0")
}

// program is the program as a manager runs it.
type program struct {
	*exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs bytes.Buffer
}

func run(t *testing.T, args ...string) *program {
	t.Helper()
	b := &program{Cmd: exec.Command(os.Args[0], args...)}
	b.Env = environ()
	b.Stderr = &b.errs
	b.in, _ = b.StdinPipe()
	out, _ := b.StdoutPipe()
	b.out = bufio.NewReader(out)
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Process.Kill() })
	return b
}

func (b *program) ask(t *testing.T, text, want string) {
	t.Helper()
	io.WriteString(b.in, text)
	l, err := b.out.ReadString('\n')
	if !strings.HasPrefix(l, want) {
		t.Fatalf("%q: %q (%v), want %q", text, l, err, want)
	}
}

// gone waits for the program's end; that it comes at all is the test.
func (b *program) gone(t *testing.T) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- b.Wait() }()
	select {
	case err := <-done:
		if b.errs.Len() > 0 {
			t.Errorf("on stderr: %q", b.errs.String())
		}
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("does not end")
		return nil
	}
}

func TestEnds(t *testing.T) {
	for name, end := range map[string]func(*program){
		"END":  func(b *program) { io.WriteString(b.in, "END\r\n") },
		"EOF":  func(b *program) { b.in.Close() },
		"TERM": func(b *program) { b.Process.Signal(syscall.SIGTERM) },
		"HUP":  func(b *program) { b.Process.Signal(syscall.SIGHUP) },
		"INT":  func(b *program) { b.Process.Signal(os.Interrupt) },
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && len(name) > 3 {
				t.Skip("no such signal")
			}
			b := run(t, "-what", "--ever", "it is")
			b.ask(t, "ABOUT\r\n", `name="tengen", version="`)
			b.ask(t, "START 15\r\nINFO max_memory 67108864\r\nINFO timeout_turn 100000\r\n", "OK")
			b.ask(t, "BOARD\r\n7,7,2\r\nDONE\r\nABOUT\r\n", "name=")
			end(b) // in the middle of a search
			if err := b.gone(t); err != nil {
				t.Error(err)
			}
		})
	}
}

// A manager that has died reads no more: there is nobody to play for.
func TestBrokenStdout(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0])
	c.Env, c.Stdout = environ(), w
	in, _ := c.StdinPipe()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	r.Close()
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	for range 100 {
		io.WriteString(in, "ABOUT\n")
	}
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		c.Process.Kill()
		t.Fatal("does not end")
	}
}

// What the runtime itself says in a crash must not be read as an answer.
func TestSilence(t *testing.T) {
	if os.Getenv("TENGEN_TEST_CRASH") != "" {
		silence()
		go panic("not for managers")
		select {}
	}
	c := exec.Command(os.Args[0], "-test.run=^TestSilence$")
	c.Env = append(os.Environ(), "TENGEN_TEST_CRASH=1")
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Run(); err == nil {
		t.Error("no crash")
	}
	if errs.Len() > 0 {
		t.Errorf("on stderr: %q", errs.String())
	}
}

func TestTune(t *testing.T) {
	procs, limit := runtime.GOMAXPROCS(0), debug.SetMemoryLimit(-1)
	defer func() { runtime.GOMAXPROCS(procs); debug.SetMemoryLimit(limit) }()
	for _, c := range []struct {
		o      engine.Options
		procs  int
		memory int64
	}{
		{engine.Options{Threads: 1, Memory: engine.DefaultMemory}, 3, tt.GoLimit(engine.DefaultMemory)},
		{engine.Options{Threads: 4, Memory: 1 << 30}, 6, tt.GoLimit(1 << 30)},
		{engine.Options{Threads: 1, Memory: 5}, 3, 24 << 20},
	} {
		Tune(c.o)
		if p, m := runtime.GOMAXPROCS(0), debug.SetMemoryLimit(-1); p != c.procs || m != c.memory {
			t.Errorf("%+v: %d procs, %d bytes; want %d, %d", c.o, p, m, c.procs, c.memory)
		}
	}
}
