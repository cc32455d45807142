package verbs

import (
	"io"
	"os"

	"golang.org/x/sys/windows"
)

var (
	kernel32      = windows.NewLazySystemDLL("kernel32.dll")
	attachConsole = kernel32.NewProc("AttachConsole")
	freeConsole   = kernel32.NewProc("FreeConsole")
)

// console is where the program prints. Windows gives kairos.exe none, as it would open one beside every window: what was
// redirected is open, and for the rest Kairos attaches itself to the console of the program that started it, if it has one.
type console struct {
	out, err io.Writer
	attached bool
	seen     bool // whether errors can be seen
}

// attachParentProcess is ATTACH_PARENT_PROCESS of wincon.h, -1 as a DWORD.
const attachParentProcess = 1<<32 - 1

func openConsole() *console {
	c := &console{}
	std := []struct {
		id      uint32
		file    **os.File
		console string
	}{
		{windows.STD_INPUT_HANDLE, &os.Stdin, "CONIN$"}, {windows.STD_OUTPUT_HANDLE, &os.Stdout, "CONOUT$"}, {windows.STD_ERROR_HANDLE, &os.Stderr, "CONOUT$"},
	}
	open := map[**os.File]bool{}
	for _, s := range std {
		handle, err := windows.GetStdHandle(s.id)
		if open[s.file] = err == nil && handle != 0 && handle != windows.InvalidHandle; open[s.file] {
			continue
		}
		if !c.attached {
			ok, _, _ := attachConsole.Call(attachParentProcess)
			c.attached = ok != 0
		}
		if c.attached {
			open[s.file] = openStandard(s.id, s.file, s.console)
		}
	}
	c.out, c.err, c.seen = io.Discard, io.Discard, open[&os.Stderr]
	if open[&os.Stdout] {
		c.out = os.Stdout
	}
	if open[&os.Stderr] {
		c.err = os.Stderr
	}
	return c
}

// openStandard opens a standard file of this process on its console.
func openStandard(id uint32, file **os.File, name string) bool {
	handle, err := windows.CreateFile(windows.StringToUTF16Ptr(name), windows.GENERIC_READ|windows.GENERIC_WRITE,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil || windows.SetStdHandle(id, handle) != nil {
		return false
	}
	var mode uint32
	if name == "CONOUT$" && windows.GetConsoleMode(handle, &mode) == nil {
		_ = windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) // older ones need it for progress
	}
	*file = os.NewFile(uintptr(handle), name)
	return true
}

// leave is called before the window opens: that outlives the console, and a Ctrl+C there is meant for another program.
func (c *console) leave() {
	if c.attached {
		_, _, _ = freeConsole.Call()
		c.attached, c.seen = false, false
	}
}

// tell is called with why there is no window. It shows that in a box, unless it can be read elsewhere.
func (c *console) tell(why string) {
	text, err := windows.UTF16PtrFromString(why)
	if c.seen || err != nil {
		return
	}
	title := windows.StringToUTF16Ptr("Kairos")
	_, _ = windows.MessageBox(0, text, title, windows.MB_OK|windows.MB_ICONERROR|windows.MB_SETFOREGROUND)
}
