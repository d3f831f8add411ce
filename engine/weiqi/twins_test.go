package weiqi

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tengen/engine/game"
)

// pair is a position and its twin.
type pair struct {
	t *testing.T
	p *Position
	w *twin
}

func newPair(t *testing.T, r Rules, size int) *pair {
	p := NewPosition(r, size)
	return &pair{t, p, newTwin(size, r, picture(&p.Board), 'X')}
}

func (x *pair) mover() byte { return "XO"[x.p.Side()] }

func (x *pair) check(q game.Point) (legal bool) {
	i := q.Y()*x.p.Size() + q.X()
	want, playable := x.w.judge(x.mover(), i)
	if got := x.p.Legal(q); got.String() != want {
		x.t.Fatalf("%s: %c %s is %q, twin %q\n%s", x.p.rules, x.mover(), q.Name(x.p.size), got, want, x.draw())
	}
	if got := x.p.Playable(q); got != playable {
		x.t.Fatalf("%s: %c %s playable %v, twin %v\n%s", x.p.rules, x.mover(), q.Name(x.p.size), got, playable, x.draw())
	}
	return want == "legal"
}

func (x *pair) make(q game.Point) {
	if q == game.Pass {
		x.w.play(x.mover(), -1)
	} else {
		x.w.play(x.mover(), q.Y()*x.p.size+q.X())
	}
	x.p.Make(q)
}

func (x *pair) compare() {
	p, w := x.p, x.w
	if got := picture(&p.Board); got != w.board {
		x.t.Fatalf("%s: board\n%s\ntwin %s", p.rules, x.draw(), w.board)
	}
	for c := game.Black; c <= game.White; c++ {
		if p.Captured(c) != w.captured[c] {
			x.t.Fatalf("%s: %s captured %d, twin %d", p.rules, c, p.Captured(c), w.captured[c])
		}
	}
	n := p.Count(&Set{})
	b, o, neutral := w.area()
	if n.Area(game.Black) != b || n.Area(game.White) != o || n.Neutral != neutral {
		x.t.Fatalf("%s: area %d %d %d, twin %d %d %d\n%s", p.rules,
			n.Area(game.Black), n.Area(game.White), n.Neutral, b, o, neutral, x.draw())
	}
	if b-o != p.settled()-x.unsettled(&n) {
		x.t.Fatalf("%s: settled %d\n%s", p.rules, p.settled(), x.draw())
	}
}

// unsettled is what settled, made for the ends of playouts, overlooks: territory of more
// than single points.
func (x *pair) unsettled(n *Count) int {
	d := 0
	for y := range x.p.size {
		for c := range x.p.size {
			q := game.At(c, y)
			if k := x.p.At(q); k != game.Empty {
				continue
			}
			around := x.p.near[cell(q)]
			switch {
			case around.own(game.Black) == 4:
				d++
			case around.own(game.White) == 4:
				d--
			}
			switch n.Owner[q] {
			case game.Black:
				d--
			case game.White:
				d++
			}
		}
	}
	return d
}

func (x *pair) draw() string {
	s := ""
	for y := range x.w.size {
		s += x.w.board[y*x.w.size:(y+1)*x.w.size] + "\n"
	}
	return s
}

// setsOfRules are the named rule sets and every kind of ko with and without suicide.
func setsOfRules() []Rules {
	sets := append([]Rules(nil), ruleSets...)
	for k := Ko(0); k < numKo; k++ {
		for _, suicide := range []bool{false, true} {
			r, err := ParseRules(fmt.Sprintf("french ko=%s suicide=%v", k, suicide))
			if err != nil {
				panic(err)
			}
			sets = append(sets, r)
		}
	}
	return sets
}

// randomGame plays one game of random legal moves against the twin. Every point is checked
// each turn, or a few of them.
func randomGame(t *testing.T, rng *rand.Rand, r Rules, size int, every bool) (moves int) {
	x := newPair(t, r, size)
	for moves < 3*size*size+4 {
		if rng.IntN(64) == 0 {
			x.p.SetSide(x.p.Side().Other()) // one side moves twice
		}
		q := game.Pass
		seen := 0
		offset := rng.IntN(size * size)
		for k := range size * size {
			i := (offset + k*7919) % (size * size) // 7919 is prime
			p := game.At(i%size, i/size)
			if x.p.At(p) != game.Empty && !every {
				continue
			}
			if !every && seen >= 4 && q != game.Pass {
				break
			}
			seen++
			// Filling own eyes is legal, but games in which it is rare come to life and ko.
			if x.check(p) && (q == game.Pass || rng.IntN(size) == 0) &&
				(!x.p.Eye(x.p.Side(), p) || rng.IntN(16) == 0) {
				q = p
			}
		}
		if rng.IntN(50) == 0 {
			q = game.Pass
		}
		x.make(q)
		x.compare()
		moves++
		if x.p.Passes() >= 2 && rng.IntN(2) == 0 {
			break
		}
	}
	return moves
}

// Random games on 9x9: legality, captures and score agree after every move.
func TestTwin(t *testing.T) {
	sets := setsOfRules()
	const parts = 4
	for part := range uint64(parts) {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(part, 2))
			moves := 0
			for i := range twinGames / parts {
				moves += randomGame(t, rng, sets[i%len(sets)], 9, i%32 == 0)
			}
			t.Logf("%d games, %d moves", twinGames/parts, moves)
		})
	}
}

// On tiny boards repetitions and suicides come all the time.
func TestTwinTiny(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range twinGames / 15 {
		for _, r := range setsOfRules() {
			randomGame(t, rng, r, 2+i%4, true)
		}
	}
}

// Any other size.
func TestTwinSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	sets := setsOfRules()
	for size := MinSize; size <= MaxSize; size++ {
		randomGame(t, rng, sets[size%len(sets)], size, size < 8)
	}
}
