package line

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tengen/engine/game"
)

// naive is the slow twin of Position: a board and nothing else, from which every
// question is answered by reading the text of the rule, with no table and no shape.
type naive struct {
	rule       game.Rule
	fiveAtFour bool // reading B of renju's contested clause
	size       int
	cell       [MaxSize][MaxSize]game.Color
	captured   [2]int // stones captured by Black, White
	moves      []xy   // by play
}

func newNaive(v game.Variant) *naive {
	b := &naive{rule: v.Rule, fiveAtFour: v.FiveAtFour, size: v.Size}
	for y := range b.cell {
		for x := range b.cell[y] {
			b.cell[y][x] = game.Wall
			if x < v.Size && y < v.Size {
				b.cell[y][x] = game.Empty
			}
		}
	}
	return b
}

// xy is a point of the twin; it may lie off the board.
type xy struct{ x, y int }

// The four directions, in the order of Position's: east, south, south-east, north-east.
var ways = [4]xy{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

func (p xy) step(d, n int) xy      { return xy{p.x + n*ways[d].x, p.y + n*ways[d].y} }
func (p xy) point() game.Point     { return game.At(p.x, p.y) }
func at(q game.Point) xy           { return xy{q.X(), q.Y()} }
func (b *naive) on(p xy) bool      { return p.x >= 0 && p.y >= 0 && p.x < b.size && p.y < b.size }
func (b *naive) isEmpty(p xy) bool { return b.at(p) == game.Empty }

// at returns what stands on p; the outside is a wall.
func (b *naive) at(p xy) game.Color {
	if !b.on(p) {
		return game.Wall
	}
	return b.cell[p.y][p.x]
}

func (b *naive) set(p xy, c game.Color) { b.cell[p.y][p.x] = c }

// with puts a stone on p, calls f, and takes the stone away.
func (b *naive) with(p xy, c game.Color, f func()) {
	b.set(p, c)
	f()
	b.set(p, game.Empty)
}

// empties returns the empty points in board order.
func (b *naive) empties() (all []xy) {
	for y := range b.size {
		for x := range b.size {
			if b.cell[y][x] == game.Empty {
				all = append(all, xy{x, y})
			}
		}
	}
	return
}

// row returns the unbroken row through the stone on p: its ends and its length.
func (b *naive) row(p xy, d int) (from, to xy, n int) {
	c := b.at(p)
	from, to, n = p, p, 1
	for b.at(from.step(d, -1)) == c {
		from = from.step(d, -1)
		n++
	}
	for b.at(to.step(d, 1)) == c {
		to = to.step(d, 1)
		n++
	}
	return
}

// wins reports whether the row through the stone on p in direction d wins.
func (b *naive) wins(p xy, d int) bool {
	from, to, n := b.row(p, d)
	c := b.at(p)
	blocked := b.at(from.step(d, -1)) == c.Other() && b.at(to.step(d, 1)) == c.Other()
	switch b.rule {
	case game.Freestyle, game.Omok, game.Pente, game.Keryo:
		return n >= 5
	case game.Standard:
		return n == 5
	case game.Renju:
		return n == 5 || n > 5 && c == game.White
	case game.Caro:
		return n == 5 && !blocked
	case game.CaroSix:
		return n == 5 && !blocked || n > 5
	}
	panic("no such rule")
}

// won reports whether the stone on p, the last one put, wins.
func (b *naive) won(p xy) bool {
	return b.wins(p, 0) || b.wins(p, 1) || b.wins(p, 2) || b.wins(p, 3) || b.enough(b.at(p))
}

// enough reports whether side c has captured as many stones as win.
func (b *naive) enough(c game.Color) bool {
	return b.rule == game.Pente && b.captured[c] >= 10 || b.rule == game.Keryo && b.captured[c] >= 15
}

// play puts a stone and takes what it brackets off the board: two stones in a row and in
// keryo also three, of the other side, with a stone of this side behind them. All are taken
// together.
func (b *naive) play(p xy, c game.Color) {
	b.set(p, c)
	b.moves = append(b.moves[:len(b.moves):len(b.moves)], p)
	var taken []xy
	for d := range 4 {
		for _, sign := range []int{1, -1} {
			for n := 2; n <= 3; n++ {
				if n == 2 && b.rule != game.Pente && b.rule != game.Keryo || n == 3 && b.rule != game.Keryo {
					continue
				}
				between := 0
				for i := 1; i <= n; i++ {
					if b.at(p.step(d, sign*i)) == c.Other() {
						between++
					}
				}
				if between == n && b.at(p.step(d, sign*(n+1))) == c {
					for i := 1; i <= n; i++ {
						taken = append(taken, p.step(d, sign*i))
					}
				}
			}
		}
	}
	for _, q := range taken {
		b.set(q, game.Empty)
	}
	b.captured[c] += len(taken)
}

// opens reports whether the restriction of the opening allows p, the sides having played
// in turn from an empty board.
func (b *naive) opens(p xy) bool {
	if b.rule != game.Pente && b.rule != game.Keryo || b.size < 7 {
		return true
	}
	switch len(b.moves) {
	case 0:
		m := b.size / 2
		return p == xy{m, m} || b.size%2 == 0 && p.x >= m-1 && p.x <= m && p.y >= m-1 && p.y <= m
	case 2:
		f := b.moves[0]
		return p.x < f.x-2 || p.x > f.x+2 || p.y < f.y-2 || p.y > f.y+2
	}
	return true
}

// fivePoints returns the empty points in direction d where one more stone makes a
// winning row through the stone on p.
func (b *naive) fivePoints(p xy, d int) (all []xy) {
	c := b.at(p)
	for n := -4; n <= 4; n++ {
		if e := p.step(d, n); b.isEmpty(e) {
			b.set(e, c)
			if b.wins(p, d) {
				all = append(all, e)
			}
			b.set(e, game.Empty)
		}
	}
	return
}

// stopped reports whether one opposing stone, on any of the given points, takes away
// every way the stone on p has to a five.
func (b *naive) stopped(p xy, on []xy, dirs ...int) bool {
	for _, f := range on {
		if !b.isEmpty(f) {
			continue
		}
		b.set(f, b.at(p).Other())
		left := 0
		for _, d := range dirs {
			left += len(b.fivePoints(p, d))
		}
		b.set(f, game.Empty)
		if left == 0 {
			return true
		}
	}
	return false
}

// line returns the points in direction d that are no further than five from p.
func (b *naive) line(p xy, d int) (all []xy) {
	for n := -5; n <= 5; n++ {
		if e := p.step(d, n); n != 0 && b.on(e) {
			all = append(all, e)
		}
	}
	return
}

// straightFour reports whether the stone on p belongs to an unbroken four in direction d
// with two ways to a five.
func (b *naive) straightFour(p xy, d int) bool {
	from, to, n := b.row(p, d)
	if n != 4 {
		return false
	}
	f := b.fivePoints(p, d)
	return slices.Contains(f, from.step(d, -1)) && slices.Contains(f, to.step(d, 1))
}

// fours counts the fours through the stone on p: the distinct sets of four stones, p
// among them, to which one more stone makes a five.
func (b *naive) fours(p xy) int {
	sets := map[string]bool{}
	c := b.at(p)
	for d := range 4 {
		for start := -4; start <= 0; start++ {
			var stones, gaps []xy
			for n := start; n < start+5; n++ {
				switch q := p.step(d, n); b.at(q) {
				case c:
					stones = append(stones, q)
				case game.Empty:
					gaps = append(gaps, q)
				}
			}
			if len(stones) == 4 && len(gaps) == 1 {
				b.with(gaps[0], c, func() {
					if b.wins(p, d) {
						sets[fmt.Sprint(stones)] = true
					}
				})
			}
		}
	}
	return len(sets)
}

// forbidden is why a stone of side c must not be put on the empty point p.
func (b *naive) forbidden(c game.Color, p xy) (why Reason) {
	switch {
	case b.rule == game.Renju && c == game.Black:
		b.with(p, c, func() { why = b.foul(p) })
	case b.rule == game.Omok:
		b.with(p, c, func() { why = b.omokFoul(p) })
	}
	return
}

// omokFoul judges the stone on p: two threes or more, and no five. A three is a row that
// one more stone turns into four in a row with both ends empty, and no four.
func (b *naive) omokFoul(p xy) Reason {
	threes := 0
	for d := range 4 {
		if len(b.fivePoints(p, d)) > 0 {
			continue
		}
		if slices.ContainsFunc(b.line(p, d), func(e xy) (open bool) {
			if b.isEmpty(e) {
				b.with(e, b.at(p), func() {
					from, to, n := b.row(p, d)
					e4, _, _ := b.row(e, d)
					open = n == 4 && from == e4 && b.isEmpty(from.step(d, -1)) && b.isEmpty(to.step(d, 1))
				})
			}
			return
		}) {
			threes++
		}
	}
	if threes > 1 && !b.won(p) {
		return DoubleThreeFoul
	}
	return Allowed
}

// foul is the text of the Renju International Federation, taken literally, for the black
// stone on p.
func (b *naive) foul(p xy) Reason {
	if b.won(p) {
		return Allowed // five comes first
	}
	for d := range 4 {
		if _, _, n := b.row(p, d); n > 5 {
			return Overline
		}
	}
	if b.fours(p) > 1 {
		return DoubleFour
	}
	threes := 0
	for d := range 4 {
		if b.realThree(p, d) {
			threes++
		}
	}
	if threes > 1 {
		return DoubleThreeFoul
	}
	return Allowed
}

// realThree reports whether one more stone, one that is allowed, makes a straight four
// of which the stone on p and the new one are part.
func (b *naive) realThree(p xy, d int) bool {
	real := false
	for _, e := range b.line(p, d) {
		if real || !b.isEmpty(e) {
			continue
		}
		b.with(e, game.Black, func() {
			from, to, _ := b.row(p, d)
			between := false
			for q := from; ; q = q.step(d, 1) {
				between = between || q == e
				if q == to {
					break
				}
			}
			if !between || !b.straightFour(p, d) {
				return
			}
			if b.won(e) {
				real = b.fiveAtFour
				return
			}
			real = b.foul(e) == Allowed
		})
	}
	return real
}

// shape names what the stone on p makes in direction d, as far as the words five, four
// and three go. Dead stands for everything weaker.
func (b *naive) shape(p xy, d int) Shape {
	c := b.at(p)
	limited := b.rule == game.Renju && c == game.Black
	if b.wins(p, d) {
		return FiveShape
	}
	if _, _, n := b.row(p, d); n > 5 && limited {
		return SixShape
	}
	line := b.line(p, d)
	if len(b.fivePoints(p, d)) > 0 {
		switch {
		case b.stopped(p, line, d):
			return Four
		case b.straightFour(p, d):
			return FourOpen
		}
		return FourDouble
	}
	open, four := 0, false
	for _, e := range line {
		if !b.isEmpty(e) {
			continue
		}
		b.set(e, c)
		if len(b.fivePoints(p, d)) > 0 {
			four = true
			if (!limited || b.straightFour(p, d)) && !b.stopped(p, line, d) {
				open++
			}
		}
		b.set(e, game.Empty)
	}
	switch {
	case open > 1:
		return ThreeOpen2
	case open == 1:
		return ThreeOpen
	case four:
		return ThreeClosed
	}
	return Dead
}

// judge returns the shapes of the stone on p and the lowest and highest class that they
// allow. A four that no one stone on the whole board stops is an open four.
func (b *naive) judge(p xy, everywhere []xy) (s [4]Shape, least, most Class) {
	var four []int
	threes, closed := 0, 0
	five := false
	for d := range 4 {
		s[d] = b.shape(p, d)
		switch {
		case s[d] == FiveShape:
			five = true
		case s[d].IsFour():
			four = append(four, d)
		case s[d].IsThree():
			threes++
		case s[d] == ThreeClosed:
			closed++
		}
	}
	switch {
	case five:
		return s, Five, Five
	case len(four) > 0 && !b.stopped(p, everywhere, four...):
		return s, OpenFour, OpenFour
	case len(four) > 0 && threes > 0:
		return s, FourThree, FourThree
	case len(four) > 0 && closed > 0:
		return s, FourPlus, FourPlus
	case len(four) > 0:
		return s, FourOnly, FourPlus
	case threes > 1:
		return s, DoubleThree, DoubleThree
	case threes > 0 && closed > 0:
		return s, OpenThreePlus, OpenThreePlus
	case threes > 0:
		return s, OpenThree, OpenThreePlus
	case closed > 1:
		return s, ThreePlus, ThreePlus
	case closed > 0:
		return s, Three, ThreePlus
	}
	return s, Nothing, TwoTwo
}

func (b *naive) String() string {
	var s strings.Builder
	for y := range b.size {
		for x := range b.size {
			s.WriteByte("XO.#"[b.cell[y][x]])
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// scatter fills the board at random: stones strewn, and rows that nearly are one.
func (b *naive) scatter(rng *rand.Rand) {
	density := rng.Float64() * 0.5
	black := [...]float64{0.5, 0.5, 0.75, 0.95, 0.2}[rng.IntN(5)]
	walls := [...]float64{0, 0, 0, 0.04}[rng.IntN(4)]
	stone := func() game.Color {
		if rng.Float64() < black {
			return game.Black
		}
		return game.White
	}
	for y := range b.size {
		for x := range b.size {
			switch {
			case rng.Float64() < walls:
				b.cell[y][x] = game.Wall
			case rng.Float64() < density:
				b.cell[y][x] = stone()
			}
		}
	}
	for range rng.IntN(1 + b.size/2) {
		p, d, c := xy{rng.IntN(b.size), rng.IntN(b.size)}, rng.IntN(4), stone()
		fill := 0.3 + rng.Float64()*0.5
		for n := range 5 + rng.IntN(6) {
			if q := p.step(d, n); b.on(q) {
				b.set(q, game.Empty)
				if rng.Float64() < fill {
					b.set(q, c)
				}
			}
		}
	}
}

// position sets up the twin's board, each point where to sends it.
func (b *naive) position(p *Position, to func(xy) xy) {
	p.Reset()
	for y := range b.size {
		for x := range b.size {
			if c := b.cell[y][x]; c != game.Empty {
				p.Set(to(xy{x, y}).point(), c)
			}
		}
	}
}

func same(p xy) xy { return p }

// symmetry returns one of the eight symmetries of a board: of its points and directions.
func symmetry(size, n int) (point func(xy) xy, dir func(int) int) {
	turn := func(p xy) xy {
		if n&4 != 0 {
			p.x, p.y = p.y, p.x
		}
		if n&1 != 0 {
			p.x = size - 1 - p.x
		}
		if n&2 != 0 {
			p.y = size - 1 - p.y
		}
		return p
	}
	return turn, func(d int) int {
		a, b := turn(xy{}), turn(ways[d])
		v := xy{b.x - a.x, b.y - a.y}
		for e, w := range ways {
			if v == w || v == (xy{-w.x, -w.y}) {
				return e
			}
		}
		panic("no direction")
	}
}

// every variant whose rules differ.
var variants = []game.Variant{
	{Rule: game.Freestyle},
	{Rule: game.Standard},
	{Rule: game.Renju},
	{Rule: game.Renju, FiveAtFour: true},
	{Rule: game.Caro},
	{Rule: game.CaroSix},
	{Rule: game.Omok},
	{Rule: game.Pente},
	{Rule: game.Keryo},
}

func variantName(v game.Variant) string {
	if v.FiveAtFour {
		return v.Rule.String() + "-B"
	}
	return v.Rule.String()
}

// Random boards of every size and kind: shapes, classes, winners and forbidden points are
// what the twin reads from the board, under all eight symmetries.
func TestNaive(t *testing.T) {
	for n, v := range variants {
		t.Run(variantName(v), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(n), 7))
			table := newTable(t, v.Rule, v.FiveAtFour)
			var seen, wins int
			var classes [NumClasses]int
			var fouls [DoubleThreeFoul + 1]int
			for round := 0; seen < naivePoints; round++ {
				v.Size = MinSize + round%(MaxSize-MinSize+1)
				b := newNaive(v)
				b.scatter(rng)
				p := NewPosition(table, v.Size)
				b.position(p, same)
				empty := b.empties()
				for _, q := range empty {
					seen++
					pt := q.point()
					for c := range game.Empty {
						b.set(q, c)
						shapes, least, most := b.judge(q, empty)
						b.set(q, game.Empty)
						after := *b
						after.play(q, c)
						won := after.won(q)
						five := won && !after.enough(c)
						got := p.Shapes(c, pt)
						for d := range got {
							if got[d] != shapes[d] && (shapes[d] != Dead || got[d] >= ThreeClosed || got[d] == SixShape) {
								t.Fatalf("%v %s direction %d: shape %d, want %d\n%v", c, pt.Name(v.Size), d, got[d], shapes[d], b)
							}
						}
						cl := p.Class(c, pt)
						if cl < least || cl > most {
							t.Fatalf("%v %s: class %d, want %d to %d\n%v", c, pt.Name(v.Size), cl, least, most, b)
						}
						classes[cl]++
						p.SetSide(c)
						p.Make(pt)
						if p.Won() != won || (cl == Five) != five && !after.enough(c) {
							t.Fatalf("%v %s: won %v, class %d, want %v\n%v", c, pt.Name(v.Size), p.Won(), cl, won, b)
						}
						p.Unmake()
						if won {
							wins++
						}
					}
					for c := range game.Empty {
						why := p.Forbidden(c, pt)
						if want := b.forbidden(c, q); why != want || p.Playable(c, pt) != (why == Allowed) {
							t.Fatalf("%v %s: %v, want %v\n%v", c, pt.Name(v.Size), why, want, b)
						}
						fouls[why]++
					}
				}
				mirror := NewPosition(table, v.Size)
				for s := range 8 {
					to, dir := symmetry(v.Size, s)
					b.position(mirror, to)
					compareMirror(t, b, p, mirror, to, dir)
				}
			}
			for cl := range classes {
				if classes[cl] == 0 {
					t.Errorf("no point of class %d was seen", cl)
				}
			}
			if v.Rule == game.Renju && slices.Contains(fouls[:], 0) {
				t.Errorf("fouls seen: %v", fouls)
			}
			if v.Rule == game.Omok && fouls[DoubleThreeFoul] == 0 {
				t.Error("no double three was seen")
			}
			t.Logf("%d points, %d wins, classes %v, fouls %v", seen, wins, classes, fouls)
		})
	}
}

func compareMirror(t *testing.T, b *naive, p, mirror *Position, to func(xy) xy, dir func(int) int) {
	t.Helper()
	for _, q := range b.empties() {
		for c := range game.Empty {
			q, m := q.point(), to(q).point()
			want, got := p.Shapes(c, q), mirror.Shapes(c, m)
			for d := range 4 {
				if want[d] != got[dir(d)] {
					t.Fatalf("%v %s: shapes %v, mirrored to %s %v\n%v", c, q.Name(b.size), want, m.Name(b.size), got, b)
				}
			}
			if p.Class(c, q) != mirror.Class(c, m) || p.MayBeForbidden(c, q) != mirror.MayBeForbidden(c, m) ||
				p.Forbidden(c, q) != mirror.Forbidden(c, m) {
				t.Fatalf("%v %s: judged otherwise when mirrored to %s\n%v", c, q.Name(b.size), m.Name(b.size), b)
			}
		}
	}
	for c := range game.Empty {
		for cl := Nothing; cl < NumClasses; cl++ {
			if p.Count(c, cl) != mirror.Count(c, cl) {
				t.Fatalf("%v: %d points of class %d, mirrored %d\n%v", c, p.Count(c, cl), cl, mirror.Count(c, cl), b)
			}
		}
	}
}

// Every line there is: ten cells about a stone, each empty, black, white or dead. The
// shapes below a three follow from those above by one more stone.
func TestEveryLine(t *testing.T) {
	for _, v := range variants {
		if v.FiveAtFour {
			continue // no shape depends on it
		}
		t.Run(v.Rule.String(), func(t *testing.T) {
			t.Parallel()
			v.Size = 11
			table := newTable(t, v.Rule, false)
			lookup := func(b *naive, c game.Color) Shape {
				var key [2]uint32
				for i := range 5 {
					key[0] |= uint32(stoneBits[b.cell[0][i]]) << (2 * i)
					key[1] |= uint32(stoneBits[b.cell[0][i+6]]) << (2 * i)
				}
				w := table.lo[key[0]] + table.hi[key[1]]
				return Shape(table.shapes[c][uint16(w>>(16*c))])
			}
			b := newNaive(v)
			p := xy{5, 0}
			for n := 0; n < 1<<20; n += naiveWindows {
				for i := range 5 {
					b.cell[0][i] = [...]game.Color{game.Empty, game.Black, game.White, game.Wall}[n>>(2*i)&3]
					b.cell[0][i+6] = [...]game.Color{game.Empty, game.Black, game.White, game.Wall}[n>>(2*i+10)&3]
				}
				for c := range game.Empty {
					b.set(p, c)
					got, want := lookup(b, c), b.shape(p, 0)
					if want == Dead {
						want = b.weak(p, func() Shape { return lookup(b, c) })
					}
					if got != want {
						t.Fatalf("%v: %s is %d, want %d", c, strings.SplitN(b.String(), "\n", 2)[0], got, want)
					}
				}
			}
		})
	}
}

// weak names what is less than a three by what one more stone makes of it.
func (b *naive) weak(p xy, lookup func() Shape) Shape {
	c := b.at(p)
	if _, _, n := b.row(p, 0); n >= 5 {
		return Dead
	}
	open := 0
	var best Shape
	for _, e := range b.line(p, 0) {
		if !b.isEmpty(e) {
			continue
		}
		b.set(e, c)
		s := lookup()
		b.set(e, game.Empty)
		switch s {
		case ThreeOpen:
			open++
		case ThreeOpen2:
			open += 2
		case SixShape:
			continue
		}
		best = max(best, s)
	}
	switch {
	case open > 4:
		return TwoOpen3
	case open > 2:
		return TwoOpen2
	case open > 0:
		return TwoOpen
	case best == ThreeClosed:
		return TwoClosed
	case best >= TwoOpen && best <= TwoOpen3:
		return OneOpen
	case best == TwoClosed:
		return OneClosed
	}
	return Dead
}
