package nnue

import "testing"

// levels runs what follows in a test with each set of instructions that is there, named.
func levels(t *testing.T) func(func(string) bool) {
	f, w := fast, wide
	return func(yield func(string) bool) {
		defer func() { fast, wide = f, w }()
		for _, l := range []struct {
			name       string
			fast, wide bool
		}{{"plain", false, false}, {"AVX2", f, false}, {"AVX-512", f, w}} {
			if fast, wide = l.fast, l.wide; !yield(l.name) {
				return
			}
		}
	}
}
