package schedule

import (
	"time"

	"kairos/poller/plan"
)

// Bounds of "at least every …", which the user sets.
const (
	MinEvery = 30 * time.Minute
	MaxEvery = 7 * day
)

// Rules are the numbers that bound the gaps between two background fetches of a feed,
// and switches with which the lab and tests leave a step out.
type Rules struct {
	// MinGap is the least gap whatever a fetch would save: no feed is polled like a chat.
	MinGap time.Duration
	// CalmGap is the least for a feed that nothing hurries: neither its server nor its
	// posts (BusyRate an hour) nor its user.
	CalmGap  time.Duration
	BusyRate float64
	// AccountGap is the least for an account, whose server is the user's own, and AccountRequests what a synchronization
	// costs: what came, what is unread, what is starred.
	AccountGap      time.Duration
	AccountRequests int
	// A feed silent for long is asked seldom, whatever budget lies idle: after Silent
	// not before SilentGap, after Dormant not before DormantGap.
	Silent, SilentGap   time.Duration
	Dormant, DormantGap time.Duration
	// Kairos and Exact are what the two methods minimize: what waits, and for Exact the delay (5).
	Kairos, Exact Objective
	// DayBytes is how much of one feed's documents background fetches are expected to bring a day; a feed that is larger still is fetched
	// daily.
	DayBytes float64
	// ListEvery is how often a list of feeds is looked at.
	ListEvery time.Duration
	// What servers ask for is capped: publishers set years of max-age by mistake, ttl in
	// seconds instead of minutes. Half a day of max-age is granted: so much is asked for by those who measure how feed
	// readers behave (rachelbythebay's feed score sends 43,200 seconds), while a day and more is what servers are set to
	// for files that never change. Other readers grant 4 h (CommaFeed), 5 h (NetNewsWire) and 24 h (Miniflux).
	MaxAgeCap time.Duration
	TTLCap    time.Duration

	// What fetches take out of the budget, and while battery saver is in force.
	Tariff, SaverTariff Tariff

	NoTopUps     bool // an opened window is no reason to fetch
	OnePrice     bool // the price of a fetch does not follow what is left in the bucket
	IgnoreLatest bool // when the last posts were is no reason to expect more or fewer
	IgnoreSleep  bool // that the machine sleeps at times is no reason to plan otherwise
	Grain        int  // bins from one that may be chosen to the next; 0 or 1: each may be
}

// Default is what the background loop runs by. What Kairos minimizes was chosen on half 1 of the panel, thirteen people over
// three weeks; poller/RESULTS.md has the curves. Exact takes the number of posts for Poisson: with the dispersion its delay is a
// quarter larger at 4 fetches a feed a day. CalmGap and the FetchCost of Exact were chosen by the replay of ten people over
// three weeks: at 24 fetches a feed a day half of the requests go for two tenths of a point of ready; with more than
// 20 seconds those who come seldom wait longer at 8 a day, and calm gaps below half an hour save nothing measurable. DayBytes is what
// a feed of half a megabyte brings at MinGap, or of a megabyte at CalmGap, so it concerns none that is smaller.
func Default() Rules {
	return Rules{
		MinGap:  15 * time.Minute,
		CalmGap: 30 * time.Minute, BusyRate: 1.0 / 4,
		AccountGap: 5 * time.Minute, AccountRequests: 3,
		Silent: 30 * day, SilentGap: 12 * time.Hour,
		Dormant: 365 * day, DormantGap: 7 * day,
		DayBytes:    50e6,
		ListEvery:   day,
		MaxAgeCap:   12 * time.Hour,
		TTLCap:      day,
		SaverTariff: Tariff{Bytes: 0.3},
		Kairos:      Objective{Waiting: plan.Waiting{NotReady: true, Again: 0.02}, Interest: true, Rarity: 0.4, FetchCost: 0.0005, LossWeight: 0.5, Dispersion: dispersion, Late: 0.03, Floor: 0.6},
		Exact:       Objective{FetchCost: (20 * time.Second).Hours(), LossWeight: 0.5},
	}
}

// Limits are what a feed's server and document ask for.
type Limits struct {
	MaxAge time.Duration // how long the last answer stays fresh (max-age, Expires)
	TTL    time.Duration // between fetches (ttl, sy:updatePeriod)
	Skips  Skips         // skipHours, skipDays
	Pace   time.Duration // between two requests to the server (RateLimit), as far as it is granted
}

// requested is the gap that the server and the document of a feed ask for, as far as it is granted.
func (r *Rules) requested(f *Feed) time.Duration {
	maxAge, ttl := r.Caps(f.List)
	return max(min(f.Limits.MaxAge, maxAge), min(f.Limits.TTL, ttl), f.Limits.Pace)
}

// Caps returns as far as max-age and ttl are granted to a feed, or to a list of feeds, where nothing waits.
func (r *Rules) Caps(list bool) (maxAge, ttl time.Duration) {
	if list {
		return MaxEvery, MaxEvery
	}
	return r.MaxAgeCap, r.TTLCap
}

// GapCause says what a feed's least gap follows from.
type GapCause string

// The causes of a gap.
const (
	GapLeast     GapCause = "least"     // no feed is asked more often (Rules.MinGap)
	GapRequested GapCause = "requested" // its server or document asks for it
	GapCalm      GapCause = "calm"      // it posts rarely and nothing hurries it
	GapUnknown   GapCause = "unknown"   // it was never fetched, and nothing hurries it
	GapSilent    GapCause = "silent"    // it has been silent for Rules.Silent
	GapDormant   GapCause = "dormant"   // it has been silent for Rules.Dormant
	GapLarge     GapCause = "large"     // its documents are large: Rules.DayBytes
	GapList      GapCause = "list"      // it is a list of feeds: Rules.ListEvery
	GapWanted    GapCause = "wanted"    // half of what the user asks for, so that bins can be found in time
)

// gap is the least time between two background fetches of a feed.
func (r *Rules) gap(f *Feed) time.Duration {
	gap, _ := r.GapOf(f)
	return gap
}

// GapOf is the least time between two background fetches of a feed, and what it follows
// from.
func (r *Rules) GapOf(f *Feed) (time.Duration, GapCause) {
	if f.Account {
		return r.AccountGap, GapLeast
	}
	requested := r.requested(f)
	own, cause := r.restraint(f, requested)
	switch gap := max(r.MinGap, requested, own); {
	case gap == requested:
		return gap, GapRequested
	case gap == own:
		return gap, cause
	default:
		return gap, GapLeast
	}
}

// Cost is what a fetch is expected to take out of the budget: 1 if nothing is known, for an account as much as its requests.
func (r *Rules) Cost(f *Feed) float64 {
	switch {
	case f.Account:
		return float64(max(1, r.AccountRequests))
	case f.Cost > 0:
		return min(max(f.Cost, LeastCost), MostCost)
	}
	return 1
}

// TariffFor returns what fetches take out of the budget while battery saver is in force, or is not.
func (r *Rules) TariffFor(saving bool) Tariff {
	if saving {
		return r.SaverTariff
	}
	return r.Tariff
}

// restraint is the gap we keep though nobody asks for it. A user who wants the feed more
// often gets it.
func (r *Rules) restraint(f *Feed, requested time.Duration) (own time.Duration, cause GapCause) {
	if f.List {
		return r.listRestraint(f)
	}
	quiet := time.Duration(0)
	if !f.Posts.Newest.IsZero() {
		quiet = f.Tried.Sub(f.Posts.Newest)
	}
	switch {
	case quiet >= r.Dormant:
		own, cause = r.DormantGap, GapDormant
	case quiet >= r.Silent:
		own, cause = r.SilentGap, GapSilent
	case (requested == 0 || requested > r.CalmGap) && f.Posts.PerHour() < r.BusyRate:
		if own, cause = r.CalmGap, GapCalm; f.Fetched.IsZero() {
			cause = GapUnknown
		}
	}
	if large := r.largeGap(f); large > own {
		own, cause = large, GapLarge
	}
	if f.Every > 0 && f.Every/2 < own {
		own, cause = f.Every/2, GapWanted
	}
	return own, cause
}

// largeGap is the gap with which the documents of a feed are as much a day as they may be.
func (r *Rules) largeGap(f *Feed) time.Duration {
	return time.Duration(float64(day) * min(1, f.Answers.perFetch(f.Posts.PerHour())/r.DayBytes)).Round(time.Second)
}

// every is the longest gap the user wants, 0 if it is left to the plan. It is never
// shorter than the least gap.
func (r *Rules) every(f *Feed) time.Duration {
	switch {
	case f.List:
		return r.listEvery(f)
	case f.Every <= 0:
		return 0
	}
	return max(MinEvery, min(f.Every, MaxEvery), r.gap(f))
}

// Allowed is when a feed may be fetched in the background, from now on: after the gap,
// back-off and Retry-After, and not when it wants to be skipped.
func (r *Rules) Allowed(f *Feed, now time.Time) time.Time {
	at := later(now, f.NotBefore)
	if !f.Tried.IsZero() {
		at = later(at, f.Tried.Add(r.gap(f)))
	}
	return f.Limits.Skips.nextOpen(at)
}
