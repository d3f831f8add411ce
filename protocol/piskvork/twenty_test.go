package piskvork

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol"
)

// The twenty points that cost games or break managers, each with its test: P1 to P20.

func TestP1OKAndNothingElse(t *testing.T) {
	dialogue(t, `
> START 15
< OK
> START 15 15
< OK
> RECTSTART 15,15
< OK
> RECTSTART 13 13
< OK
> RESTART
< OK
> TURN 1,1
< 6,6
> TAKEBACK 6,6
< OK
> TAKEBACK 1,1
< OK
> START 5
< OK
> START 22
< OK`, plain)
}

func TestP2InfoIsSilent(t *testing.T) {
	var b strings.Builder
	for key := range infoKeys {
		for _, v := range []string{"", " ", " 0", " -1", " 1", " 99999999999999999999999", " x", " 1.5", " 3,4", " a b c"} {
			fmt.Fprintf(&b, "> INFO %s%s\n", key, v)
		}
	}
	b.WriteString("> INFO\n> INFO book /none/at all.book\n> INFO net /none/at all.net\n> INFO net\n> INFO book\n> INFO game\n> INFO game chess\n> INFO game omok\n> INFO nonsense 3\n> info RULE 4\n")
	b.WriteString("> INFO " + strings.Repeat("x", 3*maxLine) + "\n")
	infos := b.String()
	dialogue(t, infos+"> ABOUT\n< name=*\n> START 15\n< OK\n"+infos+"> ABOUT\n< name=*\n> RESTART\n< OK", plain)
}

// Plain managers: whatever the search tells, only MESSAGE or DEBUG comes before the move.
func TestP3NothingBeforeTheMove(t *testing.T) {
	for _, detail := range []string{"", "INFO show_detail 0\n"} {
		p := &player{}
		for d := range 500 {
			p.infos = append(p.infos, game.Info{MultiPV: d%3 + 1, Depth: d, Time: time.Duration(d) * time.Second, PV: []game.Point{game.At(d%15, 3)}})
		}
		c := converse(t, p, nil)
		c.send(detail + "START 15\nBEGIN\n")
		for l := c.line(); !moveShape.MatchString(l); l = c.line() {
			if l != "OK" && !strings.HasPrefix(l, "MESSAGE ") && !strings.HasPrefix(l, "DEBUG ") {
				c.fail("%q before the move", l)
			}
		}
		c.send("END\n")
		c.ends()
	}
}

func TestP4NothingOnStderr(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stderr
	os.Stderr = w
	defer func() { os.Stderr = old }()
	for _, wild := range []func() (game.Choice, error){
		func() (game.Choice, error) { panic("a bug") },
		func() (game.Choice, error) { m := []game.Point{}; return game.Choice{Point: m[len(m)]}, nil },
		func() (game.Choice, error) { return game.Choice{}, errors.New("lost") },
	} {
		c := converse(t, &player{wild: wild}, nil)
		c.send("START 15\nBEGIN\n")
		b := board{size: 15, taken: map[game.Point]bool{}}
		l := c.line()
		for ; l == "OK" || aside(l); l = c.line() {
		}
		if wrong := b.move(l, 1); wrong != "" {
			c.fail("%q: %s", l, wrong)
		}
		c.send("END\n")
		c.ends()
	}
	os.Stderr = old
	w.Close()
	if text, _ := io.ReadAll(r); len(text) > 0 {
		t.Errorf("on stderr: %q", text)
	}
}

// The harness refuses a write that is not one whole line.
func TestP5OneWriteALine(t *testing.T) {
	c := converse(t, &player{}, nil)
	go func() { c.in.Write([]byte(strings.Repeat("ABOUT\nYXSHOWFORBID\nfoo\n", 1000))) }()
	for range 1000 {
		if a, f, u := c.line(), c.line(), c.line(); a != About() || f != "FORBID ." || !strings.HasPrefix(u, "UNKNOWN ") {
			c.fail("%q %q %q", a, f, u)
		}
	}
	c.send("END\n")
	c.ends()
}

func TestP6CaseBlanksAndLineEnds(t *testing.T) {
	script := `
> aBoUt
< name=*
>    StArT    15
< OK
> Info   RULE   4
> inFo time_LEFT 5000
> begin
< MOVE
> tUrN 0,0
< MOVE
> TURN	1,0
< MOVE
> bOArd
>    7,7,1
> 8,8,2
>
> DoNe
< MOVE
> restart
< OK
> sWap2Board
> dOne
< MOVES 3
> foo	bar
< UNKNOWN *
> eNd`
	for _, m := range modes {
		dialogue(t, script, m)
	}
	for _, l := range []int{maxLine - 1, maxLine, maxLine + 1, 10 * maxLine} {
		answer := "MOVE"
		if len("TURN 7,7")+l > maxLine {
			answer = "ERROR *"
		}
		dialogue(t, "> START 15\n< OK\n> TURN 7,7"+strings.Repeat(" ", l)+".\n< ERROR *\n> TURN"+strings.Repeat(" ", l)+"7,7\n< "+answer+"\n> RESTART\n< OK\n> BEGIN\n< MOVE", plain)
		dialogue(t, "> "+strings.Repeat("x", l)+"\n< *\n> START 15\n< OK\n> BOARD\n> "+strings.Repeat("7", l)+"\n> DONE\n< MOVE", plain)
	}
}

func TestP7BlocksAreTokens(t *testing.T) {
	for _, block := range []string{
		"BOARD\n> 7,7,2\n> 8,8,1\n> 9,9,2\n> DONE",
		"BOARD 7,7,2 8,8,1 9,9,2 DONE",
		"BOARD 7,7,2\n> 8,8,1 9,9,2\n> DONE",
		"BOARD\n> 7,7,2 8,8,1\n> 9,9,2 DONE",
		"BOARD\n> 7, 7, 2 8 ,8 ,1\n>   9,9,2\n> done",
		"BOARD\n> 7,7,2\t8,8,1\t9,9,2\tDONE",
		"BOARD\n> 7,7,2\n> INFO time_left 5000\n> 8,8,1\n> 9,9,2\n> DONE",
	} {
		p := playOnce(t, "START 15\n"+strings.ReplaceAll(block, "\n> ", "\n")+"\n")
		want := []game.Move{{Color: game.Black, Point: game.At(7, 7)}, {Color: game.White, Point: game.At(8, 8)}, {Color: game.Black, Point: game.At(9, 9)}}
		if rec := p.seen[0]; fmt.Sprint(rec.Moves) != fmt.Sprint(want) || rec.ToMove() != game.White {
			t.Errorf("%q: the engine sees %v", block, rec.Moves)
		}
	}
}

// playOnce sends texts, each when the move that the one before asked for has come; it
// returns the engine that was asked.
func playOnce(t *testing.T, texts ...string) *player {
	t.Helper()
	p := &player{}
	c := converse(t, p, nil)
	for _, text := range texts {
		c.send(text)
		for l := c.line(); !moveShape.MatchString(l); l = c.line() {
			if l != "OK" && !aside(l) {
				c.fail("%q is no move", l)
			}
		}
	}
	c.send("END\n")
	c.ends()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p
}

func TestP8EmptyBoardIsTheFirstMove(t *testing.T) {
	for _, size := range []int{5, 15, 19, 20, 22} {
		p := playOnce(t, fmt.Sprintf("START %d\r\nBOARD\r\nDONE\r\n", size))
		if rec := p.seen[0]; len(rec.Moves) != 0 || rec.ToMove() != game.Black || rec.Variant.Size != size {
			t.Errorf("size %d: %+v", size, rec)
		}
	}
}

func TestP9RuleAfterStart(t *testing.T) {
	dialogue(t, `
> START 15
< OK
> YXBOARD 7,6,1 14,0,2 7,8,1 14,2,2 8,7,1 14,4,2 6,7,1 14,10,2 DONE
> YXSHOWFORBID
< FORBID .
> INFO rule 4
> YXSHOWFORBID
< FORBID 0707.
> INFO rule 1
> YXSHOWFORBID
< FORBID .
> INFO rule 4
> YXSHOWFORBID
< FORBID 0707.
> RESTART
< OK
> YXSHOWFORBID
< FORBID .`, plain)
	p := &player{}
	c := converse(t, p, nil)
	c.send("START 15\nINFO timeout_turn 500\nBEGIN\n")
	for l := c.line(); !moveShape.MatchString(l); l = c.line() {
	}
	c.send("INFO rule 4\nINFO timeout_turn 700\nTURN 0,0\n")
	for l := c.line(); !moveShape.MatchString(l); l = c.line() {
	}
	c.send("END\n")
	c.ends()
	if a, b := p.seen[0].Variant.Rule, p.seen[1].Variant.Rule; a != game.Freestyle || b != game.Renju || len(p.seen[1].Moves) != 2 {
		t.Errorf("%v, then %v with %d stones", a, b, len(p.seen[1].Moves))
	}
	if a, b := p.limits[0].Hard, p.limits[1].Hard; b != a+200*time.Millisecond {
		t.Errorf("%v, then %v", a, b)
	}
	if len(p.told) != 2 {
		t.Errorf("the engine was made %d times, not for each rule", len(p.told))
	}
}

func TestP10Rules(t *testing.T) {
	F, S, R, C, X := game.Freestyle, game.Standard, game.Renju, game.Caro, game.CaroSix
	gomocup := []game.Rule{F, S, F, S, R, R, R, R, X, C, X, C, X, C, X, C}
	for mask, want := range gomocup {
		if got := ruleOf(int64(mask), false); got != want {
			t.Errorf("INFO rule %d is %v, want %v", mask, got, want)
		}
		if mask == 2 {
			want = R
		}
		if got := ruleOf(int64(mask), true); got != want {
			t.Errorf("INFO rule %d from Yixin-Board is %v, want %v", mask, got, want)
		}
	}
	for text, want := range map[string]game.Rule{
		"START 15\nINFO rule 2\nBEGIN\n":                     F,
		"start 15\nINFO rule 2\nBEGIN\n":                     R,
		"START 15\nINFO rule 2\nyxshowinfo\nBEGIN\n":         R,
		"START 15\nINFO rule 2\nINFO show_detail 1\nBEGIN\n": R,
		"START 15\nINFO rule 2\nYXSTOP\nBEGIN\n":             F, // c-gomoku-cli
		"INFO rule 4\nSTART 15\nBEGIN\n":                     R,
		"START 15\nINFO rule -1\nBEGIN\n":                    F,
		"START 15\nINFO rule 4\nINFO rule x\nBEGIN\n":        R,
		"START 15\nINFO rule 16\nBEGIN\n":                    F,
		"START 15\nINFO game renju\nBEGIN\n":                 R,
		"START 15\nINFO game Standard\nINFO rule 0\nBEGIN\n": F,
	} {
		if got := playOnce(t, text).seen[0].Variant.Rule; got != want {
			t.Errorf("%q plays %v, want %v", text, got, want)
		}
	}
}

// A game that is not played is refused when it matters, and can be taken back.
func TestP10GamesNotPlayed(t *testing.T) {
	for _, name := range []string{"go", "chess", ""} {
		if name == "" {
			name = " "
		}
		want := "ERROR *"
		if name == " " {
			want = "MOVE" // INFO game without a name says nothing
		}
		dialogue(t, fmt.Sprintf(`
> START 15
< OK
> INFO game %s
> BEGIN
< %s
> INFO rule 0
> RESTART
< OK
> BEGIN
< MOVE
> END`, name, want), plain)
	}
	dialogue(t, `
> START 19
< OK
> INFO game go
> TURN 9,9
< ERROR go is*
> BOARD
> DONE
< ERROR go is*
> SWAP2BOARD
> DONE
< ERROR go is*
> START 19
< ERROR go is*
> INFO rule 4
> START 19
< OK
> TURN 9,9
< MOVE`, plain)
	dialogue(t, `
> INFO game go
> START 19
< ERROR go is*
> INFO rule 1
> START 19
< OK
> BEGIN
< MOVE`, plain)
}

// The engine is made when it is first asked, not at the start of the process.
func TestP11StartIsCheap(t *testing.T) {
	p := &player{}
	c := converse(t, p, nil)
	c.send("ABOUT\nSTART 15\nINFO rule 4\nINFO max_memory 1000000000\nYXSHOWFORBID\nRESTART\n")
	for _, want := range []string{About(), "OK", "FORBID .", "OK"} {
		if got := c.line(); got != want {
			c.fail("%q, want %q", got, want)
		}
	}
	c.send("END\n")
	c.ends()
	if len(p.told) != 0 {
		t.Error("an engine was made")
	}
}

// No deadline survives a turn: each has its own start and its full time.
func TestP12NoDeadlineSurvives(t *testing.T) {
	p := &player{}
	c := converse(t, p, nil)
	c.send("START 15\nINFO timeout_turn 1000\nBEGIN\n")
	var before [3]time.Time
	for i := range before {
		for l := c.line(); !moveShape.MatchString(l); l = c.line() {
		}
		before[i] = time.Now()
		c.send(fmt.Sprintf("TURN %d,0\n", i))
	}
	for l := c.line(); !moveShape.MatchString(l); l = c.line() {
	}
	c.send("END\n")
	c.ends()
	for i, lim := range p.limits[1:] {
		if lim.Start.Before(before[i]) || lim.Hard != p.limits[0].Hard {
			t.Errorf("turn %d begins %v before it was sent, hard limit %v", i, before[i].Sub(lim.Start), lim.Hard)
		}
	}
}

func TestP13Deadline(t *testing.T) {
	for _, c := range []struct{ turn, left int64 }{{1000, 20000}, {5000, 120000}, {5000, 900}, {300000, 1000000}, {30000, 180000}} {
		p := playOnce(t, fmt.Sprintf("START 15\nINFO timeout_turn %d\nINFO timeout_match 1000000\nINFO time_left %d\nBOARD\n7,7,2\nDONE\n", c.turn, c.left))
		most := time.Duration(min(c.turn, c.left)-31) * time.Millisecond
		if h := p.limits[0].Hard; h <= 0 || h > most {
			t.Errorf("turn %d, left %d: hard limit %v", c.turn, c.left, h)
		}
	}
}

func TestP14TimeLeft(t *testing.T) {
	for left, instant := range map[string]bool{"-1": true, "-2147483648": true, "0": true, "2147483647": false, "": false, "20000": false, "99999999999999999999": false} {
		text := "START 15\nINFO timeout_turn 1000\n"
		if left != "" {
			text += "INFO time_left " + left + "\n"
		}
		p := playOnce(t, text+"BEGIN\n")
		if lim := p.limits[0]; lim.Instant != instant || !instant && (lim.Hard < 300*time.Millisecond || lim.Hard > 969*time.Millisecond) {
			t.Errorf("time_left %q: %+v", left, lim)
		}
	}
}

func TestP15TurnZeroIsInstant(t *testing.T) {
	if p := playOnce(t, "START 20\nINFO timeout_match 0\nINFO timeout_turn 0\nINFO time_left 2147483647\nBEGIN\n"); !p.limits[0].Instant {
		t.Errorf("%+v", p.limits[0])
	}
}

func TestP16Memory(t *testing.T) {
	for info, want := range map[string]int64{
		"":                              engine.DefaultMemory,
		"INFO max_memory 0\n":           engine.DefaultMemory,
		"INFO max_memory 83886080\n":    83886080,
		"INFO max_memory 367001600\n":   367001600,
		"INFO max_memory 2147483647\n":  2147483647,
		"INFO max_memory 17179869184\n": 17179869184,
		"INFO max_memory -5\n":          engine.DefaultMemory,
		"INFO hash_size 65536\n":        65536<<10 + baseMemory,
		"INFO hash_size 65536\nINFO max_memory 80000000\n":        80000000,
		"INFO max_memory 8000000000\nINFO hash_size 65536\n":      65536<<10 + baseMemory,
		"INFO hash_size 65536\nINFO hash_size 0\n":                engine.DefaultMemory,
		"INFO hash_size 9223372036854775807\nINFO max_memory 5\n": 5,
	} {
		p := playOnce(t, "START 15\n"+info+"BEGIN\n")
		if got := p.told[len(p.told)-1].Memory; got != want {
			t.Errorf("%q: %d bytes, want %d", info, got, want)
		}
	}
}

// Many threads do not fit into little memory.
func TestP16Threads(t *testing.T) {
	for info, want := range map[string]int{
		"INFO thread_num 32\n":                                                32,
		"INFO thread_num 256\n":                                               58,
		"INFO thread_num 256\nINFO hash_size 4194304\n":                       256,
		"INFO thread_num 32\nINFO hash_size 1024\n":                           32,
		"INFO thread_num 32\nINFO max_memory 83886080\n":                      13,
		"INFO max_memory 83886080\nINFO thread_num 8\n":                       8,
		"INFO thread_num 32\nINFO max_memory 83886080\nINFO max_memory 0\n":   32,
		"INFO thread_num 32\nINFO max_memory 5\n":                             1,
		"INFO thread_num 32\nINFO max_memory 83886080\nINFO hash_size 1024\n": 13,
	} {
		p := playOnce(t, "START 15\n"+info+"BEGIN\n")
		if got := p.told[len(p.told)-1].Threads; got != want {
			t.Errorf("%q: %d threads, want %d", info, got, want)
		}
	}
}

func TestP17EndAndEOF(t *testing.T) {
	for _, engine := range []string{"waits", "deaf", "instant"} {
		for _, end := range []string{"> END", "> end", "$", "> END foo"} {
			dialogue(t, "% engine "+engine+"\n> START 15\n< OK\n"+end, plain)
			if engine != "instant" {
				dialogue(t, "% engine "+engine+"\n> START 15\n< OK\n> INFO max_depth 9\n> INFO timeout_match 0\n> BEGIN\n~\n"+end, plain)
				// A move of a search that is being stopped may wait; the end does not.
				dialogue(t, "% engine "+engine+"\n> START 15\n< OK\n> INFO max_depth 9\n> BEGIN\n~\n> BOARD\n> 7,7,2\n"+end, plain)
			}
		}
	}
	dialogue(t, "> START 15\n> ABOUT\n> END\n< OK\n< name=*", mode{eol: []string{"\n"}, burst: true})
}

func TestP18AboutAtAnyTime(t *testing.T) {
	dialogue(t, `
> ABOUT
< name="tengen", version="*", author="*", country="*"
> START 15
< OK
> ABOUT
< name="tengen"*
> BOARD
> ABOUT
< name="tengen"*
> 7,7,2
> DONE
< MOVE
> ABOUT please
< name="tengen"*`, plain)
	dialogue(t, "% engine waits\n> START 15\n< OK\n> INFO max_depth 9\n> BEGIN\n~\n> ABOUT\n< name=*\n> STOP\n< MOVE", plain)
	if s := About(); strings.Count(s, `"`) != 8 || strings.ContainsAny(s, "\r\n") {
		t.Errorf("%q", s)
	}
}

func TestP19UnknownAndErrors(t *testing.T) {
	dialogue(t, `
> HELLO
< UNKNOWN *
> 7,7
< UNKNOWN *
> DONE
< UNKNOWN *
> SUGGEST 1,1
< UNKNOWN *
> SWAP5STEP1
< UNKNOWN *
> BEGIN
< ERROR *
> TURN 7,7
< ERROR *
> RESTART
< ERROR *
> TAKEBACK 1,1
< ERROR *
> PLAY 1,1
< ERROR *
> BOARD
> 7,7,1
> DONE
< ERROR *
> SWAP2BOARD
> DONE
< ERROR *
> START
< ERROR *
> START x
< ERROR *
> START 4
< ERROR *
> START 23
< ERROR *
> START -15
< ERROR *
> START 15 14
< ERROR *
> START 15 15 15
< ERROR *
> START 99999999999999999999
< ERROR *
> RECTSTART 15
< ERROR *
> START 15
< OK
> TURN 7,7
< 7,6
> TURN
< ERROR *
> TURN 7
< ERROR *
> TURN 7,x
< ERROR *
> TURN 1,2,3
< ERROR *
> TURN 7,7
< ERROR *
> TURN 7,6
< ERROR *
> TURN 15,0
< ERROR *
> TURN 0,15
< ERROR *
> TURN 32,0
< ERROR *
> TURN -1,0
< ERROR *
> TURN 99999999999999999999,0
< ERROR *
> BEGIN
< ERROR *
> TAKEBACK 7,7
< ERROR *
> TAKEBACK
< ERROR *
> PLAY 7,7
< ERROR *
> START 3
< ERROR *
> SWAP2BOARD
> 1,1
> DONE
< ERROR *
> SWAP2BOARD
> 1,1 1,1 2,2
> DONE
< ERROR *
> SWAP2BOARD
> 1,1 x 2,2
> DONE
< ERROR *
> TURN 0,0
< 6,7
> TAKEBACK 6,7
< OK
> TAKEBACK 0,0
< OK
> TAKEBACK 7,6
< OK
> TAKEBACK 7,7
< OK
> TAKEBACK 7,7
< ERROR *
> BEGIN
< 7,7`, plain)
}

// Never an illegal point: whatever the engine says, on any position.
func TestP20OnlyLegalPoints(t *testing.T) {
	renju := []string{"7,6,1", "14,0,2", "7,8,1", "14,2,2", "8,7,1", "14,4,2", "6,7,1", "14,10,2"}
	for name, wild := range map[string]func() (game.Choice, error){
		"occupied":  func() (game.Choice, error) { return game.Choice{Point: game.At(7, 6)}, nil },
		"outside":   func() (game.Choice, error) { return game.Choice{Point: game.At(20, 20)}, nil },
		"forbidden": func() (game.Choice, error) { return game.Choice{Point: game.At(7, 7)}, nil },
		"pass":      func() (game.Choice, error) { return game.Choice{Point: game.Pass}, nil },
		"nothing":   func() (game.Choice, error) { return game.Choice{Point: game.NoPoint}, nil },
		"resign":    func() (game.Choice, error) { return game.Choice{Resign: true}, nil },
	} {
		t.Run(name, func(t *testing.T) {
			c := converse(t, &player{wild: wild}, nil)
			c.send("START 15\nINFO rule 4\nBOARD\n" + strings.Join(renju, "\n") + "\nDONE\n")
			l := c.line()
			for ; l == "OK" || aside(l); l = c.line() {
			}
			b := board{size: 15, taken: map[game.Point]bool{}}
			b.sent("BOARD " + strings.Join(renju, " ") + " DONE")
			if wrong := b.move(l, 1); wrong != "" || l == "7,7" {
				c.fail("plays %s: %s", l, wrong)
			}
			c.send("END\n")
			c.ends()
		})
	}
	// A full board, a board with one hole, a decided one, and one with all but one blocked.
	var full, hole strings.Builder
	for y := range 5 {
		for x := range 5 {
			s := fmt.Sprintf("> %d,%d,%d\n", x, y, 1+(x+y/2)%2)
			full.WriteString(s)
			if x != 3 || y != 2 {
				hole.WriteString(s)
			}
		}
	}
	dialogue(t, "> START 5\n< OK\n> INFO rule 1\n> BOARD\n"+hole.String()+"> DONE\n< 3,2\n> TURN 3,2\n< ERROR *\n> ABOUT\n< name=*", plain)
	dialogue(t, "> START 5\n< OK\n> INFO rule 1\n> BOARD\n"+full.String()+"> DONE\n< ERROR *\n> TURN 1,1\n< ERROR *\n> RESTART\n< OK\n> BEGIN\n< MOVE", plain)
	dialogue(t, "> START 5\n< OK\n> YXBOARD\n"+hole.String()+"> DONE\n> TURN 3,2\n< ERROR *", plain)
	dialogue(t, `
> START 15
< OK
> BOARD
> 0,0,2
> 0,5,1
> 1,0,2
> 1,5,1
> 2,0,2
> 2,5,1
> 3,0,2
> 3,5,1
> 4,0,2
> DONE
< MOVE
> TURN 9,9
< MOVE
> TURN 9,10
< MOVE`, plain)
	dialogue(t, `
> START 5
< OK
> YXBLOCK
> 0,0 1,0 2,0 3,0 4,0 0,1 1,1 2,1 3,1 4,1 0,2 1,2 2,2 3,2 4,2
> 0,3 1,3 2,3 3,3 4,3 0,4 1,4 3,4 4,4
> DONE
> BEGIN
< 2,4
> TURN 2,2
< MOVE
> YXBLOCKUNDO 4,4 DONE
> TURN 1,1
< 4,4
> YXBLOCKRESET
> TURN 1,2
< MOVE`, plain)
}

// A broken output ends the server, even if nobody closes its input.
func TestBrokenOutput(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	done := make(chan error, 1)
	go func() { done <- Serve(context.Background(), newSession(&player{}, nil), r, broken{}) }()
	go io.WriteString(w, "START 15\n")
	select {
	case err := <-done:
		if err == nil {
			t.Error("no error")
		}
	case <-time.After(patience):
		t.Error("does not end")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Nor does one that is stuck keep the process from ending.
func TestStuckOutput(t *testing.T) {
	for _, end := range []string{"END\n", ""} {
		in := strings.NewReader("START 15\n" + end)
		stuck := make(chan struct{})
		defer close(stuck)
		done := make(chan error, 1)
		go func() {
			done <- Serve(context.Background(), newSession(&player{}, nil), in, writer(func(b []byte) (int, error) {
				<-stuck
				return len(b), nil
			}))
		}()
		select {
		case <-done:
		case <-time.After(patience):
			t.Error("does not end")
		}
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	defer w.Close()
	p := &player{waits: true, thinks: make(chan struct{}, 1)}
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, newSession(p, nil), r, io.Discard) }()
	io.WriteString(w, "START 15\nBEGIN\n")
	<-p.thinks
	cancel()
	select {
	case <-done:
	case <-time.After(patience):
		t.Error("does not end")
	}
}

// A referee with a bug must not take the process with it.
func TestRefereePanics(t *testing.T) {
	s := protocol.NewSession(protocol.Maker{
		Referee: func(rec *game.Record) (game.Game, error) {
			g, err := engine.Replay(rec)
			return fragile{g}, err
		},
		Engine: func(game.Variant, engine.Options) (engine.Engine, error) { return &player{}, nil },
	})
	out := make(chan string, 100)
	r, w := io.Pipe()
	defer w.Close()
	go Serve(context.Background(), s, r, writer(func(b []byte) (int, error) { out <- string(b); return len(b), nil }))
	io.WriteString(w, "START 15\nTURN 7,7\nTURN 3,3\nABOUT\n")
	for {
		select {
		case l := <-out:
			if strings.HasPrefix(l, "name=") {
				return
			}
		case <-time.After(patience):
			t.Fatal("no answer")
		}
	}
}

type fragile struct{ game.Game }

func (fragile) Play(game.Point) error { panic("a bug") }
