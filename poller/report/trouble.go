package report

import (
	"strings"
	"time"

	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/reader"
)

// AttentionAfter is how long a feed fails until its user is asked to look at it.
const AttentionAfter = 30 * day

// A name counts as given up once it was not found so many times in a row, over so long: names of sites that are there are now and
// then not found for hours.
const (
	noHostFailures = 3
	noHostAfter    = 2 * day
)

// Action is what the user of a feed that fails can do about it.
type Action string

// What the user can do.
const (
	TryNow           Action = "try"         // fetch it by hand
	EnterLogin       Action = "login"       // give a user name and a password
	FindAddress      Action = "find"        // look for the feed's new address on its site
	EditAddress      Action = "address"     // give another address
	OpenPage         Action = "open"        // see the address in the browser
	TrustCertificate Action = "trust"       // accept the certificate of the server, though it is not valid
	ChoosePage       Action = "choose"      // choose again how the articles of a page are read
	Unsubscribe      Action = "unsubscribe" // do without it
)

// Trouble is what is wrong with a feed and what can be done about it.
type Trouble struct {
	Since     time.Time // the first of the failures in a row; zero if not known
	Failures  int
	Message   poller.Message // of the last of them
	Advice    Advice         // what to do
	Actions   []Action       // what can be done, the likeliest to help first
	Gone      bool           // 410: it is not fetched again but by hand
	There     bool           // the server of its account fails to fetch it
	NotAdded  bool           // or to add it
	Attention bool           // it has lasted for AttentionAfter, or the feed is gone, has never worked, or is fetched by nobody any more
}

// TroubleOf returns what is wrong with feed f at now, given its state; nil if nothing is.
// A feed that is paused needs no attention, as its user has seen to it.
func TroubleOf(s poller.State, f reader.Feed, now time.Time) *Trouble {
	s = s.For(f)
	switch {
	case s.Failures == 0:
		return nil
	case s.There != nil:
		return troubleThere(s, f, now)
	}
	t := &Trouble{Since: s.Since, Failures: s.Failures, Message: s.Message, Gone: s.Gone,
		Advice: adviceFor(f, s.Kind)}
	if t.Advice == AdviceNoHost && (s.Failures < noHostFailures || now.Sub(s.Since) < noHostAfter) {
		t.Advice = AdviceHostNotFound
	}
	neverWorked := s.Fetched.IsZero() && t.Advice != AdviceBusy // a host that asks to wait will answer
	t.Attention = !f.Paused && (s.Gone || neverWorked || now.Sub(s.Since) >= AttentionAfter)
	if s.Message.Fetch != nil && s.Message.Fetch.Fingerprint != "" {
		t.Actions = append(t.Actions, TrustCertificate)
	}
	t.Actions = append(append(t.Actions, actions[t.Advice]...), Unsubscribe)
	return t
}

// troubleThere returns what is wrong with a feed that the server of its account fails to fetch.
func troubleThere(s poller.State, f reader.Feed, now time.Time) *Trouble {
	t := &Trouble{Since: s.Since, Failures: s.Failures, Message: s.Message, There: true, Advice: AdviceThere}
	switch {
	case s.There.NotAdded != nil:
		t.NotAdded, t.Advice = true, AdviceNotAdded
	case s.Failures >= sync.GivesUpAfter:
		t.Advice = AdviceGivenUp
	}
	lasts := !s.Since.IsZero() && now.Sub(s.Since) >= AttentionAfter
	t.Attention = !f.Paused && (lasts || t.Advice == AdviceGivenUp || !s.There.Articles)
	t.Actions = append(append(t.Actions, actions[t.Advice]...), Unsubscribe)
	return t
}

// Advice names what helps against a failure.
type Advice string

// What helps against a failure, by what the failure is.
const (
	AdviceLogin        Advice = "login"          // the site wants a login
	AdviceNewLogin     Advice = "new-login"      // the login is not accepted
	AdviceKeyring      Advice = "keyring"        // the login cannot be read
	AdviceForbidden    Advice = "forbidden"      // 403
	AdviceMissing      Advice = "missing"        // 404
	AdviceGone         Advice = "gone"           // 410
	AdviceRefusal      Advice = "refusal"        // another 4xx
	AdviceBusy         Advice = "busy"           // 429 and 503
	AdviceServer       Advice = "server"         // another 5xx
	AdviceHostNotFound Advice = "host-not-found" // the name was not found, which may pass
	AdviceNoHost       Advice = "no-host"        // the name is unknown
	AdviceBadAddress   Advice = "bad-address"    // no web address
	AdviceNoServer     Advice = "no-server"      // nothing answers there
	AdviceTimeout      Advice = "timeout"        // no answer in time
	AdviceSlow         Advice = "slow"           // too slow an answer
	AdviceTLS          Advice = "tls"            // no secure connection
	AdviceReset        Advice = "reset"          // the connection breaks
	AdviceRedirectLoop Advice = "redirect-loop"  // redirects in a circle
	AdviceBrowsersOnly Advice = "browsers-only"  // a challenge stands before the site
	AdviceLocal        Advice = "local-address"  // the web leads into the local network
	AdviceLocalName    Advice = "local-name"     // a name of the web resolves there
	AdvicePage         Advice = "page"           // a web page instead of the feed
	AdviceOther        Advice = "other"          // something else instead of the feed
	AdviceBroken       Advice = "broken"         // a feed that cannot be read
	AdviceShape        Advice = "shape"          // a page without a feed that has changed its shape
	AdviceList         Advice = "list"           // something else, or nothing, instead of a list of feeds
	AdviceRobots       Advice = "robots"         // the site asks programs not to read a page
	AdviceFile         Advice = "file"           // a local file that cannot be opened
	AdviceFileContent  Advice = "file-content"   // a local file that is no feed
	AdviceWait         Advice = "wait"           // nothing is known of the failure
	AdviceThere        Advice = "there"          // the server of its account fails to fetch it
	AdviceGivenUp      Advice = "given-up"       // and has probably stopped trying
	AdviceNotAdded     Advice = "not-added"      // the server of its account did not add it
)

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
	AdviceHostNotFound: {TryNow, EditAddress},
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
	AdviceShape:        {ChoosePage, OpenPage, TryNow},
	AdviceList:         {OpenPage, EditAddress, TryNow},
	AdviceRobots:       {OpenPage},
	AdviceFile:         {TryNow, EditAddress},
	AdviceFileContent:  {TryNow, EditAddress},
	AdviceWait:         {TryNow, OpenPage, EditAddress},
	AdviceThere:        {TryNow, OpenPage},
	AdviceGivenUp:      {TryNow, OpenPage},
	AdviceNotAdded:     {TryNow, OpenPage},
}

// adviceOf is the advice against each kind of failure.
var adviceOf = map[poller.FailureKind]Advice{
	poller.FailureKind(fetch.Auth):            AdviceLogin,
	poller.KindForbidden:                      AdviceForbidden,
	poller.KindMissing:                        AdviceMissing,
	poller.FailureKind(fetch.Gone):            AdviceGone,
	poller.FailureKind(fetch.ClientError):     AdviceRefusal,
	poller.FailureKind(fetch.Busy):            AdviceBusy,
	poller.FailureKind(fetch.ServerError):     AdviceServer,
	poller.FailureKind(fetch.DNS):             AdviceNoHost,
	poller.FailureKind(fetch.BadAddress):      AdviceBadAddress,
	poller.FailureKind(fetch.Refused):         AdviceNoServer,
	poller.FailureKind(fetch.Timeout):         AdviceTimeout,
	poller.FailureKind(fetch.TooSlow):         AdviceSlow,
	poller.FailureKind(fetch.TLS):             AdviceTLS,
	poller.FailureKind(fetch.Reset):           AdviceReset,
	poller.FailureKind(fetch.RedirectLoop):    AdviceRedirectLoop,
	poller.FailureKind(fetch.Portal):          AdviceBrowsersOnly,
	poller.FailureKind(fetch.LocalAddress):    AdviceLocal,
	poller.FailureKind(fetch.ResolvesLocally): AdviceLocalName,
	poller.KindPage:                           AdvicePage,
	poller.KindOther:                          AdviceOther,
	poller.KindBroken:                         AdviceBroken,
	poller.KindShape:                          AdviceShape,
	poller.KindList:                           AdviceList,
	poller.KindRobots:                         AdviceRobots,
}

// adviceFor is what helps feed f against a failure.
func adviceFor(f reader.Feed, kind poller.FailureKind) Advice {
	advice, known := adviceOf[kind]
	isFile := strings.HasPrefix(f.URL, "file:")
	switch {
	case isFile && (advice == AdviceBroken || advice == AdviceOther || advice == AdvicePage):
		return AdviceFileContent
	case isFile:
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
