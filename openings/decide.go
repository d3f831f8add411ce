package openings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings/rule"
)

const (
	// slim is the value below which who may put stones does so and leaves the choice. A
	// side is worth what its value says, whatever the search's error; stones are worth
	// less than nothing, since the opponent may know better, so they are for even chances.
	slim = 10

	some    = 6  // even stones that are tried at least
	fourths = 4  // fourth stones that are tried with their fifths
	most    = 10 // fifth moves that we declare
	hasty   = 4  // the number declared without a search
	perOpen = 5  // renju's opening with its fourth and fifths costs as much as so many trials
)

// Decide answers for the player whose turn it is in an opening. Of the ways that the rule
// gives him it takes the one worth most, when the opponent does likewise:
//
//   - what is even where the opponent may choose a side, else what is best for one's own;
//   - the side that is worth more, where it is offered;
//   - as fifth moves the best ones, of which the opponent will keep the worst, so that a
//     position with n of them ahead is worth as much as the n-th best;
//   - a number of fifth moves with which that is about even.
//
// The choice is open to the player even when an error comes with it, which then is the
// engine's. rng draws what is tried or is equal; nil draws the same each time.
func Decide(ctx context.Context, e engine.Engine, o *rule.Opening, lim game.Limits, rng *rand.Rand) (rule.Choice, error) {
	if o.Done() {
		return rule.Choice{}, errors.New("the opening is over")
	}
	if rng == nil {
		rng = rand.New(rand.NewPCG(0, 0))
	}
	d := &decision{budget: newBudget(ctx, e, lim), o: o, rec: o.Record().Clone(), rng: rng}
	c, err := d.take()
	if bad := o.Check(c); bad != nil {
		c, _ = o.Any(func(int) int { return 0 })
		err = cmp.Or(err, fmt.Errorf("the engine chose what is no choice: %w", bad))
	}
	return c, err
}

// decision is one that is being taken. The side to move takes it, in every rule and step but
// where an offered stone of the opponent is kept.
type decision struct {
	*budget
	o   *rule.Opening
	rec *game.Record // the stones so far
	rng *rand.Rand
}

// ways are those of a step by their kinds; nil for what there is not.
type ways struct {
	swap, stay, offer, keep *rule.Way
	own                     *rule.Way // stones, after which nobody changes sides
	even                    *rule.Way // stones, after which the opponent may
}

func (d *decision) ways(s rule.Step) (ws ways) {
	for i := range s.Ways {
		w := &s.Ways[i]
		switch {
		case w.Swap:
			ws.swap = w
		case w.Keep:
			ws.keep = w
		case w.Offer != 0:
			ws.offer = w
		case len(w.Put) == 0:
			ws.stay = w
		case w.Next != rule.End && d.ways(d.step(w.Next)).swap != nil:
			ws.even = w
		default:
			ws.own = w
		}
	}
	return ws
}

func (d *decision) step(i int) rule.Step { return d.o.Rule().Steps[i] }

// ahead returns how many fifth moves will be offered, from a step on, before anybody can
// change sides, 0 if none, and whether White's fourth stone comes before them. declared is
// the number that is, or will be, declared.
func (d *decision) ahead(step, declared int) (n int, fourth bool) {
	for step != rule.End {
		ws := d.ways(d.step(step))
		switch {
		case ws.swap != nil:
			return 0, false
		case ws.offer != nil && ws.offer.Offer == rule.Declared:
			return declared, fourth
		case ws.offer != nil:
			return ws.offer.Offer, fourth
		case ws.own == nil || fourth:
			return 0, false
		}
		step, fourth = ws.own.Next, true
	}
	return 0, false
}

func (d *decision) take() (rule.Choice, error) {
	ws := d.ways(d.o.Step())
	switch {
	case ws.keep != nil:
		return d.keep()
	case ws.swap != nil:
		return d.side(ws)
	case ws.offer != nil:
		qs, err := d.offer(d.o.Offered(ws.offer))
		return rule.Choice{Points: qs}, err
	case ws.even != nil && ws.even.High > 0:
		return d.declare(ws.even)
	case ws.even != nil:
		qs, err := d.even(ws.even)
		return rule.Choice{Points: qs}, err
	}
	return d.move(ws.own)
}

// side takes a side, or leaves the choice to the opponent by a stone or by fifths if the rule
// lets it and neither side is worth clearly more. It does not put the two stones of Swap2: they
// would have to be found among hundreds, each searched for a moment, and who then chooses with
// one long search knows better. In 50 openings they scored 39 %, a side in the same ones 57 %.
func (d *decision) side(ws ways) (rule.Choice, error) {
	if ws.own != nil {
		ws.even = nil
	}
	hurry, den := d.tiny(), 1
	if !hurry && ws.even != nil {
		den = 2
	}
	c, err := d.worth(ws.stay, 1, den)
	better := sideBy(ws, c, err)
	if v := c.Info.Value; err != nil || hurry || ws.even == nil || v < -slim {
		return better, err
	}
	if ws.offer != nil {
		n := d.o.Offered(ws.offer)
		if ts, err := d.part(1, 2).fifths(d.rec, n, 1, 1); err == nil && len(ts) >= n && ts[n-1].value > slim {
			return rule.Choice{Points: pointsOf(ts[:n])}, nil
		}
	}
	qs, err := d.even(ws.even)
	if err != nil {
		return better, err
	}
	return rule.Choice{Points: qs}, nil
}

// sideBy takes the better side by a search. To change sides is always legal.
func sideBy(ws ways, c game.Choice, err error) rule.Choice {
	w := ws.own
	if w == nil {
		w = ws.even
	}
	switch {
	case err != nil || c.Info.Value < 0:
	case ws.stay != nil:
		return rule.Choice{}
	case w != nil && len(w.Put) == 1 && c.Point < game.NoPoint:
		return rule.Choice{Points: []game.Point{c.Point}}
	}
	return rule.Choice{Swap: true}
}

// worth values the position for the side to move, if it stays what it is, with num/den of
// what is left.
func (d *decision) worth(stay *rule.Way, num, den int) (game.Choice, error) {
	n, fourth := 0, false
	if stay != nil {
		n, fourth = d.ahead(stay.Next, d.o.Declared())
	}
	switch {
	case n == 0 || d.tiny():
		return d.think(d.rec, num, den)
	case fourth:
		return d.part(num, den).fourth(d.rec, n)
	}
	ts, err := d.fifths(d.rec, n, num, den)
	if err != nil {
		return game.Choice{}, err
	}
	last := ts[min(n, len(ts))-1]
	return game.Choice{Point: last.points[0], Info: game.Info{Value: last.value}}, nil
}

// even returns stones after which the chances are about even.
func (d *decision) even(w *rule.Way) ([]game.Point, error) {
	free := !slices.ContainsFunc(w.Put, func(z rule.Zone) bool { return z.Least > 0 || z.Most < game.MaxSize })
	switch {
	case free && len(w.Put) == 3 && len(d.rec.Moves) == 0:
		return propose(d.budget, d.rec.Variant, d.rng)
	case len(w.Put) == 3:
		c, err := d.pattern(w)
		return c.Points, err
	}
	var ts []trial
	distinct := rule.Distinct(d.o.Game())
	for _, t := range extend(d.o.Game(), d.rec, nil) {
		if q := t.points[0]; w.Put[0].Has(q, d.rec.Variant.Size) && slices.Contains(distinct, q) {
			ts = append(ts, t)
		}
	}
	switch {
	case len(ts) == 0:
		return nil, errors.New("no point to play on")
	case len(d.rec.Moves) < 2: // of one or two stones a search knows nothing
		return ts[d.rng.IntN(len(ts))].points, nil
	case d.tiny():
		return ts[0].points, nil
	}
	// Only some are tried, lest every opening be the same.
	d.rng.Shuffle(len(ts), func(i, j int) { ts[i], ts[j] = ts[j], ts[i] })
	best, err := d.nearest(ts[:min(len(ts), max(some, len(ts)/2), d.trials())], d.rec.ToMove(), 0)
	return best.points, err
}

// pattern returns one of renju's 26 openings, with a number of fifth moves if one is to be
// declared, which is even when White puts his best fourth stone. Where the fourth stone has
// a number and a swap of its own, they make any opening even.
func (d *decision) pattern(w *rule.Way) (rule.Choice, error) {
	v := d.rec.Variant
	ps := rule.Patterns()
	d.rng.Shuffle(len(ps), func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
	stones := func(p rule.Pattern) (qs []game.Point) {
		turn := d.rng.IntN(game.Symmetries)
		for _, q := range p.On(v.Size) {
			qs = append(qs, d.lay(q, turn))
		}
		return qs
	}
	best := rule.Choice{Points: stones(ps[0])}
	if w.High > 0 {
		best.Count = min(hasty, w.High)
	}
	n, _ := d.ahead(d.ways(d.step(w.Next)).stay.Next, w.High)
	if n == 0 || d.tiny() {
		return best, nil
	}
	tries := max(1, min(len(ps), d.trials()/perOpen))
	off := -1
	for i, p := range ps[:tries] {
		b := d.part(1, tries-i)
		qs := stones(p)
		rec := alternating(v, qs)
		c, err := b.think(rec, 1, 3)
		if err != nil {
			return best, err
		}
		ts, err := b.fifths(after(rec, c.Point), min(n, most), 1, 1)
		if err != nil {
			continue
		}
		for k := range ts {
			if w.High == 0 && k+1 != min(n, len(ts)) || w.High > 0 && k+1 < w.Low {
				continue
			}
			if o := abs(ts[k].value); off < 0 || o < off {
				off, best = o, rule.Choice{Points: qs}
				if w.High > 0 {
					best.Count = k + 1
				}
			}
		}
	}
	return best, nil
}

// lay turns a point of renju's opening about the first stone.
func (d *decision) lay(q game.Point, turn int) game.Point {
	// The centre of a board of even side moves with the others; it is put back.
	size := d.rec.Variant.Size
	c, moved := rule.Centre(size), rule.Centre(size).Turned(size, turn)
	q = q.Turned(size, turn)
	return game.At(q.X()+c.X()-moved.X(), q.Y()+c.Y()-moved.Y())
}

// declare puts stones and declares with how many fifth moves they are even.
func (d *decision) declare(w *rule.Way) (rule.Choice, error) {
	if len(w.Put) == 3 {
		return d.pattern(w)
	}
	if d.tiny() {
		c, err := d.think(d.rec, 1, 1)
		return rule.Choice{Points: []game.Point{c.Point}, Count: min(hasty, w.High)}, err
	}
	ts, err := d.part(1, 4).lines(d.rec, fourths, nil, 1, 1)
	best, off := rule.Choice{}, -1
	for i, t := range ts {
		fifths, e := d.part(1, len(ts)-i).fifths(t.rec, min(w.High, most), 1, 1)
		if e != nil {
			err = e
			continue
		}
		for k := w.Low - 1; k < len(fifths); k++ {
			if o := abs(fifths[k].value); off < 0 || o < off {
				off, best = o, rule.Choice{Points: t.points, Count: k + 1}
			}
		}
	}
	if off >= 0 {
		err = nil
	}
	return best, err
}

// move puts the best stone of a zone.
func (d *decision) move(w *rule.Way) (rule.Choice, error) {
	if n, fourth := d.ahead(w.Next, d.o.Declared()); n > 0 && !fourth && !d.tiny() {
		c, err := d.budget.fourth(d.rec, n)
		return rule.Choice{Points: []game.Point{c.Point}}, err
	}
	var avoid, inside []game.Point
	size := d.rec.Variant.Size
	for y := range size {
		for x := range size {
			if q := game.At(x, y); w.Put[0].Has(q, size) {
				inside = append(inside, q)
			} else {
				avoid = append(avoid, q)
			}
		}
	}
	if len(inside) == 1 {
		return rule.Choice{Points: inside}, nil
	}
	c, err := d.search(d.rec, 1, 1, game.Limits{Avoid: avoid}, nil)
	return rule.Choice{Points: []game.Point{c.Point}}, err
}

// offer returns the n best fifth stones.
func (d *decision) offer(n int) ([]game.Point, error) {
	var qs []game.Point
	var err error
	if !d.tiny() {
		var ts []trial
		ts, err = d.fifths(d.rec, n, 1, 1)
		qs = pointsOf(ts[:min(n, len(ts))])
	}
	for _, q := range rule.Distinct(d.o.Game()) {
		if len(qs) < n && !slices.Contains(qs, q) {
			qs = append(qs, q)
		}
	}
	return qs, err
}

// keep keeps the offered stone that is best for the opponent of who offered it.
func (d *decision) keep() (rule.Choice, error) {
	var ts []trial
	for _, q := range d.o.Offers() {
		ts = append(ts, trial{points: []game.Point{q}, rec: after(d.rec, q)})
	}
	if len(ts) == 1 || d.ctx.Err() != nil {
		return rule.Choice{Points: ts[0].points}, nil
	}
	best, err := d.nearest(ts, d.rec.ToMove().Other(), game.Win)
	return rule.Choice{Points: best.points}, err
}

// fourth returns White's best fourth stone when Black will offer n fifths, and its value.
func (b *budget) fourth(rec *game.Record, n int) (game.Choice, error) {
	ts, err := b.part(1, 4).lines(rec, fourths, nil, 1, 1)
	best := game.Choice{Point: game.NoPoint}
	for i, t := range ts {
		fifths, e := b.part(1, len(ts)-i).fifths(t.rec, n, 1, 1)
		if e != nil {
			err = e
			continue
		}
		if v := -fifths[min(n, len(fifths))-1].value; best.Point == game.NoPoint || v > best.Info.Value {
			best.Point, best.Info.Value = t.points[0], v
		}
	}
	if best.Point != game.NoPoint {
		err = nil
	}
	return best, err
}

// fifths returns at most n moves, no two symmetrical, the best first.
func (b *budget) fifths(rec *game.Record, n, num, den int) ([]trial, error) {
	g, err := engine.Replay(rec)
	if err != nil {
		return nil, err
	}
	distinct := rule.Distinct(g)
	var avoid []game.Point
	for y := range rec.Variant.Size {
		for x := range rec.Variant.Size {
			if q := game.At(x, y); g.Legal(q) == nil && !slices.Contains(distinct, q) {
				avoid = append(avoid, q)
			}
		}
	}
	return b.lines(rec, min(n, len(distinct)), avoid, num, den)
}

// lines returns the n best moves by one search, the best first, with their values; fewer
// when the search knows no more.
func (b *budget) lines(rec *game.Record, n int, avoid []game.Point, num, den int) ([]trial, error) {
	var newest, full []trial
	depth := 0
	c, err := b.search(rec, num, den, game.Limits{MultiPV: n, Avoid: avoid}, func(i game.Info) {
		if i.Last || len(i.PV) == 0 {
			return
		}
		if i.Depth != depth {
			depth, newest = i.Depth, nil
		}
		newest = append(newest, trial{points: i.PV[:1:1], rec: after(rec, i.PV[0]), known: true, value: i.Value})
		if len(newest) >= len(full) { // a depth that was cut short knows less
			full = newest
		}
	})
	if len(full) == 0 && err == nil {
		full = []trial{{points: []game.Point{c.Point}, rec: after(rec, c.Point), known: true, value: c.Info.Value}}
	}
	if len(full) > 0 {
		err = nil
	}
	return full, err
}

func after(rec *game.Record, q game.Point) *game.Record {
	r := rec.Clone()
	r.Moves = append(r.Moves, game.Move{Color: rec.ToMove(), Point: q})
	return r
}

func pointsOf(ts []trial) (qs []game.Point) {
	for _, t := range ts {
		qs = append(qs, t.points[0])
	}
	return qs
}
