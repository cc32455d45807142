package greader

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kairos/poller/sync"
	"kairos/poller/sync/call"
	"kairos/reader/parse"
)

type subscription struct {
	ID         string              `json:"id"`
	Title      string              `json:"title"`
	URL        string              `json:"url"`
	Site       string              `json:"htmlUrl"`
	Categories call.List[category] `json:"categories"`
}

type category struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

func (k category) name() string {
	_, label, _ := strings.Cut(k.ID, "/label/")
	return cmp.Or(k.Label, label)
}

// folders returns the names of the folders that hold the feed.
func (s subscription) folders() []string {
	var names []string
	for _, k := range s.Categories {
		name := k.name()
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

func (s subscription) service(d dialect) sync.Feed {
	f := sync.Feed{ID: call.ID(s.ID), URL: call.Address(s.URL), Title: d.feedTitle(call.Text(s.Title)), Site: call.Address(s.Site)}
	if address, found := strings.CutPrefix(s.ID, "feed/"); f.URL == "" && found {
		f.URL = call.Address(address) // the id of a feed is its address at most servers
	}
	if names := s.folders(); len(names) > 0 && !uncategorized[strings.TrimSpace(names[0])] {
		f.Folder = call.Text(names[0])
	}
	return f
}

type ref struct {
	ID string `json:"id"`
}

// idList is a list of ids, or a part of one.
type idList struct {
	ids          []string
	refs         int       // elements of a part, with those that are no ids
	continuation string    // "" at the end
	whole        bool      // it came in one part
	now          time.Time // of the server's clock, at the first part
}

// canonicalID brings the forms of an id into one, that of the long form without its prefix. Lists have ids in decimal
// (signed at some servers), bodies have them in sixteen hexadecimal digits; those of The Old Reader are neither
// and the same everywhere.
func canonicalID(id string) string {
	if long, found := strings.CutPrefix(id, longID); found {
		return long
	}
	if n, err := strconv.ParseInt(id, 10, 64); err == nil {
		return fmt.Sprintf("%016x", uint64(n))
	}
	if n, err := strconv.ParseUint(id, 10, 64); err == nil {
		return fmt.Sprintf("%016x", n)
	}
	return id
}

type link struct {
	Href   string      `json:"href"`
	Type   string      `json:"type"`
	Length call.Number `json:"length"`
}

type text struct {
	Content string `json:"content"`
}

type item struct {
	ID         string            `json:"id"`
	Title      string            `json:"title"`
	Author     string            `json:"author"`
	Published  call.Number       `json:"published"` // seconds
	Categories call.List[string] `json:"categories"`
	Canonical  call.List[link]   `json:"canonical"`
	Alternate  call.List[link]   `json:"alternate"`
	Enclosures call.List[link]   `json:"enclosure"`
	Content    text              `json:"content"`
	Summary    text              `json:"summary"`
	Origin     struct {
		Stream string `json:"streamId"`
	} `json:"origin"`
}

// Shorten implements call.Shortened.
func (i *item) Shorten() { i.Content, i.Summary = text{}, text{} }

func (i item) service(d dialect) sync.Article {
	a := sync.Article{Feed: call.ID(i.Origin.Stream), Item: parse.Item{
		ID: call.ID(canonicalID(i.ID)), Title: d.titleHTML(call.Text(i.Title)), Author: d.feedTitle(call.Text(i.Author)),
		HTML: cmp.Or(i.Content.Content, i.Summary.Content), Published: i.Published.Time(),
	}}
	for _, l := range append(i.Alternate, i.Canonical...) {
		a.Link = cmp.Or(a.Link, call.Address(l.Href))
	}
	for _, k := range i.Categories {
		// The user is "-" or a number.
		a.Read = a.Read || strings.HasSuffix(k, "/state/com.google/read")
		a.Starred = a.Starred || strings.HasSuffix(k, "/state/com.google/starred")
	}
	for _, l := range i.Enclosures {
		if address := call.Address(l.Href); address != "" {
			a.Enclosures = append(a.Enclosures, parse.Enclosure{URL: address, Type: call.Text(l.Type), Length: max(int64(l.Length), 0)})
		}
	}
	return a
}
