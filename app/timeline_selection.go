package app

import (
	"slices"

	"kairos/app/keys"

	"fyne.io/fyne/v2"
)

// choice are the articles chosen together beside the one being read: by Ctrl and a
// click, by Shift with a click or an arrow, or all of them.
type choice struct {
	ids  map[int64]bool
	from int64 // where a stretch begins
	to   int64 // where it ends
}

// picked are the chosen articles in the order of the list.
func (t *timeline) picked() []int64 {
	var ids []int64
	for _, id := range t.ids {
		if t.choice.ids[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// meant are the articles a command is for: those chosen together, else the one a menu
// was opened on, else the one being read.
func (t *timeline) meant() []int64 {
	if t.pointed != 0 && !t.choice.ids[t.pointed] {
		return []int64{t.pointed}
	}
	if ids := t.picked(); len(ids) > 0 {
		return ids
	}
	if t.chosen != 0 {
		return []int64{t.chosen}
	}
	return nil
}

// tapped chooses a row as the held modifiers say.
func (t *timeline) tapped(i int) {
	if i >= len(t.ids) {
		return
	}
	t.pointed = 0
	switch mods := keys.Held(); {
	case mods&fyne.KeyModifierShift != 0:
		t.stretch(i)
	case mods&keys.Ctrl != 0:
		t.toggle(i)
	default:
		t.unpick()
		t.list.Select(i)
	}
}

// toggle adds one article to the choice or takes it out.
func (t *timeline) toggle(i int) {
	t.begin()
	id := t.ids[i]
	if t.choice.ids[id] {
		delete(t.choice.ids, id)
	} else {
		t.choice.ids[id] = true
	}
	t.choice.from, t.choice.to = id, id
	t.chose()
}

// stretch chooses everything from where the choice began to row i.
func (t *timeline) stretch(i int) {
	t.begin()
	from := slices.Index(t.ids, t.choice.from)
	if from < 0 {
		from = i
	}
	clear(t.choice.ids)
	for _, id := range t.ids[min(from, i) : max(from, i)+1] {
		t.choice.ids[id] = true
	}
	t.choice.to = t.ids[i]
	t.list.ScrollTo(i)
	t.chose()
}

// reach moves the end of the stretch by a step.
func (t *timeline) reach(step int) {
	if len(t.ids) == 0 {
		return
	}
	t.begin()
	at := slices.Index(t.ids, t.choice.to)
	t.stretch(min(max(at+step, 0), len(t.ids)-1))
}

// begin starts a choice at the article being read.
func (t *timeline) begin() {
	if len(t.choice.ids) > 0 {
		return
	}
	t.choice.ids = map[int64]bool{}
	if t.chosen != 0 {
		t.choice.ids[t.chosen] = true
	}
	t.choice.from, t.choice.to = t.chosen, t.chosen
}

func (t *timeline) chose() {
	t.list.Refresh()
	if n := len(t.choice.ids); n > 1 {
		t.w.say(chosenText(n))
	}
}

// unpick leaves only the article being read; it reports whether there was more.
func (t *timeline) unpick() bool {
	had := len(t.choice.ids) > 0
	t.choice = choice{}
	if had {
		t.list.Refresh()
	}
	return had
}

// selectAll chooses all text where text is typed or read, else all articles.
func (w *window) selectAll() {
	if s, ok := w.win.Canvas().Focused().(fyne.Shortcutable); ok {
		s.TypedShortcut(&fyne.ShortcutSelectAll{})
		return
	}
	t := w.timeline
	if w.dialogs.isOpen() || len(t.ids) == 0 {
		return
	}
	t.choice = choice{ids: map[int64]bool{}, from: t.ids[0], to: t.ids[len(t.ids)-1]}
	for _, id := range t.ids {
		t.choice.ids[id] = true
	}
	t.chose()
}
