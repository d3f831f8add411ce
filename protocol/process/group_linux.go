package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

const maxCPUs = 1024 // bits of a unix.CPUSet

// launch starts cmd. With limits the child asks to be traced, so that its exec leaves it
// stopped before its first instruction (ptrace(2), PTRACE_TRACEME); once they are set it
// is let go.
func launch(cmd *exec.Cmd, limits Limits) (group, error) {
	prepare(cmd)
	if limits.none() {
		if err := cmd.Start(); err != nil {
			return group{}, err
		}
		return group{cmd.Process.Pid}, nil
	}
	runtime.LockOSThread() // the tracer is a thread
	defer runtime.UnlockOSThread()
	again := *cmd
	cmd.SysProcAttr.Ptrace = true
	err := cmd.Start()
	if err != nil { // the program is not there, or tracing is forbidden
		*cmd = again
		cmd.SysProcAttr.Ptrace = false
		if err := cmd.Start(); err != nil {
			return group{}, err
		}
	}
	g := group{cmd.Process.Pid}
	if err == nil {
		err = g.held(func() error { return limits.set(g.id) })
	} else {
		err = limits.set(g.id)
	}
	if err != nil {
		g.kill()
		cmd.Wait()
		return group{}, err
	}
	return g, nil
}

// held waits until the traced leader stands still, does what is to be done, and lets it go.
func (g group) held(do func() error) error {
	var status unix.WaitStatus
	for {
		_, err := unix.Wait4(g.id, &status, 0, nil)
		if err == nil {
			break
		}
		if err != unix.EINTR {
			return os.NewSyscallError("wait4", err)
		}
	}
	if !status.Stopped() {
		return errors.New("process: it ended before it began")
	}
	if err := do(); err != nil {
		return err
	}
	return os.NewSyscallError("ptrace", unix.PtraceDetach(g.id))
}

func (l Limits) set(pid int) error {
	if l.Memory > 0 {
		var old unix.Rlimit
		if err := unix.Prlimit(pid, unix.RLIMIT_DATA, nil, &old); err != nil {
			return os.NewSyscallError("prlimit", err)
		}
		n := min(uint64(l.Memory), old.Max) // only root may raise it
		if err := unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: n, Max: n}, nil); err != nil {
			return os.NewSyscallError("prlimit", err)
		}
	}
	if len(l.CPUs) == 0 {
		return nil
	}
	var cpus unix.CPUSet
	for _, n := range l.CPUs {
		cpus.Set(n)
	}
	// A child that was not held may have threads by now.
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return err
	}
	for _, t := range threads {
		id, _ := strconv.Atoi(t.Name())
		if err := unix.SchedSetaffinity(id, &cpus); err != nil && (err != unix.ESRCH || id == pid) {
			return fmt.Errorf("process: processors %v: %w", l.CPUs, os.NewSyscallError("sched_setaffinity", err))
		}
	}
	return nil
}

// each calls f with the folder in /proc of every member of the group and the fields of its
// stat, the first of which is the state (proc_pid_stat(5), field 3).
func (g group) each(f func(dir string, stat [][]byte)) error {
	proc, err := os.Open("/proc")
	if err != nil {
		return err
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return err
	}
	want, found := strconv.Itoa(g.id), false
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		dir := "/proc/" + name
		b, err := os.ReadFile(dir + "/stat")
		if err != nil {
			continue // ended meanwhile
		}
		// The name before may hold blanks and brackets.
		stat := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
		if len(stat) > 14 && string(stat[2]) == want {
			found = true
			f(dir, stat)
		}
	}
	if !found {
		return os.ErrProcessDone
	}
	return nil
}

func (g group) memory() (int64, error) {
	var sum int64
	err := g.each(func(dir string, _ [][]byte) {
		n, err := proportional(dir)
		if err != nil {
			n = resident(dir)
		}
		sum += n
	})
	return sum, err
}

// proportional reads "Pss: 123 kB" and "SwapPss: 4 kB" of smaps_rollup.
func proportional(dir string) (sum int64, err error) {
	b, err := os.ReadFile(dir + "/smaps_rollup")
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(b) {
		f := bytes.Fields(line)
		if len(f) == 3 && (string(f[0]) == "Pss:" || string(f[0]) == "SwapPss:") {
			sum += number(f[1]) << 10
		}
	}
	return sum, nil
}

// resident is what anybody may read, without swap and with all that is shared.
func resident(dir string) int64 {
	b, _ := os.ReadFile(dir + "/statm")
	if f := bytes.Fields(b); len(f) > 1 {
		return number(f[1]) * int64(os.Getpagesize())
	}
	return 0
}

func (g group) cpuTime() (time.Duration, error) {
	const tick = time.Second / 100 // USER_HZ, the same on all of Go's ports
	var sum time.Duration
	err := g.each(func(_ string, stat [][]byte) {
		// utime, stime and the same of the children waited for: fields 14 to 17
		for _, f := range stat[11:15] {
			sum += time.Duration(number(f)) * tick
		}
	})
	return sum, err
}

func number(b []byte) int64 {
	n, _ := strconv.ParseInt(string(b), 10, 64)
	return n
}
