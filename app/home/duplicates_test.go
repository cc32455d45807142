package home

import (
	"database/sql"
	"slices"
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
