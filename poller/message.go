package poller

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/icons"
	"kairos/poller/sync"
	"kairos/reader"
	"kairos/reader/imaging"
	"kairos/reader/opml"
	"kairos/reader/parse"
	"kairos/reader/scrape"
)

// Message is what a fetch tells people beside its result: what failed, or what changed. It is a fact, which app/text words;
// the poll state and the ledger store it as JSON. The zero Message tells nothing.
type Message struct {
	Code     MessageCode     `json:"code"`
	Fetch    *fetch.Error    `json:"fetch,omitempty"`    // RequestFailed
	Parse    *parse.Error    `json:"parse,omitempty"`    // NotAFeed
	Image    *imaging.Error  `json:"image,omitempty"`    // BadImage
	File     *FileError      `json:"file,omitempty"`     // FileFailed
	Store    *reader.Error   `json:"store,omitempty"`    // NotStored
	Sync     *sync.Error     `json:"sync,omitempty"`     // NotSynced
	Page     *scrape.Error   `json:"page,omitempty"`     // PageUnread
	List     *opml.Error     `json:"list,omitempty"`     // ListUnread
	Warnings []parse.Warning `json:"warnings,omitempty"` // FeedRepaired
	Ago      time.Duration   `json:"ago,omitempty"`      // JustChecked: since the last fetch
	Last     *Message        `json:"last,omitempty"`     // JustChecked: what failed then, if it did
	Address  string          `json:"address,omitempty"`  // FeedMoved, FeedsMerged: the new address
	Text     string          `json:"text,omitempty"`     // OtherMessage: English; ServerFailed
}

// MessageCode names one kind of message.
type MessageCode string

// What a message tells.
const (
	RequestFailed MessageCode = "request-failed" // Fetch
	NotAFeed      MessageCode = "not-a-feed"     // Parse
	BadImage      MessageCode = "bad-image"      // Image
	FileFailed    MessageCode = "file-failed"    // File
	NotStored     MessageCode = "not-stored"     // Store
	PageUnread    MessageCode = "page-unread"    // Page: a web page without a feed cannot be read as it was chosen
	ListUnread    MessageCode = "list-unread"    // List: a list of feeds that is followed cannot be read; nothing was changed
	ListEmpty     MessageCode = "list-empty"     // a list of feeds that is followed names none; nothing was changed
	RobotsForbid  MessageCode = "robots-forbid"  // the site asks programs not to read this page (RFC 9309)
	NotSynced     MessageCode = "not-synced"     // Sync
	NetworkLost   MessageCode = "network-lost"   // while the answer was on its way
	SignInPage    MessageCode = "sign-in-page"   // a web page instead of the feed: the network may want a sign-in
	OtherSite     MessageCode = "other-site"     // another site answered, as where one has to sign in
	FeedRepaired  MessageCode = "feed-repaired"  // Warnings: the feed was read, though something is wrong with it
	JustChecked   MessageCode = "just-checked"   // Ago, Last: the feed was not asked again
	FeedMoved     MessageCode = "feed-moved"     // Address
	FeedsMerged   MessageCode = "feeds-merged"   // Address: that of another subscription, with which this one was merged
	FeedChanged   MessageCode = "feed-changed"   // removed or moved while it was fetched, so that nothing was stored
	ServerFailed  MessageCode = "server-failed"  // Text: why the server of its account could not fetch the feed, in the server's words
	OtherMessage  MessageCode = "other"          // Text: an error that is no fact, or what an older version stored
)

// IsZero reports whether the message tells nothing.
func (m Message) IsZero() bool { return m.Code == "" }

// Reason is the most precise code that the message holds: that of the failed request, say.
func (m Message) Reason() string {
	switch {
	case m.Fetch != nil:
		return string(m.Fetch.Code)
	case m.Parse != nil:
		return string(m.Parse.Code)
	case m.Image != nil:
		return string(m.Image.Code)
	case m.File != nil:
		return string(m.File.Code)
	case m.Sync != nil:
		return string(m.Sync.Code)
	case m.Store != nil:
		return string(m.Store.Code)
	}
	return string(m.Code)
}

// messageOf is the message of an error.
func messageOf(err error) Message {
	var (
		request  *fetch.Error
		document *parse.Error
		image    *imaging.Error
		file     *FileError
		server   *sync.Error
		page     *scrape.Error
		list     *opml.Error
	)
	store := reader.FileError(err)
	switch {
	case errors.As(err, &request):
		return Message{Code: RequestFailed, Fetch: request}
	case errors.As(err, &document):
		return Message{Code: NotAFeed, Parse: document}
	case errors.As(err, &image):
		return Message{Code: BadImage, Image: image}
	case errors.As(err, &file):
		return Message{Code: FileFailed, File: file}
	case errors.As(err, &server):
		return Message{Code: NotSynced, Sync: server}
	case errors.As(err, &page):
		return Message{Code: PageUnread, Page: page}
	case errors.As(err, &list):
		return Message{Code: ListUnread, List: list}
	case errors.Is(err, errListEmpty):
		return Message{Code: ListEmpty}
	case errors.Is(err, ErrRobots):
		return Message{Code: RobotsForbid}
	case store != nil:
		return Message{Code: NotStored, Store: store}
	case errors.Is(err, icons.ErrOtherSite):
		return Message{Code: OtherSite}
	}
	return otherMessage(err.Error())
}

// warningsMessage is the message of what was wrong with a feed that was read; none is the zero Message.
func warningsMessage(warnings []parse.Warning) Message {
	if len(warnings) == 0 {
		return Message{}
	}
	return Message{Code: FeedRepaired, Warnings: warnings}
}

// otherMessage is the message of a text; none is the zero Message.
func otherMessage(text string) Message {
	if text == "" {
		return Message{}
	}
	return Message{Code: OtherMessage, Text: text}
}

// stored is the message as a column of the database.
func (m Message) stored() string {
	if m.IsZero() {
		return ""
	}
	text, err := json.Marshal(m)
	if err != nil {
		return m.Text // there is no such message
	}
	return string(text)
}

// Scan implements sql.Scanner. A text that is no JSON object is a sentence of an older version.
func (m *Message) Scan(column any) error {
	text, ok := column.(string)
	if !ok {
		return fmt.Errorf("a message is a text, not %T", column)
	}
	*m = Message{}
	if strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), m) == nil && !m.IsZero() {
		return nil
	}
	*m = otherMessage(text)
	return nil
}
