package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/article"
	"kairos/app/keys"
)

// command is one thing the user can do: from a menu, by keys, or both.
type command struct {
	id   string // names it in the stored keys and never changes
	what string // as menus, the help and the settings say it
	keys string // the chords it is shipped with, parted by blanks
	do   func(*window)
	over bool // also while a dialog stands before the panes
}

// commandGroup is a heading of the help and of the settings' list of keys.
type commandGroup struct {
	name     string
	commands []command
}

// commandGroups are all commands. What stands behind a key without Control or Alt
// is for the panes only: a field that is typed in keeps its letters.
func commandGroups() []commandGroup {
	return []commandGroup{
		{lang.L("Reading"), readingCommands()},
		{lang.L("List"), listCommands()},
		{lang.L("Navigation"), goingCommands()},
		{lang.L("Appearance"), styleCommands()},
		{lang.L("Feeds"), feedCommands()},
		{lang.L("Kairos"), kairosCommands()},
	}
}

func readingCommands() []command {
	return []command{
		{id: "next", what: lang.L("Next article"), keys: "j", do: func(w *window) { w.timeline.next(1) }},
		{id: "previous", what: lang.L("Previous article"), keys: "k", do: func(w *window) { w.timeline.next(-1) }},
		{id: "next-unread", what: lang.L("Next unread article"), keys: "n", do: func(w *window) { w.nextUnread.open() }},
		{id: "page", what: lang.L("Page down, then next unread article"), keys: "Space", do: (*window).pageOrNext},
		{id: "page-back", what: lang.L("Page up"), keys: "Shift+Space", do: (*window).pageBack},
		{id: "browse", what: lang.L("Open in browser"), keys: "b Enter", do: func(w *window) { w.actions.browse() }},
		{id: "full-text", what: lang.L("Show full article or feed version"), keys: "w Ctrl+Shift+R", do: func(w *window) { w.article.toggleFullText() }},
		{id: "find", what: lang.L("Find in article, find next"), keys: "F3", do: func(w *window) { w.article.findNext() }},
		{id: "copy-markdown", what: lang.L("Copy as Markdown"), keys: "Ctrl+Shift+C", do: func(w *window) { w.article.view.CopyMarkdown() }},
		{id: "copy-link", what: lang.L("Copy link"), keys: "c", do: func(w *window) { w.actions.copyLinks() }},
	}
}

func listCommands() []command {
	return []command{
		{id: "read", what: lang.L("Mark read or unread"), keys: "r m", do: func(w *window) { w.actions.toggleRead() }},
		{id: "star", what: lang.L("Star or unstar"), keys: "s", do: func(w *window) { w.actions.toggleStar() }},
		{id: "delete", what: lang.L("Delete"), keys: "Del", do: func(w *window) { w.actions.deleteTargets() }},
		{id: "read-all", what: lang.L("Mark all read"), keys: "Ctrl+K A", do: func(w *window) { w.actions.markAllRead() }},
		{id: "read-above", what: lang.L("Mark above as read"), keys: "Ctrl+Alt+K", do: func(w *window) { w.actions.markAbove() }},
		{id: "read-below", what: lang.L("Mark below as read"), keys: "Ctrl+Shift+K", do: func(w *window) { w.actions.markBelow() }},
		{id: "read-day", what: lang.L("Mark older than a day as read"), do: func(w *window) { w.actions.markOlder(1) }},
		{id: "read-week", what: lang.L("Mark older than a week as read"), do: func(w *window) { w.actions.markOlder(7) }},
		{id: "select-all", what: lang.L("Select all"), keys: "Ctrl+A", do: (*window).selectAll},
		{id: "hide-read", what: lang.L("Hide read articles"), keys: "Ctrl+Shift+H h", do: (*window).toggleHideRead},
		{id: "thumbs", what: lang.L("Show thumbnails"), do: func(w *window) {
			w.thumbs.setVisible(!w.thumbs.on)
			w.bindKeys()
		}},
		{id: "newest", what: lang.L("Newest first"), do: func(w *window) { w.sort(false) }},
		{id: "oldest", what: lang.L("Oldest first"), do: func(w *window) { w.sort(true) }},
		{id: "by-none", what: lang.L("Do not group"), do: func(w *window) { w.group(groupNone) }},
		{id: "by-day", what: lang.L("Group by day"), do: func(w *window) { w.group(groupByDay) }},
		{id: "by-feed", what: lang.L("Group by feed"), do: func(w *window) { w.group(groupByFeed) }},
	}
}

func goingCommands() []command {
	return []command{
		{id: "left", what: lang.L("Go to left pane"), keys: "Left", do: func(w *window) { w.movePane(-1) }},
		{id: "right", what: lang.L("Go to right pane"), keys: "Right", do: func(w *window) { w.movePane(1) }},
		{id: "next-place", what: lang.L("Next feed"), keys: "Ctrl+Down ]", do: func(w *window) { w.sidebar.next(1) }},
		{id: "previous-place", what: lang.L("Previous feed"), keys: "Ctrl+Up [", do: func(w *window) { w.sidebar.next(-1) }},
		{id: "fold", what: lang.L("Collapse or expand folder"), keys: ",", do: func(w *window) { w.sidebar.toggleChosenFolder() }},
		{id: "all", what: lang.L("All articles"), keys: "Ctrl+1", do: func(w *window) { w.sidebar.chooseKey("all") }},
		{id: "unread", what: lang.L("Unread"), keys: "Ctrl+2", do: func(w *window) { w.sidebar.chooseKey("unread") }},
		{id: "today", what: lang.L("Today"), keys: "Ctrl+3", do: func(w *window) { w.sidebar.chooseKey("today") }},
		{id: "starred", what: lang.L("Starred"), keys: "Ctrl+4", do: func(w *window) { w.sidebar.chooseKey("starred") }},
		{id: "search", what: lang.L("Search"), keys: "/", do: func(w *window) { w.search.start() }},
		{id: "search-or-find", what: lang.L("Find in article, or search"), keys: "Ctrl+F", do: (*window).searchOrFind},
		{id: "save-search", what: lang.L("Save this search…"), keys: "Ctrl+D", do: func(w *window) { w.savedSearches.saveCurrent() }},
		{id: "search-help", what: lang.L("Search help…"), do: func(w *window) { w.search.help() }},
		{id: "back", what: lang.L("Clear selection or search"), keys: "Esc", do: (*window).back},
	}
}

// styleCommands concern the appearance of articles.
func styleCommands() []command {
	restyle := func(change func(*article.Style)) func(*window) {
		return func(w *window) { w.style.change(change) }
	}
	return []command{
		{id: "larger", what: lang.L("Larger text"), keys: "Ctrl+= Ctrl++ Ctrl+Shift+= Ctrl+Shift++", do: func(w *window) { w.style.zoom(1) }},
		{id: "smaller", what: lang.L("Smaller text"), keys: "Ctrl+-", do: func(w *window) { w.style.zoom(-1) }},
		{id: "usual-size", what: lang.L("Default text size"), keys: "Ctrl+0", do: func(w *window) { w.style.zoom(0) }},
		{id: "wider", what: lang.L("Wider column"), do: restyle(func(s *article.Style) { s.Measure += 4 })},
		{id: "narrower", what: lang.L("Narrower column"), do: restyle(func(s *article.Style) { s.Measure -= 4 })},
		{id: "usual-width", what: lang.L("Default column width"), do: restyle(func(s *article.Style) { s.Measure = 0 })},
		{id: "loose", what: lang.L("More line spacing"), do: restyle(func(s *article.Style) { s.Leading += 0.1 })},
		{id: "tight", what: lang.L("Less line spacing"), do: restyle(func(s *article.Style) { s.Leading -= 0.1 })},
		{id: "usual-lines", what: lang.L("Default line spacing"), do: restyle(func(s *article.Style) { s.Leading = 0 })},
		{id: "sans", what: lang.L("Sans serif"), do: restyle(func(s *article.Style) { s.Serif = false })},
		{id: "serif", what: lang.L("Serif"), do: restyle(func(s *article.Style) { s.Serif = true })},
		{id: "load-pictures", what: lang.L("Load images automatically"), do: func(w *window) { w.style.setAutomaticPictures(!w.article.pictures.automatic) }},
		{id: "pictures", what: lang.L("Load images of this article"), keys: "p", do: func(w *window) { w.article.view.LoadPictures() }},
	}
}

func feedCommands() []command {
	return []command{
		{id: "add", what: lang.L("Add feed…"), keys: "Ctrl+N", do: func(w *window) { w.feeds.subscribe("") }},
		{id: "import", what: lang.L("Import feeds…"), keys: "Ctrl+O", do: func(w *window) { w.opml.askImport() }},
		{id: "export", what: lang.L("Export feeds…"), keys: "Ctrl+E", do: func(w *window) { w.opml.askExport() }},
		{id: "refresh", what: lang.L("Refresh"), keys: "Ctrl+R F5", do: func(w *window) { w.feeds.refresh() }},
		{id: "fares", what: lang.L("Feed status"), keys: "Ctrl+I", do: func(w *window) { w.openFeedPage(w.chosenFeed()) }},
		{id: "properties", what: lang.L("Feed properties…"), keys: "Alt+Enter", do: (*window).chosenProperties},
		{id: "unsubscribe", what: lang.L("Unsubscribe"), do: func(w *window) { w.feeds.unsubscribe(w.chosenFeed()) }},
		{id: "saver", what: lang.L("Battery saver: off, on, automatic"), keys: "Ctrl+B", do: func(w *window) { w.budget.cycleSaver() }},
	}
}

func kairosCommands() []command {
	return []command{
		{id: "undo", what: lang.L("Undo"), keys: "Ctrl+Z", do: (*window).undoKey, over: true},
		{id: "settings", what: lang.L("Settings…"), keys: "Ctrl+,", do: (*window).settings},
		{id: "reindex", what: lang.L("Rebuild search index"), do: func(w *window) { w.rebuildIndex() }},
		{id: "rules", what: lang.L("Rules…"), do: func(w *window) { w.settingsOn(lang.L("Rules")) }},
		{id: "keeping", what: lang.L("Manage storage…"), do: func(w *window) { w.settingsOn(lang.L("Storage")) }},
		{id: "back-up", what: lang.L("Back up…"), do: (*window).backUpDialog},
		{id: "restore", what: lang.L("Restore a backup…"), do: (*window).restoreDialog},
		{id: "export-starred", what: lang.L("Export starred articles…"), do: (*window).exportStarredDialog},
		{id: "full-screen", what: lang.L("Full screen"), keys: "F11", do: func(w *window) { w.win.SetFullScreen(!w.win.FullScreen()) }},
		{id: "keys", what: lang.L("Keys"), keys: "? F1", do: (*window).help},
		{id: "about", what: lang.L("About Kairos"), do: (*window).about},
		{id: "quit", what: lang.L("Quit"), keys: "Ctrl+Q", do: func(w *window) { w.closing.quit() }, over: true},
	}
}

// commandKeys is the commands and the keys that stand for them.
type commandKeys struct {
	groups    []commandGroup
	commands  map[string]command // by id
	keys      keys.Map
	shortcuts []fyne.Shortcut // on the canvas
	capturing bool            // the next key is to become a command's
}

func newCommandKeys(groups []commandGroup) commandKeys {
	return commandKeys{groups: groups, commands: commandsByID(groups), keys: keys.NewMap(shippedKeys(groups))}
}

func commandsByID(groups []commandGroup) map[string]command {
	all := map[string]command{}
	for _, g := range groups {
		for _, c := range g.commands {
			all[c.id] = c
		}
	}
	return all
}

// perform does what the command with this id says. Behind a dialog nothing is done
// that it does not show.
func (w *window) perform(id string) {
	c, known := w.commands[id]
	if !known || w.capturing || w.dialogs.isOpen() && !c.over {
		return
	}
	c.do(w)
	w.Invalidate()
}
