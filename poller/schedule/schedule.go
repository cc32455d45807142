// Package schedule plans the next two days of all feeds, within the budget, the turns of hosts and what servers ask for. It does no
// input or output and reads no clock: time, feeds, what is left of the budget and the
// instants in force come in (Inputs), and what goes out is a Plan. The background loop
// and the lab drive the same code, so what the lab measures is what runs.
//
//   - Scheduler splits the budget on the circle of the average day (split.go) and places
//     the instants of the coming 48 hours around it (instants.go, pending.go), adds what is
//     worth fetching off the plan (offplan.go), and strikes what the budget will not be
//     able to pay for (admit.go). A feed found in a burst is replanned alone (burst.go).
//   - A host that is asked one request at a time, a space apart, is planned so (hosts.go).
//   - Rules are the floors below every gap, as data; Rules.Allowed says when a feed may be
//     fetched (rules.go, skips.go).
//   - Rules.Occasion says when a plan is due and why (watch.go), Rules.Start which of the due
//     instants begin (start.go), Plan.Revise and Rules.Served what becomes of the instants
//     in force after a new plan or a fetch (inforce.go).
//   - Posts learns how a feed posts from the documents it shows (posts.go).
//   - Reason says why an instant is planned: a code with its values (reason.go).
package schedule

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

const (
	day = 24 * time.Hour
	// Bin is the grain of the plan.
	Bin = 5 * time.Minute
	// bins a day.
	bins = int(day / Bin)
	// horizon is how many bins ahead instants are planned: 48 hours.
	horizon = 2 * bins
	// longestCycle in days is as far as a closing instant is looked for.
	longestCycle = 7
	// leftToSigns is the share of the visits that signs of presence will foretell for which nothing is planned beforehand.
	// On half 1 of the panel, with signs before four visits of five and as many false ones, the delay at 2, 4 and 8 fetches
	// a feed a day is 0.72, 0.65 and 0.65 of that without signs if it is 0, and 0.71, 0.67 and 0.59, with fewer fetches, if
	// it is 0.3; at 0.7 and 1 it is larger.
	leftToSigns = 0.3
)

// Feed is everything the schedule knows of a feed.
type Feed struct {
	ID        int64
	Host      string        // whose requests are spaced (Inputs.Spacing); "" if it shares its server with no other feed
	Account   bool          // it stands for all feeds of an account: its server is asked for what is new in any of them
	List      bool          // it is a list of feeds that is followed: nobody waits for articles of it
	Weight    float64       // set by the user, > 0
	Interest  float64       // q, the probability that one of its articles is read, > 0
	Every     time.Duration // the longest gap the user asks for; 0: the plan decides
	Offset    time.Duration // between the clock mark and the fetch, the same for a feed every time (Offset)
	Fetched   time.Time     // the last fetch that succeeded; zero if none did
	Tried     time.Time     // the last attempt; zero if never
	NotBefore time.Time     // the end of a back-off or of the host's Retry-After; zero if none
	Failures  int           // in a row
	Limits    Limits        // what its server and its document ask for
	Posts     Posts         // what was learned of how it posts
	Mentioned Mentioned     // what other feeds say about it
	Answers   Answers       // what was learned of how its server answers
	Cost      float64       // what a fetch is expected to take out of the budget (Charge); 0: 1
}

// Inputs are what a plan is made from.
type Inputs struct {
	Now      time.Time // in the zone of the user's wall clock
	Budget   float64   // M, the cost of fetches a day (Rules.Cost); that of a usual one is 1
	Bucket   plan.Bucket
	Method   plan.Method
	Access   rate.Outlook // λc
	Feeds    []Feed       // those that are fetched in the background, in a fixed order
	Days     map[int64]int
	Instants []Instant        // in force, those of each feed in order of time; feeds and times count
	Running  map[int64]bool   // feeds being fetched, which the bucket has paid for
	Changes  int              // to feeds, the budget or what was learned: a new number asks for a new split
	Occasion Code             // TopUp, CatchUp or Presence: what is worth it is fetched now; otherwise empty
	Signs    rate.Foretelling // what signs of presence say about the accesses

	// Spacing is the least time between two requests to a host, by Feed.Host; hosts that are not in it can be asked at any time.
	Spacing map[string]time.Duration

	// Awake, if not nil, is how probably the machine is awake, on the wall clock; nil: always.
	Awake *rate.Chances

	// Posting, if not nil, replaces the posterior posting rate of a feed (the lab compares
	// ways to learn).
	Posting func(f *Feed) rate.Rate
}

// Plan is the plan of all feeds for the coming 48 hours.
type Plan struct {
	Made     time.Time
	Budget   float64
	Method   plan.Method
	Delay    float64 // Σ w q D, hours a day
	Price    float64 // μ, of the average day
	PriceNow float64 // the price with what is left in the bucket
	// Value is what the cycles cost by the method's objective, a day, and Bound what any cycles cost at least
	// (plan.Result); 0 by the papers' methods.
	Value, Bound float64
	Access       float64 // λc, accesses a day
	Warnings     []plan.Warning
	Feeds        []FeedPlan
	Now          []Instant // off the plan, to be fetched at once
	Fresh        bool      // the cycles are new

	// Preview only.
	From     time.Time // the start of the coming day in Expected
	Expected []float64 // λc, accesses per hour in each bin of the coming day

	start   time.Time // of bin 0
	again   bool      // what was overdue has been decided again
	running map[int64]bool
	partial bool // it is that of a few feeds
}

// Partial reports whether the plan is that of a few feeds; the others keep theirs.
func (pl *Plan) Partial() bool { return pl.partial }

// DayOf is the day of a cycle on which its first fetch lies.
func DayOf(c plan.Cycle) int { return c.At[0] / bins }

// FeedPlan is the plan of one feed.
type FeedPlan struct {
	Feed     *Feed // of the inputs
	Cycle    plan.Cycle
	Posting  float64   // λp, posts a day
	Residual []float64 // of the first-order condition (6), an instant of the cycle each; Preview only
	Expected []float64 // λp, posts per hour in each bin of the coming day; Preview only
	Instants []Instant

	learned rate.Rate       // λp
	after   rate.Succession // what the last posts say about the next ones
	sudden  bool            // it is in a burst
	gap     time.Duration   // the least between two fetches
	every   time.Duration   // the longest the user wants; 0 none
	weight  float64         // w·q·rarity
	cost    float64         // of a fetch, of the budget
	day     int             // of its cycle, before; -1 none
	inForce
	end        int          // the bin of the first instant of the cycle after the horizon; 0 if it is never fetched
	backlog    plan.Backlog // what is expected to wait now
	extraWorth              // of a fetch now
	now        *Instant     // off the plan, to be fetched at once; nil: none
}

// inForce is what the plan in force has of a feed.
type inForce struct {
	old     []time.Time // instants to come
	pending time.Time   // one that has come or is about to, which stands; zero if none
	overdue bool        // one has passed without a fetch
}

// extraWorth is what a fetch off the plan is worth, before it is weighed.
type extraWorth struct {
	gain float64 // what it would save before the next instant
	late float64 // what an access now costs that does not see what waits
}

// worth weighs hours of delay that a fetch saves, per unit of its cost. A feed that fails is worth less, as its
// fetch may well bring nothing.
func (f *FeedPlan) worth(hours float64) float64 {
	return f.weight * max(1, f.Cycle.Boost) * hours / float64(1+f.Feed.Failures) / f.cost
}

// unweighted turns a price in what all feeds are weighed by into hours of the feed's
// own delay. No feed is without weight or interest.
func (f *FeedPlan) unweighted(price float64) float64 { return price / f.worth(1) }

// last is the feed's last fetch, or the one that is about to happen.
func (f *FeedPlan) last() time.Time { return later(f.Feed.Fetched, f.pending) }

// Counts is what an article of the feed counts: the user's weight times the interest times its rarity.
func (f *FeedPlan) Counts() float64 { return f.weight }

// MeanWeight is the mean over the feeds of what their articles count. Lists of feeds have none.
func (p *Plan) MeanWeight() float64 {
	sum, n := 0.0, 0
	for i := range p.Feeds {
		if f := &p.Feeds[i]; !f.Feed.List {
			sum, n = sum+f.weight, n+1
		}
	}
	return sum / float64(max(1, n))
}

// Scheduler plans the same feeds again and again and keeps the split of the budget as
// long as it holds. It is safe for concurrent use.
type Scheduler struct {
	Rules Rules

	mu      sync.Mutex // guards what follows
	planner plan.Planner
	split   *split // the last one; nil if there is none
}

// New returns a scheduler under these rules.
func New(r Rules) *Scheduler { return &Scheduler{Rules: r} }

// Forget drops the split, which belonged to other feeds.
func (s *Scheduler) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.split = nil
}

// planning is a plan in the making.
type planning struct {
	*Inputs
	rules   *Rules
	start   time.Time   // of bin 0: Now rounded down to a bin, UTC
	bucket  plan.Bucket // what is left, pending instants taken out
	feeds   []FeedPlan
	sampled []float64 // λc from bin 0 on, as far as any cycle is looked at
	preview bool
	usual   *rate.Usual // λc without clusters, for reasons: as far as the next visit is looked for
	allowed []int       // bins of the horizon, for feeds that skip none
}

// begin prepares the plan of the feeds, with what the plan in force has of them.
func (s *Scheduler) begin(in *Inputs) *planning {
	if in.Occasion == TopUp { // the access that opened the window is logged a moment later
		in.Access.Last = in.Now
	}
	p := &planning{Inputs: in, rules: &s.Rules, start: in.Now.UTC().Truncate(Bin), bucket: in.Bucket}
	p.feeds = make([]FeedPlan, len(in.Feeds))
	inParallel(len(in.Feeds), func(i int) { p.feeds[i] = p.feedPlan(&in.Feeds[i]) })
	p.addInForce()
	return p
}

func (p *planning) feedPlan(f *Feed) FeedPlan {
	posting := f.Rate()
	if p.Posting != nil && !f.List {
		posting = p.Posting(f)
	}
	postsPerDay, objective := posting.Mean()*24, p.objective()
	out := FeedPlan{Feed: f, Posting: postsPerDay, day: -1, learned: posting,
		gap: p.rules.gap(f), every: p.rules.every(f), weight: f.Weight * p.interest(f) * objective.rarity(postsPerDay), cost: p.rules.Cost(f)}
	if d, ok := p.Days[f.ID]; ok {
		out.day = d
	}
	return out
}

// interest is what an article of a feed counts beside the user's weight.
func (p *planning) interest(f *Feed) float64 {
	if !p.objective().Interest {
		return 1
	}
	return f.Interest
}

// addInForce sorts the instants in force: those to come, and the one of each feed that has
// come or is about to. On an occasion those overdue are decided again.
func (p *planning) addInForce() {
	byFeed := make(map[int64]*FeedPlan, len(p.feeds))
	for i := range p.feeds {
		byFeed[p.feeds[i].Feed.ID] = &p.feeds[i]
	}
	for i := range p.Instants {
		at := &p.Instants[i]
		f := byFeed[at.Feed]
		switch {
		case f == nil:
		case !at.At.Before(p.start.Add(Bin)):
			f.old = append(f.old, at.At)
		case p.Occasion != "" && at.At.Before(p.Now.Add(-Overdue)) && !p.Running[at.Feed]:
			f.overdue = true
		case f.pending.IsZero():
			f.pending = at.At
			if !p.Running[at.Feed] { // what runs has been paid for
				p.bucket = p.bucket.Spend(f.cost)
			}
		}
	}
}

// bin is the bin of an instant that has a bin of its own.
func (p *planning) bin(at time.Time) int {
	return int(math.Floor(float64(at.Sub(p.start)) / float64(Bin)))
}

// Replan makes the plan for Now, on the split in force if it still holds. On an occasion
// it adds what is worth a fetch right now. Errors: the context's, or a sentence about
// rates that no plan can be made from.
func (s *Scheduler) Replan(ctx context.Context, in Inputs) (*Plan, error) {
	p := s.begin(&in)
	split, fresh, err := s.splitFor(ctx, p)
	if err != nil {
		return nil, err
	}
	out, err := p.plan(ctx, split)
	if err != nil {
		return nil, err
	}
	out.Fresh = fresh
	if in.Occasion != "" {
		if err := p.offPlan(out); err != nil {
			return nil, err
		}
	}
	p.dealSlots(out)
	p.admit(out)
	p.explain(out)
	return out, nil
}

// Preview makes the plan as it would be under the inputs' method, on a split of its own,
// with the residuals of its cycles.
func (s *Scheduler) Preview(ctx context.Context, in Inputs) (*Plan, error) {
	p := s.begin(&in)
	p.preview = true
	result, err := s.solve(ctx, p.problem(), in.Method)
	if err != nil {
		return nil, err
	}
	out, err := p.plan(ctx, &split{result: result, cost: p.fetchCost()})
	if err != nil {
		return nil, err
	}
	access := p.circle(bins)
	for i := range out.Feeds {
		f := &out.Feeds[i]
		f.Residual = f.Cycle.Residual(access, f.learned.Circle(bins, 0), 24)
		f.Expected = f.learned.Sampler(time.UTC).Given(f.after).Sample(p.start, Bin, bins)
	}
	out.From, out.Expected = p.start, p.Access.Sample(p.start, Bin, bins, p.Now.Location())
	p.dealSlots(out)
	p.admit(out)
	p.explain(out)
	return out, nil
}

// plan places the instants of all feeds on a split of the budget.
func (p *planning) plan(ctx context.Context, split *split) (*Plan, error) {
	result := &split.result
	out := &Plan{Made: p.Now, Budget: p.Budget, Method: p.Method, Delay: result.Delay, Price: split.cost + result.Price,
		PriceNow: p.price(split), Value: result.Value, Bound: result.Bound, Access: p.Access.Usual.Mean() * 24, Warnings: result.Warnings,
		Feeds: p.feeds, start: p.start, again: p.Occasion != "", running: p.Running}
	p.sample()
	return out, each(ctx, len(out.Feeds), func(i int) error {
		f := &out.Feeds[i]
		f.Cycle = result.Feeds[i]
		return p.planFeed(f, out.PriceNow)
	})
}

// price is what a fetch has to save now, in weighted hours: the less is left in the bucket the more, and
// never less than a fetch costs.
func (p *planning) price(split *split) float64 {
	if p.rules.OnePrice {
		return split.marginal()
	}
	return max(split.cost, p.bucket.Price(split.marginal()))
}

// accesses returns the rate of accesses in the coming bins that costs are made of. What is not ready takes them for
// independent, hence it needs those that start something new.
func (p *planning) accesses(bin time.Duration, n int) []float64 {
	if p.objective().Waiting.NotReady {
		return p.Access.Starts(p.start, bin, n, p.Now.Location())
	}
	return p.Access.Sample(p.start, bin, n, p.Now.Location())
}

// sample samples λc as far as any closing fetch lies.
func (p *planning) sample() {
	n := horizon + longestCycle*bins + 1
	p.sampled = p.accesses(Bin, n)
	p.usual = p.Access.UsualFrom(p.start, time.Duration(n)*Bin, p.Now.Location())
	p.allowed = p.allowedBins()
	p.expectAccess()
	p.Signs.Adjust(p.sampled, p.start, Bin, p.Now, leftToSigns)
}

// inParallel is each for what cannot fail.
func inParallel(n int, f func(i int)) {
	_ = each(context.Background(), n, func(i int) error { f(i); return nil }) // nor is it ended
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

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
