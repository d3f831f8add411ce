package mcts

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// drawn returns the game that begins with a drawing: X and O, rows from the top.
func drawn(rules string, komi float64, toMove game.Color, board string) *game.Record {
	rows := strings.Fields(board)
	rec := &game.Record{Variant: game.Variant{Rule: game.Weiqi, Size: len(rows), Komi: komi, Ruleset: rules}}
	for y, row := range rows {
		for x, c := range row {
			switch c {
			case 'X':
				rec.Setup.Black = append(rec.Setup.Black, game.At(x, y))
			case 'O':
				rec.Setup.White = append(rec.Setup.White, game.At(x, y))
			}
		}
	}
	rec.Setup.ToMove = toMove
	return rec
}

// passed adds a pass of the side to move.
func passed(rec *game.Record) *game.Record {
	rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: game.Pass})
	return rec
}

func think(t *testing.T, e *Engine, rec *game.Record, lim game.Limits) game.Choice {
	t.Helper()
	c, err := e.Think(context.Background(), rec, lim, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Boards on which White, on the right, lives.
const (
	// So does Black, and only eyes are left to be filled.
	settled = `
		.X.XO.O
		XXXXOOO
		.X.XO.O
		XXXXOOO
		XXXXOOO
		XXXXOOO
		XXXXOOO`
	// Who plays first at A6 lives or kills.
	corner = `
		.XXO.O.
		.OXOOOO
		XXXOOOO
		OOOOOOO
		OOOOOOO
		OOOOOOO
		OOOOOOO`
	// White's stone at A4 is dead, in a territory that is not pass-alive.
	deadStone = `
		.X.XO.O
		XXXXOOO
		...XO.O
		O..XOOO
		...XOOO
		XXXXOOO
		.X.XO.O`
)

// The move of a drawn board, under rules and a komi. Where several will do they are listed;
// "!" before a list says that none of them may be played.
func TestDrawn(t *testing.T) {
	last := func(rec *game.Record) *game.Record { return rec }
	for _, c := range []struct {
		name  string
		rules string
		komi  float64
		side  game.Color
		board string
		then  func(*game.Record) *game.Record
		want  string
	}{
		{"lives by taking a stone", "chinese", -35.5, game.Black, corner, last, "A6"},
		{"kills on the same point", "chinese", -35.5, game.White, corner, last, "A6"},
		{"fills no eye", "chinese", 0.5, game.Black, settled, last, "pass"},
		{"neither does White", "french", 0.5, game.White, settled, last, "pass"},
		{"passes when all is done and won", "chinese", 0.5, game.Black, `
			..X.XO.
			.XXXXOO
			...XO.O
			...XOOO
			...XO..
			...XO..
			...XO..`, passed, "pass"},
		{"a dead stone is taken where the game hangs on it", "french", 0.5, game.Black, deadStone, passed, "A3 A5 B4"},
		{"and is counted dead where it does not", "french", -20.5, game.Black, deadStone, passed, "pass"},
		{"but alive where there is none", "tromp-taylor", 0.5, game.Black, deadStone, passed, "!pass"},
		{"plays on when the count is lost", "chinese", 0.5, game.White, deadStone, passed, "!pass"},
		{"keeps territory full of points", "japanese", 0.5, game.Black, `
			..X.XO.
			.XXXXOO
			...XO.O
			...XOOO
			...XO..
			...XO..
			...XO..`, passed, "pass"},
		{"a pass at the beginning is passed over", "chinese", 0.5, game.Black, `
			.......
			.......
			..X....
			...X...
			.......
			.......
			.......`, passed, "!pass"},
		{"has only eyes to fill", "chinese", 50.5, game.Black, settled, passed, "pass"},
	} {
		rec := drawn(c.rules, c.komi, c.side, c.board)
		if c.then != nil {
			// The pass is the opponent's.
			rec.Setup.ToMove = c.side
			if rec = c.then(rec); rec.ToMove() != c.side {
				rec.Setup.ToMove = c.side.Other()
				rec.Moves[0].Color = c.side.Other()
			}
		}
		for _, lim := range []game.Limits{{Nodes: 600}, {Instant: true}} {
			got := name(think(t, New(game.Options{Memory: 8 << 20}), rec, lim).Point, rec)
			list, not := strings.CutPrefix(c.want, "!")
			if slices.Contains(strings.Fields(list), got) == not {
				t.Errorf("%s: %s, want %s (%+v)", c.name, got, c.want, lim)
			}
		}
	}
}

func name(q game.Point, rec *game.Record) string { return q.Name(rec.Variant.Size) }

// A dead stone that would be counted alive is taken before the pass: it makes
// Black's territory neutral.
func TestTakesTheDeadOff(t *testing.T) {
	for _, c := range []struct {
		rules string
		avoid []game.Point
	}{
		{"tromp-taylor", nil},
		{"chinese", []game.Point{game.Pass}}, // the cleanup after a game
	} {
		rec := drawn(c.rules, 6.5, game.White, deadStone) // Black needs every point
		g, err := weiqi.Replay(rec)
		if err != nil {
			t.Fatal(err)
		}
		e := New(game.Options{Memory: 8 << 20})
		dead := game.At(0, 3)
		moves := 0
		if err := g.Play(game.Pass); err != nil {
			t.Fatal(err)
		}
		for ; g.At(dead) == game.White && moves < 60; moves++ {
			q := game.Pass
			if g.ToMove() == game.Black {
				if q = think(t, e, g.Record(), game.Limits{Nodes: 200, Avoid: c.avoid}).Point; q == game.Pass {
					t.Fatalf("%s: passes with the stone on the board", c.rules)
				}
			}
			if err := g.Play(q); err != nil {
				t.Fatal(err)
			}
		}
		if g.At(dead) == game.White {
			t.Errorf("%s: the stone is still there after %d moves", c.rules, moves)
		}
	}
}

// With one thread and a limit of nodes the same record gives the same answer and the same
// information, whatever was thought of before.
func TestDeterministic(t *testing.T) {
	rec := drawn("french", 6.5, game.Black, ".......\n.......\n..X....\n.......\n....O..\n.......\n.......")
	search := func(e *Engine) (infos []game.Info) {
		c, err := e.Think(context.Background(), rec, game.Limits{Nodes: 500, MultiPV: 3}, func(i game.Info) {
			if i.Time = 0; i.Last {
				infos = append(infos, i)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		c.Info.Time = 0
		return append(infos, c.Info)
	}
	e := New(game.Options{Memory: 8 << 20})
	want := search(e)
	other := drawn("french", 6.5, game.White, ".....\n.....\n..X..\n.....\n.....")
	think(t, e, other, game.Limits{Nodes: 100})
	if d := cmp.Diff(want, search(e)); d != "" {
		t.Error("after another game:", d)
	}
	e.Forget()
	if d := cmp.Diff(want, search(e)); d != "" {
		t.Error("after Forget:", d)
	}
}

// The limit of nodes is exact, with several threads as well; the lines told add up.
func TestNodes(t *testing.T) {
	rec := &game.Record{Variant: game.Variant{Rule: game.Weiqi, Size: 7, Komi: 7.5}}
	for _, threads := range []int{1, 3} {
		for _, n := range []int64{1, 2, 100, 777} {
			visits := map[game.Point]int64{}
			lines := 0
			e := New(game.Options{Memory: 8 << 20, Threads: threads})
			c, err := e.Think(context.Background(), rec, game.Limits{Nodes: n, MultiPV: 50}, func(i game.Info) {
				visits[i.PV[0]] = i.Nodes
				lines = max(lines, i.MultiPV)
			})
			if err != nil || c.Info.Nodes != n {
				t.Fatalf("%d threads, %d nodes: %d, %v", threads, n, c.Info.Nodes, err)
			}
			sum := int64(0)
			for i, k := 0, e.tree.kids(&e.tree.root); i < len(k); i++ {
				sum += int64(k[i].visits)
			}
			if sum != n || int64(e.tree.root.visits) != n {
				t.Errorf("%d threads, %d nodes: %d at the root, %d below", threads, n, e.tree.root.visits, sum)
			}
			if n == 777 && lines < 4 {
				t.Errorf("%d lines told of 50", lines)
			}
		}
	}
}

// A full pool ends the growth, not the search.
func TestMemory(t *testing.T) {
	rec := &game.Record{Variant: game.Variant{Rule: game.Weiqi, Size: 9, Komi: 7.5}}
	e := New(game.Options{Memory: 1})
	c := think(t, e, rec, game.Limits{Nodes: 4000})
	if c.Info.Nodes != 4000 || len(e.tree.chunks) != 1 || e.tree.used > chunk {
		t.Errorf("%d nodes, %d chunks, %d used", c.Info.Nodes, len(e.tree.chunks), e.tree.used)
	}
	e.Configure(game.Options{Memory: 8 << 20})
	think(t, e, rec, game.Limits{Nodes: 4000})
	if len(e.tree.chunks) < 2 {
		t.Error("does not grow again")
	}
	if rec.Variant.Size = 25; think(t, e, rec, game.Limits{Nodes: 50}).Point == game.Pass {
		t.Error("passes")
	}
}

// A search without limits ends with its context, one whose context is done at once.
func TestStop(t *testing.T) {
	rec := &game.Record{Variant: game.Variant{Rule: game.Weiqi, Size: 19, Komi: 7.5}}
	for _, threads := range []int{1, 2} {
		e := New(game.Options{Memory: 8 << 20, Threads: threads})
		ctx, cancel := context.WithCancel(context.Background())
		told := 0
		c, err := e.Think(ctx, rec, game.Limits{}, func(game.Info) {
			if told++; told == 3 {
				cancel()
			}
		})
		if err != nil || !c.Point.On(19) || told < 3 {
			t.Error(c, err, told)
		}
		if c, err = e.Think(ctx, rec, game.Limits{}, nil); err != nil || !c.Point.On(19) {
			t.Error("done before:", c, err)
		}
		cancel()
	}
	e := New(game.Options{Memory: 8 << 20})
	for _, l := range []game.Limits{
		{Hard: time.Millisecond},
		{Instant: true},
		{Depth: 1},
		{Start: time.Now().Add(-time.Hour), Soft: time.Second, Hard: 2 * time.Second},
	} {
		if c := think(t, e, rec, l); !c.Point.On(19) {
			t.Error(l, c)
		}
	}
}

// What must not be chosen is not, while there is anything else.
func TestAvoid(t *testing.T) {
	rec := drawn("chinese", 0.5, game.Black, settled)
	at := func(s string) game.Point { q, _ := game.ParseName(s, 7); return q }
	e := New(game.Options{Memory: 8 << 20})
	for _, c := range []struct {
		avoid []game.Point
		want  []game.Point
	}{
		{nil, []game.Point{game.Pass}},
		{[]game.Point{game.Pass}, []game.Point{at("A7"), at("C7"), at("A5"), at("C5")}},
		{[]game.Point{game.Pass, at("A7"), at("C7"), at("A5")}, []game.Point{at("C5")}},
		{[]game.Point{game.Pass, at("A7"), at("C7"), at("A5"), at("C5")}, []game.Point{game.Pass}},
	} {
		if q := think(t, e, rec, game.Limits{Nodes: 50, Avoid: c.avoid}).Point; !slices.Contains(c.want, q) {
			t.Errorf("without %v: %s", c.avoid, q.Name(7))
		}
	}
}

// Broken records are errors.
func TestBroken(t *testing.T) {
	e := New(game.Options{Memory: 8 << 20})
	twice := &game.Record{Variant: game.Variant{Rule: game.Weiqi, Size: 9}, Moves: []game.Move{{Color: game.Black, Point: 0}, {Color: game.White, Point: 0}}}
	for _, rec := range []*game.Record{
		{Variant: game.Variant{Rule: game.Renju, Size: 15}},
		{Variant: game.Variant{Rule: game.Weiqi, Size: 26}},
		twice,
	} {
		if _, err := e.Think(context.Background(), rec, game.Limits{Nodes: 10}, nil); err == nil {
			t.Error("no error:", rec)
		}
	}
}

// Whole games against a player at random, on all rules: every move is legal and playable,
// every game ends, and all are won.
func TestAgainstRandom(t *testing.T) {
	e := New(game.Options{Memory: 8 << 20})
	r := weiqi.NewRand(1)
	for n, rules := range weiqi.RuleNames() {
		size := 5 + n%5
		v, err := weiqi.NewVariant(size, rules, 0)
		if err != nil {
			t.Fatal(err)
		}
		if v.Komi = 0.5; n&1 == 0 {
			v.Komi = -0.5
		}
		me := game.Color(n & 1)
		g, _ := weiqi.NewReferee(v)
		moves := 0
		for ; g.Result().Outcome == game.Open && moves < 6*size*size; moves++ {
			q := game.Pass
			if g.ToMove() == me {
				c := think(t, e, g.Record(), game.Limits{Nodes: 60})
				if q = c.Point; c.Resign {
					t.Errorf("%s: resigns", rules)
				}
				if !g.Position().Playable(q) {
					t.Fatalf("%s: not playable: %s", rules, q.Name(size))
				}
			} else {
				var any []game.Point
				for _, s := range anything(g.Position()) {
					if !g.Position().Eye(g.ToMove(), s) {
						any = append(any, s)
					}
				}
				// Where suicide is legal it could go on for ever.
				if len(any) > 0 && moves < 4*size*size {
					q = any[r.Below(len(any))]
				}
			}
			if err := g.Play(q); err != nil {
				t.Fatal(rules, err)
			}
		}
		if res := g.Result(); res.Outcome != game.WinFor(me) {
			t.Errorf("%s on %d as %s: %v %s after %d moves", rules, size, me, res.Outcome, res.Reason, moves)
		}
	}
}

// A lost game is given up, but not in its beginning, and a move is named all the same.
func TestResign(t *testing.T) {
	rec := drawn("chinese", 7.5, game.White, `
		.......
		.XXXXX.
		.X...X.
		.X.X.X.
		.X...X.
		.XXXXX.
		.......`)
	e := New(game.Options{Memory: 8 << 20})
	lim := game.Limits{Nodes: 1000}
	if c := think(t, e, rec, lim); c.Resign {
		t.Error("resigns at the first move")
	}
	for i := range 14 { // black and white pass, but not one after the other
		q := game.Pass
		if i&1 == 1 {
			q = []game.Point{game.At(0, 0), game.At(6, 0), game.At(0, 6), game.At(6, 6), game.At(3, 0), game.At(0, 3), game.At(6, 3)}[i/2]
		}
		rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: q})
	}
	for i := 1; ; i++ {
		c := think(t, e, rec, lim)
		g, err := weiqi.Replay(rec)
		if err != nil || g.Legal(c.Point) != nil {
			t.Fatal(err, c.Point)
		}
		if again := think(t, e, rec, lim); again.Resign != c.Resign {
			t.Error("asked twice:", again)
		}
		if c.Resign != (i >= resignMoves) {
			t.Errorf("resigns at its hopeless move %d: %v", i, c.Resign)
		}
		if c.Resign || i > resignMoves {
			break
		}
		// Both play where nothing is left to gain.
		for _, q := range []game.Point{c.Point, game.Pass} {
			rec.Moves = append(rec.Moves, game.Move{Color: rec.ToMove(), Point: q})
		}
	}
	lim.Nodes = 50
	if c := think(t, e, rec, lim); c.Resign {
		t.Error("resigns after few playouts")
	}
}

func BenchmarkThink9(b *testing.B)  { benchThink(b, 9) }
func BenchmarkThink19(b *testing.B) { benchThink(b, 19) }

func benchThink(b *testing.B, size int) {
	rec := &game.Record{Variant: game.Variant{Rule: game.Weiqi, Size: size, Komi: 7.5}}
	e := New(game.Options{Memory: 64 << 20})
	for b.Loop() {
		e.Think(context.Background(), rec, game.Limits{Nodes: 1000}, nil)
	}
	b.ReportMetric(1000*float64(b.N)/b.Elapsed().Seconds(), "playouts/s")
}

// A search by time goes on with the tree of the one before it, if its game went on there; a
// search by nodes does not.
func TestInherit(t *testing.T) {
	rec := &game.Record{Variant: game.Variant{Rule: game.Weiqi, Size: 7, Komi: 7.5}}
	e := New(game.Options{Memory: 64 << 20})
	long := game.Limits{Hard: time.Minute}
	search := func(rec *game.Record, lim game.Limits, playouts int64) (begun int64, c game.Choice) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		before := int64(-1)
		c, err := e.Think(ctx, rec, lim, func(i game.Info) {
			sum := int64(e.tree.root.visits)
			if sum == 0 {
				return
			}
			if before < 0 {
				before = sum
			}
			if lim.Nodes == 0 && sum-before >= playouts {
				cancel()
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return before, c
	}
	_, c := search(rec, long, 5000)
	rec.Moves = append(rec.Moves, game.Move{Color: game.Black, Point: c.Point})
	reply := e.tree.favourite(e.tree.favourite(&e.tree.root))
	rec.Moves = append(rec.Moves, game.Move{Color: game.White, Point: reply.point})
	known := int64(reply.visits)
	if known < 100 {
		t.Fatalf("only %d visits: the test tests little", known)
	}
	if begun, _ := search(rec, long, 500); begun < known/2 {
		t.Errorf("begins with %d visits, %d were known", begun, known)
	}
	checkTree(t, e.tree, &e.tree.root)
	if begun, _ := search(rec, game.Limits{Nodes: 300}, 300); begun > 300 {
		t.Errorf("by nodes: begins with %d visits", begun)
	}
	search(rec, long, 500)
	rec.Moves[0].Point = game.At(0, 0)
	if begun, _ := search(rec, long, 500); begun > 200 {
		t.Errorf("another game: begins with %d visits", begun)
	}
}

// checkTree finds children with more visits than their parent.
func checkTree(t *testing.T, tr *tree, n *node) {
	t.Helper()
	sum := uint32(0)
	for i, kids := 0, tr.kids(n); i < len(kids); i++ {
		sum += kids[i].visits
		checkTree(t, tr, &kids[i])
	}
	if sum > n.visits {
		t.Fatalf("%d visits, %d below", n.visits, sum)
	}
}
