//go:build amd64 || arm64

package tt

import "unsafe"

// prefetch asks for the cache line of p. It never faults.
//
//go:noescape
func prefetch(p unsafe.Pointer)
