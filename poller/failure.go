package poller

import (
	"errors"
	"net/http"

	"kairos/poller/fetch"
	"kairos/reader/opml"
	"kairos/reader/parse"
	"kairos/reader/scrape"
)

// FailureKind says what kind a failure of a feed is: a fetch.Code, or one of those below.
// It is stored, so its text stays the same in every version. "" means that nothing is known
// of it.
type FailureKind string

// Kinds of failures beside the codes of fetch.
const (
	KindForbidden FailureKind = "forbidden"  // 403
	KindMissing   FailureKind = "missing"    // 404
	KindPage      FailureKind = "page"       // a web page instead of the feed
	KindOther     FailureKind = "not a feed" // something else instead of the feed
	KindBroken    FailureKind = "broken"     // a feed that cannot be read
	KindShape     FailureKind = "shape"      // a page without a feed that cannot be read as it was chosen
	KindList      FailureKind = "list"       // something else instead of the list of feeds
	KindRobots    FailureKind = "robots"     // the site asks programs not to read it
)

// kindOf returns the kind of a failure.
func kindOf(cause error) FailureKind {
	var fe *fetch.Error
	switch {
	case errors.As(cause, &fe) && fe.Status == http.StatusForbidden && fe.Code == fetch.ClientError:
		return KindForbidden
	case errors.As(cause, &fe) && fe.Status == http.StatusNotFound:
		return KindMissing
	case errors.As(cause, &fe):
		return FailureKind(fe.Code)
	case errors.Is(cause, ErrRobots):
		return KindRobots
	case isOf[*scrape.Error](cause):
		return KindShape
	case isOf[*opml.Error](cause), errors.Is(cause, errListEmpty):
		return KindList
	case errors.Is(cause, parse.ErrWebPage):
		return KindPage
	case errors.Is(cause, parse.ErrNotFeed):
		return KindOther
	case errors.Is(cause, parse.ErrBroken), errors.Is(cause, parse.ErrEmpty):
		return KindBroken
	}
	return ""
}

// isOf reports whether an error is one of a type.
func isOf[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
