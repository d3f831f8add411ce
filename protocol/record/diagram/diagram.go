// Package diagram draws a board with numbered stones, the last move, points that may not
// be played on and candidate moves with their values, as SVG or PNG.
//
// The idea is one drawing of lines, discs and short texts on a canvas, and two canvases.
// The SVG one writes them down. The PNG one knows a single shape, the points within some
// distance of a segment: a grid line, a stone (of a segment of no length), a stroke of a
// letter. How far a pixel's centre is from the shape's edge is how much it is covered, which
// makes edges smooth without sampling.
package diagram

import (
	"fmt"
	"image/color"
	"io"
	"unicode/utf8"

	"tengen/engine/game"
)

// Diagram is what is to be seen.
type Diagram struct {
	Variant   game.Variant
	Stones    []Stone
	Last      game.Point   // the last move is marked; game.NoPoint for none
	Forbidden []game.Point // crossed out
	Marks     []Mark       // the best one first
	Walls     []game.Point
	Bare      bool                    // without coordinates
	Name      func(game.Point) string // a point in the letters of its game, "H8"
}

// Stone is a stone with what is written on it.
type Stone struct {
	Point game.Point
	Color game.Color
	Label string
}

// Mark is a candidate move and its value.
type Mark struct {
	Point game.Point
	Text  string
}

// MinPixels and MaxPixels bound the side of a picture.
const (
	MinPixels = 100
	MaxPixels = 8192
)

var (
	wood   = color.NRGBA{0xE9, 0xC4, 0x86, 0xFF}
	ink    = color.NRGBA{0x4A, 0x38, 0x1E, 0xFF}
	black  = color.NRGBA{0x1C, 0x1C, 0x20, 0xFF}
	white  = color.NRGBA{0xFA, 0xFA, 0xF7, 0xFF}
	rim    = color.NRGBA{0x55, 0x4A, 0x3C, 0xFF}
	red    = color.NRGBA{0xD0, 0x20, 0x20, 0xFF}
	bright = color.NRGBA{0xFF, 0x6A, 0x5A, 0xFF} // red on black
	best   = color.NRGBA{0x2E, 0x8B, 0x57, 0xFF}
	other  = color.NRGBA{0x3F, 0x6F, 0xB5, 0xFF}
	gray   = color.NRGBA{0x8A, 0x7B, 0x66, 0xFF}
)

// canvas is what can be drawn on. Lengths are in pixels, y goes down.
type canvas interface {
	line(x1, y1, x2, y2, width float64, c color.NRGBA) // with round ends
	disc(x, y, r float64, c color.NRGBA)
	text(x, y, height, width float64, s string, c color.NRGBA) // centred, at most width wide
}

// SVG writes the diagram as a picture of pixels x pixels.
func (d *Diagram) SVG(w io.Writer, pixels int) error {
	if err := d.check(pixels); err != nil {
		return err
	}
	c := newSVG(pixels)
	d.draw(c, pixels)
	return c.writeTo(w)
}

// PNG writes the diagram as a picture of pixels x pixels.
func (d *Diagram) PNG(w io.Writer, pixels int) error {
	if err := d.check(pixels); err != nil {
		return err
	}
	c := newRaster(pixels)
	d.draw(c, pixels)
	return c.writeTo(w)
}

func (d *Diagram) check(pixels int) error {
	if pixels < MinPixels || pixels > MaxPixels {
		return fmt.Errorf("a picture has %d to %d pixels a side, not %d", MinPixels, MaxPixels, pixels)
	}
	n := d.Variant.Size
	if n < 2 || n > game.MaxSize {
		return fmt.Errorf("no board of %dx%d", n, n)
	}
	bad := func(q game.Point) error {
		if !q.On(n) {
			return fmt.Errorf("point %d is off the %dx%d board", q, n, n)
		}
		return nil
	}
	qs := append(append([]game.Point(nil), d.Forbidden...), d.Walls...)
	for _, s := range d.Stones {
		qs = append(qs, s.Point)
	}
	for _, m := range d.Marks {
		qs = append(qs, m.Point)
	}
	for _, q := range qs {
		if err := bad(q); err != nil {
			return err
		}
	}
	return nil
}

// layout places the board on the picture.
type layout struct {
	cell   float64 // whole pixels between two lines, so that all lines are equally sharp
	left   float64 // of the first column; half a pixel in, the middle of a pixel
	top    float64
	stroke float64
}

func (d *Diagram) layout(pixels int) layout {
	n := d.Variant.Size
	before, after := 0.8, 0.8 // cells outside the grid
	if !d.Bare {
		before = 1.35
	}
	cell := float64(int(float64(pixels) / (float64(n-1) + before + after)))
	if cell < 2 {
		cell = float64(pixels) / (float64(n-1) + before + after)
	}
	slack := float64(pixels) - cell*(float64(n-1)+before+after)
	l := layout{cell: cell, stroke: max(1, float64(int(cell/28)))}
	l.left = float64(int(slack/2+cell*before)) + 0.5
	l.top = float64(int(slack/2+cell*after)) + 0.5
	return l
}

func (l layout) xy(q game.Point) (x, y float64) {
	return l.left + l.cell*float64(q.X()), l.top + l.cell*float64(q.Y())
}

// draw draws from the bottom up: grid, stones, marks.
func (d *Diagram) draw(c canvas, pixels int) {
	l := d.layout(pixels)
	n := d.Variant.Size
	far := l.cell * float64(n-1)
	for i := range n {
		w := l.stroke
		if i == 0 || i == n-1 {
			w *= 2
		}
		o := l.cell * float64(i)
		c.line(l.left, l.top+o, l.left+far, l.top+o, w, ink)
		c.line(l.left+o, l.top, l.left+o, l.top+far, w, ink)
	}
	for _, q := range stars(n) {
		x, y := l.xy(q)
		c.disc(x, y, max(1.5, l.cell*0.1), ink)
	}
	if !d.Bare {
		for i := range n {
			x, _ := l.xy(game.At(i, 0))
			_, y := l.xy(game.At(0, i))
			c.text(x, l.top+far+l.cell*0.85, l.cell*0.36, l.cell*0.8, d.column(i), ink)
			c.text(l.left-l.cell*0.9, y, l.cell*0.36, l.cell*0.8, fmt.Sprint(n-i), ink)
		}
	}
	for _, q := range d.Walls {
		x, y := l.xy(q)
		c.disc(x, y, l.cell*0.47, gray)
	}
	for _, q := range d.Forbidden {
		x, y := l.xy(q)
		r, w := l.cell*0.2, max(1.5, l.cell*0.1)
		c.line(x-r, y-r, x+r, y+r, w, red)
		c.line(x-r, y+r, x+r, y-r, w, red)
	}
	for _, s := range d.Stones {
		d.stone(c, l, s)
	}
	for i, m := range d.Marks {
		x, y := l.xy(m.Point)
		fill := other
		if i == 0 {
			fill = best
		}
		c.disc(x, y, l.cell*0.47, white)
		c.disc(x, y, l.cell*0.45, fill)
		c.text(x, y, l.cell*0.34, l.cell*0.76, m.Text, white)
	}
}

func (d *Diagram) stone(c canvas, l layout, s Stone) {
	x, y := l.xy(s.Point)
	r := l.cell * 0.47
	fill, write, mark := black, white, bright
	if s.Color == game.White {
		fill, write, mark = white, black, red
	}
	c.disc(x, y, r, rim)
	c.disc(x, y, r-max(1, l.cell*0.03), fill)
	last := s.Point == d.Last
	switch {
	case s.Label != "":
		if last {
			write = mark
		}
		c.text(x, y, l.cell*0.42, l.cell*0.72, s.Label, write)
	case last:
		c.disc(x, y, l.cell*0.14, mark)
	}
}

// column returns the letter of a column.
func (d *Diagram) column(x int) string {
	name := game.At(x, 0).Name(d.Variant.Size)
	if d.Name != nil {
		name = d.Name(game.At(x, 0))
	}
	_, n := utf8.DecodeRuneInString(name)
	return name[:n]
}

// stars returns the points that boards have dots on.
func stars(n int) []game.Point {
	if n < 7 {
		return nil
	}
	e := 3
	if n < 13 {
		e = 2
	}
	at := []int{e, n - 1 - e}
	var qs []game.Point
	for _, y := range at {
		for _, x := range at {
			qs = append(qs, game.At(x, y))
		}
	}
	if n%2 == 1 {
		m := n / 2
		qs = append(qs, game.At(m, m))
		if n >= 19 {
			qs = append(qs, game.At(e, m), game.At(n-1-e, m), game.At(m, e), game.At(m, n-1-e))
		}
	}
	return qs
}
