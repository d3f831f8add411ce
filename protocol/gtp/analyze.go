package gtp

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/engine/game"
	"tengen/protocol"
)

const (
	defaultLines    = 5 // of an analysis
	maxLines        = 50
	defaultInterval = time.Second
	leastInterval   = 10 * time.Millisecond
)

// wish is what an analysis asks for.
type wish struct {
	color    game.Color
	interval time.Duration
	lines    int
	avoid    []game.Point
	extras
}

// extras are what an analysis tells of Go if it is asked for.
type extras struct {
	owners, moveOwners bool // whose the points will be, now and after each move
	visits             bool // those of each move of a variation
	root               bool // what is known of the position itself
}

// wishes reads the arguments of the analysing commands: a colour, an interval, and keys
// with values, all of them optional. Unknown keys are passed over with their value. lines
// is how many there are when nobody asks for a number.
func (sv *server) wishes(args []string, lines int) (w wish, err error) {
	bad := fmt.Errorf("cannot read the arguments %.80q", strings.Join(args, " "))
	w = wish{color: sv.s.Game().ToMove(), interval: defaultInterval, lines: lines}
	if len(args) > 0 {
		if c, err := ParseColor(args[0]); err == nil {
			w.color, args = c, args[1:]
		}
	}
	interval := func(s string) bool {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || !(f >= 0 && f <= 1e9) {
			return false
		}
		if f > 0 {
			w.interval = max(time.Duration(f*float64(10*time.Millisecond)), leastInterval)
		}
		return true
	}
	if len(args) > 0 && interval(args[0]) {
		args = args[1:]
	}
	var only []game.Point
	limited := false
	for len(args) > 0 {
		key := strings.ToLower(args[0])
		if len(args) < 2 {
			return w, bad
		}
		value := args[1]
		args = args[2:]
		switch key {
		case "interval":
			if !interval(value) {
				return w, bad
			}
		case "minmoves", "maxmoves":
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 {
				return w, bad
			}
			if n = min(max(n, 1), maxLines); key == "minmoves" {
				w.lines = max(w.lines, n)
			} else {
				w.lines = n
			}
		case "ownership":
			w.owners = value == "true"
		case "movesownership":
			w.moveOwners = value == "true"
		case "pvvisits":
			w.visits = value == "true"
		case "rootinfo":
			w.root = value == "true"
		case "avoid", "allow": // colour, vertices, depth to which it holds
			if len(args) < 2 {
				return w, bad
			}
			c, err := ParseColor(value)
			if err != nil {
				return w, bad
			}
			var qs []game.Point
			for _, s := range strings.Split(args[0], ",") {
				q, err := ParseVertex(s, sv.size())
				if err != nil {
					return w, bad
				}
				qs = append(qs, q)
			}
			if n, err := strconv.Atoi(args[1]); err != nil || n < 1 {
				return w, bad
			}
			args = args[2:]
			switch {
			case c != w.color: // it would be for the moves after the first
			case key == "avoid":
				w.avoid = append(w.avoid, qs...)
			default:
				only, limited = append(only, qs...), true
			}
		}
	}
	if limited {
		for q := range sv.points() {
			if !slices.Contains(only, q) {
				w.avoid = append(w.avoid, q)
			}
		}
	}
	return w, nil
}

// points runs over the board's points, and the pass where there is one.
func (sv *server) points() func(func(game.Point) bool) {
	size, pass := sv.size(), sv.isGo()
	return func(yield func(game.Point) bool) {
		for y := range size {
			for x := range size {
				if !yield(game.At(x, y)) {
					return
				}
			}
		}
		if pass {
			yield(game.Pass)
		}
	}
}

// begin opens the response of a job that tells what it finds.
func (sv *server) begin(j *job, w wish) {
	j.id, j.color, j.open, j.extras = sv.id, w.color, true, w.extras
	j.ticker = time.NewTicker(w.interval)
	sv.write("=" + sv.id + "\n")
}

// inquiry is what a search of Go is asked for beside its lines.
func (sv *server) inquiry(w wish, plays bool) *game.Inquiry {
	if !sv.isGo() {
		return nil
	}
	q := &game.Inquiry{Plays: plays, First: firstTold, Every: firstTold, Owners: w.owners, MoveOwners: w.moveOwners}
	if w.moveOwners { // a board for each move
		q.Every = w.interval
	}
	return q
}

// firstTold is how soon a search is to tell something, and again and again.
const firstTold = 50 * time.Millisecond

// analyze searches until the next line comes. A game that is over has nothing to tell.
func (sv *server) analyze(args []string, d dialect) (string, error) {
	w, err := sv.wishes(args, defaultLines)
	if err != nil {
		return "", err
	}
	j := &job{analyzes: true, dialect: d}
	sv.begin(j, w)
	if !sv.isGo() && sv.over() {
		sv.job = j
		return "", errLater
	}
	return "", sv.search(j, game.Limits{Start: sv.at, MultiPV: w.lines, Avoid: w.avoid, Inquiry: sv.inquiry(w, false)})
}

// genMoveAnalyze is genmove that tells what it finds. The search of the line games would
// pay for further lines with the strength of its move, a tree of visits has them anyway.
func (sv *server) genMoveAnalyze(args []string, d dialect) (string, error) {
	lines := 1
	if sv.isGo() {
		lines = defaultLines
	}
	w, err := sv.wishes(args, lines)
	if err != nil {
		return "", err
	}
	j := &job{plays: true, dialect: d}
	sv.begin(j, w)
	if !sv.isGo() && sv.over() {
		sv.job = j
		sv.put(w.color, game.Pass)
		sv.done("play pass\n\n")
		return "", errLater
	}
	lim := sv.limits(w.color)
	lim.MultiPV, lim.Avoid, lim.Inquiry = w.lines, w.avoid, sv.inquiry(w, true)
	return "", sv.search(j, lim)
}

// showLines answers a question about the position from what is known of it, or after a
// short search.
func (sv *server) showLines(word func([]game.Info) string) (string, error) {
	if !sv.isGo() && sv.over() {
		return "", errors.New("the game is over")
	}
	color := sv.s.Game().ToMove()
	if known := sv.report.best(); len(known) > 1 && sv.report.color == color {
		return word(known), nil
	}
	j := &job{color: color}
	j.word = func(protocol.Answer) (string, error) { return word(sv.report.best()), nil }
	return "", sv.search(j, game.Limits{Start: sv.at, Soft: time.Second, Hard: time.Second, Nodes: sv.s.Clock.Nodes, MultiPV: 2 * defaultLines})
}
