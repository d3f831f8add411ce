package book

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
)

// start are the books that come with the program, one for each game and size.
//
//go:embed start/*.book
var start embed.FS

// Start returns the book that comes with the program for a game, nil if there is none.
func Start(v game.Variant) (*Book, error) {
	data, err := start.ReadFile(startName(v))
	if err != nil {
		return nil, nil
	}
	return Read(bytes.NewReader(data), int64(len(data)))
}

// startName is the name under which the start book of a game is kept.
func startName(v game.Variant) string {
	return fmt.Sprintf("start/%s-%d.book", v.Rule, v.Size)
}

// Library is where a player looks before it thinks: the book that the user has named, or
// the start books, or none. A nil Library is empty. Any number of goroutines may use it.
type Library struct {
	mu     sync.Mutex
	rng    *rand.Rand
	off    bool
	own    *Book // the user's
	opened map[game.Variant]*Book
}

// NewLibrary returns a library of the start books. Of moves and openings that are about
// as good the seed decides.
func NewLibrary(seed uint64) *Library {
	return &Library{rng: rand.New(rand.NewPCG(seed, 0)), opened: map[game.Variant]*Book{}}
}

// Use takes another book: a file, "on" for the start books, "off" for none. On error there
// is none: nobody plays from a book that the user has not asked for.
func (l *Library) Use(name string) error {
	if l == nil {
		return errors.New("there is no library")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.own != nil {
		l.own.Close()
	}
	l.own, l.off = nil, true
	switch strings.ToLower(name) {
	case "off":
		return nil
	case "on", "":
		l.off = false
		return nil
	}
	b, err := Open(name)
	if err == nil {
		l.own, l.off = b, false
	}
	return err
}

// Seed makes the library draw as a new one with that seed.
func (l *Library) Seed(seed uint64) {
	if l != nil {
		l.mu.Lock()
		l.rng = rand.New(rand.NewPCG(seed, 0))
		l.mu.Unlock()
	}
}

// Close closes the books.
func (l *Library) Close() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range l.opened {
		if b != nil {
			b.Close()
		}
	}
	if l.own != nil {
		l.own.Close()
	}
	l.own, l.opened, l.off = nil, nil, true
}

// book returns the book for a game, nil if there is none. mu is held.
func (l *Library) book(v game.Variant) (*Book, error) {
	if l.off || l.own != nil {
		return l.own, nil
	}
	v = plain(v)
	b, known := l.opened[v]
	if known {
		return b, nil
	}
	b, err := Start(v)
	l.opened[v] = b
	return b, err
}

// find returns an entry as it lies on the board of a game, in one of the ways that the
// position's symmetry allows. mu is held.
func (l *Library) find(g game.Game) (*Entry, error) {
	v := g.Record().Variant
	b, err := l.book(v)
	if b == nil || err != nil {
		return nil, err
	}
	key, ways := keyOf(g)
	e, err := b.find(v, key)
	if e == nil || err != nil {
		return nil, err
	}
	return e.turn(v.Size, openings.Back(ways[l.rng.IntN(len(ways))])), nil
}

const (
	// Moves that are worse than the best one by no more than this are played as well.
	about = 12
	// A search of so many nodes is trusted; what a shorter one found must be known further on.
	trusted = 100_000
	// lost is the value below which the search should look for itself.
	lost = -400
)

// Move returns a move for the position at the end of rec. ok is false if no book knows
// one, or if it would be no good; an error says what is wrong with the book.
func (l *Library) Move(rec *game.Record) (c game.Choice, ok bool, err error) {
	if l == nil || rec.Variant.Rule == game.Weiqi {
		return c, false, nil
	}
	g, err := engine.Replay(rec)
	if err != nil || g.Result().Outcome != game.Open {
		return c, false, nil // the engine has words for it
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	e, err := l.find(g)
	if e == nil || err != nil || e.Value < lost {
		return c, false, err
	}
	var good []Move
	for _, m := range e.Moves {
		if m.Value < e.Moves[0].Value-about || g.Play(m.Point) != nil {
			continue
		}
		known := e.Nodes >= trusted || g.Result().Outcome != game.Open
		if !known {
			next, err := l.find(g)
			if err != nil {
				return c, false, err
			}
			known = next != nil
		}
		if known {
			good = append(good, m)
		}
		g.Undo()
	}
	if len(good) == 0 {
		return c, false, nil
	}
	if e.Value > decided {
		good = good[:1] // the shortest win
	}
	m := good[l.rng.IntN(len(good))]
	return e.choice(m), true, nil
}

func (e *Entry) choice(m Move) game.Choice {
	return game.Choice{Point: m.Point, Info: game.Info{
		MultiPV: 1, Depth: max(e.Depth, 1), SelDepth: max(e.Depth, 1), Value: m.Value, PV: []game.Point{m.Point}, Last: true,
	}}
}

// Swap2 returns an answer to a phase of Swap2, see openings.Swap2, and what it is worth to
// White. ok is false if no book knows one.
func (l *Library) Swap2(v game.Variant, stones []game.Point) (r openings.Swap2Reply, value int, ok bool, err error) {
	if l == nil || v.Rule == game.Weiqi {
		return r, 0, false, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch len(stones) {
	case 0:
		return l.offer(v)
	case 3, 5:
	default:
		return r, 0, false, nil
	}
	rec := &game.Record{Variant: v}
	for i, q := range stones {
		rec.Moves = append(rec.Moves, game.Move{Color: game.Color(i % 2), Point: q})
	}
	g, err := engine.Replay(rec)
	if err != nil || g.Result().Outcome != game.Open {
		return r, 0, false, nil
	}
	e, err := l.find(g)
	if e == nil || err != nil {
		return r, 0, false, err
	}
	r, ok = e.answer(v)
	for _, q := range r.Points {
		ok = ok && g.Legal(q) == nil
	}
	return r, e.Value, ok, nil
}

// answer is what is answered to a position of three or five stones, White to move: two stones
// where the entry has them, else the better side. ok is false where no answer is known.
func (e *Entry) answer(v game.Variant) (r openings.Swap2Reply, ok bool) {
	switch {
	case len(e.Pair) == 2:
		return openings.Swap2Reply{Points: e.Pair}, true
	case len(e.Moves) == 0:
		return r, false
	case e.fair(v) < 0:
		return openings.Swap2Reply{Swap: true}, true
	}
	return openings.Swap2Reply{Points: []game.Point{e.Moves[0].Point}}, true
}

// clear is the value from which a side is preferred at sight, so that two stones, which leave
// the choice to the opponent, are the wrong answer. It is wide of what is offered.
const clear = 40

// fair is the value of a position of Swap2, White to move, 0 for even chances, and off its
// distance from that. It is that of its own search: what is known behind it is the best of
// a few moves, each with its error, and so too good for who chooses among them.
func (e *Entry) fair(v game.Variant) int { return openings.Fair(v, game.White, e.Search) }

func (e *Entry) off(v game.Variant) int { return max(e.fair(v), -e.fair(v)) }

// offer draws three stones.
func (l *Library) offer(v game.Variant) (r openings.Swap2Reply, value int, ok bool, err error) {
	b, err := l.book(v)
	if b == nil || err != nil {
		return r, 0, false, err
	}
	offers, err := b.offers(v)
	if len(offers) == 0 || err != nil {
		return r, 0, false, err
	}
	it := offers[l.rng.IntN(len(offers))]
	p, ok := openings.ParseKey(it.key, v.Size)
	if !ok || len(p.Stones[0]) != 2 || len(p.Stones[1]) != 1 {
		return r, 0, false, ErrDamaged
	}
	way := l.rng.IntN(game.Symmetries)
	i := l.rng.IntN(2)
	for _, q := range []game.Point{p.Stones[0][i], p.Stones[1][0], p.Stones[0][1-i]} {
		r.Points = append(r.Points, q.Turned(v.Size, way))
	}
	return r, it.entry.Value, true, nil
}

// offers returns the entries that may be offered in Swap2.
func (b *Book) offers(v game.Variant) (all []item, err error) {
	s := b.section(v)
	if s == nil {
		return nil, nil
	}
	for i := range s.blocks {
		page, err := b.page(&s.blocks[i], v.Size)
		if err != nil {
			return nil, err
		}
		for _, it := range page {
			if it.entry.Offer {
				all = append(all, it)
			}
		}
	}
	return all, nil
}
