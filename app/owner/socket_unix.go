//go:build unix

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
	"strconv"
	"strings"
	"syscall"

	"kairos/app/flatpak"
)

// maxSocketPath is the longest path that fits into a sockaddr_un everywhere (104 on macOS, 108 on Linux, with the final zero).
const maxSocketPath = 103

// socketFolders lists the folders for the socket of a data folder, best first: that folder itself comes last, for where others
// have made those in the temporary directory before us. An owner uses the first possible one. Others look into all of
// them, as a command started by cron or ssh may lack the environment of the desktop.
func socketFolders(folder string) []string {
	var all []string
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		if id := os.Getenv("FLATPAK_ID"); id != "" && flatpak.Inside() {
			all = append(all, filepath.Join(dir, "app", id)) // the only one that two starts of a Flatpak share
		}
		all = append(all, dir)
	}
	id := strconv.Itoa(os.Getuid())
	return append(all, runFolder+id, filepath.Join(os.TempDir(), "kairos-"+id), temporaryFolder+id, folder)
}

// Folders that a command without the environment of the desktop finds, too, but for the id of the user. They are variables for
// tests.
var runFolder, temporaryFolder = "/run/user/", "/tmp/kairos-"

// socketName is the name of the socket of a data folder, given by its canonical path.
func socketName(folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return "kairos-" + hex.EncodeToString(sum[:8]) + ".sock"
}

// listen opens the socket of a data folder. The caller holds the lock, so an existing socket is of a dead owner.
func listen(folder string) (net.Listener, error) {
	var errs []error
	for _, socketFolder := range socketFolders(folder) {
		l, err := listenIn(socketFolder, socketName(folder))
		if err == nil {
			return l, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

func listenIn(socketFolder, name string) (net.Listener, error) {
	path := filepath.Join(socketFolder, name)
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("%s is too long for a socket", path)
	}
	if strings.HasPrefix(filepath.Base(socketFolder), "kairos") {
		if err := os.Mkdir(socketFolder, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, err
		}
	}
	if err := checkPrivate(socketFolder); err != nil {
		return nil, err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	// The sticky bit protects the socket from being cleaned up (XDG Base Directory Specification, $XDG_RUNTIME_DIR).
	if err := os.Chmod(path, 0o600|os.ModeSticky); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// dial connects to the owner of a data folder, or returns ErrNoOwner.
func dial(ctx context.Context, dir string) (net.Conn, error) {
	folder, err := canonical(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoOwner, err)
	}
	errs := []error{ErrNoOwner}
	for _, socketFolder := range socketFolders(folder) {
		path := filepath.Join(socketFolder, socketName(folder))
		if len(path) > maxSocketPath || checkPrivate(socketFolder) != nil {
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

// checkPrivate refuses a folder in which another user could replace our socket.
func checkPrivate(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(stat.Uid) != os.Getuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s is writable for other users", dir)
	}
	return nil
}
