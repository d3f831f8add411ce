package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

const maxCPUs = 8 * int(unsafe.Sizeof(uintptr(0))) // of a processor group

// group is a job object: what the child starts belongs to it too. Without limits, a
// grandchild started before the child was put into the job is not in it; with limits the
// child is created suspended, and there is none.
type group struct {
	job windows.Handle // 0: there is only the child
	p   *os.Process
}

var (
	ntdll    = windows.NewLazySystemDLL("ntdll.dll")
	kernel32 = windows.NewLazySystemDLL("kernel32.dll")

	ntSuspendProcess     = ntdll.NewProc("NtSuspendProcess")
	ntResumeProcess      = ntdll.NewProc("NtResumeProcess")
	getProcessMemoryInfo = kernel32.NewProc("K32GetProcessMemoryInfo")
)

func launch(cmd *exec.Cmd, limits Limits) (group, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.HideWindow = true
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
	if !limits.none() {
		cmd.SysProcAttr.CreationFlags |= windows.CREATE_SUSPENDED
	}
	if err := cmd.Start(); err != nil {
		return group{}, err
	}
	g := group{p: cmd.Process}
	job, err := newJob(cmd.Process, limits)
	if err == nil {
		g.job = job
	}
	if limits.none() { // then the child alone can be killed, if need be
		return g, nil
	}
	if err == nil {
		err = g.suspend(false)
	}
	if err != nil {
		g.kill()
		cmd.Wait()
		g.close()
		return group{}, fmt.Errorf("process: limits: %w", err)
	}
	return g, nil
}

// newJob puts p into a job with limits.
func newJob(p *os.Process, limits Limits) (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	// Closing the last handle of the job, even by our own death, ends its processes.
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	basic := &info.BasicLimitInformation
	basic.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if limits.Memory > 0 {
		basic.LimitFlags |= windows.JOB_OBJECT_LIMIT_JOB_MEMORY
		info.JobMemoryLimit = uintptr(min(uint64(limits.Memory), uint64(^uintptr(0))))
	}
	for _, n := range limits.CPUs {
		basic.LimitFlags |= windows.JOB_OBJECT_LIMIT_AFFINITY
		basic.Affinity |= 1 << n
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		var h windows.Handle
		if h, err = windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.Pid)); err == nil {
			err = windows.AssignProcessToJobObject(job, h)
			windows.CloseHandle(h)
		}
	}
	if err != nil {
		windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

func (g group) kill() {
	if g.job != 0 {
		windows.TerminateJobObject(g.job, 1)
		return
	}
	g.p.Kill()
}

func (g group) close() {
	if g.job != 0 {
		windows.CloseHandle(g.job)
	}
}

// members returns the process numbers of the group.
func (g group) members() ([]uint32, error) {
	if g.job == 0 {
		return []uint32{uint32(g.p.Pid)}, nil
	}
	// JOBOBJECT_BASIC_PROCESS_ID_LIST
	var list struct {
		assigned, listed uint32
		ids              [1024]uintptr
	}
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicProcessIdList,
		uintptr(unsafe.Pointer(&list)), uint32(unsafe.Sizeof(list)), nil)
	if err != nil && err != windows.ERROR_MORE_DATA {
		return nil, err
	}
	var ids []uint32
	for _, id := range list.ids[:min(int(list.listed), len(list.ids))] {
		ids = append(ids, uint32(id))
	}
	if len(ids) == 0 {
		return nil, os.ErrProcessDone
	}
	return ids, nil
}

// each calls f with a handle of every member. One that ends meanwhile is passed over; the
// error is that of the child itself.
func (g group) each(access uint32, f func(windows.Handle) error) error {
	ids, err := g.members()
	if err != nil {
		return err
	}
	for _, id := range ids {
		h, e := windows.OpenProcess(access, false, id)
		if e == nil {
			e = f(h)
			windows.CloseHandle(h)
		}
		if int(id) == g.p.Pid {
			err = e
		}
	}
	return err
}

// suspend takes all threads of every member. Windows documents only how to do it thread by
// thread; its debuggers do it so.
func (g group) suspend(yes bool) error {
	proc := ntResumeProcess
	if yes {
		proc = ntSuspendProcess
	}
	if err := proc.Find(); err != nil {
		return err
	}
	return g.each(windows.PROCESS_SUSPEND_RESUME, func(h windows.Handle) error {
		if status, _, _ := proc.Call(uintptr(h)); int32(status) < 0 {
			return windows.NTStatus(uint32(status))
		}
		return nil
	})
}

func (g group) memory() (int64, error) {
	if err := getProcessMemoryInfo.Find(); err != nil {
		return 0, err
	}
	var sum int64
	err := g.each(windows.PROCESS_QUERY_INFORMATION|windows.PROCESS_VM_READ, func(h windows.Handle) error {
		// PROCESS_MEMORY_COUNTERS_EX
		var m struct {
			size, faults                             uint32
			peakWorking, working                     uintptr
			peakPaged, paged, peakNonPaged, nonPaged uintptr
			pagefile, peakPagefile, privateUsage     uintptr
		}
		m.size = uint32(unsafe.Sizeof(m))
		if ok, _, err := getProcessMemoryInfo.Call(uintptr(h), uintptr(unsafe.Pointer(&m)), uintptr(m.size)); ok == 0 {
			return err
		}
		sum += int64(m.privateUsage)
		return nil
	})
	return sum, err
}

func (g group) cpuTime() (time.Duration, error) {
	if g.job == 0 {
		return 0, errors.ErrUnsupported
	}
	// JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, times in 100 ns
	var a struct {
		user, kernel, periodUser, periodKernel int64
		faults, processes, active, terminated  uint32
	}
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	return time.Duration(100 * (a.user + a.kernel)), err
}
