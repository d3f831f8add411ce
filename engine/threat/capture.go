package threat

import (
	"math/bits"

	"tengen/engine/game"
	"tengen/engine/line"
)

// The search where stones are captured (pente). A five or enough captures win at once; what
// threatens either is answered by a stone on the point itself or by a capture, of a stone
// of the row, or of the stone at the far end of a bracket. Nothing else can answer it: no
// other stone of the defender's takes away a stone of the attacker's, and a bracket stays
// one unless its open end is taken. So the defender's replies are counted out completely,
// and a Win is a win. The attacker tries only fours, captures, and with one capture missing
// the moves that threaten it, so a None says no more than that.
//
// Captures change lines far from the move, so stones are made on the Position itself.

// maxHunt is the ply where a line is given up: positions do not repeat, but games are long.
const maxHunt = 96

// hunts looks for a win of the side to move.
func (v *VCF) hunts(p *line.Position) Status {
	v.p, v.a, v.d = p, p.Side(), p.Side().Other()
	v.key = salt(p, ofFails)
	v.moves, v.saved = v.moves[:0], v.saved[:0]
	if p.Rules().Restricted(v.a) || p.Rules().Restricted(v.d) {
		return Unknown // a forbidden reply, or five, is not thought of here
	}
	return v.hunt(0)
}

// hunt looks for a win of the attacker, who is to move.
func (v *VCF) hunt(ply int) Status {
	p := v.p
	var wins line.Set
	if p.Wins(v.a, &wins) > 0 {
		v.plies = ply + 1
		v.pv = append(v.pv[:ply], wins.First(p.Size()))
		return Win
	}
	key := p.Key() ^ v.key
	if v.fails.has(key) {
		return None
	}
	if ply >= maxHunt {
		return Unknown
	}
	from := len(v.moves)
	v.threats()
	st := None
	for i := from; i < len(v.moves) && st == None; i++ {
		if v.spent() {
			st = Unknown
			break
		}
		m := v.moves[i].point
		p.Make(m)
		st = v.evade(ply, m)
		p.Unmake()
	}
	v.moves = v.moves[:from]
	if st == None {
		v.fails.add(key)
	}
	return st
}

// threats appends the attacker's moves: those that may threaten to win and leave the
// defender no win of his own.
func (v *VCF) threats() {
	p := v.p
	var set, takes, stops line.Set
	p.Captures(v.a, &takes)
	set = takes
	for cl := line.FourOnly; cl <= line.OpenFour; cl++ {
		if p.Count(v.a, cl) > 0 {
			for y, row := range p.Points(v.a, cl) {
				set[y] |= row
			}
		}
	}
	if p.Rules().CaptureWins-p.Captured(v.a) <= p.Rules().Capture {
		brackets(p, v.d, &set)
	}
	must := p.Wins(v.d, &stops) > 0
	from := len(v.moves)
	for y := range p.Size() {
		row := set[y]
		if must {
			row &= stops[y] | takes[y]
		}
		for ; row != 0; row &= row - 1 {
			q := game.At(bits.TrailingZeros32(row), y)
			order := 2 * uint8(p.Class(v.a, q))
			if takes.Has(q) {
				order += 5
			}
			v.insert(from, four{point: q, order: order})
		}
	}
}

// brackets adds the points next to a run of side c whose other end is open: a stone there threatens
// to capture.
func brackets(p *line.Position, c game.Color, set *line.Set) {
	for y := range p.Size() {
		for x := range p.Size() {
			q := game.At(x, y)
			if p.At(q) != game.Empty {
				continue
			}
			for d := range 4 {
				for _, s := range [2]int{line.Step(d), -line.Step(d)} {
					n := 0
					for at(p, int(q)+(n+1)*s) == c {
						n++
					}
					if n > 1 && n <= p.Rules().Capture && at(p, int(q)+(n+1)*s) == game.Empty {
						set[y] |= 1 << x
					}
				}
			}
		}
	}
}

// evade finds out whether the attacker's move m, just made, wins against every reply.
func (v *VCF) evade(ply int, m game.Point) Status {
	p := v.p
	var replies, takes line.Set
	if p.Wins(v.d, &replies) > 0 {
		return None
	}
	n := p.Wins(v.a, &replies)
	if n == 0 {
		return None
	}
	any := p.Captures(v.d, &takes)
	v.plies = ply + 3
	v.pv = append(v.pv[:ply], m)
	if n > 1 && !any {
		return Win // no stone is on two points
	}
	longest, saved := ply+3, len(v.saved)
	v.saved = append(v.saved, m)
	for y := range p.Size() {
		for row := replies[y] | takes[y]; row != 0; row &= row - 1 {
			r := game.At(bits.TrailingZeros32(row), y)
			if v.spent() {
				v.saved = v.saved[:saved]
				return Unknown
			}
			p.Make(r)
			st := v.hunt(ply + 2)
			p.Unmake()
			if st != Win {
				v.saved = v.saved[:saved]
				return st
			}
			if v.plies >= longest {
				longest = v.plies
				v.pv[ply], v.pv[ply+1] = m, r
				v.saved = append(v.saved[:saved], v.pv[ply:]...)
			}
		}
	}
	// The line of the reply that holds out longest.
	v.plies = longest
	v.pv = append(v.pv[:ply], v.saved[saved:]...)
	v.saved = v.saved[:saved]
	return Win
}
