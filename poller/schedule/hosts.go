package schedule

import (
	"cmp"
	"container/heap"
	"maps"
	"slices"
	"time"
)

// capacities returns how many requests a day each host takes that has more feeds than it could take all of at their
// least gaps: while the machine is awake one per spacing.
func (p *planning) capacities() map[string]float64 {
	wanted := map[string]float64{} // requests a day
	for i := range p.feeds {
		f := &p.feeds[i]
		if p.Spacing[f.Feed.Host] > 0 {
			wanted[f.Feed.Host] += day.Hours() / max(f.gap, Bin).Hours()
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	awake := day - time.Duration(len(p.asleep(nil)))*Bin
	takes := map[string]float64{}
	for host, all := range wanted {
		if n := float64(awake / p.Spacing[host]); n < all {
			takes[host] = n
		}
	}
	return takes
}

// hostQueue is when each host may be asked next, after what is due or about to be fetched.
type hostQueue map[string]time.Time

func (p *planning) hostQueue() hostQueue {
	q := hostQueue{}
	for i := range p.feeds {
		if f := p.feeds[i].Feed; p.Spacing[f.Host] > 0 {
			q[f.Host] = later(later(p.Now, q[f.Host]), f.Tried.Add(p.Spacing[f.Host]))
		}
	}
	for i := range p.feeds {
		if f := &p.feeds[i]; !f.pending.IsZero() {
			q.join(p, f)
		}
	}
	return q
}

// join adds a request to the queue of a feed's host.
func (q hostQueue) join(p *planning, f *FeedPlan) {
	if spacing := p.Spacing[f.Feed.Host]; spacing > 0 {
		q[f.Feed.Host] = q[f.Feed.Host].Add(spacing)
	}
}

// isLong reports whether a request of a feed would have to wait so long that it is left to the plan, which has a slot for it.
func (q hostQueue) isLong(p *planning, f *FeedPlan) bool {
	return q[f.Feed.Host].After(p.Now.Add(Overdue))
}

// hostJob is a planned fetch of a host that is to be dealt a slot.
type hostJob struct {
	feed     *FeedPlan
	number   int       // of the instant
	latest   time.Time // the last moment of its bin at which the host is asked in the plan as it is
	earliest time.Time // when its feed may be fetched
	haste    float64   // what an hour earlier costs: weighted posts
}

// dealSlots moves the fetches of each host earlier until any two are its spacing apart: before a visit the feed that
// posts most is the last, and the others come in the minutes or hours before. Otherwise the dispatcher would delay them, past
// the visit. What finds no room between now and its bin comes as soon after it as the host allows. Under the papers' methods
// instants stay where they are.
func (p *planning) dealSlots(out *Plan) {
	if len(p.Spacing) == 0 || !p.Method.TakesCharges() {
		return
	}
	byHost, queue := map[string][]hostJob{}, p.hostQueue()
	for i := range out.Feeds {
		f := &out.Feeds[i]
		host := f.Feed.Host
		if p.Spacing[host] <= 0 {
			continue
		}
		for k := range f.Instants {
			byHost[host] = append(byHost[host], p.hostJob(f, k))
		}
	}
	hosts := slices.Collect(maps.Keys(byHost))
	inParallel(len(hosts), func(i int) {
		host := hosts[i]
		deal(byHost[host], later(p.start.Add(Bin), queue[host]), p.Spacing[host])
	})
	for i := range out.Feeds {
		if f := &out.Feeds[i]; p.Spacing[f.Feed.Host] > 0 {
			f.mendOrder()
		}
	}
}

func (p *planning) hostJob(f *FeedPlan, k int) hostJob {
	first := p.firstBin(f)
	if k > 0 {
		first = max(first, p.bin(f.Instants[k-1].At)+f.minBins())
	}
	at := f.Instants[k].At
	if f.Feed.Limits.Skips != (Skips{}) {
		b := p.bin(at)
		for b > first && !p.isSkipped(f, b-1) {
			b--
		}
		first = b
	}
	earliest := p.start.Add(time.Duration(first) * Bin)
	if at.Before(earliest) {
		earliest = at
	}
	return hostJob{feed: f, number: k, latest: at, earliest: earliest, haste: f.weight * f.Posting}
}

func (j *hostJob) instant() *Instant { return &j.feed.Instants[j.number] }

// mendOrder sorts a feed's instants after they have been dealt, and strikes those that have come too near to another.
func (f *FeedPlan) mendOrder() {
	slices.SortFunc(f.Instants, func(a, b Instant) int { return a.At.Compare(b.At) })
	last := time.Time{}
	f.Instants = slices.DeleteFunc(f.Instants, func(i Instant) bool {
		near := !last.IsZero() && i.At.Sub(last) < time.Duration(f.minBins()-1)*Bin
		if !near {
			last = i.At
		}
		return near
	})
}

// deal gives the jobs of a host their slots, from free on, in O(n log n): backwards in time, each slot to the job that has
// the most haste of those planned for it or later. For slots of one length that is the best order (Smith's rule with release times,
// backwards).
func deal(jobs []hostJob, free time.Time, spacing time.Duration) {
	shareBins(jobs)
	slices.SortStableFunc(jobs, func(a, b hostJob) int { return cmp.Or(b.latest.Compare(a.latest), a.compare(&b)) })
	var open hasteHeap
	var late []*hostJob
	var taken []time.Time // descending
	for slot := (time.Time{}); len(jobs) > 0 || len(open) > 0; {
		if len(open) == 0 && (slot.IsZero() || jobs[0].latest.Before(slot)) {
			slot = jobs[0].latest
		}
		for len(jobs) > 0 && !jobs[0].latest.Before(slot) {
			heap.Push(&open, &jobs[0])
			jobs = jobs[1:]
		}
		j := heap.Pop(&open).(*hostJob)
		if slot.Before(free) || slot.Before(j.earliest) {
			late = append(late, j)
			continue
		}
		j.instant().At = slot
		taken = append(taken, slot)
		slot = slot.Add(-spacing)
	}
	slices.Reverse(taken)
	dealLate(late, taken, free, spacing)
}

// shareBins lets jobs of the same bin take one another's moments: within a bin none is better.
func shareBins(jobs []hostJob) {
	last := map[int64]time.Time{}
	for i := range jobs {
		b := jobs[i].latest.Unix() / int64(Bin/time.Second)
		last[b] = later(last[b], jobs[i].latest)
	}
	for i := range jobs {
		jobs[i].latest = last[jobs[i].latest.Unix()/int64(Bin/time.Second)]
	}
}

// dealLate gives those that found no room before their time the first slots after it at which their feeds may be fetched; taken are
// ascending.
func dealLate(late []*hostJob, taken []time.Time, free time.Time, spacing time.Duration) {
	slices.SortStableFunc(late, func(a, b *hostJob) int {
		return cmp.Or(a.instant().At.Truncate(Bin).Compare(b.instant().At.Truncate(Bin)), a.compare(b))
	})
	var skipped []*hostJob
	all, slot := slices.Clone(taken), free
	for _, j := range late {
		slot = later(slot, j.instant().At)
		for len(taken) > 0 && taken[0].Before(slot.Add(spacing)) {
			if slot.Before(taken[0].Add(spacing)) {
				slot = taken[0].Add(spacing)
			}
			taken = taken[1:]
		}
		if j.instant().At = j.feed.Feed.Limits.Skips.nextOpen(slot); j.instant().At.After(slot) {
			skipped = append(skipped, j)
			continue
		}
		all, slot = append(all, slot), slot.Add(spacing)
	}
	if len(skipped) > 0 {
		slices.SortFunc(all, time.Time.Compare)
		dealLate(skipped, all, free, spacing)
	}
}

// compare puts the job with the most haste first; of equal ones the one of the earlier feed.
func (j *hostJob) compare(o *hostJob) int {
	return cmp.Or(cmp.Compare(o.haste, j.haste), cmp.Compare(j.feed.Feed.ID, o.feed.Feed.ID), cmp.Compare(j.number, o.number))
}

// hasteHeap has the job with the most haste first.
type hasteHeap []*hostJob

func (h hasteHeap) Len() int           { return len(h) }
func (h hasteHeap) Less(i, j int) bool { return h[i].compare(h[j]) < 0 }
func (h hasteHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *hasteHeap) Push(x any)        { *h = append(*h, x.(*hostJob)) }
func (h *hasteHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
