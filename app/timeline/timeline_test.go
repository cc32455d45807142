package timeline

import (
	"context"
	"database/sql"
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"kairos/app/accessible/describe"
	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/icon"
	"kairos/app/session"
	"kairos/app/shell/shelltest"
	"kairos/poller/icons"
	"kairos/reader"
	"kairos/reader/parse"
	"kairos/reader/search"
)

type noAdvice struct{}

func (noAdvice) Buttons() *fyne.Container             { return container.NewHBox() }
func (noAdvice) Explain(session.Place, string) string { return "" }
func (noAdvice) OnChanged(func(string))               {}

// pane is a timeline of Unread: three articles of each of two feeds.
type pane struct {
	*Pane
	room    *shelltest.Room
	actions *Actions
}

func newPane(t *testing.T) *pane {
	t.Helper()
	room := shelltest.New(t, home.Options{})
	p := &pane{room: room}
	cache := icon.NewCache(room.Jobs, func(context.Context, icons.Icon) ([]byte, error) { return nil, icons.ErrOtherSite }, func() {})
	thumbs := NewThumbnails(room.Shell, func() bool { return false }, func() {})
	thumbs.Recent = map[int64]image.Image{}
	p.Pane = New(room.Shell, room.Library, room.Session, cache, thumbs, NewEmpty(noAdvice{}, func() {}, func() {}), Events{
		Offline: func() bool { return false }, Labels: func() []reader.Label { return nil }, Opened: p.opened, Emptied: func() {},
		Replaced: func() {}, Listed: func(int) {}, Marked: func(reader.Flag, bool, []int64) {}, Marking: func() {},
		Highlighted: func(search.Marks) {}, Menu: func(fyne.Position) {}, Reading: func() {}})
	p.actions = &Actions{Shell: room.Shell, Session: room.Session, Timeline: p.Pane, Dropped: func() {}, Left: func() {}}
	room.Place(p.Object, 400, 600)
	room.Fill()
	p.Reload()
	room.Queue.Until("it lists", func() bool { return len(p.session.List.IDs) == 6 })
	return p
}

// opened shows an article and marks it read, as the window does.
func (p *pane) opened(id int64) {
	p.session.Shown = p.session.List.Loaded[id]
	p.MarkRead(id)
}

// choose lists another place.
func (p *pane) choose(place session.Place) {
	p.session.Choose(place)
	p.Reset()
	p.Reload()
}

// searchFor lists what is found of a text; "" ends the search.
func (p *pane) searchFor(text string) {
	p.session.Search = text
	p.Search()
}

// pick selects rows together.
func (p *pane) pick(rows ...int) {
	for _, i := range rows {
		p.session.List.Toggle(i)
	}
}

// exec changes the store without the pane.
func (p *pane) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	err := p.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (p *pane) counts(t *testing.T) reader.Counts {
	t.Helper()
	c, err := p.shell.Home.Store.Articles.Counts(t.Context(), hometest.Noon, false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// stored counts the articles in the store.
func (p *pane) stored(t *testing.T) int {
	t.Helper()
	ids, err := p.shell.Home.Store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil {
		t.Fatal(err)
	}
	return len(ids)
}

func TestMarkSelectionAndUndo(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	ids := slices.Clone(w.session.List.IDs)
	w.pick(0, 2, 3)
	w.actions.ToggleStar()
	q.Until("three are starred", func() bool { return w.counts(t).Starred == 3 })
	q.Until("it can be undone", func() bool { return w.shell.History.Len() == 1 })
	w.actions.ToggleStar()
	q.Until("none is", func() bool { return w.counts(t).Starred == 0 })
	q.Until("that too", func() bool { return w.shell.History.Len() == 2 })
	w.shell.UndoLast()
	q.Until("three again", func() bool { return w.counts(t).Starred == 3 })
	w.actions.ToggleRead()
	q.Until("they are read", func() bool { return w.counts(t).Total == 3 })
	w.ClearSelection()
	if got := w.session.List.Targets(); len(got) != 0 {
		t.Errorf("after Escape %v are meant", got)
	}
	w.session.List.Selection.Target = ids[4]
	if got := w.session.List.Targets(); !slices.Equal(got, ids[4:5]) {
		t.Errorf("a menu on the fifth means %v", got)
	}
}

func TestSelectRange(t *testing.T) {
	w := newPane(t)
	l := w
	l.List.Select(1)
	l.SelectTo(3)
	if got := w.session.List.Targets(); !slices.Equal(got, w.session.List.IDs[1:4]) {
		t.Errorf("from the second to the fourth: %v of %v", got, w.session.List.IDs)
	}
	l.ExtendSelection(-1)
	l.ExtendSelection(-1)
	l.ExtendSelection(-1)
	if got := w.session.List.Targets(); !slices.Equal(got, w.session.List.IDs[:2]) {
		t.Errorf("back over its beginning: %v of %v", got, w.session.List.IDs)
	}
	w.SelectAll()
	if got := w.session.List.Targets(); !slices.Equal(got, w.session.List.IDs) {
		t.Errorf("all: %v of %v", got, w.session.List.IDs)
	}
	l.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if w.session.List.Selection.IDs.Len() != 0 {
		t.Error("an arrow keeps the choice")
	}
}

func TestDeletingStarredAsksFirst(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	w.pick(0, 1)
	w.actions.ToggleStar()
	q.Until("two are starred", func() bool { return w.counts(t).Starred == 2 })
	w.actions.DeleteTargets()
	q.Until("it asks", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	w.shell.Dialogs.Open[0].Press("Cancel")
	w.actions.DeleteTargets()
	q.Until("it asks again", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	w.shell.Dialogs.Open[0].Press("Delete 2 articles")
	q.Until("they are gone", func() bool { return w.counts(t).Starred == 0 && len(w.session.List.IDs) == 4 })
}

func TestDeletingLabeledAsksFirst(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	if _, err := w.shell.Home.Marks.Labels.PutNew(t.Context(), reader.Label{Name: "Work"}, w.session.List.IDs[:1]); err != nil {
		t.Fatal(err)
	}
	w.pick(0, 1)
	w.actions.DeleteTargets()
	q.Until("it asks", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	if got := w.shell.Dialogs.Open[0].Title; got != "Delete 1 starred or labeled article?" {
		t.Errorf("it asks %q", got)
	}
	w.shell.Dialogs.Open[0].Press("Delete 2 articles")
	q.Until("they are gone", func() bool { return len(w.session.List.IDs) == 4 })
	w.shell.UndoLast()
	q.Until("they are back", func() bool { return w.stored(t) == 6 })
}

func TestMarkAboveBelowAndOlder(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	w.session.List.Selection.Target = w.session.List.IDs[2]
	w.actions.MarkAbove()
	q.Until("two are read", func() bool { return w.counts(t).Total == 4 })
	q.Until("undo knows", func() bool { return w.shell.History.Len() == 1 })
	w.shell.UndoLast()
	q.Until("none is", func() bool { return w.counts(t).Total == 6 })
	w.session.List.Selection.Target = w.session.List.IDs[2]
	w.actions.MarkBelow()
	q.Until("three are read", func() bool { return w.counts(t).Total == 3 })
	w.shell.Now = func() time.Time { return hometest.Noon.Add(24*time.Hour - 90*time.Minute) }
	w.actions.MarkOlder(1)
	q.Until("what is older than a day is read", func() bool { return w.counts(t).Total == 2 })
}

func TestSortAndGroup(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	ids := slices.Clone(w.session.List.IDs)
	w.SetOrder(w.session.List.Order.SortedBy(session.OldestFirst))
	q.Until("oldest first", func() bool { return w.session.List.IDs[0] == ids[5] })
	w.SetOrder(w.session.List.Order.SortedBy(session.NewestFirst))
	w.SetOrder(w.session.List.Order.GroupedBy(session.GroupByFeed))
	q.Until("feed after feed", func() bool {
		var feeds []string
		for _, id := range w.session.List.IDs {
			if a := w.session.List.Loaded[id]; a != nil {
				feeds = append(feeds, a.FeedTitle)
			}
		}
		return strings.Join(feeds, ",") == "Feed 0,Feed 0,Feed 0,Feed 1,Feed 1,Feed 1"
	})
	var headings []string
	for i := range w.session.List.IDs {
		headings = append(headings, w.GroupHeading(i))
	}
	if got := strings.Join(headings, ","); got != "Feed 0,,,Feed 1,," {
		t.Errorf("headings are %s", got)
	}
	w.choose(session.Place{Key: session.All})
	q.Until("all are listed", func() bool { return len(w.session.List.IDs) == 6 })
	w.List.Select(0)
	q.Until("one is read", func() bool { return w.counts(t).Total == 5 })
	hiding := w.session.List.Order
	hiding.HideRead = true
	w.SetOrder(hiding)
	q.Until("it is hidden", func() bool { return len(w.session.List.IDs) == 5 })
	if !w.shell.Preferences.Bool("list.hide-read") || !w.session.List.Order.HideRead {
		t.Error("it is not kept")
	}
}

// Articles that arrive while the user reads are announced and do not move the list.
func TestNewArticlesAreAnnounced(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	w.room.Place(w.Object, 400, 400)
	w.List.Select(0)
	var articles []parse.Article
	for _, key := range []string{"x", "y"} {
		articles = append(articles, parse.Article{Key: key, Title: key, Published: hometest.Noon.Add(time.Minute)})
	}
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, articles, hometest.Noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Reload()
	q.Until("they are listed", func() bool { return len(w.session.List.IDs) == 8 })
	if !w.NewArticles.Visible() || w.NewArticles.Text != "2 new ↑" {
		t.Errorf("the list says %q", w.NewArticles.Text)
	}
	w.ToTop()
	if w.NewArticles.Visible() {
		t.Error("at the top it is still said")
	}
	// What an undo brings back is not new.
	w.List.Select(0)
	first := w.session.List.IDs[0]
	w.actions.DeleteIDs([]int64{first})
	q.Until("it is gone", func() bool { return len(w.session.List.IDs) == 7 })
	w.shell.UndoLast()
	q.Until("it is back", func() bool { return w.stored(t) == 8 })
	w.Reload()
	q.Until("it is listed", func() bool { return len(w.session.List.IDs) == 8 })
	if w.NewArticles.Visible() {
		t.Errorf("it is said to be %q", w.NewArticles.Text)
	}
}

func TestRowsOnScreen(t *testing.T) {
	w := newPane(t)
	w.room.Place(w.Object, 400, 700) // as in a window of 1280×800
	for d, least := range map[Density]int{RowsNormal: 9, RowsPictures: 9, RowsCompact: 20} {
		w.SetDensity(d)
		if n := int(w.List.Size().Height / w.RowStep()); n < least {
			t.Errorf("%q: %d rows", d, n)
		}
	}
}

func TestDensityIsKept(t *testing.T) {
	w := newPane(t)
	w.SetDensity(RowsCompact)
	prefs := w.shell.Preferences
	if LoadDensity(prefs) != RowsCompact {
		t.Error("it is lost")
	}
	w.SetDensity(RowsNormal)
	if prefs.SetBool(PrefPictures, true); LoadDensity(prefs) != RowsPictures {
		t.Error("the pictures are lost")
	}
}

// Marks on screen are stored: the process may be killed at any time.
func TestMarksAreShownOnceStored(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	w.List.Select(0)
	q.Until("the article is shown as read", func() bool { a := w.session.Reading(); return a != nil && a.Read })
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
		w.actions.ToggleStar() // on, off, on
	}
	a := w.session.Reading()
	if a.Starred || !w.session.Marks.Value(a, reader.FlagStarred) {
		t.Errorf("before it is stored: shown %t, will be %t", a.Starred, w.session.Marks.Value(a, reader.FlagStarred))
	}
	close(finish)
	if err := <-stored; err != nil {
		t.Fatal(err)
	}
	q.Until("all is stored", func() bool { return w.shell.Pending() == 0 })
	c, err := w.shell.Home.Store.Articles.Counts(t.Context(), hometest.Noon, false)
	if err != nil || c.Starred != 1 || !w.session.Reading().Starred {
		t.Errorf("%d starred, shown: %t (%v)", c.Starred, w.session.Reading().Starred, err)
	}
}

func TestFailedMark(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	w.List.Select(0)
	q.Until("the article is shown as read", func() bool { a := w.session.Reading(); return a != nil && a.Read })
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("CREATE TRIGGER full BEFORE UPDATE ON status BEGIN SELECT RAISE(FAIL, 'no room'); END")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.actions.ToggleStar()
	q.Until("it is said", func() bool { return strings.HasPrefix(w.room.Host.Said, "The articles could not be marked.") })
	if a := w.session.Reading(); a.Starred || w.session.Marks.Value(a, reader.FlagStarred) {
		t.Error("shown as starred")
	}
}

func TestReadArticlesStayInUnreadUntilLeft(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	w.List.Select(0)
	q.Until("it is marked read", func() bool { return w.counts(t).Total == 5 })
	w.Reload()
	reloaded := w.session.List.Version
	q.Until("the list is reloaded", func() bool { return w.session.List.Version > reloaded })
	if len(w.session.List.IDs) != 6 {
		t.Errorf("the article being read left the list: %d", len(w.session.List.IDs))
	}
	w.choose(session.Place{Key: session.All})
	w.choose(session.Place{Key: session.Unread, Query: reader.Query{View: reader.Unread}})
	q.Until("Unread is without it", func() bool { return len(w.session.List.IDs) == 5 })
}

// What asks about the targets of a command stops at the first that decides it, and a selection of all makes no copy of the list.
func TestTargetsOfManySelected(t *testing.T) {
	w := newPane(t)
	l := w
	w.session.List.IDs = make([]int64, 100_000)
	for i := range w.session.List.IDs {
		w.session.List.IDs[i] = int64(i + 1)
	}
	l.SelectAll()
	seen := 0
	for range w.session.List.EachTarget() {
		if seen++; seen == 3 {
			break
		}
	}
	if n := testing.AllocsPerRun(5, func() { w.session.WouldMark("read") }); seen != 3 || n > 20 || len(w.session.List.Targets()) != len(w.session.List.IDs) {
		t.Errorf("%d seen, %v allocations, %d targets", seen, n, len(w.session.List.Targets()))
	}
}

// A list without a change on screen is not painted again; a changed one is.
func TestSameListIsNotRepainted(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	tl := w
	tl.List.Resize(fyne.NewSize(400, 140))
	page := func() session.Page {
		p := session.Page{IDs: slices.Clone(w.session.List.IDs)}
		for _, id := range w.session.List.IDs {
			p.Rows = append(p.Rows, *w.session.List.Loaded[id])
		}
		return p
	}
	q.Until("all rows are there", func() bool { return len(w.session.List.Loaded) == 6 })
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
	w := newPane(t)
	q := w.room.Queue
	w.List.Select(3)
	chosen := w.session.List.Current
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "new", Title: "New", Published: hometest.Noon}}, hometest.Noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Reload()
	q.Until("it has arrived", func() bool { return len(w.session.List.IDs) == 7 })
	if w.session.List.Current != chosen || w.session.List.IDs[w.List.Chosen] != chosen {
		t.Errorf("row %d is chosen", w.List.Chosen)
	}
}

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
	w.exec(t, "INSERT INTO search (rowid, title, author, text) SELECT id, 'lamp', '', 'lamp' FROM article WHERE title = 'Lamp'")
	w.exec(t, "DELETE FROM search_waiting")
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
	w.exec(t, fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO status (id, feed, key, published, seen) SELECT i + 1000, 1, 'k' || i, 1000 + i, 0 FROM n", many))
	w.exec(t, "INSERT INTO article (id, title, link, author, summary, digest) SELECT id, 'Lamp', '', '', '', 0 FROM status WHERE id > 1000")
	w.exec(t, "INSERT INTO body (id, html) SELECT id, '' FROM status WHERE id > 1000")
	w.exec(t, "INSERT INTO search (rowid, title, author, text) SELECT id, 'lamp l¦ la¦', '', '' FROM status WHERE id > 1000")
	w.exec(t, "DELETE FROM search_waiting")
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
	w.exec(t, "UPDATE body SET html = '<p>"+strings.Repeat("Many words stand before it. ", 20)+"Then a hippopotamus appears.</p>' WHERE id = ?", w.session.List.IDs[0])
	w.exec(t, "UPDATE article SET summary = 'Many words stand before it.' WHERE id = ?", w.session.List.IDs[0])
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
