package report

import (
	"math"
	"strconv"
	"strings"
)

// scale places values on a line of the picture: lo at from, hi at to. What lies outside,
// infinity too, goes to the nearer end.
type scale struct{ lo, hi, from, to float64 }

func (s scale) at(v float64) float64 {
	if !(s.hi > s.lo) || math.IsNaN(v) {
		return s.from
	}
	share := min(1, max(0, (v-s.lo)/(s.hi-s.lo)))
	return s.from + share*(s.to-s.from)
}

// ticks returns round numbers between lo and hi, about n of them: steps of 1, 2 or 5
// times a power of ten.
func ticks(lo, hi float64, n int) []float64 {
	if !(hi > lo) || n < 1 || math.IsInf(hi-lo, 0) {
		return nil
	}
	rough := (hi - lo) / float64(n)
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	step := power
	for _, m := range []float64{1, 2, 5, 10} {
		if step = m * power; step >= rough*0.999 {
			break
		}
	}
	var out []float64
	// Counted in steps, so that the numbers stay round.
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi+step*1e-9; k++ {
		out = append(out, k*step+0)
	}
	return out
}

// thin returns at most so many numbers below n, evenly spread, the first and the last
// among them.
func thin(n, most int) []int {
	if n <= most {
		most = n
	}
	out := make([]int, most)
	for i := range out {
		out[i] = i
		if most > 1 {
			out[i] = i * (n - 1) / (most - 1)
		} else {
			out[i] = n - 1
		}
	}
	return out
}

// xy is a point of a picture, in its own units from the left and from the top.
type xy struct{ x, y float64 }

// path joins points by straight lines, as the d of an SVG path.
func path(points []xy) string {
	var b strings.Builder
	for i, p := range points {
		b.WriteString([]string{"L", "M"}[btoi(i == 0)])
		b.WriteString(coord(p.x))
		b.WriteByte(' ')
		b.WriteString(coord(p.y))
	}
	return b.String()
}

// area is the closed path along the first points and back along the others.
func area(there, back []xy) string {
	all := append([]xy(nil), there...)
	for i := len(back) - 1; i >= 0; i-- {
		all = append(all, back[i])
	}
	if len(all) == 0 {
		return ""
	}
	return path(all) + "Z"
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// coord writes a coordinate to a tenth.
func coord(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10+0, 'f', -1, 64)
}

// chart is a diagram of lines over the games of a match, ready for the page.
type chart struct {
	Title, Says string // Says is the picture in words
	X           string // what the axis counts
	W, H        float64
	Left, Right float64 // of the plot
	Top, Bottom float64
	XTicks      []tick
	YTicks      []tick
	Bounds      []tick // dashed lines across
	Lines       []line
}

// tick is a place on an axis.
type tick struct {
	At   float64
	Text string
}

// line is one line of a chart, with its interval.
type line struct {
	Name   string
	Series int    // which colour
	Path   string // the line
	Band   string // its interval, or nothing
	EndX   float64
	EndY   float64
}

// value is what a line shows at one place: a value and its interval.
type value struct{ x, y, low, high float64 }

// mostPoints is how many points of a line are drawn.
const mostPoints = 400

// newChart returns an empty chart of the size that the page gives it, with its axes.
func newChart(title, x string, games float64, lo, hi float64) *chart {
	c := &chart{Title: title, X: x, W: 560, H: 260, Left: 52, Right: 548, Top: 14, Bottom: 222}
	h, v := c.horizontal(games), c.vertical(lo, hi)
	for _, t := range ticks(0, games, 6) {
		if t == math.Trunc(t) {
			c.XTicks = append(c.XTicks, tick{h.at(t), number(t)})
		}
	}
	for _, t := range ticks(lo, hi, 5) {
		c.YTicks = append(c.YTicks, tick{v.at(t), number(t)})
	}
	return c
}

func (c *chart) horizontal(games float64) scale { return scale{0, games, c.Left, c.Right} }

// vertical is upside down: small values are at the bottom.
func (c *chart) vertical(lo, hi float64) scale { return scale{lo, hi, c.Bottom, c.Top} }

// draw adds a line, with a band where the values have an interval.
func (c *chart) draw(name string, series int, h, v scale, values []value, banded bool) {
	var mid, low, high []xy
	for _, i := range thin(len(values), mostPoints) {
		p := values[i]
		x := h.at(p.x)
		mid = append(mid, xy{x, v.at(p.y)})
		low = append(low, xy{x, v.at(p.low)})
		high = append(high, xy{x, v.at(p.high)})
	}
	if len(mid) == 0 {
		return
	}
	l := line{Name: name, Series: series, Path: path(mid)}
	if banded {
		l.Band = area(high, low)
	}
	end := mid[len(mid)-1]
	l.EndX, l.EndY = math.Round(end.x*10)/10, math.Round(end.y*10)/10
	c.Lines = append(c.Lines, l)
}

// number writes a number of an axis: no more digits than it needs.
func number(v float64) string {
	return strings.Replace(strconv.FormatFloat(math.Round(v*1e6)/1e6+0, 'f', -1, 64), "-", "−", 1)
}
