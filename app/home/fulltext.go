package home

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/fulltext"
)

// ErrNoLink says that there is no page to look for the full text in.
var ErrNoLink = errors.New("this article names no page")

// FullText returns the text of an article as its page has it, as safe HTML: what is
// stored, else what the page has, which is then stored. Errors: ErrNoLink, fulltext.ErrNoArticle,
// *fetch.Error.
func (h *Home) FullText(ctx context.Context, a reader.Article) (string, error) {
	if html, err := h.Store.Articles.FullText(ctx, a.ID); err != nil || html != "" {
		return html, err
	}
	if a.Link == "" {
		return "", ErrNoLink
	}
	body, contentType, from, err := h.Poller.Page(ctx, a.Feed, a.Link)
	if err != nil {
		return "", err
	}
	html, err := fulltext.Extract(body, contentType, content.Origin{Base: from, Local: content.IsLocal(from)})
	if err != nil {
		return "", err
	}
	return html, h.Store.Write(ctx, func(tx *sql.Tx) error {
		return reader.StoreFullText(ctx, tx, a.ID, html, h.Now())
	})
}

// maxPages is how many pages are asked for after one fetch of a feed whose articles are
// always wanted whole.
const maxPages = 20

// pagesAtOnce bounds how many feeds wait for their pages.
const pagesAtOnce = 256

// fetchPages fetches the pages of new articles of feeds that are always wanted whole, one after the
// other, until ctx ends. While fetches are to be saved the page comes when the article is shown.
func (h *Home) fetchPages(ctx context.Context) {
	feeds := make(chan int64, pagesAtOnce)
	stop := h.Poller.OnOutcome(func(o poller.Outcome) {
		if o.New == 0 {
			return
		}
		select {
		case feeds <- o.Feed:
		default: // its pages come when they are shown
		}
	})
	defer stop()
	for {
		select {
		case <-ctx.Done():
			return
		case feed := <-feeds:
			if err := h.pagesOf(ctx, feed); err != nil && ctx.Err() == nil {
				h.logger.Info("full text", "feed", feed, "err", err)
			}
		}
	}
}

func (h *Home) pagesOf(ctx context.Context, feed int64) error {
	f, err := h.Store.Feeds.Get(ctx, feed)
	if err != nil || !f.FullText {
		return err
	}
	if b, err := h.Poller.Budget(ctx); err != nil || b.Saving() {
		return err
	}
	ids, err := h.Store.Articles.WithoutFullText(ctx, feed, maxPages)
	if err != nil {
		return err
	}
	rows, err := h.Store.Articles.Load(ctx, ids)
	if err != nil {
		return err
	}
	for _, a := range rows {
		var gone *fetch.Error
		if _, err := h.FullText(ctx, a); errors.As(err, &gone) || ctx.Err() != nil {
			return err // what one page has met the next would meet too
		}
		select {
		case <-time.After(pagePause):
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// pagePause is the least between two pages nobody waits for.
var pagePause = 2 * time.Second
