package weiqi

import (
	"errors"

	"tengen/engine/game"
)

// Referee judges a game of Go in progress. It implements game.Game.
//
// Two passes in a row end the game, but a stone played after them takes it up again:
// that is what players do who do not agree which stones are dead. So a Referee accepts
// moves whenever they are legal, and Result is what it would be if the game ended here.
type Referee struct {
	// Dead finds the dead stones when nobody says which are. It is called once for a
	// position; nil means Position.EstimateDead.
	Dead func(*Position) Set

	p    *Position
	rec  game.Record
	dead *Set        // as agreed, nil if nobody said
	seem *Set        // what Dead has found
	last game.Result // of the final position, once asked for
}

// NewReferee returns the referee of a new game.
func NewReferee(v game.Variant) (*Referee, error) {
	r, err := RulesOf(v)
	if err != nil {
		return nil, err
	}
	return &Referee{p: NewPosition(r, v.Size), rec: game.Record{Variant: v}}, nil
}

// Replay returns the referee of a game at the end of a record, or the error of the first
// stone or move in it that is none.
func Replay(rec *game.Record) (*Referee, error) {
	g, err := NewReferee(rec.Variant)
	if err != nil {
		return nil, err
	}
	if err := Place(g.p, rec.Setup); err != nil {
		return nil, err
	}
	g.rec.Setup = rec.Clone().Setup
	for _, m := range rec.Moves {
		if err := g.SetToMove(m.Color); err != nil {
			return nil, err
		}
		if err := g.Play(m.Point); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// Place makes a set-up the beginning of a position's game. Every chain must have a
// liberty. Points that count as walls are not part of Go.
func Place(p *Position, s game.Setup) error {
	if s.ToMove > game.White {
		return errors.New("no side to move")
	}
	if len(s.Walls) > 0 {
		return errors.New("no walls in Go")
	}
	p.Reset()
	for c, qs := range [][]game.Point{game.Black: s.Black, game.White: s.White} {
		for _, q := range qs {
			if !p.on(q) {
				return &game.Illegal{Point: q, Rule: OffBoard.String()}
			}
			if p.At(q) != game.Empty {
				return &game.Illegal{Point: q, Rule: Occupied.String()}
			}
			// A stone that takes something, itself included, shows a chain without
			// liberties; in whatever order they are placed, the last one does.
			p.put(game.Color(c), cell(q))
			if p.last.takes > 0 {
				return &game.Illegal{Point: q, Rule: "no liberty"}
			}
		}
	}
	p.start(s.ToMove)
	return nil
}

func (g *Referee) Record() *game.Record       { return &g.rec }
func (g *Referee) ToMove() game.Color         { return g.p.side }
func (g *Referee) At(q game.Point) game.Color { return g.p.At(q) }
func (g *Referee) Captured(by game.Color) int { return g.p.Captured(by) }

// Position returns the position, which the caller must not change.
func (g *Referee) Position() *Position { return g.p }

// SetToMove gives the turn to a side, for games in which one moves twice.
func (g *Referee) SetToMove(c game.Color) error {
	if c > game.White {
		return errors.New("no side to move")
	}
	g.p.SetSide(c)
	return nil
}

// Legal returns nil if the side to move may play q by the letter of the rules; a pass is
// always legal. What an engine had better not play is asked of Position.Playable.
func (g *Referee) Legal(q game.Point) error {
	if why := g.p.Legal(q); why != Allowed {
		return &game.Illegal{Point: q, Rule: why.String()}
	}
	return nil
}

// Play plays q for the side to move.
func (g *Referee) Play(q game.Point) error {
	if err := g.Legal(q); err != nil {
		return err
	}
	g.rec.Moves = append(g.rec.Moves, game.Move{Color: g.p.side, Point: q})
	g.p.Make(q)
	g.dead, g.seem, g.last = nil, nil, game.Result{}
	return nil
}

// Undo takes the last move back.
func (g *Referee) Undo() error {
	n := len(g.rec.Moves) - 1
	if n < 0 {
		return errors.New("no move to take back")
	}
	g.rec.Moves = g.rec.Moves[:n]
	g.p.Unmake()
	g.dead, g.seem, g.last = nil, nil, game.Result{}
	return nil
}

// SetDead says which stones are dead, by agreement; whole chains are meant. It holds
// until the next move.
func (g *Referee) SetDead(dead Set) { g.dead, g.last = &dead, game.Result{} }

// deadPlayouts is how many playouts decide which stones are dead when nobody says so.
const deadPlayouts = 200

// Count counts the board as it is: without the stones agreed to be dead, or without those
// that seem to be if nobody has said. Rules that count the board as it stands (Tromp and
// Taylor's) know no dead stones.
func (g *Referee) Count() Count {
	var dead Set
	switch {
	case g.p.rules.AsIs:
	case g.dead != nil:
		dead = *g.dead
	default:
		if g.seem == nil {
			if g.Dead != nil {
				dead = g.Dead(g.p)
			} else {
				dead = g.p.EstimateDead(deadPlayouts)
			}
			g.seem = &dead
		}
		dead = *g.seem
	}
	return g.p.Count(&dead)
}

// Score returns the score of the board as it is.
func (g *Referee) Score() Score {
	n := g.Count()
	return g.p.Score(&n, g.rec.Variant.Komi, Handicap(&g.rec))
}

// Result returns who has won after two passes in a row, and by how much as its reason.
func (g *Referee) Result() game.Result {
	switch {
	case g.p.Cycle():
		return game.Result{Outcome: game.Draw, Reason: "no result"}
	case g.p.passes < 2:
		return game.Result{}
	}
	if g.last.Outcome == game.Open {
		s := g.Score()
		g.last = game.Result{Outcome: s.Outcome(), Reason: s.String()}
	}
	return g.last
}
