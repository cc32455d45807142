package schedule

import (
	"testing"
	"time"
)

// document is what a feed shows at an instant: the last of its posts, one every so often since
// start, of which those after last are new.
func document(start, last, now time.Time, every time.Duration, shows func(posts []time.Time) []time.Time) (dates []time.Time, fresh int) {
	for at := start; !at.After(now); at = at.Add(every) {
		dates = append(dates, at)
	}
	dates = shows(dates)
	for _, d := range dates {
		if d.After(last) {
			fresh++
		}
	}
	return dates, fresh
}

func TestWindowIsLearned(t *testing.T) {
	lastOf := func(n int) func([]time.Time) []time.Time {
		return func(all []time.Time) []time.Time { return all[max(0, len(all)-n):] }
	}
	for name, c := range map[string]struct {
		before time.Duration // the feed is so old at the first fetch
		every  time.Duration // it posts
		gap    time.Duration // between fetches
		shows  func(all []time.Time) []time.Time
		first  int // window after the first document
		want   int // after ten
	}{
		"the last 15":           {30 * day, 3 * time.Hour, 6 * time.Hour, lastOf(15), 15, 15},
		"the last 15, too fast": {30 * day, 10 * time.Minute, 6 * time.Hour, lastOf(15), 15, 15},
		"the last 3":            {30 * day, 3 * time.Hour, 6 * time.Hour, lastOf(3), 0, 3},
		"only the last":         {30 * day, 3 * time.Hour, 6 * time.Hour, lastOf(1), 0, 1},
		"the last 200":          {300 * day, 3 * time.Hour, 6 * time.Hour, lastOf(200), 199, 199},
		"all that it ever had":  {20 * day, 3 * time.Hour, 6 * time.Hour, lastOf(1e6), 164, 0},
		"a young one":           {5 * time.Hour, 3 * time.Hour, 6 * time.Hour, lastOf(15), 0, 15},
		"too young to tell":     {5 * time.Hour, day, day, lastOf(15), 0, 0},
		"silent since long":     {30 * day, 365 * day, day, lastOf(15), 0, 0},
		"those of two days": {30 * day, 3 * time.Hour, 6 * time.Hour, func(all []time.Time) []time.Time {
			newest := all[len(all)-1]
			for all[0].Before(newest.Add(-2 * day)) {
				all = all[1:]
			}
			return all
		}, 17, 17},
	} {
		t.Run(name, func(t *testing.T) {
			var p Posts
			last := time.Time{}
			for i := range 11 {
				now := monday.Add(time.Duration(i) * c.gap)
				dates, fresh := document(monday.Add(-c.before), last, now, c.every, c.shows)
				p.Document(now, dates, fresh)
				p.Unchanged(now.Add(time.Minute))
				if last = now; i == 0 && p.Window.Items() != c.first {
					t.Errorf("after the first document of %d items the window is %d, want %d", len(dates), p.Window.Items(), c.first)
				}
			}
			if got := p.Window.Items(); got != c.want {
				t.Errorf("a window of %d is believed, want %d (%+v)", got, c.want, p.Window)
			}
		})
	}
}

// A publisher who shows more, or fewer, is believed within a few documents; a document with nothing,
// or with new names for old items, tells nothing.
func TestWindowFollowsTheFeed(t *testing.T) {
	p := Posts{UpTo: monday}
	now := monday
	show := func(n, fresh int) int {
		now = now.Add(6 * time.Hour)
		p.Document(now, since(now.Add(-time.Minute), time.Hour, n), fresh)
		return p.Window.Items()
	}
	for range 3 {
		show(15, 4)
	}
	for range 16 {
		show(20, 4)
	}
	if got := p.Window.Items(); got != 20 {
		t.Errorf("a window of %d is believed, want 20", got)
	}
	p.Document(now.Add(time.Hour), nil, 0)
	if got := p.Window.Items(); got != 20 || p.Window.Loss != (Loss{}) {
		t.Errorf("after an empty document: %+v", p.Window)
	}
	before := p.Window
	now = now.Add(6 * time.Hour)
	if p.Document(now, since(now.Add(-time.Minute), 5*time.Hour, 20), 20); p.Window != before {
		t.Errorf("with new names for old items: %+v, before %+v", p.Window, before)
	}
}

// When all that a feed shows is new, what came and went before is lost, if there was room for it.
func TestLossIsNoted(t *testing.T) {
	learn := func(gap time.Duration, dated bool) Loss {
		var p Posts
		show := func(last, now time.Time) ([]time.Time, int) {
			return document(monday.Add(-31*day), last, now, 20*time.Minute, func(all []time.Time) []time.Time { return all[len(all)-15:] })
		}
		for now := monday.Add(-30 * day); !now.After(monday); now = now.Add(4 * time.Hour) {
			dates, fresh := show(p.UpTo, now)
			p.Document(now, dates, fresh)
		}
		now := monday.Add(gap)
		dates, fresh := show(monday, now)
		if !dated {
			clear(dates)
		}
		p.Document(now, dates, fresh)
		return p.Window.Loss
	}
	for _, gap := range []time.Duration{20 * time.Minute, 4 * time.Hour, 5 * time.Hour} {
		if got := learn(gap, true); got != (Loss{}) {
			t.Errorf("after %v: %+v, nothing was lost", gap, got)
		}
	}
	got := learn(24*time.Hour, true)
	if to := monday.Add(24*time.Hour - 14*20*time.Minute); !got.From.Equal(monday) || !got.To.Equal(to) || got.Items < 45 || got.Items > 65 {
		t.Errorf("after a day 58 were lost up to %v: %+v", to, got)
	}
	if got := learn(24*time.Hour, false); !got.To.Equal(monday.Add(24*time.Hour)) || got.Items < 40 || got.Items > 65 {
		t.Errorf("without dates: %+v", got)
	}
}

// Of two feeds that differ only in what they show, the one that loses items is fetched more often:
// on the circle, in the coming hours and off the plan.
func TestLossIsInForce(t *testing.T) {
	plan := func(lossWeight float64) *Plan {
		r := Default()
		r.Exact.LossWeight = lossWeight
		in := steady(4, 4)
		in.Budget, in.Bucket = 12, full(12)
		for i := range in.Feeds {
			in.Feeds[i].Fetched, in.Feeds[i].Tried = monday.Add(-6*time.Hour), monday.Add(-6*time.Hour)
		}
		in.Feeds[0].Posts.Window = Window{Shown: 15, Size: 15, Turnover: Turning}
		in.Feeds[1].Posts.Window = Window{Shown: 400, Size: 400, Turnover: Growing}
		pl, err := New(r).Replan(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return pl
	}
	free, priced := plan(0), plan(20)
	for i, want := range []bool{true, false} {
		f, p := free.Feeds[i], priced.Feeds[i]
		if more := len(p.Cycle.At) > len(f.Cycle.At) && len(p.Instants) > len(f.Instants) && p.gain > f.gain; more != want {
			t.Errorf("feed %d: %d fetches a day, %d instants, a gain of %v with a price for losses; %d, %d, %v without", i,
				len(p.Cycle.At), len(p.Instants), p.gain, len(f.Cycle.At), len(f.Instants), f.gain)
		}
	}
	if free.Feeds[0].Cycle.Lost <= priced.Feeds[0].Cycle.Lost || priced.Feeds[1].Cycle.Lost != 0 {
		t.Errorf("%v and %v lost a day without a price, %v and %v with one", free.Feeds[0].Cycle.Lost, free.Feeds[1].Cycle.Lost,
			priced.Feeds[0].Cycle.Lost, priced.Feeds[1].Cycle.Lost)
	}
}
