package poller

import (
	"cmp"
	"slices"
)

// extra is a fetch off the plan.
type extra struct {
	feed  *FeedPlan
	value float64
}

// offPlan adds the fetches off the plan that are worth more than its price now:
// most valuable first, once a feed, and no more than the bucket holds. The
// plan of these feeds goes on from now. They are paid for when the plan is
// admitted: its least valuable instants find no room any more.
func (in *inputs) offPlan(pl *Plan, code Code) error {
	worth := in.worthNow(pl, code)
	for _, e := range worth[:min(len(worth), in.bucket.Left())] {
		f := e.feed
		f.pending = in.now
		pl.now = append(pl.now, Instant{Feed: f.Feed.ID, At: in.now, Code: code, Why: in.whyNow(f, code), Value: e.value, Posts: f.waiting.Posts})
		in.bucket = in.bucket.Spend(1)
		if err := in.coming(f, in.turns(f), pl.Now); err != nil {
			return err
		}
	}
	return nil
}

// worthNow returns the feeds worth fetching now, most valuable first.
func (in *inputs) worthNow(pl *Plan, code Code) []extra {
	var worth []extra
	for i := range pl.Feeds {
		f := &pl.Feeds[i]
		if !in.mayNow(f) {
			continue
		}
		if value := in.valueNow(f, code == TopUp); value > pl.Now {
			worth = append(worth, extra{f, value})
		}
	}
	slices.SortStableFunc(worth, func(a, b extra) int { return cmp.Compare(b.value, a.value) })
	return worth
}

// valueNow is what fetching a feed now saves before its next planned instant, and
// while the window is in use also what waits to be seen right away. A feed that is
// late and planned for the earliest bin there is has that instant now.
func (in *inputs) valueNow(f *FeedPlan, inUse bool) float64 {
	value := f.worth(f.gain)
	if inUse {
		value = f.worth(f.gain + f.waiting.Age)
	}
	late := f.overdue || in.turns(f).missed
	if late && len(f.Instants) > 0 && in.bin(f.Instants[0].At) <= in.first(f) {
		value = max(value, f.Instants[0].Value)
	}
	return value
}

// mayNow reports whether a feed is free: nobody is fetching it or about to, and
// it may be fetched again.
func (in *inputs) mayNow(f *FeedPlan) bool {
	return f.pending.IsZero() && !in.running[f.Feed.ID] && !in.now.Before(f.state.allowed(in.now))
}

func (in *inputs) whyNow(f *FeedPlan, code Code) string {
	why := "you opened Kairos"
	if code == CatchUp {
		why = "missed while asleep"
		if !f.state.Fetched.IsZero() {
			why = "last fetched " + Span(in.now.Sub(f.state.Fetched)) + " ago"
		}
	}
	return why + "; " + expected(f.waiting.Posts)
}
