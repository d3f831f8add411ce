package alphabeta

import (
	"context"
	"slices"
	"testing"
	"time"

	"tengen/engine/game"
)

// BenchmarkSecondTier searches the same positions with the caches behind the table and
// without them, in turn, and reports the ratio of their speeds in nodes/s (the median of
// the pairs; the caches should cost at most a twentieth) and the share of nodes that are
// written to the cache of deep entries, in per cent.
func BenchmarkSecondTier(b *testing.B) {
	var recs []*game.Record
	for _, moves := range [][]string{
		{"H8", "I9", "I7", "G9", "J8"},
		{"F6", "H8", "J6", "J5", "K7", "G7", "H10", "I5"},
		{"K6", "L6", "L5", "J4", "H6", "I4", "G5"},
	} {
		rec := &game.Record{Variant: game.Variant{Rule: game.Freestyle, Size: 15}}
		for _, m := range moves {
			q, err := game.ParseName(m, 15)
			if err != nil {
				b.Fatal(err)
			}
			rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: q})
		}
		recs = append(recs, rec)
	}
	e := New(game.Options{Memory: 350 << 20})
	defer e.tables.Close()
	var written, nodes int64
	speed := func(rec *game.Record, tiers bool) float64 {
		e.Forget() // what is known already is looked up faster than any search
		e.oneTier = !tiers
		c, err := e.Think(context.Background(), rec, game.Limits{Soft: 400 * time.Millisecond, Hard: 400 * time.Millisecond}, nil)
		if err != nil {
			b.Fatal(err)
		}
		if tiers {
			written += e.workers[0].writer.Added
			nodes += c.Info.Nodes
		}
		return float64(c.Info.Nodes) / c.Info.Time.Seconds()
	}
	var ratios []float64
	first := true // which of a pair goes first changes
	for b.Loop() {
		for _, rec := range recs {
			a, b := speed(rec, first), speed(rec, !first)
			if !first {
				a, b = b, a
			}
			ratios = append(ratios, a/b)
			first = !first
		}
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "with/without")
	b.ReportMetric(100*float64(written)/float64(nodes), "%written")
}
