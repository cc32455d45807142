package poller

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/parse"
)

// AttentionAfter is how long a feed fails until its user is asked to look at it.
const AttentionAfter = 30 * day

// Action is what the user of a feed that fails can do about it.
type Action string

const (
	TryNow      Action = "try"         // fetch it by hand
	EnterLogin  Action = "login"       // give a user name and a password
	FindAddress Action = "find"        // look for the feed's new address on its site
	EditAddress Action = "address"     // give another address
	OpenPage    Action = "open"        // see the address in the browser
	Unsubscribe Action = "unsubscribe" // do without it
)

// Trouble is what is wrong with a feed and what can be done about it.
type Trouble struct {
	Since     time.Time // the first of the faults in a row
	Faults    int
	Said      string   // the last of them
	Advice    string   // what to do, in a sentence or two
	Actions   []Action // what is natural to do, first things first
	Gone      bool     // 410: it is not asked again by itself
	Attention bool     // it has lasted for AttentionAfter, or the feed is gone
}

// Trouble returns what is wrong with feed f at now; nil if nothing is. One that is
// paused calls for no attention, as its user has seen to it.
func (s State) Trouble(f reader.Feed, now time.Time) *Trouble {
	s.of(f)
	if s.Failures == 0 {
		return nil
	}
	t := &Trouble{Since: s.Since, Faults: s.Failures, Said: s.Said, Gone: s.Gone,
		Attention: !f.Paused && (s.Gone || now.Sub(s.Since) >= AttentionAfter)}
	r := remedyOf(f, s.Fault)
	t.Advice, t.Actions = r.text, append(t.Actions, r.actions...)
	t.Actions = append(t.Actions, Unsubscribe)
	return t
}

// Lasting says in words since when, at now: "failing since 3 Mar 08:00 (31 days, 36
// faults in a row)".
func (t *Trouble) Lasting(now time.Time) string {
	since := "since " + When(t.Since, now)
	switch {
	case t.Gone:
		return "gone " + since
	case t.Faults == 1:
		return "failing " + since
	}
	return fmt.Sprintf("failing %s (%s, %d faults in a row)", since, Span(now.Sub(t.Since)), t.Faults)
}

// faultOf names the kind of a fault as it is stored.
func faultOf(cause error) string {
	var fe *fetch.Error
	switch {
	case errors.As(cause, &fe) && fe.Status == http.StatusForbidden && fe.Code == fetch.ClientError:
		return faultForbidden
	case errors.As(cause, &fe) && fe.Status == http.StatusNotFound:
		return faultMissing
	case errors.As(cause, &fe):
		return fe.Code.String()
	case errors.Is(cause, parse.ErrWebPage):
		return faultPage
	case errors.Is(cause, parse.ErrNotFeed):
		return faultOther
	case errors.Is(cause, parse.ErrBroken), errors.Is(cause, parse.ErrEmpty):
		return faultBroken
	}
	return ""
}

// Kinds of faults beside fetch's own. What they are called is stored.
const (
	faultForbidden = "forbidden"
	faultMissing   = "missing"
	faultPage      = "page"
	faultOther     = "not a feed"
	faultBroken    = "broken"
)

// remedy is what helps against a kind of fault.
type remedy struct {
	text    string
	actions []Action
}

var remedies = map[string]remedy{
	fetch.Auth.String(): {"Enter the user name and the password that the site has given you.",
		[]Action{EnterLogin, TryNow}},
	faultForbidden: {"See what the address shows in the browser. If the site asks for a login there, enter it here too; if it shows the feed, the site turns feed readers away, and its owner is the one to tell.",
		[]Action{OpenPage, EnterLogin, TryNow}},
	faultMissing: {"The feed has probably moved. Look for its new address on its site.",
		[]Action{FindAddress, EditAddress, TryNow}},
	fetch.Gone.String(): {"Its site says that it will not come back there, so it is not asked any more. Look for a new address on its site, or unsubscribe. What was fetched stays as long as you are subscribed.",
		[]Action{FindAddress, EditAddress, TryNow}},
	fetch.ClientError.String(): {"See in the browser what the site has to say.",
		[]Action{OpenPage, EditAddress, TryNow}},
	fetch.Busy.String(): {"Nothing needs to be done: Kairos asks less often, and waits as long as the site wants it to.",
		[]Action{OpenPage}},
	fetch.ServerError.String(): {"Only the site can mend that. Kairos goes on trying, at least once a day.",
		[]Action{TryNow, OpenPage}},
	fetch.DNS.String(): {"The site's name is gone: it has moved, or it has ended. Look for the site under another name, and give its new address here.",
		[]Action{EditAddress, TryNow}},
	fetch.BadAddress.String(): {"Correct the address, or look for the feed on its site.",
		[]Action{EditAddress, FindAddress}},
	fetch.Refused.String(): {"The server is switched off, or has moved. Kairos goes on trying, at least once a day.",
		[]Action{TryNow, EditAddress, OpenPage}},
	fetch.Timeout.String(): {"The server is overloaded, or cannot be reached from here. If the browser does not reach it either, there is only waiting: Kairos goes on trying, at least once a day.",
		[]Action{TryNow, OpenPage}},
	fetch.TooSlow.String(): {"The server is overloaded. Kairos goes on trying, at least once a day.",
		[]Action{TryNow, OpenPage}},
	fetch.TLS.String(): {"The site's certificate is not valid (it may have run out), or something in this network stands in between. The browser says more; Kairos makes no exceptions.",
		[]Action{OpenPage, TryNow, EditAddress}},
	fetch.Reset.String(): {"The server or the network broke the connection. Kairos goes on trying, at least once a day.",
		[]Action{TryNow, OpenPage}},
	fetch.RedirectLoop.String(): {"The site is set up wrongly, or sends away whoever keeps no cookies, as Kairos does. Look for another address of the feed.",
		[]Action{OpenPage, FindAddress, EditAddress}},
	fetch.Portal.String(): {"The site lets only browsers in. Look for another address of the feed, or ask the site's owner to let feed readers through.",
		[]Action{OpenPage, EditAddress, TryNow}},
	faultPage: {"The feed may have moved, or the site may want a login or a consent before it. See what the address shows in the browser, and look for the feed on its site.",
		[]Action{OpenPage, FindAddress, EditAddress, TryNow}},
	faultOther: {"Something else stands at the address now. Look for the feed on its site.",
		[]Action{FindAddress, OpenPage, EditAddress, TryNow}},
	faultBroken: {"Only the site can mend that: its owner is the one to tell. Kairos goes on trying, at least once a day.",
		[]Action{TryNow, OpenPage}},
}

// remedyOf is what helps feed f against a fault.
func remedyOf(f reader.Feed, fault string) remedy {
	r, known := remedies[fault]
	switch {
	case isFile(f.URL) && fault != faultBroken && fault != faultOther && fault != faultPage:
		return remedy{"See whether the file is still there and may be read, or give its new place.", []Action{TryNow, EditAddress}}
	case isFile(f.URL):
		return remedy{"See what the file holds, or give another one.", []Action{TryNow, EditAddress}}
	case fault == fetch.Auth.String() && f.Login:
		r.text = "The user name or the password is not accepted any more. Enter them anew."
	case !known && f.Login:
		return remedy{"Its login could not be read from the system keyring. Unlock it, or enter the login anew.", []Action{TryNow, EnterLogin}}
	case !known:
		return remedy{"Kairos goes on trying, at least once a day.", []Action{TryNow, OpenPage, EditAddress}}
	}
	return r
}
