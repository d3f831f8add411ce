//go:build !amd64 && !arm64

package tt

import "unsafe"

func prefetch(unsafe.Pointer) {}
