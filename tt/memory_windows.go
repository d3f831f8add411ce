package tt

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// outside says whether reserve takes memory from outside the Go heap.
const outside = true

// reserve returns size bytes of zeros.
func reserve(size int) ([]byte, error) {
	addr, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	// The address is not one of the Go heap, so the collector never moves or frees what
	// it points to and the conversion is sound; this form of it says so to vet.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), size), nil
}

func release(mem []byte) {
	windows.VirtualFree(uintptr(unsafe.Pointer(&mem[0])), 0, windows.MEM_RELEASE)
}
