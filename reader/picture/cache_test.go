package picture

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestCacheEvictsLeastRecentlyUsed(t *testing.T) {
	now, dir := noon, t.TempDir()
	open := func() *Cache { return NewCache(dir, 1000, func() time.Time { return now }) }
	c := open()
	body := func(s string) []byte { return []byte(strings.Repeat(s, 300)) }
	write := func(name string) {
		t.Helper()
		now = now.Add(2 * time.Hour)
		if err := c.Write(name, body(name)); err != nil {
			t.Fatal(err)
		}
	}
	write("a")
	write("b")
	write("c")
	now = now.Add(2 * time.Hour)
	if got, ok := c.Read("a"); !ok || !bytes.Equal(got, body("a")) {
		t.Fatalf("a is %q", got)
	}
	if err := os.WriteFile(filepath.Join(dir, tempPrefix+"1"), body("x"), 0o600); err != nil { // a crash
		t.Fatal(err)
	}
	c = open()
	write("d") // 1,200 bytes: b goes, c stays
	for name, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true} {
		if _, ok := c.Read(name); ok != want {
			t.Errorf("%s is there: %v", name, ok)
		}
	}
	if c.Size() != 900 {
		t.Errorf("%d bytes", c.Size())
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 3 {
		t.Errorf("in the folder: %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, tempPrefix+"*")); len(left) != 0 {
		t.Errorf("left from a crash: %v", left)
	}
	write("c") // replaces the same
	c.Remove("d")
	if _, ok := c.Read("d"); ok || c.Size() != 600 {
		t.Errorf("after removing one: %d bytes", c.Size())
	}
	if err := c.Write("huge", make([]byte, 2000)); err != nil || c.Size() != 600 {
		t.Errorf("one larger than the cache: %v, %d bytes", err, c.Size())
	}
	if err := c.Clear(); err != nil || c.Size() != 0 {
		t.Errorf("cleared: %v, %d bytes", err, c.Size())
	}
}
