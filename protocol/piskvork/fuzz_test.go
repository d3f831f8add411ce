package piskvork

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// known are the shapes of all lines that may be written.
var known = regexp.MustCompile(`^(` + strings.Join([]string{
	`OK`, `SWAP`, `(UNKNOWN|ERROR|MESSAGE|DEBUG) [ -~]+`, `name="[^"]*"(, [a-z]+="[^"]*")*`,
	`\d\d?,\d\d?( \d\d?,\d\d?){0,2}`, `FORBID (\d{4})*\.`, `INFO (PV|NUMPV|DEPTH|SELDEPTH|NODES|TOTALNODES|TOTALTIME|SPEED|EVAL|WINRATE|BESTLINE) [ -~]+`,
}, "|") + `)$`)

// FuzzServe: whatever comes in, nothing panics or hangs, and only known lines come out.
func FuzzServe(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, name := range files {
		script, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var b bytes.Buffer
		for _, l := range strings.Split(string(script), "\n") {
			switch {
			case strings.HasPrefix(l, "> "):
				b.WriteString(l[2:] + "\r\n")
			case strings.HasPrefix(l, "---"):
				f.Add(b.Bytes(), byte(b.Len()))
				b.Reset()
			}
		}
		f.Add(b.Bytes(), byte(b.Len()))
	}
	f.Add([]byte("START 5\nYXSWAP2STEP1\nINFO game omok\nBOARD\n0,0,3\nTURN 1,1\rTURN 2,2\r\n"), byte(7))
	f.Fuzz(func(t *testing.T, input []byte, chunk byte) {
		p := &player{waits: chunk%3 == 0, thinks: make(chan struct{}, 1000)}
		out := &transcript{}
		done := make(chan error, 1)
		go func() {
			done <- Serve(context.Background(), newSession(p, nil), &pieces{input, int(chunk)%50 + 1}, out)
		}()
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(patience):
			t.Fatal("does not end")
		}
		for l := range strings.Lines(out.String()) {
			if !known.MatchString(strings.TrimSuffix(l, "\n")) {
				t.Fatalf("a line of no known shape: %q", l)
			}
		}
	})
}

// transcript keeps what is written: by the loop, which Serve does not wait for when it must
// end at once.
type transcript struct {
	mu sync.Mutex
	b  strings.Builder
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

// pieces is a reader of a few bytes at a time, and a manager that waits a little now and
// then, so that searches come to their answers.
type pieces struct {
	rest []byte
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		time.Sleep(500 * time.Microsecond)
		return 0, io.EOF
	}
	n := copy(b, p.rest[:min(p.size, len(p.rest))])
	p.rest = p.rest[n:]
	if len(p.rest)%101 == 0 {
		time.Sleep(20 * time.Microsecond)
	}
	return n, nil
}
