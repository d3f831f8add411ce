package bench

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol"
	"tengen/protocol/gtp"
	"tengen/protocol/piskvork"
	"tengen/protocol/process"
)

// Peer is another program that searches the same positions.
type Peer struct {
	name   string
	player protocol.Player
	speed  float64 // nodes/s of its present search, where it tells that instead of nodes
}

// Protocols are the languages a peer may speak.
var Protocols = []string{"piskvork", "gtp"}

// DialPeer starts a program that is given as a command line. The program is told to use so
// many threads and so much memory, where its protocol can say so.
func DialPeer(ctx context.Context, command, proto string, o engine.Options) (*Peer, error) {
	words, err := splitCommand(command)
	if err != nil {
		return nil, err
	}
	p := &Peer{}
	cmd := exec.Command(words[0], words[1:]...)
	switch proto {
	case "piskvork":
		p.player, err = piskvork.Dial(ctx, cmd, piskvork.ClientOptions{
			Threads: o.Threads, Memory: o.Memory, Tolerance: peerTolerance, Board: true, Log: p.hear,
		})
	case "gtp":
		p.player, err = gtp.Dial(ctx, cmd, gtp.ClientOptions{Tolerance: peerTolerance, Log: p.hear})
	default:
		return nil, fmt.Errorf("unknown protocol %q (one of %s)", proto, strings.Join(Protocols, ", "))
	}
	if err != nil {
		return nil, err
	}
	p.name = words[0]
	if i, ok := p.player.(protocol.Introducer); ok {
		version, _, _ := strings.Cut(i.About().Version, " ") // behind it some tell their compiler
		p.name = strings.TrimSpace(i.About().Name + " " + version)
	}
	return p, nil
}

// Name returns how the program introduced itself.
func (p *Peer) Name() string { return p.name }

// Close ends the program.
func (p *Peer) Close() error { return p.player.Close() }

const (
	peerTolerance = 5 * time.Second // on the busy machine that a bench may run on
	peerTime      = time.Second     // of a move, if there is no limit
	peerPause     = 50 * time.Millisecond
	// The processor's time may be told in steps of 10 ms: it is asked for where a search was
	// so long, and believed when it is at least so much.
	peerLongEnough = 200 * time.Millisecond
	peerLeastCPU   = 100 * time.Millisecond

	peerLeast = 1000 // nodes; a search that ended sooner, by a proof or a book, says nothing of speed
)

// hear looks for what a program tells in a word of its own: "NPS=81k", "speed 251K".
func (p *Peer) hear(toProgram bool, line string) {
	if toProgram {
		return
	}
	words := strings.Fields(strings.NewReplacer("|", " ", "=", " ", ",", " ").Replace(line))
	for i := 0; i+1 < len(words); i++ {
		switch strings.ToLower(words[i]) {
		case "nps", "speed":
			if n, ok := count(words[i+1]); ok {
				p.speed = n
			}
		}
	}
}

// count reads a number with K or M behind it.
func count(s string) (float64, bool) {
	unit := 1.0
	switch {
	case strings.HasSuffix(s, "k"), strings.HasSuffix(s, "K"):
		unit = 1e3
	case strings.HasSuffix(s, "m"), strings.HasSuffix(s, "M"):
		unit = 1e6
	}
	if unit > 1 {
		s = s[:len(s)-1]
	}
	n, err := strconv.ParseFloat(s, 64)
	return n * unit, err == nil && n > 0
}

// effort is what a search came to: nodes, and in which time.
type effort struct {
	nodes int64
	took  time.Duration
	cpu   bool // the time is the processor's
}

func (e effort) speed() float64 { return float64(e.nodes) / e.took.Seconds() }

// think lets the program search a position. Its nodes are as it reports them, 0 if it
// does not. The time is what its process took of the processor's, where the system tells
// it and the search was not too short, else as it reports it, else ours.
func (p *Peer) think(ctx context.Context, rec *game.Record, lim game.Limits) (e effort, err error) {
	// Rapfi passes over what comes while it tidies up after a move, but for the half of it.
	for try := 1; ; try++ {
		select {
		case <-time.After(time.Duration(try) * peerPause):
		case <-ctx.Done():
			return e, ctx.Err()
		}
		err := p.player.Start(ctx, rec.Variant, lim)
		if err == nil {
			break
		}
		var f *protocol.Fault
		if try == 3 || !errors.As(err, &f) {
			return e, err
		}
	}
	p.speed = 0
	used := p.cpu()
	c, err := p.player.Move(ctx, rec, lim)
	if err != nil {
		return e, err
	}
	used = p.cpu() - used
	e.nodes, e.took = c.Info.Nodes, c.Took
	if e.nodes > 0 && c.Info.Time > 0 {
		e.took = c.Info.Time
	}
	if e.nodes > 0 && e.took >= peerLongEnough && used > 0 && process.CPU() > 0 {
		e.took, e.cpu = used, true
	}
	if e.nodes == 0 {
		e.nodes = int64(p.speed * e.took.Seconds())
	}
	return e, nil
}

// cpu returns the processor time that the program has used, 0 if nobody says.
func (p *Peer) cpu() time.Duration {
	if h, ok := p.player.(interface{ Process() *process.Process }); ok && h.Process() != nil {
		if t, err := h.Process().CPUTime(); err == nil {
			return t
		}
	}
	return 0
}

// PeerGames returns the games of a run against a peer when none are named: those that
// programs of its protocol can be expected to play.
func PeerGames(proto string) []game.Rule {
	if proto == "gtp" {
		return []game.Rule{game.Weiqi}
	}
	return []game.Rule{game.Freestyle, game.Standard, game.Renju}
}

// PeerSuite returns the suite in which we and another program search the same positions in
// turn, each for the same time or nodes: who begins changes from position to position.
func PeerSuite(p *Peer) Suite {
	return Suite{
		Name: "peer", What: "nodes/s beside those of another program",
		run:   func(ctx context.Context, s *Settings, r *Report) error { return s.against(ctx, p, r) },
		steps: func(s *Settings) int { return len(s.Games) * peerSteps },
	}
}

const peerSteps = 10 // of a game, on the way of Progress

func (s *Settings) against(ctx context.Context, peer *Peer, r *Report) error {
	lim := s.Limits
	if lim.Nodes == 0 && lim.Depth == 0 && lim.Hard == 0 {
		lim.Soft, lim.Hard = peerTime, peerTime
	}
	for _, g := range s.Games {
		ps, err := Positions(g)
		if err != nil {
			return err
		}
		e, err := s.engine(ps[0].Record.Variant, s.Threads)
		if err != nil {
			return err
		}
		var sum [2]effort    // ours, theirs
		var ratios []float64 // by position
		silent, short := 0, 0
		for i, p := range ps {
			if i < peerSteps {
				s.step(fmt.Sprintf("%s: %v, position %d", peer.name, g, i+1))
			}
			var ours outcome
			var theirs effort
			for k := range 2 {
				if (i+k)%2 == 0 {
					with := lim
					with.Caches = true // as in a game
					ours, err = think(ctx, e, p.Record, with, game.MaxPly)
				} else if theirs, err = peer.think(ctx, p.Record, lim); err != nil && ctx.Err() == nil {
					err = fmt.Errorf("%s on position %d of %v: %w", peer.name, i+1, g, err)
				}
				if err != nil {
					return err
				}
			}
			us := effort{ours.counters.Nodes, ours.time, theirs.cpu}
			if us.cpu {
				us.took = ours.cpu
			}
			switch {
			case theirs.nodes == 0:
				silent++
			case min(us.nodes, theirs.nodes) < peerLeast || min(us.took, theirs.took) <= 0 || us.cpu && min(us.took, theirs.took) < peerLeastCPU:
				short++
			default:
				for k, e := range [2]effort{us, theirs} {
					sum[k].nodes += e.nodes
					sum[k].took += e.took
				}
				ratios = append(ratios, us.speed()/theirs.speed())
			}
		}
		switch {
		case silent == len(ps):
			r.note("peer: %s reports no nodes in %v: no ratio.", peer.name, g)
		case silent+short > 0:
			r.note("peer: of %d positions of %v, %d are left out because a search was too short, %d because %s reported no nodes.",
				len(ps), g, short, silent, peer.name)
		}
		if len(ratios) == 0 {
			continue
		}
		r.add("peer", g.String(), "ours", "nodes/s", More, sum[0].speed())
		r.add("peer", g.String(), peer.name, "nodes/s", Neither, sum[1].speed())
		r.add("peer", g.String(), "ours/theirs", "ratio", More, sum[0].speed()/sum[1].speed())
		r.add("peer", g.String(), "1st quartile", "ratio", More, Quantile(ratios, 0.25))
		r.add("peer", g.String(), "median of positions", "ratio", More, Quantile(ratios, 0.5))
		r.add("peer", g.String(), "3rd quartile", "ratio", More, Quantile(ratios, 0.75))
		r.add("peer", g.String(), "positions", "", Neither, float64(len(ratios)))
	}
	r.note("peer: nodes as each program counts them, which is not the same thing; ours count those of the threat search. " +
		"By processor time where the system tells it.")
	return nil
}

// splitCommand cuts a command line into words at blanks outside of quotes.
func splitCommand(s string) (words []string, err error) {
	var word strings.Builder
	open, quote := false, rune(0)
	for _, c := range s {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			open, quote = true, c
		case quote == 0 && (c == ' ' || c == '\t'):
			if open {
				words = append(words, word.String())
				word.Reset()
			}
			open = false
		default:
			open = true
			word.WriteRune(c)
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote is not closed in %q", s)
	}
	if open {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("no command")
	}
	return words, nil
}
