//go:build unix

package verbs

import (
	"os"
	"os/exec"
)

// hideInput lets a terminal not show what is typed, until the function that it returns is called. stty is part of POSIX.
func hideInput(terminal *os.File) (show func()) {
	stty := func(arg string) {
		c := exec.Command("stty", arg)
		c.Stdin = terminal
		c.Run() //nolint:errcheck // what is typed is shown then
	}
	stty("-echo")
	return func() { stty("echo") }
}
