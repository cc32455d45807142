package app

import (
	"image"
	"testing"

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
	if w.timeline.thumbs.get(a) != nil || len(w.timeline.thumbs.loading) != 0 || asked.Load() != 0 {
		t.Fatal("nobody wants pictures in the list")
	}
	w.setDensity(rowsPictures)
	q.until("it is there", func() bool { return w.timeline.thumbs.get(a) != nil })
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
	r := newTimelineRow()
	r.set(a, nil, nil, noon)
	r.setThumbnail(w.timeline.thumbs.get(a))
	if r.thumbnail.Hidden || r.thumbnail.Image == nil {
		t.Error("the row does not show it")
	}
	r.setThumbnail(nil)
	if !r.thumbnail.Hidden {
		t.Error("the next article has it too")
	}
	// Articles without one are looked at once.
	q.until("all are known", func() bool {
		for _, row := range w.session.List.Loaded {
			w.timeline.thumbs.get(row)
		}
		return len(w.timeline.thumbs.loading) == 0 && len(w.timeline.thumbs.queue) == 0
	})
	if len(w.timeline.thumbs.recent) != len(w.session.List.Loaded) {
		t.Errorf("%d of %d are known", len(w.timeline.thumbs.recent), len(w.session.List.Loaded))
	}
	// With pictures held back only the cache is used.
	w.article.pictures.set(true, true)
	w.timeline.thumbs.recent, w.timeline.thumbs.earlier = map[int64]image.Image{}, nil
	q.until("it comes from the cache", func() bool { return w.timeline.thumbs.get(a) != nil })
	if n := asked.Load(); n != 1 {
		t.Errorf("under battery saver asked %d times", n)
	}
}
