package mcts

import (
	"slices"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// Dead returns the stones that are dead though nobody said so, as a referee must know them
// when a game is over. It takes at most a second or so on the largest board, and equal
// stones give equal answers.
//
// Stones that are pass-alive (Benson 1976) or lie in what pass-alive stones enclose need no
// search, and neither do chains that hold out in nearly all playouts. Around all others the
// board is divided into regions, and each of them is read by a small tree twice, Black first
// and White first. A chain is dead if it is lost both times: then its side cannot save it.
// Where neither side gains by moving first all stones stay, so a seki does. Of what hangs on
// who moves first stays what is more often saved than lost: both sides have passed.
func Dead(p *weiqi.Position) weiqi.Set { return deadStones(p, game.Empty, deadWork) }

const (
	deadWork      = 1 << 18 // of a count, in points played out; some third of a second
	hastyWork     = deadWork / 16
	firstPlayouts = 96   // over the whole board, to find what is in doubt
	leastRead     = 64   // playouts of one reading
	mostRead      = 2500 // enough for what is small
	lastWork      = 4    // so many times as much for what has remained,
	smallRegion   = 30   // if it is not half a board on which nothing is settled
)

// deadStones is Dead for so much work. If a side is to move next that will not be content
// with the count, what hangs on who moves first is decided as it wishes.
func deadStones(p *weiqi.Position, next game.Color, work int) (dead weiqi.Set) {
	life := p.PassAlive(p.Rules().Suicide)
	own := p.Owners(firstPlayouts)
	share := func(chain []game.Point) float64 { // of all playouts, in which it stayed
		sum := 0
		for _, s := range chain {
			sum += int(own[s])
		}
		if p.At(chain[0]) == game.White {
			sum = -sum
		}
		return float64(sum+firstPlayouts*len(chain)) / float64(2*firstPlayouts*len(chain))
	}

	// 1. What is certain, and what is not.
	var seen, walls weiqi.Set
	var doubtful [][]game.Point
	for q := range board(p.Size()) {
		c := p.At(q)
		if c > game.White || seen.Has(q) {
			continue
		}
		chain := p.Chain(nil, q)
		add(&seen, chain)
		switch {
		case life.Territory[c.Other()].Has(q):
			add(&dead, chain)
		case life.Stones[c].Has(q) || share(chain) >= certain:
			add(&walls, chain)
		default:
			doubtful = append(doubtful, chain)
		}
	}

	// 2. The regions around what is not. What comes out clearly makes the regions of the rest
	// smaller, which are read again.
	var readings []reading
	for round := 1; len(doubtful) > 0 && round <= rounds; round++ {
		regions := regionsOf(p, doubtful, &walls, &life)
		doubtful = doubtful[:0]
		settled := false
		for i := range regions {
			r := &regions[i]
			n := min(max(work/(3*len(regions)*max(len(r.points), 8)), leastRead), mostRead)
			if round == rounds && len(r.points) <= smallRegion {
				n *= lastWork
			}
			k := slices.IndexFunc(readings, func(old reading) bool { return old.set == r.set && old.n >= n })
			if k < 0 {
				k = len(readings)
				readings = append(readings, reading{r.set, n, [2]*owned{read(p, r, game.Black, n), read(p, r, game.White, n)}})
			}
			for _, chain := range r.chains {
				var kept [2]float32 // by who moves first
				for c, own := range readings[k].own {
					kept[c] = stays(chain, p.At(chain[0]), own)
				}
				fate := (kept[game.Black] + kept[game.White]) / 2
				if next != game.Empty {
					fate = min(fate, kept[next])
				}
				switch {
				case min(kept[0], kept[1]) > 1-clear:
					settled = true
					add(&walls, chain)
				case max(kept[0], kept[1]) < clear, round == rounds && fate < gone:
					add(&dead, chain)
				case round < rounds:
					doubtful = append(doubtful, chain)
				}
			}
		}
		if !settled && round < rounds {
			round = rounds - 1
		}
	}
	return dead
}

const (
	certain = 0.95 // a chain that stays so often in playouts is alive
	clear   = 0.15 // one that stays less often in both readings is dead; read again if not so clear
	// gone is the same in the last round, of both readings together: a chain that would have
	// to fight against the odds for its life, and whose side declined to when it passed, is
	// dead too.
	gone   = 0.47
	rounds = 3
)

func add(s *weiqi.Set, chain []game.Point) {
	for _, q := range chain {
		s.Add(q)
	}
}

// owned says for each point of a region how often it was Black's, 1 always, -1 never.
type owned [game.NumPoints]float32

// reading is what came of a region after n playouts, by who moved first.
type reading struct {
	set weiqi.Set
	n   int
	own [2]*owned
}

// stays returns how often a chain of c stayed in a reading.
func stays(chain []game.Point, c game.Color, own *owned) float32 {
	sum := float32(0)
	for _, s := range chain {
		sum += own[s]
	}
	if c == game.White {
		sum = -sum
	}
	return (sum/float32(len(chain)) + 1) / 2
}

// board yields the points of a board, row by row.
func board(size int) func(func(game.Point) bool) {
	return func(yield func(game.Point) bool) {
		for y := range size {
			for x := range size {
				if !yield(game.At(x, y)) {
					return
				}
			}
		}
	}
}

// region is a part of the board that is read by itself.
type region struct {
	set    weiqi.Set
	points []game.Point
	chains [][]game.Point // of those in doubt
}

// regionsOf returns the regions that decide about chains: the chains, the empty points
// connected with them and the chains beside those, up to the walls. A wall must hold though
// nobody plays outside of the region, or its place would be a liberty that nobody can fill:
// so it needs two liberties there, or two eyes, or it is no wall of this region.
func regionsOf(p *weiqi.Position, chains [][]game.Point, walls *weiqi.Set, life *weiqi.Life) (regions []region) {
	var all weiqi.Set
	for _, chain := range chains {
		if all.Has(chain[0]) {
			continue
		}
		var r region
		add := func(q game.Point) {
			if !r.set.Has(q) {
				r.set.Add(q)
				r.points = append(r.points, q)
			}
		}
		for _, s := range chain {
			add(s)
		}
		for i, beside := 0, []game.Point(nil); i < len(r.points); {
			for ; i < len(r.points); i++ {
				for _, s := range neighbours(r.points[i]) {
					switch c := p.At(s); {
					case c == game.Wall, r.set.Has(s):
					case c == game.Empty:
						add(s)
					case walls.Has(s):
						beside = append(beside, s)
					default:
						for _, t := range p.Chain(nil, s) {
							add(t)
						}
					}
				}
			}
			for _, s := range beside {
				if !r.set.Has(s) && !life.Stones[p.At(s)].Has(s) && !holds(p, s, &r.set) {
					for _, t := range p.Chain(nil, s) {
						add(t)
					}
				}
			}
		}
		for _, c := range chains {
			if r.set.Has(c[0]) && !all.Has(c[0]) {
				r.chains = append(r.chains, c)
				for _, s := range c {
					all.Add(s)
				}
			}
		}
		regions = append(regions, r)
	}
	return regions
}

// holds reports whether a chain has two liberties outside of a region.
func holds(p *weiqi.Position, q game.Point, inside *weiqi.Set) bool {
	n := 0
	for _, s := range p.Liberties(nil, q, 0) {
		if !inside.Has(s) {
			n++
		}
	}
	return n >= 2
}

// reader plays a region out, and nothing else.
type reader struct {
	*region
	p     *weiqi.Position
	work  *weiqi.Board
	rand  weiqi.Rand
	style weiqi.Style
	tree  tree
	side  game.Color
	path  []*node
	moves []game.Point
	first weiqi.First
	seen  [game.NumPoints]weiqi.Feature
	own   owned
}

// read returns whose the points of a region are after n playouts by a tree that begins with
// a side: 1 Black's, -1 White's. What it tries to win is area, of which there is more or
// less, not a game. Two passes end it with all stones alive.
func read(p *weiqi.Position, r *region, side game.Color, n int) *owned {
	d := &reader{region: r, p: p.Anew(side), side: side, work: weiqi.NewBoard(p.Size())}
	d.rand = weiqi.NewRand(p.Key() + uint64(side))
	d.style = weiqi.Style{Careful: true, Only: &r.set, Moves: 3 * len(r.points)}
	d.tree.reset(16 << 20)
	d.tree.even = true
	for i := range n {
		d.once(i >= n/2)
	}
	for _, q := range r.points {
		d.own[q] /= float32(n - n/2)
	}
	return &d.own
}

// once does one round of the reading.
func (d *reader) once(counts bool) {
	t := &d.tree
	n := &t.root
	d.path = append(d.path[:0], n)
	for {
		n.visits++
		if n.kids == 0 && (n.visits > 2 || n == &t.root) && d.p.Passes() < 2 && len(d.path) < 3*len(d.points) && !d.p.Cycle() {
			d.moves = d.moves[:0]
			for _, q := range d.points {
				if d.p.At(q) == game.Empty && d.p.Playable(q) && !pointless(d.p, q) {
					d.moves = append(d.moves, q)
				}
			}
			d.moves = append(d.moves, game.Pass)
			d.p.Features(n.point, &d.seen)
			t.grow(n, d.moves, &d.seen, nil)
		}
		if n.kids == 0 {
			break
		}
		n = t.pick(n)
		d.path = append(d.path, n)
		d.p.Make(n.point)
	}
	d.first.Clear(d.p.Size())
	t.learn(d.path, d.p.Side(), d.value(counts), &d.first)
	for range d.path[1:] {
		d.p.Unmake()
	}
}

// value returns Black's share of the region when it is played out.
func (d *reader) value(counts bool) uint64 {
	d.work.CopyFrom(&d.p.Board)
	if d.p.Passes() < 2 {
		d.work.Playout(&d.rand, d.p.Side(), d.path[len(d.path)-1].point, &d.style, &d.first)
	}
	sum := 0
	for _, q := range d.points {
		switch owner(d.work, q) {
		case game.Black:
			sum++
			if counts {
				d.own[q]++
			}
		case game.White:
			sum--
			if counts {
				d.own[q]--
			}
		}
	}
	return uint64(one * (sum + len(d.points)) / (2 * len(d.points)))
}

// owner returns whose a point is on a board on which only small eyes are left.
func owner(b *weiqi.Board, q game.Point) game.Color {
	c := b.At(q)
	if c != game.Empty {
		return c
	}
	for _, s := range neighbours(q) {
		switch o := b.At(s); {
		case o == game.Wall:
		case c == game.Empty:
			c = o
		case c != o:
			return game.Empty
		}
	}
	return c
}
