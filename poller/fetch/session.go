package fetch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// Session makes a Request one of a session with a server that the user chose: it may change something there, and carries what
// proves who asks. So it differs from a request for a document of the web:
//
//   - A redirect is followed within the host only, never from TLS to plain HTTP, and not if it would turn a change into a
//     question, whose answer would pass for a confirmation.
//   - The server may be in the local network, whatever its name resolves to. Its connections serve no other request.
//   - It does not wait for other requests to the host, and a 429 that does not say how long blocks nothing: whoever holds the
//     session decides how many requests are under way, and backs off.
//   - The body of a success is read while it arrives, and may pause: the time of the whole request is its only limit.
type Session struct {
	Method      string
	ContentType string // of Body
	Body        []byte
	Authorize   func(*http.Request) // adds what proves who asks; may be nil

	// Read reads the body of a success; r has what is known by then. Its error makes one with Unwritable.
	Read func(r *Response, body *SessionBody) error

	// Failed is given how the body of an answer begins that is not a success: why, in the server's words. It may be nil.
	Failed func(head []byte)
}

// maxFailed is how many bytes Failed is given at most.
const maxFailed = 4 << 10

// tellFailed hands the beginning of a body over to Failed.
func (s *Session) tellFailed(h http.Header, wire io.Reader) {
	plain, done, err := openSession(h, wire)
	if err != nil {
		return
	}
	defer done()
	head, _ := io.ReadAll(io.LimitReader(plain, maxFailed)) // it may be cut off
	s.Failed(head)
}

// prepare makes a request one of the session.
func (s *Session) prepare(req *http.Request) {
	req.Method = s.Method
	req.Header["Accept-Encoding"] = []string{"gzip"}
	if s.Body != nil {
		req.Header["Content-Type"] = []string{s.ContentType}
		req.ContentLength = int64(len(s.Body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(s.Body)), nil }
		req.Body, _ = req.GetBody()
	}
	if s.Authorize != nil {
		s.Authorize(req)
	}
}

// follows reports whether an answer to a request of the session leads on to next.
func (s *Session) follows(status int, origin, next *url.URL) bool {
	keepsMethod := status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect || s.Method == http.MethodGet
	return keepsMethod && sameServer(origin, next)
}

// NotFollowedError is the cause of an Error: a redirect that a session does not follow.
type NotFollowedError struct {
	To        *url.URL
	Permanent bool
}

// Error is for logs.
func (e *NotFollowedError) Error() string { return "a redirect to " + e.To.Host }

// sameServer reports whether what the user entrusts to one address may be sent to another.
func sameServer(origin, u *url.URL) bool {
	return hostOf(origin) == hostOf(u) && !isDowngrade(origin, u)
}

// SessionBody is the body of an answer, decoded. Errors of Read are *Error.
type SessionBody struct {
	plain    io.Reader
	classify func(error) *Error
	hold     func(bytes int64) error
}

// Read implements io.Reader.
func (b *SessionBody) Read(p []byte) (int, error) {
	n, err := b.plain.Read(p)
	if err != nil && err != io.EOF {
		err = b.classify(err)
	}
	return n, err
}

// Hold takes so many bytes in all from the memory that all bodies share, for what is kept of this one until it has been read.
// It waits for others to give theirs back. Errors: ErrNoRoom, the context's.
func (b *SessionBody) Hold(bytes int64) error { return b.hold(bytes) }

// readSession lets the session read the body of a success.
func (x *exchange) readSession(ctx, timedCtx context.Context, cancel context.CancelCauseFunc, u *url.URL, res *http.Response) *Error {
	x.c.hosts.resetBackOff(hostOf(u))
	lease := x.c.memory.NewLease()
	defer lease.Release()
	lease.begin(func() { cancel(ErrNoRoom) })
	counter := &byteCounter{r: res.Body, also: x.r.Received}
	defer func() { x.resp.Bytes += counter.n.Load() }()
	classify := func(err error) *Error { return x.classify(ctx, timedCtx, u, err) }
	plain, done, err := openSession(res.Header, counter)
	if err != nil {
		return classify(err)
	}
	defer done()
	err = x.r.Session.Read(x.resp, &SessionBody{plain, classify, func(bytes int64) error { return lease.hold(timedCtx, bytes) }})
	var fail *Error
	if err == nil || errors.As(err, &fail) {
		return fail
	}
	fail = x.statusError(Unwritable, u, res)
	fail.Err = err
	return fail
}

// openSession returns a decoder for a body that is decoded while it arrives. Sessions accept gzip only, as the windows of other
// codings take megabytes.
func openSession(h http.Header, wire io.Reader) (plain io.Reader, done func(), err error) {
	connection := &wireReader{r: wire}
	in := readers.Get().(*bufio.Reader)
	in.Reset(connection)
	release := func() { in.Reset(nil); readers.Put(in) }
	head, _ := in.Peek(len(gzipMagic))
	switch coding := contentCoding(h); {
	case bytes.HasPrefix(head, gzipMagic):
	case coding == "" || coding == "identity" || coding == "gzip" || coding == "x-gzip":
		return in, release, nil
	default:
		release()
		return nil, nil, codingError{fmt.Errorf("content coding %q was not asked for", coding)}
	}
	z, close, err := openGzip(in)
	if err != nil {
		release()
		return nil, nil, codingError{err}
	}
	return &decodingReader{z, connection}, func() { close(true); release() }, nil
}
