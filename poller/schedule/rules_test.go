package schedule

import (
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
		"never seen to post":          {Feed{Posts: rare(time.Time{})}, r.CalmGap, GapCalm},
	} {
		tt.feed.Tried, tt.feed.Fetched = monday, monday
		if gap, cause := r.GapOf(&tt.feed); gap != tt.gap || cause != tt.cause {
			t.Errorf("%s: %s, %s, want %s, %s", name, gap, cause, tt.gap, tt.cause)
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
