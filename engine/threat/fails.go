package threat

// fails is the set of positions in which the attacker was proven to have no win by
// fours, as far as it fits: by full keys, so what it claims is true, and of fixed size, so
// it forgets. A failure stays true whatever is searched next.
type fails struct {
	buckets [][4]uint64
	mask    uint64
}

func newFails(memory int) fails {
	n := 1
	for n*2*32 <= memory {
		n *= 2
	}
	return fails{make([][4]uint64, n), uint64(n - 1)}
}

// has reports whether a position is in the set. The key 0 stands for nothing.
func (f *fails) has(key uint64) bool {
	b := &f.buckets[key&f.mask]
	return (b[0] == key || b[1] == key || b[2] == key || b[3] == key) && key != 0
}

// add puts a position into the set in the place of the oldest of its bucket.
func (f *fails) add(key uint64) {
	b := &f.buckets[key&f.mask]
	b[3], b[2], b[1], b[0] = b[2], b[1], b[0], key
}
