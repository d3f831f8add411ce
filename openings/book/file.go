package book

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/dgraph-io/ristretto/v2"
	"github.com/klauspost/compress/zstd"

	"tengen/engine/game"
)

// A file is
//
//	magic    8 bytes; like PNG's it shows what a transfer as text has done to a file
//	version  2 bytes, little-endian like all that follows
//	length   4 bytes, of the index, and
//	CRC-32C  4 bytes, of the index
//	index    the sections, below
//	blocks   each zstd of entries: key, what Entry.append writes
//
// The index has the length of the whole file and the number of sections. A section is a
// game (the rule's name, the size, flags), the number of its entries and of its blocks; a
// block its first key, its length in the file and unpacked, and its CRC-32C. Numbers are
// varints. Entries are sorted by their keys, so that one block is enough to find one.
const (
	magic      = "\x93tgbook\n"
	version    = 2
	oldest     = 1 // of those that are read: the same but for flagTwo
	headerSize = len(magic) + 2 + 4 + 4

	blockSize = 8 << 10   // bytes, unpacked, after which a new block begins
	maxBlock  = 1 << 20   // no block is longer, however it is packed
	maxIndex  = 256 << 20 // nor the index
	maxKey    = 4 << 10

	cacheBytes = 1 << 20 // of unpacked blocks
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const (
	flagFiveAtFour = 1 << iota
	flagFreeOpening
)

func flagsOf(v game.Variant) (flags uint64) {
	if v.FiveAtFour {
		flags |= flagFiveAtFour
	}
	if v.FreeOpening {
		flags |= flagFreeOpening
	}
	return flags
}

// WriteTo writes the draft as a file. The same entries give the same bytes.
func (d *Draft) WriteTo(w io.Writer) (int64, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return 0, err
	}
	defer enc.Close()
	var index, blocks []byte
	variants := d.Variants()
	index = binary.AppendUvarint(index, uint64(len(variants)))
	for _, v := range variants {
		section := d.sections[v]
		var list []byte // of blocks
		n := 0
		var first string
		var raw []byte
		flush := func() {
			packed := enc.EncodeAll(raw, nil)
			list = appendString(list, first)
			list = binary.AppendUvarint(list, uint64(len(packed)))
			list = binary.AppendUvarint(list, uint64(len(raw)))
			list = binary.LittleEndian.AppendUint32(list, crc32.Checksum(packed, castagnoli))
			blocks = append(blocks, packed...)
			n++
			raw = raw[:0]
		}
		for _, key := range slices.Sorted(maps.Keys(section)) {
			if len(raw) == 0 {
				first = key
			}
			raw = section[key].append(appendString(raw, key), v.Size)
			if len(raw) >= blockSize {
				flush()
			}
		}
		if len(raw) > 0 {
			flush()
		}
		index = appendString(index, v.Rule.String())
		index = binary.AppendUvarint(index, uint64(v.Size))
		index = binary.AppendUvarint(index, flagsOf(v))
		index = binary.AppendUvarint(index, uint64(len(section)))
		index = binary.AppendUvarint(index, uint64(n))
		index = append(index, list...)
	}
	// The length of all stands in four bytes of its own, since it depends on its own.
	index = append(binary.LittleEndian.AppendUint64(nil, uint64(headerSize+8+len(index)+len(blocks))), index...)
	head := append([]byte(magic), version, 0)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(index)))
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(index, castagnoli))
	return io.Copy(w, io.MultiReader(bytes.NewReader(head), bytes.NewReader(index), bytes.NewReader(blocks)))
}

// Save writes the draft to a file, which is always either the old one or the new.
func (d *Draft) Save(name string) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err = d.WriteTo(f); err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	return err
}

// Book is a book in a file. Its blocks are read and unpacked when they are asked for; the
// last ones asked for are kept. Any number of goroutines may use it.
type Book struct {
	r        io.ReaderAt
	sections []section
	dec      *zstd.Decoder

	once  sync.Once
	cache *ristretto.Cache[uint64, []item]
}

type section struct {
	variant game.Variant
	entries int
	blocks  []block
}

type block struct {
	first  string // key
	at     int64  // in the file
	packed int
	length int
	sum    uint32
}

// item is an entry of a block, as its key has it.
type item struct {
	key   string
	entry *Entry
}

// The errors of a file that cannot be used; others are the system's.
var (
	ErrForeign = errors.New("this is no book of tengen")
	ErrVersion = errors.New("the book is of a later version than this program can read")
	ErrDamaged = errors.New("the book is damaged")
	ErrShort   = errors.New("the book is cut off")
)

// Open opens a book in a file.
func Open(name string) (*Book, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	b, err := open(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

func open(f *os.File) (*Book, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a file")
	}
	return Read(f, info.Size())
}

// Read returns the book in size bytes of r, which it reads as long as it is used. Of the
// bytes only the index is read now, and an error says what is wrong with it.
func Read(r io.ReaderAt, size int64) (*Book, error) {
	head := make([]byte, headerSize)
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case !bytes.HasPrefix(head, []byte(magic)):
		return nil, ErrForeign
	case size < int64(headerSize):
		return nil, ErrShort
	}
	head = head[len(magic):]
	if v := binary.LittleEndian.Uint16(head); v < oldest || v > version {
		if v < oldest {
			return nil, ErrDamaged
		}
		return nil, fmt.Errorf("%w: version %d, not %d", ErrVersion, v, version)
	}
	n := int64(binary.LittleEndian.Uint32(head[2:]))
	switch {
	case n > maxIndex || n < 8:
		return nil, ErrDamaged
	case size < int64(headerSize)+n:
		return nil, ErrShort
	}
	index := make([]byte, n)
	if _, err := r.ReadAt(index, int64(headerSize)); err != nil && err != io.EOF {
		return nil, err
	}
	if crc32.Checksum(index, castagnoli) != binary.LittleEndian.Uint32(head[6:]) {
		return nil, ErrDamaged
	}
	switch all := binary.LittleEndian.Uint64(index); {
	case uint64(size) < all:
		return nil, ErrShort
	case uint64(size) > all:
		return nil, fmt.Errorf("%w: %d bytes follow its end", ErrDamaged, uint64(size)-all)
	}
	b := &Book{r: r}
	if err := b.index(index[8:], int64(headerSize)+n, size); err != nil {
		return nil, err
	}
	var err error
	b.dec, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBlock))
	return b, err
}

// index reads the sections. The checksum has said that they are as they were written, but
// not by whom.
func (b *Book) index(data []byte, at, size int64) error {
	r := reader{b: data}
	for range r.uint(1 << 10) {
		var s section
		name := r.string(64)
		s.variant.Size = int(r.uint(game.MaxSize))
		flags := r.uint(flagFiveAtFour | flagFreeOpening)
		s.variant.FiveAtFour = flags&flagFiveAtFour != 0
		s.variant.FreeOpening = flags&flagFreeOpening != 0
		s.entries = int(r.uint(1 << 40))
		for range r.uint(1 << 32) {
			bl := block{first: r.string(maxKey), at: at}
			bl.packed, bl.length = int(r.uint(maxBlock)), int(r.uint(maxBlock))
			if len(r.b) < 4 || r.err != nil {
				return ErrDamaged
			}
			bl.sum = binary.LittleEndian.Uint32(r.b)
			r.b = r.b[4:]
			at += int64(bl.packed)
			if n := len(s.blocks); n > 0 && bl.first <= s.blocks[n-1].first {
				return ErrDamaged
			}
			s.blocks = append(s.blocks, bl)
		}
		rule, err := game.ParseRule(name)
		if r.err != nil || err != nil || s.variant.Size < 5 {
			return ErrDamaged
		}
		s.variant.Rule = rule
		if s.variant != plain(s.variant) || rule == game.Weiqi || b.section(s.variant) != nil {
			return ErrDamaged
		}
		b.sections = append(b.sections, s)
	}
	if r.err != nil || len(r.b) > 0 || at != size {
		return ErrDamaged
	}
	return nil
}

// Close closes the file that Open opened, and ends what runs in the background.
func (b *Book) Close() error {
	b.once.Do(func() {}) // no cache from now on
	if b.cache != nil {
		b.cache.Close()
	}
	b.dec.Close()
	if c, ok := b.r.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Variants returns the games that the book has entries of.
func (b *Book) Variants() (vs []game.Variant) {
	for _, s := range b.sections {
		vs = append(vs, s.variant)
	}
	return vs
}

// Len returns how many positions of a game the book has.
func (b *Book) Len(v game.Variant) int {
	if s := b.section(v); s != nil {
		return s.entries
	}
	return 0
}

func (b *Book) section(v game.Variant) *section {
	v = plain(v)
	for i := range b.sections {
		if b.sections[i].variant == v {
			return &b.sections[i]
		}
	}
	return nil
}

// find returns the entry of a key as the key has it, nil if there is none.
func (b *Book) find(v game.Variant, key string) (*Entry, error) {
	s := b.section(v)
	if s == nil || key == "" {
		return nil, nil
	}
	i := sort.Search(len(s.blocks), func(i int) bool { return s.blocks[i].first > key }) - 1
	if i < 0 {
		return nil, nil
	}
	page, err := b.page(&s.blocks[i], v.Size)
	if err != nil {
		return nil, err
	}
	k, ok := slices.BinarySearchFunc(page, key, func(it item, key string) int { return strings.Compare(it.key, key) })
	if !ok {
		return nil, nil
	}
	return page[k].entry, nil
}

// page returns a block unpacked, from the cache if it is there.
//
// Ristretto takes what is set a little later, or not at all when it is busy: then the
// block is unpacked again.
func (b *Book) page(bl *block, size int) ([]item, error) {
	b.once.Do(func() {
		b.cache, _ = ristretto.NewCache(&ristretto.Config[uint64, []item]{
			MaxCost: cacheBytes, NumCounters: 4 * cacheBytes / blockSize, BufferItems: 64, IgnoreInternalCost: true,
		})
	})
	if b.cache != nil {
		if page, ok := b.cache.Get(uint64(bl.at)); ok {
			return page, nil
		}
	}
	page, err := b.load(bl, size)
	if err == nil && b.cache != nil {
		b.cache.Set(uint64(bl.at), page, int64(4*bl.length)) // entries take about four times their bytes
	}
	return page, err
}

// load reads and unpacks a block.
func (b *Book) load(bl *block, size int) ([]item, error) {
	packed := make([]byte, bl.packed)
	if n, err := b.r.ReadAt(packed, bl.at); n < len(packed) {
		if err == io.EOF {
			err = ErrShort
		}
		return nil, err
	}
	if crc32.Checksum(packed, castagnoli) != bl.sum {
		return nil, ErrDamaged
	}
	raw, err := b.dec.DecodeAll(packed, make([]byte, 0, bl.length))
	if err != nil || len(raw) != bl.length {
		return nil, ErrDamaged
	}
	var page []item
	r := reader{b: raw}
	for len(r.b) > 0 {
		it := item{key: r.string(maxKey)}
		it.entry = r.entry(size)
		if r.err != nil || len(page) > 0 && it.key <= page[len(page)-1].key || len(page) == 0 && it.key != bl.first {
			return nil, ErrDamaged
		}
		page = append(page, it)
	}
	return page, nil
}
