package resnet

import "testing"

// levels runs what follows in a test with each set of instructions that is there, named.
func levels(t *testing.T) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		t.Cleanup(func() { used = best })
		for used = plain; used <= best; used++ {
			if !yield(int(used), Level()) {
				return
			}
		}
	}
}
