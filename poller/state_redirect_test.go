package poller

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"kairos/reader"
)

// leading answers with a redirect.
func (w *web) leading(path string, code int, to string) {
	w.on(path, func(out http.ResponseWriter, r *http.Request) { http.Redirect(out, r, to, code) })
}

// moving returns a world with a feed that is redirected to where its posts are.
func moving(t *testing.T, code int, to string) (*world, reader.Feed) {
	w, _, feeds := wired(t, "a")
	w.web.posting("/b", time.Hour)
	w.web.leading("/a", code, to)
	return w, feeds[0]
}

// fetches lets days pass with n manual fetches each.
func (w *world) fetches(f reader.Feed, days, n int) (out []Outcome) {
	for range days * n {
		w.clock.add(day / time.Duration(n))
		out = append(out, w.byHand(f.ID)[0])
	}
	return out
}

func TestProvenRedirectIsAdopted(t *testing.T) {
	for _, code := range []int{http.StatusMovedPermanently, http.StatusPermanentRedirect} {
		w, f := moving(t, code, "http://b.example/b")
		w.fetches(f, 1, 3)
		w.restart()
		w.wire()
		w.fetches(f, 2, 3)
		if got := w.feed(f.ID).URL; got != f.URL {
			t.Fatalf("%d: adopted after two days: %s", code, got)
		}
		out := w.fetches(f, 2, 3)
		if got := w.feed(f.ID).URL; got != "http://b.example/b" || !slices.ContainsFunc(out, func(o Outcome) bool { return o.Message.Code == FeedMoved && o.Message.Address == "http://b.example/b" }) {
			t.Fatalf("%d: after four days %s, told %+v", code, got, out)
		}
		w.web.requests()
		w.clock.add(20 * time.Minute)
		if o := w.byHand(f.ID)[0]; o.Result != Unchanged || o.Status != 304 {
			t.Errorf("%d: the validators are lost: %+v", code, o)
		}
		w.live(2 * day)
		asked := map[string]int{}
		for _, a := range w.web.requests() {
			asked[a.path]++
		}
		if asked["/a"] > 0 || asked["/b"] < 3 {
			t.Errorf("%d: asked %v", code, asked)
		}
	}
}

func TestRedirectsThatAreNotAdopted(t *testing.T) {
	tests := map[string]struct {
		code   int
		to     string
		result Result
	}{
		"found":                  {302, "http://b.example/b", Stored},
		"see other":              {303, "http://b.example/b", Stored},
		"temporary":              {307, "http://b.example/b", Stored},
		"to this network":        {301, "http://192.168.1.1/b", Failed},
		"to this machine":        {301, "http://localhost/b", Failed},
		"to a name without dots": {301, "http://router/b", Failed},
		"to a page to sign in":   {301, "http://captive.example/b", Stored},
		"by way of another":      {301, "http://a.example/way", Stored},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w, f := moving(t, tt.code, tt.to)
			w.web.leading("/way", http.StatusFound, "http://b.example/b")
			for _, o := range w.fetches(f, 6, 2) {
				if o.Result != tt.result {
					t.Errorf("%+v", o)
				}
			}
			if got := w.feed(f.ID).URL; got != f.URL {
				t.Errorf("moved to %s", got)
			}
		})
	}
	t.Run("to no feed", func(t *testing.T) {
		w, f := moving(t, 301, "http://b.example/b")
		w.web.says("/b", "<html><body>This domain is for sale</body></html>")
		w.fetches(f, 6, 2)
		if s := w.stateOf(f.ID); w.feed(f.ID).URL != f.URL || s.Failures == 0 {
			t.Errorf("moved to %s, %d faults", w.feed(f.ID).URL, s.Failures)
		}
	})
	t.Run("often in a day", func(t *testing.T) {
		w, f := moving(t, 301, "http://b.example/b")
		w.fetches(f, 1, 20)
		if got := w.feed(f.ID).URL; got != f.URL {
			t.Errorf("moved to %s", got)
		}
	})
	t.Run("not every time", func(t *testing.T) {
		w, f := moving(t, 301, "http://b.example/b")
		for i := range 12 {
			if i%3 == 2 {
				w.web.posting("/a", time.Hour)
			} else {
				w.web.leading("/a", 301, "http://b.example/b")
			}
			w.fetches(f, 1, 1)
		}
		if got := w.feed(f.ID).URL; got != f.URL {
			t.Errorf("moved to %s", got)
		}
	})
	t.Run("with a password", func(t *testing.T) {
		w, f := moving(t, 301, "http://b.example/b")
		f.Login = true
		w.update(f)
		w.fetches(f, 6, 2)
		if got := w.feed(f.ID).URL; got != f.URL {
			t.Errorf("moved to %s", got)
		}
	})
}

// A feed that moves to the address of another subscription is merged with it.
func TestAdoptedRedirectMergesFeeds(t *testing.T) {
	w, _, feeds := wired(t, "a", "b")
	a, b := feeds[0], feeds[1]
	a.Folder, a.Weight, a.Every = "News", 2, 6*time.Hour
	w.update(a)
	w.fetches(a, 1, 2)
	w.web.leading("/a", http.StatusMovedPermanently, "http://b.example/b")
	w.fetches(a, 1, 1)
	w.byHand(b.ID)
	const newest = "SELECT id FROM status WHERE feed = ? ORDER BY published DESC LIMIT 1"
	starred, before := w.number(newest, b.ID), w.number("SELECT count(DISTINCT key) FROM status")
	w.exec("UPDATE status SET starred = 1, read = 1 WHERE id = ?", w.number(newest, a.ID)) // the same article
	for range 5 {
		w.clock.add(day)
		if _, err := w.Fetch(t.Context(), []int64{a.ID}, nil); err != nil {
			break
		}
	}
	if _, err := w.store.Feeds.Get(t.Context(), a.ID); err == nil {
		t.Fatal("both are left")
	}
	got := w.feed(b.ID)
	if got.URL != b.URL || got.Folder != "News" || got.Weight != 2 || got.Every != 6*time.Hour {
		t.Errorf("%+v", got)
	}
	if n := w.number("SELECT count(*) FROM status WHERE feed = ?", b.ID); n < before || n != w.number("SELECT count(*) FROM status") {
		t.Errorf("%d articles of %d", n, before)
	}
	if n := w.number("SELECT read + starred FROM status WHERE id = ?", starred); n != 2 {
		t.Error("a star or a read mark is lost")
	}
	w.live(day)
	if s := w.stateOf(b.ID); s.Failures > 0 || w.number("SELECT count(*) FROM poll") != 1 {
		t.Errorf("%+v", s)
	}
	if n := w.number("SELECT count(*) FROM pragma_foreign_key_check"); n > 0 {
		t.Errorf("%d rows belong to nothing", n)
	}
}
