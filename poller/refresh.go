package poller

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"kairos/poller/plan"
	"kairos/poller/schedule"
	"kairos/poller/sync"
	"kairos/reader"
	"kairos/useraccess"
)

// refresher plans for the servers of accounts that let Kairos decide when they fetch: the instants of each feed's plan become
// requests to its server to fetch that feed. Each account has a scheduler, a plan and a budget of its own; which of its feeds
// post when is learned from the articles that it has brought. Plans are kept in memory and made anew at a start.
type refresher struct {
	*env
	log      *useraccess.Log
	awake    *awakeLog
	network  *network
	signals  *signals
	accounts Accounts
	wake     chan struct{}

	servers map[int64]*refreshed // of run's goroutine
}

// refreshLead is how much earlier a server is to fetch than a feed of this computer would be: the synchronization that brings what
// it has found is planned for the same visit. A fetch counts as made at the time it is for.
const refreshLead = 10 * time.Minute

// RefreshUsual as a number of refreshes a day stands for BalancedPerFeed for each feed.
const RefreshUsual = -1

// set sets how many times a day a server is told to fetch a feed.
func (r *refresher) set(ctx context.Context, account int64, perDay int) error {
	if perDay < RefreshUsual || perDay > mostPerDay {
		return fmt.Errorf("%d is not a number of refreshes a day", perDay)
	}
	err := r.store.Write(ctx, func(tx *sql.Tx) error {
		if _, err := reader.GetAccount(ctx, tx, account); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO refresh (account, per_day) VALUES (?, ?)
			ON CONFLICT (account) DO UPDATE SET per_day = excluded.per_day`, account, perDay)
		return err
	})
	r.changed()
	return err
}

// made returns what was set, and how often a server was told to fetch a feed in the last 24 hours.
func (r *refresher) made(ctx context.Context, account int64) (perDay, last24h int, err error) {
	err = r.store.Read().QueryRowContext(ctx, `SELECT coalesce((SELECT per_day FROM refresh WHERE account = ?1), 0),
		(SELECT count(*) FROM ledger l JOIN feed f ON f.id = l.feed WHERE l.reason = ?2 AND l.at >= ?3 AND f.account = ?1)`,
		account, string(Refresh), r.now().Add(-day).Unix()).Scan(&perDay, &last24h)
	if err != nil {
		return 0, 0, fmt.Errorf("read when account %d is refreshed: %w", account, err)
	}
	return perDay, last24h, nil
}

// refreshed is an account whose server Kairos plans for.
type refreshed struct {
	account   int64
	url       string
	budget    float64
	bucket    plan.Bucket
	scheduler *schedule.Scheduler
	feeds     map[int64]*refreshedFeed
	instants  []Instant // in force, in order of time
	basis     schedule.Basis
	looked    time.Time
	visits    int                  // that the plan knows
	asked     map[string]time.Time // when hosts were last asked, by group
	notBefore time.Time            // the server is not to be asked
	failures  int                  // of the server, in a row
}

// refreshedFeed is a feed of such an account.
type refreshedFeed struct {
	schedule.Feed
	remote, url string
}

// changed has the refresher look at once.
func (r *refresher) changed() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// run tells servers when to fetch until ctx ends.
func (r *refresher) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		case <-timer.C:
		}
		some, err := r.step(ctx)
		if err != nil && ctx.Err() == nil {
			r.logger.Error("refresh", "err", err)
		}
		if timer.Stop(); some || err != nil { // otherwise nothing is to be done until that changes
			timer.Reset(tick)
		}
	}
}

// step does what is due, and reports whether there is any account to plan for.
func (r *refresher) step(ctx context.Context) (some bool, err error) {
	rows, err := r.store.Read().QueryContext(ctx, `SELECT a.id, a.url, CASE WHEN r.per_day > 0 THEN r.per_day ELSE -r.per_day * ?1 * (SELECT count(*) FROM feed
		WHERE account = a.id AND removed = 0 AND remote <> '') END, r.days, r.at
		FROM refresh r JOIN account a ON a.id = r.account WHERE r.per_day <> 0 AND a.removed = 0 AND a.paused = 0`, BalancedPerFeed)
	if err != nil {
		return false, fmt.Errorf("read which servers to plan for: %w", err)
	}
	var all []*refreshed
	for rows.Next() {
		var one refreshed
		var at int64
		if err := rows.Scan(&one.account, &one.url, &one.budget, &one.bucket.Days, &at); err != nil {
			rows.Close()
			return false, fmt.Errorf("read which servers to plan for: %w", err)
		}
		one.bucket.At = instant(at)
		known := r.servers[one.account]
		if known == nil {
			known = &refreshed{account: one.account, scheduler: schedule.New(rules), bucket: one.bucket, asked: map[string]time.Time{}}
			r.servers[one.account] = known
		}
		known.url, known.budget, known.bucket.PerDay = one.url, one.budget, one.budget
		all = append(all, known)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return false, fmt.Errorf("read which servers to plan for: %w", err)
	}
	for id := range r.servers {
		if !slices.ContainsFunc(all, func(one *refreshed) bool { return one.account == id }) {
			delete(r.servers, id)
		}
	}
	for _, one := range all {
		if err := r.look(ctx, one); err != nil {
			return true, err
		}
	}
	return len(all) > 0, nil
}

// look does what is due for one server.
func (r *refresher) look(ctx context.Context, s *refreshed) error {
	at := r.now().Add(refreshLead)
	if s.bucket.At.IsZero() {
		s.bucket = plan.Bucket{PerDay: s.budget, Days: plan.UsualLevel, At: at}
	}
	s.bucket = s.bucket.AsOf(at)
	if r.now().Before(s.notBefore) || r.network.holdsBack(s.url) {
		s.looked = at
		return nil
	}
	occasion, stale := rules.Occasion(schedule.Observation{Now: at, Before: s.looked, Made: s.basis, Budget: s.budget, Changed: r.signals.visitsSoFar() != s.visits, Due: s.due(at)})
	s.looked = at
	if stale {
		if err := r.replan(ctx, s, at, occasion); err != nil {
			return err
		}
		s.basis = schedule.BasisOf(at, s.budget)
	}
	begin := rules.Start(at, s.due(at), s.bucket, nil)
	for _, d := range begin.TooSoon {
		s.change(d.Feed, func(f *schedule.Feed, instants []Instant) []Instant { return rules.Postpone(f, instants, at) })
	}
	for _, d := range begin.Begin {
		group := groupOf(s.feeds[d.Feed].url)
		if since := r.now().Sub(s.asked[group]); since >= 0 && since < r.spacing(group) {
			continue // it stays due
		}
		s.asked[group] = r.now()
		if err := r.refresh(ctx, s, d); err != nil || r.now().Before(s.notBefore) {
			return err
		}
	}
	return nil
}

// due returns the instants that have come, most valuable first.
func (s *refreshed) due(at time.Time) (due []schedule.Due) {
	for _, i := range s.instants {
		if f := s.feeds[i.Feed]; f != nil && !i.At.After(at) {
			due = append(due, schedule.Due{Instant: i, Of: f.Feed})
		}
	}
	schedule.SortDue(due)
	return due
}

// change lets f decide what becomes of a feed's instants.
func (s *refreshed) change(feed int64, f func(*schedule.Feed, []Instant) []Instant) {
	var of, others []Instant
	for _, i := range s.instants {
		if i.Feed == feed {
			of = append(of, i)
		} else {
			others = append(others, i)
		}
	}
	s.put(append(others, f(&s.feeds[feed].Feed, of)...))
}

func (s *refreshed) put(instants []Instant) {
	slices.SortFunc(instants, func(a, b Instant) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Feed, b.Feed)) })
	s.instants = instants
}

// replan makes the plan of an account's feeds anew.
func (r *refresher) replan(ctx context.Context, s *refreshed, at time.Time, occasion schedule.Code) error {
	s.visits = r.signals.visitsSoFar()
	if err := r.readFeeds(ctx, s); err != nil {
		return err
	}
	in := schedule.Inputs{Now: at, Budget: s.budget, Bucket: s.bucket, Method: plan.Kairos, Instants: s.instants, Occasion: occasion}
	var err error
	if in.Access, err = r.log.Outlook(ctx, r.now()); err != nil {
		return err
	}
	if in.Awake, err = r.awake.chances(ctx, r.now()); err != nil {
		return err
	}
	for _, f := range s.feeds {
		in.Feeds = append(in.Feeds, f.Feed)
	}
	slices.SortFunc(in.Feeds, func(a, b schedule.Feed) int { return cmp.Compare(a.ID, b.ID) })
	if err := r.addInterests(ctx, r.log, &in); err != nil {
		return err
	}
	pl, err := s.scheduler.Replan(ctx, in)
	if err != nil {
		return err
	}
	inForce := map[int64][]Instant{}
	for _, i := range s.instants {
		inForce[i.Feed] = append(inForce[i.Feed], i)
	}
	var left []Instant // none of feeds that are gone
	for i := range pl.Feeds {
		next, _ := pl.Revise(&pl.Feeds[i], inForce[pl.Feeds[i].Feed.ID], nil)
		left = append(left, next...)
	}
	s.put(left)
	return nil
}

// readFeeds reads the feeds of an account, what came of asking for them, and what their articles tell of when they post.
func (r *refresher) readFeeds(ctx context.Context, s *refreshed) error {
	seed, err := r.store.Settings.Get(ctx, settingSeed, "")
	if err != nil {
		return err
	}
	s.feeds = map[int64]*refreshedFeed{}
	rows, err := r.store.Read().QueryContext(ctx, `SELECT f.id, f.remote, f.url, f.weight, f.interest, f.every, coalesce(t.tried, 0), coalesce(t.fetched, 0), coalesce(t.failures, 0), coalesce(t.not_before, 0)
		FROM feed f LEFT JOIN refresh_feed t ON t.feed = f.id WHERE f.account = ? AND f.removed = 0 AND f.paused = 0 AND f.remote <> ''`, s.account)
	if err != nil {
		return fmt.Errorf("read the feeds of account %d: %w", s.account, err)
	}
	defer rows.Close()
	for rows.Next() {
		f := &refreshedFeed{}
		var every, tried, fetched, notBefore int64
		if err := rows.Scan(&f.ID, &f.remote, &f.url, &f.Weight, &f.Interest, &every, &tried, &fetched, &f.Failures, &notBefore); err != nil {
			return fmt.Errorf("read the feeds of account %d: %w", s.account, err)
		}
		f.Every, f.Tried, f.Fetched, f.NotBefore = time.Duration(every)*time.Second, instant(tried), instant(fetched), instant(notBefore)
		f.Offset = schedule.Offset(seed, f.ID)
		s.feeds[f.ID] = f
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read the feeds of account %d: %w", s.account, err)
	}
	return r.readPosts(ctx, s)
}

// refreshHistory is how far back the dates of articles tell how a feed posts.
const refreshHistory = 90 * day

func (r *refresher) readPosts(ctx context.Context, s *refreshed) error {
	now := r.now()
	rows, err := r.store.Read().QueryContext(ctx, `SELECT s.feed, s.published FROM status s WHERE s.feed IN (SELECT id FROM feed WHERE account = ? AND removed = 0)
		AND s.published >= ? AND s.deleted = 0`, s.account, now.Add(-refreshHistory).Unix())
	if err != nil {
		return fmt.Errorf("read when articles were posted: %w", err)
	}
	defer rows.Close()
	dates := map[int64][]time.Time{}
	for rows.Next() {
		var feed, at int64
		if err := rows.Scan(&feed, &at); err != nil {
			return fmt.Errorf("read when articles were posted: %w", err)
		}
		dates[feed] = append(dates[feed], time.Unix(at, 0))
	}
	for id, f := range s.feeds {
		f.Posts.Arrived(now, dates[id])
	}
	return rows.Err()
}

// refresh has the server fetch one feed, and stores what came of it. If the server is to blame it is left alone for a while, else the
// feed is.
func (r *refresher) refresh(ctx context.Context, s *refreshed, d *schedule.Due) error {
	f := s.feeds[d.Feed]
	now := r.now()
	o := Outcome{Feed: f.ID, At: now, Reason: Refresh, Cause: Cause{Reason: d.Reason}, Result: Stored}
	err := r.accounts.Refresh(ctx, s.account, f.remote)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	o.Took = r.now().Sub(now)
	var fault *sync.Error
	switch {
	case err == nil:
		s.failures, f.Failures, f.NotBefore, f.Fetched = 0, 0, time.Time{}, now.Add(refreshLead)
	case errors.As(err, &fault) && (fault.Code == sync.Faulty || fault.Code == sync.Rejected || fault.Code == sync.NoAPI): // the feed failed there
		o.Result, o.Status, o.Message = Failed, fault.Status, messageOf(fault)
		f.Failures++
		f.NotBefore = now.Add(refreshLead + min(firstBackOff<<min(f.Failures-1, 6), maxBackOff))
	default:
		s.failures++
		s.notBefore = now.Add(min(firstBackOff<<min(s.failures-1, 6), maxBackOff))
		if fault != nil {
			s.notBefore = later(s.notBefore, now.Add(fault.RetryAfter))
		}
		r.logger.Warn("refresh", "account", s.account, "err", err)
		return nil
	}
	f.Tried = now.Add(refreshLead)
	s.bucket = s.bucket.Spend(1)
	s.change(f.ID, func(sf *schedule.Feed, instants []Instant) []Instant { return rules.Served(sf, instants, f.Tried) })
	return r.store.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO refresh_feed (feed, tried, fetched, failures, not_before)
			SELECT id, ?2, ?3, ?4, ?5 FROM feed WHERE id = ?1`, f.ID, unix(f.Tried), unix(f.Fetched), f.Failures, ceilUnix(f.NotBefore))
		if err == nil {
			_, err = tx.ExecContext(ctx, "UPDATE refresh SET days = ?2, at = ?3 WHERE account = ?1", s.account, s.bucket.Days, unix(s.bucket.At))
		}
		if err != nil {
			return fmt.Errorf("store when feed %d was refreshed: %w", f.ID, err)
		}
		return o.write(ctx, tx)
	})
}
