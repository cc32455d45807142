package poller

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kairos/poller/preparer"
	"kairos/reader"
	"kairos/reader/fulltext"
)

// ids returns the unread articles.
func (w *world) unreadIDs() (ids []int64) {
	w.t.Helper()
	for _, u := range w.upcoming() {
		ids = append(ids, u.ID)
	}
	return ids
}

// take brings articles and waits until they are there.
func (w *world) take(ctx context.Context, files bool, trip *preparer.Trip) (preparer.Taken, error) {
	w.t.Helper()
	done := make(chan error, 1)
	go func() { done <- w.Preparer().Take(ctx, w.unreadIDs(), files, trip) }()
	for {
		select {
		case err := <-done:
			return trip.Taken(), err
		default:
			w.drain()
			runtime.Gosched()
		}
	}
}

// newTripWorld is a world with a feed of n articles that are shortened and were not prepared, since the machine runs on battery.
func newTripWorld(t *testing.T, n int) *world {
	w := newPreparingWorld(t)
	w.web.magazine(t, "/feed", n)
	w.SetPowerState(PowerState{Battery: true})
	w.subscribePaths("/feed")
	w.prepared()
	w.web.requests()
	return w
}

// What is taken along is there whole, and asked for once; the budget of preparing does not pay for it.
func TestTakeAlong(t *testing.T) {
	w := newTripWorld(t, 6)
	w.web.on("/feed-5", http.NotFound)
	e, err := w.Preparer().Estimate(t.Context(), w.unreadIDs())
	if err != nil || e.Articles != 6 || e.Requests < 12 || e.Bytes < 100_000 {
		t.Errorf("%+v, %v", e, err)
	}
	got, err := w.take(t.Context(), false, &preparer.Trip{})
	want := preparer.Taken{Articles: 6, Done: 6, Whole: 5, Left: preparer.Causes{preparer.RefusedByServer: 1}, Bytes: got.Bytes}
	if err != nil || got != want || got.Bytes == 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if asked := w.web.askedPaths("feed-"); len(asked) != 6+2*5+1 {
		t.Errorf("asked for %v", asked)
	}
	for _, u := range w.upcoming() {
		if a := w.look(u.ID); !a.Whole {
			t.Errorf("%+v", a)
		}
	}
	if n := w.number("SELECT count(*) FROM ledger WHERE reason = 'take'"); n != 17 {
		t.Errorf("%d lines", n)
	}
	if e, err = w.Preparer().Estimate(t.Context(), w.unreadIDs()); err != nil || e.Lacking() != 0 || e.Whole != 5 || e.Bytes != 0 || e.Left.Sum() != 1 {
		t.Errorf("what is left: %+v, %v", e, err)
	}
	want.Bytes = 0
	if got, err = w.take(t.Context(), false, &preparer.Trip{}); err != nil || got != want {
		t.Errorf("again: %+v, %v", got, err)
	}
	if asked := w.web.askedPaths("feed-"); len(asked) > 0 {
		t.Errorf("asked again for %v", asked)
	}
}

// What is not whole is told by cause, found by a search, and asked for again the next day where that may help. The estimate is of
// what is missing.
func TestTakeTellsWhy(t *testing.T) {
	w := newTripWorld(t, 7)
	answer := func(path string, status int) {
		w.web.on(path, func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(status) })
	}
	answer("/feed-1", http.StatusGone)
	w.web.says("/feed-2", "<html><body>Sign in to read on.</body></html>")
	w.web.says("/feed-3", "<html><body>"+strings.Repeat(" ", fulltext.MaxPage)+"</body></html>")
	answer("/feed-4-1.png", http.StatusNotFound)
	w.web.on("/feed-5-2.png", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	ids := w.unreadIDs()
	first, err := w.take(t.Context(), false, &preparer.Trip{})
	want := preparer.Causes{preparer.RefusedByServer: 1, preparer.NeedsBrowser: 1, preparer.TooLarge: 1, preparer.NoPictures: 1, preparer.NoAnswer: 1}
	if err != nil || first.Left != want || first.Whole != 2 || first.Missing != 2 {
		t.Errorf("%+v, %v", first, err)
	}
	found, err := w.store.Articles.IDs(t.Context(), reader.Query{Search: "is:incomplete"})
	if err != nil || len(found) != first.Left.Sum() {
		t.Errorf("found %v of %v, %v", found, ids, err)
	}
	// What got no answer is tried again at once, a picture that was not there the next day, and a page never.
	for _, name := range []string{"/feed-4-1.png", "/feed-5-2.png"} {
		w.web.on(name, func(out http.ResponseWriter, _ *http.Request) { io.WriteString(out, painted(t, 7)) })
	}
	w.web.requests()
	for _, c := range []struct {
		later time.Duration
		asked string
		left  int
	}{{0, "/feed-5-2.png", 4}, {25 * time.Hour, "/feed-4-1.png", 3}, {25 * time.Hour, "", 3}} {
		w.clock.add(c.later)
		if e, err := w.Preparer().Estimate(t.Context(), ids); err != nil || (e.Lacking() > 0) != (c.asked != "") {
			t.Errorf("after %v: %+v, %v", c.later, e, err)
		}
		got, err := w.take(t.Context(), false, &preparer.Trip{})
		asked := w.web.askedPaths("feed-")
		if err != nil || got.Left.Sum() != c.left || len(asked) != min(1, len(c.asked)) || c.asked != "" && asked[c.asked] != 1 {
			t.Errorf("after %v: %+v, %v, asked for %v", c.later, got, err, asked)
		}
	}
}

// What lacked pictures only is whole once they have come another way, as by opening it; what lacks the text of its page is not.
func TestIncompleteUntilAllIsThere(t *testing.T) {
	w := newTripWorld(t, 3)
	gone := func(path string) { w.web.on(path, http.NotFound) }
	gone("/feed-0-1.png")
	gone("/feed-1-1.png")
	gone("/feed-1-2.png")
	gone("/feed-2")
	gone("/feed-2-lead.png")
	ids, err := w.store.Articles.IDs(t.Context(), reader.Query{}) // the newest first
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.take(t.Context(), false, &preparer.Trip{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		comes string
		left  []int64
	}{{"/feed-0-1.png", ids[1:]}, {"/feed-1-1.png", ids[1:]}, {"/feed-2-lead.png", ids[1:]}, {"/feed-1-2.png", ids[2:]}} {
		if err := w.reads.album.Cache().Write(w.web.address(c.comes), []byte(painted(t, 7))); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if err := w.Preparer().CheckWhole(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		left, err := w.store.Articles.IDs(t.Context(), reader.Query{Search: "is:incomplete"})
		if slices.Sort(left); err != nil || !slices.Equal(left, slices.Sorted(slices.Values(c.left))) {
			t.Errorf("after %s came %v of %v are incomplete, %v", c.comes, left, ids, err)
		}
	}
}

// A trip can be paused and canceled, and goes on where it was.
func TestTakePausesAndEnds(t *testing.T) {
	w := newTripWorld(t, 8)
	trip := &preparer.Trip{}
	trip.Pause(true)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Preparer().Take(ctx, w.unreadIDs(), false, trip) }()
	for trip.Taken().Articles == 0 {
		runtime.Gosched()
	}
	w.drain()
	if asked := w.web.askedPaths("feed-"); len(asked) > 0 || !trip.Paused() {
		t.Errorf("while paused: %v", asked)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	trip.Pause(false)
	trip.Pause(false)
	if got, err := w.take(t.Context(), false, &preparer.Trip{}); err != nil || got.Whole != 8 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Without a network it says so, and no article counts as tried.
func TestTakeWithoutNetwork(t *testing.T) {
	w := newTripWorld(t, 3)
	network := w.wire()
	for _, err := range []error{nil, syscall.ENETUNREACH} {
		network.cut, network.err = true, err
		if got, err := w.take(t.Context(), false, &preparer.Trip{}); err == nil || got.Whole > 0 {
			t.Errorf("no network: %+v, %v", got, err)
		}
	}
	network.cut = false
	if got, err := w.take(t.Context(), false, &preparer.Trip{}); err != nil || got.Whole != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A host to which there is no route stops neither a trip nor preparing: others answer. Nor does it keep being asked.
func TestOneDeadHostStopsNothing(t *testing.T) {
	for name, take := range map[string]bool{"a trip": true, "preparing": false} {
		t.Run(name, func(t *testing.T) {
			w := newPreparingWorld(t)
			network := w.wire()
			network.dead, network.err = map[string]bool{"dead.example": true}, syscall.ENETUNREACH
			items := ""
			for n := range 12 {
				host := "a.example"
				if n < 6 {
					host = "dead.example"
				}
				items += fmt.Sprintf("<item><title>%d</title><guid>%[1]d</guid><pubDate>%s</pubDate><description>&lt;p&gt;A line…&lt;/p&gt;&lt;img src=&quot;http://%s/%[1]d.png&quot;&gt;</description></item>",
					n, w.clock.Now().Add(-time.Duration(n)*time.Minute).Format(time.RFC1123Z), host)
				w.web.on(fmt.Sprintf("/%d.png", n), func(out http.ResponseWriter, _ *http.Request) { io.WriteString(out, painted(t, 7)) })
			}
			w.web.says("/feed", "<rss version='2.0'><channel><title>a</title>"+items+"</channel></rss>")
			w.subscribe(reader.Feed{URL: "http://a.example/feed"})
			if take {
				w.SetPowerState(PowerState{Battery: true})
			}
			whole := func() (n int) {
				for _, u := range w.upcoming() {
					if w.look(u.ID).Whole {
						n++
					}
				}
				return n
			}
			for range 4 {
				if w.prepared(); take {
					if _, err := w.take(t.Context(), false, &preparer.Trip{}); err != nil && whole() < 6 { // later only what cannot be had is asked for
						t.Errorf("a trip ends with %v", err)
					}
				}
				w.clock.add(11 * time.Minute)
				w.byHand()
			}
			if n := whole(); n != 6 {
				t.Errorf("%d are whole", n)
			}
			lacks, err := w.store.Articles.IDs(t.Context(), reader.Query{Search: "is:incomplete"})
			if err != nil || len(lacks) != 6 {
				t.Errorf("%v are known to be incomplete, %v", lacks, err)
			}
		})
	}
}

// podcast serves a feed of n episodes.
func (w *web) podcast(path string, n int) {
	items := ""
	for i := range n {
		items += fmt.Sprintf("<item><title>%d</title><guid>%[1]d</guid><pubDate>%s</pubDate><enclosure url='%s' type='audio/mpeg' length='9'/></item>", i,
			w.clock.Now().Add(-time.Duration(i)*time.Minute).Format(time.RFC1123Z), w.address(fmt.Sprintf("%s-%d.mp3", path, i)))
		w.on(fmt.Sprintf("%s-%d.mp3", path, i), func(out http.ResponseWriter, _ *http.Request) { io.WriteString(out, "an episode") })
	}
	w.says(path, "<rss version='2.0'><channel><title>podcast</title>"+items+"</channel></rss>")
}

// saved returns where the files of the unread articles are.
func (w *world) saved() (paths []string) {
	w.t.Helper()
	err := w.store.Articles.Media(w.t.Context(), w.unreadIDs(), func(e reader.EnclosureOf) {
		if _, err := os.Stat(e.Saved); err == nil {
			paths = append(paths, e.Saved)
		}
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return paths
}

// The next episodes of a feed are brought where that is wanted, on networks that cost nothing; heard ones go after some days.
func TestEpisodesAreBrought(t *testing.T) {
	w := newPreparingWorld(t)
	w.web.podcast("/cast", 5)
	f := w.subscribePaths("/cast")[0]
	w.prepared()
	if asked := w.web.askedPaths(".mp3"); len(asked) > 0 {
		t.Errorf("not wanted: %v", asked)
	}
	if err := w.Preparer().SetEpisodes(t.Context(), f.ID, 2); err != nil {
		t.Fatal(err)
	}
	w.SetPowerState(PowerState{Metered: true})
	w.clock.add(time.Hour)
	w.byHand(f.ID)
	w.prepared()
	if asked := w.web.askedPaths(".mp3"); len(asked) > 0 {
		t.Errorf("metered: %v", asked)
	}
	w.SetPowerState(PowerState{})
	w.clock.add(time.Hour)
	w.byHand(f.ID)
	w.prepared()
	if asked, saved := w.web.askedPaths(".mp3"), w.saved(); len(asked) != 2 || len(saved) != 2 || filepath.Ext(saved[0]) != ".mp3" {
		t.Errorf("asked for %v, saved %v", asked, saved)
	}
	w.exec("UPDATE status SET read = 1")
	w.clock.add(4 * 24 * time.Hour)
	w.byHand(f.ID)
	w.prepared()
	if left, err := filepath.Glob(filepath.Join(w.dir, "files", "*")); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// Files are taken along where that is wanted; one that cannot be had is told.
func TestTakeFiles(t *testing.T) {
	w := newPreparingWorld(t)
	w.web.podcast("/cast", 3)
	w.web.on("/cast-1.mp3", http.NotFound)
	w.subscribePaths("/cast")
	w.prepared()
	e, err := w.Preparer().Estimate(t.Context(), w.unreadIDs())
	if err != nil || e.Files != 3 || e.FileSize != 27 {
		t.Errorf("%+v, %v", e, err)
	}
	got, err := w.take(t.Context(), true, &preparer.Trip{})
	if err != nil || got.Files != 2 || got.NoFiles != 1 || len(w.saved()) != 2 {
		t.Errorf("%+v, %v, %v", got, w.saved(), err)
	}
}
