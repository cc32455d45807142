package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

const (
	maxRedirects  = 10
	defaultAccept = "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"
)

// exchange is one call of Client.Do: a request and those that its redirects lead to, which are called hops.
type exchange struct {
	c      *Client
	r      Request
	resp   *Response
	origin *url.URL
	left   time.Duration // of Limits.Total

	quotaUsed time.Duration // for so long, by the last answer's RateLimit
}

// run makes requests until an answer is no redirect.
func (x *exchange) run(ctx context.Context) *Error {
	u, err := parseAddress(x.r.URL)
	if err != nil {
		x.resp.URL = x.r.URL
		return &Error{Code: BadAddress, Address: x.r.URL, URL: x.r.URL, Err: err}
	}
	x.extractCredentials(u)
	x.origin = u
	permanent := true // all hops so far
	seen := map[string]bool{}
	for hop := 0; ; hop++ {
		address := u.String()
		x.resp.URL = address
		if hop > maxRedirects || seen[address] {
			fail := x.newError(RedirectLoop, u, fmt.Errorf("after %d redirects from %s", hop, x.origin))
			fail.Status = x.resp.Status
			return fail
		}
		seen[address] = true
		next, fail := x.doHop(ctx, u)
		if fail != nil {
			return fail
		}
		if next == nil {
			if permanent && hop > 0 {
				x.resp.MovedTo = address
			}
			return nil
		}
		isPermanent := x.resp.Status == http.StatusMovedPermanently || x.resp.Status == http.StatusPermanentRedirect
		permanent = permanent && isPermanent && !isDowngrade(u, next)
		u = next
	}
}

// extractCredentials moves a user and password from the address into the request.
func (x *exchange) extractCredentials(u *url.URL) {
	if u.User != nil && x.r.User == "" && x.r.Password == "" {
		x.r.User = u.User.Username()
		x.r.Password, _ = u.User.Password()
	}
	u.User = nil
}

// doHop makes one request when its turn in the queue of the host has come. It returns the target of a redirect, or nil
// when x.resp holds the answer.
func (x *exchange) doHop(ctx context.Context, u *url.URL) (next *url.URL, fail *Error) {
	host := hostOf(u)
	if fail := x.admit(u); fail != nil {
		return nil, fail
	}
	if fail := x.checkBlocked(host, u); fail != nil {
		return nil, fail
	}
	if x.r.Session == nil {
		group := x.c.group(host) + x.r.Lane
		if err := x.c.queue.wait(ctx, group, x.r.ByUser); err != nil {
			return nil, x.newError(cancelCode(ctx), u, err)
		}
		defer x.c.queue.release(group)
		// The request before in the queue may have got a Retry-After.
		if fail := x.checkBlocked(host, u); fail != nil {
			return nil, fail
		}
	}
	start := x.c.now()
	if x.resp.StartedAt.IsZero() {
		x.resp.StartedAt = start
	}
	next, fail = x.roundTrip(ctx, u)
	x.left -= x.c.now().Sub(start)
	return next, fail
}

// checkBlocked returns an error if a Retry-After of the host is in force.
func (x *exchange) checkBlocked(host string, u *url.URL) *Error {
	now := x.c.now()
	until := x.c.hosts.blockedUntil(host, now)
	if until.IsZero() {
		return nil
	}
	fail := x.newError(Waiting, u, nil)
	fail.RetryAfter = until.Sub(now)
	return fail
}

// roundTrip makes the request and reads the answer. It returns the target of a redirect, or nil.
func (x *exchange) roundTrip(ctx context.Context, u *url.URL) (*url.URL, *Error) {
	x.resp.Status, x.resp.ContentType = 0, ""
	timedCtx, done := context.WithTimeoutCause(ctx, x.left, errTotalTime)
	defer done()
	timedCtx, cancel := context.WithCancelCause(timedCtx)
	defer cancel(nil)
	transport := x.c.transport
	if x.r.Session != nil {
		transport = x.c.sessions
	}
	res, err := transport.RoundTrip(x.newRequest(x.noteConnections(timedCtx, u), u))
	if err != nil {
		return nil, x.classify(ctx, timedCtx, u, err)
	}
	defer func() { _ = res.Body.Close() }()
	x.resp.Status = res.StatusCode
	x.resp.ContentType = res.Header.Get("Content-Type")
	x.resp.Date = dateOf(res.Header, x.c.now())
	x.quotaUsed = x.noteRateLimit(hostOf(u), res.Header)
	if res.StatusCode >= 200 && res.StatusCode < 300 {
		return nil, x.readSuccess(ctx, timedCtx, cancel, u, res)
	}
	x.drain(res, cancel)
	if next, fail, ok := x.redirectTarget(u, res); ok {
		return next, fail
	}
	return nil, x.classifyStatus(u, res)
}

// noteConnections returns a context that notes whether a request opens a TLS connection.
func (x *exchange) noteConnections(ctx context.Context, u *url.URL) context.Context {
	if u.Scheme != "https" {
		return ctx
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) {
		x.resp.Opened = x.resp.Opened || !c.Reused
	}})
}

// drain reads the first maxFailed bytes of the body of an answer that is not a success, as far as they come within Limits.Drain: what
// the server says of it is for the session, and where that was all the connection can be used again.
func (x *exchange) drain(res *http.Response, cancel context.CancelCauseFunc) {
	late := time.AfterFunc(x.c.limits.Drain, func() { cancel(errSlow) })
	defer late.Stop()
	var head bytes.Buffer
	n, _ := io.CopyN(&head, res.Body, maxFailed)
	x.resp.Bytes += n
	if s := x.r.Session; s != nil && s.Failed != nil {
		s.tellFailed(res.Header, &head)
	}
}

// newRequest builds the request of a hop.
func (x *exchange) newRequest(ctx context.Context, u *url.URL) *http.Request {
	h := http.Header{
		"User-Agent":      {x.c.agent},
		"Accept":          {x.r.Accept},
		"Accept-Encoding": {acceptedCodings},
	}
	if x.r.Accept == "" {
		h["Accept"] = []string{defaultAccept}
	}
	if x.r.Writer != nil {
		h["Accept-Encoding"] = []string{"identity"}
	}
	x.validatorsFor(u).setConditions(h)
	req := (&http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: h,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).WithContext(ctx)
	if (x.r.User != "" || x.r.Password != "") && sameServer(x.origin, u) {
		req.SetBasicAuth(x.r.User, x.r.Password)
	}
	if x.r.Session != nil {
		x.r.Session.prepare(req)
	}
	return req
}

// validatorsFor returns the validators to send to an address: none to another than they came from, which might answer them
// with a 304 (RFC 9110 §8.8). Queries may differ, as redirects put tokens there.
func (x *exchange) validatorsFor(u *url.URL) Validators {
	if x.r.ValidatorsURL == "" {
		return x.r.Validators
	}
	of, err := url.Parse(x.r.ValidatorsURL)
	if err != nil || hostOf(of) != hostOf(u) || of.EscapedPath() != u.EscapedPath() {
		return Validators{}
	}
	return x.r.Validators
}

// readSuccess reads the body of a success and what its headers say.
func (x *exchange) readSuccess(ctx, timedCtx context.Context, cancel context.CancelCauseFunc, u *url.URL, res *http.Response) *Error {
	if isChallenge(res) {
		return x.statusError(Portal, u, res)
	}
	if x.r.Session != nil {
		return x.readSession(ctx, timedCtx, cancel, u, res)
	}
	if err := x.readBody(timedCtx, cancel, res); err != nil {
		fail := x.classify(ctx, timedCtx, u, err)
		x.resp.Truncated = fail.Code == Reset && len(x.resp.Body) > 0
		if !x.resp.Truncated {
			x.resp.Body = nil
		}
		return fail
	}
	x.resp.Links = res.Header.Values("Link")
	x.resp.Validators = readValidators(res.Header)
	x.readFreshness(u, res)
	return nil
}

// readBody reads the body into the response, or streams it to the request's writer, while a watch ends it if it is too slow.
func (x *exchange) readBody(timedCtx context.Context, cancel context.CancelCauseFunc, res *http.Response) (err error) {
	wire := &byteCounter{r: res.Body, also: x.r.Received}
	x.c.bodies.Add(1)
	defer x.c.bodies.Add(-1)
	watch := rateWatch{&wire.n, &x.c.bodies, x.c.limits, x.r.Lease, func() { cancel(errSlow) }}.start()
	defer watch.Stop()
	if x.r.Length != nil {
		x.r.Length.Store(res.ContentLength)
	}
	if x.r.Writer != nil {
		err = streamBody(x.r.Writer, wire)
	} else {
		limit := x.r.MaxBody
		if limit <= 0 {
			limit = MaxBody
		}
		x.r.Lease.begin(func() { cancel(ErrNoRoom) })
		x.resp.Body, x.resp.Truncated, err = readBody(timedCtx, res.Header, wire, limit, x.r.Lease)
	}
	x.resp.Bytes += wire.n.Load()
	return err
}

// readFreshness reads what a success and a 304 have in common, and resets the back-off of the host.
func (x *exchange) readFreshness(u *url.URL, res *http.Response) {
	x.c.hosts.resetBackOff(hostOf(u))
	x.resp.MaxAge, x.resp.HasMaxAge = maxAge(res.Header, x.c.now())
	x.resp.Hub = hubOf(res.Header, u)
}

// redirectTarget reads where a redirect leads; ok is false if the answer is not a redirect.
func (x *exchange) redirectTarget(u *url.URL, res *http.Response) (next *url.URL, fail *Error, ok bool) {
	switch res.StatusCode {
	case 301, 302, 303, 307, 308:
	default:
		return nil, nil, false
	}
	location := res.Header.Get("Location")
	if location == "" {
		fail = x.statusError(Protocol, u, res)
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
	if s := x.r.Session; s != nil && !s.follows(res.StatusCode, x.origin, next) {
		fail = x.statusError(Protocol, u, res)
		fail.Err = &NotFollowedError{To: next, Permanent: res.StatusCode == http.StatusMovedPermanently || res.StatusCode == http.StatusPermanentRedirect}
		return nil, fail, true
	}
	return next, nil, true
}

// classifyStatus turns a status that is neither a success nor a redirect into an error, or into x.resp for a 304.
func (x *exchange) classifyStatus(u *url.URL, res *http.Response) *Error {
	code := res.StatusCode
	switch {
	case code == http.StatusNotModified:
		return x.readNotModified(u, res)
	case isChallenge(res):
		return x.statusError(Portal, u, res)
	case code == http.StatusUnauthorized:
		return x.statusError(Auth, u, res)
	case code == http.StatusGone:
		return x.statusError(Gone, u, res)
	case code == http.StatusTooManyRequests, code == http.StatusServiceUnavailable:
		return x.readBusy(u, res)
	case code >= 400 && code < 500:
		return x.statusError(ClientError, u, res)
	case code >= 500:
		return x.statusError(ServerError, u, res)
	}
	return x.statusError(Protocol, u, res)
}

// readNotModified reads a 304: the validators stay, but for those that the answer renews.
func (x *exchange) readNotModified(u *url.URL, res *http.Response) *Error {
	if x.validatorsFor(u) == (Validators{}) {
		fail := x.statusError(Protocol, u, res)
		fail.Err = errors.New("304 to an unconditional request")
		return fail
	}
	x.resp.NotModified = true
	x.resp.Validators = x.r.Validators.renewed(res.Header)
	x.readFreshness(u, res)
	return nil
}

// readBusy blocks the host for as long as its answer asks. A 429 that does not say how long blocks it for a back-off of
// ours (RFC 6585 §4); a 503 does not, as the back-off of the feed is enough.
func (x *exchange) readBusy(u *url.URL, res *http.Response) *Error {
	fail := x.statusError(Busy, u, res)
	host, now := hostOf(u), x.c.now()
	fail.RetryAfter = parseRetryAfter(res.Header, now)
	if res.StatusCode == http.StatusTooManyRequests {
		x.c.hosts.countRefusal(x.c.group(host), now)
		if fail.RetryAfter == 0 {
			fail.RetryAfter = x.quotaUsed
		}
		if fail.RetryAfter == 0 && x.r.Session == nil {
			fail.RetryAfter = x.c.hosts.backOff(host)
		}
	}
	if fail.RetryAfter > 0 {
		x.c.hosts.block(host, now.Add(fail.RetryAfter))
	}
	return fail
}

// statusError is an error of an answer.
func (x *exchange) statusError(k Code, u *url.URL, res *http.Response) *Error {
	fail := x.newError(k, u, nil)
	fail.Status = res.StatusCode
	return fail
}

// newError is an error of a hop. The cause may be nil.
func (x *exchange) newError(code Code, u *url.URL, cause error) *Error {
	return &Error{Code: code, Host: hostOf(u), URL: u.String(), Err: cause}
}

// isChallenge reports whether the answer is a page that stands before the site: a sign-in to the network, or a challenge.
func isChallenge(res *http.Response) bool {
	return res.StatusCode == http.StatusNetworkAuthenticationRequired ||
		strings.EqualFold(res.Header.Get("Cf-Mitigated"), "challenge")
}

// parseAddress parses an http or https address with a host.
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
	name := strings.TrimRight(strings.ToLower(u.Hostname()), ".")
	if strings.IndexFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		if ascii, err := idna.Lookup.ToASCII(name); err == nil {
			name = strings.TrimRight(ascii, ".") // of a full stop of another script
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

// isDowngrade reports whether a hop leads from https to http.
func isDowngrade(from, to *url.URL) bool { return from.Scheme == "https" && to.Scheme == "http" }
