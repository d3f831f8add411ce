package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/engine/game"
	"tengen/protocol/gtp"
)

// The controller's part of GTP.

// response is what answered a command.
type response struct {
	ok   bool
	id   string
	text string // its lines, joined by LF
	at   time.Time
}

// read waits for the next response to its empty line. What does not belong to one is kept
// as stray: stdout is for responses.
func (t *talk) read(to string, limit time.Duration) (r response) {
	if t.failed() {
		return
	}
	deadline := time.Now().Add(limit)
	var lines []string
	for {
		h, err := t.hear(deadline)
		if err != nil {
			if len(lines) > 0 && err == errSilent {
				t.fail("%s: no empty line ends the response", to)
			} else {
				t.lost(err, limit, to)
			}
			return response{}
		}
		s := h.text()
		switch {
		case lines != nil && s == "":
			r.text, r.at = strings.Join(lines, "\n"), h.at
			return r
		case lines != nil:
			lines = append(lines, s)
			if len(lines) > floodLines {
				t.fail("%s: %v", to, errFlood)
				return response{}
			}
		case s != "" && (s[0] == '=' || s[0] == '?'):
			r.ok = s[0] == '='
			n := 1
			for n < len(s) && s[n] >= '0' && s[n] <= '9' {
				n++
			}
			r.id = s[1:n]
			lines = append([]string{}, strings.TrimSpace(s[n:]))
		case s == "":
			t.c.strays("an empty line too many before the answer to "+to, false)
		default:
			t.stray = true
			t.c.strays(fmt.Sprintf("%.100q before the answer to %s", s, to), true)
		}
	}
}

// strays remembers the first output that was no response; text counts more than a line.
func (c *checker) strays(what string, text bool) {
	if c.stray == "" || text && !c.strayLine {
		c.stray, c.strayLine = what, text
	}
}

// command sends a command and returns its response.
func (t *talk) command(s string) response { return t.commandIn(s, t.c.pace.answer) }

func (t *talk) commandIn(s string, limit time.Duration) response {
	t.send(s)
	return t.read(s, limit)
}

// does wants a command to succeed and returns the response's text.
func (t *talk) does(format string, args ...any) string {
	s := fmt.Sprintf(format, args...)
	r := t.command(s)
	if !t.failed() && !r.ok {
		t.fail("%s is refused: %q", s, r.text)
	}
	return r.text
}

// refuses wants a command to fail.
func (t *talk) refuses(format string, args ...any) string {
	s := fmt.Sprintf(format, args...)
	r := t.command(s)
	if !t.failed() && r.ok {
		t.fail("%s is not refused: %q", s, r.text)
	}
	return r.text
}

// lists reports whether the program lists a command, and skips the point if not.
func (t *talk) lists(names ...string) bool {
	for _, n := range names {
		if t.c.known[n] {
			return true
		}
	}
	t.skip("not listed: " + strings.Join(names, ", "))
	return false
}

// game begins a game with moves that are quick.
func (t *talk) game(size int) {
	t.referee(t.c.variant(t.c.Games[0], size))
	t.does("boardsize %d", size)
	t.does("clear_board")
	if t.c.Games[0] == game.Weiqi {
		t.does("komi 6.5")
	}
	if t.c.known["time_settings"] {
		t.does("time_settings 0 %d 1", t.c.pace.byo/time.Second)
	}
}

func (t *talk) vertex(q game.Point) string { return gtp.Vertex(q, t.variant.Size) }

var letters = [2]string{"b", "w"}

// plays puts a stone of a side on both boards.
func (t *talk) plays(c game.Color, q game.Point) {
	if t.failed() {
		return
	}
	if err := t.board.SetToMove(c); err != nil {
		t.fail("%v", err)
		return
	}
	if err := t.board.Play(q); err != nil {
		t.fail("our own move %s: %v", t.vertex(q), err)
		return
	}
	t.does("play %s %s", letters[c], t.vertex(q))
}

// generates asks for a move of a side and plays it on our board. The move is NoPoint when
// the program resigned.
func (t *talk) generates(c game.Color) (q game.Point, took time.Duration) {
	if t.failed() {
		return game.NoPoint, 0
	}
	began := time.Now()
	t.send("genmove " + letters[c])
	r := t.read("genmove", t.c.pace.byo+t.c.pace.tolerance+t.c.pace.slow)
	took = r.at.Sub(began)
	switch {
	case t.failed():
		return game.NoPoint, 0
	case !r.ok:
		t.fail("genmove is refused: %q", r.text)
		return game.NoPoint, took
	case strings.EqualFold(r.text, "resign"):
		return game.NoPoint, took
	}
	q, err := gtp.ParseVertex(r.text, t.variant.Size)
	if err != nil {
		t.fail("genmove answers %q", r.text)
		return game.NoPoint, took
	}
	t.board.SetToMove(c)
	if err := t.board.Play(q); err != nil {
		t.fail("plays %s: %v", r.text, err)
	}
	return q, took
}

// gtp returns what is required of a GTP engine.
func (c *checker) gtp() ([]point, error) {
	size := 15
	if len(c.Games) == 0 || c.Games[0] == game.Weiqi {
		size = 9
	}
	if err := c.settle([]game.Rule{game.Weiqi}, size, 7, 25); err != nil {
		return nil, err
	}
	if len(c.Games) != 1 {
		return nil, fmt.Errorf("one game at a time by this protocol, not %d", len(c.Games))
	}
	c.known = map[string]bool{}
	return slices.Concat(c.framing(), c.playing(), c.extras(), c.leaving()), nil
}

func (c *checker) framing() []point {
	const spec = "the specification; GoGui, Sabaki and every other controller start with it"
	script := func(id, require, why, text string, want ...string) point {
		return point{id: id, require: require, why: why, run: func(t *talk) {
			t.raw(text)
			for _, w := range want {
				r := t.read(text, t.c.pace.answer)
				if got := map[bool]string{true: "=", false: "?"}[r.ok] + r.id; !t.failed() && got != w {
					t.fail("%q instead of %q", got, w)
				}
			}
			t.silent("the last response")
		}}
	}
	return []point{
		{id: "G1", require: "protocol_version is 2; name and version are there", why: spec, run: func(t *talk) {
			if s := t.does("protocol_version"); !t.failed() && s != "2" {
				t.fail("protocol_version %q", s)
			}
			c.name = t.does("name")
			if v := t.does("version"); !t.failed() {
				c.name = strings.TrimSpace(c.name + " " + v)
			}
			if c.name == "" {
				t.warn("no name")
			}
		}},
		{id: "G2", require: "list_commands lists what must be there, and known_command agrees with it", why: "controllers offer what is listed and nothing else",
			run: func(t *talk) {
				list := strings.Fields(t.does("list_commands"))
				for _, n := range list {
					c.known[n] = true
				}
				for _, n := range []string{"protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board", "komi", "play", "genmove"} {
					if !c.known[n] {
						t.fail("%s is not listed", n)
					}
				}
				for _, n := range append(list, "no_such_command") {
					if s := t.does("known_command %s", n); !t.failed() && s != strconv.FormatBool(c.known[n]) {
						t.fail("known_command %s: %q", n, s)
					}
				}
				t.note("%d commands", len(list))
			}},
		script("G3a", "the id of a command stands behind the sign of its response", "GoGui and gomill match answers by it", "1 name\n999999 name\n0 no_such_command\n7 boardsize x\nname\n", "=1", "=999999", "?0", "?7", "="),
		script("G3b", "comments, tabs and empty lines are passed over", "regression files are full of them; the specification says so", "# a comment\n\n  \n\tname\t# another\n1\tname\n\n", "=", "=1"),
		script("G3c", "commands may end in CR LF", "gtp2ogs and programs on Windows write them so", "name\r\n2 version\r\n\r\n3 name\r\n", "=", "=2", "=3"),
		script("G3d", "control characters are passed over", "the specification says so", "na\x07me\n4 na\x01me\n", "=", "=4"),
		script("G3e", "commands that come in one piece are answered one after the other", "gtp2ogs and Sabaki do not wait for the answers", strings.Repeat("name\nversion\nprotocol_version\n", 20), slices.Repeat([]string{"="}, 60)...),
		{id: "G3f", require: "a command that comes in pieces is read as one", why: "a pipe may cut it anywhere", run: func(t *talk) {
			t.does("version")
			t.raw("na")
			t.silent("half a command")
			t.raw("me\n")
			if r := t.read("name", t.c.pace.answer); !t.failed() && !r.ok {
				t.fail("%q", r.text)
			}
		}},
		{id: "G3g", require: "a line of 10,000 characters does no harm", why: "sets of positions are sent on one line", run: func(t *talk) {
			t.write(strings.Repeat("x", 10000) + "\n")
			t.sent.add("a line of 10000 x")
			if r := t.read("a long line", t.c.pace.answer); !t.failed() && r.ok {
				t.fail("it is answered by =")
			}
			for r := t.command("protocol_version"); r.text != "2" && !t.failed(); { // the line may have been cut
				r = t.read("protocol_version", t.c.pace.answer)
			}
		}},
		{id: "G4", require: `an unknown command is answered by "? unknown command"`, why: "controllers try commands and compare the text", run: func(t *talk) {
			if s := t.refuses("no_such_command"); !t.failed() && s != "unknown command" {
				t.warn("%q", s)
			}
			t.does("name")
		}},
		{id: "G5", require: "stdout has responses and nothing else, each ended by one empty line", whole: true,
			why: "a stray line is taken for the next response (stderr is free)",
			run: func(t *talk) {
				switch {
				case c.strayLine:
					t.fail("%s", c.stray)
				case c.stray != "":
					t.warn("%s", c.stray)
				}
			}},
		{id: "G6", require: "nothing is said before the first command", why: "it would be read as a response", run: func(t *talk) {
			t.wait(t.c.pace.quiet)
			if t.does("name"); t.stray {
				t.fail("%q", t.came[0])
			}
		}},
	}
}

func (c *checker) playing() []point {
	size, byo := c.Size, c.pace.byo
	line := c.Games[0] != game.Weiqi
	ps := []point{
		{id: "G7", require: "sizes that cannot be are refused with ?, and the next one is not", why: "Sabaki and GoGui offer sizes and look at the answer", run: func(t *talk) {
			for _, bad := range []string{"boardsize 1000", "boardsize 0", "boardsize -9", "boardsize x", "boardsize"} {
				if s := t.refuses("%s", bad); bad == "boardsize 1000" && !t.failed() && s != "unacceptable size" {
					t.warn("%q instead of %q", s, "unacceptable size")
				}
			}
			t.game(size)
			t.plays(game.Black, t.dull(0))
		}},
		{id: "G8", require: "komi is any number; what is none is refused", why: "7,5 has crashed programs; handicap games have 0 and less", run: func(t *talk) {
			for _, k := range []string{"6.5", "0", "-5", "7", "0.5"} {
				t.does("komi %s", k)
			}
			for _, bad := range []string{"komi x", "komi"} {
				t.refuses("%s", bad)
			}
			if r := t.command("komi 7,5"); !t.failed() && r.ok {
				t.warn("komi 7,5 is taken")
			}
		}},
		{id: "G9", require: "boardsize and clear_board keep the komi", why: "gogui-twogtp sends it before the first game only", run: func(t *talk) {
			if !t.lists("get_komi") {
				return
			}
			t.does("komi 3.5")
			t.does("boardsize %d", size)
			t.does("clear_board")
			if k := t.does("get_komi"); !t.failed() && strings.TrimRight(k, "0") != "3.5" {
				t.fail("get_komi %q", k)
			}
		}},
		{id: "G10", require: "play takes colours and points in any writing, and a side twice in a row", why: "gtp2ogs writes black d4, GoGui B D4; handicap stones come as plays", run: func(t *talk) {
			t.game(size)
			for i, s := range []string{"B", "black", "BLACK", "b"} {
				t.does("play %s %s", s, strings.ToLower(gtp.Vertex(game.At(2*i, i%2), size)))
			}
			t.does("play White %s", gtp.Vertex(game.At(1, 3), size))
			if !line {
				t.does("play w pass")
				t.does("play B PASS")
			}
		}},
		{id: "G11", require: `a play that is none is refused, "? illegal move" on an occupied point, and changes nothing`, why: "GoGui's rulers play the last move twice, Sabaki sets up stones on others", run: func(t *talk) {
			t.game(size)
			a := t.dull(0)
			t.plays(game.Black, a)
			for _, c := range letters {
				if s := t.refuses("play %s %s", c, t.vertex(a)); !t.failed() && s != "illegal move" {
					t.warn("%q instead of %q", s, "illegal move")
				}
			}
			for _, bad := range []string{"play b I5", "play b Z99", "play b A0", "play b", "play", "play green A1", fmt.Sprintf("play b A%d", size+1)} {
				t.refuses("%s", bad)
			}
			t.generates(game.White)
			t.generates(game.Black)
		}},
		{id: "G12", require: "undo takes the last move back; with none left it is refused", why: "GoGui sends one for each ply that one goes back", run: func(t *talk) {
			if !t.lists("undo") {
				return
			}
			t.game(size)
			a, b := t.dull(0), t.dull(5)
			t.does("play b %s", t.vertex(a))
			t.does("play w %s", t.vertex(b))
			t.does("undo")
			t.does("play w %s", t.vertex(b)) // is free again
			t.does("undo")
			t.does("undo")
			t.does("play w %s", t.vertex(a))
			t.does("undo")
			if s := t.refuses("undo"); !t.failed() && s != "cannot undo" {
				t.warn("%q instead of %q", s, "cannot undo")
			}
		}},
		{id: "G13", require: "genmove plays legal moves, also for one side twice in a row", why: "handicap on OGS; an illegal move loses", run: func(t *talk) {
			t.game(size)
			for _, c := range []game.Color{game.Black, game.White, game.White, game.Black} {
				t.generates(c)
			}
			if r := t.command("genmove green"); !t.failed() && r.ok {
				t.fail("genmove green is answered by %q", r.text)
			}
		}},
		{id: "G14a", require: fmt.Sprintf("time_settings is kept: %v a move", byo), why: "what takes longer loses on time", run: func(t *talk) {
			if !t.lists("time_settings") {
				return
			}
			t.game(size)
			var most time.Duration
			for i := range 4 {
				if _, took := t.generates(game.Color(i % 2)); took > most {
					most = took
				}
			}
			t.within(most, byo)
		}},
		{id: "G14b", require: fmt.Sprintf("time_left is kept: %v for all the rest", 2*byo), why: "what takes longer loses on time", run: func(t *talk) {
			if !t.lists("time_left") {
				return
			}
			t.game(size)
			t.does("time_settings 600 0 0")
			t.does("time_left b %d 0", 2*byo/time.Second)
			t.does("time_left w %d 0", 2*byo/time.Second)
			_, took := t.generates(game.Black)
			t.within(took, 2*byo)
			t.does("time_left b 0 0")
			_, took = t.generates(game.Black)
			if took > t.c.pace.tolerance {
				t.warn("took %s when 0 seconds were left", ms(took))
			}
		}},
	}
	if line {
		return append(ps, c.lines()...)
	}
	return append(ps,
		point{id: "G15a", require: "suicide and the retaking of a ko are refused", why: "no rule set of the controllers has the first but New Zealand's and Tromp-Taylor's, none the second", run: func(t *talk) {
			t.game(size)
			for _, q := range []game.Point{game.At(1, 0), game.At(0, 1)} {
				t.plays(game.White, q)
			}
			if r := t.command("play b " + t.vertex(game.At(0, 0))); !t.failed() && r.ok {
				t.warn("suicide is taken")
				t.does("clear_board")
				return
			}
			t.game(size)
			// A ko around (3,3) and (4,3), in which Black's own stone makes the position
			// that he may not make again: so by every rule set.
			for _, q := range []game.Point{game.At(3, 2), game.At(2, 3), game.At(3, 4)} {
				t.plays(game.Black, q)
			}
			for _, q := range []game.Point{game.At(4, 2), game.At(5, 3), game.At(4, 4)} {
				t.plays(game.White, q)
			}
			t.plays(game.Black, game.At(4, 3))
			t.plays(game.White, game.At(3, 3)) // takes
			t.refuses("play b %s", t.vertex(game.At(4, 3)))
			t.plays(game.Black, game.At(0, 0))
			t.plays(game.White, game.At(0, 2))
			t.plays(game.Black, game.At(4, 3)) // now it may
		}},
		point{id: "G15b", require: "handicap stones are placed on an empty board only, and told", why: "GoGui and gomill place them by these commands", run: func(t *talk) {
			if !t.lists("fixed_handicap", "set_free_handicap") {
				return
			}
			t.game(size)
			if c.known["fixed_handicap"] {
				s := t.does("fixed_handicap 2")
				qs := strings.Fields(s)
				for _, f := range qs {
					if _, err := gtp.ParseVertex(f, size); err != nil {
						t.fail("fixed_handicap 2: %q", s)
					}
				}
				if len(qs) != 2 {
					t.fail("fixed_handicap 2: %q", s)
				}
				t.refuses("fixed_handicap 2")
				t.does("clear_board")
				t.refuses("fixed_handicap x")
			}
			if c.known["set_free_handicap"] {
				t.does("set_free_handicap C3 G7")
				t.refuses("set_free_handicap C4 G6")
				t.does("clear_board")
				t.refuses("set_free_handicap C3 C3")
			}
		}},
		point{id: "G16", require: fmt.Sprintf("a game with itself on %dx%d is legal to its end, and final_score is W+3.5, B+3.5 or 0", size, size), why: "an illegal move loses; one that never passes never ends; gogui-twogtp and gomill read the score", run: func(t *talk) {
			t.game(size)
			passes, moves := 0, 0
			for ; passes < 2 && moves < 3*size*size && !t.failed(); moves++ {
				q, took := t.generates(game.Color(moves % 2))
				if q == game.NoPoint {
					break
				}
				if took > t.c.pace.byo+t.c.pace.tolerance {
					t.fail("move %d took %s of %s", moves+1, ms(took), ms(t.c.pace.byo))
				}
				if passes++; q != game.Pass {
					passes = 0
				}
			}
			if moves == 3*size*size {
				t.warn("no end after %d moves", moves)
			}
			if passes == 2 && c.known["final_score"] {
				r := t.commandIn("final_score", t.c.pace.slow)
				if !t.failed() && (!r.ok || !score(r.text)) {
					t.fail("final_score %q", r.text)
				}
				t.note("%s", r.text)
			}
			t.note("%d moves", moves)
		}})
}

// score reports whether a final_score is one.
func score(s string) bool {
	if s == "0" {
		return true
	}
	if len(s) < 3 || s[0] != 'B' && s[0] != 'W' || s[1] != '+' {
		return false
	}
	_, err := strconv.ParseFloat(s[2:], 64)
	return err == nil
}

// lines is what is required of a program for a line game.
func (c *checker) lines() []point {
	position := func(id, require, position, points string) point {
		return point{id: id, require: require, why: "else the game is lost", run: func(t *talk) {
			if t.c.Size < 15 {
				t.skip("the position needs a board of 15")
				return
			}
			t.game(t.c.Size)
			for i, q := range stones(position) {
				t.plays(game.Color(i%2), q)
			}
			if t.failed() {
				return
			}
			q, _ := t.generates(t.board.ToMove())
			if want := stones(points); !t.failed() && !slices.Contains(want, q) {
				t.fail("plays %s", t.vertex(q))
			}
		}}
	}
	return []point{
		position("G15a", "a five is made", twoFours, "g8l8"),
		position("G15b", "a four is blocked", fourAgainst, "g8"),
		{id: "G15c", require: "gogui-rules_legal_moves is what the rules say", why: "GoGui plays no other point, and ends the game when there is none", run: func(t *talk) {
			if !t.lists("gogui-rules_legal_moves") {
				return
			}
			t.game(t.c.Size)
			for i, q := range stones(open) {
				t.plays(game.Color(i%2), q)
			}
			told := map[string]bool{}
			for _, f := range strings.Fields(t.does("gogui-rules_legal_moves")) {
				told[strings.ToUpper(f)] = true
			}
			if t.failed() {
				return
			}
			for i := range t.c.Size * t.c.Size {
				q := game.At(i%t.c.Size, i/t.c.Size)
				if legal := t.board.Legal(q) == nil; legal != told[t.vertex(q)] {
					t.fail("%s is told %v", t.vertex(q), told[t.vertex(q)])
				}
			}
		}},
		{id: "G16", require: "a game with itself is legal to its end", why: "an illegal move loses", run: func(t *talk) {
			t.game(t.c.Size)
			moves := 0
			for ; moves < t.c.Size*t.c.Size && !t.failed() && !t.over(); moves++ {
				q, took := t.generates(game.Color(moves % 2))
				if q == game.NoPoint {
					break
				}
				if took > t.c.pace.byo+t.c.pace.tolerance {
					t.fail("move %d took %s of %s", moves+1, ms(took), ms(t.c.pace.byo))
				}
			}
			t.note("%d moves", moves)
		}},
	}
}

func (c *checker) extras() []point {
	ps := []point{
		{id: "G17", require: "showboard is some lines without an empty one inside", why: "an empty line ends a response: what follows is taken for the next", run: func(t *talk) {
			if !t.lists("showboard") {
				return
			}
			t.game(c.Size)
			t.plays(game.Black, t.dull(0))
			if s := t.does("showboard"); !t.failed() && strings.Count(s, "\n") < c.Size {
				t.fail("%d lines for %d rows", strings.Count(s, "\n"), c.Size)
			}
			t.silent("showboard")
			t.does("name")
		}},
	}
	for i, name := range []string{"lz-analyze", "kata-analyze", "analyze"} {
		ps = append(ps, point{id: "G18" + string(rune('a'+i)), require: name + " tells lines of info, ends at any input and then by an empty line",
			why: "Sabaki and LizzieYzy end it by the next command and wait for that line", run: func(t *talk) {
				if !t.lists(name) {
					return
				}
				t.game(c.Size)
				t.plays(game.Black, t.dull(0))
				for _, stop := range []string{"\n", "protocol_version\n"} {
					t.raw(name + " w 10\n")
					told := 0
					deadline := time.Now().Add(t.c.pace.answer)
					for first := true; told == 0 && !t.failed(); first = false {
						h, err := t.hear(deadline)
						switch s := h.text(); {
						case err != nil:
							t.lost(err, t.c.pace.answer, name)
						case first && strings.TrimSpace(s) != "=":
							t.fail("%q instead of = after %s", s, name)
						case first:
						case strings.HasPrefix(s, "info move "):
							told++
						case s == "":
							t.fail("it ended by itself")
						}
					}
					t.wait(t.c.pace.quiet)
					t.raw(stop)
					for ended := false; !ended && !t.failed(); {
						h, err := t.hear(deadline.Add(t.c.pace.answer))
						switch {
						case err != nil:
							t.lost(err, t.c.pace.answer, "the end of "+name)
						case h.text() == "":
							ended = true
						case !strings.HasPrefix(h.text(), "info ") && !strings.HasPrefix(h.text(), "play "):
							t.fail("%q in %s", h.text(), name)
						}
					}
					if stop != "\n" {
						if r := t.read("protocol_version", t.c.pace.answer); !t.failed() && (!r.ok || r.text != "2") {
							t.fail("%q answers the command that ended it", r.text)
						}
					}
				}
				t.generates(game.White)
			}})
	}
	return ps
}

// thinkTime is what a program is given that is then left alone.
const thinkTime = 3 * time.Second

func (c *checker) leaving() []point {
	eof := func(t *talk) {
		if !t.failed() {
			t.sent.add("(end of input)")
			t.p.CloseInput()
		}
	}
	think := func(t *talk) {
		t.game(c.Size)
		if t.c.known["time_settings"] {
			t.does("time_settings 0 %d 1", thinkTime/time.Second)
		}
		for i := range 4 {
			t.plays(game.Color(i%2), t.dull(i))
		}
		t.send("genmove b")
		t.wait(t.c.pace.quiet)
	}
	return []point{
		{id: "G19a", require: "quit is answered, and the program is gone within 700 ms", why: "controllers wait for both", run: func(t *talk) {
			t.game(c.Size)
			t.generates(game.Black)
			t.does("quit")
			t.gone("quit", false)
		}},
		{id: "G19b", require: "the end of the input ends the program", why: "GoGui's rulers get no quit; what stays behind eats the machine", run: func(t *talk) {
			t.game(c.Size)
			t.generates(game.Black)
			eof(t)
			t.gone("the end of its input", false)
		}},
		{id: "G19c", require: "the end of the input ends the program during a search too", why: "a controller that dies leaves it so", run: func(t *talk) {
			think(t)
			eof(t)
			t.leaves()
		}},
	}
}

// leaves is gone for a program that may answer first what it was asked.
func (t *talk) leaves() {
	if t.failed() {
		return
	}
	began := time.Now()
	select {
	case <-t.p.Done():
		t.note("gone after %s", ms(time.Since(began)))
		return
	case <-time.After(t.c.pace.end):
	}
	select {
	case <-t.p.Done():
		t.warn("thinks on: gone after %s", ms(time.Since(began)))
	case <-time.After(thinkTime + t.c.pace.tolerance):
		t.fail("still there after %s", ms(time.Since(began)))
	case <-t.c.ctx.Done():
	}
}
