package autostart

import (
	"errors"

	"golang.org/x/sys/windows/registry"
)

const (
	runKey      = `Software\Microsoft\Windows\CurrentVersion\Run`
	approvedKey = `Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`
)

func write(command []string) error {
	k, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer func() { _ = k.Close() }()
	if err := k.SetStringValue(id, windowsCommand(command)); err != nil {
		return err
	}
	return deleteValue(approvedKey)
}

func disable() error { return errors.Join(deleteValue(runKey), deleteValue(approvedKey)) }

func allowBackground([]string) error { return nil }

func enabled() (bool, error) {
	k, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = k.Close() }()
	if _, _, err := k.GetStringValue(id); errors.Is(err, registry.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	return startupApproved(), nil
}

func startupApproved() bool {
	k, err := registry.OpenKey(registry.CURRENT_USER, approvedKey, registry.QUERY_VALUE)
	if err != nil {
		return true
	}
	defer func() { _ = k.Close() }()
	value, _, err := k.GetBinaryValue(id)
	return err != nil || isApproved(value)
}

func deleteValue(key string) error {
	k, err := registry.OpenKey(registry.CURRENT_USER, key, registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = k.Close() }()
	if err := k.DeleteValue(id); err != nil && !errors.Is(err, registry.ErrNotExist) {
		return err
	}
	return nil
}
