package verbs

import (
	"fmt"
	"io"
	"os"

	"kairos/app/printable"
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
	f, ok := unescaped(out).(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// clearLine makes a terminal show the next text in the place of its last line.
func clearLine(terminal io.Writer) { fmt.Fprint(unescaped(terminal), "\r\033[K") }

// unescaped returns where a writer of printable text writes.
func unescaped(out io.Writer) io.Writer {
	if w, ok := out.(*printable.Writer); ok {
		return w.Out
	}
	return out
}

func (p *progress) clear() {
	if p.on && p.done > 0 {
		clearLine(p.e.err)
	}
}

func (p *progress) step() {
	p.done++
	if p.on {
		fmt.Fprintf(p.e.err, "%d feeds done", p.done)
	}
}

// of shows how many of all feeds are done.
func (p *progress) of(done, all int) {
	p.clear()
	if p.done = done; p.on && done > 0 {
		fmt.Fprintf(p.e.err, "%d of %d feeds done", done, all)
	}
}

// articles shows how many articles of another reader are stored.
func (p *progress) articles(done, all int) {
	p.clear()
	if p.done = done; p.on && done > 0 {
		fmt.Fprintf(p.e.err, "%d of %d articles", done, max(done, all))
	}
}
