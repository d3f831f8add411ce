package tournament

import (
	"fmt"
	"math/rand/v2"
	"os"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol/record"
)

// load returns the openings of a match in the order in which they are used; one empty
// board when no file is named.
func (c *Config) load() ([]*game.Record, error) {
	v := c.Variant()
	if c.Openings.File == "" {
		return []*game.Record{{Variant: v}}, nil
	}
	data, err := os.ReadFile(c.Openings.File)
	if err != nil {
		return nil, err
	}
	all, err := readOpenings(c.Openings, data, v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Openings.File, err)
	}
	if c.Openings.Order == "random" {
		rng := rand.New(rand.NewPCG(c.Openings.Seed, 0))
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	return all, nil
}

func readOpenings(o Openings, data []byte, v game.Variant) (all []*game.Record, err error) {
	// Openings take the game of the match whatever game their file names: a Go program's
	// SGF of a line game says GM[1].
	opts := record.Options{Variant: &v, RowsFromTop: true}
	f := record.Offset
	if o.Type != "" {
		f, err = record.ParseFormat(o.Type)
	} else {
		f, err = record.Detect(o.File, data)
	}
	if err != nil {
		return nil, err
	}
	trees, err := record.Read(f, data, opts)
	if err != nil {
		return nil, err
	}
	for _, t := range trees {
		for line := range t.Lines() {
			rec, err := t.Record(line)
			if err != nil {
				return nil, fmt.Errorf("opening %d: %w", len(all)+1, err)
			}
			if rec.Variant.Size != v.Size {
				return nil, fmt.Errorf("opening %d is on %dx%d, the match on %dx%d", len(all)+1,
					rec.Variant.Size, rec.Variant.Size, v.Size, v.Size)
			}
			rec.Variant = v
			if err := playable(rec); err != nil {
				return nil, fmt.Errorf("opening %d: %w", len(all)+1, err)
			}
			all = append(all, rec)
		}
	}
	return all, nil
}

// playable refuses an opening that breaks the rules or ends the game.
func playable(rec *game.Record) error {
	g, err := engine.Replay(&game.Record{Variant: rec.Variant, Setup: rec.Setup})
	if err != nil {
		return err
	}
	for i, m := range rec.Moves {
		if m.Color != g.ToMove() {
			if err := g.SetToMove(m.Color); err != nil {
				return err
			}
		}
		if err := g.Play(m.Point); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	if r := g.Result(); r.Outcome != game.Open {
		return fmt.Errorf("the game is over: %v", r.Outcome)
	}
	return nil
}

// symmetries is how many ways there are to lay a square board.
const symmetries = 8

// turned returns an opening under one of the eight symmetries. What an opening rule
// forbids (pente's) is forbidden in all of them alike.
func turned(rec *game.Record, sym int) *game.Record {
	if sym == 0 {
		return rec
	}
	turn := func(q game.Point) game.Point { return q.Turned(rec.Variant.Size, sym) }
	r := rec.Clone()
	for _, qs := range [][]game.Point{r.Setup.Black, r.Setup.White, r.Setup.Walls} {
		for i := range qs {
			qs[i] = turn(qs[i])
		}
	}
	for i := range r.Moves {
		r.Moves[i].Point = turn(r.Moves[i].Point)
	}
	return r
}
