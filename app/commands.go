package app

import "fyne.io/fyne/v2/lang"

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
		{lang.L("Going places"), goingCommands()},
		{lang.L("Looks"), viewCommands()},
		{lang.L("Feeds"), feedCommands()},
		{lang.L("Kairos"), kairosCommands()},
	}
}

func readingCommands() []command {
	return []command{
		{id: "next", what: lang.L("Next article"), keys: "j", do: func(w *window) { w.timeline.next(1) }},
		{id: "previous", what: lang.L("Previous article"), keys: "k", do: func(w *window) { w.timeline.next(-1) }},
		{id: "next-unread", what: lang.L("Next unread article"), keys: "n", do: (*window).nextUnread},
		{id: "page", what: lang.L("Page down, then next unread"), keys: "Space", do: (*window).pageOrNext},
		{id: "page-back", what: lang.L("Page up"), keys: "Shift+Space", do: (*window).pageBack},
		{id: "browse", what: lang.L("Open in the browser"), keys: "b Enter", do: (*window).browse},
		{id: "full-text", what: lang.L("Full text, or that of the feed"), keys: "w Ctrl+Shift+R", do: (*window).toggleFullText},
		{id: "find", what: lang.L("Find in the article, then the next place"), keys: "F3", do: (*window).findNext},
		{id: "copy-markdown", what: lang.L("Copy as Markdown"), keys: "Ctrl+Shift+C", do: func(w *window) { w.reading.view.CopyMarkdown() }},
		{id: "copy-link", what: lang.L("Copy link"), keys: "c", do: (*window).copyLink},
	}
}

func listCommands() []command {
	return []command{
		{id: "read", what: lang.L("Mark read or unread"), keys: "r m", do: (*window).toggleRead},
		{id: "star", what: lang.L("Star or unstar"), keys: "s", do: (*window).toggleStar},
		{id: "delete", what: lang.L("Delete"), keys: "Del", do: (*window).deleteArticles},
		{id: "read-all", what: lang.L("Mark all read"), keys: "Ctrl+K A", do: (*window).markAllRead},
		{id: "read-above", what: lang.L("Mark above as read"), keys: "Ctrl+Alt+K", do: (*window).markAbove},
		{id: "read-below", what: lang.L("Mark below as read"), keys: "Ctrl+Shift+K", do: (*window).markBelow},
		{id: "read-day", what: lang.L("Mark older than a day as read"), do: func(w *window) { w.markOlder(1) }},
		{id: "read-week", what: lang.L("Mark older than a week as read"), do: func(w *window) { w.markOlder(7) }},
		{id: "select-all", what: lang.L("Select all"), keys: "Ctrl+A", do: (*window).selectAll},
		{id: "hide-read", what: lang.L("Hide read articles"), keys: "Ctrl+Shift+H h", do: (*window).toggleHideRead},
		{id: "thumbs", what: lang.L("A picture of each article in the list"), do: func(w *window) {
			w.thumbs.turn(!w.thumbs.on)
			w.bindKeys()
		}},
		{id: "newest", what: lang.L("Newest first"), do: func(w *window) { w.sort(false) }},
		{id: "oldest", what: lang.L("Oldest first"), do: func(w *window) { w.sort(true) }},
		{id: "by-none", what: lang.L("Do not group"), do: func(w *window) { w.group(byNone) }},
		{id: "by-day", what: lang.L("Group by day"), do: func(w *window) { w.group(byDay) }},
		{id: "by-feed", what: lang.L("Group by feed"), do: func(w *window) { w.group(byFeed) }},
	}
}

func goingCommands() []command {
	return []command{
		{id: "left", what: lang.L("To the pane on the left"), keys: "Left", do: func(w *window) { w.movePane(-1) }},
		{id: "right", what: lang.L("To the pane on the right"), keys: "Right", do: func(w *window) { w.movePane(1) }},
		{id: "next-place", what: lang.L("Next feed"), keys: "Ctrl+Down ]", do: func(w *window) { w.sidebar.step(1) }},
		{id: "previous-place", what: lang.L("Previous feed"), keys: "Ctrl+Up [", do: func(w *window) { w.sidebar.step(-1) }},
		{id: "fold", what: lang.L("Fold or unfold the folder"), keys: ",", do: (*window).foldChosen},
		{id: "all", what: lang.L("All articles"), keys: "Ctrl+1", do: func(w *window) { w.sidebar.chooseKey("all") }},
		{id: "unread", what: lang.L("Unread"), keys: "Ctrl+2", do: func(w *window) { w.sidebar.chooseKey("unread") }},
		{id: "today", what: lang.L("Today"), keys: "Ctrl+3", do: func(w *window) { w.sidebar.chooseKey("today") }},
		{id: "starred", what: lang.L("Starred"), keys: "Ctrl+4", do: func(w *window) { w.sidebar.chooseKey("starred") }},
		{id: "search", what: lang.L("Search"), keys: "/", do: (*window).startSearch},
		{id: "search-or-find", what: lang.L("Search, or find in the article being read"), keys: "Ctrl+F", do: (*window).searchOrFind},
		{id: "save-search", what: lang.L("Save this search…"), keys: "Ctrl+D", do: (*window).saveSearch},
		{id: "search-help", what: lang.L("What can be searched for…"), do: (*window).searchHelp},
		{id: "back", what: lang.L("Leave the search or the selection"), keys: "Esc", do: (*window).back},
	}
}

func feedCommands() []command {
	return []command{
		{id: "add", what: lang.L("Add feed…"), keys: "Ctrl+N", do: func(w *window) { w.addFeed("") }},
		{id: "import", what: lang.L("Import a list…"), keys: "Ctrl+O", do: (*window).importDialog},
		{id: "export", what: lang.L("Export the list…"), keys: "Ctrl+E", do: func(w *window) { w.exportDialog() }},
		{id: "refresh", what: lang.L("Refresh"), keys: "Ctrl+R F5", do: (*window).refresh},
		{id: "fares", what: lang.L("How the feed fares"), keys: "Ctrl+I", do: func(w *window) { w.feedPage(w.chosenFeed()) }},
		{id: "properties", what: lang.L("Feed properties…"), keys: "Alt+Enter", do: (*window).placeProperties},
		{id: "unsubscribe", what: lang.L("Unsubscribe"), do: func(w *window) { w.unsubscribe(w.chosenFeed()) }},
		{id: "saver", what: lang.L("Battery saver: off, on, automatic"), keys: "Ctrl+B", do: (*window).cycleSaver},
	}
}

func kairosCommands() []command {
	return []command{
		{id: "undo", what: lang.L("Undo"), keys: "Ctrl+Z", do: (*window).undoKey, over: true},
		{id: "settings", what: lang.L("Settings…"), keys: "Ctrl+,", do: (*window).settings},
		{id: "reindex", what: lang.L("Build the search index anew"), do: (*window).rebuildIndex},
		{id: "rules", what: lang.L("Rules…"), do: func(w *window) { w.settingsOn(lang.L("Rules")) }},
		{id: "keeping", what: lang.L("Clean up and size…"), do: func(w *window) { w.settingsOn(lang.L("Keeping")) }},
		{id: "back-up", what: lang.L("Back up…"), do: (*window).backUpDialog},
		{id: "restore", what: lang.L("Restore a backup…"), do: (*window).restoreDialog},
		{id: "export-starred", what: lang.L("Export starred articles…"), do: (*window).exportStarredDialog},
		{id: "full-screen", what: lang.L("Full screen"), keys: "F11", do: func(w *window) { w.win.SetFullScreen(!w.win.FullScreen()) }},
		{id: "keys", what: lang.L("Keys"), keys: "? F1", do: (*window).help},
		{id: "about", what: lang.L("About Kairos"), do: (*window).about},
		{id: "quit", what: lang.L("Quit"), keys: "Ctrl+Q", do: func(w *window) { w.closing.quit() }, over: true},
	}
}

// commandsByID are all commands under their ids.
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
