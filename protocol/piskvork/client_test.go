package piskvork

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tengen/engine/game"
	"tengen/protocol"
	"tengen/protocol/process"
)

// The test binary plays the programs at the other end itself: with this variable set it
// takes a part and exits before any test runs.
const clientPartVar = "TENGEN_CLIENT_PART"

func init() {
	if part := os.Getenv(clientPartVar); part != "" {
		clientDouble(part)
		os.Exit(0)
	}
}

// clientDouble is a program that plays the first empty point of the first row, its part
// being what it does wrong or in an unusual way.
func clientDouble(part string) {
	in := bufio.NewScanner(os.Stdin)
	say := func(s ...string) { fmt.Print(strings.Join(s, "\n"), "\n") }
	taken := map[string]bool{}
	moves, about := 0, 0
	pick := func() string {
		for x := 0; ; x++ {
			if p := fmt.Sprintf("%d,0", x); !taken[p] {
				taken[p] = true
				return p
			}
		}
	}
	move := func() {
		moves++
		m := pick()
		if text, ok := strings.CutPrefix(part, "tells "); ok {
			say(text)
		}
		switch part {
		case "hang":
			time.Sleep(time.Minute)
		case "crash":
			fmt.Fprintln(os.Stderr, "it hurts")
			os.Exit(3)
		case "panic":
			panic("it hurts")
		case "half":
			fmt.Print("1")
			time.Sleep(time.Minute)
		case "halfdie":
			fmt.Print("1,1")
			os.Exit(0)
		case "closes":
			os.Stdout.Close()
			time.Sleep(time.Minute)
		case "error":
			say("ERROR no move")
			return
		case "errorfirst":
			say("ERROR Unknown command: BAR", "UNKNOWN thing", m)
			return
		case "unknown":
			say("UNKNOWN what?")
			return
		case "garbage":
			say("hello", "7", "7,7,7", "7,7 8,8")
			return
		case "off":
			say("15,3")
			return
		case "messages":
			say("MESSAGE depth 3-5 ev 35 n 101k n/ms 140 tm 655 pv O15 A2", "debug x", "", "MESSAGE (2) -50 | 4-6 | A1", "DEBUG Depth 7-9 | Eval +M7 | Time 3ms | B2 C3")
		case "late":
			if moves == 1 {
				time.Sleep(150 * time.Millisecond)
			}
		case "blanks":
			m = " " + strings.Replace(m, ",", " , ", 1) + "  \r"
		case "stderr":
			fmt.Fprintln(os.Stderr, "14,14")
		case "double":
			say(m, "9,9")
			return
		case "details": // and no move
			say("INFO PV 0", "INFO DEPTH 2", "INFO EVAL 7", "INFO PV DONE")
			return
		case "suggests":
			time.Sleep(150 * time.Millisecond)
			say("SUGGEST " + m)
			return
		case "floods":
			for {
				say("MESSAGE and so on")
			}
		}
		say(m)
	}
	for in.Scan() {
		words := strings.Fields(in.Text())
		if len(words) == 0 {
			continue
		}
		switch strings.ToUpper(words[0]) {
		case "ABOUT":
			about++
			switch part {
			case "mute", "nostart":
			case "unknownabout":
				say("UNKNOWN about")
			case "startcrash":
				os.Exit(7)
			case "lateabout":
				time.Sleep(100 * time.Millisecond)
				fallthrough
			default:
				say("MESSAGE hello", `name="Double", version="1, 2", author="A", country="FR"`)
			}
		case "START":
			taken, moves = map[string]bool{}, 0
			switch part {
			case "nostart":
				time.Sleep(time.Minute)
			case "refuses":
				say("ERROR unsupported size")
			case "banner":
				say("Welcome", "MESSAGE x", "ok")
			case "longok":
				say("OK - everything is good")
			default:
				say("OK")
			}
		case "BEGIN":
			move()
		case "TURN":
			taken[words[1]] = true
			move()
		case "PLAY":
			say(words[1])
		case "BOARD":
			taken = map[string]bool{}
			for in.Scan() && in.Text() != "DONE" {
				f := strings.Split(in.Text(), ",")
				taken[f[0]+","+f[1]] = true
			}
			move()
		case "SWAP2BOARD":
			n := 0
			for in.Scan() && in.Text() != "DONE" {
				n++
			}
			switch {
			case part == "swap":
				say("Swap")
			case part == "swapbad":
				say("1,1 1,1 2,2")
			case n == 0:
				say("MESSAGE thinking", "7,7 8,7 9,9")
			case n == 3 && part == "put2":
				say("5,5 10,4")
			default:
				say("8,8")
			}
		case "END":
			if part == "noend" {
				time.Sleep(time.Minute)
			}
			return
		}
	}
	if part == "noend" {
		time.Sleep(time.Minute)
	}
}

// clientTalk is a dialogue with a double and what was said in it.
type clientTalk struct {
	protocol.Player
	lines []string
	infos []game.Info
}

func (d *clientTalk) said() string {
	s := strings.Join(d.lines, "\n")
	d.lines = nil
	return s
}

func clientDial(t *testing.T, part string, opts ClientOptions) *clientTalk {
	t.Helper()
	d, err := clientTryDial(t, part, opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func clientTryDial(t *testing.T, part string, opts ClientOptions) (*clientTalk, error) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), clientPartVar+"="+part, "GORACE=atexit_sleep_ms=0")
	d := &clientTalk{}
	opts.Log = func(to bool, line string) {
		d.lines = append(d.lines, map[bool]string{true: "> ", false: "< "}[to]+line)
	}
	opts.Tell = func(in game.Info) { d.infos = append(d.infos, in) }
	if opts.Tolerance == 0 {
		opts.Tolerance = 50 * time.Millisecond
	}
	if opts.EndTime == 0 {
		opts.EndTime = 2 * time.Second
	}
	p, err := Dial(context.Background(), cmd, opts)
	d.Player = p
	t.Cleanup(func() {
		if p != nil {
			p.Close()
		}
		goleak.VerifyNone(t, before)
	})
	return d, err
}

var clientGame = game.Variant{Rule: game.Freestyle, Size: 15}

// clientRecord writes moves of alternating sides, Black first: "H8 A1".
func clientRecord(moves string) *game.Record {
	r := &game.Record{Variant: clientGame}
	for i, w := range strings.Fields(moves) {
		p, err := game.ParseName(w, r.Variant.Size)
		if err != nil {
			panic(err)
		}
		r.Moves = append(r.Moves, game.Move{Color: game.Color(i % 2), Point: p})
	}
	return r
}

func clientStart(t *testing.T, d *clientTalk) {
	t.Helper()
	if err := d.Start(context.Background(), clientGame, game.Limits{}); err != nil {
		t.Fatal(err)
	}
	d.said()
}

// clientSlow is a limit that a double that behaves always keeps, clientQuick one that
// doubles which never answer are given.
var (
	clientSlow  = game.Limits{Hard: 10 * time.Second}
	clientQuick = game.Limits{Hard: 10 * time.Millisecond}
)

func TestClientDialogue(t *testing.T) {
	d := clientDial(t, "good", ClientOptions{Memory: 83886080, Threads: 2, GameType: 1, Info: [][2]string{{"foo", "bar"}}})
	ctx := context.Background()
	want := func(want string) {
		t.Helper()
		if got := d.said(); got != strings.TrimSpace(want) {
			t.Errorf("said:\n%s\nwant:\n%s", got, want)
		}
	}
	move := func(rec *game.Record, lim game.Limits, want string) {
		t.Helper()
		c, err := d.Move(ctx, rec, lim)
		if err != nil || c.Point.Name(15) != want || c.Took <= 0 || !reflect.DeepEqual(c.Info, game.Info{Last: true}) {
			t.Errorf("move %s, %+v, %v; want %s", c.Point.Name(15), c, err, want)
		}
	}
	want(`
> ABOUT
< MESSAGE hello
< name="Double", version="1, 2", author="A", country="FR"`)
	if a := d.Player.(protocol.Introducer).About(); a != (protocol.About{Name: "Double", Version: "1, 2", Author: "A", Country: "FR"}) {
		t.Errorf("about %+v", a)
	}

	lim := game.Limits{Hard: 5 * time.Second, Left: 100 * time.Second}
	if err := d.Start(ctx, clientGame, lim); err != nil {
		t.Fatal(err)
	}
	want(`
> START 15
< OK
> INFO rule 0
> INFO timeout_turn 5000
> INFO timeout_match 100000
> INFO max_memory 83886080
> INFO thread_num 2
> INFO game_type 1
> INFO foo bar`)

	move(clientRecord(""), lim, "A15")
	want("> INFO time_left 100000\n> BEGIN\n< 0,0")
	lim.Left -= 1500 * time.Millisecond
	move(clientRecord("A15 H8"), lim, "B15")
	want("> INFO time_left 98500\n> TURN 7,7\n< 1,0")
	// Another limit is told; a record that goes another way comes as BOARD.
	lim.Nodes, lim.Depth = 1000, 7
	move(clientRecord("A15 H8 C15 H7"), lim, "B15")
	want(`
> INFO max_depth 7
> INFO max_node 1000
> INFO time_left 98500
> BOARD
> 0,0,1
> 7,7,2
> 2,0,1
> 7,8,2
> DONE
< 1,0`)
	// The limits are taken back; the program may change sides, by BOARD.
	move(clientRecord("A15 H8 C15 H7 B15"), game.Limits{Instant: true, Hard: 5 * time.Second}, "D15")
	want(`
> INFO timeout_turn 0
> INFO max_depth -1
> INFO max_node -1
> INFO time_left 2147483647
> BOARD
> 0,0,2
> 7,7,1
> 2,0,2
> 7,8,1
> 1,0,2
> DONE
< 3,0`)

	// A setup is always a board, and its continuation a turn.
	rec := &game.Record{Variant: clientGame, Setup: game.Setup{
		Black: []game.Point{game.At(0, 0), game.At(3, 3)}, White: []game.Point{game.At(1, 0)},
		Walls: []game.Point{game.At(14, 14)}, ToMove: game.White}}
	move(rec, clientSlow, "C15")
	want(`
> INFO timeout_turn 10000
> INFO time_left 2147483647
> BOARD
> 14,14,3
> 0,0,2
> 1,0,1
> 3,3,2
> DONE
< 2,0`)
	rec.Moves = []game.Move{{Color: game.White, Point: game.At(2, 0)}, {Color: game.Black, Point: game.At(5, 5)}}
	move(rec, clientSlow, "D15")
	want("> INFO time_left 2147483647\n> TURN 5,5\n< 3,0")

	// The next game, in the same process; after START one stone is a TURN.
	if err := d.Start(ctx, clientGame, clientSlow); err != nil {
		t.Fatal(err)
	}
	d.said()
	move(clientRecord("H8"), clientSlow, "A15")
	want("> INFO time_left 2147483647\n> TURN 7,7\n< 0,0")

	if err := d.Close(); err != nil {
		t.Error(err)
	}
	want("> END")
	if _, err := d.Move(ctx, clientRecord(""), clientSlow); err == nil {
		t.Error("moved after Close")
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

func TestClientRules(t *testing.T) {
	d := clientDial(t, "good", ClientOptions{Board: true})
	for rule, want := range map[game.Rule]string{
		game.Freestyle: "0", game.Standard: "1", game.Renju: "4", game.CaroSix: "8", game.Caro: "9",
		game.Omok: "0\n> INFO game omok", game.Pente: "0\n> INFO game pente\n> INFO tournament_rule 1", game.Keryo: "0\n> INFO game keryo\n> INFO tournament_rule 1",
	} {
		if err := d.Start(context.Background(), game.Variant{Rule: rule, Size: 19}, game.Limits{}); err != nil {
			t.Fatal(err)
		}
		if got := d.said(); !strings.Contains(got, "> START 19\n< OK\n> INFO rule "+want+"\n> INFO timeout_turn 2147483647\n> INFO timeout_match 0") {
			t.Errorf("%v:\n%s", rule, got)
		}
	}
	if err := d.Start(context.Background(), game.Variant{Rule: game.Weiqi, Size: 19}, game.Limits{}); err == nil {
		t.Error("go by piskvork")
	}
	clientStart(t, d)
	if _, err := d.Move(context.Background(), clientRecord(""), clientSlow); err != nil || !strings.Contains(d.said(), "> BOARD\n> DONE\n") {
		t.Error("no empty BOARD", err)
	}
	// What cannot be said is the caller's mistake, not the program's.
	bad := clientRecord("H8")
	bad.Moves[0].Point = game.At(15, 0)
	other := clientRecord("")
	other.Variant.Size = 20
	for _, r := range []*game.Record{bad, other} {
		var f *protocol.Fault
		if _, err := d.Move(context.Background(), r, clientSlow); err == nil || errors.As(err, &f) {
			t.Errorf("%v", err)
		}
	}
}

// Programs that are unusual but move.
func TestClientBearsWith(t *testing.T) {
	for _, part := range []string{"blanks", "stderr", "errorfirst", "banner", "longok", "unknownabout", "late", "messages", "suggests", "good"} {
		t.Run(part, func(t *testing.T) {
			d := clientDial(t, part, ClientOptions{Tolerance: 5 * time.Second})
			clientStart(t, d)
			c, err := d.Move(context.Background(), clientRecord(""), clientQuick)
			if err != nil || c.Point != game.At(0, 0) {
				t.Fatalf("%v %v", c.Point.Name(15), err)
			}
			if (part == "late" || part == "suggests") && c.Took < 100*time.Millisecond {
				t.Errorf("late by %v only", c.Took)
			}
			if part == "messages" {
				if c.Info.Depth != 7 || c.Info.SelDepth != 9 || c.Info.Value != game.Win-7 || c.Info.Nodes != 101000 || c.Info.Time != 3*time.Millisecond || len(c.Info.PV) != 2 {
					t.Errorf("info %+v", c.Info)
				}
				if len(d.infos) != 3 || d.infos[1].MultiPV != 2 || d.infos[0].PV[0] != game.At(14, 0) {
					t.Errorf("infos %+v", d.infos)
				}
			}
		})
	}
	for _, part := range []string{"mute", "lateabout"} { // ABOUT needs no answer, and none in time
		t.Run(part, func(t *testing.T) {
			d := clientDial(t, part, ClientOptions{StartTime: 50 * time.Millisecond})
			d.Player.(*client).opts.StartTime = 5 * time.Second
			clientStart(t, d)
			if _, err := d.Move(context.Background(), clientRecord(""), clientSlow); err != nil {
				t.Error(err)
			}
			if a := d.Player.(protocol.Introducer).About(); a.Name == "" || (a.Name == "Double") != (part == "lateabout") {
				t.Errorf("about %+v", a)
			}
		})
	}
}

func clientFault(t *testing.T, err error, kind protocol.FaultKind, command string) *protocol.Fault {
	t.Helper()
	var f *protocol.Fault
	if !errors.As(err, &f) {
		t.Fatalf("%v is no fault", err)
	}
	if f.Kind != kind || f.Command != command {
		t.Errorf("%v; want %v after %s", f, kind, command)
	}
	return f
}

func TestClientFaults(t *testing.T) {
	for _, c := range []struct {
		part string
		kind protocol.FaultKind
		want string // in the fault's text or the program's last words
	}{
		{"hang", protocol.Timeout, "timeout after BEGIN"},
		{"half", protocol.Timeout, "timeout after BEGIN"},
		{"floods", protocol.Timeout, "timeout after BEGIN"},
		{"details", protocol.Timeout, "timeout after BEGIN"},
		{"crash", protocol.Crash, "exit status 3\nit hurts"},
		{"panic", protocol.Crash, "exit status 2\npanic: it hurts"},
		{"halfdie", protocol.Crash, "exit status 0"},
		{"closes", protocol.Crash, "output closed"},
		{"error", protocol.Refused, "ERROR no move"},
		{"unknown", protocol.Unknown, "UNKNOWN what?"},
		{"garbage", protocol.Garbage, "hello"},
		{"off", protocol.Illegal, "15,3"},
	} {
		t.Run(c.part, func(t *testing.T) {
			d := clientDial(t, c.part, ClientOptions{EndTime: 300 * time.Millisecond})
			clientStart(t, d)
			lim := clientQuick
			if c.kind == protocol.Crash {
				lim = clientSlow
			}
			_, err := d.Move(context.Background(), clientRecord(""), lim)
			f := clientFault(t, err, c.kind, "BEGIN")
			if text := f.Error() + "\n" + f.Stderr; !strings.Contains(text, c.want) {
				t.Errorf("%q does not tell of %q", text, c.want)
			}
			// The next game finds a program that answers again, the same or a new one.
			if c.part == "hang" || c.kind != protocol.Timeout {
				if err := d.Start(context.Background(), clientGame, game.Limits{}); err != nil {
					t.Errorf("next game: %v", err)
				}
			}
		})
	}
	// Without a clock an error line does not hang the game.
	d := clientDial(t, "error", ClientOptions{Tolerance: 10 * time.Millisecond})
	clientStart(t, d)
	_, err := d.Move(context.Background(), clientRecord(""), game.Limits{Nodes: 100})
	clientFault(t, err, protocol.Refused, "BEGIN")
}

func TestClientStartFaults(t *testing.T) {
	d := clientDial(t, "refuses", ClientOptions{})
	clientFault(t, d.Start(context.Background(), clientGame, game.Limits{}), protocol.Refused, "START")

	d = clientDial(t, "nostart", ClientOptions{StartTime: 50 * time.Millisecond, EndTime: 50 * time.Millisecond})
	clientFault(t, d.Start(context.Background(), clientGame, game.Limits{}), protocol.Timeout, "START")
	_, err := d.Move(context.Background(), clientRecord(""), clientSlow)
	clientFault(t, err, protocol.Crash, "start")

	_, err = clientTryDial(t, "startcrash", ClientOptions{})
	if f := clientFault(t, err, protocol.Crash, "ABOUT"); !strings.Contains(f.Exit, "7") {
		t.Errorf("%+v", f)
	}
	_, err = Dial(context.Background(), exec.Command("./no-such-program"), ClientOptions{})
	clientFault(t, err, protocol.Crash, "start")
}

// An answer that comes after its time is not taken for the answer to the next question.
func TestClientLateAnswer(t *testing.T) {
	d := clientDial(t, "late", ClientOptions{Tolerance: time.Millisecond})
	clientStart(t, d)
	_, err := d.Move(context.Background(), clientRecord(""), clientQuick)
	clientFault(t, err, protocol.Timeout, "BEGIN")
	d.said()
	d.Player.(*client).opts.Tolerance = 5 * time.Second
	c, err := d.Move(context.Background(), clientRecord("A15 B15"), clientSlow)
	if err != nil || c.Point != game.At(2, 0) {
		t.Fatalf("%v %v", c.Point.Name(15), err)
	}
	said := d.said()
	if !strings.HasPrefix(said, "> START 15\n< 0,0\n< OK\n> INFO rule") || !strings.HasSuffix(said, "> BOARD\n> 0,0,1\n> 1,0,2\n> DONE\n< 2,0") {
		t.Errorf("said:\n%s", said)
	}
}

// A second answer to one question is dropped when it is there before the next question.
func TestClientDoubleAnswer(t *testing.T) {
	d := clientDial(t, "double", ClientOptions{})
	clientStart(t, d)
	if c, err := d.Move(context.Background(), clientRecord(""), clientSlow); err != nil || c.Point != game.At(0, 0) {
		t.Fatal(c, err)
	}
	for p := d.Player.(*client).p; ; time.Sleep(time.Millisecond) { // until it has come
		n := 0
		p.Drain(func(process.Line) { n++ })
		if n > 0 {
			break
		}
	}
	if c, err := d.Move(context.Background(), clientRecord("A15 H8"), clientSlow); err != nil || c.Point != game.At(1, 0) {
		t.Fatal(c, err)
	}
}

func TestClientCancel(t *testing.T) {
	d := clientDial(t, "hang", ClientOptions{EndTime: 10 * time.Millisecond})
	clientStart(t, d)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := d.Move(ctx, clientRecord(""), clientSlow); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestClientEndIgnored(t *testing.T) {
	d := clientDial(t, "noend", ClientOptions{EndTime: 20 * time.Millisecond})
	clientStart(t, d)
	clientFault(t, d.Close(), protocol.Timeout, "END")
}

func TestClientSwap2(t *testing.T) {
	three := []game.Point{game.At(7, 7), game.At(8, 7), game.At(9, 9)}
	five := append(three[:3:3], game.At(5, 5), game.At(10, 4))
	for _, c := range []struct {
		part   string
		stones []game.Point
		want   string // the last line of the dialogue
		swap   bool
		points int
		kind   protocol.FaultKind
	}{
		{"good", nil, "7,7 8,7 9,9", false, 3, 0},
		{"good", three, "8,8", false, 1, 0},
		{"put2", three, "5,5 10,4", false, 2, 0},
		{"swap", three, "Swap", true, 0, 0},
		{"swap", five, "Swap", true, 0, 0},
		{"good", five, "8,8", false, 1, 0},
		{"swap", nil, "Swap", false, 0, protocol.Garbage},
		{"swapbad", nil, "1,1 1,1 2,2", false, 0, protocol.Illegal},
		{"swapbad", three, "1,1 1,1 2,2", false, 0, protocol.Garbage},
	} {
		d := clientDial(t, c.part, ClientOptions{})
		clientStart(t, d)
		lim := clientSlow
		if c.kind != 0 {
			lim = clientQuick
		}
		r, took, err := d.Player.(protocol.Swapper).Swap2(context.Background(), c.stones, lim)
		if c.kind != 0 {
			clientFault(t, err, c.kind, "SWAP2BOARD")
			continue
		}
		if err != nil || r.Swap != c.swap || len(r.Points) != c.points || took <= 0 {
			t.Errorf("%s: %+v, %v, %v", c.part, r, took, err)
			continue
		}
		said := d.said()
		block := "> INFO time_left 2147483647\n> SWAP2BOARD\n"
		for _, p := range c.stones {
			block += "> " + clientPoint(p) + "\n"
		}
		if !strings.Contains(said, block+"> DONE\n") || !strings.HasSuffix(said, "< "+c.want) {
			t.Errorf("%s said:\n%s", c.part, said)
		}
		// The game itself goes on by BOARD.
		if _, err := d.Move(context.Background(), clientRecord("H8"), clientSlow); err != nil || !strings.Contains(d.said(), "> BOARD\n> 7,7,2\n> DONE") {
			t.Errorf("%s: no BOARD after the opening, %v", c.part, err)
		}
	}
}

// What a program has told last comes with its move, whatever its form and in however many
// lines; the time is its own.
func TestClientLastInfo(t *testing.T) {
	h8i9 := []game.Point{game.At(7, 7), game.At(8, 6)}
	ms := time.Millisecond
	for _, c := range []struct {
		name, text string
		want       game.Info
	}{
		{"ours", "MESSAGE depth 3-5 ev 12 n 345 n/ms 57 tm 6 pv H8 I9",
			game.Info{MultiPV: 1, Depth: 3, SelDepth: 5, Value: 12, Nodes: 345, Time: 6 * ms, PV: h8i9}},
		{"ours with details", "INFO DEPTH 2\nMESSAGE Depth 2-4 | Eval -7 | Time 2ms | A1\nMESSAGE Depth 3-5 | Eval -M4 | Time 5ms | H8 I9\n" +
			"MESSAGE Speed 57500 | Depth 3-5 | Eval -M4 | Node 345 | Time 6ms",
			game.Info{MultiPV: 1, Depth: 3, SelDepth: 5, Value: 4 - game.Win, Nodes: 345, Time: 6 * ms, PV: h8i9}},
		{"ours with two lines", "MESSAGE (1) 12 | 3-5 | H8 I9\nMESSAGE Depth 3-5 | Eval 12 | Time 5ms | H8 I9\nMESSAGE (2) 3 | 3-5 | A1\n" +
			"MESSAGE Speed 57500 | Depth 3-5 | Eval 12 | Node 345 | Time 6ms",
			game.Info{MultiPV: 1, Depth: 3, SelDepth: 5, Value: 12, Nodes: 345, Time: 6 * ms, PV: h8i9}},
		{"a summary and its line", "MESSAGE OptiTime 9ms | MaxTime 20ms\nMESSAGE Speed 519K | Depth 4-6 | Eval 89 | Node 1K | Time 2ms\nMESSAGE Bestline H8 I9",
			game.Info{MultiPV: 1, Depth: 4, SelDepth: 6, Value: 89, Nodes: 1000, Time: 2 * ms, PV: h8i9}},
		{"numbered lines alone", "MESSAGE (1) 140 | 19-36 | H8 I9\nMESSAGE (2) 90 | 19-33 | A1\nMESSAGE REALTIME BEST 5,7",
			game.Info{MultiPV: 1, Depth: 19, SelDepth: 36, Value: 140, PV: h8i9}},
		{"nothing", "MESSAGE no time 5 to think", game.Info{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := clientDial(t, "tells "+c.text, ClientOptions{})
			clientStart(t, d)
			got, err := d.Move(context.Background(), clientRecord(""), clientSlow)
			c.want.Last = true
			if err != nil || got.Point != game.At(0, 0) || !reflect.DeepEqual(got.Info, c.want) {
				t.Errorf("%v\n%+v\nwant\n%+v", err, got, c.want)
			}
		})
	}
}

// The process has its limits and may be seen and held between two moves.
func TestClientProcess(t *testing.T) {
	d := clientDial(t, "good", ClientOptions{EndTime: 5 * time.Second})
	proc := func() *process.Process { return d.Player.(interface{ Process() *process.Process }).Process() }
	clientStart(t, d)
	p := proc()
	if err := p.Suspend(); err != nil {
		t.Skip(err)
	}
	if err := p.Resume(); err != nil {
		t.Error(err)
	}
	if _, err := d.Move(context.Background(), clientRecord(""), clientSlow); err != nil || proc() != p {
		t.Errorf("%v, %p is not %p", err, proc(), p)
	}
	p.Suspend()
	if err := d.Close(); err != nil || proc() != nil {
		t.Errorf("a suspended program cannot end: %v", err)
	}
	none := exec.Command(os.Args[0])
	none.Env = append(os.Environ(), clientPartVar+"=good")
	if p, err := Dial(context.Background(), none, ClientOptions{Limits: process.Limits{Memory: -1}}); err == nil {
		p.Close()
		t.Error("started without its limits")
	}
}

func TestClientInfo(t *testing.T) {
	for _, c := range []struct {
		text string
		want game.Info
	}{
		{"depth 12-20 ev 35 n 101k n/ms 140 S 3 tm 655 pv H8 I9", game.Info{MultiPV: 1, Depth: 12, SelDepth: 20, Value: 35, Nodes: 101000, Time: 655 * time.Millisecond, PV: []game.Point{game.At(7, 7), game.At(8, 6)}}},
		{"depth 1-45 ev 60.1 winrate 0.5 n 12 tm 3.5 pv Xf4 Of6", game.Info{MultiPV: 1, Depth: 1, SelDepth: 45, Value: 60, Nodes: 12, Time: 3500 * time.Microsecond, PV: []game.Point{game.At(5, 11), game.At(5, 9)}}},
		{"dep 15-28 ev -14 nd 201k tm 635 sp 316", game.Info{MultiPV: 1, Depth: 15, SelDepth: 28, Value: -14, Nodes: 201000, Time: 635 * time.Millisecond}},
		{"dep \x0c-\x10 ev +v15 nd 3446 tm 6", game.Info{MultiPV: 1, Value: game.Win - 15, Nodes: 3446, Time: 6 * time.Millisecond}},
		{"(2) -21 | 12-20 | H8 I9 zz A1", game.Info{MultiPV: 2, Depth: 12, SelDepth: 20, Value: -21, PV: []game.Point{game.At(7, 7), game.At(8, 6)}}},
		{"(1) -M4 | 12 | A1", game.Info{MultiPV: 1, Depth: 12, Value: 4 - game.Win, PV: []game.Point{game.At(0, 14)}}},
		{"Depth 23-30 | Eval -145 | Time 4320ms | I6 G7", game.Info{MultiPV: 1, Depth: 23, SelDepth: 30, Value: -145, Time: 4320 * time.Millisecond, PV: []game.Point{game.At(8, 9), game.At(6, 8)}}},
		{"Speed 251K | Depth 16-29 | Eval +M27 | Node 196K | Time 782ms", game.Info{MultiPV: 1, Depth: 16, SelDepth: 29, Value: game.Win - 27, Nodes: 196000, Time: 782 * time.Millisecond}},
		{"Nodes=42189, Time=567ms, speed=74407, depth=6-13, Evaluation=-51", game.Info{MultiPV: 1, Depth: 6, SelDepth: 13, Value: -51, Nodes: 42189, Time: 567 * time.Millisecond}},
		{"Bestline H8", game.Info{MultiPV: 1, PV: []game.Point{game.At(7, 7)}}},
		{"ev 1e300 depth 1", game.Info{MultiPV: 1, Depth: 1, SelDepth: 1, Value: game.MaxValue}},
		{"hello world", game.Info{}},
		{"time 5", game.Info{}},
		{"(0) 5 | 6", game.Info{}},
		{"(1) x | 6", game.Info{}},
		{"pv of mine", game.Info{}},
		{"ev NaN", game.Info{}},
		{"ev --5", game.Info{}},
		{"", game.Info{}},
	} {
		if c.want.Depth > 0 && c.want.SelDepth == 0 {
			c.want.SelDepth = c.want.Depth
		}
		got, ok := clientInfo(game.Info{}, c.text, 15)
		if !reflect.DeepEqual(got, c.want) || ok != (c.want.MultiPV > 0) {
			t.Errorf("%q:\n%+v %v\nwant\n%+v", c.text, got, ok, c.want)
		}
	}
}

func FuzzClientParse(f *testing.F) {
	f.Add(`name="a", version=b`)
	f.Add("MESSAGE (1) -M4 | 12 | A1")
	f.Add("1,2 3 , 4")
	f.Fuzz(func(t *testing.T, s string) {
		clientParseAbout(s)
		clientRefusal(s)
		text, _ := clientMessage(s)
		for _, s := range []string{s, text} {
			in, ok := clientInfo(game.Info{}, s, 15)
			if in.Value < -game.Win || in.Value > game.Win || in.Nodes < 0 || in.Time < 0 || !ok && !reflect.DeepEqual(in, game.Info{}) {
				t.Errorf("%q: %+v %v", s, in, ok)
			}
		}
		ps, err := clientPoints(s, 15)
		for _, p := range ps {
			if err != nil || !p.On(15) {
				t.Errorf("%q: %v %v", s, ps, err)
			}
		}
	})
}

// What recorded programs said to their managers is understood: every line is a message,
// an answer or a refusal, but for the half messages of one that writes its depth as a byte.
func TestClientRecordings(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/transcripts/c-gomoku-cli-*.txt")
	more, _ := filepath.Glob("../../../shared/data/transcripts/gomocupjudge-*.txt")
	if files = append(files, more...); len(files) == 0 {
		t.Skip("no recordings here")
	}
	moves, infos := 0, 0
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		size := 15
		for line := range strings.Lines(string(b)) {
			if len(line) < 10 {
				continue
			}
			s := strings.TrimSuffix(strings.TrimRight(line[10:], "\n"), `\n`)
			s = strings.NewReplacer(`\r`, "", `\t`, "\t").Replace(s)
			switch line[8] {
			case '>':
				fmt.Sscanf(s, "START %d", &size)
			case '<':
				if text, ok := clientMessage(s); ok {
					if _, ok := clientInfo(game.Info{}, text, size); ok {
						infos++
					} else if strings.Contains(strings.ToLower(text), "eval") {
						t.Errorf("%s: not read: %s", filepath.Base(name), s)
					}
				} else if _, err := clientPoints(s, size); err == nil {
					moves++
				} else if _, ok := clientParseAbout(s); !ok && clientRefusal(s) == 0 && s != "OK" && s != "SWAP" && !strings.HasPrefix(s, "-") && !strings.HasPrefix(s, " ev") && err != errClientBadPoint {
					t.Errorf("%s: not understood: %q", filepath.Base(name), s)
				}
			}
		}
	}
	if moves < 200 || infos < 50 {
		t.Errorf("only %d moves and %d infos in %d files", moves, infos, len(files))
	}
}
