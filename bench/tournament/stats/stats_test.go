package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// near reports whether x is a published figure of so many digits behind the point.
func near(x, published float64, digits int) bool {
	return math.Abs(x-published) <= 0.5000001*math.Pow10(-digits)
}

// results are a Penta or a WLD.
type results interface {
	Score() float64
	Elo() Estimate
	NormalizedElo() Estimate
	LOS() float64
}

// Figures that another program, fastchess, gives for results: from its own tests (Disservin/
// fastchess, app/tests/elo_test.cpp) and from matches that were published with them
// (brunocodutra/cinder, pull requests 836, 800, 820, 879). Its deviation is half of an interval.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		results
		elo, eloError, nElo, nEloError, los float64
	}{
		{WLD{136, 96, 111}, 40.70, 30.43, 49.77, 36.77, 99.60},
		{Penta{34, 54, 63, 64, 75}, 55.58, 27.65, 57.94, 28.28, 100},
		{Penta{332, 433, 498, 333, 334}, -8.64, 10.33, -9.17, 10.96, 5.05},
		{Penta{7895, 8757, 5685, 568, 9999}, -21.04, 2.95, -19.01, 2.65, 0},
		{Penta{835, 6884, 13116, 7201, 852}, 2.11, 1.70, 3.52, 2.83, 99.25},
		{Penta{147, 1252, 2509, 1445, 165}, 7.21, 3.87, 12.07, 6.48, 99.99},
		{Penta{244, 1980, 3630, 2067, 263}, 2.65, 3.24, 4.36, 5.32, 94.56},
		{Penta{115, 1156, 2443, 1233, 141}, 4.40, 3.91, 7.61, 6.75, 98.64},
	} {
		elo, nElo := c.Elo(), c.NormalizedElo()
		if !near(elo.Value, c.elo, 2) || !near((elo.High-elo.Low)/2, c.eloError, 2) {
			t.Errorf("%v: Elo %v, not %v +- %v", c.results, elo, c.elo, c.eloError)
		}
		// fastchess always takes the deviation that is right between equals.
		if e := (nElo.High - nElo.Low) / 2; !near(nElo.Value, c.nElo, 2) || math.Abs(e/c.nEloError-1) > 0.04 {
			t.Errorf("%v: nElo %v, not %v +- %v", c.results, nElo, c.nElo, c.nEloError)
		}
		if !near(100*c.LOS(), c.los, 2) {
			t.Errorf("%v: LOS %.4f, not %v %%", c.results, c.LOS(), c.los)
		}
	}
	// Pull request 783 of fastchess.
	if e := (Penta{379, 10170, 21828, 10640, 343}).NormalizedElo(); !near(e.Value, 3.05, 2) || !near(e.High-e.Value, 2.31, 2) {
		t.Error(e)
	}
}

func TestCounts(t *testing.T) {
	p, w := Penta{1, 2, 3, 4, 5}, WLD{5, 2, 3}
	if p.Pairs() != 15 || p.Points() != 20 || !near(p.Score(), 0.6667, 4) || p.DrawRatio() != 0.2 {
		t.Error(p.Pairs(), p.Points(), p.Score(), p.DrawRatio())
	}
	if w.Games() != 10 || w.Points() != 6.5 || w.Score() != 0.65 || w.DrawRatio() != 0.3 || w.Plus(w.Reversed()) != (WLD{7, 7, 6}) {
		t.Error(w.Games(), w.Points(), w.Score(), w.DrawRatio())
	}
}

// Few results, and results that are all alike.
func TestEdges(t *testing.T) {
	for _, c := range []struct {
		results
		elo, nElo string
		los       float64
	}{
		{Penta{}, "0.0 [-inf, +inf]", "0.0 [-inf, +inf]", 0.5},
		{WLD{}, "0.0 [-inf, +inf]", "0.0 [-inf, +inf]", 0.5},
		{WLD{Wins: 1}, "+inf [-636.4, +inf]", "+inf [-1057.1, +inf]", 0.75},
		{WLD{Losses: 1}, "-inf [-inf, +636.4]", "-inf [-inf, +1057.1]", 0.25},
		{WLD{Wins: 100}, "+inf [+570.0, +inf]", "+inf [+862.5, +inf]", 1},
		{WLD{Draws: 100}, "0.0 [-12.6, +12.6]", "0.0 [-67.4, +67.4]", 0.5},
		{Penta{0, 0, 1, 0, 0}, "0.0 [-759.1, +759.1]", "0.0 [-1534.2, +1534.2]", 0.5},
		{Penta{0, 0, 0, 0, 50}, "+inf [+446.4, +inf]", "+inf [+409.9, +inf]", 1},
		{Penta{0, 0, 0, 50, 0}, "+190.8 [+144.4, +207.7]", "+inf [+250.6, +inf]", 1},
		{Penta{50, 0, 0, 0, 0}, "-inf [-inf, -446.4]", "-inf [-inf, -409.9]", 0},
		{Penta{0, 0, 0, 1, 30}, "+836.0 [+646.6, +inf]", "+2736.1 [+99.8, +5372.3]", 1},
	} {
		if elo, nElo := c.Elo().String(), c.NormalizedElo().String(); elo != c.elo || nElo != c.nElo || !near(c.LOS(), c.los, 4) {
			t.Errorf("%T%v: Elo %s, nElo %s, LOS %.4f, not %s, %s, %.4f", c.results, c.results, elo, nElo, c.LOS(), c.elo, c.nElo, c.los)
		}
	}
}

func TestJSON(t *testing.T) {
	for want, v := range map[string]any{
		`{"value":null,"low":-15.1743,"high":null}`:                           WLD{Wins: 5}.Elo(),
		`{"value":0,"low":null,"high":null}`:                                  Penta{}.Elo(),
		`{"value":0,"low":0,"high":0.0001}`:                                   Estimate{math.Copysign(0, -1), -1e-9, 0.000051},
		`{"llr":0,"lower":-2.9444,"upper":2.9444,"decision":"continue"}`:      SPRT{0, 5, 0.05, 0.05, Logistic}.Test(Penta{}),
		`{"llr":-0.001,"lower":-2.2513,"upper":2.8904,"decision":"continue"}`: SPRT{0, 5, 0.05, 0.1, Normalized}.TestGames(WLD{1, 1, 8}),
	} {
		if got, err := json.Marshal(v); err != nil || string(got) != want {
			t.Errorf("%s %v, not %s", got, err, want)
		}
	}
}

// Whatever the results are: no NaN, values within their intervals, and the other player's are the
// same with the sign changed, as is the ratio of a test that is even to both.
func TestSane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 5), rapid.IntRange(0, 1_000_000))
		p := Penta{count.Draw(t, "0"), count.Draw(t, "1"), count.Draw(t, "2"), count.Draw(t, "3"), count.Draw(t, "4")}
		w := WLD{p[0], p[1], p[2]}
		for _, pair := range [][2]results{{p, Penta{p[4], p[3], p[2], p[1], p[0]}}, {w, w.Reversed()}} {
			a, b := pair[0], pair[1]
			for _, e := range [][2]Estimate{{a.Elo(), b.Elo()}, {a.NormalizedElo(), b.NormalizedElo()}} {
				if !(e[0].Low <= e[0].Value && e[0].Value <= e[0].High) {
					t.Fatalf("%v: %v", a, e[0])
				}
				for _, xy := range [][2]float64{{e[0].Value, -e[1].Value}, {e[0].Low, -e[1].High}, {e[0].High, -e[1].Low}} {
					if xy[0] != xy[1] && !(math.Abs(xy[0]-xy[1]) < 1e-6*(1+math.Abs(xy[0]))) {
						t.Fatalf("%v: %v, but %v of the other", a, e[0], e[1])
					}
				}
			}
			elo, model := rapid.Float64Range(0.1, MaxElo).Draw(t, "elo"), Model(rapid.IntRange(0, 1).Draw(t, "model"))
			even := SPRT{-elo, elo, 0.05, 0.05, model}
			llr, other := even.Test(p).LLR, even.Test(Penta{p[4], p[3], p[2], p[1], p[0]}).LLR
			if _, ok := a.(WLD); ok {
				llr, other = even.TestGames(w).LLR, even.TestGames(w.Reversed()).LLR
			}
			if !(math.Abs(llr+other) < 1e-5*(1+math.Abs(llr))) || math.IsInf(llr, 0) {
				t.Fatalf("%v %+v: LLR %v and %v", a, even, llr, other)
			}
			if l := a.LOS(); !(l >= 0 && l <= 1 && math.Abs(l+b.LOS()-1) < 1e-9) {
				t.Fatalf("%v: LOS %v and %v", a, l, b.LOS())
			}
		}
	})
}

func TestEloIsScore(t *testing.T) {
	for _, c := range []struct{ elo, score float64 }{{0, 0.5}, {400, 10. / 11}, {-400, 1. / 11}, {100, 0.6400649998}} {
		if !near(Score(c.elo), c.score, 9) || !near(Elo(c.score), c.elo, 6) {
			t.Errorf("%v: %v %v", c, Score(c.elo), Elo(c.score))
		}
	}
}

// truth is a distribution of results; draw gives n of them.
type truth []float64

func (p truth) draw(r *rand.Rand, n int) []int {
	counts := make([]int, len(p))
	for range n {
		counts[p.one(r)]++
	}
	return counts
}

func (p truth) one(r *rand.Rand) int {
	x := r.Float64()
	for i, q := range p {
		if x -= q; x < 0 {
			return i
		}
	}
	return len(p) - 1
}

// Intervals of 95 % hold the true value in 95 % of matches, also between unequal players.
func TestCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for _, p := range []truth{
		{0.05, 0.2, 0.5, 0.2, 0.05},
		{0.02, 0.01, 0.3, 0.07, 0.6},
		{0.6, 0.25, 0.1, 0.04, 0.01},
	} {
		var s, v float64
		for i, q := range p {
			s += q * float64(i) / 4
		}
		for i, q := range p {
			v += q * (float64(i)/4 - s) * (float64(i)/4 - s)
		}
		elo, nElo := Elo(s), (s-0.5)/math.Sqrt(2*v)*800/math.Ln10
		const matches = 4000
		var held, nHeld int
		for range matches {
			c := Penta(p.draw(r, 500))
			if e := c.Elo(); e.Low <= elo && elo <= e.High {
				held++
			}
			if e := c.NormalizedElo(); e.Low <= nElo && nElo <= e.High {
				nHeld++
			}
		}
		// The deviation of such a share is 0.34 %.
		for _, h := range []int{held, nHeld} {
			if share := float64(h) / matches; math.Abs(share-0.95) > 0.012 {
				t.Errorf("%v: %d and %d of %d", p, held, nHeld, matches)
			}
		}
	}
}
