package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/icon"
)

const (
	// iconEvery is how often at most an icon is asked for, there or not.
	iconEvery = 30 * day
	// iconAgain is how long one waits whose server could not be asked.
	iconAgain = day
)

// Picture names an icon. It is another one when it has changed.
type Picture struct {
	ID      int64
	Changed int64 // Unix time
}

// Icons returns which icon each feed has, by feed. Feeds of one site share one.
func (p *Poller) Icons(ctx context.Context) (map[int64]Picture, error) {
	rows, err := p.db.Rows(ctx, "SELECT f.feed, i.id, i.changed FROM feed_icon f JOIN icon i ON i.id = f.icon")
	if err != nil {
		return nil, fmt.Errorf("list icons: %w", err)
	}
	defer rows.Close()
	icons := map[int64]Picture{}
	for rows.Next() {
		var feed int64
		var pic Picture
		if err := rows.Scan(&feed, &pic.ID, &pic.Changed); err != nil {
			return nil, fmt.Errorf("list icons: %w", err)
		}
		icons[feed] = pic
	}
	return icons, rows.Err()
}

// IconPNG returns a picture, square and of icon.Size pixels a side at most; nil if it
// is gone.
func (p *Poller) IconPNG(ctx context.Context, pic Picture) ([]byte, error) {
	var png []byte
	err := p.db.Row(ctx, "SELECT png FROM icon WHERE id = ?", []any{pic.ID}, &png)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read icon %d: %w", pic.ID, err)
	}
	return png, nil
}

// iconRow is what is known of the icon of a site, or of a picture a feed names.
type iconRow struct {
	id         int64 // 0 if nothing is
	source     string
	tried      time.Time
	address    string // where it was found
	validators fetch.Validators
	there      bool
}

func (p *Poller) iconRow(ctx context.Context, source string) (iconRow, error) {
	row := iconRow{source: source}
	var tried int64
	err := p.db.Row(ctx, "SELECT id, tried, address, etag, modified, png IS NOT NULL FROM icon WHERE source = ?", []any{source},
		&row.id, &tried, &row.address, &row.validators.ETag, &row.validators.LastModified, &row.there)
	if errors.Is(err, sql.ErrNoRows) {
		return row, nil
	}
	if err != nil {
		return row, fmt.Errorf("read the icon of %s: %w", source, err)
	}
	row.tried = instant(tried)
	return row, nil
}

// fresh reports whether it is too early to ask again.
func (r *iconRow) fresh(now time.Time) bool {
	return r.id != 0 && now.Before(r.tried.Add(iconEvery))
}

// search looks for the icon; where it was found before is asked first.
func (r *iconRow) search(f reader.Feed) *icon.Search {
	if r.source == f.Icon {
		return icon.SearchImage(r.source)
	}
	return icon.SearchSite(r.source, r.address)
}

// iconSources are where a feed's icon may be, the best first: the picture it names for
// itself, its site.
func iconSources(f reader.Feed) (sources []string) {
	site := icon.Origin(f.Site)
	if site == "" {
		site = icon.Origin(f.URL)
	}
	for _, s := range []string{f.Icon, site} {
		if s != "" && !slices.Contains(sources, s) {
			sources = append(sources, s)
		}
	}
	return sources
}

// iconsDue lists the feeds whose icon is to be looked for: those that answer, once a month.
func (p *Poller) iconsDue(ctx context.Context, now time.Time) ([]int64, error) {
	rows, err := p.db.Rows(ctx, `SELECT f.id FROM feed f JOIN poll s ON s.feed = f.id LEFT JOIN feed_icon i ON i.feed = f.id
		WHERE f.removed = 0 AND f.paused = 0 AND f.url LIKE 'http%' AND s.fetched > 0 AND s.failures = 0
			AND coalesce(i.tried, 0) <= ? ORDER BY f.id`, now.Add(-iconEvery).Unix())
	if err != nil {
		return nil, fmt.Errorf("list icons to look for: %w", err)
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("list icons to look for: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// write stores what a search came to at now: a new picture, that it is the same, or that
// there is none. A picture that cannot be had any more is kept.
func (r *iconRow) write(ctx context.Context, tx *sql.Tx, now time.Time, found *icon.Found, v fetch.Validators) error {
	var png []byte
	if found != nil {
		r.there, r.address, r.validators, png = true, found.URL, v, found.PNG
	}
	if r.address == "" { // it stands in a page, which is asked whatever it says of itself
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
			now.Add(-2*iconEvery).Unix())
	}
	if err != nil {
		return fmt.Errorf("store the icon of %s: %w", r.source, err)
	}
	return nil
}

// giveIcon notes that a feed's icon was looked for, and which one it has; 0 for none.
func giveIcon(ctx context.Context, tx *sql.Tx, feed, id int64, tried time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO feed_icon (feed, tried, icon) SELECT id, ?2, nullif(?3, 0) FROM feed WHERE id = ?1
		ON CONFLICT (feed) DO UPDATE SET tried = excluded.tried, icon = excluded.icon`, feed, tried.Unix(), id)
	if err != nil {
		return fmt.Errorf("store the icon of feed %d: %w", feed, err)
	}
	return nil
}

// postponeIcon notes that a feed's icon was looked for then, and leaves it as it is.
func postponeIcon(ctx context.Context, tx *sql.Tx, feed int64, tried time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO feed_icon (feed, tried) SELECT id, ?2 FROM feed WHERE id = ?1
		ON CONFLICT (feed) DO UPDATE SET tried = excluded.tried`, feed, tried.Unix())
	if err != nil {
		return fmt.Errorf("put off the icon of feed %d: %w", feed, err)
	}
	return nil
}

// siteName is how the ledger names a source.
func siteName(source string) string {
	return strings.TrimPrefix(fetch.Host(source), "www.")
}
