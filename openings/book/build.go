package book

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
)

// Settings say how a book is built.
type Settings struct {
	Variant game.Variant
	Nodes   int64  // of the search of a position
	Lines   int    // moves that such a search values
	Plies   int    // no position is searched that is further from its beginning
	Error   int    // a move that is worse by so much counts as a ply more
	Seed    uint64 // what decides between positions that are about as near
	Source  string // of the entries
	Window  int    // how far from even what is offered in Swap2 may be
	Deeper  int64  // what is offered must be answered alike by searches of so many times the nodes
	Games   int    // and must stand in so many games, at most 8, see stands
	Play    int64  // with so many nodes a move
}

// Root is a position where a book begins.
type Root struct {
	Record *game.Record
	Source string // "" for that of the settings
}

const decided = game.MaxValue // values beyond it are wins and losses seen to their ends

// Build adds positions to a draft until it has so many of the game, each time the one that
// is most likely to come up among those that follow from the roots and are not known yet.
// told is called after each; its error ends the building, as does ctx. What was built is
// then complete as far as it goes, and Build with the same settings goes on from there.
//
// The order is that of drop-out expansion (Lincke 2000, pages 79 to 81): a leaf's distance
// is the plies that lead to it and, for each move that is not the best one, what that
// move gives away; the nearest leaf is expanded. A line so costs its players as much to
// leave the book by a bad move at once as by good ones late. Both sides are the book's
// player here, and positions that several lines lead to are one.
func Build(ctx context.Context, e engine.Engine, d *Draft, s Settings, roots []Root, positions int, told func(source string) error) error {
	b, err := newBuilder(e, d, s)
	if err != nil {
		return err
	}
	var starts []string
	sources := map[string]string{}
	for i, r := range roots {
		g, err := engine.Replay(r.Record)
		if err != nil {
			return fmt.Errorf("root %d: %w", i+1, err)
		}
		key, _ := keyOf(g)
		if key == "" || plain(r.Record.Variant) != b.v {
			return fmt.Errorf("root %d: not a position of %s", i+1, b.v)
		}
		if g.Result().Outcome == game.Open {
			starts = append(starts, key)
			sources[key] = r.Source
		}
	}
	for b.d.Len(b.v) < positions {
		b.backUp()
		key := b.nearest(starts)
		if key == "" {
			return nil // all is known, as far as plies go
		}
		source := sources[key]
		if source == "" {
			source = s.Source
		}
		if err := b.expand(ctx, key, source); err != nil {
			return err
		}
		if err := told(source); err != nil {
			return err
		}
	}
	b.backUp()
	return nil
}

// Extend searches each of the positions that is not known yet, and those alone.
func Extend(ctx context.Context, e engine.Engine, d *Draft, s Settings, roots []Root, told func(source string) error) error {
	b, err := newBuilder(e, d, s)
	if err != nil {
		return err
	}
	for i, r := range roots {
		g, err := engine.Replay(r.Record)
		if err != nil {
			return fmt.Errorf("position %d: %w", i+1, err)
		}
		key, _ := keyOf(g)
		if key == "" || plain(r.Record.Variant) != b.v {
			return fmt.Errorf("position %d: not one of %s", i+1, b.v)
		}
		if g.Result().Outcome != game.Open || b.section()[key] != nil {
			continue
		}
		if err := b.expand(ctx, key, r.Source); err != nil {
			return err
		}
		if err := told(r.Source); err != nil {
			return err
		}
	}
	b.backUp()
	return nil
}

// builder grows a draft.
type builder struct {
	d        *Draft
	v        game.Variant
	e        engine.Engine
	s        Settings
	children map[string][]string // of each entry, the positions after its moves, by point
}

func newBuilder(e engine.Engine, d *Draft, s Settings) (*builder, error) {
	if _, err := engine.Referee(s.Variant); err != nil {
		return nil, err
	}
	switch {
	case s.Variant.Rule == game.Weiqi:
		return nil, errors.New("books are of line games")
	case s.Nodes < 1:
		return nil, fmt.Errorf("a search of %d nodes", s.Nodes)
	case s.Lines < 1 || s.Lines > 32:
		return nil, fmt.Errorf("%d lines of a search: from 1 to 32", s.Lines)
	case s.Error < 1:
		return nil, fmt.Errorf("an error of %d", s.Error)
	case s.Games < 0 || s.Games > game.Symmetries:
		return nil, fmt.Errorf("%d games: from 0 to %d", s.Games, game.Symmetries)
	case s.Games > 0 && s.Play < 1:
		return nil, fmt.Errorf("games of %d nodes a move", s.Play)
	}
	return &builder{d: d, v: plain(s.Variant), e: e, s: s, children: map[string][]string{}}, nil
}

func (b *builder) section() map[string]*Entry { return b.d.sections[b.v] }

// next returns the positions after the moves of an entry, "" where the game is over.
func (b *builder) next(key string, e *Entry) []string {
	if c := b.children[key]; len(c) == len(e.Moves) && c != nil {
		return c
	}
	// The moves are sorted anew when values change, so this goes by their points.
	moves := slices.Clone(e.Moves)
	slices.SortFunc(moves, func(a, b Move) int { return int(a.Point) - int(b.Point) })
	c := make([]string, len(moves))
	if g, err := replay(b.v, key); err == nil {
		for i, m := range moves {
			if g.Play(m.Point) != nil {
				continue
			}
			if g.Result().Outcome == game.Open {
				c[i], _ = keyOf(g)
			}
			g.Undo()
		}
	}
	b.children[key] = c
	return c
}

// child returns the position after the i-th move of an entry.
func (b *builder) child(key string, e *Entry, i int) string {
	c, before := b.next(key, e), 0
	for _, m := range e.Moves {
		if m.Point < e.Moves[i].Point {
			before++
		}
	}
	return c[before]
}

// plies is the number of stones that were put on the board for a position.
func plies(key string, size int) int {
	p, _ := openings.ParseKey(key, size)
	return len(p.Stones[0]) + len(p.Stones[1]) + p.Captured[0] + p.Captured[1]
}

// backUp gives each move the value of the position that it leads to, where that is known.
// Each move adds a stone, so the positions with most stones come first.
func (b *builder) backUp() {
	section := b.section()
	keys := slices.Sorted(maps.Keys(section))
	n := make(map[string]int, len(keys))
	for _, k := range keys {
		n[k] = plies(k, b.v.Size)
	}
	slices.SortStableFunc(keys, func(j, k string) int { return n[k] - n[j] })
	for _, key := range keys {
		e := section[key]
		if len(e.Moves) == 0 {
			continue
		}
		for i := range e.Moves {
			if c := section[b.child(key, e, i)]; c != nil && c.Nodes > 0 {
				e.Moves[i].Value = earlier(-c.Value)
			}
		}
		e.sort()
		e.Value = e.Moves[0].Value
	}
}

// earlier is a value as seen one ply before: a win is then one ply further away.
func earlier(v int) int {
	switch {
	case v > decided:
		return v - 1
	case v < -decided:
		return v + 1
	}
	return v
}

// leaf is a position with its distance from the roots.
type leaf struct {
	key      string
	distance float64
	plies    int
}

type queue []leaf

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].distance != q[j].distance {
		return q[i].distance < q[j].distance
	}
	return q[i].key < q[j].key
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(leaf)) }
func (q *queue) Pop() any {
	n := len(*q) - 1
	x := (*q)[n]
	*q = (*q)[:n]
	return x
}

// nearest returns the nearest position that is not in the book, "" if there is none.
func (b *builder) nearest(starts []string) string {
	section := b.section()
	var q queue
	for _, k := range starts {
		heap.Push(&q, leaf{k, b.chance(k), 0})
	}
	seen := map[string]bool{}
	for q.Len() > 0 {
		l := heap.Pop(&q).(leaf)
		if seen[l.key] {
			continue
		}
		seen[l.key] = true
		e := section[l.key]
		if e == nil {
			return l.key
		}
		if l.plies == b.s.Plies {
			continue
		}
		for i, m := range e.Moves {
			if m.Value > decided || m.Value < -decided {
				continue // needs no book, or no better one
			}
			c := b.child(l.key, e, i)
			if c == "" || seen[c] {
				continue
			}
			way := l.distance - b.chance(l.key) + 1 + float64(e.Value-m.Value)/float64(b.s.Error)
			heap.Push(&q, leaf{c, way + b.chance(c), l.plies + 1})
		}
	}
	return ""
}

// chance is less than a ply, and different for each position and seed.
func (b *builder) chance(key string) float64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d ", b.s.Seed)
	h.Write([]byte(key))
	return float64(h.Sum64()>>11) / (1 << 53) * 0.9
}

// expand searches a position and adds it.
func (b *builder) expand(ctx context.Context, key, source string) error {
	e, err := searchLie(ctx, b.e, b.v, key, 0, b.s.Nodes, b.s.Lines)
	if err != nil {
		return err
	}
	e.Source = source
	b.d.put(b.v, key, e)
	delete(b.children, key)
	return nil
}

// searchLie is Search for a position on a board that lies in the s-th way from how a book has
// it. A search comes to somewhat other values in each way, since what it looks at first does
// not turn with the board. Its moves are those of the book's board again.
func searchLie(ctx context.Context, e engine.Engine, v game.Variant, key string, s int, nodes int64, lines int) (*Entry, error) {
	p, ok := openings.ParseKey(key, v.Size)
	if !ok {
		return nil, fmt.Errorf("the position %x is damaged", key)
	}
	p = p.Turned(v.Size, s)
	x, err := Search(ctx, e, p.Record(v), nodes, lines)
	if err != nil {
		return nil, err
	}
	return x.turn(v.Size, openings.Back(s)), nil
}

// Search values a position and its best moves by one search of an engine that has
// forgotten all, so that the same position always has the same entry.
func Search(ctx context.Context, e engine.Engine, rec *game.Record, nodes int64, lines int) (*Entry, error) {
	e.Forget()
	g, err := engine.Replay(rec)
	if err != nil {
		return nil, err
	}
	// The lines of the last two depths: those of the last may be broken off.
	var depth int
	var last, before []game.Info
	var values []int // by depth
	c, err := e.Think(ctx, rec, game.Limits{Nodes: nodes, MultiPV: lines, Avoid: images(g)}, func(i game.Info) {
		if i.Last || len(i.PV) == 0 {
			return
		}
		if i.Depth != depth {
			depth, before, last = i.Depth, last, nil
			values = append(values, i.Value)
		}
		last = append(last, i)
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	if len(last) < len(before) {
		last = before
	}
	if len(last) == 0 {
		last = []game.Info{c.Info}
		last[0].PV = []game.Point{c.Point}
	}
	x := &Entry{Search: steady(values, last[0].Value), Value: last[0].Value, Depth: last[0].Depth, Nodes: max(c.Info.Nodes, 1)}
	for _, i := range last {
		if !slices.ContainsFunc(x.Moves, func(m Move) bool { return m.Point == i.PV[0] }) {
			x.Moves = append(x.Moves, Move{i.PV[0], i.Value})
		}
	}
	x.sort()
	return x, nil
}

// steady returns the value of a search by those of its last depths. The value of one depth
// swings, from odd to even ones above all, by more than it means; the mean of four differs
// from that of a search of four times the nodes by a third less (22 positions of Swap2).
// A win that is seen to its end is what it is.
func steady(values []int, last int) int {
	const depths = 4
	values = values[max(0, len(values)-depths):]
	sum := 0
	for _, v := range values {
		if v < -decided || v > decided {
			return last
		}
		sum += v
	}
	if len(values) == 0 {
		return last
	}
	return sum / len(values)
}

// images returns the points that are only the images of others under the symmetries of the
// position, so that a move is not valued twice.
func images(g game.Game) (others []game.Point) {
	key, ways := keyOf(g)
	size := g.Record().Variant.Size
	// Of an empty board the engine looks at one point alone, any of the four in the middle.
	if key == "" || len(ways) < 2 || plies(key, size) == 0 {
		return nil
	}
	for y := range size {
		for x := range size {
			q := game.At(x, y)
			for _, w := range ways[1:] {
				if g.At(q) == game.Empty && q.Turned(size, w).Turned(size, openings.Back(ways[0])) < q {
					others = append(others, q)
					break
				}
			}
		}
	}
	return others
}
