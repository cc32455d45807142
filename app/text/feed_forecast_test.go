package text

import (
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/insights"
	"kairos/poller/schedule"
)

// A change that changes nothing is told so.
func TestEffectsThatChangeNothing(t *testing.T) {
	now, more := schedule.FeedForecast{Fetches: 0.5, Ready: 0.8}, schedule.FeedForecast{Fetches: 1, Ready: 0.9}
	got := English().Effects([]poller.Effect{{FeedForecast: now}, {Change: schedule.Change{Weight: 0.5}, FeedForecast: now}, {Change: schedule.Change{Weight: 2}, FeedForecast: more}})
	if len(got) != 3 || got[0] != "one fetch every 2 days: about 80 % ready" || got[1] != "no difference" || got[2] != "one fetch a day: about 90 % ready" {
		t.Errorf("%q", got)
	}
}

// Feeds have been fetched on the first day, only not by plan.
func TestFirstFetchesAreNotDenied(t *testing.T) {
	got := English().InsightNote(insights.Note{Code: insights.OnlyFirst}, time.Time{})
	if want := "No feed has been fetched by plan yet; a first fetch brings what is already there."; got != want {
		t.Errorf("it says %q", got)
	}
}

// Where the plan of now is not what is expected over weeks, one line says why; where they are about the same, none does.
func TestNowIsExplained(t *testing.T) {
	f := poller.FeedForecast{Now: 70, NowCause: schedule.LearnsPosts, Effects: []poller.Effect{{FeedForecast: schedule.FeedForecast{Fetches: 38}}}}
	if got, want := English().Now(&f), "Now 70 fetches a day, in the long run 38 fetches a day: Kairos is learning how often it posts."; got != want {
		t.Errorf("%q", got)
	}
	if f.Now = 40; English().Now(&f) != "" {
		t.Errorf("40 and 38: %q", English().Now(&f))
	}
	if f.Now, f.NowCause = 1, schedule.LastDays; English().Now(&f) != "Now one fetch a day, in the long run 38 fetches a day: the current plan goes by the last few days." {
		t.Errorf("%q", English().Now(&f))
	}
	for _, none := range []poller.FeedForecast{{Now: 70}, {Effects: f.Effects}} {
		if got := English().Now(&none); got != "" {
			t.Errorf("of %+v: %q", none, got)
		}
	}
}
