package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"kairos/poller/schedule"
)

// Activity is something the loop does, or waits for, between the outcomes of fetches.
type Activity struct {
	At    time.Time
	Said  string // in words, without a full stop
	Begun bool   // a fetch begins: its outcome follows
}

// activity tells those who follow the loop what it does and what it waits for. Without
// followers it costs nothing.
type activity struct {
	signals   *signals
	followers listeners[Activity]

	mu   sync.Mutex // guards wait
	wait string     // what the followers were told last that the loop waits for
}

// follow calls f with each activity until the returned function is called.
func (a *activity) follow(f func(Activity)) (stop func()) {
	stop = a.followers.add(f)
	a.mu.Lock()
	a.wait = "" // a new follower hears what the loop waits for
	a.mu.Unlock()
	a.signals.followerJoined()
	return stop
}

// say tells the followers.
func (a *activity) say(at time.Time, format string, args ...any) {
	if a.followers.any() {
		a.followers.tell(Activity{At: at, Said: fmt.Sprintf(format, args...)})
	}
}

// sayWait tells the followers, once, what the loop waits for.
func (a *activity) sayWait(at time.Time, text string) {
	a.mu.Lock()
	same := text == a.wait
	a.wait = text
	a.mu.Unlock()
	if !same {
		a.say(at, "%s", text)
	}
}

// sayPlan tells of a new plan.
func (a *activity) sayPlan(pl *schedule.Plan, occasion schedule.Code) {
	if !a.followers.any() {
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
	a.say(pl.Made, "planned the coming 48 hours anew%s: %s of %s, %d a day", why, count(n, "fetch", "fetches"),
		count(len(pl.Feeds), "feed", "feeds"), int(pl.Budget))
	if len(pl.Now) > 0 {
		a.say(pl.Made, "worth a fetch right now: %s", count(len(pl.Now), "feed", "feeds"))
	}
	for _, w := range pl.Warnings {
		a.say(pl.Made, "%s", w)
	}
}

// tellWait tells the followers what the loop waits for; room is when the budget lets
// through what is due, zero if nothing waits for it.
func (l *loop) tellWait(ctx context.Context, now, room time.Time) error {
	if !l.activity.followers.any() {
		return nil
	}
	text, err := l.waitsFor(ctx, now, room)
	if err == nil {
		l.activity.sayWait(now, text)
	}
	return err
}

func (l *loop) waitsFor(ctx context.Context, now, room time.Time) (string, error) {
	probe, down := l.network.outage()
	switch {
	case down && probe.IsZero():
		return "offline: waiting for the system to say that there is a network", nil
	case down:
		return "offline: the next probe is at " + probe.In(now.Location()).Format(time.TimeOnly), nil
	case !room.IsZero() && l.planner.isRampedUntil(now, room):
		return "saving has ended: what is due goes a few a minute", nil
	case !room.IsZero():
		return "the budget is spent: what is due waits until " + When(room, now), nil
	}
	var at int64
	var title, why string
	var code schedule.Code
	var posts float64
	err := l.db.Row(ctx, `SELECT i.at, i.code, i.why, i.posts, CASE WHEN f.own_title <> '' THEN f.own_title WHEN f.title <> '' THEN f.title ELSE f.url END
		FROM instant i JOIN feed f ON f.id = i.feed WHERE i.at > ? ORDER BY i.at LIMIT 1`, []any{now.Unix()}, &at, &code, &why, &posts, &title)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "nothing is planned: waiting for a feed or a budget", nil
	case err != nil:
		return "", fmt.Errorf("read the plan: %w", err)
	}
	return fmt.Sprintf("next: %s at %s, %s", title, When(time.Unix(at, 0), now), Words(readReason(code, why, posts), now.Location())), nil
}
