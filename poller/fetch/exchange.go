package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

const (
	maxHops       = 10
	defaultAccept = "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"
)

// flight is one Do: the hops from the address to the answer.
type flight struct {
	c      *Client
	r      Request
	resp   *Response
	origin *url.URL
	left   time.Duration // of Limits.Total
}

// run hops until there is an answer that is no redirect.
func (f *flight) run(ctx context.Context) *Error {
	u, err := parseAddress(f.r.URL)
	if err != nil {
		f.resp.URL = f.r.URL
		return &Error{Code: BadAddress, Address: f.r.URL, URL: f.r.URL, Err: err}
	}
	f.takeCredentials(u)
	f.origin = u
	permanent := true
	seen := map[string]bool{}
	for hop := 0; ; hop++ {
		address := u.String()
		f.resp.URL = address
		if hop > maxHops || seen[address] {
			fail := f.fail(RedirectLoop, u, fmt.Errorf("after %d redirects from %s", hop, f.origin))
			fail.Status = f.resp.Status
			return fail
		}
		seen[address] = true
		next, fail := f.hop(ctx, u)
		if fail != nil {
			return fail
		}
		if next == nil {
			if permanent && hop > 0 {
				f.resp.MovedTo = address
			}
			return nil
		}
		forGood := f.resp.Status == http.StatusMovedPermanently || f.resp.Status == http.StatusPermanentRedirect
		permanent = permanent && forGood && !downgrade(u, next)
		u = next
	}
}

// takeCredentials moves user and password out of the address.
func (f *flight) takeCredentials(u *url.URL) {
	if u.User != nil && f.r.User == "" && f.r.Password == "" {
		f.r.User = u.User.Username()
		f.r.Password, _ = u.User.Password()
	}
	u.User = nil
}

// hop asks for one address when the host is free. It returns the redirect's
// target, or nil when f.resp holds the answer.
func (f *flight) hop(ctx context.Context, u *url.URL) (next *url.URL, fail *Error) {
	host := hostOf(u)
	if fail := f.admit(u); fail != nil {
		return nil, fail
	}
	if fail := f.waiting(host, u); fail != nil {
		return nil, fail
	}
	group := f.c.group(host) + f.r.Lane
	if err := f.c.gate.enter(ctx, group, f.r.ByUser); err != nil {
		return nil, f.fail(givenUp(ctx), u, err)
	}
	defer f.c.gate.leave(group)
	// The one before us in the queue may have been told to stay away.
	if fail := f.waiting(host, u); fail != nil {
		return nil, fail
	}
	start := f.c.now()
	if f.resp.StartedAt.IsZero() {
		f.resp.StartedAt = start
	}
	next, fail = f.ask(ctx, u)
	f.left -= f.c.now().Sub(start)
	return next, fail
}

func (f *flight) waiting(host string, u *url.URL) *Error {
	now := f.c.now()
	until := f.c.hosts.until(host, now)
	if until.IsZero() {
		return nil
	}
	fail := f.fail(Waiting, u, nil)
	fail.RetryAfter = until.Sub(now)
	return fail
}

// ask makes the request and reads the answer.
func (f *flight) ask(ctx context.Context, u *url.URL) (*url.URL, *Error) {
	f.resp.Status, f.resp.ContentType = 0, ""
	timed, done := context.WithTimeoutCause(ctx, f.left, errTotal)
	defer done()
	timed, cancel := context.WithCancelCause(timed)
	defer cancel(nil)
	res, err := f.c.transport.RoundTrip(f.request(timed, u))
	if err != nil {
		return nil, f.failure(ctx, timed, u, err)
	}
	defer func() { _ = res.Body.Close() }()
	f.resp.Status = res.StatusCode
	f.resp.ContentType = res.Header.Get("Content-Type")
	if res.StatusCode >= 200 && res.StatusCode < 300 {
		return nil, f.accept(ctx, timed, cancel, u, res)
	}
	f.drain(res, cancel)
	if next, fail, ok := f.redirect(u, res); ok {
		return next, fail
	}
	return nil, f.judge(u, res)
}

// drain reads a short body that nobody wants to the end, so that the connection can
// be used again, unless that takes time.
func (f *flight) drain(res *http.Response, cancel context.CancelCauseFunc) {
	late := time.AfterFunc(f.c.limits.Drain, func() { cancel(errSlow) })
	defer late.Stop()
	n, _ := io.CopyN(io.Discard, res.Body, 4<<10)
	f.resp.Bytes += n
}

func (f *flight) request(ctx context.Context, u *url.URL) *http.Request {
	h := http.Header{
		"User-Agent":      {f.c.agent},
		"Accept":          {f.r.Accept},
		"Accept-Encoding": {codings},
	}
	if f.r.Accept == "" {
		h["Accept"] = []string{defaultAccept}
	}
	if f.r.Writer != nil {
		h["Accept-Encoding"] = []string{"identity"}
	}
	f.known(u).set(h)
	req := (&http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: h,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).WithContext(ctx)
	if (f.r.User != "" || f.r.Password != "") && hostOf(u) == hostOf(f.origin) && !downgrade(f.origin, u) {
		req.SetBasicAuth(f.r.User, f.r.Password)
	}
	return req
}

// known are the validators of an address. Those of one resource would get a 304 from
// another (RFC 9110 §8.8); the query is left out, as redirects put tokens there.
func (f *flight) known(u *url.URL) Validators {
	if f.r.ValidatorsURL == "" {
		return f.r.Validators
	}
	of, err := url.Parse(f.r.ValidatorsURL)
	if err != nil || hostOf(of) != hostOf(u) || of.EscapedPath() != u.EscapedPath() {
		return Validators{}
	}
	return f.r.Validators
}

// accept takes the body of a success.
func (f *flight) accept(ctx, timed context.Context, cancel context.CancelCauseFunc, u *url.URL, res *http.Response) *Error {
	if challenged(res) {
		return f.status(Portal, u, res)
	}
	limit := f.r.MaxBody
	if limit <= 0 {
		limit = MaxBody
	}
	wire := &counter{r: res.Body, also: f.r.Received}
	f.c.bodies.Add(1)
	timer := watch{&wire.n, &f.c.bodies, f.c.limits, f.r.Lease, func() { cancel(errSlow) }}.start()
	var body []byte
	var cut bool
	var err error
	if f.r.Length != nil {
		f.r.Length.Store(res.ContentLength)
	}
	if f.r.Writer != nil {
		err = pour(f.r.Writer, wire)
	} else {
		f.r.Lease.begin(func() { cancel(errNoRoom) })
		body, cut, err = readBody(timed, res.Header, wire, limit, f.r.Lease)
	}
	timer.Stop()
	f.c.bodies.Add(-1)
	f.resp.Bytes += wire.n.Load()
	f.resp.Body, f.resp.Truncated = body, cut
	if err != nil {
		fail := f.failure(ctx, timed, u, err)
		f.resp.Truncated = fail.Code == Reset && len(body) > 0
		if !f.resp.Truncated {
			f.resp.Body = nil
		}
		return fail
	}
	f.c.hosts.welcomed(hostOf(u))
	f.resp.Links = res.Header.Values("Link")
	f.resp.Validators = validatorsOf(res.Header)
	f.resp.MaxAge, f.resp.HasMaxAge = maxAge(res.Header, f.c.now())
	f.resp.Hub = hubOf(res.Header, u)
	return nil
}

// redirect reads where a 3xx leads; ok is false if it is none.
func (f *flight) redirect(u *url.URL, res *http.Response) (next *url.URL, fail *Error, ok bool) {
	switch res.StatusCode {
	case 301, 302, 303, 307, 308:
	default:
		return nil, nil, false
	}
	location := res.Header.Get("Location")
	if location == "" {
		fail = f.status(Protocol, u, res)
		fail.Err = errors.New("redirect without Location")
		return nil, fail, true
	}
	next, err := u.Parse(location)
	if err == nil {
		next, err = parseAddress(next.String())
	}
	if err != nil {
		return nil, &Error{Code: BadAddress, Status: res.StatusCode, Address: location, URL: location, Err: err}, true
	}
	next.User, next.Fragment, next.RawFragment = nil, "", ""
	return next, nil, true
}

// judge turns a status that is neither success nor redirect into what it means.
func (f *flight) judge(u *url.URL, res *http.Response) *Error {
	code := res.StatusCode
	switch {
	case code == http.StatusNotModified:
		return f.unchanged(u, res)
	case challenged(res):
		return f.status(Portal, u, res)
	case code == http.StatusUnauthorized:
		return f.status(Auth, u, res)
	case code == http.StatusGone:
		return f.status(Gone, u, res)
	case code == http.StatusTooManyRequests, code == http.StatusServiceUnavailable:
		return f.busy(u, res)
	case code >= 400 && code < 500:
		return f.status(ClientError, u, res)
	case code >= 500:
		return f.status(ServerError, u, res)
	}
	return f.status(Protocol, u, res)
}

func (f *flight) unchanged(u *url.URL, res *http.Response) *Error {
	if f.known(u) == (Validators{}) {
		fail := f.status(Protocol, u, res)
		fail.Err = errors.New("304 to an unconditional request")
		return fail
	}
	f.c.hosts.welcomed(hostOf(u))
	f.resp.NotModified = true
	f.resp.Validators = f.r.Validators.merged(res.Header)
	f.resp.MaxAge, f.resp.HasMaxAge = maxAge(res.Header, f.c.now())
	f.resp.Hub = hubOf(res.Header, u)
	return nil
}

// busy leaves the whole host alone for as long as it asked. A 429 that does
// not say how long gets our own wait (RFC 6585 §4), a 503 none: the feed's
// own back-off is enough for it.
func (f *flight) busy(u *url.URL, res *http.Response) *Error {
	fail := f.status(Busy, u, res)
	host, now := hostOf(u), f.c.now()
	fail.RetryAfter = retryAfter(res.Header, now)
	if res.StatusCode == http.StatusTooManyRequests {
		f.c.hosts.crowded(f.c.group(host), now)
		if fail.RetryAfter == 0 {
			fail.RetryAfter = f.c.hosts.refused(host)
		}
	}
	if fail.RetryAfter > 0 {
		f.c.hosts.block(host, now.Add(fail.RetryAfter))
	}
	return fail
}

func (f *flight) status(k Code, u *url.URL, res *http.Response) *Error {
	fail := f.fail(k, u, nil)
	fail.Status = res.StatusCode
	return fail
}

func (f *flight) fail(code Code, u *url.URL, cause error) *Error {
	return &Error{Code: code, Host: hostOf(u), URL: u.String(), Err: cause}
}

// challenged tells a page that stands before the site from the site.
func challenged(res *http.Response) bool {
	return res.StatusCode == http.StatusNetworkAuthenticationRequired ||
		strings.EqualFold(res.Header.Get("Cf-Mitigated"), "challenge")
}

// parseAddress reads an http or https address with a host.
func parseAddress(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("scheme %q is neither http nor https", u.Scheme)
	}
	if u.Hostname() == "" {
		return nil, errors.New("no host")
	}
	return u, nil
}

// hostOf is Host of a parsed address.
func hostOf(u *url.URL) string {
	name := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if strings.IndexFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		if ascii, err := idna.Lookup.ToASCII(name); err == nil {
			name = ascii
		}
	}
	if strings.Contains(name, ":") {
		name = "[" + name + "]" // IPv6
	}
	port := u.Port()
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return name
	}
	return name + ":" + port
}

// downgrade tells whether a hop gives up encryption.
func downgrade(from, to *url.URL) bool { return from.Scheme == "https" && to.Scheme == "http" }
