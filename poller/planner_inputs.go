package poller

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/schedule"
	"kairos/reader"
)

// inputs reads what the plan of all feeds is made from, and these feeds.
func (p *planner) inputs(ctx context.Context, now time.Time) (schedule.Inputs, []reader.Feed, error) {
	states, err := p.states(ctx)
	if err != nil {
		return schedule.Inputs{}, nil, err
	}
	in, err := p.surroundings(ctx, now)
	if err != nil {
		return in, nil, err
	}
	feeds, err := p.addFeeds(ctx, &in, states)
	if err != nil {
		return in, nil, err
	}
	if in.Days, err = p.cycleDays(ctx); err != nil {
		return in, nil, err
	}
	in.Instants, err = p.slots(ctx)
	return in, feeds, err
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

// addFeeds adds all feeds that are not paused, with what is known of them.
func (p *planner) addFeeds(ctx context.Context, in *schedule.Inputs, states map[int64]State) ([]reader.Feed, error) {
	feeds, err := p.activeFeeds(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(feeds))
	for i, f := range feeds {
		ids[i] = f.ID
	}
	shares, err := p.log.Shares(ctx, ids)
	if err != nil {
		return nil, err
	}
	seed, err := p.seed(ctx)
	if err != nil {
		return nil, err
	}
	in.Feeds = make([]schedule.Feed, 0, len(feeds))
	for i, f := range feeds {
		p.addFeed(in, f, states[f.ID], shares[i], seed)
	}
	return feeds, nil
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
