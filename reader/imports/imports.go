// Package imports reads what other feed readers store and export: their feeds with folders and titles, and their articles with
// dates, bodies, stars, labels and read marks. It turns each of them into one neutral form, a Source, which the reader stores
// (reader.Imports).
//
// Open recognizes a file or a folder and returns its Source: the feeds, the reader's own counts, and the articles as a stream, one
// at a time. What belongs to another program is never written to: of a database a copy is read, with its log. One file stands for
// one reader:
//
//	newsboat.go   cache.db and urls           liferea.go   liferea.db and feedlist.opml
//	rssguard.go   database.db                 quiterss.go  feeds.db
//	netnewswire.go  DB.sqlite3 and OPML       thunderbird.go  feeds.json, feeditems.json and mailboxes
//	akregator.go  feeds.opml and archives     freshrss.go  the export, a zip
//	stream.go     starred articles of Google Reader, Inoreader, The Old Reader, FreshRSS and others, and saved ones of Feedly, as JSON
//	servers.go    exports of Miniflux and Tiny Tiny RSS
//	everything.go Kairos' own export, or a zip of it
//	kairos.go     any JSON Feed in a file     list.go      a list of feeds (OPML and others)
//
// # Kairos' own export
//
// A folder with a file kairos.json, as package archive describes it, or a zip of that (everything.go): all of it is taken over, with
// what only Kairos stores. A JSON Feed in a file (kairos.go) is read as one of any program, with what its extension _kairos says of the marks.
package imports

import (
	"context"
	"time"

	"kairos/reader/archive"
	"kairos/reader/opml"
	"kairos/reader/parse"
)

// Reader names the program, or the format, that a source comes from.
type Reader string

// The readers whose sources can be opened.
const (
	Newsboat    Reader = "newsboat"
	Liferea     Reader = "liferea"
	RSSGuard    Reader = "rssguard"
	QuiteRSS    Reader = "quiterss"
	NetNewsWire Reader = "netnewswire"
	Thunderbird Reader = "thunderbird"
	Akregator   Reader = "akregator"
	FreshRSS    Reader = "freshrss"
	Stream      Reader = "google-reader" // starred articles as JSON
	Feedly      Reader = "feedly"
	Miniflux    Reader = "miniflux"
	TTRSS       Reader = "ttrss"
	Kairos      Reader = "kairos" // feeds in files

	KairosExport Reader = "kairos-export" // everything, as Kairos exports it
	List         Reader = "opml"          // a list of feeds

	Database Reader = "database" // of a reader that is known only once it is opened (ReaderOf)
)

// Feed is a subscription, or what articles came from that is none any more.
type Feed struct {
	ID         string // by which articles name it, unique in a source
	Subscribed bool   // else only its starred and labeled articles are stored
	opml.Outline
	Own *archive.Feed // as an export of Kairos has it; nil of others
}

// Article is an article as a source has it.
type Article struct {
	Feed    string // ID of its Feed
	Item    parse.Item
	Key     string // by which Kairos itself knew it; else it follows from Item, as of a feed
	Read    bool
	Starred bool
	Labels  []string
	Seen    time.Time // when the source stored it; zero if that is unknown
	ReadAt  time.Time // when it was read; zero if that is unknown

	Own  *archive.Article // of an export of Kairos, in place of Item; nil of others
	Gone *archive.Gone    // in place of all else: it was deleted or cleaned up there
}

// maxParts is how many labels, categories and files of an article are read: more than any has.
const maxParts = 200

// addLabel adds a label, and reports whether another may follow.
func (a *Article) addLabel(name string) bool {
	a.Labels = append(a.Labels, name)
	return len(a.Labels) < maxParts
}

func (a *Article) addCategory(name string) {
	if len(a.Item.Categories) < maxParts {
		a.Item.Categories = append(a.Item.Categories, name)
	}
}

// Size is how many bytes of text an article has.
func (a *Article) Size() int {
	i := &a.Item
	n := len(i.HTML) + len(i.ID) + len(i.Title) + len(i.Link) + len(i.Author) + len(i.CommentsURL)
	if a.Own != nil {
		n += len(a.Own.HTML)
		if a.Own.FullText != nil {
			n += len(a.Own.FullText.HTML)
		}
	}
	return n
}

// Counts are numbers of a source, or of what was stored of it.
type Counts struct {
	Feeds    int `json:"feeds"`
	Articles int `json:"articles"`
	Read     int `json:"read"`
	Starred  int `json:"starred"`
	Labels   int `json:"labels"` // put on articles
}

// Source is what another reader has left. It is used by one goroutine at a time, and closed after use.
type Source struct {
	Reader   Reader
	Path     string // file or folder that was opened
	Feeds    []Feed
	Ordered  bool      // Feeds stand as they do there, within each folder
	Counts   Counts    // by the source's own marks, before anything is read
	Watched  time.Time // until when it fetched its feeds, as far as its files tell
	Refused  []opml.Refusal
	Warnings []opml.Warning
	Problems []Problem // of articles; complete when Articles has returned

	Export *Export // what else there is, of an export of Kairos; nil of others

	ReadTimes []time.Time // at which articles were read, those of them that the source knows; complete when Articles has returned

	articles func(ctx context.Context, yield func(Article) error) error
	close    func() error
}

// New returns a source of feeds and of a function that hands on their articles, as Source.Articles does.
func New(from Reader, path string, feeds []Feed, articles func(ctx context.Context, yield func(Article) error) error) *Source {
	return &Source{Reader: from, Path: path, Feeds: feeds, articles: articles}
}

// Articles calls yield with one article after the other, until that fails or ctx ends. What cannot be read is left out and told
// in Problems. Errors: yield's, the context's.
func (s *Source) Articles(ctx context.Context, yield func(Article) error) error {
	if s.articles == nil {
		return ctx.Err()
	}
	return s.articles(ctx, func(a Article) error {
		if !a.ReadAt.IsZero() && len(s.ReadTimes) < maxReadTimes {
			s.ReadTimes = append(s.ReadTimes, a.ReadAt)
		}
		return yield(a)
	})
}

// maxReadTimes is how many of the times at which articles were read are kept.
const maxReadTimes = 200_000

// Close removes what was copied.
func (s *Source) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close()
}

// Problem is something of a source that could not be read.
type Problem struct {
	Code   ProblemCode `json:"code"`
	File   string      `json:"file"`             // that it stands in
	Place  string      `json:"place,omitempty"`  // in File: a line, a table or an entry
	Count  int         `json:"count,omitempty"`  // how many articles, if that is known
	Detail string      `json:"detail,omitempty"` // what went wrong, in the words of a library
}

// ProblemCode names the kind of a Problem.
type ProblemCode string

// What can be wrong with a part of a source.
const (
	DamagedPart ProblemCode = "damaged"      // the rest of File, or an entry of it, cannot be read
	NoFeed      ProblemCode = "no-feed"      // articles that belong to no feed
	TooLong     ProblemCode = "too-long"     // an article is larger than any that is stored
	LeadsOut    ProblemCode = "leads-out"    // an entry of a zip has a path out of it
	NotRead     ProblemCode = "not-read"     // a file whose format is known but not supported
	TooMany     ProblemCode = "too-many"     // what is beyond a limit was left out
	Unsupported ProblemCode = "no-such-data" // the export has no marks of this kind
	Locked      ProblemCode = "locked"       // an entry of a zip has a password
)

// Error says why a file cannot be imported at all.
type Error struct {
	Code ErrorCode
	File string
	Err  error // may be nil
}

// ErrorCode names the kind of an Error.
type ErrorCode string

// Why a file cannot be imported.
const (
	NotKnown     ErrorCode = "not-known"     // it is of no reader that is known
	Missing      ErrorCode = "missing"       // there is no such file
	Damaged      ErrorCode = "damaged"       // it cannot be read
	OtherVersion ErrorCode = "other-version" // a version of its reader that stores something else
	InUse        ErrorCode = "in-use"        // its reader changes it all the time
	TooLarge     ErrorCode = "too-large"
	Encrypted    ErrorCode = "encrypted" // an archive with a password
)

func (e *Error) Error() string {
	text := map[ErrorCode]string{NotKnown: "no known format", Missing: "no such file", Damaged: "damaged", OtherVersion: "of an unknown version",
		InUse: "being changed by its program", TooLarge: "too large", Encrypted: "encrypted"}[e.Code]
	if e.Err != nil {
		return e.File + ": " + text + ": " + e.Err.Error()
	}
	return e.File + ": " + text
}

func (e *Error) Unwrap() error { return e.Err }
