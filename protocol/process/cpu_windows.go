package process

import (
	"time"

	"golang.org/x/sys/windows"
)

// CPU returns the processor time that this process has used.
func CPU() time.Duration {
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user) != nil {
		return 0
	}
	// A Filetime of an interval counts 100 ns; Nanoseconds would take it for a date.
	of := func(f windows.Filetime) int64 { return int64(f.HighDateTime)<<32 | int64(f.LowDateTime) }
	return time.Duration(100 * (of(kernel) + of(user)))
}
