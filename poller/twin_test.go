package poller

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kairos/poller/lab/labtest"
	"kairos/poller/lab/policy"
	"kairos/poller/lab/traces"
	"kairos/poller/schedule"
	"kairos/useraccess/rate"
)

// The lab fetches when the loop does, to the second: one trace is replayed by the real loop
// (SQLite, HTTP on loopback, a virtual clock) and by the lab's exact, from the same state.
// And the test would notice: with any one floor, skip, share or step changed in the lab the
// two part.
func TestLoopAndLabAreTwins(t *testing.T) {
	slowWithRace(t)
	days := 4
	if soak {
		days = twinDays
	}
	tr := syntheticTwin(1, days)
	tr.read(1, monday.Unix())
	tw := newTwin(t, tr)
	loop := tw.live()
	all := 0
	for _, at := range loop {
		all += len(at)
	}
	t.Logf("%d feeds, %d days, %d accesses, %d fetches (%v): %v", len(tr.feeds), days, len(tw.state.Readings), all, tw.reasons(), counts(loop))
	if all < days*len(tr.feeds)*4 {
		t.Errorf("only %d fetches", all)
	}
	if d := tw.firstDifference(loop, tw.replay(rules, tw.state, tw.end.Unix())); d != "" {
		t.Fatal(d)
	}
	t.Run("catch-ups after sleep", func(t *testing.T) {
		woken := *tw
		woken.trace.asleep = tr.asleep[1:]
		end := tw.start.Add(2 * day).Unix()
		if woken.firstDifference(before(loop, end), woken.replay(rules, tw.state, end)) == "" {
			t.Error("nobody notices")
		}
	})
	for _, m := range twinMutations {
		if m.days > days {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			r, s := rules, tw.state
			s.Inputs.Feeds = slices.Clone(s.Inputs.Feeds)
			m.change(&r, &s)
			end := tw.start.Add(time.Duration(m.days) * day).Unix()
			if tw.firstDifference(before(loop, end), tw.replay(r, s, end)) == "" {
				t.Error("nobody notices")
			}
		})
	}
}

// before are the fetches before an instant.
func before(fetches [][]int64, end int64) [][]int64 {
	cut := make([][]int64, len(fetches))
	for i, at := range fetches {
		n, _ := slices.BinarySearch(at, end)
		cut[i] = at[:n]
	}
	return cut
}

func counts(fetches [][]int64) (n []int) {
	for _, at := range fetches {
		n = append(n, len(at))
	}
	return n
}

// twinMutations change one parameter of the schedule each, in the lab alone, which shows
// within so many days.
var twinMutations = []struct {
	name   string
	days   int
	change func(r *schedule.Rules, s *policy.State)
}{
	{"least gap", 1, func(r *schedule.Rules, _ *policy.State) { r.MinGap += 10 * time.Minute }},
	{"gap of calm feeds", 1, func(r *schedule.Rules, _ *policy.State) { r.CalmGap += time.Hour }},
	{"fetch cost", 1, func(r *schedule.Rules, _ *policy.State) { r.Kairos.FetchCost *= 100 }},
	{"rate of busy feeds", 1, func(r *schedule.Rules, _ *policy.State) { r.BusyRate *= 2 }},
	{"silence", 4, func(r *schedule.Rules, _ *policy.State) { r.Silent += 30 * day }},
	{"gap of silent feeds", 4, func(r *schedule.Rules, _ *policy.State) { r.SilentGap += 6 * time.Hour }},
	{"dormancy", 4, func(r *schedule.Rules, _ *policy.State) { r.Dormant += 200 * day }},
	{"gap of dormant feeds", twinDays, func(r *schedule.Rules, _ *policy.State) { r.DormantGap -= day }},
	{"most of max-age", 1, func(r *schedule.Rules, _ *policy.State) { r.MaxAgeCap -= time.Hour }},
	{"most of ttl", 4, func(r *schedule.Rules, _ *policy.State) { r.TTLCap -= 6 * time.Hour }},
	{"max-age", 1, change(func(f *schedule.Feed) bool { return f.Limits.MaxAge == 2*time.Hour }, func(f *schedule.Feed) { f.Limits.MaxAge = time.Hour })},
	{"ttl", 1, change(func(f *schedule.Feed) bool { return f.Limits.TTL == 3*time.Hour }, func(f *schedule.Feed) { f.Limits.TTL = 0 })},
	{"skipped hours", 1, change(func(f *schedule.Feed) bool { return f.Limits.Skips.Hours != 0 }, func(f *schedule.Feed) { f.Limits.Skips.Hours &^= 1 << 12 })},
	{"skipped days", 3, change(func(f *schedule.Feed) bool { return f.Limits.Skips.Days != 0 }, func(f *schedule.Feed) { f.Limits.Skips.Days &^= 1 << time.Wednesday })},
	{"what the user asks for", 1, change(func(f *schedule.Feed) bool { return f.Every == 5*time.Hour }, func(f *schedule.Feed) { f.Every = 4 * time.Hour })},
	{"weight", 1, change(func(f *schedule.Feed) bool { return f.Weight == 2 }, func(f *schedule.Feed) { f.Weight = 1 })},
	{"offset", 1, change(func(f *schedule.Feed) bool { return true }, func(f *schedule.Feed) { f.Offset += time.Second })},
	{"interest in one feed", 1, func(_ *schedule.Rules, s *policy.State) { s.Interests[0].Passed += 5 }},
	{"one reading", 4, func(_ *schedule.Rules, s *policy.State) {
		s.Readings = slices.Clone(s.Readings)
		s.Readings[0].Read = s.Readings[0].Read[1:]
	}},
	{"no readings", 1, func(_ *schedule.Rules, s *policy.State) { s.Readings = nil }},
	{"top-ups", 1, func(r *schedule.Rules, _ *policy.State) { r.NoTopUps = true }},
	{"the price of what is left", 1, func(r *schedule.Rules, _ *policy.State) { r.OnePrice = true }},
	{"latest posts", 4, func(r *schedule.Rules, _ *policy.State) { r.IgnoreLatest = true }},
	{"sleep", 4, func(r *schedule.Rules, _ *policy.State) { r.IgnoreSleep = true }},
	{"budget", 1, func(_ *schedule.Rules, s *policy.State) { s.Inputs.Budget-- }},
	{"what is left of it", 1, func(_ *schedule.Rules, s *policy.State) { s.Inputs.Bucket.Days -= 0.2 }},
	{"instants in force", 1, func(_ *schedule.Rules, s *policy.State) { s.Inputs.Instants = nil }},
}

// change changes the first feed that is meant.
func change(meant func(f *schedule.Feed) bool, change func(f *schedule.Feed)) func(*schedule.Rules, *policy.State) {
	return func(_ *schedule.Rules, s *policy.State) {
		change(&s.Inputs.Feeds[slices.IndexFunc(s.Inputs.Feeds, func(f schedule.Feed) bool { return meant(&f) })])
	}
}

// The same where the budget is so small that instants wait for it and are decided again.
func TestLoopAndLabAreTwinsOnASmallBudget(t *testing.T) {
	slowWithRace(t)
	days := 4
	if soak {
		days = twinDays
	}
	tr := syntheticTwin(3, days)
	tr.budget = "120"
	tr.read(3, monday.Unix())
	tw := newTwin(t, tr)
	loop := tw.live()
	t.Logf("%v: %v", tw.reasons(), counts(loop))
	if d := tw.firstDifference(loop, tw.replay(rules, tw.state, tw.end.Unix())); d != "" {
		t.Error(d)
	}
}

// The same in New York, where summer begins, with feeds that fail, servers that ask to be left alone, and
// battery saver switched on and off.
func TestLoopAndLabAreTwinsInTrouble(t *testing.T) {
	slowWithRace(t)
	days := 8 // summer begins on the seventh
	if testing.Short() {
		days = 4
	}
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	tr := syntheticTwin(5, days)
	tr.zone = zone
	if !soak {
		tr.feeds = tr.feeds[:12]
	}
	span := func(from, length float64) traces.Span {
		at := func(days float64) int64 { return monday.Unix() + int64(days*86400) }
		return traces.Span{From: at(from), To: at(from + length)}
	}
	tr.feeds[2].failing = []traces.Span{span(0.3, 0.4), span(1.5, 0.02), span(3, 5)}
	tr.feeds[5].failing, tr.feeds[5].retryAfter = []traces.Span{span(0.5, 0.3), span(2.2, 0.1)}, 3*time.Hour
	tr.saver = []traces.Span{span(0.9, 0.1), span(1.2, 0.7), span(2.5, 0.05)}
	tr.read(5, monday.Unix())
	tw := newTwin(t, tr)
	loop := tw.live()
	failed, unasked, cheap := 0, 0, 0
	for _, a := range tw.state.Answers {
		switch {
		case a.Unasked:
			unasked++
		case a.Failed:
			failed++
		case a.Cost != 1:
			cheap++
		}
	}
	t.Logf("%d failures, %d fetches that waited for their host, %d at a cost of their own; %v: %v", failed, unasked, cheap, tw.reasons(), counts(loop))
	if failed < 5 || unasked == 0 || cheap == 0 {
		t.Error("too little happened")
	}
	if d := tw.firstDifference(loop, tw.replay(rules, tw.state, tw.end.Unix())); d != "" {
		t.Fatal(d)
	}
	end := tw.start.Add(4 * day).Unix()
	for name, change := range map[string]func(tw *twin){
		"failures":      answers(func(a *policy.Answer) { a.Failed = false }),
		"back-off":      answers(func(a *policy.Answer) { a.NotBefore = a.NotBefore.Add(time.Hour) }),
		"host":          answers(func(a *policy.Answer) { a.HostUntil = time.Time{} }),
		"costs":         answers(func(a *policy.Answer) { a.Cost = 1 }),
		"bytes":         answers(func(a *policy.Answer) { a.Learned = schedule.Answers{} }),
		"battery saver": func(tw *twin) { tw.state.Budgets = tw.state.Budgets[2:] },
		"ramp": func(tw *twin) {
			tw.state.Budgets = slices.Clone(tw.state.Budgets)
			for i := range tw.state.Budgets {
				tw.state.Budgets[i].Saving = false
			}
		},
		"zone": func(tw *twin) { tw.trace.zone = time.UTC },
	} {
		t.Run(name, func(t *testing.T) {
			changed := *tw
			change(&changed)
			if changed.firstDifference(before(loop, end), changed.replay(rules, changed.state, end)) == "" {
				t.Error("nobody notices")
			}
		})
	}
}

// answers changes those that a twin is told about.
func answers(change func(a *policy.Answer)) func(tw *twin) {
	return func(tw *twin) {
		tw.state.Answers = slices.Clone(tw.state.Answers)
		for i := range tw.state.Answers {
			change(&tw.state.Answers[i])
		}
	}
}

// The same where signs of presence foretell most accesses.
func TestLoopAndLabAreTwinsWithSigns(t *testing.T) {
	slowWithRace(t)
	days := twinDays
	tr := syntheticTwin(4, days)
	tr.asleep = nil
	tr.feeds = tr.feeds[:10]
	r := rand.New(rand.NewPCG(4, 4))
	for _, at := range tr.accesses {
		if at <= monday.Add(time.Hour).Unix() {
			continue
		}
		if kind := rate.Signs[r.IntN(2)]; r.IntN(5) > 0 {
			tr.signs = append(tr.signs, traces.Sign{At: at - 1 - r.Int64N(1800), Kind: kind})
		}
		tr.signs = append(tr.signs, traces.Sign{At: at + r.Int64N(36000), Kind: rate.Signs[r.IntN(4)]})
	}
	slices.SortFunc(tr.signs, func(a, b traces.Sign) int { return cmp.Compare(a.At, b.At) })
	tr.signs = slices.CompactFunc(tr.signs, func(a, b traces.Sign) bool { return a.At == b.At })
	tr.read(4, monday.Unix())
	tw := newTwin(t, tr)
	loop := tw.live()
	reasons := tw.reasons()
	t.Logf("%d signs, %d accesses, fetches (%v): %v", len(tr.signs), len(tw.state.Readings), reasons, counts(loop))
	if reasons[Presence] < days {
		t.Errorf("only %d fetches before a visit that was foretold", reasons[Presence])
	}
	if d := tw.firstDifference(loop, tw.replay(rules, tw.state, tw.end.Unix())); d != "" {
		t.Error(d)
	}
	tw.trace.signs = nil
	if tw.firstDifference(loop, tw.replay(rules, tw.state, tw.end.Unix())) == "" {
		t.Error("nobody notices that there are no signs")
	}
}

// The same on a real person with real feeds.
func TestLoopAndLabAreTwinsOnRealTraces(t *testing.T) {
	slowWithRace(t)
	set := labtest.Panel(t, 0)
	days := 4
	if testing.Short() {
		days = 3
	}
	u := slices.MaxFunc(set.Users, func(a, b traces.User) int { return cmp.Compare(len(a.Accesses), len(b.Accesses)) })
	// Eight weeks before the end of the traces becomes the Monday on which the clock of the test begins.
	shift := monday.Unix() - (set.End - 8*7*int64(day/time.Second))
	shifted := func(of []int64) (at []int64) {
		for _, x := range of {
			at = append(at, x+shift)
		}
		return slices.Compact(at)
	}
	tr := twinTrace{budget: Balanced, days: days, accesses: shifted(u.Accesses)}
	for _, f := range u.Feeds[:min(40, len(u.Feeds))] {
		tr.feeds = append(tr.feeds, twinFeed{posts: shifted(f.Posts)})
	}
	tr.read(2, monday.Unix())
	tw := newTwin(t, tr)
	loop := tw.live()
	t.Logf("%d feeds, %d accesses, fetches (%v): %v", len(tr.feeds), len(tw.state.Readings), tw.reasons(), counts(loop))
	if d := tw.firstDifference(loop, tw.replay(rules, tw.state, tw.end.Unix())); d != "" {
		t.Error(d)
	}
}
