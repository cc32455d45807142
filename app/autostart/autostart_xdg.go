//go:build !windows && !darwin

package autostart

import (
	"errors"
	"os"
	"path/filepath"
)

// entryPath follows the XDG Base Directory Specification.
func entryPath() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "autostart", id+".desktop"), err
}

func write(command []string) error {
	entry, err := desktopEntry(command)
	if err != nil {
		return err
	}
	file, err := entryPath()
	if err != nil {
		return err
	}
	return writeEntry(file, entry)
}

func disable() error {
	file, err := entryPath()
	if err != nil {
		return err
	}
	return removeEntry(file)
}

func enabled() (bool, error) {
	file, err := entryPath()
	if err != nil {
		return false, err
	}
	entry, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return desktopEnabled(string(entry)), err
}
