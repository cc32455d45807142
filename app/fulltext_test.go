package app

import (
	"database/sql"
	"strings"
	"testing"

	"kairos/reader"
)

func TestFullTextAndBack(t *testing.T) {
	w, q := newTestWindow(t)
	id := w.timeline.ids[0]
	err := w.home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		return reader.SaveFullText(t.Context(), tx, id, "<p>All of it.</p>", noon)
	})
	if err != nil {
		t.Fatal(err)
	}
	w.timeline.list.Select(0)
	q.until("the feed's text is shown", func() bool { return w.reading.shown != nil && !w.reading.full })
	w.timeline.list.TypedRune('w')
	q.until("the page's is", func() bool { return w.reading.full && w.reading.whole.Text == "As in the feed" })
	w.timeline.list.TypedRune('w')
	q.until("the feed's again", func() bool { return !w.reading.full })
	// A page that cannot be had says so and changes nothing.
	w.timeline.list.Select(1)
	q.until("the next is shown", func() bool { return w.reading.shown.ID == w.timeline.ids[1] })
	w.timeline.list.TypedRune('w')
	q.until("it says why not", func() bool { return strings.HasPrefix(w.status.note.Text, "The full text did not come") })
	if w.reading.full {
		t.Error("nothing is shown as the full text")
	}
}
