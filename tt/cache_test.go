package tt

import (
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestProofComesBack(t *testing.T) {
	proofs := NewProofs(1 << 20)
	defer proofs.Close()
	rapid.Check(t, func(t *rapid.T) {
		key, check := rapid.Uint64().Draw(t, "key"), rapid.Uint32().Draw(t, "check")
		proof := Proof{
			Win:   rapid.Bool().Draw(t, "win"),
			Move:  rapid.Uint16().Draw(t, "move"),
			Plies: rapid.Uint16().Draw(t, "plies"),
		}
		proofs.Clear()
		proofs.Set(key, check, proof)
		proofs.c.Wait()
		proof.Plies = min(proof.Plies, 1<<15-1)
		if got, ok := proofs.Get(key, check); !ok || got != proof {
			t.Fatalf("stored %+v, got %+v, %v", proof, got, ok)
		}
		if got, ok := proofs.Get(key, check+1); ok {
			t.Fatalf("another check found %+v", got)
		}
		if got, ok := proofs.Get(key+1, check); ok {
			t.Fatalf("another key found %+v", got)
		}
	})
}

// Ristretto loses the second of two quick Sets of a new key. One of them must survive.
func TestTwoQuickProofs(t *testing.T) {
	proofs := NewProofs(1 << 20)
	defer proofs.Close()
	a, b := Proof{true, 1, 9}, Proof{true, 2, 7}
	for key := range uint64(1000) {
		proofs.Set(mix(key), 0, a)
		proofs.Set(mix(key), 0, b)
	}
	proofs.c.Wait()
	for key := range uint64(1000) {
		if got, ok := proofs.Get(mix(key), 0); !ok || got != a && got != b {
			t.Fatalf("key %d: %+v, %v", key, got, ok)
		}
	}
}

func TestDeepComesBack(t *testing.T) {
	deep := NewDeep(1 << 20)
	defer deep.Close()
	rapid.Check(t, func(t *rapid.T) {
		key, check := rapid.Uint64().Draw(t, "key"), rapid.Uint32().Draw(t, "check")
		e := anyEntry.Draw(t, "entry")
		deep.Clear()
		var w Writer
		w.Reset(deep)
		w.Add(key, check, e)
		if _, ok := deep.Get(key, check); ok {
			t.Fatal("written before the flush")
		}
		w.Flush()
		deep.c.Wait()
		if got, ok := deep.Get(key, check); !ok || got != e {
			t.Fatalf("stored %+v, got %+v, %v", e, got, ok)
		}
		if got, ok := deep.Get(key, check+1); ok || got.Move != NoMove {
			t.Fatalf("another check found %+v", got)
		}
	})
}

// A position is written again and again as the search deepens.
func TestDeepestIsKept(t *testing.T) {
	const key, check = 0x123456789abcdef0, 7
	at := func(depth int8) Entry { return Entry{Move: uint16(depth), Depth: depth} }
	for _, c := range []struct {
		name    string
		batches [][]int8
		want    int8
	}{
		{"rising in one batch", [][]int8{{1, 2, 3}}, 3},
		{"falling in one batch", [][]int8{{3, 2, 1}}, 3},
		{"rising from batch to batch", [][]int8{{1}, {2}, {3}}, 3},
		{"falling from batch to batch", [][]int8{{3}, {2}, {1}}, 3},
		{"both", [][]int8{{3, 9, 4}, {1, 8}, {2}}, 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			deep := NewDeep(1 << 20)
			defer deep.Close()
			var w Writer
			w.Reset(deep)
			for _, batch := range c.batches {
				for _, depth := range batch {
					w.Add(key, check, at(depth))
				}
				w.Flush()
				deep.c.Wait()
			}
			if got, ok := deep.Get(key, check); !ok || got != at(c.want) {
				t.Errorf("got %+v, %v, want depth %d", got, ok, c.want)
			}
		})
	}
	t.Run("another position with the key takes it over", func(t *testing.T) {
		deep := NewDeep(1 << 20)
		defer deep.Close()
		var w Writer
		w.Reset(deep)
		w.Add(key, 1, at(9))
		w.Add(key, 2, at(3))
		w.Flush()
		deep.c.Wait()
		if got, ok := deep.Get(key, 2); !ok || got != at(3) {
			t.Errorf("got %+v, %v", got, ok)
		}
		w.Add(key, 3, at(1))
		w.Flush()
		if got, ok := deep.Get(key, 3); !ok || got != at(1) {
			t.Errorf("got %+v, %v", got, ok)
		}
	})
}

func TestWriterFlushesWhenFull(t *testing.T) {
	deep := NewDeep(4 << 20)
	defer deep.Close()
	var w Writer
	w.Reset(deep)
	const n = 256*3 + 17
	for key := range uint64(n) {
		w.Add(key<<9, 0, Entry{Depth: 5}) // all begin at the same slot
	}
	if w.Added != 256*3 {
		t.Errorf("%d were written, want %d", w.Added, 256*3)
	}
	w.Flush()
	w.Flush()
	deep.c.Wait()
	for key := range uint64(n) {
		if _, ok := deep.Get(key<<9, 0); !ok {
			t.Fatalf("entry %d is lost", key)
		}
	}
	if w.Added != n || w.Dropped != 0 {
		t.Errorf("added %d, dropped %d", w.Added, w.Dropped)
	}
	w.Add(1, 0, Entry{})
	w.Reset(deep)
	w.Flush()
	if w.Added != 0 {
		t.Error("Reset kept an entry")
	}
}

// A full cache must not hold more than its bytes, and must still let new entries in.
func TestCacheStaysWithinItsBytes(t *testing.T) {
	const size = 1 << 20
	deep := NewDeep(size)
	defer deep.Close()
	var w Writer
	w.Reset(deep)
	const n = 20_000
	for key := range uint64(n) {
		k := mix(key)
		deep.Get(k, 0) // a search asks before it stores
		w.Add(k, 0, Entry{Depth: 5})
	}
	w.Flush()
	deep.c.Wait()
	if left := deep.c.RemainingCost(); left < 0 {
		t.Errorf("the cache holds %d bytes too many", -left)
	}
	held, late := 0, 0
	for key := range uint64(n) {
		if _, ok := deep.Get(mix(key), 0); ok {
			held++
			if key >= n-1000 {
				late++
			}
		}
	}
	if held < size/itemBytes/2 || held > size/itemBytes {
		t.Errorf("holds %d items, room is for %d", held, size/itemBytes)
	}
	if late < 50 {
		t.Errorf("only %d of the last 1000 entries got in", late)
	}
}

func TestNilCachesAreEmpty(t *testing.T) {
	for _, size := range []int64{-1, 0, 1, 1000, minCache - 1} {
		proofs, deep := NewProofs(size), NewDeep(size)
		if proofs != nil || deep != nil {
			t.Fatalf("size %d gave a cache", size)
		}
		proofs.Set(1, 2, Proof{})
		if _, ok := proofs.Get(1, 2); ok {
			t.Error("a nil cache knows a proof")
		}
		var w Writer
		for i := range uint64(1000) {
			w.Add(i, 0, Entry{})
		}
		w.Reset(deep)
		w.Add(1, 0, Entry{})
		w.Flush()
		if _, ok := deep.Get(1, 0); ok {
			t.Error("a nil cache knows an entry")
		}
		proofs.Clear()
		deep.Clear()
		proofs.Close()
		deep.Close()
	}
	proofs, deep := NewProofs(minCache), NewDeep(minCache)
	if proofs == nil || deep == nil {
		t.Fatal("the smallest caches were refused")
	}
	proofs.Close()
	deep.Close()
	proofs.Set(1, 2, Proof{}) // after Close: nothing happens
	if _, ok := proofs.Get(1, 2); ok {
		t.Error("a closed cache knows a proof")
	}
}

func TestCachesAreSharedByThreads(t *testing.T) {
	proofs, deep := NewProofs(1<<20), NewDeep(1<<20)
	defer proofs.Close()
	defer deep.Close()
	var wg sync.WaitGroup
	for thread := range uint64(4) {
		wg.Go(func() {
			var w Writer
			w.Reset(deep)
			for i := range uint64(5000) {
				r := mix(i<<2 | thread)
				key := mix(r % 4000)
				if p, ok := proofs.Get(key, 1); ok && p.Move != uint16(key) {
					t.Errorf("wrong proof %+v", p)
				}
				if e, ok := deep.Get(key, 1); ok && e.Eval != int16(key) {
					t.Errorf("wrong entry %+v", e)
				}
				proofs.Set(key, 1, Proof{Move: uint16(key)})
				w.Add(key, 1, Entry{Eval: int16(key), Depth: int8(r >> 60)})
			}
			w.Flush()
		})
	}
	wg.Wait()
}

func TestWriterDoesNotAllocate(t *testing.T) {
	deep := NewDeep(1 << 20)
	defer deep.Close()
	var w Writer
	w.Reset(deep)
	key := uint64(0)
	if n := testing.AllocsPerRun(200, func() {
		key = mix(key)
		w.Add(key, 0, Entry{Depth: 3})
		w.Add(key, 0, Entry{Depth: 4})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if w.Added != 0 {
		t.Error("it was flushed meanwhile")
	}
}
