//go:build !long

package line

// How much the random tests try in a plain "go test"; long_test.go has the full numbers.
const (
	naivePoints  = 6_000 // points looked at for each rule
	naiveWindows = 61    // one line in so many
	fiveStride   = 7     // one start cell in so many
	randomGames  = 7     // games for each rule
	perftAgain   = 8_000 // counts up to this are made again by the twin
	captureMoves = 20_000
)
