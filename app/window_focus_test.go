package app

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/accessible/describe"
	"kairos/app/session"
	"kairos/app/widgets"
)

// Nothing that has left the screen keeps the focus: a key would press it there.
func TestFocusLeavesWhatIsHidden(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(1100, 600))
	canvas := w.win.Canvas()
	exec(t, w, "INSERT INTO poll (subject, address, gone, failures, since) SELECT id, url, 1, 1, ? FROM feed", noon.Unix())
	w.reload()
	q.Until("feeds need attention", func() bool { return len(w.pages.attention.Feeds) == 2 })
	button := func(in fyne.CanvasObject, text string) func() fyne.Focusable {
		return func() fyne.Focusable {
			is := func(b *widgets.Button) bool { return b.Text == text }
			return drawn[*widgets.Button](in)[slices.IndexFunc(drawn[*widgets.Button](in), is)]
		}
	}
	attention := func() { w.sidebar.ChooseKey(session.Attention) }
	goTo := func(command string) func() { return func() { w.perform(command) } }
	for name, c := range map[string]struct {
		open    func()
		focused func() fyne.Focusable
		leave   func()
		left    func() bool // what was focused is hidden
	}{
		"a page":                  {attention, button(w.pages.attention.Pane, "Unsubscribe"), goTo("unread"), nil},
		"a page for another page": {attention, button(w.pages.attention.Pane, "Unsubscribe"), goTo("insights"), nil},
		"figures": {func() {
			w.perform("insights")
			q.Until("the page is filled", func() bool { return w.pages.insights.Focusable() != nil })
		}, w.pages.insights.Focusable, goTo("unread"), nil},
		"an article": {func() {
			w.perform("next")
			q.Until("the article is shown", func() bool { return w.session.Shown != nil })
		}, func() fyne.Focusable { return w.article.Bar.Browse }, goTo("today"), func() bool { return !w.article.Bar.Row.Visible() }},
		"the status of a feed": {func() { openStatus(w, q, 1) }, button(w.feedPage.Pane(), "Properties…"), goTo("unread"),
			func() bool { return !w.feedPage.Pane().Visible() }},
	} {
		t.Run(name, func(t *testing.T) {
			w.perform("all")
			q.Until("the articles are listed", func() bool { return len(w.session.List.IDs) == 6 && !w.timeline.ItemChanged })
			c.open()
			hidden := c.focused()
			if canvas.Focus(hidden); canvas.Focused() != hidden {
				t.Fatalf("%T has the focus", canvas.Focused())
			}
			if c.leave(); c.left != nil {
				q.Until("the list is there", c.left)
				w.keepFocusInSight() // as before the next frame
			}
			want := fyne.Focusable(w.timeline.List)
			if !w.session.ListsArticles() {
				want = nil
			}
			if canvas.Focused() != want {
				t.Errorf("%T has the focus", canvas.Focused())
			}
		})
	}
}

// drawn are the objects of a type that an object is drawn with.
func drawn[T fyne.CanvasObject](in fyne.CanvasObject) (found []T) {
	if o, is := in.(T); is {
		found = append(found, o)
	}
	for _, o := range describe.DrawnBy(in) {
		found = append(found, drawn[T](o)...)
	}
	return found
}
