package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
	"kairos/app/library"
	"kairos/app/session"
	"kairos/app/settings"
	"kairos/app/timeline"
	"kairos/app/widgets"
	"kairos/reader"

	"slices"
)

// item is the menu entry of a command, with the first of its chords that only a menu can have: Fyne gives those to the
// main menu before any widget.
func (w *window) item(id string) *fyne.MenuItem {
	item := fyne.NewMenuItem(w.title(id), func() { w.perform(id) })
	item.IsQuit = id == "quit"
	if c, ok := w.keys.MenuChord(id); ok {
		item.Shortcut = c.InMenu()
	} else if chords := w.keys.Chords(id); len(chords) > 0 {
		item.Shortcut = chords[0].Shown()
	}
	return item
}

// title is what a command does now.
func (w *window) title(id string) string {
	switch {
	case id == "read" && w.session.WouldMark(reader.FlagRead):
		return lang.L("Mark read")
	case id == "read":
		return lang.L("Mark unread")
	case id == "star" && w.session.WouldMark(reader.FlagStarred):
		return lang.L("Star")
	case id == "star":
		return lang.L("Unstar")
	}
	return w.commands[id].title
}

// nameMarks makes the menu Article say what its marks do to the current article.
func (w *window) nameMarks() {
	for id, item := range w.marks {
		if w.title(id) != item.Label {
			w.renewMenu()
			return
		}
	}
}

// renewMenu sets the main menu as it is to be now. Fyne closes a menu that is open then, so it is left until it has closed
// (beforePaint).
func (w *window) renewMenu() {
	w.menuStale = describe.BarOpen(w.win.Canvas())
	if !w.menuStale {
		w.win.SetMainMenu(w.menu())
	}
}

// items returns the menu entries of commands; "-" is a separator.
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

// closeMenu closes the main menu, which gets all keys while it is open. Fyne opens it when Alt is let go, and GLFW lets
// all keys go when the window loses the focus, as by Alt+Tab or Alt+F4.
func closeMenu(c fyne.Canvas) {
	if bar, ok := c.(interface{ DismissMenu() bool }); ok {
		bar.DismissMenu()
	}
}

// toggleMenu gives the focus to the main menu, as Alt does, or takes it from it.
func toggleMenu(c fyne.Canvas) {
	if bar, ok := c.(interface{ ToggleMenu() }); ok {
		bar.ToggleMenu()
	}
}

// undoKey undoes in the field that has the focus, if one has it, else the last action. The menu gets the shortcut before
// the field does.
func (w *window) undoKey() {
	if e, ok := w.win.Canvas().Focused().(interface{ Undo() }); ok {
		e.Undo()
		return
	}
	if !w.shell.Dialogs.Undo() {
		w.shell.UndoLast()
	}
}

// redoKey is undoKey for what was undone.
func (w *window) redoKey() {
	if e, ok := w.win.Canvas().Focused().(interface{ Redo() }); ok {
		e.Redo()
		return
	}
	if len(w.shell.Dialogs.Open) == 0 {
		w.shell.RedoLast()
	}
}

// menu returns the main menu.
func (w *window) menu() *fyne.MainMenu {
	order := w.items("newest", "oldest", "likely", "-", "by-none", "by-day", "by-feed")
	checkOrder(w.session.List.Order, order)
	view := append(w.items("all", "unread", "today", "starred", "insights", "-"), w.layoutItem(), w.rowItems(), widgets.Submenu(lang.L("Sort and group"), order...), w.hideReadItem())
	view = slices.Concat(view, w.items("-"), w.styleItems(), w.items("-"), []*fyne.MenuItem{widgets.Submenu(lang.L("Navigation"), w.items("go-back", "go-forward", "jump", "-", "next-place", "previous-place", "fold")...)}, w.items("-"), []*fyne.MenuItem{w.sidebarItem(), w.hideReadFeedsItem(), w.item("full-screen")})
	edit := w.items("undo", "redo", "-", "select-all", "copy-link", "copy-markdown", "-", "search-or-find", "find", "-", "save-search", "search-help", "reindex")
	return fyne.NewMainMenu(
		fyne.NewMenu("Kairos", w.items("add", "add-account", "import", "export", "export-starred", "export-everything", "-", "back-up", "restore", "keeping", "-", "accounts", "rules", "settings", "-", "quit")...),
		fyne.NewMenu(lang.L("Edit"), edit...),
		fyne.NewMenu(lang.L("Article"), w.articleItems()...),
		fyne.NewMenu(lang.L("Feed"), w.items("fares", "properties", "rename", "pause", "quiet", "unsubscribe", "unopened", "-", "refresh", "load-older", "read-all", "-", "new-folder", "feed-up", "feed-down", "sort-feeds")...),
		fyne.NewMenu(lang.L("View"), view...),
		fyne.NewMenu(lang.L("Fetching"), append(w.items("take-along", "-", "saver"), w.budget.items(func() { newSettings(w).Open(settings.Fetching) })...)...),
		fyne.NewMenu(lang.L("Help"), w.items("help", "keys", "about")...),
	)
}

func (w *window) sidebarItem() *fyne.MenuItem {
	item := w.item("sidebar")
	item.Checked = w.panes.Shown(session.PaneSidebar)
	return item
}

func (w *window) hideReadFeedsItem() *fyne.MenuItem {
	item := w.item("hide-read-feeds")
	item.Checked = w.sidebar.HideRead
	return item
}

// layoutItem is the entry of the menu View that arranges the panes.
func (w *window) layoutItem() *fyne.MenuItem {
	columns, wide, combined := w.item("columns"), w.item("wide"), w.item("combined")
	columns.Checked, wide.Checked, combined.Checked = w.panes.Layout() == session.Columns, w.panes.Layout() == session.Wide, w.panes.Layout() == session.Combined
	return widgets.Submenu(lang.L("Layout"), columns, wide, combined)
}

// rowItems are the entries of the menu View that concern the rows of the list.
func (w *window) rowItems() *fyne.MenuItem {
	items := w.items("rows-compact", "rows-normal", "thumbs")
	for i, d := range []timeline.Density{timeline.RowsCompact, timeline.RowsNormal, timeline.RowsPictures} {
		items[i].Checked = w.timeline.Density == d
	}
	return widgets.Submenu(lang.L("Rows"), items...)
}

func (w *window) hideReadItem() *fyne.MenuItem {
	item := w.item("hide-read")
	item.Checked = w.session.List.Order.HideRead
	return item
}

func (w *window) articleItems() []*fyne.MenuItem {
	older := widgets.Submenu(lang.L("Mark more as read"), w.items("read-above", "read-below", "read-day", "read-week")...)
	likely := widgets.Submenu(lang.L("More or fewer like this"), w.items("more-like", "fewer-like", "-", "why-here", "learned")...)
	items := append(w.items("next", "previous", "next-unread", "story", "-", "browse", "open-kept", "full-text", "always-full-text", "-", "read", "star", "label", "snooze", "delete", "-"), likely, widgets.Submenu(lang.L("Share"), w.share.Items(w.items)...), widgets.Submenu(lang.L("Audio and video"), w.items("play", "stop-playing", "skip-back", "skip-forward", "-", "faster", "slower", "usual-speed", "-", "louder", "quieter", "-", "queue", "heard", "play-queue")...), older)
	w.marks = map[string]*fyne.MenuItem{}
	for _, id := range []string{"read", "star"} {
		title := w.title(id)
		w.marks[id] = items[slices.IndexFunc(items, func(item *fyne.MenuItem) bool { return item.Label == title })]
	}
	return items
}

// styleItems are the entries of the menu View that concern the article.
func (w *window) styleItems() []*fyne.MenuItem {
	items := w.items("larger", "smaller", "usual-size")
	sans, serif, font, load := w.item("sans"), w.item("serif"), w.item("font"), w.item("load-pictures")
	style := w.article.View.Style()
	font.Checked, load.Checked = style.Family != "", w.article.Pictures.Automatic
	sans.Checked, serif.Checked = !style.Serif && !font.Checked, style.Serif && !font.Checked
	items = append(items, fyne.NewMenuItemSeparator(),
		widgets.Submenu(lang.L("Column width"), w.items("wider", "narrower", "usual-width")...),
		widgets.Submenu(lang.L("Line spacing"), w.items("loose", "tight", "usual-lines")...),
		widgets.Submenu(lang.L("Typeface"), sans, serif, font))
	return []*fyne.MenuItem{widgets.Submenu(lang.L("Reading"), items...), load, w.item("pictures")}
}

// chosenFeed is the feed that the menu Feed applies to: the one chosen in the sidebar, else that of the article shown;
// nil if there is none.
func (w *window) chosenFeed() *reader.Feed {
	if f := w.session.Place.Feed; f != nil {
		return f
	}
	if a := w.session.Reading(); a != nil {
		return w.library.Feed(a.Feed)
	}
	return nil
}

// chosenProperties edits the saved search or label that is chosen, else the properties of the chosen feed.
func (w *window) chosenProperties() {
	if one := w.session.Place.Saved; one != nil {
		w.savedSearches.Edit(*one)
		return
	}
	if l := w.session.Place.Label; l != nil {
		w.labels.Edit(*l)
		return
	}
	w.feeds.Properties(w.chosenFeed())
}

// renameChosen asks for another name of the folder, feed, label or saved search that is chosen in the sidebar.
func (w *window) renameChosen() {
	switch item := w.session.Place; {
	case item.Account && library.PlaceOf(item.Folder).Account != 0:
		w.feeds.Accounts.Open()
	case item.Folder != "" && !item.Account:
		w.sidebar.RenameFolder(item)
	case item.Feed != nil:
		w.renameFeed(item.Feed)
	case item.Saved != nil, item.Label != nil:
		w.chosenProperties()
	default:
		w.shell.Say(lang.L("Select a feed, folder, label or saved search first."))
	}
}

// renameFeed asks for another title of a feed.
func (w *window) renameFeed(f *reader.Feed) {
	w.feeds.Properties(f).Title.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// newFolder asks for the name of a new folder for the feed or folder that is chosen in the sidebar.
func (w *window) newFolder() {
	if !w.session.Place.IsMovable() {
		w.shell.Say(lang.L("Select a feed or a folder first."))
		return
	}
	w.sidebar.NewFolder(w.session.Place)
}

// deleteChosen deletes the selected articles, or the saved search that is chosen in the sidebar and has the focus.
func (w *window) deleteChosen() {
	if one := w.session.Place.Saved; one != nil && w.win.Canvas().Focused() == fyne.Focusable(w.sidebar.List) {
		w.savedSearches.Remove(*one)
		return
	}
	w.actions.DeleteTargets()
}

// unsubscribeChosen unsubscribes from the chosen feed. It asks what becomes of a folder that is chosen and has the focus.
func (w *window) unsubscribeChosen() {
	if item := w.session.Place; item.Folder != "" && !item.Account && (w.win.Canvas().Focused() == fyne.Focusable(w.sidebar.List) || w.chosenFeed() == nil) {
		w.feeds.AskDeleteFolder(item)
		return
	}
	w.feeds.Unsubscribe(w.chosenFeed())
}

// openContextMenu opens the context menu of what has the focus: a row, the article or a chart.
func (w *window) openContextMenu() {
	c := w.win.Canvas()
	if f, ok := c.Focused().(interface{ OpenMenu() }); ok {
		f.OpenMenu()
	}
	if open := describe.PopUpMenus(c); len(open) > 0 {
		open[len(open)-1].TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	}
}

// showItemMenu shows the context menu of a sidebar item.
func (w *window) showItemMenu(item session.Place, at fyne.Position) {
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", w.itemMenu(item)...), w.win.Canvas(), at)
}

// itemMenu is the context menu of a sidebar item, or that of the feeds that are picked if it is one of them.
func (w *window) itemMenu(item session.Place) []*fyne.MenuItem {
	if feeds := w.sidebar.PickedFeeds(); item.Feed != nil && len(feeds) > 1 && w.sidebar.Picked[item.Feed.ID] {
		return w.feeds.MenuOfSeveral(feeds)
	}
	items := []*fyne.MenuItem{
		fyne.NewMenuItem(lang.L("Mark all read"), func() {
			w.sidebar.ChooseKey(item.Key)
			w.actions.MarkAllRead()
		}),
		fyne.NewMenuItem(lang.L("Refresh"), func() {
			w.sidebar.ChooseKey(item.Key)
			w.feeds.Refresh()
		}),
	}
	if f := item.Feed; f != nil {
		items = append(items, fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem(lang.L("Feed status"), func() { w.openFeedPage(f) }),
			fyne.NewMenuItem(lang.L("Properties…"), func() { w.feeds.Properties(f) }),
			fyne.NewMenuItem(lang.L("Rename…"), func() { w.renameFeed(f) }))
		items = append(items, w.feeds.PauseItems(*f)...)
		items = append(items, fyne.NewMenuItem(lang.L("Unsubscribe"), func() { w.feeds.Unsubscribe(f) }))
	}
	if item.IsMovable() {
		items = append(items, fyne.NewMenuItemSeparator(), w.feeds.QuietItem(item))
		if item.Folder != "" {
			items = append(items, fyne.NewMenuItem(lang.L("Unread articles expire…"), func() { w.feeds.EndsOfFolder(item) }))
		}
		items = append(items, w.sidebar.MoveMenuOf(item), fyne.NewMenuItem(lang.L("New folder…"), func() { w.sidebar.NewFolder(item) }))
		if account := w.feeds.AccountMenu(item.Name, w.library.FeedsOf(item.Branch())); account != nil {
			items = append(items, account)
		}
	}
	if item.Saved != nil {
		items = append(items, fyne.NewMenuItemSeparator())
		items = append(items, w.savedSearches.Menu(*item.Saved)...)
	}
	if item.Label != nil {
		items = append(items, fyne.NewMenuItemSeparator())
		items = append(items, w.labels.Menu(*item.Label, func(l reader.Label) { newSettings(w).ExportLabel(l) })...)
	}
	if item.Account {
		items = append(append(items, fyne.NewMenuItemSeparator()), w.feeds.Accounts.Menu(w.library.Account(library.PlaceOf(item.Folder).Account))...)
	} else if item.Folder != "" {
		items = append(items, fyne.NewMenuItem(lang.L("Rename…"), func() { w.sidebar.RenameFolder(item) }))
	}
	if item.Folder != "" && !item.Account {
		items = append(items, w.feeds.PauseItems(w.library.FeedsOf(item.Branch())...)...)
	}
	if item.Folder != "" {
		toggle := lang.L("Collapse")
		if w.sidebar.Collapsed[item.Folder] {
			toggle = lang.L("Expand")
		}
		items = append(items, fyne.NewMenuItem(toggle, func() { w.sidebar.ToggleFolder(item.Folder) }))
	}
	if item.Folder != "" && !item.Account {
		items = append(items, fyne.NewMenuItem(lang.L("Delete folder…"), func() { w.feeds.AskDeleteFolder(item) }))
	}
	return items
}

// showArticleMenu shows the context menu of articles.
func (w *window) showArticleMenu(at fyne.Position) {
	items := append(w.items("browse", "copy-link"), widgets.Submenu(lang.L("Share"), w.share.Items(w.items)...))
	if w.actions.InStory() {
		items = append(items, w.items("-", "story")...)
	}
	items = append(items, w.items("-", "read", "star", "label", "snooze", "delete", "-", "read-above", "read-below")...)
	queued := slices.DeleteFunc(slices.Clone(w.session.List.Targets()), func(id int64) bool { a := w.session.Find(id); return a == nil || !a.Queued })
	if len(queued) > 0 {
		items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem(lang.L("Remove from queue"), func() { w.article.Player.Unqueue(queued) }))
	}
	for _, item := range items {
		item.Shortcut = nil
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), w.win.Canvas(), at)
}

func (w *window) about() {
	newSettings(w).Open(settings.About)
}
