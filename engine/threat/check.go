package threat

import (
	"errors"
	"fmt"
	"sync/atomic"

	"tengen/engine/game"
	"tengen/engine/line"
)

// Check plays a proof out for the side to move in g: every step of it, and against each of
// its moves every legal reply on every empty point, by the referee and by counting the
// stones of each row. A reply that is not listed must lose to a five at once, or to fours
// that v finds within maxNodes nodes a search; if thorough, these too are played out
// against every reply (Verify). It returns nil, or an error with the line that is no win.
// g is the same afterwards.
//
// Check knows nothing of defences and shares only the rules, and the search for fours,
// with the search whose proofs it checks.
func (f *Proof) Check(g *line.Referee, v *VCF, maxNodes int64, thorough bool) error {
	c := checker{g: g, p: g.Position(), fours: v, limit: maxNodes, thorough: thorough}
	if gap := c.check(f); gap != nil {
		return gap
	}
	return nil
}

// gap is where a proof is none.
type gap struct {
	key   uint64     // of the position in which reply is missed
	reply game.Point // NoPoint if that is not what is wrong
	err   error
}

func (g *gap) Error() string { return g.err.Error() }

// errLimit is the error of a check that did not come to its end.
var errLimit = errors.New("threat: the check was broken off")

// checker is one run over a proof.
type checker struct {
	g        *line.Referee
	p        *line.Position
	fours    *VCF
	limit    int64 // nodes of one search for fours
	thorough bool
	left     *int64       // nodes of all, if not nil
	stop     *atomic.Bool // may be nil
	proof    *Proof
	a, d     game.Color
	done     map[place]bool
}

// place is a step and the board it was played on, written out.
type place struct {
	step  int
	board string
}

func (c *checker) check(f *Proof) *gap {
	if len(f.steps) == 0 {
		return &gap{reply: game.NoPoint, err: errors.New("threat: an empty proof")}
	}
	if c.g.Result().Outcome != game.Open || Decided(c.p) {
		return c.wrong(game.NoPoint, "the game is over")
	}
	c.proof, c.a, c.d, c.done = f, c.g.ToMove(), c.g.ToMove().Other(), map[place]bool{}
	return c.step(0)
}

func (c *checker) wrong(reply game.Point, why string) *gap {
	return &gap{key: c.p.Key(), reply: game.NoPoint, err: unsound(c.g, reply, why)}
}

// step checks a step in the position at hand, the attacker being to move.
func (c *checker) step(i int) *gap {
	here := place{i, c.board()}
	if c.done[here] {
		return nil
	}
	s := &c.proof.steps[i]
	if err := c.g.Legal(s.move); err != nil {
		return c.wrong(s.move, err.Error())
	}
	wins := winsAtOnce(c.p, c.a, s.move)
	if err := c.g.Play(s.move); err != nil {
		return c.wrong(s.move, err.Error())
	}
	defer c.g.Undo()
	switch over := c.g.Result(); {
	case (over.Outcome == game.WinFor(c.a)) != wins:
		return c.wrong(game.NoPoint, "rows and referee differ about a win")
	case wins && len(s.replies) > 0:
		return c.wrong(s.replies[0].point, "a reply to a won game")
	case wins:
		return nil
	case over.Outcome != game.Open:
		return c.wrong(game.NoPoint, over.Outcome.String())
	}
	for _, r := range s.replies {
		if err := c.g.Legal(r.point); err != nil {
			return c.wrong(r.point, err.Error())
		}
	}
	var fives []game.Point // a reply may take some away, those it adds the search finds
	for q := range points(c.g) {
		if winsAtOnce(c.p, c.a, q) {
			fives = append(fives, q)
		}
	}
	var rest []game.Point // replies that are not listed
	for q := range points(c.g) {
		switch {
		case c.g.Legal(q) != nil:
		case winsAtOnce(c.p, c.d, q):
			return c.wrong(q, "the defender wins")
		case !s.lists(q):
			rest = append(rest, q)
		}
	}
	for _, q := range c.open(rest, fives) {
		if gap := c.reply(q, fives); gap != nil {
			return gap
		}
	}
	for _, r := range s.replies {
		if err := c.g.Play(r.point); err != nil {
			return c.wrong(r.point, err.Error())
		}
		gap := c.wrong(game.NoPoint, "the game is over")
		if c.g.Result().Outcome == game.Open {
			gap = c.step(r.step)
		}
		c.g.Undo()
		if gap != nil {
			return gap
		}
	}
	c.done[here] = true
	return nil
}

// open returns those of some replies that need a look at the position after them. Where
// a stone takes no other away, any five but one on the reply's own point wins; and a win by
// fours against no reply at all is looked for once, and then against each reply in turn.
func (c *checker) open(replies, fives []game.Point) []game.Point {
	r := c.p.Rules()
	if c.thorough || r.Capture != 0 || r.BothEnds {
		return replies
	}
	left := replies[:0]
	if len(fives) > 0 {
		for _, q := range replies {
			if len(fives) == 1 && fives[0] == q {
				left = append(left, q)
			}
		}
		return left
	}
	c.p.Make(game.Pass)
	defer c.p.Unmake()
	if c.solve().Status != Win {
		return replies
	}
	for _, q := range replies {
		if c.count(c.fours.Stands(c.p, q, c.most(), c.stop)).Status != Win {
			left = append(left, q)
		}
	}
	return left
}

// reply checks the position after the defender's reply q, which is not listed.
func (c *checker) reply(q game.Point, fives []game.Point) *gap {
	before := c.p.Key()
	if err := c.g.Play(q); err != nil {
		return c.wrong(q, err.Error())
	}
	defer c.g.Undo()
	if over := c.g.Result(); over.Outcome != game.Open {
		return c.wrong(game.NoPoint, over.Outcome.String())
	}
	for _, five := range fives {
		if c.g.At(five) == game.Empty && winsAtOnce(c.p, c.a, five) && c.g.Legal(five) == nil {
			return nil
		}
	}
	r := c.solve()
	if c.left != nil && (*c.left <= 0 || c.stop != nil && c.stop.Load()) {
		return &gap{reply: game.NoPoint, err: errLimit}
	}
	if r.Status != Win {
		return &gap{before, q, unsound(c.g, game.NoPoint, "no win by fours: "+r.Status.String())}
	}
	if c.thorough {
		if err := Verify(c.g, r.Move, c.fours, c.limit); err != nil {
			return &gap{before, q, fmt.Errorf("%w, against a reply not listed", err)}
		}
	}
	return nil
}

// solve looks for a win by fours of the side to move.
func (c *checker) solve() Result { return c.count(c.fours.Solve(c.p, c.most(), c.stop)) }

// most returns how many nodes a search may take.
func (c *checker) most() int64 {
	if c.left == nil {
		return c.limit
	}
	return max(min(c.limit, *c.left), 0)
}

// count takes the nodes of a search from those that are left.
func (c *checker) count(r Result) Result {
	if c.left != nil {
		*c.left -= r.Nodes + 1
	}
	return r
}

// board writes the stones down, and what was captured.
func (c *checker) board() string {
	b := make([]byte, 0, line.MaxSize*line.MaxSize+4)
	for y := range c.p.Size() {
		for x := range c.p.Size() {
			b = append(b, byte(c.p.At(game.At(x, y))))
		}
	}
	for side := range game.Empty {
		n := c.p.Captured(side)
		b = append(b, byte(n), byte(n>>8))
	}
	return string(b)
}
