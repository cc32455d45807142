package app

import (
	"slices"

	"fyne.io/fyne/v2"

	"kairos/app/keys"
)

// selection is the articles that are selected together, by Ctrl and a click, by Shift with a click or an arrow, or all
// of them; and the one that a context menu was opened on.
type selection struct {
	ids    map[int64]bool
	from   int64 // where a range starts
	to     int64 // where it ends
	target int64 // the article that a context menu was opened on, else 0
}

// start selects only the article with this id, 0 for none, unless something is selected already.
func (s *selection) start(id int64) {
	if len(s.ids) > 0 {
		return
	}
	s.ids = map[int64]bool{}
	if id != 0 {
		s.ids[id] = true
	}
	s.from, s.to = id, id
}

// setRange selects what stands in listed from where the range starts to row i.
func (s *selection) setRange(listed []int64, i int) {
	from := slices.Index(listed, s.from)
	if from < 0 {
		from = i
	}
	clear(s.ids)
	for _, id := range listed[min(from, i) : max(from, i)+1] {
		s.ids[id] = true
	}
	s.to = listed[i]
}

// prune drops what is not listed any more.
func (s *selection) prune(listed []int64) {
	if s.ids == nil {
		return
	}
	are := idSet(listed)
	for id := range s.ids {
		if !are[id] {
			delete(s.ids, id)
		}
	}
}

// selected returns the selected articles in the order of the list.
func (t *timeline) selectedIDs() []int64 {
	var ids []int64
	for _, id := range t.ids {
		if t.selection.ids[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// targets returns the articles that a command applies to: the selected ones, else the one that a context menu was
// opened on, else the current one.
func (t *timeline) targets() []int64 {
	if target := t.selection.target; target != 0 && !t.selection.ids[target] {
		return []int64{target}
	}
	if ids := t.selectedIDs(); len(ids) > 0 {
		return ids
	}
	if t.current != 0 {
		return []int64{t.current}
	}
	return nil
}

// tapped selects a row as the held modifiers demand.
func (t *timeline) tapped(i int) {
	if i >= len(t.ids) {
		return
	}
	t.selection.target = 0
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
	t.selection.start(t.current)
	id := t.ids[i]
	if t.selection.ids[id] {
		delete(t.selection.ids, id)
	} else {
		t.selection.ids[id] = true
	}
	t.selection.from, t.selection.to = id, id
	t.selectionChanged()
}

// selectTo selects the rows from where the selection started to row i.
func (t *timeline) selectTo(i int) {
	t.selection.start(t.current)
	t.selection.setRange(t.ids, i)
	t.list.ScrollTo(i)
	t.selectionChanged()
}

// extendSelection moves the end of the selected range by step rows.
func (t *timeline) extendSelection(step int) {
	if len(t.ids) == 0 {
		return
	}
	t.selection.start(t.current)
	at := slices.Index(t.ids, t.selection.to)
	t.selectTo(min(max(at+step, 0), len(t.ids)-1))
}

// selectAll selects all articles.
func (t *timeline) selectAll() {
	if len(t.ids) == 0 {
		return
	}
	t.selection = selection{ids: idSet(t.ids), from: t.ids[0], to: t.ids[len(t.ids)-1]}
	t.selectionChanged()
}

func (t *timeline) selectionChanged() {
	t.list.Refresh()
	if n := len(t.selection.ids); n > 1 {
		t.say(selectedText(n))
	}
}

// clearSelection leaves only the current article; it reports whether there was a selection.
func (t *timeline) clearSelection() bool {
	had := len(t.selection.ids) > 0
	t.selection = selection{}
	if had {
		t.list.Refresh()
	}
	return had
}
