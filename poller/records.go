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

// activeFeeds returns the feeds that this computer fetches.
func (r *records) activeFeeds(ctx context.Context) ([]reader.Feed, error) {
	feeds, err := r.store.Feeds.List(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(feeds, func(f reader.Feed) bool { return f.Paused || f.Account != 0 }), nil
}

// listed returns what may be polled in the order in which a person sees it: the feeds in that of their list, then the accounts.
func (r *records) listed(ctx context.Context) ([]subject, error) {
	feeds, err := r.activeFeeds(ctx)
	if err != nil {
		return nil, err
	}
	accounts, err := r.store.Accounts.List(ctx)
	if err != nil {
		return nil, err
	}
	subjects, err := r.subjectsOf(ctx, feeds)
	for i := 0; i < len(accounts) && err == nil; i++ {
		var s subject
		s, err = r.accountSubject(ctx, accounts[i].ID)
		subjects = append(subjects, s)
	}
	return subjects, err
}

// Feeds that were never tried at the address they have now, and those of them that wait, as their host asked.
const (
	isUntried = "(s.tried IS NULL OR s.tried = 0 OR s.address <> p.url)"
	waits     = "s.address = p.url AND s.not_before > ?"
)

// untried returns the feeds that were never tried at the address they have now and may be, and when another one may be; zero if
// none waits. Only their addresses are read.
func (r *records) untried(ctx context.Context, now time.Time) (subjects []subject, later time.Time, err error) {
	subjects, err = r.addresses(ctx, "WHERE "+isUntried+" AND NOT coalesce("+waits+", 0) ORDER BY p.id", now.Unix())
	if err != nil {
		return nil, later, err
	}
	_, later, err = r.nextUntried(ctx, now)
	return subjects, later, err
}

// nextUntried returns the first feed that may be tried later for the first time, as its host asked, and when; zero if none waits.
func (r *records) nextUntried(ctx context.Context, now time.Time) (feed int64, at time.Time, err error) {
	var first int64
	err = r.db.Row(ctx, "SELECT coalesce(p.id, 0), coalesce(min(s.not_before), 0) FROM "+polled+" p JOIN poll s ON s.subject = p.id WHERE "+isUntried+" AND "+waits,
		[]any{now.Unix()}, &feed, &first)
	if err != nil {
		return 0, at, fmt.Errorf("read when new feeds may be fetched: %w", err)
	}
	return feed, instant(first), nil
}

// addresses reads the addresses of subjects p with the state s.
func (r *records) addresses(ctx context.Context, where string, args ...any) (subjects []subject, err error) {
	rows, err := r.db.Rows(ctx, "SELECT p.id, p.url FROM "+polled+" p LEFT JOIN poll s ON s.subject = p.id "+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read the addresses of the feeds: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var s subject
		if err := rows.Scan(&s.id, &s.url); err != nil {
			return nil, fmt.Errorf("read the addresses of the feeds: %w", err)
		}
		subjects = append(subjects, s)
	}
	return subjects, rows.Err()
}

// needNetwork reports whether any feed that is fetched here needs the network.
func (r *records) needNetwork(ctx context.Context) (bool, error) {
	all, err := r.addresses(ctx, "")
	return slices.ContainsFunc(all, func(s subject) bool { return !ofThisMachine(s.url) }), err
}

// toProbe returns the subject to probe the network with: those that answered last first, in turn, as one whose name has vanished would
// never tell that the network is back. Errors: reader.ErrUnknown if there is none.
func (r *records) toProbe(ctx context.Context, now time.Time, turn int, doubted []string) (subject, error) {
	all, err := r.addresses(ctx, `WHERE coalesce(s.not_before, 0) <= ? AND coalesce(s.gone, 0) = 0
		ORDER BY coalesce(s.fetched, 0) DESC, p.id`, now.Unix())
	if err != nil {
		return subject{}, err
	}
	all = slices.DeleteFunc(all, func(s subject) bool { return ofThisMachine(s.url) || slices.Contains(doubted, groupOf(s.url)) })
	if len(all) == 0 {
		return subject{}, reader.ErrUnknown
	}
	return r.subject(ctx, all[turn%len(all)].id)
}
