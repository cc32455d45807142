package ttrss

import (
	"cmp"
	"time"

	"kairos/poller/sync"
	"kairos/poller/sync/call"
	"kairos/reader/parse"
)

type category struct {
	ID    call.Number `json:"id"`
	Title string      `json:"title"`
}

type feed struct {
	ID       call.Number `json:"id"`
	URL      string      `json:"feed_url"`
	Title    string      `json:"title"`
	Category call.Number `json:"cat_id"`
	Updated  call.Number `json:"last_updated"`
	Error    *string     `json:"last_error"` // nil at servers before API level 23, which do not tell
}

func (f feed) service(folders map[call.Number]string) sync.Feed {
	one := sync.Feed{ID: f.ID.String(), URL: call.Address(f.URL), Title: call.Text(f.Title), Folder: folders[f.Category]}
	if f.Error == nil {
		return one
	}
	one.Health.Checked = f.Updated.Time()
	if *f.Error != "" {
		one.Health.Failures, one.Health.Message = 1, call.Text(*f.Error)
	}
	return one
}

// article is one of a list, or one that was asked for by its id, which call the comments differently.
type article struct {
	ID           call.Number           `json:"id"`
	Feed         call.Number           `json:"feed_id"` // 0: it outlived its feed
	Unread       bool                  `json:"unread"`
	Starred      bool                  `json:"marked"`
	Updated      call.Number           `json:"updated"`
	Title        string                `json:"title"`
	Link         string                `json:"link"`
	Author       string                `json:"author"`
	Content      string                `json:"content"`
	Comments     string                `json:"comments"`
	CommentsLink string                `json:"comments_link"`
	Attachments  call.List[attachment] `json:"attachments"`
}

type attachment struct {
	URL  string `json:"content_url"`
	Type string `json:"content_type"`
}

// Shorten implements call.Shortened.
func (a *article) Shorten() { a.Content = "" }

// published returns the date to the minute, as an article has it that is asked for by its id: in both forms it is the same.
func (a article) published() time.Time { return a.Updated.Time().Truncate(time.Minute) }

func (a article) service() sync.Article {
	one := sync.Article{Read: !a.Unread, Starred: a.Starred, Item: parse.Item{
		ID: a.ID.String(), Title: call.Text(a.Title), Link: call.Address(a.Link), Author: call.Text(a.Author), HTML: a.Content,
		CommentsURL: call.Address(cmp.Or(a.CommentsLink, a.Comments)), Published: a.published(),
	}}
	if a.Feed > 0 {
		one.Feed = a.Feed.String()
	}
	for _, f := range a.Attachments {
		if address := call.Address(f.URL); address != "" {
			one.Enclosures = append(one.Enclosures, parse.Enclosure{URL: address, Type: call.Text(f.Type)})
		}
	}
	return one
}
