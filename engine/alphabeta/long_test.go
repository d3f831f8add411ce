//go:build long

package alphabeta

// How much is tried with "go test -tags long".
const (
	claimBoards   = 3_000
	selfPlayGames = 200 // of each game
)
