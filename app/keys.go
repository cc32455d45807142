package app

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"kairos/reader"
)

// binding is a key that stands alone and what it does.
type binding struct {
	keys string // as the help shows them
	what string
	rune rune           // the letter, or 0
	key  fyne.KeyName   // or the key
	do   func(*window)  // nil: documented here, done elsewhere
	also []fyne.KeyName // keys that do the same
}

// bindings are the keys without a modifier, in the order of the help.
func bindings() []binding {
	return []binding{
		{keys: "j   ↓", what: "Next article", rune: 'j', do: func(w *window) { w.timeline.next(1) }},
		{keys: "k   ↑", what: "Previous article", rune: 'k', do: func(w *window) { w.timeline.next(-1) }},
		{keys: "n", what: "Next unread article, also of the next feed", rune: 'n', do: (*window).nextUnread},
		{keys: "Space", what: "Page down, then next unread", key: fyne.KeySpace, do: (*window).pageOrNext},
		{keys: "r", what: "Mark read or unread", rune: 'r', do: (*window).toggleRead},
		{keys: "s", what: "Star or unstar", rune: 's', do: (*window).toggleStar},
		{keys: "b   Enter", what: "Open in the browser", rune: 'b', key: fyne.KeyReturn, also: []fyne.KeyName{fyne.KeyEnter}, do: (*window).browse},
		{keys: "F3", what: "Find in the article, then the next place", key: fyne.KeyF3, do: (*window).findNext},
		{keys: "p", what: "Load the pictures of the article", rune: 'p', do: (*window).loadPictures},
		{keys: "/", what: "Search", rune: '/', do: (*window).startSearch},
		{keys: "←   →", what: "To the pane on the left, on the right", key: fyne.KeyLeft, do: func(w *window) { w.movePane(-1) }},
		{key: fyne.KeyRight, do: func(w *window) { w.movePane(1) }},
		{keys: "Esc", what: "Leave the search", key: fyne.KeyEscape, do: (*window).endSearch},
		{keys: "F5", what: "Refresh", key: fyne.KeyF5, do: (*window).refresh},
		{keys: "F11", what: "Full screen", key: fyne.KeyF11, do: func(w *window) { w.win.SetFullScreen(!w.win.FullScreen()) }},
		{keys: "?", what: "This help", rune: '?', do: (*window).help},
	}
}

// key handles a key that no widget wanted.
func (w *window) key(ev *fyne.KeyEvent) {
	w.used()
	if w.busy(ev.Name) {
		return
	}
	switch ev.Name {
	case fyne.KeyDown, fyne.KeyUp, fyne.KeyHome, fyne.KeyEnd:
		if w.needy.shown() {
			return
		}
		w.win.Canvas().Focus(w.timeline.list)
		w.timeline.list.TypedKey(ev)
		return
	}
	for _, b := range bindings() {
		if b.key == ev.Name && b.key != "" {
			b.do(w)
			return
		}
		for _, k := range b.also {
			if k == ev.Name {
				b.do(w)
				return
			}
		}
	}
}

// typed handles a letter that no widget wanted.
func (w *window) typed(r rune) {
	w.used()
	if w.busy("") {
		return
	}
	for _, b := range bindings() {
		if b.rune == r && r != 0 {
			b.do(w)
			return
		}
	}
}

// pageOrNext scrolls what is shown, and at the end of an article or a feed's page goes
// to the next unread article.
func (w *window) pageOrNext() {
	switch {
	case w.needy.shown():
		scrollOn(w.needy.pane)
	case w.reading.page.shown() && scrollOn(w.reading.page.pane):
	case w.reading.shown != nil && w.reading.view.PageDown():
	default:
		w.nextUnread()
	}
}

// scrollOn scrolls a page further; it reports whether there was anything to scroll to.
func scrollOn(s *container.Scroll) bool {
	end := s.Content.Size().Height - s.Size().Height
	if s.Offset.Y >= end {
		return false
	}
	s.ScrollToOffset(fyne.NewPos(0, min(s.Offset.Y+s.Size().Height*0.85, end)))
	return true
}

// movePane moves the focus between the three panes.
func (w *window) movePane(step int) {
	panes := []fyne.Focusable{w.sidebar.list, w.timeline.list, w.reading.focus()}
	if w.needy.shown() {
		panes = panes[:1]
	}
	at := min(1, len(panes)-1)
	for i, p := range panes {
		if w.win.Canvas().Focused() == p {
			at = i
		}
	}
	w.win.Canvas().Focus(panes[min(max(at+step, 0), len(panes)-1)])
}

// nextUnread goes to the next unread article below the chosen one, then to the
// first of the list, then to all unread ones.
func (w *window) nextUnread() {
	t := w.timeline
	if i, known := t.unreadBelow(); known {
		t.list.Select(i)
		return
	}
	after, ids := t.chosen, t.ids
	q := w.query()
	q.View = reader.Unread
	w.goNextUnread(q, after, ids)
}

func (w *window) goNextUnread(q reader.Query, after int64, ids []int64) {
	ask(w, &w.wantNext, func(ctx context.Context) ([]int64, error) {
		return w.home.Store.IDs(ctx, q)
	}, func(unread []int64) {
		switch {
		case len(unread) == 0 && w.sidebar.chosen.key != "unread" && q.Search == "":
			w.sidebar.chooseKey("unread")
			w.goNextUnread(reader.Query{View: reader.Unread}, 0, nil)
		case len(unread) == 0:
			w.say("Everything is read.")
		default:
			w.timeline.choose(nextOf(unread, after, ids))
		}
	})
}

// nextOf is the first of the unread ids that stands below after in ids, else the
// first of all.
func nextOf(unread []int64, after int64, ids []int64) int64 {
	is := make(map[int64]bool, len(unread))
	for _, id := range unread {
		is[id] = true
	}
	passed := false
	for _, id := range ids {
		if passed && is[id] {
			return id
		}
		passed = passed || id == after
	}
	return unread[0]
}

// help shows the keys.
func (w *window) help() {
	grid := container.NewGridWithColumns(2)
	add := func(keys, what string) {
		k := widget.NewLabel(keys)
		k.TextStyle.Bold = true
		k.Alignment = fyne.TextAlignTrailing
		grid.Add(k)
		grid.Add(widget.NewLabel(what))
	}
	for _, b := range bindings() {
		if b.keys != "" {
			add(b.keys, b.what)
		}
	}
	for _, s := range w.shortcuts() {
		add(s.text, s.what)
	}
	scroll := container.NewVScroll(grid)
	scroll.SetMinSize(fyne.NewSize(520, 460))
	w.dialog(dialog.NewCustom("Keys", "Close", scroll, w.win), nil)
}

// dialog shows a dialog; when it is closed, also by Escape, closed is called if
// it is not nil and the focus goes back to the list.
func (w *window) dialog(d dialog.Dialog, closed func()) {
	w.dialogs = append(w.dialogs, d)
	d.SetOnClosed(func() {
		w.dialogs = slices.DeleteFunc(w.dialogs, func(open dialog.Dialog) bool { return open == d })
		w.win.Canvas().Focus(w.timeline.list)
		if closed != nil {
			closed()
		}
	})
	d.Show()
}

// inform says something that has to be taken note of.
func (w *window) inform(title, text string) {
	w.dialog(dialog.NewInformation(title, text, w.win), nil)
}

// busy reports whether a dialog or a menu stands before the panes: keys are then
// not theirs. Escape closes the dialog.
func (w *window) busy(key fyne.KeyName) bool {
	if w.win.Canvas().Overlays().Top() == nil {
		return false
	}
	if n := len(w.dialogs); key == fyne.KeyEscape && n > 0 {
		w.dialogs[n-1].Hide()
	}
	return true
}
