//go:build !windows

package verbs

import (
	"io"
	"os"
)

// console is where the program prints.
type console struct{ out, err io.Writer }

func openConsole() *console { return &console{os.Stdout, os.Stderr} }

// leave is called before the window opens.
func (*console) leave() {}

// tell is called with why there is no window.
func (*console) tell(string) {}
