package piskvork

import (
	"fmt"
	"math"
	"strings"
	"time"

	"tengen/engine/game"
)

// report writes what searches tell in the forms that clients read. What a client did not
// ask for by INFO show_detail it does not get, but for one MESSAGE with each move: others
// might take it for the move.
type report struct {
	asked  bool  // show_detail was told
	detail int64 // its value
	size   int   // of the board

	lines   []told // the last word on each line
	shown   bool
	shownAt time.Duration
	best    game.Point // as last shown
}

type told struct {
	game.Info
	fresh bool // not shown yet
}

const (
	realtime = 1 // bits of show_detail
	details  = 2

	pause   = 100 * time.Millisecond // between two reports on the same best move
	longest = 20                     // points told of a line
)

// begin forgets the search before.
func (rp *report) begin(lines, size int) {
	rp.size = size
	rp.lines = make([]told, lines)
	rp.shown, rp.shownAt, rp.best = false, 0, game.NoPoint
}

// take notes one information.
func (rp *report) take(i game.Info) {
	if k := max(i.MultiPV, 1) - 1; k < len(rp.lines) {
		rp.lines[k] = told{i, true}
	}
}

// due returns what is to be written after an information was taken. The pause between
// two reports is measured in the search's own time.
func (rp *report) due(i game.Info) []string {
	n := len(rp.lines)
	if n == 0 || max(i.MultiPV, 1) < n { // wait for the last line
		return nil
	}
	if rp.shown && first(rp.lines[0].PV) == rp.best && i.Time < rp.shownAt+pause {
		return nil
	}
	return rp.rest()
}

// rest returns what was not written yet.
func (rp *report) rest() []string {
	var out []string
	if rp.detail == 0 {
		return nil
	}
	for k := range rp.lines {
		i := &rp.lines[k]
		if !i.fresh {
			continue
		}
		i.fresh = false
		rp.shown, rp.shownAt = true, max(rp.shownAt, i.Time)
		if rp.detail&details != 0 {
			out = append(out, rp.pv(k)...)
		}
		if len(rp.lines) > 1 {
			out = append(out, fmt.Sprintf("MESSAGE (%d) %s | %s%s", k+1,
				game.ValueString(i.Value), depth(i.Info), rp.names(" | ", i.PV)))
		}
		if k > 0 {
			continue
		}
		if q := first(i.PV); rp.detail&realtime != 0 && q != rp.best && q.On(rp.size) {
			out = append(out, "MESSAGE REALTIME REFRESH", "MESSAGE REALTIME BEST "+text(q))
			rp.best = q
		}
		out = append(out, fmt.Sprintf("MESSAGE Depth %s | Eval %s | Time %dms%s",
			depth(i.Info), game.ValueString(i.Value), i.Time.Milliseconds(), rp.names(" | ", i.PV)))
	}
	return out
}

// pv returns one line of a search as Gomocalc and the newer Yixin-Board read it.
func (rp *report) pv(k int) []string {
	i := &rp.lines[k]
	var nodes int64
	for _, l := range rp.lines {
		nodes = max(nodes, l.Nodes)
	}
	out := []string{
		fmt.Sprintf("INFO PV %d", k),
		fmt.Sprintf("INFO NUMPV %d", len(rp.lines)),
		fmt.Sprintf("INFO DEPTH %d", i.Depth),
		fmt.Sprintf("INFO SELDEPTH %d", i.SelDepth),
		fmt.Sprintf("INFO NODES %d", i.Nodes),
		fmt.Sprintf("INFO TOTALNODES %d", nodes),
		fmt.Sprintf("INFO TOTALTIME %d", i.Time.Milliseconds()),
		fmt.Sprintf("INFO SPEED %d", perSecond(i.Nodes, i.Time)),
		"INFO EVAL " + game.ValueString(i.Value),
		fmt.Sprintf("INFO WINRATE %.4f", winRate(i.Value)),
	}
	if len(i.PV) > 0 {
		out = append(out, "INFO BESTLINE "+texts(i.PV[:min(len(i.PV), longest)]))
	}
	return append(out, "INFO PV DONE")
}

// summary returns the last word on a move: for clients that asked for details, and for
// managers that asked for nothing, in the form of this field's logs.
func (rp *report) summary(i game.Info, elapsed time.Duration) []string {
	if i.Depth == 0 && i.Nodes == 0 && len(rp.lines) > 0 {
		i = rp.lines[0].Info
	}
	i.Time = max(i.Time, 0)
	if i.Time == 0 {
		i.Time = elapsed
	}
	speed := perSecond(i.Nodes, i.Time)
	switch {
	case rp.detail != 0:
		return []string{fmt.Sprintf("MESSAGE Speed %d | Depth %s | Eval %s | Node %d | Time %dms",
			speed, depth(i), game.ValueString(i.Value), i.Nodes, i.Time.Milliseconds())}
	case !rp.asked && (i.Depth > 0 || i.Nodes > 0):
		return []string{fmt.Sprintf("MESSAGE depth %s ev %s n %d n/ms %d tm %d%s",
			depth(i), game.ValueString(i.Value), i.Nodes, speed/1000, i.Time.Milliseconds(), rp.names(" pv ", i.PV))}
	}
	return nil
}

func first(pv []game.Point) game.Point {
	if len(pv) == 0 {
		return game.NoPoint
	}
	return pv[0]
}

func depth(i game.Info) string { return fmt.Sprintf("%d-%d", i.Depth, max(i.SelDepth, i.Depth)) }

func perSecond(nodes int64, t time.Duration) int64 {
	return int64(float64(nodes) / max(t.Seconds(), 0.001))
}

// names returns a line in letters, after a separator if there is one.
func (rp *report) names(sep string, pv []game.Point) string {
	if len(pv) == 0 {
		return ""
	}
	var names []string
	for _, q := range pv[:min(len(pv), longest)] {
		names = append(names, q.Name(rp.size))
	}
	return sep + strings.Join(names, " ")
}

// winRate is a value between 0 and 1 for clients that want one. Its scale is a choice,
// not a measurement.
func winRate(v int) float64 { return 1 / (1 + math.Exp(-float64(v)/200)) }
