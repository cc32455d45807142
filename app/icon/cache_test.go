package icon

import (
	"bytes"
	"context"
	"image/color"
	"image/png"
	"testing"

	"fyne.io/fyne/v2/test"

	"kairos/app/async"
	"kairos/app/async/asynctest"
	"kairos/poller/icons"
)

// newTestCache returns a cache for so many feeds, each with an icon of its own, and the number of icons that were read.
func newTestCache(t *testing.T, feeds int64) (c *Cache, q *asynctest.Queue, reads *int) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, disc(color.NRGBA{200, 20, 20, 255})); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	q = asynctest.NewQueue(t)
	jobs := async.New(ctx, test.NewTempApp(t).NewWindow(""), q.Add)
	t.Cleanup(func() { stop(); jobs.Wait() })
	reads = new(int)
	c = NewCache(jobs, func(context.Context, icons.Icon) ([]byte, error) { *reads++; return b.Bytes(), nil }, func() {})
	of := map[int64]icons.Icon{}
	for i := range feeds {
		of[i+1] = icons.Icon{ID: i + 1, Changed: 1}
	}
	c.SetFeeds(of)
	return c, q, reads
}

// A feed's icon is read once, when a row first shows it.
func TestIconsAreLoadedOnce(t *testing.T) {
	c, q, reads := newTestCache(t, 1)
	for _, feed := range []int64{1, 1, 2} {
		if c.Get(feed) != nil {
			t.Errorf("feed %d has an icon before it is read, or has none", feed)
		}
	}
	q.Until("it is read", func() bool { return !c.loading })
	first := c.Get(1)
	c.SetFeeds(map[int64]icons.Icon{1: {ID: 1, Changed: 1}, 2: {ID: 1, Changed: 1}})
	if first == nil || first.Bounds().Dx() != 32 || c.Get(1) != first || c.Get(2) != first || *reads != 1 || len(c.wanted) > 0 {
		t.Errorf("read %d times, wanted again: %v", *reads, c.wanted)
	}
}

// The cache of icons is bounded, however many feeds there are.
func TestCacheIsBounded(t *testing.T) {
	const feeds = 5 * maxCached / 2
	c, q, _ := newTestCache(t, feeds)
	for i := int64(1); i <= feeds; i++ {
		c.Get(i)
		q.Until("it is loaded", func() bool { return !c.loading })
		if c.Get(i) == nil {
			t.Fatalf("icon %d is not there", i)
		}
		c.Get(1) // always on screen
	}
	if n := len(c.recent) + len(c.earlier); n > 2*maxCached {
		t.Errorf("%d pictures are kept", n)
	}
	if c.Get(1) == nil {
		t.Error("what was always shown is forgotten")
	}
}

// Icons that were scrolled past are not decoded; those on screen are.
func TestIconsScrolledPastAreNotDecoded(t *testing.T) {
	const feeds = 10 * maxQueue
	c, q, reads := newTestCache(t, feeds)
	for i := int64(1); i <= feeds; i++ {
		c.Get(i)
	}
	q.Until("the last are loaded", func() bool { return !c.loading })
	if *reads > maxQueue || len(c.wanted) > 0 || c.Get(feeds) == nil {
		t.Errorf("%d are decoded, %d wanted", *reads, len(c.wanted))
	}
	if c.Get(3) != nil {
		t.Error("one of the first is decoded")
	}
}
