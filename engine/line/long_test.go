//go:build long

package line

// How much the random tests try with "go test -tags long -timeout 60m": at least a million
// points for each rule, every line there is, every start of a five.
const (
	naivePoints  = 1_000_000
	naiveWindows = 1
	fiveStride   = 1
	randomGames  = 400
	perftAgain   = 1 << 30
	captureMoves = 500_000 // for each of two games
)
