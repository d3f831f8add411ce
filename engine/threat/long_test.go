//go:build long

package threat

// How much is tried with "go test -tags long".
const (
	smallBoards   = 5_000
	captureBoards = 5_000
	verified      = 1
)

const (
	twinBoards = 1000   // random positions for each rule
	twinBudget = 200    // positions of the plain search for one of them
	twinNodes  = 20_000 // of the search for one
)

const (
	vctPuzzles = 1       // one VCT puzzle in so many is tried
	vctNodes   = 850_000 // nodes for each
)
