package gtp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/engine/game"
	"tengen/protocol"
	"tengen/protocol/process"
)

// ClientOptions are what a manager tells or grants a program beyond game and limits.
// Zero fields have the defaults named here.
type ClientOptions struct {
	StartTime   time.Duration  // for the first response, the process's start included; 30 s
	CommandTime time.Duration  // for every other response but a move; 10 s
	Tolerance   time.Duration  // beyond the limit, before a move is given up; 1 s
	EndTime     time.Duration  // between quit and the kill; 1 s
	Commands    []string       // sent at the end of Start; a refusal is a fault
	Limits      process.Limits // of the process; the program is not told

	Log func(toProgram bool, line string) // every line, as it passes
}

const (
	clientStartTime   = 30 * time.Second
	clientCommandTime = 10 * time.Second
	clientDoubtTime   = 2 * time.Second // for a program that failed to answer before
	clientTolerance   = time.Second
	clientEndTime     = time.Second
	clientUndos       = 4 // moves that are taken back rather than the game played again
)

// Client is the manager's end. It is a protocol.Player and a protocol.Introducer.
//
// Each command has an id and each response is looked for by it: so a response that comes
// late, or text that is none, is passed over and cannot be taken for another one's.
type Client struct {
	cmd  *exec.Cmd // only a pattern: each start is a copy
	opts ClientOptions
	p    *process.Process // nil when none is running

	about   protocol.About
	known   map[string]bool // by list_commands
	id      int             // of the last command
	variant game.Variant
	start   game.Limits  // of the last Start
	times   string       // the last time settings that were told
	board   *game.Record // what the program has on its board; nil: unknown
	owes    bool         // a response has not come
	began   bool         // a game has
	closed  bool
}

var (
	_ protocol.Player     = (*Client)(nil)
	_ protocol.Introducer = (*Client)(nil)
)

// Dial runs the program and asks it who it is and what it knows. cmd is not run itself,
// but copies of it are, a new one whenever Start finds the program dead; its streams must
// not be set.
func Dial(ctx context.Context, cmd *exec.Cmd, opts ClientOptions) (*Client, error) {
	set := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	set(&opts.StartTime, clientStartTime)
	set(&opts.CommandTime, clientCommandTime)
	set(&opts.Tolerance, clientTolerance)
	set(&opts.EndTime, clientEndTime)
	c := &Client{cmd: cmd, opts: opts}
	if err := c.spawn(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// About returns what the program said, and its file name if it did not say a name.
func (c *Client) About() protocol.About {
	a := c.about
	if a.Name == "" {
		a.Name = filepath.Base(c.cmd.Path)
	}
	return a
}

// spawn starts a new process and asks what every manager asks first.
func (c *Client) spawn(ctx context.Context) error {
	cmd := &exec.Cmd{Path: c.cmd.Path, Args: c.cmd.Args, Env: c.cmd.Env, Dir: c.cmd.Dir, Err: c.cmd.Err}
	p, err := process.Start(cmd, c.opts.Limits)
	if err != nil {
		return &protocol.Fault{Kind: protocol.Crash, Command: "start", Err: err}
	}
	c.p, c.board, c.owes, c.times, c.began = p, nil, false, "", false
	limit := c.opts.StartTime
	for _, q := range []struct {
		command string
		to      *string
	}{{"name", &c.about.Name}, {"version", &c.about.Version}} {
		s, _, err := c.ask(ctx, q.command, limit)
		var f *protocol.Fault
		if err != nil && !(errors.As(err, &f) && (f.Kind == protocol.Refused || f.Kind == protocol.Unknown)) {
			c.drop(0)
			return err
		}
		*q.to, limit = s, c.opts.CommandTime
	}
	s, err := c.askLines(ctx, "list_commands")
	if err != nil {
		c.drop(0)
		return err
	}
	c.known = map[string]bool{}
	for _, n := range strings.Fields(s) {
		c.known[n] = true
	}
	return nil
}

// Process returns the program's process, nil when none is running; Start and a fault may
// put another in its place. Ask for it as for a move, from one goroutine; what is returned
// may be used from all.
func (c *Client) Process() *process.Process { return c.p }

// drop ends the process.
func (c *Client) drop(grace time.Duration) process.Exit {
	if c.p == nil {
		return process.Exit{}
	}
	e := c.p.Stop(grace)
	c.p, c.board, c.owes, c.began = nil, nil, false, false
	return e
}

// Close says quit, waits a little, and kills. Its error tells that the kill was needed.
func (c *Client) Close() error {
	if c.closed || c.p == nil {
		c.closed = true
		return nil
	}
	c.closed = true
	began := time.Now()
	c.send("quit")
	p := c.p
	if e := c.drop(c.opts.EndTime); e.Killed {
		return &protocol.Fault{Kind: protocol.Timeout, Command: "quit", Elapsed: time.Since(began), Exit: e.Reason, Stderr: p.Stderr()}
	}
	return nil
}

var (
	errClosed  = errors.New("gtp: the player is closed")
	errTooLate = errors.New("too late")
)

// Start begins a game.
func (c *Client) Start(ctx context.Context, v game.Variant, lim game.Limits) error {
	if c.closed {
		return errClosed
	}
	c.variant, c.start = v, lim
	if c.p != nil {
		select {
		case <-c.p.Done():
			c.drop(0)
		default:
			// A program that a fault has left in doubt gets the chance to answer. When
			// it does not, a new process does.
			if c.owes {
				if _, _, err := c.ask(ctx, "protocol_version", min(clientDoubtTime, c.opts.CommandTime)); err != nil {
					c.drop(0)
				}
			}
		}
	}
	if c.p == nil {
		if err := c.spawn(ctx); err != nil {
			return err
		}
	}
	return c.begin(ctx)
}

// begin tells the game and the clock.
func (c *Client) begin(ctx context.Context) error {
	c.board, c.times = nil, ""
	lines := []string{fmt.Sprintf("boardsize %d", c.variant.Size), "clear_board"}
	if c.variant.Rule == game.Weiqi {
		if l, err := c.rules(); err != nil {
			return err
		} else if l != "" {
			lines = append(lines, l)
		}
		lines = append(lines, "komi "+strconv.FormatFloat(c.variant.Komi, 'f', -1, 64))
	}
	if l := clientSettings(c.start, c.known); l != "" {
		c.times = l
		lines = append(lines, l)
	}
	for _, l := range append(lines, c.opts.Commands...) {
		if _, _, err := c.ask(ctx, l, c.opts.CommandTime); err != nil {
			return err
		}
	}
	c.board, c.began = &game.Record{Variant: c.variant}, true
	return nil
}

// rules returns how to ask for the rules of Go, "" if nothing is said of them or the
// program knows no command for it. KataGo's AGA rules are what the French ones come to.
func (c *Client) rules() (string, error) {
	name := c.variant.Ruleset
	kata, kgs := c.known["kata-set-rules"], c.known["kgs-rules"]
	if name == "" || !kata && !kgs {
		return "", nil
	}
	if name == "french" && c.about.Name != "tengen" {
		name = "aga"
	}
	if strings.ContainsAny(name, " =") {
		return "", fmt.Errorf("gtp: no way to ask for the rules %q", name)
	}
	if kata {
		return "kata-set-rules " + name, nil
	}
	return "kgs-rules " + strings.ReplaceAll(name, "-", "_"), nil
}

// clientSettings returns the clock of a game as a command, "" if there is none: whole
// seconds, unless the program knows a finer way.
func clientSettings(lim game.Limits, known map[string]bool) string {
	switch {
	case lim.Left > 0 && known["time_settings"]:
		return fmt.Sprintf("time_settings %d 0 0", wholeSeconds(lim.Left))
	case lim.Hard > 0 && lim.Hard%time.Second != 0 && known["kata-time_settings"]:
		return "kata-time_settings byoyomi 0 " + strconv.FormatFloat(lim.Hard.Seconds(), 'f', -1, 64) + " 1"
	case lim.Hard > 0 && known["time_settings"]:
		return fmt.Sprintf("time_settings 0 %d 1", wholeSeconds(lim.Hard))
	}
	return ""
}

// wholeSeconds rounds down, but not to nothing.
func wholeSeconds(d time.Duration) int64 { return max(1, int64(math.Floor(d.Seconds()))) }

// allowed returns how long a move is waited for, the tolerance included; 0 is for ever.
func (c *Client) allowed(lim game.Limits) time.Duration {
	d := lim.Hard
	if lim.Left != 0 && (d == 0 || lim.Left < d) {
		d = max(0, lim.Left)
	}
	if d == 0 && !lim.Instant && lim.Left == 0 {
		return 0
	}
	return d + c.opts.Tolerance
}

// Move asks for one move. A program may pass in Go and resign in any game.
func (c *Client) Move(ctx context.Context, rec *game.Record, lim game.Limits) (game.Choice, error) {
	none := game.Choice{Point: game.NoPoint}
	if err := c.ready(rec.Variant); err != nil {
		return none, err
	}
	if err := c.sync(ctx, rec); err != nil {
		return none, err
	}
	color, size := rec.ToMove(), rec.Variant.Size
	letter := strings.ToLower(color.String()[:1])
	if lim.Left == 0 { // a limit of each move may change
		if l := clientSettings(lim, c.known); l != "" && l != c.times {
			if _, _, err := c.ask(ctx, l, c.opts.CommandTime); err != nil {
				return none, err
			}
			c.times = l
		}
	} else if c.known["time_left"] {
		if _, _, err := c.ask(ctx, fmt.Sprintf("time_left %s %d 0", letter, int64(max(0, lim.Left.Seconds()))), c.opts.CommandTime); err != nil {
			return none, err
		}
	}
	c.board = nil
	s, took, err := c.ask(ctx, "genmove "+letter, c.allowed(lim))
	if err != nil {
		return none, err
	}
	choice := game.Choice{Point: game.NoPoint, Info: game.Info{Last: true}, Took: took}
	fault := &protocol.Fault{Kind: protocol.Garbage, Command: "genmove", Line: s, Elapsed: took}
	if strings.EqualFold(s, "resign") {
		choice.Resign = true
		c.board = rec.Clone()
		return choice, nil
	}
	q, err := ParseVertex(s, size)
	if err != nil {
		if len(s) == 2 || len(s) == 3 {
			fault.Kind = protocol.Illegal
		}
		fault.Err = err
		return none, fault
	}
	choice.Point = q
	c.board = rec.Clone()
	c.board.Moves = append(c.board.Moves, game.Move{Color: color, Point: q})
	return choice, nil
}

// Ask sends one command of the manager's own and returns the response's first line.
func (c *Client) Ask(ctx context.Context, command string) (string, error) {
	if c.closed {
		return "", errClosed
	}
	if c.p == nil {
		return "", &protocol.Fault{Kind: protocol.Crash, Command: "start", Exit: "not running"}
	}
	s, _, err := c.ask(ctx, command, c.opts.CommandTime)
	return s, err
}

// ready makes sure of a running program and a game.
func (c *Client) ready(v game.Variant) error {
	switch {
	case c.closed:
		return errClosed
	case c.p == nil:
		return &protocol.Fault{Kind: protocol.Crash, Command: "start", Exit: "not running"}
	case !c.began:
		return errors.New("gtp: no game has been started")
	case c.variant != v:
		return fmt.Errorf("gtp: the game is %v, not %v", c.variant, v)
	}
	return nil
}

// sync brings the program's board to the end of rec: by the moves that it lacks, after
// taking back those that are others, or all anew.
func (c *Client) sync(ctx context.Context, rec *game.Record) error {
	if len(rec.Setup.Walls) > 0 {
		return errors.New("gtp: there are no dead points")
	}
	have := c.board
	c.board = nil
	var lines []string
	same, back := 0, 0
	if have != nil && slices.Equal(have.Setup.Black, rec.Setup.Black) && slices.Equal(have.Setup.White, rec.Setup.White) {
		for same < len(have.Moves) && same < len(rec.Moves) && have.Moves[same] == rec.Moves[same] {
			same++
		}
		back = len(have.Moves) - same
	} else {
		have = nil
	}
	if have == nil || back > 0 && (back > clientUndos || !c.known["undo"]) {
		lines = append([]string{"clear_board"}, c.setup(rec)...)
		same, back = 0, 0
	}
	for range back {
		lines = append(lines, "undo")
	}
	size := rec.Variant.Size
	for _, m := range rec.Moves[same:] {
		lines = append(lines, "play "+strings.ToLower(m.Color.String()[:1])+" "+Vertex(m.Point, size))
	}
	for _, l := range lines {
		if _, _, err := c.ask(ctx, l, c.opts.CommandTime); err != nil {
			return err
		}
	}
	return nil
}

// setup returns the commands that place stones on an empty board.
func (c *Client) setup(rec *game.Record) (lines []string) {
	s, size := &rec.Setup, rec.Variant.Size
	switch {
	case len(s.Black)+len(s.White) == 0:
		return nil
	case rec.Variant.Rule == game.Weiqi && len(s.White) == 0 && len(s.Black) > 1 && s.ToMove == game.White && c.known["set_free_handicap"]:
		return []string{"set_free_handicap " + vertices(s.Black, size)}
	}
	var pairs []string
	for color, qs := range [][]game.Point{s.Black, s.White} {
		for _, q := range qs {
			pairs = append(pairs, "bw"[color:color+1]+" "+Vertex(q, size))
		}
	}
	if c.known["set_position"] {
		return []string{"set_position " + strings.Join(pairs, " ")}
	}
	for _, p := range pairs {
		lines = append(lines, "play "+p)
	}
	return lines
}

// ask sends a command and returns the text of its response, of which only the first line
// is waited for. limit 0 is for ever.
func (c *Client) ask(ctx context.Context, command string, limit time.Duration) (text string, took time.Duration, err error) {
	c.id++
	id, began := strconv.Itoa(c.id), time.Now()
	name, _, _ := strings.Cut(command, " ")
	if err := c.send(id + " " + command); err != nil {
		return "", 0, c.end(err, name, began)
	}
	sign := byte(0)
	c.owes = true
	err = c.read(ctx, began, limit, func(l process.Line) bool {
		var ok bool
		sign, text, ok = answerTo(l.Text, id)
		took = max(1, l.At.Sub(c.p.Written(began)))
		return ok
	})
	switch {
	case err == nil:
		c.owes = false
	case ctx.Err() != nil:
		c.board = nil
		return "", time.Since(began), ctx.Err()
	case err == errTooLate:
		c.board = nil
		return "", time.Since(began), &protocol.Fault{Kind: protocol.Timeout, Command: name, Elapsed: time.Since(began), Stderr: c.p.Stderr()}
	default:
		return "", time.Since(began), c.end(err, name, began)
	}
	if sign == '?' {
		f := &protocol.Fault{Kind: protocol.Refused, Command: command, Line: text, Elapsed: took}
		if strings.EqualFold(text, "unknown command") {
			f.Kind = protocol.Unknown
		}
		return "", took, f
	}
	return text, took, nil
}

// askLines returns all lines of a response. They end where that of another command begins.
func (c *Client) askLines(ctx context.Context, command string) (string, error) {
	first, _, err := c.ask(ctx, command, c.opts.CommandTime)
	if err != nil {
		return "", err
	}
	c.id++
	id, began := strconv.Itoa(c.id), time.Now()
	if err := c.send(id + " protocol_version"); err != nil {
		return "", c.end(err, "protocol_version", began)
	}
	lines := []string{first}
	c.owes = true
	err = c.read(ctx, began, c.opts.CommandTime, func(l process.Line) bool {
		if _, _, ok := answerTo(l.Text, id); ok {
			return true
		}
		lines = append(lines, l.Text)
		return false
	})
	switch {
	case err == nil:
		c.owes = false
		return strings.Join(lines, "\n"), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == errTooLate:
		return "", &protocol.Fault{Kind: protocol.Timeout, Command: command, Elapsed: time.Since(began), Stderr: c.p.Stderr()}
	}
	return "", c.end(err, command, began)
}

// answerTo reads the first line of a response to the command of an id.
func answerTo(line, id string) (sign byte, text string, ok bool) {
	if line == "" || line[0] != '=' && line[0] != '?' {
		return 0, "", false
	}
	rest, ok := strings.CutPrefix(line[1:], id)
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, "", false
	}
	return line[0], strings.TrimSpace(rest), true
}

// read passes lines to take until it is content, up to limit after began; 0 does not limit.
// A line whose end was read in time counts even if we are late to see it. The error is
// io.EOF, errTooLate or ctx's.
func (c *Client) read(ctx context.Context, began time.Time, limit time.Duration, take func(process.Line) bool) error {
	until, cancel := ctx, context.CancelFunc(func() {})
	if limit > 0 {
		until, cancel = context.WithDeadline(ctx, began.Add(limit))
	}
	defer cancel()
	for {
		l, err := c.p.ReadLine(until)
		switch {
		case err == io.EOF || err != nil && ctx.Err() != nil:
			return err
		case err != nil:
			return errTooLate
		}
		if c.opts.Log != nil {
			c.opts.Log(false, l.Text)
		}
		if limit > 0 && l.At.Sub(began) > limit {
			return errTooLate
		}
		if take(l) {
			return nil
		}
	}
}

// end gives the process up and says why. One whose output has ended may end by itself,
// and say on stderr what hurt it.
func (c *Client) end(err error, command string, began time.Time) error {
	elapsed, p := time.Since(began), c.p
	f := &protocol.Fault{Command: command, Elapsed: elapsed}
	switch err {
	case io.EOF:
		f.Kind, f.Exit = protocol.Crash, "output closed"
		if e := c.drop(c.opts.EndTime); !e.Killed {
			f.Exit = e.Reason
		}
	case process.ErrDeaf:
		f.Kind = protocol.Deaf
		c.drop(0)
	default:
		c.drop(0)
		return err
	}
	f.Stderr = p.Stderr()
	return f
}

// send writes one line.
func (c *Client) send(line string) error {
	if c.opts.Log != nil {
		c.opts.Log(true, line)
	}
	return c.p.Write([]byte(line + "\n"))
}
