package record

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"tengen/engine/game"
)

// sgfWriter writes FF[4], UTF-8, a few moves a line.
type sgfWriter struct {
	w   *bufio.Writer
	col int
}

func (w *sgfWriter) prop(id string, values ...string) {
	w.w.WriteString(id)
	w.col += len(id)
	for _, v := range values {
		w.w.WriteByte('[')
		w.w.WriteString(v)
		w.w.WriteByte(']')
		w.col += len(v) + 2
	}
}

func (w *sgfWriter) points(id string, qs []game.Point) {
	if len(qs) == 0 {
		return
	}
	vs := make([]string, len(qs))
	for i, q := range qs {
		vs[i] = sgfPoint(q)
	}
	w.prop(id, vs...)
}

func (w *sgfWriter) newline() {
	w.w.WriteByte('\n')
	w.col = 0
}

func writeSGF(out io.Writer, trees []*Tree, o Options) error {
	w := &sgfWriter{w: bufio.NewWriter(out)}
	for _, t := range trees {
		if err := w.tree(t, o); err != nil {
			return err
		}
	}
	return w.w.Flush()
}

// tree writes one game. What is left to write is a stack, not a recursion: a variation's
// end stands on it as nil.
func (w *sgfWriter) tree(t *Tree, o Options) error {
	gm := 1
	if t.Variant.Rule != game.Weiqi {
		if gm = o.GM; gm == 0 {
			gm = 4
		}
	}
	if gm != 1 && gm != 4 {
		return fmt.Errorf("GM[%d] is no number for a game of stones on points (1 or 4)", gm)
	}
	if t.Variant.Size < 2 || t.Variant.Size > game.MaxSize {
		return fmt.Errorf("no board of %dx%d", t.Variant.Size, t.Variant.Size)
	}
	w.w.WriteString("(;")
	w.prop("FF", "4")
	w.prop("GM", strconv.Itoa(gm))
	w.prop("CA", "UTF-8")
	w.prop("SZ", strconv.Itoa(t.Variant.Size))
	switch {
	case t.Rules != "":
		w.prop("RU", escapeText(t.Rules))
	case t.Variant.Rule != game.Weiqi:
		w.prop("RU", t.Variant.Rule.String())
	}
	for _, p := range []Property{{"PB", []string{t.Black}}, {"PW", []string{t.White}}, {"RE", []string{t.Result}}} {
		if p.Values[0] != "" {
			w.prop(p.ID, escapeText(strings.ReplaceAll(p.Values[0], "\n", " ")))
		}
	}
	if t.HasKomi {
		w.prop("KM", strconv.FormatFloat(t.Komi, 'f', -1, 64))
	}
	if t.Handicap != 0 {
		w.prop("HA", strconv.Itoa(t.Handicap))
	}
	w.node(t.Root)
	stack := w.push(nil, t.Root)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n.node == nil {
			w.w.WriteByte(')')
			continue
		}
		if n.variation {
			w.newline()
			w.w.WriteByte('(')
			stack = append(stack, todo{})
		} else if w.col > 60 {
			w.newline()
		}
		w.w.WriteByte(';')
		w.node(n.node)
		stack = w.push(stack, n.node)
	}
	w.w.WriteString(")\n")
	w.col = 0
	return nil
}

// todo is a node to be written, or the end of a variation if there is none.
type todo struct {
	node      *Node
	variation bool
}

func (w *sgfWriter) push(stack []todo, n *Node) []todo {
	for i := len(n.Children) - 1; i >= 0; i-- {
		stack = append(stack, todo{n.Children[i], len(n.Children) > 1})
	}
	return stack
}

func (w *sgfWriter) node(n *Node) {
	if s := n.Setup; s != nil {
		w.points("AB", s.Black)
		w.points("AW", s.White)
		w.points("AE", s.Empty)
		if s.ToMove != game.Empty {
			w.prop("PL", sgfColor(s.ToMove))
		}
	}
	if n.Move.Point != game.NoPoint {
		w.prop(sgfColor(n.Move.Color), sgfPoint(n.Move.Point))
	}
	for _, p := range n.Props {
		w.prop(p.ID, p.Values...)
	}
	if n.Comment != "" {
		w.prop("C", escapeText(n.Comment))
	}
}

func sgfColor(c game.Color) string { return "BW"[c : c+1] }
