package archive

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// The files and folders of an export, beside the archives of the feeds. README.md of this package says what is in them.
const (
	ManifestFile = "kairos.json"
	FeedsFile    = "feeds.opml"
	StarredFile  = "starred.json"
	LearnedFile  = "learned.csv"
	FeedsFolder  = "feeds"
	LogFolder    = "log"
	AboutFile    = "README.txt"
)

// Manifest is what an export holds beside feeds and articles, and which files it consists of.
type Manifest struct {
	Version  int               `json:"kairos_export"`
	Written  time.Time         `json:"written"`
	Feeds    []string          `json:"feeds"` // names of the files in FeedsFolder, in the order in which the feeds came
	Articles int               `json:"articles"`
	Read     int               `json:"read"`
	Starred  int               `json:"starred"`
	Labels   []Label           `json:"labels"`
	Rules    []Rule            `json:"rules"`
	Searches []Search          `json:"searches"`
	Settings map[string]string `json:"settings"`

	FeedSettings map[string][]string `json:"feed_settings,omitempty"` // settings that are lists of feeds, by their addresses
	Folders      []Folder            `json:"folders,omitempty"`
	Lists        []List              `json:"lists,omitempty"`
	Episodes     []Episodes          `json:"episodes,omitempty"`
	Links        []Link              `json:"kept_links,omitempty"`
}

// Folder is what the user chose for a folder.
type Folder struct {
	Path      string `json:"path"` // its names are joined by reader.FolderSeparator
	Quiet     bool   `json:"quiet,omitempty"`
	EndDays   int    `json:"end_days,omitempty"` // as reader.Ends
	EndNumber int    `json:"end_number,omitempty"`
	Position  int    `json:"position,omitempty"` // among the folders beside it, sorted by hand; 0: by name
}

// List is a list of feeds that is followed, with those that it named last.
type List struct {
	Feed  string        `json:"feed"` // address of the list
	Named []NamedByList `json:"named"`
}

// NamedByList is a feed that a list named. Other is one that was subscribed to before, or is no longer.
type NamedByList struct {
	Same  string `json:"same"` // discover.SameFeed of its address
	Other bool   `json:"other,omitempty"`
}

// Episodes says how many of a feed's next episodes are brought before they are played.
type Episodes struct {
	Feed   string `json:"feed"`
	Number int    `json:"number"`
}

// Link is the address of a page that was kept to be opened later.
type Link struct {
	URL string    `json:"url"`
	At  time.Time `json:"at"`
}

// Label is a label of the user.
type Label struct {
	Name  string `json:"name"`
	Color int    `json:"color"`
}

// Rule is a rule of the user. Body is rule.Rule as JSON, but for the label that it puts on articles.
type Rule struct {
	Enabled bool            `json:"enabled"`
	Label   string          `json:"label,omitempty"`
	Body    json.RawMessage `json:"rule"`
}

// Search is a saved search.
type Search struct {
	Name   string `json:"name"`
	Search string `json:"search"`
}

// WriteManifest writes a manifest as JSON for people.
func WriteManifest(w io.Writer, m Manifest) error {
	m.Version, m.Written = Version, representable(m.Written)
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "\t")
	if err := out.Encode(m); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	return nil
}

// maxManifest is how large a manifest may be, in bytes.
const maxManifest = 64 << 20

// ReadManifest reads what WriteManifest has written. Errors: *Error, the reader's.
func ReadManifest(r io.Reader) (m Manifest, err error) {
	text, err := io.ReadAll(io.LimitReader(r, maxManifest))
	if err != nil {
		return m, fmt.Errorf("read the manifest: %w", err)
	}
	switch err := json.Unmarshal(text, &m); {
	case err != nil:
		return m, &Error{NotAnArchive, 0, err}
	case m.Version > Version:
		return m, &Error{Newer, 0, fmt.Errorf("version %d", m.Version)}
	case m.Version < 1:
		return m, &Error{NotAnArchive, 0, fmt.Errorf("version %d", m.Version)}
	}
	return m, nil
}
