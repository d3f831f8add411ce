package game

import "time"

// Inquiry is what an analysis asks for.
type Inquiry struct {
	// Plays says that the move will be played: it is chosen as if nothing had been asked, and
	// a game that is over or decided is not looked into any further.
	Plays bool
	// First is when, from the beginning of the search, the first analysis is told, Every how long
	// after it each further one. There is always one at the end, and only that if they are 0.
	First, Every time.Duration

	Owners, MoveOwners bool // whose each point will be, now and after each move

	// Temperature flattens the chances that a network gives the first moves, for a wider search,
	// if it is above 1: each is raised to its inverse. 0 means 1.
	Temperature float64
	// Unseen is by how much less than their parent the first moves are thought to be worth that
	// were not looked at, in parts of a win; nil leaves it to the search.
	Unseen *float64
	// Barred holds for each side and point, the pass too, before which ply from the root the side
	// may not go there; the first move is ply 0. nil bars nothing.
	Barred *[2][NumPoints]uint16
}

// Estimate is what a search knows of a move, or of the position itself. All is as the side to
// move at the root sees it, points as well.
type Estimate struct {
	Point    Point // the move; NoPoint of the position
	Visits   int64
	PV       []Point // begins with the move
	PVVisits []int64 // of each of its moves

	Win, NoResult float64 // chances
	Utility       float64 // what the search seeks: 1 for all, -1 for nothing
	// Lead is by how many points the side leads, Score with how many it will win; without a
	// network they are the same. ScoreDev is the standard deviation of that.
	Lead, Score, ScoreDev float64
	// WinLow and UtilityLow are the lower ends of intervals of confidence, and may lie far outside
	// of what they bound where little is known.
	WinLow, UtilityLow float64
	Prior              float64 // the chance to be the best that the move was given at first
	// Owner says whose each point will be, row by row from the top left: 1 the side's, -1 the
	// other's; OwnerDev is the standard deviation of that. nil if not asked for.
	Owner, OwnerDev []float32
}

// Impression is what a network says of a position before any search, as the side to move sees
// it. Errors and TimeLeft are negative where a network does not say.
type Impression struct {
	Win, NoResult         float64
	Lead, Score, ScoreDev float64
	WinError, ScoreError  float64 // by how much they are wrong as a rule
	TimeLeft              float64 // for how long the game stays open
}

// Analysis is what a search of Go knows of a position.
type Analysis struct {
	Side  Color // to move
	Root  Estimate
	Moves []Estimate // those that were looked at, the best one first
	// Policy holds the chance of each point to be the best move, row by row from the top left,
	// then that of the pass, before any search; -1 where the side may not play.
	Policy []float32
	Net    *Impression // nil without a network
}
