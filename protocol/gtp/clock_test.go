package gtp

import (
	"strings"
	"testing"
	"time"

	"tengen/engine/game"
	"tengen/protocol"
)

// What clocks allow a move. Each line tells the clocks as a manager does; the bounds are of
// the hard limit in milliseconds, Black's on an empty 9x9 board, without lag.
func TestClocks(t *testing.T) {
	const rest = 5000
	for _, c := range []struct {
		told     string
		min, max int64 // 0, 0: at once
	}{
		{"", 4900, 5000},
		{"time_settings 0 1 0", 4900, 5000},
		{"time_settings 0 0 0", 4900, 5000},
		{"kgs-time_settings none", 4900, 5000},
		{"time_settings 0 1 0; time_left b 0 0", 4900, 5000},
		{"time_settings 0 5 1", 4900, 5000},
		{"time_settings 0 20 1; time_left b 18 1", 17500, 18000},
		{"time_settings 0 5 1; time_left b 0 0", 4900, 5000}, // LizzieYzy
		{"time_settings 600 0 0", 15000, 60000},
		{"time_settings 600 0 0; time_left b 10 0", 250, 1000},
		{"time_settings 600 0 0; time_left b 0 0", 0, 0},
		{"time_settings 600 0 0; time_left b -5 0", 0, 0},
		{"time_left b 60 0", 1500, 6000},
		{"time_left b 60 5", 11000, 12000},
		{"time_settings 300 120 10; time_left b 298 0", 11000, 30000},
		{"time_settings 300 120 10; time_left b 60 10", 5000, 6000},
		{"time_settings 300 120 10; time_left b 60 1", 58000, 60000},
		{"kgs-time_settings canadian 0 120 10", 11000, 12000},
		{"time_settings 420 30 1; time_left b 418 0", 29000, 60000},
		{"kgs-time_settings byoyomi 300 30 5; time_left b 297 0", 29000, 60000},
		{"kgs-time_settings byoyomi 300 30 5; time_left b 1 0", 29000, 30000},
		{"kgs-time_settings byoyomi 300 30 5; time_left b 30 5", 29000, 30000},
		{"kgs-time_settings byoyomi 300 30 5; time_left b 20 1", 19000, 20000},
		{"kgs-time_settings byoyomi 0 10 3", 9500, 10000},
		{"kata-time_settings fischer 300 10", 15000, 60000},
		{"kata-time_settings fischer 300 10; time_left b 4 0", 1000, 2000},
		{"kata-time_settings fischer-capped 300 10 600 -1", 15000, 60000},
		{"kata-time_settings fischer-capped 300 10 600 2", 1900, 2000},
		// New settings may raise what others had lowered.
		{"kgs-time_settings byoyomi 0 1 1; kgs-time_settings byoyomi 0 20 1; time_left b 20 1", 19000, 20000},
		{"time_settings 600 0 0; time_left w 1 0", 15000, 60000},
	} {
		var k clocks
		for _, l := range strings.Split(c.told, "; ") {
			if l == "" {
				continue
			}
			r, _ := parse(l)
			sv := &server{clocks: k}
			if cmd := byName(r.name); cmd == nil {
				t.Fatal(l)
			} else if _, err := cmd.run(sv, r.args); err != nil {
				t.Fatalf("%s: %v", l, err)
			}
			k = sv.clocks
		}
		clock := protocol.Clock{Full: 81 * 4 / 5}
		k.tell(&clock, game.Black, 0, rest*time.Millisecond)
		lim := clock.Limits(time.Now(), 0)
		hard := lim.Hard.Milliseconds()
		switch {
		case c.max == 0 && !lim.Instant, c.max > 0 && (lim.Instant || hard < c.min || hard > c.max):
			t.Errorf("%s: %d ms (instant: %v), not %d to %d", c.told, hard, lim.Instant, c.min, c.max)
		}
	}
}

func byName(name string) *command {
	for i := range table {
		if table[i].name == name {
			return &table[i]
		}
	}
	return nil
}

// Without time_left we count ourselves.
func TestClocksCount(t *testing.T) {
	var k clocks
	left := func(c game.Color, ms int64, stones int) {
		t.Helper()
		if h := k.hands[c]; h.left.Milliseconds() != ms || h.stones != stones {
			t.Errorf("%v has %v and %d, not %d ms and %d", c, h.left, h.stones, ms, stones)
		}
	}
	spend := func(ms int64) { k.spend(game.Black, time.Duration(ms)*time.Millisecond) }
	k.set(settings{timing: absolute, main: 10 * time.Second})
	spend(3000)
	left(game.Black, 7000, 0)
	left(game.White, 10000, 0)
	k.reset()
	left(game.Black, 10000, 0)

	k.set(settings{timing: canadian, main: 10 * time.Second, period: 5 * time.Second, stones: 2})
	spend(12000) // two seconds of the first period
	left(game.Black, 3000, 1)
	spend(1000)
	left(game.Black, 5000, 2)

	k.set(settings{timing: byoyomi, main: 10 * time.Second, period: 5 * time.Second, stones: 3})
	spend(9000)
	left(game.Black, 1000, 0)
	spend(2000)
	left(game.Black, 5000, 3)
	spend(6000)
	left(game.Black, 5000, 2)
	spend(4000)
	left(game.Black, 5000, 2)

	k.set(settings{timing: fischer, main: 10 * time.Second, period: 5 * time.Second, most: 12 * time.Second})
	spend(4000)
	left(game.Black, 11000, 0)
	spend(1000)
	left(game.Black, 12000, 0)
}

// A game of 300 moves under absolute time never runs out of it.
func TestClocksLastForAGame(t *testing.T) {
	for _, main := range []time.Duration{time.Minute, 10 * time.Minute, time.Hour} {
		var k clocks
		k.set(settings{timing: absolute, main: main})
		for n := range 150 {
			clock := protocol.Clock{Full: 361 * 4 / 5}
			k.tell(&clock, game.Black, 20*time.Millisecond, time.Second)
			lim := clock.Limits(time.Now(), 2*n)
			used := lim.Hard + 20*time.Millisecond
			if lim.Instant {
				used = 20 * time.Millisecond
			}
			if n%2 == 0 {
				used = lim.Soft
			}
			k.spend(game.Black, used)
			if k.hands[game.Black].left <= 0 {
				t.Errorf("%v is gone after %d moves", main, n+1)
				break
			}
		}
	}
}
