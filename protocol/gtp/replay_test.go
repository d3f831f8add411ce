package gtp

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tengen/engine"
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

// What real clients sent, replayed: each command gets a response of the same kind, and the
// same text where the text does not depend on the engine. The engine under test plays the
// recorded engine's moves, so that the game stays the same.
func TestReplay(t *testing.T) {
	var dir string
	for _, up := range []string{"../../..", "../../../.."} {
		d := filepath.Join(up, "shared", "data", "transcripts")
		if i, err := os.Stat(d); err == nil && i.IsDir() {
			dir = d
			break
		}
	}
	if dir == "" {
		t.Skip("no recordings here")
	}
	n := 0
	for _, client := range []string{"gogui", "sabaki", "gomill", "gtp2ogs"} {
		files, _ := filepath.Glob(filepath.Join(dir, client+"-*.txt"))
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			v := variant(t, "go 19")
			switch {
			case strings.Contains(f, "gomoku"):
				v = variant(t, "freestyle 15")
			case strings.Contains(f, "pente"):
				v = variant(t, "pente 15") // as the recorded ruler was started: a free opening
				v.FreeOpening = true
			}
			for i, s := range sessions(string(b)) {
				n++
				t.Run(fmt.Sprintf("%s/%d", strings.TrimSuffix(filepath.Base(f), ".txt"), i+1), func(t *testing.T) {
					if _, err := engine.Referee(v); err != nil {
						t.Skip(err)
					}
					replay(t, v, s)
				})
			}
		}
	}
	t.Logf("%d sessions", n)
}

// The recorded engines' own commands, and what we refuse because our boards are square.
var (
	theirs = []string{"level", "all_legal", "top"}
	square = []string{"rectangular_boardsize 9 7", "boardsize 9 7"}
)

func replay(t *testing.T, v game.Variant, session []recording) {
	p := &player{}
	// What belongs to what, and the moves that the recorded engine chose.
	var commands []request
	var answers []string
	var block string
	for _, r := range session {
		if r.dir == '>' {
			if c, ok := parse(r.text); ok {
				commands = append(commands, c)
			}
			continue
		}
		if block += r.text; strings.HasSuffix(block, "\n\n") || block == "\n" {
			answers = append(answers, strings.TrimSpace(block))
			block = ""
		}
	}
	for i, a := range answers {
		if i < len(commands) && strings.Contains(commands[i].name, "genmove") && a[0] == '=' {
			f := strings.Fields(a)
			p.script = append(p.script, f[len(f)-1])
		}
	}
	c := converse(t, p, ServeOptions{Variant: v})
	at, sent := 0, 0
	block = ""
	for _, r := range session {
		if r.dir == '>' {
			if cmd, ok := parse(r.text); ok {
				// A free handicap is the engine's to choose: it gets that of the recording.
				if cmd.name == "place_free_handicap" {
					r.text = "set_free_handicap " + strings.TrimLeft(answers[sent], "= ") + "\n"
				}
				sent++
			}
			c.send(r.text)
			continue
		}
		if block += r.text; !strings.HasSuffix(block, "\n\n") && block != "\n" {
			continue
		}
		want := strings.TrimSpace(block)
		block = ""
		got := c.response()
		cmd := commands[at]
		at++
		if slices.Contains(theirs, cmd.name) {
			continue
		}
		line := strings.Join(append([]string{cmd.name}, cmd.args...), " ")
		if slices.Contains(square, line) {
			if got != "? "+errSquare.Error() {
				c.fail("%s: %q", line, got)
			}
			break // the game that follows is not ours
		}
		if want[0] != got[0] || strings.Fields(want)[0] != strings.Fields(got)[0] {
			c.fail("%s: %q, the recorded engine says %q", line, got, want)
		}
		same := want == strings.TrimSpace(got)
		switch cmd.name {
		case "protocol_version", "gogui-rules_board", "gogui-rules_board_size", "gogui-rules_side_to_move",
			"gogui-rules_captured_count", "play", "genmove", "undo", "komi", "kata-list_time_settings":
			same = strings.EqualFold(want, strings.TrimSpace(got))
		case "gogui-rules_legal_moves", "fixed_handicap":
			same = slices.Equal(sorted(want), sorted(got))
		case "known_command":
			same = strings.Contains(line, "gomill") || same
		default:
			same = true
		}
		if !same {
			c.fail("%s: %q, the recorded engine says %q", line, got, want)
		}
	}
	c.in.Close()
	<-c.done
}

func sorted(s string) []string {
	f := strings.Fields(s)
	slices.Sort(f)
	return f
}
