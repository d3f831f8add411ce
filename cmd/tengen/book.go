package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
	"tengen/openings/book"
	"tengen/protocol/record"
)

const bookUsage = `usage: tengen book build -game GAME [flags] FILE     from the empty board (or -from), or Swap2 offers
       tengen book extend -game GAME -from GAMES [flags] FILE   the positions of games
       tengen book query [-game GAME] FILE|start [MOVES]        what is known after moves like h8i9
       tengen book export [-game GAME] [-to text|sgf] FILE|start [OUT]
       tengen book verify [-deeper N] FILE|start                is all of it sound?

A book may hold many games. build and extend go on with a file that is there, save it as
they go, and can be interrupted at any time: the same flags then go on. With the same flags
they make the same book. "start" is the books that come with the program.
tengen book COMMAND -h tells the flags.
`

// bookCommand is `tengen book`.
func bookCommand(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	commands := map[string]func([]string, io.Writer, io.Writer) error{
		"build":  func(a []string, _, w io.Writer) error { return growBook("build", a, w) },
		"extend": func(a []string, _, w io.Writer) error { return growBook("extend", a, w) },
		"query":  queryBook, "export": exportBook, "verify": verifyBook,
	}
	if len(args) == 0 || commands[args[0]] == nil {
		fmt.Fprint(stderr, bookUsage)
		if len(args) > 0 && strings.TrimLeft(args[0], "-") == "help" || len(args) > 0 && args[0] == "-h" {
			return 0
		}
		return 2
	}
	err := commands[args[0]](args[1:], stdout, stderr)
	var used usageError
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &used):
		if used.error != nil {
			fmt.Fprintf(stderr, "tengen book %s: %v\n", args[0], err)
		}
		return 2
	}
	fmt.Fprintf(stderr, "tengen book %s: %v\n", args[0], err)
	return 1
}

// usageError is the error of a command that was used wrongly; nil inside if it was told.
type usageError struct{ error }

func (e usageError) Error() string {
	if e.error == nil {
		return "used wrongly"
	}
	return e.error.Error()
}

// bookFlags are the flags of all of the commands.
type bookFlags struct {
	*flag.FlagSet
	rule    *string
	size    *int
	free    *bool
	reading *bool
}

func newBookFlags(name string, stderr io.Writer) *bookFlags {
	f := flag.NewFlagSet("tengen book "+name, flag.ContinueOnError)
	f.SetOutput(stderr)
	return &bookFlags{
		FlagSet: f,
		rule:    f.String("game", "", "the game: freestyle, standard, renju, caro, caro6, omok, pente or keryo"),
		size:    f.Int("size", 0, "side of the board (default 19 for omok, pente and keryo, else 15)"),
		free:    f.Bool("free-opening", false, "pente without the tournament rule"),
		reading: f.Bool("renju-five-at-four", false, "renju: a three's straight-four point may also make a five"),
	}
}

func (f *bookFlags) parse(args []string, least, most int) error {
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return usageError{}
	}
	if n := f.NArg(); n < least || n > most {
		return usageError{fmt.Errorf("%d arguments behind the flags", n)}
	}
	return nil
}

func (f *bookFlags) variant() (game.Variant, error) {
	if *f.rule == "" {
		return game.Variant{}, usageError{errors.New("-game is missing")}
	}
	v, err := gtpVariant(*f.rule, *f.size, "")
	if err == nil && v.Rule == game.Weiqi {
		err = errors.New("books are of line games")
	}
	v.FreeOpening, v.FiveAtFour = *f.free, *f.reading
	if err == nil {
		_, err = engine.Referee(v)
	}
	if err != nil {
		return v, usageError{err}
	}
	return v, nil
}

// drafted returns the entries of a file, or of the start books of a game or of all.
func drafted(name string) (*book.Draft, error) {
	d := &book.Draft{}
	if name == "start" {
		for r := range game.NumRules {
			for size := range game.MaxSize + 1 {
				b, err := book.Start(game.Variant{Rule: r, Size: size})
				if err == nil && b != nil {
					err = d.Add(b)
					b.Close()
				}
				if err != nil {
					return nil, err
				}
			}
		}
		return d, nil
	}
	b, err := book.Open(name)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	if err := d.Add(b); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

const savePause = 20 * time.Second

// growBook is `tengen book build` and `tengen book extend`.
func growBook(name string, args []string, stderr io.Writer) error {
	f := newBookFlags(name, stderr)
	nodes := f.Int64("nodes", 50_000, "nodes of the search of a position")
	lines := f.Int("lines", 5, "moves that the search of a position values")
	memory := f.Int64("memory", 64, "MB the engine may use")
	from := f.String("from", "", "`FILE` of games (SGF, psq, position strings, RenLib ...) where to begin")
	rows := f.String("rows", "bottom", "row 1 of its position strings: bottom (Yixin) or top (c-gomoku-cli)")
	plies := f.Int("plies", 10, "stones beyond the beginning")
	seed := f.Uint64("seed", 1, "what decides between positions that are about as near")
	positions, offers, worse, window := new(int), new(int), new(int), new(int)
	review, after, deeper, games, play := new(bool), new(bool), new(int64), new(int), new(int64)
	*worse = 1
	if name == "build" {
		positions = f.Int("positions", 1000, "positions of the game that the book shall have")
		worse = f.Int("error", 20, "a move that is worse by so much counts as a ply more")
		offers = f.Int("swap2", 0, "instead: so many openings to offer in Swap2, with their answers (-from: those of a file)")
		window = f.Int("window", 15, "how far from even an offer may be")
		deeper = f.Int64("deeper", 0, "offer only what searches with so many times the nodes, with the board in two lies, answer alike")
		games = f.Int("games", 0, "offer only what stands in so many games of the engine against itself, at most 8, each with the board in another lie")
		play = f.Int64("play", 10_000, "nodes a move of these games")
		after = f.Bool("after-offers", false, "begin with the openings that the book offers in Swap2, and their answers")
		review = f.Bool("review", false, "instead: search the offers and their answers anew, and offer no more what is not even or has no sure answer")
	}
	if err := f.parse(args, 1, 1); err != nil {
		return err
	}
	v, err := f.variant()
	switch {
	case err != nil:
		return err
	case *plies < 0 || *plies > 1000:
		return usageError{fmt.Errorf("-plies %d: from 0 to 1000", *plies)}
	case *memory < 1 || *memory > math.MaxInt32>>20:
		return usageError{fmt.Errorf("-memory %d: from 1 to %d MB", *memory, math.MaxInt32>>20)}
	case *rows != "bottom" && *rows != "top":
		return usageError{fmt.Errorf("-rows is bottom or top, not %q", *rows)}
	case *window < 0:
		return usageError{fmt.Errorf("-window %d: not negative", *window)}
	case *games < 0 || *games > game.Symmetries:
		return usageError{fmt.Errorf("-games %d: from 0 to %d", *games, game.Symmetries)}
	case *games > 0 && *play < 1:
		return usageError{fmt.Errorf("-play %d: at least 1 node", *play)}
	case *after && *from != "":
		return usageError{errors.New("-from or -after-offers")}
	case name == "extend" && *from == "":
		return usageError{errors.New("-from is missing")}
	}
	file := f.Arg(0)
	d := &book.Draft{}
	if _, err := os.Stat(file); err == nil {
		if d, err = drafted(file); err != nil {
			return err
		}
	}
	e, err := engine.New(v, engine.Options{Memory: *memory << 20})
	if err != nil {
		return err
	}
	defer engine.Close(e)
	s := book.Settings{Variant: v, Nodes: *nodes, Lines: *lines, Plies: *plies, Error: *worse, Seed: *seed, Source: "search", Window: *window, Deeper: *deeper, Games: *games, Play: *play}
	roots := book.Roots(v)
	if *after {
		roots = book.Offered(d, v)
	}
	if *from != "" {
		opts := record.Options{Variant: &v, RowsFromTop: *rows == "top"}
		if roots, err = gameRoots(*from, opts, name == "extend", *plies); err != nil {
			return err
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	told := newProgress(stderr)
	defer told.done()
	saved, total, looked := time.Now(), *positions, 0
	if name == "extend" {
		total = d.Len(v) + len(roots)
	}
	if *review {
		total = d.Offers(v)
	}
	note := func(source string) error {
		switch {
		case *review:
			looked++
			told.tell(fmt.Sprintf("looked at, %d of them offered", d.Offers(v)-total+looked), looked, total)
		case *offers > 0:
			told.tell("offers", d.Offers(v), *offers)
		default:
			told.tell("positions, the last by "+source, d.Len(v), total)
		}
		if time.Since(saved) < savePause {
			return nil
		}
		saved = time.Now()
		return d.Save(file)
	}
	switch {
	case name == "extend":
		err = book.Extend(ctx, e, d, s, roots, note)
	case *review:
		s.Source = swap2Source(s)
		err = book.Review(ctx, e, d, s, note)
	case *offers > 0:
		s.Source = swap2Source(s)
		var next func() (openings.Opening, error)
		if next, err = offersFrom(ctx, e, d, s, *from, roots, *window); err == nil {
			err = book.BuildSwap2(ctx, e, d, s, next, *offers, note)
		}
	default:
		err = book.Build(ctx, e, d, s, roots, *positions, note)
	}
	told.done()
	if len(d.Variants()) > 0 {
		if e := d.Save(file); e != nil {
			return e
		}
	}
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted at %d positions; the same command goes on", d.Len(v))
	}
	if err == nil {
		fmt.Fprintf(stderr, "%s: %d positions of %s, %d of them offers\n", file, d.Len(v), v, d.Offers(v))
	}
	return err
}

// swap2Source names offers by how they were found; offers of another name can be reviewed.
func swap2Source(s book.Settings) string {
	name := fmt.Sprintf("swap2, %d nodes", s.Nodes)
	if s.Deeper > 1 {
		name += fmt.Sprintf(", stands at %d times", s.Deeper)
	}
	if s.Games > 0 {
		name += fmt.Sprintf(" and in %d games of %d", s.Games, s.Play)
	}
	return name
}

// offersFrom returns what yields openings of three stones: those of the roots if a file
// was named, else drawn ones that are balanced and not known yet.
func offersFrom(ctx context.Context, e engine.Engine, d *book.Draft, s book.Settings, from string, roots []book.Root, window int) (func() (openings.Opening, error), error) {
	if from != "" {
		return func() (o openings.Opening, err error) {
			for len(roots) > 0 {
				rec := roots[0].Record
				roots = roots[1:]
				g, err := engine.Replay(rec)
				if err != nil {
					return o, err
				}
				if x := d.Find(g); x != nil && (x.Offer || x.Source == s.Source) {
					continue // offered, or looked at with these settings
				}
				for _, m := range rec.Moves {
					o.Points = append(o.Points, m.Point)
				}
				return o, nil
			}
			return o, errors.New("the file has no more openings")
		}, nil
	}
	g, err := openings.NewGenerator(e, openings.Draw{
		Variant: s.Variant, Stones: 3, Spread: 7, Window: window, Nodes: s.Nodes, Seed: s.Seed,
	})
	if err != nil {
		return nil, err
	}
	for p, x := range d.All(s.Variant) {
		if x.Offer || x.Source == s.Source && len(p.Stones[0]) == 2 && len(p.Stones[1]) == 1 {
			g.Know([]game.Point{p.Stones[0][0], p.Stones[1][0], p.Stones[0][1]})
		}
	}
	return func() (openings.Opening, error) { return g.Next(ctx) }, nil
}

// readTrees reads a file of games, whose format shows in its name or its text.
func readTrees(name string, opts record.Options) ([]*record.Tree, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	format, err := record.Detect(name, data)
	if err != nil {
		return nil, err
	}
	trees, err := record.Read(format, data, opts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return trees, nil
}

// gameRoots returns the positions at the ends of the games of a file or, if all are asked
// for, those on the way to them, up to so many stones.
func gameRoots(name string, opts record.Options, all bool, plies int) (roots []book.Root, err error) {
	trees, err := readTrees(name, opts)
	if err != nil {
		return nil, err
	}
	source := filepath.Base(name)
	for _, t := range trees {
		for line := range t.Lines() {
			rec, err := t.Record(line)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			rec.Variant = *opts.Variant
			for n := range len(rec.Moves) + 1 {
				if !all && n < len(rec.Moves) || all && n > plies {
					continue
				}
				r := rec.Clone()
				r.Moves = r.Moves[:n]
				if !slices.ContainsFunc(r.Moves, func(m game.Move) bool { return m.Point == game.Pass }) {
					roots = append(roots, book.Root{Record: r, Source: source})
				}
			}
		}
	}
	return roots, nil
}

// queryBook is `tengen book query`.
func queryBook(args []string, stdout, stderr io.Writer) error {
	f := newBookFlags("query", stderr)
	if err := f.parse(args, 1, 2); err != nil {
		return err
	}
	d, err := drafted(f.Arg(0))
	if err != nil {
		return err
	}
	if *f.rule == "" {
		for _, v := range d.Variants() {
			fmt.Fprintf(stdout, "%-16s %6d positions %4d offers\n", v, d.Len(v), d.Offers(v))
		}
		return nil
	}
	v, err := f.variant()
	if err != nil {
		return err
	}
	t, err := record.ParsePos(f.Arg(1), record.Options{Variant: &v})
	if err != nil {
		return usageError{err}
	}
	line, err := t.Line()
	if err != nil {
		return err
	}
	rec, err := t.Record(line)
	if err != nil {
		return err
	}
	g, err := engine.Replay(rec)
	if err != nil {
		return err
	}
	e := d.Find(g)
	if e == nil {
		return errors.New("the position is not in the book")
	}
	fmt.Fprint(stdout, describe(e, v.Size))
	return nil
}

// describe says what is known of a position.
func describe(e *book.Entry, size int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "value %s, searched %s at depth %d with %d nodes, from %s\n",
		game.ValueString(e.Value), game.ValueString(e.Search), e.Depth, e.Nodes, e.Source)
	for _, m := range e.Moves {
		fmt.Fprintf(&b, "  %-4s %s\n", m.Point.Name(size), game.ValueString(m.Value))
	}
	if e.Pair != nil {
		fmt.Fprintf(&b, "  answered with %s %s\n", e.Pair[0].Name(size), e.Pair[1].Name(size))
	}
	if e.Offer {
		b.WriteString("  offered in Swap2\n")
	}
	return b.String()
}

// exportBook is `tengen book export`.
func exportBook(args []string, stdout, stderr io.Writer) (err error) {
	f := newBookFlags("export", stderr)
	to := f.String("to", "", "text or sgf (default: by the name of OUT, else text)")
	if err := f.parse(args, 1, 2); err != nil {
		return err
	}
	if *to == "" && strings.EqualFold(filepath.Ext(f.Arg(1)), ".sgf") {
		*to = "sgf"
	}
	d, err := drafted(f.Arg(0))
	if err != nil {
		return err
	}
	vs := d.Variants()
	if *f.rule != "" {
		v, err := f.variant()
		if err != nil {
			return err
		}
		vs = []game.Variant{v}
	}
	var write func(io.Writer) error
	switch *to {
	case "", "text":
		write = func(w io.Writer) error { return writeBookText(w, d, vs) }
	case "sgf":
		write = func(w io.Writer) error {
			var trees []*record.Tree
			for _, v := range vs {
				trees = append(trees, bookTree(d, v))
			}
			return record.Write(w, record.SGF, trees, record.Options{})
		}
	default:
		return usageError{fmt.Errorf("-to is text or sgf, not %q", *to)}
	}
	if f.NArg() < 2 || f.Arg(1) == "-" {
		return write(stdout)
	}
	out, err := os.Create(f.Arg(1))
	if err != nil {
		return err
	}
	err = write(out)
	if e := out.Close(); err == nil {
		err = e
	}
	return err
}

// writeBookText writes a line for each position: the game, the side to move, the stones,
// then what is known.
func writeBookText(w io.Writer, d *book.Draft, vs []game.Variant) error {
	fmt.Fprintln(w, "# game/size\tto move\tBlack\tWhite\tcaptured\tvalue\tsearched\tdepth\tnodes\tmoves\tpair\toffer\tsource")
	for _, v := range vs {
		for p, e := range d.All(v) {
			var moves []string
			for _, m := range e.Moves {
				moves = append(moves, m.Point.Name(v.Size)+"="+strconv.Itoa(m.Value))
			}
			_, err := fmt.Fprintf(w, "%s/%d\t%s\t%s\t%s\t%d,%d\t%d\t%d\t%d\t%d\t%s\t%s\t%v\t%s\n", v.Rule, v.Size, p.ToMove,
				strings.Join(names(p.Stones[0], v.Size), " "), strings.Join(names(p.Stones[1], v.Size), " "), p.Captured[0], p.Captured[1],
				e.Value, e.Search, e.Depth, e.Nodes, strings.Join(moves, " "), strings.Join(names(e.Pair, v.Size), " "), e.Offer, e.Source)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// bookTree returns the positions of a game as one tree of variations: those that follow
// from the empty board by moves, and each other one below the shortest way to it. A
// position stands in it once.
func bookTree(d *book.Draft, v game.Variant) *record.Tree {
	t := &record.Tree{Variant: v, Root: record.NewNode()}
	done := map[string]bool{}
	type place struct {
		g    game.Game
		node *record.Node
	}
	grow := func(start place) {
		for queue := []place{start}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			key := book.Key(at.g)
			e := d.Find(at.g)
			if e == nil || done[key] {
				continue
			}
			done[key] = true
			at.node.Comment = strings.TrimSpace(describe(e, v.Size))
			for _, m := range e.Moves {
				child := at.node.Add(game.Move{Color: at.g.ToMove(), Point: m.Point})
				child.Comment = game.ValueString(-m.Value) // until its own is written
				rec := at.g.Record().Clone()
				rec.Moves = append(rec.Moves, child.Move)
				if g, err := engine.Replay(rec); err == nil {
					queue = append(queue, place{g, child})
				}
			}
		}
	}
	if g, err := engine.Referee(v); err == nil {
		grow(place{g, t.Root})
	}
	type other struct {
		p openings.Position
		n int
	}
	var others []other
	for p := range d.All(v) {
		others = append(others, other{p, len(p.Stones[0]) + len(p.Stones[1])})
	}
	slices.SortStableFunc(others, func(a, b other) int { return a.n - b.n })
	for _, o := range others {
		// Its stones in turn, if a game can put them so; a tree of a game holds no others.
		rec := &game.Record{Variant: v}
		for i := range o.n {
			if side := o.p.Stones[i%2]; i/2 < len(side) {
				rec.Moves = append(rec.Moves, game.Move{Color: game.Color(i % 2), Point: side[i/2]})
			}
		}
		g, err := engine.Replay(rec)
		if err != nil || len(rec.Moves) != o.n || g.ToMove() != o.p.ToMove || done[book.Key(g)] || d.Find(g) == nil {
			continue
		}
		node := t.Root
		for _, m := range rec.Moves {
			i := slices.IndexFunc(node.Children, func(c *record.Node) bool { return c.Move == m })
			if i < 0 {
				node.Add(m)
				i = len(node.Children) - 1
			}
			node = node.Children[i]
		}
		grow(place{g, node})
	}
	return t
}

// verifyBook is `tengen book verify`.
func verifyBook(args []string, stdout, stderr io.Writer) error {
	f := newBookFlags("verify", stderr)
	deeper := f.Int64("deeper", 0, "also search again with so many times the nodes, and tell what would be answered otherwise")
	lie := f.Int("lie", 0, "in which of the eight ways the board lies then; 0 is the book's")
	sample := f.Int("sample", 0, "so many positions of each game for that, evenly; 0 for all")
	only := f.String("source", "", "only those whose source begins so")
	memory := f.Int64("memory", 64, "MB the engine may use")
	if err := f.parse(args, 1, 1); err != nil {
		return err
	}
	if *lie < 0 || *lie >= game.Symmetries {
		return usageError{fmt.Errorf("-lie %d: from 0 to %d", *lie, game.Symmetries-1)}
	}
	d, err := drafted(f.Arg(0))
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for _, v := range d.Variants() {
		if err := d.Check(v); err != nil {
			return fmt.Errorf("%s: %w", v, err)
		}
		fmt.Fprintf(stdout, "%s: %d positions, %d offers, sound\n", v, d.Len(v), d.Offers(v))
		if *deeper <= 0 {
			continue
		}
		e, err := engine.New(v, engine.Options{Memory: *memory << 20})
		if err != nil {
			return err
		}
		told := newProgress(stderr)
		r, err := d.Deeper(ctx, e, v, book.Again{Times: *deeper, Lie: *lie, Sample: *sample, Source: *only}, func(done, total int) { told.tell("searched again", done, total) })
		told.done()
		engine.Close(e)
		if err != nil {
			return err
		}
		for _, kind := range slices.Sorted(maps.Keys(r)) {
			c := r[kind]
			n := float64(max(c.Looked, 1))
			fmt.Fprintf(stdout, "%s: %s: %d of %d would change (%.1f %%), %d for a clearly better one (%.1f %%); values differ by %.1f on average\n",
				v, kind, c.Changed, c.Looked, 100*float64(c.Changed)/n, c.Worse, 100*float64(c.Worse)/n, float64(c.Moved)/n)
		}
	}
	return nil
}
