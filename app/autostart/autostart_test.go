//go:build !windows

package autostart

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "conf"))
	want := func(on bool) {
		t.Helper()
		if got, err := Enabled(); got != on || err != nil {
			t.Errorf("enabled %v, %v; want %v", got, err, on)
		}
	}
	want(false)
	if err := Set(false, ""); err != nil {
		t.Errorf("disable without an entry: %v", err)
	}
	for range 2 {
		if err := Set(true, "/opt/Kairos Reader/kairos", "--data", "/d"); err != nil {
			t.Fatal(err)
		}
		want(true)
	}
	file, err := entryPath()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "darwin" && file != filepath.Join(home, "conf", "autostart", "org.kairos.Reader.desktop") {
		t.Errorf("file %s", file)
	}
	content, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(content), "--hidden") {
		t.Errorf("%s, %v", content, err)
	}
	others, _ := os.ReadDir(filepath.Dir(file))
	if len(others) != 1 {
		t.Errorf("left over: %v", others)
	}
	if err := Set(false, ""); err != nil {
		t.Error(err)
	}
	want(false)
}

func TestBadCommands(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, exe := range []string{"", "kairos", "bin/kairos", "/opt/ka\niros"} {
		if err := Set(true, exe); err == nil {
			t.Errorf("Set(%q) worked", exe)
		}
	}
	if on, err := Enabled(); on || err != nil {
		t.Errorf("enabled %v, %v", on, err)
	}
}
