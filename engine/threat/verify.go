package threat

import (
	"fmt"

	"tengen/engine/game"
	"tengen/engine/line"
)

// Verify plays a claimed win out: first and then whatever v finds, against every legal
// defence on every empty point, by the referee and by counting the stones of each row.
// It returns nil if the side to move wins in every line within maxNodes nodes a search,
// else the line that does not. g is the same afterwards.
//
// It knows nothing of threats and shares only the rules with the search it checks.
func Verify(g *line.Referee, first game.Point, v *VCF, maxNodes int64) error {
	a := g.ToMove()
	if err := g.Legal(first); err != nil {
		return unsound(g, first, err.Error())
	}
	wins := winsAtOnce(g.Position(), a, first)
	if err := g.Play(first); err != nil {
		return unsound(g, first, err.Error())
	}
	defer g.Undo()
	switch over := g.Result(); {
	case over.Outcome == game.WinFor(a) != wins:
		return unsound(g, game.NoPoint, "rows and referee differ about a win")
	case wins:
		return nil
	case over.Outcome != game.Open:
		return unsound(g, game.NoPoint, over.Outcome.String())
	}
	var fives []game.Point // a defence may take some away; what it adds the search finds
	for q := range points(g) {
		if winsAtOnce(g.Position(), a, q) {
			fives = append(fives, q)
		}
	}
	for q := range points(g) {
		if g.Legal(q) != nil {
			continue
		}
		if winsAtOnce(g.Position(), a.Other(), q) {
			return unsound(g, q, "the defender wins")
		}
		if err := g.Play(q); err != nil {
			return unsound(g, q, err.Error())
		}
		err := refute(g, fives, v, maxNodes)
		g.Undo()
		if err != nil {
			return err
		}
	}
	return nil
}

// refute verifies the win after a defence.
func refute(g *line.Referee, fives []game.Point, v *VCF, maxNodes int64) error {
	if over := g.Result(); over.Outcome != game.Open {
		return unsound(g, game.NoPoint, over.Outcome.String())
	}
	for _, q := range fives {
		if g.At(q) == game.Empty && winsAtOnce(g.Position(), g.ToMove(), q) {
			return Verify(g, q, v, maxNodes)
		}
	}
	r := v.Solve(g.Position(), maxNodes, nil)
	if r.Status != Win {
		return unsound(g, game.NoPoint, "no win found: "+r.Status.String())
	}
	return Verify(g, r.Move, v, maxNodes)
}

// points yields the empty points of a game.
func points(g *line.Referee) func(func(game.Point) bool) {
	size := g.Position().Size()
	return func(yield func(game.Point) bool) {
		for y := range size {
			for x := range size {
				if q := game.At(x, y); g.At(q) == game.Empty && !yield(q) {
					return
				}
			}
		}
	}
}

// winsAtOnce reports whether a stone of c on the empty point q makes a row that wins or
// captures enough, by counting.
func winsAtOnce(p *line.Position, c game.Color, q game.Point) bool {
	if makesFive(p, c, q) {
		return true
	}
	taken := 0
	for d := range 4 {
		for _, s := range [2]int{line.Step(d), -line.Step(d)} {
			n := 0
			for at(p, int(q)+(n+1)*s) == c.Other() {
				n++
			}
			if n > 1 && n <= p.Rules().Capture && at(p, int(q)+(n+1)*s) == c {
				taken += n
			}
		}
	}
	return taken > 0 && p.Captured(c)+taken >= p.Rules().CaptureWins
}

// makesFive reports whether a stone of c on q makes a row that wins, by
// counting.
func makesFive(p *line.Position, c game.Color, q game.Point) bool {
	r := p.Rules()
	for d := range 4 {
		s, n := line.Step(d), 1
		lo, hi := int(q)-s, int(q)+s
		for ; at(p, lo) == c; lo -= s {
			n++
		}
		for ; at(p, hi) == c; hi += s {
			n++
		}
		closed := at(p, lo) == c.Other() && at(p, hi) == c.Other()
		if n == 5 && !(r.BothEnds && closed) || n > 5 && r.Six[c] == line.SixWins {
			return true
		}
	}
	return false
}

// Decided reports whether a row that wins is on the board already, as it may be on one that
// was set up.
func Decided(p *line.Position) bool {
	for y := range p.Size() {
		for x := range p.Size() {
			if q := game.At(x, y); p.At(q) <= game.White && makesFive(p, p.At(q), q) {
				return true
			}
		}
	}
	return false
}

func at(p *line.Position, q int) game.Color { return p.At(game.Point(q & (game.NumPoints - 1))) }

func unsound(g *line.Referee, q game.Point, why string) error {
	size := g.Position().Size()
	s := ""
	for _, m := range g.Record().Moves {
		s += m.Point.Name(size) + " "
	}
	if q != game.NoPoint {
		s += q.Name(size) + " "
	}
	return fmt.Errorf("threat: not a win: %s(%s)", s, why)
}
