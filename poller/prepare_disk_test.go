package poller

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"kairos/poller/preparer"
	"kairos/reader"
)

// onDisk is how many bytes all that was prepared takes.
func (w *world) onDisk() int64 {
	w.t.Helper()
	return int64(w.number("SELECT coalesce(sum(octet_length(html)), 0) FROM full_text")) + w.reads.album.Cache().Size()
}

// All that is prepared stays within its room also while more comes: the least likely goes, and what is less likely than all that is
// there does not come. What is starred stays.
func TestPreparedStaysWithinItsRoom(t *testing.T) {
	w := newPreparingWorld(t)
	limit := preparer.Settings{Mode: preparer.Auto, Megabytes: 1000, Disk: 20}
	if err := w.Preparer().Set(t.Context(), limit); err != nil {
		t.Fatal(err)
	}
	w.SetPowerState(PowerState{Battery: true}) // until it is dealt what is read
	const feeds, articles = 2, 40
	most := int64(0)
	watch := func() {
		if n := w.onDisk(); n > most {
			most = n
		}
	}
	long := "<article>" + strings.Repeat("<p>The lamplighter walked along the quay, counted the lamps one by one, and wrote the number into the book.</p>", 1500) + "</article>"
	var subscribed []reader.Feed
	for i := range feeds {
		path := fmt.Sprintf("/feed%d", i)
		w.web.magazine(t, path, articles)
		for n := range articles {
			w.web.on(fmt.Sprintf("%s-%d", path, n), func(out http.ResponseWriter, r *http.Request) {
				watch()
				io.WriteString(out, strings.Replace(long, "<article>", "<article><img src='"+r.URL.Path+"-1.png'>", 1))
			})
			w.web.on(fmt.Sprintf("%s-%d-1.png", path, n), func(out http.ResponseWriter, _ *http.Request) {
				watch()
				out.Write(make([]byte, 200_000)) //nolint:errcheck // the client would miss it
			})
		}
		f := w.subscribePaths(path)[0]
		f.FullText = true
		w.update(f)
		subscribed = append(subscribed, f)
	}
	w.prepared()
	var likeliest, least, starred int64
	w.reads.mu.Lock()
	w.reads.chances = map[int64]float64{}
	for i, u := range w.upcoming() {
		w.reads.chances[u.ID] = 0.1 + 0.005*float64(i)
		switch i {
		case 0:
			least = u.ID
		case 1:
			starred = u.ID
		}
		likeliest = u.ID
	}
	w.reads.mu.Unlock()
	w.SetPowerState(PowerState{})
	for range 3 { // the next runs find others
		w.clock.add(time.Hour)
		w.byHand(subscribed[0].ID)
		w.prepared()
	}
	watch()
	if cap := limit.DiskBytes(); most > cap || most < cap/2 {
		t.Errorf("%d bytes of %d at most", most, cap)
	}
	have, err := w.store.Articles.HaveFullText(t.Context(), []int64{likeliest, least})
	if err != nil || !have[likeliest] || have[least] {
		t.Errorf("%v, %v", have, err)
	}
	// The user takes one along that is unlikely, and stars it: it comes, and stays.
	w.exec("UPDATE status SET starred = 1 WHERE id = ?", starred)
	done := make(chan error, 1)
	go func() { done <- w.Preparer().Take(t.Context(), []int64{starred}, false, &preparer.Trip{}) }()
	for ended := false; !ended; {
		select {
		case err := <-done:
			ended = true
			if err != nil {
				t.Error(err)
			}
		default:
			w.drain()
		}
	}
	if have, err := w.store.Articles.HaveFullText(t.Context(), []int64{starred}); err != nil || !have[starred] || w.onDisk() > limit.DiskBytes() {
		t.Errorf("%v, %v, %d bytes", have, err, w.onDisk())
	}
	// What is starred takes more than the room alone: all else goes.
	w.exec("UPDATE prepared SET text_size = ? WHERE article = ?", limit.DiskBytes(), starred)
	if err := w.Preparer().Set(t.Context(), limit); err != nil {
		t.Fatal(err)
	}
	if have, err := w.store.Articles.HaveFullText(t.Context(), []int64{likeliest, starred}); err != nil || have[likeliest] || !have[starred] {
		t.Errorf("%v, %v", have, err)
	}
}
