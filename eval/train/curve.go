package train

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// Loss is how well a network does after an epoch: the mean cross entropy of its judgement
// and the target in a sixteenth of the training positions and in all that were held out, the
// same of the table alone, and how often the winner is named there.
type Loss struct {
	Epoch                              int
	Train, Held, TrainTable, HeldTable float64
	TrainWinner, HeldWinner            float64 // shares
}

// WriteCurve draws losses over epochs as SVG.
func WriteCurve(w io.Writer, title string, losses []Loss) error {
	const width, height, left, right, top, bottom = 640, 360, 60, 150, 30, 40
	lo, hi, last := math.Inf(1), math.Inf(-1), 1
	for _, l := range losses {
		last = max(last, l.Epoch)
		for _, v := range []float64{l.Train, l.Held, l.TrainTable, l.HeldTable} {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if !(hi > lo) { // none, or all the same
		lo, hi = lo-0.01, lo+0.01
	}
	if math.IsInf(lo, 0) || math.IsNaN(lo) {
		lo, hi = 0, 1
	}
	x := func(epoch int) float64 { return left + float64(epoch)/float64(last)*(width-left-right) }
	y := func(v float64) float64 { return top + (hi-v)/(hi-lo)*(height-top-bottom) }

	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="Helvetica,Arial,sans-serif" font-size="12" fill="#333">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/><text x="%d" y="18" font-size="14">%s</text>`+"\n", width, height, left, escape.Replace(title))
	const rows = 5
	for i := range rows + 1 {
		v := lo + (hi-lo)*float64(i)/rows
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.4f</text>`+"\n", left, y(v), width-right, left-6, y(v)+4, v)
	}
	for e := 0; e <= last; e += max(1, last/10) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(e), height-bottom+18, e)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">epochs</text>`+"\n", (left+width-right)/2, height-6)
	for _, c := range []struct {
		name, color, dash string
		of                func(*Loss) float64
	}{
		{"training", "#1f77b4", "", func(l *Loss) float64 { return l.Train }},
		{"held out", "#d62728", "", func(l *Loss) float64 { return l.Held }},
		{"training, table", "#1f77b4", "4 3", func(l *Loss) float64 { return l.TrainTable }},
		{"held out, table", "#d62728", "4 3", func(l *Loss) float64 { return l.HeldTable }},
	} {
		var points []string
		end := 0.0
		for i := range losses {
			end = y(c.of(&losses[i]))
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(losses[i].Epoch), end))
		}
		if len(points) == 0 {
			continue
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2" stroke-dasharray="%s"/>`, strings.Join(points, " "), c.color, c.dash)
		fmt.Fprintf(&b, `<text x="%d" y="%.1f" fill="%s">%s</text>`+"\n", width-right+8, end+4, c.color, c.name)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
