package gtp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"tengen/engine"
	"tengen/protocol"
)

// A front end starts and stops analyses all day, at any moment, with moves between them: each
// answer comes, in its place and with its numbers, and no search stays behind.
func TestStops(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	rng := rand.New(rand.NewPCG(7, 7))
	in, commands := io.Pipe()
	answers, out := io.Pipe()
	defer answers.Close()
	m := protocol.Maker{Referee: engine.Replay, Engine: engine.New, Book: closed()}
	done := make(chan error, 1)
	go func() {
		done <- Serve(context.Background(), protocol.NewSession(m), in, out, ServeOptions{Variant: variant(t, "go 9"), Nodes: 100})
		out.Close()
	}()
	r := bufio.NewReader(answers)
	id := 0
	send := func(format string, args ...any) int {
		id++
		fmt.Fprintf(commands, "%d %s\n", id, fmt.Sprintf(format, args...))
		return id
	}
	line := func() string {
		s, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSuffix(s, "\n")
	}
	// rest reads a response up to its empty line.
	rest := func() (lines []string) {
		for s := line(); s != ""; s = line() {
			lines = append(lines, s)
		}
		return lines
	}
	answer := func(id int) string {
		s := rest()
		if len(s) == 0 || !strings.HasPrefix(s[0], fmt.Sprintf("=%d", id)) && !strings.HasPrefix(s[0], fmt.Sprintf("?%d", id)) {
			t.Fatalf("%q for %d", s, id)
		}
		return s[0]
	}
	size := 9
	check := func(lines []string, kata bool) {
		for _, s := range lines {
			_, owners, told := strings.Cut(s, " ownership ")
			if n := len(strings.Fields(owners)); !strings.HasPrefix(s, "info move ") || told != kata || kata && n != size*size {
				t.Fatalf("%d points of %q", n, s)
			}
		}
	}
	for i := range stops {
		if i%10 == 0 {
			size = []int{9, 13, 19}[rng.IntN(3)]
			answer(send("boardsize %d", size))
			answer(send("clear_board"))
		}
		for range rng.IntN(3) {
			answer(send("play %c %s", "bw"[rng.IntN(2)], vertex(rng, size)))
		}
		side := "bw"[rng.IntN(2)]
		switch rng.IntN(4) {
		case 0: // a move
			n := send("kata-genmove_analyze %c 1 ownership true", side)
			if s := line(); s != fmt.Sprintf("=%d", n) {
				t.Fatalf("%q for %d", s, n)
			}
			lines := rest()
			if !strings.HasPrefix(lines[len(lines)-1], "play ") {
				t.Fatalf("%q", lines)
			}
			check(lines[:len(lines)-1], true)
		default:
			kata := rng.IntN(2) == 0
			what := "lz-analyze"
			if kata {
				what = "kata-analyze"
			}
			n := send("%s %c 1 ownership true", what, side)
			if s := line(); s != fmt.Sprintf("=%d", n) {
				t.Fatalf("%q for %d", s, n)
			}
			var lines []string
			for range rng.IntN(3) {
				lines = append(lines, line())
			}
			next := 0
			if rng.IntN(2) == 0 {
				fmt.Fprintln(commands)
			} else {
				next = send("%s", []string{"name", "undo", "showboard", "play b pass"}[rng.IntN(4)])
			}
			check(append(lines, rest()...), kata)
			if next > 0 {
				answer(next)
			}
		}
	}
	if s := answer(send("quit")); !strings.HasPrefix(s, "=") {
		t.Fatal(s)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	commands.Close()
	in.Close()
}

func vertex(rng *rand.Rand, size int) string {
	return fmt.Sprintf("%c%d", "ABCDEFGHJKLMNOPQRST"[rng.IntN(size)], 1+rng.IntN(size))
}
