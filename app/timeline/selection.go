package timeline

import (
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/keys"
)

// tapped selects a row as the held modifiers demand.
func (t *Pane) tapped(i int) {
	if i >= len(t.session.List.IDs) {
		return
	}
	t.session.List.Selection.Target = 0
	switch mods := keys.Held(); {
	case mods&fyne.KeyModifierShift != 0:
		t.SelectTo(i)
	case mods&keys.Ctrl != 0:
		t.toggle(i)
	default:
		t.ClearSelection()
		t.List.SelectUnderPointer(i)
	}
}

// clicks tells double clicks. The double tap of the driver is not used: with it every click would wait whether a second one follows.
type clicks struct {
	article int64 // that was clicked last, 0 for none
	at      time.Time
}

// isDouble notes a click on an article, and reports whether it is the second of two, with no modifier held.
func (c *clicks) isDouble(article int64, now time.Time) bool {
	before := *c
	*c = clicks{article, now}
	if keys.Held()&(fyne.KeyModifierShift|keys.Ctrl) != 0 {
		c.article = 0
		return false
	}
	if article == 0 || article != before.article || now.Sub(before.at) > fyne.CurrentApp().Driver().DoubleTapDelay() {
		return false
	}
	c.article = 0 // a third click begins again
	return true
}

// toggle adds row i to the selection or removes it.
func (t *Pane) toggle(i int) {
	t.session.List.Toggle(i)
	t.selectionChanged()
}

// SelectTo selects the rows from where the selection started to row i.
func (t *Pane) SelectTo(i int) {
	t.session.List.SelectTo(i)
	t.List.ScrollTo(i)
	t.selectionChanged()
}

// ExtendSelection moves the end of the selected range by step rows.
func (t *Pane) ExtendSelection(step int) {
	if row, ok := t.session.List.Extend(step); ok {
		t.SelectTo(row)
	}
}

// SelectAll selects all articles.
func (t *Pane) SelectAll() {
	if len(t.session.List.IDs) > 0 {
		t.session.List.SelectAll()
		t.selectionChanged()
	}
}

func (t *Pane) selectionChanged() {
	t.List.Refresh()
	t.saySelected()
}

func (t *Pane) saySelected() {
	if n := t.session.List.Selection.IDs.Len(); n > 1 {
		t.shell.Say(selectedText(n))
	}
}

// ClearSelection leaves only the current article; it reports whether there was a selection.
func (t *Pane) ClearSelection() bool {
	had := t.session.List.ClearSelection()
	if had {
		t.List.Refresh()
	}
	return had
}
