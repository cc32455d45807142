package owner

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestSymbolicLinkIsTheSameFolder(t *testing.T) {
	dir := folder(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip("skipped: no symbolic links here")
	}
	serve(t, acquire(t, link), func(context.Context, []string, string, io.Writer, io.Writer) int { return 3 })
	if _, err := Acquire(dir); !errors.Is(err, ErrOwned) {
		t.Errorf("second Take: %v", err)
	}
	t.Chdir(dir)
	if exit, err := Send(t.Context(), ".", nil, io.Discard, io.Discard); exit != 3 || err != nil {
		t.Errorf("exit %d, %v", exit, err)
	}
	other := acquire(t, t.TempDir())
	if err := other.Close(); err != nil {
		t.Error(err)
	}
}

func TestSocketIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: no modes here")
	}
	dir := folder(t)
	acquire(t, dir)
	all, err := filepath.Glob(filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "kairos-*.sock"))
	if err != nil || len(all) != 1 {
		t.Fatalf("sockets %v, %v", all, err)
	}
	info, err := os.Stat(all[0])
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// Both sides skip a runtime directory that cannot be used.
func TestLongRuntimeDirectory(t *testing.T) {
	dir := folder(t)
	long := filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), strings.Repeat("d", 100))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", os.Getenv("XDG_RUNTIME_DIR"))
	t.Setenv("XDG_RUNTIME_DIR", long)
	serve(t, acquire(t, dir), func(context.Context, []string, string, io.Writer, io.Writer) int { return 5 })
	t.Setenv("XDG_RUNTIME_DIR", "") // as under cron
	if exit, err := Send(t.Context(), dir, nil, io.Discard, io.Discard); exit != 5 || err != nil {
		t.Errorf("exit %d, %v", exit, err)
	}
}

func TestOpenDirectoryIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: no modes here")
	}
	open := t.TempDir()
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := listenIn(open, "x.sock"); err == nil {
		t.Error("a socket where anybody could put one")
	}
}

func TestUnusableFolders(t *testing.T) {
	dir := folder(t)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{file, filepath.Join(file, "below")} {
		if _, err := Acquire(d); err == nil || !strings.Contains(err.Error(), "the data folder "+d) {
			t.Errorf("Acquire(%s): %v", d, err)
		}
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("skipped: folders cannot be made read-only for this user")
	}
	dir := folder(t)
	if err := acquire(t, dir).Close(); err != nil { // leaves the lock file behind
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(dir, 0o700) }()
	if _, err := Acquire(dir); err == nil || !strings.Contains(err.Error(), "cannot be written to") {
		t.Errorf("Take: %v", err)
	}
}
