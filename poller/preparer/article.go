package preparer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/fulltext"
	"kairos/reader/picture"
)

// PageResult is what came of the page of an article.
type PageResult int

// The results. They are stored.
const (
	NotWanted PageResult = iota
	Extracted            // its text is stored
	Refused              // the server did not give it
	NoArticle            // no article is in it, or less than the feed has: it may need a browser, a login or a click on a banner
)

const (
	// maxPictures is the most pictures of an article that are brought before it is read.
	maxPictures = 20
	// maxTaken is how many the user can ask for.
	maxTaken = 200
	// maxPicture is the largest picture that is brought before it is read, in bytes.
	maxPicture = 8 << 20
)

// result is what came of preparing an article.
type result struct {
	Page     PageResult
	Pictures int // that are there
	Missing  int // that could not be had
	Bytes    int64
	TextSize int64 // bytes of the text that was stored
	Cause    Cause // why it is not whole
	NoPage   bool  // the text of its page is not there, which is wanted

	unanswered error // why a request got no answer; nil: all did
}

// incomplete is what is noted of an article that was tried at a time.
func (r *result) incomplete(now time.Time) reader.Incomplete {
	return reader.Incomplete{Why: r.Cause.String(), Page: r.NoPage, At: now}
}

// prepare brings what an article lacks. byUser says that the user waits for it. The error is one of this machine or the context's:
// what a server refuses is in the result.
func (p *Preparer) prepare(ctx context.Context, one item, byUser bool) (r result, err error) {
	r.note(one.lacks)
	if one.wants {
		if err := p.page(ctx, one, byUser, &r); err != nil {
			return r, err
		}
	}
	r.NoPage = r.Cause != Nothing
	body, err := p.body(ctx, one.ID)
	if err != nil {
		return r, err
	}
	var files []string
	if one.pictures {
		if files, err = p.pictures(ctx, one.Feed, PicturesOf(body), byUser, &r); err != nil {
			return r, err
		}
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if byUser && r.unanswered != nil {
		return r, p.store.noteIncomplete(context.WithoutCancel(ctx), one.ID, r.incomplete(p.o.Now()))
	}
	return r, p.store.noteDone(context.WithoutCancel(ctx), one, r, files, p.o.Now())
}

// body returns an article as it is shown, with the pictures that fit.
func (p *Preparer) body(ctx context.Context, id int64) (content.Document, error) {
	html, err := p.shown(ctx, id)
	if err != nil {
		return content.Document{}, err
	}
	column, err := p.o.Column(ctx)
	if err != nil {
		return content.Document{}, err
	}
	body := content.Parse(html)
	body.FitPictures(column, p.o.Album.Cache().Has, true)
	return body, nil
}

// isThere reports whether a picture needs no request.
func (p *Preparer) isThere(address string) bool {
	return strings.HasPrefix(address, "data:") || p.o.Album.Cache().Has(address)
}

// shown returns the text that an article is shown with.
func (p *Preparer) shown(ctx context.Context, id int64) (string, error) {
	html, _, err := p.o.Store.Articles.ShownFullText(ctx, id)
	if err == nil && html == "" {
		html, _, err = p.o.Store.Articles.Body(ctx, id)
		if errors.Is(err, reader.ErrUnknown) {
			err = nil // it was deleted meanwhile
		}
	}
	return html, err
}

// page requests the page of an article and stores its text.
func (p *Preparer) page(ctx context.Context, one item, byUser bool, r *result) error {
	done := p.begin(one.ID)
	if done == nil {
		return nil // somebody does already
	}
	defer p.end(one.ID, done)
	if cause, err := p.leavesAlone(ctx, one); err != nil || cause != Nothing {
		r.note(cause)
		return err
	}
	var a Response
	p.o.InTurn(ctx, one.Feed, one.Link, byUser, func(get func(fetch.Request) Response) {
		a = get(fetch.Request{URL: one.Link, Accept: pageTypes, MaxBody: fulltext.MaxPage})
	})
	r.Bytes += a.Bytes
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if a.Err != nil {
		switch {
		case noNetwork(a.Err):
			return a.Err
		case a.Status == 0:
			if r.note(causeOfFailure(a.Err, 0)); r.Cause == NoAnswer {
				r.unanswered = a.Err // it may be asked for another time
			}
			return nil
		}
		r.Page = Refused
		r.note(RefusedByServer)
		if err := p.refused(ctx, a); err != nil {
			return err
		}
		return p.store.notePage(context.WithoutCancel(ctx), one, *r, a.Bytes, p.o.Now(), nil)
	}
	own, _, err := p.o.Store.Articles.Body(ctx, one.ID)
	if err != nil && !errors.Is(err, reader.ErrUnknown) {
		return err
	}
	html, err := "", fulltext.ErrNoArticle
	if !a.Truncated { // else it would end in the middle
		html, err = fulltext.Extract(a.Body, a.ContentType, content.Origin{Base: a.URL, Local: content.IsLocal(a.URL)})
	}
	if err == nil && !fulltext.IsBetter(html, own) {
		err = fulltext.ErrNoArticle
	}
	if err != nil {
		r.Page = NoArticle
		if r.note(NeedsBrowser); a.Truncated {
			r.Cause = TooLarge
		}
		return p.store.notePage(context.WithoutCancel(ctx), one, *r, a.Bytes, p.o.Now(), nil)
	}
	return p.storeText(context.WithoutCancel(ctx), one, r, a.Bytes, html)
}

// leavesAlone tells why the page of an article is not asked for now: its host has refused, or others of the feed held nothing.
func (p *Preparer) leavesAlone(ctx context.Context, one item) (Cause, error) {
	stopped, err := p.store.isStopped(ctx, fetch.Host(one.Link), p.o.Now())
	if err != nil || stopped {
		return RefusedByServer, err
	}
	f, err := p.feed(ctx, one.Feed)
	if f.needsBrowser() {
		return NeedsBrowser, err
	}
	return Nothing, err
}

// pageTypes are the media types that an article can be found in.
const pageTypes = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"

// pictureTypes are the media types that can be shown, for servers that have several.
const pictureTypes = "image/webp, image/png, image/jpeg, image/gif;q=0.9, image/svg+xml;q=0.8, image/*;q=0.3"

// refused notes that a server refused a request, so that its host is left alone for a while.
func (p *Preparer) refused(ctx context.Context, a Response) error {
	var fe *fetch.Error
	if !errors.As(a.Err, &fe) || fe.Code == fetch.Waiting {
		return nil
	}
	if fe.Status != http.StatusForbidden && fe.Status != http.StatusTooManyRequests {
		return nil
	}
	return p.store.stop(context.WithoutCancel(ctx), fe.Host, p.o.Now().Add(refusedFor))
}

// PicturesOf returns the addresses of the pictures of a document, in their order.
func PicturesOf(d content.Document) (addresses []string) {
	seen := map[string]bool{}
	for _, b := range d.Blocks {
		if b.Kind == content.Picture && b.Image.URL != "" && !seen[b.Image.URL] {
			seen[b.Image.URL] = true
			addresses = append(addresses, b.Image.URL)
		}
	}
	return addresses
}

// pictures requests pictures that are not there and returns the names of the files of those that are.
func (p *Preparer) pictures(ctx context.Context, feed int64, addresses []string, byUser bool, r *result) (files []string, err error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	most := maxPictures
	if byUser {
		most = maxTaken
	}
	for _, address := range addresses[:min(len(addresses), most)] {
		if strings.HasPrefix(address, "data:") {
			continue
		}
		all.Go(func() {
			bytes, failure := p.picture(ctx, feed, address, byUser)
			mu.Lock()
			defer mu.Unlock()
			var missing *missingError
			switch {
			case failure == nil:
				r.Pictures++
				r.Bytes += bytes // not those of answers that are no pictures
				files = append(files, picture.FileName(address))
			case errors.As(failure, &missing):
				r.Missing++
				r.note(missing.cause)
				if missing.cause == NoAnswer {
					r.unanswered = missing.error
				}
			case byUser && errors.Is(failure, picture.ErrCacheFull):
				r.Missing++
				r.note(NoRoom)
			case err == nil:
				err = failure
			}
		})
	}
	all.Wait()
	return files, err
}

func (p *Preparer) picture(ctx context.Context, feed int64, address string, byUser bool) (bytes int64, err error) {
	if p.o.Album.Cache().Has(address) {
		return 0, nil
	}
	if err := p.knownFailure(ctx, address, byUser); err != nil {
		return 0, err
	}
	// It is for the album to load only when its turn has come: who looks at the article meanwhile has the picture at once.
	p.o.InTurn(ctx, feed, address, byUser, func(get func(fetch.Request) Response) {
		if err = p.knownFailure(ctx, address, byUser); err != nil { // by what another article has found out
			return
		}
		_, err = p.o.Album.Store(ctx, address, func(ctx context.Context, address string) ([]byte, error) {
			a := get(fetch.Request{URL: address, Accept: pictureTypes, MaxBody: maxPicture})
			bytes = a.Bytes
			return a.Body, p.pictureFailure(ctx, a)
		})
		var absent *missingError
		if errors.As(err, &absent) && !absent.cause.passes() {
			p.missing.note(address, absent.cause, p.o.Now())
		}
	})
	if err == nil && bytes > 0 {
		err = p.store.notePicture(context.WithoutCancel(ctx), feed, bytes)
	}
	return bytes, err
}

// knownFailure returns why a picture is not asked for: its server gives none, or has said lately that there is none.
func (p *Preparer) knownFailure(ctx context.Context, address string, byUser bool) error {
	stopped, err := p.store.isStopped(ctx, fetch.Host(address), p.o.Now())
	if err != nil {
		return err
	}
	if stopped {
		return &missingError{cause: RefusedByServer}
	}
	within := refusedFor
	if byUser {
		within = missingFor
	}
	if cause := p.missing.cause(address, p.o.Now(), within); cause != Nothing {
		return &missingError{cause: cause}
	}
	return nil
}

// pictureFailure returns why an answer is no picture to prepare, nil if it is one.
func (p *Preparer) pictureFailure(ctx context.Context, a Response) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case a.Err != nil:
		if noNetwork(a.Err) {
			return a.Err
		}
		missing := &missingError{causeOfFailure(a.Err, a.Status), a.Err}
		return cmp.Or(p.refused(ctx, a), error(missing))
	case a.Truncated: // but who looks at the article may want it
		return &missingError{TooLarge, fmt.Errorf("it is larger than %d bytes: %w", maxPicture, picture.ErrNotCached)}
	case len(a.Body) == 0:
		return &missingError{cause: NoPictures}
	}
	return nil
}

// begin notes that the page of an article is being requested; nil if it is already.
func (p *Preparer) begin(id int64) chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pages[id] != nil {
		return nil
	}
	done := make(chan struct{})
	p.pages[id] = done
	return done
}

func (p *Preparer) end(id int64, done chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pages, id)
	close(done)
}

// WaitForPage waits until the page of an article is not being requested any more, or the context ends.
func (p *Preparer) WaitForPage(ctx context.Context, id int64) {
	p.mu.Lock()
	done := p.pages[id]
	p.mu.Unlock()
	if done == nil {
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}
