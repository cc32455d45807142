package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/reader/discover"
)

// feedTitle is the title under which a feed f is shown.
const feedTitle = `CASE WHEN f.own_title <> '' THEN f.own_title WHEN f.title <> '' THEN f.title ELSE f.url END`

const feedColumns = `f.id, f.url, ` + feedTitle + `, f.own_title, f.site, f.icon, f.folder,
	f.weight, f.every, f.paused, f.login, f.full_text, f.notify, f.keep_days, f.keep_number, f.added, f.account, f.interest, f.quiet, f.end_days, f.end_number, f.source`

func scanFeed(row interface{ Scan(...any) error }, more ...any) (Feed, error) {
	var f Feed
	var every, added int64
	into := append([]any{&f.ID, &f.URL, &f.Title, &f.OwnTitle, &f.Site, &f.Icon, &f.Folder,
		&f.Weight, &every, &f.Paused, &f.Login, &f.FullText, &f.Notify, &f.Keep.Days, &f.Keep.Number, &added, &f.Account, &f.Interest, &f.Quiet, &f.Ends.Days, &f.Ends.Number, &f.Source}, more...)
	if err := row.Scan(into...); err != nil {
		return Feed{}, err
	}
	f.Every = time.Duration(every) * time.Second
	f.Added = time.Unix(added, 0).UTC()
	return f, nil
}

// List returns every subscription with its number of unread articles, as the user has sorted folders and feeds: by hand, else by name.
func (f Feeds) List(ctx context.Context) ([]Feed, error) {
	rows, err := f.db.read.QueryContext(ctx, `SELECT `+feedColumns+`, coalesce(u.n, 0)
		FROM feed f LEFT JOIN (SELECT feed, count(*) AS n FROM status
			WHERE read = 0 AND deleted = 0 GROUP BY feed) u ON u.feed = f.id
		WHERE f.removed = 0`)
	if err != nil {
		return nil, fmt.Errorf("list feeds: %w", classify(err))
	}
	defer rows.Close()
	var feeds []Feed
	for rows.Next() {
		var unread int
		feed, err := scanFeed(rows, &unread)
		if err != nil {
			return nil, fmt.Errorf("list feeds: %w", err)
		}
		feed.Unread = unread
		feeds = append(feeds, feed)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list feeds: %w", classify(err))
	}
	order, err := f.handOrder(ctx)
	if err != nil {
		return nil, err
	}
	sortLikeFeeds(feeds, order, func(f *Feed) (Place, string, int64) { return Place{f.Account, f.Folder}, f.Title, f.ID })
	return feeds, nil
}

// ArticleCounts returns how many articles of each feed are stored.
func (f Feeds) ArticleCounts(ctx context.Context) (map[int64]int, error) {
	rows, err := f.db.read.QueryContext(ctx, "SELECT feed, count(*) FROM status WHERE deleted = 0 GROUP BY feed")
	if err != nil {
		return nil, fmt.Errorf("count articles: %w", classify(err))
	}
	defer rows.Close()
	counts := map[int64]int{}
	for rows.Next() {
		var feed int64
		var n int
		if err := rows.Scan(&feed, &n); err != nil {
			return nil, err
		}
		counts[feed] = n
	}
	return counts, rows.Err()
}

const selectFeed = `SELECT ` + feedColumns + ` FROM feed f WHERE f.id = ? AND f.removed = 0`

// Get returns one subscription, without its number of unread articles. Errors: ErrUnknown.
func (f Feeds) Get(ctx context.Context, id int64) (Feed, error) {
	stmt, err := f.db.prepared.get(ctx, selectFeed) // stays prepared, as Statements.Row
	if err != nil {
		return Feed{}, fmt.Errorf("read feed: %w", classify(err))
	}
	if err := ctx.Err(); err != nil {
		return Feed{}, err
	}
	return oneFeed(stmt.QueryRowContext(context.WithoutCancel(ctx), id))
}

// ByURL returns the subscription to an address, in whatever way that is written. Errors:
// ErrUnknown.
func (f Feeds) ByURL(ctx context.Context, address string) (Feed, error) {
	return oneFeed(f.db.read.QueryRowContext(ctx, `SELECT `+feedColumns+` FROM feed f WHERE f.same = ? AND f.removed = 0`,
		discover.SameFeed(address)))
}

// GetFeed is Feeds.Get within a transaction. Errors: ErrUnknown.
func GetFeed(ctx context.Context, tx *sql.Tx, id int64) (Feed, error) {
	return oneFeed(tx.QueryRowContext(ctx, selectFeed, id))
}

func oneFeed(row *sql.Row) (Feed, error) {
	f, err := scanFeed(row)
	if errors.Is(err, sql.ErrNoRows) {
		return Feed{}, ErrUnknown
	}
	if err != nil {
		return Feed{}, fmt.Errorf("read feed: %w", classify(err))
	}
	return f, nil
}
