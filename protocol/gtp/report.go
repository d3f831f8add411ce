package gtp

import (
	"fmt"
	"math"
	"strings"

	"tengen/engine/game"
	"tengen/protocol"
)

// dialect is a way to write an analysis.
type dialect uint8

const (
	leela dialect = iota // integers: ten thousandths
	kata                 // fractions
)

// report is what is known of a position: the best lines of its search.
type report struct {
	color game.Color // to move, whose view the values are
	lines []game.Info
	asked bool           // for more than lines, as in Go
	whole *game.Analysis // what was told then, nil if nothing yet
	fresh bool
}

// begin forgets the search before.
func (rp *report) begin(c game.Color, lines int, asked bool) {
	*rp = report{color: c, lines: make([]game.Info, lines), asked: asked}
}

// take notes one information.
func (rp *report) take(i game.Info) {
	if k := max(i.MultiPV, 1) - 1; k < len(rp.lines) && len(i.PV) > 0 {
		rp.lines[k] = i
		rp.fresh = true
	}
	if i.Analysis != nil {
		rp.whole, rp.fresh = i.Analysis, true
	}
}

// best returns the lines that begin with different moves. A line that was told before the
// best one changed may begin as that does.
func (rp *report) best() (lines []game.Info) {
	seen := map[game.Point]bool{}
	for _, i := range rp.lines {
		if len(i.PV) > 0 && !seen[i.PV[0]] {
			seen[i.PV[0]] = true
			lines = append(lines, i)
		}
	}
	return lines
}

// line writes what is new, or nothing. Each line's variation must come last.
func (rp *report) line(d dialect, size int, e extras) string {
	if !rp.fresh || rp.asked && rp.whole == nil { // a bare move has no numbers yet
		return ""
	}
	rp.fresh = false
	if rp.whole != nil {
		return rp.study(d, size, e)
	}
	var b strings.Builder
	visits := int64(math.MaxInt64)
	for k, i := range rp.best() {
		// A search that is no tree of visits tells how much it had done when it knew the
		// line; clients take a line with more visits for a better one.
		visits = min(visits, max(i.Nodes, 1))
		if k > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "info move %s visits %d", Vertex(i.PV[0], size), visits)
		w := winRate(i.Value)
		switch d {
		case leela:
			n := int(math.Round(w * 10000))
			fmt.Fprintf(&b, " winrate %d prior 0 lcb %d", n, n)
		case kata:
			lead := float64(i.Value) / 100
			fmt.Fprintf(&b, " utility %.4f winrate %.6f scoreMean %.2f scoreStdev 0 scoreLead %.2f prior 0 lcb %.6f", 2*w-1, w, lead, lead, w)
		}
		fmt.Fprintf(&b, " order %d pv %s", k, vertices(i.PV, size))
	}
	return b.String()
}

// study writes an analysis of Go, all as the side to move sees it.
func (rp *report) study(d dialect, size int, e extras) string {
	var b strings.Builder
	a := rp.whole
	for k := range a.Moves[:min(len(a.Moves), len(rp.lines))] {
		m := &a.Moves[k]
		if k > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "info move %s visits %d", Vertex(m.Point, size), m.Visits)
		switch d {
		case leela:
			parts := func(x float64) int { return int(math.Round(min(max(x, 0), 1) * 10000)) }
			fmt.Fprintf(&b, " winrate %d prior %d lcb %d", parts(m.Win), parts(m.Prior), parts(m.WinLow))
		case kata:
			fmt.Fprintf(&b, " %s prior %.6f lcb %.6f utilityLcb %.6f weight %d", values(m), m.Prior, m.WinLow, m.UtilityLow, m.Visits)
		}
		fmt.Fprintf(&b, " order %d pv %s", k, vertices(m.PV, size))
		if d != kata {
			continue
		}
		if e.visits {
			b.WriteString(" pvVisits")
			for _, n := range m.PVVisits {
				fmt.Fprintf(&b, " %d", n)
			}
		}
		if e.moveOwners {
			owners(&b, " movesOwnership", m.Owner)
		}
	}
	if d == kata && b.Len() > 0 {
		if e.root {
			fmt.Fprintf(&b, " rootInfo visits %d %s", a.Root.Visits, values(&a.Root))
		}
		if e.owners {
			owners(&b, " ownership", a.Root.Owner)
		}
	}
	return b.String()
}

// values writes what is known of a move and of the position alike.
func values(e *game.Estimate) string {
	return fmt.Sprintf("utility %.6f winrate %.6f scoreMean %.4f scoreStdev %.4f scoreLead %.4f scoreSelfplay %.4f",
		e.Utility, e.Win, e.Lead, e.ScoreDev, e.Lead, e.Score)
}

// owners writes whose each point is likely to be.
func owners(b *strings.Builder, name string, own []float32) {
	b.WriteString(name)
	for _, x := range own {
		fmt.Fprintf(b, " %.3f", x+0) // no negative zero
	}
}

// winRate is a value between 0 and 1. Its scale is a choice, not a measurement.
func winRate(v int) float64 { return 1 / (1 + math.Exp(-float64(v)/200)) }

// explain says in words what was thought of a move.
func (sv *server) explain(a protocol.Answer) string {
	i := a.Choice.Info
	if l := sv.report.best(); len(i.PV) == 0 && len(l) > 0 {
		i = l[0]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "win rate %.1f %%, value %s, depth %d-%d, %d nodes, %d ms", 100*winRate(i.Value),
		game.ValueString(i.Value), i.Depth, max(i.SelDepth, i.Depth), i.Nodes, a.Elapsed.Milliseconds())
	if len(i.PV) > 0 {
		b.WriteString("\npv " + vertices(i.PV, sv.size()))
	}
	if a.Rescued != "" {
		b.WriteString("\nanswered without the engine: " + a.Rescued)
	}
	if a.Note != "" {
		b.WriteString("\n" + a.Note)
	}
	return b.String()
}
