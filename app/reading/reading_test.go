package reading

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"kairos/app/home"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets"
	"kairos/reader"
)

// noStatus stands for the status of feeds, which is never shown.
type noStatus struct{ scroll *widgets.Scroll }

func (s noStatus) Pane() *widgets.Scroll     { return s.scroll }
func (noStatus) Open(int64)                  {}
func (noStatus) Close()                      {}
func (noStatus) Reload()                     {}
func (s noStatus) Focusable() fyne.Focusable { return nil }

// newPane returns an article pane in a room, and the ids of the room's articles.
func newPane(t testing.TB) (*Pane, *shelltest.Room, []int64) {
	t.Helper()
	room := shelltest.New(t, home.Options{})
	status := noStatus{widgets.NewVScroll(canvas.NewRectangle(nil))}
	status.scroll.Hide()
	p := New(room.Shell, room.Session, status, shell.Commands{Perform: func(string) {}, Key: func(string) string { return "" }}, Events{
		Feed: func(id int64) *reader.Feed { return room.Library.Feed(id) }, Labels: func() []reader.Label { return room.Library.Labels }, SelectRow: func(int) {}, ScrolledTo: func(int64) {},
		MarkPassed: func([]int64, func([]int64)) {}, StayedOpen: func(int64) {}, MarkRead: func(int64) {}, Jumped: func(session.Position, session.Position) {}, ListedOnce: func() bool { return true }})
	room.Place(p.Object, 600, 500)
	ids, err := room.Home.Store.Articles.IDs(context.Background(), reader.Query{})
	if err != nil || len(ids) < 2 {
		t.Fatal(ids, err)
	}
	return p, room, ids
}

// The buttons never lie on the text, also where they are hidden and shown again before a frame is painted.
func TestButtonsLeaveTheTextItsRoom(t *testing.T) {
	p, room, ids := newPane(t)
	view := p.Object.Objects[0]
	for i, id := range ids[:2] {
		if top := view.Position().Y; top != 0 {
			t.Errorf("without buttons the text begins at %v", top)
		}
		p.Open(id)
		room.Queue.Until("the article is shown", func() bool { return room.Session.IsShown(id) })
		if end := p.Bar.Row.Position().Y + p.Bar.Row.Size().Height; view.Position().Y < end || end < 20 {
			t.Errorf("article %d begins at %v, the buttons end at %v", i, view.Position().Y, end)
		}
		p.Clear()
	}
}

// The button keeps naming the label of an article that a search does not list.
func TestALabelStaysOnTheButtonDuringASearch(t *testing.T) {
	p, room, ids := newPane(t)
	if _, err := room.Home.Marks.Labels.PutNew(t.Context(), reader.Label{Name: "Money"}, ids[:1]); err != nil {
		t.Fatal(err)
	}
	room.Fill()
	rows, err := room.Home.Store.Articles.Load(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	for _, listed := range [][]reader.Article{rows, rows[1:]} {
		room.Session.List.Take(session.Page{IDs: ids, Rows: listed})
		p.Open(ids[0])
		room.Queue.Until("the article is shown", func() bool { return room.Session.IsShown(ids[0]) })
		if p.UpdateBar(); p.Bar.Labels.Name != "Money" {
			t.Errorf("with %d rows it says %q", len(listed), p.Bar.Labels.Name)
		}
	}
}

// The text of a post without a title is not its title, too.
func TestUntitledPostAppearsOnce(t *testing.T) {
	p, room, ids := newPane(t)
	text := "A post without a title, which goes on for much longer than a title can, so that the list shows what is left of it below."
	room.Exec(t, "UPDATE article SET title = '', summary = ? WHERE id = ?", text, ids[0])
	room.Exec(t, "UPDATE body SET html = ? WHERE id = ?", "<p>"+text+"</p>", ids[0])
	p.Open(ids[0])
	room.Queue.Until("it is shown", func() bool { return room.Session.IsShown(ids[0]) })
	p.View.SelectAll()
	if got := p.View.Selected(); strings.Count(got, "A post without") != 1 {
		t.Errorf("the article says %q", got)
	}
}

// A picture whose caption is the title has a title above it; a post with a picture below its text has none.
func TestTitleOfPictureWithCaption(t *testing.T) {
	p, room, ids := newPane(t)
	const text, picture = "Funny Story", `<img src="https://a.test/comic.png" width="600" height="400">`
	for html, want := range map[string]int{picture + "<p>" + text + "</p>": 2, "<p>" + text + "</p>" + picture: 1} {
		room.Exec(t, "UPDATE article SET title = ?, summary = ? WHERE id = ?", text, text, ids[0])
		room.Exec(t, "UPDATE body SET html = ? WHERE id = ?", html, ids[0])
		p.Open(ids[1])
		room.Queue.Until("another is shown", func() bool { return room.Session.IsShown(ids[1]) })
		p.Open(ids[0])
		room.Queue.Until("it is shown", func() bool { return room.Session.IsShown(ids[0]) })
		p.View.SelectAll()
		if got := p.View.Selected(); strings.Count(got, text) != want {
			t.Errorf("%s is shown as %q", html, got)
		}
	}
}

// The article that is open, alone or in the stream, says the new name of a feed that is renamed, and stays where it is scrolled to.
func TestOpenArticleSaysTheNewNameOfItsFeed(t *testing.T) {
	p, room, ids := newPane(t)
	room.Fill()
	p.Open(ids[0])
	room.Queue.Until("it is shown", func() bool { return room.Session.IsShown(ids[0]) })
	says := func(name string) bool {
		p.View.SelectAll()
		return strings.Contains(p.View.Selected(), name)
	}
	for _, name := range []string{"Another name", "A third"} {
		room.Exec(t, "UPDATE feed SET own_title = ?", name)
		room.Fill()
		if p.FeedsChanged(); !says(name) || room.Session.Shown.FeedTitle != name {
			t.Errorf("the article says %q", p.View.Selected())
		}
	}
}
