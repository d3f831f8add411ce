package piskvork

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"tengen/engine/game"
)

// recording is one line of a recorded session.
type recording struct {
	dir  byte // '>' to the engine, '<' from it
	text string
}

var recorded = regexp.MustCompile(`^ *\d+ ([><*!]) (.*)$`)

// sessions reads a recording. What follows a gap in it is left out.
func sessions(text string) (all [][]recording) {
	var one []recording
	gap := false
	flush := func() {
		if len(one) > 0 {
			all = append(all, one)
		}
		one, gap = nil, false
	}
	for _, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(l, "# session") {
			flush()
		}
		m := recorded.FindStringSubmatch(l)
		if m == nil || gap {
			continue
		}
		switch m[1] {
		case "*":
			gap = strings.Contains(m[2], "left out") && !strings.Contains(m[2], "engine output")
		case "<", ">":
			if s, err := strconv.Unquote(`"` + strings.ReplaceAll(m[2], `"`, `\"`) + `"`); err == nil {
				one = append(one, recording{m[1][0], s})
			}
		}
	}
	flush()
	return all
}

// kind sorts an answer; lines of no kind are not compared.
func kind(l string) string {
	l = strings.TrimRight(l, "\r\n")
	switch {
	case strings.HasPrefix(l, "MESSAGE SWAP2"):
		return l // the text decides, and the openings are those of the recording
	case aside(l), strings.HasPrefix(l, "INFO"), l == "MESSAGE", strings.HasPrefix(l, "MESSAGE"), strings.HasPrefix(l, " "), strings.HasPrefix(l, "-"):
		return ""
	case l == "OK", l == "SWAP":
		return l
	case strings.HasPrefix(l, "name="):
		return "about"
	case strings.HasPrefix(l, "FORBID"):
		return "forbid"
	case strings.HasPrefix(l, "UNKNOWN"):
		return "unknown"
	case strings.HasPrefix(l, "ERROR"):
		return "error"
	}
	if q, ok := strings.CutPrefix(l, "SUGGEST "); ok {
		l = q // we play it at once
	}
	if n := len(strings.Fields(l)); n > 0 && len(pointsOf(l)) == n {
		return fmt.Sprintf("%d points", n)
	}
	return "?"
}

// What real clients sent, replayed: each command gets an answer of the same kind. The
// engine under test plays the recorded engine's moves, so that the game stays the same;
// where that engine broke the rules, or was silent, ours may do better.
func TestReplay(t *testing.T) {
	var dir string
	for _, up := range []string{"../../..", "../../../.."} {
		if d := filepath.Join(up, "shared", "data", "transcripts"); isDir(d) {
			dir = d
			break
		}
	}
	if dir == "" {
		t.Skip("no recordings here")
	}
	n := 0
	for _, client := range []string{"gomocupjudge", "piskvork", "c-gomoku-cli", "qpiskvork", "yixin-board"} {
		files, _ := filepath.Glob(filepath.Join(dir, client+"-*.txt"))
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range sessions(string(b)) {
				n++
				t.Run(fmt.Sprintf("%s/%d", strings.TrimSuffix(filepath.Base(f), ".txt"), i+1), func(t *testing.T) {
					replay(t, s)
				})
			}
		}
	}
	t.Logf("%d sessions", n)
}

func isDir(name string) bool {
	i, err := os.Stat(name)
	return err == nil && i.IsDir()
}

func replay(t *testing.T, session []recording) {
	p, sw := &player{}, &swaps{}
	// What the recorded engine chose is ours to choose.
	swap2, put := "", ""
	for i, r := range session {
		if r.dir == '>' {
			word := strings.ToUpper(strings.TrimSpace(r.text))
			if strings.HasPrefix(word, "SWAP2BOARD") || strings.HasPrefix(word, "YXBALANCE") {
				swap2 = "one line"
			}
			continue
		}
		text := strings.TrimSpace(r.text)
		switch k := kind(r.text); {
		case k == "SWAP":
			sw.answers, swap2 = append(sw.answers, "SWAP"), ""
		case strings.HasSuffix(k, "points") && swap2 != "":
			sw.answers, swap2 = append(sw.answers, text), ""
		case strings.HasSuffix(k, "points"):
			// The answer to PLAY is no move of the search.
			if i > 0 && strings.HasPrefix(session[i-1].text, "PLAY ") {
				continue
			}
			p.script = append(p.script, pointsOf(strings.TrimPrefix(text, "SUGGEST "))...)
		case strings.HasPrefix(k, "MESSAGE SWAP2"):
			f := strings.Fields(k)
			switch {
			case strings.HasPrefix(f[2], "MOVE"):
				put += f[3] + "," + f[4] + " "
				if f[2] == "MOVE3" || f[2] == "MOVE5" {
					sw.answers, put = append(sw.answers, put), ""
				}
			case f[3] == "YES":
				sw.answers = append(sw.answers, "SWAP")
			default:
				sw.answers = append(sw.answers, "0,0")
			}
		}
	}
	c := converse(t, p, sw)
	// The recorded engine may break the rules, and so may be forced on ours a move that
	// is replaced; the stones then differ, and later commands may be refused.
	b := &board{taken: map[game.Point]bool{}}
	differs := false
	ended, answered := false, false
	for i, r := range session {
		if r.dir == '>' {
			b.sent(r.text)
			c.send(r.text)
			ended = ended || strings.EqualFold(strings.TrimSpace(r.text), "END")
			continue
		}
		answered = true
		want := kind(r.text)
		if want == "" || want == "?" {
			continue
		}
		if ended && strings.HasSuffix(want, "points") {
			break // we end without a last word
		}
		if want == "error" && !strings.HasPrefix(strings.ToUpper(session[i-1].text), "RECTSTART") {
			switch before := strings.ToUpper(session[i-1].text); {
			case strings.HasPrefix(before, "TURN"):
				want = "1 points" // we have a move
			case strings.HasPrefix(session[i-1].text, "MESSAGE PentaZen"):
				want = "OK" // we have the size
			default:
				continue // we are silent on INFO
			}
		}
		for {
			l := c.line()
			got := kind(l)
			if got == "" {
				continue
			}
			if got == "SWAP" && b.move(strings.TrimSpace(r.text), 1) != "" {
				got = want // the recorded answer was illegal
			}
			if got != want {
				if differs && got == "error" {
					return
				}
				c.fail("answered by %q, the recorded engine says %q", l, strings.TrimSpace(r.text))
			}
			if strings.HasSuffix(got, "points") && strings.TrimSpace(strings.TrimPrefix(r.text, "SUGGEST ")) != l {
				differs = true
			}
			break
		}
	}
	c.in.Close()
	select {
	case <-c.done:
	case <-time.After(patience):
		c.fail("does not end")
	}
	// Where the recorded engine was silent, we may have answered.
	for {
		select {
		case l := <-c.out:
			if k := kind(l); k != "" && k != "SWAP" && !strings.HasPrefix(k, "MESSAGE SWAP2") && !strings.HasSuffix(k, "points") && answered {
				c.fail("one line too many: %q", l)
			}
		default:
			return
		}
	}
}
