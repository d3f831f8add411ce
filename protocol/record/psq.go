package record

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"tengen/engine/game"
)

// A psq file of piskvork:
//
//	Piskvorky 15x15, 11:11, 0     size, levels of the two players, which of them began
//	8,8,120                       column and row from 1 at the top left, milliseconds
//	...
//	pbrain-one                    names of the two players; left out by the board window
//	pbrain-two
//	0                             error code: 0 none, 15 time, -1 unknown
//	1,Freestyle                   newer tournaments only
//
// Gomotur's rec has the names of the first and the second player before the moves, counts
// columns and rows from 0 and is always 20x20.

const (
	codeTime = 15
	recSize  = 20
)

var (
	psqHead   = regexp.MustCompile(`^Piskvorky (\d{1,3})x(\d{1,3}), ?(-?\d{1,9}:-?\d{1,9}), ?([01])$`)
	psqMove   = regexp.MustCompile(`^(-?\d{1,9}) ?, ?(-?\d{1,9})(?: ?, ?(-?\d{1,18}))?$`)
	psqNumber = regexp.MustCompile(`^-?\d+\s*,`) // the beginning of a move, broken or not
	psqCode   = regexp.MustCompile(`^-?\d{1,9}$`)
)

func readPSQ(data []byte, o Options) (*Tree, error) {
	text, err := decode(data, o.Encoding)
	if err != nil {
		return nil, err
	}
	lines := splitLines(text)
	if len(lines) == 0 {
		return nil, lineError(1, "there is no game in it")
	}
	head := psqHead.FindStringSubmatch(strings.TrimSpace(lines[0]))
	if head == nil {
		return nil, lineError(1, `a psq file begins with "Piskvorky 15x15, 0:0, 0"`)
	}
	if head[1] != head[2] {
		return nil, lineError(1, "the board is %sx%s, not square", head[1], head[2])
	}
	size, _ := strconv.Atoi(head[1])
	if err := o.checkSize(size); err != nil {
		return nil, lineError(1, "%v", err)
	}
	s, err := newSequence(o.variant(size))
	if err != nil {
		return nil, lineError(1, "%v", err)
	}
	if head[3] != "0:0" {
		s.t.Root.Put(propLevels, head[3])
	}
	at, err := s.psqMoves(lines, 1, 1)
	if err != nil {
		return nil, err
	}
	tail, where := rest(lines, at)
	switch {
	case len(tail) == 1 || len(tail) == 3:
	case len(tail) == 4:
		if _, rule, ok := strings.Cut(tail[3], ","); ok && o.Variant == nil {
			if r, err := game.ParseRule(strings.TrimSpace(rule)); err == nil {
				s.t.Variant.Rule = r
			}
		}
		s.t.Root.Put(propEnding, escapeText(cleanLine(tail[3])))
	case len(tail) == 0:
		return nil, lineError(len(lines)+1, "the file ends without the line of the error code")
	default:
		return nil, lineError(where[0], "%q is neither a move nor the last lines of a psq file (two names and an error code)", tail[0])
	}
	if len(tail) >= 3 {
		for i := range 2 {
			if psqNumber.MatchString(tail[i]) {
				return nil, lineError(where[i], "%q is neither a move nor the name of a player", tail[i])
			}
		}
		s.t.Black, s.t.White = cleanLine(tail[0]), cleanLine(tail[1])
		if head[4] == "1" {
			s.t.Black, s.t.White = s.t.White, s.t.Black
		}
	}
	i := min(len(tail)-1, 2)
	if err := s.errorCode(tail[i], where[i]); err != nil {
		return nil, err
	}
	return s.t, nil
}

func readRec(data []byte, o Options) (*Tree, error) {
	text, err := decode(data, o.Encoding)
	if err != nil {
		return nil, err
	}
	lines := splitLines(text)
	if len(lines) < 3 {
		return nil, lineError(len(lines)+1, "a rec file has two names, the moves and an error code")
	}
	if err := o.checkSize(recSize); err != nil {
		return nil, lineError(1, "%v", err)
	}
	for i := range 2 {
		if l := strings.TrimSpace(lines[i]); l == "" || psqNumber.MatchString(l) || psqHead.MatchString(l) {
			return nil, lineError(i+1, "%q is not the name of a player, with which a rec file begins", l)
		}
	}
	s, err := newSequence(o.variant(recSize))
	if err != nil {
		return nil, lineError(1, "%v", err)
	}
	s.t.Black, s.t.White = cleanLine(lines[0]), cleanLine(lines[1])
	at, err := s.psqMoves(lines, 2, 0)
	if err != nil {
		return nil, err
	}
	tail, where := rest(lines, at)
	switch {
	case len(tail) == 0:
		return nil, lineError(len(lines)+1, "the file ends without the line of the error code")
	case len(tail) > 1:
		return nil, lineError(where[1], "%q after the error code", tail[1])
	}
	if err := s.errorCode(tail[0], where[0]); err != nil {
		return nil, err
	}
	return s.t, nil
}

// rest returns the lines from index at on that are not blank, and their numbers.
func rest(lines []string, at int) (tail []string, where []int) {
	for i := at; i < len(lines); i++ {
		if l := strings.TrimSpace(lines[i]); l != "" {
			tail, where = append(tail, l), append(where, i+1)
		}
	}
	return tail, where
}

// psqMoves plays the moves from line index at on, coordinates counted from base, and
// returns the index of the first line that is none.
func (s *sequence) psqMoves(lines []string, at, base int) (int, error) {
	size := s.t.Variant.Size
	for ; at < len(lines); at++ {
		m := psqMove.FindStringSubmatch(strings.TrimSpace(lines[at]))
		if m == nil {
			break
		}
		x, _ := strconv.Atoi(m[1])
		y, _ := strconv.Atoi(m[2])
		x, y = x-base, y-base
		if x < 0 || y < 0 || x >= size || y >= size {
			return 0, lineError(at+1, "%s,%s is off the %dx%d board", m[1], m[2], size, size)
		}
		if err := s.play(game.At(x, y)); err != nil {
			return 0, lineError(at+1, "%v", err)
		}
		if ms := strings.TrimLeft(m[3], "0"); ms != "" {
			s.last.Put(propMillis, m[3])
		}
	}
	return at, nil
}

func (s *sequence) errorCode(l string, line int) error {
	if !psqCode.MatchString(l) {
		return lineError(line, "%q is not an error code", l)
	}
	code, _ := strconv.Atoi(l)
	switch code {
	case 0:
	case codeTime: // of the side that should have moved
		s.t.Result = [2]string{"B+Time", "W+Time"}[s.next.Other()]
	default:
		s.t.Root.Put(propCode, strconv.Itoa(code))
	}
	return nil
}

func writePSQ(out io.Writer, t *Tree) error {
	moves, err := t.plain()
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	levels := "0:0"
	if v := t.Root.Get(propLevels); v != nil {
		levels = v[0]
	}
	fmt.Fprintf(w, "Piskvorky %dx%d, %s, 0\n", t.Variant.Size, t.Variant.Size, levels)
	for i, n := range moves {
		if n.Move.Point == game.Pass {
			return fmt.Errorf("move %d is a pass, and psq has no word for it", i+1)
		}
		ms := "0"
		if v := n.Get(propMillis); v != nil {
			ms = v[0]
		}
		fmt.Fprintf(w, "%d,%d,%s\n", n.Move.Point.X()+1, n.Move.Point.Y()+1, ms)
	}
	code := "0"
	next := game.Color(len(moves) & 1)
	if v := t.Root.Get(propCode); v != nil {
		code = v[0]
	} else if r, why, _ := strings.Cut(t.Result, "+"); r == sgfColor(next.Other()) && (why == "T" || why == "Time") {
		code = strconv.Itoa(codeTime)
	}
	ending := t.Root.Get(propEnding)
	if t.Black != "" || t.White != "" || ending != nil {
		fmt.Fprintf(w, "%s\n%s\n", psqName(t.Black, "black"), psqName(t.White, "white"))
	}
	fmt.Fprintln(w, code)
	if ending != nil {
		fmt.Fprintln(w, unescapeSimple(ending[0]))
	}
	return w.Flush()
}

// psqName is a name that cannot be taken for anything else.
func psqName(s, empty string) string {
	s = strings.TrimSpace(strings.Join(strings.Fields(s), " "))
	switch {
	case s == "":
		return empty
	case psqNumber.MatchString(s):
		return "_" + s
	}
	return s
}
