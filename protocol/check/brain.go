package check

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"tengen/engine"
	"tengen/engine/game"
)

// The manager's part of the piskvork protocol. Each helper is lenient about what is not
// its subject, so that one fault of a program fails one point and not all of them.

var (
	moveExact = regexp.MustCompile(`^\d{1,2},\d{1,2}$`)
	moveLoose = regexp.MustCompile(`^\s*(\d{1,2})\s*,\s*(\d{1,2})\s*$`)
)

func isMove(s string) bool { return moveExact.MatchString(s) }

func hasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// aside reports whether a line may stand before any answer.
func aside(s string) bool { return hasPrefix(s, "MESSAGE ") || hasPrefix(s, "DEBUG ") }

func refusal(s string) bool { return hasPrefix(s, "ERROR") || hasPrefix(s, "UNKNOWN") }

// reply returns the next line that is not an aside, and fails when none comes in time.
func (t *talk) reply(to string, limit time.Duration) (h heard) {
	if t.failed() {
		return
	}
	deadline := time.Now().Add(limit)
	for {
		h, err := t.hear(deadline)
		switch {
		case err != nil:
			t.lost(err, limit, to)
			return heard{}
		case !aside(h.text()) && strings.TrimSpace(h.text()) != "":
			return h
		}
	}
}

// answerTo sends a command and returns what answers it.
func (t *talk) answerTo(command string) string {
	t.send(command)
	return t.reply(command, t.c.pace.answer).text()
}

// ok sends a command that must be answered by exactly OK.
func (t *talk) ok(command string) {
	if s := t.answerTo(command); !t.failed() && s != "OK" {
		t.fail("%q instead of OK after %s", s, command)
	}
}

// fresh begins a game in a process of its own.
func (t *talk) fresh(v game.Variant) {
	t.again()
	t.begins(v)
}

// okOrUnknown is ok for a command that a program need not know.
func (t *talk) okOrUnknown(command, instead string) {
	s := t.answerTo(command)
	switch {
	case t.failed() || s == "OK":
	case refusal(s):
		t.warn("%q after %s: %s", s, command, instead)
	default:
		t.fail("%q instead of OK after %s", s, command)
	}
}

// begins starts a game, its limits those of the pace.
func (t *talk) begins(v game.Variant) {
	t.referee(v)
	t.started(fmt.Sprintf("START %d", v.Size))
	t.infos(v.Rule, t.c.pace.turn)
}

// restarts begins another game in the same process. What stands before its OK answers
// what was sent before, and may be anything.
func (t *talk) restarts(v game.Variant) {
	t.referee(v)
	t.send(fmt.Sprintf("START %d", v.Size))
	deadline := time.Now().Add(t.c.pace.start)
	for !t.failed() {
		h, err := t.hear(deadline)
		if err != nil {
			t.lost(err, t.c.pace.start, "START")
		} else if hasPrefix(strings.TrimSpace(h.text()), "OK") {
			break
		}
	}
	t.infos(v.Rule, t.c.pace.turn)
}

// started wants an OK, with or without more behind it.
func (t *talk) started(command string) {
	t.send(command)
	if s := t.reply(command, t.c.pace.start).text(); !t.failed() && !hasPrefix(strings.TrimSpace(s), "OK") {
		t.fail("%q instead of OK after %s", s, command)
	}
}

func ruleInfos(r game.Rule) []string {
	code := map[game.Rule]int{game.Standard: 1, game.Renju: 4, game.CaroSix: 8, game.Caro: 9}[r]
	lines := []string{fmt.Sprintf("INFO rule %d", code)}
	if r == game.Omok || r == game.Pente || r == game.Keryo {
		lines = append(lines, "INFO game "+r.String())
	}
	return lines
}

const (
	judgeMemory = 367001600 // what Gomocup allows
	longMatch   = 1000 * time.Second
)

// limitInfos are the lines that Gomocup's judge writes behind START.
func limitInfos(r game.Rule, turn time.Duration) []string {
	return append([]string{
		fmt.Sprintf("INFO timeout_turn %d", turn.Milliseconds()),
		fmt.Sprintf("INFO timeout_match %d", longMatch.Milliseconds()),
		fmt.Sprintf("INFO max_memory %d", judgeMemory), "INFO game_type 1",
	}, ruleInfos(r)...)
}

func (t *talk) infos(r game.Rule, turn time.Duration) { t.send(limitInfos(r, turn)...) }

func timeLeft(d time.Duration) string { return fmt.Sprintf("INFO time_left %d", d.Milliseconds()) }

func xy(q game.Point) string { return strconv.Itoa(q.X()) + "," + strconv.Itoa(q.Y()) }

// stones reads the judge's notation of a position: a letter for the column and a number
// for the row, both from the top left corner.
func stones(s string) (qs []game.Point) {
	for _, f := range regexp.MustCompile(`[a-z]\d+`).FindAllString(s, -1) {
		y, _ := strconv.Atoi(f[1:])
		qs = append(qs, game.At(int(f[0]-'a'), y-1))
	}
	return qs
}

// turnabout deals stones that were played in turn to Black and White.
func turnabout(qs []game.Point) (s game.Setup) {
	for i, q := range qs {
		if i%2 == 0 {
			s.Black = append(s.Black, q)
		} else {
			s.White = append(s.White, q)
		}
	}
	if len(qs)%2 == 1 {
		s.ToMove = game.White
	}
	return s
}

// place puts a position on the referee's board and returns the lines that tell it.
func (t *talk) place(v game.Variant, s game.Setup) []string {
	g, err := engine.Replay(&game.Record{Variant: v, Setup: s})
	if err != nil {
		t.fail("%v", err)
		return nil
	}
	t.board, t.variant = g, v
	return boardLines(g)
}

// boardLines is BOARD with the stones of a game in the order of play, seen by the side to move.
func boardLines(g game.Game) []string {
	rec := g.Record()
	field := func(c game.Color) int {
		if c == g.ToMove() {
			return 1
		}
		return 2
	}
	lines := []string{"BOARD"}
	for i := range max(len(rec.Setup.Black), len(rec.Setup.White)) {
		for c, qs := range [][]game.Point{rec.Setup.Black, rec.Setup.White} {
			if i < len(qs) {
				lines = append(lines, fmt.Sprintf("%s,%d", xy(qs[i]), field(game.Color(c))))
			}
		}
	}
	for _, m := range rec.Moves {
		lines = append(lines, fmt.Sprintf("%s,%d", xy(m.Point), field(m.Color)))
	}
	return append(lines, "DONE")
}

// think sends lines of which the last asks for a move, and plays it on the referee's
// board. It returns the move and the time it took; limit is what the program was told.
func (t *talk) think(limit time.Duration, lines ...string) (game.Point, time.Duration) {
	if t.failed() {
		return game.NoPoint, 0
	}
	before, _ := t.p.CPUTime()
	began := time.Now()
	t.send(lines...)
	q, took := t.moved(began, limit)
	if after, err := t.p.CPUTime(); err == nil && took > t.slowest {
		t.slowest, t.worked = took, after-before
	}
	return q, took
}

// moved is think for what has been sent already.
func (t *talk) moved(began time.Time, limit time.Duration) (game.Point, time.Duration) {
	if t.failed() {
		return game.NoPoint, 0
	}
	wait := limit + t.c.pace.tolerance + t.c.pace.answer
	deadline := began.Add(wait)
	said := ""
	for {
		h, err := t.hear(deadline)
		switch {
		case err != nil && said != "" && err != io.EOF:
			t.fail("%q and no move", said)
			return game.NoPoint, 0
		case err != nil:
			t.lost(err, wait, "no move")
			return game.NoPoint, 0
		}
		m := moveLoose.FindStringSubmatch(h.text())
		if m == nil {
			if refusal(h.text()) { // the judge waits on; we not for long
				said = h.text()
				if soon := time.Now().Add(t.c.pace.quiet); soon.Before(deadline) {
					deadline = soon
				}
			}
			continue
		}
		x, _ := strconv.Atoi(m[1])
		y, _ := strconv.Atoi(m[2])
		q, took := game.At(x, y), max(0, h.at.Sub(t.p.Written(began))) // what was there before took no time
		if x >= t.variant.Size || y >= t.variant.Size {
			t.fail("plays %d,%d: off the board", x, y)
		} else if err := t.board.Play(q); err != nil && t.board.Result().Outcome == game.Open {
			t.fail("plays %s: %v", xy(q), err)
		}
		return q, took
	}
}

// first asks for the first move of a game.
func (t *talk) first() (game.Point, time.Duration) {
	return t.think(t.c.pace.turn, timeLeft(longMatch), "BEGIN")
}

// turn plays a stone against the program and waits for its answer.
func (t *talk) turn(q game.Point) (game.Point, time.Duration) {
	if t.failed() {
		return q, 0
	}
	if err := t.board.Play(q); err != nil {
		t.fail("our own move %s: %v", xy(q), err)
		return q, 0
	}
	return t.think(t.c.pace.turn, timeLeft(longMatch), "TURN "+xy(q))
}

// set asks for the move in a position.
func (t *talk) set(v game.Variant, s game.Setup) (game.Point, time.Duration) {
	return t.think(t.c.pace.turn, append([]string{timeLeft(longMatch)}, t.place(v, s)...)...)
}

// dull returns a legal point for us, the n-th of an order that makes no threats.
func (t *talk) dull(n int) game.Point {
	if t.failed() {
		return game.NoPoint
	}
	size := t.variant.Size
	for i := range size * size {
		k := (i + n*7) * 13 % (size * size) // 13 parts no board
		if q := game.At(k%size, k/size); t.board.Legal(q) == nil {
			return q
		}
	}
	return game.NoPoint
}

// over reports whether a game has ended.
func (t *talk) over() bool { return t.board.Result().Outcome != game.Open }

// alive wants ABOUT to be answered: the program lives and is in step.
func (t *talk) alive(after string) {
	if t.failed() {
		return
	}
	if s := t.answerTo("ABOUT"); !t.failed() && !aboutLine.MatchString(s) {
		t.fail("%q answers the ABOUT after %s", s, after)
	}
}

var aboutLine = regexp.MustCompile(`(?i)\bname\s*=`)
