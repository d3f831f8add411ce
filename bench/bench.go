// Package bench measures how fast the engine is and whether it still plays the same.
//
// A run consists of suites, each of which measures one thing (Suites lists them); what they
// find are figures in a Report, with a sample for each repetition, so that two reports can
// be compared with their spread (Compare).
//
// The suite "search" searches fixed positions to a fixed depth with one thread. The sum of
// the nodes is the signature: it does not depend on the machine, so two builds with the
// same signature play alike (the idea is Stockfish's).
package bench

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/engine/weiqi"
)

//go:embed positions.txt
var positions string

// Position is one position of the bench.
type Position struct {
	Record *game.Record
	Moves  string // as written, "H8 I9 ..."
}

// Games returns the games that there are positions of, in the order of the rules.
func Games() []game.Rule {
	return []game.Rule{game.Freestyle, game.Standard, game.Renju, game.Caro, game.CaroSix,
		game.Omok, game.Pente, game.Keryo, game.Weiqi}
}

// Positions returns the fixed positions of a game.
func Positions(r game.Rule) ([]Position, error) {
	var all []Position
	s := bufio.NewScanner(strings.NewReader(positions))
	for n := 1; s.Scan(); n++ {
		f := strings.Fields(s.Text())
		if len(f) < 3 || strings.HasPrefix(f[0], "#") || f[0] != r.String() {
			continue
		}
		size, err := strconv.Atoi(f[1])
		var v game.Variant
		if err == nil {
			v, err = variant(r, size)
		}
		var rec *game.Record
		if err == nil {
			rec, err = Record(v, f[2:])
		}
		if err != nil {
			return nil, fmt.Errorf("positions.txt line %d: %v", n, err)
		}
		all = append(all, Position{rec, strings.Join(f[2:], " ")})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no positions of %v", r)
	}
	return all, nil
}

// variant returns a game as the positions are played. Those of pente come from random
// openings.
func variant(r game.Rule, size int) (game.Variant, error) {
	if r == game.Weiqi {
		return weiqi.NewVariant(size, "", 0)
	}
	return game.Variant{Rule: r, Size: size, FreeOpening: r == game.Pente || r == game.Keryo}, nil
}

// Record reads moves in the letters of the line games (with I, also for Go), Black first.
func Record(v game.Variant, moves []string) (*game.Record, error) {
	rec := &game.Record{Variant: v}
	for _, m := range moves {
		q, err := game.ParseName(m, v.Size)
		if err != nil {
			return nil, err
		}
		rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: q})
	}
	_, err := engine.Replay(rec)
	return rec, err
}

// Settings say what to measure. Zero fields have the defaults named here.
type Settings struct {
	Games   []game.Rule   // all
	Limits  game.Limits   // of each search of the suite "search"; those of the signature
	Threads int           // of a search; 1. The suite "threads" goes up to it, or to the number of processors
	Memory  int64         // bytes the process may use; that of the signature
	Repeat  int           // samples of each figure; 1
	Time    time.Duration // that one small figure is measured for; 100 ms
	Moves   int           // timed moves of each game in the suite "deadline"; 50
	Clock   time.Duration // of each; 20 ms
	Puzzles []Puzzle      // those of the program
	Nodes   int64         // of the search for a puzzle's solution; 1,000,000

	// Tune, if there, suits the process to an engine's options.
	Tune func(engine.Options)
	// Progress, if there, is told what is being done, and how much of it all is done.
	Progress func(what string, done, total int)

	done, total             int // of what Progress tells
	lineEngine, weiqiEngine *shared
}

const (
	defaultTime  = 100 * time.Millisecond
	defaultMoves = 50
	defaultClock = 20 * time.Millisecond
	defaultNodes = 1_000_000
)

func (s *Settings) setDefaults() (err error) {
	if len(s.Games) == 0 {
		s.Games = Games()
	}
	set := func(n *int64, v int64) {
		if *n <= 0 {
			*n = v
		}
	}
	set(&s.Memory, signatureMemory)
	set((*int64)(&s.Time), int64(defaultTime))
	set((*int64)(&s.Clock), int64(defaultClock))
	set(&s.Nodes, defaultNodes)
	s.Threads, s.Repeat = max(s.Threads, 1), max(s.Repeat, 1)
	if s.Moves <= 0 {
		s.Moves = defaultMoves
	}
	if s.Puzzles == nil {
		s.Puzzles, err = Puzzles()
	}
	return err
}

// step tells that another part of the work begins.
func (s *Settings) step(what string) {
	if s.Progress != nil {
		s.Progress(what, s.done, s.total)
	}
	s.done++
}

// lines returns the games of the settings that package line has the rules of.
func (s *Settings) lines() []game.Rule {
	return slices.DeleteFunc(slices.Clone(s.Games), func(r game.Rule) bool { return r == game.Weiqi })
}

// Suite is one thing that can be measured.
type Suite struct {
	Name, What string
	// run measures once and adds a sample to each of its figures. When ctx is done it
	// returns ctx's error; what it has added until then stays.
	run func(ctx context.Context, s *Settings, r *Report) error
	// steps returns how often run calls step.
	steps func(s *Settings) int
}

// Suites returns all suites, in the order in which they are best run.
func Suites() []Suite {
	perGame := func(s *Settings) int { return len(s.Games) }
	perLineGame := func(s *Settings) int { return len(s.lines()) }
	one := func(*Settings) int { return 1 }
	return []Suite{
		{"search", "fixed positions searched: nodes/s, time to depth, what the tables know, and the signature", search, perGame},
		{"make", "putting a stone on the board and taking it off again", makeUnmake, perGame},
		{"moves", "listing the moves of a position as the search does", listMoves, perGame},
		{"forbidden", "telling forbidden points (renju, omok)", forbidden, one},
		{"eval", "evaluating the position behind a move, the move included", evaluate, perLineGame},
		{"vcf", "puzzles won by continuous fours or threats: solved, and in what time", solvePuzzles, one},
		{"playouts", "games of Go played to their end at random", playouts, one},
		{"nets", "the networks of the line games: what they cost, how often the table is enough, self-play, training", networks, perLineGame},
		{"evaluations", "asking a network about positions of Go", evaluations, one},
		{"protocol", "the time from a command to the answer, with a move that needs no search and with an instant one", roundTrips, func(*Settings) int { return len(conversations) }},
		{"deadline", "by how much searches on a short clock end too late", deadlines, func(s *Settings) int { return len(s.Games) + 1 }},
		{"threads", "time to depth with 1, 2, ... threads, and how many to use", scaling, one},
	}
}

// Run runs suites one after the other, and all of them again for each repetition, so that
// what disturbs the machine for a while does not meet one figure only. It returns ctx's
// error when that ended it; the report has what was measured until then.
func Run(ctx context.Context, suites []Suite, s Settings, r *Report) error {
	if err := s.setDefaults(); err != nil {
		return err
	}
	for _, u := range suites {
		s.total += u.steps(&s) * s.Repeat
	}
	for range s.Repeat {
		for _, u := range suites {
			if err := u.run(ctx, &s, r); err != nil {
				if ctx.Err() != nil {
					r.Interrupted = true
					return ctx.Err()
				}
				return fmt.Errorf("%s: %w", u.Name, err)
			}
		}
	}
	return nil
}
