package reader

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// keepSteps store which articles a feed still lists, which are never cleaned up, and how much is
// kept of each feed. Articles that were stored before count as listed until the feed's next
// document.
const keepSteps = `
ALTER TABLE status ADD COLUMN listed INTEGER NOT NULL DEFAULT 1; -- in the document of the last fetch
CREATE INDEX status_listed ON status (feed) WHERE listed = 1;
ALTER TABLE feed ADD COLUMN keep_days   INTEGER NOT NULL DEFAULT 0; -- 0: use the general setting, -1: no limit
ALTER TABLE feed ADD COLUMN keep_number INTEGER NOT NULL DEFAULT 0; -- 0: use the general setting, -1: no limit
CREATE TABLE trash ( -- deleted articles whose texts are still stored
	id    INTEGER PRIMARY KEY REFERENCES status(id) ON DELETE CASCADE,
	since INTEGER NOT NULL -- when they were first seen deleted
);
`

// listedArticles holds the articles of a feed's document by id, and whether each was in the
// document before.
type listedArticles map[int64]bool

// store stores which articles the feed lists now. It writes nothing if only new articles were
// added, which is the common case.
func (l listedArticles) store(ctx context.Context, tx *sql.Tx, feed int64) error {
	rows, err := tx.QueryContext(ctx, "SELECT id FROM status WHERE feed = ? AND listed = 1", feed)
	if err != nil {
		return fmt.Errorf("read listed articles: %w", err)
	}
	before, err := scanIDs(nil, rows)
	if err != nil {
		return fmt.Errorf("read listed articles: %w", err)
	}
	var back []int64
	for id, was := range l {
		if !was {
			back = append(back, id)
		}
	}
	gone := slices.DeleteFunc(before, func(id int64) bool {
		_, still := l[id]
		return still
	})
	if err := setListed(ctx, tx, back, true); err != nil {
		return err
	}
	return setListed(ctx, tx, gone, false)
}

func setListed(ctx context.Context, tx *sql.Tx, ids []int64, on bool) error {
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		marks, args := placeholders(chunk)
		if _, err := tx.ExecContext(ctx, "UPDATE status SET listed = ? WHERE id IN "+marks, append([]any{on}, args...)...); err != nil {
			return fmt.Errorf("store listed articles: %w", err)
		}
	}
	return nil
}
