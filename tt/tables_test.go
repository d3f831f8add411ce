package tt

import (
	"math"
	"testing"

	"go.uber.org/goleak"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct{ process, array, proofs, deep int64 }{
		{math.MinInt64, 64, 0, 0},
		{0, 64, 0, 0},
		{1 << 20, 192 << 10, 0, 0},
		{16 * mib, 3 * mib, 1 * mib, 0},
		{64*mib - 16, 12*mib - 3, 1 * mib, 0},
		{64 * mib, 12 * mib, 1 * mib, 1 * mib},
		{83886080, 24 * mib, 32 * mib / 20, 32 * mib / 20}, // what a manager asks for most often
		{368 * mib, 240 * mib, 16 * mib, 16 * mib},
		{8240 * mib, 6144 * mib, 128 * mib, 128 * mib},
	} {
		array, proofs, deep := split(c.process)
		if array != c.array || proofs != c.proofs || deep != c.deep {
			t.Errorf("split(%d) = %d, %d, %d, want %d, %d, %d", c.process,
				array, proofs, deep, c.array, c.proofs, c.deep)
		}
	}
	for process := int64(roomy); process < 1<<34; process += 7 * mib {
		array, proofs, deep := split(process)
		if array+2*(proofs+deep)+reserved > process {
			t.Errorf("split(%d) = %d, %d, %d: no room is left for the collector", process, array, proofs, deep)
		}
		if limit := GoLimit(process); outside && (limit+array+unseen > process || 2*limit < 3*(proofs+deep)) {
			t.Errorf("GoLimit(%d) = %d beside %d outside the heap and %d in caches", process, limit, array, proofs+deep)
		}
	}
	for _, process := range []int64{math.MinInt64, -1, 0, 1, 1 << 20, 1 << 40, math.MaxInt64} {
		if limit := GoLimit(process); limit < 24*mib {
			t.Errorf("GoLimit(%d) = %d, the collector would never rest", process, limit)
		}
	}
}

func TestTablesLiveFromOpenToClose(t *testing.T) {
	before := goleak.IgnoreCurrent()
	tables := New(80 * mib)
	goleak.VerifyNone(t, before)
	if tables.Array != nil || tables.Proofs != nil || tables.Deep != nil {
		t.Fatal("New made a table")
	}
	tables.Clear()
	tables.Close()

	tables.Open()
	array, proofs, deep := tables.Array, tables.Proofs, tables.Deep
	if array == nil || proofs == nil || deep == nil {
		t.Fatal("Open did not make all tables")
	}
	fill(tables)
	tables.Open()
	tables.Resize(80 * mib)
	tables.Open()
	if tables.Array != array || tables.Proofs != proofs || tables.Deep != deep {
		t.Error("the tables were made anew although nothing changed")
	}
	if n := known(tables); n != 3 {
		t.Errorf("only %d tables remember although nothing changed", n)
	}
	tables.Clear()
	if n := known(tables); n != 0 {
		t.Errorf("Clear left something in %d tables", n)
	}

	tables.Close()
	goleak.VerifyNone(t, before)
	tables.Close()
	tables.Open()
	fill(tables)
	if n := known(tables); n != 3 {
		t.Errorf("only %d tables work after being opened again", n)
	}
	tables.Close()
	goleak.VerifyNone(t, before)
}

func TestResizeShrinks(t *testing.T) {
	before := goleak.IgnoreCurrent()
	tables := New(90 * mib)
	defer func() {
		tables.Close()
		goleak.VerifyNone(t, before)
	}()
	for _, process := range []int64{90 * mib, 110 * mib, 83886080, 20 * mib, 1 << 20, 0, 100 * mib} {
		tables.Resize(process)
		tables.Open()
		array, proofs, deep := split(process)
		if got := tables.Array.Bytes(); got != max(array/64*64, 64) {
			t.Errorf("limit %d: array of %d bytes, want %d", process, got, array)
		}
		if (tables.Proofs == nil) != (proofs == 0) || (tables.Deep == nil) != (deep == 0) {
			t.Errorf("limit %d: proofs %v, deep %v", process, tables.Proofs, tables.Deep)
		}
		if tables.Deep != nil {
			var w Writer
			w.Reset(tables.Deep)
			for key := range uint64(2 * deep / itemBytes) {
				w.Add(mix(key), 0, Entry{})
				if key%4096 == 0 {
					tables.Deep.c.Wait() // or much would be dropped
				}
			}
			w.Flush()
			tables.Deep.c.Wait()
			if left := tables.Deep.c.RemainingCost(); left < 0 || left > deep/10 {
				t.Errorf("limit %d: %d of %d bytes are free in an overfilled cache", process, left, deep)
			}
		}
		if _, ok := tables.Array.Probe(1); ok {
			t.Errorf("limit %d: the new array is not empty", process)
		}
		fill(tables)
		if _, ok := tables.Array.Probe(1); !ok {
			t.Errorf("limit %d: the array does not work", process)
		}
	}
}

func fill(t *Tables) {
	t.Array.Store(1, Entry{Move: 5})
	t.Proofs.Set(1, 0, Proof{Win: true})
	var w Writer
	w.Reset(t.Deep)
	w.Add(1, 0, Entry{Move: 6})
	w.Flush()
	if t.Proofs != nil {
		t.Proofs.c.Wait()
	}
	if t.Deep != nil {
		t.Deep.c.Wait()
	}
}

// known returns how many of the three tables still know what fill stored.
func known(t *Tables) (n int) {
	_, a := t.Array.Probe(1)
	_, p := t.Proofs.Get(1, 0)
	_, d := t.Deep.Get(1, 0)
	for _, ok := range []bool{a, p, d} {
		if ok {
			n++
		}
	}
	return n
}
