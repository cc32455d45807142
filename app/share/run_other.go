//go:build !windows

package share

import "os/exec"

// withoutConsole does nothing: only Windows opens a console for a command.
func withoutConsole(*exec.Cmd) {}
