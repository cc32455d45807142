package app

import (
	"database/sql"
	"strings"
	"testing"

	"kairos/reader"
)

func TestToggleFullText(t *testing.T) {
	w, q := newTestWindow(t)
	id := w.session.List.IDs[0]
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		return reader.StoreFullText(t.Context(), tx, id, "<p>All of it.</p>", noon)
	})
	if err != nil {
		t.Fatal(err)
	}
	shown := func(row int, full bool) func() bool {
		return func() bool {
			return w.session.Shown != nil && w.session.Shown.ID == w.session.List.IDs[row] && w.article.FullText == full
		}
	}
	w.timeline.List.Select(0)
	q.until("the page's text, which was fetched, is shown", shown(0, true))
	w.timeline.List.TypedRune('w')
	q.until("the feed's is", func() bool { return !w.article.FullText && w.article.Bar.FullText.Name == "Show full article" })

	// Either is kept when one comes back.
	for _, full := range []bool{false, true} {
		w.timeline.List.Select(1)
		q.until("the next is shown", shown(1, false))
		w.timeline.List.Select(0)
		q.until("it is shown as before", shown(0, full))
		w.timeline.List.TypedRune('w')
		q.until("the other text is shown", shown(0, !full))
	}
	// A page that cannot be had says so and changes nothing.
	w.timeline.List.Select(1)
	q.until("the next is shown", func() bool { return w.session.Shown.ID == w.session.List.IDs[1] })
	w.timeline.List.TypedRune('w')
	q.until("it says why not", func() bool {
		return strings.HasPrefix(w.status.message.Text, "The full article could not be loaded")
	})
	if w.article.FullText {
		t.Error("nothing is shown as the full text")
	}
}
