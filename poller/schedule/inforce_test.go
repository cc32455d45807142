package schedule

import (
	"slices"
	"testing"
	"time"
)

// planned are instants of feed 1, so many minutes after monday.
func planned(minutes ...int) (at []Instant) {
	for _, m := range minutes {
		at = append(at, Instant{Feed: 1, At: monday.Add(time.Duration(m) * time.Minute), Reason: Reason{Code: Planned}, Value: 1})
	}
	return at
}

func minutes(instants []Instant) (m []int) {
	for _, i := range instants {
		m = append(m, int(i.At.Sub(monday)/time.Minute))
	}
	return m
}

func TestServed(t *testing.T) {
	r := Default()
	f := Feed{ID: 1, Tried: monday} // may be fetched again after half an hour
	for name, tt := range map[string]struct{ before, after []int }{
		"nothing":             {nil, nil},
		"what was due":        {[]int{-5, 0, 90}, []int{90}},
		"too early":           {[]int{0, 10, 20, 90}, []int{30, 90}},
		"too early, and then": {[]int{20, 30, 90}, []int{30, 90}},
	} {
		if got := minutes(r.Served(&f, planned(tt.before...), monday)); !slices.Equal(got, tt.after) {
			t.Errorf("%s: %v, want %v", name, got, tt.after)
		}
	}
}

func TestRetried(t *testing.T) {
	r := Default()
	f := Feed{ID: 1, Tried: monday, Failures: 2, NotBefore: monday.Add(2 * time.Hour)}
	got := r.Retried(&f, r.Served(&f, planned(0, 300), monday), monday)
	if !slices.Equal(minutes(got), []int{120, 300}) || got[0].Reason != (Reason{Code: Retry, Failures: 2}) {
		t.Errorf("%+v", got)
	}
	if again := r.Retried(&f, got, monday); len(again) != 2 {
		t.Errorf("another try beside the one there is: %+v", again)
	}
}

func TestUpdate(t *testing.T) {
	pl := &Plan{Made: monday, start: monday.Truncate(Bin), Feeds: []FeedPlan{{Feed: &Feed{ID: 1}, Instants: planned(10, 30)}}}
	inForce := append(planned(-20, 2, 10, 20), Instant{Feed: 2, At: monday.Add(time.Hour)})
	put, strike := pl.Update(inForce)
	if !slices.Equal(minutesOf(put), []int{30}) || !slices.Equal(minutes(strike), []int{20, 60}) {
		t.Errorf("put %v, strike %v", minutesOf(put), minutes(strike))
	}
	pl.Feeds[0].Instants[0].Value = 2 // that is another instant
	if put, _ = pl.Update(inForce); !slices.Equal(minutesOf(put), []int{10, 30}) {
		t.Errorf("put %v", minutesOf(put))
	}
	pl.Feeds[0].Instants = append(pl.Feeds[0].Instants, planned(400)...)
	later := append(slices.Clone(inForce), planned(400)...)
	later[len(later)-1].Value = 7 // a value that is worked out anew before it matters
	if put, _ = pl.Update(later); !slices.Equal(minutesOf(put), []int{10, 30}) {
		t.Errorf("put %v", minutesOf(put))
	}
	pl.again = true // on an occasion what is overdue is decided again
	if _, strike = pl.Update(inForce); !slices.Equal(minutes(strike), []int{-20, 20, 60}) {
		t.Errorf("strike %v", minutes(strike))
	}
	pl.partial = true // the plan of feed 1 alone leaves feed 2 alone
	if _, strike = pl.Update(inForce); !slices.Equal(minutes(strike), []int{-20, 20}) {
		t.Errorf("strike %v", minutes(strike))
	}
}

func minutesOf(instants []*Instant) (m []int) {
	for _, at := range instants {
		m = append(m, minutes([]Instant{*at})...)
	}
	return m
}

func TestStorable(t *testing.T) {
	got := minutes(Storable(planned(10, 1000, 1500, 2000), monday))
	if !slices.Equal(got, []int{10, 1000, 1500}) {
		t.Errorf("those of a day and the next one: %v", got)
	}
}

// What is due begins in the order of its value, once a feed, as far as the bucket reaches.
func TestStart(t *testing.T) {
	r := Default()
	due := func(feed int64, value float64, change func(d *Due)) Due {
		d := Due{Instant: Instant{Feed: feed, At: monday, Value: value}, Of: Feed{ID: feed}}
		if change != nil {
			change(&d)
		}
		return d
	}
	all := []Due{
		due(1, 1, nil), due(2, 5, nil), due(2, 4, nil), due(3, 9, func(d *Due) { d.Running = true }),
		due(4, 9, func(d *Due) { d.Held = true }), due(5, 9, func(d *Due) { d.Gone = true }),
		due(6, 9, func(d *Due) { d.Of.Tried = monday }), due(7, 3, nil),
	}
	SortDue(all)
	bucket := full(1)
	s := r.Start(monday, all, bucket, nil)
	feeds := func(due []Due) (ids []int64) {
		for _, d := range due {
			ids = append(ids, d.Feed)
		}
		return ids
	}
	if !slices.Equal(feeds(s.Begin), []int64{2, 7}) || !slices.Equal(feeds(s.TooSoon), []int64{5, 6}) {
		t.Errorf("begin %v, too soon %v", feeds(s.Begin), feeds(s.TooSoon))
	}
	if s.Room.IsZero() {
		t.Error("feed 1 waits for nothing")
	}
	bucket.Days = 0
	if s = r.Start(monday, all[len(all)-1:], bucket, nil); len(s.Begin) > 0 || !s.Room.Equal(monday.Add(day)) {
		t.Errorf("an empty bucket of one a day: %+v", s)
	}
}
