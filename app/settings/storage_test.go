package settings

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/home/hometest"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/reader"
	"kairos/reader/parse"
)

// delist makes the first feed list nothing any more and marks everything read.
func delist(t *testing.T, s *Settings) {
	t.Helper()
	err := s.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		if _, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article(nil), hometest.Noon, time.Time{}); err != nil {
			return err
		}
		_, err := reader.MarkAllRead(t.Context(), tx, reader.Query{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestStoragePage(t *testing.T) {
	s, _, q := newSettings(t)
	delist(t, s)
	page := s.storagePage().(*fyne.Container)
	q.Until("nothing would be removed", func() bool { return widgetstest.Shows(page, "There is nothing to clean up.") })
	q.Until("it is measured", func() bool { return widgetstest.Shows(page, "Feed 0") && widgetstest.Shows(page, "3 articles") })
	clean := widgetstest.Button(t, page, "Clean up now…")
	if !clean.Disabled() {
		t.Error("Clean up now can be pressed")
	}
	fields := widgetstest.Find[*widgets.Select](page)
	fields[1].SetSelected("The newest 50")
	q.Until("still nothing would be removed", func() bool {
		r, err := s.Home.Store.Storage.Retention(t.Context())
		return err == nil && r.Number == 50 && widgetstest.Shows(page, "There is nothing")
	})
	// A value that is not offered is offered once it is set.
	if err := s.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		return reader.SetRetention(t.Context(), tx, reader.Retention{Keep: reader.Keep{Number: 2}})
	}); err != nil {
		t.Fatal(err)
	}
	page = s.storagePage().(*fyne.Container)
	q.Until("one would be removed", func() bool { return widgetstest.Shows(page, "1 article would be cleaned up now, ") })
	if number := widgetstest.Find[*widgets.Select](page)[1]; number.Selected != "2" {
		t.Errorf("kept per feed: %q", number.Selected)
	}
	test.Tap(widgetstest.Button(t, page, "Clean up now…"))
	if len(s.Dialogs.Open) != 1 {
		t.Fatal("it does not ask")
	}
	s.Dialogs.Open[0].Press("Clean up")
	q.Until("it is cleaned up", func() bool {
		return widgetstest.Shows(page, "1 article was cleaned up") && widgetstest.Shows(page, "2 articles")
	})
	if ids, err := s.Home.Store.Articles.IDs(t.Context(), reader.Query{}); err != nil || len(ids) != 5 {
		t.Errorf("left: %v (%v)", ids, err)
	}
}

func TestBackUpAndRestore(t *testing.T) {
	s, w, q := newSettings(t)
	dir := t.TempDir()
	s.BackUp()
	s.Dialogs.Open[0].Hide()

	file := filepath.Join(dir, "my.kairos")
	if _, err := s.Home.Backups.Create(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	delist(t, s)
	s.checkBackup(file)
	q.Until("it asks", func() bool { return len(s.Dialogs.Open) == 1 })
	s.Dialogs.Open[0].Press("Restore")
	q.Until("everything is unread again", func() bool { return w.restored == 1 })
	if n := unread(t, s); n != 6 {
		t.Errorf("restored, %d are unread", n)
	}
	q.Until("there is a message", func() bool { return len(s.Dialogs.Open) == 1 })
	if aside, err := filepath.Glob(filepath.Join(s.Home.Dir, "*.aside-*")); err != nil || len(aside) != 1 {
		t.Errorf("set-aside copies: %v (%v)", aside, err)
	}
	s.Dialogs.Open[0].Hide()

	if err := os.WriteFile(file, []byte("no backup"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.checkBackup(file)
	q.Until("it is refused", func() bool { return len(s.Dialogs.Open) == 1 })
	if n := unread(t, s); n != 6 {
		t.Errorf("refused, %d are unread", n)
	}
}
