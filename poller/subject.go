package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"kairos/reader"
)

// subject is what is polled: a feed, which is fetched here or by the server of its account, or an account, which is synchronized. Each
// is a row of a table of its own, under whose id its state, its plan and its lines of the ledger are stored.
type subject struct {
	id         int64
	account    int64       // that is synchronized; 0: a feed
	feed       reader.Feed // zero for an account
	url, title string      // of either

	list   bool   // it is a list of feeds that is followed
	server int64  // the account whose server is told to fetch the feed; 0: it is fetched here
	remote string // what that server calls it
}

// polled selects the subjects that this computer polls: feeds of its own and accounts, unless they are paused.
const polled = `(SELECT i.id, coalesce(i.feed, 0) AS feed, coalesce(i.account, 0) AS account, coalesce(f.url, a.url) AS url, coalesce(f.title, a.name) AS title,
	'' AS remote, coalesce(f.own_title, '') AS own_title, coalesce(f.site, '') AS site, coalesce(f.login, 0) AS login,
	coalesce(f.list, 0) AS list, coalesce(f.weight, 1) AS weight, coalesce(f.interest, 0) AS interest, coalesce(f.every, 0) AS every
	FROM subject i LEFT JOIN reader_feed f ON f.id = i.feed LEFT JOIN reader_account a ON a.id = i.account
	WHERE f.account = 0 AND f.paused = 0 OR a.paused = 0)`

// refreshed selects the feeds that servers are told to fetch, with the columns of polled.
const refreshed = `(SELECT i.id, f.id AS feed, 0 AS account, f.url, f.title, f.remote, f.own_title, f.site, 0 AS login, 0 AS list, f.weight, f.interest, f.every, f.account AS server
	FROM refresh r JOIN reader_account a ON a.id = r.account JOIN reader_feed f ON f.account = a.id JOIN subject i ON i.feed = f.id
	WHERE r.per_day <> 0 AND a.paused = 0 AND f.paused = 0 AND f.remote <> '')`

// feedsOf selects the subjects that are feeds of account ?1.
const feedsOf = "(SELECT i.id FROM reader_feed f JOIN subject i ON i.feed = f.id WHERE f.account = ?1)"

// subject returns a subject. Errors: reader.ErrUnknown if it is not subscribed to, or no account, any more.
func (r *records) subject(ctx context.Context, id int64) (subject, error) {
	var feed, account sql.Null[int64]
	err := r.db.Row(ctx, "SELECT feed, account FROM subject WHERE id = ?", []any{id}, &feed, &account)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return subject{}, reader.ErrUnknown
	case err != nil:
		return subject{}, fmt.Errorf("read subject %d: %w", id, err)
	case account.Valid:
		a, err := r.store.Accounts.Get(ctx, account.V)
		return subject{id: id, account: a.ID, url: a.URL, title: a.Name}, err
	}
	f, err := r.store.Feeds.Get(ctx, feed.V)
	return feedSubject(id, f), err
}

func feedSubject(id int64, f reader.Feed) subject {
	return subject{id: id, feed: f, url: f.URL, title: f.Title, list: f.Source.IsList()}
}

// subjectsOf returns feeds as subjects.
func (r *records) subjectsOf(ctx context.Context, feeds []reader.Feed) ([]subject, error) {
	rows, err := r.db.Rows(ctx, "SELECT feed, id FROM subject WHERE feed IS NOT NULL")
	if err != nil {
		return nil, fmt.Errorf("read the subjects: %w", err)
	}
	defer rows.Close()
	ids := make(map[int64]int64, len(feeds))
	for rows.Next() {
		var feed, id int64
		if err := rows.Scan(&feed, &id); err != nil {
			return nil, fmt.Errorf("read the subjects: %w", err)
		}
		ids[feed] = id
	}
	subjects := make([]subject, len(feeds))
	for i, f := range feeds {
		subjects[i] = feedSubject(ids[f.ID], f)
	}
	return subjects, rows.Err()
}

// accountSubject returns an account as a subject. Errors: reader.ErrUnknown.
func (r *records) accountSubject(ctx context.Context, account int64) (subject, error) {
	var id int64
	err := r.db.Row(ctx, "SELECT id FROM subject WHERE account = ?", []any{account}, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return subject{}, reader.ErrUnknown
	}
	if err != nil {
		return subject{}, fmt.Errorf("look for account %d: %w", account, err)
	}
	return r.subject(ctx, id)
}
