package poller

import (
	"context"
	"errors"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
)

// Status is the state of the poller that the window and the verbs show.
type Status struct {
	Budget       Budget
	Feeds        int       // that it is for
	PerDay       int       // M
	Spent        int       // requests of background fetches of the last 24 hours
	Left         int       // what may be spent now: what was earned and kept
	MoreAt       time.Time // when there is one to spend; zero if there is, or never will be
	Planned      int       // instants of the coming 24 hours; none while fetching is paused
	NextAt       time.Time // the next planned instant; zero if there is none
	NextFeed     string
	NextReason   schedule.Reason
	Price        float64 // μ, h a fetch
	Offline      bool    // there is no network, and feeds wait for it
	StoreFailure Message // why nothing is fetched for a while; zero if storing works
	Busy         int     // fetches in flight or queued
	BusyReason   Code    // why most of these happen
}

// Status reads the poller's state at its clock's now.
func (p *Poller) Status(ctx context.Context) (Status, error) {
	now := p.now()
	budget, feeds, err := p.budget.read(ctx)
	if err != nil {
		return Status{}, err
	}
	s := Status{Budget: budget, Feeds: feeds, Busy: p.queue.Load()}
	if s.Spent, err = p.budget.spent(ctx, now); err != nil {
		return s, err
	}
	_, s.Price = p.planner.inForce()
	s.Offline, s.BusyReason = p.network.isMissing(), p.jobs.commonCode()
	if until, why := p.failure.pause(); now.Before(until) {
		s.StoreFailure = messageOf(why)
	}
	if s.Offline {
		if s.Offline, err = p.needNetwork(ctx); err != nil {
			return s, err
		}
	}
	s.PerDay = budget.PerDay(feeds)
	b, err := p.budget.bucket(ctx, 0, now, s.PerDay)
	if err != nil {
		return s, err
	}
	if s.Left = b.Available(); b.UntilNext() > 0 {
		s.MoreAt = now.Add(b.UntilNext())
	}
	if s.Budget.Paused() {
		return s, nil // what was planned before is not fetched
	}
	err = p.addPlanned(ctx, &s, now)
	return s, err
}

// addPlanned adds what is planned from now on.
func (p *Poller) addPlanned(ctx context.Context, s *Status, now time.Time) error {
	var instants []Instant
	err := p.eachAgenda(ctx, selectAgenda+" WHERE "+p.planner.scope(), nil, func(feed int64, stored []byte) (err error) {
		instants, _, err = readTimes(instants[:0], feed, stored)
		for i := range instants {
			if at := instants[i].At; at.Unix() >= now.Unix() && !at.After(now.Add(day)) {
				s.Planned++
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	next, there, err := p.planner.upcoming(ctx, now.Add(-time.Second)) // what comes now is to come
	if err != nil {
		return err
	}
	// What is new is not fetched by the plan, which has it for the time after that.
	switch feed, at, err := p.nextUntried(ctx, now); {
	case err != nil:
		return err
	case feed != 0 && (!there || at.Before(next.At)):
		next, there = Instant{Feed: feed, At: at, Reason: schedule.Reason{Code: schedule.Planned, Purpose: schedule.AsAsked}}, true
	}
	if !there {
		return nil
	}
	of, err := p.subject(ctx, next.Feed)
	if errors.Is(err, reader.ErrUnknown) {
		return nil // it was removed a moment ago
	}
	s.NextAt, s.NextReason, s.NextFeed = next.At, next.Reason, of.title
	return err
}
