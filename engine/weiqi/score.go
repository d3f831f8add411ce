package weiqi

import (
	"strconv"

	"tengen/engine/game"
)

// Status is what is said of a stone when the game is over.
type Status uint8

const (
	Alive Status = iota
	Seki         // alive, but only because neither side can attack
	Dead
)

func (s Status) String() string { return [...]string{"alive", "seki", "dead"}[s%3] }

// Count is a board with its dead stones taken off.
type Count struct {
	Owner     [game.NumPoints]game.Color // Black's or White's by stone or territory, else Empty
	Stones    [2]int                     // alive
	Dead      [2]int                     // stones of a side that are dead
	Territory [2]int                     // points that only a side's live stones surround
	SekiEyes  [2]int                     // those among them that a chain in seki surrounds
	Neutral   int
	dead      Set
	seki      Set
}

// Status returns what is said of the stone on q.
func (n *Count) Status(q game.Point) Status {
	switch {
	case n.dead.Has(q):
		return Dead
	case n.seki.Has(q):
		return Seki
	}
	return Alive
}

// Area returns a side's stones and territory.
func (n *Count) Area(c game.Color) int { return n.Stones[c] + n.Territory[c] }

// Count counts the board. A chain is dead when any of its stones is in the set. An empty
// region, with the dead stones in it, is the territory of a side if it touches no live
// stone of the other; if it touches both or none it is neutral.
//
// Which chains are in seki matters for territory scoring and for GTP's list only. They are
// those groups (live chains with the territory they enclose) that touch a small neutral
// region and have neither two separate eyes nor one of three points: a stand-in for the
// exact text (Japanese rules of 1989, article 8), which calls every group with an unfilled
// neutral point a seki.
func (b *Board) Count(dead *Set) Count {
	n := Count{}
	var (
		of     [cells]uint16 // region of a cell, from 1
		size   [cells]uint16 // by region
		owner  [cells]game.Color
		gone   [cells]bool // by head: dead
		open   [cells]bool // empty once the dead are off
		queue  [cells]uint16
		seen   [cells]uint16 // by cell, or by region: last group that counted it
		last   uint16
		groups uint16
	)
	for i := range n.Owner {
		n.Owner[i] = game.Empty
	}
	for y := range b.size {
		for x := range b.size {
			q := game.At(x, y)
			if p := cell(q); b.cells[p] <= game.White && dead.Has(q) {
				gone[b.head[p]] = true
			}
		}
	}
	for y := range b.size {
		for x := range b.size {
			q := game.At(x, y)
			switch p := cell(q); {
			case b.cells[p] == game.Empty:
				open[p] = true
			case gone[b.head[p]]:
				open[p] = true
				n.dead.Add(q)
				n.Dead[b.cells[p]]++
			default:
				n.Stones[b.cells[p]]++
				n.Owner[q] = b.cells[p]
			}
		}
	}
	// Empty regions and whose they are.
	for y := range b.size {
		for x := range b.size {
			start := cell(game.At(x, y))
			if !open[start] || of[start] != 0 {
				continue
			}
			last++
			touch := [2]bool{}
			end := 1
			queue[0], of[start] = uint16(start), last
			for i := 0; i < end; i++ {
				for _, d := range around {
					q := int(queue[i]) + d
					switch {
					case b.cells[q] == game.Wall:
					case !open[q]:
						touch[b.cells[q]] = true
					case of[q] == 0:
						of[q] = last
						queue[end] = uint16(q)
						end++
					}
				}
			}
			size[last], owner[last] = uint16(end), game.Empty
			if touch[game.Black] != touch[game.White] {
				c := game.Black
				if touch[game.White] {
					c = game.White
				}
				owner[last] = c
				n.Territory[c] += end
				for _, p := range queue[:end] {
					n.Owner[point(int(p))] = c
				}
			} else {
				n.Neutral += end
			}
		}
	}
	// Groups in seki.
	for y := range b.size {
		for x := range b.size {
			start := cell(game.At(x, y))
			if open[start] || seen[start] != 0 {
				continue
			}
			c := b.cells[start]
			groups++
			neutral, eyes, widest, points := false, 0, 0, 0
			var counted [cells]bool // by region
			end := 1
			queue[0], seen[start] = uint16(start), groups
			for i := 0; i < end; i++ {
				p := int(queue[i])
				for _, d := range around {
					q := p + d
					if b.cells[q] == game.Wall || seen[q] == groups {
						continue
					}
					r := of[q]
					switch {
					case open[q] && owner[r] == game.Empty:
						neutral = neutral || size[r] <= smallNeutral
						continue
					case open[q] && owner[r] != c, !open[q] && b.cells[q] != c:
						continue
					case open[q]:
						points++
						if !counted[r] {
							counted[r] = true
							eyes++
							widest = max(widest, int(size[r]))
						}
					}
					seen[q] = groups
					queue[end] = uint16(q)
					end++
				}
			}
			if neutral && eyes < 2 && widest < 3 {
				n.SekiEyes[c] += points
				for _, p := range queue[:end] {
					if !open[p] {
						n.seki.Add(point(int(p)))
					}
				}
			}
		}
	}
	return n
}

// smallNeutral is how many points a neutral region may have to make a seki; a bigger one
// is a part of the board that has not been played out.
const smallNeutral = 8

// Score is the result of a count.
type Score struct{ Black, White float64 }

// Lead returns Black's points minus White's.
func (s Score) Lead() float64 { return s.Black - s.White }

// Outcome returns who won.
func (s Score) Outcome() game.Outcome {
	switch d := s.Lead(); {
	case d > 0:
		return game.BlackWin
	case d < 0:
		return game.WhiteWin
	}
	return game.Draw
}

// String writes the result as game files do: "B+3.5", "W+12", "0".
func (s Score) String() string {
	switch d := s.Lead(); {
	case d > 0:
		return "B+" + strconv.FormatFloat(d, 'f', -1, 64)
	case d < 0:
		return "W+" + strconv.FormatFloat(-d, 'f', -1, 64)
	}
	return "0"
}

// Score adds up a count by the rule set, with the komi of the game and the number of
// handicap stones.
func (p *Position) Score(n *Count, komi float64, handicap int) Score {
	s := Score{White: komi + float64(p.rules.BonusFor(handicap))}
	if !p.rules.Territory {
		s.Black += float64(n.Area(game.Black))
		s.White += float64(n.Area(game.White))
		return s
	}
	points := func(c game.Color) float64 {
		o := c.Other()
		return float64(n.Territory[c] - n.SekiEyes[c] + n.Dead[o] + p.Captured(c))
	}
	s.Black += points(game.Black)
	s.White += points(game.White)
	return s
}

// Owners plays n careful playouts, each side beginning half of them, and returns for each
// point how often Black owned it in the end minus how often White did. Equal positions
// give equal numbers.
func (p *Position) Owners(n int) (own [game.NumPoints]int32) {
	r := NewRand(p.key)
	b := NewBoard(p.size)
	s := Style{Careful: true}
	for i := range n {
		b.CopyFrom(&p.Board)
		b.ko = none // the game is over: who may retake is open
		b.Playout(&r, game.Color(i&1), game.NoPoint, &s, nil)
		for y := range b.size {
			for x := range b.size {
				q := game.At(x, y)
				c := b.cells[cell(q)]
				switch m := b.near[cell(q)]; {
				case c == game.Black, c == game.Empty && m.own(game.Black) == 4:
					own[q]++
				case c == game.White, c == game.Empty && m.own(game.White) == 4:
					own[q]--
				}
			}
		}
	}
	return own
}

// EstimateDead returns the stones that are dead though nobody said so: those in the
// pass-alive territory of the opponent, and the chains that careful playouts, n of them,
// mostly lose. Chains that are pass-alive never are.
func (p *Position) EstimateDead(n int) (dead Set) {
	life := p.PassAlive(p.rules.Suicide)
	own := p.Owners(n)
	for y := range p.size {
		for x := range p.size {
			q := game.At(x, y)
			c := p.At(q)
			if c > game.White || p.head[cell(q)] != uint16(cell(q)) {
				continue // not a head
			}
			stones := p.Chain(nil, q)
			if life.Stones[c].Has(q) {
				continue
			}
			sum := 0
			for _, s := range stones {
				sum += int(own[s])
			}
			if c == game.White {
				sum = -sum
			}
			// sum runs from -n to n for each stone. A chain is dead when it is lost in more
			// than two playouts of three.
			if life.Territory[c.Other()].Has(q) || 3*sum < -n*len(stones) {
				for _, s := range stones {
					dead.Add(s)
				}
			}
		}
	}
	return dead
}
