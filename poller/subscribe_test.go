package poller

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kairos/reader"
)

func TestSubscribeAsksOnce(t *testing.T) {
	w := newIconWorld(t)
	w.web.posting("/direct", time.Hour)
	found, err := w.Discover(t.Context(), w.web.address("/direct"), Login{})
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	f, o, err := w.Subscribe(t.Context(), found[0], reader.Feed{Folder: "News"}, nil)
	if err != nil || o.Result != Stored || o.New != 15 || f.Title != "/direct" || f.Folder != "News" {
		t.Errorf("%+v\n%+v\n%v", f, o, err)
	}
	if n := len(w.web.requests()); n != 1 {
		t.Errorf("%d requests to subscribe to a direct address", n)
	}
	w.settled()
	for _, a := range w.web.requests() {
		if a.path == "/direct" {
			t.Error("the feed is asked again")
		}
	}
	if s := w.stateOf(f.ID); s.validators.ETag == "" {
		t.Error("discovery's validators are lost")
	}
	if _, err := w.Discover(t.Context(), w.web.address("/direct"), Login{}); err == nil {
		t.Error("a duplicate is not recognized")
	}
}

// A keyring that asks its user blocks no other write, and one that refuses leaves no
// subscription.
func TestStoringALoginBlocksNoWrites(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/a", time.Hour)
	refused := errors.New("refused")
	_, _, err := w.Subscribe(t.Context(), Candidate{URL: w.web.address("/a")}, reader.Feed{}, func(int64) error {
		w.exec("INSERT INTO setting VALUES ('written', 'meanwhile')")
		return refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
	if feeds, err := w.store.Feeds.List(t.Context()); err != nil || len(feeds) != 0 {
		t.Errorf("%v, %v", feeds, err)
	}
	w.settled()
	if n := len(w.web.requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
	kept := int64(0)
	f, o, err := w.Subscribe(t.Context(), Candidate{URL: w.web.address("/a")}, reader.Feed{}, func(id int64) error { kept = id; return nil })
	if err != nil || o.Result != Stored || kept != f.ID {
		t.Errorf("%+v, %+v, %v, the login is that of %d", f, o, err, kept)
	}
}

func TestMissingFile(t *testing.T) {
	w := newWorld(t)
	name := filepath.Join(t.TempDir(), "feed.xml")
	write := func(n int) {
		if err := os.WriteFile(name, []byte(rss("File", since(monday, time.Hour, n)...)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(3)
	found, err := w.Discover(t.Context(), name, Login{})
	if err != nil {
		t.Fatal(err)
	}
	f, o, err := w.Subscribe(t.Context(), found[0], reader.Feed{}, nil)
	if err != nil || o.New != 3 || f.Title != "File" {
		t.Fatal(f, o, err)
	}
	if o := w.byHand(f.ID)[0]; o.Result != Unchanged {
		t.Errorf("again: %+v", o)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if o := w.byHand(f.ID)[0]; o.Result != Failed || o.Message.Reason() != string(FileMissing) {
		t.Errorf("vanished: %+v", o)
	}
	if err := os.Mkdir(name, 0o700); err != nil {
		t.Fatal(err)
	}
	if o := w.byHand(f.ID)[0]; o.Result != Failed || o.Message.Reason() != string(NotAFile) {
		t.Errorf("a folder: %+v", o)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	write(4)
	w.live(day)
	if s := w.stateOf(f.ID); s.Failures != 0 || w.number("SELECT count(*) FROM status") != 4 {
		t.Errorf("back again: %+v", s)
	}
}
