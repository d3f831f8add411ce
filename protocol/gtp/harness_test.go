package gtp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/engine/weiqi"
	"tengen/openings/book"
	"tengen/protocol"
)

// patience is how long a test waits for what must come. Nothing is said about how fast
// it comes.
const patience = 90 * time.Second

// player is an engine for tests. Of the legal points it plays the one nearest to the
// centre, unless it has others in its script.
type player struct {
	mu      sync.Mutex
	script  []string      // vertices, for searches that have an end
	waits   bool          // it thinks until it is stopped
	longest time.Duration // or so long, if not zero
	resigns bool
	breaks  bool // it panics
	seen    []*game.Record
	limits  []game.Limits
	forgot  int
	made    int           // how often an engine was made
	thinks  chan struct{} // a token for each search that began
}

func (p *player) Think(ctx context.Context, rec *game.Record, lim game.Limits, tell func(game.Info)) (game.Choice, error) {
	p.mu.Lock()
	p.seen, p.limits = append(p.seen, rec.Clone()), append(p.limits, lim)
	p.mu.Unlock()
	if p.breaks {
		panic("it hurts")
	}
	g, err := engine.Replay(rec)
	if err != nil {
		return game.Choice{}, err
	}
	moves := p.pick(g, lim)
	if len(moves) == 0 {
		return game.Choice{}, errors.New("no point")
	}
	var c game.Choice
	whole := analysisOf(rec, moves, lim.Inquiry)
	for k, q := range moves {
		i := game.Info{MultiPV: k + 1, Depth: 3, SelDepth: 5, Value: 50 - 10*k, Nodes: int64(345 - k), Time: 6 * time.Millisecond, PV: []game.Point{q}}
		if k == 0 {
			i.Analysis = whole
			c = game.Choice{Point: q, Info: i, Resign: p.resigns}
		}
		tell(i)
	}
	select {
	case p.thinks <- struct{}{}:
	default:
	}
	if p.waits {
		var late <-chan time.Time
		if p.longest > 0 {
			late = time.After(p.longest)
		}
		select {
		case <-ctx.Done():
		case <-late:
		}
	}
	return c, nil
}

// analysisOf tells a little of moves of Go, if it is asked for.
func analysisOf(rec *game.Record, moves []game.Point, q *game.Inquiry) *game.Analysis {
	if q == nil {
		return nil
	}
	owner := make([]float32, rec.Variant.Size*rec.Variant.Size)
	owner[1] = -0.5
	estimate := game.Estimate{
		Visits: 345, Win: 0.5622, Lead: 1.5, Score: 2.5, ScoreDev: 9, Utility: 0.25, WinLow: 0.5, UtilityLow: 0.125, Prior: 0.75, Owner: owner,
	}
	a := &game.Analysis{Side: rec.ToMove(), Root: estimate}
	for k, p := range moves {
		e := estimate
		e.Point, e.PV, e.PVVisits = p, []game.Point{p}, []int64{345 - int64(k)}
		e.Visits, e.Win = 345-int64(k), 0.5622-0.05*float64(k)
		a.Moves = append(a.Moves, e)
	}
	return a
}

func (p *player) pick(g game.Game, lim game.Limits) (moves []game.Point) {
	p.mu.Lock()
	defer p.mu.Unlock()
	v, n := g.Record().Variant, max(lim.MultiPV, 1)
	taken := map[game.Point]bool{}
	for _, q := range lim.Avoid {
		taken[q] = true
	}
	if len(p.script) > 0 && lim.Hard > 0 {
		q, err := ParseVertex(p.script[0], v.Size)
		if err == nil {
			moves = append(moves, q)
			taken[q] = true
		}
		p.script = p.script[1:]
	}
	for len(moves) < n {
		best, near := game.NoPoint, 0
		for y := range v.Size {
			for x := range v.Size {
				q, dx, dy := game.At(x, y), 2*x-v.Size+1, 2*y-v.Size+1
				if d := dx*dx + dy*dy; !taken[q] && (best == game.NoPoint || d < near) && g.Legal(q) == nil {
					best, near = q, d
				}
			}
		}
		if best == game.NoPoint {
			if len(moves) == 0 && g.Legal(game.Pass) == nil {
				moves = append(moves, game.Pass)
			}
			break
		}
		moves = append(moves, best)
		taken[best] = true
	}
	return moves
}

func (p *player) Configure(engine.Options) {}
func (p *player) Forget()                  { p.mu.Lock(); p.forgot++; p.mu.Unlock() }

// maker makes sessions whose engine is p.
func maker(p *player) protocol.Maker {
	return protocol.Maker{
		Referee: engine.Replay,
		Engine: func(game.Variant, engine.Options) (engine.Engine, error) {
			p.mu.Lock()
			p.made++
			p.mu.Unlock()
			return p, nil
		},
		Book: closed(),
	}
}

// closed is a library that waits for tengen-book.
func closed() *book.Library {
	l := book.NewLibrary(1)
	l.Use("off")
	return l
}

// variant reads "renju 15", "go 9 japanese".
func variant(t testing.TB, text string) game.Variant {
	t.Helper()
	var v game.Variant
	var rule, rules string
	fmt.Sscan(text, &rule, &v.Size, &rules)
	r, err := game.ParseRule(rule)
	if err == nil && r == game.Weiqi {
		v, err = weiqi.NewVariant(v.Size, rules, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	v.Rule = r
	return v
}

// conversation is a server that runs, and the manager's ends of its pipes.
type conversation struct {
	t    *testing.T
	in   *io.PipeWriter
	done chan error

	mu      sync.Mutex
	wake    chan struct{}
	out     string // what was not looked at yet
	history strings.Builder
}

func converse(t *testing.T, p *player, o ServeOptions) *conversation {
	t.Helper()
	if p.thinks == nil {
		p.thinks = make(chan struct{}, 1000)
	}
	c := &conversation{t: t, done: make(chan error, 1), wake: make(chan struct{}, 1)}
	r, w := io.Pipe()
	c.in = w
	go func() {
		c.done <- Serve(context.Background(), protocol.NewSession(maker(p)), r, c, o)
		r.Close()
	}()
	t.Cleanup(func() { w.Close(); r.Close() })
	return c
}

// What one write may be: a whole response, or a part of one that goes on while a search
// does.
var (
	whole = regexp.MustCompile(`^[=?]\d* [^\n]*(\n[^\n]+)*\n\n$`)
	part  = regexp.MustCompile(`^(=\d*\n|info move [^\n]*\n|(play [A-Za-z0-9]+\n)?\n)$`)
)

func (c *conversation) Write(b []byte) (int, error) {
	s := string(b)
	if !whole.MatchString(s) && !part.MatchString(s) || strings.Contains(s, "\r") {
		c.t.Errorf("one write of %q", s)
	}
	c.mu.Lock()
	c.out += s
	fmt.Fprintf(&c.history, "< %q\n", s)
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return len(b), nil
}

func (c *conversation) send(text string) {
	c.mu.Lock()
	fmt.Fprintf(&c.history, "> %q\n", text)
	c.mu.Unlock()
	io.WriteString(c.in, text) // fails after quit, which is no fault
}

func (c *conversation) fail(format string, args ...any) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.history.String()
	c.t.Fatalf("%s\n%s", fmt.Sprintf(format, args...), h[max(0, len(h)-3000):])
}

// wait waits until what was written holds s, and takes it up to the end of s if it is
// to be taken.
func (c *conversation) wait(s string, take bool) string {
	c.t.Helper()
	limit := time.After(patience)
	for {
		c.mu.Lock()
		i := strings.Index(c.out, s)
		if i >= 0 {
			got := c.out[:i+len(s)]
			if take {
				c.out = c.out[i+len(s):]
			}
			c.mu.Unlock()
			return got
		}
		c.mu.Unlock()
		select {
		case <-c.wake:
		case <-limit:
			c.fail("no %q", s)
		}
	}
}

// response returns the next response, without its empty line.
func (c *conversation) response() string {
	c.t.Helper()
	return strings.TrimSuffix(c.wait("\n\n", true), "\n\n")
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
	c.mu.Lock()
	rest := c.out
	c.mu.Unlock()
	if rest != "" {
		c.fail("too much: %q", rest)
	}
}

// mode is how a dialogue is sent.
type mode struct {
	name  string
	eol   []string // taken in turn
	bytes bool     // one at a time
	burst bool     // all up to the next answer in one write
}

var modes = []mode{
	{name: "LF", eol: []string{"\n"}},
	{name: "CRLF", eol: []string{"\r\n"}},
	{name: "CR", eol: []string{"\r"}},
	{name: "mixed", eol: []string{" \n", "\r\n", "\t\r"}},
	{name: "CRLF bytes", eol: []string{"\r\n"}, bytes: true},
	{name: "LF burst", eol: []string{"\n"}, burst: true},
	{name: "CRLF burst", eol: []string{"\r\n"}, burst: true},
}

// dialogue plays a conversation:
//
//	# a remark
//	% game renju 15
//	% engine waits, resigns, breaks, or plays D4 E5 pass
//	> what the manager sends
//	< the first line of the response, with * for anything
//	| its next line; ... for any number of them
//	~ waits until the engine searches
//	! waits until the server has written this
//	$ the input ends
//	--- another process
//
// After the last line the server must have nothing more to say.
func dialogue(t *testing.T, script string, m mode) {
	t.Helper()
	for _, part := range strings.Split("\n"+script, "\n---") {
		talk(t, part, m)
	}
}

// network says of every position what can be told from the question.
type network struct{}

func (network) Evaluate(p *weiqi.Position, komi float64, symmetry int, optimism float32) (*weiqi.Verdict, error) {
	v := &weiqi.Verdict{Win: 0.5 + float32(symmetry)/100, Loss: 0.5 - float32(symmetry)/100, Lead: float32(komi), Score: 1, ScoreSq: 2, VarianceTime: -1, ValueError: -1, ScoreError: optimism}
	for q := range v.Policy {
		if v.Policy[q] = 0.25; p.At(game.Point(q)) != game.Empty {
			v.Policy[q] = -1
		}
		v.Owner[q] = 0.5
	}
	v.Policy[game.Pass] = 0.125
	return v, nil
}

func talk(t *testing.T, script string, m mode) {
	t.Helper()
	p := &player{}
	o := ServeOptions{Variant: variant(t, "go 9")}
	lines := strings.Split(script, "\n")
	for _, l := range lines {
		key, value, _ := strings.Cut(strings.TrimPrefix(l, "% "), " ")
		if l == "" || l[0] != '%' {
			continue
		}
		switch {
		case key == "game":
			o.Variant = variant(t, value)
		case key == "network":
			o.Network = network{}
		case value == "waits":
			p.waits = true
		case value == "resigns":
			p.resigns = true
		case value == "breaks":
			p.breaks = true
		case strings.HasPrefix(value, "plays "):
			p.script = strings.Fields(value)[1:]
		default:
			t.Fatalf("what is %q", l)
		}
	}
	if _, err := engine.Referee(o.Variant); err != nil {
		t.Logf("left out: %v", err)
		return
	}
	c := converse(t, p, o)
	var pending strings.Builder
	flush := func() {
		if pending.Len() > 0 {
			c.send(pending.String())
			pending.Reset()
		}
	}
	n, ended := 0, false
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if l == "" || l[0] == '#' || l[0] == '%' {
			continue
		}
		text := strings.TrimPrefix(l[1:], " ")
		switch l[0] {
		case '>':
			ended = ended || strings.HasSuffix(text, "quit")
			text += m.eol[n%len(m.eol)]
			n++
			switch {
			case m.burst:
				pending.WriteString(text)
			case m.bytes:
				for k := range text {
					c.send(text[k : k+1])
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
		case '!':
			flush()
			c.wait(text, false)
		case '$':
			flush()
			c.in.Close()
			ended = true
		case '<':
			flush()
			want := pattern(text, true)
			for ; i+1 < len(lines) && strings.HasPrefix(lines[i+1], "|"); i++ {
				want += pattern(strings.TrimPrefix(lines[i+1][1:], " "), false)
			}
			if got := c.response(); !regexp.MustCompile("^" + want + "$").MatchString(got) {
				c.fail("want %s\n got %q", want, got)
			}
		default:
			t.Fatalf("not a line of a dialogue: %q", l)
		}
	}
	flush()
	if !ended {
		// Whatever comes unasked comes before the answer to this.
		c.send("424242 protocol_version\n")
		if got := c.response(); got != "=424242 2" {
			c.fail("too much: %q", got)
		}
		c.send("quit\n")
		c.response()
	}
	c.ends()
}

var bare = regexp.MustCompile(`^[=?]\d*$`)

// pattern returns the expression of one line of a dialogue.
func pattern(text string, first bool) string {
	if text == "..." {
		return `(\n[^\n]+)*`
	}
	re := strings.ReplaceAll(regexp.QuoteMeta(text), `\*`, "[^\n]*")
	if first {
		if bare.MatchString(text) {
			re += " ?" // the space that an empty response has, and the head of an analysis has not
		}
		return re
	}
	return `\n` + re
}
