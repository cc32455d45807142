package opml

import (
	"fmt"

	"kairos/reader/discover"
)

// Error says why a document cannot be read as a list.
type Error struct {
	Code  ErrorCode `json:"code"`
	Limit int64     `json:"limit,omitempty"` // bytes
}

// ErrorCode names one reason.
type ErrorCode string

// Why a document cannot be read as a list.
const (
	NotAList ErrorCode = "not-a-list"
	TooLarge ErrorCode = "too-large" // Limit
)

// Error describes the reason for logs.
func (e *Error) Error() string {
	if e.Code == TooLarge {
		return fmt.Sprintf("the list of feeds is larger than %d bytes", e.Limit)
	}
	return "not a list of feeds"
}

// Refusal is an entry that Kairos cannot subscribe to.
type Refusal struct {
	Line    int             `json:"line"` // the first is 1
	Text    string          `json:"text"` // its title, else its address
	Code    RefusalCode     `json:"code"`
	Address *discover.Error `json:"address,omitempty"` // of BadAddress
	Err     error           `json:"-"`                 // of PasswordNotKept
}

// RefusalCode names the reason for a Refusal.
type RefusalCode string

// Why an entry is refused.
const (
	SavedSearch    RefusalCode = "saved-search"  // of another reader
	NeedsProgram   RefusalCode = "needs-program" // another reader runs one to make the feed
	NotAFeed       RefusalCode = "not-a-feed"    // but a link
	NoAddress      RefusalCode = "no-address"    // although it is a feed
	AddressTooLong RefusalCode = "address-too-long"
	BadAddress     RefusalCode = "bad-address" // Address

	PasswordNotKept  RefusalCode = "password-not-kept"  // Err: the keyring does not take the password of the address
	PasswordOfServer RefusalCode = "password-of-server" // an account's server is not given passwords of feeds
)

// Warning is something of a list that was lost or cannot be kept.
type Warning struct {
	Code  WarningCode `json:"code"`
	Count int         `json:"count,omitempty"` // of feeds or entries
	Limit int         `json:"limit,omitempty"`
	Line  int         `json:"line,omitempty"`
}

// WarningCode names the kind of a Warning.
type WarningCode string

// What can be lost.
const (
	FilteredFeeds WarningCode = "filtered-feeds"  // Count feeds are filtered by a program in another reader
	TooManyFeeds  WarningCode = "too-many-feeds"  // Count feeds beyond Limit were left out
	MoreRefusals  WarningCode = "more-refusals"   // Count entries were refused but are not listed
	EndsEarly     WarningCode = "list-ends-early" // in Line, after Count feeds
	LocalFeeds    WarningCode = "local-feeds"     // Count feeds of this computer or its network are paused
)
