package useraccess

import (
	"context"
	"database/sql"
	"fmt"
)

// ignoredSteps store what is not to be learned of what articles have in common, as package taste names it.
const ignoredSteps = `
CREATE TABLE ignored_feature (
	kind TEXT NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (kind, text)
) WITHOUT ROWID;
`

// Ignored is something that articles have in common and of which nothing is learned.
type Ignored struct{ Kind, Text string }

// Ignore learns nothing of what articles have in common, or does so again.
func (l *Log) Ignore(ctx context.Context, i Ignored, on bool) error {
	query := "DELETE FROM ignored_feature WHERE kind = ? AND text = ?"
	if on {
		query = "REPLACE INTO ignored_feature (kind, text) VALUES (?, ?)"
	}
	err := l.file.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, query, i.Kind, i.Text)
		return err
	})
	if err != nil {
		return fmt.Errorf("store what is not learned: %w", err)
	}
	return nil
}

// Ignored returns what nothing is learned of, in order.
func (l *Log) Ignored(ctx context.Context) ([]Ignored, error) {
	return collect(ctx, l.file.Read(), "read what is not learned", func(row *sql.Rows, i *Ignored) error {
		return row.Scan(&i.Kind, &i.Text)
	}, "SELECT kind, text FROM ignored_feature ORDER BY kind, text")
}
