package app

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/parse"
)

// delist lets the first feed list nothing any more, and everything be read.
func delist(t *testing.T, w *window) {
	t.Helper()
	err := w.home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		if _, err := reader.StoreArticles(t.Context(), tx, w.sidebar.feeds[0].ID, []parse.Article(nil), noon, time.Time{}); err != nil {
			return err
		}
		_, err := reader.MarkAllRead(t.Context(), tx, reader.Query{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func button(t *testing.T, o fyne.CanvasObject, text string) *widget.Button {
	t.Helper()
	for _, b := range find[*widget.Button](o) {
		if b.Text == text {
			return b
		}
	}
	t.Fatal("there is no button " + text)
	return nil
}

func says(o fyne.CanvasObject, text string) bool {
	for _, w := range find[*widgets.Text](o) {
		if strings.Contains(w.String(), text) {
			return true
		}
	}
	return false
}

func TestKeepingSaysWhatACleanUpTakesAway(t *testing.T) {
	w, q := newTestWindow(t)
	delist(t, w)
	page := w.keepingPage().(*fyne.Container)
	q.until("nothing would go", func() bool { return says(page, "Nothing would be cleaned up now.") })
	q.until("it is measured", func() bool { return says(page, "Feed 0") && says(page, "3 articles") })
	clean := button(t, page, "Clean up now…")
	if !clean.Disabled() {
		t.Error("there is nothing to clean up")
	}
	fields := find[*widgets.Select](page)
	fields[1].SetSelected("the newest 50")
	q.until("still nothing would go", func() bool {
		r, err := w.home.Store.Storage.Retention(t.Context())
		return err == nil && r.Number == 50 && says(page, "Nothing")
	})
	// One is offered that another program has set.
	if err := w.home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		return reader.SetRetention(t.Context(), tx, reader.Retention{Keep: reader.Keep{Number: 2}})
	}); err != nil {
		t.Fatal(err)
	}
	page = w.keepingPage().(*fyne.Container)
	q.until("one would go", func() bool { return says(page, "1 article would be cleaned up now, ") })
	if number := find[*widgets.Select](page)[1]; number.Selected != "2" {
		t.Errorf("of each feed %q are kept", number.Selected)
	}
	test.Tap(button(t, page, "Clean up now…"))
	if len(w.dialogs.Open) != 1 {
		t.Fatal("it does not ask")
	}
	w.dialogs.Open[0].(interface{ Confirm() }).Confirm()
	q.until("it is cleaned up", func() bool { return says(page, "1 article was cleaned up") && says(page, "2 articles") })
	if ids, err := w.home.Store.Articles.IDs(t.Context(), reader.Query{}); err != nil || len(ids) != 5 {
		t.Errorf("left are %v (%v)", ids, err)
	}
}

func TestAFeedsOwnRetentionIsSet(t *testing.T) {
	w, q := newTestWindow(t)
	p := w.feeds.properties(&w.sidebar.feeds[0])
	if p.days.Selected != "as the settings say" || p.number.Selected != "as the settings say" {
		t.Errorf("at first %q and %q", p.days.Selected, p.number.Selected)
	}
	p.days.SetSelected("for ever")
	p.number.SetSelected("the newest 100")
	p.save(false)
	want := reader.Keep{Days: reader.KeepAll, Number: 100}
	q.until("it is stored", func() bool {
		f, err := w.home.Store.Feeds.Get(t.Context(), p.feed.ID)
		return err == nil && f.Keep == want && len(w.dialogs.Open) == 0
	})
	f, err := w.home.Store.Feeds.Get(t.Context(), p.feed.ID)
	if err != nil {
		t.Fatal(err)
	}
	if p = w.feeds.properties(&f); p.days.Selected != "for ever" || p.number.Selected != "the newest 100" {
		t.Errorf("later %q and %q", p.days.Selected, p.number.Selected)
	}
}

func TestBackUpAndRestoreInTheWindow(t *testing.T) {
	w, q := newTestWindow(t)
	dir := t.TempDir()
	w.backUpDialog()
	w.dialogs.Open[0].Hide()

	file := filepath.Join(dir, "my.kairos")
	if _, err := w.home.Backups.Create(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	w.actions.markAllRead()
	q.until("all is read", func() bool { return len(w.undo.actions) == 1 })
	w.restoreFrom(file)
	q.until("it asks", func() bool { return len(w.dialogs.Open) == 1 })
	w.dialogs.Open[0].(interface{ Confirm() }).Confirm()
	q.until("all is unread again, and nothing can be undone", func() bool { return unread(t, w) == 6 && len(w.undo.actions) == 0 && len(w.timeline.ids) == 6 })
	q.until("it is said", func() bool { return len(w.dialogs.Open) == 1 })
	if aside, err := filepath.Glob(filepath.Join(w.home.Dir, "*.aside-*")); err != nil || len(aside) != 1 {
		t.Errorf("set aside: %v (%v)", aside, err)
	}
	w.dialogs.Open[0].Hide()

	if err := os.WriteFile(file, []byte("no backup"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.restoreFrom(file)
	q.until("it is refused", func() bool { return len(w.dialogs.Open) == 1 })
	if n := unread(t, w); n != 6 {
		t.Errorf("%d are unread", n)
	}
}
