//go:build race

package tt

import "sync/atomic"

// The race detector cannot know that torn entries are noticed, so it is shown atomic
// words. Outside of it they would cost an exchange instruction for every store.

func load(p *uint64) uint64     { return atomic.LoadUint64(p) }
func store(p *uint64, w uint64) { atomic.StoreUint64(p, w) }
