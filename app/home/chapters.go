package home

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"kairos/poller"
	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/parse"
)

// Chapters gets the chapters of episodes that are in a document of their own.
type Chapters struct {
	store  *reader.Store
	poller *poller.Poller
	now    func() time.Time
}

// Get fetches the chapters of an article from their address and stores them. It reports whether there are any. Errors: *fetch.Error.
func (c *Chapters) Get(ctx context.Context, a reader.Article, address string) (found bool, err error) {
	body, _, from, err := c.poller.Page(ctx, a.Feed, address)
	if err != nil {
		return false, err
	}
	html, err := parse.ReadChapters(body, content.Origin{Base: from, Local: content.IsLocal(from)})
	if err != nil && !errors.Is(err, parse.ErrNoChapters) {
		return false, err
	}
	return html != "", c.store.Write(ctx, func(tx *sql.Tx) error {
		return reader.SetChapters(ctx, tx, a.ID, address, html, c.now())
	})
}
