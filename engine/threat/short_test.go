//go:build !long

package threat

// How much is tried in a plain "go test"; long_test.go has the full numbers.
const (
	smallBoards   = 300 // random positions for each rule
	captureBoards = 120 // the same with captures
	verified      = 5   // one puzzle in so many is played out against every defence
)
