// Package choice learns which moves players of Go choose: the weights of weiqi.Habits, from
// game records. It is Coulom's generalized Bradley-Terry model ("Computing Elo ratings of
// move patterns in the game of Go", ICGA Journal 30(4), 2007): each move is a competition
// that the played point has won against all others. The weights are fitted by stochastic
// gradient ascent with a step for each weight (Duchi, Hazan and Singer, "Adaptive subgradient
// methods", 2011) instead of his minorization, and drawn to zero.
//
// engine/weiqi/habits.bin was learned from 2,172 games of 19x19 of strong players, programs most
// of them, all without handicap in the folders DeepZenGo, FineArt, BensonDarr, master, AlphaGo,
// CGI and two tournaments of github.com/yenw/computer-go-dataset, in 3 epochs: in the 108 games
// left out the best guess is the move that was played in 33 % of all positions (2.93 nats a
// move; of 700 of the games in one epoch 2.99, and 3.07 before what is known of the place on the
// board, of the room there and of the stage of the game).
package choice

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// Game is a record without handicap or setup.
type Game struct {
	Size  int
	Moves []game.Move
}

// Fit is a training.
type Fit struct {
	Epochs int
	Rate   float64 // of the first steps
	Seed   uint64  // of the order of the games
	Log    io.Writer
}

const (
	decay   = 0.001 // how strongly a weight is drawn to zero whenever its trait is seen
	least   = 20    // how often what lies around must have been chosen to count
	leftOut = 20    // of so many games one is for testing
)

type model struct {
	ids     map[weiqi.Around]int // of what lies around, after the fixed traits
	weights []float64
	squares []float64 // of the gradients so far
}

// Run learns from games and returns the weights as weiqi.ParseHabits reads them.
func (f *Fit) Run(games []Game) []byte {
	m := &model{ids: make(map[weiqi.Around]int)}

	// 1. The shapes that players choose often enough.
	count := make(map[weiqi.Around]int)
	for _, g := range games {
		replay(g, func(p *weiqi.Position, q, _, _ game.Point) {
			for _, a := range p.Arounds(q, p.Side()) {
				count[a.Upright()]++
			}
		})
	}
	var shapes []weiqi.Around
	for a, n := range count {
		if n >= least {
			shapes = append(shapes, a)
		}
	}
	slices.Sort(shapes)
	for i, a := range shapes {
		for side := range 8 {
			m.ids[a.Turned(side)] = weiqi.NumTraits + i
		}
	}
	m.weights = make([]float64, weiqi.NumTraits+len(shapes))
	m.squares = make([]float64, len(m.weights))

	// 2. The weights.
	order := rand.New(rand.NewPCG(f.Seed, 0))
	in := make([]int, 0, len(games))
	var out []int
	for i := range games {
		if i%leftOut == leftOut-1 {
			out = append(out, i)
		} else {
			in = append(in, i)
		}
	}
	for epoch := range f.Epochs {
		order.Shuffle(len(in), func(i, j int) { in[i], in[j] = in[j], in[i] })
		rate := f.Rate / (1 + float64(epoch))
		for _, i := range in {
			m.pass(games[i], rate)
		}
		var loss, right, n float64
		for _, i := range out {
			l, r, k := m.pass(games[i], 0)
			loss, right, n = loss+l, right+r, n+k
		}
		fmt.Fprintf(f.Log, "epoch %d: %.4f nats a move, %.1f %% guessed\n", epoch+1, loss/max(n, 1), 100*right/max(n, 1))
	}

	// 3. As the engine has them.
	var fixed [weiqi.NumTraits]int8
	weights := make([]int8, len(shapes))
	for i, w := range m.weights {
		k := int8(min(max(math.Round(w*weiqi.HabitUnit), -127), 127))
		if i < len(fixed) {
			fixed[i] = k
		} else {
			weights[i-len(fixed)] = k
		}
	}
	return weiqi.AppendHabits(nil, &fixed, shapes, weights)
}

// replay calls f before each move that is no pass, with the two moves before it.
func replay(g Game, f func(p *weiqi.Position, q, last, before game.Point)) {
	rules, err := weiqi.ParseRules("")
	if err != nil {
		panic(err)
	}
	p := weiqi.NewPosition(rules, g.Size)
	last, before := game.NoPoint, game.NoPoint
	for _, m := range g.Moves {
		if m.Point != game.Pass {
			if p.SetSide(m.Color); p.Legal(m.Point) != 0 {
				return
			}
			f(p, m.Point, last, before)
		}
		p.Make(m.Point)
		last, before = m.Point, last
	}
}

// pass goes through a game, learns at a rate, and returns the sum of the losses, how often
// the best guess was right, and of how many choices.
func (m *model) pass(g Game, rate float64) (loss, right, n float64) {
	var seen [game.NumPoints]weiqi.Feature
	var reach weiqi.Reach
	var traits []int
	var ends []int
	var sums []float64
	replay(g, func(p *weiqi.Position, q, last, before game.Point) {
		p.Features(last, &seen)
		p.Reach(&reach)
		traits, ends, sums = traits[:0], ends[:0], sums[:0]
		chosen, best := -1, 0
		for y := range g.Size {
			for x := range g.Size {
				o := game.At(x, y)
				if p.At(o) != game.Empty || !p.Playable(o) || p.Eye(p.Side(), o) && o != q {
					continue
				}
				from := len(traits)
				traits = p.Traits(traits, o, last, before, seen[o], &reach)
				for _, a := range p.Arounds(o, p.Side()) {
					if id, ok := m.ids[a]; ok {
						traits = append(traits, id)
					}
				}
				sum := 0.0
				for _, t := range traits[from:] {
					sum += m.weights[t]
				}
				if o == q {
					chosen = len(sums)
				}
				sums, ends = append(sums, sum), append(ends, len(traits))
				if sum > sums[best] {
					best = len(sums) - 1
				}
			}
		}
		top, total := sums[best], 0.0
		for i, s := range sums {
			sums[i] = math.Exp(s - top)
			total += sums[i]
		}
		loss -= math.Log(sums[chosen] / total)
		if chosen == best {
			right++
		}
		n++
		if rate == 0 {
			return
		}
		from := 0
		for i, s := range sums {
			d := -s / total
			if i == chosen {
				d++
			}
			if d < -1e-4 || i == chosen {
				for _, t := range traits[from:ends[i]] {
					g := d - decay*m.weights[t]
					m.squares[t] += g * g
					m.weights[t] += rate * g / (1 + math.Sqrt(m.squares[t]))
				}
			}
			from = ends[i]
		}
	})
	return loss, right, n
}
