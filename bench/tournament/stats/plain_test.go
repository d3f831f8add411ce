//go:build !long

package stats

// How many matches TestSPRT simulates, and how far from the promised their share of errors may
// be: the deviation of a share among so many is up to 2 %.
const (
	simulated = 250
	tolerance = 0.035
)
