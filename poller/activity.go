package poller

import (
	"context"
	"errors"
	"sync"
	"time"

	"kairos/poller/plan"
	"kairos/poller/schedule"
	"kairos/reader"
)

// Activity is something the loop does, or waits for, between the outcomes of fetches. It
// is a fact, which app/text words.
type Activity struct {
	At   time.Time
	Code ActivityCode

	Feed     string          // title: Fetching, Probing, WaitsForInstant
	Why      Code            // Fetching
	Until    time.Time       // WaitsForProbe, WaitsForBudget, WaitsForInstant
	Reason   schedule.Reason // WaitsForInstant
	Occasion schedule.Code   // Replanned: TopUp, CatchUp, Presence or ""
	Fetches  int             // Replanned
	Feeds    int             // Replanned, WorthNow, BurstsPlanned
	Budget   int             // Replanned: fetches a day
	Warning  plan.Warning    // PlanWarned
	Pause    time.Duration   // StoringFailed, LoopFailed: until the next try
	Err      error           // LoopFailed
}

// ActivityCode names one kind of activity.
type ActivityCode string

// What the loop does and waits for.
const (
	Fetching      ActivityCode = "fetching"       // Feed, Why: a fetch begins, whose outcome follows
	Replanned     ActivityCode = "replanned"      // Occasion, Fetches, Feeds, Budget
	WorthNow      ActivityCode = "worth-now"      // Feeds: so many are fetched off the plan
	PlanWarned    ActivityCode = "plan-warning"   // Warning
	BurstsPlanned ActivityCode = "bursts-planned" // Feeds: those found in a burst were replanned
	NetworkGone   ActivityCode = "network-gone"   // as requests tell: the network is probed
	Unplugged     ActivityCode = "unplugged"      // as the system tells: nothing is tried
	NetworkBack   ActivityCode = "network-back"
	Probing       ActivityCode = "probing"        // Feed: with which the network is probed
	StoringFailed ActivityCode = "storing-failed" // Pause: nothing is fetched meanwhile
	LoopFailed    ActivityCode = "loop-failed"    // Pause, Err

	WaitsForSystem  ActivityCode = "waits-for-system"  // to tell that there is a network
	WaitsForProbe   ActivityCode = "waits-for-probe"   // Until
	WaitsForRamp    ActivityCode = "waits-for-ramp"    // battery saver has ended: a few fetches a minute
	WaitsForBudget  ActivityCode = "waits-for-budget"  // Until
	WaitsForInstant ActivityCode = "waits-for-instant" // Feed, Until, Reason
	WaitsForPlan    ActivityCode = "waits-for-plan"    // nothing is planned: there is no feed, or no budget
)

// activity tells the followers of the loop what it does and what it waits for. Without
// followers it costs nothing.
type activity struct {
	signals   *signals
	followers listeners[Activity]

	mu   sync.Mutex // guards wait
	wait Activity   // what the followers were told last that the loop waits for
}

// follow calls f with each activity until the returned function is called.
func (a *activity) follow(f func(Activity)) (stop func()) {
	stop = a.followers.add(f)
	a.mu.Lock()
	a.wait = Activity{} // a new follower hears what the loop waits for
	a.mu.Unlock()
	a.signals.followerJoined()
	return stop
}

// tell tells the followers.
func (a *activity) tell(what Activity) { a.followers.tell(what) }

// tellWait tells the followers, once, what the loop waits for.
func (a *activity) tellWait(what Activity) {
	a.mu.Lock()
	before := a.wait
	a.wait = what
	a.mu.Unlock()
	before.At = what.At
	if what != before {
		a.tell(what)
	}
}

// tellPlan reports a new plan.
func (a *activity) tellPlan(pl *schedule.Plan, occasion schedule.Code) {
	fetches := len(pl.Now)
	for i := range pl.Feeds {
		fetches += len(pl.Feeds[i].Instants)
	}
	a.tell(Activity{At: pl.Made, Code: Replanned, Occasion: occasion, Fetches: fetches, Feeds: len(pl.Feeds), Budget: int(pl.Budget)})
	if len(pl.Now) > 0 {
		a.tell(Activity{At: pl.Made, Code: WorthNow, Feeds: len(pl.Now)})
	}
	for _, w := range pl.Warnings {
		a.tell(Activity{At: pl.Made, Code: PlanWarned, Warning: w})
	}
}

// tellWait tells the followers what the loop waits for; room is when the budget lets
// through what is due, zero if nothing waits for it.
func (l *loop) tellWait(ctx context.Context, now, room time.Time) error {
	if !l.activity.followers.any() {
		return nil
	}
	wait, err := l.waitsFor(ctx, now, room)
	if err == nil {
		wait.At = now
		l.activity.tellWait(wait)
	}
	return err
}

func (l *loop) waitsFor(ctx context.Context, now, room time.Time) (Activity, error) {
	probe, down, _ := l.network.outage()
	switch {
	case down && probe.IsZero():
		return Activity{Code: WaitsForSystem}, nil
	case down:
		return Activity{Code: WaitsForProbe, Until: probe}, nil
	case !room.IsZero() && l.planner.isRampedUntil(now, room):
		return Activity{Code: WaitsForRamp}, nil
	case !room.IsZero():
		return Activity{Code: WaitsForBudget, Until: room}, nil
	}
	wait := Activity{Code: WaitsForInstant}
	next, there, err := l.planner.upcoming(ctx, now)
	if err != nil {
		return Activity{}, err
	}
	if !there {
		return Activity{Code: WaitsForPlan}, nil
	}
	of, err := l.subject(ctx, next.Feed)
	if errors.Is(err, reader.ErrUnknown) {
		return Activity{Code: WaitsForPlan}, nil // it was removed a moment ago
	}
	wait.Until, wait.Reason, wait.Feed = next.At, next.Reason, of.title
	return wait, err
}
