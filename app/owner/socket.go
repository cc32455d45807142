package owner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// maxSocketPath is what fits a sockaddr_un everywhere (104 on macOS, 108 on
// Linux and Windows, with the final zero).
const maxSocketPath = 103

// places lists the folders a socket may stand in, best first. An owner takes
// the first that it can use; others look into all of them, since a command
// started by cron or over ssh may lack the environment of the desktop.
func places() []string {
	var all []string
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		all = append(all, dir)
	}
	if runtime.GOOS == "windows" {
		return append(all, filepath.Join(os.TempDir(), "kairos"))
	}
	id := strconv.Itoa(os.Getuid())
	return append(all, "/run/user/"+id, filepath.Join(os.TempDir(), "kairos-"+id), "/tmp/kairos-"+id)
}

// socketName derives the socket's name from the folder's one name.
func socketName(folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return "kairos-" + hex.EncodeToString(sum[:8]) + ".sock"
}

// listen opens the folder's socket. The caller holds the lock, so a socket
// that is there already is a dead owner's.
func listen(folder string) (net.Listener, error) {
	var errs []error
	for _, place := range places() {
		l, err := listenIn(place, socketName(folder))
		if err == nil {
			return l, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

func listenIn(place, name string) (net.Listener, error) {
	path := filepath.Join(place, name)
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("%s is too long for a socket", path)
	}
	if strings.HasPrefix(filepath.Base(place), "kairos") {
		if err := os.Mkdir(place, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, err
		}
	}
	if err := private(place); err != nil {
		return nil, err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	// The sticky bit keeps cleaners of runtime folders off (XDG Base Directory
	// Specification, $XDG_RUNTIME_DIR).
	if err := os.Chmod(path, 0o600|os.ModeSticky); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// dial connects to the folder's owner, or returns ErrNoOwner.
func dial(ctx context.Context, dir string) (net.Conn, error) {
	folder, err := resolve(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoOwner, err)
	}
	errs := []error{ErrNoOwner}
	for _, place := range places() {
		path := filepath.Join(place, socketName(folder))
		if len(path) > maxSocketPath || private(place) != nil {
			continue
		}
		conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
		if err == nil {
			return conn, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return nil, errors.Join(errs...)
}
