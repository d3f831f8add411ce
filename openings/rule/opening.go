package rule

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tengen/engine"
	"tengen/engine/game"
)

// Choice is an answer: to change sides, or stones to put, to offer or (one of the offered)
// to keep, with the declared number of fifth moves where one is asked for. The zero Choice
// is to stay.
type Choice struct {
	Swap   bool
	Points []game.Point
	Count  int
}

// Opening is an opening in progress.
type Opening struct {
	rule     *Rule
	game     game.Game
	step     int
	black    Player
	declared int
	offers   []game.Point
	taken    []Choice
}

// New returns the beginning of an opening, or an error that says why the rule is not for
// the game.
func New(r *Rule, v game.Variant) (*Opening, error) {
	if err := r.For(v); err != nil {
		return nil, err
	}
	g, err := engine.Referee(r.Variant(v))
	if err != nil {
		return nil, err
	}
	return &Opening{rule: r, game: g}, nil
}

// Swap2 returns an opening by Swap2 in which so many stones were put: three by the first
// player, and two by the second.
func Swap2(v game.Variant, stones []game.Point) (*Opening, error) {
	r, err := Find("swap2")
	if err != nil {
		return nil, err
	}
	o, err := New(r, v)
	if err != nil {
		return nil, err
	}
	for i, n := 0, 3; i < len(stones); i, n = i+n, 2 {
		if i > 3 || len(stones) < i+n {
			return nil, fmt.Errorf("swap2 with %d stones", len(stones))
		}
		if err := o.Do(Choice{Points: stones[i : i+n]}); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Clone returns an opening of its own with the same choices.
func (o *Opening) Clone() *Opening {
	c, err := New(o.rule, o.Record().Variant)
	for _, t := range o.taken {
		if err == nil {
			err = c.Do(t)
		}
	}
	if err != nil {
		panic(err) // all of it was done before
	}
	return c
}

// Rule returns the rule that is followed.
func (o *Opening) Rule() *Rule { return o.rule }

// Done reports whether ordinary play has begun.
func (o *Opening) Done() bool { return o.step == End }

// Step returns the decision that is to be taken; there is none when the opening is Done.
func (o *Opening) Step() Step { return o.rule.Steps[o.step] }

// Turn returns who has to decide, and after the opening who has to move.
func (o *Opening) Turn() Player {
	side := o.game.ToMove()
	if !o.Done() {
		side = o.Step().By
	}
	if side == game.Black {
		return o.black
	}
	return o.black.Other()
}

// Black returns who holds Black.
func (o *Opening) Black() Player { return o.black }

// Game returns the referee of the stones so far. It must not be played on.
func (o *Opening) Game() game.Game { return o.game }

// Record returns the stones so far, as moves. It must not be changed.
func (o *Opening) Record() *game.Record { return o.game.Record() }

// Declared returns the number of fifth moves that was declared, 0 before.
func (o *Opening) Declared() int { return o.declared }

// Offers returns the stones of which one is to be kept.
func (o *Opening) Offers() []game.Point { return o.offers }

// Choices returns what was chosen so far.
func (o *Opening) Choices() []Choice { return o.taken }

// Offered returns how many stones a way asks to offer.
func (o *Opening) Offered(w *Way) int {
	if w.Offer == Declared {
		return o.declared
	}
	return w.Offer
}

// Check returns nil for a choice that is open to the player whose turn it is, else an
// error that says what is wrong with it.
func (o *Opening) Check(c Choice) error {
	_, n, err := o.try(c)
	o.back(n)
	return err
}

// Do takes a choice. On error nothing has changed.
func (o *Opening) Do(c Choice) error {
	w, n, err := o.try(c)
	if err != nil {
		o.back(n)
		return err
	}
	if w.Swap || w.Turn {
		o.black = o.black.Other()
	}
	if w.High > 0 {
		o.declared = c.Count
	}
	o.offers = nil
	if w.Offer != 0 {
		o.offers = slices.Clone(c.Points)
	}
	c.Points = slices.Clone(c.Points)
	o.taken = append(o.taken, c)
	o.step = w.Next
	return nil
}

// back takes the last n stones off.
func (o *Opening) back(n int) {
	for range n {
		o.game.Undo()
	}
}

// try finds the way of a choice and puts its stones, of which n then are on the board.
func (o *Opening) try(c Choice) (w *Way, n int, err error) {
	if o.Done() {
		return nil, 0, errors.New("the opening is over")
	}
	if w = o.way(c); w == nil {
		return nil, 0, fmt.Errorf("%s is no answer here: %s", c.kind(), o.Prompt())
	}
	size := o.Record().Variant.Size
	switch {
	case w.High > 0 && (c.Count < w.Low || c.Count > w.High):
		return w, 0, fmt.Errorf("%d to %d fifth moves are to be declared, not %d", w.Low, w.High, c.Count)
	case w.High == 0 && c.Count != 0:
		return w, 0, errors.New("no number of fifth moves is declared here")
	case w.Keep && !slices.Contains(o.offers, c.Points[0]):
		return w, 0, fmt.Errorf("%s was not offered, but %s", c.Points[0].Name(size), names(o.offers, size))
	case w.Offer != 0:
		return w, 0, o.offerable(c.Points)
	}
	for i, q := range c.Points {
		if !w.Keep && q.On(size) && !w.Put[i].Has(q, size) {
			return w, n, fmt.Errorf("%s is not %v", q.Name(size), w.Put[i])
		}
		if err := o.play(q); err != nil {
			return w, n, err
		}
		n++
		if o.game.Result().Outcome != game.Open {
			return w, n, fmt.Errorf("%s would end the game", q.Name(size))
		}
	}
	return w, n, nil
}

// play puts a stone of the side to move.
func (o *Opening) play(q game.Point) error {
	if err := o.game.Play(q); err != nil {
		return refusal(q, o.Record().Variant.Size, err)
	}
	return nil
}

func refusal(q game.Point, size int, err error) error {
	if !q.On(size) {
		return errors.New("a point is off the board")
	}
	return fmt.Errorf("%s: %s", q.Name(size), strings.TrimPrefix(err.Error(), "illegal move: "))
}

// way returns the way whose form a choice has, nil if none has it.
func (o *Opening) way(c Choice) *Way {
	step := o.Step()
	for i := range step.Ways {
		w := &step.Ways[i]
		if c.Swap != w.Swap || c.Swap && (len(c.Points) > 0 || c.Count != 0) {
			continue
		}
		n := len(w.Put)
		if w.Offer != 0 {
			n = o.Offered(w)
		} else if w.Keep {
			n = 1
		}
		if len(c.Points) == n {
			return w
		}
	}
	return nil
}

// offerable says what is wrong with stones offered for the same move.
func (o *Opening) offerable(qs []game.Point) error {
	size := o.Record().Variant.Size
	turns := symmetries(o.game)
	for i, q := range qs {
		if err := o.game.Legal(q); err != nil {
			return refusal(q, size, err)
		}
		for _, p := range qs[:i] {
			if p == q {
				return fmt.Errorf("%s is offered twice", q.Name(size))
			}
			for _, s := range turns {
				if p.Turned(size, s) == q {
					return fmt.Errorf("%s and %s are symmetrical", p.Name(size), q.Name(size))
				}
			}
		}
	}
	return nil
}

// symmetries returns those, but for the first, under which the stones lie as they do.
// Offers are compared under these alone: with the first stone on the centre and two stones
// of White, no other symmetry can make two positions of five stones the same.
func symmetries(g game.Game) (turns []int) {
	size := g.Record().Variant.Size
	for s := 1; s < game.Symmetries; s++ {
		same := true
		for y := range size {
			for x := range size {
				q := game.At(x, y)
				same = same && g.At(q) == g.At(q.Turned(size, s))
			}
		}
		if same {
			turns = append(turns, s)
		}
	}
	return turns
}

// Distinct returns the legal points of the side to move in a game, one of each set of
// symmetrical ones, those near the centre first.
func Distinct(g game.Game) (qs []game.Point) {
	size := g.Record().Variant.Size
	turns := symmetries(g)
	seen := map[game.Point]bool{}
	for _, q := range fromCentre(size) {
		if seen[q] || g.Legal(q) != nil {
			continue
		}
		for _, s := range turns {
			seen[q.Turned(size, s)] = true
		}
		qs = append(qs, q)
	}
	return qs
}

// fromCentre returns all points of a board, the nearest to its centre first.
func fromCentre(size int) (qs []game.Point) {
	for y := range size {
		for x := range size {
			qs = append(qs, game.At(x, y))
		}
	}
	away := func(q game.Point) int { return max(abs(q.X()-size/2), abs(q.Y()-size/2)) }
	slices.SortStableFunc(qs, func(p, q game.Point) int { return cmp.Compare(away(p), away(q)) })
	return qs
}

// Any returns a choice that is open to the player whose turn it is, without judging it.
// pick(n) chooses one of n things; what always picks 0 takes the first way, and stones near
// the centre. There is none (ok is false) when the opening is done or no stones are left.
func (o *Opening) Any(pick func(n int) int) (c Choice, ok bool) {
	if o.Done() {
		return Choice{}, false
	}
	step := o.Step()
	first := pick(len(step.Ways))
	for i := range step.Ways {
		c = o.anyOf(&step.Ways[(first+i)%len(step.Ways)], pick)
		if o.Check(c) == nil {
			return c, true
		}
	}
	return Choice{}, false
}

func (o *Opening) anyOf(w *Way, pick func(int) int) Choice {
	c := Choice{Swap: w.Swap}
	if w.High > 0 {
		c.Count = w.Low + pick(w.High-w.Low+1)
	}
	draw := func(from []game.Point) (game.Point, bool) {
		if len(from) == 0 {
			return game.NoPoint, false
		}
		return from[pick(len(from))], true
	}
	switch {
	case w.Keep:
		if q, ok := draw(o.offers); ok {
			c.Points = append(c.Points, q)
		}
	case w.Offer != 0:
		from := Distinct(o.game)
		for range min(o.Offered(w), len(from)) {
			i := pick(len(from))
			c.Points = append(c.Points, from[i])
			from = slices.Delete(from, i, i+1)
		}
	}
	size := o.Record().Variant.Size
	put := 0
	defer func() { o.back(put) }()
	for _, z := range w.Put {
		var from []game.Point
		for _, q := range fromCentre(size) {
			if z.Has(q, size) && o.game.Legal(q) == nil {
				from = append(from, q)
			}
		}
		q, ok := draw(from)
		if !ok || o.game.Play(q) != nil {
			break
		}
		put++
		c.Points = append(c.Points, q)
	}
	return c
}
