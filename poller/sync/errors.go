package sync

import (
	"fmt"
	"time"
)

// Error says why a server did not do what it was asked. Err is the cause, for logs, without passwords and tokens.
type Error struct {
	Code       Code          `json:"code"`
	Host       string        `json:"host,omitempty"`
	Status     int           `json:"status,omitempty"`     // HTTP; 0 if there was no answer
	RetryAfter time.Duration `json:"retryAfter,omitempty"` // with Busy; 0 if it did not say
	To         string        `json:"to,omitempty"`         // with Moved: the address of the other server
	OwnAPI     bool          `json:"ownAPI,omitempty"`     // with Refused: the API has a password of its own
	Words      string        `json:"words,omitempty"`      // the server's own, as PlainWords; not for logs
	Err        error         `json:"-"`
}

// Code names one reason. It is stored, so its text stays the same in every version.
type Code string

// The reasons why a request to a server failed.
const (
	BadAddress  Code = "bad-address" // what was typed is no web address; Host is what was typed
	Unreachable Code = "unreachable" // no connection, or no answer in time
	Insecure    Code = "insecure"    // its certificate is not valid
	Untrusted   Code = "untrusted"   // its certificate is signed by an authority that this machine does not know, or by itself
	Expired     Code = "expired"     // its certificate is not valid any more, or not yet
	OtherName   Code = "other-name"  // its certificate is for another host
	Changed     Code = "changed"     // its certificate is not valid, nor the one that the user trusts
	Refused     Code = "refused"     // it does not accept the user and password, or does not let them use its API
	APIOff      Code = "api-off"     // the user has not let programs use the API
	NoAPI       Code = "no-api"      // what answers is no server of this kind: a page, a login form, nothing found
	Moved       Code = "moved"       // another server has its address now, and gets no password
	Busy        Code = "busy"        // it asks us to come later
	Faulty      Code = "faulty"      // it failed (HTTP 5xx)
	Garbled     Code = "garbled"     // its answer is cut off or makes no sense
	TooLarge    Code = "too-large"   // its answer, or a list over many answers, is larger than any that is meant well
	Rejected    Code = "rejected"    // it does not accept this change (HTTP 4xx)
	NoEdit      Code = "no-edit"     // it was not asked: no program can rename or move its feeds
	NotAdded    Code = "not-added"   // it does not add this feed: mostly, since it cannot fetch it

	KeyringLocked Code = "keyring-locked" // it was not asked: the keyring does not hand out the password
	NoPassword    Code = "no-password"    // it was not asked: its password is not stored on this computer
	NoKeyring     Code = "no-keyring"     // it was not asked: there is no keyring with the password
	FeedPassword  Code = "feed-password"  // it was not asked: a feed with a password of its own is not subscribed to there from here
)

// NeedsPassword reports whether it helps to enter the password again, or another one.
func (e *Error) NeedsPassword() bool {
	return e.Code == Refused || e.Code == NoPassword || e.Code == NoKeyring
}

// BlamesCertificate reports whether the certificate of the server is to blame: it was sent no password.
func (e *Error) BlamesCertificate() bool {
	return e.Code == Insecure || e.Code == Untrusted || e.Code == Expired || e.Code == OtherName || e.Code == Changed
}

// BlamesFeed reports whether a server that was told to fetch a feed (Refresher) has answered that it could not.
func (e *Error) BlamesFeed() bool { return e.Code == Faulty || e.Code == Rejected || e.Code == NoAPI }

// Error is for logs.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s", e.Host, e.Code)
	if e.Status != 0 {
		s += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// WaitError says that an account is not to be asked yet: its server has failed or wants to be left alone.
type WaitError struct {
	Host      string
	At, Until time.Time // At is when it was tried
}

// Error is for logs.
func (e *WaitError) Error() string {
	return fmt.Sprintf("%s: not to be asked before %s", e.Host, e.Until.Format(time.RFC3339))
}
