package mcts

import (
	"math"
	"slices"
	"testing"
	"time"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// analyzed returns the last analysis of a search, and all that were told before.
func analyzed(t *testing.T, e *Engine, rec *game.Record, lim game.Limits) (last *game.Analysis, before []*game.Analysis) {
	t.Helper()
	_, err := e.Think(t.Context(), rec, lim, func(i game.Info) {
		switch {
		case i.Analysis == nil:
		case i.Last:
			last = i.Analysis
		default:
			before = append(before, i.Analysis)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if last == nil {
		t.Fatal("no analysis")
	}
	return last, before
}

// checkAnalysis checks what holds of every analysis.
func checkAnalysis(t *testing.T, rec *game.Record, a *game.Analysis, visits int64) {
	t.Helper()
	g, err := weiqi.Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	size := rec.Variant.Size
	if a.Side != rec.ToMove() || a.Root.Visits != visits {
		t.Errorf("%s to move, %d visits", a.Side, a.Root.Visits)
	}
	below, prior := int64(0), 0.0
	for k, m := range a.Moves {
		below += m.Visits
		prior += m.Prior
		if g.Legal(m.Point) != nil || m.Visits <= 0 || k > 0 && m.Visits > a.Moves[k-1].Visits {
			t.Errorf("move %d: %+v", k, m)
		}
		if len(m.PV) != len(m.PVVisits) || m.PV[0] != m.Point || m.PVVisits[0] != m.Visits || !slices.IsSortedFunc(m.PVVisits, func(a, b int64) int { return int(b - a) }) {
			t.Errorf("move %d: variation %v with %v visits", k, m.PV, m.PVVisits)
		}
		for _, e := range []game.Estimate{m, a.Root} {
			if !(e.WinLow < e.Win && e.UtilityLow < e.Utility && e.Win >= 0 && e.Win <= 1 && e.ScoreDev >= 0) {
				t.Errorf("%+v", e)
			}
		}
	}
	if below != visits && below != visits-1 { // a network is asked about the root as well
		t.Errorf("%d visits of moves, %d of the root", below, visits)
	}
	if prior > 1.001 || prior <= 0 {
		t.Errorf("priors add up to %v", prior)
	}
	sum := 0.0
	for i, chance := range a.Policy {
		q := game.Pass
		if i < size*size {
			q = game.At(i%size, i/size)
		}
		if (chance < 0) != (g.Legal(q) != nil) {
			t.Errorf("a chance of %v of %s", chance, q.Name(size))
		}
		sum += max(float64(chance), 0)
	}
	if len(a.Policy) != size*size+1 || a.Net == nil && math.Abs(sum-1) > 0.01 {
		t.Errorf("%d chances that add up to %v", len(a.Policy), sum)
	}
}

// Without a network: whose the points are and by how much, seen by either side.
func TestAnalysis(t *testing.T) {
	for _, side := range []game.Color{game.Black, game.White} {
		for _, rules := range []string{"chinese", "japanese", "tromp-taylor"} {
			e := New(game.Options{Memory: 64 << 20, Threads: 1})
			sign := 1.0
			if side == game.White {
				sign = -1
			}
			lead := 28 - 21 - 3.5 // by area
			if rules == "japanese" {
				lead = 4 - 2 - 3.5 // by territory
			}
			rec := drawn(rules, 3.5, side, settled)
			inquiry := &game.Inquiry{Owners: true, MoveOwners: true}
			a, _ := analyzed(t, e, rec, game.Limits{Nodes: 100, Inquiry: inquiry})
			checkAnalysis(t, rec, a, 100)
			for k, m := range []game.Estimate{a.Root, a.Moves[0]} {
				if math.Abs(sign*m.Lead-lead) > 1 || m.Score != m.Lead || m.ScoreDev > 1 || (m.Win > 0.5) != (sign*lead > 0) {
					t.Errorf("%s, %s, %d: leads by %v +- %v and wins %v", rules, side, k, m.Lead, m.ScoreDev, m.Win)
				}
				if left, right := m.Owner[1], m.Owner[6]; float64(left) != sign || float64(right) != -sign || len(m.Owner) != 49 || m.OwnerDev[1] != 0 {
					t.Errorf("%s, %s, %d: owns %v of the left, %v of the right", rules, side, k, left, right)
				}
			}
			// Who lives in the corner hangs on who plays first.
			rec = drawn(rules, 3.5, side, corner)
			a, _ = analyzed(t, e, rec, game.Limits{Nodes: 600, Inquiry: inquiry})
			checkAnalysis(t, rec, a, 600)
			root, best := float64(a.Root.Owner[1]), float64(a.Moves[0].Owner[1])
			if dev := float64(a.Root.OwnerDev[1]); root < 0 || best < root || best < 0.9 || math.Abs(dev*dev+root*root-1) > 0.01 {
				t.Errorf("%s, %s: owns %v +- %v of the corner, %v after %s", rules, side, root, dev, best, a.Moves[0].Point.Name(7))
			}
			if a.Net != nil {
				t.Error("there is no network")
			}
		}
	}
}

// With a network: all comes from it, and is the mean over the leaves.
func TestAnalysisAsking(t *testing.T) {
	o := &oracle{likes: game.At(2, 2), wins: game.At(6, 6)}
	o.says = func(p *weiqi.Position, v *weiqi.Verdict) {
		black := float32(1)
		if p.Side() == game.White {
			black = -1
		}
		v.Lead, v.Score, v.ScoreSq = 3*black, 4*black, 16+9
		v.Owner[game.At(1, 0)] = black
		v.Owner[game.At(2, 0)] = black * float32(p.Moves()%2) // not at the root
		v.ValueError, v.VarianceTime = 0.25, 7
		v.NoResult = 0.125
	}
	for _, threads := range []int{1, 3} {
		for _, first := range []game.Color{game.Black, game.White} {
			rec := emptyRecord(9)
			rec.Setup.ToMove = first
			e := asking(o, game.Options{Memory: 64 << 20, Threads: threads})
			a, _ := analyzed(t, e, rec, game.Limits{Nodes: 400, Inquiry: &game.Inquiry{Owners: true}})
			checkAnalysis(t, rec, a, 400)
			sign := 1.0
			if first == game.White {
				sign = -1
			}
			r := &a.Root
			if math.Abs(r.Lead-3*sign) > 1e-9 || math.Abs(r.Score-4*sign) > 1e-9 || math.Abs(r.ScoreDev-3) > 1e-6 || math.Abs(r.NoResult-0.125) > 1e-9 {
				t.Errorf("%+v", *r)
			}
			if math.Abs(float64(r.Owner[1])-sign) > 1e-6 || r.OwnerDev[1] > 1e-3 || r.Owner[0] != 0 || a.Moves[0].Owner != nil {
				t.Errorf("owned %v +- %v", r.Owner[1], r.OwnerDev[1])
			}
			if odd := sign * float64(r.Owner[2]); odd < 0.2 || odd > 0.8 || r.OwnerDev[2] < 0.3 {
				t.Errorf("owned %v +- %v at every other ply", odd, r.OwnerDev[2])
			}
			if n := a.Net; n == nil || n.WinError != 0.25 || n.TimeLeft != 7 || n.ScoreDev != 3 || n.Lead != 3*sign || n.Win != 0.5+0.125/2 {
				t.Errorf("%+v", a.Net)
			}
			if a.Moves[0].Point != o.wins || a.Moves[0].Win < 0.8 || a.Policy[2*9+2] != 0.02 {
				t.Errorf("%s wins %v", a.Moves[0].Point.Name(9), a.Moves[0].Win)
			}
		}
	}
}

// What is barred is not looked at before its ply; where all is barred nothing is.
func TestBarred(t *testing.T) {
	corner, centre := game.At(2, 2), game.At(4, 4)
	for _, e := range []*Engine{
		New(game.Options{Memory: 64 << 20}),
		asking(&oracle{likes: corner, wins: centre}, game.Options{Memory: 64 << 20}),
	} {
		barred := new([2][game.NumPoints]uint16)
		barred[game.Black][centre] = 1
		barred[game.White][corner], barred[game.White][centre] = 2, 4
		a, _ := analyzed(t, e, emptyRecord(9), game.Limits{Nodes: 3000, Inquiry: &game.Inquiry{Barred: barred}})
		at := map[game.Point][5]bool{}
		var walk func(n *node, ply int)
		walk = func(n *node, ply int) {
			kids := e.tree.kids(n)
			for i := range kids {
				if p := at[kids[i].point]; ply < len(p) {
					p[ply] = true
					at[kids[i].point] = p
					walk(&kids[i], ply+1)
				}
			}
		}
		walk(&e.tree.root, 0)
		if c := at[centre]; c[0] || c[1] || c[3] || !c[2] || !c[4] {
			t.Errorf("the centre was looked at after %v moves", c)
		}
		if c := at[corner]; !c[0] || c[1] {
			t.Errorf("the corner was looked at after %v moves", c)
		}
		if len(a.Moves) == 0 || a.Moves[0].Point == centre {
			t.Errorf("%v", a.Moves)
		}
		// All but one, and all: there must be a move.
		for q := range board(9) {
			barred[game.Black][q] = 3
		}
		barred[game.Black][game.Pass] = 3
		barred[game.Black][corner] = 0
		if a, _ = analyzed(t, e, emptyRecord(9), game.Limits{Nodes: 100, Inquiry: &game.Inquiry{Barred: barred}}); len(a.Moves) != 1 || a.Moves[0].Point != corner {
			t.Errorf("%v", a.Moves)
		}
		barred[game.Black][corner] = 3
		if a, _ = analyzed(t, e, emptyRecord(9), game.Limits{Nodes: 100, Inquiry: &game.Inquiry{Barred: barred}}); len(a.Moves) != 1 {
			t.Errorf("%v", a.Moves)
		}
	}
}

// A move that will be played is the one that is played without an analysis.
func TestAnalysisPlaysTheSame(t *testing.T) {
	for _, make := range []func() *Engine{
		func() *Engine { return New(game.Options{Memory: 64 << 20}) },
		func() *Engine { return asking(&oracle{wins: game.At(4, 2)}, game.Options{Memory: 64 << 20}) },
	} {
		rec := drawn("chinese", 7.5, game.Black, deadStone)
		plain := think(t, make(), rec, game.Limits{Nodes: 500})
		var c game.Choice
		a, _ := analyzed(t, make(), rec, game.Limits{Nodes: 500, Inquiry: &game.Inquiry{Plays: true, Owners: true}})
		c = think(t, make(), rec, game.Limits{Nodes: 500, Inquiry: &game.Inquiry{Plays: true, Owners: true}})
		if c.Point != plain.Point || c.Info.Value != plain.Info.Value || c.Info.Nodes != plain.Info.Nodes || a.Root.Visits != 500 {
			t.Errorf("%+v, without an analysis %+v", c, plain)
		}
	}
}

// A game that is over is looked into all the same.
func TestAnalysisOfTheEnd(t *testing.T) {
	rec := passed(passed(drawn("tromp-taylor", 7.5, game.Black, deadStone)))
	e := New(game.Options{Memory: 64 << 20})
	a, _ := analyzed(t, e, rec, game.Limits{Nodes: 50, Inquiry: &game.Inquiry{Owners: true}})
	checkAnalysis(t, rec, a, 50)
	full := drawn("new-zealand", 0.5, game.White, `
		XX.X.
		XXXXX
		XXXX.
		.XXXX
		XXX.X`)
	a, _ = analyzed(t, e, full, game.Limits{Nodes: 50, Inquiry: &game.Inquiry{Owners: true}})
	if checkAnalysis(t, full, a, 50); a.Root.Lead != -24.5 || a.Root.Owner[0] != -1 || a.Root.OwnerDev[0] != 0 {
		t.Errorf("%+v", a.Root)
	}
}

// Analyses are told when they are wished for.
func TestAnalysisReports(t *testing.T) {
	e := New(game.Options{Memory: 64 << 20})
	for _, c := range []struct {
		first, every time.Duration
		least, most  int
	}{{0, 0, 0, 0}, {time.Hour, time.Nanosecond, 0, 0}, {time.Nanosecond, 0, 1, 1}, {time.Nanosecond, time.Nanosecond, 6, 7}} {
		last, before := analyzed(t, e, emptyRecord(9), game.Limits{Nodes: 112, Inquiry: &game.Inquiry{First: c.first, Every: c.every}})
		if n := len(before); n < c.least || n > c.most || last.Root.Visits != 112 {
			t.Errorf("%+v: %d analyses before the last of %d visits", c, n, last.Root.Visits)
		}
	}
}

// A wider search flattens the first moves' chances, and looks at more of them.
func TestTempered(t *testing.T) {
	o := &oracle{likes: game.At(2, 2)}
	var most [2]game.Estimate
	for i, temperature := range []float64{0, 4} {
		a, _ := analyzed(t, asking(o, game.Options{Memory: 64 << 20}), emptyRecord(9), game.Limits{Nodes: 60, Inquiry: &game.Inquiry{Temperature: temperature}})
		most[i] = a.Moves[0]
		if a.Policy[2*9+2] != 0.02 {
			t.Errorf("the policy says %v", a.Policy[2*9+2])
		}
	}
	if most[1].Prior > most[0].Prior/2 || most[1].Visits >= most[0].Visits {
		t.Errorf("%+v, then %+v", most[0], most[1])
	}
	for _, worse := range []float64{0, 0.5} {
		a, _ := analyzed(t, asking(o, game.Options{Memory: 64 << 20}), emptyRecord(9), game.Limits{Nodes: 60, Inquiry: &game.Inquiry{Unseen: &worse}})
		if few := len(a.Moves) < 15; few != (worse > 0) {
			t.Errorf("%v worse: %d moves", worse, len(a.Moves))
		}
	}
}
