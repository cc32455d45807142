package reader

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// asNobody runs f as another user if the test runs as root, who may access every file. The user is
// that of one thread, which ends with the goroutine locked to it.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	done := make(chan error)
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if err := syscall.Setfsuid(65534); err != nil {
			done <- err
			return
		}
		f()
	}()
	if err := <-done; err != nil {
		t.Skip("skipped: cannot change the user:", err)
	}
}

// reachableFolder creates a folder that everybody may enter.
func reachableFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	return dir
}

func chmod(t *testing.T, name string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	dir := reachableFolder(t)
	s := open(t, dir)
	subscribeFeeds(t, s, 3)
	s.Close()
	chmod(t, filepath.Join(dir, FileName), 0o444)
	chmod(t, dir, 0o555)
	asNobody(t, func() {
		if _, err := Open(t.Context(), dir, epoch); !errors.Is(err, ErrReadOnly) {
			t.Errorf("Open: %v, want ErrReadOnly", err)
		}
		r, err := OpenReadOnly(t.Context(), dir)
		if err != nil {
			t.Errorf("OpenReadOnly: %v", err)
			return
		}
		defer r.Close()
		if feeds, err := r.Feeds.List(t.Context()); err != nil || len(feeds) != 3 {
			t.Errorf("%d feeds (%v)", len(feeds), err)
		}
	})
}

func TestReadOnlyFolderWithoutAFile(t *testing.T) {
	dir := reachableFolder(t)
	chmod(t, dir, 0o555)
	asNobody(t, func() {
		if _, err := Open(t.Context(), dir, epoch); !errors.Is(err, ErrReadOnly) {
			t.Errorf("Open: %v, want ErrReadOnly", err)
		}
		if _, err := OpenReadOnly(t.Context(), dir); !errors.Is(err, ErrNone) {
			t.Errorf("OpenReadOnly: %v, want ErrNone", err)
		}
	})
}

func TestReadOnlyFile(t *testing.T) {
	dir := reachableFolder(t)
	open(t, dir).Close()
	chmod(t, filepath.Join(dir, FileName), 0o444)
	chmod(t, dir, 0o777)
	asNobody(t, func() {
		if _, err := Open(t.Context(), dir, epoch); !errors.Is(err, ErrReadOnly) {
			t.Errorf("Open: %v, want ErrReadOnly", err)
		}
	})
}

func TestUnreadableFile(t *testing.T) {
	dir := reachableFolder(t)
	open(t, dir).Close()
	chmod(t, filepath.Join(dir, FileName), 0)
	asNobody(t, func() {
		if _, err := Open(t.Context(), dir, epoch); !errors.Is(err, ErrReadOnly) {
			t.Errorf("Open: %v, want ErrReadOnly", err)
		}
		if _, err := OpenReadOnly(t.Context(), dir); !errors.Is(err, ErrReadOnly) {
			t.Errorf("OpenReadOnly: %v, want ErrReadOnly", err)
		}
	})
}
