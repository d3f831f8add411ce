package mcts

import (
	"context"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// oracle is a judge for tests: every move has the same chance, but that one point may have
// twenty times as much, and the side whose stone is on another has won.
type oracle struct {
	likes, wins game.Point
	doubts      bool // where nobody has won it is not even, but anything near it
	sleep       time.Duration
	size, most  int
	asked       []*weiqi.Verdict
	left        *atomic.Int64 // questions until done is called
	done        func()
	says        func(p *weiqi.Position, v *weiqi.Verdict) // the rest of a verdict
	remembers   func(p *weiqi.Position) bool              // answers at once; nil where a position's key says so
}

func (o *oracle) Open(size, most int) (Asker, error) {
	if size == 4 {
		return nil, fmt.Errorf("no boards of size 4")
	}
	c := *o
	c.size, c.most = size, most
	return &c, nil
}

func (o *oracle) Ask(p *weiqi.Position, komi float64, v *weiqi.Verdict) bool {
	if len(o.asked) == o.most || p.Size() != o.size {
		panic("too many questions, or another board")
	}
	if o.asked = append(o.asked, v); o.left != nil && o.left.Add(-1) == 0 {
		o.done()
	}
	*v = weiqi.Verdict{Win: 0.5, Loss: 0.5}
	if o.doubts {
		v.Win += float32(p.Key()>>8&15)/75 - 0.1
		v.Loss = 1 - v.Win
	}
	for q := range board(o.size) {
		if v.Policy[q] = -1; p.At(q) == game.Empty && p.Playable(q) {
			v.Policy[q] = 1e-3
		}
	}
	v.Policy[game.Pass] = 1e-4
	if o.likes != 0 && v.Policy[o.likes] > 0 {
		v.Policy[o.likes] = 0.02
	}
	if o.wins != 0 {
		switch p.At(o.wins) {
		case p.Side():
			v.Win, v.Loss = 0.9, 0.1
		case p.Side().Other():
			v.Win, v.Loss = 0.1, 0.9
		}
	}
	if o.says != nil {
		o.says(p, v)
	}
	known := p.Key()%5 == 0
	if o.remembers != nil {
		known = o.remembers(p)
	}
	if known {
		o.asked = o.asked[:len(o.asked)-1]
	}
	return known
}

func (o *oracle) Run() { time.Sleep(o.sleep); o.asked = o.asked[:0] }

func asking(o *oracle, opts game.Options) *Engine {
	e := New(opts)
	e.UseJudge(o)
	return e
}

func emptyRecord(size int) *game.Record {
	return &game.Record{Variant: game.Variant{Rule: game.Weiqi, Size: size, Komi: 7.5, Ruleset: "chinese"}}
}

// The first thought is the network's favourite, more thought finds what wins.
func TestAsking(t *testing.T) {
	o := &oracle{likes: game.At(2, 2), wins: game.At(6, 6), doubts: true}
	for _, c := range []struct {
		lim  game.Limits
		want game.Point
	}{
		{game.Limits{Nodes: 1}, o.likes},
		{game.Limits{Instant: true}, o.likes},
		{game.Limits{Nodes: 400}, o.wins},
		{game.Limits{Nodes: 400, Avoid: []game.Point{o.wins}}, o.likes},
	} {
		e := asking(o, game.Options{Memory: 64 << 20})
		got := think(t, e, emptyRecord(9), c.lim)
		if got.Point != c.want {
			t.Errorf("%+v: %s, want %s", c.lim, got.Point.Name(9), c.want.Name(9))
		}
		if c.lim.Nodes > 0 && got.Info.Nodes != c.lim.Nodes {
			t.Errorf("%+v: %d nodes", c.lim, got.Info.Nodes)
		}
		if c.want == o.wins && got.Info.Value < 200 {
			t.Errorf("%+v: a value of %d", c.lim, got.Info.Value)
		}
	}
}

// A search is the same whatever the network remembers: a cache may have forgotten anything.
func TestAskingMemories(t *testing.T) {
	search := func(remembers func(*weiqi.Position) bool) game.Choice {
		e := asking(&oracle{doubts: true, remembers: remembers}, game.Options{Memory: 64 << 20})
		c := think(t, e, emptyRecord(5), game.Limits{Nodes: 600})
		c.Info.Time = 0
		return c
	}
	want := search(func(*weiqi.Position) bool { return false })
	n := 0
	for k, remembers := range []func(*weiqi.Position) bool{
		func(*weiqi.Position) bool { return true },
		func(p *weiqi.Position) bool { return p.Key()>>20&1 == 0 },
		func(*weiqi.Position) bool { n++; return n%3 == 0 },
	} {
		if got := search(remembers); !reflect.DeepEqual(got, want) {
			t.Errorf("memory %d: %+v, want %+v", k, got, want)
		}
	}
}

// brood gives a tree's root children with these chances, values and answers.
func brood(said float64, kids ...[3]float64) *tree {
	var t tree
	t.reset(1 << 20)
	t.room(&t.root, len(kids))
	*t.root.said(), *t.root.answers() = uint16(said*one), 1
	for i := range t.kids(&t.root) {
		c := node{point: game.At(i, 0), prior: uint16(kids[i][0] * sureness), visits: uint32(kids[i][2])}
		*c.answers() = c.visits
		c.sum = uint64(kids[i][1] * kids[i][2] * one)
		*c.squares() = uint32(kids[i][1] * kids[i][1] * kids[i][2] * one)
		t.kids(&t.root)[i] = c
		*t.root.answers() += c.visits
	}
	t.root.visits = *t.root.answers()
	t.weigh(&t.root)
	return &t
}

// What seems bad counts less than the mean would have it, and equal values as they are.
func TestWeigh(t *testing.T) {
	for _, c := range []struct {
		t         *tree
		low, high float64
	}{
		{brood(0.6), 0.599, 0.601},
		{brood(0.5, [3]float64{0.5, 0.5, 7}, [3]float64{0.5, 0.5, 3}), 0.499, 0.501},
		// 0.7 and four times 0.3, and for the side to move 0.9 once: the mean for the other is 0.333.
		{brood(0.3, [3]float64{0.5, 0.7, 4}, [3]float64{0.1, 0.9, 1}), 0.24, 0.265},
		// The second reply was a mistake. The mean is 0.433.
		{brood(0.4, [3]float64{0.5, 0.6, 4}, [3]float64{0.4, 0.4, 1}), 0.425, 0.432},
		{brood(0.4, [3]float64{0.5, 0.6, 40}, [3]float64{0.4, 0.2, 10}), 0.43, 0.465},
	} {
		if got := c.t.root.mean(); got < c.low || got > c.high {
			t.Errorf("%.4f, want %.3f to %.3f", got, c.low, c.high)
		}
	}
}

// Where values lie apart more is explored: there the move with the chance is tried again.
func TestSpread(t *testing.T) {
	calm := brood(0.5, [3]float64{0.2, 0.53, 9}, [3]float64{0.4, 0.47, 9})
	if got := calm.promising(&calm.root, unseen).point; got != game.At(0, 0) {
		t.Errorf("calm: %s", got.Name(9))
	}
	wild := brood(0.5, [3]float64{0.2, 0.53, 9}, [3]float64{0.4, 0.47, 9})
	*wild.root.squares() += uint32(0.1 * float64(*wild.root.answers()) * one)
	if got := wild.promising(&wild.root, unseen).point; got != game.At(1, 0) {
		t.Errorf("wild: %s", got.Name(9))
	}
}

// The move that was looked at most is not the best if another one is surely better.
func TestSurest(t *testing.T) {
	for _, c := range []struct {
		name string
		t    *tree
		want game.Point
	}{
		{"better and sure", brood(0.5, [3]float64{0.5, 0.5, 40}, [3]float64{0.3, 0.6, 30}), game.At(1, 0)},
		{"better by chance", brood(0.5, [3]float64{0.5, 0.5, 40}, [3]float64{0.3, 0.6, 2}), game.At(0, 0)},
		{"hardly better, less sure", brood(0.5, [3]float64{0.5, 0.5, 40}, [3]float64{0.3, 0.501, 7}), game.At(0, 0)},
		{"nothing known", brood(0.5, [3]float64{0.5, 0, 0}, [3]float64{0.3, 0, 0}), game.At(0, 0)},
	} {
		if got := c.t.surest(&c.t.root).point; got != c.want {
			t.Errorf("%s: %s", c.name, got.Name(9))
		}
	}
}

// The same search is the same again, though questions are asked together.
func TestAskingAgain(t *testing.T) {
	o := &oracle{wins: game.At(3, 3)}
	var first game.Choice
	for i := range 3 {
		got := think(t, asking(o, game.Options{Memory: 64 << 20}), emptyRecord(7), game.Limits{Nodes: 700})
		if i == 0 {
			first = got
			continue
		}
		if got.Point != first.Point || got.Info.Value != first.Info.Value || fmt.Sprint(got.Info.PV) != fmt.Sprint(first.Info.PV) {
			t.Errorf("%+v, then %+v", first, got)
		}
	}
}

// However many threads ask, in the end each visit has its value and no leaf waits.
func TestAskingThreads(t *testing.T) {
	for _, threads := range []int{1, 2, 4} {
		for _, size := range []int{5, 9} {
			e := asking(&oracle{likes: game.At(1, 1), wins: game.At(2, 2), sleep: time.Microsecond}, game.Options{Memory: 64 << 20, Threads: threads})
			think(t, e, emptyRecord(size), game.Limits{Nodes: 500})
			if n := e.tree.root.visits; n != 500 {
				t.Errorf("%d threads: %d visits of the root", threads, n)
			}
			var walk func(n *node)
			walk = func(n *node) {
				if *n.answers() != n.visits || n.sum > one*uint64(n.visits) {
					t.Fatalf("%d threads: a node of %d visits has %d answers, sum %d", threads, n.visits, *n.answers(), n.sum)
				}
				// The mean of the squares is not below the square of the mean, but for rounding.
				if v := max(n.visits, 1); uint64(*n.squares())+uint64(v) < n.sum*n.sum/one/uint64(v) || *n.squares() > one*v {
					t.Fatalf("%d threads: %d visits with a sum of %d, %d of the squares", threads, n.visits, n.sum, *n.squares())
				}
				below := uint32(0)
				kids := e.tree.kids(n)
				for i := range kids {
					below += kids[i].visits
					walk(&kids[i])
				}
				if below > n.visits {
					t.Fatalf("%d threads: %d visits below %d", threads, below, n.visits)
				}
			}
			walk(&e.tree.root)
		}
	}
}

// A search goes on from what the one before has found, and in a tree that is full.
func TestAskingMemory(t *testing.T) {
	stop := func() {}
	o := &oracle{wins: game.At(4, 4), left: new(atomic.Int64), done: func() { stop() }}
	e := asking(o, game.Options{Memory: 64 << 20})
	rec := emptyRecord(9)
	var c game.Choice
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		o.left.Store(300)
		stop = cancel
		var err error
		if c, err = e.Think(ctx, rec, game.Limits{}, nil); err != nil {
			t.Fatal(err)
		}
		rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: c.Point})
	}
	if n := &e.tree.root; int64(n.visits) <= c.Info.Nodes || *n.answers() != n.visits {
		t.Errorf("%d visits with %d answers, of which %d are new", n.visits, *n.answers(), c.Info.Nodes)
	}
	small := asking(o, game.Options{Memory: 1})
	if got := think(t, small, emptyRecord(9), game.Limits{Nodes: 5000}); got.Info.Nodes != 5000 {
		t.Errorf("%d nodes in a full tree", got.Info.Nodes)
	}
}

// A search ends before an answer would be late, and says that a network does not know a size.
func TestAskingLimits(t *testing.T) {
	e := asking(&oracle{sleep: 20 * time.Millisecond}, game.Options{Memory: 64 << 20})
	// 30 ms are no time for a second answer of 20.
	c := think(t, e, emptyRecord(9), game.Limits{Start: time.Now().Add(-time.Hour), Hard: time.Hour + 30*time.Millisecond})
	if c.Point == game.NoPoint || c.Info.Nodes > 2 {
		t.Errorf("%s after %d nodes", c.Point.Name(9), c.Info.Nodes)
	}
	if _, err := e.Think(context.Background(), emptyRecord(4), game.Limits{Nodes: 10}, nil); err == nil {
		t.Error("thought about a board that the network does not know")
	}
}
