package home_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/home/hometest"
)

// entries writes what Miniflux has of a feed that posts at 6:00, read at 7:30 and 21:00 each day.
func entries(t *testing.T, now time.Time) string {
	t.Helper()
	var items []string
	for d := 1; d <= 30; d++ {
		day := now.Truncate(24*time.Hour).AddDate(0, 0, -d)
		for k, read := range []time.Duration{7*time.Hour + 30*time.Minute, 21 * time.Hour} {
			posted := day.Add(6*time.Hour + time.Duration(k)*time.Minute)
			items = append(items, fmt.Sprintf(`{"feed_id": 1, "status": "read", "title": "Day %d, %d", "url": "https://a.test/%d/%d", "published_at": %q, "created_at": %q, "changed_at": %q, "content": "x",
				"feed": {"feed_url": "https://ann:secret@moved.test/feed", "title": "Moved"}}`, d, k, d, k, posted.Format(time.RFC3339), posted.Format(time.RFC3339), day.Add(read).Format(time.RFC3339)))
		}
	}
	name := filepath.Join(t.TempDir(), "entries.json")
	if err := os.WriteFile(name, []byte(`{"total": 60, "entries": [`+strings.Join(items, ",")+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// An import teaches how feeds post and, where the other reader knows when articles were read, when the user reads, as hints. Its
// passwords go into the keyring. Undone, all of that is gone.
func TestImportTeaches(t *testing.T) {
	h := hometest.OpenWith(t.Context(), t, home.Options{Keyring: hometest.NewRing()})
	defer h.Close()
	source, err := h.Imports.Open(t.Context(), entries(t, hometest.Noon), "")
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	done, err := h.Imports.Run(t.Context(), source, false, nil)
	if err != nil || done.Stored.Articles != 60 || len(done.Added) != 1 || len(done.Refused) != 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	f, err := h.Store.Feeds.Get(t.Context(), done.Added[0])
	if err != nil || !f.Login || f.URL != "https://moved.test/feed" {
		t.Errorf("%+v, %v", f, err)
	}
	var posted int
	if err := h.Store.Read().QueryRow("SELECT posted FROM poll p JOIN subject i ON i.id = p.subject WHERE i.feed = ?", f.ID).Scan(&posted); err != nil || posted == 0 {
		t.Errorf("posted %d, %v", posted, err)
	}
	hints, err := h.Log.Hints(t.Context())
	if err != nil || len(hints) != 2 || len(done.Hints) != 2 {
		t.Errorf("%+v, %v", hints, err)
	}
	for _, hint := range hints {
		if s := hint.String(); s != "7:30 everyday" && s != "21:00 everyday" {
			t.Errorf("hint %s", s)
		}
	}
	if err := h.Imports.Undo(t.Context(), done.ID); err != nil {
		t.Fatal(err)
	}
	if hints, err := h.Log.Hints(t.Context()); err != nil || len(hints) != 0 {
		t.Errorf("after undoing: %+v, %v", hints, err)
	}
	if feeds, err := h.Store.Feeds.List(t.Context()); err != nil || len(feeds) != 2 {
		t.Errorf("after undoing %d feeds, %v", len(feeds), err)
	}
}

// Feeds and folders that are new stand as in the list, and are exported so; taken back, nothing is left.
func TestImportKeepsTheOrder(t *testing.T) {
	h := openFolder(t, t.TempDir())
	name := filepath.Join(t.TempDir(), "list.opml")
	outline := func(title string) string {
		return fmt.Sprintf(`<outline text=%q xmlUrl="https://%s.test/"/>`, title, title)
	}
	err := os.WriteFile(name, []byte(`<opml><body><outline text="Z">`+outline("c")+outline("a")+outline("b")+`</outline><outline text="G"><outline text="2">`+outline("d")+`</outline><outline text="1">`+outline("e")+`</outline></outline></body></opml>`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	source, err := h.Imports.Open(t.Context(), name, "")
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	would, err := h.Imports.Preview(t.Context(), source)
	if err != nil || len(would.Feeds) != 5 || would.Folders != 3 || would.Known != 0 {
		t.Errorf("%+v, %v", would, err)
	}
	done, err := h.Imports.Run(t.Context(), source, false, nil)
	if err != nil || done.Stored.Feeds != 5 {
		t.Fatalf("%+v, %v", done, err)
	}
	feeds, err := h.Store.Feeds.List(t.Context())
	var listed []string
	for _, f := range feeds {
		listed = append(listed, f.Folder+": "+f.OwnTitle)
	}
	if got := strings.Join(listed, ", "); got != "Z: c, Z: a, Z: b, G / 2: d, G / 1: e" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	var list strings.Builder
	if _, err := h.Store.Feeds.Export(t.Context(), &list, hometest.Noon); err != nil || strings.Index(list.String(), `"Z"`) > strings.Index(list.String(), `"G"`) || strings.Index(list.String(), `"c"`) > strings.Index(list.String(), `"a"`) {
		t.Errorf("%s, %v", list.String(), err)
	}
	if err := h.Imports.Undo(t.Context(), done.ID); err != nil {
		t.Fatal(err)
	}
	if feeds, err := h.Store.Feeds.List(t.Context()); err != nil || len(feeds) != 0 {
		t.Errorf("%+v, %v", feeds, err)
	}
	if folders, err := h.Store.Feeds.Folders(t.Context()); err != nil || len(folders) != 0 {
		t.Errorf("%+v, %v", folders, err)
	}
}

// A feed of this computer's network that the list has paused is told as one, and not fetched when the list is imported.
func TestPausedLocalFeedsAreTold(t *testing.T) {
	h := openFolder(t, t.TempDir())
	name := filepath.Join(t.TempDir(), "list.opml")
	const list = `<opml xmlns:kairos="urn:kairos:opml"><body><outline text="R" xmlUrl="http://192.168.0.1/feed" kairos:paused="true"/><outline text="W" xmlUrl="https://a.test/" kairos:paused="true"/></body></opml>`
	if err := os.WriteFile(name, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	done := importExport(t, h, name)
	if len(done.Added) != 2 || len(done.Local) != 1 || len(done.Paused) != 1 {
		t.Errorf("%+v", done)
	}
	feeds, err := h.Store.Feeds.List(t.Context())
	if err != nil || len(feeds) != 2 || !feeds[0].Paused || !feeds[1].Paused {
		t.Errorf("%+v, %v", feeds, err)
	}
}
