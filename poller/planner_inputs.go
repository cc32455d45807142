package poller

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"slices"
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
	feeds, err := p.plannedFeeds(ctx, "true")
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
	for i := range feeds {
		feeds[i].Share = shares[i]
	}
	return p.addPlanned(ctx, in, feeds)
}

// addPlanned adds feeds that are not gone for good.
func (p *planner) addPlanned(ctx context.Context, in *schedule.Inputs, feeds []plannedFeed) error {
	seed, err := p.seed(ctx)
	if err != nil {
		return err
	}
	in.Feeds = slices.Grow(in.Feeds, len(feeds))
	for i := range feeds {
		f := &feeds[i]
		if f.gone {
			continue
		}
		f.Offset = schedule.Offset(seed, f.ID)
		f.NotBefore = later(f.NotBefore, p.client.BlockedUntil(fetch.Host(f.url)))
		in.Feeds = append(in.Feeds, f.Feed)
	}
	return nil
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
