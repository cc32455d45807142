package home

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/parse"
)

func TestDuplicatesAreReadTogether(t *testing.T) {
	h := openHome(t, t.TempDir(), clockAt(noon))
	feeds, _ := withArticles(t, h)
	err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		for _, feed := range feeds {
			_, err := reader.StoreArticles(t.Context(), tx, feed, []parse.Article{{Key: "s", Title: "Seven", Link: "https://lamp.test/seven"}}, noon, time.Time{})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := reader.DedupeSettings{Once: true, ReadTogether: true}
	if err := h.Duplicates.Set(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if got, err := h.Store.Duplicates.Settings(t.Context()); err != nil || got != want {
		t.Fatal(got, err)
	}
	all, err := h.Store.Articles.IDs(t.Context(), reader.Query{})
	once, err2 := h.Store.Articles.IDs(t.Context(), reader.Query{Dedupe: true})
	if err != nil || err2 != nil || len(all) != 3 || len(once) != 2 {
		t.Fatal(all, once, err, err2)
	}
	unread := func() int {
		ids, err := h.Store.Articles.IDs(t.Context(), reader.Query{View: reader.Unread})
		if err != nil {
			t.Fatal(err)
		}
		return len(ids)
	}
	shown := once[:1] // the newest is the story: it came last
	if changed, err := h.Marks.Set(t.Context(), shown, reader.FlagRead, true); err != nil || len(changed) != 2 || unread() != 1 {
		t.Errorf("changed %v (%v)", changed, err)
	} else if _, err := h.Marks.Set(t.Context(), changed, reader.FlagRead, false); err != nil || unread() != 3 {
		t.Errorf("after undo %d are unread (%v)", unread(), err)
	}
	if changed, err := h.Marks.AllRead(t.Context(), reader.Query{Feed: feeds[1]}); err != nil || len(changed) != 2 || unread() != 1 || !slices.Contains(changed, shown[0]) {
		t.Errorf("changed %v (%v)", changed, err)
	}
	if err := h.Duplicates.Set(t.Context(), reader.DedupeSettings{}); err != nil {
		t.Fatal(err)
	}
	if changed, err := h.Marks.Set(t.Context(), shown, reader.FlagRead, false); err != nil || len(changed) != 1 {
		t.Errorf("changed %v (%v)", changed, err)
	}
}

// storiesExport writes an export of everything in which two feeds carry a story, and which wants it listed once.
func storiesExport(t *testing.T) string {
	t.Helper()
	h := openHome(t, t.TempDir(), clockAt(noon))
	feeds, _ := withArticles(t, h)
	if err := h.Duplicates.Set(t.Context(), reader.DedupeSettings{Once: true, Alike: true}); err != nil {
		t.Fatal(err)
	}
	err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		for i, feed := range feeds {
			text := "<p>A magnitude 6.2 earthquake struck off the coast of Corvana early on Tuesday, cutting power to the port town of Belmar, the seismological office said.</p>"
			title := []string{"Earthquake off Corvana", "Belmar without power after a quake"}[i]
			if _, err := reader.StoreArticles(t.Context(), tx, feed, []parse.Article{{Key: "q", Title: title, HTML: text, Published: noon.Add(-time.Hour)}}, noon, time.Time{}); err != nil {
				return err
			}
		}
		return nil
	})
	dir := filepath.Join(t.TempDir(), "export")
	if err == nil {
		_, err = h.Everything.Export(t.Context(), dir, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func inStories(t *testing.T, h *Home) (n int) {
	t.Helper()
	if err := h.Store.Read().QueryRow("SELECT count(*) FROM status WHERE story <> 0").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// What an import has brought is joined into stories: at once where nothing runs in the background, as in a terminal, else there.
func TestImportedArticlesAreJoinedIntoStories(t *testing.T) {
	dir := storiesExport(t)
	for _, background := range []bool{false, true} {
		h := openHome(t, t.TempDir(), clockAt(noon))
		committed, end := h.Store.Watch()
		defer end()
		if background {
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan struct{})
			defer func() { stop(); <-ended }()
			go func() { defer close(ended); h.Duplicates.run(ctx) }()
			for !h.Duplicates.running.Load() {
				runtime.Gosched()
			}
		}
		source, err := h.Imports.Open(t.Context(), dir, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Imports.Run(t.Context(), source, true, nil); err != nil {
			t.Fatal(err)
		}
		source.Close()
		for background && inStories(t, h) == 0 {
			<-committed
		}
		if n := inStories(t, h); n != 2 {
			t.Errorf("in the background: %v: %d articles belong to a story", background, n)
		}
	}
}

// What another reader has left is joined, too, and nothing of it is left when the import is undone.
func TestStoriesOfAnotherReader(t *testing.T) {
	h := openHome(t, t.TempDir(), clockAt(noon))
	if err := h.Duplicates.Set(t.Context(), reader.DedupeSettings{Once: true}); err != nil {
		t.Fatal(err)
	}
	var items []string
	for feed := 1; feed <= 2; feed++ {
		items = append(items, fmt.Sprintf(`{"feed_id": %d, "status": "unread", "title": "Lamplighters count seven lamps by night", "url": "https://lamp.test/seven", "published_at": %q, "created_at": %[2]q, "content": "x",
			"feed": {"feed_url": "https://lamp%[1]d.test/feed", "title": "Lamps %[1]d"}}`, feed, noon.Add(-time.Hour).Format(time.RFC3339)))
	}
	name := filepath.Join(t.TempDir(), "entries.json")
	if err := os.WriteFile(name, []byte(`{"total": 2, "entries": [`+strings.Join(items, ",")+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := h.Imports.Open(t.Context(), name, "")
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	done, err := h.Imports.Run(t.Context(), source, false, nil)
	if err != nil || done.Stored.Articles != 2 {
		t.Fatalf("%+v, %v", done, err)
	}
	if n := inStories(t, h); n != 2 {
		t.Errorf("%d articles belong to a story", n)
	}
	if err := h.Imports.Undo(t.Context(), done.ID); err != nil || inStories(t, h) != 0 {
		t.Errorf("after undo %d articles belong to a story (%v)", inStories(t, h), err)
	}
}
