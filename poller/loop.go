package poller

import (
	"context"
	"time"

	"kairos/poller/dispatch"
	"kairos/poller/icons"
	"kairos/poller/preparer"
	"kairos/poller/schedule"
)

const (
	// tick is the longest the loop sleeps: timers stand still in suspend and the
	// clock or the zone may be changed, so it looks at the wall clock that often.
	tick = time.Minute
	// While fetches keep changing what the plan depends on it is rebuilt every
	// so often, and the loop looks every so often whether they have ended.
	replanEvery = 10 * time.Second
	settle      = time.Second
)

// loop carries the plan out: it sleeps until the next instant, or until something
// happens.
type loop struct {
	*env
	queue    *dispatch.Queue
	signals  *signals
	network  *network
	hosts    *hosts
	activity *activity
	failure  *storeFailure
	jobs     *jobs
	budget   *budget
	goal     *goalKeeper
	planner  *planner
	servers  *servers
	icons    *icons.Fetcher     // nil if none are fetched
	preparer *preparer.Preparer // nil if no articles are prepared
	awake    *awakeLog
	outages  *outages
	older    *olderPages

	clock wallClock
}

// run carries the plan out until ctx ends, then waits for the fetches in flight.
func (l *loop) run(ctx context.Context) error {
	defer l.client.CloseIdle()
	defer l.queue.Wait()
	if l.preparer != nil {
		defer l.preparer.Wait()
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			l.noteEnd(ctx)
			return nil
		case <-l.signals.wake:
		case <-timer.C:
		}
		next, err := l.step(ctx, l.now())
		if ctx.Err() != nil {
			l.noteEnd(ctx)
			return nil
		}
		if err != nil {
			// A full disk or a locked file passes; the loop goes on.
			l.logger.Error("poller", "err", err)
			l.activity.tell(Activity{At: l.now(), Code: LoopFailed, Pause: tick, Err: err})
			next = l.now().Add(tick)
			l.signals.calm()
		}
		timer.Reset(min(max(next.Sub(l.now()), 0), tick))
	}
}

// noteEnd notes that nothing is fetched any more. If it cannot be stored, a few minutes awake
// are lost.
func (l *loop) noteEnd(ctx context.Context) {
	if err := l.awake.ends(context.WithoutCancel(ctx), l.clock.lastLook()); err != nil {
		l.logger.Error("poller", "err", err)
	}
}

// step does what is due at now and returns when to look again. As long as nothing
// happens and nothing is due it costs nothing: no query, no write.
func (l *loop) step(ctx context.Context, now time.Time) (time.Time, error) {
	until, events := l.signals.rest()
	if now.Before(until) && l.mayRest(now) {
		return until, nil
	}
	next, err := l.look(ctx, now)
	if err != nil {
		l.signals.setRest(time.Time{}, events)
		return next, err
	}
	l.signals.setRest(next, events)
	return next, nil
}

// mayRest reports whether neither the clock nor the day's plan asks for a look.
func (l *loop) mayRest(now time.Time) bool {
	since := now.Sub(l.clock.lastLook())
	if since < -tick || since > schedule.Asleep {
		return false
	}
	if basis, _ := l.planner.inForce(); basis != schedule.BasisOf(now, basis.Budget) {
		return false
	}
	l.clock.looked(now)
	return true
}

// look does what is due at now and returns when to look again.
func (l *loop) look(ctx context.Context, now time.Time) (time.Time, error) {
	if err := l.prepare(ctx, now); err != nil {
		return now, err
	}
	if until, _ := l.failure.pause(); now.Before(until) {
		return until, nil
	}
	if err := l.awake.note(ctx, l.clock.lastLook(), now); err != nil {
		l.logger.Error("poller", "err", err) // it costs no fetch
	}
	if err := l.checkUnplugged(ctx, now); err != nil {
		return now, err
	}
	if err := l.outages.check(ctx); err != nil {
		return now, err
	}
	first, err := l.firstFetches(ctx, now)
	if err != nil {
		return now, err
	}
	if err := l.goal.adjust(ctx, now); err != nil {
		return now, err
	}
	before := l.clock.lastLook()
	due, err := l.planner.due(ctx, now)
	if err != nil {
		return now, err
	}
	occasion, stale, err := l.occasion(ctx, now, due.all)
	if err != nil {
		return now, err
	}
	if stale {
		if occasion == "" && l.planner.isUnsettled(now, l.queue.Load()) {
			return now.Add(settle), nil
		}
		if err := l.planner.replan(ctx, now, occasion); err != nil {
			return now, err
		}
		if due, err = l.planner.due(ctx, now); err != nil {
			return now, err
		}
	} else if due, err = l.planFew(ctx, now, due); err != nil {
		return now, err
	}
	next, err := l.carryOut(ctx, now, due)
	if err != nil {
		return now, err
	}
	if err := l.syncInUse(ctx, now); err != nil {
		return now, err
	}
	ofServers, err := l.servers.look(ctx, now, before)
	if l.icons != nil {
		l.icons.Start(ctx, now)
	}
	if l.preparer != nil {
		l.preparer.Start(ctx, now)
	}
	if ofServers.Before(next) {
		next = ofServers
	}
	back, oldErr := l.older.start(ctx, now)
	if back.Before(next) {
		next = back
	}
	if err == nil {
		err = oldErr
	}
	if !first.IsZero() && first.Before(next) {
		next = first
	}
	return next, err
}

// planFew plans the feeds that have turned out to be in a burst, and returns what is due then.
func (l *loop) planFew(ctx context.Context, now time.Time, due dueNow) (dueNow, error) {
	if bursts, err := l.planner.planBursts(ctx, now); err != nil || !bursts {
		return due, err
	}
	return l.planner.due(ctx, now)
}

// prepare restores what outlives a restart and mends what a clock that was set
// back has left in the future.
func (l *loop) prepare(ctx context.Context, now time.Time) error {
	if err := l.hosts.restore(ctx); err != nil {
		return err
	}
	if l.clock.startsOrWasSetBack(now) {
		return l.setBack(ctx, now)
	}
	return l.trustClock(ctx, now)
}

// occasion decides whether a new plan is due and whether something happened that
// calls for fetches off the plan.
func (l *loop) occasion(ctx context.Context, now time.Time, due []schedule.Due) (occasion schedule.Code, stale bool, err error) {
	allowed, err := l.budget.allowed(ctx)
	if err != nil {
		return "", false, err
	}
	l.planner.noteSaving(allowed, now)
	if err := l.budget.noteSaving(ctx, allowed.reduced, now); err != nil {
		return "", false, err
	}
	offline := l.network.isDown()
	basis, _ := l.planner.inForce()
	occasion, stale = rules.Occasion(schedule.Observation{Now: now, Before: l.clock.looked(now), Made: basis, Budget: float64(allowed.perDay),
		Changed: l.signals.isStale(), Opened: !offline && l.signals.takeOpened(), Foretold: !offline && l.signals.takeForetold(), Offline: offline, Due: due})
	return occasion, stale, nil
}

// carryOut starts what is due, and a probe while the network is down. It returns
// when to look again.
func (l *loop) carryOut(ctx context.Context, now time.Time, due dueNow) (time.Time, error) {
	room, next, err := l.planner.startDue(ctx, now, due)
	if err != nil {
		return now, err
	}
	if basis := schedule.NextBasis(now); basis.Before(next) {
		next = basis
	}
	if !room.IsZero() && room.Before(next) {
		next = room
	}
	if probe, down, inDoubt := l.network.outage(); down || inDoubt {
		if wait := later(probe, now.Add(settle)); !probe.IsZero() && wait.Before(next) {
			next = wait
		}
		if err := l.probe(ctx, now); err != nil {
			return next, err
		}
	}
	canary, err := l.outages.ask(ctx, now)
	if err != nil {
		return next, err
	}
	if !canary.IsZero() && canary.Before(next) {
		next = canary
	}
	return next, l.tellWait(ctx, now, room)
}

// firstFetches fetches what has never been tried at the address it has now. It returns when it can go on: a host may have asked to
// wait; zero if nothing waits.
func (l *loop) firstFetches(ctx context.Context, now time.Time) (later time.Time, err error) {
	if !l.signals.takeUntried() {
		return later, nil
	}
	untried, later, err := l.untried(ctx, now)
	if err != nil || len(untried) > 0 || !later.IsZero() {
		l.signals.stillUntried()
	}
	if err != nil {
		return later, err
	}
	for _, s := range l.jobs.without(untried) {
		if s, err = l.subject(ctx, s.id); err != nil {
			return later, err
		}
		l.jobs.start(ctx, job{subject: s, code: First, untried: true}, nil)
	}
	return later, nil
}
