// Package reader stores the subscriptions and their articles in one SQLite file and finds them
// again. It knows nothing of when a feed is fetched or when its user reads: poller and useraccess
// keep tables of their own in the same file through Store.Read and Store.Write.
//
// Open returns a Store. Its parts read: Store.Feeds.List, Store.Articles.IDs, Store.Rules.Try.
// Functions of the package write, within a transaction that Store.Write opens and commits:
// Subscribe, StoreArticles, Mark, SaveRule. So one transaction can hold several of them and what
// other packages write. Only long work opens transactions of its own, one for each portion
// (Search.Index, Search.Rebuild, Duplicates.Find, Articles.EndUnread, Storage.CleanUp, Storage.Compact, Imports.Run,
// Backups.Restore), and Settings.Set does for a single value.
//
// This file is the face of the package: the Store and the types that it reads and writes. The
// others stand together by prefix:
//
//	errors.go    the errors that a person can act on, by code
//	article_…    lists, counts, loading and exporting; storing what a fetch brings; marks
//	feed_…       subscriptions, folders, merging, OPML
//	account_…    servers to sync with: their feeds and articles, and what they do not know yet
//	destination_… delivery_…  where starred articles are sent, and what is to be sent there
//	label_…      labels on articles
//	search_…     full-text search: finding, cache, index, repair, saved searches
//	rule_…       storing rules, applying them to new and to stored articles, trying them
//	snooze_…     articles that are away until an instant
//	unread_…     unread articles that end: count as read by themselves
//	dedupe_…     finding stories that several feeds carry, by link, title or what they tell, and listing them once
//	backup_…     creating, checking and restoring backups
//	import_…     taking over what other readers have stored, staged and switched in at once; undoing it
//	storage_…    what the file takes, retention, clean-up, compacting
//	settings.go  values by key
//	database_…   the file itself: opening, transactions, schema, migrations
//
// The packages below do one job each, without the database: parse and content read feeds, discover
// finds them, search, rule and story match articles, opml and export write them, imports reads what other
// readers store, icon, picture, imaging and fulltext get what belongs to them.
package reader

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

// FileName is the name of the database in the data folder.
const FileName = "kairos.db"

// Store is an open database. Its parts read; all of them are safe for concurrent use.
type Store struct {
	Articles Articles
	Feeds    Feeds
	Accounts Accounts
	// Destinations are where starred articles are sent.
	Destinations Destinations
	Search       *Search
	Rules        Rules
	Labels       Labels
	Duplicates   Duplicates
	Settings     Settings
	Backups      Backups
	Storage      Storage
	Imports      Imports

	db *database
}

// Articles lists, counts and loads articles.
type Articles struct {
	db     *database
	search *Search
}

// Feeds lists subscriptions.
type Feeds struct{ db *database }

// Accounts lists the servers to sync with.
type Accounts struct{ db *database }

// Labels lists the user's labels.
type Labels struct{ db *database }

// Rules lists the user's rules and tells what a rule would do.
type Rules struct {
	db       *database
	articles Articles
}

// Duplicates finds stories that several feeds carry.
type Duplicates struct {
	db   *database
	turn chan struct{} // has room while nobody looks for stories
}

// Settings are values by key.
type Settings struct{ db *database }

// Backups writes and restores backups.
type Backups struct {
	db     *database
	search *Search
}

// Storage measures what the database takes and makes it smaller.
type Storage struct {
	db       *database
	feeds    Feeds
	settings Settings
}

// Room is a package that keeps tables of its own in the file. Its steps are applied in order,
// each once and each in its own transaction; a released step is never edited.
type Room struct {
	Name  string
	Steps []string
}

// Open opens the file in dir for reading and writing. It creates the file if there is none, and
// brings the tables of the reader and of rooms up to date at the instant now. Errors: ErrNewer,
// ErrDamaged, ErrForeign, ErrLocked, ErrReadOnly, ErrFull, ErrDisk.
func Open(ctx context.Context, dir string, now time.Time, rooms ...Room) (*Store, error) {
	return OpenTelling(ctx, dir, now, nil, rooms...)
}

// OpenTelling is Open. It tells how far the copy is that it leaves of a file of an older version.
func OpenTelling(ctx context.Context, dir string, now time.Time, progress Progress, rooms ...Room) (*Store, error) {
	db, err := openDatabase(ctx, dir, now, progress, rooms)
	if err != nil {
		return nil, err
	}
	return newStore(db), nil
}

// OpenReadOnly opens the file in dir for reading. It works at any time, also beside the process
// that owns the folder. Errors: ErrNone, ErrNewer, ErrOlder, ErrDamaged.
func OpenReadOnly(ctx context.Context, dir string, rooms ...Room) (*Store, error) {
	db, err := openDatabaseReadOnly(ctx, dir, rooms)
	if err != nil {
		return nil, err
	}
	return newStore(db), nil
}

func newStore(db *database) *Store {
	search := newSearch(db)
	articles, feeds, settings := Articles{db, search}, Feeds{db}, Settings{db}
	return &Store{
		Articles: articles, Feeds: feeds, Accounts: Accounts{db}, Destinations: Destinations{db}, Search: search, Rules: Rules{db, articles}, Labels: Labels{db}, Duplicates: Duplicates{db, make(chan struct{}, 1)},
		Settings: settings, Backups: Backups{db, search}, Storage: Storage{db, feeds, settings},
		Imports: Imports{db, new(sync.Mutex)}, db: db,
	}
}

// Close waits for the transaction in flight and closes the file.
func (s *Store) Close() error { return s.db.close() }

// Read returns the pool of reading connections.
func (s *Store) Read() *sql.DB { return s.db.read }

// Prepared returns queries on that pool that stay prepared.
func (s *Store) Prepared() *Statements { return s.db.prepared }

// Write runs f in one transaction and commits it if f returns nil. Watchers are told after the
// commit. Errors: those of f, and the faults of the file, ErrReadOnly among them.
func (s *Store) Write(ctx context.Context, f func(tx *sql.Tx) error) error {
	return s.db.transact(ctx, f)
}

// WriteAside is Write for what leaves the feeds as they are, and which articles there are: whether they are read or whole, and what
// no list shows. A star is more: it keeps an article whose feed is gone. It is for what happens with each article that is read.
func (s *Store) WriteAside(ctx context.Context, f func(tx *sql.Tx) error) error {
	return s.db.transactAside(ctx, f)
}

// Lists counts the commits that may have changed more than WriteAside may. What was read of feeds after the same number of
// them is still as it was.
func (s *Store) Lists() int64 { return s.db.lists.Load() }

// Watch returns a channel that holds a signal whenever something was committed since the last
// receive, and a function that ends the watch. Closing the store closes the channel.
func (s *Store) Watch() (<-chan struct{}, func()) { return s.db.watch() }

// Feed is a subscription.
type Feed struct {
	ID       int64
	URL      string
	Title    string // the user's, else the feed's, else the address
	OwnTitle string // set by the user; "" while the feed's own is shown
	Site     string
	Icon     string // address of a picture that the feed names as its own
	Folder   string // path joined by FolderSeparator; "" at the top
	Weight   float64
	Interest float64       // probability that one of its articles is read, as the user says; 0: learned
	Quiet    bool          // left out of All, Unread and Today
	Ends     Ends          // of its unread articles; 0: as its folder
	Every    time.Duration // longest gap between fetches that the user wants; 0: left to the plan
	Paused   bool
	Login    bool // its user and password are in the system keyring
	FullText bool // fetch the full text of its articles
	Notify   bool // notify of its new articles
	Keep     Keep // 0: use the general setting; KeepAll: keep everything
	Added    time.Time
	Account  int64 // that it is synced with; 0: this computer fetches it
	Source   Source
	Unread   int
}

// FolderSeparator joins the names of nested folders.
const FolderSeparator = " / "

// Weights that the window offers; any positive number up to MaxWeight is allowed.
const (
	WeightLow    = 0.5
	WeightNormal = 1.0
	WeightHigh   = 2.0
	MaxWeight    = 1000.0
)

// Bounds of Feed.Every, where it is not 0.
const (
	minEvery = 30 * time.Minute
	maxEvery = 7 * 24 * time.Hour
)

// Article is one entry of a feed as lists show it, without its body.
type Article struct {
	ID        int64
	Feed      int64
	FeedTitle string
	Title     string // the article's, else the beginning of its text, else its link; may be empty
	Untitled  bool   // Title is the beginning of its text
	Link      string
	Author    string
	Summary   string // one line of its text

	Categories []string // as the feed files it; nil if it has none
	Published  time.Time
	Read       bool
	Starred    bool
	Labels     []int64 // ids, ascending; nil if it has none

	Away  time.Time // when it comes back; zero if it is not snoozed
	Back  bool      // it came back and is unread: it stands first
	Ended bool      // it counts as read because it ended unread

	Story  int64 // the same for articles that tell the same; 0: no other does
	Others int   // that tell the same, in feeds subscribed to

	Plays time.Duration // how long its first file that has a length plays; 0: unknown, or there is none
	Left  time.Duration // of Plays, once it was begun; 0: it was not, or was heard to its end

	Queued bool // one of its files is to be played after others
}

// Enclosure is a file that comes with an article.
type Enclosure struct {
	URL    string `json:"url"`
	Type   string `json:"type,omitempty"`
	Length int64  `json:"length,omitempty"` // in bytes, as the feed says; 0: unknown

	Seconds int64 `json:"seconds,omitempty"` // how long it plays, as the feed says; 0: unknown
}

// View is one of the fixed selections of the sidebar.
type View uint8

const (
	All View = iota
	Unread
	Today // published since the caller's local midnight
	Starred
)

// Query selects articles. Its zero value selects all, newest first.
type Query struct {
	View     View
	Since    time.Time // local midnight, for Today
	Feed     int64     // 0: every feed
	Folder   string    // "": every folder; nested folders are included
	Accounts []int64   // only feeds of these, 0 is this computer; nil: of every account
	Queued   bool      // only articles with a file in the queue of the player
	Label    int64     // 0: whatever labels they have
	Hidden   bool      // only articles that rules have hidden; else none of them
	Snoozed  bool      // only articles that are away; else none of them
	Ended    bool      // only articles that ended unread
	Audible  bool      // without the feeds and folders that are quiet, unless something is searched for
	Dedupe   bool      // a story that several feeds carry is listed once; not in Starred, one feed or one label
	Search   string    // in the language of package search; its days begin in the zone of Since
	Within   string    // another search that must match as well
	Quick    bool      // of articles that are not indexed yet, search only the newest; with a limit, list none that are far down
	AlsoList []int64   // articles listed by Unread and HideRead even if they are read by now
	Limit    int       // 0: no limit

	HideRead bool
	Before   time.Time // published before; zero: at any time
	Arrived  time.Time // stored at or after; zero: at any time
	Order    Order
	ByFeed   bool // grouped by feed, in the order of Feeds.List, each group in Order
}

// Order is the order of articles.
type Order uint8

const (
	NewestFirst Order = iota
	OldestFirst
	QueueOrder // of articles in the queue of the player: as it plays them
)

// Place is a folder of an account; account 0 is this computer, and the path "" all of an account.
type Place struct {
	Account int64
	Path    string
}

// Counts are the numbers beside the sidebar's rows.
type Counts struct {
	Unread  map[int64]int // by feed
	Folders map[Place]int // unread in a folder and those within it
	Total   int           // unread in all feeds
	Today   int           // unread since the given midnight
	Starred int
	Snoozed int  // articles that are away
	Ended   bool // articles have ended unread
}

// Key and default of the setting "at a feed's first fetch only articles younger than this are
// unread", in days.
const (
	SettingFirstUnreadDays = "reader.first_unread_days"
	DefaultFirstUnreadDays = 7
)
