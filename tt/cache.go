package tt

import "github.com/dgraph-io/ristretto/v2"

// itemBytes is what ristretto really spends on an item of up to 16 bytes: an entry in
// each of two maps, measured. It is the cost of each, so that a cache's MaxCost is in
// bytes; the cost ristretto itself would add knows only a third of it.
const itemBytes = 200

// value is what the caches hold: a word and a second check. Ristretto compares only the
// 64-bit key when its own second hash is 0, as it is for integers.
type value struct {
	word  uint64
	check uint32
}

type cache = ristretto.Cache[uint64, value]

// newCache starts a cache of about size bytes, or returns nil if size is too small for
// the several hundred kilobytes that every ristretto costs. A nil cache is empty and
// stores nothing.
//
// It has far fewer counters than ristretto's documentation asks for: their number is
// also the number of reads after which all frequencies are halved. What a search asks
// for moves on with the game, and counters that age slowly would keep yesterday's
// entries in and today's out.
func newCache(size int64, replace func(cur, prev value) bool) *cache {
	if size < minCache {
		return nil
	}
	c, err := ristretto.NewCache(&ristretto.Config[uint64, value]{
		MaxCost:            size,
		NumCounters:        max(size/itemBytes/4, 256),
		BufferItems:        64,
		IgnoreInternalCost: true,
		ShouldUpdate:       replace,
	})
	if err != nil {
		return nil
	}
	return c
}

const minCache = 1 << 18
