package archive

import (
	"cmp"
	"time"

	"kairos/reader/export"
)

// The members of JSON Feed 1.1 (jsonfeed.org/version/1.1), and ours.

const formVersion = "https://jsonfeed.org/version/1.1"

type feedMember struct {
	Version      int       `json:"version"`
	Title        string    `json:"title,omitempty"`
	OwnTitle     string    `json:"own_title,omitempty"`
	Icon         string    `json:"icon,omitempty"`
	Folder       string    `json:"folder,omitempty"`
	Weight       float64   `json:"weight,omitempty"`
	Interest     float64   `json:"interest,omitempty"`
	Every        int64     `json:"every_seconds,omitempty"`
	Paused       bool      `json:"paused,omitempty"`
	FullText     bool      `json:"full_text,omitempty"`
	Notify       bool      `json:"notify,omitempty"`
	KeepDays     int       `json:"keep_days,omitempty"`
	KeepNumber   int       `json:"keep_number,omitempty"`
	Quiet        bool      `json:"quiet,omitempty"`
	EndDays      int       `json:"end_days,omitempty"`
	EndNumber    int       `json:"end_number,omitempty"`
	Source       string    `json:"source,omitempty"`
	Added        time.Time `json:"added"`
	Unsubscribed bool      `json:"unsubscribed,omitempty"`
	Account      string    `json:"account,omitempty"`
}

func (f *Feed) member() feedMember {
	return feedMember{Version: Version, Title: f.Title, OwnTitle: f.OwnTitle, Icon: f.Icon, Folder: f.Folder, Weight: f.Weight, Interest: f.Interest,
		Every: int64(f.Every / time.Second), Paused: f.Paused, FullText: f.FullText, Notify: f.Notify, KeepDays: f.KeepDays, KeepNumber: f.KeepNumber,
		Quiet: f.Quiet, EndDays: f.EndDays, EndNumber: f.EndNumber, Source: f.Source, Added: representable(f.Added), Unsubscribed: f.Unsubscribed, Account: f.Account}
}

// feed returns the feed; its address and its site stand in members of the format.
func (m *feedMember) feed(address, site string) Feed {
	return Feed{URL: address, Title: m.Title, OwnTitle: m.OwnTitle, Site: site, Icon: m.Icon, Folder: m.Folder, Weight: m.Weight, Interest: m.Interest,
		Every: time.Duration(min(max(m.Every, 0), maxSeconds)) * time.Second, Paused: m.Paused, FullText: m.FullText, Notify: m.Notify,
		KeepDays: m.KeepDays, KeepNumber: m.KeepNumber, Quiet: m.Quiet, EndDays: m.EndDays, EndNumber: m.EndNumber, Source: m.Source, Added: m.Added, Unsubscribed: m.Unsubscribed, Account: m.Account}
}

// maxSeconds is more than any gap between fetches.
const maxSeconds = 400 * 24 * 3600

type item struct {
	ID          string       `json:"id"`
	URL         string       `json:"url,omitempty"`
	Title       string       `json:"title,omitempty"`
	HTML        string       `json:"content_html"`
	Summary     string       `json:"summary,omitempty"`
	Published   time.Time    `json:"date_published"`
	Authors     []author     `json:"authors,omitempty"`
	Tags        []string     `json:"tags,omitempty"` // categories
	Attachments []attachment `json:"attachments,omitempty"`
	Kairos      itemMember   `json:"_kairos"`
}

type author struct {
	Name string `json:"name"`
}

type attachment struct {
	URL  string `json:"url"`
	Type string `json:"mime_type"`
	Size int64  `json:"size_in_bytes,omitempty"`

	Seconds int64 `json:"duration_in_seconds,omitempty"`
}

type itemMember struct {
	export.Extension
	Listed   bool            `json:"listed,omitempty"`
	Hidden   int             `json:"hidden_by,omitempty"`
	Playback []Playback      `json:"playback,omitempty"`
	FullText *fullTextMember `json:"full_text,omitempty"`
	Snooze   *Snooze         `json:"snooze,omitempty"`
	Chapters *Chapters       `json:"chapters,omitempty"`
	Ended    *time.Time      `json:"ended,omitempty"`
	NoMore   bool            `json:"ends_no_more,omitempty"`
}

type fullTextMember struct {
	HTML  string    `json:"html"`
	At    time.Time `json:"at"`
	Shown bool      `json:"shown,omitempty"`
}

// unknownType stands for the type of a file that has none: the member is required.
const unknownType = "application/octet-stream"

func (a *Article) item() item {
	seen := representable(a.Seen)
	i := item{ID: a.Key, URL: a.Link, Title: a.Title, HTML: a.HTML, Summary: a.Summary, Published: representable(a.Published), Tags: a.Categories,
		Kairos: itemMember{Extension: export.Extension{Key: a.Key, Read: a.Read, Starred: a.Starred, Labels: a.Labels, Seen: &seen},
			Listed: a.Listed, Hidden: a.Hidden, Playback: a.Playback}}
	if a.Author != "" {
		i.Authors = []author{{a.Author}}
	}
	for _, e := range a.Enclosures {
		if e.Type == "" {
			e.Type = unknownType
		}
		i.Attachments = append(i.Attachments, attachment{e.URL, e.Type, e.Length, e.Seconds})
	}
	if t := a.FullText; t != nil {
		i.Kairos.FullText = &fullTextMember{t.HTML, representable(t.At), t.Shown}
	}
	i.Kairos.NoMore = a.EndsNoMore
	if !a.Ended.IsZero() {
		ended := representable(a.Ended)
		i.Kairos.Ended = &ended
	}
	if s := a.Snooze; s != nil {
		i.Kairos.Snooze = s.representable()
	}
	if c := a.Chapters; c != nil {
		i.Kairos.Chapters = &Chapters{c.Address, c.HTML, representable(c.At)}
	}
	return i
}

func (s *Snooze) representable() *Snooze {
	as := &Snooze{Since: representable(s.Since), Until: representable(s.Until), Visit: s.Visit}
	if s.Back != nil {
		back := representable(*s.Back)
		as.Back = &back
	}
	return as
}

func (i *item) article() Article {
	a := Article{Key: cmp.Or(i.Kairos.Key, i.ID), Title: i.Title, Link: i.URL, Summary: i.Summary, HTML: i.HTML, Published: i.Published, Categories: i.Tags,
		Read: i.Kairos.Read, Starred: i.Kairos.Starred, Labels: i.Kairos.Labels, Listed: i.Kairos.Listed, Hidden: i.Kairos.Hidden, Playback: i.Kairos.Playback}
	if a.Seen = i.Published; i.Kairos.Seen != nil {
		a.Seen = *i.Kairos.Seen
	}
	if len(i.Authors) > 0 {
		a.Author = i.Authors[0].Name
	}
	for _, f := range i.Attachments {
		if f.Type == unknownType {
			f.Type = ""
		}
		a.Enclosures = append(a.Enclosures, Enclosure{f.URL, f.Type, f.Size, f.Seconds})
	}
	if t := i.Kairos.FullText; t != nil {
		a.FullText = &FullText{t.HTML, t.At, t.Shown}
	}
	a.Snooze, a.Chapters, a.EndsNoMore = i.Kairos.Snooze, i.Kairos.Chapters, i.Kairos.NoMore
	if i.Kairos.Ended != nil {
		a.Ended = *i.Kairos.Ended
	}
	return a
}

// representable returns a time in UTC, moved into the years from 0 to 9999, which JSON can hold.
func representable(t time.Time) time.Time {
	first, last := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	switch {
	case t.Before(first):
		return first
	case t.After(last):
		return last
	}
	return t.UTC()
}
