package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// progress tells how far long work has come: on a terminal in a line that is written anew,
// elsewhere in a line now and then.
type progress struct {
	w        io.Writer
	terminal bool
	began    time.Time
	told     time.Time
	open     bool // a line stands on the terminal
}

// progressPause is the time between two lines where there is no terminal.
const progressPause = 10 * time.Second

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, began: time.Now()}
	if f, ok := w.(*os.File); ok {
		p.terminal = term.IsTerminal(int(f.Fd()))
	}
	return p
}

// tell says what is being done, and how much of it all is.
func (p *progress) tell(what string, done, total int) {
	now := time.Now()
	line := fmt.Sprintf("%d/%d, %v: %s", done, total, now.Sub(p.began).Round(time.Second), what)
	switch {
	case p.terminal:
		fmt.Fprintf(p.w, "\r\x1b[K%s", line)
		p.open = true
	case p.told.IsZero() || now.Sub(p.told) >= progressPause:
		fmt.Fprintln(p.w, line)
		p.told = now
	}
}

// done removes the line.
func (p *progress) done() {
	if p.open {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.open = false
	}
}
