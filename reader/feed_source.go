package reader

import (
	"encoding/json"

	"kairos/reader/scrape"
)

// sourceSteps store how the document of a feed is read where it is no feed, and which feeds a list has brought.
const sourceSteps = `
ALTER TABLE feed ADD COLUMN source TEXT NOT NULL DEFAULT ''; -- Source
CREATE TABLE list_feed ( -- feeds of a list that is followed; one that was unsubscribed stays, so that it does not come back
	list INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
	same TEXT    NOT NULL, -- discover.SameFeed of its address
	feed INTEGER NOT NULL, -- 0: it was subscribed to before the list named it, and is left alone
	PRIMARY KEY (list, same)
) WITHOUT ROWID;
`

// Source says how the document of a feed is read: "" for a feed, else as a web page or as a list of feeds. It is stored as JSON.
type Source string

type source struct {
	Page *scrape.Recipe `json:"page,omitempty"`
	List *ListSource    `json:"list,omitempty"`
}

// ListSource is a list of feeds that is followed.
type ListSource struct {
	Gone ListGone `json:"gone"`
}

// ListGone says what happens to feeds that a list no longer names.
type ListGone string

// What happens to feeds that a list no longer names. None loses articles: a feed is only unsubscribed if nothing of it is unread,
// starred or labeled; otherwise it is paused.
const (
	GoneKeep        ListGone = "keep" // they stay as they are; the default
	GonePause       ListGone = "pause"
	GoneUnsubscribe ListGone = "unsubscribe"
)

// PageSource is a web page that is read by a recipe.
func PageSource(r scrape.Recipe) Source { return encodeSource(source{Page: &r}) }

// NewListSource is a list of feeds that is followed.
func NewListSource(l ListSource) Source { return encodeSource(source{List: &l}) }

func encodeSource(s source) Source {
	text, err := json.Marshal(s)
	if err != nil {
		return "" // strings can be encoded
	}
	return Source(text)
}

func (s Source) decode() (d source) {
	if s != "" {
		json.Unmarshal([]byte(s), &d) //nolint:errcheck // what an archive made up is read as a feed
	}
	return d
}

// Page returns the recipe by which a web page is read; ok is false if it is something else.
func (s Source) Page() (r scrape.Recipe, ok bool) {
	if p := s.decode().Page; p != nil {
		return *p, true
	}
	return r, false
}

// List returns the list that is followed; ok is false if it is something else.
func (s Source) List() (l ListSource, ok bool) {
	if p := s.decode().List; p != nil {
		return *p, true
	}
	return l, false
}

// IsList reports whether it is a list that is followed: a feed that nobody expects articles of.
func (s Source) IsList() bool {
	_, ok := s.List()
	return ok
}
