package poller

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
)

const (
	// tick is the longest the loop sleeps: timers stand still in suspend and the
	// clock or the zone may be changed, so it looks at the wall clock that often.
	tick = time.Minute
	// While fetches keep changing what the plan depends on it is made anew every
	// so often, and looked at every so often whether they have ended.
	replanEvery = 10 * time.Second
	settle      = time.Second
)

// Run carries the plan out until ctx ends, then waits for the fetches in flight.
func (p *Poller) Run(ctx context.Context) error {
	defer p.client.CloseIdle()
	defer p.queue.Wait()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-p.signals.wake:
		case <-timer.C:
		}
		next, err := p.step(ctx, p.now())
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			// A full disk or a locked file passes; the loop goes on.
			p.logger.Error("poller", "err", err)
			p.say(p.now(), "something is wrong here, trying again in %s: %v", Span(tick), err)
			next = p.now().Add(tick)
			p.signals.calm()
		}
		timer.Reset(min(max(next.Sub(p.now()), 0), tick))
	}
}

// Settle waits for the fetches in flight and brings the plan up to date if
// something changed it, for a process that does not run the loop. The plan is left to the
// next process if ctx ends.
func (p *Poller) Settle(ctx context.Context) error {
	p.queue.Wait()
	if !p.signals.hasChanged() || ctx.Err() != nil {
		return nil
	}
	if err := p.replan(ctx, p.now(), ""); ctx.Err() == nil {
		return err
	}
	return nil
}

// step does what is due at now and returns when to look again. As long as nothing
// happens and nothing is due it costs nothing: no query, no write.
func (p *Poller) step(ctx context.Context, now time.Time) (time.Time, error) {
	until, events := p.signals.rest()
	if now.Before(until) && p.mayRest(now) {
		return until, nil
	}
	next, err := p.lookAbout(ctx, now)
	if err != nil {
		p.signals.setRest(time.Time{}, events)
		return next, err
	}
	p.signals.setRest(next, events)
	return next, nil
}

// mayRest reports whether neither the clock nor the day's plan asks for a look.
func (p *Poller) mayRest(now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	since := now.Sub(p.lastStep)
	if since < -tick || since > schedule.Asleep || p.planned != schedule.BasisOf(now, p.planned.Budget) {
		return false
	}
	p.lastStep = now
	return true
}

func (p *Poller) lookAbout(ctx context.Context, now time.Time) (time.Time, error) {
	if err := p.prepare(ctx, now); err != nil {
		return now, err
	}
	if until, _ := p.failure.pause(); now.Before(until) {
		return until, nil
	}
	if err := p.heedUnplugged(ctx, now); err != nil {
		return now, err
	}
	if err := p.firstFetches(ctx); err != nil {
		return now, err
	}
	due, feeds, err := p.due(ctx, now)
	if err != nil {
		return now, err
	}
	occasion, stale, err := p.look(ctx, now, due)
	if err != nil {
		return now, err
	}
	if stale {
		if occasion == "" && p.unsettled(now) {
			return now.Add(settle), nil
		}
		if err := p.replan(ctx, now, occasion); err != nil {
			return now, err
		}
		if due, feeds, err = p.due(ctx, now); err != nil {
			return now, err
		}
	} else if err := p.planBursts(ctx, now); err != nil {
		return now, err
	}
	next, err := p.carryOut(ctx, now, due, feeds)
	if err == nil && p.icons != nil {
		p.icons.Start(ctx, now)
	}
	return next, err
}

// carryOut starts what is due, and a probe while the network is down. It returns
// when to look again.
func (p *Poller) carryOut(ctx context.Context, now time.Time, due []schedule.Due, feeds map[int64]dueFeed) (time.Time, error) {
	room, err := p.startDue(ctx, now, due, feeds)
	if err != nil {
		return now, err
	}
	next, err := p.nextInstant(ctx, now)
	if err != nil {
		return now, err
	}
	if basis := schedule.NextBasis(now); basis.Before(next) {
		next = basis
	}
	if !room.IsZero() && room.Before(next) {
		next = room
	}
	if probe, down := p.network.outage(); down {
		if wait := later(probe, now.Add(settle)); !probe.IsZero() && wait.Before(next) {
			next = wait
		}
		if err := p.probe(ctx, now); err != nil {
			return next, err
		}
	}
	return next, p.sayWait(ctx, now, room)
}

// prepare restores what outlives a restart and mends what a clock that was set
// back has left in the future.
func (p *Poller) prepare(ctx context.Context, now time.Time) error {
	if err := p.hosts.restore(ctx); err != nil {
		return err
	}
	p.mu.Lock()
	first, back := p.lastStep.IsZero(), now.Before(p.lastStep.Add(-tick))
	if first {
		p.lastStep = now
	}
	p.mu.Unlock()
	if first || back {
		return p.setBack(ctx, now)
	}
	return p.believe(ctx, now)
}

// unsettled reports whether fetches in flight go on changing what the plan
// depends on, and it was made a moment ago.
func (p *Poller) unsettled(now time.Time) bool {
	p.mu.Lock()
	since := now.Sub(p.lastPlan)
	p.mu.Unlock()
	return since >= 0 && since < replanEvery && p.queue.Load() > 0
}

// look decides whether a new plan is due and whether something happened that
// calls for fetches off the plan.
func (p *Poller) look(ctx context.Context, now time.Time, due []schedule.Due) (occasion schedule.Code, stale bool, err error) {
	allowed, err := p.allowed(ctx)
	if err != nil {
		return "", false, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ramp.See(allowed.saving, allowed.feeds, allowed.fetches, now)
	offline := p.network.isDown()
	occasion, stale = rules.Occasion(schedule.Look{Now: now, Before: p.lastStep, Made: p.planned, Budget: float64(allowed.fetches),
		Changed: p.signals.isStale(), Opened: !offline && p.signals.takeOpened(), Offline: offline, Due: due})
	p.lastStep = now
	return occasion, stale, nil
}

// firstFetches fetches what has never been tried at the address it has now.
func (p *Poller) firstFetches(ctx context.Context) error {
	if !p.signals.takeUntried() {
		return nil
	}
	feeds, err := p.neverTried(ctx)
	if err != nil || len(feeds) > 0 {
		p.signals.stillUntried()
		p.mu.Lock()
		feeds = slices.DeleteFunc(feeds, func(f reader.Feed) bool { return p.running[f.ID] != nil || p.network.holdsBack(f.URL) })
		p.mu.Unlock()
	}
	if err != nil {
		return err
	}
	for _, f := range feeds {
		if f, err = p.store.Feeds.Get(ctx, f.ID); err != nil {
			return err
		}
		p.start(ctx, job{feed: f, code: First, why: "new subscription"}, nil)
	}
	return nil
}

// neverTried are those feeds, of which only the address is read.
func (p *Poller) neverTried(ctx context.Context) (feeds []reader.Feed, err error) {
	rows, err := p.db.Rows(ctx, `SELECT f.id, f.url FROM feed f LEFT JOIN poll s ON s.feed = f.id
		WHERE f.removed = 0 AND f.paused = 0 AND (s.tried IS NULL OR s.tried = 0 OR s.address <> f.url) ORDER BY f.id`)
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
