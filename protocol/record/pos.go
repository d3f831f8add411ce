package record

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"tengen/engine/game"
)

// Name returns a point in the letters of its game: Go skips the I, the line games do not.
func Name(q game.Point, v game.Variant) string {
	if v.Rule == game.Weiqi && q.On(v.Size) && q.X() >= 'I'-'A' {
		return string(rune('A'+q.X()+1)) + strconv.Itoa(v.Size-q.Y())
	}
	return q.Name(v.Size)
}

// ParseName reads what Name writes, in either case.
func ParseName(s string, v game.Variant) (game.Point, error) {
	if v.Rule != game.Weiqi || strings.EqualFold(s, "pass") || s == "" {
		return game.ParseName(s, v.Size)
	}
	switch c := s[0] &^ 0x20; {
	case c == 'I':
		return game.NoPoint, fmt.Errorf("%q: Go boards have no column I", s)
	case c > 'I' && c <= 'Z':
		q, err := game.ParseName(string(c-1)+s[1:], v.Size)
		if err != nil {
			err = fmt.Errorf("%q is not a point of a %dx%d board", s, v.Size, v.Size)
		}
		return q, err
	}
	return game.ParseName(s, v.Size)
}

// readLines reads the formats that hold one game a line. Blank lines and lines that begin
// with # (but are no fragment of a URL) are skipped.
func readLines(f Format, data []byte, o Options) ([]*Tree, error) {
	text, err := decode(data, o.Encoding)
	if err != nil {
		return nil, err
	}
	var trees []*Tree
	for i, l := range splitLines(text) {
		if l = strings.TrimSpace(l); l == "" || l[0] == '#' && !(f == URL && looksURL.MatchString(l)) {
			continue
		}
		var t *Tree
		switch f {
		case Pos:
			t, err = ParsePos(l, o)
		case Offset:
			t, err = ParseOffset(l, o)
		case URL:
			t, err = ParseURL(l, o)
		}
		if err != nil {
			return nil, lineError(i+1, "%v", err)
		}
		trees = append(trees, t)
	}
	if len(trees) == 0 {
		return nil, lineError(1, "there is no game in it")
	}
	return trees, nil
}

// ParsePos reads a position string, "h8i9j10": moves in turn, Black first, blanks and
// commas between them as one likes.
func ParsePos(s string, o Options) (*Tree, error) {
	q, err := newSequence(o.variant(0))
	if err != nil {
		return nil, err
	}
	v := q.t.Variant
	for s = skip(s); s != ""; s = skip(s) {
		n := 1
		if len(s) >= 4 && strings.EqualFold(s[:4], "pass") {
			n = 4
		} else {
			for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '9' {
				n++
			}
		}
		p, err := ParseName(s[:n], v)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", len(q.t.Root.moves())+1, err)
		}
		if o.RowsFromTop && p != game.Pass {
			p = game.At(p.X(), v.Size-1-p.Y())
		}
		if err := q.play(p); err != nil {
			return nil, fmt.Errorf("move %d: %w", len(q.t.Root.moves())+1, err)
		}
		s = s[n:]
	}
	return q.t, nil
}

func skip(s string) string { return strings.TrimLeft(s, " \t,") }

// moves returns the main line below a node.
func (n *Node) moves() []*Node {
	var line []*Node
	for len(n.Children) > 0 {
		n = n.Children[0]
		line = append(line, n)
	}
	return line
}

// ParseURL reads the fragment "#renju/15/h8h9i10" at the end of a URL, or alone.
func ParseURL(s string, o Options) (*Tree, error) {
	_, s, ok := strings.Cut(s, "#")
	part := strings.Split(s, "/")
	if !ok || len(part) != 3 {
		return nil, fmt.Errorf("a position in a URL is #game/size/moves")
	}
	r, err := game.ParseRule(part[0])
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(part[1])
	if err != nil {
		return nil, fmt.Errorf("%q is not the size of a board", part[1])
	}
	if err := o.checkSize(size); err != nil {
		return nil, err
	}
	v := game.Variant{Rule: r, Size: size}
	if w := o.Variant; w != nil {
		if w.Rule != r {
			return nil, fmt.Errorf("the game is %s, not %s", r, w.Rule)
		}
		v.FiveAtFour = w.FiveAtFour
	}
	return ParsePos(part[2], Options{Variant: &v})
}

// ParseOffset reads an opening as columns and rows from the centre, to the right and down:
// "0,0, 1,0, 1,3" of piskvork, or "-6,-8,-5,-9" without blanks. The centre of a board of
// even side n is the point n/2, n/2 from the top left.
func ParseOffset(s string, o Options) (*Tree, error) {
	q, err := newSequence(o.variant(0))
	if err != nil {
		return nil, err
	}
	size := q.t.Variant.Size
	// A comma may be followed by blanks; blanks alone separate too; two commas do not.
	fields := strings.FieldsFunc(strings.ReplaceAll(s, ",", " , "), func(r rune) bool { return r == ' ' || r == '\t' })
	var nums []int
	comma := true
	for _, f := range fields {
		if f == "," {
			if comma {
				return nil, fmt.Errorf("a comma without a number before it")
			}
			comma = true
			continue
		}
		n, err := strconv.Atoi(f)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", f)
		}
		nums, comma = append(nums, n), false
	}
	if comma && len(nums) > 0 {
		return nil, fmt.Errorf("a comma at the end")
	}
	if len(nums)%2 != 0 {
		return nil, fmt.Errorf("%d numbers are no pairs of column and row", len(nums))
	}
	for i := 0; i < len(nums); i += 2 {
		x, y := nums[i]+size/2, nums[i+1]+size/2
		if x < 0 || y < 0 || x >= size || y >= size {
			return nil, fmt.Errorf("stone %d: %d,%d from the centre is off the %dx%d board", i/2+1, nums[i], nums[i+1], size, size)
		}
		if err := q.play(game.At(x, y)); err != nil {
			return nil, fmt.Errorf("stone %d: %w", i/2+1, err)
		}
	}
	return q.t, nil
}

func writeLines(out io.Writer, f Format, trees []*Tree, o Options) error {
	w := bufio.NewWriter(out)
	for i, t := range trees {
		moves, err := t.plain()
		if err != nil {
			return fmt.Errorf("game %d: %w", i+1, err)
		}
		v := t.Variant
		if f == URL {
			fmt.Fprintf(w, "#%s/%d/", v.Rule, v.Size)
		}
		for j, n := range moves {
			p := n.Move.Point
			switch {
			case f == Offset && p == game.Pass:
				return fmt.Errorf("game %d: move %d is a pass, and offsets have no word for it", i+1, j+1)
			case f == Offset:
				if j > 0 {
					w.WriteString(", ")
				}
				fmt.Fprintf(w, "%d,%d", p.X()-v.Size/2, p.Y()-v.Size/2)
			default:
				if f == Pos && o.RowsFromTop && p != game.Pass {
					p = game.At(p.X(), v.Size-1-p.Y())
				}
				w.WriteString(strings.ToLower(Name(p, v)))
			}
		}
		w.WriteByte('\n')
	}
	return w.Flush()
}
