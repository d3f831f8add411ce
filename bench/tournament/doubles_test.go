package tournament

import (
	"bufio"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol"
)

// The test binary is a brain as well: "X player PART" speaks piskvork and misbehaves at
// its third move in the way PART says.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "player" {
		brain(os.Args[2])
		return
	}
	if len(os.Args) > 2 && os.Args[1] == "runner" {
		runner(os.Args[2])
		return
	}
	goleak.VerifyTestMain(m)
}

var hoard [][]byte

func brain(part string) {
	if part == "nostart" {
		fmt.Fprintln(os.Stderr, "no board today")
		os.Exit(7)
	}
	in := bufio.NewScanner(os.Stdin)
	size, moves := 15, 0
	taken := map[string]bool{}
	move := func() {
		if moves++; moves == 3 {
			switch part {
			case "crash":
				fmt.Fprintln(os.Stderr, "boom: a table fell over")
				os.Exit(3)
			case "hang":
				time.Sleep(time.Hour)
			case "flood":
				for {
					fmt.Println("MESSAGE thinking, thinking")
				}
			case "late":
				time.Sleep(400 * time.Millisecond)
			case "garbage":
				fmt.Println("the third move is mine")
				return
			case "error":
				fmt.Println("ERROR I give up")
				return
			case "cheat":
				for q := range taken {
					fmt.Println(q)
					return
				}
			case "off":
				fmt.Printf("%d,0\n", size)
				return
			case "memory":
				for range 300 {
					b := make([]byte, 1<<20)
					for i := range b {
						b[i] = byte(i)
					}
					hoard = append(hoard, b)
				}
			}
		}
		for i := range size * size {
			// Every second point, so that nobody makes five for a while.
			x, y := i*2%size, (i*2/size)%size
			if q := fmt.Sprintf("%d,%d", x, y); !taken[q] {
				taken[q] = true
				fmt.Println(q)
				return
			}
		}
	}
	board := false
	for in.Scan() {
		f := strings.Fields(strings.ToUpper(in.Text()))
		switch {
		case len(f) == 0:
		case board && f[0] == "DONE":
			board = false
			move()
		case board:
			p := strings.Split(f[0], ",")
			taken[p[0]+","+p[1]] = true
		case f[0] == "ABOUT":
			fmt.Printf("name=%q, version=\"1\"\n", part)
		case f[0] == "START":
			size, _ = strconv.Atoi(f[1])
			moves, taken = 0, map[string]bool{}
			fmt.Println("OK")
		case f[0] == "BEGIN":
			move()
		case f[0] == "TURN":
			taken[f[1]] = true
			move()
		case f[0] == "BOARD":
			board, taken = true, map[string]bool{}
		case f[0] == "END":
			return
		}
	}
}

// double returns the command line of a brain.
func double(t *testing.T, part string) string {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return `"` + exe + `" player ` + part
}

// dice is a player in this process that draws its moves: among the legal ones near stones,
// by its seed and the moves so far. It prefers a win on the spot in one move of bias.
type dice struct {
	seed  uint64
	sharp int // sees a win in so many moves of ten
}

func (d *dice) Start(context.Context, game.Variant, game.Limits) error { return nil }
func (d *dice) Close() error                                           { return nil }

func (d *dice) Move(_ context.Context, rec *game.Record, _ game.Limits) (game.Choice, error) {
	g, err := engine.Replay(rec)
	if err != nil {
		return game.Choice{}, err
	}
	h := fnv.New64a()
	fmt.Fprint(h, d.seed, rec.Moves)
	n := h.Sum64()
	var legal []game.Point
	for y := range rec.Variant.Size {
		for x := range rec.Variant.Size {
			if q := game.At(x, y); g.Legal(q) == nil {
				legal = append(legal, q)
			}
		}
	}
	if len(legal) == 0 {
		return game.Choice{Point: game.Pass}, nil
	}
	if int(n>>32%10) < d.sharp {
		for _, q := range legal {
			me := g.ToMove()
			if g.Play(q) == nil {
				won := g.Result().Outcome == game.WinFor(me)
				g.Undo()
				if won {
					return game.Choice{Point: q, Info: game.Info{Depth: 1, Nodes: 1, Value: game.Win - 1}}, nil
				}
			}
		}
	}
	return game.Choice{Point: legal[n%uint64(len(legal))], Info: game.Info{Depth: 1, Nodes: int64(len(legal))}}, nil
}

// matchOf returns a match in which each engine is a player made by who, in its own folder.
func matchOf(t *testing.T, c *Config, who func(i int) protocol.Player) *match {
	t.Helper()
	if c.Out == "" {
		c.Out = t.TempDir()
	}
	return &match{conf: c, dial: func(_ context.Context, e *Engine, _ int, _ func(bool, string)) (protocol.Player, error) {
		for i := range c.Engines {
			if &c.Engines[i] == e {
				return who(i), nil
			}
		}
		return nil, fmt.Errorf("no engine %q", e.Name)
	}}
}

func twoDice(c *Config, t *testing.T) *match {
	c.Engines = []Engine{{Name: "sharp", Proto: Inside}, {Name: "blunt", Proto: Inside}}
	return matchOf(t, c, func(i int) protocol.Player { return &dice{seed: uint64(i + 1), sharp: 9 - 5*i} })
}
