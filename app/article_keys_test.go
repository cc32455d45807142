package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/article"
	"kairos/reader/content"
)

// Left and Right move between the panes, but scroll wide code that was focused with Tab.
func TestArrowsScrollOnlyFocusedBlock(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(1000, 700))
	w.timeline.List.TypedRune('j')
	q.Until("the article is shown", func() bool { return w.session.Shown != nil })
	w.article.View.Display(article.Article{Title: "Code", Body: content.Document{Blocks: []content.Block{
		{Kind: content.Code, Runs: []content.Run{{Text: strings.Repeat("some code(); ", 100)}}}}}})
	canvas := w.win.Canvas()
	key := func(name fyne.KeyName) { canvas.Focused().TypedKey(&fyne.KeyEvent{Name: name}) }
	canvas.Focus(w.article.View)
	if key(fyne.KeyLeft); canvas.Focused() != fyne.Focusable(w.timeline.List) {
		t.Error("Left does not go from the article to the list")
	}
	if key(fyne.KeyRight); canvas.Focused() != fyne.Focusable(w.article.View) {
		t.Error("Right does not go from the list to the article")
	}
	key(fyne.KeyTab)
	key(fyne.KeyRight)
	if key(fyne.KeyLeft); canvas.Focused() != fyne.Focusable(w.article.View) {
		t.Error("Left leaves the code that Tab led to")
	}
	key(fyne.KeyEscape)
	if key(fyne.KeyLeft); canvas.Focused() != fyne.Focusable(w.timeline.List) {
		t.Error("after Escape Left does not go to the list")
	}
}
