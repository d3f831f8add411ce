package protocol

import (
	"time"

	"tengen/engine/game"
)

// Clock turns what a manager tells about time into the limits of one search. Nothing in
// it is a moment: a program may be suspended for minutes between two moves, so a
// deadline is made for each search from the time its command was read, and forgotten.
//
// The zero Clock was told nothing. All times told are in milliseconds.
type Clock struct {
	Threads int   // search threads: each may delay the answer a little
	Nodes   int64 // limit of one search, 0 for none
	Depth   int   // likewise
	// Full is how many stones lie on the board when a game usually ends, zero for the
	// line games, which end early.
	Full int
	// Late is how much later than they should answers came lately, see Missed.
	Late time.Duration

	turn, match, left, increment time.Duration
	period                       time.Duration
	toldTurn, toldLeft           bool
	spent                        time.Duration // since left was told, or the game began
}

const (
	// Never is a manager's word for a time without limit.
	Never = 1<<31 - 1

	// What is at least this long is meant as unlimited too: Yixin-Board writes
	// 100,000,000 for a game, counts down from there, and 2,000,000 for a move.
	endlessGame = 90_000_000 * time.Millisecond
	endlessTurn = 2_000_000 * time.Millisecond

	defaultTurn  = 30 * time.Second      // when a manager says nothing at all
	lag          = 30 * time.Millisecond // between our answer and the manager's clock
	lagPerThread = time.Millisecond
	tiny         = 10 * time.Millisecond // no search is worth beginning
	mostLate     = time.Second           // more is a machine that slept

	// An instant answer has no deadline of its own; a manager forgives about a second.
	instantNet = 500 * time.Millisecond

	maxDepth = 200 // a limit above is none
)

// DepthLimit reads a limit of depth; -1 and more than any search reaches mean none.
func DepthLimit(n int64) int {
	if n <= 0 || n > maxDepth {
		return 0
	}
	return int(n)
}

// NodeLimit reads a limit of nodes; -1 and the largest numbers mean none.
func NodeLimit(n int64) int64 {
	if n <= 0 || n >= 1<<53 {
		return 0
	}
	return n
}

// StrengthNodes is the nodes of a search at a strength: 64 at 0, twice as many every eight
// steps, without limit (0) from 100 on. How much that is in playing strength is not measured.
func StrengthNodes(s int64) int64 {
	if s >= 100 {
		return 0
	}
	return 64 << (max(s, 0) / 8)
}

// SetTurn tells the time of one move. Zero (or less) asks for an answer as fast as possible.
func (c *Clock) SetTurn(ms int64) { c.turn, c.toldTurn = millis(max(ms, 0)), true }

// SetMatch tells the time of the whole game, zero for none.
func (c *Clock) SetMatch(ms int64) {
	c.match, c.toldLeft, c.spent = millis(max(ms, 0)), false, 0
}

// SetLeft tells what remains of the game's time. It may be negative.
func (c *Clock) SetLeft(ms int64) { c.left, c.toldLeft, c.spent = millis(ms), true, 0 }

// SetIncrement tells what each move adds to the game's time.
func (c *Clock) SetIncrement(ms int64) { c.increment = millis(max(ms, 0)) }

// SetPeriod tells what each move may take when nothing is left of the game's time
// (byo-yomi), zero if that is the end.
func (c *Clock) SetPeriod(ms int64) { c.period = millis(max(ms, 0)) }

// Spend tells how long a search of ours took, for managers that do not say what is left.
func (c *Clock) Spend(d time.Duration) { c.spent += d - min(d, c.increment) }

// Missed tells by how much an answer came after the hard limit of its search, 0 if it did not.
// What is within the margin is forgiven. A process that waits for its turn so long on a busy
// machine will do so again: later searches end earlier, half as much with each that does not.
func (c *Clock) Missed(d time.Duration) { c.Late = max(min(d-overrun, mostLate), c.Late/2) }

// margin is what must be left of so much time for a move.
func (c *Clock) margin(of time.Duration) time.Duration {
	return max(lag+time.Duration(max(c.Threads, 1))*lagPerThread, of*3/200) + c.waits(of)
}

// waits is how much of so much time a busy machine may take. What was missed counts twice, since a
// command may be read as late as an answer is given, but most of the time is left.
func (c *Clock) waits(of time.Duration) time.Duration { return min(2*c.Late, max(of, 0)/4) }

// NewGame begins to count anew. The times told stay: they come before and after START.
func (c *Clock) NewGame() {
	if !c.toldLeft {
		c.spent = 0
	}
}

func millis(ms int64) time.Duration {
	const most = 1 << 40 // beyond it the product could overflow
	return time.Duration(min(max(ms, -most), most)) * time.Millisecond
}

// remaining returns what is left for the game, and whether there is a limit at all.
func (c *Clock) remaining() (time.Duration, bool) {
	switch {
	case c.toldLeft && (c.left >= Never*time.Millisecond || c.left >= endlessGame):
		return 0, false
	case c.toldLeft:
		return c.left - c.spent, true
	case c.match > 0 && c.match < endlessGame:
		return c.match - c.spent, true
	}
	return 0, false
}

// Limits returns the limits of a search whose command was read at start, with so many
// stones on a board.
//
// The search of a move may take the turn's time less a margin. Of the game's time it gets
// an equal share of what remains, for the moves that may be expected, and two and a half
// shares at most; where the share covers the whole turn, all of the turn is used. A move
// is never given less than the period that it has when the game's time is used up.
func (c *Clock) Limits(start time.Time, stones int) game.Limits {
	lim := game.Limits{Start: start, Nodes: c.Nodes, Depth: c.Depth}

	turn, limited := c.turn, c.toldTurn && c.turn < endlessTurn
	left, counted := c.remaining()
	if !c.toldTurn && !counted && c.Nodes == 0 && c.Depth == 0 {
		turn, limited = defaultTurn, true
	}
	if !limited && !counted {
		return lim // nodes, depth or a word of the manager end it
	}

	longest := endlessTurn
	if limited {
		longest = turn - c.margin(turn)
	}
	share, hard, least := longest, longest, time.Duration(0)
	if counted {
		usable := left - c.margin(0) - c.waits(left) - min(max(left, 0)/20, time.Second)
		moves := time.Duration(max(10, 25-stones/4))
		if c.Full > 0 {
			moves = time.Duration(max(10, (c.Full-stones)/2))
		}
		share = min(longest, usable/moves+c.increment*3/4)
		hard = min(longest, share*5/2, usable/2)
		if c.period > 0 {
			least = min(longest, c.period-c.margin(c.period))
			share, hard = max(share, least), max(hard, least)
		}
	}
	if hard < tiny {
		lim.Instant, lim.Hard = true, instantNet
		return lim
	}
	// Time that a move cannot leave to another is used up.
	lim.Soft, lim.Hard = hard, hard
	switch {
	case share == least: // a period's
		lim.Soft = min(share, hard)
	case share < longest:
		lim.Soft = min(share*4/5, hard)
	}
	return lim
}
