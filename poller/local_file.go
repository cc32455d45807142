package poller

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kairos/poller/fetch"
)

// FileError is why a local file cannot be read as a feed. It is a fact, which app/text
// words.
type FileError struct {
	Code FileErrorCode `json:"code"`
	Path string        `json:"path"` // or the address, if that is wrong
	Err  error         `json:"-"`    // the cause, for logs; may be nil
}

// FileErrorCode names one reason.
type FileErrorCode string

// Why a local file cannot be read.
const (
	FileMissing    FileErrorCode = "missing"
	FileForbidden  FileErrorCode = "forbidden"
	FileUnreadable FileErrorCode = "unreadable"
	NotAFile       FileErrorCode = "not-a-file"     // a folder, or a pipe, which would never end
	FileElsewhere  FileErrorCode = "other-computer" // the address names another machine
	FileBadAddress FileErrorCode = "bad-address"
)

// Error describes the reason for logs.
func (e *FileError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("read %s: %s: %v", e.Path, e.Code, e.Err)
	}
	return fmt.Sprintf("read %s: %s", e.Path, e.Code)
}

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// fileError is the error of reading a file.
func fileError(path string, err error) *FileError {
	code := FileUnreadable
	switch {
	case errors.Is(err, fs.ErrNotExist):
		code = FileMissing
	case errors.Is(err, fs.ErrPermission):
		code = FileForbidden
	}
	return &FileError{Code: code, Path: path, Err: err}
}

// isFile reports whether a feed is a file of this machine.
func isFile(address string) bool { return strings.HasPrefix(address, "file:") }

// openFile reads the file at a file: address as if it were an answer.
func openFile(address string, now time.Time) *answer {
	a := &answer{resp: &fetch.Response{}, at: now}
	a.resp.Body, a.resp.Truncated, a.err = readFile(address)
	a.resp.Bytes = int64(len(a.resp.Body))
	return a
}

// readFile reads as much of a file as would be read of a response.
func readFile(address string) (body []byte, truncated bool, err error) {
	name, err := filePath(address)
	if err != nil {
		return nil, false, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, false, fileError(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, false, &FileError{Code: NotAFile, Path: name}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, false, fileError(name, err)
	}
	defer f.Close()
	body, err = io.ReadAll(io.LimitReader(f, fetch.MaxBody+1))
	if err != nil {
		return nil, false, fileError(name, err)
	}
	if len(body) > fetch.MaxBody {
		return body[:fetch.MaxBody], true, nil
	}
	return body, false, nil
}

// filePath returns the local path of a file: address.
func filePath(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", &FileError{Code: FileBadAddress, Path: address, Err: err}
	}
	if u.Host != "" && u.Host != "localhost" {
		return "", &FileError{Code: FileElsewhere, Path: u.String()}
	}
	return u.Path, nil
}

// fileAddress returns the file: address of a local path.
func fileAddress(name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}).String(), nil
}

// findFile returns the path of what was typed, if that is a file: address or the path of a
// file that exists.
func findFile(typed string) (name string, ok bool) {
	typed = strings.TrimSpace(typed)
	if isFile(typed) {
		name, err := filePath(typed)
		return name, err == nil
	}
	if rest, ok := strings.CutPrefix(typed, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			typed = filepath.Join(home, rest)
		}
	}
	if !strings.ContainsAny(typed, `/\`) || strings.Contains(typed, "://") {
		return "", false
	}
	info, err := os.Stat(typed)
	return typed, err == nil && !info.IsDir()
}
