package stats

import (
	"encoding/json"
	"fmt"
	"math"
)

// Model says what Elo0 and Elo1 of a test are.
type Model int

const (
	Logistic   Model = iota // Elo as everybody knows it: a score
	Normalized              // normalized Elo: a score in standard deviations
)

var models = [...]string{"logistic", "normalized"}

func (m Model) String() string { return models[m] }

// ParseModel reads the name of a model.
func ParseModel(s string) (Model, error) {
	for m, name := range models {
		if s == name {
			return Model(m), nil
		}
	}
	return 0, fmt.Errorf("unknown model %q (logistic or normalized)", s)
}

// Decision is what a test has come to.
type Decision int

const (
	Continue Decision = iota
	AcceptH0          // the difference is Elo0 rather than Elo1
	AcceptH1          // the difference is Elo1 rather than Elo0
)

var decisions = [...]string{"continue", "H0", "H1"}

func (d Decision) String() string { return decisions[d] }

// SPRT is a sequential test of the hypothesis H0, that the difference is Elo0, against H1, that it
// is Elo1. Alpha is how often H1 may be accepted where H0 is true, Beta how often H0 where H1 is.
type SPRT struct {
	Elo0, Elo1  float64
	Alpha, Beta float64
	Model       Model
}

// MaxElo is the largest hypothesis of a test: to score less than that is to lose once in five
// thousand games.
const MaxElo = 1500

// Check returns what is wrong with the test's parameters.
func (s SPRT) Check() error {
	switch {
	case !(math.Abs(s.Elo0) <= MaxElo):
		return fmt.Errorf("elo0 is a number from %d to %d, not %v", -MaxElo, MaxElo, s.Elo0)
	case !(math.Abs(s.Elo1) <= MaxElo):
		return fmt.Errorf("elo1 is a number from %d to %d, not %v", -MaxElo, MaxElo, s.Elo1)
	case s.Elo0 >= s.Elo1:
		return fmt.Errorf("elo0 must be less than elo1, but %v is not less than %v", s.Elo0, s.Elo1)
	case !(s.Alpha > 0 && s.Alpha < 1):
		return fmt.Errorf("alpha is a number between 0 and 1, not %v", s.Alpha)
	case !(s.Beta > 0 && s.Beta < 1):
		return fmt.Errorf("beta is a number between 0 and 1, not %v", s.Beta)
	case s.Alpha+s.Beta >= 1:
		return fmt.Errorf("alpha and beta must be less than 1 together, not %v", s.Alpha+s.Beta)
	case s.Model != Logistic && s.Model != Normalized:
		return fmt.Errorf("unknown model %d", int(s.Model))
	}
	return nil
}

// Verdict is the state of a test: the log-likelihood ratio of H1 to H0, the bounds where it ends,
// and whether it has.
type Verdict struct {
	LLR, Lower, Upper float64
	Decision          Decision
}

// String prints the verdict as "LLR 2.95 [-2.94, 2.94] H1".
func (v Verdict) String() string {
	return fmt.Sprintf("LLR %.2f [%.2f, %.2f] %v", math.Round(v.LLR*100)/100+0, v.Lower, v.Upper, v.Decision)
}

// MarshalJSON writes {"llr":2.9461,"lower":-2.9444,"upper":2.9444,"decision":"H1"}.
func (v Verdict) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		LLR      json.Number `json:"llr"`
		Lower    json.Number `json:"lower"`
		Upper    json.Number `json:"upper"`
		Decision string      `json:"decision"`
	}{json.Number(number(v.LLR)), json.Number(number(v.Lower)), json.Number(number(v.Upper)), v.Decision.String()})
}

// Test judges pairs. It needs parameters that pass Check.
func (s SPRT) Test(p Penta) Verdict { c := p.counts(); return s.test(c[:]) }

// TestGames judges games that were not played in pairs.
func (s SPRT) TestGames(w WLD) Verdict { c := w.counts(); return s.test(c[:]) }

func (s SPRT) test(counts []float64) Verdict {
	v := Verdict{
		LLR:   s.llr(counts),
		Lower: math.Log(s.Beta / (1 - s.Alpha)), // Wald
		Upper: math.Log((1 - s.Beta) / s.Alpha),
	}
	switch {
	case v.LLR >= v.Upper:
		v.Decision = AcceptH1
	case v.LLR <= v.Lower:
		v.Decision = AcceptH0
	}
	return v
}

// unseen stands for a count of zero. Without it a hypothesis could not take what was not seen yet
// for possible, and the first results would count too much. It is the figure that Fishtest uses.
const unseen = 1e-3

// llr is the generalized log-likelihood ratio: the logarithm of how much more probable the results
// are by the best distribution that has the difference Elo1 than by the best one that has Elo0.
func (s SPRT) llr(counts []float64) float64 {
	var seen float64
	for _, c := range counts {
		seen += c
	}
	if seen == 0 {
		return 0
	}
	var d distribution
	d.k = len(counts)
	var n float64
	for i, c := range counts {
		d.score[i] = float64(i) / float64(d.k-1)
		d.p[i] = math.Max(c, unseen)
		n += d.p[i]
	}
	for i := range d.k {
		d.p[i] /= n
	}
	if s.Model == Normalized {
		// The t-value of a pair is sqrt(2) times that of a game (Normalized Elo).
		t := math.Sqrt(float64(d.k-1)/2) / (2 * perLogit)
		return n * (d.loss(d.ofTValue(s.Elo0*t)) - d.loss(d.ofTValue(s.Elo1*t)))
	}
	return n * (d.loss(d.ofMean(Score(s.Elo0))) - d.loss(d.ofMean(Score(s.Elo1))))
}

// distribution gives the first k scores their frequencies p, all above zero.
type distribution struct {
	k        int
	score, p [5]float64
}

// factor turns the observed distribution into the most likely one that meets a condition: its
// probabilities are p[i]/factor[i].
type factor [5]float64

// loss is how much less likely, in logarithms and for each observation, the results are by the
// distribution that f leads to than by the observed one.
func (d *distribution) loss(f factor) (sum float64) {
	for i := range d.k {
		sum += d.p[i] * math.Log(f[i])
	}
	return sum
}

// ofMean returns the most likely distribution with the mean score s, which is between 0 and 1
// (GSPRT, Proposition 1.1).
func (d *distribution) ofMean(s float64) factor {
	var c [5]float64
	for i := range d.k {
		c[i] = d.score[i] - s
	}
	f, _ := d.balance(&c)
	return f
}

// ofTValue returns the most likely distribution whose mean is t standard deviations above one
// half. With x for the score above one half, r for the root of E[x^2] and k for t/sqrt(1+t^2) the
// condition is E[x] = k*r. Because r is the least (E[x^2]/s + s)/2 of all s, that of s = r, the
// condition is for a known r the linear one E[x - k*(x^2/r + r)/2] = 0, and r is found by
// repetition. The step is that of Normalized Elo, section 4.1, but with one unknown
// in place of two there are scores on both sides of every condition, and it cannot fail.
func (d *distribution) ofTValue(t float64) (best factor) {
	// Far from zero there can be several solutions, found from starts of their own.
	starts := []float64{0.5, 0.25, 0.125, 0.0625}
	if math.Abs(t) < 0.1 {
		starts = starts[:1]
	}
	least := math.Inf(1)
	for _, r := range starts {
		if f, ok := d.ofTValueFrom(t, r); ok {
			if l := d.loss(f); l < least {
				best, least = f, l
			}
		}
	}
	return best
}

// ofTValueFrom begins with a guess of r. It is false if no distribution meets the condition with
// this r, which is never so for 1/2.
func (d *distribution) ofTValueFrom(t, r float64) (f factor, ok bool) {
	k := t / math.Sqrt(1+t*t)
	for range 100 {
		var c [5]float64
		for i := range d.k {
			x := d.score[i] - 0.5
			c[i] = x - k*(x*x/r+r)/2
		}
		if f, ok = d.balance(&c); !ok {
			return f, false
		}
		var square float64
		for i := range d.k {
			x := d.score[i] - 0.5
			square += d.p[i] / f[i] * x * x
		}
		last := r
		// The likelihood is level in r at the solution, so that r need not be exact.
		if r = math.Sqrt(square); math.Abs(k*(r-last)) < 1e-7 {
			break
		}
	}
	return f, true
}

// balance returns the factors of the most likely distribution under which c has the mean zero:
// 1 + x*c[i], where the sum of p[i]*c[i]/(1 + x*c[i]) is 0 (GSPRT, equations 1.2 and 1.3). The
// sum falls from +Inf to -Inf between the poles of the smallest and the largest c, so Newton's
// step is kept in an interval that shrinks from both ends. It is false if c does not have values
// on both sides of zero.
func (d *distribution) balance(c *[5]float64) (out factor, ok bool) {
	smallest, largest := c[0], c[0]
	for _, v := range c[1:d.k] {
		smallest, largest = math.Min(smallest, v), math.Max(largest, v)
	}
	if smallest >= 0 || largest <= 0 {
		return out, false
	}
	low, high := -1/largest, -1/smallest
	x := 0.0
	for range 200 {
		var f, slope float64
		for i := range d.k {
			q := c[i] / (1 + x*c[i])
			f += d.p[i] * q
			slope -= d.p[i] * q * q
		}
		if f > 0 {
			low = x
		} else {
			high = x
		}
		next := x - f/slope
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		done := math.Abs(next-x) <= 1e-12*(1+math.Abs(x))
		x = next
		if done {
			break
		}
	}
	for i := range d.k {
		out[i] = 1 + x*c[i]
	}
	return out, true
}
