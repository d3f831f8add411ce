package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tengen/engine"
	"tengen/engine/game"
)

// piskvork returns what is required of a brain. P1 to P20 are the points that have cost
// games or broken managers, J the acceptance test of Gomocup's judge.
func (c *checker) piskvork() ([]point, error) {
	if err := c.settle(gomocup, brainSize, 10, 22); err != nil {
		return nil, err
	}
	if c.plays(game.Weiqi) {
		return nil, fmt.Errorf("no Go by this protocol, only by GTP")
	}
	return slices.Concat(c.answers(), c.text(), c.rules(), c.times(), c.endings(), c.faults(), c.judge()), nil
}

// What a brain is asked about unless its user says otherwise: the games of Gomocup.
var gomocup = []game.Rule{game.Freestyle, game.Standard, game.Renju, game.CaroSix}

const brainSize = 15

// v is the game of points to which any will do.
func (t *talk) v() game.Variant { return t.variant }

func (c *checker) answers() []point {
	return []point{
		{id: "P1a", require: fmt.Sprintf("START %d is answered by OK, byte for byte", c.Size),
			why: "Piskvork and c-gomoku-cli compare the whole line and wait for ever, or give the game up",
			run: func(t *talk) { t.ok(fmt.Sprintf("START %d", t.v().Size)) }},
		{id: "P1b", require: "START 20 is answered by OK",
			why: "the protocol requires size 20 of everyone; Gomocup's freestyle is played on it",
			run: func(t *talk) {
				s := t.answerTo("START 20")
				switch {
				case s == "OK" || t.failed():
				case c.plays(game.Freestyle):
					t.fail("%q instead of OK", s)
				default:
					t.warn("%q instead of OK", s)
				}
			}},
		{id: "P1c", require: "RESTART is answered by OK and empties the board",
			why: "Piskvork sends it for a new game, and starts a new process after UNKNOWN",
			run: func(t *talk) {
				t.begins(t.v())
				t.first()
				t.turn(t.dull(1))
				t.okOrUnknown("RESTART", "Piskvork starts a new process")
				if len(t.doubts) == 0 {
					t.referee(t.v())
					t.first()
				}
			}},
		{id: "P1d", require: "TAKEBACK is answered by OK and the stone is gone",
			why: "Piskvork's undo sends the newest stone first; after anything but OK it sends RESTART and BOARD",
			run: func(t *talk) {
				t.begins(t.v())
				q := t.dull(3)
				own, _ := t.turn(q)
				if t.failed() {
					return
				}
				t.okOrUnknown("TAKEBACK "+xy(own), "Piskvork sends RESTART and BOARD instead")
				if len(t.doubts) > 0 {
					return
				}
				t.okOrUnknown("TAKEBACK "+xy(q), "Piskvork sends RESTART and BOARD instead")
				t.referee(t.v())
				t.turn(own) // its own point is free now, and ours too
			}},
		{id: "P1e", require: "RECTSTART is answered by OK or by ERROR",
			why: "Piskvork waits for one of them before it offers another board",
			run: func(t *talk) {
				s := t.answerTo("RECTSTART 20,15")
				switch {
				case t.failed() || s == "OK" || hasPrefix(s, "ERROR"):
				case hasPrefix(s, "UNKNOWN"):
					t.warn("%q", s)
				default:
					t.fail("%q", s)
				}
				t.begins(t.v())
			}},
		{id: "P2a", require: "INFO is never answered, whatever its key and value",
			why: "managers do not read behind an INFO: Piskvork takes the line for the move",
			run: func(t *talk) {
				t.send("INFO max_memory 0", "INFO rule 0", "INFO game_type 1", "INFO no_such_key 3")
				t.silent("INFO before START")
				t.started(fmt.Sprintf("START %d", t.v().Size))
				t.send("INFO", "INFO timeout_turn", "INFO timeout_turn x", "INFO rule 64", "INFO max_memory 1",
					"INFO time_left -5", "INFO max_node -1", "INFO hash_size 99999999999999999999", "INFO no_such_key a b c",
					"INFO folder /no such folder", "INFO evaluate 3,3", "INFO evaluate 99,99")
				t.silent("INFO")
				t.infos(t.v().Rule, t.c.pace.turn)
				t.silent("INFO")
			}},
		{id: "P2b", require: "INFO during a search is not answered and does not end it",
			why: "Piskvork sends INFO evaluate while the mouse moves, also right before TURN",
			run: func(t *talk) {
				t.begins(t.v())
				began := time.Now()
				t.send(timeLeft(longMatch), "INFO evaluate 7,7", "TURN 7,7", "INFO evaluate 3,3", "INFO evaluate 4,4", timeLeft(longMatch))
				if !t.failed() {
					t.board.Play(game.At(7, 7))
				}
				t.moved(began, t.c.pace.turn)
				t.silent("the move")
			}},
		{id: "P3a", require: "before a move stand only MESSAGE and DEBUG lines, and the move is x,y",
			why: "Piskvork and c-gomoku-cli take the first other line for the move: the game is lost",
			run: func(t *talk) {
				t.begins(t.v())
				for i := range 3 {
					if t.failed() || i > 0 && t.over() {
						return
					}
					q := t.dull(i)
					t.send(timeLeft(longMatch), "TURN "+xy(q))
					if t.failed() {
						return
					}
					t.board.Play(q)
					h := t.reply("TURN", t.c.pace.turn+t.c.pace.tolerance+t.c.pace.answer)
					if t.failed() {
						return
					}
					m := h.text()
					if !isMove(m) {
						t.fail("%q stands for the move", m)
						return
					}
					var x, y int
					fmt.Sscanf(m, "%d,%d", &x, &y)
					if err := t.board.Play(game.At(x, y)); err != nil {
						t.fail("plays %s: %v", m, err)
					}
				}
			}},
		{id: "P3b", require: "behind the move comes nothing until the next command",
			why: "it would be read as the answer to that command",
			run: func(t *talk) {
				t.begins(t.v())
				t.first()
				t.silent("the move")
				t.turn(t.dull(2))
				t.silent("the move")
			}},
		{id: "P4", require: "nothing is written to stderr", whole: true,
			why: "Piskvork reads stderr and stdout through one pipe: a line there is an answer",
			run: func(t *talk) {
				if s := t.c.stderr; s != "" {
					t.fail("%.200q", s)
				}
			}},
		{id: "P5", require: "a line and its end are written at once", whole: true,
			why: "qpiskvork reads each piece by itself and drops one without an end (only where it can be seen)",
			run: func(t *talk) {
				if s := t.c.torn; s != "" {
					t.fail("%.80q came in pieces", s)
				}
			}},
	}
}

// block sends a whole little game in the writing of some manager.
func (t *talk) block(write func(lines []string) string) {
	t.referee(t.v())
	lines := append([]string{fmt.Sprintf("START %d", t.v().Size)}, limitInfos(t.v().Rule, t.c.pace.turn)...)
	t.raw(write(lines))
	if s := t.reply("START", t.c.pace.answer).text(); !t.failed() && !hasPrefix(strings.TrimSpace(s), "OK") {
		t.fail("%q instead of OK", s)
	}
	lines = t.place(t.v(), game.Setup{Black: []game.Point{game.At(7, 7), game.At(6, 8)}, White: []game.Point{game.At(8, 8)}, ToMove: game.White})
	began := time.Now()
	t.raw(write(lines))
	t.moved(began, t.c.pace.turn)
	if t.failed() || t.over() {
		return
	}
	q := t.dull(0)
	t.board.Play(q)
	began = time.Now()
	t.raw(write([]string{timeLeft(longMatch), "TURN " + xy(q)}))
	t.moved(began, t.c.pace.turn)
}

func joined(eol string) func([]string) string {
	return func(lines []string) string { return strings.Join(lines, eol) + eol }
}

func (c *checker) text() []point {
	return []point{
		{id: "P6a", require: "commands may end in CR LF",
			why: "Piskvork and Gomocup's judge write them so",
			run: func(t *talk) { t.block(joined("\r\n")) }},
		{id: "P6b", require: "commands may end in LF",
			why: "c-gomoku-cli and Yixin-Board write them so",
			run: func(t *talk) { t.block(joined("\n")) }},
		{id: "P6c", require: "commands may end in CR",
			why: "the protocol allows it; no manager that we know does it",
			run: func(t *talk) {
				if t.block(joined("\r")); t.failure != "" {
					t.doubts, t.failure = []string{t.failure}, ""
				}
			}},
		{id: "P6d", require: "the ends of lines may change inside a block",
			why: "qpiskvork ends the stones of a BOARD in LF and all else in CR LF",
			run: func(t *talk) {
				t.block(func(lines []string) string {
					var b strings.Builder
					for _, l := range lines {
						if b.WriteString(l); !strings.Contains(l, " ") && l != "DONE" {
							b.WriteString("\n")
						} else {
							b.WriteString("\r\n")
						}
					}
					return b.String()
				})
			}},
		{id: "P6e", require: "commands, keys and DONE may be written in lower case",
			why: "Yixin-Board writes them so",
			run: func(t *talk) {
				t.block(func(lines []string) string { return strings.ToLower(joined("\n")(lines)) })
			}},
		{id: "P6f", require: "blank lines, and blanks around a command, do no harm",
			why: "the protocol says that they are skipped",
			run: func(t *talk) {
				t.block(func(lines []string) string { return "\r\n  \r\n  " + strings.Join(lines, "  \r\n\r\n  ") + "\t\r\n" })
			}},
		{id: "P6g", require: "a line of 10,000 characters does no harm",
			why: "nothing bounds what a manager sends; an overflow is a crash, a crash a loss",
			run: func(t *talk) {
				t.begins(t.v())
				t.write(strings.Repeat("x", 10000) + "\r\n")
				t.write("INFO folder " + strings.Repeat("y", 10000) + "\r\n")
				t.sent.add("a line of 10000 x")
				t.restarts(t.v())
				t.first()
			}},
		{id: "P6h", require: "a line that comes in pieces is read as one",
			why: "qpiskvork writes a command and its end apart",
			run: func(t *talk) {
				t.begins(t.v())
				t.raw("BEG")
				t.silent("half a command")
				began := time.Now()
				t.raw("IN\r\n")
				t.moved(began, t.c.pace.turn)
			}},
		{id: "P7", require: "a BOARD block may stand on one line, between blanks",
			why: "Gomocalc and RapfiGUI send their boards so",
			run: func(t *talk) {
				t.block(func(lines []string) string {
					if lines[0] == "BOARD" {
						return strings.Join(lines, " ") + "\r\n"
					}
					return joined("\r\n")(lines)
				})
			}},
		{id: "P8a", require: "BOARD and DONE without stones ask for the first move",
			why: "Gomocup's judge and Yixin-Board never send BEGIN",
			run: func(t *talk) {
				t.begins(t.v())
				t.think(t.c.pace.turn, timeLeft(longMatch), "BOARD", "DONE")
				if !t.failed() {
					t.turn(t.dull(0))
				}
			}},
		{id: "P8b", require: "the stones of a BOARD may come in any order, and replace what stood there",
			why: "the protocol orders them in renju only; managers send BOARD in the middle of a game",
			run: func(t *talk) {
				if t.v().Rule == game.Renju {
					t.skip("in renju they come in order")
					return
				}
				t.begins(t.v())
				t.first()
				lines := t.place(t.v(), turnabout(stones("c3d4e3f6g9h8i3j12")))
				slices.Sort(lines[1 : len(lines)-1])
				q, _ := t.think(t.c.pace.turn, append([]string{timeLeft(longMatch)}, lines...)...)
				if !t.failed() && q != game.NoPoint && !t.over() {
					t.turn(t.dull(0))
				}
			}},
	}
}

// forget drops what has been said so far.
func (t *talk) forget() {
	for !t.failed() {
		if _, err := t.hear(time.Now()); err != nil {
			return
		}
	}
}

// The positions that tell the rules apart. Black owns the first stones; a row of four with
// a gap behind it makes six by g8, and the column of l makes five by l9 and nothing else.
const (
	sixOnly  = "c8b8d8m3e8c13f8n12h8j2"                   // Black: g8 is six
	sixOrNot = "c8b8d8m3e8c13f8n12h8j2l5l4l6a15l7o1l8f14" // Black: g8 is six, l9 is five
	closed   = "c8b8d8g13e8c13f8h8l5l4l6a15l7o1l8n12"     // Black: g8 is five between White's stones, l9 is five
	white6   = "b8c8m3d8c13e8n12f8j2h8a15"                // White: g8 is six
)

// best wants one of the points in a position.
func (t *talk) best(v game.Variant, position, points string) {
	want := stones(points)
	q, _ := t.set(v, turnabout(stones(position)))
	if !t.failed() && !slices.Contains(want, q) {
		t.fail("plays %s, not %s", xy(q), xys(want))
	}
}

func xys(qs []game.Point) string {
	var s []string
	for _, q := range qs {
		s = append(s, xy(q))
	}
	return strings.Join(s, " or ")
}

// telling returns positions and the points that are right in them under a rule and wrong
// under another.
func telling(r game.Rule) [][2]string {
	switch r {
	case game.Standard:
		return [][2]string{{sixOrNot, "l9"}}
	case game.Renju:
		return [][2]string{{sixOrNot, "l9"}, {white6, "g8"}}
	case game.Caro:
		return [][2]string{{sixOrNot, "l9"}, {closed, "l9"}}
	case game.CaroSix:
		return [][2]string{{sixOnly, "g8"}, {closed, "l9"}}
	}
	return [][2]string{{sixOnly, "g8"}}
}

// fifteen is a game on the board that positions are made for.
func (c *checker) fifteen(r game.Rule) game.Variant { return c.variant(r, 15) }

func (c *checker) rules() (ps []point) {
	ps = append(ps, point{id: "P9", require: "the rule may come behind START, and change without another START",
		why: "every manager sends INFO rule after OK; Yixin-Board changes it in the middle",
		run: func(t *talk) {
			t.begins(c.fifteen(c.Games[0]))
			for _, r := range append(slices.Clone(c.Games[1:]), c.Games[0]) {
				t.send(ruleInfos(r)...)
				for _, p := range telling(r) {
					if t.best(c.fifteen(r), p[0], p[1]); t.failed() {
						if t.failure != "" {
							t.failure = r.String() + ": " + t.failure
						}
						return
					}
				}
			}
			if len(c.Games) == 1 {
				t.note("%s only", c.Games[0])
			}
		}})
	for i, r := range c.Games {
		code := strings.Join(ruleInfos(r), ", ")
		ps = append(ps, point{id: "P10" + string(rune('a'+i)), require: fmt.Sprintf("%s is %s: what six in a row is, and a closed five", code, r),
			why: "a five that is none loses the game, and so does one that is not seen",
			run: func(t *talk) {
				for i, p := range telling(r) {
					if i > 0 {
						t.again()
					}
					t.begins(c.fifteen(r))
					t.best(c.fifteen(r), p[0], p[1])
				}
			}})
	}
	return append(ps, point{id: "P10" + string(rune('a'+len(c.Games))), require: "sums of rules, and unknown ones, leave the program alive",
		why: "qpiskvork's rules are boxes to tick: 3, 7 and 15 are sent",
		run: func(t *talk) {
			t.begins(t.v())
			for _, n := range []int{2, 3, 5, 7, 15, 64} {
				t.send(fmt.Sprintf("INFO rule %d", n), "BOARD", "7,7,2", "8,8,1", "6,8,2", "DONE")
				if s := t.reply("BOARD", t.c.pace.turn+t.c.pace.tolerance+t.c.pace.answer).text(); !t.failed() && refusal(s) {
					t.warn("rule %d: %q", n, s)
				}
			}
		}})
}

// open is a position with something to think about.
const open = "h8i9i8g8h9h7j7k6"

func (c *checker) times() []point {
	deadline := func(id string, turn time.Duration, long bool) point {
		return point{id: id, long: long, require: fmt.Sprintf("timeout_turn %d is kept", turn.Milliseconds()),
			why: "the judge kills a second after it; what is over is missing on the clock of the game",
			run: func(t *talk) {
				t.begins(t.v())
				t.send(fmt.Sprintf("INFO timeout_turn %d", turn.Milliseconds()))
				var most time.Duration
				lines := append([]string{timeLeft(longMatch)}, t.place(t.v(), turnabout(stones(open)))...)
				for i := range 3 {
					_, took := t.think(turn, lines...)
					if t.failed() || t.over() {
						break
					}
					most = max(most, took)
					q := t.dull(i)
					t.board.Play(q)
					lines = []string{timeLeft(longMatch), "TURN " + xy(q)}
				}
				t.within(most, turn)
			}}
	}
	p := c.pace
	return []point{
		{id: "P11a", require: "the first move is in time, the start of the process included",
			why: "the judge writes START, INFO and BOARD at once and does not wait for OK: what starts up does so on its clock",
			run: func(t *talk) {
				t.referee(t.v())
				lines := append([]string{fmt.Sprintf("START %d", t.v().Size)}, limitInfos(t.v().Rule, p.tolerance)...)
				t.send(append(lines, timeLeft(longMatch), "BOARD", "DONE")...)
				t.moved(t.began, p.tolerance)
				t.within(time.Since(t.began), p.tolerance)
			}},
		{id: "P11b", require: "the program is ready soon after its start",
			why: "c-gomoku-cli gives up on an ABOUT that is not answered in its tolerance, START has 10 s in Piskvork",
			run: func(t *talk) {
				t.alive("the start")
				took := time.Since(t.began)
				t.started(fmt.Sprintf("START %d", t.v().Size))
				t.note("ready after %s", ms(took))
				if took > p.tolerance {
					t.warn("ready after %s", ms(took))
				}
			}},
		{id: "P12a", require: "time in which the process is suspended is not its own",
			why: "the judge suspends the engine whose turn it is not, and writes the next command meanwhile",
			run: func(t *talk) {
				t.begins(t.v())
				t.set(t.v(), turnabout(stones(open)))
				if t.failed() || t.over() {
					return
				}
				t.wait(15 * time.Millisecond)
				t.suspend()
				q := t.dull(0)
				t.board.Play(q)
				t.send(timeLeft(longMatch), "TURN "+xy(q))
				t.wait(p.suspended)
				began := time.Now()
				t.resume()
				_, took := t.moved(began, p.turn)
				t.within(took, p.turn)
			}},
		{id: "P12b", require: "the opponent's time is not thought in",
			why: "pondering is not allowed in tournaments, and disturbs the opponent where nobody suspends",
			run: func(t *talk) {
				t.begins(t.v())
				t.set(t.v(), turnabout(stones(open)))
				if t.failed() {
					return
				}
				t.wait(50 * time.Millisecond)
				before, err := t.p.CPUTime()
				if err != nil {
					t.skip("processor time cannot be measured here")
					return
				}
				t.wait(2 * p.quiet)
				if after, err := t.p.CPUTime(); err == nil && after-before > p.quiet/2 {
					t.warn("%s of processor time in %s of waiting", ms(after-before), ms(2*p.quiet))
				}
			}},
		deadline("P13a", p.turns[0], true),
		deadline("P13b", p.turns[1], false),
		deadline("P13c", p.turns[2], false),
		{id: "P13d", require: fmt.Sprintf("the last %d ms on the clock of the game are kept", p.turns[2].Milliseconds()),
			why: "the judge kills at the lesser of turn and match limit, and a second",
			run: func(t *talk) {
				t.begins(t.v())
				t.send("INFO timeout_turn 300000")
				left := p.turns[2]
				_, took := t.think(left, append([]string{timeLeft(left)}, t.place(t.v(), turnabout(stones(open)))...)...)
				t.within(took, left)
			}},
		{id: "P14a", require: "a time_left of 0 or less is answered at once",
			why: "the clock of a game may run below nothing by the tolerance; the judge then waits a second",
			run: func(t *talk) {
				t.begins(t.v())
				for _, left := range []string{"0", "-1", "-2147483648"} {
					t.send("INFO time_left " + left)
					if _, took := t.think(0, t.place(t.v(), turnabout(stones(open)))...); !t.failed() && took > p.tolerance {
						t.fail("took %s with time_left %s", ms(took), left)
					}
				}
			}},
		{id: "P14b", require: "a time_left of 2147483647 is no limit, and no time_left is none either",
			why: "c-gomoku-cli and Piskvork write it for a game without a clock",
			run: func(t *talk) {
				t.begins(t.v())
				t.send("INFO timeout_match 0", "INFO time_left 2147483647")
				_, one := t.think(p.turn, t.place(t.v(), turnabout(stones(open)))...)
				t.again()
				t.begins(t.v())
				_, two := t.think(p.turn, t.place(t.v(), turnabout(stones(open)))...)
				t.within(max(one, two), p.turn)
			}},
		{id: "P15a", require: "timeout_turn 0 is answered as fast as possible",
			why: "the protocol says so; the judge waits a second",
			run: func(t *talk) {
				t.begins(t.v())
				t.send("INFO timeout_turn 0")
				_, took := t.think(0, append([]string{timeLeft(longMatch)}, t.place(t.v(), turnabout(stones(open)))...)...)
				switch {
				case took > p.tolerance:
					t.fail("took %s", ms(took))
				case took > p.tolerance/2:
					t.warn("took %s", ms(took))
				default:
					t.note("%s", ms(took))
				}
			}},
		{id: "P15b", require: "with timeout_turn 0 a five is still made, and blocked",
			why: "a move without thought that misses either is a lost game",
			run: func(t *talk) {
				v := c.fifteen(c.Games[0])
				t.begins(v)
				t.send("INFO timeout_turn 0")
				t.best(v, twoFours, "g8l8")
				t.fresh(v)
				t.send("INFO timeout_turn 0")
				t.best(v, fourAgainst, "g8")
			}},
		c.memory("P16a", judgeMemory, "Gomocup's limit: the judge looks after every move, Piskvork at the peak, and more is a loss"),
		c.memory("P16b", 83886080, "the sample value of the protocol, still set by some"),
	}
}

func (c *checker) memory(id string, limit int64, why string) point {
	return point{id: id, require: fmt.Sprintf("INFO max_memory %d is kept", limit), why: why, run: func(t *talk) {
		t.begins(t.v())
		t.send(fmt.Sprintf("INFO max_memory %d", limit))
		t.set(t.v(), turnabout(stones(open)))
		for i := range 4 {
			if t.weigh(limit); t.failed() || t.over() {
				return
			}
			if q := t.dull(i); q != game.NoPoint {
				t.turn(q)
			}
		}
		t.weigh(limit)
	}}
}

func (c *checker) endings() []point {
	thinks := func(t *talk) {
		t.begins(t.v())
		t.send("INFO timeout_turn 20000")
		t.send(append([]string{timeLeft(longMatch)}, t.place(t.v(), turnabout(stones(open)))...)...)
		t.wait(t.c.pace.quiet)
		t.forget()
	}
	const why = "Piskvork kills after 700 ms, the judge after 500; c-gomoku-cli waits for ever"
	const why2 = "the judge may die without END, qpiskvork's END comes too late: what stays behind eats the machine"
	eof := func(t *talk) {
		if !t.failed() {
			t.sent.add("(end of input)")
			t.p.CloseInput()
		}
	}
	return []point{
		{id: "P17a", require: "END is not answered, and the program is gone within 700 ms", why: why, run: func(t *talk) {
			t.begins(t.v())
			t.first()
			t.forget()
			t.send("END")
			t.gone("END", false)
		}},
		{id: "P17b", require: "END during a search ends the program as well", why: why, run: func(t *talk) {
			thinks(t)
			t.send("END")
			t.gone("END", true)
		}},
		{id: "P17c", require: "the end of the input ends the program", why: why2, run: func(t *talk) {
			t.begins(t.v())
			t.first()
			t.forget()
			eof(t)
			t.gone("the end of its input", false)
		}},
		{id: "P17d", require: "the end of the input during a search ends it as well", why: why2, run: func(t *talk) {
			thinks(t)
			eof(t)
			t.gone("the end of its input", true)
		}},
	}
}

func (c *checker) faults() []point {
	return []point{
		{id: "P18a", require: `ABOUT before START is answered by one line: name="...", version="...", author="...", country="..."`,
			why: "c-gomoku-cli asks it first and alone, and gives the whole match up",
			run: func(t *talk) {
				s := t.answerTo("ABOUT")
				if t.failed() {
					return
				}
				if !aboutLine.MatchString(s) {
					t.fail("%q", s)
					return
				}
				c.name = quotedField(s, "name")
				for _, key := range []string{"name", "version", "author", "country"} {
					if quotedField(s, key) == "" {
						t.warn("no %s=\"...\"", key)
					}
				}
				t.silent("ABOUT")
			}},
		{id: "P18b", require: "ABOUT in a game is answered too, and changes nothing",
			why: "qpiskvork sends START and ABOUT in one piece",
			run: func(t *talk) {
				t.begins(t.v())
				t.first()
				t.alive("a move")
				t.turn(t.dull(1))
			}},
		{id: "P19a", require: "an unknown command is answered by one UNKNOWN line, and the program goes on",
			why: "that is how managers find out what a program can do; silence costs them a time-out",
			run: func(t *talk) {
				t.begins(t.v())
				if s := t.answerTo("NOSUCHCOMMAND 3"); !t.failed() && !hasPrefix(s, "UNKNOWN") {
					if hasPrefix(s, "ERROR") {
						t.warn("%q", s)
					} else {
						t.fail("%q", s)
					}
				}
				t.silent("it")
				t.first()
			}},
		{id: "P19b", require: "an impossible size is answered by one ERROR line",
			why: "Piskvork offers another board; a silence or an OK is a lost game",
			run: func(t *talk) {
				for _, size := range []string{"START 1000000", "START 0", "START -5", "START x", "START"} {
					if s := t.answerTo(size); !t.failed() && !refusal(s) {
						t.fail("%q after %s", s, size)
					}
				}
				t.begins(t.v())
				t.first()
			}},
		{id: "P19c", require: "a TURN that is none is answered by one ERROR line, and the board stays as it was",
			why: "a manager's slip must not end the game",
			run: func(t *talk) {
				t.begins(t.v())
				own, _ := t.first()
				if t.failed() {
					return
				}
				size := t.v().Size
				for _, bad := range []string{xy(own), fmt.Sprintf("%d,0", size), fmt.Sprintf("0,%d", size+20), "x,y", ""} {
					s := t.answerTo(strings.TrimSpace("TURN " + bad))
					switch {
					case t.failed() || hasPrefix(s, "ERROR"):
					case hasPrefix(s, "UNKNOWN"):
						t.warn("%q after TURN %s", s, bad)
					default:
						t.fail("%q after TURN %s", s, bad)
					}
				}
				t.silent("it")
				for i := range 3 {
					if !t.failed() && !t.over() {
						t.turn(t.dull(i))
					}
				}
			}},
		{id: "P19d", require: "a BOARD with impossible stones is answered, and the program goes on",
			why: "a silence is a loss on time",
			run: func(t *talk) {
				t.begins(t.v())
				t.send("BOARD", "7,7,2", "7,7,1", "99,99,1", "3,3,9", "nonsense", "DONE")
				t.reply("BOARD", t.c.pace.turn+t.c.pace.tolerance+t.c.pace.answer)
				t.restarts(t.v()) // an ERROR may be followed by a move: the judge needs it
				t.set(t.v(), turnabout(stones(open)))
			}},
		{id: "P20a", require: "on a board with few points left only these are played, and a full one does no harm",
			why: "an occupied point loses the game",
			run: func(t *talk) {
				t.begins(t.v())
				s, holes := nearlyFull(t.v().Size)
				t.set(t.v(), s)
				for !t.failed() && !t.over() {
					i := slices.IndexFunc(holes, func(q game.Point) bool { return t.board.Legal(q) == nil })
					if i < 0 {
						break
					}
					if t.board.Play(holes[i]); t.over() || full(t.board, holes) {
						t.send(timeLeft(longMatch), "TURN "+xy(holes[i]))
						break
					}
					t.think(t.c.pace.turn, timeLeft(longMatch), "TURN "+xy(holes[i]))
				}
				t.restarts(t.v())
				t.first()
			}},
		{id: "P20b", require: "Black does not play a forbidden point, even where it is the only block",
			why: "the judge calls it a foul; another move only loses later",
			run: func(t *talk) {
				if !c.plays(game.Renju) {
					t.skip("renju is not asked for")
					return
				}
				v := c.fifteen(game.Renju)
				t.begins(v)
				t.set(v, turnabout(stones(onlyBlockForbidden)))
			}},
	}
}

// quotedField reads key="value".
func quotedField(s, key string) string {
	for i := 0; i+len(key) < len(s); i++ {
		if !hasPrefix(s[i:], key) {
			continue
		}
		rest, ok := strings.CutPrefix(strings.TrimLeft(s[i+len(key):], " "), "=")
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " ")
		if v, ok := strings.CutPrefix(rest, `"`); ok {
			v, _, _ = strings.Cut(v, `"`)
			return v
		}
	}
	return ""
}

// nearlyFull is a board of which four points are left, with no more than three in a row.
func nearlyFull(size int) (s game.Setup, holes []game.Point) {
	var open [2]int
	for y := range size {
		for x := range size {
			q, c := game.At(x, y), (x+y/2)%2
			if open[c] < 2 && y >= 1+2*len(holes) && x >= 2*len(holes) {
				open[c]++
				holes = append(holes, q)
			} else if c == 0 {
				s.Black = append(s.Black, q)
			} else {
				s.White = append(s.White, q)
			}
		}
	}
	if len(s.Black) > len(s.White) {
		s.ToMove = game.White
	}
	return s, holes
}

func full(g game.Game, holes []game.Point) bool {
	return !slices.ContainsFunc(holes, func(q game.Point) bool { return g.At(q) == game.Empty })
}

const (
	twoFours           = "h8h9i8i9j8j9k8k9"           // Black makes five by g8 or l8
	fourAgainst        = "h8l8i8c4j8d12k8"            // White must block at g8
	onlyBlockForbidden = "e8h4f8h5g8h6i8h7j8n14h3b13" // White makes five by h8, which makes six for Black
	corner             = "a1k4b2m8c3d12d4j10"         // Black makes five by e5 alone
)

// judge is the acceptance test that Gomocup puts to what is sent in.
func (c *checker) judge() (ps []point) {
	add := func(require, why string, long bool, run func(t *talk)) {
		ps = append(ps, point{id: fmt.Sprintf("J%d", len(ps)+1), require: require, why: why, long: long, run: run})
	}
	const why = "Gomocup refuses what fails it"
	position := func(v game.Variant, position, points string) {
		add(fmt.Sprintf("%s: after %s, %s is played", v, position, names(points)), why, false, func(t *talk) {
			t.begins(v)
			t.best(v, position, points)
		})
	}
	for _, r := range c.Games {
		v := c.fifteen(r)
		position(v, twoFours, "g8l8")
		switch r {
		case game.Freestyle:
			position(c.variant(r, 20), twoFours, "g8l8")
		case game.Standard:
			position(v, "h8h9i8h10g8h11j13h12g14h14i15", "f8j8")
		case game.Renju:
			const p = "h8h9i7i9h10i6i11i12"
			add(fmt.Sprintf("%s: after %s, anything but g9 is played", v, p), why, false, func(t *talk) {
				t.begins(v)
				if q, _ := t.set(v, turnabout(stones(p))); !t.failed() && q == stones("g9")[0] {
					t.fail("plays g9")
				}
			})
		case game.CaroSix:
			position(v, "h8f8g8f9i8f7j8l8", "f5f6f10f11")
		}
	}
	v := c.fifteen(c.Games[0])
	add("a five is made in the corner, by the one point that makes it", "a won game is won at once", false, func(t *talk) {
		t.begins(v)
		t.best(v, corner, "e5")
	})
	add("a four is blocked at the one point that blocks it", "else the game is lost at the next move", false, func(t *talk) {
		t.begins(v)
		t.best(v, fourAgainst, "g8")
	})
	for i, r := range c.Games {
		sizes := []int{c.Size}
		if r == game.Freestyle && c.Size != 20 {
			sizes = append(sizes, 20)
		}
		for _, size := range sizes {
			v := c.variant(r, size)
			add(fmt.Sprintf("%s: a game with itself from b2e2e3 is played to its end", v),
				"time, memory, crashes and illegal moves of a whole game, as the judge tries it", i > 0 || size != c.Size,
				func(t *talk) { t.selfPlay(v, i%2 == 1) })
		}
	}
	return ps
}

func names(points string) string {
	var s []string
	for _, q := range stones(points) {
		s = append(s, fmt.Sprintf("%c%d", 'a'+q.X(), q.Y()+1))
	}
	return strings.Join(s, " or ")
}

// selfPlay lets two processes of the program play from the judge's opening, or from the
// same in the opposite corner.
func (t *talk) selfPlay(v game.Variant, mirrored bool) {
	other := &talk{c: t.c, eol: t.eol}
	if err := other.spawn(); err != nil {
		t.fail("%v", err)
		return
	}
	defer other.close()
	opening := stones("b2e2e3")
	if mirrored {
		for i, q := range opening {
			opening[i] = game.At(v.Size-1-q.X(), v.Size-1-q.Y())
		}
	}
	sides := [2]*talk{t, other}
	clock := [2]time.Duration{t.c.pace.match, t.c.pace.match}
	for _, s := range sides {
		s.begins(v)
		s.send(fmt.Sprintf("INFO timeout_match %d", t.c.pace.match.Milliseconds()))
	}
	g, err := engine.Replay(&game.Record{Variant: v, Setup: turnabout(opening)})
	if err != nil {
		t.fail("%v", err)
		return
	}
	var late int
	var most time.Duration
	var last game.Point
	began := [2]bool{}
	limit := v.Size * v.Size
	if v.Rule == game.Renju {
		limit -= 25 // a draw by then
	}
	moves := len(opening)
	for ; moves < limit && g.Result().Outcome == game.Open && !t.failed() && !other.failed(); moves++ {
		c := g.ToMove()
		s := sides[c]
		s.board = g
		lines := []string{timeLeft(clock[c]), "TURN " + xy(last)}
		if !began[c] {
			lines, began[c] = append(lines[:1], boardLines(g)...), true
		}
		told := min(t.c.pace.turn, max(clock[c], 0))
		q, took := s.think(told, lines...)
		if s.failed() {
			break
		}
		switch {
		case took > told+t.c.pace.tolerance:
			s.fail("move %d took %s of %s: lost on time%s", moves+1, ms(took), ms(told), s.starved())
		case took > told:
			late++
		}
		s.weigh(judgeMemory)
		if s.skipped != "" { // memory that cannot be measured is no reason to end
			s.skipped = ""
		}
		clock[c] -= max(0, took-10*time.Millisecond) // which the judge forgives
		most, last = max(most, took), q
	}
	t.notes = nil
	if other.failure != "" {
		t.sent, t.came = other.sent, other.came
		t.fail("as White: %s", other.failure)
	}
	if late > 0 {
		slow := sides[0]
		if sides[1].slowest > slow.slowest {
			slow = sides[1]
		}
		t.warn("%d of %d moves within the tolerance only, up to %s%s", late, moves, ms(most), slow.starved())
	}
	end := g.Result().Outcome.String()
	if g.Result().Outcome == game.Open {
		end = "draw"
	}
	t.note("%s after %d moves, up to %s each", end, moves, ms(most))
}
