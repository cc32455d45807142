package export

import "time"

// Extension is the member _kairos of an item of a JSON Feed: what Kairos knows of an article that the format has no member for.
// The importer of Kairos (reader/imports) reads all of it back; other readers ignore it.
type Extension struct {
	Feed    string     `json:"feed,omitempty"`     // title of the feed
	FeedURL string     `json:"feed_url,omitempty"` // address of the feed, without a login
	Key     string     `json:"key,omitempty"`      // of the article within its feed
	Read    bool       `json:"read,omitempty"`
	Starred bool       `json:"starred,omitempty"`
	Labels  []string   `json:"labels,omitempty"`
	Seen    *time.Time `json:"seen,omitempty"` // when Kairos stored it first
}
