package sidebar

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/icon"
	"kairos/app/library"
	"kairos/app/session"
	"kairos/reader"
)

// Item is what a row of the sidebar shows: a place, or the heading of a section.
type Item struct {
	session.Place
	Heading   bool          // names the section below it and cannot be chosen
	icon      fyne.Resource // nil: the feed's own
	Indent    int
	Count     int  // of unread articles
	Total     int  // of articles, shown where none is unread; 0: not shown
	failing   bool // the last fetches of the feed failed
	paused    bool
	quiet     bool
	collapsed bool // of a folder: its feeds are hidden
}

// buildItems returns the rows of the sidebar.
func (s *Pane) buildItems() []Item {
	place := func(key, name string, q reader.Query) session.Place {
		return session.Place{Key: key, Name: name, Query: q}
	}
	view := func(key, name string, icon fyne.Resource, v reader.View, count int) Item {
		return Item{Place: place(key, name, session.ViewQuery(v)), icon: icon, Count: count}
	}
	items := []Item{
		view(session.All, lang.L("All articles"), icon.Theme(theme.IconNameList), reader.All, 0),
		view(session.Unread, lang.L("Unread"), icon.Unread, reader.Unread, s.library.Unread.Total),
		view(session.Today, lang.L("Today"), icon.Theme(theme.IconNameHistory), reader.Today, s.library.Unread.Today),
		view(session.Starred, lang.L("Starred"), icon.Star, reader.Starred, 0),
		{Place: place(session.Insights, lang.L("Insights"), session.NoArticles), icon: icon.Insights},
	}
	if s.session.IsAway {
		items = append([]Item{{Place: place(session.Away, lang.L("While you were away"), session.NoArticles), icon: icon.Theme(theme.IconNameHome)}}, items...)
	}
	if n := s.library.Unread.Snoozed; n > 0 {
		items = append(items, Item{Place: place(session.Snoozed, lang.L("Snoozed"), reader.Query{Snoozed: true}), icon: icon.Snooze, Total: n})
	}
	if s.library.Unread.Ended {
		items = append(items, Item{Place: place(session.Ended, lang.L("Expired unread"), reader.Query{Ended: true}), icon: icon.Ended})
	}
	if s.library.Queue > 0 {
		items = append(items, Item{Place: place(session.Queue, lang.L("Queue"), reader.Query{Queued: true}), icon: icon.Theme(theme.IconNameMediaPlay), Total: s.library.Queue})
	}
	if n := len(s.library.Failing) + len(s.library.StuckDestinations()); n > 0 {
		items = append(items, Item{Place: place(session.Attention, lang.L("Needs attention"), session.NoArticles), icon: icon.Theme(theme.IconNameWarning), Count: n})
	}
	items = appendSection(items, lang.L("Searches"), s.savedItems())
	items = appendSection(items, lang.L("Labels"), s.labelItems())
	feeds := s.allFeedItems()
	if s.HideRead {
		feeds = s.withoutRead(feeds)
	}
	return appendSection(items, lang.L("Feeds"), feeds)
}

// appendSection appends the items of a section with its heading, if there are any.
func appendSection(items []Item, name string, section []Item) []Item {
	if len(section) == 0 {
		return items
	}
	return append(append(items, Item{Place: session.Place{Key: "heading:" + name, Name: name, Query: session.NoArticles}, Heading: true}), section...)
}

// allFeedItems returns the rows of all feeds, below those of their accounts if they are grouped.
func (s *Pane) allFeedItems() []Item {
	items := make([]Item, 0, len(s.library.Feeds)+len(s.library.Feeds)/8)
	if len(s.library.Accounts) == 0 {
		return s.appendFeeds(items, s.library.Feeds)
	}
	rest := s.library.Feeds // they stand together by account
	for rank := range len(s.library.Accounts) + 1 {
		id, n := int64(0), 0
		if rank > 0 {
			id = s.library.Accounts[rank-1].ID
		}
		for n < len(rest) && rest[n].Account == id {
			n++
		}
		if rank == 0 && n == 0 {
			continue // this computer has no feeds
		}
		item := s.accountItem(id)
		if items = append(items, item); !item.collapsed {
			items = s.appendFeeds(items, rest[:n])
		}
		rest = rest[n:]
	}
	return items
}

// appendFeeds appends the rows of the folders with their feeds, and below them those of the feeds without a folder.
func (s *Pane) appendFeeds(items []Item, feeds []reader.Feed) []Item {
	if len(feeds) == 0 {
		return items
	}
	open, hidden := s.library.Root(feeds[0].Account), false // the folder the last feed was in, and whether its feeds are hidden
	for i := range feeds {
		f := &feeds[i]
		if f.Folder == "" {
			continue
		}
		if path := s.library.Path(f); path != open {
			items = s.appendFolders(items, open, path)
			open, hidden = path, s.hidden(path)
		}
		if !hidden {
			items = append(items, s.feedItem(f))
		}
	}
	for i := range feeds {
		if feeds[i].Folder == "" {
			items = append(items, s.feedItem(&feeds[i]))
		}
	}
	return items
}

// savedItems returns the rows of the saved searches.
func (s *Pane) savedItems() []Item {
	var items []Item
	for i := range s.library.Searches {
		one := &s.library.Searches[i]
		items = append(items, Item{Place: session.SavedPlace(one), icon: icon.Theme(theme.IconNameSearch), Count: s.library.Found(one.ID)})
	}
	return items
}

// labelItems returns the rows of the labels.
func (s *Pane) labelItems() []Item {
	var items []Item
	for i := range s.library.Labels {
		l := &s.library.Labels[i]
		items = append(items, Item{Place: session.LabelPlace(l), icon: icon.Label(*l), Count: l.Unread, Total: l.Articles})
	}
	return items
}

// appendFolders appends the folders of the path to that the path from has not opened yet.
func (s *Pane) appendFolders(items []Item, from, to string) []Item {
	old, parts := strings.Split(from, reader.FolderSeparator), strings.Split(to, reader.FolderSeparator)
	shared := 0
	for shared < len(old) && shared < len(parts) && old[shared] == parts[shared] {
		shared++
	}
	for i := shared; i < len(parts); i++ {
		path := strings.Join(parts[:i+1], reader.FolderSeparator)
		if parts[i] == "" || s.hidden(strings.Join(parts[:i], reader.FolderSeparator)) {
			continue
		}
		name := theme.IconNameFolderOpen
		if s.Collapsed[path] {
			name = theme.IconNameFolder
		}
		items = append(items, Item{Place: session.FolderPlace(path, parts[i], false), icon: icon.Theme(name), Indent: i, collapsed: s.Collapsed[path],
			quiet: s.library.IsQuietFolder(path), Count: s.library.Unread.Folders[library.PlaceOf(path)]})
	}
	return items
}

func (s *Pane) feedItem(f *reader.Feed) Item {
	item := Item{Place: session.FeedPlace(f), Count: f.Unread, paused: f.Paused, quiet: s.library.IsQuiet(f)}
	if path := s.library.Path(f); path != "" {
		item.Indent = strings.Count(path, reader.FolderSeparator) + 1
	}
	if st := s.library.States[f.ID]; st.Failures > 0 {
		item.icon, item.failing = icon.Theme(theme.IconNameWarning), true
	}
	return item
}
