package imports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"

	"kairos/reader/opml"
)

// entry is an article of an export in which each names its feed.
type entry struct {
	Article
	feed       opml.Outline // Title is HTML
	subscribed bool
}

// entries hands on the entries of an export, one after the other.
type entries func(ctx context.Context, yield func(entry) error) error

// readEntries reads an export twice: once for its feeds and counts, and then for the articles. Articles that name no feed belong
// to one of their site, to which nobody is subscribed.
func (s *file) readEntries(ctx context.Context, all entries) error {
	err := all(ctx, func(e entry) error {
		s.count(&e.Article)
		if id := s.feedOf(&e); id != "" {
			if _, known := s.index[id]; !known {
				s.addFeed(id, e.feed, e.subscribed)
			} else if e.subscribed {
				s.Feeds[s.index[id]].Subscribed = true
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.countFeeds()
	problems := s.Problems
	s.articles = func(ctx context.Context, yield func(Article) error) error {
		s.Problems = nil // those of the first time are met again
		err := all(ctx, func(e entry) error {
			e.Feed = s.feedOf(&e)
			e.Item.HTML = s.body(e.Item.HTML)
			return yield(e.Article)
		})
		if err != nil {
			s.Problems = problems
		}
		return err
	}
	return nil
}

// count adds an article to the source's own counts.
func (s *Source) count(a *Article) {
	s.Counts.Articles++
	if a.Read {
		s.Counts.Read++
	}
	if a.Starred {
		s.Counts.Starred++
	}
	s.Counts.Labels += len(a.Labels)
}

// feedOf returns the ID of the feed of an entry.
func (s *file) feedOf(e *entry) string {
	if e.feed.URL == "" {
		site, err := url.Parse(e.Item.Link)
		if err != nil || site.Host == "" || site.Scheme != "http" && site.Scheme != "https" {
			return ""
		}
		e.feed = opml.Outline{URL: site.Scheme + "://" + site.Host + "/", Title: plain(site.Host)}
	}
	return s.feedAt(e.feed.URL)
}

// maxEntry is the largest entry of an export, in bytes. Tests make it smaller.
var maxEntry int64 = 2 * MaxText

// errTooLong says that one entry is larger than any article.
var errTooLong = errors.New("larger than any article")

// meter fails once more than maxEntry was read since it was reset: a JSON decoder holds a value as a whole.
type meter struct {
	r    io.Reader
	read int64
}

func (m *meter) Read(p []byte) (int, error) {
	if m.read > maxEntry {
		return 0, errTooLong
	}
	n, err := m.r.Read(p)
	m.read += int64(n)
	return n, err
}

// jsonObjects reads a JSON document that is an object or an array. It calls head with each member of the object but those that
// are the lists, and item with each element of these or of the array. Elements are held one at a time.
func jsonObjects(ctx context.Context, r io.Reader, isList func(member string) bool, head func(member string, value json.RawMessage), item func(json.RawMessage) error) error {
	m := &meter{r: contextReader{ctx, r}}
	d := json.NewDecoder(m)
	start, err := d.Token()
	if err != nil {
		return err
	}
	switch start {
	case json.Delim('['):
		return jsonItems(d, m, item)
	case json.Delim('{'):
	default:
		return fmt.Errorf("neither an object nor a list at byte %d", d.InputOffset())
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		member, _ := name.(string)
		if !isList(member) {
			m.read = 0
			var value json.RawMessage
			if err := d.Decode(&value); err != nil {
				return err
			}
			head(member, value)
			continue
		}
		if start, err := d.Token(); err != nil {
			return err
		} else if start != json.Delim('[') {
			return fmt.Errorf("no list at byte %d", d.InputOffset())
		}
		if err := jsonItems(d, m, item); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

func jsonItems(d *json.Decoder, m *meter, item func(json.RawMessage) error) error {
	for d.More() {
		m.read = 0
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := item(value); err != nil {
			return itemError{err}
		}
	}
	_, err := d.Token()
	return err
}

// itemError is an error of whoever gets the items, not of the document.
type itemError struct{ error }

func (e itemError) Unwrap() error { return e.error }

// jsonFile reads the items of a JSON file. What is damaged or cut off is told as a problem; what stands before is read.
func (s *file) jsonFile(ctx context.Context, name string, open func() (io.ReadCloser, error), isList func(member string) bool, head func(member string, value json.RawMessage), item func(json.RawMessage) error) error {
	f, err := open()
	if err != nil {
		return &Error{Code: Damaged, File: name, Err: err}
	}
	defer f.Close()
	at, broken := 0, 0
	err = jsonObjects(ctx, f, isList, head, func(value json.RawMessage) error {
		at++
		err := item(value)
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			broken++
			return nil
		}
		return err
	})
	var of itemError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &of):
		return of.error
	case err != nil:
		s.note(damaged(name, fmt.Sprintf("after entry %d", at), err))
	case broken > 0:
		s.note(Problem{Code: DamagedPart, File: name, Place: fmt.Sprintf("%d entries", broken), Count: broken})
	}
	return nil
}

// openFile returns a function that opens a file.
func openFile(name string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return os.Open(name) }
}

func isItems(member string) bool { return member == "items" }

func noHead(string, json.RawMessage) {}
