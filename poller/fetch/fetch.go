// Package fetch makes one HTTP request with everything a polite reader owes a
// server: validators returned byte for byte, one request at a time per host,
// waiting when asked to, bounded time and size, and redirects followed with
// care. It knows nothing of feeds: what comes back is bytes and facts.
package fetch

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// MaxBody is how much of a body is kept, after decompression, unless the
// request says otherwise.
const MaxBody = 16 << 20

// Validators are what a server gave to recognise a version of a resource by
// (RFC 9110 §8.8). They are returned verbatim: servers compare them as they
// sent them, so re-formatting a date or unquoting a tag defeats them.
type Validators struct{ ETag, LastModified string }

// Request asks for one address.
type Request struct {
	URL            string     // http or https; a user and password in it are taken out and used as basic auth
	Validators     Validators // of the last answer; makes the request conditional (RFC 9110 §13.1)
	ValidatorsURL  string     // the address they came from: no other is sent them; "" means any
	User, Password string     // basic auth, for the address's own host only; wins over the address's
	Accept         string     // media types wanted; "" means feeds first
	MaxBody        int64      // bytes kept after decompression; 0 means MaxBody
	ByUser         bool       // by the user's hand: first in its host's queue, though no Retry-After is overrun
	Lane           string     // requests of one lane alone wait for one another
	Local          bool       // for a feed of this machine's network (IsLocal), which alone may lead there

	Writer io.Writer     // takes the body as it comes, however long it is and takes, and as it is; Response.Body is then empty
	Length *atomic.Int64 // is told how long the body will be, -1 where it is not said; may be nil

	Lease    *Lease        // what the body is held with; nil: it counts for nothing
	Received *atomic.Int64 // counts the bytes of bodies as they come; may be nil
}

// Response is what came back. Do always returns one: with an error it holds
// what is known all the same (status, address, bytes, time), for the ledger.
type Response struct {
	Status      int
	URL         string        // that answered, after redirects
	MovedTo     string        // where the address has moved for good: set if every hop was a 301 or 308, none from https to http
	Body        []byte        // decompressed
	Truncated   bool          // Body was cut, at MaxBody, where Bodies had no more room or (with a Reset error) where the connection broke: its complete items can still be kept
	ContentType string        // as sent
	Links       []string      // the fields Link of the header (RFC 8288)
	Validators  Validators    // to send next time, all of them (a 304's own are merged in, RFC 9111 §3.2); only if there was no error
	NotModified bool          // 304: nothing new
	MaxAge      time.Duration // how long the answer says it stays fresh (RFC 9111 §4.2.1, less Age); 0 none
	HasMaxAge   bool          // the answer says how long, if only that it does not
	Hub         string        // WebSub hub that a Link header names (WebSub §4); "" none
	RetryAfter  time.Duration // with Busy and Waiting: how long the host is not to be asked; 0 if it did not say
	Bytes       int64         // of bodies on the wire, redirects included
	StartedAt   time.Time     // when the first request left its queue; zero if none did
	Took        time.Duration // from At to the end
}

// Limits bound one request. A zero field means the usual value.
type Limits struct {
	Connect time.Duration // to connect, and as much again for TLS: 10 s
	Headers time.Duration // from the request to the end of the headers: 20 s
	Total   time.Duration // for everything, redirects included, queues not: 120 s
	Window  time.Duration // a body must bring Rate bytes a second over any Window: 20 s
	Rate    int64         // bytes a second, less where many bodies share the line: 1000
	Drain   time.Duration // for the end of a body nobody wants, to keep the connection: 1 s
}

// Options configure a Client; the zero value works.
type Options struct {
	Version   string                   // of Kairos, for the User-Agent
	Website   string                   // contact address in the User-Agent, if there is one
	Now       func() time.Time         // the clock for blocks and dates; time.Now if nil
	Group     func(host string) string // hosts of one group share a queue; Group if nil
	Spacing   time.Duration            // between two requests to a group that never refused any: 1 s; < 0 none
	Transport http.RoundTripper        // instead of the usual one (Limits.Connect and Headers are then its own affair)
	Limits    Limits
}

// Client makes requests. Its methods may be called from any goroutine.
type Client struct {
	agent     string
	now       func() time.Time
	group     func(string) string
	transport http.RoundTripper
	limits    Limits
	gate      gate
	space     time.Duration
	hosts     hosts
	bodies    atomic.Int64 // being read
}

// New returns a client.
func New(o Options) *Client {
	c := &Client{
		agent:     userAgent(o.Version, o.Website),
		now:       o.Now,
		group:     o.Group,
		transport: o.Transport,
		limits:    o.Limits.orUsual(),
		space:     o.Spacing,
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.group == nil {
		c.group = Group
	}
	if c.space == 0 {
		c.space = time.Second
	}
	if c.transport == nil {
		c.transport = newTransport(c.limits, newDialer(c.limits))
	}
	return c
}

// Do asks for one address and follows its redirects. It waits its turn with
// the host (first come, first served) and asks nothing of a host that said
// Retry-After. Every failure is an *Error, statuses of 400 and above included.
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	f := &flight{c: c, r: r, resp: &Response{URL: r.URL}, left: c.limits.Total}
	if r.Writer != nil {
		f.left = longestBody
	}
	err := f.run(ctx)
	if !f.resp.StartedAt.IsZero() {
		f.resp.Took = c.now().Sub(f.resp.StartedAt)
	}
	if err == nil {
		return f.resp, nil
	}
	f.resp.RetryAfter = err.RetryAfter
	f.resp.Validators, f.resp.MovedTo, f.resp.MaxAge, f.resp.HasMaxAge, f.resp.Hub = Validators{}, "", 0, false, ""
	return f.resp, err
}

// BlockedUntil returns the instant until which a Retry-After binds the host, zero
// if none does. A host is written as Host writes it.
func (c *Client) BlockedUntil(host string) time.Time { return c.hosts.until(host, c.now()) }

// Spacing is how long to wait between two requests to a group of hosts. It grows with
// their 429s.
func (c *Client) Spacing(group string) time.Duration {
	return c.hosts.space(group, max(c.space, 0), c.now())
}

// SetHostState tells what Memories said before a restart.
func (c *Client) SetHostState(name string, m HostState) { c.hosts.remember(name, m.setBack(c.now())) }

// ClockSetBack says that the clock was set back.
func (c *Client) ClockSetBack() { c.hosts.setBack(c.now()) }

// HostStates lists what is remembered of hosts and groups, by name. The version is
// another one when it has changed.
func (c *Client) HostStates() (memories map[string]HostState, version int) {
	return c.hosts.all(c.now())
}

// CloseIdle closes connections that no request is using.
func (c *Client) CloseIdle() {
	if t, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// Host names the server of an address: the host in lower-case ASCII, with the
// port if it is not the scheme's own. It is "" for what is no web address.
func Host(address string) string {
	u, err := parseAddress(address)
	if err != nil {
		return ""
	}
	return hostOf(u)
}

func userAgent(version, website string) string {
	if version == "" {
		version = "0"
	}
	if website != "" {
		return "Kairos/" + version + " (desktop feed reader; +" + website + ")"
	}
	return "Kairos/" + version + " (desktop feed reader)"
}

func (l Limits) orUsual() Limits {
	orElse := func(d *time.Duration, usual time.Duration) {
		if *d <= 0 {
			*d = usual
		}
	}
	orElse(&l.Connect, 10*time.Second)
	orElse(&l.Headers, 20*time.Second)
	orElse(&l.Total, 120*time.Second)
	orElse(&l.Window, 20*time.Second)
	orElse(&l.Drain, time.Second)
	if l.Rate <= 0 {
		l.Rate = 1000
	}
	return l
}
