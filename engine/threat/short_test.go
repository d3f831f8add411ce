//go:build !long

package threat

// How much is tried in a plain "go test"; long_test.go has the full numbers.
const (
	smallBoards   = 300 // random positions for each rule
	captureBoards = 120 // the same with captures
	verified      = 5   // one puzzle in so many is played out against every defence
)

const (
	twinBoards = 40   // random positions for each rule
	twinBudget = 100  // positions of the plain search for one of them
	twinNodes  = 5000 // of the search for one
)

const (
	vctPuzzles = 20      // one VCT puzzle in so many is tried
	vctNodes   = 200_000 // nodes for each
)
