//go:build !unix && !windows

package gtp

import "time"

// cpu returns the processor time that this process has used: here nobody says.
func cpu() time.Duration { return 0 }
