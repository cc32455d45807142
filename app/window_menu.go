package app

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/poller"
	"kairos/reader"
)

// item is a menu's item for a command, with its first chord that only a menu can
// have: Fyne gives those to the main menu before any widget.
func (w *window) item(id string) *fyne.MenuItem {
	item := fyne.NewMenuItem(w.commands[id].what, func() { w.perform(id) })
	item.IsQuit = id == "quit"
	if c, ok := w.keys.MenuChord(id); ok {
		item.Shortcut = c.Shortcut()
	}
	return item
}

// items are the items of commands; "-" is a separator.
func (w *window) items(ids ...string) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, id := range ids {
		if id == "-" {
			items = append(items, fyne.NewMenuItemSeparator())
			continue
		}
		items = append(items, w.item(id))
	}
	return items
}

// submenu is an item that opens a menu of its own.
func submenu(name string, items ...*fyne.MenuItem) *fyne.MenuItem {
	item := fyne.NewMenuItem(name, nil)
	item.ChildMenu = fyne.NewMenu("", items...)
	return item
}

// undoKey undoes in the text being typed, if there is one, else the last thing
// done: the menu sees the shortcut before the field does.
func (w *window) undoKey() {
	if e, ok := w.win.Canvas().Focused().(interface{ Undo() }); ok {
		e.Undo()
		return
	}
	if !w.dialogs.isOpen() {
		w.undo.undoLast()
	}
}

func (w *window) menu() *fyne.MainMenu {
	arrange := w.items("newest", "oldest", "-", "by-none", "by-day", "by-feed")
	w.timeline.arranged.check(arrange)
	view := append(w.items("all", "unread", "today", "starred", "-"), submenu(lang.L("Arrange"), arrange...), w.hideReadItem(), w.thumbsItem())
	edit := w.items("undo", "-", "select-all", "copy-link", "copy-markdown", "-", "search-or-find", "find", "-", "save-search", "search-help", "reindex")
	return fyne.NewMainMenu(
		fyne.NewMenu("Kairos", w.items("add", "import", "export", "export-starred", "-", "back-up", "restore", "keeping", "-", "rules", "settings", "-", "quit")...),
		fyne.NewMenu(lang.L("Edit"), edit...),
		fyne.NewMenu(lang.L("Article"), w.articleItems()...),
		fyne.NewMenu(lang.L("Feed"), w.items("fares", "properties", "unsubscribe", "-", "refresh", "read-all")...),
		fyne.NewMenu(lang.L("View"), append(append(append(view, fyne.NewMenuItemSeparator()), w.viewItems()...), w.items("-", "next-place", "previous-place", "fold", "-", "full-screen")...)...),
		fyne.NewMenu(lang.L("Fetching"), w.fetchingItems()...),
		fyne.NewMenu(lang.L("Help"), w.items("keys", "about")...),
	)
}

func (w *window) thumbsItem() *fyne.MenuItem {
	item := w.item("thumbs")
	item.Checked = w.thumbs.on
	return item
}

func (w *window) hideReadItem() *fyne.MenuItem {
	item := w.item("hide-read")
	item.Checked = w.timeline.arranged.hideRead
	return item
}

func (w *window) articleItems() []*fyne.MenuItem {
	older := submenu(lang.L("Mark more as read"), w.items("read-above", "read-below", "read-day", "read-week")...)
	return append(w.items("next", "previous", "next-unread", "-", "browse", "full-text", "-", "read", "star", "delete", "-"), older)
}

func (w *window) fetchingItems() []*fyne.MenuItem {
	plain := fyne.NewMenuItem
	return []*fyne.MenuItem{
		w.item("saver"),
		submenu(lang.L("Battery saver"),
			plain(lang.L("Off"), func() { w.setSaver(poller.SaverOff) }),
			plain(lang.L("On"), func() { w.setSaver(poller.SaverOn) }),
			plain(lang.L("Automatic: on battery, low power, metered network"), func() { w.setSaver(poller.SaverAuto) })),
		submenu(lang.L("Fetches a day"),
			plain(lang.L("Fresh: 24 a feed"), func() { w.setBudget(poller.Fresh) }),
			plain(lang.L("Balanced: 8 a feed"), func() { w.setBudget(poller.Balanced) }),
			plain(lang.L("A number of your own…"), w.budgetDialog),
			plain(lang.L("Pause fetching"), func() { w.setBudget("0") })),
	}
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

// placeProperties are those of a saved search that is chosen, else of the feed.
func (w *window) placeProperties() {
	if one := w.sidebar.chosen.saved; one != nil {
		w.editSearch(*one)
		return
	}
	w.properties(w.chosenFeed())
}

// placeMenu is the menu of a row of the sidebar.
func (w *window) placeMenu(p place, at fyne.Position) {
	items := []*fyne.MenuItem{
		fyne.NewMenuItem(lang.L("Mark all read"), func() {
			w.sidebar.chooseKey(p.key)
			w.markAllRead()
		}),
		fyne.NewMenuItem(lang.L("Refresh"), func() {
			w.sidebar.chooseKey(p.key)
			w.refresh()
		}),
	}
	if f := p.feed; f != nil {
		pause := lang.L("Pause")
		if f.Paused {
			pause = lang.L("Go on fetching")
		}
		items = append(items, fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem(lang.L("How it fares"), func() { w.feedPage(f) }),
			fyne.NewMenuItem(lang.L("Properties…"), func() { w.properties(f) }),
			fyne.NewMenuItem(pause, func() { w.pause(*f) }),
			fyne.NewMenuItem(lang.L("Unsubscribe"), func() { w.unsubscribe(f) }))
	}
	if p.movable() {
		items = append(items, fyne.NewMenuItemSeparator(), w.moveMenu(p))
	}
	if p.saved != nil {
		items = append(items, fyne.NewMenuItemSeparator())
		items = append(items, w.savedMenu(*p.saved)...)
	}
	if p.folder != "" {
		items = append(items, fyne.NewMenuItem(lang.L("Rename…"), func() { w.renameFolder(p) }))
		fold := lang.L("Fold")
		if w.sidebar.folded[p.folder] {
			fold = lang.L("Unfold")
		}
		items = append(items, fyne.NewMenuItem(fold, func() { w.sidebar.fold(p.folder) }))
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), w.win.Canvas(), at)
}

// articleMenu is the menu of the articles that are meant.
func (w *window) articleMenu(at fyne.Position) {
	items := w.items("browse", "copy-link", "-", "read", "star", "delete", "-", "read-above", "read-below")
	for _, item := range items {
		item.Shortcut = nil
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), w.win.Canvas(), at)
}

func (w *window) pause(f reader.Feed) {
	f.Paused = !f.Paused
	w.Work(func(ctx context.Context) error { return w.home.Update(ctx, f, nil) }, nil)
}

// unsubscribe takes a feed away; undo brings it back with all its articles.
func (w *window) unsubscribe(f *reader.Feed) {
	if f == nil {
		w.say(lang.L("Choose a feed first."))
		return
	}
	id, title := f.ID, f.Title
	w.Work(func(ctx context.Context) error { return w.home.Remove(ctx, id) }, func(err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		w.undo.add(lang.L("Unsubscribed from {{.Feed}}", map[string]any{"Feed": title}), func(ctx context.Context) error { return w.home.Restore(ctx, id) })
	})
}

func (w *window) about() {
	w.settingsAt(len(settingsPages()) - 1)
}
