package policy

import (
	"time"

	"kairos/poller/lab"
	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

// Exact is the policy that Kairos ships.
var Exact = lab.Policy{Name: "exact", Start: startExact}

const (
	// ahead is how far a plan reaches, in bins, and farthest how far its closing fetch
	// can lie: a cycle is at most a week long.
	ahead    = 2 * dayBins
	farthest = ahead + longestCycle*dayBins
)

// exact is what the poller runs by default: posterior rates, the exact split of the
// budget on the circle of the average day, which gives fetches their price, and for the hours
// to come the cheapest path at that price from the feed's real last fetch, under the rates of
// the days concerned and what the last access lets expect, closed by the cycle's next
// instant. What has been saved or overdrawn of the budget moves the price. It plans anew
// at each access and every four hours.
type exact struct {
	timetable
	steps
	bucket  plan.Bucket
	price   float64 // μ of the average day
	access  rate.Outlook
	posting []rate.Profile
	sampler []*rate.Sampler // of the posting
	learned []int64         // up to when, by feed
	cycles  []plan.Cycle
	sampled []float64 // λc from now on
	coming  []float64 // λp of the feed being planned
	horizon plan.Horizon
	paid    int // fetches taken out of the bucket
}

// steps are what exact is made of. A test leaves out one after the other, to see what
// each is worth.
type steps struct {
	rates   func(v *lab.View) (rate.Outlook, func(feed int) rate.Profile)
	attends bool  // plans anew at accesses, not only when time has passed
	paced   bool  // the price follows what is left in the bucket
	bursts  bool  // expects more posts after many
	grain   int64 // bins from one that may be chosen to the next
}

var everyStep = steps{rates: expected, attends: true, paced: true, bursts: true, grain: 1}

// expected are the posterior rates, as the poller learns them.
func expected(v *lab.View) (rate.Outlook, func(feed int) rate.Profile) {
	return v.Access().Outlook(rate.AccessPrior), func(feed int) rate.Profile {
		return v.Posting(feed).Posterior(rate.FeedPrior)
	}
}

func startExact(v *lab.View, budget float64) lab.Planner { return everyStep.start(v, budget) }

func (s steps) start(v *lab.View, budget float64) lab.Planner {
	n := v.Feeds()
	e := &exact{steps: s, bucket: plan.Bucket{PerDay: budget, Days: plan.Usual, At: time.Unix(v.Start(), 0)}}
	e.at, e.posting, e.learned = make([][]int64, n), make([]rate.Profile, n), make([]int64, n)
	e.sampler = make([]*rate.Sampler, n)
	return e
}

// Learn splits the budget.
func (e *exact) Learn(v *lab.View) {
	if e.cycles == nil || !v.Frozen() {
		e.know(v)
		p := Problem(v, e.bucket.PerDay, e.access.Usual.Circle(dayBins, v.UTCOffset()), func(feed int) []float64 {
			return e.posting[feed].Circle(dayBins, 0)
		})
		r := solve(p, plan.Exact)
		e.cycles, e.price = r.Feeds, r.Marginal()
	}
	e.plan(v)
}

// know learns of the accesses, and of each feed what its last fetch brought.
func (e *exact) know(v *lab.View) {
	access, posting := e.rates(v)
	e.access = access
	for i := range e.posting {
		if last := v.KnownUntil(i); e.learned[i] < last {
			e.posting[i], e.learned[i] = posting(i), last
			e.sampler[i] = e.posting[i].Sampler(time.UTC)
			if e.bursts {
				e.sampler[i].During(v.Posting(i).Burst(e.posting[i], time.UTC))
			}
		}
	}
}

// Every is how often it plans anew if nobody comes, in seconds.
func (*exact) Every() int64 { return int64(plan.Attention / time.Second) }

// Replan plans anew, for an access or because time has passed.
func (e *exact) Replan(v *lab.View) {
	if !e.attends && v.Now()%e.Every() != 0 {
		return
	}
	if !v.Frozen() {
		e.know(v)
	} else if a := v.Accesses(); len(a) > 0 {
		e.access.Last = time.Unix(a[len(a)-1], 0)
	}
	e.plan(v)
}

// Next is the feed's next instant. A burst that its last fetch has brought to light
// is planned for at once.
func (e *exact) Next(v *lab.View, feed int) int64 {
	if e.bursts && e.learned[feed] < v.KnownUntil(feed) {
		e.follow(v, feed)
	}
	return e.timetable.Next(v, feed)
}

// follow plans a feed anew if it has turned out to be in a burst.
func (e *exact) follow(v *lab.View, feed int) {
	tally := v.Posting(feed)
	posting := tally.Posterior(rate.FeedPrior)
	burst := tally.Burst(posting, time.UTC)
	if !burst.Sudden() {
		return
	}
	e.posting[feed], e.learned[feed] = posting, v.KnownUntil(feed)
	e.sampler[feed] = posting.Sampler(time.UTC).During(burst)
	now := time.Unix(v.Now(), 0)
	start := now.Truncate(lab.Bin)
	e.sampled = e.access.Sample(start, lab.Bin, farthest+1, v.Zone())
	price := e.price
	if e.paced {
		price = e.bucket.Now(now).Spend(v.Spent() - e.paid).Price(price)
	}
	e.at[feed] = e.at[feed][:0]
	for _, b := range e.cheapest(v, feed, start, price) {
		e.at[feed] = append(e.at[feed], v.FetchTime(feed, start.Unix()+int64(b)*binSeconds))
	}
}

// plan places the instants of all feeds from now on.
func (e *exact) plan(v *lab.View) {
	now := time.Unix(v.Now(), 0)
	e.bucket = e.bucket.Now(now).Spend(v.Spent() - e.paid)
	e.paid = v.Spent()
	start := now.Truncate(lab.Bin)
	e.sampled = e.access.Sample(start, lab.Bin, farthest+1, v.Zone())
	price := e.price
	if e.paced {
		price = e.bucket.Price(price)
	}
	var offers []plan.Offer
	var of []int // their feeds
	for i := range e.at {
		e.at[i] = e.at[i][:0]
		at := e.cheapest(v, i, start, price)
		for k, b := range at {
			offers = append(offers, plan.Offer{
				At: time.Unix(v.FetchTime(i, start.Unix()+int64(b)*binSeconds), 0), Value: e.horizon.Saves(at, k),
			})
			of = append(of, i)
		}
	}
	for k, stays := range e.bucket.Admit(offers) {
		if stays {
			e.at[of[k]] = append(e.at[of[k]], offers[k].At.Unix())
		}
	}
}

// cheapest is the bins on a feed's cheapest path; the horizon is left at the feed.
func (e *exact) cheapest(v *lab.View, feed int, start time.Time, price float64) []int {
	if e.cycles[feed].Every == 0 {
		return nil
	}
	last, end := v.Last(feed), e.end(feed, start)
	first := 1
	if int64(first)*binSeconds+start.Unix() <= last {
		first = int((last-start.Unix())/binSeconds) + 1
	}
	clock := start.Unix() / binSeconds
	posting := e.sampler[feed]
	e.coming = posting.SampleInto(e.coming, start, lab.Bin, end+1)
	err := e.horizon.Renew(plan.Horizon{
		Bin: lab.Bin.Hours(), Access: e.sampled, Posting: e.coming,
		Past: plan.Waiting(posting, time.Unix(last, 0), start), First: first, Last: ahead - 1, End: end,
		Forbidden: func(bin int) bool {
			mark := clock + int64(bin)
			return mark%e.grain != 0 || plan.Coarse(bin, mark)
		},
	})
	if err != nil {
		panic(err) // rates are learned: they are never unfit
	}
	return e.horizon.Cheapest(price)
}

// end is the bin of a feed's first instant beyond the plan.
func (e *exact) end(feed int, start time.Time) int {
	c := e.cycles[feed]
	if c.Every > longestCycle {
		return farthest
	}
	length := c.Every * dayBins
	phase := int(start.Unix() / binSeconds % int64(length))
	end := farthest
	for _, a := range c.At {
		b := ((a-phase-ahead)%length+length)%length + ahead
		end = min(end, b)
	}
	return end
}
