package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/poller/schedule"
)

// Doing is something the loop does, or waits for, between the outcomes of fetches.
type Doing struct {
	At    time.Time
	Said  string // in words, without a full stop
	Begun bool   // a fetch begins: its outcome follows
}

// Follow calls f with what the loop does as it does it, and with what it waits for,
// until the returned function is called. Outcomes are Tell's. f must be quick.
func (p *Poller) Follow(f func(Doing)) (stop func()) {
	stop = p.followers.add(f)
	p.mu.Lock()
	p.waits = "" // who has just come hears what is waited for
	p.mu.Unlock()
	p.signals.followerJoined()
	return stop
}

// say tells those who follow; without any it costs nothing.
func (p *Poller) say(at time.Time, format string, args ...any) {
	if p.followers.any() {
		p.followers.tell(Doing{At: at, Said: fmt.Sprintf(format, args...)})
	}
}

// sayPlan tells of a new plan.
func (p *Poller) sayPlan(pl *schedule.Plan, occasion schedule.Code) {
	if !p.followers.any() {
		return
	}
	n := len(pl.Now)
	for i := range pl.Feeds {
		n += len(pl.Feeds[i].Instants)
	}
	why := ""
	switch occasion {
	case schedule.TopUp:
		why = ", as you opened Kairos"
	case schedule.CatchUp:
		why = ", as fetches were missed"
	}
	p.say(pl.Made, "planned the coming 48 hours anew%s: %s of %s, %d a day", why, count(n, "fetch", "fetches"),
		count(len(pl.Feeds), "feed", "feeds"), int(pl.Budget))
	if len(pl.Now) > 0 {
		p.say(pl.Made, "worth a fetch right now: %s", count(len(pl.Now), "feed", "feeds"))
	}
	for _, w := range pl.Warnings {
		p.say(pl.Made, "%s", w)
	}
}

// sayWait tells what the loop waits for, once; room is when the budget lets through
// what is due, zero if nothing waits for it.
func (p *Poller) sayWait(ctx context.Context, now, room time.Time) error {
	if !p.followers.any() {
		return nil
	}
	text, err := p.waitsFor(ctx, now, room)
	if err != nil {
		return err
	}
	p.mu.Lock()
	same := text == p.waits
	p.waits = text
	p.mu.Unlock()
	if !same {
		p.say(now, "%s", text)
	}
	return nil
}

func (p *Poller) waitsFor(ctx context.Context, now, room time.Time) (string, error) {
	probe, down := p.network.outage()
	p.mu.Lock()
	ramping := now.Before(p.ramp.Until) && room.Equal(p.ramp.Next)
	p.mu.Unlock()
	switch {
	case down && probe.IsZero():
		return "offline: waiting for the system to say that there is a network", nil
	case down:
		return "offline: the next probe is at " + probe.In(now.Location()).Format(time.TimeOnly), nil
	case !room.IsZero() && ramping:
		return "saving has ended: what is due goes a few a minute", nil
	case !room.IsZero():
		return "the budget is spent: what is due waits until " + When(room, now), nil
	}
	var at int64
	var title, why string
	var code schedule.Code
	var posts float64
	err := p.db.Row(ctx, `SELECT i.at, i.code, i.why, i.posts, CASE WHEN f.own_title <> '' THEN f.own_title WHEN f.title <> '' THEN f.title ELSE f.url END
		FROM instant i JOIN feed f ON f.id = i.feed WHERE i.at > ? ORDER BY i.at LIMIT 1`, []any{now.Unix()}, &at, &code, &why, &posts, &title)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "nothing is planned: waiting for a feed or a budget", nil
	case err != nil:
		return "", fmt.Errorf("read the plan: %w", err)
	}
	return fmt.Sprintf("next: %s at %s, %s", title, When(time.Unix(at, 0), now), Words(readReason(code, why, posts), now.Location())), nil
}
