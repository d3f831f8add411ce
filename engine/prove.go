package engine

import (
	"sync"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/engine/threat"
)

var provers = sync.Pool{New: func() any { return threat.NewVCF(0) }}

// ProvenWin reports whether the side to move at the end of rec has a win by fours that a
// search of so many nodes proves. Go knows none, nor does a record that is no position.
func ProvenWin(rec *game.Record, nodes int64) bool {
	if rec.Variant.Rule == game.Weiqi {
		return false
	}
	g, err := line.Replay(rec)
	if err != nil || g.Result().Outcome != game.Open {
		return false
	}
	v := provers.Get().(*threat.VCF)
	defer provers.Put(v)
	v.Clear() // the same answer whatever was asked before
	return v.Solve(g.Position(), nodes, nil).Status == threat.Win
}
