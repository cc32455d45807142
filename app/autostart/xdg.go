//go:build !windows && !darwin

package autostart

import (
	"errors"
	"os"
	"path/filepath"
)

// path follows the XDG Base Directory Specification.
func path() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "autostart", id+".desktop"), err
}

func write(command []string) error {
	entry, err := desktopEntry(command)
	if err != nil {
		return err
	}
	file, err := path()
	if err != nil {
		return err
	}
	return replace(file, entry)
}

func disable() error {
	file, err := path()
	if err != nil {
		return err
	}
	return remove(file)
}

func enabled() (bool, error) {
	file, err := path()
	if err != nil {
		return false, err
	}
	entry, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return desktopEnabled(string(entry)), err
}
