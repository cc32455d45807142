// Package archive is the form in which Kairos hands out everything that it stores of a feed: a JSON Feed (version 1.1), which
// other readers can import, with members that begin with _kairos for what the format has no place for. It writes and reads such
// a file one article at a time, and reads and writes nothing else: which files there are is the caller's business.
//
// Read hands a file's parts to a Visitor in the order of the file, with nothing lost. reader/imports reads an export by it.
package archive

import (
	"hash/fnv"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Version is the number of the form that Write writes. Read refuses files with a larger one.
const Version = 1

// Feed is a subscription with all that its user has set.
type Feed struct {
	URL          string
	Title        string // the feed's own; may be empty
	OwnTitle     string // set by the user; "" while the feed's own is shown
	Site         string
	Icon         string // address of a picture that the feed names
	Folder       string // its names are joined by reader.FolderSeparator
	Weight       float64
	Interest     float64       // 0: learned
	Every        time.Duration // whole seconds; 0: left to the plan
	Paused       bool
	FullText     bool
	Notify       bool
	KeepDays     int // as reader.Keep
	KeepNumber   int
	Quiet        bool
	EndDays      int    // as reader.Ends
	EndNumber    int    // as reader.Ends
	Source       string // as reader.Source
	Added        time.Time
	Unsubscribed bool   // only its starred and labeled articles are stored
	Account      string // name of the account that it belongs to; "": this computer
}

// Article is an article with its marks. Times are whole seconds.
type Article struct {
	Key        string // identifies it within its feed
	Title      string
	Link       string
	Author     string
	Summary    string // one line of its text
	HTML       string // sanitized
	Categories []string
	Published  time.Time // the article's date, else when it was first seen
	Seen       time.Time // when it was stored first
	Read       bool
	Starred    bool
	Labels     []string // names
	Listed     bool     // in the document of the feed's last fetch
	Hidden     int      // by a rule: its number from 1 on, or UnknownRule; 0: not hidden
	Enclosures []Enclosure
	Playback   []Playback
	FullText   *FullText // as fetched from its page; nil: it was not
	Snooze     *Snooze   // nil: it was not put away, or was read since it came back
	Chapters   *Chapters // nil: none are named

	Ended      time.Time // when it ended unread; zero: it has not
	EndsNoMore bool      // it was marked unread after it had ended
}

// UnknownRule stands for a rule that was deleted since.
const UnknownRule = -1

// Enclosure is a file that comes with an article.
type Enclosure struct {
	URL    string
	Type   string
	Length int64 // bytes; 0: unknown

	Seconds int64 // how long it plays; 0: unknown
}

// Playback is what was played of a file of an article.
type Playback struct {
	URL      string        `json:"url"`
	Position time.Duration `json:"position,omitempty"` // nanoseconds
	Length   time.Duration `json:"length,omitempty"`
	Heard    bool          `json:"heard,omitempty"`
	Queued   int           `json:"queued,omitempty"` // place in the queue; 0: not in it
	Saved    string        `json:"saved,omitempty"`  // path of the copy on that computer
}

// FullText is the text of an article's page.
type FullText struct {
	HTML  string
	At    time.Time // when it was fetched
	Shown bool      // rather than the text of the feed
}

// Snooze says until when an article was put away.
type Snooze struct {
	Since time.Time  `json:"since"`           // when it was put away
	Until time.Time  `json:"until"`           // when it comes back
	Visit bool       `json:"visit,omitempty"` // or at the next visit, if that is earlier
	Back  *time.Time `json:"back,omitempty"`  // when it came back; nil while it is away
}

// Chapters are those of an episode, which stand in a document of their own.
type Chapters struct {
	Address string    `json:"address"`
	HTML    string    `json:"html,omitempty"` // sanitized
	At      time.Time `json:"at"`             // when the document was fetched; zero: it was not
}

// Gone is an article that was deleted or cleaned up. It is remembered so that it does not come back as new.
type Gone struct {
	Key       string    `json:"key"`
	Published time.Time `json:"published"`
	Seen      time.Time `json:"seen"`
	Read      bool      `json:"read,omitempty"`
	Deleted   bool      `json:"deleted,omitempty"` // by the user; otherwise it was cleaned up
	Listed    bool      `json:"listed,omitempty"`
}

// FileName returns a name for a feed's file: the host, to be found by people, and a digest of the address, since one host may
// have several feeds.
func (f Feed) FileName() string {
	h := fnv.New32a()
	h.Write([]byte(f.URL))
	name := "feed"
	if u, err := url.Parse(f.URL); err == nil && u.Hostname() != "" {
		name = u.Hostname()
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name)
	digest := strconv.FormatUint(uint64(h.Sum32()), 16)
	return strings.TrimLeft(name[:min(len(name), maxHost)], ".-") + "-" + strings.Repeat("0", 8-len(digest)) + digest + ".json"
}

// maxHost is how many bytes of a host's name a file name has.
const maxHost = 60
