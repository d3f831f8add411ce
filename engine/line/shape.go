package line

// Shape is what a stone on an empty point makes of the line through it in one
// direction, ordered by strength. X is the stone, o an own stone, _ an empty point, | the
// opponent, the edge or a dead point.
type Shape uint8

const (
	Dead        Shape = iota // |_X_| no five can come of it
	SixShape                 // oooXoo six or more where they are forbidden
	OneClosed                // |X____ five is far, one end closed
	OneOpen                  // __X__
	TwoClosed                // |oX___ may become a four
	TwoOpen                  // _oX__| may become an open three in one or two ways
	TwoOpen2                 // __o_X_ in more ways
	TwoOpen3                 // __oX__ in most ways
	ThreeClosed              // |ooX__ one more stone makes a four
	ThreeOpen                // |_ooX__ one more stone, on one point only, makes an open four
	ThreeOpen2               // __ooX__ the same on two or more points
	Four                     // |oooX_ one more makes a five; one stone stops it
	FourDouble               // o_ooX_o two fours in one line that no one stone stops
	FourOpen                 // _oooX_ a straight four that no one stone stops
	FiveShape                // ooooX wins
	NumShapes
)

// IsFour reports whether one more stone makes a five.
func (s Shape) IsFour() bool { return s >= Four && s <= FourOpen }

// IsThree reports whether one more stone makes a four that cannot be stopped.
func (s Shape) IsThree() bool { return s == ThreeOpen || s == ThreeOpen2 }

// Cells of a line as one side sees them.
const (
	own = iota
	empty
	foe
	wall
)

// window is the line through a point: five cells to each side, the point in the middle.
type window [11]uint8

const mid = 5

// A half is the five cells to one side of a point, nearest first, as one side sees
// them. Whatever lies behind the first foe or wall cannot matter, so there are few:
// with reach 5 and a foe told from a wall, 94.
type half [5]uint8

// halves lists every half there is for a reach, each cut behind its first closed cell.
func halves(reach int, foes bool) []half {
	var all []half
	var h half
	var walk func(i int)
	closeAt := func(i int, with uint8) {
		c := h
		for ; i < len(c); i++ {
			c[i] = with
			with = wall
		}
		all = append(all, c)
	}
	walk = func(i int) {
		if i == reach {
			closeAt(i, wall)
			return
		}
		closeAt(i, wall)
		if foes {
			closeAt(i, foe)
		}
		h[i] = own
		walk(i + 1)
		h[i] = empty
		walk(i + 1)
	}
	walk(0)
	return all
}

// cut makes any five cells one of halves.
func (h half) cut(reach int, foes bool) half {
	for i := range h {
		if i >= reach || h[i] >= foe {
			with := uint8(wall)
			if i < reach && foes {
				with = h[i]
			}
			for ; i < len(h); i++ {
				h[i] = with
				with = wall
			}
			break
		}
	}
	return h
}

// shaper finds the shapes of one side's windows by trying stones, so that the shapes
// of every rule follow from what a five is and nothing else is written down twice.
type shaper struct {
	six      Six
	bothEnds bool
	noDouble bool // a double four is no threat: it is forbidden
	memo     map[window]Shape
}

func newShaper(r *Rules, c int) *shaper {
	return &shaper{r.Six[c], r.BothEnds, r.NoDouble4[c], map[window]Shape{}}
}

// run returns the first and last cell of the row through the middle.
func (w *window) run() (from, to int) {
	from, to = mid, mid
	for from > 0 && w[from-1] == own {
		from--
	}
	for to < len(w)-1 && w[to+1] == own {
		to++
	}
	return
}

// row returns what the row through the middle is by itself: FiveShape, SixShape, or Dead.
// over says that the row is too long to be of use.
func (s *shaper) row(w *window) (sh Shape, over bool) {
	from, to := w.run()
	n := to - from + 1
	switch {
	case n < 5:
		return Dead, false
	case n > 5 && s.six == SixWins:
		return FiveShape, false
	case n > 5 && s.six == SixForbidden:
		return SixShape, true
	case n > 5:
		return Dead, true
	case s.bothEnds && from > 0 && w[from-1] == foe && to < len(w)-1 && w[to+1] == foe:
		return Dead, true
	}
	return FiveShape, false
}

// fives returns, as a bit set, the empty cells where one more stone makes a five
// through the middle.
func (s *shaper) fives(w *window) (set uint16) {
	for e := range w {
		if w[e] == empty {
			w[e] = own
			if sh, _ := s.row(w); sh == FiveShape {
				set |= 1 << e
			}
			w[e] = empty
		}
	}
	return set
}

// stoppable reports whether one opposing stone on the line takes away every five.
func (s *shaper) stoppable(w *window) bool {
	for e := range w {
		if w[e] == empty {
			w[e] = foe
			left := s.fives(w)
			w[e] = empty
			if left == 0 {
				return true
			}
		}
	}
	return false
}

// straight reports whether the row through the middle is four stones with a five at
// both ends.
func (s *shaper) straight(w *window, fives uint16) bool {
	from, to := w.run()
	return to-from == 3 && fives>>(from-1)&1 == 1 && fives>>(to+1)&1 == 1
}

// shape returns the shape of a window whose middle is own.
func (s *shaper) shape(w window) Shape {
	if sh, ok := s.memo[w]; ok {
		return sh
	}
	sh := s.find(w)
	s.memo[w] = sh
	return sh
}

func (s *shaper) find(w window) Shape {
	if sh, over := s.row(&w); over || sh == FiveShape {
		return sh
	}
	if f := s.fives(&w); f != 0 {
		switch {
		case s.stoppable(&w):
			return Four
		case s.straight(&w, f):
			return FourOpen
		}
		return FourDouble
	}
	var ways [NumShapes]int // how many further stones make each shape
	for e := range w {
		if w[e] == empty {
			w[e] = own
			ways[s.shape(w)]++
			w[e] = empty
		}
	}
	open := ways[FourOpen]
	if !s.noDouble {
		open += ways[FourDouble]
	}
	toThree := ways[ThreeOpen] + 2*ways[ThreeOpen2]
	switch {
	case open > 1:
		return ThreeOpen2
	case open > 0:
		return ThreeOpen
	case ways[Four]+ways[FourDouble] > 0:
		return ThreeClosed
	case toThree > 4:
		return TwoOpen3
	case toThree > 2:
		return TwoOpen2
	case toThree > 0:
		return TwoOpen
	case ways[ThreeClosed] > 0:
		return TwoClosed
	case ways[TwoOpen]+ways[TwoOpen2]+ways[TwoOpen3] > 0:
		return OneOpen
	case ways[TwoClosed] > 0:
		return OneClosed
	}
	return Dead
}
