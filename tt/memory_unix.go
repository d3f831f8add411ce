//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tt

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// outside says whether reserve takes memory from outside the Go heap.
const outside = true

// adviseHuge is Linux's MADV_HUGEPAGE. With pages of 4 KiB nearly every probe of a large
// table would also miss the processor's table of pages.
const adviseHuge = 14

// reserve returns size bytes of zeros.
func reserve(size int) ([]byte, error) {
	mem, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err == nil && runtime.GOOS == "linux" {
		unix.Madvise(mem, adviseHuge) // a hint: a kernel without it is only slower
	}
	return mem, err
}

func release(mem []byte) { unix.Munmap(mem) }
