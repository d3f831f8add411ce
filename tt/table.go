package tt

import (
	"math"
	"math/bits"
	"unsafe"
)

// cell is one entry: its word and, beside it, key^word. Two threads that write the same
// cell at once may leave the halves of different entries, and no lock prevents it;
// xored together such halves do not give the key that is asked for, so a torn entry is
// a miss (Hyatt and Mann, "A lock-less transposition-table implementation for parallel
// search", ICGA Journal 25(1), 2002).
type cell struct {
	check uint64 // key ^ word
	word  uint64
}

// bucket is the cells that a key may be in. It fills one cache line.
type bucket [4]cell

const (
	bucketSize = int64(unsafe.Sizeof(bucket{}))

	// Below this size an array is not worth pages of its own.
	minMapped = 1 << 20
)

// Table is an array of entries. Probe, Store, Prefetch and Hashfull may be called by
// any number of threads at once; NewSearch, Clear and Close only while no one searches.
type Table struct {
	buckets    []bucket
	generation uint8
	size       int64  // bytes asked for
	mem        []byte // the memory of buckets when it is outside the Go heap
}

// NewTable returns an empty table of about size bytes, or of as many as the system
// gives. Its memory is outside the Go heap, where a large array would make the garbage
// collector believe that it may let as much garbage pile up. Untouched pages of it cost
// nothing.
func NewTable(size int64) *Table {
	t := &Table{size: size}
	t.reserve()
	return t
}

func (t *Table) reserve() {
	size := min(t.size, math.MaxInt/2)
	for ; size >= minMapped; size /= 2 {
		if mem, err := reserve(int(size)); err == nil {
			t.mem = mem
			t.buckets = unsafe.Slice((*bucket)(unsafe.Pointer(&mem[0])), size/bucketSize)
			return
		}
	}
	t.mem = nil
	t.buckets = make([]bucket, max(size/bucketSize, 1))
}

func (t *Table) release() {
	t.buckets = nil
	if t.mem != nil {
		release(t.mem)
		t.mem = nil
	}
}

// Close gives the memory back. What is left is a table of one bucket.
func (t *Table) Close() {
	t.release()
	t.size = 0
	t.reserve()
}

// Clear forgets everything. New pages come zeroed, and only as they are touched, so it
// is quicker to ask for them than to clear the old ones.
func (t *Table) Clear() {
	t.generation = 0
	if t.mem == nil {
		clear(t.buckets)
		return
	}
	t.release()
	t.reserve()
}

// Bytes returns the size of the table.
func (t *Table) Bytes() int64 { return int64(len(t.buckets)) * bucketSize }

// NewSearch begins a new generation: what earlier searches stored is still found, but
// is the first to be replaced.
func (t *Table) NewSearch() { t.generation++ }

// bucket returns the bucket of a key: the high half of key*n lies evenly in [0, n) for
// every n, not only for powers of two, and needs no division (Lemire, "Fast random
// integer generation in an interval", ACM TOMACS 29(1), 2019, section 3).
func (t *Table) bucket(key uint64) *bucket {
	i, _ := bits.Mul64(key, uint64(len(t.buckets)))
	return &t.buckets[i]
}

// Prefetch asks the processor to fetch what Probe(key) will read. It is worth calling
// as soon as the key of a child is known.
func (t *Table) Prefetch(key uint64) { prefetch(unsafe.Pointer(t.bucket(key))) }

// Probe returns what is remembered under key.
func (t *Table) Probe(key uint64) (Entry, bool) {
	b := t.bucket(key)
	for i := range b {
		check, word := load(&b[i].check), load(&b[i].word)
		if check^word == key && word != 0 {
			return unpack(word), true
		}
	}
	return Entry{Move: NoMove}, false
}

const (
	// agePenalty is how many plies of depth one generation of age outweighs.
	agePenalty = 4

	// pvBonus is how many plies of depth the principal variation is worth: few entries
	// are on it, and losing one costs the most.
	pvBonus = 2

	// keepMargin is by how much a result may be shallower than the one of this search
	// for the same position and still replace it: the later one was searched with the
	// window of now.
	keepMargin = 3
)

// worth ranks the entries of a bucket: deep ones are dear to find again and old ones
// unlikely to be asked for (Breuker, Uiterwijk and van den Herik, "Replacement schemes
// for transposition tables", ICCA Journal 17(4), 1994, compare the schemes).
func (t *Table) worth(word uint64) int {
	age := t.generation - generationOf(word) // modulo 256
	return int(depthOf(word)) - agePenalty*int(age) + pvBonus*int(word>>pvAt&1)
}

// Store remembers e under key. It takes the place of what was there for key, else of
// the least worth of the key's bucket. A move that was known stays known when e has
// none, and a much deeper entry of this search stays unless e is exact.
func (t *Table) Store(key uint64, e Entry) {
	b := t.bucket(key)
	victim, least := &b[0], math.MaxInt
	for i := range b {
		c := &b[i]
		check, word := load(&c.check), load(&c.word)
		if word == 0 {
			if least != math.MinInt { // the first empty cell
				victim, least = c, math.MinInt
			}
			continue
		}
		if check^word == key {
			t.update(c, key, word, e)
			return
		}
		if w := t.worth(word); w < least {
			victim, least = c, w
		}
	}
	put(victim, key, pack(e, t.generation))
}

// update stores e over old, an entry of the same position.
func (t *Table) update(c *cell, key, old uint64, e Entry) {
	keep := e.Bound != Exact && generationOf(old) == t.generation &&
		int(e.Depth)+keepMargin < int(depthOf(old))
	switch {
	case !keep:
		if e.Move == NoMove {
			e.Move = moveOf(old)
		}
		put(c, key, pack(e, t.generation))
	case moveOf(old) == NoMove:
		put(c, key, old&^moveMask|uint64(e.Move&1023)<<moveAt)
	}
}

func put(c *cell, key, word uint64) {
	store(&c.check, key^word)
	store(&c.word, word)
}

// Hashfull returns how many of a thousand entries are of the current generation.
func (t *Table) Hashfull() int {
	sample := t.buckets[:min(len(t.buckets), 250)]
	now := used | uint64(t.generation)<<genAt
	n := 0
	for i := range sample {
		for j := range sample[i] {
			if load(&sample[i][j].word)&(used|genMask) == now {
				n++
			}
		}
	}
	return n * 1000 / (len(sample) * len(bucket{}))
}
