package threat

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"tengen/engine/game"
	"tengen/engine/line"
)

var allRules = []game.Rule{game.Freestyle, game.Standard, game.Renju, game.Caro, game.CaroSix}

const plenty = 10_000_000

// frozen is all that can be asked of a position.
type frozen struct {
	Key    uint64
	Value  int
	Side   game.Color
	Won    bool
	Empty  int
	Ply    int
	Count  [2][line.NumClasses]int
	Sets   [2][line.NumClasses]line.Set
	Shapes [2][game.NumPoints][4]line.Shape
	Taken  line.Set
}

func freeze(p *line.Position) *frozen {
	f := &frozen{Key: p.Key(), Value: p.Value(), Side: p.Side(), Won: p.Won(),
		Empty: p.Empty(), Ply: p.Ply(), Taken: *p.Taken()}
	for c := range game.Empty {
		for cl := range line.NumClasses {
			f.Count[c][cl] = p.Count(c, cl)
			if cl != line.Nothing {
				f.Sets[c][cl] = *p.Points(c, cl)
			}
		}
		for q := range game.Point(game.NumPoints) {
			f.Shapes[c][q] = p.Shapes(c, q)
		}
	}
	return f
}

// check solves a position, checks the claim by every means but the expected answer, and
// returns it.
func check(t *testing.T, v *VCF, rec *game.Record) Result {
	t.Helper()
	p := position(t, rec)
	before := freeze(p)
	r := v.Solve(p, plenty, nil)
	if *freeze(p) != *before {
		t.Errorf("the position has changed")
	}
	if r.Status != Win {
		if r.Move != game.NoPoint || r.Plies != 0 {
			t.Errorf("%v, yet a move and its length: %+v", r.Status, r)
		}
		return r
	}
	checkLine(t, rec, r, v.Line())
	g, err := line.Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(g, r.Move, v, plenty); err != nil {
		t.Error(err)
	}
	return r
}

// checkLine plays a line by the referee: it must be legal, and end with the five or where
// the defender can no longer stop it.
func checkLine(t *testing.T, rec *game.Record, r Result, qs []game.Point) {
	t.Helper()
	qs = slices.Clone(qs)
	g, err := line.Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	a := g.ToMove()
	if len(qs) == 0 || qs[0] != r.Move {
		t.Fatalf("move %v, line %v", r.Move, qs)
	}
	for _, q := range qs {
		if err := g.Play(q); err != nil {
			t.Fatalf("line %s: %v", names(qs, rec.Variant.Size), err)
		}
	}
	switch over := g.Result().Outcome; {
	case over == game.WinFor(a):
		if len(qs) != r.Plies {
			t.Errorf("%d plies claimed, line %s", r.Plies, names(qs, rec.Variant.Size))
		}
	case over != game.Open || g.ToMove() == a:
		t.Errorf("the line %s ends with %v", names(qs, rec.Variant.Size), over)
	default:
		if len(qs)+2 != r.Plies {
			t.Errorf("%d plies claimed, line %s and a five", r.Plies, names(qs, rec.Variant.Size))
		}
		for q := range points(g) {
			if g.Legal(q) != nil {
				continue
			}
			if err := g.Play(q); err != nil {
				t.Fatal(err)
			}
			wins := false
			for e := range points(g) {
				wins = wins || makesFive(g.Position(), a, e)
			}
			g.Undo()
			if !wins {
				t.Errorf("the line %s is stopped at %s", names(qs, rec.Variant.Size), q.Name(rec.Variant.Size))
			}
		}
	}
}

func TestPuzzles(t *testing.T) {
	v := NewVCF(0)
	for _, z := range readPuzzles(t, "VCF", "NO_VCF") {
		t.Run(z.ID, func(t *testing.T) {
			r := check(t, v, z.record(t))
			if z.Kind == "NO_VCF" {
				if r.Status != None {
					t.Errorf("%v, want none", r.Status)
				}
				return
			}
			if r.Status != Win {
				t.Fatalf("%v, want a win of %d fours", r.Status, z.Fours)
			}
			first := r.Move.Name(z.Size)
			if z.Complete && !slices.Contains(z.First, first) {
				t.Errorf("first move %s is none of %v", first, z.First)
			}
			if z.Complete && r.Plies < 2*z.Fours+1 {
				t.Errorf("%d plies, but %d fours are needed", r.Plies, z.Fours)
			}
		})
	}
}

func TestReferences(t *testing.T) {
	v := NewVCF(0)
	if r := check(t, v, moves(t, game.Renju, 15, r1)); r.Status != Win {
		t.Errorf("R1: %+v", r)
	}
	if r := check(t, v, moves(t, game.Renju, 15, r2)); r.Status != None {
		t.Errorf("R2: %+v", r)
	}
}

// The rule of each drawing is written beside it. Want is the length of the win, 0 for
// none, in freestyle, standard, renju, caro, caro with sixes.
func TestDrawings(t *testing.T) {
	for _, c := range drawings {
		t.Run(c.name, func(t *testing.T) {
			for i, rule := range allRules {
				rec := draw(t, rule, c.side, c.board)
				r := check(t, NewVCF(0), rec)
				if r.Status == Unknown || r.Plies != c.want[i] {
					t.Errorf("%v: %v in %d plies, want %d", rule, r.Status, r.Plies, c.want[i])
				}
				if n := newNaive(position(t, rec)); n.attack() != (c.want[i] > 0) {
					t.Errorf("%v: the slow search finds %v", rule, c.want[i] == 0)
				}
			}
		})
	}
}

// naive searches for a win by fours by the definition: all moves, all replies, rows
// counted.
type naive struct {
	p    *line.Position
	a, d game.Color
	memo map[uint64]bool
}

func newNaive(p *line.Position) *naive {
	return &naive{p, p.Side(), p.Side().Other(), map[uint64]bool{}}
}

func (n *naive) empty(f func(game.Point) (stop bool)) bool {
	for y := range n.p.Size() {
		for x := range n.p.Size() {
			if q := game.At(x, y); n.p.At(q) == game.Empty && f(q) {
				return true
			}
		}
	}
	return false
}

func (n *naive) five(c game.Color) bool {
	return n.empty(func(q game.Point) bool { return makesFive(n.p, c, q) })
}

// try plays q, asks f, and takes q back.
func (n *naive) try(q game.Point, f func() bool) bool {
	if n.p.Forbidden(n.p.Side(), q) != line.Allowed {
		return false
	}
	n.p.Make(q)
	defer n.p.Unmake()
	return f()
}

func (n *naive) attack() bool {
	key := n.p.Key()
	wins, ok := n.memo[key]
	if !ok {
		wins = n.five(n.a) || n.empty(func(q game.Point) bool { return n.try(q, n.holds) })
		n.memo[key] = wins
	}
	return wins
}

// holds reports whether the attacker's move makes a four that wins.
func (n *naive) holds() bool {
	if !n.five(n.a) || n.five(n.d) {
		return false
	}
	refuted := n.empty(func(q game.Point) bool {
		return n.try(q, func() bool { return !n.five(n.a) && !n.attack() })
	})
	canMove := n.empty(func(q game.Point) bool { return n.p.Forbidden(n.d, q) == line.Allowed })
	return !refuted && canMove
}

// On small random boards the search and its definition agree.
func TestAgainstDefinition(t *testing.T) {
	positions := 1500
	if testing.Short() {
		positions = 200
	}
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, uint64(rule)))
			v := NewVCF(1 << 12) // a small table, so that it forgets
			var seen [3]int
			deep := 0
			for range positions {
				rec := scatter(rng, rule)
				p := position(t, rec)
				r := v.Solve(p, plenty, nil)
				seen[r.Status]++
				if r.Plies > 5 {
					deep++
				}
				if got, want := r.Status == Win, newNaive(p).attack(); got != want || r.Status == Unknown {
					t.Fatalf("%v, the definition says %v:\n%s", r.Status, want, picture(rec))
				}
				if r.Status == Win && r.Plies > 3 {
					check(t, v, rec)
				}
				if t.Failed() {
					t.Fatalf("\n%s", picture(rec))
				}
			}
			t.Logf("%d wins (%d of more than 2 fours), %d without", seen[Win], deep, seen[None])
			if seen[Win] < positions/20 || seen[None] < positions/20 || deep < positions/100 {
				t.Error("the positions are too much alike")
			}
		})
	}
}

// scatter puts stones at random on a small board, more of the attacker's, and no five.
func scatter(rng *rand.Rand, rule game.Rule) *game.Record {
	for {
		size := 6 + rng.IntN(3)
		rec := &game.Record{Variant: game.Variant{Rule: rule, Size: size}}
		rec.Setup.ToMove = game.Color(rng.IntN(2))
		stones, share := 35+rng.IntN(40), 50+rng.IntN(20)
		for y := range size {
			for x := range size {
				q := game.At(x, y)
				switch {
				case rng.IntN(100) >= stones:
				case rng.IntN(60) == 0:
					rec.Setup.Walls = append(rec.Setup.Walls, q)
				case (rng.IntN(100) < share) == (rec.Setup.ToMove == game.Black):
					rec.Setup.Black = append(rec.Setup.Black, q)
				default:
					rec.Setup.White = append(rec.Setup.White, q)
				}
			}
		}
		if !decided(rec) {
			return rec
		}
	}
}

// decided reports whether there is a five, or a six, or an immediate one, on the board:
// those are of no interest.
func decided(rec *game.Record) bool {
	r, _ := line.RulesOf(rec.Variant)
	p := line.NewPosition(tables[r], rec.Variant.Size)
	if line.Place(p, rec.Setup) != nil {
		return true
	}
	if p.Count(rec.Setup.ToMove, line.Five) > 0 {
		return true
	}
	for y := range p.Size() {
		for x := range p.Size() {
			q := game.At(x, y)
			for _, s := range steps {
				c, n := p.At(q), 0
				for ; c < game.Empty && at(p, int(q)+n*s) == c; n++ {
				}
				if n > 4 {
					return true
				}
			}
		}
	}
	return false
}

func picture(rec *game.Record) string {
	n := rec.Variant.Size
	b := make([][]byte, n)
	for y := range b {
		b[y] = []byte("......................"[:n])
	}
	for c, qs := range [][]game.Point{rec.Setup.Black, rec.Setup.White, {}, rec.Setup.Walls} {
		for _, q := range qs {
			b[q.Y()][q.X()] = "XO.#"[c]
		}
	}
	s := rec.Variant.String() + ", " + rec.Setup.ToMove.String() + " moves\n"
	for y := range b {
		s += string(b[y]) + "\n"
	}
	return s
}

func TestLimits(t *testing.T) {
	p := position(t, moves(t, game.Renju, 15, r2))
	v := NewVCF(0)
	before := freeze(p)
	all := v.Solve(p, plenty, nil)
	for n := range all.Nodes {
		v.Clear()
		if r := v.Solve(p, n, nil); r.Status != Unknown || r.Nodes != n {
			t.Fatalf("%d nodes: %+v", n, r)
		}
	}
	v.Clear()
	if r := v.Solve(p, all.Nodes, nil); r.Status != None {
		t.Errorf("exactly enough nodes: %+v", r)
	}
	v.Clear()
	var stop atomic.Bool
	stop.Store(true)
	if r := v.Solve(p, plenty, &stop); r.Status != Unknown {
		t.Errorf("stopped: %+v", r)
	}
	if *freeze(p) != *before {
		t.Error("the position has changed")
	}
}

// What one rule or one board size has refuted says nothing about another.
func TestFailuresOfOtherRules(t *testing.T) {
	const six = "......../......../......../.XX.XX../......../...X..../......../........"
	v := NewVCF(0)
	for range 2 {
		for _, rule := range allRules {
			for _, board := range []string{six, "......../......../......../.XX.XXX./......../......../......../........"} {
				rec := draw(t, rule, game.Black, board)
				want := NewVCF(0).Solve(position(t, rec), plenty, nil)
				got := v.Solve(position(t, rec), plenty, nil)
				if got.Status != want.Status || got.Move != want.Move {
					t.Errorf("%v: %+v, alone %+v", rule, got, want)
				}
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	v := NewVCF(0)
	for _, rule := range allRules {
		p := position(t, moves(t, rule, 15, r1))
		n := testing.AllocsPerRun(10, func() {
			v.Clear()
			v.Solve(p, 2000, nil)
		})
		if n != 0 {
			t.Errorf("%v: %v allocations", rule, n)
		}
	}
}

func BenchmarkR1(b *testing.B) { benchmark(b, position(b, moves(b, game.Renju, 15, r1))) }
func BenchmarkR2(b *testing.B) { benchmark(b, position(b, moves(b, game.Renju, 15, r2))) }

func benchmark(b *testing.B, p *line.Position) {
	v := NewVCF(0)
	var nodes int64
	for b.Loop() {
		v.Clear()
		nodes += v.Solve(p, plenty, nil).Nodes
	}
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
}
