package line

import (
	"errors"
	"fmt"
	"sync"

	"tengen/engine/game"
)

// Referee judges one line game in progress. It implements game.Game.
type Referee struct {
	p       *Position
	rec     game.Record
	over    game.Result
	decided int // how many moves had been played when the result came about
}

// tables keeps the rule tables of referees, which need no values: computed once for each
// rule a process meets, shared by all.
var tables struct {
	sync.Mutex
	of map[Rules]*Table
}

func bareTable(r Rules) *Table {
	tables.Lock()
	defer tables.Unlock()
	t := tables.of[r]
	if t == nil {
		t = NewTable(r, nil)
		if tables.of == nil {
			tables.of = map[Rules]*Table{}
		}
		tables.of[r] = t
	}
	return t
}

// NewReferee returns the referee of a new game.
func NewReferee(v game.Variant) (*Referee, error) {
	r, err := RulesOf(v)
	if err != nil {
		return nil, err
	}
	return &Referee{p: NewPosition(bareTable(r), v.Size), rec: game.Record{Variant: v}}, nil
}

// Replay returns the referee of a game at the end of a record, or the error of the first
// stone or move in it that is none. A set-up wins for nobody, but may leave no move.
// Moves played after the game was decided are put on the board all the same, since
// managers send such positions; the result then stays that of the first decision.
func Replay(rec *game.Record) (*Referee, error) {
	g, err := NewReferee(rec.Variant)
	if err != nil {
		return nil, err
	}
	if err := g.load(rec); err != nil {
		return nil, err
	}
	return g, nil
}

// Replay makes g the referee of a game of the same variant at the end of a record, which
// spares the making of another. After an error g is good for another Replay only.
func (g *Referee) Replay(rec *game.Record) error {
	if rec.Variant != g.rec.Variant {
		return fmt.Errorf("a referee of %v for a game of %v", g.rec.Variant, rec.Variant)
	}
	g.p.Reset()
	*g = Referee{p: g.p, rec: game.Record{Variant: rec.Variant}}
	return g.load(rec)
}

// load plays a record on an empty board.
func (g *Referee) load(rec *game.Record) error {
	if err := Place(g.p, rec.Setup); err != nil {
		return err
	}
	g.rec.Setup = rec.Clone().Setup
	g.settle()
	for _, m := range rec.Moves {
		if m.Color > game.White {
			return fmt.Errorf("a move of neither side at %s", m.Point.Name(rec.Variant.Size))
		}
		if m.Point != game.Pass {
			if err := g.occupied(m.Point); err != nil {
				return err
			}
		}
		g.put(m)
	}
	return nil
}

// Place puts a set-up on an empty board.
func Place(p *Position, s game.Setup) error {
	for c, qs := range [][]game.Point{game.Black: s.Black, game.White: s.White, game.Wall: s.Walls} {
		for _, q := range qs {
			if !q.On(p.Size()) {
				return &game.Illegal{Point: q, Rule: "off the board"}
			}
			if p.At(q) != game.Empty {
				return &game.Illegal{Point: q, Rule: "occupied"}
			}
			p.Set(q, game.Color(c))
		}
	}
	if s.ToMove > game.White {
		return errors.New("no side to move")
	}
	for c, n := range s.Captured {
		switch {
		case n < 0 || n > game.NumPoints:
			return fmt.Errorf("%d captured stones", n)
		case n > 0 && p.Rules().Capture == 0:
			return fmt.Errorf("captured stones in %s", p.Rules().Name)
		}
		p.SetCaptured(game.Color(c), n)
	}
	p.SetSide(s.ToMove)
	return nil
}

func (g *Referee) Record() *game.Record       { return &g.rec }
func (g *Referee) ToMove() game.Color         { return g.p.Side() }
func (g *Referee) At(q game.Point) game.Color { return g.p.At(q) }
func (g *Referee) Captured(by game.Color) int { return g.p.Captured(by) }
func (g *Referee) Result() game.Result        { return g.over }
func (g *Referee) Position() *Position        { return g.p }

func (g *Referee) occupied(q game.Point) error {
	switch {
	case !q.On(g.p.Size()):
		return &game.Illegal{Point: q, Rule: "off the board"}
	case g.p.At(q) != game.Empty:
		return &game.Illegal{Point: q, Rule: "occupied"}
	}
	return nil
}

// SetToMove gives the turn to a side, for managers in whose games one may move twice.
func (g *Referee) SetToMove(c game.Color) error {
	if c > game.White {
		return errors.New("no side to move")
	}
	g.p.SetSide(c)
	return nil
}

// Legal returns nil if the side to move may play on q.
func (g *Referee) Legal(q game.Point) error {
	if g.over.Outcome != game.Open {
		return &game.Illegal{Point: q, Rule: "the game is over"}
	}
	if q == game.Pass {
		return &game.Illegal{Point: q, Rule: "no passing"}
	}
	if err := g.occupied(q); err != nil {
		return err
	}
	if why := g.p.Forbidden(g.p.Side(), q); why != Allowed {
		return &game.Illegal{Point: q, Rule: why.String()}
	}
	if why := g.p.Opening(q); why != Allowed {
		return &game.Illegal{Point: q, Rule: why.String()}
	}
	return nil
}

// Play plays q for the side to move.
func (g *Referee) Play(q game.Point) error {
	if err := g.Legal(q); err != nil {
		return err
	}
	g.put(game.Move{Color: g.p.Side(), Point: q})
	return nil
}

// put plays, or passes, without asking whether it is legal. A forbidden point loses; what
// only the opening restricts does not.
func (g *Referee) put(m game.Move) {
	foul := g.p.Forbidden(m.Color, m.Point)
	five := m.Point != game.Pass && g.p.Class(m.Color, m.Point) == Five
	before := g.p.Captured(m.Color)
	g.rec.Moves = append(g.rec.Moves, m)
	g.p.SetSide(m.Color)
	g.p.Make(m.Point)
	switch {
	case foul != Allowed:
		g.decide(game.WinFor(m.Color.Other()), foul.String())
	case g.p.Won():
		g.decide(game.WinFor(m.Color), how(five, g.p.Captured(m.Color) > before && g.p.Captured(m.Color) >= g.p.Rules().CaptureWins))
	default:
		g.settle()
	}
}

// how names what wins.
func how(five, captures bool) string {
	switch {
	case five && captures:
		return "five and captures"
	case captures:
		return "captures"
	}
	return "five"
}

// settle calls a draw if the side to move has no move.
func (g *Referee) settle() {
	switch {
	case g.p.Empty() == 0:
		g.decide(game.Draw, "board full")
	case !g.canMove():
		g.decide(game.Draw, "only forbidden points")
	}
}

// decide ends the game, unless it has ended before.
func (g *Referee) decide(o game.Outcome, reason string) {
	if g.over.Outcome == game.Open {
		g.over = game.Result{Outcome: o, Reason: reason,
			Captured: [2]int{g.p.Captured(game.Black), g.p.Captured(game.White)}}
		g.decided = len(g.rec.Moves)
	}
}

// canMove reports whether the side to move has a point that is not forbidden; there is
// an empty one.
func (g *Referee) canMove() bool {
	c := g.p.Side()
	if !g.p.Rules().Restricted(c) {
		return true
	}
	for y := range g.p.Size() {
		for x := range g.p.Size() {
			if q := game.At(x, y); g.p.At(q) == game.Empty && g.p.Playable(c, q) {
				return true
			}
		}
	}
	return false
}

// Undo takes the last move back: the game is then as if it had never been played.
func (g *Referee) Undo() error {
	n := len(g.rec.Moves) - 1
	if n < 0 {
		return errors.New("no move to take back")
	}
	g.p.SetSide(g.rec.Moves[n].Color.Other())
	g.p.Unmake()
	g.rec.Moves = g.rec.Moves[:n]
	g.p.SetSide(g.rec.ToMove())
	if n < g.decided {
		g.over, g.decided = game.Result{}, 0
	}
	return nil
}
