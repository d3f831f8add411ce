//go:build long

package threat

// How much is tried with "go test -tags long".
const (
	smallBoards   = 5_000
	captureBoards = 5_000
	verified      = 1
)
