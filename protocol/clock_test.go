package protocol

import (
	"testing"
	"time"
)

const ms = time.Millisecond

// none stands for "never told" in the tables below.
const none = -1 << 40

func TestClock(t *testing.T) {
	type bound struct{ softMin, softMax, hardMin, hardMax time.Duration }
	tests := []struct {
		name                         string
		turn, match, left, increment int64
		nodes                        int64
		depth, threads, stones       int
		want                         bound
		instant, unlimited           bool
	}{
		{name: "nothing told: 30 s a move", turn: none, match: none, left: none,
			want: bound{20000 * ms, 29550 * ms, 29500 * ms, 29550 * ms}},
		{name: "turn only", turn: 1000, match: none, left: none,
			want: bound{700 * ms, 969 * ms, 969 * ms, 969 * ms}},
		{name: "turn only, two threads more", turn: 1000, match: none, left: none, threads: 3,
			want: bound{700 * ms, 967 * ms, 967 * ms, 967 * ms}},
		{name: "long turn: 1.5 %", turn: 300000, match: none, left: none,
			want: bound{210000 * ms, 295500 * ms, 295500 * ms, 295500 * ms}},
		{name: "judge, fast game, first move: ample, 70 to 100 % of the turn", turn: 5000, match: 120000, left: 120000, stones: 3,
			want: bound{3500 * ms, 4925 * ms, 4900 * ms, 4925 * ms}},
		{name: "judge, 30/180", turn: 30000, match: 180000, left: 180000, stones: 4,
			want: bound{4000 * ms, 8000 * ms, 8000 * ms, 29550 * ms}},
		{name: "judge, 300/1000", turn: 300000, match: 1000000, left: 1000000, stones: 4,
			want: bound{25000 * ms, 45000 * ms, 45000 * ms, 150000 * ms}},
		{name: "short of match time", turn: 30000, match: 180000, left: 2000, stones: 60,
			want: bound{50 * ms, 200 * ms, 100 * ms, 950 * ms}},
		{name: "much shorter", turn: 30000, match: 180000, left: 300, stones: 60,
			want: bound{5 * ms, 30 * ms, 15 * ms, 130 * ms}},
		{name: "match only", turn: none, match: 60000, left: none,
			want: bound{1000 * ms, 2400 * ms, 2400 * ms, 30000 * ms}},
		{name: "left above match (increment)", turn: 1000, match: 5000, left: 7489, stones: 10,
			want: bound{200 * ms, 500 * ms, 500 * ms, 969 * ms}},
		{name: "increment", turn: none, match: 5000, left: 5000, increment: 1000,
			want: bound{600 * ms, 1000 * ms, 1000 * ms, 2500 * ms}},
		{name: "left is never: turn only", turn: 1000, match: 0, left: Never,
			want: bound{700 * ms, 969 * ms, 969 * ms, 969 * ms}},
		{name: "no match limit", turn: 1000, match: 0, left: none,
			want: bound{700 * ms, 969 * ms, 969 * ms, 969 * ms}},

		{name: "turn 0: at once", turn: 0, match: 0, left: Never, instant: true},
		{name: "turn 0 with nodes", turn: 0, match: 0, left: Never, nodes: 1000, instant: true},
		{name: "negative turn", turn: -5, match: none, left: none, instant: true},
		{name: "tiny turn", turn: 20, match: none, left: none, instant: true},
		{name: "left 0", turn: 1000, match: 5000, left: 0, instant: true},
		{name: "left negative", turn: 1000, match: 5000, left: -700, instant: true},
		{name: "left tiny", turn: 1000, match: 5000, left: 30, instant: true},
		{name: "left below every int32", turn: 1000, match: 5000, left: -1 << 62, instant: true},

		{name: "c-gomoku-cli, tc=0 nodes=5000", turn: none, match: 0, left: Never, nodes: 5000, unlimited: true},
		{name: "c-gomoku-cli, tc=0 depth=4", turn: none, match: 0, left: Never, depth: 4, unlimited: true},
		{name: "c-gomoku-cli, tc=0 and nothing", turn: none, match: 0, left: Never,
			want: bound{20000 * ms, 29550 * ms, 29500 * ms, 29550 * ms}},
		{name: "Yixin-Board, unlimited", turn: 2000000, match: 100000000, left: 100000000, unlimited: true},
		{name: "Yixin-Board, unlimited, later", turn: 2000000, match: 100000000, left: 99995951, unlimited: true},
		{name: "Yixin-Board, unlimited turn", turn: 2000000, match: 100000, left: 100000,
			want: bound{2000 * ms, 4000 * ms, 4000 * ms, 50000 * ms}},
		{name: "Yixin-Board, 1 s", turn: 1000, match: 100000, left: 100000, nodes: 1000000, depth: 12, stones: 1,
			want: bound{700 * ms, 969 * ms, 969 * ms, 969 * ms}},
		{name: "nodes and a turn: both", turn: 1000, match: 0, left: Never, nodes: 77,
			want: bound{700 * ms, 969 * ms, 969 * ms, 969 * ms}},
	}
	start := time.Now()
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			k := Clock{Threads: c.threads, Nodes: c.nodes, Depth: c.depth}
			if c.match != none {
				k.SetMatch(c.match)
			}
			if c.turn != none {
				k.SetTurn(c.turn)
			}
			if c.left != none {
				k.SetLeft(c.left)
			}
			k.SetIncrement(c.increment)
			lim := k.Limits(start, c.stones)
			if lim.Start != start || lim.Nodes != c.nodes || lim.Depth != c.depth {
				t.Errorf("start, nodes or depth lost: %+v", lim)
			}
			if lim.Instant != c.instant {
				t.Fatalf("instant %v, want %v: %+v", lim.Instant, c.instant, lim)
			}
			if c.instant {
				return
			}
			if (lim.Hard == 0) != c.unlimited {
				t.Fatalf("hard limit %v, want unlimited %v", lim.Hard, c.unlimited)
			}
			if b := c.want; lim.Soft < b.softMin || lim.Soft > b.softMax || lim.Hard < b.hardMin || lim.Hard > b.hardMax {
				t.Errorf("soft %v hard %v, want %v..%v and %v..%v", lim.Soft, lim.Hard,
					b.softMin, b.softMax, b.hardMin, b.hardMax)
			}
		})
	}
}

// No setting may let a search run beyond the turn or what is left, nor be worth nothing.
func TestClockBounds(t *testing.T) {
	values := []int64{1, 10, 31, 50, 100, 300, 1000, 5000, 30000, 300000, 1000000}
	for _, turn := range values {
		for _, left := range append(values, -1, 0) {
			for _, stones := range []int{0, 20, 100, 220} {
				var k Clock
				k.SetTurn(turn)
				k.SetMatch(1000000)
				k.SetLeft(left)
				lim := k.Limits(time.Now(), stones)
				if lim.Instant {
					if turn > 60 && left > 500 {
						t.Errorf("turn %d left %d stones %d: no time at all", turn, left, stones)
					}
					continue
				}
				most := time.Duration(min(turn, left)) * ms
				if lim.Hard <= 0 || lim.Hard > most-31*ms || lim.Soft <= 0 || lim.Soft > lim.Hard {
					t.Errorf("turn %d left %d stones %d: soft %v hard %v", turn, left, stones, lim.Soft, lim.Hard)
				}
			}
		}
	}
}

// A whole game by the clock must end before the flag falls, even when each move takes its
// hard limit; and use a good part of the time when each takes its soft one.
func TestClockWholeGame(t *testing.T) {
	for _, c := range []struct{ turn, match int64 }{{5000, 120000}, {30000, 180000}, {300000, 1000000}, {1000, 20000}, {1000, 5000}} {
		for _, greedy := range []bool{false, true} {
			left := c.match
			for stones := 0; stones < 224; stones += 2 {
				var k Clock
				k.SetTurn(c.turn)
				k.SetMatch(c.match)
				k.SetLeft(left)
				lim := k.Limits(time.Now(), stones)
				d := lim.Soft
				if greedy {
					d = lim.Hard
				}
				if lim.Instant {
					d = 0
				}
				left -= d.Milliseconds()
				if left <= 0 {
					t.Fatalf("%+v greedy %v: flag fell after %d stones", c, greedy, stones)
				}
				if stones == 60 && !greedy && left > c.match*2/5 && c.match < 100*c.turn/4 {
					t.Errorf("%+v: %d ms of %d not used after 30 moves", c, left, c.match)
				}
			}
		}
	}
}

func TestClockForgetsDeadlines(t *testing.T) {
	var k Clock
	k.SetTurn(1000)
	a := k.Limits(time.Now().Add(-time.Hour), 0)
	b := k.Limits(time.Now(), 2)
	if a.Hard != b.Hard || a.Soft != b.Soft {
		t.Errorf("an hour later %v/%v became %v/%v", a.Soft, a.Hard, b.Soft, b.Hard)
	}
}

// A manager that never says what is left: our own searches are subtracted.
func TestClockCountsItself(t *testing.T) {
	var k Clock
	k.SetMatch(10000)
	before := k.Limits(time.Now(), 0)
	k.Spend(9 * time.Second)
	after := k.Limits(time.Now(), 0)
	if after.Hard >= before.Hard/5 {
		t.Errorf("hard limit %v after 9 of 10 s, %v before", after.Hard, before.Hard)
	}
	k.NewGame()
	if again := k.Limits(time.Now(), 0); again.Hard != before.Hard {
		t.Errorf("new game: hard %v, want %v", again.Hard, before.Hard)
	}
	k.Spend(9 * time.Second)
	k.SetLeft(10000) // the manager knows better
	if told := k.Limits(time.Now(), 0); told.Hard != before.Hard {
		t.Errorf("told 10 s: hard %v, want %v", told.Hard, before.Hard)
	}
	k.NewGame() // time_left comes before START from Yixin-Board
	if kept := k.Limits(time.Now(), 0); kept.Hard != before.Hard {
		t.Errorf("after START: hard %v, want %v", kept.Hard, before.Hard)
	}
}

func TestNodeAndDepthLimits(t *testing.T) {
	for n, want := range map[int64]int64{-1: 0, 0: 0, 1: 1, 5000: 5000, 1<<63 - 1: 0} {
		if got := NodeLimit(n); got != want {
			t.Errorf("NodeLimit(%d) = %d, want %d", n, got, want)
		}
	}
	for n, want := range map[int64]int{-1: 0, 0: 0, 12: 12, 225: 0, 400: 0} {
		if got := DepthLimit(n); got != want {
			t.Errorf("DepthLimit(%d) = %d, want %d", n, got, want)
		}
	}
}

// A period bounds from below what a move gets, and Full spreads the time over a game that
// fills the board.
func TestClockPeriodAndFull(t *testing.T) {
	for _, c := range []struct {
		name             string
		left, period     int64
		full, stones     int
		hardMin, hardMax time.Duration
		softMin          time.Duration
		instant          bool
	}{
		{name: "main time is much: a share", left: 600_000, period: 1000, full: 288, hardMin: 5 * time.Second, hardMax: 20 * time.Second},
		{name: "main time is little: the period", left: 2000, period: 30_000, full: 288, hardMin: 29 * time.Second, hardMax: 30 * time.Second, softMin: 29 * time.Second},
		{name: "none is left", left: 0, period: 10_000, hardMin: 9800 * ms, hardMax: 10 * time.Second, softMin: 9800 * ms},
		{name: "not even a period", left: 0, period: 20, instant: true},
		{name: "no period", left: 0, period: -1, instant: true},
		{name: "late in the game", left: 60_000, full: 288, stones: 270, hardMin: 6 * time.Second, hardMax: 30 * time.Second},
	} {
		var k Clock
		k.Full = c.full
		k.SetLeft(c.left)
		k.SetPeriod(c.period)
		lim := k.Limits(time.Now(), c.stones)
		if lim.Instant != c.instant || !c.instant && (lim.Hard < c.hardMin || lim.Hard > c.hardMax || lim.Soft < c.softMin) {
			t.Errorf("%s: %+v", c.name, lim)
		}
	}
}

// On a machine that makes answers late searches end earlier, as long as that goes on.
func TestClockLate(t *testing.T) {
	var turn, period, match Clock
	turn.SetTurn(1000)
	period.SetLeft(0)
	period.SetPeriod(1000)
	match.SetLeft(100_000)
	at := func(k *Clock) time.Duration { return k.Limits(time.Now(), 0).Hard }
	for _, k := range []*Clock{&turn, &period} {
		before := at(k)
		k.Missed(15 * ms) // the margin is for that
		if got := at(k); got != before {
			t.Errorf("%v after a small delay, %v before", got, before)
		}
		k.Missed(100 * ms)
		if got := at(k); got > before-2*(100*ms-overrun) || got < before-200*ms {
			t.Errorf("%v after a delay of 100 ms, %v before", got, before)
		}
		k.NewGame()
		if got := at(k); got == before {
			t.Error("a new game is on another machine")
		}
		k.Missed(time.Hour)
		if got := at(k); got < before*2/3 || got > before-2*100*ms {
			t.Errorf("%v after a night, %v before", got, before)
		}
		for range 10 {
			k.Missed(0)
		}
		if got := at(k); got < before-5*ms {
			t.Errorf("%v after ten answers in time, %v before", got, before)
		}
	}
	before := at(&match)
	match.Missed(100 * ms)
	if got := at(&match); got >= before || got < before*99/100 {
		t.Errorf("%v of a long game, %v before", got, before)
	}
}
