package diagram

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"strconv"
	"unicode/utf8"
)

// svg is a canvas that writes down what is drawn.
type svg struct{ b bytes.Buffer }

func newSVG(pixels int) *svg {
	s := &svg{}
	fmt.Fprintf(&s.b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="Helvetica,Arial,sans-serif" text-anchor="middle" stroke-linecap="round">`+"\n",
		pixels, pixels, pixels, pixels)
	fmt.Fprintf(&s.b, `<rect width="%d" height="%d" fill="%s"/>`+"\n", pixels, pixels, hex(wood))
	return s
}

func (s *svg) line(x1, y1, x2, y2, width float64, c color.NRGBA) {
	fmt.Fprintf(&s.b, `<path d="M%s %sL%s %s" stroke="%s" stroke-width="%s"/>`+"\n", num(x1), num(y1), num(x2), num(y2), hex(c), num(width))
}

func (s *svg) disc(x, y, r float64, c color.NRGBA) {
	fmt.Fprintf(&s.b, `<circle cx="%s" cy="%s" r="%s" fill="%s"/>`+"\n", num(x), num(y), num(r), hex(c))
}

// text takes height for that of a capital letter, which is 0.72 of common fonts' size;
// their letters and digits are 0.56 to 0.64 wide.
func (s *svg) text(x, y, height, width float64, t string, c color.NRGBA) {
	size := height / 0.72
	if w := 0.62 * size * float64(utf8.RuneCountInString(t)); w > width {
		size *= width / w
	}
	fmt.Fprintf(&s.b, `<text x="%s" y="%s" font-size="%s" fill="%s">`, num(x), num(y+size*0.36), num(size), hex(c))
	xml.EscapeText(&s.b, []byte(t))
	s.b.WriteString("</text>\n")
}

func (s *svg) writeTo(w io.Writer) error {
	s.b.WriteString("</svg>\n")
	_, err := s.b.WriteTo(w)
	return err
}

func num(f float64) string {
	return strconv.FormatFloat(float64(int(f*100+0.5))/100, 'f', -1, 64)
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
