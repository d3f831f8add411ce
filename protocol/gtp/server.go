package gtp

import (
	"context"
	"errors"
	"io"
	"time"

	"tengen/engine/game"
	"tengen/protocol"
)

// ServeOptions are what a manager does not tell. Zero fields have the defaults named here.
type ServeOptions struct {
	Variant  game.Variant  // the game at the start; managers change its size, komi and rules
	MoveTime time.Duration // for a move when there is no clock and no limit of nodes; 5 s
	Nodes    int64         // for each move; no limit
	Lag      time.Duration // lost between our clock and the manager's, for each move; 100 ms
	Network  Network       // of Go, nil if there is none
}

const (
	defaultMoveTime = 5 * time.Second
	defaultLag      = 100 * time.Millisecond

	maxQueue = 1 << 12 // commands that wait for a search to end
)

// Serve plays for a manager until quit, the end of r, a failing w, or ctx is done. What was
// read before the end of r is answered, but searches without a limit then end at once.
// Each response is one call of w.Write, and so is each line of an analysis.
func Serve(ctx context.Context, s *protocol.Session, r io.Reader, w io.Writer, o ServeOptions) error {
	if o.MoveTime <= 0 {
		o.MoveTime = defaultMoveTime
	}
	if o.Lag == 0 {
		o.Lag = defaultLag
	}
	if err := s.Start(o.Variant); err != nil {
		return err
	}
	s.Continuous = o.Variant.Rule == game.Weiqi // a move takes the game up again
	s.Clock.Nodes = o.Nodes
	lines := make(chan inputLine, 64)
	quit, done := make(chan struct{}), make(chan error, 1)
	defer close(quit)
	go readLines(r, lines, quit)
	go func() {
		defer s.Abandon()
		sv := &server{s: s, w: w, o: o}
		done <- sv.loop(ctx, lines)
	}()
	return protocol.Await(ctx, done)
}

// server is one conversation.
type server struct {
	s     *protocol.Session
	w     io.Writer
	o     ServeOptions
	err   error // of the first write that failed
	ended bool  // quit came
	last  bool  // the input has ended

	at     time.Time   // when the present command was read, or could be begun
	id     string      // of the present command
	job    *job        // what a search runs for, nil if nothing
	queue  []inputLine // what came meanwhile
	free   time.Time   // when the last search was answered
	clocks clocks
	report report // on the present position, as far as it was searched
	said   string // on our last move
}

// errLater is the error of a command whose response comes when its search has ended.
var errLater = errors.New("later")

func (sv *server) loop(ctx context.Context, lines <-chan inputLine) error {
	for !sv.ended && sv.err == nil {
		j := sv.job
		if len(sv.queue) > 0 && (j == nil || j.analyzes) {
			l := sv.queue[0]
			sv.queue = sv.queue[1:]
			sv.arrive(l)
			continue
		}
		if sv.last {
			switch {
			case j == nil:
				return nil
			case j.analyzes:
				sv.close()
				continue
			case j.endless:
				sv.s.Stop()
			}
		}
		in := lines
		if len(sv.queue) >= maxQueue || sv.last {
			in = nil
		}
		var (
			done <-chan protocol.Answer
			news <-chan struct{}
			tick <-chan time.Time
		)
		run := sv.s.Searching()
		if run != nil {
			done, news = run.Done, run.News
		}
		if j != nil && j.ticker != nil {
			tick = j.ticker.C
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case l, ok := <-in:
			if !ok {
				sv.last = true
				continue
			}
			sv.arrive(l)
		case <-news:
			sv.take(run)
		case <-tick:
			sv.tell()
		case a := <-done:
			sv.take(run)
			sv.answer(a)
		}
	}
	return sv.err
}

// arrive takes a line as soon as it is there. It ends an analysis, whatever it says, and
// waits for every other search, unless it is GoGui's interrupt.
func (sv *server) arrive(l inputLine) {
	switch j := sv.job; {
	case j == nil:
		sv.line(l)
	case j.analyzes:
		sv.close()
		sv.line(l)
	case l.interrupt():
		sv.s.Stop()
	case l.text != "":
		sv.queue = append(sv.queue, l)
	}
}

// line answers one line.
func (sv *server) line(l inputLine) {
	r, ok := parse(l.text)
	if !ok {
		return
	}
	sv.id, sv.at = r.id, l.at
	if sv.at.Before(sv.free) {
		sv.at = sv.free
	}
	text, err := "", errors.New("line too long")
	if !l.long {
		text, err = sv.perform(r)
	}
	if err != errLater {
		sv.write(response(sv.id, text, err))
	}
}

var errUnknown = errors.New("unknown command")

// perform does what a command asks for.
func (sv *server) perform(r request) (text string, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("internal error")
		}
	}()
	c := sv.find(r.name)
	if c == nil {
		return "", errUnknown
	}
	return c.run(sv, r.args)
}

func (sv *server) write(s string) {
	if sv.err == nil {
		_, sv.err = io.WriteString(sv.w, s)
	}
}

// job is a command whose response takes a search.
type job struct {
	id       string
	color    game.Color // for whom
	analyzes bool       // it goes on until a line comes
	endless  bool       // no limit ends it
	plays    bool       // the move is made, and its time counts
	open     bool       // the response has begun
	ticker   *time.Ticker
	dialect  dialect
	extras   extras
	word     func(protocol.Answer) (string, error) // the response, unless it is the move
}

// search starts what a job needs.
func (sv *server) search(j *job, lim game.Limits) error {
	j.id = sv.id
	j.endless = lim.Hard == 0 && lim.Nodes == 0 && lim.Depth == 0 && !lim.Instant
	sv.report.begin(j.color, max(lim.MultiPV, 1), lim.Inquiry != nil)
	sv.job = j
	sv.s.ThinkAs(j.color, lim)
	return errLater
}

// limits returns those of a move.
func (sv *server) limits(c game.Color) game.Limits {
	if sv.isGo() {
		sv.s.Clock.Full = sv.size() * sv.size() * 4 / 5
	}
	sv.clocks.tell(&sv.s.Clock, c, sv.o.Lag, sv.o.MoveTime)
	return sv.s.Limits(sv.at)
}

// take notes what a search has told.
func (sv *server) take(run *protocol.Search) {
	for _, i := range run.Infos() {
		sv.report.take(i)
	}
}

// tell writes what an analysis has found.
func (sv *server) tell() {
	if l := sv.report.line(sv.job.dialect, sv.size(), sv.job.extras); l != "" {
		sv.write(l + "\n")
	}
}

// close ends an analysis with its empty line.
func (sv *server) close() {
	sv.s.Abandon()
	sv.done("\n")
}

// done writes the end of a job's response.
func (sv *server) done(s string) {
	j := sv.job
	sv.job = nil
	if j.ticker != nil {
		j.ticker.Stop()
	}
	sv.write(s)
	sv.free = time.Now()
}

// answer ends a job whose search has come to its answer.
func (sv *server) answer(a protocol.Answer) {
	j := sv.job
	sv.s.Abandon() // it has ended; what becomes of its move is said here
	if j == nil {
		return
	}
	if j.open {
		sv.tell()
	}
	if j.analyzes {
		return // until a line comes
	}
	text, err := sv.conclude(j, a)
	switch {
	case !j.open:
		sv.done(response(j.id, text, err))
	case err != nil: // too late for a failure
		sv.done("\n")
	default:
		sv.done("play " + text + "\n\n")
	}
}

// conclude makes the move of a job, if it is to be made, and returns its response.
func (sv *server) conclude(j *job, a protocol.Answer) (text string, err error) {
	defer func() {
		if recover() != nil {
			text, err = "", errors.New("internal error")
		}
	}()
	if j.word != nil {
		return j.word(a)
	}
	if a.Err != nil || len(a.Points) == 0 {
		return "", errors.New("no move")
	}
	q := a.Points[0]
	if a.Choice.Resign && a.Rescued == "" {
		q = game.NoPoint
	}
	if !j.plays {
		return Vertex(q, sv.size()), nil
	}
	sv.clocks.spend(j.color, a.Elapsed)
	sv.s.Clock.Missed(a.Late)
	sv.said = sv.explain(a)
	if q != game.NoPoint {
		if err := sv.put(j.color, q); err != nil {
			return "", err
		}
	}
	return Vertex(q, sv.size()), nil
}
