package poller

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kairos/poller/fetch"
)

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
		return nil, false, fmt.Errorf("the file cannot be read: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, false, fmt.Errorf("%s is not a file", name) // a pipe would never end
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, false, fmt.Errorf("the file cannot be read: %w", err)
	}
	defer f.Close()
	body, err = io.ReadAll(io.LimitReader(f, fetch.MaxBody+1))
	if err != nil {
		return nil, false, fmt.Errorf("the file cannot be read: %w", err)
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
		return "", fmt.Errorf("%q is not the address of a file: %w", address, err)
	}
	if u.Host != "" && u.Host != "localhost" {
		return "", fmt.Errorf("%q lies on another machine", u.String())
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
