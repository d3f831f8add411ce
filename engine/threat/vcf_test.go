package threat

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/tt"
)

var allRules = []game.Rule{game.Freestyle, game.Standard, game.Renju, game.Caro, game.CaroSix, game.Omok}

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

// check solves a position, checks the claim by its line and, if all, by every other
// defence, and returns it.
func check(t *testing.T, v *VCF, rec *game.Record, all bool) Result {
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
	if !all {
		return r
	}
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
	for i, z := range readPuzzles(t, "VCF", "NO_VCF") {
		t.Run(z.ID, func(t *testing.T) {
			r := check(t, v, z.record(t), i%verified == 0)
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
	if r := check(t, v, moves(t, game.Renju, 15, r1), true); r.Status != Win {
		t.Errorf("R1: %+v", r)
	}
	if r := check(t, v, moves(t, game.Renju, 15, r2), true); r.Status != None {
		t.Errorf("R2: %+v", r)
	}
}

// The rule of each drawing is written beside it. Want is the length of the win, 0 for
// none, in freestyle, standard, renju, caro, caro with sixes, omok.
func TestDrawings(t *testing.T) {
	for _, c := range drawings {
		t.Run(c.name, func(t *testing.T) {
			for i, rule := range allRules {
				rec := draw(t, rule, c.side, c.board)
				r := check(t, NewVCF(0), rec, true)
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
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, uint64(rule)))
			v := NewVCF(1 << 12) // a small table, so that it forgets
			var seen [3]int
			deep := 0
			for range smallBoards {
				rec := scatter(t, rng, rule)
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
					check(t, v, rec, true)
				}
				if t.Failed() {
					t.Fatalf("\n%s", picture(rec))
				}
			}
			t.Logf("%d wins (%d of more than 2 fours), %d without", seen[Win], deep, seen[None])
			if seen[Win] < smallBoards/20 || seen[None] < smallBoards/20 || deep < smallBoards/100 {
				t.Error("the positions are too much alike")
			}
		})
	}
}

// scatter puts stones at random on a small board, more of the attacker's, and no five.
func scatter(t *testing.T, rng *rand.Rand, rule game.Rule) *game.Record {
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
		if !decided(t, rec) {
			return rec
		}
	}
}

// decided reports whether there is a five, or a six, or an immediate one, on the board:
// those are of no interest.
func decided(t *testing.T, rec *game.Record) bool {
	p := position(t, rec)
	if p.Count(rec.Setup.ToMove, line.Five) > 0 {
		return true
	}
	for y := range p.Size() {
		for x := range p.Size() {
			q := game.At(x, y)
			for d := range 4 {
				s, c, n := line.Step(d), p.At(q), 0
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

// A win against one more stone is found without reading the position again exactly where a
// search of its own finds one.
func TestStands(t *testing.T) {
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(12, uint64(rule)))
			v, w := NewVCF(1<<14), NewVCF(1<<14)
			var seen [3]int
			for range smallBoards {
				rec := scatter(t, rng, rule)
				p := position(t, rec)
				a, d := p.Side(), p.Side().Other()
				if p.Count(d, line.Five) > 0 || v.Solve(p, plenty, nil).Status != Win {
					continue
				}
				before := freeze(p)
				for y := range p.Size() {
					for x := range p.Size() {
						q := game.At(x, y)
						if p.At(q) != game.Empty {
							continue
						}
						r := v.Stands(p, q, plenty, nil)
						seen[r.Status]++
						p.Make(game.Pass)
						p.Make(q)
						if again := w.Solve(p, plenty, nil); again.Status != r.Status {
							t.Fatalf("%v against %s, want %v:\n%s", r.Status, q.Name(p.Size()), again.Status, picture(rec))
						}
						if r.Status == Win && (p.Class(a, r.Move) < line.FourOnly || len(v.Line()) != r.Plies && len(v.Line()) != r.Plies-2) {
							t.Fatalf("%+v, line %s:\n%s", r, names(v.Line(), p.Size()), picture(rec))
						}
						p.Unmake()
						p.Unmake()
					}
				}
				if *freeze(p) != *before {
					t.Fatal("the position has changed")
				}
			}
			t.Logf("%d wins, %d none", seen[Win], seen[None])
			if seen[Win] < smallBoards/10 || seen[None] < smallBoards/10 || seen[Unknown] > 0 {
				t.Error("the positions are too much alike")
			}
		})
	}
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

// The cells of fours and fives counted in rows are the points of those classes, and stones
// written on lines only are worth what stones made are.
func TestBoard(t *testing.T) {
	for _, rule := range allRules {
		rng := rand.New(rand.NewPCG(3, uint64(rule)))
		for range 60 {
			rec := scatter(t, rng, rule)
			p := position(t, rec)
			var b board
			b.read(p)
			a := p.Side()
			var undos []undo
			for range 8 {
				compareBoard(t, &b, p, rec)
				q := game.At(rng.IntN(p.Size()), rng.IntN(p.Size()))
				if p.At(q) != game.Empty || p.Class(p.Side(), q) == line.Five {
					continue
				}
				undos = append(undos, b.put(p.Side(), q))
				// The lines are p's own, so its Make must find them as they were.
				b.touch(p.Side(), q)
				p.Make(q)
			}
			for n := len(undos) - 1; n >= 0; n-- {
				q := p.Last(0)
				p.Unmake()
				b.touch(p.Side(), q)
				b.lift(p.Side(), q, &undos[n])
				compareBoard(t, &b, p, rec)
			}
			if p.Side() != a || b.key != p.Key() {
				t.Fatal("not the position it was")
			}
		}
	}
}

func compareBoard(t *testing.T, b *board, p *line.Position, rec *game.Record) {
	t.Helper()
	live := [4]uint64{}
	for d := range b.four {
		for l, set := range b.four[d] {
			if set != 0 {
				live[d] |= 1 << l
			}
		}
	}
	if live != b.live {
		t.Fatalf("live lines %x, want %x", b.live, live)
	}
	for y := range p.Size() {
		for x := range p.Size() {
			q := game.At(x, y)
			if b.at(q) != p.At(q) {
				t.Fatalf("%s: %v on the lines, %v on the board", q.Name(p.Size()), b.at(q), p.At(q))
			}
			if p.At(q) != game.Empty {
				continue
			}
			for c := range game.Empty {
				cl, may := p.ClassOnLines(c, q)
				if cl != p.Class(c, q) || may != p.MayBeForbidden(c, q) || p.PlayableOnLines(c, q) != p.Playable(c, q) {
					t.Fatalf("%v %s: class %v on the lines, else %v\n%s", c, q.Name(p.Size()), cl, p.Class(c, q), picture(rec))
				}
			}
			// A five is counted in rows as such; a point that makes one may make a four too.
			cl := p.Class(b.a, q)
			if cl != line.Five && b.isFour(q) != (cl >= line.FourOnly) {
				t.Fatalf("%v %s: class %v, four %v\n%s", b.a, q.Name(p.Size()), cl, b.isFour(q), picture(rec))
			}
			for c, m := range map[game.Color]*maker{b.a: &b.am, b.d: &b.dm} {
				five := false
				for d := range 4 {
					l, i := line.LineOf(d, q)
					five = five || m.fives(b.lines[d][l])>>(2*(i+line.Pad))&1 == 1
				}
				if five != (p.Class(c, q) == line.Five) {
					t.Fatalf("%v %s: class %v, five %v\n%s", c, q.Name(p.Size()), p.Class(c, q), five, picture(rec))
				}
			}
		}
	}
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
func TestFailuresOfOthers(t *testing.T) {
	v := NewVCF(0)
	for _, c := range []struct {
		rule  game.Rule
		board string
		want  Status
	}{
		// The edge stops a four, a row further there is none.
		{game.Freestyle, "...../.XXX./...../...../.....", None},
		{game.Freestyle, "....../.XXX../....../....../....../......", Win},
		// A closed four stops in caro at both ends.
		{game.Caro, "......../O.XXX..O/......../......../......../......../......../........", None},
		{game.CaroSix, "......../O.XXX..O/......../......../......../......../......../........", None},
		{game.Renju, "......../O.XXX..O/......../......../......../......../......../........", Win},
		{game.Freestyle, "......../O.XXX..O/......../......../......../......../......../........", Win},
		{game.Standard, "......../O.XXX..O/......../......../......../......../......../........", Win},
		// One of the two fours would become a six.
		{game.Standard, "......../......../OXXX..X./....X.../....X.../....X.../....O.../........", None},
		{game.Freestyle, "......../......../OXXX..X./....X.../....X.../....X.../....O.../........", Win},
		// Two fours at once are forbidden in renju.
		{game.Renju, ".......X/......../.X.X.X.X/......../......../......../......../........", None},
		{game.Standard, ".......X/......../.X.X.X.X/......../......../......../......../........", Win},
	} {
		rec := draw(t, c.rule, game.Black, c.board)
		for range 2 {
			if r := v.Solve(position(t, rec), plenty, nil); r.Status != c.want {
				t.Errorf("%v, want %v:\n%s", r.Status, c.want, picture(rec))
			}
		}
	}
}

// What the proof cache knows is what the search found, and it is asked only by searches
// that are not short.
func TestProofs(t *testing.T) {
	proofs := tt.NewProofs(8 << 20)
	defer proofs.Close()
	records := []*game.Record{moves(t, game.Renju, 15, r1)}
	for _, z := range readPuzzles(t, "NO_VCF") {
		records = append(records, z.record(t))
	}
	var seen [3]int
	for _, rec := range records {
		p := position(t, rec)
		before := freeze(p)
		plain := NewVCF(0).Solve(p, plenty, nil)
		v := NewVCF(0)
		v.Proofs = proofs
		first := v.Solve(p, plenty, nil)
		if first.Status != plain.Status || first.Move != plain.Move || first.Plies != plain.Plies {
			t.Errorf("%+v, without a cache %+v", first, plain)
		}
		if first.Nodes < tt.WorthProof {
			continue
		}
		seen[first.Status]++
		// The cache takes a Set in its own time.
		var again Result
		for range 10_000 {
			v.Clear()
			if again = v.Solve(p, plenty, nil); again.Nodes == shortSearch {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if again.Nodes != shortSearch || again.Status != plain.Status || again.Move != plain.Move || again.Plies != plain.Plies {
			t.Errorf("from the cache %+v, want %+v", again, plain)
		}
		if len(v.Line()) > 0 != (again.Status == Win) || again.Status == Win && v.Line()[0] != again.Move {
			t.Errorf("line %v", v.Line())
		}
		if r := v.Solve(p, shortSearch, nil); r.Nodes > shortSearch {
			t.Errorf("%d nodes of %d", r.Nodes, shortSearch)
		}
		if *freeze(p) != *before {
			t.Error("the position has changed")
		}
	}
	if seen[Win] == 0 || seen[None] < 5 {
		t.Errorf("only %v long searches", seen)
	}
}

func TestNoAllocation(t *testing.T) {
	v := NewVCF(0)
	for _, rule := range append(slices.Clone(allRules), game.Pente) {
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

// One operation is all puzzles of a kind once, each with an empty table. Reported are the
// median and the 95th percentile of a puzzle's least time and of its nodes.
func BenchmarkPuzzles(b *testing.B) {
	for _, kind := range []string{"VCF", "NO_VCF"} {
		b.Run(kind, func(b *testing.B) {
			zs := readPuzzles(b, kind)
			ps := make([]*line.Position, len(zs))
			for i := range zs {
				ps[i] = position(b, zs[i].record(b))
			}
			v := NewVCF(0)
			times, nodes := make([]time.Duration, len(zs)), make([]int64, len(zs))
			for b.Loop() {
				for i, p := range ps {
					v.Clear()
					start := time.Now()
					nodes[i] = v.Solve(p, plenty, nil).Nodes
					if d := time.Since(start); times[i] == 0 || d < times[i] {
						times[i] = d
					}
				}
			}
			slices.Sort(times)
			slices.Sort(nodes)
			n := len(zs)
			b.ReportMetric(float64(times[n/2].Nanoseconds()), "ns-median")
			b.ReportMetric(float64(times[n*95/100].Nanoseconds()), "ns-95%")
			b.ReportMetric(float64(nodes[n/2]), "nodes-median")
			b.ReportMetric(float64(nodes[n*95/100]), "nodes-95%")
		})
	}
}

// The least there is to search: one three, closed on one side.
func BenchmarkThree(b *testing.B) {
	rec := moves(b, game.Freestyle, 15, "H8 G8 I8 H9 J8 I9 C3 M12")
	benchmark(b, position(b, rec))
}
