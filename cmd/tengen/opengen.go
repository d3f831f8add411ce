package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
	"tengen/protocol/record"
)

const openGenUsage = `usage: tengen opengen [flags]
       tengen opengen -i FILE [flags]

Draws openings at random and keeps those that a search finds balanced, no two of them alike
under the symmetries of the board. The same flags give the same openings. How balanced they
are is told on the standard error. -i values the openings of a file instead. Flags:
`

// openGen is `tengen opengen`.
func openGen(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen opengen", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprint(stderr, openGenUsage)
		f.PrintDefaults()
	}
	rule := f.String("game", "freestyle", "the game: freestyle, standard, renju, caro, caro6, omok, pente or keryo")
	size := f.Int("size", 0, "side of the board (default 19 for omok, pente and keryo, else 15)")
	free := f.Bool("free-opening", false, "pente without the tournament rule for the first player's first two stones")
	count := f.Int("n", 100, "openings to find")
	stones := f.String("stones", "5-7", "stones of an opening: a number, or the least and the most")
	spread := f.Int("spread", 7, "side of the square in which they lie, anywhere on the board")
	window := f.Int("window", 30, "how far the value may be from even")
	nodes := f.Int64("nodes", 50_000, "nodes of the search that values an opening")
	seed := f.Uint64("seed", 1, "what is drawn follows from it")
	to := f.String("to", "", "format to write: pos, offset or sgf (default: by the name of -o, else pos)")
	rows := f.String("rows", "bottom", "row 1 of position strings: bottom (Yixin) or top (c-gomoku-cli, tengen match)")
	out := f.String("o", "-", "`FILE` to write")
	in := f.String("i", "", "`FILE` of openings to value instead")
	play := f.Int64("play", 0, "play each opening out with so many nodes a move, for the report")
	memory := f.Int64("memory", 64, "MB the engine may use")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	fail := func(status int, err error) int {
		fmt.Fprintln(stderr, "tengen opengen:", err)
		return status
	}
	v, err := gtpVariant(*rule, *size, "")
	v.FreeOpening = *free
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("what is %q?", f.Arg(0))
	}
	if err == nil && *count < 1 {
		err = fmt.Errorf("-n %d: at least 1", *count)
	}
	if err == nil && *play < 0 {
		err = fmt.Errorf("-play %d: nodes are not negative", *play)
	}
	if err == nil && (*memory < 1 || *memory > math.MaxInt32>>20) {
		err = fmt.Errorf("-memory %d: from 1 to %d MB", *memory, math.MaxInt32>>20)
	}
	if err == nil && *rows != "bottom" && *rows != "top" {
		err = fmt.Errorf("-rows is bottom or top, not %q", *rows)
	}
	d := openings.Draw{Variant: v, Spread: *spread, Window: *window, Nodes: *nodes, Seed: *seed}
	if err == nil {
		d.Stones, d.Most, err = span(*stones)
	}
	if *to == "" {
		*to = "pos"
		if i := strings.LastIndexByte(*out, '.'); *out != "-" && i >= 0 {
			*to = (*out)[i+1:]
		}
	}
	var format record.Format
	if err == nil {
		format, err = record.ParseFormat(*to)
		if err == nil && format != record.Pos && format != record.Offset && format != record.SGF {
			err = fmt.Errorf("openings are written as pos, offset or sgf, not as %s", format)
		}
	}
	if err != nil {
		return fail(2, err)
	}
	e, err := engine.New(v, engine.Options{Memory: *memory << 20})
	if err != nil {
		return fail(2, err)
	}
	defer engine.Close(e)
	g, err := openings.NewGenerator(e, d)
	if err != nil {
		return fail(2, err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	told := newProgress(stderr)
	defer told.done()

	opts := record.Options{Variant: &v, RowsFromTop: *rows == "top"}
	var list []openings.Opening
	if *in != "" {
		list, err = readOpenings(*in, opts)
		for i := range list {
			if err != nil {
				break
			}
			told.tell("valued", i, len(list))
			err = g.Value(ctx, &list[i])
		}
	} else {
		for len(list) < *count && err == nil {
			told.tell(fmt.Sprintf("found, of %d that were searched", g.Looked), len(list), *count)
			var o openings.Opening
			if o, err = g.Next(ctx); err == nil {
				list = append(list, o)
			}
		}
	}
	if err != nil {
		told.done()
		return fail(1, err)
	}
	report := balance{window: *window}
	for i := range list {
		o := &list[i]
		report.add(o)
		if *play > 0 {
			told.tell("played out", i, len(list))
			r, err := openings.PlayOut(ctx, e, o.Record(v), *play, game.MaxPly)
			if err != nil {
				told.done()
				return fail(1, err)
			}
			report.played(o, r)
		}
	}
	told.done()
	if *in == "" {
		fmt.Fprintf(stderr, "%d openings of %s, %d drawn, %d of them searched\n", len(list), v, g.Tried, g.Looked)
		var b bytes.Buffer
		if err := writeOpenings(&b, format, list, v, opts); err != nil {
			return fail(1, err)
		}
		if *out == "-" {
			_, err = b.WriteTo(stdout)
		} else {
			err = os.WriteFile(*out, b.Bytes(), 0o666)
		}
		if err != nil {
			return fail(1, err)
		}
	}
	report.write(stderr)
	return 0
}

// span reads "5" or "5-7".
func span(s string) (least, most int, err error) {
	a, b, two := strings.Cut(s, "-")
	if !two {
		b = a
	}
	least, err = strconv.Atoi(a)
	if err == nil {
		most, err = strconv.Atoi(b)
	}
	if err != nil || most < least {
		return 0, 0, fmt.Errorf("%q is neither a number nor two like 5-7", s)
	}
	return least, most, nil
}

func writeOpenings(w io.Writer, f record.Format, list []openings.Opening, v game.Variant, opts record.Options) error {
	var trees []*record.Tree
	for i := range list {
		t, err := record.FromRecord(list[i].Record(v))
		if err != nil {
			return err
		}
		trees = append(trees, t)
	}
	return record.Write(w, f, trees, opts)
}

// readOpenings reads openings of alternating stones.
func readOpenings(name string, opts record.Options) (list []openings.Opening, err error) {
	trees, err := readTrees(name, opts)
	if err != nil {
		return nil, err
	}
	for _, t := range trees {
		for line := range t.Lines() {
			rec, err := t.Record(line)
			if err != nil {
				return nil, fmt.Errorf("%s: opening %d: %w", name, len(list)+1, err)
			}
			var o openings.Opening
			for i, m := range rec.Moves {
				if m.Color != game.Color(i%2) {
					return nil, fmt.Errorf("%s: opening %d: the sides do not alternate", name, len(list)+1)
				}
				o.Points = append(o.Points, m.Point)
			}
			list = append(list, o)
		}
	}
	return list, nil
}

// balance is how even openings are.
type balance struct {
	window    int
	n, within int
	sum, size float64 // of the values: for the side to move, and without sign
	black     float64 // sum of the values for Black
	sides     [2]side // by the side to move
}

// side is what came of the openings where one side is to move.
type side struct {
	sum             float64 // of the values of those played out, for Black
	win, loss, draw int     // Black's
}

func (s *side) games() int { return s.win + s.loss + s.draw }

// score is Black's in percent, with its standard error.
func (s *side) score() (score, sd float64) {
	n := float64(s.games())
	score = (float64(s.win) + float64(s.draw)/2) / n
	return 100 * score, 100 * math.Sqrt(score*(1-score)/n)
}

func (b *balance) add(o *openings.Opening) {
	v := float64(o.Value)
	b.n++
	b.sum += v
	b.size += math.Abs(v)
	if len(o.Points)%2 == 1 {
		v = -v
	}
	b.black += v
	if math.Abs(v) <= float64(b.window) {
		b.within++
	}
}

func (b *balance) played(o *openings.Opening, r game.Outcome) {
	side := len(o.Points) % 2
	s := &b.sides[side]
	s.sum += float64(o.Value * (1 - 2*side))
	switch r {
	case game.BlackWin:
		s.win++
	case game.WhiteWin:
		s.loss++
	default:
		s.draw++
	}
}

func (b *balance) write(w io.Writer) {
	n := float64(max(b.n, 1))
	fmt.Fprintf(w, "value for the side to move %+.1f on average, for Black %+.1f; %.1f away from even; %d of %d within %d\n",
		b.sum/n, b.black/n, b.size/n, b.within, b.n, b.window)
	all := side{}
	for _, s := range b.sides {
		all.win, all.loss, all.draw = all.win+s.win, all.loss+s.loss, all.draw+s.draw
	}
	if all.games() == 0 {
		return
	}
	score, sd := all.score()
	fmt.Fprintf(w, "played out: Black %d-%d-%d (won, lost, drawn), %.1f %% +- %.1f\n", all.win, all.loss, all.draw, score, sd)
	for i, s := range b.sides {
		if s.games() == 0 || s.games() == all.games() {
			continue
		}
		score, sd := s.score()
		fmt.Fprintf(w, "  %s to move: Black %d-%d-%d, %.1f %% +- %.1f, where the value for Black is %+.1f on average\n",
			game.Color(i), s.win, s.loss, s.draw, score, sd, s.sum/float64(s.games()))
	}
}
