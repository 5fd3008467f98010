//go:build unix

package spark

import (
	"os/exec"
	"syscall"
)

// apart has a command left alone by Ctrl-C, which is for whoever started it.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends a command with all that it has started.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may be gone
