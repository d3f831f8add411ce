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

// twin searches for a win by fours and threes by the definition: every move of the classes
// that count, every legal reply. Wins by fours are the VCF's, which has a twin of its own.
type twin struct {
	naive
	fours  *VCF
	memo   map[uint64]bool
	budget int
}

func newTwin(p *line.Position) *twin {
	return &twin{*newNaive(p), NewVCF(1 << 14), map[uint64]bool{}, twinBudget}
}

func (n *twin) attack() bool { return n.fours.Solve(n.p, plenty, nil).Status == Win }

func (n *twin) wins() bool {
	key := n.p.Key()
	wins, ok := n.memo[key]
	if !ok && n.budget > 0 {
		n.budget--
		stop := n.five(n.d)
		wins = n.attack() || n.empty(func(q game.Point) bool {
			return (stop || n.p.Class(n.a, q) >= line.Two) && n.try(q, n.holds)
		})
		n.memo[key] = wins
	}
	return wins
}

// holds reports whether the attacker's move is a threat that wins against every reply.
func (n *twin) holds() bool {
	if n.five(n.d) {
		return false
	}
	if !n.five(n.a) {
		n.p.Make(game.Pass)
		threat := n.attack()
		n.p.Unmake()
		if !threat {
			return false
		}
	}
	moves := false
	refuted := n.empty(func(q game.Point) bool {
		return n.try(q, func() bool {
			moves = true
			return !n.five(n.a) && !n.wins()
		})
	})
	return moves && !refuted
}

// sparse puts a few stones of each side on a small board, and no five.
func sparse(t *testing.T, rng *rand.Rand, rule game.Rule) *game.Record {
	for {
		size := 7 + rng.IntN(3)
		rec := &game.Record{Variant: game.Variant{Rule: rule, Size: size}}
		rec.Setup.ToMove = game.Color(rng.IntN(2))
		taken := map[game.Point]bool{}
		for i := range 13 + rng.IntN(10) {
			q := game.At(rng.IntN(size), rng.IntN(size))
			switch {
			case taken[q]:
			case (i%2 == 0) == (rec.Setup.ToMove == game.Black):
				rec.Setup.Black = append(rec.Setup.Black, q)
			default:
				rec.Setup.White = append(rec.Setup.White, q)
			}
			taken[q] = true
		}
		if rule == game.Pente || rule == game.Keryo {
			most := 10 + 5*int(rule-game.Pente)
			rec.Setup.Captured = [2]int{rng.IntN(most), rng.IntN(most)}
		}
		if !decided(t, rec) && NewVCF(1<<12).Solve(position(t, rec), plenty, nil).Status == None {
			return rec
		}
	}
}

// On small random boards there is no win by the definition where the search found none, and
// its proofs stand against every reply, as do the wins by fours that they leave out.
func TestVCTAgainstDefinition(t *testing.T) {
	for _, rule := range append(allRules, game.Pente, game.Keryo) {
		t.Run(rule.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, uint64(rule)))
			v := NewVCT(1 << 18) // small tables, so that they forget
			var seen [3]int
			skipped := 0
			for range twinBoards {
				rec := sparse(t, rng, rule)
				g, err := line.Replay(rec)
				if err != nil {
					t.Fatal(err)
				}
				p := g.Position()
				before := freeze(p)
				r := v.Solve(g, twinNodes, nil)
				if *freeze(p) != *before {
					t.Fatal("the position has changed")
				}
				if r.Status == Win {
					seen[Win]++
					if err := v.Proof().Check(g, NewVCF(0), plenty, true); err != nil {
						t.Fatalf("%v\n%s%s", err, picture(rec), v.Proof().Text(p.Size()))
					}
					continue
				}
				if p.Rules().Capture != 0 { // a None does not say that there is none
					seen[None]++
					continue
				}
				n := newTwin(position(t, rec))
				switch found := n.wins(); {
				case n.budget == 0 || r.Status == Unknown:
					skipped++
				case found:
					t.Fatalf("%+v, yet by the definition there is a win:\n%s", r, picture(rec))
				default:
					seen[None]++
				}
			}
			t.Logf("%d wins, %d without, %d skipped", seen[Win], seen[None], skipped)
			if seen[Win] < twinBoards/40+1 || seen[None] < twinBoards/20 {
				t.Error("the positions are too much alike")
			}
		})
	}
}

// solveVCT searches, checks every claim by a proof that went through its text, and returns
// the outcome.
func solveVCT(t *testing.T, v *VCT, rec *game.Record, nodes int64, thorough bool) Result {
	t.Helper()
	g, err := line.Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	before := freeze(g.Position())
	r := v.Solve(g, nodes, nil)
	if *freeze(g.Position()) != *before {
		t.Fatal("the position has changed")
	}
	if r.Status != Win {
		if r.Move != game.NoPoint || r.Plies != 0 || v.Proof() != nil {
			t.Errorf("%v, yet a proof: %+v", r.Status, r)
		}
		return r
	}
	size := rec.Variant.Size
	text := v.Proof().Text(size)
	f, err := ParseProof(text, size)
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if again := f.Text(size); again != text {
		t.Errorf("%s\nread and written again: %s", text, again)
	}
	if qs := f.Line(); qs[0] != r.Move || len(qs) != r.Plies {
		t.Errorf("line %s, result %+v", names(qs, size), r)
	}
	if err := f.Check(g, NewVCF(0), plenty, thorough); err != nil {
		t.Errorf("%v\n%s\n%s", err, picture(rec), text)
	}
	return r
}

// Wins by threes and what makes them none. Want says whether there is a win by fours and
// threes in freestyle, standard, renju, caro, caro with sixes, omok.
func TestVCTDrawings(t *testing.T) {
	for _, c := range vctDrawings {
		t.Run(c.name, func(t *testing.T) {
			for i, rule := range allRules {
				rec := draw(t, rule, c.side, c.board)
				r := solveVCT(t, NewVCT(1<<18), rec, 200_000, true)
				want := None
				if c.want[i] {
					want = Win
				}
				if r.Status != want {
					t.Errorf("%v: %v, want %v", rule, r.Status, want)
				}
				twin := newTwin(position(t, rec))
				twin.budget = 5000
				if found := twin.wins(); found != c.want[i] || twin.budget == 0 {
					t.Errorf("%v: by the definition %v, %d positions left", rule, found, twin.budget)
				}
				if st := NewVCF(0).Solve(position(t, rec), plenty, nil).Status; st != None {
					t.Errorf("%v: a win by fours alone: %v", rule, st)
				}
			}
		})
	}
}

// A proof that lacks a reply, or has another move in some step, is refused unless it is one all the
// same: where the quick check accepts it, so does the thorough one, which asks for every reply
// by itself.
func TestCheckRefuses(t *testing.T) {
	var recs []*game.Record
	for _, c := range vctDrawings {
		for i, rule := range allRules {
			if c.want[i] {
				recs = append(recs, draw(t, rule, c.side, c.board))
			}
		}
	}
	for i, z := range readPuzzles(t, "VCT") {
		if i == 0 {
			recs = append(recs, z.record(t))
		}
	}
	refused := 0
	for _, rec := range recs {
		g, err := line.Replay(rec)
		if err != nil {
			t.Fatal(err)
		}
		v := NewVCT(1 << 18)
		if v.Solve(g, 200_000, nil).Status != Win {
			continue
		}
		f := v.Proof()
		try := func() {
			quick := f.Check(g, NewVCF(1<<14), plenty, false)
			thorough := f.Check(g, NewVCF(1<<14), plenty, true)
			if (quick == nil) != (thorough == nil) {
				t.Errorf("quick: %v; thorough: %v\n%s%s", quick, thorough, picture(rec), f.Text(rec.Variant.Size))
			}
			if quick != nil {
				refused++
			}
		}
		for i := range min(len(f.steps), 3) {
			s := &f.steps[i]
			was := *s
			for j := range was.replies {
				s.replies = slices.Delete(slices.Clone(was.replies), j, j+1)
				try()
			}
			s.replies = was.replies
			s.move = game.At((was.move.X()+1)%rec.Variant.Size, was.move.Y())
			try()
			*s = was
		}
	}
	if refused < len(recs) {
		t.Errorf("%d refused", refused)
	}
}

// The same where stones are captured.
func TestVCTCaptureDrawings(t *testing.T) {
	for _, c := range []struct {
		name  string
		rule  game.Rule
		had   [2]int
		board string
		want  bool
	}{{
		"two threes", game.Pente, [2]int{}, crossedTwos, true,
	}, {
		"two threes, but a capture breaks one and closes the other", game.Pente, [2]int{}, `
		#####.#####
		#####.#####
		...XX......
		###X#.#####
		##O##X#####
		#####X#####
		#####.#####
		#####.#####
		#####.#####
		#####.#####
		#####.#####`, false,
	}, {
		"the same where the pair cannot be captured", game.Pente, [2]int{}, `
		#####.#####
		#####.#####
		...XX......
		###X#.#####
		##.##X#####
		#####X#####
		#####.#####
		#####.#####
		#####.#####
		#####.#####
		#####.#####`, true,
	}, {
		"two threes, but White captures the fifth pair first", game.Pente, [2]int{0, 8}, `
		#####.#####
		#####.#####
		...XX......
		#####.#####
		#####X#####
		#####X#####
		#####.#####
		#####.##O##
		#####.##X##
		#####.##X##
		#####.##.##`, false,
	}} {
		t.Run(c.name, func(t *testing.T) {
			rec := draw(t, c.rule, game.Black, c.board)
			rec.Setup.Captured = c.had
			r := solveVCT(t, NewVCT(1<<18), rec, 20_000, true)
			if (r.Status == Win) != c.want {
				t.Errorf("%v at %s, want %v", r.Status, r.Move.Name(rec.Variant.Size), c.want)
			}
		})
	}
}

func TestVCTPuzzles(t *testing.T) {
	v := NewVCT(0)
	solved, n, zs := 0, 0, readPuzzles(t, "VCT")
	for i, z := range zs {
		if i%min(vctPuzzles, len(zs)/4) != 0 {
			continue
		}
		n++
		v.Clear()
		r := solveVCT(t, v, z.record(t), vctNodes, false)
		switch {
		case r.Status == Win:
			solved++
		case r.Status == None:
			t.Errorf("%s: %v", z.ID, r.Status)
		}
	}
	t.Logf("%d of %d", solved, n)
	if solved < n*9/10 {
		t.Errorf("only %d of %d solved", solved, n)
	}
}

// A position without a win by fours may have one by threes, but never a false one.
func TestVCTWithoutFours(t *testing.T) {
	v := NewVCT(0)
	for i, z := range readPuzzles(t, "NO_VCF") {
		if i%vctPuzzles == 0 {
			v.Clear()
			solveVCT(t, v, z.record(t), 20_000, false)
		}
	}
}

func TestVCTReference(t *testing.T) {
	v := NewVCT(0)
	rec := moves(t, game.Renju, 15, r2)
	first := solveVCT(t, v, rec, plenty, false)
	if first.Status != Win {
		t.Fatalf("R2: %+v", first)
	}
	// The same answer with the same nodes, and none with fewer.
	v.Clear()
	if again := solveVCT(t, v, rec, plenty, false); again != first {
		t.Errorf("%+v, again %+v", first, again)
	}
	v.Clear()
	if r := solveVCT(t, v, rec, 10_000, false); r.Status != Unknown || r.Nodes < 10_000 || r.Nodes > 15_000 {
		t.Errorf("10000 nodes: %+v", r)
	}
	var stop atomic.Bool
	stop.Store(true)
	g, err := line.Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	if r := v.Solve(g, plenty, &stop); r.Status != Unknown || r.Nodes > 1000 {
		t.Errorf("stopped: %+v", r)
	}
}

// A search that forgets most of what it learns still proves what it claims.
func TestVCTForgets(t *testing.T) {
	v := NewVCT(1)
	rec := draw(t, game.Freestyle, game.Black, crossedTwos)
	if r := solveVCT(t, v, rec, 200_000, true); r.Status != Win {
		t.Errorf("%+v", r)
	}
}

func TestVCTProofs(t *testing.T) {
	proofs := tt.NewProofs(4 << 20)
	defer proofs.Close()
	rec := moves(t, game.Renju, 15, r2)
	g, err := line.Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	v := NewVCT(0)
	v.Proofs = proofs
	first := v.Solve(g, plenty, nil)
	if first.Status != Win {
		t.Fatalf("%+v", first)
	}
	for range 10_000 { // the cache takes a Set in its own time
		r := v.Solve(g, 1, nil)
		if r.Status == Win {
			if r.Move != first.Move || r.Plies != first.Plies || r.Nodes != 0 {
				t.Errorf("%+v, from the cache %+v", first, r)
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("the cache does not know the win")
}

// Whatever is read as a proof is written as one that reads the same.
func FuzzParseProof(f *testing.F) {
	for _, s := range []string{"F10(G9 I10(G10 H11) J7 I10(K11 H9))", "H8(H9 G7(A1 B1) H7 =2)", "H8(H9 =1)", "H8(", "=0", "H8 H9", "pass"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParseProof(s, 15)
		if err != nil {
			return
		}
		if again, err := ParseProof(p.Text(15), 15); err != nil || again.Text(15) != p.Text(15) || again.Steps() > p.Steps() {
			t.Errorf("%q: %v", p.Text(15), err)
		}
		if moves := p.Line(); moves[0] != p.Move() || len(moves)%2 == 0 {
			t.Errorf("line %s of %q", names(moves, 15), s)
		}
	})
}

func BenchmarkVCTR2(b *testing.B) {
	rec := moves(b, game.Renju, 15, r2)
	g, err := line.Replay(rec)
	if err != nil {
		b.Fatal(err)
	}
	v := NewVCT(0)
	for b.Loop() {
		v.Clear()
		v.Solve(g, plenty, nil)
	}
}
