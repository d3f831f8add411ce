package gtp

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tengen/protocol"
)

// said is what a server may say: responses, whole or of an analysis. A fuzzed name of a
// file may be told in an error.
var said = regexp.MustCompile(`^([=?]\d* [^\n]*(\n[^\n]+)*\n\n|=\d*\n(info move [^\n]*\n)*(play [A-Za-z0-9]+\n)?\n)*$`)

// FuzzServe: whatever comes in, nothing panics or hangs, and only responses come out, one
// for each command.
func FuzzServe(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, name := range files {
		script, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var b bytes.Buffer
		for l := range strings.Lines(string(script) + "---\n") {
			switch {
			case strings.HasPrefix(l, ">"):
				b.WriteString(strings.TrimSpace(l[1:]) + "\r\n")
			case strings.HasPrefix(l, "---"):
				f.Add(bytes.Clone(b.Bytes()), byte(b.Len()))
				b.Reset()
			}
		}
	}
	f.Add([]byte("7 lz-analyze\n\n\r\nkata-analyze\r\rgenmove b\n# interrupt\nquit\nname"), byte(3))
	games := []string{"go 5", "go 9", "renju 7", "freestyle 5", "caro 6", "standard 5"}
	f.Fuzz(func(t *testing.T, input []byte, chunk byte) {
		if bytes.Contains(input, []byte("sgf")) {
			t.Skip() // no files are to be written
		}
		p := &player{waits: chunk%3 == 0, longest: time.Millisecond}
		out := &strings.Builder{} // only the loop writes, and Serve has returned before it is read
		done := make(chan error, 1)
		go func() {
			s := protocol.NewSession(maker(p))
			done <- Serve(context.Background(), s, &pieces{input, int(chunk)%50 + 1}, out,
				ServeOptions{Variant: variant(t, games[int(chunk)%len(games)]), MoveTime: time.Second})
		}()
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(patience):
			t.Fatal("does not end")
		}
		if s := out.String(); !said.MatchString(s) {
			t.Fatalf("no responses: %q", s)
		}
		if s := out.String(); strings.Contains(s, "internal error") {
			t.Fatalf("something broke: %q", s)
		}
		want, ended := 0, false
		for l := range strings.FieldsFuncSeq(string(input), func(r rune) bool { return r == '\n' || r == '\r' }) {
			if r, ok := parse(strings.TrimSpace(l)); ok && !ended {
				want++
				ended = r.name == "quit" && len(l) < maxLine
			}
		}
		if n := strings.Count(out.String(), "\n\n"); n != want {
			t.Fatalf("%d responses to %d commands: %q", n, want, out)
		}
	})
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

// FuzzVertex: what is read is what is written.
func FuzzVertex(f *testing.F) {
	for _, s := range []string{"A1", "h8", "j9", "Z25", "I5", "pass", "PASS", "resign", "a0", "a26", "T19", "é1", ""} {
		f.Add(s, byte(19))
	}
	f.Fuzz(func(t *testing.T, s string, n byte) {
		size := 2 + int(n)%24
		q, err := ParseVertex(s, size)
		if err == nil && !strings.EqualFold(strings.TrimLeft(Vertex(q, size), "0"), strings.Replace(s, s[:1]+"0", s[:1], 1)) {
			t.Fatalf("%q is read as %s", s, Vertex(q, size))
		}
	})
}
