package poller

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/useraccess/rate"
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
	if err := p.addMentions(ctx, &in); err != nil {
		return in, err
	}
	in.Spacing = p.spacings(in.Feeds)
	if in.Days, err = p.cycleDays(ctx); err != nil {
		return in, err
	}
	in.Instants, err = p.slots(ctx)
	return in, err
}

// surroundings reads what the plan of every feed is made from.
func (p *planner) surroundings(ctx context.Context, now time.Time) (in schedule.Inputs, err error) {
	in = schedule.Inputs{Now: now, Changes: p.signals.version(), Running: p.jobs.allRunning()}
	may, err := p.allowed(ctx)
	if err != nil {
		return in, err
	}
	in.Budget = float64(may.perDay)
	if in.Access, err = p.log.Outlook(ctx, now); err != nil {
		return in, err
	}
	if in.Signs, err = p.foretelling(ctx, &in); err != nil {
		return in, err
	}
	if in.Awake, err = p.awake.chances(ctx, now); err != nil {
		return in, err
	}
	in.Bucket, err = p.budget.bucket(ctx, p.server.account, now, may.perDay)
	return in, err
}

// foretelling is what signs of presence tell about the coming hours; nothing while learning is off, as none are logged then.
func (p *planner) foretelling(ctx context.Context, in *schedule.Inputs) (rate.Foretelling, error) {
	if learning, err := p.awake.learning(ctx); err != nil || !learning {
		return rate.Foretelling{}, err
	}
	return p.log.Foretelling(ctx, in.Now)
}

// addFeeds adds all feeds that are not paused nor gone for good, with what is known of them, in the
// order in which they were subscribed to: so a plan does not change with their titles.
func (p *planner) addFeeds(ctx context.Context, in *schedule.Inputs) error {
	count := 0
	if err := p.db.Row(ctx, "SELECT count(*) FROM poll", nil, &count); err != nil {
		return fmt.Errorf("read the feeds: %w", err)
	}
	in.Feeds = slices.Grow(in.Feeds, count)
	are := make(map[int64]identity, count)
	if err := p.addPlanned(ctx, in, "true", nil, func(f *plannedFeed) { are[f.ID] = f.identity }); err != nil {
		return err
	}
	if p.server.account != 0 {
		if err := p.addPosts(ctx, in, are); err != nil {
			return err
		}
	}
	return p.addInterests(ctx, p.log, in, are)
}

// addPlanned adds the feeds that meet a condition, with no interest in them but what the user says, and are not gone for good; all are
// noted.
func (p *planner) addPlanned(ctx context.Context, in *schedule.Inputs, condition string, args []any, note func(f *plannedFeed)) error {
	seed, err := p.seed(ctx)
	if err != nil {
		return err
	}
	may, err := p.allowed(ctx)
	if err != nil {
		return err
	}
	tariff := may.tariff()
	return p.eachPlanned(ctx, condition, args, func(f *plannedFeed) {
		note(f)
		if f.gone {
			return
		}
		f.Offset = schedule.Offset(seed, f.ID)
		f.Charge(tariff)
		f.NotBefore = later(f.NotBefore, p.client.BlockedUntil(fetch.Host(f.url)))
		if !f.Account && !isFile(f.url) {
			f.Host = groupOf(f.url)
			f.Limits.Pace = p.client.Pace(f.Host)
		}
		in.Feeds = append(in.Feeds, f.Feed)
	})
}

// transit is how long a request is expected to take: the dispatcher leaves its space after the end of one.
const transit = time.Second

// spacings returns the time from one request to the next of each host, as the dispatcher groups them, that has several feeds.
func (p *planner) spacings(feeds []schedule.Feed) map[string]time.Duration {
	count := map[string]int{}
	for i := range feeds {
		count[feeds[i].Host]++
	}
	spacings := map[string]time.Duration{}
	for host, n := range count {
		if n < 2 || host == "" {
			continue
		}
		if spacing := max(p.client.Spacing(host), p.client.Pace(host)); spacing > 0 {
			spacings[host] = (spacing + transit + time.Second - 1).Truncate(time.Second)
		}
	}
	return spacings
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
