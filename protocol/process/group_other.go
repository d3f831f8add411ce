//go:build unix && !linux

package process

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"time"
)

const maxCPUs = 1024

// launch starts cmd. Memory is not limited: that of another process cannot be.
func launch(cmd *exec.Cmd, limits Limits) (group, error) {
	if len(limits.CPUs) > 0 {
		return group{}, fmt.Errorf("process: a program cannot be bound to processors on %s", runtime.GOOS)
	}
	prepare(cmd)
	if err := cmd.Start(); err != nil {
		return group{}, err
	}
	return group{cmd.Process.Pid}, nil
}

func (g group) memory() (int64, error) { return 0, errors.ErrUnsupported }

func (g group) cpuTime() (time.Duration, error) { return 0, errors.ErrUnsupported }
