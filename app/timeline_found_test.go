package app

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/reader"
	"kairos/reader/parse"
)

func TestSearchHighlights(t *testing.T) {
	w, q := newTestWindow(t)
	w.search.SetText("body 2 is:unread")
	q.until("it is found", func() bool { return len(w.session.List.IDs) == 2 && w.timeline.Highlight.Marks != nil })
	w.timeline.List.Select(0)
	q.until("an article is shown", func() bool { return w.session.Shown != nil })
	marked := func() int { return len(w.timeline.Highlight.Marks.In("Body 2 of feed 0")) }
	if marked() != 2 {
		t.Errorf("%d words are marked", marked())
	}
	w.search.SetText("feed:0")
	q.until("no words are searched for", func() bool { return w.timeline.Highlight.Marks == nil })
	w.search.SetText("body")
	q.until("words again", func() bool { return w.timeline.Highlight.Marks != nil && marked() == 1 })
	w.win.Canvas().Focus(w.search)
	w.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	q.until("Escape takes the marks away", func() bool { return w.timeline.Highlight.Marks == nil && len(w.session.List.IDs) == 6 })
}

func TestExcerptsComeWithTheResults(t *testing.T) {
	w, q := newTestWindow(t)
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "far", Title: "Fog", HTML: "<p>" + strings.Repeat("Nothing is seen. ", 30) + "A lighthouse.</p>", Published: noon}}, noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.search.SetText("lighthouse")
	q.until("it is found", func() bool { return len(w.session.List.IDs) == 1 && !w.timeline.SearchChanged })
	if got := w.timeline.Excerpt(w.session.List.Loaded[w.session.List.IDs[0]]).Summary; !strings.HasSuffix(got, "A lighthouse.") || !strings.HasPrefix(got, "…") {
		t.Errorf("the row shows %q", got)
	}
}
