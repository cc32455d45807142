// Package call sends the requests of the protocols of servers by the one HTTP client (fetch.Session), reads their answers in
// JSON, and says what a failure means for an account. It never carries a password or token to another host, and puts neither
// into an error.
package call

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
)

// Caller sends requests to one server.
type Caller struct {
	base      *url.URL
	client    *fetch.Client
	Authorize func(*http.Request) // adds the session or the password; nil: none
}

// New returns a caller for addresses below base. Errors: a *sync.Error with BadAddress if base is not an address.
func New(base string, client *fetch.Client) (*Caller, error) {
	u, err := url.Parse(strings.TrimRight(base, "/"))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, NoAddress(base)
	}
	u.RawQuery, u.Fragment, u.User = "", "", nil
	return &Caller{base: u, client: client}, nil
}

// NoAddress is the error for what is not a web address, without the user and password in it.
func NoAddress(typed string) *sync.Error {
	return &sync.Error{Code: sync.BadAddress, Host: typed[strings.LastIndexByte(typed, '@')+1:]}
}

// Host returns the host of the server.
func (c *Caller) Host() string { return c.base.Host }

// Base returns the address that paths are appended to.
func (c *Caller) Base() string { return c.base.String() }

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
	Data   []byte
	Date   time.Time // the server's clock; ours if it does not tell
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

// Do sends one request to a path below the base (query included) and returns its answer, whose status is 2xx and which is not a
// page. It is for short answers; Stream reads long ones. Errors: *sync.Error, the context's.
func (c *Caller) Do(ctx context.Context, method, path string, body *Body) (*Answer, error) {
	var data []byte
	answer, err := c.send(ctx, method, path, body, func(s *Stream) (err error) {
		data, err = io.ReadAll(io.LimitReader(s, maxPlain+1))
		if err == nil && len(data) > maxPlain {
			err = errTooLarge
		}
		return s.fault(err)
	})
	if err != nil {
		return nil, err
	}
	answer.Data = data
	return answer, nil
}

// send sends one request and has read read the answer, if its status is 2xx and it is not a page.
func (c *Caller) send(ctx context.Context, method, path string, body *Body, read func(*Stream) error) (*Answer, error) {
	var failed error // of reading
	var head []byte  // of a failure
	session := &fetch.Session{Method: method, Authorize: c.Authorize, Read: func(r *fetch.Response, in *fetch.SessionBody) error {
		failed = c.read(r.Status, in, read)
		return failed
	}, Failed: func(h []byte) { head = h }}
	if body != nil {
		session.ContentType, session.Body = body.Type, body.Data
	}
	response, err := c.client.Do(ctx, fetch.Request{URL: c.base.String() + path, Accept: "*/*", Session: session})
	if !response.StartedAt.IsZero() {
		sync.TrafficOf(ctx).Add(int(response.Bytes))
	}
	var fault *fetch.Error
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(failed, errEnough):
	case failed != nil:
		return nil, failed
	case errors.As(err, &fault):
		return nil, c.fault(fault, head)
	}
	return &Answer{Status: response.Status, Date: response.Date}, nil
}

// read reads the body of a success.
func (c *Caller) read(status int, body *fetch.SessionBody, read func(*Stream) error) error {
	in := bufio.NewReader(body)
	if head, _ := in.Peek(512); isPage(head) {
		return &sync.Error{Code: sync.NoAPI, Host: c.base.Host, Status: status, Err: errPage}
	}
	return read(c.newStream(in, status, body.Hold))
}

var errPage = errors.New("a page") // of a login before the server, or of the network

// isPage recognizes a page for people by how it starts. Its type says nothing: FreshRSS calls everything text/html.
func isPage(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(head, " \r\n\t\ufeff"), []byte("<"))
}

// fault is what a failed request means for the account. The address in it has no path and query: some protocols carry tokens
// there. head is how the answer begins.
func (c *Caller) fault(failed *fetch.Error, head []byte) error {
	cause := *failed
	cause.URL = c.base.String()
	var redirect *fetch.NotFollowedError
	if errors.As(failed.Err, &redirect) && redirect.Permanent {
		to := url.URL{Scheme: redirect.To.Scheme, Host: redirect.To.Host}
		return &sync.Error{Code: sync.Moved, Host: c.base.Host, Status: failed.Status, To: to.String(), Err: &cause}
	}
	return &sync.Error{Code: codeOf(failed), Host: c.base.Host, Status: failed.Status, RetryAfter: failed.RetryAfter, Words: wordsIn(head), Err: &cause}
}

// wordsIn returns the words for people in the answer of a request that failed, as Miniflux gives them; "" if there are none.
func wordsIn(head []byte) string {
	var answer struct {
		Message string `json:"error_message"`
	}
	if json.Unmarshal(head, &answer) != nil {
		return ""
	}
	return sync.PlainWords(answer.Message)
}

func codeOf(failed *fetch.Error) sync.Code {
	switch failed.Code {
	case fetch.Auth:
		return sync.Refused
	case fetch.Busy, fetch.Waiting:
		return sync.Busy
	case fetch.ServerError:
		return sync.Faulty
	case fetch.Portal, fetch.RedirectLoop, fetch.BadAddress:
		return sync.NoAPI
	case fetch.ClientError, fetch.Gone, fetch.Protocol, fetch.Reset:
		return codeOfStatus(failed.Status)
	}
	switch {
	case failed.Certificate == "":
		return sync.Unreachable
	case failed.Changed:
		return sync.Changed
	}
	switch failed.Certificate {
	case fetch.Untrusted:
		return sync.Untrusted
	case fetch.Expired:
		return sync.Expired
	case fetch.OtherName:
		return sync.OtherName
	}
	return sync.Insecure
}

// codeOfStatus is the code of an answer that is of no use by its status, or, with a success, by its body.
func codeOfStatus(status int) sync.Code {
	switch {
	case status == 0:
		return sync.Unreachable
	case status < 300:
		return sync.Garbled
	case status == http.StatusForbidden:
		return sync.Refused
	case status < 400, status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return sync.NoAPI
	}
	return sync.Rejected
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

// NotAdded tells that a server did not add a feed, which it mostly could not fetch, from that it has failed: Miniflux answers both with
// 500, the former with words.
func NotAdded(err error) error {
	var e *sync.Error
	if errors.As(err, &e) && e.Words != "" && (e.Code == sync.Rejected || e.Status == http.StatusInternalServerError) {
		e.Code = sync.NotAdded
	}
	return err
}
