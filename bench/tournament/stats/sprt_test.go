package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Log-likelihood ratios that others have published: fastchess in its own tests (Disservin/
// fastchess, app/tests/sprt_test.cpp, within one percent; given to it in pull request 426 by the
// author of the simulator it was checked with), its pull requests 783 and 882, and matches played
// with it (brunocodutra/cinder, pull requests 836, 879, 800, 795, 820).
func TestPublishedLLR(t *testing.T) {
	normalized := func(elo0, elo1, alpha, beta float64) SPRT { return SPRT{elo0, elo1, alpha, beta, Normalized} }
	logistic := func(elo0, elo1 float64) SPRT { return SPRT{elo0, elo1, 0.05, 0.05, Logistic} }
	for _, c := range []struct {
		got      Verdict
		llr      float64
		digits   int
		decision Decision
	}{
		{normalized(0, 2, 0.05, 0.05).Test(Penta{379, 10170, 21828, 10640, 343}), 2.95, 2, AcceptH1},
		{normalized(0, 2, 0.05, 0.05).Test(Penta{365, 16618, 36229, 16974, 390}), 2.25, 2, Continue},
		{normalized(-1.75, 0.25, 0.05, 0.05).Test(Penta{127, 4883, 10712, 5150, 104}), 3.01, 2, AcceptH1},
		{normalized(0, 5, 0.05, 0.05).Test(Penta{0, 0, 0, 0, 5550}), 111.8, 1, AcceptH1},
		{normalized(-1000, -500, 0.05, 0.05).Test(Penta{77, 1, 0, 0, 0}), -2.95, 2, AcceptH0},
		{normalized(0, 3, 0.05, 0.1).Test(Penta{835, 6884, 13116, 7201, 852}), 2.89, 2, AcceptH1},
		{normalized(-3, 1, 0.05, 0.1).Test(Penta{115, 1156, 2443, 1233, 141}), 2.90, 2, AcceptH1},
		{normalized(0, 3, 0.05, 0.1).Test(Penta{147, 1252, 2509, 1445, 165}), 2.89, 2, AcceptH1},
		{normalized(0, 3, 0.05, 0.1).Test(Penta{1447, 13972, 26437, 14412, 1441}), 1.98, 2, Continue},
		{normalized(-3, 1, 0.05, 0.1).Test(Penta{244, 1980, 3630, 2067, 263}), 2.90, 2, AcceptH1},
		{logistic(0.5, 2.5).Test(Penta{223, 9863, 21279, 10037, 246}), -3.07, 2, AcceptH0},
		{logistic(0, 2).Test(Penta{871, 26175, 55983, 26678, 821}), -4.98, 2, AcceptH0},
		{normalized(0, 2, 0.05, 0.05).TestGames(WLD{36433, 36027, 68692}), 0.92, 2, Continue},
		{normalized(-1.75, 0.25, 0.05, 0.05).TestGames(WLD{10871, 10650, 20431}), 2.30, 2, Continue},
		{normalized(0, 10, 0.05, 0.05).TestGames(WLD{4250, 0, 0}), 120.5, 1, AcceptH1},
		{logistic(0.5, 2.5).TestGames(WLD{21404, 21184, 40708}), -1.57, 2, Continue},
		{logistic(0, 2).TestGames(WLD{57433, 57030, 106593}), -2.59, 2, Continue},
	} {
		if !near(c.got.LLR, c.llr, c.digits) || c.got.Decision != c.decision {
			t.Errorf("%v, not LLR %v %v", c.got, c.llr, c.decision)
		}
	}
	if v := normalized(0, 3, 0.05, 0.1).Test(Penta{}); v.String() != "LLR 0.00 [-2.25, 2.89] continue" {
		t.Error(v)
	}
}

// best climbs to the highest f between low and high, which has one top there.
func best(low, high float64, f func(float64) float64) float64 {
	const golden = 0.6180339887498949
	for high-low > 1e-12 {
		a, b := high-golden*(high-low), low+golden*(high-low)
		if f(a) < f(b) {
			low = a
		} else {
			high = b
		}
	}
	return f((low + high) / 2)
}

// logLikelihood is that of the counts, which may be fractions; -Inf where p is no distribution.
func logLikelihood(counts, p []float64) (sum float64) {
	for i, c := range counts {
		if p[i] <= 0 {
			return math.Inf(-1)
		}
		sum += c * math.Log(p[i])
	}
	return sum
}

// The slow way, for games: of all draw ratios the one that makes the results most likely under
// the hypothesis.
func slowGames(s SPRT, w WLD, elo float64) float64 {
	counts := []float64{math.Max(float64(w.Losses), unseen), math.Max(float64(w.Draws), unseen), math.Max(float64(w.Wins), unseen)}
	return best(0, 1, func(draws float64) float64 {
		score := Score(elo)
		if s.Model == Normalized {
			// The score above one half, x, is t = elo*ln(10)/800 of the root of its variance,
			// which is (1-draws)/4 - x^2.
			t := elo * math.Ln10 / 800
			score = 0.5 + t*math.Sqrt((1-draws)/4/(1+t*t))
		}
		return logLikelihood(counts, []float64{1 - score - draws/2, draws, score - draws/2})
	})
}

func TestSlowGames(t *testing.T) {
	for _, m := range []Model{Logistic, Normalized} {
		for _, w := range []WLD{{10, 12, 30}, {1, 0, 0}, {0, 0, 7}, {34, 5, 1}, {300, 20, 4}, {5, 5, 1000}} {
			for _, e := range [][2]float64{{0, 5}, {-10, 30}, {-300, 300}, {-1200, -400}} {
				s := SPRT{e[0], e[1], 0.05, 0.05, m}
				want := slowGames(s, w, s.Elo1) - slowGames(s, w, s.Elo0)
				if got := s.TestGames(w).LLR; math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("%+v %+v: %v, slowly %v", s, w, got, want)
				}
			}
		}
	}
}

// The slow way, for pairs: climb along one probability after the other, the outer two keeping to
// the hypothesis.
func slowPairs(p Penta, elo float64) float64 {
	var counts [5]float64
	var n, sum float64
	for i, c := range p {
		counts[i] = math.Max(float64(c), unseen)
		n += counts[i]
	}
	q := make([]float64, 5)
	likely := func(i int, x float64) float64 {
		q[i] = x
		q[4] = Score(elo) - q[1]/4 - q[2]/2 - q[3]*3/4
		q[0] = 1 - q[1] - q[2] - q[3] - q[4]
		return logLikelihood(counts[:], q)
	}
	// Begin with something possible: the probability of two results.
	s := Score(elo)
	q[1], q[2], q[3] = 0.01*(1-s), 0.01*math.Min(s, 1-s), 0.01*s
	last := math.Inf(-1)
	for sum = likely(1, q[1]); sum-last > 1e-13*n; {
		last = sum
		for i := 1; i <= 3; i++ {
			x := q[i]
			sum = best(0, 1, func(y float64) float64 {
				if l := likely(i, y); !math.IsInf(l, 0) {
					return l
				}
				return -1e18 * (1 + math.Abs(y-x)) // outside: the way back is up
			})
		}
	}
	return sum
}

func TestSlowPairs(t *testing.T) {
	for _, p := range []Penta{{3, 20, 40, 25, 6}, {0, 2, 10, 1, 3}, {100, 4, 20, 1, 300}} {
		for _, e := range [][2]float64{{0, 5}, {-200, 100}} {
			s := SPRT{e[0], e[1], 0.05, 0.05, Logistic}
			want := slowPairs(p, s.Elo1) - slowPairs(p, s.Elo0)
			if got := s.Test(p).LLR; math.Abs(got-want) > 1e-4*(1+math.Abs(want)) {
				t.Errorf("%+v %+v: %v, slowly %v", s, p, got, want)
			}
		}
	}
}

// The most likely distribution with a t-value has it, and none that was tried and has it too is
// more likely. (Other programs fail at large values: Disservin/fastchess, issue 879.)
func TestTValue(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 79))
	moments := func(d *distribution, q func(int) float64) (x, square float64) {
		for i := range d.k {
			v := d.score[i] - 0.5
			x, square = x+q(i)*v, square+q(i)*v*v
		}
		return x, square
	}
	for range 2000 {
		var d distribution
		d.k = 3 + 2*r.IntN(2)
		size, n := math.Pow(10, 4*r.Float64()), 0.0
		for i := range d.k {
			d.score[i] = float64(i) / float64(d.k-1)
			d.p[i] = unseen
			if r.IntN(3) > 0 {
				d.p[i] += math.Floor(size * math.Pow(r.Float64(), 1+4*r.Float64()))
			}
			n += d.p[i]
		}
		for i := range d.k {
			d.p[i] /= n
		}
		want := math.Max(-6, math.Min(6, r.NormFloat64()*math.Pow(10, 3*r.Float64()-2)))
		f := d.ofTValue(want)
		x, square := moments(&d, func(i int) float64 { return d.p[i] / f[i] })
		if got := x / math.Sqrt(square-x*x); !(math.Abs(got-want) < 1e-3*(1+math.Abs(want))) {
			t.Fatalf("%+v: t-value %v, not %v", d, got, want)
		}
		// By any r at all the condition implies another one that is linear; so of a t-value
		// further out than that of the results, each r leads to a distribution that has it.
		x, square = moments(&d, func(i int) float64 { return d.p[i] })
		if seen := x / math.Sqrt(square-x*x); !(want > 0 && seen < want || want < 0 && seen > want) {
			continue
		}
		k := want / math.Sqrt(1+want*want)
		for r := 0.01; r <= 0.5; r += 0.01 {
			var c [5]float64
			for i := range d.k {
				v := d.score[i] - 0.5
				c[i] = v - k*(v*v/r+r)/2
			}
			if g, ok := d.balance(&c); ok && d.loss(g) < d.loss(f)-1e-6 {
				t.Fatalf("%+v, t-value %v: %v is less likely than %v by r = %.2f", d, want, d.loss(f), d.loss(g), r)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	ok := SPRT{0, 5, 0.05, 0.1, Normalized}
	if err := ok.Check(); err != nil {
		t.Error(err)
	}
	for want, s := range map[string]SPRT{
		"elo0 is a number from -1500 to 1500, not NaN":          {math.NaN(), 5, 0.05, 0.05, 0},
		"elo1 is a number from -1500 to 1500, not +Inf":         {0, math.Inf(1), 0.05, 0.05, 0},
		"elo0 must be less than elo1, but 5 is not less than 5": {5, 5, 0.05, 0.05, 0},
		"alpha is a number between 0 and 1, not 0":              {0, 5, 0, 0.05, 0},
		"beta is a number between 0 and 1, not 1":               {0, 5, 0.05, 1, 0},
		"alpha and beta must be less than 1 together, not 1":    {0, 5, 0.5, 0.5, 0},
		"unknown model 2": {0, 5, 0.05, 0.05, 2},
	} {
		if err := s.Check(); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, not %s", s, err, want)
		}
	}
	for _, m := range []Model{Logistic, Normalized} {
		if got, err := ParseModel(m.String()); got != m || err != nil {
			t.Error(got, err)
		}
	}
	if _, err := ParseModel("bayesian"); err == nil {
		t.Error("bayesian is a model")
	}
}

func BenchmarkTest(b *testing.B) {
	for _, m := range []Model{Logistic, Normalized} {
		b.Run(m.String(), func(b *testing.B) {
			b.ReportAllocs()
			s := SPRT{0, 2, 0.05, 0.05, m}
			for b.Loop() {
				s.Test(Penta{379, 10170, 21828, 10640, 343})
			}
		})
	}
}
