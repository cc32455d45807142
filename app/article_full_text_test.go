package app

import (
	"database/sql"
	"strings"
	"testing"

	"kairos/reader"
	"kairos/reader/content"
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
			return w.session.Shown != nil && w.session.Shown.ID == w.session.List.IDs[row] && w.article.fullText == full
		}
	}
	w.timeline.list.Select(0)
	q.until("the page's text, which was fetched, is shown", shown(0, true))
	w.timeline.list.TypedRune('w')
	q.until("the feed's is", func() bool { return !w.article.fullText && w.article.bar.fullText.Name == "Show full article" })

	// Either is kept when one comes back.
	for _, full := range []bool{false, true} {
		w.timeline.list.Select(1)
		q.until("the next is shown", shown(1, false))
		w.timeline.list.Select(0)
		q.until("it is shown as before", shown(0, full))
		w.timeline.list.TypedRune('w')
		q.until("the other text is shown", shown(0, !full))
	}
	// A page that cannot be had says so and changes nothing.
	w.timeline.list.Select(1)
	q.until("the next is shown", func() bool { return w.session.Shown.ID == w.session.List.IDs[1] })
	w.timeline.list.TypedRune('w')
	q.until("it says why not", func() bool {
		return strings.HasPrefix(w.status.message.Text, "The full article could not be loaded")
	})
	if w.article.fullText {
		t.Error("nothing is shown as the full text")
	}
}

func TestFullTextOmitsRepeatedTitle(t *testing.T) {
	heading := func(text string) content.Block {
		return content.Block{Kind: content.Heading, Level: 1, Runs: []content.Run{{Text: text}}}
	}
	words := content.Block{Kind: content.Paragraph, Runs: []content.Run{{Text: "A title"}}}
	for what, c := range map[string]struct {
		blocks []content.Block
		want   int
	}{
		"the title":      {[]content.Block{heading("A Title "), words}, 1},
		"below a line":   {[]content.Block{words, heading("A title"), words}, 2},
		"another":        {[]content.Block{heading("The beginning"), words}, 2},
		"a paragraph":    {[]content.Block{words, words}, 2},
		"nothing at all": {nil, 0},
	} {
		if got := withoutTitle(c.blocks, "A title"); len(got) != c.want {
			t.Errorf("%s: %d blocks are left, want %d", what, len(got), c.want)
		}
	}
}
