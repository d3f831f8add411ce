//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// group is a process group led by the child.
type group struct{ id int }

func prepare(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

// kill may come after the leader was waited for: a group's number is not given away
// while it has members, and between its last one's end and this call the system's
// process numbers would have to go round once.
func (g group) kill() { syscall.Kill(-g.id, syscall.SIGKILL) }

func (g group) suspend(yes bool) error {
	if yes {
		return syscall.Kill(-g.id, syscall.SIGSTOP)
	}
	return syscall.Kill(-g.id, syscall.SIGCONT)
}

func (g group) close() {}
