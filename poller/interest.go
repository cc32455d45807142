package poller

import (
	"context"
	"fmt"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/useraccess"
	"kairos/useraccess/rate"
)

// FeedInterest is how probably an article of a feed is read, and what that follows from.
type FeedInterest struct {
	Chance       float64 // q, 0..1
	Spread       float64 // standard deviation of q as it is known; 0 if the user has said so
	Own          bool    // the user has said so; otherwise it is learned
	Read, Passed float64 // articles it is learned from, older ones counting less
	PerDay       float64 // articles that the feed posts
}

// addInterests adds to the feeds how probably their articles are read, unless the user has said so. are tells which feed or account
// each of them is.
func (r *records) addInterests(ctx context.Context, log *useraccess.Log, in *schedule.Inputs, are map[int64]identity) error {
	known, err := log.Interests(ctx)
	if err != nil {
		return err
	}
	for i := range in.Feeds {
		f := &in.Feeds[i]
		switch {
		case f.Interest > 0:
		case f.Account:
			if f.Interest, err = r.accountInterest(ctx, are[f.ID].account, f, known, in.Now); err != nil {
				return err
			}
		default:
			f.Interest = f.Posts.Chance(known[are[f.ID].feed], in.Now)
		}
	}
	return nil
}

// accountInterest is how probably an article of an account is read, which stands for all feeds of it: they share what was read
// and passed over, and each posts its part.
func (r *records) accountInterest(ctx context.Context, account int64, f *schedule.Feed, known map[int64]rate.Interest, now time.Time) (float64, error) {
	rows, err := r.db.Rows(ctx, "SELECT id FROM reader_feed WHERE account = ?", account)
	if err != nil {
		return 0, fmt.Errorf("read the feeds of an account: %w", err)
	}
	defer rows.Close()
	all, feeds := rate.Interest{At: now}, 0
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return 0, fmt.Errorf("read the feeds of an account: %w", err)
		}
		one := known[id].After(now, 0, 0)
		all.Read, all.Passed, feeds = all.Read+one.Read, all.Passed+one.Passed, feeds+1
	}
	return all.Chance(now, 24*f.Posts.PerHour()/float64(max(1, feeds))), rows.Err()
}

// interestOf reports the interest in a feed.
func interestOf(own float64, posts *schedule.Posts, known rate.Interest, now time.Time) FeedInterest {
	known = known.After(now, 0, 0)
	i := FeedInterest{Read: known.Read, Passed: known.Passed, PerDay: 24 * posts.PerHour()}
	i.Chance, i.Spread = known.Chance(now, i.PerDay), known.Spread(now, i.PerDay)
	if own > 0 {
		i.Chance, i.Spread, i.Own = own, 0, true
	}
	return i
}

// Interests returns the interest in each feed.
func (p *Poller) Interests(ctx context.Context) (map[int64]FeedInterest, error) {
	feeds, err := p.feedsOf(ctx, 0)
	if err != nil {
		return nil, err
	}
	states, err := p.statesOf(ctx, 0)
	if err != nil {
		return nil, err
	}
	return p.interestsOf(ctx, feeds, states)
}

// interestsOf returns the interest in feeds that post as their states tell.
func (p *Poller) interestsOf(ctx context.Context, feeds []reader.Feed, states map[int64]State) (map[int64]FeedInterest, error) {
	known, err := p.planner.log.Interests(ctx)
	if err != nil {
		return nil, err
	}
	now, interests := p.now(), make(map[int64]FeedInterest, len(feeds))
	for _, f := range feeds {
		state := states[f.ID]
		interests[f.ID] = interestOf(f.Interest, &state.posts, known[f.ID], now)
	}
	return interests, nil
}
