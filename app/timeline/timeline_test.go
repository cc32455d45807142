package timeline

import (
	"context"
	"database/sql"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

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
	browsed []int64 // articles that were to be opened in the browser
}

func newPane(t *testing.T) *pane {
	t.Helper()
	room := shelltest.New(t, home.Options{})
	p := &pane{room: room}
	cache := icon.NewCache(room.Jobs, func(context.Context, icons.Icon) ([]byte, error) { return nil, icons.ErrOtherSite }, func() {})
	thumbs := NewThumbnails(room.Shell, func() bool { return false }, func() {})
	thumbs.Recent = map[int64]image.Image{}
	p.Pane = New(room.Shell, room.Library, room.Session, cache, thumbs, NewEmpty(noAdvice{}, func() {}, func() {}, func() {}, func() {}), Events{
		Offline: func() bool { return false }, Labels: func() []reader.Label { return nil }, Opened: p.opened, Emptied: func() {},
		Replaced: func() {}, Listed: func(int) {}, Marked: func(reader.Flag, bool, []int64) {}, Marking: func() {},
		Highlighted: func(search.Marks) {}, Menu: func(fyne.Position) {}, Reading: func() {}, Browse: func(id int64) { p.browsed = append(p.browsed, id) }})
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

// An arrow that is pressed before the list of a place is there waits for it, as far as it moves one row.
func TestArrowsWaitForTheList(t *testing.T) {
	p := newPane(t)
	for key, want := range map[fyne.KeyName]session.Step{
		fyne.KeyDown: session.ToNext, fyne.KeyUp: session.ToPrevious, fyne.KeyHome: session.NoStep, fyne.KeyEnd: session.NoStep,
	} {
		p.choose(session.Place{Key: session.All})
		p.List.TypedKey(&fyne.KeyEvent{Name: key})
		if got := p.session.List.Postponed(); got != want {
			t.Errorf("%s: step %d, want %d", key, got, want)
		}
		p.room.Queue.Until("all are listed", func() bool { return len(p.session.List.IDs) == 6 })
	}
}

func TestNewArticlesHaveTheirOwnRow(t *testing.T) {
	p := newPane(t)
	p.room.Place(p.Object, 400, 300)
	p.List.Select(2)
	p.List.ScrollToOffset(p.RowStep())
	position := fyne.CurrentApp().Driver().AbsolutePositionForObject
	at := func() float32 { // of the third article on the canvas
		return position(p.List).Y + float32(p.session.List.Row())*p.RowStep() - p.List.GetScrollOffset()
	}
	before := at()
	err := p.room.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "x", Title: "x", Published: hometest.Noon.Add(time.Minute)}}, hometest.Noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Reload()
	p.room.Queue.Until("it is announced", func() bool { return len(p.session.List.IDs) == 7 && p.NewArticles.Visible() })
	button := p.NewArticles
	if end := button.Position().Y + button.Size().Height; end <= 0 || button.Size().Width != p.Object.Size().Width {
		t.Errorf("the row has %v", button.Size())
	}
	if end, list := position(button).Y+button.Size().Height, position(p.List).Y; end > list {
		t.Errorf("it ends at %v, the list begins at %v", end, list)
	}
	if after := at(); after != before {
		t.Errorf("the article has moved from %v to %v", before, after)
	}
	test.Tap(button.Button)
	if button.Visible() || p.List.GetScrollOffset() != 0 {
		t.Errorf("a tap leads to %v", p.List.GetScrollOffset())
	}
}

// An article that is sorted in between the top of the screen and the chosen one leaves this where it is.
func TestChosenArticleStaysInPlace(t *testing.T) {
	p := newPane(t)
	p.room.Place(p.Object, 400, 300)
	p.List.Select(2)
	p.room.Queue.Until("it is marked read", func() bool { return p.room.Pending() == 0 })
	at := func() float32 { return float32(p.session.List.Row())*p.RowStep() - p.List.GetScrollOffset() }
	before, second := at(), p.session.List.Loaded[p.session.List.IDs[1]].Published
	err := p.room.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "x", Title: "x", Published: second.Add(time.Second)}}, hometest.Noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Reload()
	p.room.Queue.Until("it is listed", func() bool { return len(p.session.List.IDs) == 7 })
	if row := p.session.List.Row(); row != 3 || at() != before {
		t.Errorf("row %d has moved from %v to %v", row, before, at())
	}
}

// The row of a post without a title does not repeat its text.
func TestUntitledPostAppearsOnce(t *testing.T) {
	p := newPane(t)
	id := p.session.List.IDs[0]
	p.room.Exec(t, "UPDATE article SET title = '', summary = ? WHERE id = ?",
		"A post without a title, which goes on for much longer than a title can, so that the list shows what is left of it below.", id)
	p.Reload()
	p.room.Queue.Until("it is listed", func() bool { return p.session.List.Loaded[id] != nil && p.session.List.Loaded[id].Untitled })
	row := p.List.CreateItem().(*fyne.Container)
	p.List.UpdateItem(0, row)
	if says := row.Objects[0].(describe.Describer).Describe(); !strings.Contains(says.Name, "A post without") || strings.Contains(says.Description, "A post without") {
		t.Errorf("the row says %q and %q", says.Name, says.Description)
	}
}

// A click on the article that is shown unasked is a decision to read it.
func TestClickReadsWhatIsShownUnasked(t *testing.T) {
	p := newPane(t)
	row := newRow()
	row.Resize(fyne.NewSize(400, 70))
	p.update(0, row)
	first := p.session.List.IDs[0]
	p.session.Unasked.ID, p.session.List.Current = first, first
	p.session.Shown = p.session.List.Loaded[first]
	row.Tapped(&fyne.PointEvent{})
	p.room.Queue.Until("it is read", func() bool { return p.session.Marks.IsRead(p.session.List.Loaded[first]) })
}

// A double click opens an article in the browser, and so does the middle button, which leaves the article that is read open.
func TestClicksThatOpenTheBrowser(t *testing.T) {
	p := newPane(t)
	now := p.shell.Now()
	p.shell.Now = func() time.Time { return now }
	rows := []*row{newRow(), newRow()}
	for i, r := range rows {
		r.Resize(fyne.NewSize(400, 70))
		p.update(i, r)
	}
	tap := func(i int, after time.Duration) {
		now = now.Add(after)
		rows[i].Tapped(&fyne.PointEvent{})
	}
	tap(0, 0)
	tap(0, time.Second) // too late
	tap(1, 100*time.Millisecond)
	if len(p.browsed) != 0 {
		t.Fatalf("opened %v", p.browsed)
	}
	tap(1, 100*time.Millisecond)
	if ids := p.session.List.IDs; !slices.Equal(p.browsed, ids[1:2]) {
		t.Fatalf("opened %v, not %d", p.browsed, ids[1])
	}
	tap(1, 100*time.Millisecond) // a third click is no other double click
	rows[0].MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonPrimary})
	rows[0].MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonTertiary})
	if ids := p.session.List.IDs; !slices.Equal(p.browsed, []int64{ids[1], ids[0]}) || p.session.List.Current != ids[1] {
		t.Errorf("opened %v, and %d is read", p.browsed, p.session.List.Current)
	}
}

// What is opened in the browser without being opened here is read.
func TestBrowseOneMarksRead(t *testing.T) {
	p := newPane(t)
	id := p.session.List.IDs[0]
	p.session.List.Loaded[id].Link = "https://a.test/1"
	p.actions.BrowseOne(id)
	p.room.Queue.Until("it is read", func() bool { return p.session.Marks.IsRead(p.session.Find(id)) && p.counts(t).Total == 5 })
	p.session.List.Loaded[id].Link = ""
	if p.actions.BrowseOne(id); p.room.Host.Said != "This article has no link." {
		t.Errorf("it says %q", p.room.Host.Said)
	}
}
