//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly && !windows

package tt

import "errors"

// outside says whether reserve takes memory from outside the Go heap.
const outside = false

// reserve returns size bytes of zeros. The Go heap ends the program when the system has
// no more to give, so very much is refused here.
func reserve(size int) ([]byte, error) {
	if size > 1<<30 {
		return nil, errors.New("tt: too large for the Go heap")
	}
	return make([]byte, size), nil
}

func release([]byte) {}
