package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"tengen/bench"
	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol/record"
)

const solveUsage = `usage: tengen solve [flags] [POSITION...]
       tengen solve [flags] -i FILE
       tengen solve -verify [flags] [-i FILE]

Looks for forced wins of the side to move in line games: by fours (VCF), and by fours and
threes (VCT). A position is a string of moves like h8i9j10, of the game and size that -game
and -size tell; without one, lines of JSON are read from FILE or the standard input:

  {"id":"a","rule":"renju","size":15,"board":"rows from the top joined by /","side":"black"}

with X for Black, O for White, . for an empty and # for a dead point, and in pente
"captured":[stones Black took, stones White took]. For each position one line of JSON is
written, in the order read:

  id, result  VCF or VCT: a win, as proven; NONE: there is no such win; UNKNOWN: a limit was hit
  move, line  the first move, and a longest line of the proof
  nodes, ms   positions visited, and the milliseconds of the search
  proof       the win as a tree: MOVE(REPLY MOVE(...) REPLY ...); a reply that is not named
              loses to a five or to fours at once; =3 is the third move of the text again
  rule, size, board, side, captured   the position, for -verify

A win is told only after its proof was played out against every legal reply. NONE is exact
for fours in games without captures; of threes it says that none were found as the search
counts them.

-verify reads such lines, plays each proof out against every legal reply, with the wins by
fours that the proof leaves out, and says what it found. Exit status: 0 all well, 1 a line
that is no position, a proof that does not hold, 2 used wrongly. Flags:
`

// maxLine is the longest line that is read, in bytes.
const maxLine = 64 << 20

// solved is one line that solve writes. With the position, it is what -verify reads.
type solved struct {
	ID       string   `json:"id"`
	Result   string   `json:"result"`
	Move     string   `json:"move"`
	Line     []string `json:"line"`
	Nodes    int64    `json:"nodes"`
	MS       float64  `json:"ms"`
	Proof    string   `json:"proof"`
	Rule     string   `json:"rule"`
	Size     int      `json:"size"`
	Board    string   `json:"board"`
	Side     string   `json:"side"`
	Captured *[2]int  `json:"captured,omitempty"`
}

// problem is a position to be solved, or why it is none.
type problem struct {
	where string // where it was read, for errors
	bench.Puzzle
	text []byte // the line it was read from
	err  error
}

// solve is `tengen solve`.
func solve(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen solve", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprint(stderr, solveUsage)
		f.PrintDefaults()
	}
	rule := f.String("game", "freestyle", "game of the positions given as arguments")
	size := f.Int("size", 15, "side of their board")
	side := f.String("side", "", "who is to move in them: black or white (default: as the moves tell)")
	rows := f.String("rows", "bottom", "where their row 1 is: bottom (Yixin) or top (c-gomoku-cli)")
	file := f.String("i", "-", "`FILE` of JSON lines, - for the standard input")
	mode := f.String("mode", "both", "what to look for: vcf, vct or both (first fours alone)")
	nodes := f.Int64("nodes", 20_000_000, "nodes for each position, 0 for no limit")
	limit := f.Duration("time", 0, "time for each position, as 500ms or 10s; 0 for no limit")
	threads := f.Int("threads", 1, "positions solved at a time")
	memory := f.Int64("memory", 32, "MB for each thread")
	verify := f.Bool("verify", false, "check the proofs of lines that were written before")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	fail := func(status int, err error) int {
		fmt.Fprintln(stderr, "tengen solve:", err)
		return status
	}
	kinds, err := engine.ParseKinds(*mode)
	switch {
	case err != nil:
		return fail(2, err)
	case *nodes < 0 || *limit < 0:
		return fail(2, errors.New("limits are not negative"))
	case *threads < 1 || *threads > 1024:
		return fail(2, fmt.Errorf("-threads %d: from 1 to 1024", *threads))
	case *memory < 1 || *memory > math.MaxInt32>>20:
		return fail(2, fmt.Errorf("-memory %d: from 1 to %d MB", *memory, math.MaxInt32>>20))
	case f.NArg() > 0 && (*verify || *file != "-"):
		return fail(2, errors.New("positions as arguments do not go with -i and -verify"))
	}
	var problems func(yield func(problem) bool)
	if f.NArg() > 0 {
		if problems, err = given(f.Args(), *rule, *size, *side, *rows); err != nil {
			return fail(2, err)
		}
	} else {
		r := stdin
		if *file != "-" {
			in, err := os.Open(*file)
			if err != nil {
				return fail(1, err)
			}
			defer in.Close()
			r = in
		} else if in, ok := stdin.(*os.File); ok && term.IsTerminal(int(in.Fd())) {
			f.Usage()
			return 2
		}
		problems = readProblems(r)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	work := func(s *engine.Solver, z *problem) (out []byte, err error) {
		return solveOne(ctx, s, z, kinds, *nodes, *limit)
	}
	if *verify {
		work = verifyOne
	}
	w := bufio.NewWriter(stdout)
	bad := 0
	for a := range inOrder(ctx, problems, *threads, *memory<<20, work) {
		w.Write(a.out)
		if err := w.Flush(); err != nil {
			return fail(1, err)
		}
		if a.err != nil {
			bad++
			fmt.Fprintf(stderr, "tengen solve: %v\n", a.err)
		}
	}
	if ctx.Err() != nil {
		return fail(1, errors.New("interrupted"))
	}
	return min(bad, 1)
}

// given reads positions that are strings of moves.
func given(texts []string, rule string, size int, side, rows string) (func(yield func(problem) bool), error) {
	r, err := game.ParseRule(rule)
	if err != nil {
		return nil, err
	}
	v := game.Variant{Rule: r, Size: size}
	if r == game.Weiqi {
		return nil, errors.New("no rows are made in go")
	}
	if _, err := engine.Referee(v); err != nil {
		return nil, err
	}
	if side != "" && side != "black" && side != "white" {
		return nil, fmt.Errorf("-side is black or white, not %q", side)
	}
	if rows != "bottom" && rows != "top" {
		return nil, fmt.Errorf("-rows is bottom or top, not %q", rows)
	}
	return func(yield func(problem) bool) {
		for i, s := range texts {
			z := problem{where: fmt.Sprintf("position %d", i+1)}
			z.Puzzle, z.err = fromMoves(s, v, side, rows == "top")
			z.ID = strconv.Itoa(i + 1)
			if !yield(z) {
				return
			}
		}
	}, nil
}

// fromMoves plays a string of moves and returns the position at its end.
func fromMoves(s string, v game.Variant, side string, top bool) (z bench.Puzzle, err error) {
	t, err := record.ParsePos(s, record.Options{Variant: &v, RowsFromTop: top})
	if err != nil {
		return z, err
	}
	moves, err := t.Line()
	if err != nil {
		return z, err
	}
	rec, err := t.Record(moves)
	if err != nil {
		return z, err
	}
	g, err := engine.Replay(rec)
	if err != nil {
		return z, err
	}
	z = bench.Puzzle{Rule: v.Rule.String(), Size: v.Size, Side: side, Board: board(g, v.Size)}
	if side == "" {
		z.Side = [2]string{"black", "white"}[g.ToMove()&1]
	}
	if n := [2]int{g.Captured(game.Black), g.Captured(game.White)}; n != [2]int{} {
		z.Captured = &n
	}
	text, err := json.Marshal(z)
	if err != nil {
		return z, err
	}
	return bench.ReadPuzzle(text)
}

// board writes the stones as a line of JSON has them.
func board(g game.Game, size int) string {
	var b strings.Builder
	for y := range size {
		if y > 0 {
			b.WriteByte('/')
		}
		for x := range size {
			b.WriteByte("XO.#"[g.At(game.At(x, y))&3])
		}
	}
	return b.String()
}

// readProblems reads lines of JSON. Blank lines are passed over.
func readProblems(r io.Reader) func(yield func(problem) bool) {
	return func(yield func(problem) bool) {
		s := bufio.NewScanner(r)
		s.Buffer(nil, maxLine)
		n := 1
		for ; s.Scan(); n++ {
			if len(bytes.TrimSpace(s.Bytes())) == 0 {
				continue
			}
			z := problem{where: fmt.Sprintf("line %d", n), text: bytes.Clone(s.Bytes())}
			z.Puzzle, z.err = bench.ReadPuzzle(z.text)
			if z.ID == "" {
				z.ID = strconv.Itoa(n)
			}
			if !yield(z) {
				return
			}
		}
		if err := s.Err(); err != nil {
			yield(problem{where: fmt.Sprintf("line %d", n), err: err})
		}
	}
}

// answer is what became of a position.
type answer struct {
	out []byte
	err error
}

// inOrder lets some goroutines work, each with a solver of its own, and yields what they
// found in the order of the problems, each as soon as it can. When ctx is done it ends soon.
func inOrder(ctx context.Context, problems func(yield func(problem) bool), threads int, memory int64,
	work func(*engine.Solver, *problem) ([]byte, error)) func(yield func(answer) bool) {
	type job struct {
		problem
		done chan answer // of one
	}
	return func(yield func(answer) bool) {
		ctx, cancel := context.WithCancel(ctx)
		jobs, order := make(chan job), make(chan job, 4*threads)
		var all sync.WaitGroup
		defer all.Wait()
		defer cancel()
		go func() { // not waited for: it may be reading what never comes
			defer close(jobs)
			defer close(order)
			for z := range problems {
				j := job{z, make(chan answer, 1)}
				select {
				case order <- j:
				case <-ctx.Done():
					return
				}
				select {
				case jobs <- j:
				case <-ctx.Done():
					return
				}
			}
		}()
		for range threads {
			all.Go(func() {
				s := engine.NewSolver(memory)
				for {
					var j job
					var a answer
					select {
					case next, ok := <-jobs:
						if !ok {
							return
						}
						j = next
					case <-ctx.Done():
						return
					}
					if a.err = j.err; a.err == nil {
						a.out, a.err = work(s, &j.problem)
					}
					if a.err != nil {
						a.err = fmt.Errorf("%s: %w", j.where, a.err)
					}
					j.done <- a
				}
			})
		}
		for j := range order {
			select {
			case a := <-j.done:
				if ctx.Err() != nil || !yield(a) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// solveOne solves a position and returns the line to be written.
func solveOne(ctx context.Context, s *engine.Solver, z *problem, kinds engine.Kinds, nodes int64, limit time.Duration) ([]byte, error) {
	var stop atomic.Bool
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	rec := z.Record()
	start := time.Now()
	x, err := s.Solve(rec, kinds, nodes, &stop)
	took := time.Since(start)
	if err != nil {
		return nil, err
	}
	out := solved{
		ID: z.ID, Result: x.Result.String(), Line: []string{}, Nodes: x.Nodes, MS: math.Round(took.Seconds()*1e6) / 1e3, Proof: x.Proof,
		Rule: z.Rule, Size: z.Size, Board: z.Board, Side: z.Side, Captured: z.Captured,
	}
	if x.Proof != "" {
		out.Line = names(x.Line, z.Size)
		out.Move = out.Line[0]
		if _, err := s.CheckProof(rec, x.Proof, false); err != nil {
			return nil, fmt.Errorf("the proof of a %s does not hold: %w", x.Result, err)
		}
	}
	b, err := json.Marshal(out)
	return append(b, '\n'), err
}

func names(qs []game.Point, size int) []string {
	s := make([]string, len(qs))
	for i, q := range qs {
		s[i] = q.Name(size)
	}
	return s
}

// verifyOne checks the proof of a line that solve wrote.
func verifyOne(s *engine.Solver, z *problem) ([]byte, error) {
	var claim solved
	if err := json.Unmarshal(z.text, &claim); err != nil {
		return nil, err
	}
	switch claim.Result {
	case "NONE", "UNKNOWN":
		if claim.Proof != "" {
			return nil, fmt.Errorf("%s: %s with a proof", z.ID, claim.Result)
		}
		return fmt.Appendf(nil, "%s: %s claims nothing\n", z.ID, claim.Result), nil
	case "VCF", "VCT":
	default:
		return nil, fmt.Errorf("%s: result %q is none of VCF, VCT, NONE, UNKNOWN", z.ID, claim.Result)
	}
	moves, err := s.CheckProof(z.Record(), claim.Proof, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", z.ID, err)
	}
	if line := names(moves, z.Size); line[0] != claim.Move || !slices.Equal(line, claim.Line) {
		return nil, fmt.Errorf("%s: the move or line is not the proof's, which has %s", z.ID, strings.Join(line, " "))
	}
	return fmt.Appendf(nil, "%s: %s %s holds\n", z.ID, claim.Result, claim.Move), nil
}
