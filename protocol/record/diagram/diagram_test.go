package diagram

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"

	"tengen/engine/game"
)

func sample() *Diagram {
	return &Diagram{
		Variant: game.Variant{Rule: game.Renju, Size: 15},
		Stones: []Stone{
			{game.At(7, 7), game.Black, ""}, {game.At(8, 6), game.White, ""}, {game.At(9, 5), game.Black, "17"},
		},
		Last:      game.At(8, 6),
		Forbidden: []game.Point{game.At(2, 2)},
		Marks:     []Mark{{game.At(3, 11), "+35"}, {game.At(4, 11), "<&>"}},
		Walls:     []game.Point{game.At(14, 14)},
	}
}

// The picture has the right colours at the right points, at any size.
func TestPNG(t *testing.T) {
	d := sample()
	for _, pixels := range []int{200, 480, 1111} {
		var w bytes.Buffer
		if err := d.PNG(&w, pixels); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&w)
		if err != nil {
			t.Fatal(err)
		}
		if img.Bounds() != image.Rect(0, 0, pixels, pixels) {
			t.Error(img.Bounds())
		}
		l := d.layout(pixels)
		at := func(q game.Point, dx, dy float64) color.Color {
			x, y := l.xy(q)
			return img.At(int(x+dx*l.cell), int(y+dy*l.cell))
		}
		for _, c := range []struct {
			name   string
			q      game.Point
			dx, dy float64
			want   color.NRGBA
		}{
			{"a black stone", game.At(7, 7), 0, 0, black},
			{"a white stone", game.At(8, 6), 0.3, 0, white},
			{"the last move", game.At(8, 6), 0, 0, red},
			{"beside a label", game.At(9, 5), 0, 0.35, black},
			{"a forbidden point", game.At(2, 2), 0, 0, red},
			{"the best mark", game.At(3, 11), 0, -0.35, best},
			{"another mark", game.At(4, 11), 0, -0.35, other},
			{"a wall", game.At(14, 14), 0, 0, gray},
			{"wood", game.At(12, 8), 0.5, 0.5, wood},
			{"a line", game.At(12, 8), 0, 0.5, ink},
			{"the corner of the picture", game.At(0, 0), -1.2, -0.6, wood},
		} {
			if got := color.NRGBAModel.Convert(at(c.q, c.dx, c.dy)); got != c.want {
				t.Errorf("%d pixels, %s: %v, not %v", pixels, c.name, got, c.want)
			}
		}
	}
}

// The SVG is XML, with a circle and a text for what it shows.
func TestSVG(t *testing.T) {
	d := sample()
	count := func() map[string]int {
		var w bytes.Buffer
		if err := d.SVG(&w, 600); err != nil {
			t.Fatal(err)
		}
		if s := w.String(); !strings.Contains(s, ">17</text>") || !strings.Contains(s, ">&lt;&amp;&gt;</text>") {
			t.Error("a text is missing")
		}
		n := map[string]int{}
		for x := xml.NewDecoder(&w); ; {
			tok, err := x.Token()
			if errors.Is(err, io.EOF) {
				return n
			} else if err != nil {
				t.Fatal(err)
			}
			if e, ok := tok.(xml.StartElement); ok {
				n[e.Name.Local]++
			}
		}
	}
	n := count()
	// 5 stars, 3 stones of two discs, the last move, 2 marks of two, a wall
	if n["circle"] != 5+6+1+4+1 || n["path"] != 30+2 || n["text"] != 30+1+2 {
		t.Error(n)
	}
	d.Bare = true
	if n := count(); n["text"] != 3 {
		t.Error(n)
	}
}

func TestColumns(t *testing.T) {
	d := &Diagram{Variant: game.Variant{Rule: game.Weiqi, Size: 19}}
	if d.column(8) != "I" {
		t.Error(d.column(8))
	}
	d.Name = func(q game.Point) string { return "J19" }
	if d.column(8) != "J" {
		t.Error(d.column(8))
	}
}

func TestRefused(t *testing.T) {
	for name, change := range map[string]func(*Diagram) int{
		"too small":            func(d *Diagram) int { return 99 },
		"too large":            func(d *Diagram) int { return 8193 },
		"no board":             func(d *Diagram) int { d.Variant.Size = 0; return 200 },
		"a stone off it":       func(d *Diagram) int { d.Stones[0].Point = game.At(15, 0); return 200 },
		"a mark on a pass":     func(d *Diagram) int { d.Marks[0].Point = game.Pass; return 200 },
		"a forbidden no point": func(d *Diagram) int { d.Forbidden[0] = game.NoPoint; return 200 },
	} {
		d := sample()
		pixels := change(d)
		if d.SVG(io.Discard, pixels) == nil || d.PNG(io.Discard, pixels) == nil {
			t.Errorf("%s: drawn", name)
		}
	}
}

// Every letter lies on its grid and is made of strokes.
func TestLetters(t *testing.T) {
	for r, spec := range strokes {
		l := newLetter(spec)
		if r != ' ' && len(l.strokes) == 0 {
			t.Errorf("%c has no stroke", r)
		}
		for _, s := range l.strokes {
			for _, p := range s {
				if p.x < 0 || p.x > letterWidth || p.y < 0 || p.y > letterHeight+1 {
					t.Errorf("%c: %v", r, p)
				}
			}
		}
	}
	if n := len(lettersOf("天m-")); n != 3 {
		t.Error(n)
	}
}
