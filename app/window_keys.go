package app

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"kairos/app/keys"
	"kairos/app/widgets"
)

// Key handles a key that no widget wanted.
func (w *window) key(ev *fyne.KeyEvent) {
	w.used()
	if w.covered(ev.Name) {
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
	w.perform(w.keys.Command(keys.Chord{Modifiers: keys.Held() & fyne.KeyModifierShift, Key: keys.MainKey(ev.Name)}))
}

// typed handles a letter that no widget wanted.
func (w *window) typed(r rune) {
	w.used()
	if !w.covered("") {
		w.perform(w.keys.Command(keys.Chord{Letter: r}))
	}
}

// passKeys is where widgets send the keys and letters that they do not use.
func (w *window) passKeys() widgets.Keys {
	return widgets.Keys{Used: w.used, Key: w.key, Rune: w.typed}
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

// pageBack scrolls back what is shown.
func (w *window) pageBack() {
	switch {
	case w.needy.shown():
		scrollBack(w.needy.pane)
	case w.reading.page.shown():
		scrollBack(w.reading.page.pane)
	case w.reading.shown != nil:
		w.reading.view.PageUp()
	}
}

func scrollBack(s *container.Scroll) {
	s.ScrollToOffset(fyne.NewPos(0, max(0, s.Offset.Y-s.Size().Height*0.85)))
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

// covered reports whether a dialog or a menu covers the panes, which then get no keys. Escape closes the dialog.
func (w *window) covered(key fyne.KeyName) bool {
	if w.win.Canvas().Overlays().Top() == nil {
		return false
	}
	if key == fyne.KeyEscape {
		w.dialogs.closeTop()
	}
	return true
}

// settingKeys holds the keys that were changed: commands' ids with their chords, as JSON.
const settingKeys = "app.keys"

// shippedKeys are the keys of the commands before anyone changes them.
func shippedKeys(groups []commandGroup) map[string]string {
	shipped := map[string]string{}
	for _, g := range groups {
		for _, c := range g.commands {
			shipped[c.id] = c.keys
		}
	}
	return shipped
}

// loadKeys takes over the keys the user has chosen.
func (w *window) loadKeys() {
	var stored string
	w.Work(func(ctx context.Context) (err error) {
		stored, err = w.home.Store.Settings.Get(ctx, settingKeys, "")
		return err
	}, func(err error) {
		if err == nil {
			err = w.keys.Decode(stored)
		}
		if err != nil {
			w.say(errorText(err))
		}
		w.bindKeys()
	})
}

// saveKeys stores the keys and puts them in force.
func (w *window) saveKeys() {
	w.bindKeys()
	stored := w.keys.Encode()
	w.set(settingKeys, stored, nil)
}

// bindKeys puts the keys in force: in the main menu, which shows one chord a command,
// and on the canvas, which takes the others while no text is typed.
func (w *window) bindKeys() {
	w.win.SetMainMenu(w.menu())
	for _, s := range w.extra {
		w.win.Canvas().RemoveShortcut(s)
	}
	w.extra = nil
	for id := range w.commands {
		first, _ := w.keys.MenuChord(id)
		for _, c := range w.keys.Chords(id) {
			if !c.MenuOnly() || c == first {
				continue
			}
			s := c.Shortcut()
			w.win.Canvas().AddShortcut(s, func(fyne.Shortcut) { w.perform(id) })
			w.extra = append(w.extra, s)
		}
	}
}
