package tournament

import "slices"

// Slot is a game that is to be played.
type Slot struct {
	ID            int // from 0, in the order of the schedule
	Round         int // from 0
	Pair          int // games of one pair share it, from 0
	First, Second int // engines; the first begins: with Black, or with Swap2's three stones
	Opening       int // which one
	Symmetry      int // and how it lies, from 0 to 7
}

// schedule makes the rounds of a match, one after the other.
type schedule struct {
	c        *Config
	openings int // how many there are
	round    int
	id       int
	pair     int
	met      map[[2]int]int // how many games two engines have been given
	pairs    map[[2]int]int // and which pair the last of them belongs to
	byes     []bool         // Swiss: who has had a round off
	off      [][]int        // who has the round off, by round
}

func newSchedule(c *Config, openings int) *schedule {
	return &schedule{c: c, openings: max(1, openings),
		met: map[[2]int]int{}, pairs: map[[2]int]int{}, byes: make([]bool, len(c.Engines))}
}

// next returns the games of the next round, or nil after the last. scores are the points
// so far, a win is two; only Swiss looks at them.
func (s *schedule) next(scores []int) []Slot {
	if s.round == s.c.Rounds {
		return nil
	}
	var meetings [][2]int
	n := len(s.c.Engines)
	switch s.c.Format {
	case Gauntlet:
		for j := 1; j < n; j++ {
			meetings = append(meetings, [2]int{0, j})
		}
	case Swiss:
		meetings = s.swiss(scores)
	default:
		for i := range n {
			for j := i + 1; j < n; j++ {
				meetings = append(meetings, [2]int{i, j})
			}
		}
	}
	var slots []Slot
	for range s.c.Games {
		for _, m := range meetings {
			slots = append(slots, s.slot(m))
		}
	}
	// Both games of a pair stand one behind the other, so that they are played at about
	// the same time and a test that stops early stops between pairs.
	slices.SortStableFunc(slots, func(a, b Slot) int { return a.Pair - b.Pair })
	for i := range slots {
		slots[i].ID = s.id
		s.id++
	}
	s.round++
	return slots
}

// slot returns a meeting's next game. Games of a meeting are counted through
// all rounds: two of them are a pair, of one opening with the colours swapped. All
// meetings go through the openings in the same order; when all were used, they begin
// again, turned to the next symmetry if that is asked for.
func (s *schedule) slot(m [2]int) Slot {
	n := s.met[m]
	s.met[m]++
	which, swap := n, n%2 == 1
	if s.c.Repeat {
		which = n / 2
	}
	if !s.c.Repeat || !swap {
		s.pairs[m] = s.pair
		s.pair++
	}
	slot := Slot{Round: s.round, Pair: s.pairs[m], First: m[0], Second: m[1], Opening: which % s.openings}
	if s.c.Transform {
		slot.Symmetry = which / s.openings % symmetries
	}
	if swap {
		slot.First, slot.Second = m[1], m[0]
	}
	return slot
}

// swiss pairs the engines of about equal points that have met least: the first of those
// without an opponent gets the next who has not met him, going back where that leaves
// somebody alone. With an odd number the last who had no round off has this one off, for
// the points of a won meeting.
func (s *schedule) swiss(scores []int) [][2]int {
	order := make([]int, len(s.c.Engines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return scores[b] - scores[a] })
	s.off = append(s.off, nil)
	if len(order)%2 == 1 {
		k := len(order) - 1
		for i := k; i >= 0; i-- {
			if !s.byes[order[i]] {
				k = i
				break
			}
		}
		s.byes[order[k]] = true
		s.off[s.round] = []int{order[k]}
		order = slices.Delete(order, k, k+1)
	}
	// How often may two meet again: no more than some two must.
	for again := 0; ; again++ {
		tries := 200_000 // of the depth-first search, which a thousand engines could keep busy
		if m := s.pairUp(order, again, &tries); m != nil || len(order) == 0 {
			return m
		}
	}
}

func (s *schedule) pairUp(order []int, again int, tries *int) [][2]int {
	if len(order) == 0 {
		return [][2]int{}
	}
	for i := 1; i < len(order) && *tries > 0; i++ {
		*tries--
		m := [2]int{min(order[0], order[i]), max(order[0], order[i])}
		if s.met[m] > again*s.c.Games {
			continue
		}
		rest := slices.Concat(order[1:i], order[i+1:])
		if tail := s.pairUp(rest, again, tries); tail != nil {
			return append([][2]int{m}, tail...)
		}
	}
	return nil
}

// byePoints returns what the rounds off are worth: in twice the points of a game.
func (s *schedule) byePoints(engine int) (points int) {
	for _, off := range s.off {
		if slices.Contains(off, engine) {
			points += 2 * s.c.Games
		}
	}
	return points
}
