package poller

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
)

// env is what every part of the poller works with.
type env struct {
	records
	client *fetch.Client
	now    func() time.Time
	logger *slog.Logger
}

// records reads what is stored.
type records struct {
	store *reader.Store
	db    *reader.Statements // of the reading pool
}

// fetchedHere is the condition of a feed f that this computer asks for: it is subscribed to, not paused, and not of an account,
// whose server fetches it; or it is the carrier of an account (reader.CarrierID).
const fetchedHere = "f.paused = 0 AND (f.removed = 0 AND f.account = 0 OR f.removed = -2)"

// activeFeeds returns the feeds that this computer fetches.
func (r *records) activeFeeds(ctx context.Context) ([]reader.Feed, error) {
	feeds, err := r.store.Feeds.List(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(feeds, func(f reader.Feed) bool { return f.Paused || f.Account != 0 }), nil
}

// untriedFeeds returns the feeds that were never tried at the address they have now. Only
// their addresses are read.
func (r *records) untriedFeeds(ctx context.Context) (feeds []reader.Feed, err error) {
	rows, err := r.db.Rows(ctx, `SELECT f.id, f.url FROM feed f LEFT JOIN poll s ON s.feed = f.id
		WHERE `+fetchedHere+` AND (s.tried IS NULL OR s.tried = 0 OR s.address <> f.url) ORDER BY f.id`)
	if err != nil {
		return nil, fmt.Errorf("list new feeds: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var f reader.Feed
		if err := rows.Scan(&f.ID, &f.URL); err != nil {
			return nil, fmt.Errorf("list new feeds: %w", err)
		}
		feeds = append(feeds, f)
	}
	return feeds, rows.Err()
}

// needNetwork reports whether any feed that is fetched here needs the network.
func (r *records) needNetwork(ctx context.Context) (bool, error) {
	rows, err := r.store.Read().QueryContext(ctx, "SELECT f.url FROM feed f WHERE "+fetchedHere)
	if err != nil {
		return false, fmt.Errorf("look for a feed that needs the network: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var address string
		if err := rows.Scan(&address); err != nil {
			return false, fmt.Errorf("look for a feed that needs the network: %w", err)
		}
		if !ofThisMachine(address) {
			return true, nil
		}
	}
	return false, rows.Err()
}

// feedToProbe returns the feed to probe the network with: those that answered last first,
// in turn, as one whose name has vanished would never tell that the network is back.
// Errors: reader.ErrUnknown if there is none.
func (r *records) feedToProbe(ctx context.Context, now time.Time, turn int) (reader.Feed, error) {
	rows, err := r.store.Read().QueryContext(ctx, `SELECT f.id, f.url FROM feed f LEFT JOIN poll s ON s.feed = f.id
		WHERE `+fetchedHere+` AND coalesce(s.not_before, 0) <= ? AND coalesce(s.gone, 0) = 0
		ORDER BY coalesce(s.fetched, 0) DESC, f.id`, now.Unix())
	if err != nil {
		return reader.Feed{}, fmt.Errorf("choose a probe: %w", err)
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		var address string
		if err := rows.Scan(&id, &address); err != nil {
			return reader.Feed{}, fmt.Errorf("choose a probe: %w", err)
		}
		if !ofThisMachine(address) {
			ids = append(ids, id)
		}
	}
	if err := rows.Err(); err != nil {
		return reader.Feed{}, fmt.Errorf("choose a probe: %w", err)
	}
	if len(ids) == 0 {
		return reader.Feed{}, reader.ErrUnknown
	}
	return r.store.Feeds.Polled(ctx, ids[turn%len(ids)])
}
