package useraccess

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Liking is that the user wants more articles like one, or fewer.
type Liking struct {
	At      time.Time
	Feed    int64
	Article int64
	More    bool
}

// likingSteps store what the user wants more and fewer of. It is no reading: it says nothing of the article itself.
const likingSteps = `
CREATE TABLE liking (
	article INTEGER PRIMARY KEY,
	feed    INTEGER NOT NULL,
	at      INTEGER NOT NULL,
	more    INTEGER NOT NULL
);
`

// Like notes a liking in place of what was noted of the article before, which is returned if there was any.
func (l *Log) Like(ctx context.Context, like Liking) (before *Liking, err error) {
	err = l.file.Write(ctx, func(tx *sql.Tx) error {
		if before, err = readLiking(ctx, tx, like.Article); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "REPLACE INTO liking (article, feed, at, more) VALUES (?, ?, ?, ?)", like.Article, like.Feed, like.At.Unix(), like.More)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("log what is liked: %w", err)
	}
	return before, nil
}

// Unlike deletes what was noted of an article.
func (l *Log) Unlike(ctx context.Context, article int64) error {
	err := l.file.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM liking WHERE article = ?", article)
		return err
	})
	if err != nil {
		return fmt.Errorf("delete what is liked: %w", err)
	}
	return nil
}

func readLiking(ctx context.Context, q querier, article int64) (*Liking, error) {
	like := Liking{Article: article}
	var at int64
	err := q.QueryRowContext(ctx, "SELECT feed, at, more FROM liking WHERE article = ?", article).Scan(&like.Feed, &at, &like.More)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	like.At = time.Unix(at, 0)
	return &like, err
}

// Likings returns what the user wants more and fewer of, oldest first.
func (l *Log) Likings(ctx context.Context) ([]Liking, error) {
	return collect(ctx, l.file.Read(), "read what is liked", func(row *sql.Rows, like *Liking) error {
		var at int64
		err := row.Scan(&like.Article, &like.Feed, &at, &like.More)
		like.At = time.Unix(at, 0)
		return err
	}, "SELECT article, feed, at, more FROM liking ORDER BY at, article")
}
