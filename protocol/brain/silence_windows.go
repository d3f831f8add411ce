package brain

import (
	"os"
	"syscall"
)

// silence sends stderr to nowhere. Piskvork reads it together with stdout, so that what
// a dying runtime writes there would be taken for an answer. The runtime asks Windows for
// the handle each time it writes.
func silence() {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	const stdErrorHandle = ^uintptr(12 - 1) // -12
	syscall.NewLazyDLL("kernel32.dll").NewProc("SetStdHandle").Call(stdErrorHandle, f.Fd())
}
