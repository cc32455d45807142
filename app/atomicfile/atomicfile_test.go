package atomicfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "ünï list.opml")
	check := func(path, want string) {
		t.Helper()
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s holds %q (%v), want %q", path, text, err, want)
		}
	}
	write := func(path, text string) {
		t.Helper()
		if err := Write(path, []byte(text)); err != nil {
			t.Error(err)
		}
	}
	write(name, "one")
	check(name, "one")
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	write(name, "two")
	check(name, "two")
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v (%v), want 0600", info.Mode(), err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(name, link); err == nil {
		write(link, "three")
		check(name, "three")
		if target, err := os.Readlink(link); err != nil || target != name {
			t.Errorf("the link now leads to %q (%v)", target, err)
		}
	}
	if err := Write(dir, []byte("x")); err == nil {
		t.Error("Write to a folder succeeded")
	}
	if err := Write(filepath.Join(dir, "no", "folder"), []byte("x")); err == nil {
		t.Error("Write into a missing folder succeeded")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 2 {
		t.Errorf("files left behind: %v", entries)
	}
}

// Check fails exactly where Write fails.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old.png")
	if err := Write(old, []byte("old")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{old, filepath.Join(dir, "new.png"), dir, filepath.Join(dir, "no", "folder.png"), filepath.Join(old, "x.png")} {
		checked := Check(name)
		if err := Write(name, []byte("x")); (checked == nil) != (err == nil) {
			t.Errorf("%s: Check returned %v, Write %v", name, checked, err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("files left behind: %v", entries)
	}
}

// A pipe is written to, not replaced.
func TestWriteToAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := makePipe(pipe); err != nil {
		t.Skip("skipped: no named pipes:", err)
	}
	read := make(chan string)
	go func() {
		text, _ := os.ReadFile(pipe)
		read <- string(text)
	}()
	if err := Write(pipe, []byte("text")); err != nil {
		t.Fatal(err)
	}
	if text := <-read; text != "text" {
		t.Errorf("the pipe received %q", text)
	}
}

// All files are written or none.
func TestWriteAll(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := WriteAll([]File{{at("a"), []byte("one")}, {at("b"), []byte("two")}}); err != nil {
		t.Fatal(err)
	}
	for _, files := range [][]File{{{at("a"), []byte("new")}, {at("no/b"), []byte("new")}}, {{at("no/a"), nil}}} {
		err := WriteAll(files)
		if err == nil || !strings.Contains(err.Error(), files[len(files)-1].Name) || strings.Contains(err.Error(), ".kairos") {
			t.Errorf("%v", err)
		}
	}
	if err := os.Mkdir(at("c"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteAll([]File{{at("c"), []byte("new")}}); err == nil {
		t.Error("a folder was replaced")
	}
	for name, want := range map[string]string{"a": "one", "b": "two"} {
		if text, err := os.ReadFile(at(name)); err != nil || string(text) != want {
			t.Errorf("%s holds %q (%v)", name, text, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("files left behind: %v (%v)", entries, err)
	}
}
