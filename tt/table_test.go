package tt

import (
	"math"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// mix makes well-mixed keys of small numbers (the finaliser of SplitMix64; Steele, Lea
// and Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

var anyEntry = rapid.Custom(func(t *rapid.T) Entry {
	return Entry{
		Move:  rapid.Uint16Max(1023).Draw(t, "move"),
		Value: rapid.Int16().Draw(t, "value"),
		Eval:  rapid.Int16().Draw(t, "eval"),
		Depth: rapid.Int8().Draw(t, "depth"),
		Bound: Bound(rapid.IntRange(0, 3).Draw(t, "bound")),
		PV:    rapid.Bool().Draw(t, "pv"),
	}
})

func TestOneCacheLine(t *testing.T) {
	if got := unsafe.Sizeof(bucket{}); got != 64 {
		t.Errorf("a bucket has %d bytes, want 64", got)
	}
	for _, size := range []int64{64, 4096, 1 << 20, 3 << 20} {
		table := NewTable(size)
		if at := uintptr(unsafe.Pointer(&table.buckets[0])); at%64 != 0 {
			t.Errorf("size %d: the first bucket is at %#x, not at the start of a cache line", size, at)
		}
		table.Close()
	}
}

func TestEveryFieldComesBack(t *testing.T) {
	table := NewTable(1 << 12)
	defer table.Close()
	rapid.Check(t, func(t *rapid.T) {
		e := anyEntry.Draw(t, "entry")
		key := rapid.Uint64().Draw(t, "key")
		table.Clear()
		table.generation = rapid.Uint8().Draw(t, "generation")
		if got, ok := table.Probe(key); ok || got.Move != NoMove {
			t.Fatalf("an empty table knows %+v", got)
		}
		table.Store(key, e)
		if got, ok := table.Probe(key); !ok || got != e {
			t.Fatalf("stored %+v, got %+v, %v", e, got, ok)
		}
		if got := generationOf(pack(e, table.generation)); got != table.generation {
			t.Fatalf("generation %d became %d", table.generation, got)
		}
	})
}

func TestBadValuesStayInTheirFields(t *testing.T) {
	table := NewTable(64)
	table.Store(5, Entry{Move: math.MaxUint16, Bound: 255})
	want := Entry{Move: 1023, Bound: Exact}
	if got, ok := table.Probe(5); !ok || got != want {
		t.Errorf("got %+v, %v, want %+v", got, ok, want)
	}
}

// Halves of two entries in one cell are what two threads can leave behind.
func TestTornEntryIsAMiss(t *testing.T) {
	const a, b = 0x0123456789abcdef, 0xfedcba9876543210
	write := func(key uint64, e Entry) cell {
		table := NewTable(64)
		table.Store(key, e)
		return table.buckets[0][0]
	}
	first := write(a, Entry{Move: 7, Depth: 3})
	for _, second := range []cell{
		write(b, Entry{Move: 9, Depth: 4}), // another position
		write(a, Entry{Move: 9, Depth: 4}), // the same, searched again
	} {
		for _, torn := range []cell{{first.check, second.word}, {second.check, first.word}} {
			table := NewTable(64)
			table.buckets[0][2] = torn
			for _, key := range []uint64{a, b} {
				if e, ok := table.Probe(key); ok {
					t.Errorf("found %+v under %#x in a torn cell", e, key)
				}
			}
		}
	}
}

func TestKeyZeroIsAKey(t *testing.T) {
	table := NewTable(64)
	if _, ok := table.Probe(0); ok {
		t.Error("an empty cell passes for an entry of key 0")
	}
	table.Store(0, Entry{})
	if e, ok := table.Probe(0); !ok || e != (Entry{}) {
		t.Errorf("got %+v, %v", e, ok)
	}
}

// Each case fills a bucket with four entries, then stores a fifth.
func TestLeastWorthIsReplaced(t *testing.T) {
	type old struct {
		depth int8
		age   int // searches ago
		pv    bool
	}
	for _, c := range []struct {
		name string
		old  [4]old
		gone int
	}{
		{"the shallowest", [4]old{{depth: 8}, {depth: 5}, {depth: 3}, {depth: 9}}, 2},
		{"below zero", [4]old{{depth: -1}, {depth: 0}, {depth: -128}, {depth: 127}}, 2},
		{"the oldest", [4]old{{8, 1, false}, {8, 3, false}, {8, 2, false}, {8, 0, false}}, 1},
		{"old before shallow", [4]old{{9, 2, false}, {2, 0, false}, {3, 0, false}, {4, 0, false}}, 0},
		{"shallow before slightly old", [4]old{{9, 1, false}, {2, 0, false}, {6, 0, false}, {7, 0, false}}, 1},
		{"off the principal variation", [4]old{{5, 0, true}, {6, 0, false}, {9, 0, false}, {9, 0, false}}, 1},
		{"ages count modulo 256", [4]old{{5, 0, false}, {5, 200, false}, {5, 0, false}, {5, 0, false}}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := NewTable(64)
			for age := 250; age >= 0; age-- {
				table.NewSearch()
				for i, o := range c.old {
					if o.age == age {
						table.Store(uint64(i+1), Entry{Depth: o.depth, PV: o.pv, Move: uint16(i)})
					}
				}
			}
			table.Store(99, Entry{Depth: 1})
			if _, ok := table.Probe(99); !ok {
				t.Error("the newcomer was not stored")
			}
			for i := range c.old {
				if _, ok := table.Probe(uint64(i + 1)); ok == (i == c.gone) {
					t.Errorf("entry %d: found %v, want only %d to be gone", i, ok, c.gone)
				}
			}
		})
	}
}

func TestEmptyCellsFirst(t *testing.T) {
	table := NewTable(64)
	for key := uint64(1); key <= 4; key++ {
		table.Store(key, Entry{Depth: int8(-20 * int(key))})
	}
	for key := uint64(1); key <= 4; key++ {
		if _, ok := table.Probe(key); !ok {
			t.Errorf("entry %d was replaced while cells were empty", key)
		}
	}
}

func TestStoringTheSamePositionAgain(t *testing.T) {
	deep := Entry{Move: 100, Value: 1, Depth: 10, Bound: Lower}
	for _, c := range []struct {
		name            string
		old, now, after Entry
		later           bool // in the next search
	}{
		{"a deeper result replaces", deep,
			Entry{Move: 5, Value: 2, Depth: 11, Bound: Upper},
			Entry{Move: 5, Value: 2, Depth: 11, Bound: Upper}, false},
		{"its move stays known", deep,
			Entry{Move: NoMove, Value: 2, Depth: 11, Bound: Upper},
			Entry{Move: 100, Value: 2, Depth: 11, Bound: Upper}, false},
		{"a slightly shallower one replaces", deep,
			Entry{Move: 5, Value: 2, Depth: 7, Bound: Upper},
			Entry{Move: 5, Value: 2, Depth: 7, Bound: Upper}, false},
		{"a much shallower one does not", deep,
			Entry{Move: 5, Value: 2, Depth: 6, Bound: Upper}, deep, false},
		{"but lends its move", Entry{Move: NoMove, Value: 1, Depth: 10, Bound: Upper},
			Entry{Move: 5, Value: 2, Depth: 6, Bound: Lower},
			Entry{Move: 5, Value: 1, Depth: 10, Bound: Upper}, false},
		{"unless it is exact", deep,
			Entry{Move: 5, Value: 2, Depth: 0, Bound: Exact},
			Entry{Move: 5, Value: 2, Depth: 0, Bound: Exact}, false},
		{"or the deep one is of an earlier search", deep,
			Entry{Move: 5, Value: 2, Depth: 0, Bound: Upper},
			Entry{Move: 5, Value: 2, Depth: 0, Bound: Upper}, true},
		{"extremes of depth", Entry{Move: 1, Depth: 127},
			Entry{Move: 2, Depth: -128}, Entry{Move: 1, Depth: 127}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := NewTable(64)
			table.Store(42, c.old)
			if c.later {
				table.NewSearch()
			}
			table.Store(42, c.now)
			if got, ok := table.Probe(42); !ok || got != c.after {
				t.Errorf("%+v\nover %+v\ngave %+v, %v\nwant %+v", c.now, c.old, got, ok, c.after)
			}
			if n := table.count(); n != 1 {
				t.Errorf("the position is stored %d times", n)
			}
		})
	}
}

func (t *Table) count() (n int) {
	for _, b := range t.buckets {
		for _, c := range b {
			if c.word != 0 {
				n++
			}
		}
	}
	return n
}

func TestAnySizeWorks(t *testing.T) {
	sizes := []int64{math.MinInt64, -1, 0, 1, 64, 65, 1000, 1<<20 - 1, 1 << 20, 3<<20 + 17}
	if runtime.GOOS == "linux" { // elsewhere it may really take what there is
		sizes = append(sizes, math.MaxInt64)
	}
	for _, size := range sizes {
		table := NewTable(size)
		if got := table.Bytes(); got < 64 || got > max(size, 64) {
			t.Errorf("size %d: %d bytes", size, got)
		}
		for _, key := range []uint64{0, 1, 1 << 63, math.MaxUint64} {
			table.Prefetch(key)
			table.Store(key, Entry{Move: 3})
			if _, ok := table.Probe(key); !ok {
				t.Errorf("size %d: %#x is not found", size, key)
			}
		}
		if n := table.Hashfull(); n < 0 || n > 1000 {
			t.Errorf("size %d: hashfull %d", size, n)
		}
		table.Clear()
		if _, ok := table.Probe(1); ok {
			t.Errorf("size %d: not forgotten", size)
		}
		table.Close()
		table.Store(1, Entry{}) // one bucket is left, so this is safe
		table.Close()
	}
}

func TestKeysSpreadOverAllBuckets(t *testing.T) {
	table := NewTable(100 * bucketSize)
	var hits [100]int
	for i := range uint64(100_000) {
		hits[(uintptr(unsafe.Pointer(table.bucket(mix(i))))-uintptr(unsafe.Pointer(&table.buckets[0])))/64]++
	}
	for i, n := range hits {
		if n < 800 || n > 1200 {
			t.Errorf("bucket %d got %d keys of 100000, want about 1000", i, n)
		}
	}
}

func TestHashfull(t *testing.T) {
	table := NewTable(1 << 20)
	defer table.Close()
	if n := table.Hashfull(); n != 0 {
		t.Errorf("empty: %d", n)
	}
	table.NewSearch()
	half := uint64(table.Bytes() / 16 / 2)
	for i := range half {
		table.Store(mix(i), Entry{})
	}
	if n := table.Hashfull(); n < 400 || n > 550 {
		t.Errorf("half as many entries as there is room for: %d", n)
	}
	table.NewSearch()
	if n := table.Hashfull(); n != 0 {
		t.Errorf("in the next search: %d", n)
	}
	for i := range 20 * half {
		table.Store(mix(i), Entry{})
	}
	if n := table.Hashfull(); n != 1000 {
		t.Errorf("full: %d", n)
	}
}

// Four threads share very few buckets, so that they often write the same cell at once.
// What is found must be something that was stored under that key.
func TestHammer(t *testing.T) {
	entry := func(key uint64, version int) Entry {
		h := mix(key + uint64(version)<<32)
		return Entry{uint16(h) & 511, int16(version), int16(h >> 10), int8(h >> 26), Bound(h >> 34 & 3), h>>36&1 != 0}
	}
	for _, size := range []int64{64, 512, 1 << 20} {
		table := NewTable(size)
		keys := uint64(table.Bytes() / 16 * 2)
		var wg sync.WaitGroup
		for thread := range uint64(4) {
			wg.Go(func() {
				hits := 0
				for i := range uint64(40_000) {
					r := mix(i<<2 | thread)
					key := mix(r % keys)
					table.Prefetch(key)
					e, ok := table.Probe(key)
					if ok {
						hits++
						if want := entry(key, int(e.Value)); e != want {
							t.Errorf("under %#x: %+v, want %+v", key, e, want)
							return
						}
					}
					if i%1000 == 0 {
						table.Hashfull()
					}
					table.Store(key, entry(key, int(r>>60)))
				}
				if hits == 0 {
					t.Error("nothing was ever found")
				}
			})
		}
		wg.Wait()
		table.Close()
	}
}

func TestNoAllocation(t *testing.T) {
	table := NewTable(1 << 20)
	defer table.Close()
	key := uint64(0)
	if n := testing.AllocsPerRun(1000, func() {
		key = mix(key)
		table.Prefetch(key)
		table.Probe(key)
		table.Store(key, Entry{Depth: 3})
		table.Store(key, Entry{Depth: 1, Move: NoMove})
		table.Hashfull()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
