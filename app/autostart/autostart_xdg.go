//go:build !windows && !darwin

package autostart

import (
	"errors"
	"os"
	"path/filepath"

	"kairos/app/flatpak"
)

// entryPath follows the XDG Base Directory Specification.
func entryPath() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "autostart", id+".desktop"), err
}

// write makes the desktop start the command. In a Flatpak the entry, in the Flatpak's own folder, is what Kairos remembers of
// what the portal granted: the portal does not tell.
func write(command []string) error {
	if flatpak.Inside() {
		if err := askPortal(true, command, grantAtLogin); err != nil {
			return err
		}
	}
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

// disable does not ask the portal to end what it was never asked to begin: the user would be asked whether Kairos may run in
// the background.
func disable() error {
	file, err := entryPath()
	if err != nil {
		return err
	}
	if _, err := os.Stat(file); flatpak.Inside() && err == nil {
		if err := askPortal(false, nil, ""); err != nil {
			return err
		}
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
