package process

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const meal = 96 << 20

func init() {
	eat := func() {
		food := make([]byte, meal)
		for i := 0; i < len(food); i += 1 << 10 {
			food[i] = 1
		}
		fmt.Println("full")
		bufio.NewScanner(os.Stdin).Scan()
		runtime.KeepAlive(food)
	}
	parts["eats"] = eat
	parts["feeds"] = func() { // a child that eats in its place
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), partVar+"=eats")
		c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := c.Run(); err != nil {
			fmt.Println(err)
		}
	}
	parts["reserves"] = func() { // much address space, and eats
		_, err := unix.Mmap(-1, 0, 64<<30, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
		if err != nil {
			fmt.Println(err)
			return
		}
		eat()
	}
	parts["works"] = func() {
		var u syscall.Rusage
		for n := 0; syscall.TimevalToNsec(u.Utime)+syscall.TimevalToNsec(u.Stime) < int64(100*time.Millisecond); n++ {
			if n%1000 == 0 {
				syscall.Getrusage(syscall.RUSAGE_SELF, &u)
			}
		}
		fmt.Println("done")
		bufio.NewScanner(os.Stdin).Scan()
	}
	parts["bound"] = func() { fmt.Println(runtime.NumCPU()) }
}

// The race detector's shadow memory is writable, private and endless: no limit on data can
// be had with it. Its parent is tested all the same by TestLimitFromTheStart.
func skipRace(t *testing.T) {
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == "-race" && s.Value == "true" {
			t.Skip("the child would be one with the race detector")
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	skipRace(t)
	for _, part := range []string{"eats", "feeds", "reserves"} {
		p := startWithin(t, part, Limits{Memory: 2 * meal})
		wantLine(t, p, "full")
		p.CloseInput()
		if e := p.Stop(5 * time.Second); e.Code != 0 {
			t.Errorf("%s: %+v, %s", part, e, p.Stderr())
		}
	}

	p := startWithin(t, "eats", Limits{Memory: meal})
	if l, err := p.ReadLine(soon(t)); err == nil {
		t.Errorf("it said %q", l.Text)
	}
	<-p.Done()
	if e := p.Stop(0); e.Code == 0 || e.Killed {
		t.Errorf("%+v, %s", e, p.Stderr())
	}

	p = startWithin(t, "feeds", Limits{Memory: meal})
	wantLine(t, p, "exit status 2")
}

// Where tracing is forbidden, as in some containers, the limits are set all the same.
func TestLimitUntraced(t *testing.T) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: the filter goes with the thread
		filter := []unix.SockFilter{
			{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // the number of the system call
			{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_PTRACE, Jf: 1},
			{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
			{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		}
		prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
		err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
		if err == nil {
			err = unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&prog)), 0, 0)
		}
		if err != nil {
			t.Log("nothing is forbidden:", err)
			return
		}
		p, err := Start(exec.Command("sh", "-c", `read line; ulimit -d`), Limits{Memory: 64 << 20, CPUs: []int{aCPU(t)}})
		if err != nil {
			t.Error(err)
			return
		}
		defer p.Stop(0)
		p.Write([]byte("\n"))
		if l, err := p.ReadLine(soon(t)); err != nil || l.Text != "65536" {
			t.Error(l.Text, err)
		}
	}()
	<-done
}

// aCPU is one that we may use.
func aCPU(t *testing.T) int {
	var mine unix.CPUSet
	if err := unix.SchedGetaffinity(0, &mine); err != nil {
		t.Error(err)
	}
	for n := range maxCPUs {
		if mine.IsSet(n) {
			return n
		}
	}
	return 0
}

// A shell sees the limits before it runs a single command, and so do those it runs.
func TestLimitFromTheStart(t *testing.T) {
	cpu := aCPU(t)
	const script = `ulimit -d; ulimit -v; grep Cpus_allowed_list /proc/$$/status; sh -c "ulimit -d"; read line; exit 7`
	for range 20 {
		p, err := Start(exec.Command("sh", "-c", script), Limits{Memory: 64 << 20, CPUs: []int{cpu}})
		if err != nil {
			t.Fatal(err)
		}
		wantLine(t, p, "65536")
		wantLine(t, p, "unlimited")
		wantLine(t, p, "Cpus_allowed_list:\t"+strconv.Itoa(cpu))
		wantLine(t, p, "65536")
		p.Write([]byte("\n"))
		if e := p.Stop(5 * time.Second); e.Code != 7 || e.Killed {
			t.Errorf("%+v", e)
		}
	}
	wantLine(t, startWithin(t, "bound", Limits{CPUs: []int{cpu}}), "1")
	if _, err := Start(exec.Command("./no-such-program"), Limits{Memory: 1 << 30}); !os.IsNotExist(err) {
		t.Errorf("no program: %v", err)
	}
}

func TestMemory(t *testing.T) {
	for _, part := range []string{"eats", "feeds"} {
		p := start(t, part)
		wantLine(t, p, "full")
		if n, err := p.Memory(); err != nil || n < meal || n > 4*meal {
			t.Errorf("%s: %d bytes, %v", part, n, err)
		}
		p.Stop(5 * time.Second)
		if n, err := p.Memory(); err != os.ErrProcessDone {
			t.Errorf("%s: %d bytes, %v after the end", part, n, err)
		}
	}
	// What is divided among those who share it is no more than all that each one holds.
	me := fmt.Sprintf("/proc/%d", os.Getpid())
	if n, err := proportional(me); err != nil || n <= 0 || n > 2*resident(me) {
		t.Errorf("%d proportional, %v, of %d", n, err, resident(me))
	}
}

func TestCPUTime(t *testing.T) {
	p := start(t, "works")
	wantLine(t, p, "done")
	d, err := p.CPUTime()
	if err != nil || d < 80*time.Millisecond { // in ticks of 10 ms, of two kinds
		t.Errorf("%v, %v", d, err)
	}
	p.Stop(5 * time.Second)
	if after, err := p.CPUTime(); err != nil || after < 100*time.Millisecond {
		t.Errorf("%v, %v after the end", after, err)
	}
}
