// Package atomicfile writes files whole or not at all.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write writes a file: whole, or not at all if that fails. A symbolic link is followed; a pipe or
// device is written to, not replaced.
func Write(name string, content []byte) error {
	return WriteFrom(name, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// WriteFrom is Write for content that is produced piece by piece. An error of produce is returned
// as it is.
func WriteFrom(name string, produce func(io.Writer) error) error {
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
			return errors.Join(produce(f), f.Close())
		}
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".kairos-*")
	if err != nil {
		return writeError(name, err)
	}
	if err := produce(f); err != nil {
		return errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	err = errors.Join(f.Sync(), f.Close(), os.Chmod(f.Name(), mode))
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return writeError(name, errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// File is a file to be written.
type File struct {
	Name    string
	Content []byte
}

// WriteAll writes regular files: all of them, or none if one cannot be written. Only if replacing the old ones fails after all
// new ones are on the disk may some be new.
func WriteAll(files []File) (err error) {
	for _, f := range files {
		if err := Check(f.Name); err != nil {
			return err
		}
	}
	var temporary []string
	defer func() {
		for _, name := range temporary {
			err = errors.Join(err, os.Remove(name))
		}
	}()
	for _, f := range files {
		name, err := writeBeside(f)
		if name != "" {
			temporary = append(temporary, name)
		}
		if err != nil {
			return writeError(f.Name, err)
		}
	}
	for _, f := range files {
		if err := os.Rename(temporary[0], f.Name); err != nil {
			return writeError(f.Name, errors.Unwrap(err))
		}
		temporary = temporary[1:]
	}
	return nil
}

// writeBeside writes the content of a file into a temporary one beside it, and returns its name if there is one.
func writeBeside(f File) (name string, err error) {
	defer func() {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err // without the temporary name
		}
	}()
	to, err := os.CreateTemp(filepath.Dir(f.Name), ".kairos-*")
	if err != nil {
		return "", err
	}
	_, err = to.Write(f.Content)
	if err == nil {
		err = to.Sync()
	}
	if closed := to.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(to.Name(), 0o644)
	}
	return to.Name(), err
}

// writeError names the file that was to be written, not the temporary one beside it.
func writeError(name string, err error) error {
	return &fs.PathError{Op: "write", Path: name, Err: err}
}

// Check returns the error with which Write would fail, as far as that can be known beforehand.
func Check(name string) error {
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
