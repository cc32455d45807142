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

// incompletePageSteps tell what an article lacks: of those before only the code of pictures says it.
const incompletePageSteps = `
ALTER TABLE lack ADD COLUMN page INTEGER NOT NULL DEFAULT 0; -- the text of its page
UPDATE lack SET page = 1 WHERE why <> 'pictures';
`

// isIncomplete is the condition for an article s not to be whole, as far as is known.
const isIncomplete = "s.id IN (SELECT article FROM lack)"

// Incomplete is why an article is not whole, that is, does not have its text and pictures as it will be read.
type Incomplete struct {
	Why  string    // a code of poller/preparer; "" if it is whole
	Page bool      // the text of its page is not there, not only pictures
	At   time.Time // when poller/preparer has tried to bring it
}

// SetIncomplete notes why an article could not be brought whole, or that it is.
func SetIncomplete(ctx context.Context, tx *sql.Tx, article int64, is Incomplete) (err error) {
	if is.Why == "" {
		_, err = tx.ExecContext(ctx, "DELETE FROM lack WHERE article = ?", article)
	} else {
		_, err = tx.ExecContext(ctx, "INSERT INTO lack (article, why, page, at) SELECT id, ?2, ?3, ?4 FROM article WHERE id = ?1 ON CONFLICT DO UPDATE SET why = excluded.why, page = excluded.page, at = excluded.at",
			article, is.Why, is.Page, is.At.Unix())
	}
	if err != nil {
		return fmt.Errorf("note that an article is not whole: %w", err)
	}
	return nil
}

// Incomplete returns those of some articles that are not whole, and why.
func (a Articles) Incomplete(ctx context.Context, ids []int64) (map[int64]Incomplete, error) {
	incomplete := map[int64]Incomplete{}
	err := a.each(ctx, ids, "SELECT article, why, page, at FROM lack WHERE article IN ", func(rows *sql.Rows) error {
		var id, at int64
		var one Incomplete
		if err := rows.Scan(&id, &one.Why, &one.Page, &at); err != nil {
			return err
		}
		one.At = time.Unix(at, 0)
		incomplete[id] = one
		return nil
	})
	return incomplete, err
}
