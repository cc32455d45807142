package poller

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/url"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/parse"
)

// ask makes the request, or opens the file.
func (p *Poller) ask(ctx context.Context, j job, s *State) *answer {
	if path, ok := strings.CutPrefix(j.feed.URL, "file:"); ok {
		return p.open(path)
	}
	r := fetch.Request{URL: j.feed.URL, Local: fetch.IsLocal(j.feed.URL), Validators: s.validators, ValidatorsURL: s.answered, ByUser: j.code == Manual || j.code == First,
		Lease: p.bodies.NewLease(), Received: &j.transfer.Bytes}
	if j.feed.Login {
		var err error
		if r.User, r.Password, err = p.secrets(ctx, j.feed.ID); err != nil {
			return &answer{resp: &fetch.Response{}, err: err, at: p.now()}
		}
	}
	a := p.request(ctx, r)
	a.held = r.Lease
	return a
}

// request makes a request and notes what it says of the network.
func (p *Poller) request(ctx context.Context, r fetch.Request) *answer {
	a := &answer{}
	a.resp, a.err = p.client.Do(ctx, r)
	if a.at = a.resp.StartedAt; a.at.IsZero() {
		a.at = p.now()
	}
	a.portal = a.err == nil && led(r.URL, a.resp)
	var fe *fetch.Error
	if a.resp.Status == 0 || a.portal || errors.As(a.err, &fe) && fe.BlamesMachine() {
		return a
	}
	if p.network.answered(r.URL, a.at) {
		p.say(a.at, "the network is back")
		p.signals.networkBack()
	}
	return a
}

// led reports whether an answer to a request without encryption is a page of another
// site, as a captive portal's is (RFC 8952 §2).
func led(address string, resp *fetch.Response) bool {
	return strings.HasPrefix(address, "http:") && resp.MovedTo == "" && strings.HasPrefix(resp.ContentType, "text/html") &&
		groupOf(resp.URL) != groupOf(address)
}

// open reads a local file as if it were an answer.
func (p *Poller) open(path string) *answer {
	a := &answer{resp: &fetch.Response{}, at: p.now()}
	a.resp.Body, a.resp.Truncated, a.err = readFile(path)
	a.resp.Bytes = int64(len(a.resp.Body))
	return a
}

// readFile reads as much of a file as would be read of an answer.
func readFile(path string) (body []byte, truncated bool, err error) {
	name, err := filePath(path)
	if err != nil {
		return nil, false, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, false, fmt.Errorf("the file cannot be read: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, false, fmt.Errorf("%s is not a file", name) // a pipe would never end
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, false, fmt.Errorf("the file cannot be read: %w", err)
	}
	defer f.Close()
	body, err = io.ReadAll(io.LimitReader(f, fetch.MaxBody+1))
	if err != nil {
		return nil, false, fmt.Errorf("the file cannot be read: %w", err)
	}
	if len(body) > fetch.MaxBody {
		return body[:fetch.MaxBody], true, nil
	}
	return body, false, nil
}

// filePath is the local path of a file: address without its scheme.
func filePath(rest string) (string, error) {
	u, err := url.Parse("file:" + rest)
	if err != nil {
		return "", fmt.Errorf("%q is not the address of a file: %w", "file:"+rest, err)
	}
	if u.Host != "" && u.Host != "localhost" {
		return "", fmt.Errorf("%q lies on another machine", u.String())
	}
	return u.Path, nil
}

// errSame says that an answer is the one we have.
var errSame = errors.New("unchanged")

// partial reports whether an answer broke off but brought something.
func (a *answer) partial() bool {
	return a.err != nil && a.resp.Truncated && len(a.resp.Body) > 0
}

// parser is parse.Parse.
type parser func(ctx context.Context, body []byte, o parse.Options) (*parse.Feed, error)

// feed turns an answer into a feed; errSame if there is nothing new in it, as its digest is
// the one we have. The body is not kept.
func (a *answer) feed(ctx context.Context, digest int64, read parser) (*parse.Feed, error) {
	if a.err != nil && !a.partial() {
		return nil, a.err
	}
	if a.resp.NotModified {
		return nil, errSame
	}
	a.digest = bodyDigest(a.resp.Body)
	if a.err == nil && digest == a.digest {
		return nil, errSame
	}
	partial, body := a.partial(), a.resp.Body
	a.resp.Body = nil
	feed, err := read(ctx, body, parse.Options{
		URL: a.resp.URL, ContentType: a.resp.ContentType, Now: a.at, Truncated: a.resp.Truncated,
	})
	a.held.Release()
	if err != nil && partial {
		return nil, a.err
	}
	return feed, err
}

// bodyDigest tells bodies apart; it is never 0.
func bodyDigest(body []byte) int64 {
	h := fnv.New64a()
	h.Write(body) //nolint:errcheck // a hash cannot fail
	return int64(h.Sum64()) | 1
}

// Sentence says an error to people.
func Sentence(err error) string {
	var fe *fetch.Error
	if errors.As(err, &fe) {
		return fe.Sentence()
	}
	if fault := reader.FileError(err); fault != nil {
		err = fault
	}
	text := err.Error()
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	text = string(unicode.ToUpper(first)) + text[size:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
