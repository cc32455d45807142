package secret

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// file is a keyring in a file that only its user can read, for those who have allowed it: it is used if it exists. The zero value
// is none.
type file string

// exists reports whether the user has allowed the file.
func (f file) exists() bool {
	_, err := os.Lstat(string(f))
	return f != "" && err == nil
}

// read returns the passwords in the file by their names; none if there is no file.
func (f file) read() (map[string]string, error) {
	stored := map[string]string{}
	if f == "" {
		return stored, nil
	}
	text, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return stored, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &stored)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f, err)
	}
	return stored, nil
}

// write replaces the file; it is whole at any moment.
func (f file) write(stored map[string]string) (err error) {
	text, err := json.Marshal(stored)
	if err != nil {
		return fmt.Errorf("write %s: %w", f, err)
	}
	to, err := os.CreateTemp(filepath.Dir(string(f)), ".kairos-*") // with mode 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", f, err)
	}
	_, err = to.Write(text)
	err = errors.Join(err, to.Sync(), to.Close())
	if err == nil {
		err = os.Rename(to.Name(), string(f))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", f, errors.Join(err, os.Remove(to.Name())))
	}
	return nil
}

// set stores a password, and with "" removes it.
func (f file) set(name, value string) error {
	stored, err := f.read()
	if err != nil {
		return err
	}
	if stored[name] == value {
		return nil
	}
	if stored[name] = value; value == "" {
		delete(stored, name)
	}
	return f.write(stored)
}

// File is where passwords are kept that no keyring takes, once UseFile has allowed it.
func (s *Secrets) File() string { return string(s.file) }

// UsesFile reports whether the file is used.
func (s *Secrets) UsesFile() bool { return s.file.exists() }

// InFile reports whether the login of a feed is in the file.
func (s *Secrets) InFile(feedID int64) bool {
	stored, err := s.file.read()
	return err == nil && stored[s.ofFeed(feedID)] != ""
}

// UseFile allows to keep passwords in File from now on while there is no unlocked keyring.
func (s *Secrets) UseFile() error {
	if s.file.exists() {
		return nil
	}
	return s.file.write(map[string]string{})
}

// MoveToKeyring moves all passwords of File into the keyring and removes the file. What fails stays there.
func (s *Secrets) MoveToKeyring(ctx context.Context) error {
	_, err := s.call(ctx, func() (string, error) {
		stored, err := s.file.read()
		if err != nil {
			return "", err
		}
		for name, value := range stored {
			if err := s.keyring.Set(service, name, value); err != nil {
				return "", err
			}
		}
		if err := os.Remove(string(s.file)); !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		return "", nil
	})
	if err != nil {
		return fmt.Errorf("move the passwords into the keyring: %w", err)
	}
	return nil
}

// IsUnavailable reports whether an error says that there is no unlocked keyring.
func IsUnavailable(err error) bool { return errors.Is(err, ErrNoKeyring) || errors.Is(err, ErrLocked) }
