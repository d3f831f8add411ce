package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/engine/game"
	"tengen/protocol"
)

// Better says in which direction a figure improves.
type Better string

const (
	More    Better = "more"
	Less    Better = "less"
	Neither Better = "" // a count: it is the same, or it has changed
)

// Figure is one measured number, with a sample for each repetition of the run.
type Figure struct {
	Suite   string    `json:"suite"`
	Row     string    `json:"row"`  // what was measured, often a game
	Name    string    `json:"name"` // the column
	Unit    string    `json:"unit"`
	Better  Better    `json:"better"`
	Samples []float64 `json:"samples"`
}

// Median returns the middle of the samples, NaN of none.
func (f *Figure) Median() float64 { return Quantile(f.Samples, 0.5) }

// Spread returns the smallest and the largest sample.
func (f *Figure) Spread() (low, high float64) {
	if len(f.Samples) == 0 {
		return math.NaN(), math.NaN()
	}
	return slices.Min(f.Samples), slices.Max(f.Samples)
}

// Quantile returns the q-quantile (0 to 1) of samples in any order, between two of them
// by proportion; NaN of none.
func Quantile(samples []float64, q float64) float64 {
	if len(samples) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(samples))
	at := q * float64(len(s)-1)
	i := min(int(at), max(len(s)-2, 0))
	if i+1 >= len(s) {
		return s[i]
	}
	return s[i] + (at-float64(i))*(s[i+1]-s[i])
}

// reportFormat changes when figures of one name no longer mean the same.
const reportFormat = 1

// Report is what a run has measured so far.
type Report struct {
	Format      int       `json:"format"`
	Program     string    `json:"program"`
	Go          string    `json:"go"`
	System      string    `json:"system"`
	CPUs        int       `json:"cpus"`
	Time        time.Time `json:"time"`
	Arguments   []string  `json:"arguments,omitempty"`
	Interrupted bool      `json:"interrupted,omitempty"`
	// Signature is the play of this build by game: for the line games the nodes of a search
	// of fixed depth, for Go a checksum of moves and values. It is there only when the
	// positions were searched under SignatureLimits.
	Signature map[string]int64 `json:"signature,omitempty"`
	// Threads is how many threads to use, 0 when that was not measured.
	Threads int       `json:"use_threads,omitempty"`
	Figures []*Figure `json:"figures"`
	Notes   []string  `json:"notes,omitempty"`
}

// NewReport returns an empty report of this program on this machine.
func NewReport() *Report {
	return &Report{
		Format: reportFormat, Program: "tengen " + protocol.Version(), Go: runtime.Version(),
		System: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(),
		Time: time.Now().UTC().Truncate(time.Second), Signature: map[string]int64{},
	}
}

// Find returns a figure, nil if there is none of that name.
func (r *Report) Find(suite, row, name string) *Figure {
	for _, f := range r.Figures {
		if f.Suite == suite && f.Row == row && f.Name == name {
			return f
		}
	}
	return nil
}

// add adds a sample to a figure, which it makes when there is none.
func (r *Report) add(suite, row, name, unit string, b Better, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return // not measured; JSON could not say it
	}
	f := r.Find(suite, row, name)
	if f == nil {
		f = &Figure{Suite: suite, Row: row, Name: name, Unit: unit, Better: b}
		r.Figures = append(r.Figures, f)
	}
	f.Samples = append(f.Samples, v)
}

// note adds a sentence to what is printed behind the tables, once.
func (r *Report) note(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(r.Notes, s) {
		r.Notes = append(r.Notes, s)
	}
}

// Write writes the report as JSON.
func (r *Report) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(r)
}

// ReadReport reads what Write wrote.
func ReadReport(name string) (*Report, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var r Report
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, fmt.Errorf("%s: not a report of tengen bench: %w", name, err)
	}
	if r.Format != reportFormat {
		return nil, fmt.Errorf("%s: a report of format %d, this program compares format %d", name, r.Format, reportFormat)
	}
	for i, f := range r.Figures {
		if f == nil {
			return nil, fmt.Errorf("%s: figure %d is empty", name, i+1)
		}
	}
	return &r, nil
}

// Print writes the figures as tables, one for each suite: a row for what was measured, a
// column for each figure, in each cell the median and, of several repetitions, how far
// the samples lie from it at most.
func (r *Report) Print(w io.Writer) error {
	var suites []string
	for _, f := range r.Figures {
		if !slices.Contains(suites, f.Suite) {
			suites = append(suites, f.Suite)
		}
	}
	for i, s := range suites {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := r.printSuite(w, s); err != nil {
			return err
		}
	}
	if len(r.Notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, n := range r.Notes {
		fmt.Fprintln(w, n)
	}
	if r.Threads > 0 {
		fmt.Fprintf(w, "use -threads %d\n", r.Threads)
	}
	r.printSignature(w)
	return nil
}

// printSignature writes the signatures that there are, those of the line games as one sum.
func (r *Report) printSignature(w io.Writer) {
	sum := int64(0)
	for _, g := range Games() {
		n, ok := r.Signature[g.String()]
		switch {
		case !ok:
			if g != game.Weiqi {
				sum = -1 << 62 // incomplete
			}
		case g == game.Weiqi:
			fmt.Fprintf(w, "signature of go %d\n", n)
		default:
			sum += n
		}
	}
	if sum > 0 {
		fmt.Fprintf(w, "signature %d\n", sum)
	}
}

func (r *Report) printSuite(w io.Writer, suite string) error {
	var rows, columns []string
	head := []string{suite}
	for _, f := range r.Figures {
		if f.Suite != suite {
			continue
		}
		if !slices.Contains(rows, f.Row) {
			rows = append(rows, f.Row)
		}
		if !slices.Contains(columns, f.Name) {
			columns = append(columns, f.Name)
			h := f.Name
			if f.Unit != "" {
				h += " (" + f.Unit + ")"
			}
			head = append(head, h)
		}
	}
	table := [][]string{head}
	for _, row := range rows {
		line := []string{row}
		for _, c := range columns {
			cell := "-"
			if f := r.Find(suite, row, c); f != nil {
				cell = f.String()
			}
			line = append(line, cell)
		}
		table = append(table, line)
	}
	return printTable(w, table)
}

// String writes the median and the spread.
func (f *Figure) String() string {
	m := f.Median()
	low, high := f.Spread()
	s := Number(m)
	switch d := max(high-m, m-low); {
	case d == 0:
	case d < math.Abs(m):
		s += fmt.Sprintf(" ±%.2g%%", 100*d/math.Abs(m))
	default: // a share would say nothing
		s += " ±" + Number(d)
	}
	return s
}

// Number writes a number with four digits at most, with k, M or G behind large ones.
func Number(x float64) string {
	a := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return "-"
	case a < 10_000 && x == math.Trunc(x):
		return strconv.FormatFloat(x, 'f', 0, 64)
	case a < 10_000:
		return strconv.FormatFloat(x, 'g', 4, 64)
	case a < 9_999_500:
		return strconv.FormatFloat(x/1e3, 'g', 4, 64) + "k"
	case a < 9_999_500_000:
		return strconv.FormatFloat(x/1e6, 'g', 4, 64) + "M"
	}
	return strconv.FormatFloat(x/1e9, 'g', 4, 64) + "G"
}

// printTable writes rows in columns: the first to the left, the others to the right.
func printTable(w io.Writer, table [][]string) error {
	var width []int
	for _, row := range table {
		for i, c := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	for _, row := range table {
		var b strings.Builder
		for i, c := range row {
			pad := strings.Repeat(" ", width[i]-len([]rune(c)))
			switch {
			case i == 0:
				b.WriteString(c + pad)
			default:
				b.WriteString("  " + pad + c)
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}
