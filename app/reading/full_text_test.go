package reading

import (
	"database/sql"
	"strings"
	"testing"

	"kairos/app/home/hometest"
	"kairos/reader"
)

func TestToggleFullText(t *testing.T) {
	p, room, ids := newPane(t)
	q, id := room.Queue, ids[0]
	err := room.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		return reader.StoreFullText(t.Context(), tx, id, "<p>All of it.</p>", hometest.Noon)
	})
	if err != nil {
		t.Fatal(err)
	}
	shown := func(row int, full bool) func() bool {
		return func() bool {
			return room.Session.IsShown(ids[row]) && p.FullText == full
		}
	}
	p.Open(ids[0])
	q.Until("the page's text, which was fetched, is shown", shown(0, true))
	p.ToggleFullText()
	q.Until("the feed's is", func() bool { return !p.FullText && p.Bar.FullText.Name == "Show full article" })

	// Either is kept when one comes back.
	for _, full := range []bool{false, true} {
		p.Open(ids[1])
		q.Until("the next is shown", shown(1, false))
		p.Open(ids[0])
		q.Until("it is shown as before", shown(0, full))
		p.ToggleFullText()
		q.Until("the other text is shown", shown(0, !full))
	}
	// A page that cannot be had says so and changes nothing.
	p.Open(ids[1])
	q.Until("the next is shown", func() bool { return room.Session.IsShown(ids[1]) })
	p.ToggleFullText()
	q.Until("it says why not", func() bool {
		return strings.HasPrefix(room.Host.Said, "The full article could not be loaded")
	})
	if p.FullText {
		t.Error("nothing is shown as the full text")
	}
}
