// Package record reads and writes game files: SGF, piskvork's psq and Gomotur's rec,
// position strings in their spellings, opening offsets and RenLib libraries.
//
// The idea is one tree for all of them. A reader turns a file into trees and either
// understands all of it or says where it stopped: an *Error names the line or the byte,
// and nothing is returned half read. What SGF can say and we have no word for is kept
// and written back unchanged.
//
// Sources: Arno Hollosi's SGF FF[4] specification for SGF; for the other formats the
// behaviour of the programs that write them (piskvork's own files, RenLib's libraries).
package record

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"tengen/engine/game"
)

// Tree is a game with its variations.
type Tree struct {
	Variant      game.Variant
	Black, White string  // the players' names
	Result       string  // by colour, as SGF's RE: "B+", "W+Resign", "0", or ""
	Rules        string  // SGF's RU where it is not one of our games' names
	Komi         float64 // 0 unless HasKomi
	HasKomi      bool
	Handicap     int
	Root         *Node
}

// Node is a position in a tree: what was done to reach it from its parent.
type Node struct {
	Move     game.Move // Point is game.NoPoint where nothing was played
	Comment  string
	Setup    *Setup     // nil where nothing was placed
	Props    []Property // everything else, in the order of the file
	Children []*Node    // the first one continues the main line
}

// Setup is what a node places or removes by hand.
type Setup struct {
	Black, White, Empty []game.Point
	ToMove              game.Color // game.Empty where the node does not say
}

// Property is one of SGF's, its values escaped as they stand between the brackets.
type Property struct {
	ID     string
	Values []string
}

// NewNode returns a node that does nothing.
func NewNode() *Node { return &Node{Move: game.Move{Point: game.NoPoint}} }

// Add appends a new child that plays a move, and returns it.
func (n *Node) Add(m game.Move) *Node {
	c := &Node{Move: m}
	n.Children = append(n.Children, c)
	return c
}

// Get returns the values of a property, nil if the node has none of that name.
func (n *Node) Get(id string) []string {
	for _, p := range n.Props {
		if p.ID == id {
			return p.Values
		}
	}
	return nil
}

// Put appends a value to a property, which it begins if need be.
func (n *Node) Put(id, value string) {
	for i := range n.Props {
		if n.Props[i].ID == id {
			n.Props[i].Values = append(n.Props[i].Values, value)
			return
		}
	}
	n.Props = append(n.Props, Property{id, []string{value}})
}

// Properties of our own, for what other formats say and SGF has no word for.
const (
	propMillis = "MS"  // milliseconds a move took (psq)
	propLevels = "LV"  // levels of the two players (psq)
	propCode   = "EC"  // error code of a game (psq), where it is not 0
	propEnding = "PQ"  // last line of newer psq files: winner and rule
	propStart  = "RLS" // RenLib's "start here"
)

// Format is a kind of game file.
type Format uint8

const (
	SGF Format = iota
	PSQ
	Rec    // Gomotur, read only
	Pos    // "h8i9j10", one game a line
	Offset // "0,0, 1,0, 1,3" from the centre, one game a line
	URL    // "#renju/15/h8h9i10", one game a line
	RenLib // read only
	numFormats
)

var formatNames = [numFormats]string{"sgf", "psq", "rec", "pos", "offset", "url", "lib"}

func (f Format) String() string { return formatNames[f] }

// ParseFormat finds the format that String names.
func ParseFormat(s string) (Format, error) {
	for i, n := range formatNames {
		if strings.EqualFold(n, s) {
			return Format(i), nil
		}
	}
	return 0, fmt.Errorf("unknown format %q (one of %s)", s, strings.Join(formatNames[:], ", "))
}

var (
	looksOffset = regexp.MustCompile(`^[-\d,\s]*\d,[-\d,\s]*$`)
	looksPos    = regexp.MustCompile(`(?i)^\s*([a-z]\d{1,2}[\s,]*|pass[\s,]*)+$`)
	looksURL    = regexp.MustCompile(`#\w+/\d+/`)
)

// Detect tells the format of a file by its name or, failing that, by how it begins.
func Detect(name string, data []byte) (Format, error) {
	if ext := filepath.Ext(name); ext != "" {
		if f, err := ParseFormat(ext[1:]); err == nil {
			return f, nil
		}
	}
	s := strings.TrimPrefix(string(data[:min(len(data), 64<<10)]), "\ufeff")
	s = strings.TrimLeft(s, " \t\r\n")
	switch {
	case strings.HasPrefix(s, "("):
		return SGF, nil
	case strings.HasPrefix(s, "Piskvorky"):
		return PSQ, nil
	case strings.HasPrefix(s, renLibMagic):
		return RenLib, nil
	}
	for l := range strings.Lines(s) {
		l = strings.TrimSpace(l)
		switch {
		case looksURL.MatchString(l):
			return URL, nil
		case l == "" || l[0] == '#':
		case looksOffset.MatchString(l):
			return Offset, nil
		case looksPos.MatchString(l):
			return Pos, nil
		default:
			return 0, fmt.Errorf("%s: the format is not one that is known by its name or its beginning", name)
		}
	}
	return 0, fmt.Errorf("%s: there is no game in it", name)
}

// Options say what a file does not.
type Options struct {
	// Variant is the game when it is known from elsewhere; nil leaves it to the file, and
	// to freestyle on 15x15 where the file is silent. A Size of 0 leaves the size to the file.
	Variant *game.Variant
	// RowsFromTop is the spelling of position strings whose row 1 is the top one
	// (c-gomoku-cli, Gomocup's judge); else row 1 is at the bottom (Yixin, Gomocalc, us).
	RowsFromTop bool
	// Encoding names the character set of a file that does not tell or tells wrongly.
	Encoding string
	// GM is the number written for a line game in SGF, 4 if 0. Many programs read only 1, Go.
	GM int
}

// variant returns the game of a file that names none.
func (o Options) variant(size int) game.Variant {
	v := game.Variant{Size: size}
	if o.Variant != nil {
		v = *o.Variant
		if v.Size == 0 {
			v.Size = size
		}
	}
	if v.Size == 0 {
		v.Size = defaultSize(v.Rule)
	}
	return v
}

func defaultSize(r game.Rule) int {
	switch r {
	case game.Weiqi, game.Pente, game.Keryo, game.Omok:
		return 19
	}
	return 15
}

func checkSize(size int) error {
	if size < 2 || size > game.MaxSize {
		return fmt.Errorf("a board of %dx%d is not between 2x2 and %dx%d", size, size, game.MaxSize, game.MaxSize)
	}
	return nil
}

// checkSize refuses a file whose board is not the one asked for, or none at all.
func (o Options) checkSize(size int) error {
	if err := checkSize(size); err != nil {
		return err
	}
	if o.Variant != nil && o.Variant.Size != 0 && o.Variant.Size != size {
		return fmt.Errorf("the board is %dx%d, not %dx%d", size, size, o.Variant.Size, o.Variant.Size)
	}
	return nil
}

// Error is what is wrong with a file and where. Line counts from 1 and Byte from 0; Line
// is 0 in a binary file.
type Error struct {
	Line, Byte int
	What       string
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.What)
	}
	return fmt.Sprintf("byte %d: %s", e.Byte, e.What)
}

func lineError(line int, format string, args ...any) error {
	return &Error{Line: line, What: fmt.Sprintf(format, args...)}
}

// MaxFile is the largest file that is read.
const MaxFile = 512 << 20

// Read reads all games of a file. There is at least one if there is no error.
func Read(f Format, data []byte, o Options) ([]*Tree, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("more than %d bytes", MaxFile)
	}
	if o.Variant != nil && o.Variant.Size != 0 {
		if err := o.checkSize(o.Variant.Size); err != nil {
			return nil, err
		}
	}
	switch f {
	case SGF:
		return readSGF(data, o)
	case PSQ:
		return one(readPSQ(data, o))
	case Rec:
		return one(readRec(data, o))
	case Pos, Offset, URL:
		return readLines(f, data, o)
	case RenLib:
		return one(readRenLib(data, o))
	}
	return nil, fmt.Errorf("format %d is not read", f)
}

func one(t *Tree, err error) ([]*Tree, error) {
	if err != nil {
		return nil, err
	}
	return []*Tree{t}, nil
}

// Write writes games. Formats other than SGF hold no variations, no placed stones and no
// comments; the first two are refused, since a reader could not know what is missing.
func Write(w io.Writer, f Format, trees []*Tree, o Options) error {
	switch f {
	case SGF:
		return writeSGF(w, trees, o)
	case PSQ:
		if len(trees) != 1 {
			return fmt.Errorf("psq holds one game, not %d", len(trees))
		}
		return writePSQ(w, trees[0])
	case Pos, Offset, URL:
		return writeLines(w, f, trees, o)
	}
	return fmt.Errorf("%s is read, not written", f)
}
