package game

import (
	"fmt"
	"time"
)

// Win is the value of a game already won. A win n plies away is worth Win-n, a loss
// n plies away n-Win; values of undecided positions stay within +-MaxValue.
const (
	Win      = 30000
	MaxPly   = 1000 // no win is further away than this
	MaxValue = Win - MaxPly - 1
)

// PliesToWin returns how many plies away the win (positive) or loss (negative) is that
// the value v announces, and whether it announces one.
func PliesToWin(v int) (int, bool) {
	switch {
	case v > MaxValue:
		return Win - v, true
	case v < -MaxValue:
		return -(Win + v), true
	}
	return 0, false
}

// Options are the settings of an engine that outlive a single search.
type Options struct {
	Threads int   // search threads; 0 means 1
	Memory  int64 // bytes the whole process may use
	// Net is a file with the network of a line game, to be played with instead of the
	// program's own; games that it is not for go on with that. NoNet plays them all by
	// their tables alone.
	Net string
}

// NoNet as Options.Net is no network.
const NoNet = "off"

// Limits bound one search. Zero fields do not limit.
type Limits struct {
	Start time.Time     // when the command to think was read; the zero time means now
	Soft  time.Duration // after this no new work is begun that is unlikely to finish
	Hard  time.Duration // by this the choice must have been returned
	// Left is what the mover's clock holds for the rest of the game, this move included.
	// It does not bound a search; it is what a program at the other end is told.
	Left  time.Duration
	Nodes int64
	Depth int
	// Instant asks for the best choice that needs no search tree: a win, a forced
	// block, else the most promising point.
	Instant bool
	MultiPV int // number of best lines told; 0 and 1 mean one
	// Caches lets a search with a limit of nodes use what outlives it, though it then does
	// not do the same each time.
	Caches bool
	Avoid  []Point // points not to be chosen at the root while others exist
	// Leaf, if there, is told of each position in the tree of a line game that is evaluated
	// by its first thread: the moves that lead to it, good until Leaf returns. Others pass it over.
	Leaf func(moves []Point)
	// Inquiry, if there, asks a search of Go for an Analysis beside its lines. Others pass it
	// over.
	Inquiry *Inquiry
}

// Info is what a running search tells about its progress.
type Info struct {
	MultiPV  int // which line this is, from 1
	Depth    int
	SelDepth int
	Value    int // for the side to move, see Win
	Nodes    int64
	Time     time.Duration
	PV       []Point
	Last     bool // told once, when the search has ended
	// Analysis comes with the first line where Limits.Inquiry asked for it.
	Analysis *Analysis
}

// Counters say what a search did, all its threads together. What a game or a search does
// not have stays zero.
type Counters struct {
	Nodes       int64 // positions looked at, those of the threat search among them
	Evaluations int64 // in full
	Rough       int64 // and those where the table alone was enough

	Probes, Hits           int64 // of the first tier of the transposition table
	DeepProbes, DeepHits   int64 // of its second: entries that were dear to find
	ProofProbes, ProofHits int64 // and outcomes of threat searches
	Written, Dropped       int64 // entries for the second tier and, of them, those it had no time for

	ThreatSearches, ThreatWins, ThreatNodes int64
	// ThreatTime is what the threat searches took, estimated from some of them.
	ThreatTime time.Duration
}

// Add adds what another search, or another thread, did.
func (c *Counters) Add(d *Counters) {
	c.Nodes += d.Nodes
	c.Evaluations += d.Evaluations
	c.Rough += d.Rough
	c.Probes += d.Probes
	c.Hits += d.Hits
	c.DeepProbes += d.DeepProbes
	c.DeepHits += d.DeepHits
	c.ProofProbes += d.ProofProbes
	c.ProofHits += d.ProofHits
	c.Written += d.Written
	c.Dropped += d.Dropped
	c.ThreatSearches += d.ThreatSearches
	c.ThreatWins += d.ThreatWins
	c.ThreatNodes += d.ThreatNodes
	c.ThreatTime += d.ThreatTime
}

// ValueString writes a value as programs of this field do: "35", "+M7", "-M4".
func ValueString(v int) string {
	if n, ok := PliesToWin(v); ok {
		if n >= 0 && v > 0 {
			return fmt.Sprintf("+M%d", n)
		}
		return fmt.Sprintf("-M%d", -n)
	}
	return fmt.Sprintf("%d", v)
}

// Choice is what a search decided.
type Choice struct {
	Point  Point
	Resign bool
	Info   Info // the search's last word on the chosen move, as it reported it
	// Took is the time from when the command had been written to when the answer was
	// read, as measured by the manager of a program; 0 when nobody measured.
	Took time.Duration
}
