package app

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kairos/app/settings"
	"kairos/reader"
	"kairos/reader/parse"
)

// After a restore the window shows the restored data, and nothing can be undone.
func TestRestored(t *testing.T) {
	w, q := newTestWindow(t)
	file := filepath.Join(t.TempDir(), "my.kairos")
	if _, err := w.shell.Home.Backups.Create(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	w.actions.MarkAllRead()
	q.Until("all is read", func() bool { return w.shell.History.Len() == 1 })
	newSettings(w).Open(settings.Storage)
	q.Until("the settings are open", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	w.status.advice.show("Birds has 300 unread articles", "Choose", func() {}, func(context.Context) error { return nil })
	if _, err := w.shell.Home.Backups.Restore(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	w.restored()
	if w.status.advice.pane.Visible() || w.status.action.Visible() {
		t.Error("what was offered before still is, about other feeds and articles")
	}
	q.Until("all is unread again", func() bool {
		return unread(t, w) == 6 && w.shell.History.Len() == 0 && len(w.session.List.IDs) == 6 && len(w.shell.Dialogs.Open) == 0
	})
}

// A story that two feeds carry is listed once as soon as the setting says so.
func TestFoldStoriesAtOnce(t *testing.T) {
	w, q := newTestWindow(t)
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		for _, f := range w.library.Feeds {
			_, err := reader.StoreArticles(t.Context(), tx, f.ID, []parse.Article{{Key: "s", Title: "Seven", Link: "https://lamp.test/seven"}}, noon, time.Time{})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.reload()
	counted := func(shown int) bool {
		return len(w.session.List.IDs) == shown && w.library.Unread.Total == shown && strings.HasPrefix(w.win.Title(), fmt.Sprintf("(%d) ", shown))
	}
	q.Until("it is listed twice", func() bool { return counted(8) })
	set := func(on bool) {
		if err := w.shell.Home.Duplicates.Set(t.Context(), reader.DedupeSettings{Once: on}); err != nil {
			t.Fatal(err)
		}
		newSettings(w).OnDedupe()
	}
	set(true)
	q.Until("it is listed once", func() bool { return counted(7) })
	set(false)
	q.Until("it is listed twice again", func() bool { return counted(8) })
}

// Whoever asks for the settings again before they are there gets them once.
func TestSettingsAskedForTwice(t *testing.T) {
	w, q := newTestWindow(t)
	shown := 0
	w.win.Canvas().Focus(nil)
	for range 2 {
		newSettings(w).Open(settings.Accounts)
	}
	q.Until("both are loaded", func() bool {
		if len(w.shell.Dialogs.Open) == 1 && w.win.Canvas().Focused() != nil {
			shown++
			w.win.Canvas().Focus(nil)
		}
		return shown == 2
	})
	if len(w.shell.Dialogs.Open) != 1 {
		t.Errorf("%d dialogs are open", len(w.shell.Dialogs.Open))
	}
	w.shell.Dialogs.CloseAll()
	if len(w.shell.Dialogs.Open) != 0 || w.win.Canvas().Overlays().Top() != nil {
		t.Error("they stay open")
	}
}
