package poller

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"html"
	"strings"
	"time"

	"kairos/reader"
	"kairos/reader/discover"
	"kairos/reader/opml"
	"kairos/reader/parse"
)

// listTypes are the media types of lists of feeds.
const listTypes = "text/x-opml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1"

// errListEmpty says that a list that is followed names no feeds.
var errListEmpty = errors.New("the list names no feeds")

// readList reads a body as a list of feeds. The feed that it returns has no articles: followList makes them of what has changed.
// One that names no feeds is an error, as it is mostly a mistake: nothing is to be done for it.
func (a *answer) readList(body []byte) (*parse.Feed, error) {
	list, err := opml.Read(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if len(list.Feeds) == 0 {
		return nil, errListEmpty
	}
	a.list = &list
	return &parse.Feed{Format: "OPML", Title: list.Title}, nil
}

// followList follows a list that came, and returns a note for each feed that is new on it or gone from it, as articles of the
// list, but none for those that it had when it was subscribed to.
func followList(ctx context.Context, tx *sql.Tx, f reader.Feed, a *answer, first bool, now time.Time) (notes []parse.Article, subscribed bool, err error) {
	complete := !a.resp.Truncated && a.err == nil && len(a.list.Warnings) == 0
	changes, err := reader.FollowList(ctx, tx, f, a.list.Feeds, complete, now)
	if err != nil {
		return nil, false, err
	}
	subscribed = changes.Subscribed > 0
	if first {
		return nil, subscribed, nil
	}
	for _, o := range changes.Added {
		notes = append(notes, listNote(cameToList, o.Title, o.URL, o.Site, now))
	}
	for _, f := range changes.Gone {
		notes = append(notes, listNote(leftList, f.Title, f.URL, f.Site, now))
	}
	return notes, subscribed, nil
}

// The signs that the titles of notes begin with.
const (
	cameToList = "+ "
	leftList   = "− "
)

// listNote is the note of a feed that has come to a list or left it. A sign says which, so that it needs no language.
func listNote(sign, title, address, site string, now time.Time) parse.Article {
	address = discover.WithoutLogin(address)
	link := site
	if !strings.HasPrefix(link, "http") {
		link = address
	}
	text := html.EscapeString(address)
	return parse.Article{Key: sign + now.UTC().Format(time.RFC3339) + " " + address, Title: sign + title, Link: link, Published: now,
		HTML: `<p><a href="` + text + `">` + text + "</a></p>", Summary: address}
}

// ListChange is a feed that came to a list or left it.
type ListChange struct {
	At    time.Time
	Title string
	Left  bool
}

// ListChanges returns up to so many of the last feeds that came to a list or left it, the newest first, as far as its notes of them
// are stored.
func (p *Poller) ListChanges(ctx context.Context, list int64, most int) (changes []ListChange, err error) {
	ids, err := p.store.Articles.IDs(ctx, reader.Query{Feed: list, Limit: most})
	if err != nil {
		return nil, err
	}
	notes, err := p.store.Articles.Load(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		title, left := strings.CutPrefix(n.Title, leftList)
		changes = append(changes, ListChange{n.Published, strings.TrimPrefix(title, cameToList), left})
	}
	return changes, nil
}

// Followed returns what a list that is followed named last.
func (p *Poller) Followed(ctx context.Context, list int64) (reader.Followed, error) {
	return p.store.Feeds.Followed(ctx, list)
}
