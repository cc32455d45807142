package poller

import (
	"context"
	"fmt"
	"time"

	"kairos/poller/schedule"
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
	db := p.store.Read()
	var next int64
	err = db.QueryRowContext(ctx, `SELECT `+countSpent+`,
		(SELECT count(*) FROM instant WHERE at BETWEEN ?2 AND ?2 + 86400),
		(SELECT coalesce(min(at), 0) FROM instant WHERE at >= ?2)`, now.Add(-day).Unix(), now.Unix()).
		Scan(&s.Spent, &s.Planned, &next)
	if err != nil {
		return s, fmt.Errorf("read the budget: %w", err)
	}
	s.Spent += p.jobs.spent()
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
	b, err := p.budget.bucket(ctx, now, s.PerDay)
	if err != nil {
		return s, err
	}
	if s.Left = b.Available(); b.UntilNext() > 0 {
		s.MoreAt = now.Add(b.UntilNext())
	}
	if s.Budget.Paused() {
		s.Planned = 0
		return s, nil // what was planned before is not fetched
	}
	if next == 0 {
		return s, nil
	}
	s.NextAt = time.Unix(next, 0)
	var code schedule.Code
	var why string
	var posts float64
	err = db.QueryRowContext(ctx, `SELECT CASE WHEN f.own_title <> '' THEN f.own_title WHEN f.title <> '' THEN f.title ELSE f.url END, i.code, i.why, i.posts
		FROM instant i JOIN feed f ON f.id = i.feed WHERE i.at = ? LIMIT 1`, next).Scan(&s.NextFeed, &code, &why, &posts)
	if s.NextReason = readReason(code, why, posts); err != nil {
		return s, fmt.Errorf("read the next fetch: %w", err)
	}
	return s, nil
}
