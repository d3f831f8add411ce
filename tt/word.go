//go:build !race

package tt

// The words of a table are read and written without synchronisation. The Go memory
// model ("Implementation Restrictions for Programs Containing Data Races") promises that
// a read of a word returns a value that was really written to it; that halves of an
// entry may be of different writes is what the check is for.

func load(p *uint64) uint64     { return *p }
func store(p *uint64, w uint64) { *p = w }
