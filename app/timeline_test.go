package app

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/parse"

	"fyne.io/fyne/v2"
)

// A list without a change on screen is not painted again; a changed one is.
func TestSameListIsNotRepainted(t *testing.T) {
	w, q := newTestWindow(t)
	tl := w.timeline
	tl.list.Resize(fyne.NewSize(400, 2*timelineRowHeight))
	page := func() articlePage {
		p := articlePage{ids: slices.Clone(tl.ids)}
		for _, id := range tl.ids {
			p.rows = append(p.rows, *tl.rows[id])
		}
		return p
	}
	q.until("all rows are there", func() bool { return len(tl.rows) == 6 })
	if !tl.same(page()) {
		t.Error("nothing has changed")
	}
	below := page()
	below.rows[5].Read = true
	if !tl.same(below) {
		t.Error("a change below what is on screen")
	}
	for what, change := range map[string]func(*articlePage){
		"a row":           func(p *articlePage) { p.rows[1].Read = true },
		"a row less":      func(p *articlePage) { p.ids = p.ids[:5] },
		"another order":   func(p *articlePage) { slices.Reverse(p.ids) },
		"no row on hand":  func(p *articlePage) { p.rows = nil },
		"an empty list":   func(p *articlePage) { *p = articlePage{} },
		"another place":   func(*articlePage) { tl.itemChanged = true },
		"another search":  func(*articlePage) { tl.searchChanged = true },
		"a row not shown": func(*articlePage) { delete(tl.rows, tl.ids[0]) },
	} {
		p := page()
		change(&p)
		if tl.same(p) {
			t.Errorf("%s: the same", what)
		}
		tl.itemChanged, tl.searchChanged = false, false
		tl.take(below)
	}
}

func TestNewArticlesKeepCurrentRow(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.list.Select(3)
	chosen := w.timeline.current
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "new", Title: "New", Published: noon}}, noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.timeline.reload()
	q.until("it has arrived", func() bool { return len(w.timeline.ids) == 7 })
	if w.timeline.current != chosen || w.timeline.ids[w.timeline.list.Chosen] != chosen {
		t.Errorf("row %d is chosen", w.timeline.list.Chosen)
	}
}

func TestUntitledPostAppearsOnce(t *testing.T) {
	w, q := newTestWindow(t)
	id := w.timeline.ids[0]
	text := "A post without a title, which goes on for much longer than a title can, so that the list shows what is left of it below."
	exec(t, w, "UPDATE article SET title = '', summary = ? WHERE id = ?", text, id)
	exec(t, w, "UPDATE body SET html = ? WHERE id = ?", "<p>"+text+"</p>", id)
	w.reload()
	q.until("it is listed", func() bool { return w.timeline.rows[id] != nil && w.timeline.rows[id].Untitled })
	row := newTimelineRow()
	w.timeline.update(0, row)
	if got := strings.TrimSuffix(row.title.Content, "…") + " " + row.summary.Content; got != text {
		t.Errorf("the row says %q", got)
	}
	w.timeline.list.Select(0)
	q.until("it is shown", func() bool { return w.article.shown != nil })
	w.article.view.SelectAll()
	if got := w.article.view.Selected(); strings.Count(got, "A post without") != 1 {
		t.Errorf("the article says %q", got)
	}
}

// What is first of a search is listed before the rest, and what is being read stays chosen.
func TestLongSearchIsWholeInTheEnd(t *testing.T) {
	w, q := newTestWindow(t)
	many := make([]parse.Article, 3*pageSize)
	for i := range many {
		many[i] = parse.Article{Key: strings.Repeat("k", i+1), Title: "Lamp", Published: noon.Add(-time.Duration(i) * time.Hour)}
	}
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, many, noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	exec(t, w, "INSERT INTO search (rowid, title, author, text) SELECT id, 'lamp', '', 'lamp' FROM article WHERE title = 'Lamp'")
	exec(t, w, "DELETE FROM search_waiting")
	w.timeline.reload()
	q.until("they have arrived", func() bool { return len(w.timeline.ids) == len(many)+6 })
	w.timeline.list.Select(len(many) - 1)
	chosen, lengths := w.timeline.current, map[int]bool{}
	for _, typed := range []string{"la", "lam", "lamp", "lam"} {
		w.search.SetText(typed)
		want := typed != "la" // a short word stands in a text as it is
		q.until("all are listed for "+typed, func() bool {
			lengths[len(w.timeline.ids)] = true
			return (len(w.timeline.ids) == len(many)) == want && !w.timeline.searchChanged
		})
	}
	if at := w.timeline.list.Chosen; w.timeline.current != chosen || at < 0 || w.timeline.ids[at] != chosen {
		t.Errorf("row %d is chosen", at)
	}
	for n := range lengths {
		if n != 0 && n != w.timeline.rowsShown() && n != len(many) && n != len(many)+6 {
			t.Errorf("%d were listed", n)
		}
	}
}

// What many articles have is listed in two steps, the second one when nobody types any more.
func TestFirstOfALongSearch(t *testing.T) {
	w, q := newTestWindow(t)
	const many = 11_000
	exec(t, w, fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO status (id, feed, key, published, seen) SELECT i + 1000, 1, 'k' || i, 1000 + i, 0 FROM n", many))
	exec(t, w, "INSERT INTO article (id, title, link, author, summary, digest) SELECT id, 'Lamp', '', '', '', 0 FROM status WHERE id > 1000")
	exec(t, w, "INSERT INTO body (id, html) SELECT id, '' FROM status WHERE id > 1000")
	exec(t, w, "INSERT INTO search (rowid, title, author, text) SELECT id, 'lamp l¦ la¦', '', '' FROM status WHERE id > 1000")
	exec(t, w, "DELETE FROM search_waiting")
	w.timeline.reload()
	q.until("they have arrived", func() bool { return len(w.timeline.ids) == many+6 })
	said := 0
	w.timeline.listed = func(n int) { said = n }
	var lengths []int
	for _, typed := range []string{"l", "la"} {
		w.search.SetText(typed)
		q.until("all are listed for "+typed, func() bool {
			if n := len(w.timeline.ids); n != many+6 && !slices.Contains(lengths, n) {
				lengths = append(lengths, n)
			}
			if typed == "la" && w.timeline.part && !w.timeline.searchChanged {
				w.timeline.selectAll()
			}
			return said == many
		})
		said = 0
	}
	if want := []int{w.timeline.rowsShown(), many}; !slices.Equal(lengths, want) {
		t.Errorf("%d were listed, want %d", lengths, want)
	}
	if n := len(w.timeline.targets()); n != many || w.timeline.selection.whole {
		t.Errorf("%d are selected, and what arrives later: %t", n, w.timeline.selection.whole)
	}
}
