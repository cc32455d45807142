package autostart

import (
	"errors"
	"os"
	"path/filepath"
)

func entryPath() (string, error) {
	home, err := os.UserHomeDir()
	return filepath.Join(home, "Library", "LaunchAgents", id+".plist"), err
}

func write(command []string) error {
	file, err := entryPath()
	if err != nil {
		return err
	}
	return writeEntry(file, launchAgent(command))
}

func disable() error {
	file, err := entryPath()
	if err != nil {
		return err
	}
	return removeEntry(file)
}

func allowBackground([]string) error { return nil }

func enabled() (bool, error) {
	file, err := entryPath()
	if err != nil {
		return false, err
	}
	if _, err = os.Stat(file); errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
