package diagram

import (
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
)

// raster is a canvas of pixels.
type raster struct{ img *image.RGBA }

func newRaster(pixels int) *raster {
	img := image.NewRGBA(image.Rect(0, 0, pixels, pixels))
	for i := 0; i < len(img.Pix); i += 4 {
		img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = wood.R, wood.G, wood.B, 255
	}
	return &raster{img}
}

// line covers the pixels within width/2 of a segment. A pixel whose centre lies d inside
// the edge is covered by d+1/2, between 0 and 1.
func (r *raster) line(x1, y1, x2, y2, width float64, c color.NRGBA) {
	h := width / 2
	dx, dy := x2-x1, y2-y1
	length := dx*dx + dy*dy
	bounds := r.img.Rect.Intersect(image.Rect(
		int(min(x1, x2)-h-1), int(min(y1, y2)-h-1), int(max(x1, x2)+h+2), int(max(y1, y2)+h+2)))
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			px, py := float64(x)+0.5-x1, float64(y)+0.5-y1
			t := 0.0
			if length > 0 {
				t = min(1, max(0, (px*dx+py*dy)/length))
			}
			px, py = px-t*dx, py-t*dy
			if cover := h + 0.5 - math.Sqrt(px*px+py*py); cover > 0 {
				r.blend(r.img.Pix[r.img.PixOffset(x, y):], c, min(1, cover))
			}
		}
	}
}

func (r *raster) blend(p []uint8, c color.NRGBA, cover float64) {
	mix := func(old, new uint8) uint8 { return uint8(float64(old) + (float64(new)-float64(old))*cover + 0.5) }
	p[0], p[1], p[2] = mix(p[0], c.R), mix(p[1], c.G), mix(p[2], c.B)
}

func (r *raster) disc(x, y, radius float64, c color.NRGBA) { r.line(x, y, x, y, 2*radius, c) }

// text draws the strokes of each letter.
func (r *raster) text(x, y, height, width float64, s string, c color.NRGBA) {
	letters := lettersOf(s)
	if len(letters) == 0 {
		return
	}
	total, even := -gap, -gap
	for i, r := range []rune(s) {
		total += letters[i].width + gap
		// All digits count as equally wide: 111 is written as high as 200.
		if even += letters[i].width + gap; r == '1' {
			even += letterWidth - letters[i].width
		}
	}
	unit := min(height/letterHeight, width/even)
	pen := max(1.1, unit*0.85)
	x -= total * unit / 2
	y -= letterHeight * unit / 2
	for _, l := range letters {
		for _, stroke := range l.strokes {
			for i := range stroke {
				a, b := stroke[max(0, i-1)], stroke[i]
				if i == 0 && len(stroke) > 1 {
					continue
				}
				r.line(x+(a.x-l.left)*unit, y+a.y*unit, x+(b.x-l.left)*unit, y+b.y*unit, pen, c)
			}
		}
		x += (l.width + gap) * unit
	}
}

func (r *raster) writeTo(w io.Writer) error { return png.Encode(w, r.img) }
