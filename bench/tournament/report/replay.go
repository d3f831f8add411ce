package report

import (
	"strconv"
	"strings"

	"tengen/bench/tournament"
	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol/record"
)

// replay is a game as the page shows it. Points are in small letters, blanks between.
// Lists by ply begin with the first move that a player made.
type replay struct {
	ID      int     `json:"id"` // from 1
	Round   int     `json:"round"`
	Pair    int     `json:"pair"`
	Opening int     `json:"opening,omitempty"`
	Turned  int     `json:"turned,omitempty"` // how the opening lies
	Black   int     `json:"black"`
	White   int     `json:"white"`
	Result  string  `json:"result"`
	End     string  `json:"end"`
	Detail  string  `json:"detail,omitempty"`
	Stderr  string  `json:"stderr,omitempty"`
	Plies   int     `json:"plies"`
	Seconds float64 `json:"seconds"`
	Late    *[2]int `json:"late,omitempty"`

	// What follows is left out of games beyond the limit.
	Moves  *string        `json:"moves,omitempty"`
	Given  int            `json:"given,omitempty"`
	First  int            `json:"first,omitempty"` // 1 where White begins
	Setup  *[2]string     `json:"setup,omitempty"` // placed stones
	Taken  map[int]string `json:"taken,omitempty"` // by the number of moves: what the last of them took off
	Millis []int64        `json:"millis,omitempty"`
	Values told           `json:"values,omitempty"`
	Depths []int          `json:"depths,omitempty"`
	Nodes  []int64        `json:"nodes,omitempty"`
	Broken string         `json:"broken,omitempty"` // why the moves could not be played again
}

// told are values; null stands where a player said nothing.
type told []int

func (t told) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range t {
		if i > 0 {
			b = append(b, ',')
		}
		if v == tournament.NoValue {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendInt(b, int64(v), 10)
		}
	}
	return append(b, ']'), nil
}

// outline returns what stands in the list of games.
func outline(g *tournament.Game) replay {
	r := replay{
		ID: g.ID + 1, Round: g.Round + 1, Pair: g.Pair + 1, Opening: g.Slot.Opening + 1, Turned: g.Symmetry,
		Black: g.Black, White: g.White, Result: g.Outcome, End: string(g.End), Detail: g.Detail, Stderr: g.Stderr,
		Plies: len(strings.Fields(g.Moves)), Seconds: float64(int(g.Took*10+0.5)) / 10,
	}
	if g.Late != [2]int{} {
		r.Late = &g.Late
	}
	return r
}

// fill adds the moves. The referee plays them again, so that the page need not know the
// rules: it is told which stones each move takes off.
func (r *replay) fill(g *tournament.Game, v game.Variant) {
	moves := strings.ToLower(g.Moves)
	r.Moves, r.Given = &moves, g.Given
	r.Millis, r.Values, r.Depths, r.Nodes = g.Millis, g.Values, g.Depths, g.Nodes
	rec, err := g.Record(v)
	if err == nil {
		err = r.take(rec)
	}
	if err != nil {
		r.Broken = err.Error()
	}
}

// take finds out which stones leave the board with which move.
func (r *replay) take(rec *game.Record) error {
	name := func(q game.Point) string { return strings.ToLower(record.Name(q, rec.Variant)) }
	r.First = int(rec.Setup.ToMove)
	if len(rec.Setup.Black)+len(rec.Setup.White) > 0 {
		r.Setup = &[2]string{}
		for side, qs := range [][]game.Point{rec.Setup.Black, rec.Setup.White} {
			var names []string
			for _, q := range qs {
				names = append(names, name(q))
			}
			r.Setup[side] = strings.Join(names, " ")
		}
	}
	ref, err := engine.Replay(&game.Record{Variant: rec.Variant, Setup: rec.Setup})
	if err != nil {
		return err
	}
	taken := func() int { return ref.Captured(game.Black) + ref.Captured(game.White) }
	size := rec.Variant.Size
	for i, m := range rec.Moves {
		before := taken()
		var stones []game.Point // on the board before, where that matters
		if captures(rec.Variant.Rule) {
			for y := range size {
				for x := range size {
					if q := game.At(x, y); ref.At(q) <= game.White {
						stones = append(stones, q)
					}
				}
			}
		}
		if err := ref.Play(m.Point); err != nil {
			return err
		}
		if taken() == before {
			continue
		}
		var off []string
		for _, q := range append(stones, m.Point) { // where suicide is allowed, its own stone too
			if q != game.Pass && ref.At(q) == game.Empty {
				off = append(off, name(q))
			}
		}
		if r.Taken == nil {
			r.Taken = map[int]string{}
		}
		r.Taken[i+1] = strings.Join(off, " ")
	}
	return nil
}

// captures reports whether stones are taken off in a game.
func captures(r game.Rule) bool { return r == game.Pente || r == game.Keryo || r == game.Weiqi }
