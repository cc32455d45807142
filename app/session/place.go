package session

import (
	"fmt"
	"strconv"
	"strings"

	"kairos/app/library"
	"kairos/reader"
)

// Place is what is chosen to be read: a view, a saved search, a label, a folder or a feed, or a page in place of articles.
type Place struct {
	Key     string // identifies it across snapshots of the library
	Name    string
	Query   reader.Query
	Feed    *reader.Feed
	Folder  string // its path in the tree of folders (library.Snapshot.Path)
	Account bool   // the folder is an account
	Saved   *reader.SavedSearch
	Label   *reader.Label
}

// The keys of places that are always the same.
const (
	All       = "all"
	Unread    = "unread"
	Today     = "today"
	Starred   = "starred"
	Snoozed   = "snoozed"
	Ended     = "ended" // what counts as read because it ended unread
	Queue     = "queue"
	Insights  = "insights"  // the page of what was learned and achieved
	Attention = "attention" // the page of the feeds that need attention
	Away      = "away"      // the page of what came while the user was away
)

// NoArticles is the query of a place that has none.
var NoArticles = reader.Query{Feed: -1}

// ViewQuery lists one of the fixed selections, without what is quiet.
func ViewQuery(v reader.View) reader.Query {
	return reader.Query{View: v, Audible: v != reader.Starred}
}

// FeedKey is the key of a feed.
func FeedKey(id int64) string { return "feed:" + strconv.FormatInt(id, 10) }

// FolderKey is the key of the folder at a path of the tree.
func FolderKey(path string) string { return "folder:" + path }

// FeedPlace is a feed.
func FeedPlace(f *reader.Feed) Place {
	return Place{Key: FeedKey(f.ID), Name: f.Title, Query: reader.Query{Feed: f.ID}, Feed: f}
}

// FolderPlace is the folder at a path of the tree, or an account.
func FolderPlace(path, name string, account bool) Place {
	return Place{Key: FolderKey(path), Name: name, Query: library.QueryOf(path), Folder: path, Account: account}
}

// LabelPlace is the articles with a label.
func LabelPlace(l *reader.Label) Place {
	return Place{Key: fmt.Sprint("label:", l.ID), Name: l.Name, Query: l.Query(), Label: l}
}

// SavedPlace is what a saved search finds.
func SavedPlace(s *reader.SavedSearch) Place {
	return Place{Key: fmt.Sprint("saved:", s.ID), Name: s.Name, Query: s.Query(), Saved: s}
}

// Branch is the part of the tree of folders that a place stands for.
func (p *Place) Branch() library.Branch { return library.Branch{Feed: p.Feed, Folder: p.Folder} }

// IsMovable reports whether a place is a feed or a folder.
func (p *Place) IsMovable() bool { return p.Feed != nil || p.Folder != "" && !p.Account }

// SearchText is a search for what a place lists, "" if no search finds just that.
func (p *Place) SearchText() string {
	quoted := func(name string) string { return `"` + strings.Trim(strings.ReplaceAll(name, `"`, " "), " ") + `"` }
	switch {
	case p.Saved != nil:
		return p.Saved.Search
	case p.Label != nil:
		return "label:" + quoted(p.Label.Name)
	case p.Feed != nil:
		return "feed:" + quoted(p.Feed.Title)
	case p.Folder != "" && !p.Account:
		return "folder:" + quoted(library.PlaceOf(p.Folder).Path)
	case p.Query.View == reader.Starred:
		return "is:starred"
	case p.Query.Snoozed:
		return "is:snoozed"
	case p.Query.Ended:
		return "is:ended"
	}
	return ""
}
