package report

import (
	"fmt"
	"math"

	"tengen/bench/tournament"
	"tengen/bench/tournament/stats"
)

// duel is the course of a match of two, a step for each pair of games (for each game
// where they are not paired), as the first engine sees it.
type duel struct {
	games []int // how many games had ended at the step
	elo   []stats.Estimate
	llr   []float64 // as far as the test went
}

// courseOfTwo walks through the games in the order in which they ended.
func courseOfTwo(p *tournament.Played) duel {
	var (
		d       duel
		pairs   stats.Penta
		single  stats.WLD
		waiting = map[int]int{} // by pair: the points of its first game
		test    stats.SPRT
		decided = p.Conf.SPRT == nil
	)
	if !decided {
		test = p.Conf.SPRT.Test()
	}
	for i := range p.Games {
		g := &p.Games[i]
		points, white, ok := g.Points()
		if !ok {
			continue
		}
		if g.White == 0 {
			points = white
		}
		var elo stats.Estimate
		var verdict stats.Verdict
		if p.Conf.Repeat {
			other, there := waiting[g.Pair]
			if !there {
				waiting[g.Pair] = points
				continue
			}
			delete(waiting, g.Pair)
			pairs[points+other]++
			elo = pairs.Elo()
			if !decided {
				verdict = test.Test(pairs)
			}
		} else {
			single = single.Plus([3]stats.WLD{{Losses: 1}, {Draws: 1}, {Wins: 1}}[points])
			elo = single.Elo()
			if !decided {
				verdict = test.TestGames(single)
			}
		}
		d.games = append(d.games, i+1)
		d.elo = append(d.elo, elo)
		if !decided {
			d.llr = append(d.llr, verdict.LLR)
			decided = verdict.Decision != stats.Continue
		}
	}
	return d
}

// eloChart draws the difference of two engines over the games.
func (d duel) eloChart(a, b string) *chart {
	if len(d.elo) < 2 {
		return nil
	}
	last := d.elo[len(d.elo)-1]
	games := float64(d.games[len(d.games)-1])
	lo, hi := around([]stats.Estimate{last}, 3)
	c := newChart("Elo of "+a+" against "+b, "games", games, lo, hi)
	h, v := c.horizontal(games), c.vertical(lo, hi)
	var values []value
	for i, e := range d.elo {
		values = append(values, value{float64(d.games[i]), e.Value, e.Low, e.High})
	}
	c.draw(a, 0, h, v, values, true)
	c.Says = fmt.Sprintf("after %d games %s", d.games[len(d.games)-1], typeset(last.String()))
	return c
}

// llrChart draws the course of the test over its pairs, between the bounds that end it.
func (d duel) llrChart(test *tournament.SPRT, paired bool) *chart {
	if len(d.llr) < 2 {
		return nil
	}
	bounds := test.Test().Test(stats.Penta{})
	lo, hi := bounds.Lower, bounds.Upper
	for _, l := range d.llr {
		lo, hi = min(lo, l), max(hi, l)
	}
	lo, hi = lo-0.08*(hi-lo), hi+0.08*(hi-lo)
	n := float64(len(d.llr))
	c := newChart("LLR of the SPRT", []string{"games", "pairs"}[btoi(paired)], n, lo, hi)
	h, v := c.horizontal(n), c.vertical(lo, hi)
	c.Bounds = []tick{{v.at(bounds.Upper), "H1"}, {v.at(bounds.Lower), "H0"}}
	values := []value{{}}
	for i, l := range d.llr {
		values = append(values, value{x: float64(i + 1), y: l})
	}
	c.draw("LLR", 0, h, v, values, false)
	c.Says = typeset(fmt.Sprintf("%.2f after %d %s, bounds %.2f and %.2f", d.llr[len(d.llr)-1], len(d.llr), c.X, bounds.Lower, bounds.Upper))
	return c
}

// around returns the range of an axis for estimates: each with so many times its interval
// on either side, and zero where that is not far away.
func around(es []stats.Estimate, times float64) (lo, hi float64) {
	const most = 1200 // Elo; a score of 99.9 %
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, e := range es {
		mid := min(most, max(-most, e.Value))
		low, high := min(most, max(-most, e.Low)), min(most, max(-most, e.High))
		lo = min(lo, mid-times*max(5, mid-low))
		hi = max(hi, mid+times*max(5, high-mid))
	}
	if lo > hi {
		return -1, 1
	}
	lo, hi = max(lo, -most), min(hi, most)
	if span := hi - lo; lo > 0 && lo < span {
		lo = -0.05 * span
	} else if hi < 0 && -hi < span {
		hi = 0.05 * span
	}
	return lo, hi
}

// What the course of many engines shows: ratings cost the cube of their number.
const (
	mostLines  = 8  // engines
	mostRated  = 64 // beyond it the course is left out
	mostChecks = 60 // places at which they are rated
)

// courseOfMany draws the ratings of the best engines over the games, or nothing where
// there are too many to rate them so often.
func courseOfMany(p *tournament.Played, s *tournament.Summary) *chart {
	if len(p.Names) > mostRated || len(p.Games) < 2 {
		return nil
	}
	rows := s.Rows[:min(len(s.Rows), mostLines)]
	values := make([][]value, len(rows))
	var table stats.Crosstable
	at := thin(len(p.Games), mostChecks)
	for i := range p.Games {
		g := &p.Games[i]
		if b, _, ok := g.Points(); ok && g.Black != g.White {
			table.Add(p.Names[g.Black], p.Names[g.White], [3]stats.WLD{{Losses: 1}, {Draws: 1}, {Wins: 1}}[b])
		}
		if len(at) == 0 || i != at[0] {
			continue
		}
		at = at[1:]
		ratings, err := table.Ratings("")
		if err != nil {
			return nil
		}
		for k, row := range rows {
			for _, r := range ratings {
				// Engines that have not met, however indirectly, are not on one scale.
				if r.Name == row.Name && r.Group == 0 && len(table.Engines()) == len(p.Names) {
					values[k] = append(values[k], value{float64(i + 1), r.Elo.Value, r.Elo.Low, r.Elo.High})
				}
			}
		}
	}
	var last []stats.Estimate
	for _, r := range rows {
		last = append(last, r.Elo)
	}
	lo, hi := around(last, 1.8)
	games := float64(len(p.Games))
	c := newChart("Elo, the mean of all is 0", "games", games, lo, hi)
	h, v := c.horizontal(games), c.vertical(lo, hi)
	for k, r := range rows {
		c.draw(r.Name, k, h, v, values[k], true)
	}
	if len(c.Lines) == 0 {
		return nil
	}
	c.Says = fmt.Sprintf("%s leads after %d games", rows[0].Name, len(p.Games))
	return c
}
