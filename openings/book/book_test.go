package book

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings"
)

// anyVariant draws one of the games that books have.
func anyVariant(t *rapid.T) game.Variant {
	v := game.Variant{
		Rule: game.Rule(rapid.IntRange(0, int(game.Weiqi)-1).Draw(t, "rule")),
		Size: rapid.SampledFrom([]int{5, 9, 15, 19, 20, 22}).Draw(t, "size"),
	}
	v.FreeOpening = rapid.Bool().Draw(t, "free")
	v.FiveAtFour = rapid.Bool().Draw(t, "reading")
	return v
}

// anyGame draws a short game.
func anyGame(t *rapid.T, v game.Variant) game.Game {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	for {
		g, err := engine.Referee(v)
		if err != nil {
			t.Fatal(err)
		}
		n := rng.IntN(min(10, v.Size))
		for tries := 0; len(g.Record().Moves) < n && tries < 500; tries++ {
			g.Play(game.At(rng.IntN(v.Size), rng.IntN(v.Size)))
		}
		if g.Result().Outcome == game.Open {
			return g
		}
	}
}

// anyEntry draws what might be known of a position.
func anyEntry(t *rapid.T, g game.Game) *Entry {
	size := g.Record().Variant.Size
	e := &Entry{
		Search: rapid.IntRange(-game.Win, game.Win).Draw(t, "search"), Depth: rapid.IntRange(0, 100).Draw(t, "depth"),
		Nodes: rapid.Int64Range(1, 1<<40).Draw(t, "nodes"), Source: rapid.StringN(0, 20, 60).Draw(t, "source"),
		Offer: rapid.Bool().Draw(t, "offer"),
	}
	var empty []game.Point
	for y := range size {
		for x := range size {
			if q := game.At(x, y); g.Legal(q) == nil {
				empty = append(empty, q)
			}
		}
	}
	for i := range rapid.IntRange(0, 6).Draw(t, "moves") {
		if i < len(empty) {
			e.Moves = append(e.Moves, Move{empty[i*7%len(empty)], rapid.IntRange(-game.Win, game.Win).Draw(t, "value")})
		}
	}
	e.sort()
	e.Value = e.Search
	if len(e.Moves) > 0 {
		e.Value = e.Moves[0].Value
	}
	if len(empty) > 1 && rapid.Bool().Draw(t, "pair") {
		e.Pair = empty[:2]
	}
	return e
}

// turned is a game as it would have been played on a board that lies in the s-th way.
func turned(t *rapid.T, g game.Game, s int) game.Game {
	rec := g.Record().Clone()
	for i := range rec.Moves {
		rec.Moves[i].Point = rec.Moves[i].Point.Turned(rec.Variant.Size, s)
	}
	h, err := engine.Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func file(t interface{ Fatal(...any) }, d *Draft) []byte {
	var b bytes.Buffer
	if _, err := d.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(t interface{ Fatal(...any) }, data []byte) *Book {
	b, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// lookUp finds an entry as it lies on a game's board, in the first of its ways.
func lookUp(b *Book, g game.Game) (*Entry, error) {
	key, ways := keyOf(g)
	e, err := b.find(g.Record().Variant, key)
	if e == nil || err != nil {
		return nil, err
	}
	return e.turn(g.Record().Variant.Size, openings.Back(ways[0])), nil
}

// A position is found in all eight lies, from memory and from the file, with what was put;
// never in another game, size or reading, and never one stone later.
func TestSymmetries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyVariant(t)
		g := anyGame(t, v)
		e := anyEntry(t, g)
		var d Draft
		if err := d.Put(g, e); err != nil {
			t.Fatal(err)
		}
		b := read(t, file(t, &d))
		defer b.Close()
		for s := range game.Symmetries {
			h := turned(t, g, s)
			fromDraft := d.Find(h)
			fromFile, err := lookUp(b, h)
			if err != nil || fromDraft == nil || fromFile == nil {
				t.Fatalf("%v way %d: %v %v %v", v, s, fromDraft, fromFile, err)
			}
			if !reflect.DeepEqual(fromDraft, fromFile) {
				t.Fatalf("memory has\n%+v, the file\n%+v", fromDraft, fromFile)
			}
			if fromFile.Value != e.Value || fromFile.Search != e.Search || fromFile.Depth != e.Depth || fromFile.Nodes != e.Nodes ||
				fromFile.Source != e.Source || fromFile.Offer != e.Offer || len(fromFile.Moves) != len(e.Moves) {
				t.Fatalf("put\n%+v, found\n%+v", e, fromFile)
			}
			for i, m := range fromFile.Moves {
				if err := h.Legal(m.Point); err != nil || m.Value != e.Moves[i].Value {
					t.Fatalf("way %d: %v %v", s, m, err)
				}
			}
			// Where the position has no symmetry, the move is the same one, turned.
			if _, ways := keyOf(g); len(ways) == 1 {
				for _, m := range e.Moves {
					if !slices.Contains(fromFile.Moves, Move{m.Point.Turned(v.Size, s), m.Value}) {
						t.Fatalf("way %d: %v is not among %v", s, m, fromFile.Moves)
					}
				}
			}
		}
		for r := game.Freestyle; r < game.Weiqi; r++ {
			for _, size := range []int{v.Size, v.Size + 1, v.Size - 1} {
				w := v
				w.Rule, w.Size = r, size
				if w == v || size < 5 || size > 22 {
					continue
				}
				rec := g.Record().Clone()
				rec.Variant = w
				if h, err := engine.Replay(rec); err == nil {
					if e, err := lookUp(b, h); e != nil || err != nil || d.Find(h) != nil {
						t.Fatalf("put for %v, found for %v (%v)", v, w, err)
					}
				}
			}
		}
		other := v
		other.FreeOpening, other.FiveAtFour = !v.FreeOpening, !v.FiveAtFour
		rec := g.Record().Clone()
		rec.Variant = other
		if h, err := engine.Replay(rec); err == nil {
			e, err := lookUp(b, h)
			same := plain(v) == plain(other)
			if err != nil || (e != nil) != same {
				t.Fatalf("put for %+v, found for %+v: %v (%v)", v, other, e != nil, err)
			}
		}
		for y := range v.Size {
			for x := range v.Size {
				if g.Play(game.At(x, y)) == nil {
					if e, _ := lookUp(b, g); e != nil {
						t.Fatal("found one stone later")
					}
					g.Undo()
				}
			}
		}
	})
}

// many is a draft of so many positions of two games.
func many(t *testing.T, n int) *Draft {
	t.Helper()
	var d Draft
	rng := rand.New(rand.NewPCG(1, 2))
	for _, v := range []game.Variant{{Rule: game.Renju, Size: 15}, {Rule: game.Freestyle, Size: 20}} {
		for d.Len(v) < n {
			g, err := engine.Referee(v)
			if err != nil {
				t.Fatal(err)
			}
			for range rng.IntN(5) + 1 {
				g.Play(game.At(rng.IntN(v.Size), rng.IntN(v.Size)))
			}
			e := &Entry{Value: rng.IntN(100), Nodes: 5, Depth: 3, Source: "test"}
			for q := game.At(0, 0); len(e.Moves) < 4; q++ {
				if g.Legal(q) == nil {
					e.Moves = append(e.Moves, Move{q, e.Value - 10*len(e.Moves)})
				}
			}
			if err := d.Put(g, e); err != nil {
				t.Fatal(err)
			}
		}
	}
	return &d
}

// A file of many blocks has every entry, and reading it back gives the same file.
func TestFile(t *testing.T) {
	d := many(t, 2000)
	data := file(t, d)
	b := read(t, data)
	defer b.Close()
	for _, v := range d.Variants() {
		if b.Len(v) != 2000 {
			t.Errorf("%v: %d", v, b.Len(v))
		}
		if s := b.section(v); len(s.blocks) < 4 {
			t.Errorf("%v: %d blocks", v, len(s.blocks))
		}
		n := 0
		for p, want := range d.All(v) {
			g, err := engine.Replay(p.Record(v))
			if err != nil {
				t.Fatal(err)
			}
			got, err := lookUp(b, g)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v, want %+v (%v)", got, want, err)
			}
			n++
		}
		if n != 2000 {
			t.Errorf("%v: %d entries", v, n)
		}
	}
	var again Draft
	if err := again.Add(b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file(t, &again), data) {
		t.Error("what was read is written otherwise")
	}
	t.Logf("%d bytes for 4000 positions", len(data))
}

// Whatever is done to a file is either seen at once or when the damaged part is used, with
// an error that says what it is.
func TestDamage(t *testing.T) {
	d := many(t, 300)
	data := file(t, d)
	name := filepath.Join(t.TempDir(), "a.book")
	try := func(data []byte) error {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		b, err := Open(name)
		if err != nil {
			return err
		}
		defer b.Close()
		var d Draft
		return d.Add(b)
	}
	if err := try(data); err != nil {
		t.Fatal(err)
	}
	for n := range len(data) {
		if n > 200 && n%13 != 0 {
			continue
		}
		if err := try(data[:n]); !errors.Is(err, ErrShort) && !errors.Is(err, ErrForeign) {
			t.Fatalf("cut to %d of %d bytes: %v", n, len(data), err)
		}
		bad := bytes.Clone(data)
		bad[n] ^= 0x10
		if err := try(bad); err == nil {
			t.Fatalf("byte %d damaged, and nobody sees it", n)
		}
	}
	if err := try(append(bytes.Clone(data), 'x')); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
	if err := try([]byte("\xffRenLib\xff 3 and so on, for a while")); !errors.Is(err, ErrForeign) {
		t.Error(err)
	}
	if err := try(bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))); !errors.Is(err, ErrForeign) {
		t.Error(err)
	}
	later := bytes.Clone(data)
	later[len(magic)] = version + 1
	if err := try(later); !errors.Is(err, ErrVersion) {
		t.Error(err)
	}
	if _, err := Open(filepath.Dir(name)); err == nil {
		t.Error("a folder is a book")
	}
	if _, err := Open(name + ".none"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// FuzzRead gives the reader files whose checksums are right, whatever they say.
func FuzzRead(f *testing.F) {
	var d Draft
	g, _ := engine.Referee(game.Variant{Rule: game.Standard, Size: 15})
	g.Play(game.At(7, 7))
	d.Put(g, &Entry{Value: 3, Nodes: 10, Depth: 2, Source: "test", Moves: []Move{{game.At(8, 8), 3}}})
	data := file(f, &d)
	n := int(binary.LittleEndian.Uint32(data[len(magic)+2:]))
	f.Add(data[headerSize+8:headerSize+n], data[headerSize+n:])
	f.Fuzz(func(t *testing.T, index, blocks []byte) {
		if len(index)+len(blocks) > 1<<16 {
			return
		}
		index = append(binary.LittleEndian.AppendUint64(nil, uint64(headerSize+8+len(index)+len(blocks))), index...)
		data := append([]byte(magic), version, 0)
		data = binary.LittleEndian.AppendUint32(data, uint32(len(index)))
		data = binary.LittleEndian.AppendUint32(data, crc32.Checksum(index, castagnoli))
		data = append(append(data, index...), blocks...)
		b, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		defer b.Close()
		for i := range b.sections {
			s := &b.sections[i]
			for k := range s.blocks {
				packed := s.blocks[k]
				// Blocks as they came, and unpacked as they would be with a right checksum.
				if raw := blocks[:min(len(blocks), packed.packed)]; len(raw) > 0 {
					packed.sum = crc32.Checksum(raw, castagnoli)
				}
				page, err := b.load(&packed, s.variant.Size)
				if err != nil {
					continue
				}
				for _, it := range page {
					it.entry.check(s.variant, it.key)
				}
			}
		}
	})
}

// FuzzEntry gives the reader of entries anything.
func FuzzEntry(f *testing.F) {
	e := &Entry{Value: 3, Nodes: 10, Depth: 2, Source: "test", Moves: []Move{{game.At(8, 8), 3}}, Pair: []game.Point{1, 2}}
	f.Add(e.append(nil, 15), 15)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		if size < 5 || size > game.MaxSize {
			return
		}
		r := reader{b: data}
		e := r.entry(size)
		if r.err != nil {
			return
		}
		for _, m := range e.Moves {
			if !m.Point.On(size) {
				t.Errorf("%v is off the board", m.Point)
			}
		}
		again := reader{b: e.append(nil, size)}
		if x := again.entry(size); again.err != nil || !reflect.DeepEqual(x, e) {
			t.Errorf("%+v becomes %+v (%v)", e, x, again.err)
		}
	})
}

// Save replaces a file at once and leaves nothing else behind.
func TestSave(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "b.book")
	for _, n := range []int{3, 5} {
		if err := many(t, n).Save(name); err != nil {
			t.Fatal(err)
		}
	}
	b, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if n := b.Len(game.Variant{Rule: game.Renju, Size: 15}); n != 5 {
		t.Error(n)
	}
	if all, _ := os.ReadDir(folder); len(all) != 1 {
		t.Error(all)
	}
	if err := many(t, 1).Save(filepath.Join(folder, "none", "b.book")); err == nil {
		t.Error("saved where there is no folder")
	}
}

func TestPutRefuses(t *testing.T) {
	var d Draft
	g, err := engine.Replay(&game.Record{Variant: game.Variant{Rule: game.Standard, Size: 15}, Setup: game.Setup{Walls: []game.Point{5}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Put(g, &Entry{}); err == nil || d.Find(g) != nil {
		t.Error("a board with dead points has an entry")
	}
	weiqi, err := engine.Referee(game.Variant{Rule: game.Weiqi, Size: 9})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Put(weiqi, &Entry{}); err == nil {
		t.Error("go has an entry")
	}
}
