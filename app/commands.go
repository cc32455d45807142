package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/article"
	"kairos/app/feeds"
	"kairos/app/keys"
	"kairos/app/reading"
	"kairos/app/search"
	"kairos/app/session"
	"kairos/app/settings"
	"kairos/app/timeline"
)

// command is something the user can do from a menu, by a key, or both.
type command struct {
	id       string // identifies it in the stored keys and never changes
	title    string // in menus, help and settings
	keys     string // its default chords, separated by spaces
	do       func(*window)
	inDialog bool   // also while a dialog is open
	also     string // more words by which Ctrl+J finds it
}

// commandGroup is a group of commands in help and settings.
type commandGroup struct {
	name     string
	commands []command
}

// commandGroups returns all commands. Keys without Control or Alt work in the panes only, so that fields get their
// letters.
func commandGroups() []commandGroup {
	return []commandGroup{
		{lang.L("Reading"), readingCommands()},
		{lang.L("List"), listCommands()},
		{lang.L("Navigation"), navigationCommands()},
		{lang.L("Appearance"), styleCommands()},
		{lang.L("Feeds"), feedCommands()},
		{lang.L("Kairos"), kairosCommands()},
	}
}

func readingCommands() []command {
	return []command{
		{id: "next", title: lang.L("Next article"), keys: "j", do: func(w *window) { w.step(session.ToNext) }},
		{id: "previous", title: lang.L("Previous article"), keys: "k", do: func(w *window) { w.step(session.ToPrevious) }},
		{id: "next-unread", title: lang.L("Next unread article"), keys: "n", do: func(w *window) { w.step(session.ToNextUnread) }},
		{id: "page", title: lang.L("Page down, then next unread"), keys: "Space", do: (*window).pageOrNext},
		{id: "page-back", title: lang.L("Page up"), keys: "Shift+Space", do: (*window).pageBack},
		{id: "browse", title: lang.L("Open in browser"), keys: "b Enter", do: func(w *window) { w.actions.Browse() }},
		{id: "open-kept", title: lang.L("Open pages kept for later"), do: func(w *window) { w.kept.Open() }},
		{id: "always-full-text", title: lang.L("Always show full articles"), do: func(w *window) { w.article.AlwaysFullText() }},
		{id: "full-text", title: lang.L("Show full article or feed version"), keys: "w Ctrl+Shift+R", do: func(w *window) { w.article.ToggleFullText() }},
		{id: "more-like", title: lang.L("More like this"), keys: "+", do: func(w *window) { w.actions.Like(true) }},
		{id: "fewer-like", title: lang.L("Fewer like this"), keys: "-", do: func(w *window) { w.actions.Like(false) }},
		{id: "learned", title: lang.L("What you like to read…"), do: func(w *window) { (&timeline.Learned{Shell: w.shell}).Open() }},
		{id: "why-here", title: lang.L("How likely you are to read it"), do: func(w *window) { w.actions.Explain() }},
		{id: "find", title: lang.L("Find in article, find next"), keys: "F3", do: func(w *window) { w.article.FindNext() }},
		{id: "copy-markdown", title: lang.L("Copy as Markdown"), keys: "Ctrl+Shift+C", do: func(w *window) { w.article.View.CopyMarkdown() }},
		{id: "save-page", title: lang.L("Save as web page…"), keys: "Ctrl+S", do: func(w *window) { w.article.SavePage() }},
		{id: "print", title: lang.L("Print…"), keys: "Ctrl+P", do: func(w *window) { w.article.Print() }},
		{id: "play", title: lang.L("Play, pause or resume"), keys: "P", do: func(w *window) { w.article.FirstFileAction(reading.ActionPlay) }},
		{id: "stop-playing", title: lang.L("Stop playing"), do: func(w *window) { w.article.Player.Stop() }},
		{id: "skip-back", title: lang.L("Back 15 seconds"), keys: "<", also: lang.X("player.skip", "podcast seek rewind skip"), do: func(w *window) { w.article.Player.SkipBack() }},
		{id: "skip-forward", title: lang.L("Forward 30 seconds"), keys: ">", also: lang.X("player.skip", "podcast seek rewind skip"), do: func(w *window) { w.article.Player.SkipForward() }},
		{id: "faster", title: lang.L("Play faster"), keys: "}", also: lang.X("player.speed", "podcast playback speed rate"), do: func(w *window) { w.article.Player.Faster() }},
		{id: "slower", title: lang.L("Play slower"), keys: "{", also: lang.X("player.speed", "podcast playback speed rate"), do: func(w *window) { w.article.Player.Slower() }},
		{id: "usual-speed", title: lang.L("Play at normal speed"), also: lang.X("player.speed", "podcast playback speed rate"), do: func(w *window) { w.article.Player.UsualSpeed() }},
		{id: "louder", title: lang.L("Play louder"), keys: "0", also: lang.X("player.volume", "podcast volume sound loud quiet"), do: func(w *window) { w.article.Player.Louder() }},
		{id: "quieter", title: lang.L("Play more quietly"), keys: "9", also: lang.X("player.volume", "podcast volume sound loud quiet"), do: func(w *window) { w.article.Player.Quieter() }},
		{id: "queue", title: lang.L("Add to queue or remove"), keys: "Q", do: func(w *window) { w.article.FirstFileAction(reading.ActionQueue) }},
		{id: "heard", title: lang.L("Mark as heard or not"), keys: "H", do: func(w *window) { w.article.FirstFileAction(reading.ActionHeard) }},
		{id: "play-queue", title: lang.L("Play the queue"), do: func(w *window) { w.article.Player.PlayQueue() }},
		{id: "share", title: lang.L("Share…"), keys: "S", do: (*window).showShareMenu},
		{id: "mail", title: lang.L("Send by mail"), do: func(w *window) { w.share.Mail() }},
		{id: "copy-markdown-link", title: lang.L("Copy link as Markdown"), do: func(w *window) { w.share.CopyMarkdownLinks() }},
		{id: "copy-quote", title: lang.L("Copy as quotation"), keys: "C", do: func(w *window) { w.share.CopyQuotes() }},
		{id: "copy-link", title: lang.L("Copy link"), keys: "c", do: func(w *window) { w.actions.CopyLinks() }},
	}
}

func listCommands() []command {
	return []command{
		{id: "read", title: lang.L("Mark read or unread"), keys: "r m", do: func(w *window) { w.actions.ToggleRead() }},
		{id: "star", title: lang.L("Star or unstar"), keys: "s", do: func(w *window) { w.actions.ToggleStar() }},
		{id: "label", title: lang.L("Labels…"), keys: "l", do: func(w *window) { w.labels.Choose(w.session.List.Targets()) }},
		{id: "snooze", title: lang.L("Snooze…"), keys: "z", do: (*window).showSnoozeMenu},
		{id: "delete", title: lang.L("Delete"), keys: "Del", do: (*window).deleteChosen},
		{id: "story", title: lang.L("Show or hide the other articles of a story"), keys: ".", do: func(w *window) { w.actions.ToggleStory() }},
		{id: "read-all", title: lang.L("Mark all read"), keys: "Ctrl+K A", do: (*window).markAllRead},
		{id: "read-above", title: lang.L("Mark above as read"), keys: "Ctrl+Alt+K", do: func(w *window) { w.actions.MarkAbove() }},
		{id: "read-below", title: lang.L("Mark below as read"), keys: "Ctrl+Shift+K", do: func(w *window) { w.actions.MarkBelow() }},
		{id: "read-day", title: lang.L("Mark older than a day as read"), do: func(w *window) { w.actions.MarkOlder(1) }},
		{id: "read-week", title: lang.L("Mark older than a week as read"), do: func(w *window) { w.actions.MarkOlder(7) }},
		{id: "select-all", title: lang.L("Select all"), keys: "Ctrl+A", do: (*window).selectAll, inDialog: true},
		{id: "hide-read", title: lang.L("Hide read articles"), keys: "Ctrl+Shift+H h", do: (*window).toggleHideRead},
		{id: "rows-normal", title: lang.L("Normal rows"), do: func(w *window) { w.setDensity(timeline.RowsNormal) }},
		{id: "rows-compact", title: lang.L("Compact rows"), do: func(w *window) { w.setDensity(timeline.RowsCompact) }},
		{id: "thumbs", title: lang.L("Rows with pictures"), do: func(w *window) { w.setDensity(timeline.RowsPictures) }},
		{id: "newest", title: lang.L("Newest first"), do: func(w *window) { w.sort(session.NewestFirst) }},
		{id: "oldest", title: lang.L("Oldest first"), do: func(w *window) { w.sort(session.OldestFirst) }},
		{id: "likely", title: lang.L("Likely first"), do: func(w *window) { w.sort(session.LikelyFirst) }},
		{id: "by-none", title: lang.L("Do not group"), do: func(w *window) { w.group(session.GroupNone) }},
		{id: "by-day", title: lang.L("Group by day"), do: func(w *window) { w.group(session.GroupByDay) }},
		{id: "by-feed", title: lang.L("Group by feed"), do: func(w *window) { w.group(session.GroupByFeed) }},
	}
}

func navigationCommands() []command {
	return []command{
		{id: "left", title: lang.L("Go to left pane"), keys: "Left", do: func(w *window) { w.movePane(-1) }},
		{id: "right", title: lang.L("Go to right pane"), keys: "Right", do: func(w *window) { w.movePane(1) }},
		{id: "next-place", title: lang.L("Next feed"), keys: "Ctrl+Down ]", do: func(w *window) { w.nextPlace(1, fyne.KeyDown) }},
		{id: "previous-place", title: lang.L("Previous feed"), keys: "Ctrl+Up [", do: func(w *window) { w.nextPlace(-1, fyne.KeyUp) }},
		{id: "fold", title: lang.L("Collapse or expand folder"), keys: ",", do: func(w *window) { w.sidebar.ToggleChosenFolder() }},
		{id: "all", title: lang.L("All articles"), keys: "Ctrl+1", do: func(w *window) { w.sidebar.ChooseKey("all") }},
		{id: "unread", title: lang.L("Unread"), keys: "Ctrl+2", do: func(w *window) { w.sidebar.ChooseKey("unread") }},
		{id: "today", title: lang.L("Today"), keys: "Ctrl+3", do: func(w *window) { w.sidebar.ChooseKey("today") }},
		{id: "starred", title: lang.L("Starred"), keys: "Ctrl+4", do: func(w *window) { w.sidebar.ChooseKey("starred") }},
		{id: "snoozed", title: lang.L("Snoozed"), do: func(w *window) { w.sidebar.ChooseKey(session.Snoozed) }},
		{id: "ended", title: lang.L("Expired unread"), do: func(w *window) { w.sidebar.ChooseKey(session.Ended) }},
		{id: "insights", title: lang.L("Insights"), keys: "Ctrl+5 i", do: func(w *window) { w.sidebar.ChooseKey(session.Insights) }},
		{id: "jump", title: lang.L("Go to feed, folder or command…"), keys: "Ctrl+J", do: (*window).jump},
		{id: "context-menu", title: lang.L("Open context menu"), keys: "Menu Shift+F10", do: (*window).openContextMenu},
		{id: "go-back", title: lang.L("Back"), keys: "Alt+Left", do: func(w *window) { w.travel(w.trail.Back()) }},
		{id: "go-forward", title: lang.L("Forward"), keys: "Alt+Right", do: func(w *window) { w.travel(w.trail.Forward()) }},
		{id: "search", title: lang.L("Search"), keys: "/", do: func(w *window) { w.search.Start() }},
		{id: "search-or-find", title: lang.L("Find in article, or search"), keys: "Ctrl+F", do: (*window).searchOrFind},
		{id: "save-search", title: lang.L("Save this search…"), keys: "Ctrl+D", do: func(w *window) { w.savedSearches.SaveCurrent() }},
		{id: "search-help", title: lang.L("Search help…"), do: func(w *window) { w.search.Help() }},
		{id: "back", title: lang.L("Clear selection or search, go back"), keys: "Esc", do: (*window).back},
	}
}

// styleCommands concern the appearance of articles.
func styleCommands() []command {
	restyle := func(change func(*article.Style)) func(*window) {
		return func(w *window) { w.style.Change(change) }
	}
	return []command{
		{id: "sidebar", title: lang.L("Show sidebar"), keys: "F9", do: (*window).toggleSidebar},
		{id: "hide-read-feeds", title: lang.L("Hide feeds without unread articles"), do: (*window).toggleHideReadFeeds},
		{id: "columns", title: lang.L("Three columns"), also: lang.X("layout.columns", "layout side by side"), do: func(w *window) { w.setLayout(session.Columns) }},
		{id: "wide", title: lang.L("List above the article"), also: lang.X("layout.wide", "layout two rows horizontal"), do: func(w *window) { w.setLayout(session.Wide) }},
		{id: "combined", title: lang.L("Articles one below the other"), also: lang.X("layout.combined", "layout stream single column magazine whole articles"), do: func(w *window) { w.setLayout(session.Combined) }},
		{id: "larger", title: lang.L("Larger text"), keys: "Ctrl+= Ctrl++ Ctrl+Shift+= Ctrl+Shift++", do: func(w *window) { w.style.Zoom(1) }},
		{id: "smaller", title: lang.L("Smaller text"), keys: "Ctrl+-", do: func(w *window) { w.style.Zoom(-1) }},
		{id: "usual-size", title: lang.L("Default text size"), keys: "Ctrl+0", do: func(w *window) { w.style.Zoom(0) }},
		{id: "wider", title: lang.L("Wider column"), do: restyle(func(s *article.Style) { s.Measure += 4 })},
		{id: "narrower", title: lang.L("Narrower column"), do: restyle(func(s *article.Style) { s.Measure -= 4 })},
		{id: "usual-width", title: lang.L("Default column width"), do: restyle(func(s *article.Style) { s.Measure = 0 })},
		{id: "loose", title: lang.L("More line spacing"), do: restyle(func(s *article.Style) { s.Leading += 0.1 })},
		{id: "tight", title: lang.L("Less line spacing"), do: restyle(func(s *article.Style) { s.Leading -= 0.1 })},
		{id: "usual-lines", title: lang.L("Default line spacing"), do: restyle(func(s *article.Style) { s.Leading = 0 })},
		{id: "sans", title: lang.L("Sans serif"), do: restyle(func(s *article.Style) { *s = s.WithTypeface(nil); s.Serif = false })},
		{id: "serif", title: lang.L("Serif"), do: restyle(func(s *article.Style) { *s = s.WithTypeface(nil); s.Serif = true })},
		{id: "font", title: lang.L("Installed font…"), do: func(w *window) { settings.ChooseFont(newSettings(w), nil) }},
		{id: "load-pictures", title: lang.L("Load images automatically"), do: func(w *window) { w.style.SetAutomaticPictures(!w.article.Pictures.Automatic) }},
		{id: "pictures", title: lang.L("Load images of this article"), keys: "p", do: func(w *window) { w.article.View.LoadPictures() }},
	}
}

func feedCommands() []command {
	return []command{
		{id: "add", title: lang.L("Add feed…"), keys: "Ctrl+N", do: func(w *window) { w.feeds.Subscribe("") }},
		{id: "add-account", title: lang.L("Add account…"), do: func(w *window) { w.feeds.Accounts.Add() }},
		{id: "import", title: lang.L("Import feeds…"), keys: "Ctrl+O", do: func(w *window) { w.opml.AskImport() }},
		{id: "export", title: lang.L("Export feeds…"), keys: "Ctrl+E", do: func(w *window) { w.opml.AskExport() }},
		{id: "export-everything", title: lang.L("Export everything…"), do: func(w *window) { w.opml.AskExportEverything() }},
		{id: "refresh", title: lang.L("Refresh"), keys: "Ctrl+R F5", do: func(w *window) { w.feeds.Refresh() }},
		{id: "load-older", title: lang.L("Load older articles"), do: func(w *window) { w.feeds.LoadOlder(w.chosenFeed()) }},
		{id: "fares", title: lang.L("Feed status"), keys: "Ctrl+I", do: func(w *window) { w.openFeedPage(w.chosenFeed()) }},
		{id: "properties", title: lang.L("Feed properties…"), keys: "Alt+Enter", do: (*window).chosenProperties},
		{id: "rename", title: lang.L("Rename…"), keys: "F2", do: (*window).renameChosen},
		{id: "new-folder", title: lang.L("New folder…"), do: (*window).newFolder},
		{id: "feed-up", title: lang.L("Move feed or folder up"), keys: "Alt+Up", do: func(w *window) { w.sidebar.MoveChosen(-1) }},
		{id: "feed-down", title: lang.L("Move feed or folder down"), keys: "Alt+Down", do: func(w *window) { w.sidebar.MoveChosen(1) }},
		{id: "sort-feeds", title: lang.L("Sort feeds and folders by name"), do: func(w *window) { w.sidebar.SortByName() }},
		{id: "pause", title: lang.L("Pause or resume fetching"), do: func(w *window) { w.feeds.SwitchPause() }},
		{id: "quiet", title: lang.L("Quiet (not in All, Unread and Today)"), do: func(w *window) { w.feeds.ToggleQuiet(w.session.Place) }},
		{id: "unopened", title: lang.L("Feeds you do not read…"), do: func(w *window) { (&feeds.Unopened{Actions: w.feeds}).Open() }},
		{id: "unsubscribe", title: lang.L("Unsubscribe"), do: (*window).unsubscribeChosen},
		{id: "take-along", title: lang.L("Take along…"), do: func(w *window) { w.takeAlong.Ask(w.session.Place.Name, w.session.Place.Query) }},
		{id: "saver", title: lang.L("Switch battery saver"), keys: "Ctrl+B", do: func(w *window) { w.budget.cycleSaver() }},
	}
}

func kairosCommands() []command {
	return []command{
		{id: "undo", title: lang.L("Undo"), keys: "Ctrl+Z", do: (*window).undoKey, inDialog: true},
		{id: "redo", title: lang.L("Redo"), keys: "Ctrl+Shift+Z Ctrl+Y", do: (*window).redoKey, inDialog: true},
		{id: "settings", title: lang.L("Settings…"), keys: "Ctrl+,", do: func(w *window) { newSettings(w).Open(settings.General) }},
		{id: "accounts", title: lang.L("Accounts…"), do: func(w *window) { w.feeds.Accounts.Open() }},
		{id: "reindex", title: lang.L("Rebuild search index"), do: func(w *window) { search.RebuildIndex(w.shell) }},
		{id: "rules", title: lang.L("Rules…"), do: func(w *window) { newSettings(w).Open(settings.Rules) }},
		{id: "keeping", title: lang.L("Manage storage…"), do: func(w *window) { newSettings(w).Open(settings.Storage) }},
		{id: "back-up", title: lang.L("Back up…"), do: func(w *window) { newSettings(w).BackUp() }},
		{id: "restore", title: lang.L("Restore a backup…"), do: func(w *window) { newSettings(w).Restore() }},
		{id: "export-starred", title: lang.L("Export starred articles…"), do: func(w *window) { newSettings(w).ExportStarred() }},
		{id: "full-screen", title: lang.L("Full screen"), keys: "F11", do: func(w *window) { w.win.SetFullScreen(!w.win.FullScreen()) }},
		{id: "help", title: lang.L("Help"), keys: "F1", do: (*window).showHelp},
		{id: "keys", title: lang.L("Keys"), keys: "?", do: (*window).showKeys},
		{id: "about", title: lang.L("About Kairos"), do: (*window).about},
		{id: "quit", title: lang.L("Quit"), keys: "Ctrl+Q", do: func(w *window) { w.closing.quit() }, inDialog: true},
	}
}

// commandKeys is the commands and the keys that stand for them.
type commandKeys struct {
	groups    []commandGroup
	commands  map[string]command // by id
	keys      keys.Map
	shortcuts []fyne.Shortcut           // on the canvas
	capturing bool                      // the next key is to become a command's
	marks     map[string]*fyne.MenuItem // entries whose title depends on the article, by command
	menuStale bool                      // the main menu is to be renewed once it has closed
}

func newCommandKeys(groups []commandGroup) commandKeys {
	return commandKeys{groups: groups, commands: commandsByID(groups), keys: keys.NewMap(defaultKeys(groups))}
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

// perform runs the command with this id. While a dialog is open only few commands work.
func (w *window) perform(id string) {
	c, known := w.commands[id]
	if !known || w.capturing || len(w.shell.Dialogs.Open) > 0 && !c.inDialog {
		return
	}
	w.session.List.DropStep()
	c.do(w)
	w.shell.Invalidate()
}
