// Package flame draws a profile as a flame graph: one box for each function on the way to
// it, above its caller, as wide as what it and all that it called took (Gregg, "The flame
// graph", Communications of the ACM 59(6), 2016). The picture is one SVG file without
// script; a box tells its name and its share when the mouse is on it.
//
// A function that calls itself, by whatever way, has one box: a search would else be a
// tower of its own name.
package flame

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

const (
	width    = 1200.0
	side     = 10.0 // left and right of the graph
	row      = 17.0
	head     = 40.0 // above it
	foot     = 10.0
	fontSize = 11.0
	letter   = 6.7   // the width of one, about
	least    = 0.001 // share of a box worth drawing
)

// node is a function on one way of calls.
type node struct {
	name     string
	value    int64 // with what it called
	self     int64
	children map[string]*node
}

// child returns the function that n calls.
func (n *node) child(name string) *node {
	c := n.children[name]
	if c == nil {
		c = &node{name: name}
		if n.children == nil {
			n.children = map[string]*node{}
		}
		n.children[name] = c
	}
	return c
}

// sorted returns the children by name, so that two graphs can be laid side by side.
func (n *node) sorted() []*node {
	var all []*node
	for _, c := range n.children {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *node) int { return strings.Compare(a.name, b.name) })
	return all
}

// Write draws a profile. kind names the kind of its samples that is drawn, "" the last
// one, which is what a profile is about. The error says which kinds there are.
func Write(w io.Writer, p *profile.Profile, kind string) error {
	at := len(p.SampleType) - 1
	if kind != "" {
		at = slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == kind })
	}
	if at < 0 {
		var have []string
		for _, t := range p.SampleType {
			have = append(have, t.Type)
		}
		return fmt.Errorf("the profile has no samples of %q, but of %q", kind, have)
	}
	root := &node{name: "all"}
	for _, s := range p.Sample {
		if s.Value[at] > 0 {
			root.add(stack(s), s.Value[at])
		}
	}
	t := p.SampleType[at]
	return root.draw(w, t.Type, t.Unit, len(p.Sample))
}

// stack returns the functions of a sample from the outermost to the innermost, recursion
// folded.
func stack(s *profile.Sample) (names []string) {
	for i := len(s.Location) - 1; i >= 0; i-- {
		l := s.Location[i]
		if len(l.Line) == 0 {
			names = append(names, fmt.Sprintf("0x%x", l.Address))
		}
		for j := len(l.Line) - 1; j >= 0; j-- { // the first is the innermost inlined one
			name := "?"
			if f := l.Line[j].Function; f != nil {
				name = short(f.Name)
			}
			if k := slices.Index(names, name); k >= 0 {
				names = names[:k]
			}
			names = append(names, name)
		}
	}
	return names
}

// short leaves of an import path only the package.
func short(name string) string {
	// The path ends before the first dot behind the last slash; type parameters may have more.
	end := strings.IndexByte(name, '[')
	if end < 0 {
		end = len(name)
	}
	return name[strings.LastIndexByte(name[:end], '/')+1:]
}

func (n *node) add(names []string, value int64) {
	n.value += value
	for _, name := range names {
		n = n.child(name)
		n.value += value
	}
	n.self += value
}

// depth returns how many boxes stand above each other that are worth drawing.
func (n *node) depth(min int64) int {
	most := 0
	for _, c := range n.children {
		if c.value >= min {
			most = max(most, c.depth(min))
		}
	}
	return most + 1
}

func (n *node) draw(to io.Writer, kind, unit string, samples int) error {
	w := bufio.NewWriter(to)
	least := max(int64(least*float64(n.value)), 1)
	height := head + row*float64(n.depth(least)) + foot
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">
<style>
text { font: %.0fpx monospace; fill: #000; pointer-events: none }
.head { font-size: 15px; font-family: sans-serif }
rect { stroke: #fff; stroke-width: 0.5 }
g:hover rect { stroke: #000; stroke-width: 1 }
</style>
<rect width="100%%" height="100%%" fill="#fff"/>
<text class="head" x="%.0f" y="24">%s: %s in %d stacks. Each box is above its caller; recursion folded.</text>
`, width, height, width, height, fontSize, side, escape(kind), escape(amount(n.value, unit)), samples)
	if n.value > 0 {
		b := box{w, n.value, unit, least, height - foot}
		b.draw(n, side, 0)
	}
	fmt.Fprintln(w, "</svg>")
	return w.Flush()
}

// box draws boxes.
type box struct {
	w      *bufio.Writer
	all    int64
	unit   string
	least  int64
	ground float64 // y of the lowest edge
}

func (b *box) draw(n *node, x float64, level int) {
	wide := (width - 2*side) * float64(n.value) / float64(b.all)
	y := b.ground - row*float64(level+1)
	percent := func(v int64) float64 { return 100 * float64(v) / float64(b.all) }
	fmt.Fprintf(b.w, `<g><title>%s
%s, %.1f %%; in itself %s, %.1f %%</title><rect x="%.2f" y="%.1f" width="%.2f" height="%.1f" fill="%s"/>`,
		escape(n.name), amount(n.value, b.unit), percent(n.value), amount(n.self, b.unit), percent(n.self),
		x, y, wide, row-1, color(n.name))
	if s := fit(n.name, int((wide-6)/letter)); s != "" {
		fmt.Fprintf(b.w, `<text x="%.2f" y="%.1f">%s</text>`, x+3, y+row-5, escape(s))
	}
	fmt.Fprintln(b.w, "</g>")
	for _, c := range n.sorted() {
		if c.value >= b.least {
			b.draw(c, x, level+1)
		}
		x += (width - 2*side) * float64(c.value) / float64(b.all)
	}
}

// fit shortens a name to so many letters; less than three are not worth writing.
func fit(s string, letters int) string {
	switch r := []rune(s); {
	case letters < 3:
		return ""
	case len(r) <= letters:
		return s
	default:
		return string(r[:letters-2]) + ".."
	}
}

// color is the same for all functions of a package: grey for the runtime's.
func color(name string) string {
	pkg, _, dot := strings.Cut(name, ".")
	switch {
	case !dot || pkg == "runtime" || strings.HasPrefix(name, "internal"):
		return "#d8d8d8"
	}
	h := fnv.New32a()
	io.WriteString(h, pkg)
	return fmt.Sprintf("hsl(%d,65%%,%d%%)", h.Sum32()%360, 66+h.Sum32()/360%3*5)
}

// amount writes a value in its unit.
func amount(v int64, unit string) string {
	switch unit {
	case "nanoseconds":
		d := time.Duration(v)
		switch {
		case d >= time.Second:
			return d.Round(10 * time.Millisecond).String()
		case d >= time.Millisecond:
			return d.Round(10 * time.Microsecond).String()
		}
		return d.String()
	case "bytes":
		f, i := float64(v), 0
		for f >= 1024 && i < 3 {
			f, i = f/1024, i+1
		}
		return fmt.Sprintf("%.4g %s", f, [...]string{"B", "KiB", "MiB", "GiB"}[i])
	case "count":
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("%d %s", v, unit)
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace
