package home

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"kairos/poller"
	"kairos/poller/preparer"
	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/fulltext"
)

// ErrNoLink is returned for articles without a link, which have no page.
var ErrNoLink = errors.New("the article has no link")

// FullText gets the text of articles from their pages.
type FullText struct {
	store    *reader.Store
	poller   *poller.Poller
	preparer *preparer.Preparer
	now      func() time.Time
}

// Get returns the text of an article from its page as safe HTML: the stored text, or else that of
// the page, which is then stored. Errors: ErrNoLink, fulltext.ErrNoArticle, *fetch.Error.
func (t *FullText) Get(ctx context.Context, a reader.Article) (string, error) {
	t.preparer.WaitForPage(ctx, a.ID)
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
