package icons

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/icon"
)

// Icon names an icon. It is a different one when its picture has changed.
type Icon struct {
	ID      int64
	Changed int64 // Unix time
}

// Store reads the icons that are stored.
type Store struct {
	db *reader.Statements
}

// NewStore returns the icons of a store.
func NewStore(s *reader.Store) *Store { return &Store{s.Prepared()} }

// ByFeed returns the icon of each feed that has one.
func (s *Store) ByFeed(ctx context.Context) (map[int64]Icon, error) {
	rows, err := s.db.Rows(ctx, "SELECT f.feed, i.id, i.changed FROM feed_icon f JOIN icon i ON i.id = f.icon")
	if err != nil {
		return nil, fmt.Errorf("list icons: %w", err)
	}
	defer rows.Close()
	icons := map[int64]Icon{}
	for rows.Next() {
		var feed int64
		var one Icon
		if err := rows.Scan(&feed, &one.ID, &one.Changed); err != nil {
			return nil, fmt.Errorf("list icons: %w", err)
		}
		icons[feed] = one
	}
	return icons, rows.Err()
}

// PNG returns the picture of an icon, square and at most icon.Size pixels a side; nil if
// it is no longer stored.
func (s *Store) PNG(ctx context.Context, one Icon) ([]byte, error) {
	var png []byte
	err := s.db.Row(ctx, "SELECT png FROM icon WHERE id = ?", []any{one.ID}, &png)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read icon %d: %w", one.ID, err)
	}
	return png, nil
}

// due lists the feeds whose icon is to be looked for: feeds that answer, once a month.
func (s *Store) due(ctx context.Context, now time.Time) ([]int64, error) {
	rows, err := s.db.Rows(ctx, `SELECT f.id FROM reader_feed f JOIN subject p ON p.feed = f.id JOIN poll s ON s.subject = p.id LEFT JOIN feed_icon i ON i.feed = f.id
		WHERE f.account = 0 AND f.paused = 0 AND f.url LIKE 'http%' AND s.fetched > 0 AND s.failures = 0
			AND coalesce(i.tried, 0) <= ? ORDER BY f.id`, now.Add(-refetchAfter).Unix())
	if err != nil {
		return nil, fmt.Errorf("list icons to fetch: %w", err)
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("list icons to fetch: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// row is what is stored of a source: a site, or a picture that a feed names.
type row struct {
	id         int64 // 0 if nothing is
	source     string
	tried      time.Time
	address    string // where the icon was found
	validators fetch.Validators
	found      bool // there is an icon
}

func (s *Store) row(ctx context.Context, source string) (row, error) {
	r := row{source: source}
	var tried int64
	err := s.db.Row(ctx, "SELECT id, tried, address, etag, modified, png IS NOT NULL FROM icon WHERE source = ?", []any{source},
		&r.id, &tried, &r.address, &r.validators.ETag, &r.validators.LastModified, &r.found)
	if errors.Is(err, sql.ErrNoRows) {
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("read the icon of %s: %w", source, err)
	}
	r.tried = time.Unix(tried, 0)
	return r, nil
}

// isFresh reports whether it is too early to ask again.
func (r *row) isFresh(now time.Time) bool {
	return r.id != 0 && now.Before(r.tried.Add(refetchAfter))
}

// write stores the result of a search at now: a new picture, that it is the same, or that
// there is none. A picture that is not found again is kept.
func (r *row) write(ctx context.Context, tx *sql.Tx, now time.Time, found *icon.Found, v fetch.Validators) error {
	var png []byte
	if found != nil {
		r.found, r.address, r.validators, png = true, found.URL, v, found.PNG
	}
	if r.address == "" { // it is part of a page, which is always asked for in full
		r.validators = fetch.Validators{}
	}
	err := tx.QueryRowContext(ctx, `INSERT INTO icon (source, tried, address, etag, modified, changed, png) VALUES (?1, ?2, ?3, ?4, ?5, ?2, ?6)
		ON CONFLICT (source) DO UPDATE SET tried = ?2, address = ?3, etag = ?4, modified = ?5 RETURNING id`,
		r.source, now.Unix(), r.address, r.validators.ETag, r.validators.LastModified, png).Scan(&r.id)
	if err == nil && png != nil {
		_, err = tx.ExecContext(ctx, "UPDATE icon SET png = ?2, changed = ?3 WHERE id = ?1 AND png IS NOT ?2", r.id, png, now.Unix())
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "DELETE FROM icon WHERE tried < ? AND id NOT IN (SELECT icon FROM feed_icon WHERE icon IS NOT NULL)",
			now.Add(-2*refetchAfter).Unix())
	}
	if err != nil {
		return fmt.Errorf("store the icon of %s: %w", r.source, err)
	}
	return nil
}

// assign stores which icon a feed has, 0 for none, and when it was looked for.
func assign(ctx context.Context, tx *sql.Tx, feed, id int64, tried time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO feed_icon (feed, tried, icon) SELECT id, ?2, nullif(?3, 0) FROM reader_feed WHERE id = ?1
		ON CONFLICT (feed) DO UPDATE SET tried = excluded.tried, icon = excluded.icon`, feed, tried.Unix(), id)
	if err != nil {
		return fmt.Errorf("store the icon of feed %d: %w", feed, err)
	}
	return nil
}

// postpone stores when a feed's icon was looked for, and leaves the icon as it is.
func postpone(ctx context.Context, tx *sql.Tx, feed int64, tried time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO feed_icon (feed, tried) SELECT id, ?2 FROM reader_feed WHERE id = ?1
		ON CONFLICT (feed) DO UPDATE SET tried = excluded.tried`, feed, tried.Unix())
	if err != nil {
		return fmt.Errorf("postpone the icon of feed %d: %w", feed, err)
	}
	return nil
}
