package piskvork

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
	"tengen/openings/book"
	"tengen/protocol"
)

// patience is how long a test waits for what must come. Nothing is said about how fast
// it comes.
const patience = 20 * time.Second

// player is an engine for tests. Of the legal points it plays the one nearest to the
// centre, unless it has others in its script.
type player struct {
	mu      sync.Mutex
	script  []game.Point
	waits   bool // it thinks until it is stopped
	deaf    bool // and does not hear that either, until release is closed
	wild    func() (game.Choice, error)
	infos   []game.Info // told before the move
	seen    []*game.Record
	limits  []game.Limits
	told    []engine.Options
	forgot  int
	release chan struct{}
	thinks  chan struct{} // a token for each search that began
}

func (p *player) Think(ctx context.Context, rec *game.Record, lim game.Limits, tell func(game.Info)) (game.Choice, error) {
	p.mu.Lock()
	p.seen, p.limits = append(p.seen, rec.Clone()), append(p.limits, lim)
	p.mu.Unlock()
	g, err := engine.Replay(rec)
	if err != nil {
		return game.Choice{}, err
	}
	c := game.Choice{Point: p.pick(g, lim.Avoid)}
	c.Info = game.Info{Depth: 3, SelDepth: 5, Value: 12, Nodes: 345, Time: 6 * time.Millisecond, PV: []game.Point{c.Point}}
	infos := p.infos
	if infos == nil {
		infos = []game.Info{c.Info}
	}
	for _, i := range infos {
		if i.PV == nil {
			i.PV = c.Info.PV
		}
		tell(i)
	}
	select {
	case p.thinks <- struct{}{}:
	default:
	}
	switch {
	case p.deaf:
		<-p.release
	case p.waits:
		<-ctx.Done()
	}
	if p.wild != nil {
		return p.wild()
	}
	if c.Point == game.NoPoint {
		return c, errors.New("no point")
	}
	return c, nil
}

func (p *player) pick(g game.Game, avoid []game.Point) game.Point {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.script) > 0 {
		q := p.script[0]
		p.script = p.script[1:]
		return q
	}
	size := g.Record().Variant.Size
	best, near := game.NoPoint, 0
	for y := range size {
		for x := range size {
			q, dx, dy := game.At(x, y), 2*x-size+1, 2*y-size+1
			blocked := false
			for _, a := range avoid {
				blocked = blocked || a == q
			}
			if d := dx*dx + dy*dy; !blocked && g.Legal(q) == nil && (best == game.NoPoint || d < near) {
				best, near = q, d
			}
		}
	}
	return best
}

func (p *player) Configure(o engine.Options) { p.mu.Lock(); p.told = append(p.told, o); p.mu.Unlock() }
func (p *player) Forget()                    { p.mu.Lock(); p.forgot++; p.mu.Unlock() }

// swaps are the answers of openings in tests.
type swaps struct{ answers []string }

func (sw *swaps) next() string {
	if len(sw.answers) == 0 {
		return ""
	}
	a := sw.answers[0]
	sw.answers = sw.answers[1:]
	return a
}

func pointsOf(text string) (qs []game.Point) {
	for _, f := range strings.Fields(text) {
		if q, ok := point(f); ok {
			qs = append(qs, q)
		}
	}
	return qs
}

func (sw *swaps) swap2(context.Context, engine.Engine, game.Variant, []game.Point, game.Limits) (openings.Swap2Reply, error) {
	a := sw.next()
	return openings.Swap2Reply{Swap: a == "SWAP", Points: pointsOf(a)}, nil
}

func (sw *swaps) balance(context.Context, engine.Engine, *game.Record, int, int, game.Limits) ([]game.Point, error) {
	return pointsOf(sw.next()), nil
}

// closed is a library that waits for INFO book.
func closed() *book.Library {
	l := book.NewLibrary(1)
	l.Use("off")
	return l
}

func newSession(p *player, sw *swaps) *protocol.Session {
	m := protocol.Maker{
		Referee: engine.Replay,
		Engine: func(_ game.Variant, o engine.Options) (engine.Engine, error) {
			p.Configure(o)
			return p, nil
		},
		Book: closed(),
	}
	if sw != nil {
		m.Swap2, m.Balance = sw.swap2, sw.balance
	}
	return protocol.NewSession(m)
}

// conversation is a server that runs, and the manager's ends of its pipes.
type conversation struct {
	t       *testing.T
	s       *protocol.Session
	in      *io.PipeWriter
	out     chan string
	done    chan error
	history []string // for the report of a failure
	mu      sync.Mutex
}

func converse(t *testing.T, p *player, sw *swaps) *conversation {
	t.Helper()
	if p.thinks == nil {
		p.thinks = make(chan struct{}, 1000)
	}
	return serve(t, newSession(p, sw))
}

func serve(t *testing.T, s *protocol.Session) *conversation {
	t.Helper()
	c := &conversation{t: t, s: s, out: make(chan string, 10000), done: make(chan error, 1)}
	r, w := io.Pipe()
	c.in = w
	go func() { c.done <- Serve(context.Background(), c.s, r, c); r.Close() }()
	t.Cleanup(func() {
		w.Close()
		r.Close()
	})
	return c
}

// Write takes what the server writes: one line with each call.
func (c *conversation) Write(b []byte) (int, error) {
	s := string(b)
	if strings.Count(s, "\n") != 1 || !strings.HasSuffix(s, "\n") || strings.ContainsAny(s, "\r") {
		c.t.Errorf("one write of %q", s)
	}
	s = strings.TrimSuffix(s, "\n")
	c.mu.Lock()
	c.history = append(c.history, "< "+s)
	c.mu.Unlock()
	c.out <- s
	return len(b), nil
}

func (c *conversation) send(text string) {
	c.mu.Lock()
	c.history = append(c.history, "> "+strconv.Quote(text))
	c.mu.Unlock()
	io.WriteString(c.in, text) // fails after END, which is no fault
}

func (c *conversation) fail(format string, args ...any) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.history
	if len(h) > 40 {
		h = h[len(h)-40:]
	}
	c.t.Fatalf("%s\n%s", fmt.Sprintf(format, args...), strings.Join(h, "\n"))
}

// line returns the next line of the server.
func (c *conversation) line() string {
	c.t.Helper()
	select {
	case l := <-c.out:
		return l
	case <-time.After(patience):
		c.fail("no answer")
		return ""
	}
}

// ends checks that the server has ended, or does soon, with nothing more to say.
func (c *conversation) ends() {
	c.t.Helper()
	select {
	case err := <-c.done:
		if err != nil {
			c.fail("ended by %v", err)
		}
	case <-time.After(patience):
		c.fail("does not end")
	}
	for {
		select {
		case l := <-c.out:
			if !aside(l) {
				c.fail("one line too many: %q", l)
			}
		default:
			return
		}
	}
}

// aside reports whether a manager skips a line when it waits for an answer.
func aside(l string) bool {
	return strings.HasPrefix(l, "MESSAGE ") || strings.HasPrefix(l, "DEBUG ") || strings.HasPrefix(l, "INFO ")
}

var moveShape = regexp.MustCompile(`^(0|[1-9][0-9]?),(0|[1-9][0-9]?)$`)

// board follows what the manager and the server say, to know which moves are legal.
type board struct {
	size  int
	taken map[game.Point]bool
	block string // command whose block is open
}

func (b *board) sent(line string) {
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return
	}
	name := strings.ToUpper(fields[0])
	switch {
	case name == "START" || name == "RECTSTART":
		if ns, ok := numbers(strings.Join(fields[1:], " ")); ok && (len(ns) == 1 || ns[0] == ns[1]) && ns[0] >= 5 && ns[0] <= 22 {
			b.size, b.taken = ns[0], map[game.Point]bool{}
		}
	case name == "RESTART" || name == "YXSWAP2STEP1":
		b.taken = map[game.Point]bool{}
	case name == "TURN" || name == "PLAY":
		if q, ok := point(strings.Join(fields[1:], "")); ok && q.On(b.size) {
			b.taken[q] = true
		}
	case name == "TAKEBACK":
		if q, ok := point(strings.Join(fields[1:], "")); ok {
			delete(b.taken, q)
		}
	case strings.HasPrefix(name, "INFO"):
	default:
		if c := commands[name]; c != nil && c.block {
			b.block = name
			if c.replaces {
				b.taken = map[game.Point]bool{}
			}
			fields = fields[1:]
		}
		for _, f := range fields {
			if strings.EqualFold(f, "DONE") {
				b.block = ""
			} else if parts := strings.Split(f, ","); len(parts) >= 2 && (b.block == "BOARD" || b.block == "YXBOARD" || b.block == "SWAP2BOARD") {
				if q, ok := point(parts[0] + "," + parts[1]); ok && q.On(b.size) {
					b.taken[q] = true
				}
			}
		}
	}
}

// move says what is wrong with a move line, nothing if it is right.
func (b *board) move(line string, points int) string {
	fields := strings.Split(line, " ")
	if len(fields) != points {
		return fmt.Sprintf("%d points wanted", points)
	}
	for _, f := range fields {
		q, ok := point(f)
		if !moveShape.MatchString(f) || !ok || !q.On(b.size) {
			return "not a point of the board"
		}
		if b.taken[q] {
			return "an occupied point"
		}
		b.taken[q] = true
	}
	return ""
}

// mode is how a dialogue is sent.
type mode struct {
	name  string
	eol   []string // taken in turn
	bytes bool     // one at a time
	burst bool     // all up to the next answer in one write
}

var plain = mode{name: "LF", eol: []string{"\n"}}

var modes = []mode{
	plain,
	{name: "CRLF", eol: []string{"\r\n"}},
	{name: "CR", eol: []string{"\r"}},
	{name: "mixed", eol: []string{"\n", "\r\n", "\r", "\n\n", " \r\n\r\n"}},
	{name: "LF bytes", eol: []string{"\n"}, bytes: true},
	{name: "CRLF bytes", eol: []string{"\r\n"}, bytes: true},
	{name: "CR bytes", eol: []string{"\r"}, bytes: true},
	{name: "LF burst", eol: []string{"\n"}, burst: true},
	{name: "CRLF burst", eol: []string{"\r\n"}, burst: true},
	{name: "mixed burst", eol: []string{"\r\n", "\n", "\r"}, burst: true},
}

// dialogue plays a conversation:
//
//	# a remark
//	% engine waits, openings SWAP; 7,7 8,8 9,9, renju
//	> what the manager sends
//	< what it gets: the text, with * for anything, or MOVE, MOVES n
//	~ waits until the engine searches
//	$ the input ends
//	--- another process
//
// Lines that a manager skips are skipped here too, unless they are asked for. After the
// last line the server must have nothing more to say; it is sent END, or was already.
func dialogue(t *testing.T, script string, m mode) {
	t.Helper()
	for _, part := range strings.Split("\n"+script, "\n---") {
		talk(t, part, m)
	}
}

func talk(t *testing.T, script string, m mode) {
	t.Helper()
	p := &player{release: make(chan struct{})}
	defer close(p.release)
	var sw *swaps
	for _, l := range strings.Split(script, "\n") {
		l = strings.TrimSpace(l)
		if e, ok := strings.CutPrefix(l, "% engine "); ok {
			p.waits, p.deaf = e == "waits", e == "deaf"
		}
		if o, ok := strings.CutPrefix(l, "% openings "); ok {
			sw = &swaps{strings.Split(o, "; ")}
		}
	}
	c := converse(t, p, sw)
	b := &board{taken: map[game.Point]bool{}}
	var pending strings.Builder
	flush := func() {
		if pending.Len() > 0 {
			c.send(pending.String())
			pending.Reset()
		}
	}
	n, ended := 0, false
	for _, l := range strings.Split(script, "\n") {
		l = strings.TrimSpace(l)
		if l == "" || l[0] == '#' || l[0] == '%' {
			continue
		}
		text := strings.TrimPrefix(l[1:], " ")
		switch l[0] {
		case '>':
			b.sent(text)
			ended = ended || strings.EqualFold(strings.Fields(text + " x")[0], "END")
			text += m.eol[n%len(m.eol)]
			n++
			switch {
			case m.burst:
				pending.WriteString(text)
			case m.bytes:
				c.send(text[:1])
				for _, x := range []byte(text[1:]) {
					c.in.Write([]byte{x})
				}
			default:
				c.send(text)
			}
		case '~':
			flush()
			select {
			case <-p.thinks:
			case <-time.After(patience):
				c.fail("no search")
			}
		case '$':
			flush()
			c.in.Close()
			ended = true
		case '<':
			flush()
			for {
				got := c.line()
				if wrong := matches(b, text, got); wrong == "" {
					break
				} else if !aside(got) {
					c.fail("want %q, got %q: %s", text, got, wrong)
				}
			}
		default:
			t.Fatalf("not a line of a dialogue: %q", l)
		}
	}
	flush()
	if !ended {
		// Whatever comes unasked comes before the answer to this.
		c.send("ABOUT\n")
		for got := c.line(); !strings.HasPrefix(got, "name="); got = c.line() {
			if !aside(got) {
				c.fail("one line too many: %q", got)
			}
		}
		c.send("END\n")
	}
	c.ends()
}

func matches(b *board, want, got string) string {
	if want == "MOVE" {
		return b.move(got, 1)
	}
	if n, ok := strings.CutPrefix(want, "MOVES "); ok {
		k, _ := strconv.Atoi(n)
		return b.move(got, k)
	}
	pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(want), `\*`, ".*") + "$"
	if !regexp.MustCompile(pattern).MatchString(got) {
		return "not what is wanted"
	}
	return ""
}
