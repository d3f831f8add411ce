package piskvork

import (
	"io"
	"strings"
	"time"
)

// maxLine is the longest line that is read: a full board on one line has 4 kB.
const maxLine = 16 << 10

// inputLine is a line as it arrived. It is never an unfinished one: some managers write a
// command and its line end in two pieces.
type inputLine struct {
	text string
	at   time.Time // when its end was read
	long bool      // it was longer than maxLine, and text is its beginning
}

// readLines sends the lines of r until it ends, which closes lines and then ended. END,
// after which nothing counts, ends it too. Lines end in LF, CR or both; blank ones are
// left out, so the two halves of a CRLF need no care.
func readLines(r io.Reader, lines chan<- inputLine, ended chan<- struct{}, quit <-chan struct{}) {
	defer close(ended)
	defer close(lines)
	var line []byte
	long := false
	chunk := make([]byte, 4096)
	for {
		n, err := r.Read(chunk)
		at := time.Now()
		for _, c := range chunk[:n] {
			if c != '\n' && c != '\r' {
				if len(line) < maxLine {
					line = append(line, c)
				} else {
					long = true
				}
				continue
			}
			text := strings.TrimSpace(string(line))
			if text != "" {
				select {
				case lines <- inputLine{text, at, long}:
				case <-quit:
					return
				}
				if strings.EqualFold(text, "END") {
					return
				}
			}
			line, long = line[:0], false
		}
		if err != nil {
			return
		}
	}
}
