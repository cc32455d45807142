package schedule

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

// oneHost are inputs with feeds of one host, the first of which post most, of somebody who comes at these hours every day.
func oneHost(feeds int, spacing time.Duration, hours ...float64) Inputs {
	visits := readingAt(40, hours...)
	in := steady()
	in.Now = monday.Truncate(day)
	in.Access, in.Budget = visits.Outlook(in.Now), float64(4*feeds)
	in.Bucket = plan.Bucket{PerDay: in.Budget, Days: 1, At: in.Now}
	in.Spacing = map[string]time.Duration{"example.com": spacing}
	for i := range feeds {
		f := Feed{ID: int64(i + 1), Host: "example.com", Weight: 1, Interest: 1, Fetched: in.Now, Tried: in.Now,
			Offset: Offset("here", int64(i+1)), Posts: Posts{UpTo: in.Now, Newest: in.Now.Add(-time.Hour)}}
		for d := range 2 {
			for h := range rate.Hours {
				f.Posts.Tally.Watch[d][h] = 1e4
				f.Posts.Tally.Count[d][h] = 1e4 * 2 * math.Pow(0.9, float64(i))
			}
		}
		in.Feeds = append(in.Feeds, f)
	}
	return in
}

func replan(t testing.TB, s *Scheduler, in Inputs) *Plan {
	t.Helper()
	pl, err := s.Replan(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return pl
}

// instantsOf are those of all feeds, in order of time.
func instantsOf(pl *Plan) (all []Instant) {
	for i := range pl.Feeds {
		all = append(all, pl.Feeds[i].Instants...)
	}
	slices.SortStableFunc(all, func(a, b Instant) int { return a.At.Compare(b.At) })
	return all
}

// waiting is the hours that posts have waited, at visits at these hours of the two coming days.
func waiting(in *Inputs, instants []Instant, hours []float64) (sum float64) {
	for d := range 2 {
		for _, h := range hours {
			visit := in.Now.Add(time.Duration((24*float64(d) + h) * float64(time.Hour)))
			last := map[int64]time.Time{}
			for _, at := range instants {
				if at.At.Before(visit) {
					last[at.Feed] = later(last[at.Feed], at.At)
				}
			}
			for i := range in.Feeds {
				f := &in.Feeds[i]
				since := visit.Sub(later(f.Fetched, last[f.ID])).Hours()
				sum += f.Posts.Rate().Mean() * since * since / 2
			}
		}
	}
	return sum
}

// Sixty feeds of a host that is asked once a minute are fetched in the hour before the visit, one a minute, the busiest last.
// Planned for the same minutes, the dispatcher would fetch half of them after it.
func TestSlotsOfOneHost(t *testing.T) {
	hours := []float64{7.5, 20}
	in := oneHost(60, time.Minute, hours...)
	dealt := instantsOf(replan(t, New(Default()), in))
	spacing := in.Spacing
	in.Spacing = nil
	stacked := instantsOf(replan(t, New(Default()), in))
	in.Spacing = spacing

	for i := 1; i < len(dealt); i++ {
		if d := dealt[i].At.Sub(dealt[i-1].At); d < time.Minute {
			t.Fatalf("%v and %v are %v apart", dealt[i-1].At, dealt[i].At, d)
		}
	}
	if len(dealt) != len(stacked) {
		t.Errorf("%d fetches, %d if the host took any number", len(dealt), len(stacked))
	}
	// Each feed's fetches come no later than where they were wanted, hence before the visit they are for. What is wanted
	// right after a visit is for no particular one.
	afterVisit := func(at time.Time) bool {
		return slices.ContainsFunc(hours, func(h float64) bool {
			since := at.Sub(in.Now).Hours() - h
			return 0 <= since && since < 0.25
		})
	}
	wanted := map[int64][]time.Time{}
	for _, at := range stacked {
		wanted[at.Feed] = append(wanted[at.Feed], at.At)
	}
	count := map[int64]int{}
	for _, at := range dealt {
		k := count[at.Feed]
		count[at.Feed]++
		if k < len(wanted[at.Feed]) && !afterVisit(wanted[at.Feed][k]) && at.At.Truncate(Bin).After(wanted[at.Feed][k]) {
			t.Errorf("feed %d: fetched at %v, wanted at %v", at.Feed, at.At, wanted[at.Feed][k])
		}
	}
	delayed := slices.Clone(stacked)
	slices.SortStableFunc(delayed, func(a, b Instant) int { return a.At.Compare(b.At) })
	for i := range delayed[1:] {
		if free := delayed[i].At.Add(time.Minute); delayed[i+1].At.Before(free) {
			delayed[i+1].At = free
		}
	}
	free, kept, lost := waiting(&in, stacked, hours), waiting(&in, dealt, hours), waiting(&in, delayed, hours)
	t.Logf("hours waited: %.1f if the host took any number, %.1f dealt, %.1f stacked and delayed", free, kept, lost)
	if kept-free > (lost-free)/4 {
		t.Errorf("dealt slots cost %.1f h of waiting, delayed requests %.1f h", kept-free, lost-free)
	}
	// Before the first visit the busier feed is the later.
	var last []int64
	for _, at := range dealt {
		if at.At.Before(in.Now.Add(7*time.Hour + 30*time.Minute)) {
			last = append(last, at.Feed)
		}
	}
	if n := len(last); n < 20 || last[n-1] != 1 || last[n-2] != 2 {
		t.Errorf("the last of %d fetches before the visit are of feeds %v, want the busiest, 1, last", n, last[max(0, n-5):])
	}
}

// Plans made one after the other keep the slots: they do not wander away from the visit.
func TestSlotsStay(t *testing.T) {
	in := oneHost(60, time.Minute, 7.5, 20)
	s := New(Default())
	first := replan(t, s, in)
	pl := first
	for range 12 {
		in.Instants = nil
		for i := range pl.Feeds {
			in.Instants = append(in.Instants, pl.Feeds[i].Instants...)
		}
		in.Now = in.Now.Add(Bin)
		in.Bucket = in.Bucket.AsOf(in.Now)
		pl = replan(t, s, in)
	}
	before, now := map[int64]time.Time{}, map[int64]time.Time{}
	for _, at := range instantsOf(first) {
		if before[at.Feed].IsZero() && at.At.After(in.Now.Add(time.Hour)) {
			before[at.Feed] = at.At
		}
	}
	for _, at := range instantsOf(pl) {
		if now[at.Feed].IsZero() && at.At.After(in.Now.Add(time.Hour)) {
			now[at.Feed] = at.At
		}
	}
	moved, wandered := 0, 0 // by more than a minute or two as another's slot is freed; away from the visit
	for feed, at := range before {
		switch d := now[feed].Sub(at); {
		case d < -10*time.Minute:
			wandered++
		case d.Abs() > 2*time.Minute:
			moved++
		}
	}
	// That nobody came for an hour of the night is news, if little.
	if len(before) < 50 || moved > len(before)/3 || wandered > 1 {
		t.Errorf("of %d feeds %d are fetched at another time after an hour of plans, %d away from the visit", len(before), moved, wandered)
	}
}

// Whatever is planned of a host: slots are its spacing apart, none in a skipped hour or before the feed may be fetched, and those
// of a feed keep its gap.
func TestSlotsKeepTheRules(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 8))
	for round := range 20 {
		in := oneHost(2+r.IntN(80), time.Duration(1+r.IntN(400))*time.Second, 6+3*r.Float64(), 18+4*r.Float64())
		for i := range in.Feeds {
			f := &in.Feeds[i]
			f.Fetched = in.Now.Add(-time.Duration(r.IntN(300)) * time.Minute)
			f.Tried = f.Fetched
			switch r.IntN(5) {
			case 0:
				f.Limits.Skips = NewSkips([]int{5, 6, 17}, nil)
			case 1:
				f.NotBefore = in.Now.Add(time.Duration(r.IntN(12)) * time.Hour)
			case 2:
				f.Host = []string{"", "other.example"}[r.IntN(2)]
			}
		}
		in.Spacing["other.example"] = time.Minute
		s := New(Default())
		pl := replan(t, s, in)
		last := map[string]time.Time{}
		for _, at := range instantsOf(pl) {
			f := in.Feeds[at.Feed-1]
			if spacing := in.Spacing[f.Host]; spacing > 0 && !last[f.Host].IsZero() && at.At.Sub(last[f.Host]) < spacing {
				t.Fatalf("round %d: %v after another request to the host, spaced by %v", round, at.At.Sub(last[f.Host]), spacing)
			}
			last[f.Host] = at.At
			if f.Limits.Skips.Contains(at.At) || at.At.Before(f.NotBefore) {
				t.Fatalf("round %d: feed %d at %v, not before %v", round, f.ID, at.At, f.NotBefore)
			}
		}
		sent := map[string]float64{}
		for i := range pl.Feeds {
			f := &pl.Feeds[i]
			for k := 1; k < len(f.Instants); k++ {
				if gap := f.Instants[k].At.Sub(f.Instants[k-1].At); gap < f.gap-2*Bin {
					t.Fatalf("round %d: feed %d after %v, its gap is %v", round, f.Feed.ID, gap, f.gap)
				}
			}
			sent[f.Feed.Host] += float64(len(f.Cycle.At)) / float64(f.Cycle.Every)
		}
		for host, n := range sent {
			if spacing := in.Spacing[host]; spacing > 0 && n > float64(day/spacing)+1e-6 {
				t.Fatalf("round %d: %v requests a day to %s, which takes one every %v", round, n, host, spacing)
			}
		}
	}
}

// Hosts that may be asked at any time, and feeds of none, are planned as ever.
func TestSlotsOfFreeHosts(t *testing.T) {
	in := oneHost(10, 0, 7.5)
	want := instantsOf(replan(t, New(Default()), in))
	in.Spacing = nil
	if got := instantsOf(replan(t, New(Default()), in)); !slices.Equal(got, want) {
		t.Error("a host without a spacing changes the plan")
	}
	for i := range in.Feeds {
		in.Feeds[i].Host = fmt.Sprint("host ", i)
	}
	in.Spacing = map[string]time.Duration{}
	for i := range in.Feeds {
		in.Spacing[in.Feeds[i].Host] = time.Second
	}
	if got := instantsOf(replan(t, New(Default()), in)); !slices.Equal(got, want) {
		t.Error("hosts of one feed each change the plan")
	}
}

// What is due now or fetched off the plan has the host first.
func TestSlotsComeAfterWhatIsDue(t *testing.T) {
	in := oneHost(40, time.Minute, 1.2)
	in.Occasion = TopUp
	for i := range in.Feeds {
		in.Feeds[i].Fetched = in.Now.Add(-4 * time.Hour)
		in.Feeds[i].Tried = in.Feeds[i].Fetched
	}
	pl := replan(t, New(Default()), in)
	if len(pl.Now) < 10 {
		t.Fatalf("%d top-ups", len(pl.Now))
	}
	for _, at := range instantsOf(pl) {
		if at.At.Before(in.Now.Add(time.Duration(len(pl.Now)) * time.Minute)) {
			t.Fatalf("a slot at %v among %d requests from %v on", at.At, len(pl.Now), in.Now)
		}
	}
}

// deal finds the best order: no other of a few jobs has less haste times earliness.
func TestDealIsBest(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 9))
	base := monday.Truncate(time.Hour)
	for range 200 {
		n := 1 + r.IntN(6)
		feeds := make([]FeedPlan, n)
		jobs := make([]hostJob, n)
		latest := map[int]time.Time{}
		for i := range feeds {
			// Whole slots: there Smith's rule is exact.
			at := base.Add(time.Duration(r.IntN(4)) * Bin)
			feeds[i] = FeedPlan{Feed: &Feed{ID: int64(i)}, Instants: []Instant{{At: at}}}
			jobs[i] = hostJob{feed: &feeds[i], latest: at, earliest: base.Add(-day), haste: r.Float64()}
			latest[i] = at
		}
		cost := func(at []time.Time) (sum float64) {
			for i := range at {
				sum += jobs[i].haste * latest[i].Sub(at[i]).Hours()
			}
			return sum
		}
		best := math.Inf(1)
		var try func(k int, at []time.Time, used map[time.Time]bool)
		try = func(k int, at []time.Time, used map[time.Time]bool) {
			if k == n {
				best = min(best, cost(at))
				return
			}
			for slot := latest[k]; slot.After(latest[k].Add(-time.Duration(n) * Bin)); slot = slot.Add(-Bin) {
				if !used[slot] {
					used[slot] = true
					try(k+1, append(at, slot), used)
					delete(used, slot)
				}
			}
		}
		try(0, nil, map[time.Time]bool{})
		byFeed := slices.Clone(jobs)
		deal(jobs, base.Add(-day), Bin)
		jobs = byFeed
		got := make([]time.Time, n)
		for i := range feeds {
			got[i] = feeds[i].Instants[0].At
		}
		if c := cost(got); c > best+1e-9 {
			t.Fatalf("dealt slots cost %v, the best %v", c, best)
		}
	}
}

func TestCapacities(t *testing.T) {
	in := oneHost(60, 5*time.Minute, 7.5)
	s := New(Default())
	if got := s.begin(&in).capacities(); !maps.Equal(got, map[string]float64{"example.com": 288}) {
		t.Errorf("a host that is asked every five minutes takes %v", got)
	}
	in.Awake = sleepsBut(8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)
	if got := s.begin(&in).capacities(); !maps.Equal(got, map[string]float64{"example.com": 144}) {
		t.Errorf("from a machine that is awake for twelve hours it takes %v", got)
	}
	in.Spacing["example.com"] = time.Second
	if got := s.begin(&in).capacities(); len(got) > 0 {
		t.Errorf("a host that takes more than its feeds may ask for takes %v", got)
	}
}
