package app

import (
	"image"
	"testing"

	"kairos/reader"
)

func TestThumbsOnlyWhereTheyAreWanted(t *testing.T) {
	w, q := newTestWindow(t)
	asked, _ := illustrate(t, w, q)
	var a *reader.Article
	q.until("its row is known", func() bool {
		for _, row := range w.timeline.rows {
			if row.Title == "Illustrated" {
				a = row
			}
		}
		return a != nil
	})
	if w.thumbs.get(a) != nil || len(w.thumbs.loading) != 0 || asked.Load() != 0 {
		t.Fatal("nobody wants pictures in the list")
	}
	w.thumbs.turn(true)
	q.until("it is there", func() bool { return w.thumbs.get(a) != nil })
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
	r := newTimelineRow()
	r.set(a, nil, nil, noon)
	r.picture(w.thumbs.get(a))
	if r.thumb.Hidden || r.thumb.Image == nil {
		t.Error("the row does not show it")
	}
	r.picture(nil)
	if !r.thumb.Hidden {
		t.Error("the next article has it too")
	}
	// Articles without one are looked at once.
	q.until("all are known", func() bool {
		for _, row := range w.timeline.rows {
			w.thumbs.get(row)
		}
		return len(w.thumbs.loading) == 0 && len(w.thumbs.wanted) == 0
	})
	if len(w.thumbs.lately) != len(w.timeline.rows) {
		t.Errorf("%d of %d are known", len(w.thumbs.lately), len(w.timeline.rows))
	}
	// With pictures held back only the cache is used.
	w.pictures.set(true, true)
	w.thumbs.lately, w.thumbs.before = map[int64]image.Image{}, nil
	q.until("it comes from the cache", func() bool { return w.thumbs.get(a) != nil })
	if n := asked.Load(); n != 1 {
		t.Errorf("under battery saver asked %d times", n)
	}
}
