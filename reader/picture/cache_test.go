package picture

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
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
}

// A cache takes no more than its limit at any moment; what is worth most stays, and what must not go does not.
func TestCacheStaysWithinItsLimit(t *testing.T) {
	now, dir := noon, t.TempDir()
	c := NewCache(dir, 1000, func() time.Time { return now })
	values := map[string]float64{FileName("kept"): math.Inf(1), FileName("likely"): 0.9, FileName("unlikely"): 0.1}
	c.SetValues(func() map[string]float64 { return values })
	onDisk := func() (bytes int64) {
		files, _ := os.ReadDir(dir)
		for _, f := range files {
			if info, err := f.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return bytes
	}
	for _, name := range []string{"kept", "likely", "unlikely", "other", "more"} {
		now = now.Add(time.Hour)
		if err := c.Write(name, make([]byte, 300)); err != nil {
			t.Fatal(err)
		}
		if n := onDisk(); n > 1000 || n != c.Size() {
			t.Fatalf("after %s: %d bytes on the disk, %d counted", name, n, c.Size())
		}
	}
	for name, want := range map[string]bool{"kept": true, "likely": true, "unlikely": false, "other": false, "more": true} {
		if c.Has(name) != want {
			t.Errorf("%s is there: %t", name, !want)
		}
	}
	if err := c.SetLimit(400); err != nil || !c.Has("kept") || onDisk() > 400 {
		t.Errorf("a lower limit: %v, %d bytes", err, onDisk())
	}
	if err := c.Write("new", make([]byte, 350)); !errors.Is(err, ErrCacheFull) || !c.Has("kept") {
		t.Errorf("nothing may go: %v", err)
	}
	var all sync.WaitGroup
	c.SetLimit(1000) //nolint:errcheck // nothing is to be removed
	for i := range 40 {
		all.Go(func() {
			if err := c.Write(fmt.Sprint(i), make([]byte, 250)); err != nil && !errors.Is(err, ErrCacheFull) {
				t.Error(err)
			}
			if n := c.Size(); n > 1000 {
				t.Errorf("%d bytes", n)
			}
		})
	}
	all.Wait()
	if n := onDisk(); n > 1000 || n != c.Size() {
		t.Errorf("written at once: %d bytes on the disk, %d counted", n, c.Size())
	}
}

// One picture is found among many without reading what all of them are, which takes long with tens of thousands.
func TestCacheFindsOnePictureBeforeAllAreKnown(t *testing.T) {
	now, dir := noon, t.TempDir()
	open := func() *Cache { return NewCache(dir, 1000, func() time.Time { return now }) }
	if err := open().Write("a", []byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, FileName("folder")), 0o700); err != nil {
		t.Fatal(err)
	}
	c := open()
	now = now.Add(time.Hour)
	got, there := c.Read("a")
	if !there || string(got) != "a" || !c.Has("a") || c.Has("b") || c.Has("folder") {
		t.Errorf("a is %q, there is %v", got, []bool{c.Has("a"), c.Has("b"), c.Has("folder")})
	}
	for _, name := range []string{"b", "folder"} {
		if _, there := c.Read(name); there {
			t.Errorf("%s is there", name)
		}
	}
	if c.opened {
		t.Error("all were read")
	}
	if c.Size() != 1 || !c.files[FileName("a")].used.Equal(now) {
		t.Errorf("%d bytes, a used at %v", c.Size(), c.files[FileName("a")].used)
	}
}
