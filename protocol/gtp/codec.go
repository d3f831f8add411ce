// Package gtp is the Go Text Protocol, version 2, for all games of the board: its codec,
// our end as an engine (Serve) and our end as a manager (Dial).
//
// The idea: a command is a line, a response is text that ends in an empty line, and all
// commands are answered in their order. Only what runs a search takes time; it runs beside
// the loop that reads, so that an analysis ends at any line and GoGui's interrupt is heard.
//
// Sources: Gunnar Farnebäck's specification of GTP version 2 (draft 2); KGS's, Leela Zero's,
// KataGo's, GoGui's and gomill's descriptions of their extensions; the texts of errors are
// those of GNU Go, which clients compare. Columns skip the letter I in every game.
package gtp

import (
	"errors"
	"strconv"
	"strings"

	"tengen/engine/game"
)

// request is one command as it was read.
type request struct {
	id   string // as it was written, "" if there was none
	name string
	args []string
}

// parse cuts a line into a command. ok is false if there is none in it: nothing but
// white space or a comment.
func parse(line string) (r request, ok bool) {
	line, _, _ = strings.Cut(line, "#")
	fields := strings.Fields(clean(line))
	if len(fields) == 0 {
		return r, false
	}
	if _, err := strconv.ParseUint(fields[0], 10, 31); err == nil {
		r.id, fields = fields[0], fields[1:]
	}
	if len(fields) > 0 {
		r.name, r.args = fields[0], fields[1:]
	}
	return r, true
}

// clean drops control characters; a tab is a space.
func clean(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\t':
			return ' '
		case c < ' ' || c == 0x7f:
			return -1
		}
		return c
	}, s)
}

// response is what answers a command. An empty line would end it early, so there is none
// inside; the space behind the sign is there even if nothing follows, as GoGui needs it.
func response(id, text string, err error) string {
	sign := "="
	if err != nil {
		sign, text = "?", err.Error()
	}
	var b strings.Builder
	b.WriteString(sign + id + " ")
	for i, l := range strings.Split(strings.TrimRight(text, "\r\n "), "\n") {
		l = clean(l)
		if i > 0 && strings.TrimSpace(l) == "" {
			continue
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l)
	}
	b.WriteString("\n\n")
	return b.String()
}

// Vertex writes a point of a size x size board: columns A to Z without I, rows from 1 at
// the bottom.
func Vertex(q game.Point, size int) string {
	switch {
	case q == game.Pass:
		return "pass"
	case !q.On(size):
		return "resign" // the only other word for a move
	}
	x := q.X()
	if x >= 'I'-'A' {
		x++
	}
	return string(rune('A'+x)) + strconv.Itoa(size-q.Y())
}

var errVertex = errors.New("invalid coordinate")

// ParseVertex reads what Vertex writes, in either case, but not "resign".
func ParseVertex(s string, size int) (game.Point, error) {
	if strings.EqualFold(s, "pass") {
		return game.Pass, nil
	}
	if len(s) < 2 || len(s) > 3 {
		return game.NoPoint, errVertex
	}
	x := int(s[0]|0x20) - 'a'
	row, err := strconv.ParseUint(s[1:], 10, 8)
	if x < 0 || x == 'i'-'a' || x > 'z'-'a' || err != nil {
		return game.NoPoint, errVertex
	}
	if x > 'i'-'a' {
		x--
	}
	if x >= size || row < 1 || int(row) > size {
		return game.NoPoint, errVertex
	}
	return game.At(x, size-int(row)), nil
}

// vertices writes points with a space between.
func vertices(qs []game.Point, size int) string {
	var b strings.Builder
	for i, q := range qs {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(Vertex(q, size))
	}
	return b.String()
}

var errColor = errors.New("invalid color")

// ParseColor reads a colour in any of its spellings.
func ParseColor(s string) (game.Color, error) {
	switch strings.ToLower(s) {
	case "b", "black":
		return game.Black, nil
	case "w", "white":
		return game.White, nil
	}
	return game.Empty, errColor
}

func colorWord(c game.Color) string { return strings.ToLower(c.String()) }
