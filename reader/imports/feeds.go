package imports

import (
	"html"
	"path"
	"slices"
	"strings"

	"kairos/reader/discover"
	"kairos/reader/opml"
)

// maxFeeds is how many feeds of a source are read, with those of which it has articles alone.
const maxFeeds = 50_000

// addList adds the feeds of a list of subscriptions.
func (s *file) addList(list opml.List) {
	s.Ordered = true
	for _, o := range list.Feeds {
		s.keepFeed(Feed{ID: o.URL, Subscribed: true, Outline: o})
	}
	s.Refused, s.Warnings = append(s.Refused, list.Refused...), append(s.Warnings, list.Warnings...)
}

// addFeed adds a feed as the source stores it: its address as it is written, and its title as HTML. One that cannot be subscribed
// to is refused; articles of it belong to no feed.
func (s *file) addFeed(id string, o opml.Outline, subscribed bool) {
	checked, refusal := opml.Check(o)
	if refusal != nil {
		if subscribed && len(s.Refused) < maxFeeds {
			s.Refused = append(s.Refused, *refusal)
		}
		return
	}
	s.keepFeed(Feed{ID: id, Subscribed: subscribed, Outline: checked})
}

// keepFeed adds a feed, or what it says to one of the same ID.
func (s *file) keepFeed(f Feed) {
	if s.index == nil {
		s.index = map[string]int{}
	}
	if at, known := s.index[f.ID]; known {
		s.Feeds[at].Subscribed = s.Feeds[at].Subscribed || f.Subscribed
		return
	}
	if len(s.Feeds) == maxFeeds {
		s.leaveOut(Problem{Code: TooMany, File: s.Path, Place: "feeds"})
		return
	}
	s.index[f.ID] = len(s.Feeds)
	s.Feeds = append(s.Feeds, f)
}

// leaveOut counts what is left out, as a problem.
func (s *file) leaveOut(p Problem) {
	at := slices.IndexFunc(s.Problems, func(one Problem) bool { return one.Code == p.Code && one.Place == p.Place })
	if at >= 0 {
		s.Problems[at].Count++
		return
	}
	p.Count = 1
	s.note(p)
}

// describe adds to what a list says of a feed, or adds the feed if it is none of the list.
func (s *file) describe(address, title, site string, subscribed bool) {
	id := s.feedAt(address)
	if at, known := s.index[id]; known {
		f := &s.Feeds[at]
		if f.Site == "" {
			f.Site = discover.WithoutLogin(site)
		}
		if isNameOfAddress(f.Title, f.URL) && title != "" {
			if named, refusal := opml.Check(opml.Outline{URL: f.URL, Title: title}); refusal == nil {
				f.Title = named.Title
			}
		}
		return
	}
	s.addFeed(id, opml.Outline{URL: address, Title: title, Site: site}, subscribed)
}

// isNameOfAddress reports whether a title was made of the address, as opml does where there is none.
func isNameOfAddress(title, address string) bool {
	host := strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://")
	host, _, _ = strings.Cut(host, "/")
	return title == "" || title == address || title == host || title == path.Base(address)
}

// feedAt returns the ID of the feed that has an address, as it is written: that of a feed of the list that is the same one.
func (s *file) feedAt(address string) string {
	if s.addresses == nil {
		s.addresses = map[string]string{}
	}
	id, known := s.addresses[address]
	if !known {
		id = address
		if checked, refusal := opml.Check(opml.Outline{URL: address}); refusal == nil {
			id = checked.URL
		}
		if len(s.addresses) < maxFeeds {
			s.addresses[address] = id
		}
	}
	return id
}

// countFeeds counts the subscriptions, without those that are refused: saved searches are none, and others cannot come.
func (s *Source) countFeeds() {
	for _, f := range s.Feeds {
		if f.Subscribed {
			s.Counts.Feeds++
		}
	}
}

// plain returns text as HTML.
func plain(text string) string { return html.EscapeString(text) }
