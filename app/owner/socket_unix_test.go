//go:build unix

package owner

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kairos/app/flatpak"
)

func TestSocketIsPrivate(t *testing.T) {
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

// Each start of a Flatpak has a runtime directory of its own, but for the folder of the application in it.
func TestSocketInFlatpak(t *testing.T) {
	usual := flatpak.Info
	flatpak.Info = t.TempDir()
	defer func() { flatpak.Info = usual }()
	dir := folder(t)
	run := os.Getenv("XDG_RUNTIME_DIR")
	shared := filepath.Join(run, "app", "k")
	if err := os.MkdirAll(shared, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FLATPAK_ID", "k")
	acquire(t, dir)
	for where, want := range map[string]int{shared: 1, run: 0} {
		if all, err := filepath.Glob(filepath.Join(where, "kairos-*.sock")); err != nil || len(all) != want {
			t.Errorf("%s: sockets %v, %v", where, all, err)
		}
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
	if exit, err := send(t.Context(), dir, nil, io.Discard, io.Discard); exit != 5 || err != nil {
		t.Errorf("exit %d, %v", exit, err)
	}
}

func TestOpenDirectoryIsRefused(t *testing.T) {
	open := t.TempDir()
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := listenIn(open, "x.sock"); err == nil {
		t.Error("a socket where anybody could put one")
	}
}

// Somebody else made all runtime folders before us.
func TestRuntimeFoldersOfOthers(t *testing.T) {
	dir, run := folder(t), os.Getenv("XDG_RUNTIME_DIR")
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", run)
	runWas, temporaryWas := runFolder, temporaryFolder
	runFolder, temporaryFolder = filepath.Join(run, "none"), filepath.Join(run, "kairos-")
	defer func() { runFolder, temporaryFolder = runWas, temporaryWas }()
	theirs := temporaryFolder + strconv.Itoa(os.Getuid())
	if err := errors.Join(os.Mkdir(theirs, 0o700), os.Chmod(theirs, 0o777)); err != nil {
		t.Fatal(err)
	}
	serve(t, acquire(t, dir), func(context.Context, []string, string, io.Writer, io.Writer) int { return 6 })
	if exit, err := send(t.Context(), dir, nil, io.Discard, io.Discard); exit != 6 || err != nil {
		t.Errorf("exit %d, %v", exit, err)
	}
	if all, err := os.ReadDir(theirs); err != nil || len(all) != 0 {
		t.Errorf("written there: %v (%v)", all, err)
	}
}
