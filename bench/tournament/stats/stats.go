// Package stats says what the results of a match mean: who is stronger, by how much and how sure.
//
// The idea is that two games of one opening with colours swapped are one observation. An opening
// that favours a side moves both games of a pair against each other, so the variance of pairs, a
// [Penta] of five frequencies, is smaller than the one that a [WLD] of single games shows, and
// fewer games decide. Everything is a pure function of counts, cheap enough to be asked after
// every game.
//
// Sources, by the names used below:
//
//   - GSPRT: Michel Van den Bergh, "Comparing the approximations for the generalized log
//     likelihood ratio of a multinomial distribution" (cantate.be/Fishtest), after Li, Liu and
//     Ying, "Generalized sequential probability ratio test for separate families of hypotheses"
//     (2014)
//   - Normalized Elo: Van den Bergh, "Comments on normalized Elo" (cantate.be/Fishtest)
//   - Wald: Abraham Wald, "Sequential tests of statistical hypotheses" (1945)
//   - Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of
//     the binomial" (1934)
//   - Hunter: David R. Hunter, "MM algorithms for generalized Bradley-Terry models" (2004)
//   - Conner and Grant, "An extension of Zermelo's model for ranking by paired comparisons" (2000)
//   - Davidson: Roger R. Davidson, "On extending the Bradley-Terry model to accommodate ties in
//     paired comparison experiments" (1970)
//   - Wedderburn: R. W. M. Wedderburn, "Quasi-likelihood functions, generalized linear models,
//     and the Gauss-Newton method" (1974)
package stats

import (
	"fmt"
	"math"
	"strconv"
)

// perLogit is one unit of ln(p/(1-p)) in Elo.
const perLogit = 400 / math.Ln10

// z95 is where 95 % of a normal distribution lie between -z95 and z95.
const z95 = 1.959963984540054

// Estimate is a value with its 95 % interval. Value may be infinite, Low may be -Inf, High +Inf;
// none is ever NaN.
type Estimate struct{ Value, Low, High float64 }

// String prints the estimate as "+3.1 [+0.7, +5.4]".
func (e Estimate) String() string {
	return fmt.Sprintf("%s [%s, %s]", signed(e.Value), signed(e.Low), signed(e.High))
}

// signed prints a number of Elo with one digit behind the point.
func signed(x float64) string {
	if math.IsInf(x, 0) {
		return map[bool]string{true: "+inf", false: "-inf"}[x > 0]
	}
	if x = math.Round(x*10) / 10; x == 0 {
		return "0.0"
	}
	return fmt.Sprintf("%+.1f", x)
}

// MarshalJSON writes {"value":3.0515,"low":0.7383,"high":5.3647}, four digits behind the point and
// null for what is infinite, for which JSON has no number.
func (e Estimate) MarshalJSON() ([]byte, error) {
	b := append([]byte(`{"value":`), number(e.Value)...)
	b = append(append(b, `,"low":`...), number(e.Low)...)
	b = append(append(b, `,"high":`...), number(e.High)...)
	return append(b, '}'), nil
}

func number(x float64) string {
	if math.IsInf(x, 0) {
		return "null"
	}
	return strconv.FormatFloat(math.Round(x*1e4)/1e4+0, 'f', -1, 64)
}

// Elo returns the rating difference in Elo that makes one expect the score, a number in [0, 1].
func Elo(score float64) float64 {
	switch {
	case score <= 0:
		return math.Inf(-1)
	case score >= 1:
		return math.Inf(1)
	}
	return perLogit * (math.Log(score) - math.Log1p(-score))
}

// Score returns the score in [0, 1] that one expects of a rating difference in Elo.
func Score(elo float64) float64 { return 1 / (1 + math.Exp(-elo/perLogit)) }

// WLD counts games by how they ended for the first player.
type WLD struct {
	Wins   int `json:"wins"`
	Losses int `json:"losses"`
	Draws  int `json:"draws"`
}

// Games is the number of games.
func (w WLD) Games() int { return w.Wins + w.Losses + w.Draws }

// Points is what the first player scored: a win is one point, a draw a half.
func (w WLD) Points() float64 { return float64(w.Wins) + float64(w.Draws)/2 }

// Plus returns the games of both.
func (w WLD) Plus(v WLD) WLD {
	return WLD{w.Wins + v.Wins, w.Losses + v.Losses, w.Draws + v.Draws}
}

// Reversed returns the same games as the second player sees them.
func (w WLD) Reversed() WLD { return WLD{w.Losses, w.Wins, w.Draws} }

// Score is the share of points in [0, 1]; one half if there are no games.
func (w WLD) Score() float64 { c := w.counts(); return moments(c[:]).mean }

// Elo is the logistic rating difference to the opponent. The interval takes games as independent;
// of games in pairs a [Penta] knows more.
func (w WLD) Elo() Estimate { c := w.counts(); return moments(c[:]).elo() }

// NormalizedElo is the difference as [Penta.NormalizedElo] measures it.
func (w WLD) NormalizedElo() Estimate { c := w.counts(); return moments(c[:]).normalized() }

// LOS is the likelihood of superiority, as in [Penta.LOS].
func (w WLD) LOS() float64 { c := w.counts(); return moments(c[:]).los() }

// DrawRatio is the share of draws among the games in [0, 1].
func (w WLD) DrawRatio() float64 { return ratio(w.Draws, w.Games()) }

func (w WLD) counts() [3]float64 {
	return [3]float64{float64(w.Losses), float64(w.Draws), float64(w.Wins)}
}

// Penta counts pairs of games, one opening with colours swapped, by the points of the first
// player in both games: 0, 1/2, 1, 1 1/2, 2.
type Penta [5]int

// Pairs is the number of pairs.
func (p Penta) Pairs() int { return p[0] + p[1] + p[2] + p[3] + p[4] }

// Points is what the first player scored in all games.
func (p Penta) Points() float64 {
	return float64(p[1]+2*p[2]+3*p[3]+4*p[4]) / 2
}

// Score is the share of points in [0, 1]; one half if there are no games.
func (p Penta) Score() float64 { c := p.counts(); return moments(c[:]).mean }

// Elo is the logistic rating difference to the opponent, which is infinite if all was won. The
// interval is normal in the score. Where all pairs ended alike there is no variance to measure,
// and the interval is that of Clopper and Pearson.
func (p Penta) Elo() Estimate { c := p.counts(); return moments(c[:]).elo() }

// NormalizedElo is the score above one half in standard deviations of a game, on a scale that
// makes it Elo between near equals without draws (Normalized Elo). It says how many
// games it takes to see the difference, whatever the draws and the openings are.
func (p Penta) NormalizedElo() Estimate { c := p.counts(); return moments(c[:]).normalized() }

// LOS is the likelihood of superiority in [0, 1]: how probable it is, after these results, that
// the first player is the stronger one.
func (p Penta) LOS() float64 { c := p.counts(); return moments(c[:]).los() }

// DrawRatio is the share in [0, 1] of pairs with one point for both, by two draws or by a win
// each; the five frequencies do not tell these apart.
func (p Penta) DrawRatio() float64 { return ratio(p[2], p.Pairs()) }

func (p Penta) counts() [5]float64 {
	return [5]float64{float64(p[0]), float64(p[1]), float64(p[2]), float64(p[3]), float64(p[4])}
}

func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// sample is what the estimates need to know of n independent observations with scores in [0, 1].
type sample struct {
	n, mean, variance float64
	skewness          float64 // third and
	kurtosis          float64 // fourth central moment, in standard deviations
	games             float64 // of one observation
}

// moments looks at counts[i] observations of the score i/(len(counts)-1): three counts are games,
// five are pairs.
func moments(counts []float64) sample {
	top := float64(len(counts) - 1)
	s := sample{games: top / 2}
	var sum float64
	for i, c := range counts {
		s.n += c
		sum += c * float64(i)
	}
	if s.n == 0 {
		s.mean = 0.5
		return s
	}
	s.mean = sum / (s.n * top)
	for i, c := range counts {
		if c == s.n {
			return s // all alike: a variance of zero without the noise of rounding
		}
		d := float64(i)/top - s.mean
		s.variance += c / s.n * d * d
		s.skewness += c / s.n * d * d * d
		s.kurtosis += c / s.n * d * d * d * d
	}
	s.skewness /= s.variance * math.Sqrt(s.variance)
	s.kurtosis /= s.variance * s.variance
	return s
}

// rest is how probable another result than the one seen n times may still be, at 95 %: the
// interval of Clopper and Pearson for n of n is [1-rest, 1].
func (s sample) rest() float64 {
	if s.n == 0 {
		return 1
	}
	return -math.Expm1(math.Log(0.025) / s.n)
}

func (s sample) elo() Estimate {
	low, high := s.mean, s.mean
	if s.variance > 0 {
		e := z95 * math.Sqrt(s.variance/s.n)
		low, high = low-e, high+e
	} else {
		// The rest may be all lost, or all won.
		low, high = low*(1-s.rest()), low+(1-low)*s.rest()
	}
	return Estimate{Elo(s.mean), Elo(low), Elo(high)}
}

func (s sample) normalized() Estimate {
	// A game has the standard deviation sqrt(games) times that of the mean of so many
	// (Normalized Elo). 2*perLogit is the slope of Elo at a score of
	// one half, where the standard deviation without draws is one half.
	scale := 2 * perLogit / math.Sqrt(s.games)
	if s.variance > 0 {
		// The deviation of the t-value is 1/sqrt(n) near zero. Far from it the variance below the
		// line counts as well; by the delta method, an observation z standard deviations from the
		// mean moves t by (z - t*(z^2-1)/2)/n.
		t := (s.mean - 0.5) / math.Sqrt(s.variance)
		e := z95 * math.Sqrt((1-t*s.skewness+t*t*(s.kurtosis-1)/4)/s.n)
		return Estimate{scale * t, scale * (t - e), scale * (t + e)}
	}
	// All alike: of what the rest can be, all lost gives the lowest t-value of an observation
	// in the upper half, and none at all the highest.
	r, m := s.rest(), math.Max(s.mean, 1-s.mean)
	e := Estimate{math.Inf(1), math.Inf(-1), math.Inf(1)}
	if s.n > 0 {
		e.Low = scale * ((1-r)*m - 0.5) / (m * math.Sqrt(r*(1-r)))
	}
	switch {
	case s.mean == 0.5:
		e.Value, e.High = 0, -e.Low
	case s.mean < 0.5:
		e = Estimate{-e.Value, -e.High, -e.Low}
	}
	return e
}

func (s sample) los() float64 {
	if s.variance > 0 {
		return math.Erfc(-(s.mean-0.5)/math.Sqrt(2*s.variance/s.n)) / 2
	}
	// All alike: each was won, lost or neither. After n wins, and nothing known before, a win
	// is the more probable result with probability 1 - 2^-(n+1) (Laplace's rule of succession).
	switch lost := math.Exp2(-s.n - 1); {
	case s.mean > 0.5:
		return 1 - lost
	case s.mean < 0.5:
		return lost
	}
	return 0.5
}
