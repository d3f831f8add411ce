package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Crosstable holds the games of several engines, told apart by their names. Its zero value is
// empty and ready for use.
type Crosstable struct {
	names []string
	index map[string]int
	cells [][]WLD // cells[i][j]: the games of i against j as i sees them
}

// Add counts games of two engines as the first one sees them. Games of an engine with itself say
// nothing about it and are left out.
func (c *Crosstable) Add(first, second string, w WLD) {
	i, j := c.at(first), c.at(second)
	if i != j {
		c.cells[i][j] = c.cells[i][j].Plus(w)
		c.cells[j][i] = c.cells[j][i].Plus(w.Reversed())
	}
}

func (c *Crosstable) at(name string) int {
	if i, ok := c.index[name]; ok {
		return i
	}
	if c.index == nil {
		c.index = map[string]int{}
	}
	i := len(c.names)
	c.index[name] = i
	c.names = append(c.names, name)
	for k := range c.cells {
		c.cells[k] = append(c.cells[k], WLD{})
	}
	c.cells = append(c.cells, make([]WLD, len(c.names)))
	return i
}

// Engines returns the names in the order they came.
func (c *Crosstable) Engines() []string { return slices.Clone(c.names) }

// Between returns the games of a against b as a sees them.
func (c *Crosstable) Between(a, b string) WLD {
	i, ok := c.index[a]
	j, also := c.index[b]
	if !ok || !also {
		return WLD{}
	}
	return c.cells[i][j]
}

// Rating is the strength of one engine among several.
type Rating struct {
	Name  string   `json:"name"`
	Elo   Estimate `json:"elo"`
	Games WLD      `json:"games"`
	// Group is 0, 1, ...: engines of two groups have met neither each other nor common
	// opponents, however far, and their ratings cannot be compared.
	Group int `json:"group"`
}

// Ratings returns the maximum-likelihood ratings of the Bradley-Terry model, best first within
// each group. The mean of a group is 0; if anchor names an engine, that one is 0 in its group,
// and the intervals of the others are of the difference to it.
//
// A draw is half a win and half a loss, so between two engines the difference is that of
// [WLD.Elo]; Davidson's model orders engines likewise, for the points decide there too
// (Davidson), but its differences grow with the draws. The intervals are by Fisher's
// information, times the dispersion that is left of a decided game's by draws (Wedderburn).
//
// The likelihood has no maximum where some engines never took half a point from the others, not
// even by others between (Hunter, Assumption 1). One more draw is then counted between opponents
// on both sides of such a divide (after Conner and Grant). An engine that won all has then
// High = +Inf, one that lost all Low = -Inf; with an anchor each that is not bounded by games
// against it, or against engines between.
func (c *Crosstable) Ratings(anchor string) ([]Rating, error) {
	at, ok := -1, true
	if anchor != "" {
		if at, ok = c.index[anchor]; !ok {
			return nil, fmt.Errorf("no games of %q, whose rating was to be 0", anchor)
		}
	}
	out := make([]Rating, len(c.names))
	scored := c.closure(func(w WLD) bool { return w.Wins+w.Draws > 0 })
	met := c.closure(func(w WLD) bool { return w.Games() > 0 })
	groups := 0
	for i := range c.names {
		var members []int
		for j := range c.names {
			if met[i][j] {
				members = append(members, j)
			}
		}
		if members[0] < i {
			continue // rated with an earlier one
		}
		for _, j := range members {
			out[j] = Rating{Name: c.names[j], Group: groups}
		}
		groups++
		c.rate(members, at, scored, out)
	}
	// Equal ratings, but for rounding, stay in the order they came.
	slices.SortStableFunc(out, func(a, b Rating) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(math.Round(b.Elo.Value*1e6), math.Round(a.Elo.Value*1e6)))
	})
	return out, nil
}

// closure returns which engines are joined by chains of cells that hold; each is with itself
// (Warshall's algorithm).
func (c *Crosstable) closure(holds func(WLD) bool) [][]bool {
	reach := make([][]bool, len(c.names))
	for i := range reach {
		reach[i] = make([]bool, len(c.names))
		for j := range reach[i] {
			reach[i][j] = i == j || holds(c.cells[i][j])
		}
	}
	for k := range reach {
		for i := range reach {
			if reach[i][k] {
				for j := range reach {
					reach[i][j] = reach[i][j] || reach[k][j]
				}
			}
		}
	}
	return reach
}

// rate fills in the ratings of one group.
func (c *Crosstable) rate(members []int, anchor int, scored [][]bool, out []Rating) {
	m := len(members)
	n, points := square(m), square(m) // of the row against the column
	var draws, games float64
	for a, i := range members {
		for b, j := range members {
			w := c.cells[i][j]
			if w.Games() == 0 {
				continue
			}
			out[i].Games = out[i].Games.Plus(w)
			games += float64(w.Games()) / 2
			draws += float64(w.Draws) / 2
			if !scored[i][j] || !scored[j][i] {
				w.Draws++
			}
			n[a][b], points[a][b] = float64(w.Games()), w.Points()
		}
	}
	theta, cov, information := maximize(n, points)

	// A decided game has the variance p(1-p) that Fisher's information is made of; a draw takes
	// a quarter from it. One decided game more keeps it above zero where all was drawn.
	dispersion := 1 - draws/(4*information+1)
	dispersion = math.Max(dispersion, 1/(games+1))

	zero := slices.Index(members, anchor)
	for a, i := range members {
		r := &out[i]
		value, variance := theta[a], cov[a][a]
		unbeaten, hopeless := r.Games.Losses+r.Games.Draws == 0, r.Games.Wins+r.Games.Draws == 0
		if zero >= 0 {
			value -= theta[zero]
			variance += cov[zero][zero] - 2*cov[a][zero]
			unbeaten, hopeless = !scored[anchor][i], !scored[i][anchor]
		}
		e := z95 * math.Sqrt(math.Max(0, variance)*dispersion)
		r.Elo = Estimate{perLogit * value, perLogit * (value - e), perLogit * (value + e)}
		if unbeaten {
			r.Elo.High = math.Inf(1)
		}
		if hopeless {
			r.Elo.Low = math.Inf(-1)
		}
	}
}

// maximize returns the logarithmic strengths, of mean 0, that make the points among so many games
// most likely, their covariances, and the sum of n*p*(1-p) over all meetings. Newton's method, to
// which Hunter compares his own, needs the matrix that the covariances are made from anyway. The
// logarithm of the likelihood is concave; a step that overshoots is halved.
func maximize(n, points [][]float64) (theta []float64, cov [][]float64, information float64) {
	m := len(n)
	theta = make([]float64, m)
	likely := likelihood(points, theta)
	for range 200 {
		fisher, gradient := square(m), make([]float64, m)
		information = 0
		for i := range m {
			for j := range m {
				if i == j || n[i][j] == 0 {
					continue
				}
				p := 1 / (1 + math.Exp(theta[j]-theta[i]))
				w := n[i][j] * p * (1 - p)
				gradient[i] += points[i][j] - n[i][j]*p
				fisher[i][i] += w
				fisher[i][j] -= w
				information += w / 2
			}
		}
		cov = inverse(fisher)
		step, longest := make([]float64, m), 0.0
		for i := range m {
			for j := range m {
				step[i] += cov[i][j] * gradient[j]
			}
			longest = math.Max(longest, math.Abs(step[i]))
		}
		if longest < 1e-9 {
			break
		}
		for scale := min(1, 3/longest); scale > 1e-6; scale /= 2 {
			next := make([]float64, m)
			for i := range m {
				next[i] = theta[i] + scale*step[i]
			}
			if l := likelihood(points, next); l >= likely || scale < 2e-6 {
				theta, likely = next, l
				break
			}
		}
	}
	return theta, cov, information
}

// likelihood is its logarithm.
func likelihood(points [][]float64, theta []float64) (sum float64) {
	for i := range points {
		for j, s := range points[i] {
			if s > 0 {
				d := theta[j] - theta[i]
				sum -= s * (math.Max(d, 0) + math.Log1p(math.Exp(-math.Abs(d))))
			}
		}
	}
	return sum
}

func square(m int) [][]float64 {
	a, cells := make([][]float64, m), make([]float64, m*m)
	for i := range a {
		a[i] = cells[i*m : (i+1)*m]
	}
	return a
}

// inverse returns the pseudo-inverse of the information, whose rows sum to zero because only
// differences of strengths show: inv(L + J) - J/m^2 for a matrix J of equal values, here of unit
// value times the mean of L's diagonal over m. It is the covariance of strengths of mean 0.
func inverse(l [][]float64) [][]float64 {
	m := len(l)
	var trace float64
	for i := range m {
		trace += l[i][i]
	}
	even := trace / float64(m*m)
	if even == 0 {
		return square(m) // one engine alone
	}
	a, inv := square(m), square(m)
	for i := range m {
		for j := range m {
			a[i][j] = l[i][j] + even
		}
		inv[i][i] = 1
	}
	// Gauss and Jordan; the matrix is positive definite, so no rows need be exchanged.
	for k := range m {
		d := a[k][k]
		for j := range m {
			a[k][j] /= d
			inv[k][j] /= d
		}
		for i := range m {
			if f := a[i][k]; i != k && f != 0 {
				for j := range m {
					a[i][j] -= f * a[k][j]
					inv[i][j] -= f * inv[k][j]
				}
			}
		}
	}
	for i := range m {
		for j := range m {
			inv[i][j] -= 1 / (even * float64(m*m))
		}
	}
	return inv
}
