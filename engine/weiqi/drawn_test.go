package weiqi

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tengen/engine/game"
)

// Sequences that repeat, under every kind of ko: the number of the first move that is
// refused, 0 for none. Moves alternate.
func TestRepetition(t *testing.T) {
	const kos = `
		.XO......
		XO.O.....
		.XO......
		.XO......
		X.XO.....
		.XO......
		.XO......
		X.XO.....
		.XO......`
	for _, c := range []struct {
		name, board string
		toMove      game.Color
		moves       string
		first       [numKo]int // simple, positional, situational, own
	}{
		{"ko", ".XO../XO.O./.XO../...../.....", game.Black,
			"C4 B4", [numKo]int{2, 2, 2, 2}},
		{"ko after two threats", ".XO../XO.O./.XO../...../.....", game.Black,
			"C4 E1 A1 B4 C4", [numKo]int{5, 5, 5, 5}},
		{"snapback", "XO.O./XO.XX/.XXX./...../.....", game.Black,
			"C5 C4 C5", [numKo]int{0, 0, 0, 0}},
		// Black sends two stones, White takes them, Black takes one back.
		{"sending two, returning one", "........./........./........./........./........./........./........./OOX....../.X.X.....", game.Black,
			"A1 C1 B1 pass A1", [numKo]int{0, 3, 5, 5}},
		// Black, to move, has the lower two kos, White the upper: the whole cycle of six.
		{"triple ko", strings.ReplaceAll(kos, "!", ""), game.White,
			"B5 C8 B2 C5 B8 C2 pass", [numKo]int{0, 6, 6, 6}},
		// Two kos, one each, and passes: White's moves 2 and 4 take, then Black's 5 brings the
		// first position back with White to move, 7 what Black made with 1.
		{"double ko with passes", ".XO......\nXO.O.....\n.XO......\n.XO......\nX.XO.....\n.XO......\n.........\n.........\n.........", game.Black,
			"C8 B5 pass B8 C5 pass C8", [numKo]int{0, 5, 7, 7}},
		// The retake after one's own pass: the literal French rule allows it, since White
		// produced the position; situational superko does not.
		{"own pass", "........./........./....O..../...OXO.../...X.X.../....X..../........./........./.........", game.White,
			"A1 pass E5 E6", [numKo]int{4, 4, 4, 0}},
	} {
		for k := Ko(0); k < numKo; k++ {
			r := ruleSets[0]
			r.Ko = k
			size := len(strings.Fields(strings.ReplaceAll(c.board, "/", "\n"))[0])
			p := NewPosition(r, size)
			place(t, p, c.toMove, c.board)
			first := 0
			for i, m := range strings.Fields(c.moves) {
				q := at(t, m, size)
				if why := p.Legal(q); why == Repetition {
					first = i + 1
					break
				} else if why != Allowed {
					t.Fatalf("%s, %s: move %d is %v", c.name, k, i+1, why)
				}
				p.Make(q)
			}
			if first != c.first[k] {
				t.Errorf("%s, %s: move %d refused, want %d", c.name, k, first, c.first[k])
			}
		}
	}
}

// A triple ko under simple ko goes round until there is no result.
func TestNoResult(t *testing.T) {
	v, err := NewVariant(9, "japanese", 0)
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewReferee(v)
	if err != nil {
		t.Fatal(err)
	}
	place(t, g.p, game.White, `
		.XO......
		XO.O.....
		.XO......
		.XO......
		X.XO.....
		.XO......
		.XO......
		X.XO.....
		.XO......`)
	moves := strings.Fields("B5 C8 B2 C5 B8 C2")
	for i := range 12 {
		if r := g.Result(); r.Outcome != game.Open {
			t.Fatalf("after %d moves: %v", i, r)
		}
		if err := g.Play(at(t, moves[i%6], 9)); err != nil {
			t.Fatal(err)
		}
	}
	if r := g.Result(); r.Outcome != game.Draw || r.Reason != "no result" {
		t.Errorf("%v", r)
	}
	if err := g.Undo(); err != nil || g.Result().Outcome != game.Open {
		t.Errorf("after undo: %v %v", err, g.Result())
	}
}

func TestSuicide(t *testing.T) {
	for _, c := range []struct {
		board, move string
		legal       map[string]Reason // by rule set
		left        string            // where it is legal
	}{
		// One stone: nothing changes, so it repeats what was there.
		{".X../X.../..../....", "A4",
			map[string]Reason{"french": Suicide, "chinese": Suicide, "japanese": Suicide, "aga": Suicide,
				"tromp-taylor": Repetition, "new-zealand": Allowed}, ".X../X.../..../...."},
		// Two stones.
		{".OX./XX../..../....", "A4",
			map[string]Reason{"french": Suicide, "tromp-taylor": Allowed, "new-zealand": Allowed}, "..X./XX../..../...."},
		// It takes something: no suicide.
		{".XO./XO../O.../....", "A4",
			map[string]Reason{"french": Allowed, "tromp-taylor": Allowed}, "O.O./.O../O.../...."},
	} {
		for name, want := range c.legal {
			r, err := ParseRules(name)
			if err != nil {
				t.Fatal(err)
			}
			p := NewPosition(r, 4)
			place(t, p, game.White, c.board)
			q := at(t, c.move, 4)
			if got := p.Legal(q); got != want {
				t.Errorf("%s on %s, %s: %v, want %v", c.move, c.board, name, got, want)
				continue
			}
			if want == Allowed {
				before := snap(p)
				p.Make(q)
				left := strings.ReplaceAll(c.left, "/", "")
				if got := picture(&p.Board); got != left {
					t.Errorf("%s on %s, %s: %s", c.move, c.board, name, got)
				}
				scratch(t, p)
				p.Unmake()
				if got := snap(p); !cmp.Equal(got, before) {
					t.Errorf("%s on %s: %s", c.move, c.board, cmp.Diff(before, got))
				}
			}
		}
	}
}

// Pass-alive chains in capitals' place: the second drawing has B and W on pass-alive
// stones, b and w on the territory they enclose, and dots elsewhere.
func TestPassAlive(t *testing.T) {
	for _, c := range []struct{ name, board, want string }{
		{"two eyes in the corner", ".X.X. XXXX. ..... ..... .....", "bBbB. BBBB. ..... ..... ....."},
		{"one eye of two points", "..X.. XXX.. ..... ..... .....", "..... ..... ..... ..... ....."},
		{"one eye of three points", "...X. XXXX. ..... ..... .....", "..... ..... ..... ..... ....."},
		{"no eye", "XXXXX ..... ..... ..... .....", "..... ..... ..... ..... ....."},
		{"a false eye", ".XO.. XOO.. .XO.. XXO.. OOO..", "..... ..... ..... ..... ....."},
		{"opposing stones inside", ".XOX. XX.X. .XXX. ..... .....", "bBbB. BBbB. .BBB. ..... ....."},
		// Two chains keep each other alive by the eyes they have in common.
		{"common eyes", ".XXX. XO.OX XXXXX ..... .....", "bBBBb BbbbB BBBBB ..... ....."},
		// The second chain has one eye and falls, and so the first loses its second one.
		{"a chain of falls", ".XO.O XXOOO XOO.. .XO.. XXO..", "..... ..... ..... ..... ....."},
		{"both sides", ".X.OO XXXO. X.XOO XXXO. .X.OO", "bB.WW BBBWw BbBWW BBBWw bB.WW"},
		{"regions of many points", ".X..X XX..X .X..X XXXXX .....", "bBbbB BBbbB bBbbB BBBBB bbbbb"},
		{"a region with a middle", "X...X X...X X...X XXXXX .....", "..... ..... ..... ..... ....."},
	} {
		p := NewPosition(ruleSets[0], 5)
		place(t, p, game.Black, strings.ReplaceAll(c.board, " ", "\n"))
		if got := drawLife(&p.Board, p.PassAlive(false)); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

func drawLife(b *Board, l Life) string {
	var rows []string
	for y := range b.Size() {
		row := ""
		for x := range b.Size() {
			q := game.At(x, y)
			ch := "."
			for c := range 2 {
				if l.Stones[c].Has(q) {
					ch = "BW"[c : c+1]
				}
				if l.Territory[c].Has(q) {
					ch = "bw"[c : c+1]
				}
			}
			row += ch
		}
		rows = append(rows, row)
	}
	return strings.Join(rows, " ")
}

// Benson's theorem: a chain is pass-alive exactly if the opponent, moving alone, cannot
// take it. Tried out on random boards, with and without suicide (where the code promises
// only the one half).
func TestPassAliveByPlay(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	alive, boards := 0, 0
	for boards < 400 {
		p := NewPosition(ruleSets[0], 4)
		p.rules.Ko = SimpleKo
		for range 60 {
			q := game.At(rng.IntN(4), rng.IntN(4))
			p.SetSide(game.Black)
			if rng.IntN(6) == 0 {
				p.SetSide(game.White)
			}
			if p.Legal(q) == Allowed && p.free > 4 {
				p.Make(q)
			}
		}
		p.start(game.White)
		boards++
		for _, suicide := range []bool{false, true} {
			p.rules.Suicide = suicide
			l := p.PassAlive(suicide)
			taken := attack(p)
			for _, q := range onBoard(&p.Board, game.Black) {
				safe := l.Stones[game.Black].Has(q)
				if safe && taken.Has(q) || !safe && !taken.Has(q) && !suicide {
					t.Fatalf("suicide %v: %v alive %v, taken %v\n%s", suicide, q, safe, taken.Has(q), picture(&p.Board))
				}
				if safe {
					alive++
				}
			}
		}
	}
	if alive < 500 {
		t.Errorf("%d stones alive: the test tests little", alive)
	}
}

// attack returns the black stones that White, moving alone, can take.
func attack(p *Position) (taken Set) {
	start := onBoard(&p.Board, game.Black)
	seen := map[uint64]bool{}
	var try func()
	try = func() {
		if seen[p.key] {
			return
		}
		seen[p.key] = true
		open := false
		for _, q := range start {
			if p.At(q) != game.Black {
				taken.Add(q)
			}
			open = open || !taken.Has(q)
		}
		if !open {
			return // every stone was taken in one order or another
		}
		for y := range p.size {
			for x := range p.size {
				p.SetSide(game.White)
				if q := game.At(x, y); p.Legal(q) == Allowed {
					p.Make(q)
					try()
					p.Unmake()
				}
			}
		}
	}
	try()
	return taken
}

// Finished boards: what is dead or in seki, and the score (komi 0) by area and territory.
func TestDrawn(t *testing.T) {
	for _, c := range []struct {
		name, board string
		dead, seki  string // one stone of each chain
		estimated   bool   // whether playouts alone find the dead
		area        string
		territory   string
	}{
		{"no dead stones", `
			...XO....
			...XO....
			...XO....
			...XO....
			...XO....
			...XO....
			...XO....
			...XO....
			...XO....`, "", "", true, "W+9", "W+9"},
		{"dead stones", `
			...XO....
			.O.XO....
			...XO.O..
			...XO....
			...XO..X.
			...XO....
			...XO.O..
			...XO....
			...XO....`, "B8 H5", "", true, "W+9", "W+7"},
		{"a dead group with one eye", `
			.OX.X.X
			OOXXXXX
			XXXXXXX
			OOOOOOO
			O.O.O.O
			OOOOOOO
			.......`, "B7", "", true, "W+7", "W+1"},
		{"seki without eyes", `
			.XXXXXXX.
			OOOOOOOOO
			XXXXXXXXX
			.........
			XXXXXXXXX
			OOOOOOOOO
			.........
			OOOOOOOOO
			.........`, "", "B9 A8", true, "W+11", "W+9"},
		{"seki with an eye each", `
			.OX.X.O.OX.
			OOXXXOOOOXX
			.OOOOXXXXX.
			OOOOOXXXXXX
			....OX.....
			....OX.....
			....OX.....
			....OX.....
			....OX.....
			....OX.....
			....OX.....`, "", "C11 G11", true, "B+8", "B+7"},
		{"bent four in the corner", `
			...OX....
			...OX....
			...OX....
			...OX....
			OOOOX....
			XXOOXX...
			.XOOOX...
			OXXXOX...
			OO.XOX...`, "A4", "", false, "B+3", "B+4"},
	} {
		size := len(strings.Fields(c.board)[0])
		v, err := NewVariant(size, "french", 0)
		if err != nil {
			t.Fatal(err)
		}
		v.Komi = 0
		g, err := NewReferee(v)
		if err != nil {
			t.Fatal(err)
		}
		place(t, g.p, game.Black, c.board)
		var want Set
		for _, s := range strings.Fields(c.dead) {
			for _, q := range g.p.Chain(nil, at(t, s, size)) {
				want.Add(q)
			}
		}
		if c.estimated {
			if got := g.p.EstimateDead(deadPlayouts); got != want {
				t.Errorf("%s: dead %v, want %v", c.name, names(got.Points(nil), size), names(want.Points(nil), size))
			}
		}
		if testing.Verbose() {
			own := g.p.Owners(deadPlayouts)
			for y := range size {
				t.Log(own[y*32 : y*32+size])
			}
		}
		g.SetDead(want)
		n := g.Count()
		var seki Set
		for _, s := range strings.Fields(c.seki) {
			for _, q := range g.p.Chain(nil, at(t, s, size)) {
				seki.Add(q)
			}
		}
		if n.seki != seki {
			t.Errorf("%s: seki %v, want %v", c.name, names(n.seki.Points(nil), size), names(seki.Points(nil), size))
		}
		if got := g.Score().String(); got != c.area {
			t.Errorf("%s: area %s, want %s", c.name, got, c.area)
		}
		g.p.rules.Territory = true
		if got := g.Score().String(); got != c.territory {
			t.Errorf("%s: territory %s, want %s", c.name, got, c.territory)
		}
	}
}

// Japanese counting: prisoners count, a dead stone counts twice, an eye in seki does not.
func TestTerritory(t *testing.T) {
	g := newReferee(t, 5, "japanese")
	// White loses a stone in Black's territory and leaves another that is dead.
	play(t, g, "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 A2 A1 B1 B5 pass pass")
	if got := g.Captured(game.Black); got != 1 {
		t.Fatalf("%d captured", got)
	}
	var dead Set
	dead.Add(at(t, "B5", 5))
	g.SetDead(dead)
	n := g.Count()
	if got, want := g.p.Score(&n, 6.5, 0), (Score{8 + 1 + 1, 5 + 6.5}); got != want {
		t.Errorf("%v, want %v\n%s", got, want, picture(&g.p.Board))
	}
	r, err := ParseRules("japanese")
	if err != nil {
		t.Fatal(err)
	}
	p := NewPosition(r, 11)
	place(t, p, game.Black, ".OX.X.O.OX./OOXXXOOOOXX/.OOOOXXXXX./OOOOOXXXXXX/....OX...../....OX...../....OX...../....OX...../....OX...../....OX...../....OX.....")
	c := p.Count(&Set{})
	if got, want := p.Score(&c, 0, 5), (Score{37, 30}); got != want {
		t.Errorf("eyes in seki: %v, want %v", got, want)
	}
}

// Single-point eyes: true in the middle with one opposing stone on a diagonal, at the edge
// with none.
func TestEye(t *testing.T) {
	for board, want := range map[string]bool{
		"...../..X../.X.X./..X../.....": true,
		"...../.OX../.X.X./..X../.....": true,
		"...../.OX../.X.X./..XO./.....": false,
		"...../..X../.X.../..X../.....": false,
	} {
		p := NewPosition(ruleSets[0], 5)
		place(t, p, game.Black, board)
		if got := p.Eye(game.Black, at(t, "C3", 5)); got != want {
			t.Errorf("%s: %v", board, got)
		}
		if p.Eye(game.White, at(t, "C3", 5)) || p.Eye(game.Black, at(t, "C4", 5)) {
			t.Errorf("%s: an eye that is none", board)
		}
	}
	for board, want := range map[string]bool{
		".X.../X..../...../...../.....": true,
		".XO../X..../...../...../.....": true,
		".X.../XO.../...../...../.....": false,
	} {
		p := NewPosition(ruleSets[0], 5)
		place(t, p, game.Black, board)
		if got := p.Eye(game.Black, at(t, "A5", 5)); got != want {
			t.Errorf("%s: %v", board, got)
		}
	}
	p := NewPosition(ruleSets[0], 5)
	for board, want := range map[string]bool{".X.X./..X../...../...../.....": true, ".X.X./..XO./...../...../.....": false} {
		place(t, p, game.Black, board)
		if got := p.Eye(game.Black, at(t, "C5", 5)); got != want {
			t.Errorf("%s: %v", board, got)
		}
	}
}
