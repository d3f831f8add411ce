package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol/record"
	"tengen/protocol/record/diagram"
)

const renderUsage = `usage: tengen render [flags] [in [out]]

Draws a position of a game as SVG or PNG. in is any file that convert reads. Flags:
`

// markFlags collects -mark H8=+35, which may be given many times.
type markFlags []string

func (m *markFlags) String() string     { return strings.Join(*m, " ") }
func (m *markFlags) Set(s string) error { *m = append(*m, s); return nil }

// render is `tengen render`.
func render(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen render", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprint(stderr, renderUsage)
		f.PrintDefaults()
	}
	in := inputFlags(f)
	to := f.String("to", "", "svg or png (default: by the name of out, else svg)")
	line := f.String("line", "main", "variation: main, or the choice at each fork, as 1,0")
	index := f.Int("index", 0, "which game of a file that holds several, from 1")
	upTo := f.Int("move", -1, "draw the position after this many moves (default: the last)")
	pixels := f.Int("size", 640, fmt.Sprintf("side of the picture in pixels, %d to %d", diagram.MinPixels, diagram.MaxPixels))
	numbers := f.String("numbers", "all", "numbers on the stones: all, last or none")
	forbidden := f.Bool("forbidden", true, "cross out the points that the side to move may not play on (line games)")
	bare := f.Bool("bare", false, "leave the coordinates out")
	var marks markFlags
	f.Var(&marks, "mark", "a candidate and its value, as H8=+35; many times, the best first")
	if err := f.Parse(args); err != nil {
		return 2
	}
	fail := func(status int, err error) int {
		fmt.Fprintln(stderr, "tengen render:", err)
		return status
	}
	if f.NArg() > 2 {
		f.Usage()
		return 2
	}
	inName, outName := name(f.Arg(0)), name(f.Arg(1))
	if *to == "" {
		if *to = strings.TrimPrefix(strings.ToLower(filepath.Ext(outName)), "."); *to == "" {
			*to = "svg"
		}
	}
	if *to != "svg" && *to != "png" {
		return fail(2, fmt.Errorf("a picture is svg or png, not %q", *to))
	}
	trees, _, err := in.read(inName, stdin)
	if err != nil {
		return fail(1, err)
	}
	switch {
	case *index == 0 && len(trees) > 1:
		return fail(1, fmt.Errorf("%s holds %d games: choose one with -index", inName, len(trees)))
	case *index < 0 || *index > len(trees):
		return fail(1, fmt.Errorf("%s holds %d games, none of number %d", inName, len(trees), *index))
	case *index > 0:
		trees = trees[*index-1:][:1]
	}
	if *line == "all" {
		return fail(2, errors.New("a picture shows one line"))
	}
	if trees, err = choose(trees, *line); err != nil {
		return fail(1, fmt.Errorf("%s: %w", inName, err))
	}
	nodes, _ := trees[0].Line()
	rec, err := trees[0].Record(nodes)
	if err != nil {
		return fail(1, fmt.Errorf("%s: %w", inName, err))
	}
	if *upTo > len(rec.Moves) {
		return fail(1, fmt.Errorf("%s: the game has %d moves, not %d", inName, len(rec.Moves), *upTo))
	}
	if *upTo >= 0 {
		rec.Moves = rec.Moves[:*upTo]
	}
	d, err := draw(rec, *numbers, *forbidden)
	if err != nil {
		return fail(1, fmt.Errorf("%s: %w", inName, err))
	}
	d.Bare = *bare
	for _, m := range marks {
		p, text, ok := strings.Cut(m, "=")
		q, err := record.ParseName(p, rec.Variant)
		if err == nil && (!ok || !q.On(rec.Variant.Size)) {
			err = fmt.Errorf("%q is not like H8=+35", m)
		}
		if err != nil {
			return fail(2, fmt.Errorf("-mark: %w", err))
		}
		d.Marks = append(d.Marks, diagram.Mark{Point: q, Text: text})
	}
	var b bytes.Buffer
	if *to == "png" {
		err = d.PNG(&b, *pixels)
	} else {
		err = d.SVG(&b, *pixels)
	}
	if err != nil {
		return fail(2, err)
	}
	if outName == "-" {
		_, err = b.WriteTo(stdout)
	} else {
		err = os.WriteFile(outName, b.Bytes(), 0o666)
	}
	if err != nil {
		return fail(1, err)
	}
	return 0
}

// draw shows the position at the end of a record, as the referee has it.
func draw(rec *game.Record, numbers string, forbidden bool) (*diagram.Diagram, error) {
	g, err := engine.Replay(rec)
	if err != nil {
		return nil, firstIllegal(rec, err)
	}
	v := rec.Variant
	d := &diagram.Diagram{
		Variant: v, Last: game.NoPoint, Walls: rec.Setup.Walls,
		Name: func(q game.Point) string { return record.Name(q, v) },
	}
	number := map[game.Point]int{}
	for i, m := range rec.Moves {
		number[m.Point] = i + 1
	}
	if n := len(rec.Moves); n > 0 {
		d.Last = rec.Moves[n-1].Point
	}
	for y := range v.Size {
		for x := range v.Size {
			q := game.At(x, y)
			switch c := g.At(q); c {
			case game.Black, game.White:
				s := diagram.Stone{Point: q, Color: c}
				n := number[q]
				switch numbers {
				case "all":
				case "last":
					if q != d.Last {
						n = 0
					}
				case "none":
					n = 0
				default:
					return nil, fmt.Errorf("-numbers is all, last or none, not %q", numbers)
				}
				if n > 0 {
					s.Label = strconv.Itoa(n)
				}
				d.Stones = append(d.Stones, s)
			case game.Empty:
				if forbidden && v.Rule != game.Weiqi && g.Result().Outcome == game.Open && g.Legal(q) != nil {
					d.Forbidden = append(d.Forbidden, q)
				}
			}
		}
	}
	return d, nil
}

// firstIllegal adds to the error of a replay which move it was.
func firstIllegal(rec *game.Record, err error) error {
	part := *rec
	part.Moves = nil
	if _, e := engine.Replay(&part); e != nil {
		return err // the set-up, or the game itself
	}
	for i := range rec.Moves {
		part.Moves = rec.Moves[:i+1]
		if _, e := engine.Replay(&part); e != nil {
			return fmt.Errorf("move %d, %s: %w", i+1, record.Name(rec.Moves[i].Point, rec.Variant), e)
		}
	}
	return err
}
