package preparer

import (
	"errors"
	"net/http"

	"kairos/poller/fetch"
)

// Cause says why an article is incomplete.
type Cause int

// The causes, from the one that weighs least: of several that of the page counts.
const (
	Nothing         Cause = iota // it is whole
	NoPictures                   // pictures could not be had
	NoRoom                       // the room on the disk for pictures is full
	Blocked                      // it leads to an address that is not asked: in the local network, or none of the web
	NoAnswer                     // of a server
	TooLarge                     // the page, or a picture
	RefusedByServer              // the page, or a picture
	NeedsBrowser                 // no article is in the page for whoever is no browser
	causes
)

var causeCodes = [causes]string{"", "pictures", "no room", "blocked", "no answer", "too large", "refused", "browser"}

// String returns the code of a cause, which is stored; "" for Nothing.
func (c Cause) String() string {
	if c < 0 || c >= causes {
		return ""
	}
	return causeCodes[c]
}

func causeOf(code string) Cause {
	for c, known := range causeCodes {
		if known == code {
			return Cause(c)
		}
	}
	return NoPictures
}

// passes reports whether another try may help at once.
func (c Cause) passes() bool { return c == NoAnswer || c == NoRoom }

// Causes counts articles by why they are not whole.
type Causes [causes]int

// Sum is how many articles are incomplete.
func (c Causes) Sum() (n int) {
	for _, k := range c[NoPictures:] {
		n += k
	}
	return n
}

// Map returns the counts that are not 0, by the codes of the causes.
func (c Causes) Map() map[string]int {
	counts := map[string]int{}
	for cause, n := range c {
		if n > 0 && Cause(cause) != Nothing {
			counts[Cause(cause).String()] = n
		}
	}
	return counts
}

// note adds a cause to what came of an article.
func (r *result) note(c Cause) { r.Cause = max(r.Cause, c) }

// missingError is why a page or a picture could not be had.
type missingError struct {
	cause Cause
	error // of the request, if it got no answer; may be nil
}

// Error describes the reason for logs.
func (e *missingError) Error() string {
	if e.error == nil {
		return "not to be had: " + e.cause.String()
	}
	return e.error.Error()
}

// Unwrap returns the error of the request.
func (e *missingError) Unwrap() error { return e.error }

// causeOfFailure tells why a request brought nothing.
func causeOfFailure(err error, status int) Cause {
	var fe *fetch.Error
	if errors.As(err, &fe) && (fe.Code == fetch.LocalAddress || fe.Code == fetch.ResolvesLocally || fe.Code == fetch.BadAddress) {
		return Blocked
	}
	switch {
	case status == 0:
		return NoAnswer
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusTooManyRequests, status == http.StatusUnavailableForLegalReasons:
		return RefusedByServer
	}
	return NoPictures
}
