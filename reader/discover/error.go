package discover

import (
	"errors"
	"fmt"
)

// Error says why an address leads to no feed.
type Error struct {
	Code   Code   `json:"code"`
	Text   string `json:"text,omitempty"`   // what was typed
	Scheme string `json:"scheme,omitempty"` // of an address that is not http or https
	Cause  error  `json:"-"`                // what was there instead of a feed: *parse.Error, *Error, or Get's
}

// Code names one reason.
type Code string

// Why an address leads to no feed: the first ones concern the address itself.
const (
	NoAddress         Code = "no-address"
	NotAnAddress      Code = "not-an-address"     // Text
	MailAddress       Code = "mail-address"       // Text
	UnsupportedScheme Code = "unsupported-scheme" // Scheme
	NoFeed            Code = "no-feed"            // Cause
	SignInPage        Code = "sign-in-page"       // a page to sign in or to consent stands before the site
)

// Errors to compare with by errors.Is.
var (
	// ErrNoFeed says that neither an address nor what it leads to is a feed.
	ErrNoFeed error = &Error{Code: NoFeed}
	// ErrAbsent says that a server has nothing, or nothing for us, at an address.
	ErrAbsent = errors.New("nothing at this address")
)

// Error describes the reason for logs.
func (e *Error) Error() string {
	text := string(e.Code)
	if e.Text+e.Scheme != "" {
		text += fmt.Sprintf(": %q", e.Text+e.Scheme)
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns what was there instead of a feed.
func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether target is an Error of the same code.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code
}
