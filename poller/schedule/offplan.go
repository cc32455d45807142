package schedule

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
func (p *planning) offPlan(out *Plan) error {
	worth := p.worthNow(out)
	for _, e := range worth[:min(len(worth), p.bucket.Available())] {
		f := e.feed
		f.pending = p.Now
		out.Now = append(out.Now, Instant{Feed: f.Feed.ID, At: p.Now, Reason: p.reasonNow(f), Value: e.value})
		p.bucket = p.bucket.Spend(1)
		if err := p.planFeed(f, out.PriceNow); err != nil {
			return err
		}
	}
	return nil
}

// worthNow returns the feeds worth fetching now, most valuable first.
func (p *planning) worthNow(out *Plan) []extra {
	var worth []extra
	for i := range out.Feeds {
		f := &out.Feeds[i]
		if !p.isFree(f) {
			continue
		}
		if value := p.valueNow(f); value > out.PriceNow {
			worth = append(worth, extra{f, value})
		}
	}
	slices.SortStableFunc(worth, func(a, b extra) int { return cmp.Compare(b.value, a.value) })
	return worth
}

// valueNow is what fetching a feed now saves before its next planned instant, and
// while the window is in use also what waits to be seen right away. A feed that is
// late and planned for the earliest bin there is has that instant now.
func (p *planning) valueNow(f *FeedPlan) float64 {
	value := f.worth(f.gain)
	if p.Occasion == TopUp {
		value = f.worth(f.gain + f.backlog.Age)
	}
	late := f.overdue || p.pendingOf(f).missed
	if late && len(f.Instants) > 0 && p.bin(f.Instants[0].At) <= p.firstBin(f) {
		value = max(value, f.Instants[0].Value)
	}
	return value
}

// isFree reports whether a feed may be fetched now: nobody is fetching it or about to,
// and its gap is over.
func (p *planning) isFree(f *FeedPlan) bool {
	return f.pending.IsZero() && !p.Running[f.Feed.ID] && !p.Now.Before(p.rules.Allowed(&f.Feed, p.Now))
}

func (p *planning) reasonNow(f *FeedPlan) Reason {
	r := Reason{Code: p.Occasion, Posts: f.backlog.Posts}
	if p.Occasion == CatchUp && !f.Feed.Fetched.IsZero() {
		r.Ago = p.Now.Sub(f.Feed.Fetched)
	}
	return r
}
