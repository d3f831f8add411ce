package tt

// Tables is all that a search remembers, within a limit on the memory of the whole
// process. Its methods are called while no one searches.
//
// The fields are nil until Open, so that a program which only asks for the rules pays
// nothing. Proofs and Deep stay nil when the limit is small; nil ones work and are
// empty. A search that must do the same each time uses Array alone and leaves the
// other two out, see Proofs.
type Tables struct {
	Array  *Table
	Proofs *Proofs
	Deep   *Deep

	limit int64
}

// New returns tables for a process of that many bytes.
func New(processBytes int64) *Tables { return &Tables{limit: processBytes} }

// Open makes the tables that are not there yet. A search calls it when it begins.
func (t *Tables) Open() {
	if t.Array != nil {
		return
	}
	array, proofs, deep := split(t.limit)
	t.Array = NewTable(array)
	t.Proofs = NewProofs(proofs)
	t.Deep = NewDeep(deep)
}

// Resize sets the limit. If it differs from the one before, everything is forgotten and
// the next Open makes new tables: ristretto cannot shrink a cache, it would go on
// holding what it has and reject what comes.
func (t *Tables) Resize(processBytes int64) {
	if processBytes != t.limit {
		t.Close()
		t.limit = processBytes
	}
}

// Clear forgets everything that was stored. What a Writer holds is forgotten by its
// Reset.
func (t *Tables) Clear() {
	if t.Array != nil {
		t.Array.Clear()
		t.Proofs.Clear()
		t.Deep.Clear()
	}
}

// Close gives the memory back and ends all goroutines. Open makes new tables.
func (t *Tables) Close() {
	if t.Array != nil {
		t.Array.Close()
		t.Proofs.Close()
		t.Deep.Close()
		t.Array, t.Proofs, t.Deep = nil, nil, nil
	}
}

const (
	mib = 1 << 20

	// reserved is for everything else in the process: the program and its constant
	// tables, stacks, the position and the evaluation of each thread.
	reserved = 48 * mib

	// From this limit on there is room for all three tables.
	roomy = 64 * mib

	// unseen is the part of the process that Go's memory limit does not count.
	unseen = 8 * mib
)

// split divides a limit on the process: of what is left after the reserved part three
// quarters for the array and a tenth for the caches, which leaves the garbage collector
// more than the caches hold. The caches profit little from more than 256 MiB, and the
// collector scans them.
func split(processBytes int64) (array, proofs, deep int64) {
	switch {
	case processBytes >= roomy:
		rest := processBytes - reserved
		caches := min(max(rest/10, 2*mib), 256*mib)
		return rest / 4 * 3, caches / 2, caches / 2
	case processBytes >= roomy/4:
		return processBytes / 16 * 3, 1 * mib, 0 // continues the line above at 64 MiB
	}
	return max(processBytes/16*3, bucketSize), 0, 0
}

// GoLimit returns what to give to debug.SetMemoryLimit so that a process with Tables of
// this size stays within it.
func GoLimit(processBytes int64) int64 {
	limit := max(processBytes, 0) - unseen
	if outside {
		array, _, _ := split(processBytes)
		limit -= array
	}
	// Less than the program needs would make the collector run without end.
	return max(limit, 24*mib)
}
