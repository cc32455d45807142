package app

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/app/accessible/describe"
	"kairos/app/session"
	"kairos/reader"
	"kairos/reader/parse"

	"fyne.io/fyne/v2"
)

// A list without a change on screen is not painted again; a changed one is.
func TestSameListIsNotRepainted(t *testing.T) {
	w, q := newTestWindow(t)
	tl := w.timeline
	tl.List.Resize(fyne.NewSize(400, 140))
	page := func() session.Page {
		p := session.Page{IDs: slices.Clone(w.session.List.IDs)}
		for _, id := range w.session.List.IDs {
			p.Rows = append(p.Rows, *w.session.List.Loaded[id])
		}
		return p
	}
	q.until("all rows are there", func() bool { return len(w.session.List.Loaded) == 6 })
	if !tl.Same(page()) {
		t.Error("nothing has changed")
	}
	below := page()
	below.Rows[5].Read = true
	if !tl.Same(below) {
		t.Error("a change below what is on screen")
	}
	for what, change := range map[string]func(*session.Page){
		"a row":           func(p *session.Page) { p.Rows[1].Read = true },
		"a row less":      func(p *session.Page) { p.IDs = p.IDs[:5] },
		"another order":   func(p *session.Page) { slices.Reverse(p.IDs) },
		"no row on hand":  func(p *session.Page) { p.Rows = nil },
		"an empty list":   func(p *session.Page) { *p = session.Page{} },
		"another place":   func(*session.Page) { tl.ItemChanged = true },
		"another search":  func(*session.Page) { tl.SearchChanged = true },
		"a row not shown": func(*session.Page) { delete(w.session.List.Loaded, w.session.List.IDs[0]) },
	} {
		p := page()
		change(&p)
		if tl.Same(p) {
			t.Errorf("%s: the same", what)
		}
		tl.ItemChanged, tl.SearchChanged = false, false
		w.session.List.Take(below)
	}
}

func TestNewArticlesKeepCurrentRow(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.List.Select(3)
	chosen := w.session.List.Current
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "new", Title: "New", Published: noon}}, noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.timeline.Reload()
	q.until("it has arrived", func() bool { return len(w.session.List.IDs) == 7 })
	if w.session.List.Current != chosen || w.session.List.IDs[w.timeline.List.Chosen] != chosen {
		t.Errorf("row %d is chosen", w.timeline.List.Chosen)
	}
}

func TestUntitledPostAppearsOnce(t *testing.T) {
	w, q := newTestWindow(t)
	id := w.session.List.IDs[0]
	text := "A post without a title, which goes on for much longer than a title can, so that the list shows what is left of it below."
	exec(t, w, "UPDATE article SET title = '', summary = ? WHERE id = ?", text, id)
	exec(t, w, "UPDATE body SET html = ? WHERE id = ?", "<p>"+text+"</p>", id)
	w.reload()
	q.until("it is listed", func() bool { return w.session.List.Loaded[id] != nil && w.session.List.Loaded[id].Untitled })
	row := w.timeline.List.CreateItem().(*fyne.Container)
	w.timeline.List.UpdateItem(0, row)
	if says := row.Objects[0].(describe.Describer).Describe(); !strings.Contains(says.Name, "A post without") || strings.Contains(says.Description, "A post without") {
		t.Errorf("the row says %q and %q", says.Name, says.Description)
	}
	w.timeline.List.Select(0)
	q.until("it is shown", func() bool { return w.session.Shown != nil })
	w.article.View.SelectAll()
	if got := w.article.View.Selected(); strings.Count(got, "A post without") != 1 {
		t.Errorf("the article says %q", got)
	}
}

// What is first of a search is listed before the rest, and what is being read stays chosen.
func TestLongSearchIsWholeInTheEnd(t *testing.T) {
	w, q := newTestWindow(t)
	many := make([]parse.Article, 3*session.PageSize)
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
	w.timeline.Reload()
	q.until("they have arrived", func() bool { return len(w.session.List.IDs) == len(many)+6 })
	w.timeline.List.Select(len(many) - 1)
	chosen, lengths := w.session.List.Current, map[int]bool{}
	for _, typed := range []string{"la", "lam", "lamp", "lam"} {
		w.search.SetText(typed)
		want := typed != "la" // a short word stands in a text as it is
		q.until("all are listed for "+typed, func() bool {
			lengths[len(w.session.List.IDs)] = true
			return (len(w.session.List.IDs) == len(many)) == want && !w.timeline.SearchChanged
		})
	}
	if at := w.timeline.List.Chosen; w.session.List.Current != chosen || at < 0 || w.session.List.IDs[at] != chosen {
		t.Errorf("row %d is chosen", at)
	}
	for n := range lengths {
		if n != 0 && n != w.timeline.RowsShown() && n != len(many) && n != len(many)+6 {
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
	w.timeline.Reload()
	q.until("they have arrived", func() bool { return len(w.session.List.IDs) == many+6 })
	said := 0
	w.timeline.Listed = func(n int) { said = n }
	var lengths []int
	for _, typed := range []string{"l", "la"} {
		w.search.SetText(typed)
		q.until("all are listed for "+typed, func() bool {
			if n := len(w.session.List.IDs); n != many+6 && !slices.Contains(lengths, n) {
				lengths = append(lengths, n)
			}
			if typed == "la" && w.session.List.Part && !w.timeline.SearchChanged {
				w.timeline.SelectAll()
			}
			return said == many
		})
		said = 0
	}
	if want := []int{w.timeline.RowsShown(), many}; !slices.Equal(lengths, want) {
		t.Errorf("%d were listed, want %d", lengths, want)
	}
	if n := len(w.session.List.Targets()); n != many || w.session.List.Selection.Whole {
		t.Errorf("%d are selected, and what arrives later: %t", n, w.session.List.Selection.Whole)
	}
}
