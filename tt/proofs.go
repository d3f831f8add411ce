package tt

// Proof is the proven outcome of a threat search.
type Proof struct {
	Win   bool   // the attacker wins by force; false: proven not to
	Move  uint16 // the first move of the win
	Plies uint16 // the length of the win, below 1<<15
}

// WorthProof is how many nodes a threat search must have taken for its outcome to be
// worth a place in Proofs: a Set and the later Gets cost about as much as 64 nodes of a
// search for fours when a quarter of them hit.
const WorthProof = 64

// Proofs remembers the outcome of threat searches. Any number of threads may use it.
//
// An outcome must be the same each time it is found, or at least as good as another: of
// two quick Sets under one new key the first is what remains, since ristretto takes the
// second for an update of an item that is not there yet.
//
// It evicts at random and applies a Set a little later, so a search that must do the
// same each time cannot use it. A nil *Proofs is an empty cache that stores nothing.
type Proofs struct {
	c *cache
}

// NewProofs starts a cache of about size bytes, nil if that is too little for one.
func NewProofs(size int64) *Proofs {
	c := newCache(size, nil)
	if c == nil {
		return nil
	}
	return &Proofs{c}
}

// Get returns the outcome stored under key with the same check. The key is the
// position's mixed with all that the question depends on: the attacker, the kind of
// threats, the rule. The check is as many further bits that tell positions apart as the
// caller has.
func (p *Proofs) Get(key uint64, check uint32) (Proof, bool) {
	if p == nil {
		return Proof{}, false
	}
	v, ok := p.c.Get(key)
	if !ok || v.check != check {
		return Proof{}, false
	}
	return Proof{
		Win:   v.word>>31&1 != 0,
		Move:  uint16(v.word),
		Plies: uint16(v.word>>16) & (1<<15 - 1),
	}, true
}

// Set stores an outcome.
func (p *Proofs) Set(key uint64, check uint32, proof Proof) {
	if p == nil {
		return
	}
	w := uint64(proof.Move) | uint64(min(proof.Plies, 1<<15-1))<<16
	if proof.Win {
		w |= 1 << 31
	}
	p.c.Set(key, value{w, check}, itemBytes)
}

// Clear forgets everything. No one may use the cache meanwhile.
func (p *Proofs) Clear() {
	if p != nil {
		p.c.Clear()
	}
}

// Close ends the cache's goroutines. Afterwards it is empty and stores nothing.
func (p *Proofs) Close() {
	if p != nil {
		p.c.Close()
	}
}
