package policy

import (
	"time"

	"kairos/poller/lab"
	"kairos/poller/schedule"
)

// Answer is what a fetch got, as far as traces don't tell.
type Answer struct {
	Feed      int
	At        int64
	Failed    bool      // it brought nothing
	Unasked   bool      // because the host had asked to be left alone: no request was made
	NotBefore time.Time // the feed is left alone until then; how long after a failure was drawn by lot
	HostUntil time.Time // all feeds, which are of one host, are planned for later; zero if it asked for nothing
	Cost      float64   // taken out of the budget
	Learned   schedule.Answers
}

// BudgetChange is a new budget from a time on, in fetches a day.
type BudgetChange struct {
	At     int64
	PerDay int
	Saving bool // battery saver is on
}

// feedAt is a fetch of a feed at a time.
type feedAt struct {
	feed int
	at   int64
}

// indexAnswers returns answers by their fetch.
func indexAnswers(answers []Answer) map[feedAt]*Answer {
	index := make(map[feedAt]*Answer, len(answers))
	for i := range answers {
		index[feedAt{answers[i].Feed, answers[i].At}] = &answers[i]
	}
	return index
}

// changeBudget puts in force what the user and the machine have set by now.
func (x *loopTwin) changeBudget(now time.Time) {
	for len(x.Budgets) > 0 && x.Budgets[0].At <= now.Unix() {
		x.budget, x.Budgets = x.Budgets[0], x.Budgets[1:]
		x.Inputs.Budget = float64(x.budget.PerDay)
		x.feedsChanged()
		x.Inputs.Bucket = x.Inputs.Bucket.AsOf(now)
		x.Inputs.Bucket.PerDay = x.Inputs.Budget
	}
	x.ramp.Observe(x.budget.Saving, len(x.Inputs.Feeds), int(x.Inputs.Budget), now)
}

// feedsChanged asks for a new plan, on a new split of the budget.
func (x *loopTwin) feedsChanged() {
	x.changed = true
	x.Inputs.Changes++
}

// nextBudget is when the budget changes next.
func (x *loopTwin) nextBudget() int64 {
	if len(x.Budgets) == 0 {
		return lab.Never
	}
	return x.Budgets[0].At
}

// charge sets what a fetch of a feed is expected to take out of the budget.
func (x *loopTwin) charge(f *schedule.Feed) {
	if x.costs == nil {
		f.Charge(x.rules.TariffFor(x.budget.Saving))
	}
}

// fail notes a fetch that brought nothing.
func (x *loopTwin) fail(a *Answer, now time.Time) {
	f := &x.Inputs.Feeds[a.Feed]
	f.NotBefore, x.hostUntil = a.NotBefore, a.HostUntil
	if a.Unasked {
		x.instants[a.Feed] = x.rules.Postpone(f, x.instants[a.Feed], now)
		return
	}
	f.Tried = now
	f.Failures++
	x.instants[a.Feed] = x.rules.Retried(f, x.rules.Served(f, x.instants[a.Feed], now), now)
	x.Inputs.Bucket = x.Inputs.Bucket.AsOf(now).Spend(a.Cost)
}

// succeed notes a fetch that succeeded, and reports whether the ones before had failed.
func (x *loopTwin) succeed(f *schedule.Feed) bool {
	failed := f.Failures > 0
	f.Failures, f.NotBefore = 0, time.Time{}
	if failed {
		x.feedsChanged()
	}
	return failed
}
