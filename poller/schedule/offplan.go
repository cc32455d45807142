package schedule

import (
	"cmp"
	"slices"

	"kairos/poller/plan"
)

// extra is a fetch off the plan.
type extra struct {
	feed  *FeedPlan
	value float64
	claim float64 // what it is worth beside planned fetches
	moved bool    // it is the feed's first planned instant, which happens now
}

// lateShare is what an article that appears in the open window is worth beside one that was
// there before.
const lateShare = 0.5

// offPlan adds the fetches off the plan that are worth more than its price now:
// most valuable first, once a feed, and no more than the bucket holds. The
// plan of these feeds goes on from now. They are paid for when the plan is
// admitted: its least valuable instants find no room any more.
func (p *planning) offPlan(out *Plan) error {
	worth, queue := p.affordable(out, p.worthNow(out)), p.hostQueue()
	for _, e := range worth {
		f := e.feed
		if !p.bucket.Holds(f.cost) || queue.isLong(p, f) {
			continue
		}
		queue.join(p, f)
		f.pending = p.Now
		f.now = &Instant{Feed: f.Feed.ID, At: p.Now, Reason: p.reasonNow(f), Value: e.value}
		out.Now = append(out.Now, *f.now)
		p.bucket = p.bucket.Spend(f.cost)
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
		if e := p.extraOf(f); e.value > out.PriceNow {
			worth = append(worth, e)
		}
	}
	slices.SortStableFunc(worth, func(a, b extra) int { return cmp.Compare(b.value, a.value) })
	return worth
}

// extraOf is the fetch of a feed now. Its value is what it saves before the feed's next
// planned instant, and while the window is in use also what waits to be seen right
// away. A feed that is late and planned for the earliest bin there is has that instant now.
func (p *planning) extraOf(f *FeedPlan) extra {
	e := extra{feed: f, value: f.worth(f.gain), claim: f.worth(f.gain)}
	if p.Occasion == TopUp {
		e.value, e.claim = f.worth(f.gain+f.late), f.worth(f.gain+f.late*lateShare)
	}
	late := f.overdue || p.pendingOf(f).missed
	if late && len(f.Instants) > 0 && p.bin(f.Instants[0].At) <= p.firstBin(f) {
		e.value, e.claim, e.moved = max(e.value, f.Instants[0].Value), max(e.claim, f.Instants[0].Value), true
	}
	return e
}

// affordable returns the extras that leave the bucket what it needs for planned instants that
// save more. What appears in the window that is open already counts half here: if it counted
// like what is there when the user comes, a small budget would be gone just when the next visit
// should be prepared, and every visit would find the window out of date and spend it again.
func (p *planning) affordable(out *Plan, extras []extra) []extra {
	offers := make([]plan.PlannedFetch, 0, len(extras)+out.instants())
	moved := map[*FeedPlan]bool{}
	for _, e := range extras {
		offers = append(offers, plan.PlannedFetch{At: p.Now, Value: e.claim, Cost: e.feed.cost})
		moved[e.feed] = e.moved
	}
	for i := range out.Feeds {
		f := &out.Feeds[i]
		for k, at := range f.Instants {
			if k > 0 || !moved[f] {
				offers = append(offers, plan.PlannedFetch{At: at.At, Value: at.Value, Cost: f.cost})
			}
		}
	}
	stays := p.bucket.Admit(offers)
	kept := extras[:0]
	for i, e := range extras {
		if stays[i] {
			kept = append(kept, e)
		}
	}
	return kept
}

// isFree reports whether a feed may be fetched now: nobody is fetching it or about to,
// and its gap is over.
func (p *planning) isFree(f *FeedPlan) bool {
	return f.pending.IsZero() && !p.Running[f.Feed.ID] && !p.Now.Before(p.rules.Allowed(f.Feed, p.Now))
}

func (p *planning) reasonNow(f *FeedPlan) Reason {
	r := Reason{Code: p.Occasion}
	if f.Feed.Failures == 0 {
		r.Posts = f.backlog.Posts
	}
	if p.Occasion == CatchUp && !f.Feed.Fetched.IsZero() {
		r.Ago = p.Now.Sub(f.Feed.Fetched)
	}
	return r
}
