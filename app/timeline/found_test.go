package timeline

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/accessible/describe"
	"kairos/app/home/hometest"
	"kairos/app/session"
	"kairos/reader"
	"kairos/reader/parse"
)

// What is first of a search is listed before the rest, and what is being read stays chosen.
func TestLongSearchIsWholeInTheEnd(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	many := make([]parse.Article, 3*session.PageSize)
	for i := range many {
		many[i] = parse.Article{Key: strings.Repeat("k", i+1), Title: "Lamp", Published: hometest.Noon.Add(-time.Duration(i) * time.Hour)}
	}
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, many, hometest.Noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.room.Exec(t, "INSERT INTO search (rowid, title, author, text) SELECT id, 'lamp', '', 'lamp' FROM article WHERE title = 'Lamp'")
	w.room.Exec(t, "DELETE FROM search_waiting")
	w.Reload()
	q.Until("they have arrived", func() bool { return len(w.session.List.IDs) == len(many)+6 })
	w.List.Select(len(many) - 1)
	chosen, lengths := w.session.List.Current, map[int]bool{}
	for _, typed := range []string{"la", "lam", "lamp", "lam"} {
		w.searchFor(typed)
		want := typed != "la" // a short word stands in a text as it is
		q.Until("all are listed for "+typed, func() bool {
			lengths[len(w.session.List.IDs)] = true
			return (len(w.session.List.IDs) == len(many)) == want && !w.SearchChanged
		})
	}
	if at := w.List.Chosen; w.session.List.Current != chosen || at < 0 || w.session.List.IDs[at] != chosen {
		t.Errorf("row %d is chosen", at)
	}
	for n := range lengths {
		if n != 0 && n != w.RowsShown() && n != len(many) && n != len(many)+6 {
			t.Errorf("%d were listed", n)
		}
	}
}

// What many articles have is listed in two steps, the second one when nobody types any more.
func TestFirstOfALongSearch(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	const many = 11_000
	w.room.Exec(t, fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO status (id, feed, key, published, seen) SELECT i + 1000, 1, 'k' || i, 1000 + i, 0 FROM n", many))
	w.room.Exec(t, "INSERT INTO article (id, title, link, author, summary, digest) SELECT id, 'Lamp', '', '', '', 0 FROM status WHERE id > 1000")
	w.room.Exec(t, "INSERT INTO body (id, html) SELECT id, '' FROM status WHERE id > 1000")
	w.room.Exec(t, "INSERT INTO search (rowid, title, author, text) SELECT id, 'lamp l¦ la¦', '', '' FROM status WHERE id > 1000")
	w.room.Exec(t, "DELETE FROM search_waiting")
	w.Reload()
	q.Until("they have arrived", func() bool { return len(w.session.List.IDs) == many+6 })
	said := 0
	w.Listed = func(n int) { said = n }
	var lengths []int
	for _, typed := range []string{"l", "la"} {
		w.searchFor(typed)
		q.Until("all are listed for "+typed, func() bool {
			if n := len(w.session.List.IDs); n != many+6 && !slices.Contains(lengths, n) {
				lengths = append(lengths, n)
			}
			if typed == "la" && w.session.List.Part && !w.SearchChanged {
				w.SelectAll()
			}
			return said == many
		})
		said = 0
	}
	if want := []int{w.RowsShown(), many}; !slices.Equal(lengths, want) {
		t.Errorf("%d were listed, want %d", lengths, want)
	}
	if n := len(w.session.List.Targets()); n != many || w.session.List.Selection.Whole {
		t.Errorf("%d are selected, and what arrives later: %t", n, w.session.List.Selection.Whole)
	}
}

func TestExcerptsComeWithTheResults(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "far", Title: "Fog", HTML: "<p>" + strings.Repeat("Nothing is seen. ", 30) + "A lighthouse.</p>", Published: hometest.Noon}}, hometest.Noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.searchFor("lighthouse")
	q.Until("it is found", func() bool { return len(w.session.List.IDs) == 1 && !w.SearchChanged })
	if got := w.Excerpt(w.session.List.Loaded[w.session.List.IDs[0]]).Summary; !strings.HasSuffix(got, "A lighthouse.") || !strings.HasPrefix(got, "…") {
		t.Errorf("the row shows %q", got)
	}
}

func TestSearchStartsAtTop(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	w.room.Place(w.Object, 400, 300)
	w.List.Select(5)
	w.List.ScrollToBottom()
	if w.List.GetScrollOffset() == 0 {
		t.Fatal("there is nothing to scroll")
	}
	before := w.session.List.Version
	w.searchFor("article")
	q.Until("it is listed", func() bool { return w.session.List.Version > before })
	if at := w.List.GetScrollOffset(); at != 0 || w.NewArticles.Visible() {
		t.Errorf("the list is at %v, what is new is said: %t", at, w.NewArticles.Visible())
	}
}

func TestHitsShowThePlaceFound(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	w.room.Exec(t, "UPDATE body SET html = '<p>"+strings.Repeat("Many words stand before it. ", 20)+"Then a hippopotamus appears.</p>' WHERE id = ?", w.session.List.IDs[0])
	w.room.Exec(t, "UPDATE article SET summary = 'Many words stand before it.' WHERE id = ?", w.session.List.IDs[0])
	w.searchFor("hippopotamus")
	q.Until("it is found", func() bool {
		return len(w.session.List.IDs) == 1 && w.session.List.Loaded[w.session.List.IDs[0]] != nil
	})
	row := w.List.CreateItem().(*fyne.Container)
	says := func() string {
		w.List.UpdateItem(0, row)
		return row.Objects[0].(describe.Describer).Describe().Description
	}
	q.Until("its row shows where", func() bool {
		return strings.HasPrefix(says(), "…") && strings.Contains(says(), "a hippopotamus appears")
	})
	w.searchFor("")
	q.Until("the list is back", func() bool { return len(w.session.List.IDs) == 6 })
	q.Until("the row shows the beginning", func() bool { return strings.HasPrefix(says(), "Many words") })
}

// The words of a search are marked, its filters are not.
func TestSearchHighlights(t *testing.T) {
	p := newPane(t)
	marked := func() int { return len(p.Highlight.Marks.In("Body 2 of feed 0")) }
	for _, c := range []struct {
		text          string
		listed, marks int
	}{{"body 2 is:unread", 2, 2}, {"feed:0", 3, 0}, {"body", 6, 1}, {"", 6, 0}} {
		p.searchFor(c.text)
		p.room.Queue.Until(c.text+" is found", func() bool {
			return !p.SearchChanged && len(p.session.List.IDs) == c.listed && (p.Highlight.Marks != nil) == (c.marks > 0)
		})
		if p.Highlight.Marks != nil && marked() != c.marks {
			t.Errorf("%s: %d words are marked", c.text, marked())
		}
	}
}
