//go:build !long

package alphabeta

// How much is tried in a plain "go test"; long_test.go has the full numbers.
const (
	claimBoards   = 80
	selfPlayGames = 3
)
