package protocol

import (
	"context"
	"time"
)

// LastWord is how long a conversation whose manager is gone may take to end: its loop may
// hang in a write that nobody reads.
const LastWord = 250 * time.Millisecond

// Await returns what the loop of a conversation ends with. When ctx is done it waits for no
// more than a last word.
func Await(ctx context.Context, loop <-chan error) error {
	select {
	case err := <-loop:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-loop:
		return err
	case <-time.After(LastWord):
		return ctx.Err()
	}
}
