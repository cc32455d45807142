// Package call sends the requests of the protocols of servers and tells apart why one fails. It never weakens TLS, never
// carries a password or token to another host, and puts neither into an error.
package call

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"kairos/poller/sync"
)

const (
	timeout = 2 * time.Minute // of a whole request: the slowest server builds a page of articles with it
	maxWait = 24 * time.Hour  // that a server may ask for: not even by hand is it asked sooner
)

// Caller sends requests to one server.
type Caller struct {
	base      *url.URL
	client    *http.Client
	agent     string
	Authorize func(*http.Request) // adds the session or the password; nil: none
}

// New returns a caller for addresses below base, which tells servers agent as its name. Errors: a *sync.Error with
// BadAddress where base is no address.
func New(base, agent string) (*Caller, error) {
	u, err := url.Parse(strings.TrimRight(base, "/"))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, NoAddress(base)
	}
	u.RawQuery, u.Fragment, u.User = "", "", nil
	client := &http.Client{Timeout: timeout, CheckRedirect: sameHost}
	return &Caller{base: u, client: client, agent: agent}, nil
}

// NoAddress is the error for what is no web address, without the user and password in it.
func NoAddress(typed string) *sync.Error {
	return &sync.Error{Code: sync.BadAddress, Host: typed[strings.LastIndexByte(typed, '@')+1:]}
}

// sameHost follows redirects within a host only, and none that leaves TLS: requests carry passwords. Nor does it follow one that
// makes a question of a change: the answer to that would pass for a confirmation.
func sameHost(next *http.Request, before []*http.Request) error {
	first := before[0].URL
	if next.URL.Host != first.Host || (first.Scheme == "https" && next.URL.Scheme != "https") || next.Method != before[0].Method || len(before) > 5 {
		return http.ErrUseLastResponse
	}
	return nil
}

// Base returns the address that paths are appended to.
func (c *Caller) Base() string { return c.base.String() }

// Close closes idle connections.
func (c *Caller) Close() { c.client.CloseIdleConnections() }

// Body is what a request carries.
type Body struct {
	Type string
	Data []byte
}

// Form encodes values as a form.
func Form(values url.Values) *Body {
	return &Body{"application/x-www-form-urlencoded", []byte(values.Encode())}
}

// JSON encodes a value as JSON.
func JSON(value any) *Body {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // values of ours that can be encoded
	}
	return &Body{"application/json", data}
}

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Data   []byte
	asked  time.Time
}

// Date returns the server's clock; where it does not tell, when it was asked by ours.
func (a *Answer) Date() time.Time {
	if t, err := http.ParseTime(a.Header.Get("Date")); err == nil {
		return t
	}
	return a.asked
}

// Decode decodes an answer in JSON. Errors: *sync.Error with Garbled.
func (c *Caller) Decode(a *Answer, into any) error {
	if bytes.Equal(bytes.TrimSpace(a.Data), []byte("null")) {
		return c.Garbled("null")
	}
	if err := json.Unmarshal(a.Data, into); err != nil {
		return &sync.Error{Code: sync.Garbled, Host: c.base.Host, Status: a.Status, Err: err}
	}
	return nil
}

// Garbled is the error for an answer that makes no sense.
func (c *Caller) Garbled(why string) error {
	return &sync.Error{Code: sync.Garbled, Host: c.base.Host, Err: errors.New(why)}
}

// isPage recognizes a page for people. Its type tells nothing: FreshRSS calls everything text/html.
func isPage(a *Answer) bool {
	return bytes.HasPrefix(bytes.TrimLeft(a.Data, " \r\n\t\ufeff"), []byte("<"))
}

// Do sends one request to a path below the base (query included) and returns its answer, whose status is 2xx and which is no
// page. It is for short answers; Stream reads long ones. Errors: *sync.Error, the context's.
func (c *Caller) Do(ctx context.Context, method, path string, body *Body) (*Answer, error) {
	answer, response, err := c.send(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer.Data, err = io.ReadAll(io.LimitReader(response.Body, maxPlain+1))
	sync.TrafficOf(ctx).Add(len(answer.Data))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case os.IsTimeout(err):
		return nil, &sync.Error{Code: sync.Unreachable, Host: c.base.Host, Status: answer.Status, Err: err}
	case err != nil:
		return nil, &sync.Error{Code: sync.Garbled, Host: c.base.Host, Status: answer.Status, Err: err}
	}
	if err := c.judge(answer); err != nil {
		return answer, err
	}
	if len(answer.Data) > maxPlain {
		return nil, c.TooLarge()
	}
	return answer, nil
}

// send sends one request and returns its answer without Data, and the response whose body has them.
func (c *Caller) send(ctx context.Context, method, path string, body *Body) (*Answer, *http.Response, error) {
	var data io.Reader
	if body != nil {
		data = bytes.NewReader(body.Data)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base.String()+path, data)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", method, err)
	}
	request.Header.Set("User-Agent", c.agent)
	if body != nil {
		request.Header.Set("Content-Type", body.Type)
	}
	if c.Authorize != nil {
		c.Authorize(request)
	}
	answer := &Answer{asked: time.Now()}
	response, err := c.client.Do(request)
	if err != nil {
		return nil, nil, c.unanswered(ctx, err)
	}
	answer.Status, answer.Header = response.StatusCode, response.Header
	return answer, response, nil
}

// unanswered tells why there was no answer. The address in the error has no query: some protocols carry tokens there.
func (c *Caller) unanswered(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err
	}
	code := sync.Unreachable
	var authority x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	var verification *tls.CertificateVerificationError
	if errors.As(err, &authority) || errors.As(err, &invalid) || errors.As(err, &name) || errors.As(err, &verification) {
		code = sync.Insecure
	}
	return &sync.Error{Code: code, Host: c.base.Host, Err: err}
}

// judge returns nil for a status of 2xx without a page, else what the status means.
func (c *Caller) judge(a *Answer) error {
	e := &sync.Error{Host: c.base.Host, Status: a.Status}
	switch {
	case a.Status >= 200 && a.Status < 300 && isPage(a):
		e.Code, e.Err = sync.NoAPI, errors.New("a page") // of a login before the server, or of the network
	case a.Status >= 200 && a.Status < 300:
		return nil
	case a.Status == http.StatusUnauthorized, a.Status == http.StatusForbidden:
		e.Code = sync.Refused
	case a.Status == http.StatusTooManyRequests, a.Status == http.StatusServiceUnavailable:
		e.Code, e.RetryAfter = sync.Busy, retryAfter(a)
	case a.Status >= 500:
		e.Code = sync.Faulty
	case a.Status >= 300 && a.Status < 400, a.Status == http.StatusNotFound, a.Status == http.StatusMethodNotAllowed:
		e.Code = sync.NoAPI
	default:
		e.Code = sync.Rejected
	}
	return e
}

// retryAfter reads the header Retry-After (RFC 9110 §10.2.3), in seconds or as a date of the server's clock; at most maxWait.
func retryAfter(a *Answer) time.Duration {
	value := a.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(0, seconds), int(maxWait.Seconds()))) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(0, at.Sub(a.Date())), maxWait)
	}
	return 0
}

// IsStatus reports whether err is a server's answer with one of these statuses.
func IsStatus(err error, statuses ...int) bool {
	var e *sync.Error
	if !errors.As(err, &e) {
		return false
	}
	for _, s := range statuses {
		if e.Status == s {
			return true
		}
	}
	return false
}
