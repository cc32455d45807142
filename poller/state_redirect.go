package poller

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"strings"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
)

// A permanent redirect is proven once it was seen this often over so long, a feed at its
// end every time: people set 301 by mistake, and captive portals do.
const (
	ProvenTimes = 4
	ProvenOver  = 3 * day
)

// Redirect is a permanent redirect that may come to be proven.
type Redirect struct {
	To    string    // the new address
	Since time.Time // first seen
	Times int       // seen in a row
}

// noteRedirect notes where an answer with the feed came from, and reports whether the
// feed has moved there for good.
func (s *State) noteRedirect(now time.Time, f reader.Feed, resp *fetch.Response) (proven bool) {
	to := resp.MovedTo
	switch {
	case to == "" || to == f.URL || !isTrusted(f, to):
		s.Redirect = Redirect{}
		return false
	case to != s.Redirect.To || now.Before(s.Redirect.Since):
		s.Redirect = Redirect{To: to, Since: now}
	}
	s.Redirect.Times++
	return s.Redirect.Times >= ProvenTimes && now.Sub(s.Redirect.Since) >= ProvenOver
}

// isTrusted reports whether a feed may move to an address: not to what is named like a page to sign in at, and not with a
// password to another host. No feed of the web gets as far as moving into the local network: fetch's guard refuses the redirect.
func isTrusted(f reader.Feed, to string) bool {
	from, err := url.Parse(f.URL)
	if err != nil {
		return false
	}
	target, err := url.Parse(to)
	if err != nil || from.Scheme == "https" && target.Scheme != "https" {
		return false
	}
	if f.Login && fetch.Host(f.URL) != fetch.Host(to) {
		return false
	}
	text := strings.ToLower(target.Host + target.Path)
	for _, word := range []string{"login", "signin", "sign-in", "captive", "portal", "hotspot", "landingpage", "btopenzone", "wifi"} {
		if strings.Contains(text, word) && !strings.Contains(strings.ToLower(f.URL), word) {
			return false
		}
	}
	return true
}

// adoptRedirect moves a feed to where it is found now. If that is a subscription already,
// the two become one.
func (s *State) adoptRedirect(ctx context.Context, tx *sql.Tx, f reader.Feed, o *Outcome) (merged bool, err error) {
	to := s.Redirect.To
	f, err = reader.GetFeed(ctx, tx, f.ID) // as it is now, not when the fetch began
	if err != nil {
		return false, err
	}
	f.URL = to
	err = reader.UpdateFeed(ctx, tx, f)
	var there *reader.DuplicateError
	if errors.As(err, &there) {
		o.Message = Message{Code: FeedsMerged, Address: to}
		return true, reader.MergeFeeds(ctx, tx, f.ID, there.Feed.ID)
	}
	if err != nil {
		return false, err
	}
	s.address, s.Redirect = to, Redirect{}
	o.Message = Message{Code: FeedMoved, Address: to}
	return false, nil
}
