package fetch

import (
	"fmt"
	"time"
)

// Code says what went wrong.
type Code uint8

// The kinds of failure.
const (
	Protocol        Code = iota // an answer that makes no sense (broken HTTP, unknown compression, a 304 nobody asked for)
	BadAddress                  // no http or https address, or a redirect to none
	DNS                         // the host's name has no address
	Offline                     // no network, or no route
	Refused                     // nothing listens there
	Timeout                     // no connection or no answer in time
	TooSlow                     // the body came too slowly
	TLS                         // no secure connection
	Reset                       // the connection broke in mid-answer
	RedirectLoop                // redirects in a circle, or too many
	Auth                        // 401
	Gone                        // 410
	ClientError                 // another 4xx
	Busy                        // 429 or 503
	ServerError                 // another 5xx
	Portal                      // a login page or challenge stands before the site (511, Cloudflare)
	Waiting                     // not asked: the host said Retry-After
	Cancelled                   // the caller gave up
	Unwritable                  // the body could not be written where it was to go
	LocalAddress                // not asked: it is in this machine's network, and the feed, or the hop before, is not
	ResolvesLocally             // not asked: the name of a web server resolves to an address in this machine's network
)

var kindNames = [...]string{"protocol", "bad address", "dns", "offline", "refused", "timeout", "too slow", "tls", "reset",
	"redirect loop", "auth", "gone", "client", "busy", "server", "portal", "waiting", "cancelled", "unwritable", "local address", "resolves locally"}

// String returns the kind in a word or two, the same in every version: it may be stored.
func (k Code) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Error is why a request brought nothing.
type Error struct {
	Code       Code
	Status     int           // if the server answered
	URL        string        // of the hop that failed, without user and password
	RetryAfter time.Duration // with Busy and Waiting: how long to leave the host alone; 0 if it did not say
	Err        error         // the detail; may be nil
}

// Error returns the detail, for logs.
func (e *Error) Error() string {
	s := "fetch " + e.URL + ": " + e.Code.String()
	if e.Status != 0 {
		s += fmt.Sprintf(" (%d)", e.Status)
	}
	if e.RetryAfter > 0 {
		s += fmt.Sprintf(", retry after %s", e.RetryAfter.Round(time.Second))
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// BlamesMachine tells whether the failure speaks of this machine's network rather
// than of the feed: it should count against no feed.
func (e *Error) BlamesMachine() bool {
	return e.Code == Offline || e.Code.Unresolved() || e.Code == Cancelled || e.Code == Unwritable || e.Code == Portal && e.Status == 511
}

// Unresolved reports whether no address of the web is known for a name. Either the site is gone, or the machine is behind
// a name server that does not tell: there is no network, or a page to sign in at comes first.
func (k Code) Unresolved() bool { return k == DNS || k == ResolvesLocally }

// Sentence says it to people.
func (e *Error) Sentence() string {
	host := Host(e.URL)
	if host == "" {
		host = "the server"
	}
	switch e.Code {
	case BadAddress:
		return fmt.Sprintf("%q is not a web address.", e.URL)
	case DNS:
		return fmt.Sprintf("No server named %s was found.", host)
	case Offline:
		return "There is no network connection."
	case Refused:
		return fmt.Sprintf("Nothing answers at %s.", host)
	case Timeout:
		return fmt.Sprintf("%s did not answer in time.", host)
	case TooSlow:
		return fmt.Sprintf("%s sends too slowly.", host)
	case TLS:
		return fmt.Sprintf("No secure connection to %s could be made.", host)
	case Reset:
		return fmt.Sprintf("The connection to %s broke off.", host)
	case RedirectLoop:
		return fmt.Sprintf("%s redirects in a circle.", host)
	case Cancelled:
		return "The request was cancelled."
	case LocalAddress:
		return fmt.Sprintf("%s is in your local network, and feeds of the web may not lead there.", host)
	case ResolvesLocally:
		return fmt.Sprintf("The name %s leads into your local network, and feeds of the web may not lead there.", host)
	case Unwritable:
		return "What came could not be written to the disk."
	case Waiting:
		return fmt.Sprintf("%s asked to be left alone for another %s.", host, forPeople(e.RetryAfter))
	}
	return e.answerSentence(host)
}

func (e *Error) answerSentence(host string) string {
	switch e.Code {
	case Auth:
		return fmt.Sprintf("%s wants a user name and a password (401).", host)
	case Gone:
		return "The feed has been removed for good (410)."
	case Busy:
		if e.RetryAfter > 0 {
			return fmt.Sprintf("%s asked to be left alone for %s (%d).", host, forPeople(e.RetryAfter), e.Status)
		}
		return fmt.Sprintf("%s is busy (%d).", host, e.Status)
	case Portal:
		if e.Status == 511 {
			return "The network wants a sign-in before it lets anything through (511)."
		}
		return fmt.Sprintf("%s lets only browsers in (%d).", host, e.Status)
	case ServerError:
		return fmt.Sprintf("%s has a fault of its own (%d).", host, e.Status)
	case ClientError:
		return e.clientSentence(host)
	}
	return fmt.Sprintf("The answer of %s makes no sense.", host)
}

func (e *Error) clientSentence(host string) string {
	switch e.Status {
	case 403:
		return fmt.Sprintf("%s does not allow access (403).", host)
	case 404:
		return "There is nothing at this address (404)."
	}
	return fmt.Sprintf("%s refused the request (%d).", host, e.Status)
}

// forPeople writes a duration as "45 s", "20 min" or "3 h", rounded up.
func forPeople(d time.Duration) string {
	up := func(unit time.Duration) int64 { return int64((d + unit - 1) / unit) }
	switch {
	case d <= 90*time.Second:
		return fmt.Sprintf("%d s", up(time.Second))
	case d <= 90*time.Minute:
		return fmt.Sprintf("%d min", up(time.Minute))
	}
	return fmt.Sprintf("%d h", up(time.Hour))
}
