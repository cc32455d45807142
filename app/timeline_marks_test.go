package app

import (
	"database/sql"
	"strings"
	"testing"

	"kairos/reader"
)

// Marks on screen are stored: the process may be killed at any time.
func TestMarksAreShownOnceStored(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.List.TypedRune('j')
	q.until("the article is shown as read", func() bool { a := w.session.Reading(); return a != nil && a.Read })
	writing, stored := make(chan struct{}), make(chan error)
	finish := make(chan struct{})
	go func() {
		stored <- w.shell.Home.Store.Write(t.Context(), func(*sql.Tx) error {
			close(writing)
			<-finish
			return nil
		})
	}()
	<-writing
	for range 3 {
		w.timeline.List.TypedRune('s') // on, off, on
	}
	a := w.session.Reading()
	if a.Starred || !w.session.Marks.Value(a, reader.FlagStarred) {
		t.Errorf("before it is stored: shown %t, will be %t", a.Starred, w.session.Marks.Value(a, reader.FlagStarred))
	}
	close(finish)
	if err := <-stored; err != nil {
		t.Fatal(err)
	}
	q.until("all is stored", func() bool { return w.shell.Pending() == 0 })
	c, err := w.shell.Home.Store.Articles.Counts(t.Context(), noon, false)
	if err != nil || c.Starred != 1 || !w.session.Reading().Starred {
		t.Errorf("%d starred, shown: %t (%v)", c.Starred, w.session.Reading().Starred, err)
	}
}

func TestFailedMark(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.List.TypedRune('j')
	q.until("the article is shown as read", func() bool { a := w.session.Reading(); return a != nil && a.Read })
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("CREATE TRIGGER full BEFORE UPDATE ON status BEGIN SELECT RAISE(FAIL, 'no room'); END")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.timeline.List.TypedRune('s')
	q.until("it is said", func() bool { return strings.HasPrefix(w.status.message.Text, "The articles could not be marked.") })
	if a := w.session.Reading(); a.Starred || w.session.Marks.Value(a, reader.FlagStarred) {
		t.Error("shown as starred")
	}
}

func TestReadArticlesStayInUnreadUntilLeft(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.List.Select(0)
	q.until("it is marked read", func() bool { return unread(t, w) == 5 })
	w.timeline.Reload()
	reloaded := w.session.List.Version
	q.until("the list is loaded anew", func() bool { return w.session.List.Version > reloaded })
	if len(w.session.List.IDs) != 6 {
		t.Errorf("the article being read left the list: %d", len(w.session.List.IDs))
	}
	w.sidebar.ChooseKey("all")
	w.sidebar.ChooseKey("unread")
	q.until("Unread is without it", func() bool { return len(w.session.List.IDs) == 5 })
}
