//go:build unix

package tournament

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// acquire takes the lock of a folder. The system gives it back when the process ends,
// however it ends.
func acquire(name string) (io.Closer, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
