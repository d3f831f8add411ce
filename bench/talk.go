package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol"
	"tengen/protocol/gtp"
	"tengen/protocol/piskvork"
)

// wire is a server of ours in this process, at the other end of two pipes.
type wire struct {
	in   *io.PipeWriter
	out  *bufio.Reader
	stop context.CancelFunc
	done chan struct{}
}

func newWire(ctx context.Context, serve func(ctx context.Context, r io.Reader, w io.Writer) error) *wire {
	ctx, stop := context.WithCancel(ctx)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	w := &wire{in: inW, out: bufio.NewReader(outR), stop: stop, done: make(chan struct{})}
	go func() {
		defer close(w.done)
		err := serve(ctx, inR, outW)
		inR.CloseWithError(err)
		outW.CloseWithError(err)
	}()
	return w
}

func (w *wire) close() {
	w.in.Close()
	w.stop()
	<-w.done
}

func (w *wire) say(lines ...string) error {
	_, err := io.WriteString(w.in, strings.Join(lines, "\n")+"\n")
	return err
}

func (w *wire) line() (string, error) {
	s, err := w.out.ReadString('\n')
	return strings.TrimRight(s, "\r\n"), err
}

// maker is how a session gets its engines.
type maker = func(game.Variant, engine.Options) (engine.Engine, error)

func (s *Settings) session(m maker) *protocol.Session {
	session := protocol.NewSession(protocol.Maker{Referee: engine.Replay, Engine: m, Tune: s.Tune})
	session.Configure(engine.Options{Threads: s.Threads, Memory: s.Memory})
	return session
}

// manager is the other end of a wire: it begins games and asks for moves. The times are
// from the command that asks to the end of the answer.
type manager interface {
	start() error
	turn(q game.Point) (game.Point, time.Duration, error)
	close()
}

// talkSize is the board of the games that are only about talking.
const talkSize = 15

// judge is a manager that speaks the piskvork protocol and gives no time for a move.
type judge struct{ *wire }

func newJudge(ctx context.Context, s *Settings, m maker) manager {
	return judge{newWire(ctx, func(ctx context.Context, r io.Reader, w io.Writer) error {
		return piskvork.Serve(ctx, s.session(m), r, w)
	})}
}

func (j judge) start() error {
	a, _, err := j.ask(fmt.Sprintf("START %d", talkSize))
	if err == nil && a != "OK" {
		err = fmt.Errorf("START is answered by %q", a)
	}
	if err == nil {
		err = j.say("INFO rule 0", "INFO timeout_turn 0")
	}
	return err
}

func (j judge) turn(q game.Point) (game.Point, time.Duration, error) {
	return j.move(fmt.Sprintf("TURN %d,%d", q.X(), q.Y()))
}

func (j judge) move(lines ...string) (game.Point, time.Duration, error) {
	a, took, err := j.ask(lines...)
	if err != nil {
		return game.NoPoint, took, err
	}
	var x, y int
	if _, err := fmt.Sscanf(a, "%d,%d", &x, &y); err != nil || !game.At(x&31, y&31).On(game.MaxSize) {
		return game.NoPoint, took, fmt.Errorf("%s is answered by %q", lines[0], a)
	}
	return game.At(x, y), took, nil
}

// ask returns the first line that is no message.
func (j judge) ask(lines ...string) (string, time.Duration, error) {
	start := time.Now()
	if err := j.say(lines...); err != nil {
		return "", 0, err
	}
	for {
		l, err := j.line()
		if err != nil {
			return "", 0, err
		}
		switch word, _, _ := strings.Cut(l, " "); word {
		case "MESSAGE", "DEBUG", "INFO", "":
			continue
		}
		return l, time.Since(start), nil
	}
}

// controller is a manager that speaks GTP.
type controller struct{ *wire }

func newController(ctx context.Context, s *Settings, m maker) manager {
	return controller{newWire(ctx, func(ctx context.Context, r io.Reader, w io.Writer) error {
		return gtp.Serve(ctx, s.session(m), r, w, gtp.ServeOptions{Variant: game.Variant{Rule: game.Freestyle, Size: talkSize}})
	})}
}

func (c controller) start() error {
	_, _, err := c.ask("clear_board")
	return err
}

func (c controller) turn(q game.Point) (game.Point, time.Duration, error) {
	if _, _, err := c.ask("play b " + gtp.Vertex(q, talkSize)); err != nil {
		return game.NoPoint, 0, err
	}
	a, took, err := c.ask("genmove w")
	if err == nil {
		q, err = gtp.ParseVertex(a, talkSize)
	}
	return q, took, err
}

// ask returns the first line of a response.
func (c controller) ask(command string) (string, time.Duration, error) {
	start := time.Now()
	if err := c.say(command); err != nil {
		return "", 0, err
	}
	first, err := c.line()
	took := time.Since(start)
	for l := first; err == nil && l != ""; {
		l, err = c.line()
	}
	if err == nil && !strings.HasPrefix(first, "=") {
		err = fmt.Errorf("%s is answered by %q", command, first)
	}
	return strings.TrimSpace(strings.TrimPrefix(first, "=")), took, err
}

// blind is an engine that does not think: it plays the first empty point of an order that
// leads all over the board.
type blind struct{}

func newBlind(game.Variant, engine.Options) (engine.Engine, error) { return blind{}, nil }

func (blind) Think(_ context.Context, rec *game.Record, _ game.Limits, _ func(game.Info)) (game.Choice, error) {
	var taken [game.NumPoints]bool
	for _, m := range rec.Moves {
		taken[m.Point] = true
	}
	size := rec.Variant.Size
	for i := range size * size {
		k := (i*101 + 57) % (size * size) // 101 is prime and divides no board
		if q := game.At(k%size, k/size); !taken[q] {
			return game.Choice{Point: q, Info: game.Info{MultiPV: 1, PV: []game.Point{q}, Last: true}}, nil
		}
	}
	return game.Choice{}, errors.New("the board is full")
}

func (blind) Configure(engine.Options) {}
func (blind) Forget()                  {}

// conversations are what the suite "protocol" measures.
var conversations = []struct {
	name  string
	dial  func(ctx context.Context, s *Settings, m maker) manager
	blind bool
}{
	{"piskvork, no search", newJudge, true},
	{"piskvork, instant move", newJudge, false},
	{"gtp, no search", newController, true},
}

// roundTrips measures the time from a command that asks for a move to the end of the
// answer, through the real servers and pipes.
func roundTrips(ctx context.Context, s *Settings, r *Report) error {
	for _, c := range conversations {
		s.step("protocol: " + c.name)
		m := s.make
		if c.blind {
			m = newBlind
		}
		took, err := s.converse(ctx, c.dial(ctx, s, m))
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		r.addTimes("protocol", c.name, took)
	}
	return nil
}

// addTimes adds the figures of many times, which are in milliseconds.
func (r *Report) addTimes(suite, row string, took []float64) {
	r.add(suite, row, "median", "ms", Less, Quantile(took, 0.5))
	r.add(suite, row, "99th percentile", "ms", Less, Quantile(took, 0.99))
	r.add(suite, row, "most", "ms", Less, Quantile(took, 1))
	r.add(suite, row, "moves", "", Neither, float64(len(took)))
}

const talkMoves = 24 // of a game, before the next one is begun

// converse plays games at random against a server until it has answered often enough, and
// returns the milliseconds of each answer.
func (s *Settings) converse(ctx context.Context, m manager) (took []float64, err error) {
	defer m.close()
	random := rand.New(rand.NewPCG(1, 2))
	for len(took) < s.Moves {
		g, err := engine.Referee(game.Variant{Rule: game.Freestyle, Size: talkSize})
		if err == nil {
			err = m.start()
		}
		if err != nil {
			return nil, err
		}
		for len(g.Record().Moves) < talkMoves && len(took) < s.Moves && ctx.Err() == nil {
			q := game.At(random.IntN(talkSize), random.IntN(talkSize))
			if g.Play(q) != nil {
				continue // not empty
			}
			if g.Result().Outcome != game.Open {
				break
			}
			q, t, err := m.turn(q)
			if err == nil {
				err = g.Play(q)
			}
			if err != nil {
				return nil, err
			}
			took = append(took, ms(t))
			if g.Result().Outcome != game.Open {
				break
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return took, nil
}
