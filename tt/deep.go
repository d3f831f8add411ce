package tt

// Deep remembers entries that were dear to find, after the array has lost them: through
// later moves and later games. The search asks it only where the array knows nothing
// and the remaining depth is large. Any number of threads may use it, each through its
// own Writer.
//
// It evicts at random and applies what is written a little later, so a search that must
// do the same each time cannot use it. A nil *Deep is an empty cache that stores
// nothing.
type Deep struct {
	c *cache
}

// NewDeep starts a cache of about size bytes, nil if that is too little for one.
func NewDeep(size int64) *Deep {
	c := newCache(size, func(cur, prev value) bool {
		return cur.check != prev.check || depthOf(cur.word) >= depthOf(prev.word)
	})
	if c == nil {
		return nil
	}
	return &Deep{c}
}

// Get returns the entry stored under key with the same check, see Proofs.Get.
func (d *Deep) Get(key uint64, check uint32) (Entry, bool) {
	if d == nil {
		return Entry{Move: NoMove}, false
	}
	v, ok := d.c.Get(key)
	if !ok || v.check != check {
		return Entry{Move: NoMove}, false
	}
	return unpack(v.word), true
}

// Clear forgets everything. No one may use the cache meanwhile.
func (d *Deep) Clear() {
	if d != nil {
		d.c.Clear()
	}
}

// Close ends the cache's goroutines. Afterwards it is empty and stores nothing.
func (d *Deep) Close() {
	if d != nil {
		d.c.Close()
	}
}

// Writer collects the entries that one thread has for Deep. A single Set costs several
// microseconds because it wakes the cache's goroutine; in a batch it finds it awake.
// Until the batch is written its entries are still in the array.
//
// The zero Writer writes nowhere. Reset gives it a cache.
type Writer struct {
	Added, Dropped int64 // entries written and, of these, lost because the cache was busy

	deep  *Deep
	n     int
	items [256]item
	slot  [512]uint16 // open addressing by key: 1 + the index in items, 0 for none
}

type item struct {
	key uint64
	value
}

// Reset makes w write to d, which may be nil, and forgets what was not yet written.
func (w *Writer) Reset(d *Deep) { *w = Writer{deep: d} }

// Add collects an entry. Of several under one key the deepest counts: ristretto would
// keep the first of them. Every 256th entry causes a Flush.
func (w *Writer) Add(key uint64, check uint32, e Entry) {
	if w.deep == nil {
		return
	}
	v := value{pack(e, 0), check}
	i := key % uint64(len(w.slot))
	for ; w.slot[i] != 0; i = (i + 1) % uint64(len(w.slot)) {
		it := &w.items[w.slot[i]-1]
		if it.key == key {
			if it.check != check || depthOf(v.word) >= depthOf(it.word) {
				it.value = v
			}
			return
		}
	}
	w.items[w.n] = item{key, v}
	w.n++
	w.slot[i] = uint16(w.n)
	if w.n == len(w.items) {
		w.Flush()
	}
}

// Flush writes what was collected. It takes some 0.1 ms when there are 256 entries.
func (w *Writer) Flush() {
	if w.n == 0 {
		return
	}
	for i := range w.items[:w.n] {
		it := &w.items[i]
		w.Added++
		if !w.deep.c.Set(it.key, it.value, itemBytes) {
			w.Dropped++
		}
	}
	w.n = 0
	clear(w.slot[:])
}
