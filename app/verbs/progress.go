package verbs

import (
	"fmt"
	"io"
	"os"
)

// progress shows on a terminal how much is done.
type progress struct {
	e    *env
	on   bool
	done int
}

func newProgress(e *env) *progress {
	return &progress{e: e, on: isTerminal(e.err)}
}

// isTerminal reports whether output goes to a terminal.
func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (p *progress) clear() {
	if p.on && p.done > 0 {
		fmt.Fprint(p.e.err, "\r\033[K")
	}
}

func (p *progress) step() {
	p.done++
	if p.on {
		fmt.Fprintf(p.e.err, "%d feeds done", p.done)
	}
}
