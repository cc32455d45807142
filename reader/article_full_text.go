package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"
)

// fullTextSteps remember which of its texts an article is shown with, and let search find the words of both.
var fullTextSteps = `
ALTER TABLE full_text ADD COLUMN shown INTEGER NOT NULL DEFAULT 1; -- rather than the text of the feed
` + changeTrigger("full_text_stored", "INSERT ON full_text", "new") + `
INSERT OR IGNORE INTO search_waiting (id) SELECT id FROM full_text;
`

// FullText returns the text of an article as fetched from its page, as sanitized HTML; "" if it
// was not fetched.
func (a Articles) FullText(ctx context.Context, id int64) (html string, err error) {
	err = a.db.read.QueryRowContext(ctx, "SELECT html FROM full_text WHERE id = ?", id).Scan(&html)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("load full text: %w", classify(err))
	}
	return html, nil
}

// ShownFullText returns the text of an article's page if the article is shown with it rather than with that of the feed, else
// "". stored is whether the page was fetched.
func (a Articles) ShownFullText(ctx context.Context, id int64) (html string, stored bool, err error) {
	var shown bool
	err = a.db.read.QueryRowContext(ctx, "SELECT html, shown FROM full_text WHERE id = ?", id).Scan(&html, &shown)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", false, nil
	case err != nil:
		return "", false, fmt.Errorf("load full text: %w", classify(err))
	case !shown:
		return "", true, nil
	}
	return html, true, nil
}

// ShowFullText notes whether an article is shown with the text of its page, if that was fetched.
func ShowFullText(ctx context.Context, tx *sql.Tx, id int64, shown bool) error {
	if _, err := tx.ExecContext(ctx, "UPDATE full_text SET shown = ? WHERE id = ?", shown, id); err != nil {
		return fmt.Errorf("choose a text: %w", err)
	}
	return nil
}

// StoreFullText stores the text of an article's page; nothing if the article is gone.
func StoreFullText(ctx context.Context, tx *sql.Tx, id int64, html string, now time.Time) error {
	_, err := tx.ExecContext(ctx, "REPLACE INTO full_text (id, html, at) SELECT id, ?2, ?3 FROM article WHERE id = ?1", id, html, now.Unix())
	if err != nil {
		return fmt.Errorf("store full text: %w", err)
	}
	return SetIncomplete(ctx, tx, id, Incomplete{})
}

// DropFullText forgets the texts of the pages of articles.
func DropFullText(ctx context.Context, tx *sql.Tx, ids []int64) error {
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		marks, args := placeholders(chunk)
		for _, query := range []string{
			"INSERT INTO search_waiting (id) SELECT id FROM full_text WHERE id IN " + marks + " ON CONFLICT (id) DO UPDATE SET turn = turn + 1",
			"DELETE FROM full_text WHERE id IN " + marks,
		} {
			if _, err := tx.ExecContext(ctx, query, args...); err != nil {
				return fmt.Errorf("drop full text: %w", err)
			}
		}
	}
	return nil
}
