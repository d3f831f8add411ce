//go:build long

package stats

// How many matches TestSPRT simulates with "go test -tags long", and how far from the promised
// their share of errors may be.
const (
	simulated = 10_000
	tolerance = 0.01
)
