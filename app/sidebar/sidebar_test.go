package sidebar

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"kairos/app/home"
	"kairos/app/icon"
	"kairos/app/session"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets"
	"kairos/poller/icons"
	"kairos/reader"
)

// pane is a sidebar with two feeds, the second of them in the folder News, and what it has reported.
type pane struct {
	*Pane
	room   *shelltest.Room
	chosen int // times
}

func newPane(t *testing.T) *pane {
	t.Helper()
	room := shelltest.New(t, home.Options{})
	p := &pane{room: room}
	cache := icon.NewCache(room.Jobs, func(context.Context, icons.Icon) ([]byte, error) { return nil, icons.ErrOtherSite }, func() {})
	p.Pane = New(room.Shell, room.Library, room.Session, cache, Events{
		ItemChosen: func() { p.chosen++ }, ItemChanged: func() {}, Loaded: func() {}, ItemMenu: func(session.Place, fyne.Position) {},
		ItemTapped: func() {}, Moved: func(map[int64]string) {}})
	room.Place(p.Object, 240, 600)
	room.Fill()
	return p
}

// rows are the rows, indented, with their unread articles.
func (p *pane) rows() string {
	var rows []string
	for _, item := range p.Items {
		rows = append(rows, fmt.Sprintf("%s%s %d", strings.Repeat("  ", item.Indent), item.Name, item.Count))
	}
	return strings.Join(rows, "|")
}

// folderOf is the folder of a feed, as stored.
func (p *pane) folderOf(t *testing.T, feed int64) string {
	t.Helper()
	f, err := p.room.Home.Store.Feeds.Get(t.Context(), feed)
	if err != nil {
		t.Fatal(err)
	}
	return f.Folder
}

func TestRows(t *testing.T) {
	p := newPane(t)
	const open = "All articles 0|Unread 6|Today 6|Starred 0|Insights 0|Feeds 0|News 3|  Feed 1 3|Feed 0 3"
	if got := p.rows(); got != open {
		t.Errorf("sidebar is %s\nwant %s", got, open)
	}
	p.ToggleFolder("News")
	p.room.Queue.Until("it is collapsed", func() bool { return p.rows() == strings.Replace(open, "|  Feed 1 3", "", 1) })
	p.ToggleFolder("News")
	p.room.Queue.Until("it is expanded", func() bool { return p.rows() == open })
}

// A folder stays chosen under its new name, also by undoing that, and where one around it gets another name.
func TestRenamedFolderStaysChosen(t *testing.T) {
	p := newPane(t)
	p.ChooseKey(session.FolderKey("News"))
	wait := func(folder, chosen string) {
		t.Helper()
		p.room.Queue.Until("it is stored", func() bool { return p.folderOf(t, 2) == folder })
		p.library.Reload()
		p.room.Queue.Until("it is shown", func() bool { return p.library.Feed(2).Folder == folder })
		if at := p.room.Session.Place; at.Folder != chosen || at.Query.Folder != chosen || p.Items[p.List.Chosen].Folder != chosen {
			t.Errorf("chosen: %s, in the list %s", at.Key, p.Items[p.List.Chosen].Key)
		}
	}
	rename := func(from, to, folder, chosen string) {
		t.Helper()
		p.Move(p.library.Renames(from, to), "renamed")
		wait(folder, chosen)
	}
	rename("News", "The world", "The world", "The world")
	p.room.Queue.Until("undo knows", func() bool { return p.room.History.Len() == 1 })
	p.room.UndoLast()
	wait("News", "News")
	rename("News", "All / News", "All / News", "All / News")
	rename("All", "Everything", "Everything / News", "Everything / News")
	if p.chosen != 1 {
		t.Errorf("chosen %d times", p.chosen)
	}
	p.ChooseKey(session.FolderKey("Everything"))
	rename("Everything", "Top", "Top / News", "Top")
}

// The triangle of a folder opens and closes it, and chooses nothing; a heading cannot be chosen.
func TestTrianglesAndHeadings(t *testing.T) {
	p := newPane(t)
	chosen, row := p.room.Session.Place.Key, newRow()
	for _, left := range []int{8, 9} {
		p.update(6, row)
		row.Tapped(&fyne.PointEvent{Position: fyne.NewPos(12, 15)})
		p.room.Queue.Until(fmt.Sprint(left, " rows are left"), func() bool { return len(p.Items) == left })
	}
	if p.room.Session.Place.Key != chosen {
		t.Errorf("%s is chosen", p.room.Session.Place.Key)
	}
	p.ChooseKey(session.Insights)
	if p.Next(1); p.room.Session.Place.Key != session.FolderKey("News") {
		t.Errorf("below Insights comes %s", p.room.Session.Place.Key)
	}
	if p.Next(-1); p.room.Session.Place.Key != session.Insights {
		t.Errorf("above the folder comes %s", p.room.Session.Place.Key)
	}
	p.update(5, row)
	if test.TapAt(row, fyne.NewPos(60, 15)); p.room.Session.Place.Key != session.Insights {
		t.Errorf("the heading chooses %s", p.room.Session.Place.Key)
	}
}

// at is the middle of a row, on the canvas.
func (p *pane) at(row int) fyne.Position {
	return fyne.CurrentApp().Driver().AbsolutePositionForObject(p.List).AddXY(20, (float32(row)+0.5)*(rowHeight+theme.Padding()))
}

func TestDragFeedIntoFolder(t *testing.T) {
	p := newPane(t)
	feed, folder := p.Items[8], p.Items[6]
	p.dragTo(feed, p.at(6))
	if got := p.room.Host.Hovered; got != "Move Feed 0 to News" {
		t.Errorf("told: %q", got)
	}
	p.drop()
	p.room.Queue.Until("it is in the folder", func() bool { return p.folderOf(t, feed.Feed.ID) == folder.Folder })
	p.room.Queue.Until("undo knows", func() bool { return p.room.History.Len() == 1 })
	p.room.UndoLast()
	p.room.Queue.Until("it is back", func() bool { return p.folderOf(t, feed.Feed.ID) == "" })
	// Dropped elsewhere, or a view dragged, nothing moves.
	p.dragTo(feed, fyne.NewPos(900, 300))
	p.drop()
	p.dragTo(p.Items[0], p.at(6))
	p.drop()
	if p.room.History.Len() != 0 {
		t.Error("something was moved")
	}
}

// Feeds are sorted by hand within their folder, by the keys or by dragging; the order is stored and can be undone.
func TestFeedsAreSortedByHand(t *testing.T) {
	p := newPane(t)
	p.Move(map[int64]string{2: ""}, "moved")
	p.room.Queue.Until("both are at the top", func() bool { return p.room.History.Len() == 1 })
	p.library.Reload()
	listed := func(want ...string) {
		t.Helper()
		p.room.Queue.Until("the order is as wanted", func() bool {
			var names []string
			for _, item := range p.Items {
				if item.Feed != nil {
					names = append(names, item.Name)
				}
			}
			return slices.Equal(names, want) && p.library.Feed(2).Folder == ""
		})
	}
	listed("Feed 0", "Feed 1")
	p.ChooseKey(session.FeedKey(1))
	p.MoveChosen(1)
	listed("Feed 1", "Feed 0")
	p.MoveChosen(1) // it is the last
	if p.room.Session.Place.Key != session.FeedKey(1) {
		t.Errorf("chosen: %s", p.room.Session.Place.Key)
	}
	p.room.UndoLast()
	listed("Feed 0", "Feed 1")
	p.dragTo(p.Items[7], p.at(6))
	p.drop()
	listed("Feed 1", "Feed 0")
	p.SortByName()
	listed("Feed 0", "Feed 1")
}

// Folders are sorted by hand, by the keys or by dragging one between others, shown by a line; dropped onto a folder it goes into it.
func TestFoldersAreSortedByHand(t *testing.T) {
	p := newPane(t)
	p.Move(map[int64]string{1: "Alps", 2: "News / World"}, "moved")
	p.room.Queue.Until("they are moved", func() bool { return p.room.History.Len() == 1 })
	p.library.Reload()
	listed := func(want string) {
		t.Helper()
		p.room.Queue.Until("the order is "+want, func() bool {
			var names []string
			for _, item := range p.Items {
				if item.Folder != "" {
					names = append(names, item.Folder)
				}
			}
			return strings.Join(names, ", ") == want
		})
	}
	listed("Alps, News, News / World")
	p.ChooseKey(session.FolderKey("Alps"))
	p.MoveChosen(-1) // it is the first
	p.MoveChosen(1)
	listed("News, News / World, Alps")
	p.room.UndoLast()
	listed("Alps, News, News / World")
	// Rows: 6 Alps, 7 its feed, 8 News, 9 News / World, 10 its feed.
	p.dragTo(p.Items[6], p.at(10).AddXY(0, rowHeight/2))
	if y := p.mark.line.Position().Y; p.mark.line.Hidden || !p.mark.folder.Hidden || y > p.rowTop(11) || y < p.rowTop(11)-6 || p.room.Host.Hovered != "Move Alps to the place of News" {
		t.Errorf("the line is at %v, hidden %v, said %q", y, p.mark.line.Hidden, p.room.Host.Hovered)
	}
	p.drop()
	listed("News, News / World, Alps")
	p.dragTo(p.Items[9], p.at(6).AddXY(0, -rowHeight/2)) // Alps above News
	p.drop()
	listed("Alps, News, News / World")
	p.dragTo(p.Items[8], p.at(8).AddXY(0, -rowHeight/2)) // where it stands
	if !p.mark.line.Hidden || !p.mark.folder.Hidden {
		t.Error("it seems to go somewhere")
	}
	p.drop()
	listed("Alps, News, News / World")
	p.ChooseKey(session.FolderKey("Alps"))
	p.MoveChosen(1)
	listed("News, News / World, Alps")
	p.SortByName()
	listed("Alps, News, News / World")
	p.room.UndoLast()
	listed("News, News / World, Alps")
	p.Move(p.library.Renames("News", "The news"), "renamed")
	p.room.Queue.Until("it is renamed", func() bool { return p.folderOf(t, 2) == "The news / World" })
	p.library.Reload()
	listed("The news, The news / World, Alps")
	p.dragTo(p.Items[9], p.at(6)) // Alps onto the other folder
	p.drop()
	p.room.Queue.Until("it is in the other", func() bool { return p.folderOf(t, 1) == "The news / Alps" })
}

// What is dragged is shown beside the pointer, and where it will stand: a frame around its folder, or a line between feeds.
func TestDragShowsWhere(t *testing.T) {
	p := newPane(t)
	p.dragTo(p.Items[8], p.at(6)) // into the folder
	m := p.mark
	if !m.Visible() || m.name.Content != "Feed 0" || m.folder.Hidden || !m.line.Hidden {
		t.Fatalf("%q; shown %v, frame hidden %v, line hidden %v", m.name.Content, m.Visible(), m.folder.Hidden, m.line.Hidden)
	}
	if top := p.rowTop(6); m.folder.Position().Y != top || m.folder.Size().Height != rowHeight {
		t.Errorf("the frame is at %v, the folder at %v", m.folder.Position(), top)
	}
	p.dragTo(p.Items[8], fyne.NewPos(900, 300))
	if !m.folder.Hidden || !m.line.Hidden || !m.Visible() {
		t.Error("outside of the list it seems to go somewhere")
	}
	p.drag.folder = nil
	p.drop()
	if m.Visible() {
		t.Error("something stays")
	}
	p.Move(map[int64]string{2: ""}, "moved")
	p.room.Queue.Until("both are at the top", func() bool { return p.room.History.Len() == 1 })
	p.library.Reload()
	p.room.Queue.Until("both are listed there", func() bool { return len(p.Items) == 8 && p.Items[7].Feed != nil })
	for _, c := range []struct{ from, to, above int }{{6, 7, 8}, {7, 6, 6}} {
		p.drag = drag{}
		p.dragTo(p.Items[c.from], p.at(c.to))
		if y := m.line.Position().Y; m.line.Hidden || y > p.rowTop(c.above) || y < p.rowTop(c.above)-6 {
			t.Errorf("from row %d to %d: the line is at %v, row %d at %v", c.from, c.to, y, c.above, p.rowTop(c.above))
		}
	}
}

// Escape cancels a drag, also where the pointer moves on before the button is let go; the next drag moves again.
func TestEscapeCancelsDrag(t *testing.T) {
	p := newPane(t)
	if p.CancelDrag() {
		t.Error("with nothing dragged, it is taken")
	}
	feed := p.Items[8]
	p.dragTo(feed, p.at(6))
	if !p.mark.Visible() || !p.CancelDrag() || p.mark.Visible() {
		t.Error("it is still shown")
	}
	p.dragTo(feed, p.at(6))
	if p.drop(); p.room.History.Len() != 0 || p.mark.Visible() {
		t.Error("it is moved all the same")
	}
	p.dragTo(feed, p.at(6))
	p.drop()
	p.room.Queue.Until("the next one is moved", func() bool { return p.room.History.Len() == 1 })
}

// Dragged to an edge and held there, a feed has the list scroll until its end, and stays what is dragged.
func TestDragScrollsTheList(t *testing.T) {
	p := newPane(t)
	p.room.Place(p.Object, 240, 150)
	feed, next := p.Items[8], func() {}
	p.after = func(_ time.Duration, f func()) { next = f }
	to := func(y float32) fyne.Position {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(p.List).AddXY(100, y)
	}
	p.List.ScrollToOffset(1e6)
	end := p.List.GetScrollOffset()
	p.dragTo(feed, to(100))
	p.dragTo(p.Items[0], to(5)) // its row may have become that of another one
	for range 100 {
		f := next
		next = func() {}
		f()
	}
	if at := p.List.GetScrollOffset(); at != 0 || end < rowHeight {
		t.Errorf("scrolled from %v to %v", end, at)
	}
	if p.drag.item == nil || p.drag.item.Key != feed.Key {
		t.Errorf("dragged: %+v", p.drag.item)
	}
	p.dragTo(feed, to(145))
	for range 100 {
		next()
	}
	if at := p.List.GetScrollOffset(); at != end {
		t.Errorf("down again to %v of %v", at, end)
	}
	p.drop()
	next()
	if p.scrolling || p.List.GetScrollOffset() != end {
		t.Error("it scrolls with nothing dragged")
	}
}

// A feed that was just added is brought into sight, also in a folder that is collapsed in another one.
func TestAddedFeedIsInSight(t *testing.T) {
	p := newPane(t)
	p.room.Place(p.Object, 240, 120)
	p.Move(map[int64]string{2: "Papers / World"}, "moved")
	p.room.Queue.Until("it is moved", func() bool { return p.folderOf(t, 2) == "Papers / World" })
	p.library.Reload()
	p.room.Queue.Until("it is listed", func() bool { return p.library.Feed(2).Folder == "Papers / World" })
	p.Collapsed["Papers"], p.Collapsed["Papers / World"] = true, true
	p.List.ScrollToTop()
	p.ChooseFeed(*p.library.Feed(2))
	key := session.FeedKey(2)
	p.room.Queue.Until("it is in sight", func() bool {
		i := p.rowOf(key)
		return i >= 0 && p.List.Chosen == i && p.rowTop(i) >= 0 && p.rowTop(i)+rowHeight <= p.List.Size().Height+1
	})
	if n := len(p.Places()); n != len(p.Items)-1 {
		t.Errorf("%d places, %d rows with a heading", n, len(p.Items))
	}
}

// Control and Shift pick several feeds; a plain click ends that.
func TestPickSeveralFeeds(t *testing.T) {
	s := newPane(t)
	s.ChooseKey(s.Items[7].Key)
	for _, c := range []struct {
		held  fyne.KeyModifier
		picks int
	}{{fyne.KeyModifierControl, 2}, {fyne.KeyModifierControl, 1}, {fyne.KeyModifierShift, 2}, {0, 0}} {
		if s.Tapped(8, c.held); len(s.PickedFeeds()) != c.picks {
			t.Errorf("with %v picked: %v", c.held, s.Picked)
		}
		if c.held != 0 && s.room.Session.Place.Key != s.Items[7].Key {
			t.Errorf("%s is chosen", s.room.Session.Place.Key)
		}
	}
}

// A chosen feed that comes into a collapsed folder stays in sight and chosen.
func TestMovedFeedStaysInSight(t *testing.T) {
	p := newPane(t)
	p.ToggleFolder("News")
	p.room.Queue.Until("it is collapsed", func() bool { return len(p.Items) == 8 })
	p.ChooseKey(session.FeedKey(1))
	f := *p.library.Feed(1)
	f.Folder = "News"
	if err := p.room.Home.Subscriptions.Update(t.Context(), f, nil); err != nil {
		t.Fatal(err)
	}
	p.library.Reload()
	p.room.Queue.Until("it is moved", func() bool { return p.library.Feed(1).Folder == "News" })
	if at := p.Items[p.List.Chosen]; at.Feed == nil || at.Feed.ID != 1 || p.room.Session.Place.Key != session.FeedKey(1) {
		t.Errorf("chosen: %s, in the list %s", p.room.Session.Place.Key, at.Key)
	}
}

// A folder or a feed that comes back by undoing is chosen again, unless another item was chosen meanwhile.
func TestUndoReturnsToTheChosenItem(t *testing.T) {
	s := newPane(t)
	room, q := s.room, s.room.Queue
	wait := func(key string) {
		t.Helper()
		q.Until(key+" is chosen", func() bool { s.library.Reload(); return room.Session.Place.Key == key })
	}
	undo := func() {
		t.Helper()
		q.Until("undo knows", func() bool { return room.History.Len() == 1 })
		room.UndoLast()
	}
	unsubscribe := func() {
		t.Helper()
		if err := room.Home.Subscriptions.Remove(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		room.AddUndo("unsubscribed", func(ctx context.Context) error { return room.Home.Subscriptions.Restore(ctx, 2) })
	}
	remove := map[string]func(){
		session.FolderKey("News"): func() { s.Move(s.library.Renames("News", ""), "deleted") },
		session.FeedKey(2):        unsubscribe,
	}
	for key, remove := range remove {
		s.ChooseKey(key)
		remove()
		wait("all")
		undo()
		wait(key)
	}
	s.Move(map[int64]string{1: "Papers"}, "moved")
	q.Until("there is another folder", func() bool { s.library.Reload(); return s.library.Feed(1).Folder == "Papers" })
	room.History.Clear()
	s.ChooseKey(session.FolderKey("News"))
	s.Move(s.library.Renames("News", "Papers"), "renamed")
	wait(session.FolderKey("Papers"))
	undo()
	wait(session.FolderKey("News"))
	s.ChooseKey(session.FeedKey(2))
	unsubscribe()
	wait("all")
	s.ChooseKey("unread")
	undo()
	q.Until("it is back", func() bool { s.library.Reload(); return s.library.Feed(2) != nil })
	if room.Session.Place.Key != "unread" {
		t.Errorf("chosen: %s", room.Session.Place.Key)
	}
}

func TestUnreadBelowListsCollapsedFolders(t *testing.T) {
	s := newPane(t)
	first, folder, second := s.Items[8], s.Items[6], s.Items[7]
	s.ChooseKey(first.Key)
	if got := s.UnreadBelow(); !slices.Equal(got, []string{second.Key}) {
		t.Errorf("below the first feed: %v", got)
	}
	s.ToggleFolder(folder.Folder)
	s.room.Queue.Until("folded", func() bool { return len(s.Items) == 8 })
	if got := s.UnreadBelow(); !slices.Equal(got, []string{folder.Key}) {
		t.Errorf("below the first feed: %v", got)
	}
}

// Enter in the name of a folder renames it.
func TestEnterRenamesAFolder(t *testing.T) {
	p := newPane(t)
	folder := p.Items[6].Place
	p.RenameFolder(folder)
	e := p.room.Canvas.Focused().(*widgets.Entry)
	if e.SelectedText() != folder.Name {
		t.Errorf("selected: %q", e.SelectedText())
	}
	e.SetText("Another")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	p.room.Queue.Until("it is renamed", func() bool {
		return p.folderOf(t, 2) == "Another" && len(p.room.Dialogs.Open) == 0
	})
}

// Saved searches and labels have rows with what is unread; one that is chosen stays so under another name, until it is removed.
func TestSearchesAndLabels(t *testing.T) {
	p := newPane(t)
	search, label := reader.SavedSearch{Name: "Zero", Search: "feed:0"}, reader.Label{Name: "Work"}
	var err error
	save := func() {
		t.Helper()
		if search.ID, err = p.room.Home.SavedSearches.Save(t.Context(), search); err == nil {
			label.ID, err = p.room.Home.Marks.Labels.Save(t.Context(), label)
		}
		if err != nil {
			t.Fatal(err)
		}
		p.library.Reload()
	}
	save()
	p.room.Queue.Until("they are listed", func() bool { return strings.Contains(p.rows(), "|Zero 3|") && strings.Contains(p.rows(), "|Work 0|") })
	for _, c := range []struct {
		key    string
		remove func() error
	}{
		{session.SavedPlace(&search).Key, func() error { return p.room.Home.SavedSearches.Delete(t.Context(), search.ID) }},
		{session.LabelPlace(&label).Key, func() error { _, err := p.room.Home.Marks.Labels.Delete(t.Context(), label.ID); return err }},
	} {
		p.ChooseKey(c.key)
		search.Name, label.Name = search.Name+"s", label.Name+"s"
		save()
		p.room.Queue.Until("it has another name", func() bool {
			return p.room.Session.Place.Key == c.key && strings.HasSuffix(p.room.Session.Place.Name, "s")
		})
		if err := c.remove(); err != nil {
			t.Fatal(err)
		}
		p.library.Reload()
		p.room.Queue.Until("another place is chosen", func() bool { return p.room.Session.Place.Key == session.All })
	}
}
