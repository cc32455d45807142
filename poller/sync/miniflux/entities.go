package miniflux

import (
	"html"
	"strconv"
	"time"

	"kairos/poller/sync"
	"kairos/poller/sync/call"
	"kairos/reader/parse"
)

type category struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
}

type feed struct {
	ID       int64    `json:"id"`
	URL      string   `json:"feed_url"`
	Site     string   `json:"site_url"`
	Title    string   `json:"title"`
	Category category `json:"category"`
	Checked  instant  `json:"checked_at"`
	Failures int      `json:"parsing_error_count"`
	Message  string   `json:"parsing_error_message"`
}

// instant is a time that may be missing or unreadable: it is zero then.
type instant struct{ time.Time }

// UnmarshalJSON implements json.Unmarshaler.
func (i *instant) UnmarshalJSON(text []byte) error {
	if i.Time.UnmarshalJSON(text) != nil || i.Unix() < 0 {
		i.Time = time.Time{}
	}
	return nil
}

func (f feed) service() sync.Feed {
	folder := f.Category.Title
	if folder == unfiled {
		folder = ""
	}
	return sync.Feed{ID: strconv.FormatInt(f.ID, 10), URL: call.Address(f.URL), Title: call.Text(f.Title), Site: call.Address(f.Site), Folder: call.Text(folder),
		Health: sync.Health{Checked: f.Checked.Time, Failures: f.Failures, Message: call.Text(f.Message)}}
}

type entry struct {
	ID          int64                `json:"id"`
	Feed        int64                `json:"feed_id"`
	Status      string               `json:"status"`
	Starred     bool                 `json:"starred"`
	Title       string               `json:"title"`
	URL         string               `json:"url"`
	CommentsURL string               `json:"comments_url"`
	Author      string               `json:"author"`
	Content     string               `json:"content"`
	Published   time.Time            `json:"published_at"`
	Changed     time.Time            `json:"changed_at"`
	Created     time.Time            `json:"created_at"`
	Tags        call.List[string]    `json:"tags"`
	Enclosures  call.List[enclosure] `json:"enclosures"`
}

type enclosure struct {
	URL    string `json:"url"`
	Type   string `json:"mime_type"`
	Length int64  `json:"size"`
}

// Shorten implements call.Shortened.
func (e *entry) Shorten() { e.Content = "" }

func (e entry) service() sync.Article {
	a := sync.Article{Feed: strconv.FormatInt(e.Feed, 10), Read: e.Status == "read", Starred: e.Starred, Item: parse.Item{
		ID: strconv.FormatInt(e.ID, 10), Title: html.EscapeString(call.Text(e.Title)), Link: call.Address(e.URL), Author: call.Text(e.Author),
		HTML: e.Content, CommentsURL: call.Address(e.CommentsURL), Published: e.Published,
	}}
	if e.Changed.After(e.Created) { // Miniflux sets both when an article arrives
		a.MarkedAt = e.Changed
	}
	for _, tag := range e.Tags {
		a.Categories = append(a.Categories, call.Text(tag))
	}
	for _, f := range e.Enclosures {
		a.Enclosures = append(a.Enclosures, parse.Enclosure{URL: call.Address(f.URL), Type: call.Text(f.Type), Length: max(f.Length, 0)})
	}
	return a
}
