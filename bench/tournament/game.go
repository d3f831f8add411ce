package tournament

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings/rule"
	"tengen/protocol"
	"tengen/protocol/process"
)

// seat is a player at a board.
type seat struct {
	engine    int // number
	name      string
	player    protocol.Player
	limits    game.Limits // of a move, but for the clock
	clock     clock
	tolerance time.Duration
	memory    int64 // most it may have, 0 for any

	left time.Duration // on the clock, when there is one
	used time.Duration // processor time before the game

	weighed time.Time // when its memory was last looked at
}

// child is a player that is a process.
type child interface{ Process() *process.Process }

func (s *seat) process() *process.Process {
	if c, ok := s.player.(child); ok {
		return c.Process()
	}
	return nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// lim returns the limits of the next move. A clock that has run out within the tolerance
// still shows a millisecond: less would say that there is no clock.
func (s *seat) lim() game.Limits {
	l := s.limits
	l.Hard = seconds(s.clock.turn)
	if s.clock.match > 0 {
		l.Left = max(s.left, time.Millisecond)
	}
	return l
}

// table is a game in progress.
type table struct {
	m     *match
	slot  Slot
	seats [2]*seat // by colour
	ref   game.Game
	given int
	g     Game
	calm  [2]int // moves in a row in which a player thought the game even
	lost  [2]int // ... lost
	won   [2]int // ... won
}

// play plays the game of a slot. The error is ctx's: then there was no game.
func (m *match) play(ctx context.Context, slot Slot, first, second *seat) (Game, error) {
	t := &table{m: m, slot: slot, seats: [2]*seat{first, second}}
	t.g = Game{Slot: slot, Black: first.engine, White: second.engine, Began: time.Now()}
	if err := t.begin(ctx); err != nil {
		return Game{}, err
	}
	for t.g.End == "" {
		if r := t.ref.Result(); r.Outcome != game.Open {
			t.over(r)
		} else if !t.adjudicate() {
			t.move(ctx)
		}
		if ctx.Err() != nil && t.g.End == "" {
			return Game{}, ctx.Err()
		}
	}
	t.account()
	return t.g, nil
}

// begin starts the players and puts the opening on the board.
func (t *table) begin(ctx context.Context) error {
	v := t.m.conf.Variant()
	for _, s := range t.seats {
		s.left = seconds(s.clock.match)
		s.used = 0
		lim := s.limits
		lim.Hard, lim.Left = seconds(s.clock.turn), s.left
		if err := s.player.Start(ctx, v, lim); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			t.fault(s, err)
			break
		}
		if p := s.process(); p != nil {
			s.used, _ = p.CPUTime()
			s.weighed = time.Time{}
		}
		t.suspend(s)
	}
	var err error
	switch {
	case t.g.End != "":
		t.ref, err = engine.Referee(v)
	case t.m.conf.OpeningRule != "":
		var r *rule.Rule
		if r, err = rule.Find(t.m.conf.OpeningRule); err != nil {
			break
		}
		if t.ref, err = engine.Referee(v); err == nil {
			err = t.opening(ctx, r)
		}
	default:
		t.ref, err = engine.Replay(turned(t.m.openings[t.slot.Opening], t.slot.Symmetry))
		if err == nil {
			t.given = len(t.ref.Record().Moves)
		}
	}
	return err
}

// opening lets the players agree on an opening and on who is Black.
func (t *table) opening(ctx context.Context, r *rule.Rule) error {
	o, err := rule.New(r, t.m.conf.Variant())
	if err != nil {
		return err
	}
	players := [2]*seat{rule.First: t.seats[0], rule.Second: t.seats[1]}
	for !o.Done() {
		s := players[o.Turn()]
		lim := s.lim()
		t.wake(s)
		c, took, err := t.choose(ctx, s, o, lim)
		t.suspend(s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			t.fault(s, err)
			return nil
		}
		if !t.spend(s, lim, took) {
			return nil
		}
		if err := o.Do(c); err != nil {
			t.lose(s, Illegal, fmt.Sprintf("in %s: %v", r.Name, err))
			return nil
		}
		if t.ref, err = engine.Replay(o.Record()); err != nil {
			return err
		}
		t.given, t.g.Choices = len(o.Record().Moves), o.Text()
		if black := players[o.Black()]; t.seats[game.Black] != black {
			t.seats = [2]*seat{black, players[o.Black().Other()]}
			t.g.Black, t.g.White = t.seats[0].engine, t.seats[1].engine
			t.g.Late[0], t.g.Late[1] = t.g.Late[1], t.g.Late[0]
		}
	}
	return nil
}

// choose asks a player for its choice in an opening: in the words of the rules, if it knows
// them, or for the stones of Swap2.
func (t *table) choose(ctx context.Context, s *seat, o *rule.Opening, lim game.Limits) (rule.Choice, time.Duration, error) {
	if p, ok := s.player.(protocol.Opener); ok {
		return p.Open(ctx, o, lim, t.m.conf.Openings.Seed<<32+uint64(t.slot.ID))
	}
	p, ok := s.player.(protocol.Swapper)
	if !ok || !bySwap2(o.Rule().Name) {
		return rule.Choice{}, 0, fmt.Errorf("does not know the opening rule %s", o.Rule().Name)
	}
	var stones []game.Point
	for _, m := range o.Record().Moves {
		stones = append(stones, m.Point)
	}
	r, took, err := p.Swap2(ctx, stones, lim)
	return rule.Choice{Swap: r.Swap, Points: r.Points}, took, err
}

// wake and suspend keep a player from thinking on the other's time.
func (t *table) wake(s *seat) {
	if p := s.process(); p != nil && t.m.conf.Suspend {
		p.Resume()
	}
}

func (t *table) suspend(s *seat) {
	if p := s.process(); p != nil && t.m.conf.Suspend {
		p.Suspend()
	}
}

// move lets the side to move play.
func (t *table) move(ctx context.Context) {
	c := t.ref.ToMove()
	s := t.seats[c]
	lim := s.lim()
	t.wake(s)
	choice, err := s.player.Move(ctx, t.ref.Record(), lim)
	t.suspend(s)
	if err != nil {
		if ctx.Err() == nil {
			t.fault(s, err)
		}
		return
	}
	t.note(c, choice)
	switch {
	case !t.spend(s, lim, choice.Took):
	case choice.Resign:
		t.lose(s, Resigned, "")
	default:
		if err := t.ref.Play(choice.Point); err != nil {
			t.refuse(s, choice.Point, err)
			return
		}
		t.weigh(s)
	}
}

// refuse ends the game of a player who made a move that is none.
func (t *table) refuse(s *seat, q game.Point, err error) {
	end := Illegal
	var ill *game.Illegal
	if errors.As(err, &ill) {
		switch ill.Rule {
		case "double three", "double four", "overline":
			end = Forbidden
		}
	}
	t.lose(s, end, fmt.Sprintf("%s: %s", q.Name(t.m.conf.BoardSize), strings.TrimPrefix(err.Error(), "illegal move: ")))
}

// note writes down what a player said of its move, and counts what it thinks of the game.
func (t *table) note(c game.Color, choice game.Choice) {
	i := choice.Info
	said := i.Depth > 0 || i.Nodes > 0 || len(i.PV) > 0
	own, value := i.Time.Milliseconds(), i.Value
	if !said {
		own, value = -1, NoValue
	}
	t.g.Millis = append(t.g.Millis, choice.Took.Milliseconds())
	t.g.Own = append(t.g.Own, own)
	t.g.Values = append(t.g.Values, value)
	t.g.Depths = append(t.g.Depths, i.Depth)
	t.g.Nodes = append(t.g.Nodes, i.Nodes)

	count := func(n *int, yes bool) {
		if *n++; !yes || !said {
			*n = 0
		}
	}
	d, r := t.m.conf.Draw, t.m.conf.Resign
	count(&t.calm[c], value >= -d.Score && value <= d.Score)
	count(&t.lost[c], value <= -r.Score)
	count(&t.won[c], value >= r.Score)
}

// spend takes a move's time from the clock and reports whether it was in time. A move
// beyond the limit but within the tolerance is forgiven, and counted.
func (t *table) spend(s *seat, lim game.Limits, took time.Duration) bool {
	limit := lim.Hard
	if lim.Left > 0 && (limit == 0 || lim.Left < limit) {
		limit = lim.Left
	}
	if limit > 0 && took > limit {
		if took > limit+s.tolerance {
			t.lose(s, Timeout, fmt.Sprintf("%d ms of %d", took.Milliseconds(), limit.Milliseconds()))
			return false
		}
		t.g.Late[t.color(s)]++
	}
	if s.clock.match > 0 {
		s.left += seconds(s.clock.increment) - took
	}
	return true
}

// weigh looks at how much memory a player has after its move. The system walks all its pages
// to tell, milliseconds that a match of fast games does not have: without a limit to keep,
// a look now and then will do.
func (t *table) weigh(s *seat) {
	p := s.process()
	if p == nil || s.memory == 0 && time.Since(s.weighed) < time.Second {
		return
	}
	s.weighed = time.Now()
	n, err := p.Memory()
	if err != nil {
		return
	}
	c := t.color(s)
	t.g.Memory[c] = max(t.g.Memory[c], n)
	if s.memory > 0 && n > s.memory {
		t.lose(s, Crash, fmt.Sprintf("%d bytes of memory, %d are allowed", n, s.memory))
	}
}

func (t *table) color(s *seat) game.Color {
	if t.seats[game.White] == s {
		return game.White
	}
	return game.Black
}

// fault ends the game of a player that broke the protocol or fell over.
func (t *table) fault(s *seat, err error) {
	end := Crash
	var f *protocol.Fault
	if errors.As(err, &f) {
		t.g.Stderr = f.Stderr
		switch f.Kind {
		case protocol.Timeout:
			end = Timeout
			if f.Command == "START" || f.Command == "start" || f.Command == "ABOUT" {
				end = Crash
			}
		case protocol.Refused, protocol.Unknown, protocol.Garbage, protocol.Illegal:
			end = Illegal
		}
	}
	t.lose(s, end, err.Error())
}

func (t *table) lose(s *seat, end End, detail string) {
	t.end(game.WinFor(t.color(s).Other()), end, detail)
}

func (t *table) end(o game.Outcome, end End, detail string) {
	t.g.Outcome, t.g.End, t.g.Detail = outcomes[o], end, detail
}

// over ends a game by its own rules.
func (t *table) over(r game.Result) {
	switch {
	case t.m.conf.Variant().Rule == game.Weiqi:
		t.end(r.Outcome, Count, r.Reason)
	case r.Outcome == game.Draw:
		t.end(r.Outcome, Full, r.Reason)
	case r.Reason == "captures":
		t.end(r.Outcome, Captures, "")
	case r.Reason == "five":
		t.end(r.Outcome, Five, "")
	default:
		t.end(r.Outcome, Forbidden, r.Reason)
	}
}

// adjudicate ends a game that the rules of the match consider decided.
func (t *table) adjudicate() bool {
	conf := t.m.conf
	c := t.ref.ToMove()
	plies := len(t.ref.Record().Moves)
	both := func(n [2]int, least int) bool { return min(n[0], n[1]) >= least }
	switch {
	case conf.DrawAfter > 0 && plies >= conf.DrawAfter:
		t.end(game.Draw, Adjudicated, fmt.Sprintf("%d moves", plies))
	case conf.Draw.MoveCount > 0 && plies >= conf.Draw.MoveNumber && both(t.calm, conf.Draw.MoveCount):
		t.end(game.Draw, Adjudicated, "both think it even")
	case conf.Resign.MoveCount > 0:
		for _, side := range []game.Color{game.Black, game.White} {
			if t.lost[side] >= conf.Resign.MoveCount &&
				(!conf.Resign.TwoSided || t.won[side.Other()] >= conf.Resign.MoveCount) {
				t.end(game.WinFor(side.Other()), Adjudicated, "given up")
				return true
			}
		}
	}
	if t.g.End == "" && conf.Proven > 0 && engine.ProvenWin(t.ref.Record(), conf.Proven) {
		t.end(game.WinFor(c), Adjudicated, "a win by fours is proven")
	}
	return t.g.End != ""
}

// account closes the books of a game.
func (t *table) account() {
	t.g.write(t.ref.Record())
	t.g.Given = min(t.given, len(t.ref.Record().Moves))
	t.g.Took = time.Since(t.g.Began).Seconds()
	for c, s := range t.seats {
		t.wake(s)
		if p := s.process(); p != nil {
			if used, err := p.CPUTime(); err == nil {
				t.g.CPU[c] = (used - s.used).Seconds()
			}
		}
	}
}
