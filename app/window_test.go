package app

import (
	"context"
	"database/sql"
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/home/hometest"
	"kairos/app/look"
	"kairos/poller"
	"kairos/reader"
	"kairos/reader/parse"
)

var noon = hometest.Noon

// newTestWindow is a window over a store with two feeds, one of them in a
// folder, of three articles each. Its queue stands for Fyne's goroutine: what is
// handed over runs when the test waits for something.
func newTestWindow(t *testing.T) (*window, *queue) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	h := hometest.Open(ctx, t)
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	q := &queue{t: t, todo: make(chan func(), 1000)}
	w := newWindowWith(ctx, a, h, q.add)
	t.Cleanup(func() {
		stop()
		w.Wait()
		h.Close()
	})
	w.reload()
	q.until("the list is there", func() bool { return len(w.timeline.ids) == 6 && len(w.sidebar.items) == 7 })
	return w, q
}

// queue is Fyne's goroutine in a test: the test's own.
type queue struct {
	t    *testing.T
	todo chan func()
}

func (q *queue) add(f func()) { q.todo <- f }

func (q *queue) until(what string, f func() bool) {
	q.t.Helper()
	late := time.After(20 * time.Second)
	for !f() {
		select {
		case do := <-q.todo:
			do()
		case <-late:
			q.t.Fatal("never happened: " + what)
		}
	}
}

func TestSidebarListsViewsFoldersAndFeeds(t *testing.T) {
	w, _ := newTestWindow(t)
	var got []string
	for _, p := range w.sidebar.items {
		got = append(got, fmt.Sprintf("%s%s %d", strings.Repeat("  ", p.indent), p.name, p.count))
	}
	want := "All articles 0|Unread 6|Today 6|Starred 0|Feed 0 3|News 3|  Feed 1 3"
	if strings.Join(got, "|") != want {
		t.Errorf("sidebar is %s\nwant %s", strings.Join(got, "|"), want)
	}
}

func TestKeysReadAndMark(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.list.TypedRune('j')
	first := w.timeline.current
	q.until("the article is shown", func() bool { return w.article.shown != nil && w.article.shown.ID == first })
	q.until("it is marked read", func() bool { return unread(t, w) == 5 })
	w.timeline.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	second := w.timeline.current
	if second == first || second != w.timeline.ids[1] {
		t.Fatalf("down chose %d after %d of %v", second, first, w.timeline.ids)
	}
	q.until("the next one is shown", func() bool { return w.article.shown.ID == second })
	w.timeline.list.TypedRune('s')
	q.until("it is starred", func() bool {
		c, err := w.home.Store.Articles.Counts(t.Context(), noon, false)
		return err == nil && c.Starred == 1
	})
	w.timeline.list.TypedRune('r')
	q.until("it is unread again", func() bool { return unread(t, w) == 5 && !w.article.current().Read })
	w.timeline.list.TypedRune('n')
	q.until("n goes on below", func() bool { return w.timeline.current == w.timeline.ids[2] })
}

// What is shown as marked is stored: a process may be killed at any instant.
func TestMarksAreShownOnceStored(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.list.TypedRune('j')
	q.until("the article is shown as read", func() bool { a := w.article.current(); return a != nil && a.Read })
	writing, stored := make(chan struct{}), make(chan error)
	finish := make(chan struct{})
	go func() {
		stored <- w.home.Store.Write(t.Context(), func(*sql.Tx) error {
			close(writing)
			<-finish
			return nil
		})
	}()
	<-writing
	for range 3 {
		w.timeline.list.TypedRune('s') // on, off, on
	}
	a := w.article.current()
	if a.Starred || !w.timeline.marks.value(a, reader.FlagStarred) {
		t.Errorf("before it is stored: shown %t, will be %t", a.Starred, w.timeline.marks.value(a, reader.FlagStarred))
	}
	close(finish)
	if err := <-stored; err != nil {
		t.Fatal(err)
	}
	q.until("all is stored", func() bool { return len(w.timeline.marks.values) == 0 })
	c, err := w.home.Store.Articles.Counts(t.Context(), noon, false)
	if err != nil || c.Starred != 1 || !w.article.current().Starred {
		t.Errorf("%d starred, shown: %t (%v)", c.Starred, w.article.current().Starred, err)
	}
}

func TestMarkThatCannotBeStored(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.list.TypedRune('j')
	q.until("the article is shown as read", func() bool { a := w.article.current(); return a != nil && a.Read })
	err := w.home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("CREATE TRIGGER full BEFORE UPDATE ON status BEGIN SELECT RAISE(FAIL, 'no room'); END")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.timeline.list.TypedRune('s')
	q.until("it is said", func() bool { return strings.HasPrefix(w.status.message.Text, "The articles could not be marked.") })
	if a := w.article.current(); a.Starred || w.timeline.marks.value(a, reader.FlagStarred) {
		t.Error("shown as starred")
	}
}

func unread(t *testing.T, w *window) int {
	t.Helper()
	c, err := w.home.Store.Articles.Counts(t.Context(), noon, false)
	if err != nil {
		t.Fatal(err)
	}
	return c.Total
}

func TestReadArticlesStayInUnreadUntilLeft(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.list.Select(0)
	q.until("it is marked read", func() bool { return unread(t, w) == 5 })
	w.timeline.reload()
	reloaded := w.timeline.version
	q.until("the list is loaded anew", func() bool { return w.timeline.version > reloaded })
	if len(w.timeline.ids) != 6 {
		t.Errorf("the article being read left the list: %d", len(w.timeline.ids))
	}
	w.sidebar.chooseKey("all")
	w.sidebar.chooseKey("unread")
	q.until("Unread is without it", func() bool { return len(w.timeline.ids) == 5 })
}

func TestMarkAllReadAndUndo(t *testing.T) {
	w, q := newTestWindow(t)
	w.actions.markAllRead()
	q.until("all is read", func() bool { return len(w.undo.actions) == 1 })
	if n := unread(t, w); n != 0 {
		t.Fatalf("%d unread", n)
	}
	w.undo.undoLast()
	q.until("undone", func() bool { return unread(t, w) == 6 })
	w.undo.undoLast()
	if !strings.Contains(w.status.message.Text, "nothing to undo") {
		t.Errorf("says %q", w.status.message.Text)
	}
}

func TestUnsubscribeAndUndo(t *testing.T) {
	w, q := newTestWindow(t)
	w.feeds.unsubscribe(w.sidebar.items[4].feed)
	q.until("done", func() bool { return len(w.undo.actions) == 1 })
	w.sidebar.reload()
	q.until("the feed is gone", func() bool { return len(w.sidebar.items) == 6 })
	w.undo.undoLast()
	q.until("it is back with its articles", func() bool { return unread(t, w) == 6 })
}

func TestTheWindowSaysWhyItSaves(t *testing.T) {
	w, q := newTestWindow(t)
	if err := w.home.Poller.SetSaver(t.Context(), poller.SaverAuto); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		power         poller.PowerState
		button, below string
	}{
		{poller.PowerState{}, "Battery saver: automatic", "0 of 16 fetches used today"},
		{poller.PowerState{Metered: true}, "Battery saver: automatic (metered network)", "0 of 4 fetches used today (metered network)"},
		{poller.PowerState{Battery: true, PowerSaver: true}, "Battery saver: automatic (on battery, …)",
			"0 of 4 fetches used today (on battery, the desktop saves power)"},
	} {
		w.home.Poller.SetPowerState(tt.power)
		w.status.reload()
		q.until(tt.button, func() bool {
			return w.budget.button.Text == tt.button && strings.HasSuffix(w.status.stateText, tt.below)
		})
	}
	if err := w.home.Poller.SetSaver(t.Context(), poller.SaverOn); err != nil {
		t.Fatal(err)
	}
	w.status.reload()
	q.until("on", func() bool {
		return w.budget.button.Text == "Battery saver: on" && strings.HasSuffix(w.status.state.Text, "fetches used today (battery saver)")
	})
}

func TestFoldedFolderHidesItsFeeds(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.toggleFolder("News")
	q.until("folded", func() bool { return len(w.sidebar.items) == 6 })
	w.sidebar.toggleFolder("News")
	q.until("unfolded", func() bool { return len(w.sidebar.items) == 7 })
}

func TestSearchNarrowsTheList(t *testing.T) {
	w, q := newTestWindow(t)
	w.search.SetText("body 2")
	q.until("two are left", func() bool { return len(w.timeline.ids) == 2 })
	w.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	q.until("all are back", func() bool { return len(w.timeline.ids) == 6 })
}

func TestNewArticlesDoNotMoveTheChosenOne(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.list.Select(3)
	chosen := w.timeline.current
	err := w.home.Store.Write(t.Context(), func(tx *sql.Tx) error {
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

func TestRowsLookAsTheyShould(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	row := newTimelineRow()
	row.set(&reader.Article{Title: "A title that is longer than the row is wide, so that it is cut", Summary: "Text", FeedTitle: "Feed",
		Published: noon.Add(-90 * time.Minute), Starred: true}, nil, nil, noon)
	w := test.NewTempWindow(t, row)
	w.Resize(fyne.NewSize(320, timelineRowHeight+8))
	test.AssertObjectRendersToMarkup(t, "timelinerow.xml", row)

	place := newSidebarRow()
	place.set(place2(), nil)
	w.SetContent(place)
	w.Resize(fyne.NewSize(200, sidebarRowHeight+8))
	test.AssertObjectRendersToMarkup(t, "sidebarrow.xml", place)
	place.set(place2(), &feedIconImage{Image: image.NewGray(image.Rect(0, 0, 32, 32))})
	test.AssertObjectRendersToMarkup(t, "sidebaricon.xml", place)
	place.set(place2(), &feedIconImage{Image: image.NewGray(image.Rect(0, 0, 32, 32)), lostOnLight: true})
	test.AssertObjectRendersToMarkup(t, "sidebarplate.xml", place)
}

func place2() sidebarItem {
	return sidebarItem{name: "A feed", feed: &reader.Feed{ID: 1}, indent: 1, count: 12}
}

func TestNextOf(t *testing.T) {
	for _, c := range []struct {
		unread []int64
		after  int64
		ids    []int64
		want   int64
	}{
		{[]int64{9, 7, 3}, 7, []int64{9, 8, 7, 6, 3}, 3},
		{[]int64{9, 7, 3}, 3, []int64{9, 8, 7, 6, 3}, 9},
		{[]int64{9, 7}, 0, []int64{9, 7}, 9},
		{[]int64{5}, 1, nil, 5},
	} {
		if got := nextOf(c.unread, c.after, c.ids); got != c.want {
			t.Errorf("nextOf(%v, %d, %v) is %d, want %d", c.unread, c.after, c.ids, got, c.want)
		}
	}
}

func TestUndoHasTheShortcutFyneGives(t *testing.T) {
	w, q := newTestWindow(t)
	w.actions.markAllRead()
	q.until("all is read", func() bool { return len(w.undo.actions) == 1 })
	for _, menu := range w.menu().Items {
		for _, item := range menu.Items {
			if item.Shortcut != nil && item.Shortcut.ShortcutName() == (&fyne.ShortcutUndo{}).ShortcutName() {
				item.Action()
			}
		}
	}
	q.until("undone", func() bool { return unread(t, w) == 6 })
}

func TestShortcutsDoNothingBehindADialog(t *testing.T) {
	w, q := newTestWindow(t)
	w.feeds.subscribe("")
	for _, menu := range w.menu().Items {
		for _, item := range menu.Items {
			if item.Label == "Mark all read" {
				item.Action()
			}
		}
	}
	w.key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(w.dialogs.open) != 0 {
		t.Error("Escape leaves the dialog open")
	}
	w.sidebar.reload()
	q.until("nothing was marked", func() bool { return w.sidebar.items[1].count == 6 })
}

func TestAPasswordIsForOneAddress(t *testing.T) {
	w, _ := newTestWindow(t)
	s := w.feeds.subscribe("http://127.0.0.1:9/a")
	s.login.Show()
	s.user.SetText("me")
	s.password.SetText("secret")
	s.address.SetText("http://127.0.0.2:9/b")
	if l := s.typedLogin(); l != (poller.Login{}) || s.login.Visible() || s.password.Text != "" {
		t.Errorf("another address gets %+v", l)
	}
}

func TestNextUnreadKnowsWhatIsOnScreen(t *testing.T) {
	w, q := newTestWindow(t)
	for range 6 {
		w.nextUnread.open()
	}
	q.until("each press went one on", func() bool { return unread(t, w) == 0 })
}

// The line at the bottom says what is fetched without being asked, and why.
func TestStatusSaysWhatItDoes(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for doing, want := range map[poller.Code]string{
		poller.TopUp:   "Checking for new articles: 3 feeds  ·  17 of 56 fetches used today",
		poller.CatchUp: "Catching up: 3 feeds  ·  17 of 56 fetches used today",
		poller.Planned: "Fetching 3 feeds  ·  17 of 56 fetches used today",
	} {
		if got := statusText(poller.Status{Busy: 3, BusyReason: doing, PerDay: 56, Spent: 17, Left: 39}, now); got != want {
			t.Errorf("%s: %q, want %q", doing, got, want)
		}
	}
}
