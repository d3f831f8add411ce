package alphabeta

import (
	"context"
	"testing"
	"time"

	"tengen/engine/game"
	"tengen/tt"
)

// What the counters say adds up, for one thread and for two, with and without the caches.
func TestCounters(t *testing.T) {
	rec := played(t, "F6", "H8", "J6", "J5", "K7", "G7", "H10", "I5")
	for _, c := range []struct {
		threads int
		lim     game.Limits
		caches  bool
	}{
		{1, game.Limits{Nodes: 30_000}, false},
		{1, game.Limits{Nodes: 30_000, Caches: true}, true},
		{1, game.Limits{Depth: 7}, true},
		{2, game.Limits{Depth: 7}, true},
	} {
		e := New(game.Options{Threads: c.threads, Memory: 100 << 20})
		choice, err := e.Think(context.Background(), rec, c.lim, nil)
		if err != nil {
			t.Fatal(err)
		}
		n := e.Counters()
		if c.threads == 1 && n.Nodes != choice.Info.Nodes || n.Nodes < choice.Info.Nodes {
			t.Errorf("%+v: %d nodes, but the choice says %d", c, n.Nodes, choice.Info.Nodes)
		}
		if n.Probes == 0 || n.Hits == 0 || n.Hits > n.Probes || n.Probes > n.Nodes-n.ThreatNodes || n.Evaluations == 0 || n.Evaluations > n.Probes {
			t.Errorf("%+v: %+v", c, n)
		}
		if n.ThreatSearches == 0 || n.ThreatWins > n.ThreatSearches || n.ThreatNodes < n.ThreatWins || n.ThreatTime <= 0 {
			t.Errorf("%+v: %+v", c, n)
		}
		if used := n.DeepProbes+n.ProofProbes+n.Written > 0; used && !c.caches || n.Dropped > n.Written || n.ProofHits > n.ProofProbes {
			t.Errorf("%+v: %+v", c, n)
		}
	}
}

// An entry that the array has lost is found in the second tier, and counted.
func TestCountersOfTheSecondTier(t *testing.T) {
	rec := played(t, "F6", "H8", "J6", "J5", "K7", "G7", "H10", "I5")
	e := New(game.Options{Memory: 100 << 20})
	if _, err := e.Think(context.Background(), rec, game.Limits{Nodes: 100, Caches: true}, nil); err != nil {
		t.Fatal(err)
	}
	w := e.workers[0]
	w.stop.Store(false)
	known := tt.Entry{Move: tt.NoMove, Value: 123, Depth: deepDepth, Bound: tt.Exact}
	w.writer.Add(w.p.Key(), w.check(), known)
	w.writer.Flush()
	v := 0
	for range 2000 { // the cache applies what is written a little later
		w.table.Clear()
		before := w.count
		w.limit.nodes = w.nodes + 200
		v = w.search(0, 1, deepDepth, 1, true)
		w.stop.Store(false)
		if w.count.DeepHits > before.DeepHits {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if n := e.Counters(); v != 123 || n.DeepHits != 1 || n.DeepProbes < n.DeepHits || n.Written == 0 {
		t.Errorf("value %d, %+v", v, n)
	}
}

// played returns a game of freestyle on 15x15.
func played(t *testing.T, moves ...string) *game.Record {
	t.Helper()
	rec := &game.Record{Variant: game.Variant{Rule: game.Freestyle, Size: 15}}
	for _, m := range moves {
		q, err := game.ParseName(m, 15)
		if err != nil {
			t.Fatal(err)
		}
		rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: q})
	}
	return rec
}

// Forget drops what the threat searches know as well: the work is the same again.
func TestForgetThreats(t *testing.T) {
	rec := played(t, "F6", "H8", "J6", "J5", "K7", "G7", "H10", "I5")
	e := New(game.Options{Memory: 100 << 20})
	work := func() int64 {
		if _, err := e.Think(context.Background(), rec, game.Limits{Depth: 6}, nil); err != nil {
			t.Fatal(err)
		}
		return e.Counters().ThreatNodes
	}
	first := work()
	e.Forget()
	// The caches, which are used without a limit of nodes, are not quite the same each time.
	if again := work(); again < first*9/10 || again > first*11/10 {
		t.Errorf("%d nodes, then %d", first, again)
	}
}
