package tt

import (
	"fmt"
	"testing"
)

var sink uint64

// work stands for what a search does at a node besides the tables: a chain of dependent
// multiplications, so that neither the compiler nor the processor can shorten it.
func work(rounds int) {
	x := sink | 1
	for range rounds {
		x = x*x + 7
	}
	sink = x
}

const (
	rounds100 = 80  // about 100 ns
	rounds700 = 560 // about 700 ns
)

// touch makes the system hand out a table's pages before they are measured.
func touch(t *Table) {
	for i := range t.buckets {
		t.buckets[i][0].word = 0
	}
}

// BenchmarkTable is a node that probes and, on a miss, stores. A node is known some
// 100 ns before its probe, as a move is made in between.
func BenchmarkTable(b *testing.B) {
	for _, size := range []int64{16 * mib, 256 * mib} {
		for _, ahead := range []bool{false, true} {
			b.Run(fmt.Sprintf("%dMiB/prefetch=%v", size/mib, ahead), func(b *testing.B) {
				table := NewTable(size)
				defer table.Close()
				touch(table)
				keys := uint64(size / 16 * 2)
				i, hits := uint64(0), 0
				for b.Loop() {
					i++
					key := mix(mix(i) % keys)
					if ahead {
						table.Prefetch(key)
					}
					work(rounds100)
					if _, ok := table.Probe(key); ok {
						hits++
					} else {
						table.Store(key, Entry{Depth: int8(key >> 60)})
					}
				}
				b.ReportMetric(100*float64(hits)/float64(i), "%hits")
			})
		}
	}
}

func BenchmarkPrefetch(b *testing.B) {
	table := NewTable(64)
	for b.Loop() {
		table.Prefetch(1)
	}
}

// BenchmarkClear wants few rounds (-benchtime 5x): filling the table again takes longer.
func BenchmarkClear(b *testing.B) {
	table := NewTable(2048 * mib)
	defer table.Close()
	for b.Loop() {
		b.StopTimer()
		touch(table)
		b.StartTimer()
		table.Clear()
	}
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		tables := New(350 * mib)
		tables.Open()
		tables.Close()
	}
}

func BenchmarkProofs(b *testing.B) {
	proofs := NewProofs(16 * mib)
	defer proofs.Close()
	for i := range uint64(16 * mib / itemBytes) {
		proofs.Set(mix(i), 0, Proof{})
	}
	proofs.c.Wait()
	b.Run("Get", func(b *testing.B) {
		b.ReportAllocs()
		for i := uint64(0); b.Loop(); i++ {
			proofs.Get(mix(i%200_000), 0)
		}
	})
	b.Run("Set", func(b *testing.B) {
		b.ReportAllocs()
		for i := uint64(0); b.Loop(); i++ {
			work(rounds700 * 20) // the search for threats whose outcome it is
			proofs.Set(mix(i), 0, Proof{})
		}
	})
	b.Run("SetNothing", func(b *testing.B) {
		for b.Loop() {
			work(rounds700 * 20)
		}
	})
}
