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
)

const convertUsage = `usage: tengen convert [flags] [in [out]]

Reads games and writes them in another format. A file is told by its name's ending or by
how it begins; - or nothing is the standard input and output. Flags:
`

// convert is `tengen convert`.
func convert(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen convert", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprint(stderr, convertUsage)
		f.PrintDefaults()
	}
	in := inputFlags(f)
	to := f.String("to", "", "format to write: sgf, psq, pos, offset or url (default: by the name of out)")
	line := f.String("line", "", "variation: main, all (each a game of its own) or the choice at each fork, as 1,0")
	gm := f.Int("gm", 4, "number of a line game in SGF: 4, or 1 for programs that know Go only")
	if err := f.Parse(args); err != nil {
		return 2
	}
	fail := func(status int, err error) int {
		fmt.Fprintln(stderr, "tengen convert:", err)
		return status
	}
	if f.NArg() > 2 {
		f.Usage()
		return 2
	}
	inName, outName := name(f.Arg(0)), name(f.Arg(1))
	if *to == "" && outName != "-" {
		*to = strings.TrimPrefix(filepath.Ext(outName), ".")
	}
	if *to == "" {
		return fail(2, errors.New("no format to write: use -to, or a name for out"))
	}
	target, err := record.ParseFormat(*to)
	if err != nil {
		return fail(2, err)
	}
	trees, opt, err := in.read(inName, stdin)
	if err != nil {
		return fail(1, err)
	}
	if trees, err = choose(trees, *line); err != nil {
		return fail(1, fmt.Errorf("%s: %w", inName, err))
	}
	left := false
	for i, t := range trees {
		if target != record.SGF && t.Forks() {
			return fail(1, fmt.Errorf("%s: game %d has variations, which %s cannot hold: choose with -line main, -line all or -line 1,0", inName, i+1, target))
		}
		left = left || target != record.SGF && wordy(t)
		settle(t)
	}
	opt.GM = *gm
	// All of it is written, or nothing is.
	var b bytes.Buffer
	if err := record.Write(&b, target, trees, opt); err != nil {
		return fail(1, err)
	}
	if outName == "-" {
		_, err = b.WriteTo(stdout)
	} else {
		err = os.WriteFile(outName, b.Bytes(), 0o666)
	}
	if err != nil {
		return fail(1, err)
	}
	if left {
		fmt.Fprintf(stderr, "tengen convert: comments and marks are left out, %s cannot hold them\n", target)
	}
	return 0
}

func name(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// input are the flags that tell how a file is read.
type input struct {
	from, variant, rows, encoding *string
}

func inputFlags(f *flag.FlagSet) *input {
	return &input{
		from:     f.String("from", "", "format to read: sgf, psq, rec, pos, offset, url or lib"),
		variant:  f.String("variant", "", "game and size where the file does not tell them: renju, go/9, freestyle/20"),
		rows:     f.String("rows", "bottom", "row 1 of position strings read and written: bottom (Yixin) or top (c-gomoku-cli)"),
		encoding: f.String("encoding", "", "character set of the file, if it does not tell or tells wrongly"),
	}
}

func (in *input) read(name string, stdin io.Reader) ([]*record.Tree, record.Options, error) {
	var opt record.Options
	if *in.variant != "" {
		v, err := parseVariant(*in.variant)
		if err != nil {
			return nil, opt, err
		}
		opt.Variant = &v
	}
	switch *in.rows {
	case "bottom":
	case "top":
		opt.RowsFromTop = true
	default:
		return nil, opt, fmt.Errorf("-rows is bottom or top, not %q", *in.rows)
	}
	opt.Encoding = *in.encoding
	r := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, opt, err
		}
		defer f.Close()
		r = f
	}
	data, err := io.ReadAll(io.LimitReader(r, record.MaxFile+1))
	if err != nil {
		return nil, opt, err
	}
	var format record.Format
	if *in.from != "" {
		format, err = record.ParseFormat(*in.from)
	} else {
		format, err = record.Detect(name, data)
	}
	if err != nil {
		return nil, opt, err
	}
	trees, err := record.Read(format, data, opt)
	if err != nil {
		return nil, opt, fmt.Errorf("%s: %w", name, err)
	}
	return trees, opt, nil
}

// parseVariant reads "renju" or "renju/15".
func parseVariant(s string) (game.Variant, error) {
	rule, size, sized := strings.Cut(s, "/")
	r, err := game.ParseRule(rule)
	if err != nil {
		return game.Variant{}, err
	}
	v := game.Variant{Rule: r}
	if sized {
		if v.Size, err = strconv.Atoi(size); err != nil || v.Size < 2 || v.Size > game.MaxSize {
			return v, fmt.Errorf("%q is not the size of a board", size)
		}
	}
	return v, nil
}

// choose leaves one line of each tree, or makes each line a tree.
func choose(trees []*record.Tree, which string) ([]*record.Tree, error) {
	var path []int
	switch which {
	case "":
		return trees, nil
	case "all":
		var out []*record.Tree
		for _, t := range trees {
			for l := range t.Lines() {
				out = append(out, t.Alone(l))
			}
		}
		return out, nil
	case "main":
	default:
		for _, s := range strings.Split(which, ",") {
			i, err := strconv.Atoi(strings.TrimSpace(s))
			if err != nil {
				return nil, fmt.Errorf("-line is main, all or numbers like 1,0, not %q", which)
			}
			path = append(path, i)
		}
	}
	out := make([]*record.Tree, len(trees))
	for i, t := range trees {
		l, err := t.Line(path...)
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
		out[i] = t.Alone(l)
	}
	return out, nil
}

// wordy reports whether a game of one line says more than its moves.
func wordy(t *record.Tree) bool {
	line, _ := t.Line()
	for _, n := range line {
		if n.Comment != "" || n.Get("LB") != nil || n.Get("HO") != nil {
			return true
		}
	}
	return false
}

// settle fills in the result of a line game that its file does not tell but the rules do.
// A game of Go is for its players to count.
func settle(t *record.Tree) {
	if t.Result != "" || t.Forks() || t.Variant.Rule == game.Weiqi {
		return
	}
	line, err := t.Line()
	if err != nil {
		return
	}
	rec, err := t.Record(line)
	if err != nil || len(rec.Moves) == 0 {
		return
	}
	if g, err := engine.Replay(rec); err == nil {
		t.SetResult(g.Result())
	}
}
