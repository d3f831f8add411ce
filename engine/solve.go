package engine

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/engine/threat"
)

// Forced says how a win is forced, or that none was found.
type Forced uint8

const (
	NotKnown Forced = iota // a limit was hit first
	NoWin                  // no win of the kind that was looked for
	ByFours                // VCF: every move but the last makes a four
	ByThrees               // VCT: fours, and moves that threaten to win by fours
)

func (f Forced) String() string { return [...]string{"UNKNOWN", "NONE", "VCF", "VCT"}[f&3] }

// Kinds is what a Solver looks for.
type Kinds uint8

const (
	Fours  Kinds = 1 << iota // wins by fours
	Threes                   // wins by fours and threes
)

// ParseKinds reads "vcf", "vct" or "both".
func ParseKinds(s string) (Kinds, error) {
	switch strings.ToLower(s) {
	case "vcf":
		return Fours, nil
	case "vct":
		return Threes, nil
	case "both":
		return Fours | Threes, nil
	}
	return 0, fmt.Errorf("unknown mode %q (vcf, vct or both)", s)
}

// Solution is what a search for a forced win found.
type Solution struct {
	Result Forced
	Move   game.Point   // the first move of a win, else NoPoint
	Line   []game.Point // a longest line of the proof
	Nodes  int64
	Proof  string // what CheckProof reads, of a win
}

// Solver looks for forced wins in line games. One goroutine at a time may call its methods.
type Solver struct {
	fours  *threat.VCF
	threes *threat.VCT
	judge  *threat.VCF
	game   *line.Referee // of the last position, nil if there is none
}

// NewSolver returns a solver whose tables have about so many bytes, 0 for a few dozen MB.
func NewSolver(memory int64) *Solver {
	memory = min(max(memory, 0), math.MaxInt32)
	return &Solver{fours: threat.NewVCF(int(memory) / 16), threes: threat.NewVCT(int(memory)), judge: threat.NewVCF(int(memory) / 32)}
}

const (
	// foursFirst is how many nodes a search for a win by fours alone may take where other
	// wins are looked for too: some ten times what the longest known puzzle needs.
	foursFirst = 1_000_000
	// checkNodes bounds each search of a check.
	checkNodes = 1_000_000
)

// Solve looks for a win of the side to move at the end of rec, with about so many nodes (no
// limit if 0), and gives up soon after stop (which may be nil) is set. Whatever was solved
// before, it finds the same. It returns an error if rec is no position of a line game.
func (s *Solver) Solve(rec *game.Record, kinds Kinds, nodes int64, stop *atomic.Bool) (Solution, error) {
	none := Solution{Result: NoWin, Move: game.NoPoint}
	g, err := s.replay(rec)
	if err != nil || g.Result().Outcome != game.Open || threat.Decided(g.Position()) {
		return none, err
	}
	if nodes <= 0 {
		nodes = math.MaxInt64
	}
	unsure := false
	if kinds&Fours != 0 {
		limit := nodes
		if kinds&Threes != 0 {
			limit = min(limit, foursFirst)
		}
		s.fours.Clear()
		r := s.fours.Solve(g.Position(), limit, stop)
		none.Nodes = r.Nodes
		if r.Status == threat.Win {
			return solution(ByFours, s.fours.Proof(), rec.Variant.Size, r.Nodes), nil
		}
		unsure = r.Status == threat.Unknown
	}
	if kinds&Threes != 0 && none.Nodes < nodes {
		s.threes.Clear()
		r := s.threes.Solve(g, nodes-none.Nodes, stop)
		none.Nodes += r.Nodes
		if r.Status == threat.Win {
			return solution(ByThrees, s.threes.Proof(), rec.Variant.Size, none.Nodes), nil
		}
		unsure = unsure || r.Status == threat.Unknown
	} else if kinds&Threes != 0 {
		unsure = true
	}
	if unsure {
		none.Result = NotKnown
	}
	return none, nil
}

func solution(how Forced, f *threat.Proof, size int, nodes int64) Solution {
	return Solution{how, f.Move(), f.Line(), nodes, f.Text(size)}
}

// CheckProof plays a proof out from the end of rec against every legal reply. If thorough,
// so are the wins by fours that the proof leaves to the reader. It returns a longest line of
// the proof, or an error that says where the proof is none.
func (s *Solver) CheckProof(rec *game.Record, proof string, thorough bool) ([]game.Point, error) {
	g, err := s.replay(rec)
	if err != nil {
		return nil, err
	}
	f, err := threat.ParseProof(proof, rec.Variant.Size)
	if err != nil {
		return nil, err
	}
	s.judge.Clear()
	if err := f.Check(g, s.judge, checkNodes, thorough); err != nil {
		return nil, err
	}
	return f.Line(), nil
}

// replay returns the game at the end of rec. It is good until the next call.
func (s *Solver) replay(rec *game.Record) (*line.Referee, error) {
	switch {
	case rec.Variant.Rule == game.Weiqi:
		return nil, fmt.Errorf("%s has no forced wins by rows", rec.Variant.Rule)
	case s.game != nil && s.game.Record().Variant == rec.Variant:
		return s.game, s.game.Replay(rec)
	}
	g, err := line.Replay(rec)
	if err == nil {
		s.game = g
	}
	return g, err
}
