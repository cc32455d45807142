package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/reader/parse"
)

const chapterSteps = `
CREATE TABLE chapters (
	id      INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
	address TEXT    NOT NULL, -- of the document that has them
	html    TEXT    NOT NULL DEFAULT '', -- sanitized; none until that was fetched, or if it has none
	at      INTEGER NOT NULL DEFAULT 0   -- when it was fetched
);
`

// storeChapters stores where the chapters of an article are. Those that were fetched from another address are forgotten.
func storeChapters(ctx context.Context, tx *sql.Tx, id int64, a parse.Article) error {
	if a.Chapters == "" {
		return nil
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO chapters (id, address) VALUES (?, ?)
		ON CONFLICT (id) DO UPDATE SET address = excluded.address, html = '', at = 0 WHERE address <> excluded.address`, id, a.Chapters)
	return err
}

// Chapters are those of an article, which a document of their own has.
type Chapters struct {
	Address string // of the document; "" if the article has none
	HTML    string // sanitized; "" until it was fetched, or if it has none
	Fetched bool
}

// Chapters returns the chapters of an article.
func (a Articles) Chapters(ctx context.Context, id int64) (c Chapters, err error) {
	var at int64
	err = a.db.read.QueryRowContext(ctx, "SELECT html, address, at FROM chapters WHERE id = ?", id).Scan(&c.HTML, &c.Address, &at)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return c, fmt.Errorf("load chapters: %w", classify(err))
	}
	c.Fetched = at != 0
	return c, nil
}

// SetChapters stores the chapters of an article that were fetched from an address, "" for none, unless they are elsewhere by now.
func SetChapters(ctx context.Context, tx *sql.Tx, id int64, address, html string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, "UPDATE chapters SET html = ?3, at = ?4 WHERE id = ?1 AND address = ?2", id, address, html, now.Unix()); err != nil {
		return fmt.Errorf("store chapters: %w", err)
	}
	return nil
}
