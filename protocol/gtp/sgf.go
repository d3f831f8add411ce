package gtp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"tengen/engine/game"
	"tengen/engine/weiqi"
	"tengen/protocol/record"
)

const maxFile = 16 << 20

// readFile reads a file that is one: a device or a pipe could go on for ever.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if i, err := f.Stat(); err != nil || !i.Mode().IsRegular() || i.Size() > maxFile {
		return nil, errors.New("not a game file")
	}
	return io.ReadAll(io.LimitReader(f, maxFile))
}

// loadSGF puts the main line of the first game of a file on the board, or, with a number,
// what of it comes before that move. Komi and rules that the file does not name stay.
func (sv *server) loadSGF(args []string) (string, error) {
	if len(args) == 0 {
		return "", errors.New("missing filename")
	}
	before := 0
	if n, err := strconv.Atoi(args[len(args)-1]); err == nil && len(args) > 1 {
		if n < 1 {
			return "", errors.New("invalid move number")
		}
		before, args = n, args[:len(args)-1]
	}
	name := strings.Join(args, " ")
	data, err := readFile(name)
	if err != nil {
		return "", fmt.Errorf("cannot open or parse '%s'", name)
	}
	fail := func(err error) (string, error) {
		return "", fmt.Errorf("cannot open or parse '%s': %v", name, err)
	}
	trees, err := record.Read(record.SGF, data, record.Options{Variant: &game.Variant{Rule: sv.s.Variant().Rule}})
	if err != nil {
		return fail(err)
	}
	t := trees[0]
	line, err := t.Line()
	if err != nil {
		return fail(err)
	}
	rec, err := t.Record(line)
	if err != nil {
		return fail(err)
	}
	v := sv.s.Variant()
	v.Size = t.Variant.Size
	if t.HasKomi {
		v.Komi = t.Komi
	}
	if r, err := weiqi.ParseRules(t.Rules); err == nil && sv.isGo() && t.Rules != "" {
		v.Ruleset = r.String()
	}
	rec.Variant = v
	if before > 0 && before <= len(rec.Moves) {
		rec.Moves = rec.Moves[:before-1]
	}
	if err := sv.set(rec); err != nil {
		return fail(err)
	}
	sv.clocks.reset()
	return "", nil
}

// printSGF writes the game so far, as the response or into a file.
func (sv *server) printSGF(args []string) (string, error) {
	g := sv.s.Game()
	t, err := record.FromRecord(g.Record())
	if err != nil {
		return "", err
	}
	t.SetResult(g.Result())
	if v := sv.s.Variant(); sv.isGo() {
		t.Komi, t.HasKomi, t.Handicap = v.Komi, true, weiqi.Handicap(g.Record())
		if r, err := weiqi.RulesOf(v); err == nil {
			t.Rules = r.String()
		}
		if r := g.Result(); r.Outcome != game.Open && r.Outcome != game.Draw {
			t.Result = r.Reason
		}
	}
	var b bytes.Buffer
	if err := record.Write(&b, record.SGF, []*record.Tree{t}, record.Options{}); err != nil {
		return "", err
	}
	if len(args) == 0 {
		return b.String(), nil
	}
	name := strings.Join(args, " ")
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		return "", fmt.Errorf("cannot open '%s'", name)
	}
	return "", nil
}
