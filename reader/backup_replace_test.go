package reader

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A restore that was killed before the new file had its place leaves the old one, with its log, under its one name.
func TestReplacementIsTakenBack(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	aside := path + epoch.UTC().Format(asideFormat)
	if err := errors.Join(os.WriteFile(path, []byte("file"), 0o600), os.Link(path, aside), os.WriteFile(aside+"-wal", []byte("log"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := RemoveStale(dir, dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{path: "file", path + "-wal": "log"} {
		if text, err := os.ReadFile(name); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for _, name := range []string{aside, aside + "-wal"} {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left (%v)", name, err)
		}
	}
}
