package app

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Ctrl+F finds in the article if that has the focus, else it searches all articles.
func TestFindInArticle(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.List.TypedRune('j')
	q.Until("the article is shown", func() bool { return w.session.Shown != nil })
	w.searchOrFind()
	if w.win.Canvas().Focused() != fyne.Focusable(w.search) || w.article.View.Finding() {
		t.Error("from the list it does not search")
	}
	w.win.Canvas().Focus(w.article.View)
	w.searchOrFind()
	if !w.article.View.Finding() {
		t.Fatal("from the article it does not find")
	}
	field := w.win.Canvas().Focused()
	test.Type(field, "body")
	field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if w.article.View.Finding() || w.article.View.Selected() != "Body" {
		t.Errorf("selected is %q", w.article.View.Selected())
	}
	w.key(&fyne.KeyEvent{Name: fyne.KeyF3})
	if !w.article.View.Finding() {
		t.Error("F3 does not find")
	}
}
