// Package autostart starts Kairos hidden when the user logs in: by an XDG autostart entry, a value of the Run key in the
// Windows registry, or a launch agent of macOS.
package autostart

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kairos/app/atomicfile"
)

const id = "org.kairos.Reader"

// Set makes exe start with args and --hidden at every login, or stops that. exe is an absolute path.
func Set(enable bool, exe string, args ...string) error {
	if !enable {
		if err := disable(); err != nil {
			return fmt.Errorf("no longer start Kairos at login: %w", err)
		}
		return nil
	}
	command := hidden(exe, args)
	if err := validate(command); err != nil {
		return fmt.Errorf("start Kairos at login: %w", err)
	}
	if err := write(command); err != nil {
		return fmt.Errorf("start Kairos at login: %w", err)
	}
	return nil
}

// AllowBackground asks the desktop to let Kairos run on without a window, where it wants to be asked: inside a Flatpak it may
// end what has none. exe and args are those of Set.
func AllowBackground(exe string, args ...string) error {
	if err := allowBackground(hidden(exe, args)); err != nil {
		return fmt.Errorf("keep Kairos running in the background: %w", err)
	}
	return nil
}

// hidden is the command that starts Kairos without its window.
func hidden(exe string, args []string) []string {
	return append(append([]string{exe}, args...), "--hidden")
}

// Enabled reports whether Kairos starts at login. The settings of the desktop may have switched it off.
func Enabled() (bool, error) {
	on, err := enabled()
	if err != nil {
		return false, fmt.Errorf("check whether Kairos starts at login: %w", err)
	}
	return on, nil
}

// validate checks that a command can be written to an entry.
func validate(command []string) error {
	if !filepath.IsAbs(command[0]) {
		return fmt.Errorf("%q is not an absolute path", command[0])
	}
	for _, word := range command {
		if strings.ContainsAny(word, "\x00\r\n") {
			return fmt.Errorf("%q is not possible in a command line", word)
		}
	}
	return nil
}

// writeEntry writes a file whole or not at all, and creates its folder.
func writeEntry(path, content string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, []byte(content))
}

// removeEntry deletes a file, if it exists.
func removeEntry(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
