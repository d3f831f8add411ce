package piskvork

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"tengen/engine/game"
)

func msec(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// What the recordings of real clients asked for on top: the list of PROTOCOLS 7.8.

// 1. Lines arrive in pieces, several at once, with line ends of all kinds inside a block.
func TestList1Reader(t *testing.T) {
	for _, text := range []string{
		"START 15\r\nINFO time_left 899934\r\nBOARD\n7,7,2\n6,7,1\n8,9,2\nDONE\r\n",
		"START 15\rBOARD\r\n7,7,2\n\r6,7,1\r\r8,9,2\n\nDONE\n",
		"\n\n\r\n   \nSTART 15\n\n\nBOARD\n\n7,7,2 6,7,1\n\n8,9,2\n\nDONE\n\n",
	} {
		for size := 1; size <= len(text); size++ {
			p := &player{}
			c := converse(t, p, nil)
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				c.send(rest[:n])
				rest = rest[n:]
			}
			for l := c.line(); !moveShape.MatchString(l); l = c.line() {
			}
			c.send("END\n")
			c.ends()
			if len(p.seen[0].Moves) != 3 || p.seen[0].ToMove() != game.White {
				t.Fatalf("pieces of %d: the engine sees %+v", size, p.seen[0])
			}
		}
	}
	// An unfinished line is not acted on, nor is it when the input ends.
	dialogue(t, "> START 15\n< OK\n$", plain)
	c := converse(t, &player{}, nil)
	c.send("START 15\nBEGIN")
	if l := c.line(); l != "OK" {
		c.fail("%q", l)
	}
	c.in.Close()
	c.ends()
}

// 3. What may come while the engine thinks, without stopping it.
func TestList3DuringASearch(t *testing.T) {
	dialogue(t, `
% engine waits
> START 15
< OK
> INFO rule 4
> INFO max_depth 50
> INFO timeout_match 0
> BOARD
> 7,6,1
> 14,0,2
> 7,8,1
> 14,2,2
> 8,7,1
> 14,4,2
> 6,7,1
> 14,10,2
> DONE
~
> INFO evaluate 3,3
> INFO time_left 100
> INFO rule 4
> INFO thread_num 2
> INFO max_memory 100000000
> YXSHOWFORBID
< FORBID 0707.
> YXQUERYDATABASEALLT
> 7,7 6,6
> DONE
< MESSAGE DATABASE REFRESH
< MESSAGE DATABASE DONE
> YXQUERYDATABASEONE 7,7 DONE
> YXBLOCK 3,3 DONE
> ABOUT
< name=*
> HELLO
< UNKNOWN *
> TURN 7,6
< ERROR *
> TURN x
< ERROR *
> YXSTOP
< MOVE
> YXSTOP
> STOP`, plain)
}

// Two commands to think give two moves; one that was replaced gives none.
func TestTwoThinkCommands(t *testing.T) {
	waits := "% engine waits\n> START 15\n< OK\n> INFO max_depth 50\n> INFO timeout_match 0\n> TURN 7,7\n~\n"
	for name, script := range map[string]string{
		"TURN":             "> TURN 0,0\n< MOVE\n~\n> STOP\n< MOVE",
		"TURN twice":       "> TURN 0,0\n> TURN 0,1\n< MOVE\n< MOVE\n> STOP\n< MOVE",
		"the same TURN":    "> TURN 7,7\n< ERROR *\n> STOP\n< MOVE",
		"TURN on our move": "> TURN 7,6\n< 7,6\n< ERROR *",
		"BEGIN":            "> BEGIN\n< MOVE\n< ERROR *",
		"BOARD":            "> BOARD\n> 1,1,2\n> DONE\n~\n> STOP\n< MOVE",
		"YXBOARD":          "> YXBOARD 1,1,2 DONE\n> YXSTOP\n> ABOUT\n< name=*",
		"YXBOARD, YXNBEST": "> YXBOARD 1,1,2 DONE\n> YXNBEST 2\n~\n> YXSTOP\n< MOVE",
		"START":            "> START 15\n< OK\n> YXSTOP\n> BEGIN\n~\n> STOP\n< MOVE",
		"START refused":    "> START 99\n< ERROR *\n> STOP",
		"RESTART":          "> RESTART\n< OK\n> STOP\n> TURN 3,3\n~\n> STOP\n< MOVE",
		"TAKEBACK":         "> TAKEBACK 7,7\n< OK\n> STOP\n> TURN 3,3\n~\n> STOP\n< MOVE",
		"PLAY":             "> PLAY 3,3\n< MOVE\n< 3,3",
		"SWAP2BOARD":       "> SWAP2BOARD\n> DONE\n< MOVES 3",
		"unfinished BOARD": "> BOARD\n> 1,1,2\n> TURN 5,5\n~\n> STOP\n< MOVE",
		"rule":             "> INFO rule 4\n> STOP\n< MOVE\n> TURN 0,0\n~\n> STOP\n< MOVE",
	} {
		t.Run(name, func(t *testing.T) { dialogue(t, waits+script, plain) })
	}
}

// 4. Our own last move stays on the board after every command that brings one.
func TestList4OurMoveStays(t *testing.T) {
	dialogue(t, `
% openings 5,5; 6,6 6,7
> START 15
< OK
> BEGIN
< 7,7
> TURN 7,7
< ERROR *
> TURN 0,0
< 7,6
> TURN 7,6
< ERROR *
> BOARD
> 7,7,2
> DONE
< 7,6
> TURN 7,6
< ERROR *
> YXBOARD 7,7,2 DONE
> YXNBEST 1
< 7,6
> TURN 7,6
< ERROR *
> YXBOARD 7,7,2 DONE
> YXBALANCEONE 0
< 5,5
> TURN 5,5
< ERROR *
> YXBOARD 7,7,2 DONE
> YXBALANCETWO 0
< 6,6 6,7
> TURN 6,7
< ERROR *
> PLAY 1,1
< 1,1
> TURN 1,1
< ERROR *
> PLAY 1,1
< 1,1`, plain)
}

// 5. After a five the continuous game goes on.
func TestList5Continuous(t *testing.T) {
	won := "BOARD\n0,0,2\n0,5,1\n1,0,2\n1,5,1\n2,0,2\n2,5,1\n3,0,2\n3,5,1\n4,0,2\nDONE\n"
	p := &player{script: []game.Point{game.At(9, 9)}}
	c := converse(t, p, nil)
	c.send("START 15\nINFO rule 2\n" + won)
	for l := c.line(); l != "9,9"; l = c.line() {
		if l != "OK" && !aside(l) {
			c.fail("%q", l)
		}
	}
	c.send("END\n")
	c.ends()
	// With dead stones the numbers do not tell our colour, but the order does.
	for text, color := range map[string]game.Color{
		"7,7,1 6,7,2 4,4,3 5,5,3": game.Black,
		"7,7,2 6,7,1 4,4,3":       game.White,
		"4,4,3 7,7,1 6,6,3":       game.White,
		"4,4,3 7,7,2":             game.Black,
		"4,4,3 5,5,3":             game.Black,
	} {
		p := playOnce(t, "START 15\nINFO rule 2\nBOARD "+text+" DONE\n")
		rec := p.seen[0]
		if rec.ToMove() != color || len(rec.Setup.Walls) != strings.Count(text, ",3") {
			t.Errorf("%q: %+v", text, rec)
		}
	}
}

// Yixin-Board's 2 is renju alone: a game that was won stays won.
func TestYixinRenjuIsNotContinuous(t *testing.T) {
	for text, want := range map[string]bool{
		"START 15\nINFO rule 2\nABOUT\n": true, "START 15\nINFO rule 3\nABOUT\n": true,
		"START 15\nINFO rule 4\nABOUT\n": false, "START 15\nINFO rule 2\nINFO rule 0\nABOUT\n": false,
		"start 15\nINFO rule 2\nABOUT\n": false, "START 15\nINFO rule 2\nyxboard\ndone\nABOUT\n": false,
	} {
		c := converse(t, &player{}, nil)
		c.send(text)
		for l := c.line(); l != About(); l = c.line() {
		}
		c.send("END\n")
		c.ends()
		if c.s.Continuous != want {
			t.Errorf("%q: continuous is %v", text, c.s.Continuous)
		}
	}
}

// A manager's clock may run since a block began; but a human may have typed the block.
func TestBlockTime(t *testing.T) {
	now := time.Now()
	for before, want := range map[int]int{0: 0, 110: 110, 20000: 500} {
		p := &player{}
		sv := &server{s: newSession(p, nil), w: io.Discard}
		sv.line(inputLine{text: "START 15", at: now})
		sv.line(inputLine{text: "BOARD", at: now.Add(-msec(before))})
		sv.line(inputLine{text: "7,7,2", at: now.Add(-msec(before / 2))})
		sv.line(inputLine{text: "DONE", at: now})
		<-sv.s.Searching().Done
		if got := now.Sub(p.limits[0].Start); got != msec(want) {
			t.Errorf("a block %d ms long: the clock runs since %v", before, got)
		}
	}
}

// What was wrong with a board is told once.
func TestBadBoardIsTold(t *testing.T) {
	c := converse(t, &player{}, nil)
	c.send("START 15\nBOARD\n7,7,2\n7,7,1\nx\nDONE\n")
	told := 0
	for i := range 2 {
		if i > 0 {
			c.send("TURN 0,0\n")
		}
		for l := c.line(); !moveShape.MatchString(l); l = c.line() {
			if strings.HasPrefix(l, "MESSAGE board: 2 ") {
				told++
			}
		}
	}
	c.send("END\n")
	c.ends()
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}

// Boards that do not fit: we play all the same, for the side called 1.
func TestBadBoards(t *testing.T) {
	for _, c := range []struct {
		board string
		want  string // colour to move, black, white, walls, moves
		rule  int
	}{
		{"7,7,1 8,8,2", "Black 0 0 0 2", 0},
		{"7,7,2 8,8,1 9,9,2", "White 0 0 0 3", 0},
		{"8,8,2 7,7,1", "Black 1 1 0 0", 0},                 // any order is allowed
		{"7,7,2 9,9,2 8,8,1", "White 2 1 0 0", 0},           //
		{"7,7,2", "White 0 0 0 1", 0},                       //
		{"7,7,1", "Black 1 0 0 0", 0},                       // they gave up a turn
		{"7,7,1 8,8,2 9,9,1", "Black 2 1 0 0", 4},           //
		{"7,7,2 8,8,2 9,9,2", "White 3 0 0 0", 4},           // the first stone's owner is Black
		{"7,7,1 8,8,1 9,9,1", "Black 3 0 0 0", 4},           //
		{"7,7,1 7,7,2 8,8,2", "Black 0 0 0 2", 0},           // twice
		{"7,7,1 99,1,2 8,8,2", "Black 0 0 0 2", 0},          // off the board
		{"7,7,1 15,1,1 8,8,2", "Black 0 0 0 2", 0},          //
		{"7,7,1 -1,1,1 8,8,2", "Black 0 0 0 2", 0},          //
		{"7,7,1 8,8,2 9,9,4", "Black 0 0 0 2", 0},           // no such owner
		{"7,7,1 8,8,2 9,9", "Black 0 0 0 2", 0},             //
		{"7,7,1 8,8,2 what 1,2,3,4 ,,", "Black 0 0 0 2", 0}, //
		{"", "Black 0 0 0 0", 0},
	} {
		p := playOnce(t, fmt.Sprintf("START 15\nINFO rule %d\nBOARD\n%s\nDONE\n", c.rule, strings.ReplaceAll(c.board, " ", "\n")))
		r := p.seen[0]
		got := fmt.Sprint(r.ToMove(), len(r.Setup.Black), len(r.Setup.White), len(r.Setup.Walls), len(r.Moves))
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.board, got, c.want)
		}
	}
}

// x,y does not become y,x anywhere: an asymmetric position in all commands.
func TestNoTransposition(t *testing.T) {
	dialogue(t, `
% openings 1,9 2,8 3,7; 4,1; 5,2
> START 15
< OK
> INFO rule 4
> INFO show_detail 1
> YXBOARD 3,6,1 14,0,2 3,8,1 14,2,2 4,7,1 14,4,2 2,7,1 14,10,2 DONE
> YXSHOWFORBID
< FORBID 0307.
> SWAP2BOARD
> DONE
< 1,9 2,8 3,7
> YXBOARD 1,9,2 2,8,1 3,7,2 DONE
> YXSWAP2STEP2
< MESSAGE SWAP2 SWAP1 NO
> YXBLOCK 7,6 DONE
> BOARD 7,7,2 DONE
< MESSAGE REALTIME BEST 6,7
< MESSAGE Depth *| G8
< 6,7`, plain)
	p := playOnce(t, "START 15\nTURN 2,11\n")
	if m := p.seen[0].Moves[0]; m.Point.X() != 2 || m.Point.Y() != 11 || m.Point.Name(15) != "C4" {
		t.Errorf("TURN 2,11 is %v", m)
	}
}

// What is told only acts on the next search, and what it is told acts.
func TestInfoActs(t *testing.T) {
	for text, check := range map[string]func(*player) bool{
		"INFO max_node 5000\n":                   func(p *player) bool { return p.limits[0].Nodes == 5000 && p.limits[0].Hard == 0 },
		"INFO max_node -1\n":                     func(p *player) bool { return p.limits[0].Nodes == 0 && p.limits[0].Hard > 0 },
		"INFO max_node 18446744073709551615\n":   func(p *player) bool { return p.limits[0].Nodes == 0 },
		"INFO max_depth 4\n":                     func(p *player) bool { return p.limits[0].Depth == 4 },
		"INFO thread_num 3\n":                    func(p *player) bool { return p.told[0].Threads == 3 },
		"INFO thread_num 0\n":                    func(p *player) bool { return p.told[0].Threads == 1 },
		"INFO strength 0\n":                      func(p *player) bool { return p.limits[0].Nodes == 64 },
		"INFO strength 50\n":                     func(p *player) bool { return p.limits[0].Nodes == 4096 },
		"INFO strength 50\nINFO max_node 100\n":  func(p *player) bool { return p.limits[0].Nodes == 100 },
		"INFO max_node 9000\nINFO strength 50\n": func(p *player) bool { return p.limits[0].Nodes == 4096 },
		"INFO strength 50\nINFO strength 100\n":  func(p *player) bool { return p.limits[0].Nodes == 0 },
		"INFO five_at_four 1\nINFO rule 4\n":     func(p *player) bool { return p.seen[0].Variant.FiveAtFour },
		"YXBLOCK 3,4 5,6 30,30 DONE\n": func(p *player) bool {
			return fmt.Sprint(p.limits[0].Avoid) == fmt.Sprint([]game.Point{game.At(3, 4), game.At(5, 6)}) || len(p.limits[0].Avoid) == 2
		},
	} {
		if p := playOnce(t, "START 15\n"+text+"BEGIN\n"); !check(p) {
			t.Errorf("%q: limits %+v, options %+v", text, p.limits[0], p.told)
		}
	}
	p := playOnce(t, "START 15\nYXBOARD 7,7,2 DONE\nYXNBEST 4\n")
	if p.limits[0].MultiPV != 4 {
		t.Errorf("YXNBEST 4: %+v", p.limits[0])
	}
}

// A new game forgets the last, but Yixin-Board's START is only a change of the board.
func TestStartForgets(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"START 15\nBEGIN\n|START 15\nBEGIN\n", 1},
		{"START 15\nBEGIN\n|RESTART\nBEGIN\n", 1},
		{"start 15\nBEGIN\n|start 15\nBEGIN\n", 0},
		{"start 15\nBEGIN\n|yxhashclear\nstart 15\nBEGIN\n", 1},
	} {
		p := &player{}
		cv := converse(t, p, nil)
		for _, part := range strings.Split(c.text, "|") {
			cv.send(part)
			for l := cv.line(); !moveShape.MatchString(l); l = cv.line() {
			}
		}
		cv.send("END\n")
		cv.ends()
		if p.forgot != c.want {
			t.Errorf("%q: forgot %d times, want %d", c.text, p.forgot, c.want)
		}
	}
}

// Paths may stand on the line or on the next one, which may be a command after all.
func TestPathsAndBlocksAreConsumed(t *testing.T) {
	var b strings.Builder
	b.WriteString("> START 15\n< OK\n")
	for name, c := range commands {
		if c.path {
			fmt.Fprintf(&b, "> %s\n> C:\\some file.db\n> %s a file\n> %s\n> ABOUT\n< name=*\n", name, name, name)
		}
		if c.block && c.run == nil {
			fmt.Fprintf(&b, "> %s\n> 7,7\n> 8,8\n> DONE\n> %s 3 0 \"text\" 7,7 8,8\n> done\n", name, name)
		}
	}
	dialogue(t, b.String()+"> BEGIN\n< MOVE", plain)
}

// Unknown commands are answered, except to a client that asked for YXSHOWINFO.
func TestGuiModeIsSilent(t *testing.T) {
	dialogue(t, "> START 15\n< OK\n> yxnonsense\n< UNKNOWN *\n> yxshowinfo\n< MESSAGE tengen *\n> yxnonsense\n> ABOUT\n< name=*", plain)
}

func TestReportForms(t *testing.T) {
	for _, c := range []struct{ infos, want string }{
		{"", "MESSAGE depth 3-5 ev 12 n 345 n/ms 57 tm 6 pv H8"},
		{"INFO show_detail 0\n", ""},
		{"INFO show_detail 1\n", "MESSAGE REALTIME REFRESH;MESSAGE REALTIME BEST 7,7;MESSAGE Depth 3-5 | Eval 12 | Time 6ms | H8;MESSAGE Speed 57500 | Depth 3-5 | Eval 12 | Node 345 | Time 6ms"},
		{"INFO show_detail 2\n", "INFO PV 0;INFO NUMPV 1;INFO DEPTH 3;INFO SELDEPTH 5;INFO NODES 345;INFO TOTALNODES 345;INFO TOTALTIME 6;INFO SPEED 57500;INFO EVAL 12;INFO WINRATE 0.5150;INFO BESTLINE 7,7;INFO PV DONE;MESSAGE Depth 3-5 | Eval 12 | Time 6ms | H8;MESSAGE Speed 57500 | Depth 3-5 | Eval 12 | Node 345 | Time 6ms"},
	} {
		cv := converse(t, &player{}, nil)
		cv.send(c.infos + "START 15\nBEGIN\n")
		var got []string
		for l := cv.line(); !moveShape.MatchString(l); l = cv.line() {
			if l != "OK" {
				got = append(got, l)
			}
		}
		if s := strings.Join(got, ";"); s != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.infos, s, c.want)
		}
		cv.send("END\n")
		cv.ends()
	}
}

// Reports on the same best move are rare, a new best move is told at once, and the last
// word is told always.
func TestReportRate(t *testing.T) {
	var rp report
	rp.detail = realtime
	rp.begin(1, 15)
	a, b := []game.Point{game.At(1, 1)}, []game.Point{game.At(2, 2)}
	var shown []int
	for d := 1; d <= 40; d++ {
		i := game.Info{Depth: d, Time: msec(10 * d), PV: a}
		if d == 25 {
			i.PV = b
		}
		rp.take(i)
		if rp.due(i) != nil {
			shown = append(shown, d)
		}
	}
	if fmt.Sprint(shown) != "[1 11 21 25 26 36]" {
		t.Errorf("shown at depths %v", shown)
	}
	if rp.rest() == nil || rp.rest() != nil {
		t.Error("the last depth is told once")
	}
	rp.begin(3, 15)
	rp.take(game.Info{MultiPV: 1, PV: a})
	if rp.due(game.Info{MultiPV: 1, PV: a}) != nil {
		t.Error("told before the other lines")
	}
	rp.take(game.Info{MultiPV: 3, PV: b})
	got := strings.Join(rp.due(game.Info{MultiPV: 3}), ";")
	if !strings.HasPrefix(got, "MESSAGE (1) 0 | 0-0 | B14;") || !strings.HasSuffix(got, ";MESSAGE (3) 0 | 0-0 | C13") {
		t.Error(got)
	}
	for _, l := range []int{len("MESSAGE ") + 4*longest} {
		if l > 120 {
			t.Error("a MESSAGE could be too long")
		}
	}
}
