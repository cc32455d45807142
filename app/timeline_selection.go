package app

import (
	"iter"
	"slices"

	"fyne.io/fyne/v2"

	"kairos/app/keys"
)

// selection is the articles that are selected together, by Ctrl and a click, by Shift with a click or an arrow, or all
// of them; and the one that a context menu was opened on.
type selection struct {
	ids    idSet
	from   int64 // where a range starts
	to     int64 // where it ends
	target int64 // the article that a context menu was opened on, else 0
	whole  bool  // all were selected while only the first were listed: the rest belong to it
}

// start selects only the article with this id, 0 for none, unless something is selected already.
func (s *selection) start(id int64) {
	if s.ids.len() > 0 {
		return
	}
	s.ids = idSet{}
	if id != 0 {
		s.ids.add(id)
	}
	s.from, s.to = id, id
}

// setRange selects what stands in listed from where the range starts to row i.
func (s *selection) setRange(listed []int64, i int) {
	from := slices.Index(listed, s.from)
	if from < 0 {
		from = i
	}
	s.ids = newIDSet(listed[min(from, i) : max(from, i)+1])
	s.to, s.whole = listed[i], false
}

// prune drops what is not listed any more. Of a list that was selected as a whole it takes what was not there yet, until no more
// is to come, and reports whether it did.
func (s *selection) prune(listed []int64, part bool) (grown bool) {
	if s.whole {
		grown = len(listed) > s.ids.len()
		*s = wholeOf(listed, part)
	} else if s.ids.len() > 0 {
		s.ids.keep(newIDSet(listed))
	}
	return grown
}

// wholeOf selects all that are listed, and what is still to come if they are a part.
func wholeOf(listed []int64, part bool) selection {
	if len(listed) == 0 {
		return selection{whole: part}
	}
	return selection{ids: newIDSet(listed), from: listed[0], to: listed[len(listed)-1], whole: part}
}

// selectedIDs returns the selected articles in the order of the list.
func (t *timeline) selectedIDs() []int64 {
	return slices.AppendSeq(make([]int64, 0, t.selection.ids.len()), t.selection.ids.of(t.ids))
}

// targets returns the articles that a command applies to: the selected ones, else the one that a context menu was
// opened on, else the current one.
func (t *timeline) targets() []int64 {
	if t.selects() {
		return t.selectedIDs()
	}
	return slices.Collect(t.eachTarget())
}

// eachTarget goes through the targets, for what need not see all: a million may be selected.
func (t *timeline) eachTarget() iter.Seq[int64] {
	if t.selects() {
		return t.selection.ids.of(t.ids)
	}
	return func(yield func(int64) bool) {
		if target := t.selection.target; target != 0 {
			yield(target)
		} else if t.current != 0 {
			yield(t.current)
		}
	}
}

// selects reports whether commands apply to what is selected.
func (t *timeline) selects() bool {
	return t.selection.ids.len() > 0 && (t.selection.target == 0 || t.selection.ids.has(t.selection.target))
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
	if t.selection.ids.has(id) {
		t.selection.ids.remove(id)
	} else {
		t.selection.ids.add(id)
	}
	t.selection.from, t.selection.to, t.selection.whole = id, id, false
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
	t.selection = wholeOf(t.ids, t.part)
	t.selectionChanged()
}

func (t *timeline) selectionChanged() {
	t.list.Refresh()
	t.saySelected()
}

func (t *timeline) saySelected() {
	if n := t.selection.ids.len(); n > 1 {
		t.shell.Say(selectedText(n))
	}
}

// clearSelection leaves only the current article; it reports whether there was a selection.
func (t *timeline) clearSelection() bool {
	had := t.selection.ids.len() > 0
	t.selection = selection{}
	if had {
		t.list.Refresh()
	}
	return had
}
