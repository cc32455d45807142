package reader

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// lackSteps store which articles could not be brought whole, and why.
const lackSteps = `
CREATE TABLE lack (
	article INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
	why     TEXT    NOT NULL, -- a code of who brings articles
	at      INTEGER NOT NULL
);
`

// isIncomplete is the condition for an article s not to be whole, as far as is known.
const isIncomplete = "s.id IN (SELECT article FROM lack)"

// Lack is why an article is not whole: its text and pictures as they would be read.
type Lack struct {
	Why string // a code of who tried to bring it
	At  time.Time
}

// SetLack notes that an article could not be brought whole, and why; "" is that it is whole.
func SetLack(ctx context.Context, tx *sql.Tx, article int64, why string, now time.Time) (err error) {
	if why == "" {
		_, err = tx.ExecContext(ctx, "DELETE FROM lack WHERE article = ?", article)
	} else {
		_, err = tx.ExecContext(ctx, "INSERT INTO lack (article, why, at) SELECT id, ?2, ?3 FROM article WHERE id = ?1 ON CONFLICT DO UPDATE SET why = excluded.why, at = excluded.at",
			article, why, now.Unix())
	}
	if err != nil {
		return fmt.Errorf("note what an article lacks: %w", err)
	}
	return nil
}

// Lacks returns which of some articles are not whole, and why.
func (a Articles) Lacks(ctx context.Context, ids []int64) (map[int64]Lack, error) {
	lacks := map[int64]Lack{}
	err := a.each(ctx, ids, "SELECT article, why, at FROM lack WHERE article IN ", func(rows *sql.Rows) error {
		var id, at int64
		var l Lack
		if err := rows.Scan(&id, &l.Why, &at); err != nil {
			return err
		}
		l.At = time.Unix(at, 0)
		lacks[id] = l
		return nil
	})
	return lacks, err
}
