package reader

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// keepSteps tell what a feed still lists, which is never cleaned up, and what is to be
// kept of it. Of what was stored before, nobody knows whether it is listed: it counts as
// such until the feed's next document.
const keepSteps = `
ALTER TABLE status ADD COLUMN listed INTEGER NOT NULL DEFAULT 1; -- in the document of the last fetch
CREATE INDEX status_listed ON status (feed) WHERE listed = 1;
ALTER TABLE feed ADD COLUMN keep_days   INTEGER NOT NULL DEFAULT 0; -- 0: as the general setting says, -1: however old
ALTER TABLE feed ADD COLUMN keep_number INTEGER NOT NULL DEFAULT 0; -- 0: as the general setting says, -1: all
CREATE TABLE trash ( -- deleted articles whose texts are still there
	id    INTEGER PRIMARY KEY REFERENCES status(id) ON DELETE CASCADE,
	since INTEGER NOT NULL -- when they were first seen deleted
);
`

// listing are the articles of a feed's document, by id, and whether each stood in the one
// before it.
type listing map[int64]bool

// settle stores which articles the feed lists now. As a rule nothing but the new ones
// has changed, and then nothing is written.
func (l listing) settle(ctx context.Context, tx *sql.Tx, feed int64) error {
	rows, err := tx.QueryContext(ctx, "SELECT id FROM status WHERE feed = ? AND listed = 1", feed)
	if err != nil {
		return fmt.Errorf("read what was listed: %w", err)
	}
	before, err := appendIDs(nil, rows)
	if err != nil {
		return fmt.Errorf("read what was listed: %w", err)
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
	for chunk := range slices.Chunk(ids, 500) {
		marks, args := placeholders(chunk)
		if _, err := tx.ExecContext(ctx, "UPDATE status SET listed = ? WHERE id IN "+marks, append([]any{on}, args...)...); err != nil {
			return fmt.Errorf("store what is listed: %w", err)
		}
	}
	return nil
}

// placeholders are "(?,?,…)" and the ids that stand for them; of none, nothing matches.
func placeholders(ids []int64) (string, []any) {
	if len(ids) == 0 {
		return "(NULL)", nil
	}
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	return "(?" + strings.Repeat(",?", len(ids)-1) + ")", args
}
