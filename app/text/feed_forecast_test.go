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
