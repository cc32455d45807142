package fetch

import (
	"fmt"
	"time"
)

// Error says why a request brought nothing. It is a fact: what can be stored of it is in its JSON, and app/text phrases it.
type Error struct {
	Code       Code          `json:"code"`
	Host       string        `json:"host,omitempty"`       // of the hop that failed, as Host writes it
	Status     int           `json:"status,omitempty"`     // HTTP; 0 if there was no answer
	RetryAfter time.Duration `json:"retryAfter,omitempty"` // with Busy and Waiting: how long to leave the host alone; 0 if it did not say
	Address    string        `json:"address,omitempty"`    // with BadAddress: what is not an address

	Certificate CertificateFault `json:"certificate,omitempty"` // with TLS; "" if it is not to blame
	Fingerprint Fingerprint      `json:"fingerprint,omitempty"` // with Certificate: that the user may trust (Client.SetTrusted); "" none
	Changed     bool             `json:"changed,omitempty"`     // with Fingerprint: the user trusts another one of the host

	URL string `json:"-"` // of the hop that failed, without user and password
	Err error  `json:"-"` // the cause, for logs; may be nil
}

// Code names one reason. It is stored, so its text stays the same in every version.
type Code string

// The reasons why a request brought nothing.
const (
	Protocol        Code = "protocol"      // an answer that makes no sense: broken HTTP, an unknown compression, a 304 nobody asked for
	BadAddress      Code = "bad address"   // neither http nor https, or a redirect to such an address
	DNS             Code = "dns"           // the name of the host has no address
	Offline         Code = "offline"       // no network, or no route
	Refused         Code = "refused"       // nothing listens there
	Timeout         Code = "timeout"       // no connection or no answer in time
	TooSlow         Code = "too slow"      // the body came too slowly
	TLS             Code = "tls"           // no secure connection
	Reset           Code = "reset"         // the connection broke during the answer
	RedirectLoop    Code = "redirect loop" // redirects in a circle, or too many
	Auth            Code = "auth"          // 401
	Gone            Code = "gone"          // 410
	ClientError     Code = "client"        // another 4xx
	Busy            Code = "busy"          // 429 or 503
	ServerError     Code = "server"        // another 5xx
	Portal          Code = "portal"        // a sign-in page or a challenge stands before the site (511, Cloudflare)
	Waiting         Code = "waiting"       // not asked: the host sent Retry-After before
	Canceled        Code = "cancelled"     // the caller gave up
	Unwritable      Code = "unwritable"    // Request.Writer or Session.Read failed, or there was no memory for the session
	LocalAddress    Code = "local address" // not asked: it is in the local network, and the feed or the hop before is not
	ResolvesLocally Code = "local name"    // not asked: the name of a web server resolves to an address in the local network
)

// CertificateFault says what is wrong with the certificate of a server. It is stored as Code is.
type CertificateFault string

// What can be wrong with a certificate.
const (
	Untrusted CertificateFault = "untrusted"  // an authority that this machine does not know has signed it, or nobody but itself
	Expired   CertificateFault = "expired"    // it is not valid any more, or not yet
	OtherName CertificateFault = "other name" // it is for another host
	Invalid   CertificateFault = "invalid"    // anything else
)

// Unresolved reports whether the name of the host led to no address of the web. Either the site is gone, or the machine asks
// a name server that does not tell: there is no network, or one has to sign in first.
func (c Code) Unresolved() bool { return c == DNS || c == ResolvesLocally }

// BlamesMachine reports whether this machine or its network failed rather than the feed, so that the failure counts
// against no feed.
func (e *Error) BlamesMachine() bool {
	return e.Code == Offline || e.Code.Unresolved() || e.Code == Canceled || e.Code == Unwritable || e.Code == Portal && e.Status == 511
}

// Error describes the reason for logs.
func (e *Error) Error() string {
	s := "fetch " + e.URL + ": " + string(e.Code)
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
