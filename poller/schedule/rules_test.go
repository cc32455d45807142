package schedule

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"kairos/useraccess/rate"
)

// often is what is known of a feed with a post every ten minutes, rare of one with hardly any.
func often() Posts {
	var t rate.Tally
	t.Add(time.UTC, 0, monday.Add(-2*day), monday, since(monday.Add(-time.Minute), 10*time.Minute, 280)...)
	return Posts{Tally: t, UpTo: monday, Newest: monday.Add(-time.Minute)}
}

func rare(newest time.Time) Posts { return Posts{UpTo: monday, Newest: newest} }

func TestGaps(t *testing.T) {
	r := Default()
	if gap, cause := r.GapOf(&Feed{Tried: monday}); gap != r.CalmGap || cause != GapUnknown {
		t.Errorf("never fetched: %s, %s", gap, cause)
	}
	recent := monday.Add(-day)
	for name, tt := range map[string]struct {
		feed  Feed
		gap   time.Duration
		cause GapCause
	}{
		"news":                        {Feed{Posts: often()}, 15 * time.Minute, GapLeast},
		"a blog":                      {Feed{Posts: rare(recent)}, r.CalmGap, GapCalm},
		"a blog whose server hurries": {Feed{Posts: rare(recent), Limits: Limits{MaxAge: 20 * time.Minute}}, 20 * time.Minute, GapRequested},
		"a blog whose user hurries":   {Feed{Posts: rare(recent), Every: 50 * time.Minute}, 25 * time.Minute, GapWanted},
		"max-age":                     {Feed{Posts: often(), Limits: Limits{MaxAge: 2 * time.Hour}}, 2 * time.Hour, GapRequested},
		"max-age of a year":           {Feed{Posts: often(), Limits: Limits{MaxAge: 365 * day}}, 12 * time.Hour, GapRequested},
		"ttl of a year":               {Feed{Posts: often(), Limits: Limits{TTL: 365 * day}}, day, GapRequested},
		"silent for a month":          {Feed{Posts: rare(monday.Add(-31 * day))}, 12 * time.Hour, GapSilent},
		"silent for a year":           {Feed{Posts: rare(monday.Add(-366 * day))}, 7 * day, GapDormant},
		"silent, but wanted daily":    {Feed{Posts: rare(monday.Add(-366 * day)), Every: day}, 12 * time.Hour, GapWanted},
		"17 MB each time":             {Feed{Posts: often(), Answers: Answers{Full: 20, Size: 17e6}}, 8*time.Hour + 9*time.Minute + 36*time.Second, GapLarge},
		"17 MB, but wanted hourly":    {Feed{Posts: often(), Answers: Answers{Full: 20, Size: 17e6}, Every: time.Hour}, 30 * time.Minute, GapWanted},
		"half a megabyte":             {Feed{Posts: often(), Answers: Answers{Full: 20, Size: 5e5}}, 15 * time.Minute, GapLeast},
		"60 MB and silent":            {Feed{Posts: rare(monday.Add(-31 * day)), Answers: Answers{Full: 20, Size: 6e7}}, day, GapLarge},
		"never seen to post":          {Feed{Posts: rare(time.Time{})}, r.CalmGap, GapCalm},
	} {
		tt.feed.Tried, tt.feed.Fetched = monday, monday
		if gap, cause := r.GapOf(&tt.feed); gap != tt.gap || cause != tt.cause {
			t.Errorf("%s: %s, %s, want %s, %s", name, gap, cause, tt.gap, tt.cause)
		}
	}
}

// A feed is expected to send no more than DayBytes a day, or one document a day; a larger one is never fetched more often, and none
// that is below the bound less often than without it.
func TestBytesADayAreBounded(t *testing.T) {
	r, unbound := Default(), Default()
	unbound.DayBytes = math.Inf(1)
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		answers := Answers{Full: random.Float64() * answersKept, NotModified: random.Float64() * answersKept, Size: math.Exp(random.Float64() * 18)}
		f := Feed{Tried: monday, Fetched: monday, Posts: []Posts{often(), rare(monday), rare(monday.Add(-40 * day))}[random.IntN(3)], Answers: answers}
		gap, cause := r.GapOf(&f)
		aDay := answers.perFetch(f.Posts.PerHour()) * float64(day) / float64(gap)
		if free := unbound.gap(&f); aDay > 1.001*r.DayBytes && gap < day || gap < free || gap > free && (cause != GapLarge || gap > day) {
			t.Fatalf("%+v: %v a day after %v, without the bound %v", answers, aDay, gap, free)
		}
		f.Answers.Size = min(2*f.Answers.Size, largestDocument)
		if larger := r.gap(&f); larger < gap {
			t.Fatalf("%+v: %v for twice as much, %v before", answers, larger, gap)
		}
	}
}

func TestAllowed(t *testing.T) {
	r := Default()
	for name, tt := range map[string]struct {
		feed Feed
		now  time.Time
		want time.Time
	}{
		"never tried":           {Feed{}, monday, monday},
		"just tried":            {Feed{Tried: monday}, monday, monday.Add(r.CalmGap)},
		"tried long ago":        {Feed{Tried: monday.Add(-day)}, monday, monday},
		"backing off":           {Feed{Tried: monday, NotBefore: monday.Add(3 * time.Hour)}, monday, monday.Add(3 * time.Hour)},
		"at an hour to skip":    {Feed{Limits: Limits{Skips: NewSkips([]int{9, 10}, nil)}}, monday, monday.Truncate(day).Add(11 * time.Hour)},
		"on a day to skip":      {Feed{Limits: Limits{Skips: NewSkips(nil, []time.Weekday{time.Monday})}}, monday, monday.Truncate(day).Add(day)},
		"everything is skipped": {Feed{Limits: Limits{Skips: Skips{Hours: 1<<24 - 1}}}, monday, monday},
	} {
		if got := r.Allowed(&tt.feed, tt.now); !got.Equal(tt.want) {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
