package poller

import (
	"context"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/useraccess/rate"
)

// gather reads what a plan is made from. Instants that have come stand, but for
// those overdue if they are to be decided anew.
func (p *Poller) gather(ctx context.Context, now time.Time, anew bool) (*inputs, error) {
	states, err := p.States(ctx)
	if err != nil {
		return nil, err
	}
	in, err := p.surroundings(ctx, now)
	if err != nil {
		return nil, err
	}
	if err := p.fill(ctx, in, states); err != nil {
		return nil, err
	}
	return in, p.before(ctx, in, anew)
}

// surroundings reads what the plan of every feed is made from.
func (p *Poller) surroundings(ctx context.Context, now time.Time) (*inputs, error) {
	in := &inputs{now: now, start: now.UTC().Truncate(Bin), running: p.inFlight()}
	var err error
	if in.budget, err = p.perDay(ctx); err != nil {
		return nil, err
	}
	if in.access, err = p.log.Outlook(ctx, now); err != nil {
		return nil, err
	}
	if in.seed, err = p.seed(ctx); err != nil {
		return nil, err
	}
	in.bucket, err = p.bucket(ctx, now, in.budget)
	return in, err
}

// fill adds all feeds that are not paused, with what is known of them.
func (p *Poller) fill(ctx context.Context, in *inputs, states map[int64]State) error {
	feeds, err := p.active(ctx)
	if err != nil {
		return err
	}
	ids := make([]int64, len(feeds))
	for i, f := range feeds {
		ids[i] = f.ID
	}
	shares, err := p.log.Shares(ctx, ids)
	if err != nil {
		return err
	}
	for i, f := range feeds {
		p.learned(in, f, states[f.ID], shares[i])
	}
	return nil
}

// learned adds a feed with what is known of it and its host.
func (p *Poller) learned(in *inputs, f reader.Feed, s State, share float64) {
	s.of(f)
	s.NotBefore = later(s.NotBefore, p.client.HostFree(fetch.Host(f.URL)))
	in.add(f, s, share)
}

// inFlight are the feeds that are being fetched or queued.
func (p *Poller) inFlight() map[int64]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	running := make(map[int64]bool, len(p.running))
	for id := range p.running {
		running[id] = true
	}
	return running
}

func (in *inputs) add(f reader.Feed, s State, share float64) {
	if s.Gone {
		return
	}
	posting := s.tally.Posterior(rate.FeedPrior)
	in.feeds = append(in.feeds, FeedPlan{
		Feed: f, Posting: posting.Mean() * 24, Share: share, day: -1,
		posting: posting, burst: s.tally.Burst(posting, time.UTC), state: s, weight: f.Weight * share,
	})
}
