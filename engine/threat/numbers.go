package threat

// numbers is what a proof-number search knows of the positions it has met: how much is
// still missing to a proof (pn) and to a disproof (dn), 0 where nothing is. By full keys
// and of fixed size; where it is full the position that cost least work goes.
type numbers struct {
	buckets [][4]number
	mask    uint64
	used    used
}

type number struct {
	key    uint64
	pn, dn uint16
	work   uint32 // nodes spent below
}

// endless stands for a proof that cannot be had.
const endless = 1<<16 - 1

func (n *number) values() (pn, dn uint32) { return uint32(n.pn), uint32(n.dn) }

func newNumbers(memory int) numbers {
	n := 1
	for n*2*64 <= memory {
		n *= 2
	}
	return numbers{make([][4]number, n), uint64(n - 1), newUsed()}
}

// get returns what is known of a position, nil if nothing is. It is valid until the next
// call of set.
func (t *numbers) get(key uint64) *number {
	b := &t.buckets[key&t.mask]
	for i := range b {
		if b[i].key == key {
			return &b[i]
		}
	}
	return nil
}

// set notes what is known of a position. The key 0 stands for nothing.
func (t *numbers) set(key uint64, pn, dn, work uint32) {
	b := &t.buckets[key&t.mask]
	least := 0
	for i := range b {
		if b[i].key == key {
			least, work = i, max(work, b[i].work)
			break
		}
		if b[i].work < b[least].work {
			least = i
		}
	}
	if b[least].key == 0 && least == 0 {
		t.used.add(key & t.mask)
	}
	b[least] = number{key, uint16(min(pn, endless)), uint16(min(dn, endless)), work}
}

// clear forgets everything.
func (t *numbers) clear() { empty(&t.used, t.buckets) }

// keepSolved forgets all but proofs and, if so told, disproofs.
func (t *numbers) keepSolved(disproofs bool) {
	t.forget(func(n *number) bool { return n.pn != 0 && !(disproofs && n.dn == 0) })
}

// doubt forgets all proofs. What was disproven stays so when defences are added.
func (t *numbers) doubt() { t.forget(func(n *number) bool { return n.pn == 0 }) }

func (t *numbers) forget(what func(*number) bool) {
	for i := range t.buckets {
		for j := range t.buckets[i] {
			if n := &t.buckets[i][j]; n.key != 0 && what(n) {
				*n = number{}
			}
		}
	}
}
