package piskvork

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
	"tengen/protocol"
	"tengen/protocol/process"
)

// ClientOptions are what a manager tells or grants a program beyond game and limits.
// Zero fields have the defaults named here.
type ClientOptions struct {
	StartTime time.Duration  // for the OK after START, the process's start included; 10 s
	Tolerance time.Duration  // beyond the limit, before a move is given up; 1 s
	EndTime   time.Duration  // between END and the kill; 700 ms
	Memory    int64          // INFO max_memory, bytes; not sent
	Threads   int            // INFO thread_num; not sent
	GameType  int            // INFO game_type; 0, an opponent who is human
	Info      [][2]string    // further INFO keys and values, in this order
	Board     bool           // send BOARD for every move, never TURN
	Limits    process.Limits // of the process; the program is not told

	Log  func(toProgram bool, line string) // every line, as it passes
	Tell func(game.Info)                   // what the program's messages tell, when readable
}

const (
	clientStartTime  = 10 * time.Second
	clientAboutTime  = 2 * time.Second // an answer to ABOUT is welcome, not required
	clientDoubtTime  = 2 * time.Second // for the OK of a program that failed to answer before
	clientTolerance  = time.Second
	clientEndTime    = 700 * time.Millisecond
	clientUnlimited  = 1<<31 - 1 // ms, "no limit" where 0 would mean none or at once
	clientErrorGrace = 5         // tolerances between an error line and the fault, without a clock
)

// client is the manager's end. It believes nothing that the program says without
// looking, and after a fault nothing about what the program has on its board.
type client struct {
	cmd  *exec.Cmd // only a pattern: each start is a copy
	opts ClientOptions
	p    *process.Process // nil when none is running

	about   protocol.About
	asked   bool // ABOUT has no answer yet
	variant game.Variant
	start   game.Limits       // of the last Start
	sent    map[string]string // INFO lines since START
	board   *game.Record      // what the program has on its board; nil: unknown
	owes    bool              // an answer may still come: what it says next is not trusted
	closed  bool
}

var (
	_ protocol.Player     = (*client)(nil)
	_ protocol.Swapper    = (*client)(nil)
	_ protocol.Introducer = (*client)(nil)
)

// Dial runs the program and asks it who it is. The Player is also a protocol.Swapper and
// a protocol.Introducer. cmd is not run itself, but copies of it are, a new one whenever
// Start finds the program dead; its streams must not be set.
func Dial(ctx context.Context, cmd *exec.Cmd, opts ClientOptions) (protocol.Player, error) {
	set := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	set(&opts.StartTime, clientStartTime)
	set(&opts.Tolerance, clientTolerance)
	set(&opts.EndTime, clientEndTime)
	c := &client{cmd: cmd, opts: opts}
	if err := c.spawn(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// About returns what the program said, and its file name if it did not say a name.
func (c *client) About() protocol.About {
	a := c.about
	if a.Name == "" {
		a.Name = strings.TrimPrefix(filepath.Base(c.cmd.Path), "pbrain-")
	}
	return a
}

// spawn starts a new process and asks ABOUT.
func (c *client) spawn(ctx context.Context) error {
	cmd := &exec.Cmd{Path: c.cmd.Path, Args: c.cmd.Args, Env: c.cmd.Env, Dir: c.cmd.Dir, Err: c.cmd.Err}
	p, err := process.Start(cmd, c.opts.Limits)
	if err != nil {
		return &protocol.Fault{Kind: protocol.Crash, Command: "start", Err: err}
	}
	c.p, c.board, c.owes, c.sent = p, nil, false, nil
	c.asked = true
	began, limit := time.Now(), min(clientAboutTime, c.opts.StartTime)
	c.send("ABOUT")
	err = c.read(ctx, began, &limit, func(l process.Line) bool {
		return c.takeAbout(l.Text) || clientRefusal(l.Text) != 0
	})
	switch err {
	case nil:
		c.asked = false
	case errClientTooLate: // it may be slow, or mute
	default:
		return c.end(err, "ABOUT", "", began)
	}
	return nil
}

// takeAbout reads the answer to ABOUT, if s is one.
func (c *client) takeAbout(s string) bool {
	a, ok := clientParseAbout(s)
	if ok {
		c.about, c.asked = a, false
	}
	return ok
}

// Process returns the program's process, nil when none is running; Start and a fault may
// put another in its place. Ask for it as for a move, from one goroutine; what is returned
// may be used from all.
func (c *client) Process() *process.Process { return c.p }

// drop ends the process.
func (c *client) drop(grace time.Duration) process.Exit {
	if c.p == nil {
		return process.Exit{}
	}
	e := c.p.Stop(grace)
	c.p, c.board = nil, nil
	return e
}

// Close says END, waits a little, and kills. Its error tells that the kill was needed.
func (c *client) Close() error {
	if c.closed || c.p == nil {
		c.closed = true
		return nil
	}
	c.closed = true
	began := time.Now()
	c.send("END")
	p := c.p
	if e := c.drop(c.opts.EndTime); e.Killed {
		return &protocol.Fault{Kind: protocol.Timeout, Command: "END", Elapsed: time.Since(began), Exit: e.Reason, Stderr: p.Stderr()}
	}
	return nil
}

// Start begins a game.
func (c *client) Start(ctx context.Context, v game.Variant, lim game.Limits) error {
	if _, err := clientRule(v.Rule); err != nil {
		return err
	}
	if c.closed {
		return errors.New("piskvork: the player is closed")
	}
	c.variant, c.start = v, lim
	if c.p != nil {
		select {
		case <-c.p.Done():
			c.drop(0)
		default:
			// A program that a fault has left in doubt gets the chance to answer. When
			// it does not, a new process does.
			fresh := c.sent == nil && !c.owes
			if err := c.begin(ctx); err == nil || fresh || c.p != nil {
				return err
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

// begin says START, waits for OK, and tells the rule and the limits. Whatever stands
// before the OK is skipped: banners, an answer to ABOUT, a move that came too late.
func (c *client) begin(ctx context.Context) error {
	began, limit := time.Now(), c.opts.StartTime
	if c.owes {
		limit = min(limit, clientDoubtTime)
	}
	c.board, c.sent = nil, nil
	c.p.Drain(c.log)
	c.owes = true
	if err := c.send(fmt.Sprintf("START %d", c.variant.Size)); err != nil {
		return c.end(err, "START", "", began)
	}
	var refused string
	err := c.read(ctx, began, &limit, func(l process.Line) bool {
		s := strings.TrimSpace(l.Text)
		switch {
		case strings.EqualFold(s, "OK") || strings.HasPrefix(strings.ToUpper(s), "OK "):
			return true
		case c.asked && (c.takeAbout(s) || clientRefusal(s) != 0):
			c.asked = false // the late answer to ABOUT
		case clientRefusal(s) != 0:
			refused = s
			return true
		}
		return false
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return err
	case err != nil:
		return c.end(err, "START", "", began)
	case refused != "":
		return &protocol.Fault{Kind: clientRefusal(refused), Command: "START", Line: refused, Elapsed: time.Since(began)}
	}
	c.owes = false
	c.board = &game.Record{Variant: c.variant}
	c.sent = map[string]string{}
	if err := c.tellLimits(c.start); err != nil {
		return c.end(err, "INFO", "", began)
	}
	return nil
}

// end gives the process up and says why. One whose output has ended may end by itself,
// and say on stderr what hurt it.
func (c *client) end(err error, command, line string, began time.Time) error {
	elapsed, p := time.Since(began), c.p
	f := &protocol.Fault{Command: command, Line: line, Elapsed: elapsed}
	switch err {
	case io.EOF:
		f.Kind = protocol.Crash
		f.Exit = "output closed"
		if e := c.drop(c.opts.EndTime); !e.Killed {
			f.Exit = e.Reason
		}
	case errClientTooLate:
		f.Kind = protocol.Timeout
		c.drop(0)
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

// tellLimits sends the INFO lines that differ from what was sent since START.
func (c *client) tellLimits(lim game.Limits) error {
	var out []string
	info := func(key, value string) {
		if c.sent[key] != value {
			c.sent[key] = value
			out = append(out, "INFO "+key+" "+value)
		}
	}
	// -1 takes a limit back; nothing is said of one that never was.
	bound := func(key string, n int64) {
		if n > 0 {
			info(key, strconv.FormatInt(n, 10))
		} else if c.sent[key] != "" {
			info(key, "-1")
		}
	}
	rule, _ := clientRule(c.variant.Rule) // Start has looked
	info("rule", strconv.Itoa(rule))
	if clientOwnGame(c.variant.Rule) {
		info("game", c.variant.Rule.String())
	}
	if captures(c.variant.Rule) {
		info("tournament_rule", map[bool]string{true: "0", false: "1"}[c.variant.FreeOpening])
	}
	info("timeout_turn", strconv.FormatInt(clientTurn(lim, c.start.Left), 10))
	if c.sent["timeout_match"] == "" { // the limit of the game, not of what is left
		info("timeout_match", strconv.FormatInt(max(0, c.start.Left.Milliseconds()), 10))
	}
	bound("max_depth", int64(lim.Depth))
	bound("max_node", lim.Nodes)
	if c.opts.Memory > 0 {
		info("max_memory", strconv.FormatInt(c.opts.Memory, 10))
	}
	bound("thread_num", int64(c.opts.Threads))
	info("game_type", strconv.Itoa(c.opts.GameType))
	for _, kv := range c.opts.Info {
		info(kv[0], kv[1])
	}
	if len(out) == 0 {
		return nil
	}
	return c.send(out...)
}

// clientTurn is timeout_turn: a move without a limit of its own may take the whole game's.
func clientTurn(lim game.Limits, match time.Duration) int64 {
	switch {
	case lim.Instant:
		return 0
	case lim.Hard > 0:
		return max(1, lim.Hard.Milliseconds())
	case match > 0:
		return max(1, match.Milliseconds())
	}
	return clientUnlimited
}

// clientTimeLeft is time_left. It may be negative.
func clientTimeLeft(lim game.Limits) string {
	if lim.Left == 0 {
		return strconv.Itoa(clientUnlimited)
	}
	return strconv.FormatInt(max(-clientUnlimited, min(lim.Left.Milliseconds(), clientUnlimited)), 10)
}

// allowed returns how long an answer is waited for, the tolerance included; 0 is for ever.
func (c *client) allowed(lim game.Limits) time.Duration {
	d := lim.Hard
	if lim.Left != 0 && (d == 0 || lim.Left < d) {
		d = max(0, lim.Left)
	}
	if d == 0 && !lim.Instant && lim.Left == 0 {
		return 0
	}
	return d + c.opts.Tolerance
}

// clientRule returns the code of INFO rule.
func clientRule(r game.Rule) (int, error) {
	switch r {
	case game.Freestyle, game.Omok, game.Pente, game.Keryo: // the last three: see clientOwnGame
		return 0, nil
	case game.Standard:
		return 1, nil
	case game.Renju:
		return 4, nil
	case game.CaroSix:
		return 8, nil
	case game.Caro:
		return 9, nil
	}
	return 0, fmt.Errorf("piskvork: no way to ask for %v", r)
}

// clientOwnGame reports whether the protocol has no code for r, so that it is asked for
// by our own INFO game.
func clientOwnGame(r game.Rule) bool {
	return r == game.Omok || r == game.Pente || r == game.Keryo
}

// Move asks for one move.
func (c *client) Move(ctx context.Context, rec *game.Record, lim game.Limits) (game.Choice, error) {
	if err := clientCheck(rec); err != nil {
		return game.Choice{}, err
	}
	if err := c.ready(ctx, rec.Variant); err != nil {
		return game.Choice{}, err
	}
	name, lines := c.position(rec)
	var best game.Choice
	size := rec.Variant.Size
	took, err := c.think(ctx, name, lines, lim, func(s string) error {
		ps, err := clientPoints(s, size)
		switch {
		case err != nil:
			return err
		case len(ps) != 1:
			return errClientNoAnswer
		}
		best.Point = ps[0]
		return nil
	}, func(in game.Info) {
		if in.MultiPV <= 1 {
			best.Info = in
		}
	})
	if err != nil {
		return game.Choice{}, err
	}
	best.Info.Last, best.Took = true, took
	c.board = rec.Clone()
	c.board.Moves = append(c.board.Moves, game.Move{Color: rec.ToMove(), Point: best.Point})
	return best, nil
}

// Swap2 asks for a phase of the opening.
func (c *client) Swap2(ctx context.Context, stones []game.Point, lim game.Limits) (openings.Swap2Reply, time.Duration, error) {
	var reply openings.Swap2Reply
	if n := len(stones); n != 0 && n != 3 && n != 5 {
		return reply, 0, fmt.Errorf("piskvork: swap2 with %d stones", n)
	}
	if err := c.ready(ctx, c.variant); err != nil {
		return reply, 0, err
	}
	size := c.variant.Size
	lines := []string{"SWAP2BOARD"}
	for _, p := range stones {
		if !p.On(size) {
			return reply, 0, fmt.Errorf("piskvork: %s is not on the board", p.Name(size))
		}
		lines = append(lines, clientPoint(p))
	}
	lines = append(lines, "DONE")
	took, err := c.think(ctx, "SWAP2BOARD", lines, lim, func(s string) error {
		if len(stones) > 0 && strings.HasPrefix(strings.ToUpper(s), "SWAP") {
			reply.Swap = true
			return nil
		}
		ps, err := clientPoints(s, size)
		if err != nil {
			return err
		}
		n := len(ps)
		if ok := n == 3 && len(stones) == 0 || (n == 1 || n == 2) && len(stones) == 3 || n == 1 && len(stones) == 5; !ok {
			return errClientNoAnswer
		}
		for i, p := range ps {
			if slices.Contains(stones, p) || slices.Contains(ps[:i], p) {
				return errClientBadPoint
			}
		}
		reply.Points = ps
		return nil
	}, func(game.Info) {})
	if err != nil {
		return openings.Swap2Reply{}, took, err
	}
	c.board = nil // who has which colour is told by the next BOARD
	return reply, took, nil
}

// ready makes sure of a running program that owes nothing. After a fault, START brings
// both sides into step again: what comes before its OK is a late answer.
func (c *client) ready(ctx context.Context, v game.Variant) error {
	switch {
	case c.closed:
		return errors.New("piskvork: the player is closed")
	case c.p == nil:
		return &protocol.Fault{Kind: protocol.Crash, Command: "start", Exit: "not running"}
	case c.sent == nil && !c.owes:
		return errors.New("piskvork: no game has been started")
	case c.variant != v:
		return fmt.Errorf("piskvork: the game is %v, not %v", c.variant, v)
	}
	if c.owes {
		return c.begin(ctx)
	}
	c.p.Drain(c.log)
	return nil
}

// position chooses BEGIN, TURN or BOARD.
func (c *client) position(rec *game.Record) (name string, lines []string) {
	if !c.opts.Board && c.board != nil {
		n := len(rec.Moves)
		if n == 0 && clientSame(c.board, rec, 0) && clientEmpty(rec.Setup) {
			return "BEGIN", []string{"BEGIN"}
		}
		// The mover of the last stone is the program's opponent only if sides alternate.
		if n > 0 && len(c.board.Moves) == n-1 && clientSame(c.board, rec, n-1) &&
			(n == 1 || rec.Moves[n-2].Color != rec.Moves[n-1].Color) &&
			(n > 1 || clientEmpty(rec.Setup)) && rec.Moves[n-1].Point != game.Pass {
			return "TURN", []string{"TURN " + clientPoint(rec.Moves[n-1].Point)}
		}
	}
	return "BOARD", clientBoard(rec)
}

// clientSame reports whether a and b begin alike, up to n moves.
func clientSame(a, b *game.Record, n int) bool {
	return len(a.Moves) == n && a.Variant == b.Variant && slices.Equal(a.Moves, b.Moves[:n]) &&
		slices.Equal(a.Setup.Black, b.Setup.Black) && slices.Equal(a.Setup.White, b.Setup.White) &&
		slices.Equal(a.Setup.Walls, b.Setup.Walls) && a.Setup.Captured == b.Setup.Captured
}

func clientEmpty(s game.Setup) bool {
	return len(s.Black)+len(s.White)+len(s.Walls) == 0 && s.Captured == [2]int{}
}

// clientBoard writes a position: 1 is the program's own stone, 2 the opponent's, 3 a
// point that is nobody's. Stones stand in the order of play, as renju needs it; of a
// setup, the sides take turns, Black first. A pass has no line: the count tells. Where
// stones are captured, a game that was not simply played in turn is sent as what is left
// of it on the board.
func clientBoard(rec *game.Record) []string {
	me := rec.ToMove()
	lines := []string{"BOARD"}
	if captures(rec.Variant.Rule) && !clientInTurn(rec) {
		rec, lines = clientLeft(rec, me)
	}
	put := func(p game.Point, c game.Color) {
		field := ",2"
		switch c {
		case me:
			field = ",1"
		case game.Wall:
			field = ",3"
		}
		lines = append(lines, clientPoint(p)+field)
	}
	s := rec.Setup
	for _, p := range s.Walls {
		put(p, game.Wall)
	}
	for i := range max(len(s.Black), len(s.White)) {
		if i < len(s.Black) {
			put(s.Black[i], game.Black)
		}
		if i < len(s.White) {
			put(s.White[i], game.White)
		}
	}
	for _, m := range rec.Moves {
		if m.Point != game.Pass {
			put(m.Point, m.Color)
		}
	}
	return append(lines, "DONE")
}

// clientInTurn reports whether a game was played from the empty board, the sides in turn.
func clientInTurn(rec *game.Record) bool {
	for i, m := range rec.Moves {
		if m.Color != game.Color(i%2) || m.Point == game.Pass {
			return false
		}
	}
	return clientEmpty(rec.Setup)
}

// clientLeft returns the position at the end of rec as a set-up, and how to begin to tell
// it. A record that is none is left as it is: the program may say what it thinks of it.
func clientLeft(rec *game.Record, me game.Color) (*game.Record, []string) {
	g, err := engine.Replay(rec)
	if err != nil {
		return rec, []string{"BOARD"}
	}
	left := &game.Record{Variant: rec.Variant}
	for y := range rec.Variant.Size {
		for x := range rec.Variant.Size {
			switch q := game.At(x, y); g.At(q) {
			case game.Black:
				left.Setup.Black = append(left.Setup.Black, q)
			case game.White:
				left.Setup.White = append(left.Setup.White, q)
			case game.Wall:
				left.Setup.Walls = append(left.Setup.Walls, q)
			}
		}
	}
	return left, []string{fmt.Sprintf("INFO captured %d,%d", g.Captured(me), g.Captured(me.Other())), "BOARD"}
}

// clientCheck refuses a record that cannot be written down in the protocol.
func clientCheck(rec *game.Record) error {
	for _, ps := range [][]game.Point{rec.Setup.Black, rec.Setup.White, rec.Setup.Walls} {
		for _, p := range ps {
			if !p.On(rec.Variant.Size) {
				return fmt.Errorf("piskvork: %s is not on the board", p.Name(rec.Variant.Size))
			}
		}
	}
	for _, m := range rec.Moves {
		if m.Point != game.Pass && !m.Point.On(rec.Variant.Size) || m.Color > game.White {
			return fmt.Errorf("piskvork: %v %s is not a move", m.Color, m.Point.Name(rec.Variant.Size))
		}
	}
	return nil
}

// Why a line is not the answer that was waited for.
var (
	errClientTooLate  = errors.New("too late")
	errClientNoAnswer = errors.New("not an answer")
	errClientBadPoint = errors.New("not a point that can be played")
)

// think sends lines and reads until answer takes one. ERROR, UNKNOWN and what is no
// answer at all are passed over while time remains, as Gomocup's judge does it: programs
// complain of an INFO line they do not know just before they move. Without a limit of
// time they are given a little more to do so. Then the first complaint is the fault.
func (c *client) think(ctx context.Context, name string, lines []string, lim game.Limits,
	answer func(string) error, tell func(game.Info)) (time.Duration, error) {
	if err := c.tellLimits(lim); err != nil {
		return 0, c.end(err, "INFO", "", time.Now())
	}
	allowed := c.allowed(lim)
	began := time.Now()
	if err := c.send(append([]string{"INFO time_left " + clientTimeLeft(lim)}, lines...)...); err != nil {
		return 0, c.end(err, name, "", began)
	}
	c.owes, c.board = true, nil
	var (
		asked     time.Time
		complaint string
		kind      protocol.FaultKind
		info      game.Info
		took      time.Duration
	)
	complain := func(k protocol.FaultKind, s string) {
		if kind == 0 {
			kind, complaint = k, s
		}
	}
	err := c.read(ctx, began, &allowed, func(l process.Line) bool {
		if asked.IsZero() { // the first line: a PLAY of ours has not been written since
			asked = c.p.Written(began)
		}
		took = max(1, l.At.Sub(asked))
		s := strings.TrimSpace(l.Text)
		if text, ok := clientMessage(s); ok {
			if in, ok := clientInfo(info, text, c.variant.Size); ok {
				if in.MultiPV <= 1 {
					info = in
				}
				tell(in)
				if c.opts.Tell != nil {
					c.opts.Tell(in)
				}
			}
			return false
		}
		if c.asked && c.takeAbout(s) {
			return false
		}
		word, p, _ := strings.Cut(s, " ")
		if strings.EqualFold(word, "INFO") { // what it was asked for by INFO show_detail
			return false
		}
		if strings.EqualFold(word, "SUGGEST") {
			if ps, err := clientPoints(p, c.variant.Size); err == nil && len(ps) == 1 {
				c.send("PLAY " + clientPoint(ps[0])) // we always take what is suggested
				return false
			}
		}
		if k := clientRefusal(s); k != 0 {
			complain(k, s)
		} else {
			switch err := answer(s); err {
			case nil:
				return true
			case errClientBadPoint:
				kind, complaint = protocol.Illegal, s
				return true // it has moved, to nowhere
			default:
				complain(protocol.Garbage, s)
			}
		}
		if allowed == 0 {
			allowed = time.Since(began) + clientErrorGrace*c.opts.Tolerance
		}
		return false
	})
	elapsed := time.Since(began)
	switch {
	case err == nil && kind != protocol.Illegal:
		c.owes = false
		return took, nil
	case err == nil: // its answer is used up
		c.owes = false
		return took, &protocol.Fault{Kind: kind, Command: name, Line: complaint, Elapsed: took, Err: errClientBadPoint}
	case err == io.EOF:
		return elapsed, c.end(err, name, complaint, began)
	case ctx.Err() != nil:
		return elapsed, ctx.Err()
	case kind == 0:
		kind = protocol.Timeout
	}
	return elapsed, &protocol.Fault{Kind: kind, Command: name, Line: complaint, Elapsed: elapsed, Stderr: c.p.Stderr()}
}

// read passes lines to take until it is content, up to *limit after began; 0 does not
// limit, and take may change it. A line whose end was read in time counts even if we are
// late to see it. The error is io.EOF, errClientTooLate or ctx's.
func (c *client) read(ctx context.Context, began time.Time, limit *time.Duration, take func(process.Line) bool) error {
	for {
		until, cancel := ctx, context.CancelFunc(func() {})
		if *limit > 0 {
			until, cancel = context.WithDeadline(ctx, began.Add(*limit))
		}
		l, err := c.p.ReadLine(until)
		cancel()
		switch {
		case err == io.EOF || err != nil && ctx.Err() != nil:
			return err
		case err != nil:
			return errClientTooLate
		}
		c.log(l)
		if *limit > 0 && l.At.Sub(began) > *limit {
			return errClientTooLate
		}
		if take(l) {
			return nil
		}
	}
}

// send writes the lines in one piece.
func (c *client) send(lines ...string) error {
	if c.opts.Log != nil {
		for _, l := range lines {
			c.opts.Log(true, l)
		}
	}
	return c.p.Write([]byte(strings.Join(lines, "\r\n") + "\r\n"))
}

func (c *client) log(l process.Line) {
	if c.opts.Log != nil {
		c.opts.Log(false, l.Text)
	}
}
