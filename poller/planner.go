package poller

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"kairos/poller/plan"
	"kairos/reader"
	"kairos/useraccess/rate"
)

const (
	day = 24 * time.Hour
	// Bin is the grain of the plan.
	Bin = 5 * time.Minute
	// bins a day.
	bins = int(day / Bin)
	// horizon is how many bins ahead instants are kept: 48 hours.
	horizon = 2 * bins
	// longestCycle in days is as far as a closing instant is looked for.
	longestCycle = 7
)

// Bounds of "at least every …".
const (
	MinEvery = 30 * time.Minute
	MaxEvery = 7 * day
)

// FeedPlan is the plan of one feed.
type FeedPlan struct {
	Feed     reader.Feed
	Cycle    plan.Cycle
	Posting  float64 // λp, posts a day
	Share    float64 // σ
	Residual []float64
	Instants []Instant

	posting rate.Profile
	burst   rate.Burst
	state   State
	weight  float64   // w·σ
	day     int       // of its cycle, before; -1 none
	old     []int     // instants planned before, as bins
	pending time.Time // an instant that has come or is about to, which stands; zero if none
	overdue bool      // an instant has passed without a fetch
	end     int       // the bin of the first turn after the horizon; 0 if it is never fetched
	waiting plan.Past // what is expected to wait now
	gain    float64   // hours of delay a fetch now would save before the next instant
}

// worth weighs hours of delay. A feed that fails is worth less, as its fetch may
// well bring nothing.
func (f *FeedPlan) worth(hours float64) float64 {
	return f.weight * hours / float64(1+f.state.Failures)
}

// dearly is a price in hours of the feed's own delay, as worth turns them into what
// all feeds are weighed by. No feed is without weight (reader) or share (rate.Shares).
func (f *FeedPlan) dearly(price float64) float64 { return price / f.worth(1) }

// every is the longest gap the user wants, 0 if he leaves it to the plan. It is
// never shorter than the gap the server asks for.
func (f *FeedPlan) every() time.Duration {
	if f.Feed.Every <= 0 {
		return 0
	}
	return max(MinEvery, min(f.Feed.Every, MaxEvery), f.state.gap())
}

// Instant is one planned fetch.
type Instant struct {
	Feed  int64
	At    time.Time
	Code  Code
	Why   string
	Value float64 // weighted hours of delay it saves
	Posts float64 // expected

	asked bool // the user wants it, whatever its value
}

// Plan is the plan of all feeds for the coming 48 hours.
type Plan struct {
	Made     time.Time
	Budget   int
	Method   plan.Method
	Delay    float64 // Σ w σ D, hours a day
	Price    float64 // μ, of the average day
	Now      float64 // the price with what is left of the budget
	Access   float64 // λc, accesses a day
	Warnings []string
	Feeds    []FeedPlan

	fresh bool      // its cycles are new
	now   []Instant // off the plan
}

// inputs are what a plan is made from.
type inputs struct {
	now     time.Time // in the wall clock's zone
	start   time.Time // of bin 0: now rounded down to a bin, UTC
	budget  int
	method  plan.Method // of the instants to come
	access  rate.Outlook
	seed    string
	feeds   []FeedPlan
	bucket  plan.Bucket    // what is left, what is pending taken out
	running map[int64]bool // feeds that are being fetched

	sampled []float64 // λc from bin 0 on, as far as any cycle is looked at
}

// bin is the bin of an instant that has a bin of its own.
func (in *inputs) bin(at time.Time) int {
	return int(math.Floor(float64(at.Sub(in.start)) / float64(Bin)))
}

// Plan makes the plan as it would be at the poller's now under a method, without
// storing it.
func (p *Poller) Plan(ctx context.Context, method plan.Method) (*Plan, error) {
	in, err := p.gather(ctx, p.now(), false)
	if err != nil {
		return nil, err
	}
	result, err := p.solve(ctx, in.problem(), method)
	if err != nil {
		return nil, err
	}
	pl, err := in.plan(ctx, method, result)
	if err != nil {
		return nil, err
	}
	in.residuals(pl)
	in.admit(pl)
	return pl, nil
}

// plan is the plan as a pure function of its inputs and the split of the budget.
func (in *inputs) plan(ctx context.Context, method plan.Method, split plan.Result) (*Plan, error) {
	in.method = method
	out := &Plan{Made: in.now, Budget: in.budget, Method: method, Delay: split.Delay, Price: split.Price,
		Now: in.bucket.Price(split.Marginal()), Access: in.access.Usual.Mean() * 24, Warnings: split.Warnings, Feeds: in.feeds}
	in.look()
	return out, each(ctx, len(out.Feeds), func(i int) error {
		f := &out.Feeds[i]
		f.Cycle = split.Feeds[i]
		return in.coming(f, in.turns(f), out.Now)
	})
}

// residuals tells how far each cycle is from the first-order condition.
func (in *inputs) residuals(pl *Plan) {
	access := in.circle()
	for i := range pl.Feeds {
		f := &pl.Feeds[i]
		f.Residual = f.Cycle.Residual(access, f.posting.Circle(bins, 0), 24)
	}
}

// look samples λc as far as any closing fetch lies.
func (in *inputs) look() {
	in.sampled = in.access.Sample(in.start, Bin, horizon+longestCycle*bins+1, in.now.Location())
}

// each calls f with 0 to n−1 on all processors, until one of them fails or ctx
// ends.
func each(ctx context.Context, n int, f func(i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && ctx.Err() == nil; i = next.Add(1) - 1 {
				if err := f(int(i)); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// replan makes the plan anew and puts it in force. If code is CatchUp or TopUp,
// what is worth it is planned for now.
func (p *Poller) replan(ctx context.Context, now time.Time, code Code) (err error) {
	p.mu.Lock()
	p.lastPlan = now
	p.mu.Unlock()
	p.signals.planning()
	defer func() {
		if err != nil {
			p.Changed()
		}
	}()
	in, err := p.gather(ctx, now, code != "")
	if err != nil {
		return err
	}
	method, err := p.Method(ctx)
	if err != nil {
		return err
	}
	split, fresh, err := p.split(ctx, in, method)
	if err != nil {
		return err
	}
	pl, err := in.plan(ctx, method, split.result)
	if err != nil {
		return err
	}
	pl.fresh = fresh
	for _, w := range pl.Warnings {
		p.logger.Info("plan", "warning", w)
	}
	if code != "" {
		if err := in.offPlan(pl, code); err != nil {
			return err
		}
	}
	in.admit(pl)
	if err := p.put(ctx, in, pl, code != ""); err != nil {
		return err
	}
	p.mu.Lock()
	p.planned, p.price = keyOf(now, in.budget), pl.Price
	p.mu.Unlock()
	p.sayPlan(in, pl, code)
	return nil
}

func keyOf(now time.Time, budget int) planKey {
	_, zone := now.Zone()
	return planKey{day: now.Format(time.DateOnly), slot: now.Unix() / int64(plan.Attention/time.Second), zone: zone, budget: budget}
}
