package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// openings makes games, one or in pairs. The side to move first is better by one of the biases,
// and in a pair the players change sides; to win takes a margin. All is in logits.
type openings struct {
	biases []float64
	margin float64
	paired bool
}

// results returns how probable the points are, of a pair or a game, for a player stronger by x.
func (o openings) results(x float64) truth {
	game := func(d float64) truth {
		win, loss := 1/(1+math.Exp(o.margin-d)), 1/(1+math.Exp(o.margin+d))
		return truth{loss, 1 - win - loss, win}
	}
	if !o.paired {
		return game(x)
	}
	p := make(truth, 5)
	for _, b := range o.biases {
		for i, first := range game(x + b) {
			for j, second := range game(x - b) {
				p[i+j] += first * second / float64(len(o.biases))
			}
		}
	}
	return p
}

// at returns the results of players whose difference by the model is elo.
func (o openings) at(elo float64, m Model) truth {
	low, high := -10.0, 10.0
	for range 100 {
		x := (low + high) / 2
		var mean, square float64
		p := o.results(x)
		top := float64(len(p) - 1)
		for i, q := range p {
			mean += q * float64(i) / top
			square += q * float64(i*i) / (top * top)
		}
		is := Elo(mean)
		if m == Normalized {
			is = (mean - 0.5) / math.Sqrt(top/2*(square-mean*mean)) * 800 / math.Ln10
		}
		if is < elo {
			low = x
		} else {
			high = x
		}
	}
	return o.results(low)
}

// play goes on until the test decides, and returns after how many pairs or games that was.
func (o openings) play(s SPRT, p truth, r *rand.Rand) (d Decision, n int) {
	var pairs Penta
	var games [3]int
	for d == Continue {
		n++
		if i := p.one(r); o.paired {
			pairs[i]++
			d = s.Test(pairs).Decision
		} else {
			games[i]++
			d = s.TestGames(WLD{games[2], games[0], games[1]}).Decision
		}
	}
	return d, n
}

// A test errs as seldom as it says: in alpha of the matches where H0 is true, in beta where H1 is.
// Because it passes its bounds rather than reach them, it even errs a little less.
func TestSPRT(t *testing.T) {
	chess := openings{[]float64{-0.5, 0, 0.5}, 1.2, true}      // balanced, many draws
	gomoku := openings{[]float64{-3, -1, 0, 1, 3}, 0.02, true} // unbalanced, few draws
	alone := openings{nil, 0.7, false}
	for _, c := range []struct {
		name string
		openings
		SPRT
	}{
		{"chess", chess, SPRT{0, 25, 0.05, 0.05, Logistic}},
		{"gomoku", gomoku, SPRT{0, 30, 0.05, 0.05, Logistic}},
		{"chess", chess, SPRT{0, 40, 0.05, 0.1, Normalized}},
		{"gomoku", gomoku, SPRT{-20, 20, 0.05, 0.05, Normalized}},
		{"alone", alone, SPRT{-10, 25, 0.1, 0.05, Logistic}},
		{"alone", alone, SPRT{0, 45, 0.05, 0.05, Normalized}},
	} {
		t.Run(c.name+" "+c.Model.String(), func(t *testing.T) {
			t.Parallel()
			for i, h := range []struct {
				elo, rate float64
				wrong     Decision
			}{{c.Elo0, c.Alpha, AcceptH1}, {c.Elo1, c.Beta, AcceptH0}} {
				p := c.at(h.elo, c.Model)
				r := rand.New(rand.NewPCG(1945, uint64(i)))
				var wrong, long int
				for range simulated {
					d, n := c.play(c.SPRT, p, r)
					long += n
					if d == h.wrong {
						wrong++
					}
				}
				share := float64(wrong) / simulated
				t.Logf("at %+v, of %.3f: %.2f %% wrong in %d matches of %d observations", h.elo, p, 100*share, simulated, long/simulated)
				if math.Abs(share-h.rate) > tolerance {
					t.Errorf("at %v: %d of %d wrong, which should be %v", h.elo, wrong, simulated, h.rate)
				}
			}
		})
	}
}
