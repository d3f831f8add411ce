// Package check asks a program whether it keeps its protocol, before a tournament does.
//
// The idea: what is required is a table of points, each a sentence, the manager that it
// breaks, and a short dialogue with a fresh process of the program. Nothing the program
// does is trusted: it may hang, flood, or die in any of them, and the next point still
// gets its answer. What it plays is judged by our own referees.
//
// Sources: the piskvork protocol (P. Laštovička, "Gomocup protocol", protocl2en), the managers
// that speak it (Piskvork, Gomocup's judge and its acceptance test of submissions,
// c-gomoku-cli, qpiskvork, Yixin-Board), and the Go Text Protocol version 2, draft 2.
package check

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// Status is how a point was met.
type Status string

const (
	Pass    Status = "pass"
	Warn    Status = "warn" // allowed, but it costs with some manager
	Fail    Status = "fail"
	Skipped Status = "skipped"
)

// Result is a point and how it was met.
type Result struct {
	ID      string `json:"id"`
	Require string `json:"require"` // what is required
	Why     string `json:"why"`     // what breaks without it
	Status  Status `json:"status"`
	Reason  string `json:"reason,omitempty"` // why it was not met; of a point that was, what was measured
	Sent    string `json:"sent,omitempty"`   // the last lines of the dialogue
	Came    string `json:"came,omitempty"`
}

// Report is the table of a program.
type Report struct {
	Name     string   `json:"name"` // what it calls itself, "" if it does not
	Command  []string `json:"command"`
	Protocol Protocol `json:"protocol"`
	Games    []string `json:"games"`
	Size     int      `json:"size"`
	Quick    bool     `json:"quick"`
	Results  []Result `json:"results"`
	Passed   int      `json:"passed"`
	Failed   int      `json:"failed"`
	Warned   int      `json:"warned"`
	Skipped  int      `json:"skipped"`
}

// Protocol is what a program speaks.
type Protocol string

const (
	Piskvork Protocol = "piskvork"
	GTP      Protocol = "gtp"
)

// Options say what is asked of a program.
type Options struct {
	Protocol Protocol
	Games    []game.Rule                   // none: Gomocup's four, or Go; the first serves where any game does
	Size     int                           // of the board; 0: 15, or 9 for Go
	Quick    bool                          // leave out what takes long
	Tell     func(done, of int, id string) // progress, before each point

	pace *pace
	only []string // points; nil: all
}

// pace is how long things take. Tests are in a hurry.
type pace struct {
	answer    time.Duration // for an answer that needs no thought: c-gomoku-cli's tolerance
	start     time.Duration // for the OK, where that is not the point: Piskvork's
	slow      time.Duration // for what GTP sets no time for
	quiet     time.Duration // a silence is believed after it
	tolerance time.Duration // beyond a limit, before the judge calls a loss
	turn      time.Duration // of moves whose time is not the point
	suspended time.Duration
	end       time.Duration // between END and the kill: Piskvork's
	turns     [3]time.Duration
	byo       time.Duration // for a move by GTP, in seconds
	match     time.Duration // of a game with itself, for each side
}

var unhurried = pace{
	answer: 3 * time.Second, start: 10 * time.Second, slow: 30 * time.Second, quiet: 250 * time.Millisecond, tolerance: time.Second,
	turn: 500 * time.Millisecond, suspended: 2 * time.Second, end: 700 * time.Millisecond,
	turns: [3]time.Duration{5 * time.Second, time.Second, 300 * time.Millisecond},
	byo:   time.Second,
	match: 40 * time.Second,
}

// point is one thing required.
type point struct {
	id, require, why string
	// run holds the dialogue; what it finds, it tells the talk.
	run func(t *talk)
	// whole is judged over all dialogues, at the end.
	whole bool
	long  bool // left out when quick
}

// checker is one run over the table of a program.
type checker struct {
	Options
	ctx   context.Context
	cmd   *exec.Cmd // a pattern
	known map[string]bool
	// What all dialogues together have shown, each the first time.
	name, stderr, torn, stray string
	strayLine                 bool // stray is text, not an empty line too many
}

// ErrUsage is the error of what cannot be asked.
var ErrUsage = errors.New("check")

// Run asks the program that cmd would run, each point in a process of its own. The error
// is that of a program that cannot be run, of options that make no sense, or ctx's.
func Run(ctx context.Context, cmd *exec.Cmd, o Options) (*Report, error) {
	c := &checker{Options: o, ctx: ctx, cmd: cmd}
	if c.pace == nil {
		p := unhurried
		c.pace = &p
		if c.Quick {
			c.pace.turn, c.pace.match = 200*time.Millisecond, 15*time.Second
		}
	}
	var points []point
	var err error
	switch c.Protocol {
	case Piskvork:
		points, err = c.piskvork()
	case GTP:
		points, err = c.gtp()
	default:
		err = fmt.Errorf("unknown protocol %q", c.Protocol)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if cmd.Err != nil {
		return nil, cmd.Err
	}
	if c.only != nil {
		points = slices.DeleteFunc(points, func(p point) bool { return !slices.Contains(c.only, p.id) })
	}
	r := &Report{Command: cmd.Args, Protocol: c.Protocol, Size: c.Size, Quick: c.Quick}
	for _, g := range c.Games {
		r.Games = append(r.Games, g.String())
	}
	r.Results = make([]Result, len(points))
	done := 0
	for _, whole := range []bool{false, true} { // those over all dialogues last
		for i, p := range points {
			if p.whole != whole {
				continue
			}
			if c.Tell != nil {
				c.Tell(done, len(points), p.id)
			}
			done++
			var err error
			if r.Results[i], err = c.ask(p); err != nil {
				return nil, err
			}
		}
	}
	r.Name = c.name
	for _, x := range r.Results {
		switch x.Status {
		case Pass:
			r.Passed++
		case Warn:
			r.Warned++
		case Fail:
			r.Failed++
		case Skipped:
			r.Skipped++
		}
	}
	return r, nil
}

// ask runs one point.
func (c *checker) ask(p point) (Result, error) {
	r := Result{ID: p.id, Require: p.require, Why: p.why}
	if p.long && c.Quick {
		r.Status, r.Reason = Skipped, "takes long"
		return r, nil
	}
	t := &talk{c: c, eol: "\r\n", variant: game.Variant{Size: c.Size}}
	if len(c.Games) > 0 {
		t.variant = c.variant(c.Games[0], c.Size)
	}
	if c.Protocol == GTP {
		t.eol = "\n"
	}
	if !p.whole {
		if err := t.spawn(); err != nil {
			return r, err
		}
	}
	p.run(t)
	t.close()
	if c.ctx.Err() != nil {
		return r, c.ctx.Err()
	}
	r.Status, r.Reason = t.verdict()
	if r.Status == Fail || r.Status == Warn {
		r.Sent, r.Came = t.sent.String(), t.came.String()
	}
	return r, nil
}

func (c *checker) variant(r game.Rule, size int) game.Variant {
	if r == game.Weiqi {
		// The ko of the Japanese rules is the one that every program keeps.
		v, _ := weiqi.NewVariant(size, "japanese", 0)
		return v
	}
	return game.Variant{Rule: r, Size: size}
}

// settle looks at the games and the size that are asked for.
func (c *checker) settle(games []game.Rule, size, least, most int) error {
	if len(c.Games) == 0 {
		c.Games = games
	}
	if c.Size == 0 {
		c.Size = size
	}
	if c.Size < least || c.Size > most {
		return fmt.Errorf("boards of %d to %d can be checked, not of %d", least, most, c.Size)
	}
	for _, g := range c.Games {
		if _, err := engine.Referee(c.variant(g, c.Size)); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) plays(r game.Rule) bool { return slices.Contains(c.Games, r) }

// runnable says why a file cannot be run on this system, nil if it seems it can.
func runnable(head []byte, name string) error {
	if strings.HasPrefix(string(head), "MZ") && runtime.GOOS != "windows" {
		return fmt.Errorf("%s is a program for Windows, which %s cannot run: check it on Windows, or give a command that runs it there", name, runtime.GOOS)
	}
	return nil
}
