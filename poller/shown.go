package poller

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
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
	// pictureTime is how long a picture may take.
	pictureTime = 60 * time.Second
	// pictureLanes is how many pictures are asked of a group of hosts at once. Browsers ask for six.
	pictureLanes = 3
)

// Pictures returns what gets the pictures of an article of a feed while it is shown. Such requests do not wait for those
// of feeds, nor those for them; they keep to Retry-After, lead into this machine's network only for a feed that is there
// itself, and stand in the ledger beside the budget.
func (p *Poller) Pictures(feed int64) picture.Get {
	return func(ctx context.Context, address string) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, pictureTime)
		defer cancel()
		held := p.bodies.NewLease()
		defer held.Release()
		a, err := p.askShown(ctx, feed, Shown, fetch.Request{URL: address, Accept: pictureTypes, MaxBody: picture.MaxBody,
			Lane: pictureLane(address), Lease: held})
		switch {
		case err != nil:
			return nil, err
		case a.resp.Truncated:
			return nil, &imaging.Error{Code: imaging.FileTooLarge, Bytes: picture.MaxBody}
		}
		return a.resp.Body, nil
	}
}

// pictureTypes are the kinds that can be shown, for servers that have several.
const pictureTypes = "image/webp, image/png, image/jpeg, image/gif;q=0.9, image/svg+xml;q=0.8, image/*;q=0.3"

func pictureLane(address string) string {
	h := fnv.New32a()
	io.WriteString(h, address) //nolint:errcheck // a hash cannot fail
	return fmt.Sprintf(" picture %d", h.Sum32()%pictureLanes)
}

// Page gets the page of an article of a feed, for its full text: the body, what HTTP says it
// is, and the address that answered. It keeps to what Pictures keeps to. Errors: *fetch.Error, the
// context's.
func (p *Poller) Page(ctx context.Context, feed int64, address string) (body []byte, contentType, from string, err error) {
	ctx, cancel := context.WithTimeout(ctx, pictureTime)
	defer cancel()
	held := p.bodies.NewLease()
	defer held.Release()
	a, err := p.askShown(ctx, feed, Page, fetch.Request{URL: address, Accept: pageTypes, MaxBody: fulltext.MaxPage,
		Lane: " page", Lease: held})
	if err != nil {
		return nil, "", "", err
	}
	return a.resp.Body, a.resp.ContentType, cmp.Or(a.resp.URL, address), nil
}

// pageTypes are what an article can be found in.
const pageTypes = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"

// Progress is how much of a file has come. It may be looked at from any goroutine.
type Progress struct{ come, length atomic.Int64 }

// Bytes returns how many bytes have come, and how many will have, -1 if that is not known.
func (p *Progress) Bytes() (come, length int64) { return p.come.Load(), p.length.Load() }

// Download writes the file at an address that an article of a feed names to to, by the user's hand. Errors:
// *fetch.Error, the context's.
func (p *Poller) Download(ctx context.Context, feed int64, address string, to io.Writer, progress *Progress) error {
	progress.length.Store(-1)
	_, err := p.askShown(ctx, feed, Saved, fetch.Request{URL: address, Accept: "*/*", Lane: " file",
		Writer: to, Received: &progress.come, Length: &progress.length})
	return err
}

// askShown makes a request for the article shown and writes its line in the ledger.
func (p *Poller) askShown(ctx context.Context, feed int64, code Code, r fetch.Request) (*answer, error) {
	if err := p.hosts.restore(ctx); err != nil {
		return nil, err
	}
	r.ByUser = true
	f, err := p.store.Feeds.Get(ctx, feed)
	r.Local = err == nil && fetch.IsLocal(f.URL) // a starred article outlives its feed
	p.shown.begin()
	a := p.request(ctx, r)
	o := Outcome{Feed: feed, At: a.at, Reason: code, Why: code.Words() + ", from " + icons.Site(r.URL), Result: Stored,
		Status: a.resp.Status, Bytes: a.resp.Bytes, Took: a.resp.Took, asked: !a.resp.StartedAt.IsZero()}
	err = a.err
	if err == nil && a.portal {
		err = errors.New("a page of another site came, as where one has to sign in")
	}
	if err != nil {
		err = ofShown(err)
		o.Result, o.Said = None, Sentence(err)
		if noNetwork(a.err) {
			o.Result = Offline
		}
	}
	if lines := p.shown.end(o); len(lines) > 0 {
		if err := p.writeShown(context.WithoutCancel(ctx), lines); err != nil {
			p.logger.Error("ledger of what is shown", "err", err)
		}
	}
	return a, err
}

// ofShown says of a picture or file what fetch says of feeds.
func ofShown(err error) error {
	var fe *fetch.Error
	if !errors.As(err, &fe) {
		return err
	}
	switch {
	case fe.Code == fetch.LocalAddress, fe.Code == fetch.ResolvesLocally:
		return errors.New("it lies in this machine's network, where nothing is asked for a feed of the web")
	case fe.Status == http.StatusGone:
		return errors.New("it has been removed for good (410)")
	}
	return err
}

// shownLines are lines of the ledger that are written together when nothing is under way any more: an article may have
// dozens of pictures, and every commit is looked at by all that watch the store.
type shownLines struct {
	mu    sync.Mutex
	under int
	lines []Outcome
}

// enoughLines are written although others are under way.
const enoughLines = 32

func (s *shownLines) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.under++
}

// end adds a line if a server was asked, and returns those that are to be written now.
func (s *shownLines) end(o Outcome) (now []Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.under--
	if o.asked {
		s.lines = append(s.lines, o)
	}
	if s.under > 0 && len(s.lines) < enoughLines {
		return nil
	}
	now, s.lines = s.lines, nil
	return now
}

func (p *Poller) writeShown(ctx context.Context, lines []Outcome) error {
	version := 0
	err := p.store.Write(ctx, func(tx *sql.Tx) (err error) {
		for _, o := range lines {
			if err := o.write(ctx, tx); err != nil {
				return err
			}
		}
		version, err = p.hosts.write(ctx, tx)
		return err
	})
	if err == nil {
		p.hosts.committed(version)
	}
	return err
}
