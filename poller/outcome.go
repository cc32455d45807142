package poller

import (
	"time"
)

// Code is why a request is made.
type Code string

// Why a request is made. The codes are stored.
const (
	Planned  Code = "plan"     // an instant of the plan
	TopUp    Code = "top-up"   // the window was opened
	CatchUp  Code = "catch-up" // after sleep or a closed program
	Presence Code = "presence" // the user is back at the machine and probably about to read
	Burst    Code = "burst"    // the feed has posted much more than usual
	Retry    Code = "retry"    // after a failure
	First    Code = "first"    // a subscription's first fetch, or that of a new address
	Manual   Code = "manual"   // the user asked for it
	InUse    Code = "in-use"   // an account, while the window is in use
	Probe    Code = "probe"    // to see whether the network is back, or a host that was down
	Icon     Code = "icon"     // the icon of a feed or its site, at most once a month
	Picture  Code = "picture"  // a picture of the article being shown
	File     Code = "file"     // a file of an article, which the user saves
	Page     Code = "page"     // the page of an article, for its full text
	Prepare  Code = "prepare"  // the page or a picture of an article that is likely to be read, out of a budget of its own
	Take     Code = "take"     // the same, of what the user takes along
	Older    Code = "older"    // a page of a feed with older articles, out of a budget of its own
	Episode  Code = "episode"  // a file to be heard, of a feed whose next ones the user wants to have
	Robots   Code = "robots"   // what a site asks of programs, before a web page without a feed is read
	Refresh  Code = "refresh"  // the server of an account was told to fetch the feed, out of a budget of its own
)

// Background reports whether a fetch for this reason is paid for by the budget.
func (c Code) Background() bool {
	return c == Planned || c == TopUp || c == CatchUp || c == Presence || c == Burst || c == Retry
}

// IsAuxiliary reports whether a request brings no feed here, but an icon, something of an article, older articles, or a feed to a
// server.
func (c Code) IsAuxiliary() bool {
	return c == Icon || c == Picture || c == File || c == Page || c == Prepare || c == Take || c == Episode || c == Older || c == Robots || c == Refresh
}

// auxiliaryCodes are those codes as an SQL list.
const auxiliaryCodes = "('icon', 'picture', 'file', 'page', 'prepare', 'take', 'episode', 'older', 'robots', 'refresh')"

// Result sorts outcomes.
type Result string

// The results of requests. They are stored.
const (
	Stored    Result = "stored"    // a feed, an icon, a picture, a page or a file came
	Unchanged Result = "unchanged" // 304, or the same bytes as before
	Failed    Result = "fault"     // the feed failed
	Offline   Result = "offline"   // there is no network; no feed failed
	Waiting   Result = "waiting"   // the host asked to be left alone; stored only if a redirect led there
	Dropped   Result = "dropped"   // the feed was removed or moved meanwhile
	None      Result = "none"      // no icon, picture, page or file came; no feed failed
)

// Outcome is the outcome of one request; it is a line of the ledger.
type Outcome struct {
	Feed    int64         `json:"feed"`              // 0: an account was synced
	Account int64         `json:"account,omitempty"` // that was synced; 0: a feed was fetched
	Title   string        `json:"title"`
	At      time.Time     `json:"time"`
	Reason  Code          `json:"reason"`
	Cause   Cause         `json:"-"`
	Result  Result        `json:"result"`
	Status  int           `json:"status,omitempty"` // HTTP; 0 if there was no answer
	New     int           `json:"new"`
	Unread  int           `json:"unread"`
	Updated int           `json:"updated,omitempty"`
	Bytes   int64         `json:"bytes"`
	Took    time.Duration `json:"-"`
	Message Message       `json:"-"` // what failed, or what else there is to tell

	Requests int     `json:"requests,omitempty"` // that a synchronization took; 0: one
	Cost     float64 `json:"cost,omitempty"`     // taken out of the budget; 0: as much as requests

	subject int64   // the feed or the account, as what is polled
	synced  *synced // by a synchronization

	asked bool // a server was
}

// wasNotSent reports whether the host had asked to wait, so that nothing left this machine: that is no fetch, and in no ledger.
func (o *Outcome) wasNotSent() bool { return o.Result == Waiting && !o.asked }

// requests is how many were made.
func (o *Outcome) requests() int { return max(1, o.Requests) }

// cost is what the fetch takes out of the budget.
func (o *Outcome) cost() float64 {
	if o.Cost > 0 {
		return o.Cost
	}
	return float64(o.requests())
}

// storedCost is the cost as it is stored: NULL where it is the number of requests.
func (o *Outcome) storedCost() any {
	if !o.isCharged() || o.cost() == float64(o.requests()) {
		return nil
	}
	return o.cost()
}

// isCharged reports whether the fetch counts for the budget. Where the server was
// not asked, or nothing left this machine, nothing was spent.
func (o *Outcome) isCharged() bool {
	return o.Reason.Background() && o.Result != Offline && o.Result != Waiting
}
