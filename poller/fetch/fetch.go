// Package fetch makes HTTP requests with the manners that a polite reader owes a server: it returns validators byte for byte,
// asks each host for one thing at a time, waits when a server asks it to, limits time and size, and follows redirects with
// care. It keeps requests for feeds of the web out of the local network (guard.go). Requests to servers that the user has an
// account with share its memory, blocks and errors, with rules of their own (Session). It knows nothing of feeds: an answer is
// bytes and facts.
package fetch

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// MaxBody is how many bytes of a body are kept, after decompression, unless the request says otherwise.
const MaxBody = 16 << 20

// MaxMemory is how many bytes all bodies may take together, unless Options say otherwise.
const MaxMemory = 32 << 20

// Validators identify a version of a resource (RFC 9110 §8.8). They are returned as the server sent them: it compares them
// byte for byte.
type Validators struct{ ETag, LastModified string }

// Request is a request for one address.
type Request struct {
	URL            string     // http or https; a user and password in it become User and Password
	Validators     Validators // of the last answer; they make the request conditional (RFC 9110 §13.1)
	ValidatorsURL  string     // the address that Validators came from: no other is sent them; "" means any
	User, Password string     // for basic authentication with the host of URL alone
	Accept         string     // media types; "" prefers feeds
	MaxBody        int64      // bytes kept after decompression; 0 means the constant MaxBody
	ByUser         bool       // made by the user: first in the queue of its host; a Retry-After binds it, too
	Lane           string     // requests to a host wait only for those of the same lane
	Local          bool       // for a feed of the local network (IsLocal), which alone may lead there

	Writer io.Writer     // takes the body as it arrives, of any length and as it is encoded; Response.Body is then empty
	Length *atomic.Int64 // is set to the length of the body, -1 if unknown; may be nil

	Session *Session // makes it a request of a session, not one for a document: no Validators, MaxBody, Lane, Local, Writer, Lease

	Lease    *Lease        // of the memory for the body; nil does not limit it
	Received *atomic.Int64 // is increased by the bytes of bodies as they arrive; may be nil
}

// Response is what came back. Do always returns one: with an error it holds what is known, for the ledger: status, address,
// bytes and time.
type Response struct {
	Status      int
	URL         string        // that answered, after redirects
	MovedTo     string        // the permanent new address: set if every redirect was a 301 or 308 and none led from https to http
	Body        []byte        // decompressed
	Truncated   bool          // Body was cut: at MaxBody, for lack of memory or, with a Reset error, where the connection broke
	ContentType string        // as sent
	Links       []string      // the Link header fields (RFC 8288)
	Validators  Validators    // to send next time; after a 304 those of the request with what it renews (RFC 9111 §3.2); none after an error
	NotModified bool          // 304
	MaxAge      time.Duration // how long the answer is fresh (RFC 9111 §4.2.1, less Age)
	HasMaxAge   bool          // the answer says how long, even if not at all
	Hub         string        // the WebSub hub of a Link header (WebSub §4); "" none
	RetryAfter  time.Duration // with Busy and Waiting: how long the host is not to be asked; 0 if it did not say
	Bytes       int64         // of bodies as sent, redirects included
	Opened      bool          // a TLS connection was opened for it
	Date        time.Time     // the server's clock at the last answer; ours if it does not tell
	StartedAt   time.Time     // when the first request left its queue; zero if none did
	Took        time.Duration // from StartedAt to the end
}

// Limits limit one request. A zero field means its default.
type Limits struct {
	Connect time.Duration // to connect, and as much again for TLS: 10 s
	Headers time.Duration // from the request to the end of the headers: 60 s, as some servers build a feed for each request
	Total   time.Duration // for everything, with redirects and without queues: 120 s
	Window  time.Duration // a body must arrive at Rate over any Window: 20 s
	Rate    int64         // bytes a second, less while many bodies share the connection: 1000
	Drain   time.Duration // to read an unwanted body to its end, so that its connection can be used again: 1 s
}

// Options configure a Client; the zero value works.
type Options struct {
	Version   string                   // of Kairos, for the User-Agent
	Website   string                   // for the User-Agent; "" none
	Now       func() time.Time         // the clock for blocks and dates; time.Now if nil
	Group     func(host string) string // hosts of one group share a queue; the function Group if nil
	Spacing   time.Duration            // between two requests to a group without refusals: 1 s; < 0 none
	Transport http.RoundTripper        // instead of the usual ones, without the guard at dialling, Limits.Connect and Limits.Headers
	Limits    Limits
	Memory    int64 // bytes that all bodies may take together; 0 means MaxMemory
}

// Client makes requests. Its methods may be called from any goroutine.
type Client struct {
	agent     string
	now       func() time.Time
	group     func(string) string
	transport http.RoundTripper
	sessions  http.RoundTripper // for requests of sessions
	memory    *MemoryBudget
	limits    Limits
	queue     hostQueue
	spacing   time.Duration
	hosts     hostStates
	bodies    atomic.Int64 // number of bodies being read
	trusted   atomic.Pointer[map[string]Fingerprint]
}

// New returns a client.
func New(o Options) *Client {
	c := &Client{
		agent:     UserAgent(o.Version, o.Website),
		now:       o.Now,
		group:     o.Group,
		transport: o.Transport,
		limits:    o.Limits.withDefaults(),
		spacing:   o.Spacing,
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.group == nil {
		c.group = Group
	}
	if c.spacing == 0 {
		c.spacing = time.Second
	}
	if c.sessions = c.transport; c.transport == nil {
		c.transport, c.sessions = newTransport(c.limits, newDialer(c.limits)), newSessionTransport(c.limits)
	}
	if o.Memory <= 0 {
		o.Memory = MaxMemory
	}
	c.memory = newMemoryBudget(o.Memory)
	return c
}

// Do makes one request and follows its redirects. It waits for its turn with the host, and does not ask a host whose
// Retry-After is in force. Every failure is an *Error, statuses of 400 and above included.
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	x := &exchange{c: c, r: r, resp: &Response{URL: r.URL}, left: c.limits.Total}
	if r.Writer != nil {
		x.left = streamTime
	}
	err := x.run(ctx)
	if !x.resp.StartedAt.IsZero() {
		x.resp.Took = c.now().Sub(x.resp.StartedAt)
	}
	if err == nil {
		return x.resp, nil
	}
	x.resp.RetryAfter = err.RetryAfter
	x.resp.Validators, x.resp.MovedTo, x.resp.MaxAge, x.resp.HasMaxAge, x.resp.Hub = Validators{}, "", 0, false, ""
	return x.resp, err
}

// BlockedUntil returns the instant before which a host (as Host writes it) is not to be asked; zero if it may be asked.
func (c *Client) BlockedUntil(host string) time.Time { return c.hosts.blockedUntil(host, c.now()) }

// Spacing is the time to leave between two requests to a group of hosts. It grows with their 429s.
func (c *Client) Spacing(group string) time.Duration {
	return c.hosts.spacing(group, max(c.spacing, 0), c.now())
}

// Pace is the time between two requests that the servers of a group ask for by RateLimit, an hour at most; 0 if they ask for none.
// What they say is left of their quota blocks the host when it is used up. Spacing keeps it up to five minutes.
func (c *Client) Pace(group string) time.Duration { return c.hosts.pace(group, c.now()) }

// SetHostState restores a state that HostStates returned before a restart.
func (c *Client) SetHostState(name string, s HostState) { c.hosts.set(name, s.notAfter(c.now())) }

// ClockSetBack tells the client that its clock was set back.
func (c *Client) ClockSetBack() { c.hosts.clockSetBack(c.now()) }

// HostStates returns what is remembered of hosts and groups, by name, and a version that changes with it.
func (c *Client) HostStates() (states map[string]HostState, version int) {
	return c.hosts.all(c.now())
}

// Memory is what the bodies of all requests take together.
func (c *Client) Memory() *MemoryBudget { return c.memory }

// CloseIdle closes the connections that no request uses.
func (c *Client) CloseIdle() {
	for _, transport := range []http.RoundTripper{c.transport, c.sessions} {
		if t, ok := transport.(interface{ CloseIdleConnections() }); ok {
			t.CloseIdleConnections()
		}
	}
}

// Host returns the host of an address in lower-case ASCII, with the port if it is not the default of the scheme; "" if it is
// not a web address.
func Host(address string) string {
	u, err := parseAddress(address)
	if err != nil {
		return ""
	}
	return hostOf(u)
}

// UserAgent is the name that Kairos tells servers.
func UserAgent(version, website string) string {
	if version == "" {
		version = "0"
	}
	if website != "" {
		return "Kairos/" + version + " (desktop feed reader; +" + website + ")"
	}
	return "Kairos/" + version + " (desktop feed reader)"
}

// withDefaults sets the fields that are zero.
func (l Limits) withDefaults() Limits {
	setDefault := func(d *time.Duration, value time.Duration) {
		if *d <= 0 {
			*d = value
		}
	}
	setDefault(&l.Connect, 10*time.Second)
	setDefault(&l.Headers, time.Minute)
	setDefault(&l.Total, 120*time.Second)
	setDefault(&l.Window, 20*time.Second)
	setDefault(&l.Drain, time.Second)
	if l.Rate <= 0 {
		l.Rate = 1000
	}
	return l
}
