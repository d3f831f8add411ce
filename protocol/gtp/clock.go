package gtp

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"tengen/engine/game"
	"tengen/protocol"
)

// timing is a kind of clock. They differ in what comes when the main time is used up.
type timing uint8

const (
	untimed  timing = iota // no limit at all
	absolute               // nothing comes: main time is all
	canadian               // so many stones in each period
	byoyomi                // so many periods of one move; a move in time costs none
	fischer                // main time grows with each move, maybe up to a limit
)

// settings are the times of a game, the same for both sides.
type settings struct {
	timing
	main, period time.Duration // fischer: period is what a move adds
	stones       int           // of a Canadian period; byo-yomi periods
	most, turn   time.Duration // fischer: limits of the main time and of one move, 0 for none
}

// hand is what one side's clock shows.
type hand struct {
	left   time.Duration
	stones int  // left to be played in this period, or periods left
	over   bool // the main time is used up
}

// clocks are the clocks of a game as far as we know: told by time_left, or else counted.
type clocks struct {
	settings
	hands [2]hand
}

func (k *clocks) set(s settings) {
	k.settings = s
	k.reset()
}

// reset winds both clocks up for a new game.
func (k *clocks) reset() {
	h := hand{left: k.main}
	if k.main <= 0 && (k.timing == canadian || k.timing == byoyomi) {
		h = hand{left: k.period, stones: k.stones, over: true}
	}
	k.hands = [2]hand{h, h}
}

// told takes a time_left.
func (k *clocks) told(c game.Color, left time.Duration, stones int) {
	if k.timing == untimed {
		if left <= 0 && stones == 0 {
			return // LizzieYzy writes this where there is no clock
		}
		// A clock runs whose settings nobody told.
		k.timing = absolute
		if stones > 0 {
			k.timing = canadian
		}
	}
	over := stones > 0 && (k.timing == canadian || k.timing == byoyomi)
	k.hands[c] = hand{left, stones, over}
}

// spend counts a move of ours, for managers that send no time_left.
func (k *clocks) spend(c game.Color, d time.Duration) {
	h := &k.hands[c]
	h.left -= d
	switch k.timing {
	case fischer:
		h.left += k.period
		if k.most > 0 {
			h.left = min(h.left, k.most)
		}
	case canadian:
		if !h.over {
			if h.left > 0 {
				return
			}
			*h = hand{left: h.left + k.period, stones: k.stones, over: true}
		}
		if h.stones--; h.stones <= 0 {
			h.left, h.stones = k.period, k.stones
		}
	case byoyomi:
		if !h.over {
			if h.left > 0 {
				return
			}
			*h = hand{left: h.left + k.period, stones: k.stones, over: true}
		}
		for ; h.left < 0 && h.stones > 1 && k.period > 0; h.stones-- {
			h.left += k.period
		}
		h.left = k.period
	}
}

// tell says to the session's clock what a move of a side may take. lag is lost between our
// clock and the manager's; rest is for a move when there is no limit.
func (k *clocks) tell(to *protocol.Clock, c game.Color, lag, rest time.Duration) {
	*to = protocol.Clock{Threads: to.Threads, Nodes: to.Nodes, Depth: to.Depth, Full: to.Full, Late: to.Late}
	h := k.hands[c]
	ms := func(d time.Duration) int64 { return (d - lag).Milliseconds() }
	switch {
	case k.timing == untimed:
		if to.Nodes == 0 && to.Depth == 0 {
			to.SetTurn(rest.Milliseconds())
		}
	case h.over:
		share := h.left
		if k.timing == canadian {
			share /= time.Duration(max(h.stones, 1))
		}
		to.SetLeft(0)
		to.SetPeriod(max(ms(share), 1))
	default:
		to.SetLeft(ms(h.left))
		switch k.timing {
		case fischer:
			to.SetIncrement(ms(k.period))
			if k.turn > 0 {
				to.SetTurn(ms(k.turn))
			}
		case canadian:
			to.SetPeriod(ms(k.period / time.Duration(max(k.stones, 1))))
		case byoyomi:
			to.SetPeriod(ms(k.period))
		}
	}
}

const longest = 365 * 24 * time.Hour // what is longer is meant as no limit or as nonsense

// seconds reads a time.
func seconds(s string) (time.Duration, bool) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, false
	}
	return time.Duration(max(-longest.Seconds(), min(f, longest.Seconds())) * float64(time.Second)), true
}

// plain reads the numbers of time_settings: main time, period, stones in it.
func plain(args []string) (s settings, ok bool) {
	if len(args) != 3 {
		return s, false
	}
	main, ok1 := seconds(args[0])
	period, ok2 := seconds(args[1])
	stones, err := strconv.Atoi(args[2])
	if !ok1 || !ok2 || err != nil || main < 0 || period < 0 || stones < 0 {
		return s, false
	}
	s = settings{timing: canadian, main: main, period: period, stones: stones}
	switch {
	case period == 0 && main == 0, period > 0 && stones == 0:
		s = settings{}
	case period == 0:
		s = settings{timing: absolute, main: main}
	}
	return s, true
}

var (
	errSettings = errors.New("invalid time settings")
	timings     = []string{"none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped"}
)

// named reads the kinds of kgs-time_settings and kata-time_settings.
func named(args []string) (settings, error) {
	if len(args) == 0 {
		return settings{}, errSettings
	}
	var ns []time.Duration
	for _, a := range args[1:] {
		d, ok := seconds(a)
		if !ok {
			return settings{}, errSettings
		}
		ns = append(ns, d)
	}
	count := func(i int) int { return int(ns[i] / time.Second) }
	good := func(n int) bool {
		for i, d := range ns {
			if d < 0 && i < n {
				return false
			}
		}
		return len(ns) >= n
	}
	switch kind := strings.ToLower(args[0]); {
	case kind == "none":
		return settings{}, nil
	case kind == "absolute" && good(1):
		return settings{timing: absolute, main: ns[0]}, nil
	case kind == "byoyomi" && good(3):
		return settings{timing: byoyomi, main: ns[0], period: ns[1], stones: max(count(2), 1)}, nil
	case kind == "canadian" && good(3) && count(2) > 0:
		return settings{timing: canadian, main: ns[0], period: ns[1], stones: count(2)}, nil
	case kind == "fischer" && good(2):
		return settings{timing: fischer, main: ns[0], period: ns[1]}, nil
	case kind == "fischer-capped" && good(2) && len(ns) == 4: // a negative limit is none
		return settings{timing: fischer, main: ns[0], period: ns[1], most: max(ns[2], 0), turn: max(ns[3], 0)}, nil
	}
	return settings{}, errSettings
}
func (sv *server) timeSettings(args []string) (string, error) {
	s, ok := plain(args)
	if !ok {
		return "", errors.New("not three integers")
	}
	sv.clocks.set(s)
	return "", nil
}

func (sv *server) namedTimeSettings(args []string) (string, error) {
	s, err := named(args)
	if err == nil {
		sv.clocks.set(s)
	}
	return "", err
}

func (sv *server) timeLeft(args []string) (string, error) {
	if len(args) == 0 {
		return "", errColor
	}
	c, err := ParseColor(args[0])
	if err != nil {
		return "", err
	}
	bad := errors.New("time and stones not two integers")
	if len(args) < 2 || len(args) > 3 {
		return "", bad
	}
	left, ok := seconds(args[1])
	stones := 0
	if len(args) == 3 {
		stones, err = strconv.Atoi(args[2])
	}
	if !ok || err != nil || stones < 0 {
		return "", bad
	}
	sv.clocks.told(c, left, stones)
	return "", nil
}
