package openings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"tengen/engine"
	"tengen/engine/game"
)

// Balance returns one point (for the side to move at the end of rec) or two (for it and
// then for its opponent) after which the game is worth as nearly bias as can be found.
// Values and bias are seen from the side to move at the end of rec, that is, from the
// side that puts the first of the points; whose turn it is after them does not matter.
// Bias 0 asks for even chances, bias 50 for a small advantage of the side now to move:
// values are Fair.
//
// The same engine state, record and node limit give the same points. With no limit at
// all it takes 400,000 nodes. When ctx is done or time is short it returns the best so
// far, in need the first legal points near the stones.
func Balance(ctx context.Context, e engine.Engine, rec *game.Record, n, bias int, lim game.Limits) ([]game.Point, error) {
	if n != 1 && n != 2 {
		return nil, fmt.Errorf("balance by %d stones", n)
	}
	return balance(newBudget(ctx, e, lim), rec, n, bias)
}

const (
	firsts = 6 // first stones of a pair that are tried with all seconds

	defaultNodes = 400_000
	tinyTime     = 20 * time.Millisecond
	tinyNodes    = 500
)

// unfinished replays a game that goes on.
func unfinished(rec *game.Record) (game.Game, error) {
	g, err := engine.Replay(rec)
	if err == nil && g.Result().Outcome != game.Open {
		err = errors.New("balance: the game is over")
	}
	return g, err
}

func balance(b *budget, rec *game.Record, n, bias int) ([]game.Point, error) {
	g, err := unfinished(rec)
	if err != nil {
		return nil, err
	}
	if n == 1 {
		ones := extend(g, rec, nil)
		if len(ones) == 0 {
			return nil, errors.New("balance: no point to play on")
		}
		if b.tiny() {
			return ones[0].points, nil
		}
		best, err := b.nearest(ones[:min(len(ones), b.trials())], rec.ToMove(), bias)
		return best.points, err
	}

	ps, err := pairs(b, g, rec, bias)
	if len(ps) == 0 {
		return nil, err
	}
	return ps[0].points, err
}

// Pairs is Balance for two points that returns up to most pairs, the nearest to bias first.
// The first two are those of the longest searches.
func Pairs(ctx context.Context, e engine.Engine, rec *game.Record, bias int, lim game.Limits, most int) ([][]game.Point, error) {
	g, err := unfinished(rec)
	if err != nil {
		return nil, err
	}
	ps, err := pairs(newBudget(ctx, e, lim), g, rec, bias)
	var list [][]game.Point
	for _, t := range ps[:min(len(ps), most)] {
		list = append(list, t.points)
	}
	return list, err
}

// pairs returns pairs of points, the nearest to bias first, behind them those that were not
// tried. An error without any says that there are none; with some it is the engine's.
func pairs(b *budget, g game.Game, rec *game.Record, bias int) ([]trial, error) {
	side := rec.ToMove()
	ones := extend(g, rec, nil)
	if !b.tiny() {
		// The opponent's best reply leaves the value of the first stone, any other more:
		// so a pair worth bias begins with a stone worth a little less.
		part := b.part(3, 10)
		part.round(ones[:min(len(ones), part.trials())], side, bias, 1)
		slices.SortStableFunc(ones, func(s, t trial) int {
			return cmp.Or(order(!s.known, !t.known), order(s.value > bias, t.value > bias), cmp.Compare(s.off, t.off))
		})
	}
	// The seconds of the chosen firsts take turns, so that a cut leaves each first some.
	var rows [][]trial
	for _, f := range ones {
		if row := extend(g, f.rec, f.points); len(row) > 0 {
			rows = append(rows, row)
		}
		if len(rows) == firsts {
			break
		}
	}
	var ps []trial
	for i := 0; ; i++ {
		before := len(ps)
		for _, row := range rows {
			if i < len(row) {
				ps = append(ps, row[i])
			}
		}
		if len(ps) == before {
			break
		}
	}
	if len(ps) == 0 {
		return nil, errors.New("balance: no two points to play on")
	}
	if b.tiny() {
		return ps, nil
	}
	_, err := b.nearest(ps[:min(len(ps), b.trials())], side, bias) // which sorts them
	return ps, err
}

func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// trial is a position that may be the one looked for.
type trial struct {
	points []game.Point // what leads to it
	rec    *game.Record
	known  bool // a search has valued it
	value  int
	off    int // distance of value from what is wanted
}

// extend returns the positions one legal move after rec that do not end the game, those
// nearest to the stones first. g stands at the beginning of points and is left there.
func extend(g game.Game, rec *game.Record, points []game.Point) []trial {
	for i, p := range points {
		if g.Play(p) != nil {
			for range i {
				g.Undo()
			}
			return nil
		}
	}
	defer func() {
		for range points {
			g.Undo()
		}
	}()
	if g.Result().Outcome != game.Open {
		return nil
	}
	var ts []trial
	for _, p := range candidates(g, rec.Variant.Size) {
		if g.Legal(p) != nil || g.Play(p) != nil {
			continue
		}
		open := g.Result().Outcome == game.Open
		g.Undo()
		if !open {
			continue
		}
		r := rec.Clone()
		r.Moves = append(r.Moves, game.Move{Color: rec.ToMove(), Point: p})
		ts = append(ts, trial{points: append(slices.Clone(points), p), rec: r})
	}
	return ts
}

// candidates are the empty points within two of a stone, three while stones are few; on
// an empty board those of one octant, the others being their images; and all where these
// are none. The nearest to the stones, or the centre, come first.
func candidates(g game.Game, size int) []game.Point {
	type near struct {
		p    game.Point
		dist int // to the nearest stone
		away int // from the centre
	}
	var stones []game.Point
	var empty []near
	for y := range size {
		for x := range size {
			switch p := game.At(x, y); g.At(p) {
			case game.Black, game.White:
				stones = append(stones, p)
			case game.Empty:
				empty = append(empty, near{p: p, away: max(abs(2*x-size+1), abs(2*y-size+1))})
			}
		}
	}
	reach := 2
	if len(stones) <= 6 {
		reach = 3
	}
	for i := range empty {
		e := &empty[i]
		e.dist = size
		for _, s := range stones {
			e.dist = min(e.dist, max(abs(e.p.X()-s.X()), abs(e.p.Y()-s.Y())))
		}
	}
	slices.SortStableFunc(empty, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(a.away, b.away), cmp.Compare(a.p, b.p))
	})
	var ps, all []game.Point
	for _, e := range empty {
		all = append(all, e.p)
		inOctant := e.p.X() <= e.p.Y() && 2*e.p.Y() < size
		if e.dist <= reach || len(stones) == 0 && inOctant {
			ps = append(ps, e.p)
		}
	}
	if len(ps) < 2 {
		return all
	}
	return ps
}

func abs(x int) int { return max(x, -x) }

// budget spends the limits of one answer on many searches.
type budget struct {
	ctx         context.Context
	e           engine.Engine
	lim         game.Limits // as given; Instant and Depth go to each search as they are
	until, hard time.Time   // when to be content, when to have answered; zero: no clock
	nodes       *int64      // left; nil: not limited
}

func newBudget(ctx context.Context, e engine.Engine, lim game.Limits) *budget {
	b := &budget{ctx: ctx, e: e, lim: lim}
	start := lim.Start
	if start.IsZero() {
		start = time.Now()
	}
	if lim.Hard > 0 {
		b.hard = start.Add(lim.Hard)
		b.until = start.Add(lim.Hard * 3 / 4)
	}
	if lim.Soft > 0 && (lim.Hard == 0 || lim.Soft < lim.Hard) {
		b.until = start.Add(lim.Soft)
	}
	n := lim.Nodes
	if n == 0 && b.until.IsZero() && lim.Depth == 0 {
		n = defaultNodes
	}
	if n > 0 {
		b.nodes = &n
	}
	return b
}

// part is a budget of num/den of what is left of b, and spends from b.
func (b *budget) part(num, den int) *budget {
	p := *b
	if !b.until.IsZero() {
		now := time.Now()
		p.until = now.Add(b.until.Sub(now) * time.Duration(num) / time.Duration(den))
	}
	if b.nodes != nil {
		n := *b.nodes * int64(num) / int64(den)
		*b.nodes -= n
		p.nodes = &n
	}
	return &p
}

// tiny reports whether there is not enough left for several searches.
func (b *budget) tiny() bool {
	return b.lim.Instant || b.ctx.Err() != nil ||
		!b.until.IsZero() && time.Until(b.until) < tinyTime ||
		b.nodes != nil && *b.nodes < tinyNodes
}

// trials is the number of positions among which to look for the nearest: each should get
// a millisecond and fifty nodes in the first of about six rounds.
func (b *budget) trials() int {
	n := 400
	if !b.until.IsZero() {
		n = min(n, int(time.Until(b.until)/(6*time.Millisecond)))
	}
	if b.nodes != nil {
		n = min(n, int(*b.nodes/300))
	}
	return max(n, 2)
}

// think searches rec with num/den of what is left.
func (b *budget) think(rec *game.Record, num, den int) (game.Choice, error) {
	return b.search(rec, num, den, game.Limits{}, nil)
}

// search is think with what else lim says of the moves at the root. Its values are Fair.
func (b *budget) search(rec *game.Record, num, den int, lim game.Limits, tell func(game.Info)) (game.Choice, error) {
	lim.Depth, lim.Instant, lim.Start = b.lim.Depth, b.lim.Instant, time.Now()
	if !b.until.IsZero() {
		lim.Soft = max(time.Millisecond, b.until.Sub(lim.Start)*time.Duration(num)/time.Duration(den))
		lim.Hard = 2 * lim.Soft
	}
	if !b.hard.IsZero() {
		lim.Hard = max(time.Millisecond, min(lim.Hard, b.hard.Sub(lim.Start)))
		lim.Soft = min(lim.Soft, lim.Hard)
	}
	if b.nodes != nil {
		lim.Nodes = max(1, *b.nodes*int64(num)/int64(den))
	}
	fair := func(v int) int { return Fair(rec.Variant, rec.ToMove(), v) }
	fairly := tell
	if tell != nil {
		fairly = func(i game.Info) {
			i.Value = fair(i.Value)
			tell(i)
		}
	}
	c, err := b.e.Think(b.ctx, rec, lim, fairly)
	c.Info.Value = fair(c.Info.Value)
	if b.nodes != nil {
		spent := c.Info.Nodes
		if spent <= 0 {
			spent = lim.Nodes
		}
		*b.nodes -= spent
	}
	return c, err
}

// spent reports whether no further search should be begun.
func (b *budget) spent() bool {
	return b.ctx.Err() != nil || !b.until.IsZero() && !time.Now().Before(b.until) || b.nodes != nil && *b.nodes <= 0
}

// nearest returns the trial whose value, seen from side, is nearest to want. It searches
// all of them shortly, the nearer half twice as long, and so on: sequential halving
// (Karnin, Koren, Somekh 2013, "Almost Optimal Exploration in Multi-Armed Bandits",
// figure 1), which spends the same in each round. When nothing could be searched it
// returns the first trial, with the error if it was the engine's.
func (b *budget) nearest(ts []trial, side game.Color, want int) (trial, error) {
	var err error
	for rounds := max(1, bits.Len(uint(len(ts)-1))); rounds > 0 && !b.spent(); rounds-- {
		if e := b.round(ts, side, want, rounds); err == nil {
			err = e
		}
		ts = ts[:(len(ts)+1)/2]
	}
	if ts[0].known || b.ctx.Err() != nil {
		err = nil
	}
	return ts[0], err
}

// round searches every trial, with an equal share of what is left to be spent in so many
// rounds, and sorts them, the nearest first. A trial that the engine refuses comes last.
func (b *budget) round(ts []trial, side game.Color, want, rounds int) (err error) {
	for i := range ts {
		if b.spent() {
			break
		}
		t := &ts[i]
		c, e := b.think(t.rec, 1, len(ts)*rounds-i)
		if e != nil {
			err, t.known = e, false
			continue
		}
		t.known, t.value = true, c.Info.Value
		if t.rec.ToMove() != side {
			t.value = -t.value
		}
		t.off = abs(t.value - want)
	}
	slices.SortStableFunc(ts, func(s, t trial) int {
		return cmp.Or(order(!s.known, !t.known), cmp.Compare(s.off, t.off))
	})
	return err
}
