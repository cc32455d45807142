// Package reader is what is read: feeds, their articles and the one SQLite
// file that keeps them. It knows nothing of when a feed is fetched or when its
// user reads; poller and useraccess keep their own tables in the same file
// through Store.Write and Store.Read.
package reader

import (
	"errors"
	"time"
)

// Faults a caller tells apart with errors.Is.
var (
	ErrNewer    = errors.New("this folder was written by a newer version of Kairos")
	ErrOlder    = errors.New("the database must be opened for writing once to be brought up to date")
	ErrDamaged  = errors.New("the database is damaged")
	ErrLocked   = errors.New("the database is in use by another program")
	ErrReadOnly = errors.New("the folder cannot be written to")
	ErrFull     = errors.New("there is no room left on the disk")
	ErrDisk     = errors.New("the disk cannot be read or written")
	ErrNone     = errors.New("there is no database here yet")
	ErrUnknown  = errors.New("no such feed or article")
)

// Fault returns which of the faults of the file or its folder an error is, nil if it is
// none: what a person is to be told instead of SQLite's own words.
func Fault(err error) error {
	for _, fault := range []error{ErrNewer, ErrOlder, ErrDamaged, ErrLocked, ErrReadOnly, ErrFull, ErrDisk, ErrNone} {
		if errors.Is(err, fault) {
			return fault
		}
	}
	return nil
}

// DuplicateError says that an address is subscribed already.
type DuplicateError struct{ Feed Feed }

func (e *DuplicateError) Error() string {
	return "already subscribed as “" + e.Feed.Title + "”"
}

// Feed is a subscription.
type Feed struct {
	ID       int64
	URL      string
	Title    string // the user's, else the feed's, else the address
	OwnTitle string // set by the user; "" while the feed's own is shown
	Site     string
	Icon     string // address of a picture the feed names for itself
	Folder   string // path joined by FolderSeparator; "" at the top
	Weight   float64
	Every    time.Duration // longest gap between fetches the user wants; 0 leaves it to the plan
	Paused   bool
	Login    bool // its user and password are in the system keyring
	FullText bool
	Notify   bool // the desktop tells of its new articles
	Keep     Keep // 0: as the general setting says; KeepAll: everything
	Added    time.Time
	Unread   int
}

// FolderSeparator joins the names of nested folders.
const FolderSeparator = " / "

// Weights the window offers; any positive number up to MaxWeight is allowed.
const (
	WeightLow    = 0.5
	WeightNormal = 1.0
	WeightHigh   = 2.0
	MaxWeight    = 1000.0
)

// Bounds of Feed.Every, where it is not 0.
const (
	MinEvery = 30 * time.Minute
	MaxEvery = 7 * 24 * time.Hour
)

// Article is one entry of a feed as a list shows it, without its body.
type Article struct {
	ID        int64
	Feed      int64
	FeedTitle string
	Title     string // the article's, else the beginning of its text
	Link      string
	Author    string
	Summary   string // one line of its text
	Published time.Time
	Read      bool
	Starred   bool
}

// Enclosure is a file that comes with an article.
type Enclosure struct {
	URL    string `json:"url"`
	Type   string `json:"type,omitempty"`
	Length int64  `json:"length,omitempty"`
}

// View is one of the fixed selections of the sidebar.
type View uint8

const (
	All View = iota
	Unread
	Today // published since the caller's local midnight
	Starred
)

// Query selects articles. Its zero value means all of them, newest first.
type Query struct {
	View   View
	Since  time.Time // local midnight, for Today
	Feed   int64     // 0: every feed
	Folder string    // "": every folder; nested folders are included
	Hidden bool      // of those that rules have hidden; else of all others
	Fold   bool      // a story that several feeds carry once, for SettingFold; not in Starred or one feed
	Search string    // what package search reads; its days begin in the zone of Since
	Within string    // a search that must hold as well
	Quick  bool      // does without what is not yet indexed, but for the newest
	Keep   []int64   // articles that stay although they are read by now, for Unread and HideRead
	Limit  int       // 0: no limit

	HideRead bool
	Before   time.Time // published before; zero: whenever
	Order    Order
	ByFeed   bool // feed after feed as Feeds lists them, each in Order
}

// Order is how articles follow each other.
type Order uint8

const (
	NewestFirst Order = iota
	OldestFirst
)

// Counts are the numbers beside the sidebar's rows.
type Counts struct {
	Unread  map[int64]int  // by feed
	Folders map[string]int // unread in a folder and those within it
	Total   int            // unread of all feeds
	Today   int            // unread since the given midnight
	Starred int
}

// Key and default of the setting "at a feed's first fetch only what is younger
// than this arrives unread", in days.
const (
	SettingFirstUnreadDays = "reader.first_unread_days"
	DefaultFirstUnreadDays = 7
)
