package protocol

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is what a build says of itself that knows no better.
const version = "0.1.0"

// Version returns the version of this build and what it was built with and for, the same
// string in every protocol.
func Version() string {
	v := version
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" && b.Main.Version != "(devel)" {
		v = b.Main.Version
		if v[0] == 'v' {
			v = v[1:]
		}
	}
	return fmt.Sprintf("%s (%s %s/%s)", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
