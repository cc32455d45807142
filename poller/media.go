package poller

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/icons"
	"kairos/reader/fulltext"
	"kairos/reader/imaging"
	"kairos/reader/picture"
)

const (
	// mediaTimeout is how long a picture or page may take.
	mediaTimeout = 60 * time.Second
	// pictureLanes is how many pictures are asked of a group of hosts at once. Browsers ask for six.
	pictureLanes = 3
)

// media makes the requests of an article that is shown: for its pictures, its page and its files. They do not wait for
// those of feeds, nor those for them; they keep to Retry-After, lead into this machine's network only for a feed that is
// there itself, and are in the ledger but not paid for by the budget.
type media struct {
	*env
	requests *requests
	hosts    *hosts
	memory   *fetch.MemoryBudget

	mu       sync.Mutex // guards what follows
	underWay int        // requests
	lines    []Outcome  // of the ledger, to be written together: an article may have dozens of pictures, and every commit wakes all that watch the store
}

// maxLines are written although other requests are under way.
const maxLines = 32

// pictures returns what gets the pictures of a feed's article.
func (m *media) pictures(feed int64) picture.Get {
	return func(ctx context.Context, address string) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, mediaTimeout)
		defer cancel()
		lease := m.memory.NewLease()
		defer lease.Release()
		a, err := m.get(ctx, feed, Picture, fetch.Request{URL: address, Accept: pictureTypes, MaxBody: picture.MaxBody,
			Lane: pictureLane(address), Lease: lease})
		switch {
		case err != nil:
			return nil, err
		case a.resp.Truncated:
			return nil, &imaging.Error{Code: imaging.FileTooLarge, Bytes: picture.MaxBody}
		}
		return a.resp.Body, nil
	}
}

// pictureTypes are the media types that can be shown, for servers that have several.
const pictureTypes = "image/webp, image/png, image/jpeg, image/gif;q=0.9, image/svg+xml;q=0.8, image/*;q=0.3"

func pictureLane(address string) string {
	h := fnv.New32a()
	io.WriteString(h, address) //nolint:errcheck // a hash cannot fail
	return fmt.Sprintf(" picture %d", h.Sum32()%pictureLanes)
}

// page gets the page of a feed's article: the body, its content type by HTTP, and the address that answered. Errors:
// *fetch.Error, fulltext.ErrNoArticle of a page that is too large to be read to its end, the context's.
func (m *media) page(ctx context.Context, feed int64, address string) (body []byte, contentType, from string, err error) {
	ctx, cancel := context.WithTimeout(ctx, mediaTimeout)
	defer cancel()
	lease := m.memory.NewLease()
	defer lease.Release()
	a, err := m.get(ctx, feed, Page, fetch.Request{URL: address, Accept: pageTypes, MaxBody: fulltext.MaxPage,
		Lane: " page", Lease: lease})
	if err != nil {
		return nil, "", "", err
	}
	if a.resp.Truncated {
		return nil, "", "", fmt.Errorf("%w: it is larger than %d bytes", fulltext.ErrNoArticle, fulltext.MaxPage)
	}
	return a.resp.Body, a.resp.ContentType, cmp.Or(a.resp.URL, address), nil
}

// pageTypes are the media types that an article can be found in.
const pageTypes = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"

// Progress is how much of a file has been received. It may be read from any goroutine.
type Progress struct{ received, length atomic.Int64 }

// Bytes returns how many bytes were received, and how many there are, -1 if that is not known.
func (p *Progress) Bytes() (received, length int64) { return p.received.Load(), p.length.Load() }

// download writes the file at an address that a feed's article names. Errors: *fetch.Error, the context's.
func (m *media) download(ctx context.Context, feed int64, code Code, address string, to io.Writer, progress *Progress) error {
	progress.length.Store(-1)
	_, err := m.get(ctx, feed, code, fetch.Request{URL: address, Accept: "*/*", Lane: " file",
		Writer: to, Received: &progress.received, Length: &progress.length})
	return err
}

// get makes a request and writes its line in the ledger.
func (m *media) get(ctx context.Context, feed int64, code Code, r fetch.Request) (*answer, error) {
	if err := m.hosts.restore(ctx); err != nil {
		return nil, err
	}
	r.ByUser = code != Prepare && code != Episode
	f, err := m.store.Feeds.Get(ctx, feed)
	r.Local = err == nil && fetch.IsLocal(f.URL) // a starred article outlives its feed
	m.begin()
	a := m.requests.do(ctx, r)
	o := Outcome{Feed: feed, At: a.at, Reason: code, Cause: Cause{Site: icons.Site(r.URL)}, Result: Stored,
		Status: a.resp.Status, Bytes: a.resp.Bytes, Took: a.resp.Took, asked: a.wasAsked()}
	err = a.err
	if err == nil && a.portal {
		err = icons.ErrOtherSite
	}
	if err != nil {
		o.Result, o.Message = None, messageOf(err)
		if noNetwork(a.err) {
			o.Result = Offline
		}
	}
	if err := m.write(context.WithoutCancel(ctx), m.end(o)); err != nil {
		m.logger.Error("ledger of media", "err", err)
	}
	return a, err
}

// begin counts a request.
func (m *media) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.underWay++
}

// end adds a request's line if a server was asked, and returns the lines to be written now.
func (m *media) end(o Outcome) (now []Outcome) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.underWay--
	if o.asked {
		m.lines = append(m.lines, o)
	}
	if m.underWay > 0 && len(m.lines) < maxLines {
		return nil
	}
	now, m.lines = m.lines, nil
	return now
}

func (m *media) write(ctx context.Context, lines []Outcome) error {
	if len(lines) == 0 {
		return nil
	}
	return m.hosts.commit(ctx, func(tx *sql.Tx) error {
		for _, o := range lines {
			if err := o.write(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
}
