package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
	"unicode"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol/process"
)

const (
	floodBytes = 8 << 20
	floodLines = 20000 // unread lines of a program that will not be listened to any more
	pipeAtomic = 4096  // a longer write may arrive in pieces by no fault of its own
	maxLine    = 8000
)

// heard is one line as it was read: the text with what ends it.
type heard struct {
	raw string
	at  time.Time
}

func (h heard) text() string { return strings.TrimRight(h.raw, "\r\n") }

// ear collects what a program says.
type ear struct {
	mu      sync.Mutex
	lines   []heard
	rest    []byte // an unfinished line
	pieces  int    // in which it came
	bytes   int    // in lines
	torn    string // the first line that came in pieces
	flooded bool
	more    chan struct{} // 1: something has come
}

func (e *ear) hear(chunk []byte, at time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(chunk) > 0 && !e.flooded {
		n := strings.IndexByte(string(chunk), '\n') + 1
		if n == 0 {
			e.pieces++
			if len(e.rest) < maxLine {
				e.rest = append(e.rest, chunk...)
			}
			break
		}
		line := string(e.rest) + string(chunk[:n])
		if e.pieces > 0 && len(line) < pipeAtomic && e.torn == "" {
			e.torn = line
		}
		e.lines = append(e.lines, heard{line, at})
		e.rest, e.pieces, chunk = e.rest[:0], 0, chunk[n:]
		e.bytes += len(line)
		if len(e.lines) > floodLines || e.bytes > floodBytes {
			e.flooded = true
		}
	}
	select {
	case e.more <- struct{}{}:
	default:
	}
}

// take returns the next line, if there is one.
func (e *ear) take() (h heard, ok, flooded bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.lines) == 0 {
		return h, false, e.flooded
	}
	h, e.lines = e.lines[0], e.lines[1:]
	e.bytes -= len(h.raw)
	return h, true, e.flooded
}

// tail is the end of one side of a dialogue, for people.
type tail []string

func (l *tail) add(s string) {
	if s = strings.Map(visible, s); s == "" {
		return
	}
	if len(s) > 80 {
		s = s[:77] + "..."
	}
	if *l = append(*l, s); len(*l) > 6 {
		*l = append(tail{"..."}, (*l)[len(*l)-5:]...)
	}
}

// visible keeps what a program says from the terminal of those who read about it.
func visible(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return -1
}

func (l tail) String() string { return strings.Join(l, " | ") }

// talk is one dialogue with one process, by the manager's part. A failure sticks: what is
// called after it does nothing, so that a dialogue reads from its first line to its last.
type talk struct {
	c       *checker
	p       *process.Process
	ear     *ear
	ended   chan struct{} // closed at the end of the output
	began   time.Time     // of the process
	eol     string        // of what is sent
	sent    tail
	came    tail
	failure string
	doubts  []string // warnings
	skipped string
	notes   []string // what was measured
	board   game.Game
	variant game.Variant
	slowest time.Duration // of the moves, and the processor time that it had
	worked  time.Duration
	stray   bool // something came that is no response of GTP
}

func (t *talk) failed() bool { return t.failure != "" || t.skipped != "" || t.c.ctx.Err() != nil }

func (t *talk) fail(format string, args ...any) {
	if !t.failed() {
		t.failure = fmt.Sprintf(format, args...)
	}
}

func (t *talk) warn(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !t.failed() && len(t.doubts) < 3 {
		t.doubts = append(t.doubts, s)
	}
}

func (t *talk) skip(why string) {
	if !t.failed() {
		t.skipped = why
	}
}

func (t *talk) note(format string, args ...any) {
	t.notes = append(t.notes, fmt.Sprintf(format, args...))
}

func (t *talk) verdict() (Status, string) {
	switch {
	case t.failure != "":
		return Fail, t.failure
	case t.skipped != "":
		return Skipped, t.skipped
	case len(t.doubts) > 0:
		return Warn, strings.Join(t.doubts, "; ")
	}
	return Pass, strings.Join(t.notes, ", ")
}

// spawn starts a process of the program.
func (t *talk) spawn() error {
	pat := t.c.cmd
	cmd := &exec.Cmd{Path: pat.Path, Args: pat.Args, Env: pat.Env, Dir: pat.Dir, Err: pat.Err}
	e := &ear{more: make(chan struct{}, 1)}
	t.began = time.Now()
	p, err := process.StartRaw(cmd, process.Limits{}, e.hear)
	if err != nil {
		return err
	}
	t.p, t.ear, t.ended = p, e, make(chan struct{})
	go func(p *process.Process, ended chan struct{}) {
		p.ReadLine(context.Background()) // tells the end of the output only
		close(ended)
	}(p, t.ended)
	return nil
}

// close ends the process and keeps what it has shown in passing.
func (t *talk) close() {
	if t.p == nil {
		return
	}
	t.p.Stop(0)
	<-t.ended
	c := t.c
	if s := t.p.Stderr(); s != "" && c.stderr == "" {
		c.stderr = s
	}
	if t.ear.torn != "" && c.torn == "" {
		c.torn = t.ear.torn
	}
	t.p = nil
}

// again puts a fresh process in the place of this one.
func (t *talk) again() {
	t.close()
	if t.failed() {
		return
	}
	if err := t.spawn(); err != nil {
		t.fail("%v", err)
	}
}

// send writes lines in one piece, each with the end that is set.
func (t *talk) send(lines ...string) {
	for _, l := range lines {
		if !t.failed() {
			t.sent.add(l)
		}
	}
	t.write(strings.Join(lines, t.eol) + t.eol)
}

// raw writes a text as it is.
func (t *talk) raw(s string) {
	if !t.failed() {
		t.sent.add(fmt.Sprintf("%q", s))
	}
	t.write(s)
}

func (t *talk) write(s string) {
	if t.failed() || t.p == nil {
		return
	}
	if err := t.p.Write([]byte(s)); err != nil {
		t.fail("%v", err)
	}
}

var (
	errSilent = errors.New("no answer")
	errFlood  = errors.New("a flood of lines")
)

// hear waits for the next line, until the deadline. The error is errSilent, errFlood,
// io.EOF or the context's.
func (t *talk) hear(deadline time.Time) (heard, error) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	for {
		h, ok, flooded := t.ear.take()
		switch {
		case flooded:
			return h, errFlood
		case ok && h.at.After(deadline):
			return h, errSilent
		case ok:
			t.came.add(h.text())
			return h, nil
		}
		select {
		case <-t.ear.more:
			continue
		default:
		}
		select {
		case <-t.ear.more:
		case <-t.ended:
			if h, ok, _ := t.ear.take(); ok { // the last words
				t.came.add(h.text())
				return h, nil
			}
			return h, io.EOF
		case <-timer.C:
			return h, errSilent
		case <-t.c.ctx.Done():
			return h, t.c.ctx.Err()
		}
	}
}

// lost says why there is no answer.
func (t *talk) lost(err error, waited time.Duration, what string) {
	switch err {
	case io.EOF:
		how := "closed its output"
		select {
		case <-t.p.Done():
			how = "ended: " + t.p.Exit().Reason
		case <-time.After(100 * time.Millisecond):
		}
		t.fail("%s: the program %s", what, how)
	case errSilent:
		t.fail("%s: nothing in %d ms", what, waited.Milliseconds())
	default:
		t.fail("%s: %v", what, err)
	}
}

// silent wants nothing to come for a while. What a brain says aside is a doubt only:
// managers pass over it where they look for an answer.
func (t *talk) silent(after string) {
	deadline := time.Now().Add(t.c.pace.quiet)
	for !t.failed() {
		switch h, err := t.hear(deadline); {
		case err == nil && t.c.Protocol == Piskvork && aside(h.text()):
			t.warn("%q after %s", h.text(), after)
		case err == nil:
			t.fail("%q after %s", h.text(), after)
		case err == io.EOF:
			t.lost(err, 0, after)
		case err == errSilent:
			return
		default:
			t.fail("%v after %s", err, after)
		}
	}
}

// gone wants the process to have ended by itself within the time that a manager gives,
// without a word unless it was thinking.
func (t *talk) gone(after string, thinking bool) {
	if t.failed() {
		return
	}
	began := time.Now()
	for {
		h, err := t.hear(began.Add(t.c.pace.end))
		switch {
		case err == nil && (thinking || aside(h.text()) || strings.TrimSpace(h.text()) == ""):
			continue
		case err == nil:
			t.fail("%q after %s", h.text(), after)
		case err == io.EOF:
		case err == errSilent:
		default:
			t.fail("%v after %s", err, after)
		}
		break
	}
	select {
	case <-t.p.Done():
	case <-time.After(time.Until(began.Add(t.c.pace.end))):
		t.fail("still there %d ms after %s", t.c.pace.end.Milliseconds(), after)
		return
	}
	t.note("gone %s after %s", ms(time.Since(began)), after)
}

// wait lets time pass.
func (t *talk) wait(d time.Duration) {
	if t.failed() {
		return
	}
	select {
	case <-time.After(d):
	case <-t.c.ctx.Done():
	}
}

// suspend stops the process, where that can be done.
func (t *talk) suspend() {
	if t.failed() {
		return
	}
	switch err := t.p.Suspend(); {
	case errors.Is(err, errors.ErrUnsupported):
		t.skip("processes cannot be suspended here")
	case err == os.ErrProcessDone:
		t.lost(io.EOF, 0, "before it was suspended")
	case err != nil:
		t.skip(err.Error())
	}
}

func (t *talk) resume() {
	if t.p != nil {
		t.p.Resume()
	}
}

// referee puts the board's own judge at the beginning of a game.
func (t *talk) referee(v game.Variant) {
	g, err := engine.Referee(v)
	if err != nil {
		t.fail("%v", err)
		return
	}
	t.board, t.variant = g, v
}

// within judges the time of a move: the judge of Gomocup gives a second more than the
// limit, but takes it from the clock of the game.
func (t *talk) within(took, limit time.Duration) {
	switch {
	case took > limit+t.c.pace.tolerance:
		t.fail("took %s of %s: lost on time%s", ms(took), ms(limit), t.starved())
	case took > limit:
		t.warn("took %s of %s: only the tolerance saves it%s", ms(took), ms(limit), t.starved())
	default:
		t.note("%s of %s", ms(took), ms(limit))
	}
}

// starved says so when the slowest move had the processor for less than half of its time:
// then the machine, and not the program, may have been late.
func (t *talk) starved() string {
	if t.slowest == 0 || t.worked > t.slowest/2 {
		return ""
	}
	return fmt.Sprintf(" (it had the processor for %s: the machine is busy, or it slept)", ms(t.worked))
}

// weigh judges the memory that the process has now.
func (t *talk) weigh(limit int64) {
	if t.failed() {
		return
	}
	n, err := t.p.Memory()
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		t.skip("memory cannot be measured here")
	case err != nil:
	case n > limit:
		t.fail("has %d MiB, %d are allowed", n>>20, limit>>20)
	default:
		t.notes = []string{fmt.Sprintf("%d of %d MiB", n>>20, limit>>20)}
	}
}

func ms(d time.Duration) string { return fmt.Sprintf("%d ms", d.Milliseconds()) }
