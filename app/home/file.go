package home

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile writes a file whole or not at all. What a link leads to is written,
// and what is no file (a pipe, /dev/null) is not replaced by one.
func WriteFile(name string, content []byte) error {
	return WriteWhole(name, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// WriteWhole is WriteFile for what is too long to be held in memory: write writes it.
func WriteWhole(name string, write func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			f, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, mode)
			if err != nil {
				return writeError(name, err)
			}
			return errors.Join(write(f), f.Close())
		}
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".kairos-*")
	if err != nil {
		return writeError(name, err)
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close(), os.Chmod(f.Name(), mode))
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return writeError(name, errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// writeError names the file that was to be written, not the one beside it that is written first.
func writeError(name string, err error) error {
	return &fs.PathError{Op: "write", Path: name, Err: err}
}

// CanWrite says why WriteFile would fail, as far as that shows beforehand.
func CanWrite(name string) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder", name)
	case err == nil && !info.Mode().IsRegular():
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".kairos-*")
	var path *os.PathError
	if errors.As(err, &path) {
		return writeError(name, path.Err)
	}
	if err != nil {
		return writeError(name, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// WriteStream writes what f writes into a file: whole, or not at all if f fails. The old content stays until then.
func WriteStream(name string, f func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	part, err := os.CreateTemp(filepath.Dir(name), ".kairos-*")
	if err != nil {
		return writeError(name, err)
	}
	if err = f(part); err == nil {
		err = part.Sync()
	}
	if err = errors.Join(err, part.Close()); err == nil {
		err = errors.Join(os.Chmod(part.Name(), mode), os.Rename(part.Name(), name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return nil
}
