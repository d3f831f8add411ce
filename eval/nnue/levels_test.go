//go:build !amd64

package nnue

import "testing"

func levels(*testing.T) func(func(string) bool) {
	return func(yield func(string) bool) { yield("plain") }
}
