package poller

import (
	"fmt"
	"sync"
	"time"

	"kairos/poller/plan"
)

// horizons are those no longer needed: a plan looks at one a feed.
var horizons = sync.Pool{New: func() any { return new(plan.Horizon) }}

// coming finds the instants of a feed's coming 48 hours: the cheapest path at the
// price from its real last fetch, closed by the cycle's next turn after them. Under the
// papers' methods they are the turns.
func (in *inputs) coming(f *FeedPlan, t turns, price float64) error {
	posting := f.posting.Sampler(time.UTC).During(f.burst)
	f.Instants, f.waiting, f.end, f.gain = nil, plan.Waiting(posting, f.last(), in.start), t.end, 0
	if t.end == 0 {
		return nil
	}
	h := horizons.Get().(*plan.Horizon)
	defer horizons.Put(h)
	err := h.Renew(plan.Horizon{Bin: Bin.Hours(), Access: in.sampled[:t.end+1],
		Posting: posting.Sample(in.start, Bin, t.end+1),
		Past:    f.waiting, First: in.first(f), Last: horizon - 1, End: t.end, Forbidden: in.leftOut(f),
		MinGap: f.minBins(), MaxGap: int(f.every() / Bin)})
	if err != nil {
		return fmt.Errorf("plan the coming hours of feed %d: %w", f.Feed.ID, err)
	}
	at := in.path(f, h, t, price)
	for i := range at {
		f.Instants = append(f.Instants, in.instant(f, h, at, i))
	}
	f.gain = h.Value(-1, 0, append(at, h.End)[0])
	return nil
}

// minBins is the gap the server asks for, in bins.
func (f *FeedPlan) minBins() int {
	n := ceilBins(f.state.gap())
	if every := f.every(); every > 0 {
		return min(n, int(every/Bin))
	}
	return n
}

// path chooses the instants of a feed that has these turns to come. One that
// fails is tried once more as soon as it may be: the rest comes back when it succeeds.
func (in *inputs) path(f *FeedPlan, h *plan.Horizon, t turns, price float64) []int {
	switch {
	case f.state.Failures > 0 && h.First < horizon && t.count() > 0:
		return []int{h.First}
	case f.state.Failures > 0:
		return nil
	}
	return in.within(f, h, in.place(f, h, t, price))
}

// longest is the longest gap in bins: what the user wants, or a week, unless the budget
// does not reach so far.
func (f *FeedPlan) longest() int {
	if every := f.every(); every > 0 {
		return int(every / Bin)
	}
	return max(longestCycle, f.Cycle.Every) * bins
}

// leftOut tells which bins the plan of a feed leaves out.
func (in *inputs) leftOut(f *FeedPlan) func(bin int) bool {
	clock := in.start.Unix() / int64(Bin/time.Second)
	return func(bin int) bool { return plan.Coarse(bin, clock+int64(bin)) || in.shut(f, bin) }
}

// shut reports whether the feed does not want to be fetched in a bin.
func (in *inputs) shut(f *FeedPlan, bin int) bool {
	return f.state.skips != skips{} && f.state.skips.shut(in.start.Add(time.Duration(bin)*Bin))
}

// open is the first bin from s on in which the feed wants to be fetched.
func (in *inputs) open(f *FeedPlan, s int) int {
	for s < horizon && in.shut(f, s) {
		s++
	}
	return s
}

// near is the last bin from lo to s in which the feed wants to be fetched, else the
// first one after s.
func (in *inputs) near(f *FeedPlan, lo, s int) int {
	for b := s; b >= lo; b-- {
		if !in.shut(f, b) {
			return b
		}
	}
	return in.open(f, s)
}

// within sees to it that no gap is longer than it may be, the one since the last fetch
// included: instants come earlier, and where that is not enough there are more.
func (in *inputs) within(f *FeedPlan, h *plan.Horizon, at []int) (kept []int) {
	longest := f.longest()
	last, fetched := in.lastBin(f)
	if !fetched {
		last = h.First - longest
	}
	for i := 0; ; i++ {
		s := max(last+longest, h.First)
		if i < len(at) {
			s = min(s, at[i])
		}
		s = in.near(f, max(last+max(1, h.MinGap), h.First), s)
		if i >= len(at) && s >= min(h.End, horizon) || s >= horizon {
			return kept
		}
		kept, last = append(kept, s), s
	}
}

func (in *inputs) instant(f *FeedPlan, h *plan.Horizon, at []int, i int) Instant {
	s, prev := at[i], -1
	if i > 0 {
		prev = at[i-1]
	}
	posts := h.Expect(prev, s)
	return Instant{
		Feed:  f.Feed.ID,
		At:    in.at(f, h, s),
		Code:  in.code(f, s),
		Why:   in.reason(f, h, s, posts),
		Value: f.worth(h.Saves(at, i)),
		Posts: posts,
		asked: f.asked(),
	}
}

func (in *inputs) code(f *FeedPlan, s int) Code {
	switch {
	case f.state.Failures > 0:
		return Retry
	case in.bursts(f, s):
		return Burst
	}
	return Planned
}

// bursts reports whether a feed is in a burst that lasts until a bin.
func (in *inputs) bursts(f *FeedPlan, s int) bool {
	return f.burst.Sudden() && in.start.Add(time.Duration(s)*Bin).Before(f.burst.End())
}

// asked reports whether the cycle is what the user asked for, no more.
func (f *FeedPlan) asked() bool {
	every := f.every()
	if every == 0 || f.state.Failures > 0 {
		return false
	}
	if every >= 2*day {
		return f.Cycle.Every >= int(every/day)
	}
	return f.Cycle.Every == 1 && len(f.Cycle.At) <= int((day+every-1)/every)
}

// first is the earliest bin a feed may be fetched in. The bin that has begun is
// over for the plan.
func (in *inputs) first(f *FeedPlan) int {
	earliest := f.state.allowed(in.now)
	if !f.pending.IsZero() {
		earliest = later(earliest, f.pending.Add(f.state.gap()))
	}
	return in.open(f, min(max(1, ceilBins(earliest.Sub(in.start))), horizon))
}

func ceilBins(d time.Duration) int { return int((d + Bin - 1) / Bin) }
