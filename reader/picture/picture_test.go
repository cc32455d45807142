package picture

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"image"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestAlbumAsksOnce(t *testing.T) {
	dir, body := t.TempDir(), encoded(t, quarters(60, 40), "png")
	now := func() time.Time { return noon }
	a := NewAlbum(NewCache(dir, 1<<20, now), nil)
	var asked atomic.Int32
	get := func(context.Context, string) ([]byte, error) {
		asked.Add(1)
		return body, nil
	}
	if _, err := a.Load(t.Context(), "http://a/", image.Point{}, nil); !errors.Is(err, ErrNotHere) {
		t.Errorf("without asking: %v", err)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			p, err := a.Load(t.Context(), "http://a/", image.Pt(30, 0), get)
			if err != nil || p.Image.Bounds().Dx() != 30 {
				t.Errorf("%v, %v", p.Image, err)
			}
		})
	}
	all.Wait()
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
	a = NewAlbum(NewCache(dir, 1<<20, now), nil) // after a restart
	if _, err := a.Load(t.Context(), "http://a/", image.Point{}, nil); err != nil {
		t.Errorf("from the cache: %v", err)
	}
}

func TestAlbumFailure(t *testing.T) {
	a := NewAlbum(NewCache(t.TempDir(), 1<<20, time.Now), nil)
	no := errors.New("no")
	_, err := a.Load(t.Context(), "http://a/", image.Point{}, func(context.Context, string) ([]byte, error) { return nil, no })
	if !errors.Is(err, no) {
		t.Error(err)
	}
	_, err = a.Load(t.Context(), "http://a/", image.Point{}, func(context.Context, string) ([]byte, error) { return []byte("page"), nil })
	if !errors.Is(err, ErrPicture) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = a.Load(ctx, "http://b/", image.Point{}, func(ctx context.Context, _ string) ([]byte, error) { return nil, ctx.Err() })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A folder that cannot be written to loses nothing but the cache.
func TestPictureWithoutACache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := NewAlbum(NewCache(dir, 1<<20, time.Now), nil)
	body := encoded(t, quarters(60, 40), "png")
	if _, err := a.Load(t.Context(), "http://a/", image.Point{}, func(context.Context, string) ([]byte, error) { return body, nil }); err != nil {
		t.Error(err)
	}
}

func TestInline(t *testing.T) {
	a := NewAlbum(NewCache(t.TempDir(), 1<<20, time.Now), nil)
	text := base64.StdEncoding.EncodeToString(encoded(t, quarters(60, 40), "png"))
	if _, err := a.Load(t.Context(), "data:image/png;base64,"+text, image.Point{}, nil); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"data:image/png", "data:image/png;base64,%%%", "data:image/png;base64,!", "data:,text"} {
		if _, err := a.Load(t.Context(), bad, image.Point{}, nil); !errors.Is(err, ErrPicture) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestCacheForgetsTheOldest(t *testing.T) {
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
	if err := os.WriteFile(filepath.Join(dir, unfinished+"1"), body("x"), 0o600); err != nil { // a crash
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
	if left, _ := filepath.Glob(filepath.Join(dir, unfinished+"*")); len(left) != 0 {
		t.Errorf("left from a crash: %v", left)
	}
	write("c") // the same again takes no more
	c.Drop("d")
	if _, ok := c.Read("d"); ok || c.Size() != 600 {
		t.Errorf("after dropping one: %d bytes", c.Size())
	}
	if err := c.Write("huge", make([]byte, 2000)); err != nil || c.Size() != 600 {
		t.Errorf("one larger than the cache: %v, %d bytes", err, c.Size())
	}
	if err := c.Clear(); err != nil || c.Size() != 0 {
		t.Errorf("cleared: %v, %d bytes", err, c.Size())
	}
}
