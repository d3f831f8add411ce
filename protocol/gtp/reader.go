package gtp

import (
	"io"
	"strings"
	"time"
)

// maxLine is the longest line that is read; set_position with a full board has 4 kB.
const maxLine = 64 << 10

// inputLine is a line as it arrived, never an unfinished one.
type inputLine struct {
	text string
	at   time.Time // when its end was read
	long bool      // it was longer than maxLine, and text is its beginning
}

// interrupt is the comment by which GoGui asks for the end of what is running.
func (l inputLine) interrupt() bool {
	rest, ok := strings.CutPrefix(l.text, "#")
	return ok && strings.TrimSpace(rest) == "interrupt"
}

// readLines sends the lines of r until it ends, which closes lines. Lines end in LF, CR or
// both. Empty ones are sent too, since they end an analysis, but not the second half of a
// line end. What stands before the end of input without a line end is a line too: a file
// of commands may lack the last one.
func readLines(r io.Reader, lines chan<- inputLine, quit <-chan struct{}) {
	defer close(lines)
	var line []byte
	long, cr := false, false
	send := func(at time.Time) bool {
		l := inputLine{strings.TrimSpace(string(line)), at, long}
		line, long = line[:0], false
		select {
		case lines <- l:
			return true
		case <-quit:
			return false
		}
	}
	chunk := make([]byte, 4096)
	for {
		n, err := r.Read(chunk)
		at := time.Now()
		for _, c := range chunk[:n] {
			half := cr && c == '\n'
			cr = c == '\r'
			switch {
			case half:
			case c == '\n' || c == '\r':
				if !send(at) {
					return
				}
			case len(line) < maxLine:
				line = append(line, c)
			default:
				long = true
			}
		}
		if err != nil {
			if len(line) > 0 {
				send(at)
			}
			return
		}
	}
}
