package selfplay

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/eval/train"
)

// The games follow from the seed alone, are legal and go to their end.
func TestPlay(t *testing.T) {
	s := Settings{Variant: game.Variant{Rule: game.Renju, Size: 11}, Games: 4, Nodes: 60, Seed: 3, Memory: 64 << 20}
	play := func(workers int) map[string]bool {
		s.Workers = workers
		games := map[string]bool{}
		err := Play(context.Background(), s, func(g *train.Game) error {
			games[fmt.Sprint(*g)] = true
			rec := &game.Record{Variant: s.Variant}
			for _, q := range g.Moves {
				rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: game.Point(q)})
			}
			ref, err := engine.Replay(rec)
			if err != nil {
				return err
			}
			if o := ref.Result().Outcome; o == game.BlackWin && g.Winner != 1 || o == game.WhiteWin && g.Winner != -1 {
				t.Errorf("%v, but the winner is %d", o, g.Winner)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return games
	}
	one := play(1)
	if len(one) != s.Games {
		t.Errorf("%d different games, want %d", len(one), s.Games)
	}
	s.Skip = func(n int) bool { return n%2 == 1 }
	rest := play(2)
	if len(rest) != 2 {
		t.Errorf("%d games of the other half", len(rest))
	}
	for g := range rest {
		if !one[g] {
			t.Errorf("another game when some are left out: %s", g)
		}
	}
}

func TestPlayStops(t *testing.T) {
	s := Settings{Variant: game.Variant{Rule: game.Freestyle, Size: 15}, Games: 1000, Nodes: 50, Workers: 2, Memory: 64 << 20}
	full := errors.New("disk full")
	if err := Play(context.Background(), s, func(*train.Game) error { return full }); !errors.Is(err, full) {
		t.Errorf("%v, want %v", err, full)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Play(ctx, s, func(*train.Game) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

// Of the positions that the searches of a game judged some are searched and kept, each to be
// reached by legal moves, with no end there.
func TestLeaves(t *testing.T) {
	s := Settings{Variant: game.Variant{Rule: game.Caro, Size: 15, FreeOpening: true}, Games: 3, Nodes: 300, Workers: 1, Seed: 5, Memory: 64 << 20}
	play := func() (all []train.Game) {
		if err := Play(context.Background(), s, func(g *train.Game) error { all = append(all, *g); return nil }); err != nil {
			t.Fatal(err)
		}
		return
	}
	s.Leaves = 2
	games := play()
	if again := play(); !reflect.DeepEqual(games, again) {
		t.Error("other games for the same seed")
	}
	for _, g := range games {
		played := len(g.Moves) - g.Opening
		if len(g.Leaves) < played || len(g.Leaves) > 2*played {
			t.Errorf("%d leaves of %d moves", len(g.Leaves), played)
		}
		for _, l := range g.Leaves {
			rec := &game.Record{Variant: s.Variant}
			for _, q := range append(slices.Clone(g.Moves[:l.After]), l.Moves...) {
				rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: game.Point(q)})
			}
			ref, err := engine.Replay(rec)
			if err != nil || ref.Result().Outcome != game.Open || len(l.Moves) == 0 {
				t.Errorf("%v in %v: %v", l, g.Moves, err)
			}
		}
	}
}
