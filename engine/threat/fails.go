package threat

// fails is the set of positions in which the attacker was proven to have no win by
// fours, as far as it fits: by full keys, so what it claims is true, and of fixed size, so
// it forgets. A failure stays true whatever is searched next.
type fails struct {
	buckets [][4]uint64
	mask    uint64
	used    []uint32 // the buckets that hold something, as far as they fit
	many    bool     // they did not
}

// usedMost is how many buckets are emptied one by one.
const usedMost = 1 << 12

func newFails(memory int) fails {
	n := 1
	for n*2*32 <= memory {
		n *= 2
	}
	return fails{buckets: make([][4]uint64, n), mask: uint64(n - 1), used: make([]uint32, 0, usedMost)}
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
		if len(f.used) < usedMost {
			f.used = append(f.used, uint32(key&f.mask))
		} else {
			f.many = true
		}
	}
	b[3], b[2], b[1], b[0] = b[2], b[1], b[0], key
}

// clear empties the set. What is in it then depends on nothing that was before.
func (f *fails) clear() {
	if f.many {
		clear(f.buckets)
	} else {
		for _, i := range f.used {
			f.buckets[i] = [4]uint64{}
		}
	}
	f.used, f.many = f.used[:0], false
}
