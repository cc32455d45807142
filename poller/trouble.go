package poller

import (
	"errors"
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
	Message   Message  // of the last of them
	Advice    Advice   // what to do
	Actions   []Action // what can be done, the likeliest to help first
	Gone      bool     // 410: it is not fetched again but by hand
	Attention bool     // it has lasted for AttentionAfter, or the feed is gone
}

// Trouble returns what is wrong with feed f at now; nil if nothing is. One that is
// paused calls for no attention, as its user has seen to it.
func (s State) Trouble(f reader.Feed, now time.Time) *Trouble {
	s.of(f)
	if s.Failures == 0 {
		return nil
	}
	t := &Trouble{Since: s.Since, Faults: s.Failures, Message: s.Message, Gone: s.Gone,
		Attention: !f.Paused && (s.Gone || now.Sub(s.Since) >= AttentionAfter)}
	t.Advice = adviceFor(f, s.Fault)
	t.Actions = append(append(t.Actions, actions[t.Advice]...), Unsubscribe)
	return t
}

// faultOf names the kind of a fault as it is stored; "" if nothing is known of it.
func faultOf(cause error) string {
	var fe *fetch.Error
	switch {
	case errors.As(cause, &fe) && fe.Status == http.StatusForbidden && fe.Code == fetch.ClientError:
		return faultForbidden
	case errors.As(cause, &fe) && fe.Status == http.StatusNotFound:
		return faultMissing
	case errors.As(cause, &fe):
		return string(fe.Code)
	case errors.Is(cause, parse.ErrWebPage):
		return faultPage
	case errors.Is(cause, parse.ErrNotFeed):
		return faultOther
	case errors.Is(cause, parse.ErrBroken), errors.Is(cause, parse.ErrEmpty):
		return faultBroken
	}
	return ""
}

// Kinds of faults beside the codes of fetch. They are stored, so they stay the same in every version.
const (
	faultForbidden = "forbidden"
	faultMissing   = "missing"
	faultPage      = "page"
	faultOther     = "not a feed"
	faultBroken    = "broken"
)

// Advice names what helps against a fault.
type Advice string

// What helps against a fault, by what the fault is.
const (
	AdviceLogin        Advice = "login"         // the site wants a login
	AdviceNewLogin     Advice = "new-login"     // the login is not accepted any more
	AdviceKeyring      Advice = "keyring"       // the login cannot be read
	AdviceForbidden    Advice = "forbidden"     // 403
	AdviceMissing      Advice = "missing"       // 404
	AdviceGone         Advice = "gone"          // 410
	AdviceRefusal      Advice = "refusal"       // another 4xx
	AdviceBusy         Advice = "busy"          // 429 and 503
	AdviceServer       Advice = "server"        // another 5xx
	AdviceNoHost       Advice = "no-host"       // the name is unknown
	AdviceBadAddress   Advice = "bad-address"   // no web address
	AdviceNoServer     Advice = "no-server"     // nothing answers there
	AdviceTimeout      Advice = "timeout"       // no answer in time
	AdviceSlow         Advice = "slow"          // too slow an answer
	AdviceTLS          Advice = "tls"           // no secure connection
	AdviceReset        Advice = "reset"         // the connection breaks
	AdviceRedirectLoop Advice = "redirect-loop" // redirects in a circle
	AdviceBrowsersOnly Advice = "browsers-only" // a challenge stands before the site
	AdviceLocal        Advice = "local-address" // the web leads into the local network
	AdviceLocalName    Advice = "local-name"    // a name of the web resolves there
	AdvicePage         Advice = "page"          // a web page instead of the feed
	AdviceOther        Advice = "other"         // something else instead of the feed
	AdviceBroken       Advice = "broken"        // a feed that cannot be read
	AdviceFile         Advice = "file"          // a local file that cannot be opened
	AdviceFileContent  Advice = "file-content"  // a local file that is no feed
	AdviceWait         Advice = "wait"          // nothing is known of the fault
)

// AdviceCodes lists all advice.
func AdviceCodes() []Advice {
	return []Advice{AdviceLogin, AdviceNewLogin, AdviceKeyring, AdviceForbidden, AdviceMissing, AdviceGone, AdviceRefusal, AdviceBusy,
		AdviceServer, AdviceNoHost, AdviceBadAddress, AdviceNoServer, AdviceTimeout, AdviceSlow, AdviceTLS, AdviceReset,
		AdviceRedirectLoop, AdviceBrowsersOnly, AdviceLocal, AdviceLocalName, AdvicePage, AdviceOther, AdviceBroken, AdviceFile,
		AdviceFileContent, AdviceWait}
}

// actions are what the user can do by each advice, beside unsubscribing.
var actions = map[Advice][]Action{
	AdviceLogin:        {EnterLogin, TryNow},
	AdviceNewLogin:     {EnterLogin, TryNow},
	AdviceKeyring:      {TryNow, EnterLogin},
	AdviceForbidden:    {OpenPage, EnterLogin, TryNow},
	AdviceMissing:      {FindAddress, EditAddress, TryNow},
	AdviceGone:         {FindAddress, EditAddress, TryNow},
	AdviceRefusal:      {OpenPage, EditAddress, TryNow},
	AdviceBusy:         {OpenPage},
	AdviceServer:       {TryNow, OpenPage},
	AdviceNoHost:       {EditAddress, TryNow},
	AdviceBadAddress:   {EditAddress, FindAddress},
	AdviceNoServer:     {TryNow, EditAddress, OpenPage},
	AdviceTimeout:      {TryNow, OpenPage},
	AdviceSlow:         {TryNow, OpenPage},
	AdviceTLS:          {OpenPage, TryNow, EditAddress},
	AdviceReset:        {TryNow, OpenPage},
	AdviceRedirectLoop: {OpenPage, FindAddress, EditAddress},
	AdviceBrowsersOnly: {OpenPage, EditAddress, TryNow},
	AdviceLocal:        {EditAddress, TryNow},
	AdviceLocalName:    {TryNow, EditAddress},
	AdvicePage:         {OpenPage, FindAddress, EditAddress, TryNow},
	AdviceOther:        {FindAddress, OpenPage, EditAddress, TryNow},
	AdviceBroken:       {TryNow, OpenPage},
	AdviceFile:         {TryNow, EditAddress},
	AdviceFileContent:  {TryNow, EditAddress},
	AdviceWait:         {TryNow, OpenPage, EditAddress},
}

// adviceOf is the advice against each kind of fault.
var adviceOf = map[string]Advice{
	string(fetch.Auth):            AdviceLogin,
	faultForbidden:                AdviceForbidden,
	faultMissing:                  AdviceMissing,
	string(fetch.Gone):            AdviceGone,
	string(fetch.ClientError):     AdviceRefusal,
	string(fetch.Busy):            AdviceBusy,
	string(fetch.ServerError):     AdviceServer,
	string(fetch.DNS):             AdviceNoHost,
	string(fetch.BadAddress):      AdviceBadAddress,
	string(fetch.Refused):         AdviceNoServer,
	string(fetch.Timeout):         AdviceTimeout,
	string(fetch.TooSlow):         AdviceSlow,
	string(fetch.TLS):             AdviceTLS,
	string(fetch.Reset):           AdviceReset,
	string(fetch.RedirectLoop):    AdviceRedirectLoop,
	string(fetch.Portal):          AdviceBrowsersOnly,
	string(fetch.LocalAddress):    AdviceLocal,
	string(fetch.ResolvesLocally): AdviceLocalName,
	faultPage:                     AdvicePage,
	faultOther:                    AdviceOther,
	faultBroken:                   AdviceBroken,
}

// adviceFor is what helps feed f against a fault.
func adviceFor(f reader.Feed, fault string) Advice {
	advice, known := adviceOf[fault]
	switch {
	case isFile(f.URL) && (advice == AdviceBroken || advice == AdviceOther || advice == AdvicePage):
		return AdviceFileContent
	case isFile(f.URL):
		return AdviceFile
	case advice == AdviceLogin && f.Login:
		return AdviceNewLogin
	case !known && f.Login:
		return AdviceKeyring
	case !known:
		return AdviceWait
	}
	return advice
}
