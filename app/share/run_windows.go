package share

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// withoutConsole keeps Windows from opening a console for a command that has none, as Kairos has none to share. Windows of
// programs are shown as ever.
func withoutConsole(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW}
}
