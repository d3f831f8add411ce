//go:build unix

package process

import (
	"time"

	"golang.org/x/sys/unix"
)

// CPU returns the processor time that this process has used.
func CPU() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
