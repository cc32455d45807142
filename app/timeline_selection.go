package app

import (
	"fyne.io/fyne/v2"

	"kairos/app/keys"
)

// tapped selects a row as the held modifiers demand.
func (t *timeline) tapped(i int) {
	if i >= len(t.session.List.IDs) {
		return
	}
	t.session.List.Selection.Target = 0
	switch mods := keys.Held(); {
	case mods&fyne.KeyModifierShift != 0:
		t.selectTo(i)
	case mods&keys.Ctrl != 0:
		t.toggle(i)
	default:
		t.clearSelection()
		t.list.Select(i)
	}
}

// toggle adds row i to the selection or removes it.
func (t *timeline) toggle(i int) {
	t.session.List.Toggle(i)
	t.selectionChanged()
}

// selectTo selects the rows from where the selection started to row i.
func (t *timeline) selectTo(i int) {
	t.session.List.SelectTo(i)
	t.list.ScrollTo(i)
	t.selectionChanged()
}

// extendSelection moves the end of the selected range by step rows.
func (t *timeline) extendSelection(step int) {
	if row, ok := t.session.List.Extend(step); ok {
		t.selectTo(row)
	}
}

// selectAll selects all articles.
func (t *timeline) selectAll() {
	if len(t.session.List.IDs) > 0 {
		t.session.List.SelectAll()
		t.selectionChanged()
	}
}

func (t *timeline) selectionChanged() {
	t.list.Refresh()
	t.saySelected()
}

func (t *timeline) saySelected() {
	if n := t.session.List.Selection.IDs.Len(); n > 1 {
		t.shell.Say(selectedText(n))
	}
}

// clearSelection leaves only the current article; it reports whether there was a selection.
func (t *timeline) clearSelection() bool {
	had := t.session.List.ClearSelection()
	if had {
		t.list.Refresh()
	}
	return had
}
