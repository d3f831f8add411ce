// Package protocol is what the protocols of the field have in common. Our end of a
// conversation is a Session: a game in progress, with its referee, its engine, its clock
// and the search that runs. The other end is a Player, and the faults it may commit.
package protocol

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tengen/engine/game"
	"tengen/openings"
	"tengen/openings/rule"
)

// Player is the other end: a program, or an engine in this process. Only values go in
// and out. One goroutine at a time may call its methods.
//
// Of the limits, Hard is the time one move may take, Left what the clock holds for the
// rest of the game (at Start: for the whole game); zero means without limit, and a clock
// that has run out is a negative Left. Instant asks for a move as fast as possible.
type Player interface {
	// Start begins a game. It may be called again for the next one, and it brings a
	// program that has died or been stopped by a fault back to life.
	Start(ctx context.Context, v game.Variant, lim game.Limits) error
	// Move returns the move for the side to move at the end of rec. Choice.Took is the
	// time a program took, measured on our side, at least 1 ns, and 0 of an engine in
	// this process. It may exceed the limits a little: the caller judges. Choice.Info is
	// what the player itself told last, its time included, and zero but for Last if it
	// told nothing. The error of a move that did not come is a *Fault, or ctx's error.
	Move(ctx context.Context, rec *game.Record, lim game.Limits) (game.Choice, error)
	// Close ends the player, by force if needed. Nothing else may be called after it.
	Close() error
}

// Swapper is a Player that can answer the three phases of Swap2.
type Swapper interface {
	// Swap2 is asked with 0, 3 or 5 stones; see openings.Swap2. The time is as Took.
	Swap2(ctx context.Context, stones []game.Point, lim game.Limits) (openings.Swap2Reply, time.Duration, error)
}

// Opener is a Player that can decide for either side in every opening rule.
type Opener interface {
	// Open is asked when it is its turn in the opening, which it must not change. What there
	// is to draw it draws by the seed. The time is as Took.
	Open(ctx context.Context, o *rule.Opening, lim game.Limits, seed uint64) (rule.Choice, time.Duration, error)
}

// About is how a program introduces itself; fields may be empty.
type About struct{ Name, Version, Author, Country string }

// Introducer is a Player that says who it is.
type Introducer interface{ About() About }

// FaultKind says what a program did wrong.
type FaultKind uint8

const (
	Timeout FaultKind = iota + 1 // no answer in time
	Crash                        // it ended, closed its output or could not be run
	Refused                      // it answered that the command or the position is an error
	Unknown                      // it answered that it does not know the command
	Garbage                      // it answered something that is no answer
	Illegal                      // it answered with a point that is none
	Deaf                         // it does not read its input
)

func (k FaultKind) String() string {
	names := [...]string{"fault", "timeout", "crash", "refused", "unknown command", "garbage", "illegal point", "deaf"}
	if int(k) < len(names) {
		return names[k]
	}
	return names[0]
}

// Fault is the error of a program that broke the protocol or its limits.
type Fault struct {
	Kind    FaultKind
	Command string        // what was asked, in a word
	Line    string        // the answer at fault, if there was one
	Elapsed time.Duration // from the command to the fault
	Exit    string        // how the program ended, if it did
	Stderr  string        // the first and the last it wrote there
	Err     error         // the cause, if the fault has one in the system
}

func (f *Fault) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s after %s", f.Kind, f.Command)
	if f.Elapsed > 0 {
		fmt.Fprintf(&b, " (%d ms)", f.Elapsed.Milliseconds())
	}
	if f.Line != "" {
		fmt.Fprintf(&b, ": %.200q", f.Line)
	}
	if f.Exit != "" {
		fmt.Fprintf(&b, ": %s", f.Exit)
	}
	if f.Err != nil {
		fmt.Fprintf(&b, ": %v", f.Err)
	}
	return b.String()
}

func (f *Fault) Unwrap() error { return f.Err }
