package app

import (
	"image"
	"testing"

	"kairos/app/timeline"
	"kairos/reader"
)

func TestThumbnailsOnlyIfVisible(t *testing.T) {
	w, q := newTestWindow(t)
	asked, _ := illustrate(t, w, q)
	var a *reader.Article
	q.until("its row is known", func() bool {
		for _, row := range w.session.List.Loaded {
			if row.Title == "Illustrated" {
				a = row
			}
		}
		return a != nil
	})
	if w.timeline.Thumbs.Get(a) != nil || len(w.timeline.Thumbs.Loading) != 0 || asked.Load() != 0 {
		t.Fatal("nobody wants pictures in the list")
	}
	w.setDensity(timeline.RowsPictures)
	q.until("it is there", func() bool { return w.timeline.Thumbs.Get(a) != nil })
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
	// Articles without one are looked at once.
	q.until("all are known", func() bool {
		for _, row := range w.session.List.Loaded {
			w.timeline.Thumbs.Get(row)
		}
		return len(w.timeline.Thumbs.Loading) == 0 && len(w.timeline.Thumbs.Queue) == 0
	})
	if len(w.timeline.Thumbs.Recent) != len(w.session.List.Loaded) {
		t.Errorf("%d of %d are known", len(w.timeline.Thumbs.Recent), len(w.session.List.Loaded))
	}
	// With pictures held back only the cache is used.
	w.article.Pictures.Set(true, true)
	w.timeline.Thumbs.Recent, w.timeline.Thumbs.Earlier = map[int64]image.Image{}, nil
	q.until("it comes from the cache", func() bool { return w.timeline.Thumbs.Get(a) != nil })
	if n := asked.Load(); n != 1 {
		t.Errorf("under battery saver asked %d times", n)
	}
}
