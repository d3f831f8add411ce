// Package tt is the transposition table: what a search remembers of positions it has
// seen, by their 64-bit key.
//
// It has two tiers. Table is a fixed array that all threads read and write at every
// node without a lock. Behind it stand two caches that live longer than a search:
// Proofs keeps the outcome of threat searches, Deep the entries that cost the most to
// find. The caches are ristretto's, which ranks by frequency of use and not by depth,
// so each kind of content has its own. Tables holds the three and divides a limit on
// the whole process among them.
//
// Keys must be well mixed (Zobrist keys are): the array takes its index from their high
// bits, the caches from their low ones. Values are stored as given, so the caller makes
// win values relative to the node before storing and to the root after probing.
package tt

// NoMove in an entry says that no move is known. It is the point that the whole program
// uses for "no point".
const NoMove = 1022

// Bound says how a stored value relates to the true one.
type Bound uint8

const (
	NoBound Bound = iota // the value means nothing, only the rest does
	Upper                // the true value is at most this
	Lower                // the true value is at least this
	Exact
)

// Entry is what is remembered of a position.
type Entry struct {
	Move        uint16 // below 1024; NoMove when none is known
	Value, Eval int16
	Depth       int8
	Bound       Bound
	PV          bool // the position was once on the principal variation
}

// An entry is packed into one word:
//
//	bit 0      16     32     40     50     52  53          61
//	    value  eval   depth  move   bound  pv  generation  used
//
// The used bit tells an empty word from an entry of zeros.
const (
	evalAt  = 16
	depthAt = 32
	moveAt  = 40
	boundAt = 50
	pvAt    = 52
	genAt   = 53
	usedAt  = 61

	moveMask = uint64(1<<10-1) << moveAt
	genMask  = uint64(1<<8-1) << genAt
	used     = uint64(1) << usedAt
)

func pack(e Entry, generation uint8) uint64 {
	w := uint64(uint16(e.Value)) |
		uint64(uint16(e.Eval))<<evalAt |
		uint64(uint8(e.Depth))<<depthAt |
		uint64(e.Move&1023)<<moveAt |
		uint64(e.Bound&3)<<boundAt |
		uint64(generation)<<genAt |
		used
	if e.PV {
		w |= 1 << pvAt
	}
	return w
}

func unpack(w uint64) Entry {
	return Entry{
		Move:  uint16(w>>moveAt) & 1023,
		Value: int16(w),
		Eval:  int16(w >> evalAt),
		Depth: depthOf(w),
		Bound: Bound(w>>boundAt) & 3,
		PV:    w>>pvAt&1 != 0,
	}
}

func depthOf(w uint64) int8       { return int8(w >> depthAt) }
func moveOf(w uint64) uint16      { return uint16(w>>moveAt) & 1023 }
func generationOf(w uint64) uint8 { return uint8(w >> genAt) }
