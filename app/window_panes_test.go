package app

import (
	"kairos/app/session"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
)

var escape = &fyne.KeyEvent{Name: fyne.KeyEscape}

// At 800×600 pixels and a scale of 150 % the window fits, the search has room for words, and one pane stands in the place
// of the other, with Escape as the way back.
func TestVeryNarrowWindow(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(533, 400))
	if got := w.win.Canvas().Size(); got.Width != 533 {
		t.Fatalf("the window needs %v", got)
	}
	if !w.search.Visible() || w.search.Size().Width < 240 {
		t.Errorf("the search is %v wide", w.search.Size().Width)
	}
	if w.sidebar.Object.Visible() || w.article.Object.Visible() || w.timeline.Object.Size().Width != 533 {
		t.Errorf("the list is %v wide", w.timeline.Object.Size().Width)
	}
	w.timeline.List.TypedRune('j')
	q.Until("the article is read", func() bool {
		return w.session.Shown != nil && w.article.Object.Visible() && !w.timeline.Object.Visible()
	})
	w.win.Content().Refresh()
	w.win.Resize(fyne.NewSize(533, 401)) // the bar that has appeared is laid out
	if width := w.article.Bar.Row.Size().Width; w.article.Bar.Row.MinSize().Width > width || w.article.Bar.Row.Size().Height > 40 {
		t.Errorf("the buttons have %v", w.article.Bar.Row.Size())
	}
	w.key(escape)
	if !w.timeline.Object.Visible() || w.win.Canvas().Focused() != fyne.Focusable(w.timeline.List) {
		t.Error("Escape does not lead back to the list")
	}
	w.key(escape)
	if !w.sidebar.Object.Visible() || w.win.Canvas().Focused() != fyne.Focusable(w.sidebar.List) {
		t.Error("Escape does not lead back to the sidebar")
	}
	w.sidebar.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if w.session.Place.Key != "all" || !w.sidebar.Object.Visible() {
		t.Error("the arrows leave the sidebar")
	}
	if at := w.sidebar.List.GetScrollOffset(); at != 0 {
		t.Errorf("the sidebar is scrolled by %v", at)
	}
	q.Until("the list is there", func() bool { return len(w.session.List.IDs) == 6 })
	for _, goOn := range []func(){func() { w.movePane(1) }, func() { w.sidebar.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) }} {
		w.panes.Reveal(session.PaneSidebar)
		w.shell.Focus(w.sidebar.List)
		goOn()
		if !w.timeline.Object.Visible() || w.win.Canvas().Focused() != fyne.Focusable(w.timeline.List) {
			t.Error("neither the right arrow nor Enter leads to the list")
		}
	}
	w.timeline.List.Select(1)
	w.key(escape)
	w.timeline.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if !w.article.Object.Visible() || w.win.Canvas().Focused() != w.article.Focusable() {
		t.Error("Enter does not lead to the article")
	}
	w.perform("insights")
	if w.sidebar.Object.Visible() || w.pages.insights.Pane().Size().Width != 533 {
		t.Errorf("the page is %v wide", w.pages.insights.Pane().Size().Width)
	}
	w.key(escape)
	if !w.sidebar.Object.Visible() {
		t.Error("Escape does not leave the page")
	}
	veryNarrowWindowByMouse(t, w, q)
	messageInNarrowWindow(t, w)
}

// veryNarrowWindowByMouse checks that a tap in the sidebar of one pane shows the list; what is searched for is shown, too.
func veryNarrowWindowByMouse(t *testing.T, w *window, q *queue) {
	t.Helper()
	row := w.sidebar.List.CreateItem().(*fyne.Container)
	w.sidebar.List.UpdateItem(0, row)
	test.Tap(row.Objects[0].(fyne.Tappable))
	if w.session.Place.Key != "all" || !w.timeline.Object.Visible() {
		t.Error("a tap does not show the list")
	}
	q.Until("the list is there", func() bool { return len(w.session.List.IDs) == 6 })
	w.timeline.List.Select(2)
	if !w.article.Object.Visible() {
		t.Error("the article is not shown")
	}
	w.search.SetText("body")
	if !w.timeline.Object.Visible() {
		t.Error("what is found is not shown")
	}
}

// messageInNarrowWindow checks that a long message takes the place of the state, and does not widen the window.
func messageInNarrowWindow(t *testing.T, w *window) {
	t.Helper()
	w.shell.Say("Results in All articles: 12, and the search index is being built for the remaining articles")
	if got := w.win.Canvas().Size().Width; got != 533 || w.status.state.Size().Width > 0 || w.status.message.Size().Width < 500 {
		t.Errorf("%v wide: state %v, message %v", got, w.status.state.Size(), w.status.message.Size())
	}
	w.shell.Say("Copied.")
	if w.status.state.Size().Width < stateLeast || w.status.message.Size().Width < widgets.LabelWidth(&w.status.message.Label) {
		t.Errorf("state %v, message %v", w.status.state.Size(), w.status.message.Size())
	}
}

// In two panes what is chosen is listed beside the sidebar, and reading takes its place.
func TestNarrowWindow(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(800, 600))
	if w.sidebar.Object.Visible() || !w.timeline.Object.Visible() || !w.article.Object.Visible() {
		t.Error("not the list and the article")
	}
	w.perform("sidebar")
	if !w.sidebar.Object.Visible() || !w.timeline.Object.Visible() || w.article.Object.Visible() {
		t.Error("not the sidebar and the list")
	}
	w.sidebar.List.Select(0)
	q.Until("the list is there", func() bool { return len(w.session.List.IDs) == 6 })
	if !w.sidebar.Object.Visible() {
		t.Error("choosing leaves the sidebar")
	}
	w.timeline.List.Select(1)
	if w.sidebar.Object.Visible() || !w.article.Object.Visible() {
		t.Error("reading stays with the sidebar")
	}
	w.win.Resize(fyne.NewSize(1200, 780))
	if !w.sidebar.Object.Visible() || !w.timeline.Object.Visible() || !w.article.Object.Visible() {
		t.Error("a wide window does not show everything")
	}
}

// The menu offers the layouts and the sidebar, marks what is in force, and so do the settings.
func TestLayouts(t *testing.T) {
	w, _ := newTestWindow(t)
	w.win.Resize(fyne.NewSize(1200, 780))
	sidebarButtonSaysWhatItDoes(t, w)
	w.perform("wide")
	if list, article := w.timeline.Object, w.article.Object; list.Size().Width != article.Size().Width || article.Position().Y <= list.Position().Y {
		t.Errorf("list %v at %v, article at %v", list.Size(), list.Position(), article.Position())
	}
	w.perform("sidebar")
	if w.sidebar.Object.Visible() || w.timeline.Object.Size().Width != 1200 {
		t.Error("the sidebar does not go away")
	}
	layouts := w.layoutItem().ChildMenu.Items
	if w.sidebarItem().Checked || !layouts[1].Checked || layouts[0].Checked {
		t.Error("the menu marks something else")
	}
	view := windowView{w}
	view.SetLayout(session.Combined)
	if view.Layout() != session.Combined || !w.article.Object.Visible() || w.timeline.Object.Visible() {
		t.Error("the articles are not in the place of the list")
	}
	w.key(escape)
	if !w.timeline.Object.Visible() || w.article.Object.Visible() {
		t.Error("there is no way back")
	}
	w.timeline.List.Select(1)
	if !w.article.Object.Visible() || w.timeline.Object.Visible() {
		t.Error("choosing an article does not lead to it")
	}
	for _, menu := range w.menu().Items {
		if height := widget.NewMenu(menu).MinSize().Height; height > 720 {
			t.Errorf("on a small screen %s takes %v", menu.Label, height)
		}
	}
}

// sidebarButtonSaysWhatItDoes checks that the button of the sidebar says what it does, and its key.
func sidebarButtonSaysWhatItDoes(t *testing.T, w *window) {
	t.Helper()
	var button *widgets.ToolButton
	for _, b := range widgetstest.Find[*widgets.ToolButton](w.win.Content()) {
		if b.Icon == sidebarIcon {
			button = b
		}
	}
	if button.Name != "Hide sidebar" || button.Key() != "F9" {
		t.Errorf("it says %q, %q", button.Name, button.Key())
	}
	if w.perform("sidebar"); button.Name != "Show sidebar" {
		t.Errorf("hidden: it says %q", button.Name)
	}
	w.perform("sidebar")
}
