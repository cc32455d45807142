package autostart

import (
	"errors"
	"os"
	"path/filepath"
)

func path() (string, error) {
	home, err := os.UserHomeDir()
	return filepath.Join(home, "Library", "LaunchAgents", id+".plist"), err
}

func write(command []string) error {
	file, err := path()
	if err != nil {
		return err
	}
	return replace(file, launchAgent(command))
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
	if _, err = os.Stat(file); errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
