package record

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tengen/engine/game"
)

// parser reads SGF (FF[4], section "EBNF definition"):
//
//	Collection = GameTree { GameTree }
//	GameTree   = "(" Sequence { GameTree } ")"
//	Sequence   = Node { Node }
//	Node       = ";" { Property }
//	Property   = PropIdent PropValue { PropValue }
type parser struct {
	src string
	pos int
	opt Options

	tree  *Tree
	node  *Node // the node being read, nil before the first
	props []sgfProp
}

// maxProps is far more than the 80 or so that FF[4] has.
const maxProps = 1000

// sgfProp is a property as it was read.
type sgfProp struct {
	id     string
	values []string
	at     int
}

// fail returns an error at a place in the text.
func (p *parser) fail(at int, format string, args ...any) error {
	return &Error{Line: 1 + strings.Count(p.src[:at], "\n"), Byte: at, What: fmt.Sprintf(format, args...)}
}

func (p *parser) skipSpace() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r', '\v', '\f':
			p.pos++
		default:
			return
		}
	}
}

func readSGF(data []byte, o Options) ([]*Tree, error) {
	enc := o.Encoding
	if enc == "" {
		enc = charset(data)
	}
	src, err := decode(data, enc)
	if err != nil {
		return nil, err
	}
	// Only line feeds count lines from here on.
	p := &parser{src: newlines.Replace(src), opt: o}
	var trees []*Tree
	for {
		p.skipSpace()
		if p.pos == len(p.src) {
			break
		}
		if err := p.gameTree(); err != nil {
			return nil, err
		}
		trees = append(trees, p.tree)
	}
	if len(trees) == 0 {
		return nil, p.fail(0, "there is no game in it")
	}
	return trees, nil
}

// charset returns the value of CA in the first node of raw SGF, or "".
func charset(data []byte) string {
	p := &parser{src: string(data[:min(len(data), 64<<10)])}
	for p.skipSpace(); p.pos < len(p.src); p.skipSpace() {
		switch c := p.src[p.pos]; {
		case c == '(' && p.node == nil:
			p.pos++
		case c == ';' && p.node == nil:
			p.node = NewNode()
			p.pos++
		default:
			q, err := p.property()
			if err != nil {
				return ""
			}
			if q.id == "CA" {
				return unescapeSimple(q.values[0])
			}
		}
	}
	return ""
}

// gameTree reads one game. It keeps its own stack, so that no file is nested too deeply.
func (p *parser) gameTree() error {
	type level struct {
		fork   *Node // the node that the sequence hangs on
		at     int
		nodes  int
		closed bool // a variation has ended here: no more nodes
	}
	p.tree, p.node = &Tree{}, nil
	var open []level
	for {
		p.skipSpace()
		if p.pos == len(p.src) {
			if len(open) == 0 {
				return p.fail(p.pos, "a game begins with (;")
			}
			return p.fail(p.pos, "the file ends inside the game, variation or value that was opened in line %d",
				1+strings.Count(p.src[:open[len(open)-1].at], "\n"))
		}
		at := p.pos
		c := p.src[at]
		if len(open) == 0 && c != '(' {
			return p.fail(at, "a game begins with (; not with %q", c)
		}
		switch {
		case c == '(':
			p.pos++
			if len(open) > 0 {
				top := &open[len(open)-1]
				if top.nodes == 0 {
					return p.fail(at, "a ( where a node is due")
				}
				if err := p.endNode(); err != nil {
					return err
				}
				top.closed = true
			}
			open = append(open, level{fork: p.node, at: at})
		case c == ';':
			p.pos++
			top := &open[len(open)-1]
			if top.closed {
				return p.fail(at, "a node after the end of a variation")
			}
			top.nodes++
			if err := p.endNode(); err != nil {
				return err
			}
			n := NewNode()
			if p.node == nil {
				p.tree.Root = n
			} else {
				p.node.Children = append(p.node.Children, n)
			}
			p.node = n
		case c == ')':
			p.pos++
			top := open[len(open)-1]
			if top.nodes == 0 {
				return p.fail(at, "a variation without a node")
			}
			if err := p.endNode(); err != nil {
				return err
			}
			p.node = top.fork
			if open = open[:len(open)-1]; len(open) == 0 {
				return nil
			}
		default:
			if top := open[len(open)-1]; top.nodes == 0 || top.closed {
				return p.fail(at, "%q where a node is due", c)
			}
			q, err := p.property()
			if err != nil {
				return err
			}
			if len(p.props) == maxProps {
				return p.fail(at, "more than %d properties in one node", maxProps)
			}
			p.put(q)
		}
	}
}

// put notes a property of the current node. Some files repeat one instead of listing its
// values together.
func (p *parser) put(q sgfProp) {
	for i := range p.props {
		if p.props[i].id == q.id {
			p.props[i].values = append(p.props[i].values, q.values...)
			return
		}
	}
	p.props = append(p.props, q)
}

// property reads an identifier and its values. Older files spell identifiers with lower
// case letters in between that do not count ("GaMe").
func (p *parser) property() (sgfProp, error) {
	q := sgfProp{at: p.pos}
	var id []byte
	for ; p.pos < len(p.src); p.pos++ {
		c := p.src[p.pos]
		if c >= 'A' && c <= 'Z' {
			id = append(id, c)
		} else if c < 'a' || c > 'z' {
			break
		}
	}
	if len(id) == 0 {
		if p.pos > q.at {
			return q, p.fail(q.at, "%q is not the name of a property", p.src[q.at:p.pos])
		}
		return q, p.fail(q.at, "%q is not the beginning of a property", p.src[q.at])
	}
	q.id = string(id)
	for {
		p.skipSpace()
		if p.pos == len(p.src) || p.src[p.pos] != '[' {
			break
		}
		start := p.pos + 1
		i := start
		for i < len(p.src) && p.src[i] != ']' {
			if p.src[i] == '\\' {
				i++
			}
			i++
		}
		if i >= len(p.src) {
			return q, p.fail(p.pos, "the file ends inside a value of %s", q.id)
		}
		q.values = append(q.values, p.src[start:i])
		p.pos = i + 1
	}
	if len(q.values) == 0 {
		return q, p.fail(q.at, "%s has no value", q.id)
	}
	return q, nil
}

// endNode makes sense of the properties that were read for the current node.
func (p *parser) endNode() error {
	if p.node == nil {
		return nil
	}
	props := p.props
	p.props = p.props[:0]
	root := p.node == p.tree.Root && p.tree.Variant.Size == 0 // at its end, not at a later fork
	if root {
		if err := p.game(props); err != nil {
			return err
		}
	}
	for _, q := range props {
		if err := p.apply(q, root); err != nil {
			return err
		}
	}
	return nil
}

// game finds out which game is played on which board.
func (p *parser) game(props []sgfProp) error {
	v := game.Variant{Rule: game.Weiqi}
	at := p.pos
	for _, q := range props {
		s := unescapeSimple(q.values[0])
		switch q.id {
		case "GM":
			at = q.at
			switch s {
			case "1":
			case "4":
				v.Rule = game.Freestyle
			default:
				return p.fail(q.at, "GM[%s] is a game that is not known here (1 is Go, 4 gomoku and renju)", s)
			}
		case "FF":
			if n, err := strconv.Atoi(s); err != nil || n < 1 || n > 4 {
				return p.fail(q.at, "FF[%s] is not a version of SGF", s)
			}
		case "SZ":
			w, h, two := strings.Cut(s, ":")
			n, err := strconv.Atoi(strings.TrimSpace(w))
			if err != nil || two && strings.TrimSpace(h) != strings.TrimSpace(w) {
				return p.fail(q.at, "SZ[%s] is not the side of a square board", s)
			}
			if err := p.opt.checkSize(n); err != nil {
				return p.fail(q.at, "%v", err)
			}
			v.Size = n
		}
	}
	for _, q := range props {
		if q.id != "RU" {
			continue
		}
		if r, ok := ruleOf(unescapeSimple(q.values[0]), v.Rule); ok {
			v.Rule = r
		} else {
			p.tree.Rules = unescapeText(q.values[0])
		}
	}
	if w := p.opt.Variant; w != nil {
		if w.Rule == game.Weiqi && v.Rule != game.Weiqi {
			return p.fail(at, "the game is %s, not %s", v.Rule, w.Rule)
		}
		if w.Rule != game.Weiqi {
			p.tree.Rules = "" // the caller knows better
		}
		v.Rule, v.FiveAtFour = w.Rule, w.FiveAtFour
		if v.Size == 0 {
			v.Size = w.Size
		}
	}
	if v.Size == 0 {
		v.Size = defaultSize(v.Rule)
	}
	p.tree.Variant = v
	return nil
}

// ruleOf reads RU: the name of one of our line games, under either number of GM, or the
// code of c-gomoku-cli.
func ruleOf(s string, gm game.Rule) (game.Rule, bool) {
	if r, err := game.ParseRule(s); err == nil && r != game.Weiqi {
		return r, true
	}
	if gm != game.Weiqi {
		switch s {
		case "0":
			return game.Freestyle, true
		case "1":
			return game.Standard, true
		case "4":
			return game.Renju, true
		}
	}
	return gm, false
}

// apply carries one property out on the current node.
func (p *parser) apply(q sgfProp, root bool) error {
	n := p.node
	single := func() error {
		if len(q.values) > 1 {
			return p.fail(q.at, "%s has %d values, not one", q.id, len(q.values))
		}
		return nil
	}
	switch q.id {
	case "B", "W":
		if err := single(); err != nil {
			return err
		}
		if n.Move.Point != game.NoPoint {
			return p.fail(q.at, "two moves in one node")
		}
		pt, err := p.point(strings.TrimSpace(q.values[0]), true)
		if err != nil {
			return p.fail(q.at, "%s: %v", q.id, err)
		}
		n.Move = game.Move{Color: colorOf(q.id), Point: pt}
		return nil
	case "AB", "AW", "AE":
		s := n.setup()
		to := &s.Empty
		switch q.id {
		case "AB":
			to = &s.Black
		case "AW":
			to = &s.White
		}
		for _, v := range q.values {
			var err error
			if *to, err = p.points(*to, v); err != nil {
				return p.fail(q.at, "%s: %v", q.id, err)
			}
		}
		return nil
	case "PL":
		if err := single(); err != nil {
			return err
		}
		switch strings.ToLower(unescapeSimple(q.values[0])) {
		case "b", "black":
			n.setup().ToMove = game.Black
		case "w", "white":
			n.setup().ToMove = game.White
		default:
			return p.fail(q.at, "PL[%s] is neither B nor W", q.values[0])
		}
		return nil
	case "C":
		if err := single(); err != nil {
			return err
		}
		n.Comment = unescapeText(q.values[0])
		return nil
	}
	if !root {
		n.Props = append(n.Props, Property{q.id, q.values})
		return nil
	}
	switch q.id {
	case "GM", "SZ", "FF", "CA", "RU":
		return single() // known by now, or written anew
	case "PB", "PW", "RE":
		if err := single(); err != nil {
			return err
		}
		s := unescapeSimple(q.values[0])
		switch q.id {
		case "PB":
			p.tree.Black = s
		case "PW":
			p.tree.White = s
		case "RE":
			p.tree.Result = s
		}
		return nil
	case "KM":
		if err := single(); err != nil {
			return err
		}
		s := unescapeSimple(q.values[0])
		if s == "" {
			return nil
		}
		k, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(k) || math.Abs(k) > 1000 {
			return p.fail(q.at, "KM[%s] is not a komi", s)
		}
		p.tree.Komi, p.tree.HasKomi = k, true
		return nil
	case "HA":
		if err := single(); err != nil {
			return err
		}
		s := unescapeSimple(q.values[0])
		h, err := strconv.Atoi(s)
		if s != "" && (err != nil || h < 0 || h > game.MaxSize*game.MaxSize) {
			return p.fail(q.at, "HA[%s] is not a handicap", s)
		}
		p.tree.Handicap = h
		return nil
	}
	n.Props = append(n.Props, Property{q.id, q.values})
	return nil
}

func colorOf(id string) game.Color {
	if id == "W" {
		return game.White
	}
	return game.Black
}

func (n *Node) setup() *Setup {
	if n.Setup == nil {
		n.Setup = &Setup{ToMove: game.Empty}
	}
	return n.Setup
}

// point reads two letters, column and row from the top left. Nothing is a pass, and so is
// "tt" on boards up to 19x19, as older files write it.
func (p *parser) point(s string, pass bool) (game.Point, error) {
	size := p.tree.Variant.Size
	if pass && (s == "" || s == "tt" && size <= 19) {
		return game.Pass, nil
	}
	if len(s) != 2 {
		return 0, fmt.Errorf("%q is not a point", s)
	}
	x, y := int(s[0])-'a', int(s[1])-'a'
	if x < 0 || y < 0 || x >= size || y >= size {
		return 0, fmt.Errorf("%q is not a point of a %dx%d board", s, size, size)
	}
	return game.At(x, y), nil
}

// points reads a point or a rectangle "upper left:lower right" of a compressed list.
func (p *parser) points(to []game.Point, s string) ([]game.Point, error) {
	a, b, rect := strings.Cut(strings.TrimSpace(s), ":")
	from, err := p.point(a, false)
	if err != nil {
		return nil, err
	}
	last := from
	if rect {
		if last, err = p.point(b, false); err != nil {
			return nil, err
		}
		if last.X() < from.X() || last.Y() < from.Y() {
			return nil, fmt.Errorf("%q is not a rectangle from its upper left to its lower right point", s)
		}
	}
	for y := from.Y(); y <= last.Y(); y++ {
		for x := from.X(); x <= last.X(); x++ {
			q := game.At(x, y)
			for _, r := range to {
				if r == q {
					return nil, fmt.Errorf("%q is listed twice", sgfPoint(q))
				}
			}
			to = append(to, q)
		}
	}
	return to, nil
}

func sgfPoint(q game.Point) string {
	if q == game.Pass {
		return ""
	}
	return string([]byte{'a' + byte(q.X()), 'a' + byte(q.Y())})
}
