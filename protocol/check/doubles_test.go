package check

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol"
	"tengen/protocol/gtp"
	"tengen/protocol/piskvork"
)

// The test binary is the programs that are checked: with this variable set it speaks a
// protocol, well but for the fault that the variable names, and exits.
const partVar = "TENGEN_CHECK_PART"

func TestMain(m *testing.M) {
	if part := os.Getenv(partVar); part != "" {
		play(part)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// few is an engine that counts nodes and not time.
type few struct {
	engine.Engine
	nodes int64
}

func (e few) Think(ctx context.Context, rec *game.Record, lim game.Limits, tell func(game.Info)) (game.Choice, error) {
	return e.Engine.Think(ctx, rec, game.Limits{Nodes: e.nodes, Instant: lim.Instant, Avoid: lim.Avoid, Inquiry: lim.Inquiry}, tell)
}

// faults are what a double does wrong. Each gets a line and may change it.
type faults struct {
	in  func(line string) string   // "" drops it
	out func(line string) []string // each is a write
	// before the first command
	start func()
}

var hoard []byte

// play speaks a protocol with the faults that part names.
func play(part string) {
	names := strings.Fields(part)
	proto, all := names[0], []faults{}
	for _, n := range names[1:] {
		if proto == "gtp" {
			all = append(all, gtpFaults(n))
		} else {
			all = append(all, brainFaults(n))
		}
	}
	hears := false
	for _, f := range all {
		hears = hears || f.in != nil
		if f.start != nil {
			f.start()
		}
	}
	in := io.Reader(os.Stdin)
	if hears {
		r, w := io.Pipe()
		in = r
		go func() {
			s := bufio.NewScanner(os.Stdin)
			s.Split(anyEnd)
			for s.Scan() {
				l := s.Text()
				for _, f := range all {
					if f.in != nil && l != "" {
						l = f.in(l)
					}
				}
				if l != "" || s.Text() == "" {
					io.WriteString(w, l+"\n")
				}
			}
			w.Close()
		}()
	}
	out := writer(func(b []byte) (int, error) {
		lines := []string{string(b)}
		for _, f := range all {
			if f.out != nil {
				var next []string
				for _, l := range lines {
					next = append(next, f.out(l)...)
				}
				lines = next
			}
		}
		for _, l := range lines {
			os.Stdout.WriteString(l)
		}
		return len(b), nil
	})
	s := protocol.NewSession(protocol.Maker{
		Referee: engine.Replay,
		Engine: func(v game.Variant, o engine.Options) (engine.Engine, error) {
			o.Memory = 24 << 20
			e, err := engine.New(v, o)
			return few{e, map[bool]int64{true: 10, false: 100}[v.Rule == game.Weiqi]}, err
		},
	})
	if proto == "gtp" {
		gtp.Serve(context.Background(), s, in, out, gtp.ServeOptions{Variant: variantOf(part), Nodes: 10})
	} else {
		piskvork.Serve(context.Background(), s, in, out)
	}
	if names[1] == "stays" {
		time.Sleep(time.Minute)
	}
}

// anyEnd cuts at CR and at LF; what is between the two is an empty line.
func anyEnd(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexAny(data, "\r\n"); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF {
		return len(data), nil, nil
	}
	return 0, nil, nil
}

func variantOf(part string) game.Variant {
	if strings.HasSuffix(part, "renju") {
		return game.Variant{Rule: game.Renju, Size: 15}
	}
	return (&checker{}).variant(game.Weiqi, 9)
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

var aMove = regexp.MustCompile(`^\d+,\d+\n$`)

func brainFaults(part string) (f faults) {
	moves, last := 0, ""
	// at the n-th move something else happens
	at := func(n int, do func(line string) []string) func(string) []string {
		return func(l string) []string {
			if aMove.MatchString(l) {
				if moves++; moves == n {
					return do(l)
				}
			}
			return []string{l}
		}
	}
	same := func(l string) []string { return []string{l} }
	switch part {
	case "okplus":
		f.out = func(l string) []string {
			if l == "OK\n" {
				return []string{"OK - everything is good\n"}
			}
			return same(l)
		}
	case "no20":
		f.in = func(l string) string {
			if strings.HasPrefix(l, "START 20") {
				return "START 2"
			}
			return l
		}
	case "unknowns":
		f.in = func(l string) string {
			if strings.HasPrefix(l, "RESTART") || strings.HasPrefix(l, "TAKEBACK") || strings.HasPrefix(l, "RECTSTART") {
				return "WHAT"
			}
			return l
		}
	case "answersinfo":
		f.in = func(l string) string {
			if strings.Contains(l, "no_such_key") {
				fmt.Println("ERROR unknown key")
			}
			return l
		}
	case "chatty":
		f.out = func(l string) []string {
			if aMove.MatchString(l) {
				return []string{"I think I play\n", l}
			}
			return same(l)
		}
	case "bracket":
		f.out = func(l string) []string {
			if aMove.MatchString(l) {
				return []string{" " + strings.TrimSpace(l) + " \n"}
			}
			return same(l)
		}
	case "echo":
		f.out = func(l string) []string {
			if aMove.MatchString(l) {
				return []string{l, "MESSAGE that was it\n"}
			}
			return same(l)
		}
	case "stderr":
		f.start = func() { fmt.Fprintln(os.Stderr, "loading") }
	case "pieces":
		f.out = func(l string) []string {
			os.Stdout.WriteString(strings.TrimSuffix(l, "\n"))
			time.Sleep(2 * time.Millisecond)
			return []string{"\n"}
		}
	case "upper":
		f.in = func(l string) string {
			if t := strings.TrimSpace(l); t != "" && t[0] >= 'a' && t[0] <= 'z' {
				return "WHAT"
			}
			return l
		}
	case "lines":
		f.in = func(l string) string {
			if strings.HasPrefix(l, "BOARD ") {
				return "WHAT"
			}
			return l
		}
	case "onerule":
		f.in = func(l string) string {
			if strings.HasPrefix(l, "INFO rule") {
				return ""
			}
			return l
		}
	case "hoards":
		f.in = func(l string) string {
			if l == "INFO max_memory 83886080" {
				hoard = bytes.Repeat([]byte{1}, 150<<20)
				return ""
			}
			return l
		}
	case "noabout":
		f.in = func(l string) string {
			if l == "ABOUT" {
				return "WHAT"
			}
			return l
		}
	case "nameless":
		f.out = func(l string) []string {
			if strings.HasPrefix(l, "name=") {
				return []string{"name=\"fake\", version=\"1\"\n"}
			}
			return same(l)
		}
	case "eager": // plays whatever it is told
		f.in = func(l string) string { last = l; return l }
		f.out = func(l string) []string {
			if strings.HasPrefix(last, "TURN") && strings.HasPrefix(l, "ERROR") {
				return []string{"0,0\n"}
			}
			return same(l)
		}
	case "polite":
		f.out = func(l string) []string {
			if strings.HasPrefix(l, "UNKNOWN") {
				return []string{"OK\n"}
			}
			return same(l)
		}
	case "anysize":
		f.out = func(l string) []string {
			if strings.HasPrefix(l, "ERROR unsupported") || strings.HasPrefix(l, "ERROR size") {
				return []string{"OK\n"}
			}
			return same(l)
		}
	case "cheat": // the fourth move is the first again
		first := ""
		f.out = func(l string) []string {
			if aMove.MatchString(l) {
				switch moves++; moves {
				case 1:
					first = l
				case 4:
					return []string{first}
				}
			}
			return same(l)
		}
	case "off":
		f.out = at(2, func(string) []string { return []string{"44,0\n"} })
	case "crash":
		f.out = at(2, func(string) []string { os.Exit(3); return nil })
	case "hang":
		f.out = at(2, func(string) []string { time.Sleep(time.Hour); return nil })
	case "half":
		f.out = at(2, func(string) []string { os.Stdout.WriteString("1,1"); time.Sleep(time.Hour); return nil })
	case "deaf":
		f.out = at(1, func(l string) []string { os.Stdout.WriteString(l); time.Sleep(time.Hour); return nil })
	case "flood":
		f.out = at(2, func(string) []string {
			for {
				os.Stdout.WriteString("MESSAGE and so on, and so on, and so on, and so on, and so on\n")
			}
		})
	case "slow":
		f.out = at(1, func(l string) []string { time.Sleep(600 * time.Millisecond); return same(l) })
	case "noend":
		f.in = func(l string) string {
			if l == "END" {
				return ""
			}
			return l
		}
	case "mute":
		f.in = func(string) string { return "" }
	case "dies":
		f.start = func() { os.Exit(7) }
	}
	return f
}

func gtpFaults(part string) (f faults) {
	last := ""
	in := func(l string) string { last = l; return l }
	switch part {
	case "noid":
		f.out = func(l string) []string {
			return []string{regexp.MustCompile(`^([=?])\d+`).ReplaceAllString(l, "$1")}
		}
	case "stray":
		f.in = in
		f.out = func(l string) []string {
			if strings.HasPrefix(last, "genmove") {
				return []string{"thinking\n", l}
			}
			return []string{l}
		}
	case "blank":
		f.in = in
		f.out = func(l string) []string {
			if strings.HasPrefix(last, "genmove") {
				return []string{l + "\n"}
			}
			return []string{l}
		}
	case "oneline":
		f.out = func(l string) []string { return []string{strings.TrimSuffix(l, "\n")} }
	case "banner":
		f.start = func() { fmt.Println("Welcome") }
	case "takes": // any play
		f.out = func(l string) []string {
			if strings.HasPrefix(l, "? illegal move") {
				return []string{"= \n\n"}
			}
			return []string{l}
		}
	case "lost": // forgets the last stone
		f.in = func(l string) string {
			if in(l); l == "undo" {
				return "name"
			}
			return l
		}
	case "unknown":
		f.out = func(l string) []string {
			if l == "? unknown command\n\n" {
				return []string{"? what?\n\n"}
			}
			return []string{l}
		}
	case "komi": // clear_board clears it too
		f.in = func(l string) string {
			if l == "clear_board" {
				return "komi 7.5"
			}
			return l
		}
	case "crash":
		f.in = func(l string) string {
			if strings.HasPrefix(l, "genmove") {
				os.Exit(3)
			}
			return l
		}
	}
	return f
}
