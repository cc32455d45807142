package policy

import (
	"cmp"
	"context"
	"slices"
	"time"

	"kairos/poller/lab"
	"kairos/poller/plan"
	"kairos/poller/schedule"
	"kairos/useraccess/rate"
)

// Kairos is what the poller runs by default: package schedule, driven as the background loop
// drives it. It learns from its own fetches, the accesses and what was read at them, and re-plans by
// itself; Protocol.Relearn does not matter to it.
var Kairos = variant{rules: schedule.Default(), method: plan.Kairos}.policy("kairos")

// Exact is the same machinery for the delay, He–Parker (5), alone: every feed counts as the user
// weighs it, whatever is read.
var Exact = variant{rules: schedule.Default(), method: plan.Exact}.policy("exact")

// variant is Kairos or Exact or, to see what a step is worth, one of them without it.
type variant struct {
	rules          schedule.Rules
	method         plan.Method
	interest       func(feed int) float64                                     // nil: learned from what was read
	rates          func(v *lab.View) (rate.Outlook, func(feed int) rate.Rate) // nil: the posterior rates
	ignoreHosts    bool                                                       // it plans as if hosts took any number of requests
	ignoreAccesses bool                                                       // accesses are learned from, but no plan is made for them
	costs          *costs                                                     // nil: every fetch costs 1
}

func (e variant) policy(name string) lab.Policy {
	return lab.Policy{Name: name, StartLoop: func(v *lab.View, budget float64) lab.Loop {
		return newLoopTwin(v, e, warmedUp(v, budget, e.method))
	}}
}

// State is what a replay of the loop's twin starts with, and what happens to it that traces don't tell.
type State struct {
	Inputs    schedule.Inputs // all but Now, Access, Occasion and Posting
	Visits    rate.Visits
	Interests []rate.Interest // by feed
	Readings  []Reading
	Answers   []Answer
	Budgets   []BudgetChange // ascending
}

// Reading is what was read at an access: feeds by their place in the inputs.
type Reading struct {
	At     int64
	Read   []int // had an article read
	Passed []int // had one passed over
}

// TwinFrom is the loop's twin under rules of its own, by the method of a given state and from it on. It
// learns from the state's readings alone.
func TwinFrom(rules schedule.Rules, s State) lab.Policy {
	return lab.Policy{Name: "twin", OwnPace: true, StartLoop: func(v *lab.View, _ float64) lab.Loop {
		return newLoopTwin(v, variant{rules: rules}, s)
	}}
}

// warmedUp is the state after the warm-up, with every feed just fetched.
func warmedUp(v *lab.View, budget float64, method plan.Method) State {
	start := time.Unix(v.Start(), 0)
	s := State{
		Inputs: schedule.Inputs{Budget: budget, Method: method,
			Bucket: plan.Bucket{PerDay: budget, Days: plan.UsualLevel, At: start}},
		// The tally of accesses reaches a second further than what it was asked for.
		Visits:    rate.Visits{Tally: v.Access(), UpTo: time.Unix(v.Start()+1, 0)},
		Interests: make([]rate.Interest, v.Feeds()),
	}
	for i := range v.Feeds() {
		posts := v.Posts(i)
		newest := v.WarmupStart() // what is known of a feed that was silent ever since
		if len(posts) > 0 {
			newest = posts[len(posts)-1]
		}
		shown := min(len(posts), v.Window())
		s.Inputs.Feeds = append(s.Inputs.Feeds, schedule.Feed{
			ID: int64(i), Weight: 1, Offset: v.Offset(i), Fetched: start, Tried: start,
			Posts: schedule.Posts{Tally: v.Posting(i), UpTo: start, Newest: time.Unix(newest, 0),
				Window: schedule.Window{Shown: shown, Size: float64(shown)}},
		})
	}
	return s
}

// loopTwin is the background loop without its database and network: it holds in memory what
// that stores, and takes the same steps.
type loopTwin struct {
	variant
	State
	scheduler    *schedule.Scheduler
	instants     [][]schedule.Instant // in force, by feed, in order of time
	index        map[int64]int        // of a feed, by its ID
	basis        schedule.Basis       // of the plan in force
	changed      bool                 // the plan may no longer fit
	opened       bool                 // the window was opened since the last look
	bursts       []int                // feeds found in a burst since the last plan
	looked       int64                // the time of the last look
	accesses     int                  // known so far
	windowOpened bool                 // the window was opened for the accesses that are still to be logged
	readings     int                  // of the view's, those learned from
	budget       BudgetChange         // the last one
	ramp         schedule.Ramp
	answers      map[feedAt]*Answer
	hostUntil    time.Time      // the feeds' host wants to be left alone until then
	presence     *rate.Presence // nil: signs are ignored
	signs        int            // of the view's, those learned from
	cost, bound  float64        // of its plans
	foretold     bool           // a sign has foretold an access since the last look
}

// Certificate returns what the plans made cost by the method's objective, and the bound of what any would.
func (x *loopTwin) Certificate() (cost, bound float64) { return x.cost, x.bound }

// tick is how long the background loop sleeps at most, in seconds. After fetches it looks
// once more when it wakes.
const tick = 60

func newLoopTwin(v *lab.View, e variant, s State) *loopTwin {
	x := &loopTwin{variant: e, State: s, presence: &rate.Presence{}, scheduler: schedule.New(e.rules), index: map[int64]int{}, changed: true, accesses: len(v.Accesses()), looked: v.Now(),
		answers: indexAnswers(s.Answers)}
	x.Inputs.Feeds = slices.Clone(s.Inputs.Feeds)
	e.costs.begin(x.Inputs.Feeds)
	x.Interests = slices.Clone(s.Interests)
	x.learnReadings(v)
	x.learnPresence(v)
	x.instants = make([][]schedule.Instant, len(x.Inputs.Feeds))
	for i, f := range x.Inputs.Feeds {
		x.index[f.ID] = i
	}
	for _, at := range s.Inputs.Instants {
		i := x.index[at.Feed]
		x.instants[i] = append(x.instants[i], at)
	}
	return x
}

// Step is what the loop does when it wakes. The window is opened before its access is
// logged, as it must have been held for a moment.
func (x *loopTwin) Step(v *lab.View) (fetch []int, next int64, err error) {
	accesses := v.Accesses()[x.accesses:]
	x.noteSigns(v, accesses)
	switch {
	case len(accesses) == 0:
		return x.look(v)
	case !x.windowOpened && !x.ignoreAccesses:
		x.windowOpened, x.opened = true, true
		fetch, _, err = x.look(v)
		return fetch, v.Now(), err
	case len(x.bursts) > 0: // found by what was fetched as the window was opened
		fetch, _, err = x.look(v)
		return fetch, v.Now(), err
	}
	for _, at := range accesses {
		x.noteAccess(v, at)
	}
	x.accesses, x.windowOpened = len(v.Accesses()), false
	fetch, next, err = x.look(v)
	for _, at := range accesses {
		x.noteReadings(at)
	}
	if !v.Frozen() {
		x.learnReadings(v)
	}
	return fetch, next, err
}

// noteAccess notes an access.
func (x *loopTwin) noteAccess(v *lab.View, at int64) {
	if !v.Frozen() {
		x.Visits.Add(time.Unix(at, 0).In(v.Zone()))
		x.presence.Access(time.Unix(at, 0).In(v.Zone()))
	}
	x.changed = x.changed || !x.ignoreAccesses
}

// noteReadings notes what was read and passed over at an access.
func (x *loopTwin) noteReadings(at int64) {
	r := x.reading(at)
	if r == nil {
		return
	}
	for _, i := range r.Read {
		x.Interests[i] = x.Interests[i].After(time.Unix(at, 0), 1, 0)
	}
	for _, i := range r.Passed {
		x.Interests[i] = x.Interests[i].After(time.Unix(at, 0), 0, 1)
	}
}

func (x *loopTwin) reading(at int64) *Reading {
	n, there := slices.BinarySearchFunc(x.Readings, at, func(r Reading, at int64) int { return cmp.Compare(r.At, at) })
	if !there {
		return nil
	}
	return &x.Readings[n]
}

// learnPresence learns from the signs and accesses of the warm-up, whose accesses are expected by the time of the week.
func (x *loopTwin) learnPresence(v *lab.View) {
	usual := x.outlook(v, time.Unix(v.Now(), 0).In(v.Zone()))
	usual = rate.Outlook{Usual: usual.Usual}
	all, accesses := v.Presence(), v.Accesses()
	for len(all) > x.signs || len(accesses) > 0 {
		if len(accesses) > 0 && (len(all) == x.signs || accesses[0] < all[x.signs].At) {
			x.presence.Access(time.Unix(accesses[0], 0).In(v.Zone()))
			accesses = accesses[1:]
			continue
		}
		at := time.Unix(all[x.signs].At, 0).In(v.Zone())
		x.presence.Sign(all[x.signs].Kind, at, usual.Expected(at, rate.SignHorizon))
		x.signs++
	}
}

// noteSigns notes the signs of presence that are new, but for those after an access that is still to be noted.
func (x *loopTwin) noteSigns(v *lab.View, accesses []int64) {
	all := v.Presence()
	for _, s := range all[x.signs:] {
		if len(accesses) > 0 && s.At > accesses[0] {
			return
		}
		x.signs++
		at := time.Unix(s.At, 0).In(v.Zone())
		if x.presence.Sign(s.Kind, at, x.outlook(v, at).Expected(at, rate.SignHorizon)) {
			f := x.presence.Foretelling(at)
			x.foretold = x.foretold || f.Chance >= schedule.TellingSign && f.Sign.At.Equal(at)
		}
	}
}

// learnReadings learns from what the view tells was read and passed over; a replay of given readings
// learns from those.
func (x *loopTwin) learnReadings(v *lab.View) {
	if x.method != plan.Kairos {
		return
	}
	all := v.Readings()
	for _, r := range all[x.readings:] {
		x.Interests[r.Feed] = x.Interests[r.Feed].After(time.Unix(r.At, 0), float64(r.Read), float64(r.Passed))
	}
	x.readings = len(all)
}

// interestIn is how probably an article of a feed is read.
func (x *loopTwin) interestIn(feed int, now time.Time) float64 {
	if x.interest != nil {
		return x.interest(feed)
	}
	return x.Inputs.Feeds[feed].Posts.Chance(x.Interests[feed], now)
}

// look looks about: it plans again if that is due, and begins what has come.
func (x *loopTwin) look(v *lab.View) (fetch []int, next int64, err error) {
	now := time.Unix(v.Now(), 0).In(v.Zone())
	x.changeBudget(now)
	due, before := x.due(v, now), now
	if from, to := v.Slept(); x.looked < to { // otherwise it has looked within the last minute
		before = time.Unix(from, 0)
	}
	x.looked = v.Now()
	occasion, stale := x.rules.Occasion(schedule.Observation{Now: now, Before: before, Made: x.basis, Budget: x.Inputs.Budget,
		Changed: x.changed, Opened: x.opened, Foretold: x.foretold, Due: due})
	x.opened, x.foretold = false, false
	switch {
	case stale:
		if err := x.replan(v, now, occasion); err != nil {
			return nil, 0, err
		}
		due = x.due(v, now)
	case len(x.bursts) > 0:
		if err := x.planBursts(v, now); err != nil {
			return nil, 0, err
		}
	}
	start := x.rules.Start(now, due, x.bucket(v, now), &x.ramp)
	for _, d := range start.TooSoon {
		i := x.index[d.Feed]
		x.instants[i] = x.rules.Postpone(&x.Inputs.Feeds[i], x.instants[i], now)
	}
	for _, d := range start.Begin {
		fetch = append(fetch, x.index[d.Feed])
	}
	return fetch, x.next(now, start), nil
}

// bucket is what is left, what waits for its host taken out.
func (x *loopTwin) bucket(v *lab.View, now time.Time) plan.Bucket {
	b := x.Inputs.Bucket.AsOf(now)
	for i := range x.instants {
		if v.Waits(i) {
			b = b.Spend(1)
		}
	}
	return b
}

// due are the instants that have come, the most valuable first.
func (x *loopTwin) due(v *lab.View, now time.Time) (due []schedule.Due) {
	for i := range x.instants {
		for _, at := range x.instants[i] {
			if at.At.After(now) {
				break
			}
			d := schedule.Due{Instant: at, Of: x.Inputs.Feeds[i], Running: v.Waits(i)}
			x.charge(&d.Of)
			due = append(due, d)
		}
	}
	schedule.SortDue(due)
	return due
}

// next is when the loop wakes next.
func (x *loopTwin) next(now time.Time, s schedule.Start) int64 {
	next := min(now.Unix()+daySeconds, schedule.NextBasis(now).Unix(), x.nextBudget())
	if !s.Room.IsZero() {
		next = min(next, s.Room.Unix())
	}
	if len(s.Begin) > 0 {
		next = min(next, now.Unix()+tick)
	}
	for i := range x.instants {
		for _, at := range x.instants[i] {
			if at.At.After(now) {
				next = min(next, at.At.Unix())
				break
			}
		}
	}
	return next
}

// inputs are what a plan of these feeds is made from now.
func (x *loopTwin) inputs(v *lab.View, now time.Time, feeds []int) schedule.Inputs {
	in := x.Inputs
	in.Now, in.Bucket, in.Access = now, x.bucket(v, now), x.outlook(v, now)
	in.Signs = x.presence.Foretelling(now)
	in.Feeds, in.Instants, in.Spacing, in.Running = nil, nil, map[string]time.Duration{}, map[int64]bool{}
	if wakings := v.Wakings(); wakings != nil {
		chances := rate.NewAwake(wakings, v.Zone()).Chances()
		in.Awake = &chances
	}
	for _, i := range feeds {
		f := x.Inputs.Feeds[i]
		if f.Interest = x.interestIn(i, now); x.method == plan.Exact {
			f.Interest = 1
		}
		x.charge(&f)
		if f.NotBefore.Before(x.hostUntil) {
			f.NotBefore = x.hostUntil
		}
		if host := v.Host(i); host != "" && !x.ignoreHosts {
			f.Host, in.Spacing[host] = host, v.Spacing()
		}
		if v.Waits(i) {
			in.Running[f.ID] = true
		}
		in.Feeds = append(in.Feeds, f)
		in.Instants = append(in.Instants, x.instants[i]...)
	}
	if x.rates != nil {
		outlook, posting := x.rates(v)
		in.Access = outlook
		in.Posting = func(f *schedule.Feed) rate.Rate { return posting(x.index[f.ID]) }
	}
	return in
}

func (x *loopTwin) outlook(v *lab.View, now time.Time) rate.Outlook {
	if !v.Frozen() {
		return x.Visits.Outlook(now)
	}
	o := x.Visits.Outlook(time.Unix(v.Start(), 0).In(v.Zone()))
	if a := v.Accesses(); len(a) > 0 {
		o.Last = time.Unix(a[len(a)-1], 0)
	}
	return o
}

func (x *loopTwin) replan(v *lab.View, now time.Time, occasion schedule.Code) error {
	all := make([]int, len(x.Inputs.Feeds))
	for i := range all {
		all[i] = i
	}
	in := x.inputs(v, now, all)
	in.Occasion = occasion
	pl, err := x.scheduler.Replan(context.Background(), in)
	if err != nil {
		return err
	}
	x.store(pl)
	if pl.Fresh {
		x.cost, x.bound = x.cost+pl.Value, x.bound+pl.Bound
		x.Inputs.Days = map[int64]int{}
		for _, f := range pl.Feeds {
			if f.Cycle.Every > 1 {
				x.Inputs.Days[f.Feed.ID] = schedule.DayOf(f.Cycle)
			}
		}
	}
	x.Inputs.Bucket = x.Inputs.Bucket.AsOf(now)
	x.basis, x.changed, x.bursts = schedule.BasisOf(now, in.Budget), false, nil
	return nil
}

func (x *loopTwin) planBursts(v *lab.View, now time.Time) error {
	in := x.inputs(v, now, x.bursts)
	x.bursts = nil
	pl, err := x.scheduler.Burst(in)
	if err == nil && pl != nil {
		x.store(pl)
	}
	return err
}

// store puts a plan in force.
func (x *loopTwin) store(pl *schedule.Plan) {
	for k := range pl.Feeds {
		f := &pl.Feeds[k]
		i := x.index[f.Feed.ID]
		x.instants[i], _ = pl.Revise(f, x.instants[i], nil)
	}
}

// Fetched learns from the document that a fetch has brought.
func (x *loopTwin) Fetched(v *lab.View, feed int) (again bool) {
	f, now := &x.Inputs.Feeds[feed], time.Unix(v.Now(), 0)
	answer := x.answers[feedAt{feed, now.Unix()}]
	if answer != nil && answer.Failed {
		x.fail(answer, now)
		return false
	}
	again = x.succeed(f)
	posts := v.Posts(feed)
	posts = posts[max(0, len(posts)-v.Window()):]
	dates, fresh := make([]time.Time, len(posts)), 0
	for i, at := range posts {
		dates[i] = time.Unix(at, 0)
		if dates[i].After(f.Fetched) {
			fresh++
		}
	}
	f.Tried, f.Fetched = now, now
	if !v.Frozen() {
		f.Posts.Document(now, dates, fresh)
	}
	x.instants[feed] = x.rules.Served(f, x.instants[feed], now)
	cost := x.costs.fetched(v, feed, fresh, f)
	if answer != nil {
		cost, f.Answers = answer.Cost, answer.Learned
	}
	x.Inputs.Bucket = x.Inputs.Bucket.AsOf(now).Spend(cost)
	if fresh == 0 || !f.Posts.Sudden() || x.rules.IgnoreLatest {
		return again
	}
	x.bursts = append(x.bursts, feed)
	return true
}
