package home

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/fulltext"
)

// ErrNoLink is returned for articles without a link, which have no page.
var ErrNoLink = errors.New("the article has no link")

// FullText gets the text of articles from their pages.
type FullText struct {
	store  *reader.Store
	poller *poller.Poller
	now    func() time.Time
	logger *slog.Logger
}

// Get returns the text of an article from its page as safe HTML: the stored text, or else that of
// the page, which is then stored. Errors: ErrNoLink, fulltext.ErrNoArticle, *fetch.Error.
func (t *FullText) Get(ctx context.Context, a reader.Article) (string, error) {
	if html, err := t.store.Articles.FullText(ctx, a.ID); err != nil || html != "" {
		return html, err
	}
	if a.Link == "" {
		return "", ErrNoLink
	}
	body, contentType, from, err := t.poller.Page(ctx, a.Feed, a.Link)
	if err != nil {
		return "", err
	}
	html, err := fulltext.Extract(body, contentType, content.Origin{Base: from, Local: content.IsLocal(from)})
	if err != nil {
		return "", err
	}
	return html, t.store.Write(ctx, func(tx *sql.Tx) error {
		return reader.StoreFullText(ctx, tx, a.ID, html, t.now())
	})
}

// Show notes whether an article is shown with the text of its page or with that of the feed.
func (t *FullText) Show(ctx context.Context, id int64, full bool) error {
	return t.store.Write(ctx, func(tx *sql.Tx) error { return reader.ShowFullText(ctx, tx, id, full) })
}

// maxPages is the most pages that are fetched after one fetch of a feed with full text.
const maxPages = 20

// maxQueuedFeeds is the most feeds that wait for their pages.
const maxQueuedFeeds = 256

// run fetches the pages of new articles of feeds with full text, one at a time, until ctx ends. In
// battery saver a page is fetched when its article is shown.
func (t *FullText) run(ctx context.Context) {
	type source struct{ feed, account int64 } // account is not 0 after a synchronization, which does not tell of feeds
	feeds := make(chan source, maxQueuedFeeds)
	stop := t.poller.OnOutcome(func(o poller.Outcome) {
		if o.New == 0 {
			return
		}
		select {
		case feeds <- source{o.Feed, o.Account}:
		default: // its pages are fetched when their articles are shown
		}
	})
	defer stop()
	for {
		select {
		case <-ctx.Done():
			return
		case from := <-feeds:
			ids, err := []int64{from.feed}, error(nil)
			if from.account != 0 {
				ids, err = t.feedsOf(ctx, from.account)
			}
			for _, feed := range ids {
				err = errors.Join(err, t.fetchPages(ctx, feed))
			}
			if err != nil && ctx.Err() == nil {
				t.logger.Info("full text", "feed", from.feed, "err", err)
			}
		}
	}
}

// feedsOf returns the feeds of an account whose full text is wanted.
func (t *FullText) feedsOf(ctx context.Context, account int64) (ids []int64, err error) {
	feeds, err := t.store.Feeds.List(ctx)
	for _, f := range feeds {
		if f.Account == account && f.FullText {
			ids = append(ids, f.ID)
		}
	}
	return ids, err
}

// fetchPages fetches the pages of a feed's new articles.
func (t *FullText) fetchPages(ctx context.Context, feed int64) error {
	f, err := t.store.Feeds.Get(ctx, feed)
	if err != nil || !f.FullText {
		return err
	}
	if b, err := t.poller.Budget(ctx); err != nil || b.Saving() {
		return err
	}
	ids, err := t.store.Articles.WithoutFullText(ctx, feed, maxPages)
	if err != nil {
		return err
	}
	rows, err := t.store.Articles.Load(ctx, ids)
	if err != nil {
		return err
	}
	for _, a := range rows {
		var gone *fetch.Error
		if _, err := t.Get(ctx, a); errors.As(err, &gone) || ctx.Err() != nil {
			return err // the next page would meet the same error
		}
		select {
		case <-time.After(pagePause):
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// pagePause is the least time between two pages that are not being shown.
var pagePause = 2 * time.Second
