package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// Difference is how a figure of one report stands to that of another.
type Difference struct {
	Old, New *Figure
	// Ratio estimates new/old: the median of the quotients of all pairs of samples. Low and
	// High hold it with a probability of at least Confidence, 0 when the samples are too few
	// for 95 per cent; then they are the extremes of the quotients. NaN where a sample is
	// not positive.
	Ratio, Low, High float64
	Confidence       float64
	P                float64 // of such a difference by chance alone (Mann and Whitney)
	Verdict          string
}

const (
	significance = 0.05
	fewest       = 4 // samples on each side, with which a difference can be significant
)

// Diff compares two figures.
//
// The samples of each side are taken for independent draws; whether one side's are larger
// is judged by their ranks (Mann and Whitney, "On a test of whether one of two random
// variables is stochastically larger than the other", 1947), and the ratio with its
// interval is read off the same ranks (Hodges and Lehmann, "Estimates of location based on
// rank tests", 1963, on the logarithms). Neither asks how the times are distributed.
func Diff(old, new *Figure) Difference {
	d := Difference{Old: old, New: new, Ratio: math.NaN(), Low: math.NaN(), High: math.NaN(), P: 1}
	n, m := len(new.Samples), len(old.Samples)
	if n == 0 || m == 0 {
		d.Verdict = "not measured"
		return d
	}
	positive := func(x float64) bool { return x > 0 }
	if !slices.ContainsFunc(old.Samples, func(x float64) bool { return !positive(x) }) &&
		!slices.ContainsFunc(new.Samples, func(x float64) bool { return !positive(x) }) {
		var q []float64
		for _, a := range new.Samples {
			for _, b := range old.Samples {
				q = append(q, a/b)
			}
		}
		slices.Sort(q)
		d.Ratio = Quantile(q, 0.5)
		k, confidence := rankBound(n, m)
		d.Confidence = confidence
		d.Low, d.High = q[max(k-1, 0)], q[len(q)-max(k, 1)]
	}
	d.P = MannWhitney(old.Samples, new.Samples)
	constant := func(s []float64) bool { return slices.Min(s) == slices.Max(s) }
	a, b := old.Median(), new.Median()
	switch {
	case constant(old.Samples) && constant(new.Samples) && a == b:
		d.Verdict = "same"
	case old.Better == Neither:
		d.Verdict = "changed"
		if !constant(old.Samples) || !constant(new.Samples) {
			d.Verdict = d.judge(a, b, "less", "more")
		}
	case old.Better == More:
		d.Verdict = d.judge(a, b, word(old.Unit, false), word(old.Unit, true))
	default:
		d.Verdict = d.judge(a, b, word(old.Unit, true), word(old.Unit, false))
	}
	return d
}

// word is what a figure has become: times and speeds are faster or slower.
func word(unit string, good bool) string {
	switch unit {
	case "%", "", "solved", "ratio":
		if good {
			return "better"
		}
		return "worse"
	}
	if good {
		return "faster"
	}
	return "slower"
}

func (d *Difference) judge(old, new float64, smaller, larger string) string {
	switch {
	case min(len(d.Old.Samples), len(d.New.Samples)) < fewest:
		return "too few runs"
	case d.P > significance || old == new:
		return "same"
	case new < old:
		return smaller
	}
	return larger
}

// MannWhitney returns the probability, on both sides, of ranks at least as far apart as
// those of a and b if both come from one distribution: exact for samples without ties of
// up to 30, else by the normal approximation.
func MannWhitney(a, b []float64) float64 {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return 1
	}
	u := 0.0 // pairs in which a's is the larger one
	ties := false
	for _, x := range a {
		for _, y := range b {
			switch {
			case x > y:
				u++
			case x == y:
				u += 0.5
				ties = true
			}
		}
	}
	far := min(u, float64(n*m)-u)
	if !ties && n <= 30 && m <= 30 {
		dist := uDistribution(n, m)
		p := 0.0
		for i := 0; i <= int(far); i++ {
			p += dist[i]
		}
		return min(1, 2*p)
	}
	// The variance is smaller by the ties (Lehmann, "Nonparametrics", 1975, section 1.4).
	all := slices.Sorted(slices.Values(append(slices.Clone(a), b...)))
	sum := 0.0
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j] == all[i] {
			j++
		}
		t := float64(j - i)
		sum += t*t*t - t
		i = j
	}
	size := float64(n + m)
	variance := float64(n*m) / 12 * (size + 1 - sum/(size*(size-1)))
	if variance <= 0 {
		return 1
	}
	z := max(0, float64(n*m)/2-far-0.5) / math.Sqrt(variance)
	return math.Erfc(z / math.Sqrt2)
}

// uDistribution returns the probabilities of 0, 1 ... n*m pairs in which the one side's
// sample is the larger one, if both sides have one distribution: by adding the n+m
// samples in order, each to one side or the other.
func uDistribution(n, m int) []float64 {
	// ways[i][u]: i of the samples so far went to the first side, above u of the other.
	ways := make([][]float64, n+1)
	for i := range ways {
		ways[i] = make([]float64, n*m+1)
	}
	ways[0][0] = 1
	for k := range n + m {
		for i := min(k, n-1); i >= 0; i-- {
			below := k - i // of the other side
			if below > m {
				continue
			}
			for u := 0; u+below <= n*m; u++ {
				ways[i+1][u+below] += ways[i][u]
			}
		}
		// What stays in ways[i] went to the other side, if there was one left.
		for i := range ways {
			if k+1-i > m {
				clear(ways[i])
			}
		}
	}
	total := 0.0
	for _, w := range ways[n] {
		total += w
	}
	for u := range ways[n] {
		ways[n][u] /= total
	}
	return ways[n]
}

// rankBound returns the rank, from 1, of the quotient that is the lower end of an interval
// of 95 per cent, and what it really holds; 0 and 0 when there are too few samples.
func rankBound(n, m int) (k int, confidence float64) {
	if n > 30 || m > 30 {
		// The normal approximation of the same.
		size := float64(n * m)
		k = int(size/2 - 1.96*math.Sqrt(size*float64(n+m+1)/12))
		return max(k, 1), 0.95
	}
	tail := 0.0
	for u, p := range uDistribution(n, m) {
		if tail+p > significance/2 {
			if u == 0 {
				return 0, 0
			}
			return u, 1 - 2*tail
		}
		tail += p
	}
	return 0, 0
}

// Compare writes how the figures of a report stand to those of an older one.
func Compare(w io.Writer, old, new *Report) error {
	fmt.Fprintf(w, "old: %s, %s, %s, %s, %d CPUs\n", old.Time.Format("2006-01-02 15:04"), old.Program, old.Go, old.System, old.CPUs)
	fmt.Fprintf(w, "new: %s, %s, %s, %s, %d CPUs\n", new.Time.Format("2006-01-02 15:04"), new.Program, new.Go, new.System, new.CPUs)
	if old.System != new.System || old.CPUs != new.CPUs {
		fmt.Fprintln(w, "The machines differ: times say little.")
	}
	if !slices.Equal(old.Arguments, new.Arguments) {
		fmt.Fprintf(w, "The arguments differ: %q, %q.\n", old.Arguments, new.Arguments)
	}
	for _, g := range signatureOrder(old.Signature, new.Signature) {
		a, okA := old.Signature[g]
		b, okB := new.Signature[g]
		if okA && okB && a != b {
			fmt.Fprintf(w, "signature of %s: %d, was %d: it plays otherwise\n", g, b, a)
		}
	}
	table := [][]string{{"figure", "old", "new", "unit", "new/old", "95 %", "p", ""}}
	missing := 0
	for _, f := range new.Figures {
		o := old.Find(f.Suite, f.Row, f.Name)
		if o == nil {
			missing++
			continue
		}
		d := Diff(o, f)
		ratio, interval := "-", "-"
		if !math.IsNaN(d.Ratio) {
			ratio = fmt.Sprintf("%.3f", d.Ratio)
			interval = fmt.Sprintf("%.3f..%.3f", d.Low, d.High)
			if d.Confidence == 0 {
				interval = "(" + interval + ")" // the extremes
			}
		}
		table = append(table, []string{f.Suite + "/" + f.Row + "/" + f.Name, Number(o.Median()), Number(f.Median()),
			f.Unit, ratio, interval, fmt.Sprintf("%.3f", d.P), d.Verdict})
	}
	if err := printTable(w, table); err != nil {
		return err
	}
	if missing > 0 {
		fmt.Fprintf(w, "%d figures are not in the old report.\n", missing)
	}
	_, err := fmt.Fprintln(w, "\"same\" means that no difference is seen at p <= 0.05; of 100 figures about 5 differ by chance. In\n"+
		"brackets: too few runs for 95 %, the extremes of the quotients. The load of the machine is part of both.")
	return err
}

// signatureOrder returns the games of either signature, in the order of the rules.
func signatureOrder(a, b map[string]int64) (games []string) {
	for g := range a {
		games = append(games, g)
	}
	for g := range b {
		if _, both := a[g]; !both {
			games = append(games, g)
		}
	}
	slices.Sort(games)
	return games
}
