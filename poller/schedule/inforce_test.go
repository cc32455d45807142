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

func TestRevise(t *testing.T) {
	f := &FeedPlan{Feed: &Feed{ID: 1}, Instants: planned(10, 30)}
	pl := &Plan{Made: monday, start: monday.Truncate(Bin), running: map[int64]bool{}}
	expect := func(name string, f *FeedPlan, inForce []Instant, changed bool, want ...int) []Instant {
		t.Helper()
		next, got := pl.Revise(f, inForce, nil)
		if !slices.Equal(minutes(next), want) || got != changed {
			t.Errorf("%s: %v (changed: %t), want %v", name, minutes(next), got, want)
		}
		return next
	}
	inForce := planned(-20, 2, 10, 20)
	stands := planned(-20, 2, 10, 30)
	expect("what has come stays", f, inForce, true, -20, 2, 10, 30)
	expect("nothing has moved", f, stands, false, -20, 2, 10, 30)
	expect("the first plan", f, nil, true, 10, 30)
	expect("another feed", nil, inForce, true, -20, 2)
	expect("another feed without instants to come", nil, planned(-20, 2), false, -20, 2)
	f.Instants[0].Value = 1.05 // about the same
	if next := expect("about the same value", f, stands, false, -20, 2, 10, 30); next[2].Value != 1 {
		t.Errorf("%v", next[2])
	}
	f.Instants[0].Value = 2 // that is another instant
	if next := expect("another value", f, stands, true, -20, 2, 10, 30); next[2].Value != 2 {
		t.Errorf("%v", next[2])
	}
	f.Instants = planned(10, 30, 400)
	later := planned(10, 30, 400)
	later[2].Value = 7 // a value that is worked out again before it matters
	expect("another value, later", f, later, false, 10, 30, 400)
	now := planned(0)[0]
	now.Value = 9
	f.now = &now // off the plan
	if next := expect("now", f, planned(-20, 0, 10, 30, 400), true, -20, 0, 10, 30, 400); next[1].Value != 9 {
		t.Errorf("%v", next[1])
	}
	f.now = nil
	pl.again = true // on an occasion what is overdue is decided again
	expect("overdue", f, stands, true, 2, 10, 30, 400)
	pl.running[1] = true
	expect("overdue, and being fetched", f, planned(-20, 2, 10, 30, 400), false, -20, 2, 10, 30, 400)
}

func TestStorable(t *testing.T) {
	got := minutes(storable(planned(10, 1000, 1500, 2000), monday))
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
	feeds := func(due []*Due) (ids []int64) {
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
