package brain

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol"
	"tengen/protocol/piskvork"
)

// Both ends of the protocol, ours and ours, understand each other.
func TestBothEnds(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.Command(os.Args[0])
	cmd.Env = environ()
	p, err := piskvork.Dial(ctx, cmd, piskvork.ClientOptions{
		Tolerance: 20 * time.Second, EndTime: 20 * time.Second, Memory: 64 << 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	if a := p.(protocol.Introducer).About(); a.Name != "tengen" || a.Version == "" || a.Author == "" {
		t.Errorf("%+v", a)
	}
	lim := game.Limits{Instant: true}
	for _, rule := range []game.Rule{game.Freestyle, game.Standard, game.Renju, game.Caro, game.CaroSix} {
		for _, size := range []int{15, 20} {
			v := game.Variant{Rule: rule, Size: size}
			records := []*game.Record{{Variant: v}, {Variant: v}}
			records[1].Setup = game.Setup{Black: []game.Point{game.At(3, 4), game.At(5, 5)}, White: []game.Point{game.At(4, 4)}, ToMove: game.White}
			for _, rec := range records {
				if err := p.Start(ctx, v, lim); err != nil {
					t.Fatal(err)
				}
				for range 6 {
					g, err := engine.Replay(rec)
					if err != nil {
						t.Fatal(err)
					}
					if g.Result().Outcome != game.Open {
						break
					}
					c, err := p.Move(ctx, rec, lim)
					if err != nil || g.Legal(c.Point) != nil {
						t.Fatalf("%v: plays %v, %v on %+v", v, c.Point, err, rec)
					}
					rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: c.Point})
					far := game.At(len(rec.Moves), 0) // the opponent's
					rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: far})
				}
			}
		}
	}
	if err := p.Start(ctx, game.Variant{Rule: game.Standard, Size: 15}, lim); err != nil {
		t.Fatal(err)
	}
	stones := []game.Point{game.At(7, 7), game.At(8, 7), game.At(9, 9), game.At(3, 3), game.At(4, 10)}
	for _, n := range []int{0, 3, 5} {
		r, _, err := p.(protocol.Swapper).Swap2(ctx, stones[:n], lim)
		if err != nil || r.Swap == (len(r.Points) > 0) || n == 0 && len(r.Points) != 3 {
			t.Errorf("%d stones: %+v, %v", n, r, err)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}
