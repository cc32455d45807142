// Package sync keeps the feeds and articles of an account the same here and on its server. The packages below it speak
// the protocols of servers; Engine does what is the same for all of them: it sends what was done here, gets what was done
// elsewhere, and decides what wins (README.md).
package sync

import (
	"context"
	"time"

	"kairos/reader/parse"
)

// Service speaks the protocol of one server for one account. It keeps nothing but its session; its methods are safe
// for concurrent use, obey the limits of the server (ids and bodies a request) and log in again where the server has
// forgotten the session. Every method returns *Error where the server is to blame.
type Service interface {
	// Feeds lists all subscriptions.
	Feeds(ctx context.Context) ([]Feed, error)

	// Page returns one page of the articles that the first synchronization needs, newest first: the unread ones, then
	// the starred ones, then read ones published at or after back. It begins with the empty cursor and goes on with
	// Page.Next until that is empty. The cursor is good across restarts.
	Page(ctx context.Context, cursor string, back time.Time) (Page, error)

	// Difference tells what may have changed at the server since an instant of the server's clock, which is
	// Difference.Now of a call before (a little earlier, since a server may show late what it stored). With a zero instant it
	// tells nothing but Now: where a first synchronization begins.
	Difference(ctx context.Context, since time.Time) (Difference, error)

	// Marks lists the ids of all unread and of all starred articles, for a full reconciliation.
	Marks(ctx context.Context) (Marks, error)

	// Articles returns the articles with these ids, in any order, without those that the server does not have (any more).
	Articles(ctx context.Context, ids []string, page func([]Article) error) error

	// SetRead and SetStarred set a mark of articles. Setting it again changes nothing; an id that the server does not
	// have is no error.
	SetRead(ctx context.Context, ids []string, read bool) error
	SetStarred(ctx context.Context, ids []string, starred bool) error

	// Subscribe adds a feed and returns it as the server has it. A feed that is there already is no error.
	Subscribe(ctx context.Context, url, title, folder string) (Feed, error)

	// Unsubscribe removes a feed; one that is not there is no error.
	Unsubscribe(ctx context.Context, feed string) error
}

// Editor is a Service that can rename and move feeds. Any other subscribes to a feed with a title and in a folder that its server has.
type Editor interface {
	// Edit changes a feed.
	Edit(ctx context.Context, feed string, change Change) error
}

// Change is what changes of a feed; nil leaves it as it is.
type Change struct {
	Title  *string
	Folder *string // "" is none
}

// Refresher is a Service whose server fetches a feed when it is asked to.
type Refresher interface {
	// Refresh makes the server fetch a feed now and returns when it has done so.
	Refresh(ctx context.Context, feed string) error
}

// FolderRenamer is a Service whose server can rename a folder, with what was chosen there for it.
type FolderRenamer interface {
	// RenameFolder gives a folder another name. It changes nothing and reports false if there is none, or one that has the name already.
	RenameFolder(ctx context.Context, from, to string) (renamed bool, err error)
}

// Feed is a subscription as the server has it.
type Feed struct {
	ID     string // the server's
	URL    string
	Title  string
	Site   string
	Folder string // "" where it is in none
	Health Health
}

// Size returns about how many bytes of memory the feed takes.
func (f *Feed) Size() int {
	return 100 + len(f.ID) + len(f.URL) + len(f.Title) + len(f.Site) + len(f.Folder) + len(f.Health.Message)
}

// Article is an article as the server has it.
type Article struct {
	parse.Item        // as it came; its ID is the server's, the same in every list
	Feed       string // ID of its feed
	Read       bool
	Starred    bool
	MarkedAt   time.Time // when Read or Starred changed last; zero where the server does not tell
}

// Size returns about how many bytes of memory the article takes.
func (a *Article) Size() int {
	n := 300 + len(a.ID) + len(a.Feed) + len(a.Title) + len(a.Link) + len(a.Author) + len(a.HTML) + len(a.CommentsURL)
	for _, e := range a.Enclosures {
		n += 50 + len(e.URL) + len(e.Type)
	}
	return n
}

// Page is a part of the first synchronization.
type Page struct {
	Articles []Article
	Next     string // cursor of the next page; "" after the last
}

// Difference is what may have changed. A server that tells changes by article fills Articles; one that can only list
// ids fills New and Marks. What is too much to have in memory at once comes by Rest, after Articles.
type Difference struct {
	Now      time.Time // of the server's clock, before it was asked: where the next difference begins
	Articles []Article // changed in any way; those known here are told for their marks
	Removed  []string  // ids of articles that the server has deleted
	New      []string  // ids of articles that came since, whatever their marks
	Marks    *Marks    // as they stand; nil if Articles tells all

	// Rest gets the changed articles after Articles, page by page: all at once could take too much memory. nil if there are none.
	Rest func(ctx context.Context, page func([]Article) error) error `json:"-"`
}

// Marks are the ids of all unread and of all starred articles. Whole tells that nothing can be missing: a list that took
// several requests may have shifted in between where the server pages by number.
type Marks struct {
	Unread, Starred []string
	Whole           bool
}
