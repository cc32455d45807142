package app

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/accessible/describe"
	"kairos/app/article"
	"kairos/app/keys"
	"kairos/app/session"
	"kairos/app/widgets"
)

// key handles a key that no widget has used.
func (w *window) key(ev *fyne.KeyEvent) {
	w.shell.Used()
	if w.covered(ev.Name) {
		return
	}
	if w.pages.insights.Key(ev.Name) {
		return
	}
	switch ev.Name {
	case fyne.KeyDown, fyne.KeyUp, fyne.KeyHome, fyne.KeyEnd:
		if w.onAway() {
			w.shell.Focus(w.pages.away.List)
			w.pages.away.List.TypedKey(ev)
			return
		}
		if !w.session.ListsArticles() {
			return
		}
		w.win.Canvas().Focus(w.timeline.List)
		w.timeline.List.TypedKey(ev)
		return
	case fyne.KeyReturn, fyne.KeyEnter:
		if w.goOn() {
			return
		}
	}
	command := w.keys.Command(keys.Chord{Modifiers: keys.Held() & fyne.KeyModifierShift, Key: keys.MainKey(ev.Name)})
	if command == "" && ev.Name == fyne.KeyF10 {
		toggleMenu(w.win.Canvas())
		return
	}
	w.perform(command)
}

// typed handles a letter that no widget has used. On the welcome page it belongs to an address: a new user knows no keys yet.
func (w *window) typed(r rune) {
	w.shell.Used()
	switch {
	case w.covered(""):
	case w.pages.welcome.Shown() && r != ' ':
		w.pages.welcome.Type(r)
	default:
		w.perform(w.keys.Command(keys.Chord{Letter: r}))
	}
}

// pageOrNext scrolls down, and at the end of an article or a feed's page opens the next unread article.
func (w *window) pageOrNext() {
	switch page := w.chosenPage(); {
	case w.onAway():
		w.pages.away.ReadOn()
	case page != nil:
		scrollOn(page)
	case w.article.StatusShown() && scrollOn(w.feedPage.Pane()):
	case w.session.Shown != nil && w.article.View.PageDown():
	default:
		w.step(session.ToNextUnread)
	}
}

// step goes to another article of the list, as soon as that is there.
func (w *window) step(s session.Step) {
	if s != session.NoStep && w.onAway() {
		w.pages.away.ReadOn()
		return
	}
	if w.session.List.Postpone(s) {
		return
	}
	if id := w.session.Passed(); id != 0 && (s == session.ToNext || s == session.ToNextUnread) {
		w.timeline.MarkRead(id)
	}
	switch s {
	case session.ToNext:
		w.timeline.Next(1)
	case session.ToPrevious:
		w.timeline.Next(-1)
	case session.ToNextUnread:
		w.openNextUnread()
	}
}

// pageBack scrolls up.
func (w *window) pageBack() {
	switch page := w.chosenPage(); {
	case page != nil:
		scrollBack(page)
	case w.article.StatusShown():
		scrollBack(w.feedPage.Pane())
	case w.session.Shown != nil:
		w.article.View.PageUp()
	}
}

func scrollBack(s *widgets.Scroll) {
	s.ScrollToOffset(fyne.NewPos(0, max(0, s.Offset.Y-s.Size().Height*0.85)))
}

// scrollOn scrolls a page further; it reports whether there was anything to scroll to.
func scrollOn(s *widgets.Scroll) bool {
	end := s.Content.Size().Height - s.Size().Height
	if s.Offset.Y >= end {
		return false
	}
	s.ScrollToOffset(fyne.NewPos(0, min(s.Offset.Y+s.Size().Height*0.85, end)))
	return true
}

// nextPlace chooses the feed that is step rows further. The menu gets the key for it before the article does, whose caret
// goes to the next paragraph by the same key.
func (w *window) nextPlace(step int, key fyne.KeyName) {
	if v, ok := w.win.Canvas().Focused().(*article.View); ok && keys.Held()&keys.Ctrl != 0 && v.CaretKey(key, keys.Ctrl) {
		return
	}
	w.sidebar.Next(step)
}

// movePane moves the focus between the three panes.
func (w *window) movePane(step int) {
	if w.win.Canvas().Focused() == fyne.Focusable(w.sidebar.List) && w.sidebar.FoldChosen(step) {
		return
	}
	places := w.places()
	at := min(1, len(places)-1)
	for i, p := range places {
		if w.win.Canvas().Focused() == p.keys {
			at = i
		}
	}
	to := places[min(max(at+step, 0), len(places)-1)]
	w.panes.Reveal(to.pane)
	w.shell.Focus(to.keys)
}

// place is a pane that can have the focus, and what has it there.
type place struct {
	pane session.Pane
	keys fyne.Focusable
}

// places are the panes that can have the focus.
func (w *window) places() []place {
	sidebar := place{session.PaneSidebar, w.sidebar.List}
	if w.session.ListsArticles() {
		return []place{sidebar, {session.PaneList, w.timeline.List}, {session.PaneArticle, w.article.Focusable()}}
	}
	if w.onAway() {
		return []place{sidebar, {session.PaneList, w.pages.away.List}}
	}
	if f := w.pages.insights.Focusable(); f != nil {
		return []place{sidebar, {session.PaneList, f}}
	}
	return []place{sidebar}
}

// keepFocusInSight takes the focus from what has left the screen, where keys would still press it. The list or the article gets
// it, else the window has the keys.
func (w *window) keepFocusInSight() {
	canvas := w.win.Canvas()
	focused, _ := canvas.Focused().(fyne.CanvasObject)
	if focused == nil || canvas.Overlays().Top() != nil || describe.InSight(canvas, focused) {
		return
	}
	canvas.Unfocus()
	if !w.session.ListsArticles() {
		return
	}
	for _, p := range w.places()[1:] {
		if w.panes.Shown(p.pane) {
			w.shell.Focus(p.keys)
			return
		}
	}
}

// goBack shows what stands before the panes on screen, where the window has no room for all of them, and gives it the
// keys. It reports whether there was anything.
func (w *window) goBack() bool {
	to, ok := w.panes.Back()
	if !ok {
		return false
	}
	for _, p := range w.places() {
		if p.pane == to {
			w.shell.Focus(p.keys)
		}
	}
	return true
}

// goOn shows what the chosen row stands for and gives it the focus: from the sidebar the list, and from the list the article
// where that is not on screen. It reports whether there was anything.
func (w *window) goOn() bool {
	switch {
	case w.win.Canvas().Focused() == fyne.Focusable(w.sidebar.List):
	case w.onAway():
		w.pages.away.OpenChosen()
		return true
	case w.session.List.Current != 0 && w.session.ListsArticles() && !w.panes.Shown(session.PaneArticle):
	default:
		return false
	}
	w.movePane(1)
	return true
}

// toggleSidebar hides the sidebar, or shows it and gives it the focus.
func (w *window) toggleSidebar() {
	w.panes.ToggleSidebar()
	if w.panes.Shown(session.PaneSidebar) {
		w.shell.Focus(w.sidebar.List)
	} else {
		w.focusTimeline()
	}
	w.bindKeys()
}

// toggleHideReadFeeds hides or shows the feeds and folders without unread articles.
func (w *window) toggleHideReadFeeds() {
	w.sidebar.SetHideRead(!w.sidebar.HideRead)
	w.bindKeys()
	if w.sidebar.HideRead {
		w.shell.Say(lang.L("Feeds without unread articles are hidden."))
	} else {
		w.shell.Say(lang.L("All feeds are shown."))
	}
}

// setLayout arranges the panes in another way.
func (w *window) setLayout(l session.Layout) {
	w.panes.SetLayout(l)
	w.article.Stream.Set(l == session.Combined)
	w.bindKeys()
}

// covered reports whether a dialog or a menu covers the panes, which then get no keys. A dialog gets them.
func (w *window) covered(key fyne.KeyName) bool {
	if w.win.Canvas().Overlays().Top() == nil {
		return false
	}
	w.shell.Dialogs.Key(key)
	return true
}

// settingKeys holds the keys that the user has changed, as JSON: command ids with their chords.
const settingKeys = "app.keys"

// defaultKeys returns the default chords of each command.
func defaultKeys(groups []commandGroup) map[string]string {
	chords := map[string]string{}
	for _, g := range groups {
		for _, c := range g.commands {
			chords[c.id] = c.keys
		}
	}
	return chords
}

// loadKeys reads the keys that the user has changed.
func (w *window) loadKeys() {
	var stored string
	w.shell.Work(func(ctx context.Context) (err error) {
		stored, err = w.shell.Home.Store.Settings.Get(ctx, settingKeys, "")
		return err
	}, func(err error) {
		if err == nil {
			err = w.keys.Decode(stored)
		}
		if err != nil {
			w.shell.Fail(err)
		}
		w.bindKeys()
	})
}

// saveKeys stores the changed keys and binds them.
func (w *window) saveKeys() {
	w.bindKeys()
	stored := w.keys.Encode()
	w.shell.StoreSetting(settingKeys, stored, nil)
}

// bindKeys binds the keys: one chord of each command in the main menu, the others on the canvas, which gets them while
// no text is typed.
func (w *window) bindKeys() {
	w.renewMenu()
	for _, s := range w.shortcuts {
		w.win.Canvas().RemoveShortcut(s)
	}
	w.shortcuts = nil
	for id := range w.commands {
		first, _ := w.keys.MenuChord(id)
		for _, c := range w.keys.Chords(id) {
			if !c.MenuOnly() || c == first {
				continue
			}
			s := c.Shortcut()
			w.win.Canvas().AddShortcut(s, func(fyne.Shortcut) { w.perform(id) })
			w.shortcuts = append(w.shortcuts, s)
		}
	}
}

// searchOrFind finds in the article if that has the focus, else it searches all articles.
func (w *window) searchOrFind() {
	if w.win.Canvas().Focused() != fyne.Focusable(w.search) && w.article.CanFind() {
		w.article.View.Find()
		return
	}
	w.search.Start()
}

// back clears the selection, else leaves the status of a feed; where nothing is searched for it goes back to the pane
// before, and else it leaves the search.
func (w *window) back() {
	w.session.List.Selection.Target = 0
	switch {
	case w.sidebar.CancelDrag():
	case w.onAway():
		w.leaveAway()
	case w.timeline.ClearSelection():
	case w.article.StatusShown() && w.panes.Shown(session.PaneArticle):
		w.openFeedPage(w.library.Feed(w.feedPage.Feed()))
	case w.search.Text == "" && w.goBack():
	default:
		w.search.End()
	}
}

// selectAll selects all text in the widget that has the focus, else all articles.
func (w *window) selectAll() {
	if s, ok := w.win.Canvas().Focused().(fyne.Shortcutable); ok {
		s.TypedShortcut(&fyne.ShortcutSelectAll{})
		return
	}
	if len(w.shell.Dialogs.Open) == 0 {
		w.timeline.SelectAll()
	}
}
