// Package autostart has Kairos started, hidden, when its user logs in: an XDG
// autostart entry, a value of the Windows registry's Run key, or a launch agent.
package autostart

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const id = "org.kairos.Reader"

// Set starts exe with args and --hidden at every login from now on, or no
// longer does. The exe is an absolute path.
func Set(enable bool, exe string, args ...string) error {
	if !enable {
		if err := disable(); err != nil {
			return fmt.Errorf("stop starting Kairos at login: %w", err)
		}
		return nil
	}
	command := append(append([]string{exe}, args...), "--hidden")
	if err := check(command); err != nil {
		return fmt.Errorf("start Kairos at login: %w", err)
	}
	if err := write(command); err != nil {
		return fmt.Errorf("start Kairos at login: %w", err)
	}
	return nil
}

// Enabled tells whether Kairos starts at login. It may have been switched off
// by the desktop's own settings.
func Enabled() (bool, error) {
	on, err := enabled()
	if err != nil {
		return false, fmt.Errorf("see whether Kairos starts at login: %w", err)
	}
	return on, nil
}

func check(command []string) error {
	if !filepath.IsAbs(command[0]) {
		return fmt.Errorf("%q is not an absolute path", command[0])
	}
	for _, word := range command {
		if strings.ContainsAny(word, "\x00\r\n") {
			return fmt.Errorf("%q cannot stand in a command line", word)
		}
	}
	return nil
}

// replace writes a file whole or not at all.
func replace(path, content string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".kairos-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// remove deletes a file that may be gone already.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
