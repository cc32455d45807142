package share

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Start starts a command and returns a function that waits for its end. The program goes on when
// Kairos ends. Errors, of both: *Error.
func Start(command []string) (wait func() error, err error) {
	path, err := exec.LookPath(command[0])
	if err != nil {
		return nil, &Error{NoProgram, command[0]}
	}
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".bat" || ext == ".cmd" {
		return nil, &Error{ShellScript, command[0]}
	}
	said := &tail{}
	cmd := exec.Command(path, command[1:]...) //nolint:gosec // the user's own command; what the feed says stays in its arguments
	cmd.Stderr = said
	withoutConsole(cmd)
	if err := cmd.Start(); err != nil {
		return nil, &Error{ProgramFailed, err.Error()}
	}
	return func() error {
		err := cmd.Wait()
		var exit *exec.ExitError
		switch {
		case err == nil:
			return nil
		case errors.As(err, &exit) && said.lastLine() != "":
			return &Error{ProgramFailed, said.lastLine()}
		}
		return &Error{ProgramFailed, err.Error()}
	}, nil
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

// maxTail is how many bytes are kept.
const maxTail = 2000

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(p), nil
}

func (t *tail) lastLine() string {
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	line := strings.TrimSpace(string(lines[len(lines)-1]))
	if !utf8.ValidString(line) {
		return ""
	}
	return line
}
