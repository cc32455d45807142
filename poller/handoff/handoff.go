// Package handoff sends starred articles to the destinations that the user has set up: Wallabag, Linkding, or a folder of Markdown
// files. Each article goes to each destination once.
package handoff

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/call"
	"kairos/reader"
	"kairos/reader/export"
	"kairos/reader/localnet"
)

// Kind is a kind of destination. It is stored, so its text stays the same in every version.
type Kind string

// The kinds of destinations.
const (
	Wallabag Kind = "wallabag"
	Linkding Kind = "linkding"
	Folder   Kind = "folder"
)

// Kinds are all kinds, in the order in which they are offered.
var Kinds = []Kind{Wallabag, Linkding, Folder}

// ErrKind says that a stored kind is none of these.
var ErrKind = errors.New("unknown kind of destination")

// IsServer reports whether destinations of a kind are servers, which are asked over the network.
func (k Kind) IsServer() bool { return k != Folder }

// Options are what the user can choose for a destination. Each kind has some of them.
type Options struct {
	ClientID string `json:"clientID,omitempty"` // Wallabag: of the API client
	Content  bool   `json:"content,omitempty"`  // Wallabag: the text goes along, so the server need not fetch the page
	Unread   bool   `json:"unread,omitempty"`   // Linkding: bookmarks are to be read
	Pictures bool   `json:"pictures,omitempty"` // Folder: pictures that are here already are saved beside the article
}

// Encode returns the options as they are stored.
func (o Options) Encode() string {
	text, err := json.Marshal(o)
	if err != nil {
		panic(err) // values of ours that can be encoded
	}
	return string(text)
}

// OptionsOf reads the options of a destination; what cannot be read is as if it was not chosen.
func OptionsOf(d reader.Destination) (o Options) {
	if json.Unmarshal([]byte(d.Options), &o) != nil {
		return Options{}
	}
	return o
}

// Secret is what proves to a destination who asks.
type Secret struct {
	Password     string `json:"password"`               // or the token, of Linkding
	ClientSecret string `json:"clientSecret,omitempty"` // of Wallabag's API client
}

// Article is what is sent.
type Article struct {
	export.Article
	Starred time.Time
}

// Receiver is an open destination.
type Receiver interface {
	// Check reports whether articles could be sent now. It changes nothing there. Errors: *Error, the context's.
	Check(ctx context.Context) error
	// Deliver sends an article, unless the destination has it already: an earlier attempt may have arrived. What somebody has changed
	// there stays. Errors: *Error, the context's.
	Deliver(ctx context.Context, a Article) error
}

// Surroundings are what receivers need of the program.
type Surroundings struct {
	Client   *fetch.Client
	Now      func() time.Time
	Pictures func(address string) (picture []byte, there bool) // those that are stored here already; may be nil
}

// Connect opens a destination. It sends nothing. Errors: *Error, ErrKind.
func Connect(d reader.Destination, s Secret, around Surroundings) (Receiver, error) {
	switch Kind(d.Kind) {
	case Wallabag:
		return newWallabag(d, s, around)
	case Linkding:
		return newLinkding(d, s, around)
	case Folder:
		return &folder{path: d.Address, options: OptionsOf(d), pictures: around.Pictures}, nil
	}
	return nil, fmt.Errorf("%w: %q", ErrKind, d.Kind)
}

// tails are what people copy with the address of a server.
var tails = []string{"/api", "/login", "/bookmarks", "/bookmarks/new", "/settings", "/settings/integrations", "/settings/general", "/unread/list", "/all/list", "/developer", "/developer/client/create", "/config"}

// ServerAddress returns the address of a server from what a person has typed. plain is whether a password would cross the internet
// readable for everybody on the way: the person is asked first. Errors: *Error.
func ServerAddress(typed string) (address string, plain bool, err error) {
	address = strings.TrimSpace(typed)
	if !strings.Contains(address, "://") {
		scheme := "https://"
		if u, err := url.Parse("http://" + address); err == nil && localnet.Host(u.Hostname()) {
			scheme = "http://"
		}
		address = scheme + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", false, serverError(call.NoAddress(typed))
	}
	u.RawQuery, u.Fragment, u.User = "", "", nil
	address = strings.TrimRight(u.String(), "/")
	for _, tail := range tails {
		if before, found := strings.CutSuffix(address, tail); found {
			address = before
			break
		}
	}
	return address, u.Scheme == "http" && !localnet.Host(u.Hostname()), nil
}

// Code names one reason why an article was not delivered. It is stored, so its text stays the same in every version.
type Code string

// The reasons why an article was not delivered.
const (
	Server    Code = "server"     // Error.Server says why
	Missing   Code = "missing"    // the folder is not there
	Full      Code = "full"       // the disk has no room
	Denied    Code = "denied"     // the folder is not writable
	Unusable  Code = "unusable"   // another error of the file system; Error.Err
	NameTaken Code = "name-taken" // every name for the article is one of a file that Kairos did not write
	NoAddress Code = "no-address" // the article has no address that a service could store
)

// Error says why an article was not delivered.
type Error struct {
	Code   Code        `json:"code"`
	Server *sync.Error `json:"server,omitempty"` // with Server
	Path   string      `json:"path,omitempty"`   // of the folder
	Err    error       `json:"-"`
}

// Error is for logs.
func (e *Error) Error() string {
	switch {
	case e.Server != nil:
		return e.Server.Error()
	case e.Err != nil:
		return string(e.Code) + ": " + e.Err.Error()
	}
	return string(e.Code)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	if e.Server != nil {
		return e.Server
	}
	return e.Err
}

// serverError is an error of a server as one of this package.
func serverError(e *sync.Error) *Error { return &Error{Code: Server, Server: e} }

// asError returns the reason of a failure; nil if it is none of a destination, but the store's or the context's.
func asError(err error) *Error {
	var e *Error
	var s *sync.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &s):
		return serverError(s)
	}
	return nil
}

// Reason returns err as an *Error if it is one of a destination.
func Reason(err error) error {
	if e := asError(err); e != nil {
		return e
	}
	return err
}

// encode returns the error as it is stored.
func (e *Error) encode() string {
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // values of ours that can be encoded
	}
	return string(text)
}

// ErrorOf reads a stored error; nil if it is empty.
func ErrorOf(stored string) *Error {
	if stored == "" {
		return nil
	}
	e := new(Error)
	if json.Unmarshal([]byte(stored), e) != nil || e.Code == Server && e.Server == nil {
		return &Error{Code: Unusable}
	}
	return e
}

// ofArticle reports whether the error is that of one article: others may arrive.
func (e *Error) ofArticle() bool {
	return e.Code == NameTaken || e.Code == NoAddress || e.Server != nil && e.Server.Code == sync.Rejected
}

// uncertain reports whether the article may have arrived all the same.
func (e *Error) uncertain() bool {
	if e.Server == nil {
		return e.Code == Unusable
	}
	switch e.Server.Code {
	case sync.Unreachable, sync.Faulty, sync.Garbled, sync.TooLarge:
		return true
	}
	return false
}

// NeedsUser reports whether only the user can help: waiting does not.
func (e *Error) NeedsUser() bool {
	if e == nil {
		return false
	}
	if e.Server == nil {
		return e.Code == Missing || e.Code == Denied
	}
	switch e.Server.Code {
	case sync.Refused, sync.NoPassword, sync.NoKeyring, sync.Moved, sync.NoAPI, sync.BadAddress:
		return true
	}
	return e.Server.BlamesCertificate()
}

// backOff returns how long to wait after failures in a row, of which e is the last.
func (e *Error) backOff(failures int) time.Duration {
	if e.Server != nil {
		return sync.BackOff(failures, e.Server)
	}
	return sync.BackOff(failures, &sync.Error{})
}
