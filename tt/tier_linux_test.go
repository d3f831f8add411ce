package tt

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// node is one node of a simulated search of about 700 ns: its positions come from a
// window that moves on, so that some are met again and old ones are not. deep of 65536
// positions are deep ones.
func node(table *Table, deep *Deep, w *Writer, i, share uint64) (found bool) {
	const window = 4 << 20
	key := mix(i/2 + mix(i)%window)
	table.Prefetch(key)
	work(rounds700)
	isDeep := key>>20&0xffff < share
	if _, ok := table.Probe(key); ok {
		return false
	}
	e := Entry{Move: uint16(key) & 511, Depth: int8(key>>61) - 2}
	if isDeep {
		_, found = deep.Get(key, uint32(key>>7))
		e.Depth = 12
		w.Add(key, uint32(key>>7), e)
	}
	table.Store(key, e)
	return found
}

// cpu is the processor time of all threads of the process, the caches' and the
// collector's included.
func cpu() time.Duration {
	var u unix.Rusage
	unix.Getrusage(unix.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkSecondTier compares the speed of a simulated search with a full Deep and
// without it, in turns. A ratio of 1 means that Deep costs nothing. It shall be 0.95 at
// least: by the wall clock when processors are idle, by all processor time when none is.
func BenchmarkSecondTier(b *testing.B) {
	for _, perMille := range []float64{1, 3, 10} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("deep=%.1f%%/threads=%d", perMille/10, threads), func(b *testing.B) {
				secondTier(b, perMille/1000, threads)
			})
		}
	}
}

func secondTier(b *testing.B, share float64, threads int) {
	const nodes = 200_000 // a thread and turn
	tables := New(350 * mib)
	tables.Open()
	defer tables.Close()
	plain := NewTable(tables.Array.Bytes())
	defer plain.Close()
	touch(plain)
	touch(tables.Array)
	writers := make([]Writer, threads)
	for i := range writers {
		writers[i].Reset(tables.Deep)
	}
	for i := int64(0); i < tables.Deep.c.MaxCost()/itemBytes; i++ { // so that each Set evicts
		writers[0].Add(^mix(uint64(i)), 0, Entry{})
		if i%4096 == 0 {
			tables.Deep.c.Wait()
		}
	}
	writers[0].Flush()
	tables.Deep.c.Wait()
	filled := writers[0].Added

	var at, found uint64
	turn := func(table *Table, deep *Deep, writers []Writer) (wall, used float64) {
		table.NewSearch()
		start, busy := time.Now(), cpu()
		var wg sync.WaitGroup
		for thread := range threads {
			wg.Go(func() {
				w := &writers[thread]
				first := at + uint64(thread)*nodes
				n := uint64(0)
				for i := first; i < first+nodes; i++ {
					if node(table, deep, w, i, uint64(share*65536)) {
						n++
					}
				}
				w.Flush()
				atomic.AddUint64(&found, n)
			})
		}
		wg.Wait()
		return time.Since(start).Seconds(), (cpu() - busy).Seconds()
	}
	none := make([]Writer, threads)
	var walls, cpus, off []float64
	for i := 0; b.Loop(); i++ {
		var wall, used [2]float64
		for _, on := range []int{i & 1, i&1 ^ 1} {
			if on == 1 {
				wall[1], used[1] = turn(tables.Array, tables.Deep, writers)
			} else {
				wall[0], used[0] = turn(plain, nil, none)
			}
		}
		at += uint64(threads) * nodes
		walls = append(walls, wall[0]/wall[1])
		cpus = append(cpus, used[0]/used[1])
		off = append(off, used[0]*1e9/float64(threads*nodes))
	}
	added, dropped := -filled, int64(0)
	for _, w := range writers {
		added += w.Added
		dropped += w.Dropped
	}
	b.ReportMetric(median(walls), "wall-ratio")
	b.ReportMetric(median(cpus), "cpu-ratio")
	b.ReportMetric(median(off), "ns/node-off")
	b.ReportMetric(100*float64(added)/float64(at), "%written")
	b.ReportMetric(float64(dropped), "dropped")
	b.ReportMetric(float64(found), "found")
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}
