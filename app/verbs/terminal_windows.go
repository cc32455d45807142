package verbs

import (
	"os"

	"golang.org/x/sys/windows"
)

// hideInput lets a console not show what is typed, until the function that it returns is called.
func hideInput(console *os.File) (show func()) {
	handle := windows.Handle(console.Fd())
	var mode uint32
	if windows.GetConsoleMode(handle, &mode) != nil || windows.SetConsoleMode(handle, mode&^windows.ENABLE_ECHO_INPUT) != nil {
		return func() {} // what is typed is shown then
	}
	return func() { _ = windows.SetConsoleMode(handle, mode) }
}
