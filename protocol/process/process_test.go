package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The test binary is its own child: with this variable set it plays a part and exits. A
// part that hangs sleeps: with nothing else to do, Go would call a select a deadlock.
const partVar = "TENGEN_PROCESS_PART"

func TestMain(m *testing.M) {
	if part := os.Getenv(partVar); part != "" {
		play(part)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func play(part string) {
	in := bufio.NewScanner(os.Stdin)
	switch part {
	case "echo":
		for in.Scan() {
			fmt.Println(in.Text())
		}
	case "ends":
		fmt.Print("a\nb\r\nc\r\r\n\n", strings.Repeat("x", 3*MaxLine), "\nhalf")
	case "crash":
		fmt.Fprint(os.Stderr, "first words", strings.Repeat(" noise", 5000), "last words")
		fmt.Println("hello")
		os.Exit(3)
	case "panic":
		panic("a crash of Go")
	case "hang":
		fmt.Println("up")
		time.Sleep(time.Minute)
	case "flood":
		for {
			fmt.Println("MESSAGE and so on")
		}
	case "parent": // leaves a grandchild behind that holds the pipes open
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), partVar+"=hang")
		c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
		c.Start()
		in.Scan()
		fmt.Println("gone")
	default:
		parts[part]()
	}
}

// Parts that are not for every system.
var parts = map[string]func(){}

func start(t *testing.T, part string) *Process {
	t.Helper()
	return startWithin(t, part, Limits{})
}

func startWithin(t *testing.T, part string, limits Limits) *Process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), partVar+"="+part, "GORACE=atexit_sleep_ms=0")
	p, err := Start(cmd, limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Stop(0) })
	return p
}

func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func wantLine(t *testing.T, p *Process, want string) {
	t.Helper()
	l, err := p.ReadLine(soon(t))
	if err != nil || l.Text != want {
		t.Fatalf("read %.40q, %v; want %.40q", l.Text, err, want)
	}
}

func TestEcho(t *testing.T) {
	p := start(t, "echo")
	if err := p.Write([]byte("one\ntwo\n")); err != nil {
		t.Fatal(err)
	}
	wantLine(t, p, "one")
	wantLine(t, p, "two")
	p.CloseInput()
	if _, err := p.ReadLine(soon(t)); err != io.EOF {
		t.Errorf("after the end of input: %v", err)
	}
	if err := p.Write([]byte("three\n")); err != ErrClosed {
		t.Errorf("write after close: %v", err)
	}
	if e := p.Stop(5 * time.Second); e.Code != 0 || e.Killed {
		t.Errorf("exit %+v", e)
	}
	p.Kill() // after Stop: nothing
}

func TestLineEnds(t *testing.T) {
	p := start(t, "ends")
	for _, want := range []string{"a", "b", "c", strings.Repeat("x", MaxLine)} {
		wantLine(t, p, want)
	}
	if l, err := p.ReadLine(soon(t)); err != io.EOF {
		t.Errorf("read %q, %v after the last whole line", l.Text, err)
	}
}

// The bytes as they are, and the end behind the last of them.
func TestRaw(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), partVar+"=ends", "GORACE=atexit_sleep_ms=0")
	var got []byte
	p, err := StartRaw(cmd, Limits{}, func(b []byte, at time.Time) {
		if at.IsZero() || len(b) == 0 {
			t.Error("an empty read, or one at no time")
		}
		got = append(got, b...)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop(0)
	if l, err := p.ReadLine(soon(t)); err != io.EOF {
		t.Errorf("a line %q, %v", l.Text, err)
	}
	if want := "a\nb\r\nc\r\r\n\n" + strings.Repeat("x", 3*MaxLine) + "\nhalf"; string(got) != want {
		t.Errorf("read %.40q", got)
	}
}

func TestCrash(t *testing.T) {
	p := start(t, "crash")
	wantLine(t, p, "hello")
	if _, err := p.ReadLine(soon(t)); err != io.EOF {
		t.Errorf("%v", err)
	}
	<-p.Done()
	e := p.Stop(0)
	if e.Code != 3 || e.Killed || !strings.Contains(e.Reason, "3") {
		t.Errorf("exit %+v", e)
	}
	if s := p.Stderr(); len(s) != StderrHead+len(" ... ")+StderrTail ||
		!strings.HasPrefix(s, "first words noise") || !strings.HasSuffix(s, "noiselast words") {
		t.Errorf("stderr: %d bytes, ...%.20q", len(s), s[max(0, len(s)-20):])
	}
}

func TestPanicIsKept(t *testing.T) {
	p := start(t, "panic")
	<-p.Done()
	if e := p.Stop(0); e.Code != 2 || !strings.Contains(p.Stderr(), "a crash of Go") {
		t.Errorf("exit %+v, stderr %q", e, p.Stderr())
	}
}

func TestDeadline(t *testing.T) {
	p := start(t, "hang")
	wantLine(t, p, "up")
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if _, err := p.ReadLine(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if e := p.Stop(10 * time.Millisecond); !e.Killed {
		t.Errorf("exit %+v", e)
	}
}

func TestDeaf(t *testing.T) {
	p := start(t, "hang")
	block := make([]byte, 100<<10)
	var err error
	for i := 0; err == nil && i < 10*queue; i++ {
		err = p.Write(block)
	}
	if err != ErrDeaf {
		t.Errorf("%v", err)
	}
}

func TestFlood(t *testing.T) {
	p := start(t, "flood")
	wantLine(t, p, "MESSAGE and so on")
	p.Drain(func(l Line) {
		if l.Text != "MESSAGE and so on" {
			t.Errorf("drained %q", l.Text)
		}
	})
	if e := p.Stop(10 * time.Millisecond); !e.Killed {
		t.Errorf("exit %+v", e)
	}
}

// The end of the child ends its children too, or Stop would wait for their pipes.
func TestGroup(t *testing.T) {
	p := start(t, "parent")
	wantLine(t, p, "up")
	p.Write([]byte("\n"))
	wantLine(t, p, "gone")
	if e := p.Stop(5 * time.Second); e.Code != 0 || e.Killed {
		t.Errorf("exit %+v", e)
	}
	if _, err := p.ReadLine(soon(t)); err != io.EOF {
		t.Errorf("output still open: %v", err)
	}
}

func TestNoProgram(t *testing.T) {
	if _, err := Start(exec.Command("./no-such-program"), Limits{}); err == nil {
		t.Error("started")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Stdout = os.Stdout
	if _, err := Start(cmd, Limits{}); err == nil {
		t.Error("started with a stream that is taken")
	}
}

// A suspended child does nothing, and then goes on with what it was told.
func TestSuspend(t *testing.T) {
	p := start(t, "echo")
	p.Write([]byte("one\n"))
	wantLine(t, p, "one")
	for range 2 { // twice is once
		if err := p.Suspend(); err != nil {
			t.Skip(err)
		}
	}
	p.Write([]byte("two\n"))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if l, err := p.ReadLine(ctx); err == nil {
		t.Errorf("it said %q", l.Text)
	}
	for range 2 {
		if err := p.Resume(); err != nil {
			t.Error(err)
		}
	}
	wantLine(t, p, "two")

	if err := p.Suspend(); err != nil {
		t.Error(err)
	}
	if e := p.Stop(5 * time.Second); e.Code != 0 || e.Killed {
		t.Errorf("with grace: %+v", e)
	}
	if err := p.Suspend(); err != os.ErrProcessDone {
		t.Errorf("after the end: %v", err)
	}

	p = start(t, "echo")
	p.Suspend()
	if e := p.Stop(0); !e.Killed {
		t.Errorf("without grace: %+v", e)
	}
}

// The moment that a clock may begin from lies between the call and the answer.
func TestWritten(t *testing.T) {
	p := start(t, "echo")
	if at := p.Written(time.Time{}); !at.IsZero() {
		t.Errorf("%v before anything was", at)
	}
	began := time.Now()
	p.Write([]byte("one\n"))
	l, err := p.ReadLine(soon(t))
	if at := p.Written(time.Time{}); err != nil || at.Before(began) || at.After(l.At) {
		t.Errorf("%v is not between %v and %v, %v", at, began, l.At, err)
	}
	if at := p.Written(l.At); at != l.At {
		t.Errorf("%v is not %v", at, l.At)
	}
}

func TestBadLimits(t *testing.T) {
	for _, l := range []Limits{{Memory: -1}, {CPUs: []int{-1}}, {CPUs: []int{maxCPUs}}, {CPUs: []int{maxCPUs - 1}}} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), partVar+"=echo")
		if p, err := Start(cmd, l); err == nil {
			p.Stop(0)
			t.Errorf("started within %+v", l)
		}
	}
}
