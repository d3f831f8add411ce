package weiqi

import "tengen/engine/game"

// Reason is why a move is refused.
type Reason uint8

const (
	Allowed Reason = iota
	OffBoard
	Occupied
	Suicide
	Repetition
)

func (r Reason) String() string {
	return [...]string{"legal", "off the board", "occupied", "suicide", "repetition"}[r%5]
}

// Position is a board with its rules, its past and whose turn it is, for a search.
type Position struct {
	Board
	rules  Rules
	side   game.Color
	passes int    // in a row, up to now
	moves  int    // since the start or the set-up
	placed [2]int // stones on the board at the start

	// seen holds every position so far, the first included: the key of the stones, in bit
	// 1 the side that moved to it, in bit 0 whether by a pass. Compared without the bits
	// it is positional superko, with bit 1 situational, with both the French rule.
	seen   []uint64
	frames []frame
}

// frame is what a move changed.
type frame struct {
	saved
	side   game.Color
	passes int32
	pass   bool
}

const (
	byPass  = 1
	byWhite = 2
)

// NewPosition returns an empty board with Black to move, or nil if the size is not
// MinSize to MaxSize.
func NewPosition(r Rules, size int) *Position {
	if size < MinSize || size > MaxSize {
		return nil
	}
	p := &Position{rules: r}
	p.Board.reset(size)
	room := 3*size*size + 8 // a search that goes further grows them once
	p.seen = make([]uint64, 0, room)
	p.frames = make([]frame, 0, room)
	p.start(game.Black)
	return p
}

// Reset empties the board.
func (p *Position) Reset() {
	p.Board.reset(p.size)
	p.start(game.Black)
}

// start makes the stones on the board the beginning, with a side to move. They count as
// produced by the other one.
func (p *Position) start(side game.Color) {
	p.side, p.passes, p.moves = side, 0, 0
	p.ko = none
	p.captured = [2]int{}
	p.placed = p.stones
	p.frames = p.frames[:0]
	p.seen = append(p.seen[:0], p.entry(p.key, side.Other()))
}

// CopyFrom makes p the same position as s with the same past.
func (p *Position) CopyFrom(s *Position) {
	p.Board.CopyFrom(&s.Board)
	p.rules, p.side, p.passes, p.moves, p.placed = s.rules, s.side, s.passes, s.moves, s.placed
	p.seen = append(p.seen[:0], s.seen...)
	p.frames = append(p.frames[:0], s.frames...)
}

// Clone returns a copy with room for a search of its own.
func (p *Position) Clone() *Position {
	c := NewPosition(p.rules, p.size)
	c.CopyFrom(p)
	return c
}

// Anew returns the stones of p as the beginning of a game in which a side is to move: there
// is no past, so no ko is forbidden, and the rules are the simplest that end it.
func (p *Position) Anew(side game.Color) *Position {
	c := NewPosition(Rules{Name: p.rules.Name, Ko: SimpleKo}, p.size)
	c.Board.CopyFrom(&p.Board)
	c.start(side)
	return c
}

// Rules returns the rule set.
func (p *Position) Rules() Rules { return p.rules }

// Side returns the side to move.
func (p *Position) Side() game.Color { return p.side }

// SetSide gives the turn to a side, for games in which one moves twice.
func (p *Position) SetSide(c game.Color) { p.side = c }

// Moves returns how many moves, passes included, lead here from the start or the set-up.
func (p *Position) Moves() int { return p.moves }

// Played returns how many stones a side has played since the start or the set-up.
func (p *Position) Played(c game.Color) int { return p.stones[c] + p.captured[c] - p.placed[c] }

// Before returns the move i moves ago, 1 the last one, as far as it can be taken back.
func (p *Position) Before(i int) (game.Move, bool) {
	n := len(p.frames) - i
	if n < 0 {
		return game.Move{}, false
	}
	f := &p.frames[n]
	if f.pass {
		return game.Move{Color: f.side, Point: game.Pass}, true
	}
	return game.Move{Color: f.side, Point: point(int(f.cell))}, true
}

// Repeats reports whether the side to move may not play on the empty point q because of
// what was on the board before, in every reading of the rules (see Playable).
func (p *Position) Repeats(q game.Point) bool {
	switch at := cell(q); p.rules.Ko {
	case SimpleKo:
		return at == p.ko && p.side == p.koFor
	case OwnSuperko:
		return p.repeats(at, OwnSuperko) || p.repeats(at, SituationalSuperko)
	default:
		return p.repeats(at, p.rules.Ko)
	}
}

// Vanishes reports whether a stone of the side to move on the empty point q would be alone
// and gone at once: the suicide of one stone, which leaves the board as it is.
func (p *Position) Vanishes(q game.Point) bool {
	at := cell(q)
	return p.near[at].own(p.side.Other()) == 4 && p.suicide(p.side, at)
}

// Passes returns how many passes in a row were the last moves. Two end the game; stones
// played after that take it up again.
func (p *Position) Passes() int { return p.passes }

// Banned returns the point where the side to move may not retake at once, or no point.
func (p *Position) Banned() game.Point {
	if p.ko == none || p.koFor != p.side {
		return game.NoPoint
	}
	return point(p.ko)
}

// Key returns a key of the stones, the side to move and the ko.
func (p *Position) Key() uint64 {
	k := p.key
	if p.side == game.White {
		k ^= 0x9e3779b97f4a7c15
	}
	if p.ko != none && p.koFor == p.side {
		k ^= zobrist[p.side][p.ko] * 0x2545f4914f6cdd1d // odd: no key is lost
	}
	return k
}

func (p *Position) entry(key uint64, mover game.Color) uint64 {
	return key | uint64(mover)*byWhite
}

// Legal returns whether the rule set lets the side to move play on q, read literally:
// what a referee accepts. A pass always is.
func (p *Position) Legal(q game.Point) Reason { return p.judge(q, p.rules.Ko) }

// Playable reports whether the side to move may play on q in every reading of the rules:
// what an engine of ours may play. The literal French rule lets a player retake who has
// passed meanwhile; other programs judge French games by situational superko, and there
// refuse it.
func (p *Position) Playable(q game.Point) bool {
	if p.judge(q, p.rules.Ko) != Allowed {
		return false
	}
	return p.rules.Ko != OwnSuperko || p.judge(q, SituationalSuperko) == Allowed
}

func (p *Position) judge(q game.Point, ko Ko) Reason {
	if q == game.Pass {
		return Allowed
	}
	if !p.on(q) {
		return OffBoard
	}
	at := cell(q)
	if p.cells[at] != game.Empty {
		return Occupied
	}
	if !p.rules.Suicide && p.suicide(p.side, at) {
		return Suicide
	}
	if ko == SimpleKo {
		if at == p.ko && p.side == p.koFor {
			return Repetition
		}
		return Allowed
	}
	if p.repeats(at, ko) {
		return Repetition
	}
	return Allowed
}

// repeats reports whether the side to move would by a stone on an empty cell recreate
// a position that the kind of superko keeps from it.
func (p *Position) repeats(at int, ko Ko) bool {
	// Without a capture there are more stones than ever before.
	if p.captured[0]+p.captured[1] == 0 && p.near[at].empty() > 0 {
		return false
	}
	mask := ^uint64(0)
	switch ko {
	case PositionalSuperko:
		mask = ^uint64(byPass | byWhite)
	case SituationalSuperko:
		mask = ^uint64(byPass)
	}
	want := p.entry(p.after(p.side, at), p.side) & mask
	for i := len(p.seen) - 1; i >= 0; i-- {
		if p.seen[i]&mask == want {
			return true
		}
	}
	return false
}

// after returns the key of the stones after a stone of c on an empty cell.
func (b *Board) after(c game.Color, at int) uint64 {
	k := b.key ^ zobrist[c][at]
	if b.near[at].empty() == 4 {
		return k
	}
	b.walk()
	free := b.near[at].empty() > 0
	took := false
	for _, d := range around { // what it takes
		q := at + d
		h := b.head[q]
		if b.cells[q] == c.Other() && b.chain[h].atari() {
			took = true
			if b.mark[h] != b.stamp {
				b.mark[h] = b.stamp
				k ^= b.chainKey(c.Other(), h)
			}
		}
		if b.cells[q] == c && !b.chain[h].atari() {
			free = true
		}
	}
	if free || took {
		return k
	}
	k ^= zobrist[c][at] // suicide: the stone goes again, and all it touches
	for _, d := range around {
		q := at + d
		if h := b.head[q]; b.cells[q] == c && b.mark[h] != b.stamp {
			b.mark[h] = b.stamp
			k ^= b.chainKey(c, h)
		}
	}
	return k
}

// chainKey returns the exclusive or of the keys of a chain's stones.
func (b *Board) chainKey(c game.Color, h uint16) (k uint64) {
	table := &zobrist[c]
	for s := h; ; {
		k ^= table[s]
		if s = b.next[s]; s == h {
			return k
		}
	}
}

// Make plays q, a legal point or a pass, for the side to move. It does not ask.
func (p *Position) Make(q game.Point) {
	f := frame{side: p.side, passes: int32(p.passes), pass: q == game.Pass}
	how := uint64(0)
	if f.pass {
		f.ko, f.koFor = uint16(p.ko), p.koFor
		p.ko = none
		p.passes++
		how = byPass
	} else {
		at := cell(q)
		f.saved = p.save(p.side, at)
		p.put(p.side, at)
		f.delta = p.last
		p.passes = 0
	}
	p.frames = append(p.frames, f)
	p.seen = append(p.seen, p.entry(p.key, p.side)|how)
	p.side = p.side.Other()
	p.moves++
}

// Unmake takes the last Make back.
func (p *Position) Unmake() {
	n := len(p.frames) - 1
	f := &p.frames[n]
	if f.pass {
		p.ko, p.koFor = int(f.ko), f.koFor
	} else {
		p.lift(&f.saved)
	}
	p.side, p.passes = f.side, int(f.passes)
	p.frames = p.frames[:n]
	p.seen = p.seen[:len(p.seen)-1]
	p.moves--
}

// Cycle reports whether, under simple ko, the position has come for the third time with
// the same side to move: the game has no result.
func (p *Position) Cycle() bool {
	if p.rules.Ko != SimpleKo || p.passes > 0 {
		return false
	}
	now := p.seen[len(p.seen)-1] &^ byPass
	times := 0
	for _, s := range p.seen {
		if s&^byPass == now {
			times++
		}
	}
	return times >= 3
}
