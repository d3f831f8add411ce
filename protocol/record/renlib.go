package record

import (
	"fmt"
	"strings"

	"tengen/engine/game"
)

// A RenLib library is a header of 20 bytes and then its tree, depth first. A node is a
// point byte (column from 1 in the low half, row from 0 at the top in the high half; 0 is
// the root, later a pass) and a flag byte, two more bytes of flags if that says so, and
// its texts, each ended by a zero byte and filled up to an even length.
const (
	renLibMagic  = "\xffRenLib\xff"
	renLibHeader = 20
	renLibSize   = 15

	flagSibling    = 0x80 // another child of the same parent comes later
	flagLeaf       = 0x40 // no child follows
	flagOldComment = 0x20 // in seven bits, ended by a set eighth
	flagMark       = 0x10
	flagComment    = 0x08
	flagStart      = 0x04
	flagNoMove     = 0x02 // only a text on the parent's board
	flagExtended   = 0x01
	flagBoardText  = 0x01 // in the second byte of the extension
)

type libReader struct {
	data []byte
	pos  int
	enc  string
}

func (r *libReader) fail(at int, format string, args ...any) error {
	return &Error{Byte: at, What: fmt.Sprintf(format, args...)}
}

func readRenLib(data []byte, o Options) (*Tree, error) {
	r := &libReader{data: data, enc: o.Encoding}
	if len(data) < renLibHeader || string(data[:len(renLibMagic)]) != renLibMagic {
		return nil, r.fail(0, "a RenLib library begins with FF, RenLib, FF and is at least %d bytes long", renLibHeader)
	}
	if major, minor := data[8], data[9]; major != 3 || minor > 4 {
		return nil, r.fail(8, "version %d.%d is not one that is known (3.0 to 3.4)", major, minor)
	}
	if err := o.checkSize(renLibSize); err != nil {
		return nil, r.fail(0, "%v", err)
	}
	v := game.Variant{Rule: game.Renju, Size: renLibSize}
	if o.Variant != nil {
		v = o.variant(renLibSize)
	}
	r.pos = renLibHeader
	return r.tree(v)
}

// tree reads the nodes. path leads from the root to the last node, forks holds the depths
// at which a sibling is still to come.
func (r *libReader) tree(v game.Variant) (*Tree, error) {
	t := &Tree{Variant: v, Root: NewNode()}
	path := []*Node{t.Root}
	var forks []int
	var taken [game.NumPoints]bool
	for first := true; ; first = false {
		at := r.pos
		if at == len(r.data) {
			if first {
				return t, nil // an empty library
			}
			return nil, r.fail(at, "the library ends where a move is due")
		}
		if at+2 > len(r.data) {
			return nil, r.fail(at, "the library ends inside a move")
		}
		point, flags := r.data[at], r.data[at+1]
		r.pos += 2
		boardText := false
		if flags&flagExtended != 0 {
			if r.pos+2 > len(r.data) {
				return nil, r.fail(r.pos, "the library ends inside a move")
			}
			if r.data[r.pos] != 0 || r.data[r.pos+1]&^flagBoardText != 0 {
				return nil, r.fail(r.pos, "an extension that is not known")
			}
			boardText = r.data[r.pos+1] != 0
			r.pos += 2
		}
		q := game.Pass
		if point != 0 {
			x, y := int(point&15)-1, int(point>>4)
			if x < 0 || y >= renLibSize {
				return nil, r.fail(at, "%02X is not a point", point)
			}
			q = game.At(x, y)
		}
		parent := path[len(path)-1]
		node := parent
		switch isRoot := first && point == 0; {
		case isRoot:
			if flags&flagSibling != 0 {
				return nil, r.fail(at, "the root has a sibling")
			}
		case flags&flagNoMove != 0:
			if flags&flagLeaf == 0 {
				return nil, r.fail(at, "moves follow a text that is no move")
			}
			if point == 0 {
				return nil, r.fail(at, "a text stands on no point")
			}
			node = NewNode() // stands in for a move until its texts are read
		default:
			if q != game.Pass && taken[q] {
				return nil, r.fail(at, "%s is occupied", q.Name(renLibSize))
			}
			taken[q] = true
			node = parent.Add(game.Move{Color: game.Color((len(path) - 1) & 1), Point: q})
		}
		if err := r.texts(node, parent, q, flags, boardText); err != nil {
			return nil, err
		}
		if node != parent {
			if flags&flagSibling != 0 {
				forks = append(forks, len(path))
			}
			path = append(path, node)
		}
		if flags&flagLeaf == 0 {
			// A lone root is saved without the flag.
			if first && node == parent && r.pos == len(r.data) {
				return t, nil
			}
			continue
		}
		if len(forks) == 0 {
			if r.pos < len(r.data) {
				return nil, r.fail(r.pos, "moves follow the end of the tree")
			}
			return t, nil
		}
		depth := forks[len(forks)-1]
		forks = forks[:len(forks)-1]
		for _, n := range path[depth:] {
			taken[n.Move.Point] = false
		}
		path = path[:depth]
	}
}

// texts reads what is written at a node, and turns its flags into properties. RenLib shows
// a board text on the board before the move, so it is the parent's label.
func (r *libReader) texts(node, parent *Node, q game.Point, flags byte, boardText bool) error {
	if flags&flagOldComment != 0 && flags&flagComment != 0 {
		return r.fail(r.pos, "a comment that is both old and new")
	}
	var comment string
	var err error
	switch {
	case flags&flagOldComment != 0:
		comment, err = r.oldText()
	case flags&flagComment != 0:
		comment, err = r.text()
	}
	if err != nil {
		return err
	}
	// A backspace parts the one-line comment from the longer one.
	comment = cleanText(strings.Replace(comment, "\b", "\n", 1))
	if flags&flagNoMove != 0 && comment != "" {
		return r.fail(r.pos, "a comment on a text that is no move")
	}
	node.Comment = comment
	if boardText {
		s, err := r.text()
		if err != nil {
			return err
		}
		if q == game.Pass {
			return r.fail(r.pos, "a text stands on no point")
		}
		parent.Put("LB", sgfPoint(q)+":"+strings.ReplaceAll(escapeText(cleanLine(s)), ":", `\:`))
	}
	if flags&flagNoMove != 0 {
		return nil
	}
	if flags&flagMark != 0 {
		node.Put("HO", "1")
	}
	if flags&flagStart != 0 {
		node.Put(propStart, "")
	}
	return nil
}

// text reads to the zero byte and over the filling.
func (r *libReader) text() (string, error) {
	at := r.pos
	for i := at; i < len(r.data); i++ {
		if r.data[i] != 0 {
			continue
		}
		r.pos = i + 1
		if (r.pos-at)%2 != 0 {
			if r.pos == len(r.data) {
				break
			}
			r.pos++ // RenLib does not look at the byte
		}
		return r.decode(r.data[at:i], at)
	}
	return "", r.fail(at, "the library ends inside a text")
}

// oldText reads seven-bit text with the Swedish letters of ISO 646-SE.
func (r *libReader) oldText() (string, error) {
	at := r.pos
	var b strings.Builder
	for i := at; i < len(r.data); i++ {
		c := r.data[i] & 0x7F
		if k := strings.IndexByte(`[\]{|}`, c); k >= 0 {
			b.WriteString([]string{"Ä", "Ö", "Å", "ä", "ö", "å"}[k])
		} else {
			b.WriteByte(c)
		}
		if r.data[i] < 0x80 {
			continue
		}
		r.pos = i + 1
		if (r.pos-at)%2 != 0 {
			if r.pos == len(r.data) {
				break
			}
			r.pos++
		}
		return b.String(), nil
	}
	return "", r.fail(at, "the library ends inside a text")
}

func (r *libReader) decode(b []byte, at int) (string, error) {
	s, err := decode(b, r.enc)
	if err != nil {
		return "", r.fail(at, "%v", err)
	}
	return s, nil
}
