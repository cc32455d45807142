package poller

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/schedule"
	"kairos/reader"
)

// inputs reads what the plan of all feeds is made from.
func (p *planner) inputs(ctx context.Context, now time.Time) (schedule.Inputs, error) {
	in, err := p.surroundings(ctx, now)
	if err != nil {
		return in, err
	}
	if err := p.addFeeds(ctx, &in); err != nil {
		return in, err
	}
	if in.Days, err = p.cycleDays(ctx); err != nil {
		return in, err
	}
	in.Instants, err = p.slots(ctx)
	return in, err
}

// surroundings reads what the plan of every feed is made from.
func (p *planner) surroundings(ctx context.Context, now time.Time) (in schedule.Inputs, err error) {
	in = schedule.Inputs{Now: now, Changes: p.signals.version(), Running: p.jobs.allRunning()}
	perDay, err := p.budget.perDay(ctx)
	if err != nil {
		return in, err
	}
	in.Budget = float64(perDay)
	if in.Access, err = p.log.Outlook(ctx, now); err != nil {
		return in, err
	}
	if in.Awake, err = p.awake.chances(ctx, now); err != nil {
		return in, err
	}
	in.Bucket, err = p.budget.bucket(ctx, now, perDay)
	return in, err
}

// addFeeds adds all feeds that are not paused, with what is known of them, in the order in which
// they were subscribed to: so a plan does not change with their titles.
func (p *planner) addFeeds(ctx context.Context, in *schedule.Inputs) error {
	feeds, err := p.feedsToPlan(ctx)
	if err != nil {
		return err
	}
	ids := make([]int64, len(feeds))
	for i := range feeds {
		ids[i] = feeds[i].ID
	}
	shares, err := p.log.Shares(ctx, ids)
	if err != nil {
		return err
	}
	seed, err := p.seed(ctx)
	if err != nil {
		return err
	}
	in.Feeds = make([]schedule.Feed, 0, len(feeds))
	add := func(s State) { // the state of a feed after all those added
		for len(feeds) > 0 && feeds[0].ID <= s.Feed {
			of := State{Feed: feeds[0].ID} // never tried
			if of.Feed == s.Feed {
				of = s
			}
			p.addFeed(in, feeds[0], of, shares[0], seed)
			feeds, shares = feeds[1:], shares[1:]
		}
	}
	if err := p.eachState(ctx, add); err != nil {
		return err
	}
	add(State{Feed: math.MaxInt64})
	return nil
}

// feedsToPlan returns the feeds that are not paused by their ids, with what a plan asks of them:
// titles and unread articles take longer to read than all of that.
func (p *planner) feedsToPlan(ctx context.Context) (feeds []reader.Feed, err error) {
	rows, err := p.db.Rows(ctx, "SELECT id, url, weight, every FROM feed WHERE removed = 0 AND paused = 0 ORDER BY id")
	if err != nil {
		return nil, fmt.Errorf("read the feeds: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var f reader.Feed
		var every int64
		if err := rows.Scan(&f.ID, &f.URL, &f.Weight, &every); err != nil {
			return nil, fmt.Errorf("read the feeds: %w", err)
		}
		f.Every = time.Duration(every) * time.Second
		feeds = append(feeds, f)
	}
	return feeds, rows.Err()
}

// addFeed adds a feed with what is known of it and its host, unless it is gone for good.
func (p *planner) addFeed(in *schedule.Inputs, f reader.Feed, s State, share float64, seed string) {
	s.setFeed(f)
	if s.Gone {
		return
	}
	out := s.scheduleFeed()
	out.ID, out.Weight, out.Share, out.Offset = f.ID, f.Weight, share, schedule.Offset(seed, f.ID)
	out.NotBefore = later(out.NotBefore, p.client.BlockedUntil(fetch.Host(f.URL)))
	in.Feeds = append(in.Feeds, out)
}

const settingSeed = "poller.seed"

// seed is the installation's own random text.
func (p *planner) seed(ctx context.Context) (string, error) {
	seed, err := p.store.Settings.Get(ctx, settingSeed, "")
	if err != nil || seed != "" {
		return seed, err
	}
	raw := make([]byte, 8)
	rand.Read(raw) //nolint:errcheck // never fails (crypto/rand)
	seed = hex.EncodeToString(raw)
	if err := p.store.Settings.Set(ctx, settingSeed, seed); err != nil && !errors.Is(err, reader.ErrReadOnly) {
		return "", err
	}
	return seed, nil
}
