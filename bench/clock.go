package bench

import (
	"context"
	"fmt"
	"time"

	"tengen/engine/game"
)

// turnClocks is how many of the suite's clocks the turn of a piskvork manager takes: less
// than some 60 ms is answered without a search.
const turnClocks = 5

// deadlines measures how late searches on a short clock end: those of the engine against
// their limit, and those behind the piskvork server against the turn that it was told,
// which should end before it. Times too early are negative.
func deadlines(ctx context.Context, s *Settings, r *Report) error {
	var all []float64
	for _, g := range s.Games {
		s.step("deadline " + g.String())
		ps, err := Positions(g)
		if err != nil {
			return err
		}
		over, err := s.engineDeadline(ctx, ps)
		if err != nil {
			return fmt.Errorf("%v: %w", g, err)
		}
		all = append(all, over...)
		r.addTimes("deadline", g.String(), over)
	}
	if len(s.Games) > 1 {
		r.addTimes("deadline", "all", all)
	}
	s.step("deadline: piskvork")
	turn := turnClocks * s.Clock
	over, err := s.turnDeadline(ctx, turn)
	if err != nil {
		return err
	}
	row := fmt.Sprintf("piskvork, turn %v", turn)
	r.addTimes("deadline", row, over)
	late := 0
	for _, t := range over {
		if t > 0 {
			late++
		}
	}
	r.add("deadline", row, "late", "", Less, float64(late))
	r.note("deadline: beyond a limit of %v of the engine; of piskvork, beyond the turn. Negative is early.", s.Clock)
	return nil
}

// engineDeadline returns by how many milliseconds moves came too late.
func (s *Settings) engineDeadline(ctx context.Context, ps []Position) (over []float64, err error) {
	e, err := s.engine(ps[0].Record.Variant, s.Threads)
	if err != nil {
		return nil, err
	}
	for i := range s.Moves + 1 {
		start := time.Now()
		_, err := e.Think(ctx, ps[i%len(ps)].Record, game.Limits{Start: start, Soft: s.Clock, Hard: s.Clock}, nil)
		took := time.Since(start)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if i > 0 { // the first makes the tables
			over = append(over, ms(took-s.Clock))
		}
	}
	return over, nil
}

// turnDeadline is the same for moves asked of the piskvork server by BOARD.
func (s *Settings) turnDeadline(ctx context.Context, turn time.Duration) (over []float64, err error) {
	ps, err := Positions(game.Freestyle)
	if err != nil {
		return nil, err
	}
	j := newJudge(ctx, s, s.make).(judge)
	defer j.close()
	for i := 0; len(over) < s.Moves; i++ {
		rec := ps[i%len(ps)].Record
		if a, _, err := j.ask(fmt.Sprintf("START %d", rec.Variant.Size)); err != nil || a != "OK" {
			return nil, fmt.Errorf("START is answered by %q, %v", a, err)
		}
		lines := []string{"BOARD"}
		for _, m := range rec.Moves {
			who := 2
			if m.Color == rec.ToMove() {
				who = 1
			}
			lines = append(lines, fmt.Sprintf("%d,%d,%d", m.Point.X(), m.Point.Y(), who))
		}
		if err := j.say(append([]string{"INFO rule 0", fmt.Sprintf("INFO timeout_turn %d", turn.Milliseconds())}, lines...)...); err != nil {
			return nil, err
		}
		_, took, err := j.move("DONE")
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if i > 0 {
			over = append(over, ms(took-turn))
		}
	}
	return over, nil
}
