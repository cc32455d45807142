package reader

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// incompleteSteps store which articles could not be brought whole, and why.
const incompleteSteps = `
CREATE TABLE lack (
	article INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
	why     TEXT    NOT NULL, -- a code of who brings articles
	at      INTEGER NOT NULL
);
`

// isIncomplete is the condition for an article s not to be whole, as far as is known.
const isIncomplete = "s.id IN (SELECT article FROM lack)"

// Incomplete is why an article is not whole, that is, does not have its text and pictures as it will be read.
type Incomplete struct {
	Why string    // a code of poller/preparer
	At  time.Time // when that has tried to bring it
}

// SetIncomplete notes that an article could not be brought whole, and why; "" if it is whole.
func SetIncomplete(ctx context.Context, tx *sql.Tx, article int64, why string, now time.Time) (err error) {
	if why == "" {
		_, err = tx.ExecContext(ctx, "DELETE FROM lack WHERE article = ?", article)
	} else {
		_, err = tx.ExecContext(ctx, "INSERT INTO lack (article, why, at) SELECT id, ?2, ?3 FROM article WHERE id = ?1 ON CONFLICT DO UPDATE SET why = excluded.why, at = excluded.at",
			article, why, now.Unix())
	}
	if err != nil {
		return fmt.Errorf("note that an article is not whole: %w", err)
	}
	return nil
}

// Incomplete returns those of some articles that are not whole, and why.
func (a Articles) Incomplete(ctx context.Context, ids []int64) (map[int64]Incomplete, error) {
	incomplete := map[int64]Incomplete{}
	err := a.each(ctx, ids, "SELECT article, why, at FROM lack WHERE article IN ", func(rows *sql.Rows) error {
		var id, at int64
		var one Incomplete
		if err := rows.Scan(&id, &one.Why, &at); err != nil {
			return err
		}
		one.At = time.Unix(at, 0)
		incomplete[id] = one
		return nil
	})
	return incomplete, err
}
