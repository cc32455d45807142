package schedule

import (
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

// Instant is one planned fetch.
type Instant struct {
	Feed   int64
	At     time.Time
	Reason Reason
	Value  float64 // weighted hours of delay it saves, for each of its requests
	// Residual of the first-order condition (6) between its neighbors; Preview only.
	Residual float64

	wanted bool // the user asks for it, whatever its value
}

// workspace is the memory with which the coming hours of a feed are planned.
type workspace struct {
	horizon plan.Horizon
	posting rate.Sampler
}

// workspaces are those that no feed needs now.
var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// planFeed finds the instants of a feed's coming 48 hours: the cheapest path at the
// price from its real last fetch, closed by the cycle's next instant after them. Under the
// papers' methods they are the cycle's.
func (p *planning) planFeed(f *FeedPlan, price float64) error {
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	t := p.pendingOf(f)
	posting := w.posting.Renew(&f.learned, time.UTC)
	if !p.rules.IgnoreLatest && !f.Feed.List {
		f.after = f.Feed.Posts.Succession(posting)
	}
	f.sudden = f.after.Sudden(posting)
	posting.Given(f.after)
	f.Instants, f.backlog, f.end, f.gain = nil, plan.ExpectedBacklog(posting, p.objective().Waiting, p.Access.Last, f.last(), p.start), t.end, 0
	f.Feed.Mentioned.addTo(&f.backlog, p.objective().Waiting, f.last(), p.Access.Last, p.Now)
	if t.end == 0 {
		return nil
	}
	h, objective := &w.horizon, p.objective()
	err := h.Renew(plan.Horizon{Bin: Bin.Hours(), Waiting: objective.Waiting, Access: p.sampled[:t.end+1],
		Posting: posting.SampleInto(h.Posting, p.start, Bin, t.end+1),
		Backlog: f.backlog, First: p.firstBin(f), Last: horizon - 1, End: t.end, Allowed: p.allowedTo(f),
		MinGap: f.minBins(), MaxGap: int(f.every / Bin),
		Window: f.Feed.Posts.Window.Items(), LossWeight: objective.LossWeight, Dispersion: objective.Dispersion})
	if err != nil {
		return fmt.Errorf("plan the coming hours of feed %d: %w", f.Feed.ID, err)
	}
	at := p.chooseBins(f, h, t, price)
	f.Instants = slices.Grow(f.Instants, len(at))
	for i := range at {
		f.Instants = append(f.Instants, p.instant(f, h, at, i))
	}
	f.late = h.AccessNow(objective.Late)
	f.gain = h.Value(-1, 0, append(at, h.End)[0])
	return nil
}

// minBins is the least gap, in bins.
func (f *FeedPlan) minBins() int {
	n := ceilBins(f.gap)
	if f.every > 0 {
		return min(n, int(f.every/Bin))
	}
	return n
}

// chooseBins chooses the bins of a feed: the exact method as many as are worth the price, the
// papers' the very bins of the cycle. A feed that fails is tried once more as soon as it
// may be: the rest comes back when it succeeds.
func (p *planning) chooseBins(f *FeedPlan, h *plan.Horizon, t pending, price float64) []int {
	switch {
	case f.Feed.Failures > 0 && h.First < horizon && t.count() > 0:
		return []int{h.First}
	case f.Feed.Failures > 0:
		return nil
	case p.Method.TakesCharges():
		return p.limitGaps(f, h, h.Keep(p.oldBins(f), h.CheapestInstants(f.unweighted(price))))
	}
	return p.limitGaps(f, h, t.cycleInstants(h, func(bin int) int { return p.firstOpen(f, bin) }))
}

// oldBins are those of the instants planned before: an offset is shorter than a bin.
func (p *planning) oldBins(f *FeedPlan) []int {
	old := make([]int, len(f.old))
	for i, at := range f.old {
		old[i] = p.bin(at)
	}
	return old
}

// longest is the longest gap in bins: what the user wants, or a week, unless the budget
// does not reach so far.
func (f *FeedPlan) longest() int {
	if f.every > 0 {
		return int(f.every / Bin)
	}
	return max(longestCycle, f.Cycle.Every) * bins
}

// allowedBins are the bins of the horizon that plans do not leave out.
func (p *planning) allowedBins() (allowed []int) {
	clock, grain := p.start.Unix()/int64(Bin/time.Second), int64(max(1, p.rules.Grain))
	for bin := range horizon {
		if mark := clock + int64(bin); !plan.MayLeaveOut(bin, mark) && mark%grain == 0 {
			allowed = append(allowed, bin)
		}
	}
	return allowed
}

// allowedTo are those of the allowed bins that the feed does not want to skip.
func (p *planning) allowedTo(f *FeedPlan) []int {
	if f.Feed.Limits.Skips == (Skips{}) {
		return p.allowed
	}
	return slices.DeleteFunc(slices.Clone(p.allowed), func(bin int) bool { return p.isSkipped(f, bin) })
}

// isSkipped reports whether the feed does not want to be fetched in a bin.
func (p *planning) isSkipped(f *FeedPlan, bin int) bool {
	return f.Feed.Limits.Skips.Contains(p.start.Add(time.Duration(bin) * Bin))
}

// firstOpen is the first bin from s on in which the feed wants to be fetched.
func (p *planning) firstOpen(f *FeedPlan, s int) int {
	for s < horizon && p.isSkipped(f, s) {
		s++
	}
	return s
}

// lastOpen is the last bin from lo to s in which the feed wants to be fetched, else the
// first one after s.
func (p *planning) lastOpen(f *FeedPlan, lo, s int) int {
	for b := s; b >= lo; b-- {
		if !p.isSkipped(f, b) {
			return b
		}
	}
	return p.firstOpen(f, s)
}

// limitGaps sees to it that no gap is longer than it may be, the one since the last fetch
// included: instants come earlier, and where that is not enough there are more.
func (p *planning) limitGaps(f *FeedPlan, h *plan.Horizon, at []int) (kept []int) {
	longest := f.longest()
	last, fetched := p.lastBin(f)
	if !fetched {
		last = h.First - longest
	}
	for i := 0; ; i++ {
		s := max(last+longest, h.First)
		if i < len(at) {
			s = min(s, at[i])
		}
		s = p.lastOpen(f, max(last+max(1, h.MinGap), h.First), s)
		if i >= len(at) && s >= min(h.End, horizon) || s >= horizon {
			return kept
		}
		kept, last = append(kept, s), s
	}
}

func (p *planning) instant(f *FeedPlan, h *plan.Horizon, at []int, i int) Instant {
	s, prev := at[i], -1
	if i > 0 {
		prev = at[i-1]
	}
	instant := Instant{
		Feed:   f.Feed.ID,
		At:     p.fetchTime(f, h, s),
		Reason: p.reason(f, s, h.ExpectedPosts(prev, s)),
		Value:  f.worth(h.Saves(at, i)),
		wanted: f.wanted(),
	}
	if p.preview {
		instant.Residual = h.Residual(at, i)
	}
	return instant
}

// bursts reports whether a feed is in a burst that lasts until a bin.
func (p *planning) bursts(f *FeedPlan, s int) bool {
	return f.sudden && p.start.Add(time.Duration(s)*Bin).Before(f.after.SuddenUntil())
}

// wanted reports whether the cycle is what the user asks for, no more.
func (f *FeedPlan) wanted() bool {
	if f.every == 0 || f.Feed.Failures > 0 {
		return false
	}
	if f.every >= 2*day {
		return f.Cycle.Every >= int(f.every/day)
	}
	return f.Cycle.Every == 1 && len(f.Cycle.At) <= int((day+f.every-1)/f.every)
}

// firstBin is the earliest bin a feed may be fetched in. The bin that has begun is
// over for the plan.
func (p *planning) firstBin(f *FeedPlan) int {
	earliest := p.rules.Allowed(f.Feed, p.Now)
	if !f.pending.IsZero() {
		earliest = later(earliest, f.pending.Add(f.gap))
	}
	return p.firstOpen(f, min(max(1, ceilBins(earliest.Sub(p.start))), horizon))
}

func ceilBins(d time.Duration) int { return int((d + Bin - 1) / Bin) }

// A fetch comes this long after its bin begins: many sites post at clock marks,
// so a fetch just after one brings more than one just before, and installations
// that think alike do not arrive together.
const (
	MinOffset = 20 * time.Second
	MaxOffset = 140 * time.Second
)

// Offset is the offset of a feed under an installation's own random text.
func Offset(seed string, feed int64) time.Duration {
	h := fnv.New64a()
	fmt.Fprint(h, seed, feed)
	return MinOffset + time.Duration(h.Sum64()%uint64(MaxOffset-MinOffset)).Truncate(time.Second)
}

// fetchTime is when the fetch planned for bin s happens: after the clock mark, by seconds only
// where the visit it is for is expected in that very bin. A slot dealt before stays the feed's: dealt again at every plan, slots would
// wander away from their visits.
func (p *planning) fetchTime(f *FeedPlan, h *plan.Horizon, s int) time.Time {
	mark := p.start.Add(time.Duration(s) * Bin)
	at := mark.Add(f.Feed.Offset)
	if h.Expects(s) {
		at = mark.Add((f.Feed.Offset / 8).Truncate(time.Second))
	}
	if p.Spacing[f.Feed.Host] <= 0 {
		return at
	}
	if k := slices.IndexFunc(f.old, func(old time.Time) bool { return p.bin(old) == s }); k >= 0 && !(h.Expects(s) && f.old[k].After(at)) {
		return f.old[k]
	}
	return at
}
