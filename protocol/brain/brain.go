// Package brain is the process around the piskvork server: what a program must do with
// its streams, signals, threads and memory to be a good guest of a manager.
package brain

import (
	"context"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
	"tengen/openings/book"
	"tengen/protocol"
	"tengen/protocol/piskvork"
	"tengen/tt"
)

// Main speaks the piskvork protocol on stdin and stdout until told to end, until stdin
// ends or a signal comes. It does not return.
func Main() {
	silence()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		<-stop
		os.Exit(0) // whatever a search or a blocked write does
	}()
	debug.SetGCPercent(400)
	piskvork.Serve(context.Background(), protocol.NewSession(maker()), os.Stdin, os.Stdout)
	os.Exit(0)
}

func maker() protocol.Maker {
	return protocol.Maker{
		Referee: engine.Replay,
		Engine:  engine.New,
		Swap2:   swap2,
		Book:    book.NewLibrary(rand.Uint64()),
		Tune:    Tune,
	}
}

// swap2 draws other openings in each process, lest they be prepared for.
func swap2(ctx context.Context, e engine.Engine, v game.Variant, stones []game.Point, lim game.Limits) (openings.Swap2Reply, error) {
	return openings.Swap2(ctx, e, v, stones, lim, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
}

// Tune suits the process to the engine's options.
//
// When every P runs a search, the reader of stdin and the timers wait for the 10 ms
// preemption tick: so two more than the search has threads. And the garbage of a game is
// small, so it is collected seldom, but never beyond what the manager allows.
func Tune(o engine.Options) {
	if n := max(o.Threads, 1) + 2; n != runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(n)
	}
	debug.SetMemoryLimit(tt.GoLimit(o.Memory))
}
