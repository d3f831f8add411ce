package threat

// fails is the set of positions in which the attacker was proven to have no win by
// fours, as far as it fits: by full keys, so what it claims is true, and of fixed size, so
// it forgets. A failure stays true whatever is searched next.
type fails struct {
	buckets [][4]uint64
	mask    uint64
	used    used
}

// used are the buckets of a table that hold something, so that what is hardly filled is
// emptied at little cost.
type used struct {
	at   []uint32
	many bool // there are more
}

// usedMost is how many buckets are emptied one by one.
const usedMost = 1 << 12

func newUsed() used { return used{at: make([]uint32, 0, usedMost)} }

func (u *used) add(i uint64) {
	if len(u.at) < usedMost {
		u.at = append(u.at, uint32(i))
	} else {
		u.many = true
	}
}

// empty empties the buckets that were added.
func empty[T any](u *used, buckets []T) {
	if u.many {
		clear(buckets)
	} else {
		for _, i := range u.at {
			clear(buckets[i : i+1])
		}
	}
	u.at, u.many = u.at[:0], false
}

func newFails(memory int) fails {
	n := 1
	for n*2*32 <= memory {
		n *= 2
	}
	return fails{buckets: make([][4]uint64, n), mask: uint64(n - 1), used: newUsed()}
}

// has reports whether a position is in the set. The key 0 stands for nothing.
func (f *fails) has(key uint64) bool {
	b := &f.buckets[key&f.mask]
	return (b[0] == key || b[1] == key || b[2] == key || b[3] == key) && key != 0
}

// add puts a position into the set in the place of the oldest of its bucket.
func (f *fails) add(key uint64) {
	b := &f.buckets[key&f.mask]
	if b[0] == 0 {
		f.used.add(key & f.mask)
	}
	b[3], b[2], b[1], b[0] = b[2], b[1], b[0], key
}

// clear empties the set. What is in it then depends on nothing that was before.
func (f *fails) clear() { empty(&f.used, f.buckets) }
