package bench

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/engine/threat"
)

// puzzles.jsonl has puzzles generated for this project, and those of renju-note/quintet
// (src/mate/solve.rs, MIT).
//
//go:embed puzzles.jsonl
var puzzles []byte

// Puzzle is a position and what is known of its wins by threats.
type Puzzle struct {
	ID    string `json:"id"`
	Rule  string `json:"rule"`
	Size  int    `json:"size"`
	Board string `json:"board"` // rows from the top joined by "/": X Black, O White, . empty, # a dead point
	Side  string `json:"side"`  // "black" or "white" moves
	// Captured is how many stones Black and White have captured.
	Captured *[2]int `json:"captured,omitempty"`
	// Kind is what is to be found: "VCF" a win by continuous fours, "VCT" one by continuous
	// threats; "NO_VCF" is a position without the first.
	Kind     string   `json:"kind"`
	First    []string `json:"first,omitempty"` // moves that begin a win
	Complete bool     `json:"complete,omitempty"`

	record *game.Record
}

// Puzzles returns those of the program.
func Puzzles() ([]Puzzle, error) { return ReadPuzzles(bytes.NewReader(puzzles)) }

// ReadPuzzleFile reads a file of one JSON object a line.
func ReadPuzzleFile(name string) ([]Puzzle, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := ReadPuzzles(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}

// ReadPuzzles reads one JSON object a line. The error names the line.
func ReadPuzzles(r io.Reader) (all []Puzzle, err error) {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for n := 1; s.Scan(); n++ {
		if len(bytes.TrimSpace(s.Bytes())) == 0 {
			continue
		}
		z, err := ReadPuzzle(s.Bytes())
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		all = append(all, z)
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no puzzles")
	}
	return all, nil
}

// ReadPuzzle reads one JSON object. Its kind may be left out.
func ReadPuzzle(text []byte) (z Puzzle, err error) {
	if err = json.Unmarshal(text, &z); err == nil {
		err = z.read()
	}
	return z, err
}

// Record returns a puzzle as a game set up on the board.
func (z *Puzzle) Record() *game.Record { return z.record.Clone() }

// read makes the record of a puzzle.
func (z *Puzzle) read() error {
	rule, err := game.ParseRule(z.Rule)
	if err != nil {
		return err
	}
	rec := &game.Record{Variant: game.Variant{Rule: rule, Size: z.Size}}
	if _, err := line.RulesOf(rec.Variant); err != nil {
		return err
	}
	switch z.Side {
	case "black":
	case "white":
		rec.Setup.ToMove = game.White
	default:
		return fmt.Errorf("side %q is neither black nor white", z.Side)
	}
	rows := strings.Split(z.Board, "/")
	if len(rows) != z.Size {
		return fmt.Errorf("%d rows on a board of size %d", len(rows), z.Size)
	}
	for y, row := range rows {
		if len(row) != z.Size {
			return fmt.Errorf("row %d has %d points on a board of size %d", y+1, len(row), z.Size)
		}
		for x := range len(row) {
			q := game.At(x, y)
			switch row[x] {
			case 'X':
				rec.Setup.Black = append(rec.Setup.Black, q)
			case 'O':
				rec.Setup.White = append(rec.Setup.White, q)
			case '#':
				rec.Setup.Walls = append(rec.Setup.Walls, q)
			case '.':
			default:
				return fmt.Errorf("%q on the board", row[x])
			}
		}
	}
	if z.Captured != nil {
		rec.Setup.Captured = *z.Captured
	}
	if _, err := line.Replay(rec); err != nil {
		return err
	}
	z.record = rec
	return nil
}

// solver looks for the win that a kind of puzzle is about.
type solver interface {
	Clear()
	Solve(g *line.Referee, maxNodes int64, stop *atomic.Bool) threat.Result
}

// fours is the solver of wins by continuous fours.
type fours struct{ *threat.VCF }

func (f fours) Solve(g *line.Referee, maxNodes int64, stop *atomic.Bool) threat.Result {
	return f.VCF.Solve(g.Position(), maxNodes, stop)
}

// solverOf returns the solver of a kind of puzzle, nil if the program has none, and
// whether there is a win to be found.
func solverOf(kind string) (s solver, win bool) {
	switch kind {
	case "VCF":
		return fours{threat.NewVCF(0)}, true
	case "NO_VCF":
		return fours{threat.NewVCF(0)}, false
	case "VCT":
		return threat.NewVCT(0), true
	}
	return nil, true
}

// solvePuzzles solves each puzzle with a solver that remembers nothing. The times are
// those of all puzzles of a kind, solved or not.
func solvePuzzles(ctx context.Context, s *Settings, r *Report) error {
	s.step("puzzles")
	var kinds []string
	for _, z := range s.Puzzles {
		if !slices.Contains(kinds, z.Kind) {
			kinds = append(kinds, z.Kind)
		}
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		solver, win := solverOf(kind)
		if solver == nil {
			r.note("vcf: puzzles of the kind %s are left out, this build has no solver for them", kind)
			continue
		}
		want := threat.None
		if win {
			want = threat.Win
		}
		var took []float64
		var nodes int64
		total, solved, wrong := 0, 0, 0
		for _, z := range s.Puzzles {
			if z.Kind != kind {
				continue
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			total++
			g, err := line.Replay(z.record)
			if err != nil {
				return fmt.Errorf("puzzle %s: %w", z.ID, err)
			}
			solver.Clear()
			start := time.Now()
			x := solver.Solve(g, s.Nodes, nil)
			took = append(took, ms(time.Since(start)))
			nodes += x.Nodes
			switch {
			case x.Status == want && !(win && z.Complete && !slices.Contains(z.First, x.Move.Name(z.Size))):
				solved++
			case x.Status != threat.Unknown:
				wrong++
			}
		}
		r.add("vcf", kind, "puzzles", "", Neither, float64(total))
		r.add("vcf", kind, "solved", "", More, float64(solved))
		r.add("vcf", kind, "wrong", "", Less, float64(wrong))
		r.add("vcf", kind, "median", "ms", Less, Quantile(took, 0.5))
		r.add("vcf", kind, "95th percentile", "ms", Less, Quantile(took, 0.95))
		r.add("vcf", kind, "nodes", "", Neither, float64(nodes))
	}
	return nil
}
