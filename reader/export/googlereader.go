package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
)

// The states of Google Reader's API as its export has them, which FreshRSS, Inoreader, The Old Reader, Miniflux and others read.
const (
	stateStarred = "user/-/state/com.google/starred"
	stateRead    = "user/-/state/com.google/read"
	labelPrefix  = "user/-/label/"
)

type readerItem struct {
	ID         string            `json:"id"`
	Title      string            `json:"title"`
	Published  int64             `json:"published"` // Unix seconds
	CrawlTime  string            `json:"crawlTimeMsec"`
	Categories []string          `json:"categories"`
	Alternate  []readerLink      `json:"alternate,omitempty"`
	Canonical  []readerLink      `json:"canonical,omitempty"`
	Author     string            `json:"author,omitempty"`
	Content    readerContent     `json:"content"`
	Enclosure  []readerEnclosure `json:"enclosure,omitempty"`
	Origin     readerOrigin      `json:"origin"`
}

type readerLink struct {
	Href string `json:"href"`
	Type string `json:"type,omitempty"`
}

type readerContent struct {
	Content string `json:"content"`
}

type readerEnclosure struct {
	Href   string `json:"href"`
	Type   string `json:"type,omitempty"`
	Length int64  `json:"length,omitempty"`
}

type readerOrigin struct {
	StreamID string `json:"streamId"`
	Title    string `json:"title"`
	HTMLURL  string `json:"htmlUrl,omitempty"`
}

// GoogleReader writes starred articles as Google Reader's API lists them (stream/contents), the form of starred.json that other
// readers import. It holds one article at a time in memory, and returns how many it wrote. Errors: the writer's, those of articles.
func GoogleReader(w io.Writer, title string, articles iter.Seq2[Article, error]) (n int, err error) {
	b := bufio.NewWriter(w)
	name, err := json.Marshal(title)
	if err != nil {
		return 0, fmt.Errorf("write starred articles: %w", err)
	}
	fmt.Fprintf(b, "{\n\"id\": %q,\n\"title\": %s,\n\"items\": [", stateStarred, name)
	for a, err := range articles {
		if err != nil {
			return n, err
		}
		item, err := json.Marshal(a.readerItem())
		if err != nil {
			return n, fmt.Errorf("write starred articles: %w", err)
		}
		if n > 0 {
			b.WriteByte(',')
		}
		n++
		b.WriteByte('\n')
		if _, err := b.Write(item); err != nil {
			return n, err
		}
	}
	b.WriteString("\n]\n}\n")
	return n, b.Flush()
}

func (a Article) readerItem() readerItem {
	h := fnv.New64a()
	io.WriteString(h, a.ID) //nolint:errcheck // a hash cannot fail
	item := readerItem{ID: fmt.Sprintf("tag:google.com,2005:reader/item/%016x", h.Sum64()), Title: a.Title, Published: a.Published.Unix(),
		CrawlTime: fmt.Sprint(a.Published.UnixMilli()), Categories: []string{stateStarred}, Author: a.Author, Content: readerContent{a.HTML},
		Origin: readerOrigin{StreamID: "feed/" + a.FeedURL, Title: a.Feed, HTMLURL: a.Site}}
	if a.Read {
		item.Categories = append(item.Categories, stateRead)
	}
	for _, label := range a.Labels {
		item.Categories = append(item.Categories, labelPrefix+label)
	}
	if a.Link != "" {
		item.Alternate = []readerLink{{a.Link, "text/html"}}
		item.Canonical = []readerLink{{Href: a.Link}}
	}
	for _, e := range a.Enclosures {
		item.Enclosure = append(item.Enclosure, readerEnclosure{e.URL, e.Type, e.Length})
	}
	return item
}
