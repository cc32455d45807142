// Package export writes articles for other programs and for people: as a JSON Feed, which
// other readers subscribe to or import, as Google Reader's list of starred articles, or as
// one Markdown file.
package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"time"
)

// Article is an article to write.
type Article struct {
	ID         string // unique among all articles, such as an address
	Title      string
	Link       string
	Author     string
	HTML       string // sanitized
	Published  time.Time
	Feed       string // title
	FeedURL    string
	Site       string // of the feed
	Read       bool
	Enclosures []Enclosure
	Labels     []string
	Story      int64 // the same for articles that tell the same; 0: no other does
}

// Enclosure is a file that comes with an article.
type Enclosure struct {
	URL, Type string
	Length    int64 // bytes; 0 if unknown
	Seconds   int64 // how long it plays; 0 if unknown
}

// Format writes articles one by one and returns how many.
type Format func(w io.Writer, title string, articles iter.Seq2[Article, error]) (n int, err error)

// jsonItem is an item of JSON Feed 1.1 (jsonfeed.org/version/1.1). Its feed stands in an
// extension, since the format has no member for it.
type jsonItem struct {
	ID          string       `json:"id"`
	URL         string       `json:"url,omitempty"`
	Title       string       `json:"title,omitempty"`
	HTML        string       `json:"content_html"`
	Published   time.Time    `json:"date_published"`
	Authors     []jsonAuthor `json:"authors,omitempty"`
	Attachments []jsonFile   `json:"attachments,omitempty"`
	Tags        []string     `json:"tags,omitempty"`
	Source      jsonSource   `json:"_kairos"`
}

type jsonAuthor struct {
	Name string `json:"name"`
}

type jsonFile struct {
	URL  string `json:"url"`
	Type string `json:"mime_type"`
	Size int64  `json:"size_in_bytes,omitempty"`

	Seconds int64 `json:"duration_in_seconds,omitempty"`
}

type jsonSource struct {
	Feed    string `json:"feed"`
	FeedURL string `json:"feed_url"`
	Story   int64  `json:"story,omitempty"`
}

// JSONFeed writes articles as JSON Feed 1.1. It holds one article at a time in memory, and
// returns how many it wrote. Errors: the writer's, those of articles.
func JSONFeed(w io.Writer, title string, articles iter.Seq2[Article, error]) (n int, err error) {
	b := bufio.NewWriter(w)
	name, err := json.Marshal(title)
	if err != nil {
		return 0, fmt.Errorf("write JSON Feed: %w", err)
	}
	fmt.Fprintf(b, "{\n\"version\": \"https://jsonfeed.org/version/1.1\",\n\"title\": %s,\n\"items\": [", name)
	for a, err := range articles {
		if err != nil {
			return n, err
		}
		item, err := json.Marshal(a.item())
		if err != nil {
			return n, fmt.Errorf("write JSON Feed: %w", err)
		}
		if n > 0 {
			b.WriteByte(',')
		}
		n++
		b.WriteByte('\n')
		b.Write(item) //nolint:errcheck // Flush reports it
	}
	b.WriteString("\n]\n}\n")
	return n, b.Flush()
}

func (a Article) item() jsonItem {
	item := jsonItem{ID: a.ID, URL: a.Link, Title: a.Title, HTML: a.HTML, Published: a.Published, Tags: a.Labels,
		Source: jsonSource{a.Feed, a.FeedURL, a.Story}}
	if a.Author != "" {
		item.Authors = []jsonAuthor{{a.Author}}
	}
	for _, e := range a.Enclosures {
		if e.Type == "" {
			e.Type = "application/octet-stream" // the member is required
		}
		item.Attachments = append(item.Attachments, jsonFile{e.URL, e.Type, e.Length, e.Seconds})
	}
	return item
}
