package app

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/poller"
	"kairos/reader"
)

// shortcut is a key with a modifier. Fyne gives these to the main menu first,
// so each of them stands on an item of it.
type shortcut struct {
	text string // as the help shows it
	what string
	key  fyne.KeyName
	mod  fyne.KeyModifier
	do   func()
}

func (s shortcut) item() *fyne.MenuItem {
	item := fyne.NewMenuItem(s.what, s.do)
	item.Shortcut = &desktop.CustomShortcut{KeyName: s.key, Modifier: s.mod}
	if s.key == fyne.KeyZ && s.mod == ctrl {
		// Fyne has a shortcut of its own for this key, and no other one matches it.
		item.Shortcut = &fyne.ShortcutUndo{}
	}
	return item
}

const ctrl = fyne.KeyModifierShortcutDefault

// shortcuts are the main menu's items that have one.
func (w *window) shortcuts() []shortcut {
	return []shortcut{
		{"Ctrl+N", "Add feed…", fyne.KeyN, ctrl, func() { w.addFeed("") }},
		{"Ctrl+O", "Import a list…", fyne.KeyO, ctrl, w.importDialog},
		{"Ctrl+E", "Export the list…", fyne.KeyE, ctrl, w.exportDialog},
		{"Ctrl+Z", "Undo", fyne.KeyZ, ctrl, w.undoKey},
		{"Ctrl+K", "Mark all read", fyne.KeyK, ctrl, w.markAllRead},
		{"Alt+Enter", "Feed properties…", fyne.KeyReturn, fyne.KeyModifierAlt, func() { w.properties(w.chosenFeed()) }},
		{"Ctrl+I", "How the feed fares", fyne.KeyI, ctrl, func() { w.feedPage(w.chosenFeed()) }},
		{"Ctrl+R", "Refresh", fyne.KeyR, ctrl, w.refresh},
		{"Ctrl+B", "Battery saver: off, on, automatic", fyne.KeyB, ctrl, w.cycleSaver},
		{"Ctrl+F", "Search", fyne.KeyF, ctrl, w.searchOrFind},
		{"Ctrl+1", "All articles", fyne.Key1, ctrl, func() { w.sidebar.chooseKey("all") }},
		{"Ctrl+2", "Unread", fyne.Key2, ctrl, func() { w.sidebar.chooseKey("unread") }},
		{"Ctrl+3", "Today", fyne.Key3, ctrl, func() { w.sidebar.chooseKey("today") }},
		{"Ctrl+4", "Starred", fyne.Key4, ctrl, func() { w.sidebar.chooseKey("starred") }},
		{"Ctrl+,", "Settings…", fyne.KeyComma, ctrl, w.settings},
		{"Ctrl+Q", "Quit", fyne.KeyQ, ctrl, w.quit},
	}
}

// undoKey undoes in the text being typed, if there is one, else the last thing
// done: the menu sees the shortcut before the field does.
func (w *window) undoKey() {
	if e, ok := w.win.Canvas().Focused().(interface{ Undo() }); ok {
		e.Undo()
		return
	}
	if len(w.dialogs) == 0 {
		w.undoLast()
	}
}

func (w *window) menu() *fyne.MainMenu {
	items := map[string]*fyne.MenuItem{}
	for _, s := range w.shortcuts() {
		if act := s.do; s.what != "Quit" {
			s.do = func() {
				// Behind a dialog nothing is done that it does not show.
				if len(w.dialogs) == 0 || s.what == "Undo" {
					act()
				}
			}
		}
		items[s.what] = s.item()
	}
	quit := items["Quit"]
	quit.IsQuit = true
	plain := func(what string, do func()) *fyne.MenuItem { return fyne.NewMenuItem(what, do) }
	sep := fyne.NewMenuItemSeparator()
	saver := plain("Battery saver", nil)
	saver.ChildMenu = fyne.NewMenu("",
		plain("Off", func() { w.setSaver(poller.SaverOff) }),
		plain("On", func() { w.setSaver(poller.SaverOn) }),
		plain("Automatic: on battery, low power, metered network", func() { w.setSaver(poller.SaverAuto) }))
	budget := plain("Fetches a day", nil)
	budget.ChildMenu = fyne.NewMenu("",
		plain("Fresh: 24 a feed", func() { w.setBudget(poller.Fresh) }),
		plain("Balanced: 8 a feed", func() { w.setBudget(poller.Balanced) }),
		plain("A number of your own…", w.budgetDialog),
		plain("Pause fetching", func() { w.setBudget("0") }))
	return fyne.NewMainMenu(
		fyne.NewMenu("Kairos", items["Add feed…"], items["Import a list…"], items["Export the list…"], sep,
			items["Settings…"], sep, quit),
		fyne.NewMenu("Edit", items["Undo"], sep, items["Search"], plain(lang.L("Find in the article"), w.findNext)),
		fyne.NewMenu("Feed", items["How the feed fares"], items["Feed properties…"], plain("Unsubscribe", func() { w.unsubscribe(w.chosenFeed()) }), sep,
			items["Refresh"], items["Mark all read"]),
		fyne.NewMenu("View", append([]*fyne.MenuItem{items["All articles"], items["Unread"], items["Today"], items["Starred"]}, w.viewMenu.items...)...),
		fyne.NewMenu("Fetching", items["Battery saver: off, on, automatic"], saver, budget),
		fyne.NewMenu("Help", plain("Keys", w.help), plain("About Kairos", w.about)),
	)
}

// chosenFeed is the feed the menu speaks of: the one chosen in the sidebar, else
// that of the article shown.
func (w *window) chosenFeed() *reader.Feed {
	if f := w.sidebar.chosen.feed; f != nil {
		return f
	}
	if a := w.reading.current(); a != nil {
		for i := range w.sidebar.feeds {
			if w.sidebar.feeds[i].ID == a.Feed {
				return &w.sidebar.feeds[i]
			}
		}
	}
	return nil
}

// placeMenu is the menu of a row of the sidebar.
func (w *window) placeMenu(p place, at fyne.Position) {
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Mark all read", func() {
			w.sidebar.chooseKey(p.key)
			w.markAllRead()
		}),
		fyne.NewMenuItem("Refresh", func() {
			w.sidebar.chooseKey(p.key)
			w.refresh()
		}),
	}
	if f := p.feed; f != nil {
		pause := "Pause"
		if f.Paused {
			pause = "Go on fetching"
		}
		items = append(items, fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem("How it fares", func() { w.feedPage(f) }),
			fyne.NewMenuItem("Properties…", func() { w.properties(f) }),
			fyne.NewMenuItem(pause, func() { w.pause(*f) }),
			fyne.NewMenuItem("Unsubscribe", func() { w.unsubscribe(f) }))
	}
	if p.folder != "" {
		fold := "Fold"
		if w.sidebar.folded[p.folder] {
			fold = "Unfold"
		}
		items = append(items, fyne.NewMenuItem(fold, func() { w.sidebar.fold(p.folder) }))
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), w.win.Canvas(), at)
}

// articleMenu is the menu of the chosen article.
func (w *window) articleMenu(at fyne.Position) {
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("",
		fyne.NewMenuItem("Open in browser", w.browse),
		fyne.NewMenuItem("Star or unstar", w.toggleStar),
		fyne.NewMenuItem("Mark read or unread", w.toggleRead),
		fyne.NewMenuItem("Copy link", func() {
			if a := w.reading.current(); a != nil && a.Link != "" {
				w.app.Clipboard().SetContent(a.Link)
				w.say("Link copied.")
			}
		}),
	), w.win.Canvas(), at)
}

func (w *window) pause(f reader.Feed) {
	f.Paused = !f.Paused
	w.work(func(ctx context.Context) error { return w.home.Update(ctx, f, nil) }, nil)
}

// unsubscribe takes a feed away; undo brings it back with all its articles.
func (w *window) unsubscribe(f *reader.Feed) {
	if f == nil {
		w.say("Choose a feed first.")
		return
	}
	id, title := f.ID, f.Title
	w.work(func(ctx context.Context) error { return w.home.Remove(ctx, id) }, func(err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		w.done("Unsubscribed from "+title, func(ctx context.Context) error { return w.home.Restore(ctx, id) })
	})
}

func (w *window) about() {
	w.inform("About Kairos", aboutText(w.home.Dir))
}
