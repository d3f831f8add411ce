// Package process runs a child program that is not trusted.
//
// The child may be slow, silent, talkative, deaf or dead; whatever it does, every call
// here returns in bounded time. Three goroutines of ours stand between the child and the
// caller (its output, its input, its stderr) and a fourth waits for its end; Stop joins
// them all, kills the child's whole process group and leaves no zombie behind.
package process

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

const (
	MaxLine    = 8000    // bytes of a line that are kept; the rest of it is dropped
	StderrHead = 1 << 10 // bytes of stderr that are kept: the first, where Go says what
	StderrTail = 4 << 10 // went wrong, and the last, where others do
	rawChunk   = 1 << 16 // what a pipe holds
	queue      = 64      // lines (out) and blocks (in) that may wait
)

// Errors of a child that does not keep up its end.
var (
	ErrDeaf   = errors.New("the program does not read its input")
	ErrClosed = errors.New("the program's input is closed")
)

// Line is one line of output and the moment its end was read, so that the reader of the
// lines need not be awake to time them.
type Line struct {
	Text string
	At   time.Time
}

// Exit is how a program ended.
type Exit struct {
	Code   int    // exit status; -1 when a signal ended it
	Reason string // "exit status 3", "signal: segmentation fault"
	Killed bool   // we killed it
}

// Process is a running child. One goroutine at a time may read lines; all else may be
// called from any.
type Process struct {
	cmd    *exec.Cmd
	group  group
	lines  chan Line // closed at the end of output
	raw    func([]byte, time.Time)
	gone   chan struct{}
	input  chan []byte
	stop   chan struct{} // closed when nobody wants lines any more
	reaped chan struct{}

	in, out, err *os.File // our ends, closed by Stop
	readers      sync.WaitGroup
	writer       sync.WaitGroup
	stopOnce     sync.Once

	mu      sync.Mutex
	closed  bool // no more input
	killed  bool
	written time.Time
	exit    Exit
	head    []byte // of stderr
	tail    []byte
	dropped bool // something between them

	// Held while the group is looked at or changed, which may take milliseconds: so it
	// is not mu, for which the next command would have to wait.
	groupMu   sync.Mutex
	released  bool // the group is no longer ours
	suspended bool
}

// Start runs cmd within limits. The streams of cmd must not be set; its SysProcAttr is
// changed so that the child leads a group of its own.
func Start(cmd *exec.Cmd, limits Limits) (*Process, error) { return StartRaw(cmd, limits, nil) }

// StartRaw is Start for those who look at the bytes: the output is passed to raw as it is
// read, with the moment of the read, and not cut into lines; ReadLine tells its end only.
// raw must not keep the bytes, nor block. It is not called any more when Stop has returned.
func StartRaw(cmd *exec.Cmd, limits Limits, raw func(chunk []byte, at time.Time)) (*Process, error) {
	if err := limits.check(); err != nil {
		return nil, err
	}
	if cmd.Stdin != nil || cmd.Stdout != nil || cmd.Stderr != nil {
		return nil, errors.New("process: the streams of the command are taken")
	}
	// The pipes are ours and not exec's: its Wait would stay for a grandchild that
	// keeps the child's output open.
	var pipes []*os.File
	closeAll := func() {
		for _, f := range pipes {
			f.Close()
		}
	}
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll()
			return nil, err
		}
		pipes = append(pipes, r, w)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipes[0], pipes[3], pipes[5]
	g, err := launch(cmd, limits)
	if err != nil {
		closeAll()
		return nil, err
	}
	pipes[0].Close()
	pipes[3].Close()
	pipes[5].Close()

	p := &Process{
		cmd:    cmd,
		group:  g,
		lines:  make(chan Line, queue),
		raw:    raw,
		gone:   make(chan struct{}),
		input:  make(chan []byte, queue),
		stop:   make(chan struct{}),
		reaped: make(chan struct{}),
		in:     pipes[1],
		out:    pipes[2],
		err:    pipes[4],
	}
	p.readers.Add(2)
	p.writer.Add(1)
	go p.readOutput()
	go p.readStderr()
	go p.writeInput()
	go p.wait()
	return p, nil
}

func (p *Process) wait() {
	err := p.cmd.Wait()
	p.mu.Lock()
	if s := p.cmd.ProcessState; s != nil {
		p.exit = Exit{Code: s.ExitCode(), Reason: s.String(), Killed: p.killed}
	} else {
		p.exit = Exit{Code: -1, Reason: err.Error(), Killed: p.killed}
	}
	p.mu.Unlock()
	close(p.reaped)
}

// readOutput cuts the output into lines that end in LF, CR or both; empty ones are
// skipped, and so is an unfinished one at the end: half a move is no move.
func (p *Process) readOutput() {
	defer p.readers.Done()
	defer close(p.lines)
	if p.raw != nil {
		buf := make([]byte, rawChunk)
		for {
			n, err := p.out.Read(buf)
			if n > 0 {
				p.raw(buf[:n], time.Now())
			}
			if err != nil {
				return
			}
		}
	}
	r := bufio.NewReader(p.out)
	var line []byte
	for {
		b, err := r.ReadByte()
		switch {
		case err != nil:
			return
		case b != '\n' && b != '\r':
			if len(line) < MaxLine {
				line = append(line, b)
			}
			continue
		case len(line) == 0:
			continue
		}
		select {
		case p.lines <- Line{string(line), time.Now()}:
		case <-p.stop: // read on, so that the child can write on and end
		}
		line = line[:0]
	}
}

func (p *Process) readStderr() {
	defer p.readers.Done()
	buf := make([]byte, 1024)
	for {
		n, err := p.err.Read(buf)
		p.mu.Lock()
		fits := min(n, StderrHead-len(p.head))
		p.head = append(p.head, buf[:fits]...)
		p.tail = append(p.tail, buf[fits:n]...)
		if over := len(p.tail) - StderrTail; over > 0 {
			p.tail = append(p.tail[:0], p.tail[over:]...)
			p.dropped = true
		}
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// writeInput is the only writer. A write to a child that does not read blocks here and
// nowhere else, until the child is killed.
func (p *Process) writeInput() {
	defer p.writer.Done()
	defer p.in.Close()
	for b := range p.input {
		p.mu.Lock()
		p.written = time.Now()
		p.mu.Unlock()
		if _, err := p.in.Write(b); err != nil {
			break // the end of the output tells the caller
		}
	}
	for range p.input {
	}
}

// Write queues b for the child and returns at once. A b of several lines reaches the
// child in one piece. ErrDeaf means that the child has left its input unread for long.
func (p *Process) Write(b []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	select {
	case p.input <- append([]byte(nil), b...):
		return nil
	default:
		return ErrDeaf
	}
}

// Written returns when the last block was given to the system that has been, or after if
// that is later: a clock that began then leaves out how long a block written after it was
// queued has waited for our own side. It is the moment before the write and not the one
// behind it: in between, the child may run for long before we do.
func (p *Process) Written(after time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.written.After(after) {
		return p.written
	}
	return after
}

// CloseInput lets the child see the end of its input after what is queued.
func (p *Process) CloseInput() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.closed = true
		close(p.input)
	}
}

// ReadLine returns the next line of output, io.EOF after the last one, or ctx's error.
// A line that is there already is returned even if ctx is done.
func (p *Process) ReadLine(ctx context.Context) (Line, error) {
	select {
	case l, ok := <-p.lines:
		return lineOrEOF(l, ok)
	default:
	}
	select {
	case l, ok := <-p.lines:
		return lineOrEOF(l, ok)
	case <-ctx.Done():
		return Line{}, ctx.Err()
	}
}

func lineOrEOF(l Line, ok bool) (Line, error) {
	if !ok {
		return l, io.EOF
	}
	return l, nil
}

// Drain passes the lines that are there already to drop, no more of them than may wait.
func (p *Process) Drain(drop func(Line)) {
	for range queue {
		select {
		case l, ok := <-p.lines:
			if !ok {
				return
			}
			drop(l)
		default:
			return
		}
	}
}

// Done is closed when the child has ended and been waited for.
func (p *Process) Done() <-chan struct{} { return p.reaped }

// Exit returns how the child ended; it is the zero value before Done.
func (p *Process) Exit() Exit {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit
}

// Stderr returns the first and the last bytes that the child wrote to stderr, with
// " ... " between them if that was not all.
func (p *Process) Stderr() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	gap := ""
	if p.dropped {
		gap = " ... "
	}
	return string(p.head) + gap + string(p.tail)
}

// Kill ends the child and all its descendants that stayed in its group.
func (p *Process) Kill() {
	p.groupMu.Lock()
	defer p.groupMu.Unlock()
	if p.released {
		return
	}
	select {
	case <-p.reaped:
	default:
		p.mu.Lock()
		p.killed = true
		p.mu.Unlock()
	}
	p.group.kill()
}

// Suspend stops the group where it is, until Resume. A clock that runs meanwhile is the
// caller's; Kill and Stop work as ever. The error of a child that has ended is
// os.ErrProcessDone.
func (p *Process) Suspend() error { return p.suspend(true) }

// Resume lets a suspended group run on; others it leaves alone.
func (p *Process) Resume() error { return p.suspend(false) }

func (p *Process) suspend(yes bool) error {
	p.groupMu.Lock()
	defer p.groupMu.Unlock()
	if p.ended() {
		return os.ErrProcessDone
	}
	if p.suspended == yes { // Windows counts
		return nil
	}
	if err := p.group.suspend(yes); err != nil {
		return err
	}
	p.suspended = yes
	return nil
}

// ended reports whether the child is gone, and with it the right to its number.
func (p *Process) ended() bool {
	select {
	case <-p.reaped:
		return true
	default:
		return p.released
	}
}

// Memory returns how many bytes the group holds now. On Linux that is its proportional
// set size, swap included: memory that several processes share is divided among them. It
// walks the page tables, so call it between moves if the program is large. On Windows it
// is what the group has committed; elsewhere the error is errors.ErrUnsupported. That of
// a child that has ended is os.ErrProcessDone.
func (p *Process) Memory() (int64, error) {
	p.groupMu.Lock()
	defer p.groupMu.Unlock()
	if p.ended() {
		return 0, os.ErrProcessDone
	}
	return p.group.memory()
}

// CPUTime returns the processor time, user and system, that the group has used, its dead
// included if their parents waited for them; Linux counts in steps of 10 ms. After the
// child's end it is the time of the child and of those it waited for: systems other than
// Linux and Windows tell it only then, and errors.ErrUnsupported before.
func (p *Process) CPUTime() (time.Duration, error) {
	p.groupMu.Lock()
	defer p.groupMu.Unlock()
	if p.ended() {
		if s := p.cmd.ProcessState; s != nil {
			return s.UserTime() + s.SystemTime(), nil
		}
		return 0, os.ErrProcessDone
	}
	return p.group.cpuTime()
}

// Stop closes the input, gives the child grace to end by itself, for which it is resumed
// if it was suspended, kills what is left of its group and joins everything. It may be
// called more than once.
func (p *Process) Stop(grace time.Duration) Exit {
	p.stopOnce.Do(func() {
		p.CloseInput()
		close(p.stop)
		timer := time.NewTimer(grace)
		defer timer.Stop()
		if grace > 0 {
			p.Resume()
		}
		select {
		case <-p.reaped:
		case <-timer.C:
		}
		p.Kill() // the child, or those it left behind
		<-p.reaped
		p.groupMu.Lock()
		p.released = true
		p.group.close()
		p.groupMu.Unlock()
		p.joinReaders()
		p.in.Close() // a descendant may hold the other end of a full pipe
		p.writer.Wait()
		close(p.gone)
	})
	<-p.gone
	return p.Exit()
}

// joinReaders lets the readers see the last bytes. A descendant that left the group may
// hold the pipes open: then they are closed under it.
func (p *Process) joinReaders() {
	done := make(chan struct{})
	go func() { p.readers.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(200 * time.Millisecond):
	}
	p.out.Close()
	p.err.Close()
	<-done
}
